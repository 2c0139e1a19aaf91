"""Odd requests are answered, and none writes a traceback into the log."""

from __future__ import annotations

import contextlib
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response

from classroom.services.access import sessions
from tests.ports import free_port
from tests.serving import get, serving
from tests.world import World

HTMX = {"HX-Request": "true"}
FORM = "application/x-www-form-urlencoded"

ODD: tuple[dict[str, Any], ...] = (
    *({"HTTP_HOST": host} for host in ("evil.example", "", " ", "a b", "[::1", "[]", "::1", "@")),
    *({"HTTP_HOST": host} for host in ("host:99999999", "host:80:80", "127.0.0.1:-1", "host:x")),
    *({"HTTP_HOST": host} for host in ("xn--", "xn--a", "\xfc.example", "..", "a..b", "-", "%00")),
    *({"HTTP_HOST": host} for host in ("a" * 70 + ".b", "a" * 5000, "a\x00b", "a\nb", "a/b")),
    *({"PATH_INFO": path} for path in ("", "//", "/\xff", "/%", "/\x00", "/..", "/" + "a" * 9000)),
    *({"PATH_INFO": path} for path in ("/play/rounds/9999999999999", "/play/rounds/-1", "/c/\n")),
    *({"QUERY_STRING": query} for query in ("%", "%ff", "&&&==", "a=%00", "a" * 9000, "\xff")),
    *({"HTTP_COOKIE": cookie} for cookie in ("=", ";;;", "school=\xff", "school", "a" * 9000)),
    *({"CONTENT_TYPE": kind} for kind in ("multipart/form-data", "x", "text/plain; charset=none")),
    *({"CONTENT_LENGTH": length} for length in ("-1", "x", "999999999999", "0x10")),
    {"HTTP_ORIGIN": "http://[::1"},
    {"HTTP_ORIGIN": "null"},
    {"HTTP_RANGE": "bytes=9-1"},
    {"HTTP_IF_NONE_MATCH": '"'},
    {"HTTP_IF_MODIFIED_SINCE": "yesterday"},
    {"HTTP_LAST_EVENT_ID": "\xff"},
    {"HTTP_ACCEPT_ENCODING": ",;q="},
    {"HTTP_TRANSFER_ENCODING": "chunked, gzip"},
    {"HTTP_X_TOKEN": "\xff" * 128},
    {"REQUEST_METHOD": "BREW"},
    {"REQUEST_METHOD": "get"},
    {"wsgi.url_scheme": "javascript"},
)  # fmt: skip
PLACES = (
    {"path": "/"},
    {"path": "/static/css/look.css"},
    {"path": "/play/rounds/1"},
    {"path": "/in", "method": "POST", "data": "login=a", "content_type": FORM},
    {"path": "/play/", "headers": HTMX},
)


@pytest.mark.walk(4)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[1:50])
def test_an_odd_request_is_answered_without_a_traceback(
    world: World, odd: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    for place in PLACES:
        environ = EnvironBuilder(**place).get_environ()  # type: ignore[arg-type]
        with Response.from_app(world.app, {**environ, **odd}, buffered=True) as answer:
            assert 200 <= answer.status_code < 500, (place, answer.status)
            assert "Content-Security-Policy" in answer.headers
            assert "Traceback" not in answer.get_data().decode("latin-1")
    assert not [record for record in caplog.records if record.exc_info]
    assert "Traceback" not in caplog.text


def test_a_database_error_before_sign_in_is_one_log_record_and_a_whole_page(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(_token: str) -> None:
        raise OperationalError("SELECT", {}, OSError("disk"))

    monkeypatch.setattr(sessions, "find", fails)
    for headers in ({}, HTMX):
        caplog.clear()
        answer = app.test_client().get("/in", headers=headers)
        assert answer.status_code == 503
        assert 'class="adult' in answer.text
        (record,) = caplog.records
        assert record.getMessage().startswith("the database did not answer: OperationalError\n")


# ---- over a raw connection

LINES = (
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /?\xff HTTP/1.1\r\nHost: \xff\r\n\r\n",
    b"GET /play/rounds/1/events HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET /teach/classes/1/live/events HTTP/1.1\r\nHost: a b\r\n\r\n",
    b"POST /play/rounds/1/asks HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1\r\n\r\na",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
    b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: school=\xff\r\n\r\n",
    b"POST /in HTTP/1.1\r\nHost: localhost\r\nCookie: school=\xff\r\nContent-Length: 0\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"\r\n\r\n\r\n",
    b"nonsense\r\n\r\n",
)


@pytest.mark.whole  # every day instead: tests/faults/test_fuzz.py
def test_a_server_survives_odd_lines_and_logs_nothing(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "instance", port) as (process, _):
        for line in LINES:
            with contextlib.closing(socket.create_connection(("127.0.0.1", port), 5)) as end:
                end.sendall(line)
                end.shutdown(socket.SHUT_WR)
                with contextlib.suppress(OSError):
                    while end.recv(65_536):
                        pass
        assert get(port, "/health") == (200, "ok\n")
        said = _until_the_end(process)
    assert "Traceback" not in said
    assert "add it to hosts" in said


def _until_the_end(process: subprocess.Popen[str]) -> str:
    process.terminate()
    assert process.stdout is not None
    return process.stdout.read()
