"""Compression: which answers are compressed, and that nothing else about them changes."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from flask import Flask, Response, request
from werkzeug.test import Client, TestResponse

from classroom.live.answers import fetch

PAGE = "<p>one two three</p>" * 200


@pytest.fixture
def client() -> Client:
    app = Flask(__name__)

    @app.get("/page")
    def page() -> Response:
        answer = Response(PAGE, headers={"Vary": "Cookie"})
        answer.set_etag("43-0")
        return answer.make_conditional(request)

    @app.get("/kind/<path:kind>")
    def kind(kind: str) -> Response:
        return Response(b"x" * 5000, mimetype=kind)

    @app.get("/varied")
    def varied() -> Response:
        return Response(PAGE, headers=[("Vary", "Cookie"), ("Vary", "Accept-Language")])

    @app.get("/short")
    def short() -> str:
        return "short"

    @app.get("/static-like")
    def lasting() -> Response:
        answer = Response(PAGE, mimetype="text/css")
        answer.cache_control.public = True
        answer.set_etag("abc")
        return answer

    def fetched(environ: dict[str, Any], start: Any) -> Any:
        status, headers, body = fetch(app, environ)
        plain = [(name.decode(), value.decode()) for name, value in headers]
        return Response(body, status, plain)(environ, start)

    return Client(fetched)


def ask(client: Client, path: str, encoding: str = "gzip, br", **more: Any) -> TestResponse:
    return client.get(path, headers={"Accept-Encoding": encoding, **more})


def test_a_page_is_compressed_and_stays_the_same(client: Client) -> None:
    answer = ask(client, "/page")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert int(answer.headers["Content-Length"]) == len(answer.data) < len(PAGE) / 5
    assert gzip.decompress(answer.data).decode() == PAGE
    assert answer.headers["Vary"] == "Cookie, Accept-Encoding"
    assert answer.headers["ETag"] == 'W/"43-0"'


def test_nothing_that_a_page_varies_by_is_lost(client: Client) -> None:
    answer = ask(client, "/varied")
    assert answer.headers.getlist("Vary") == ["Cookie, Accept-Language, Accept-Encoding"]


def test_the_weak_etag_of_a_compressed_page_still_matches(client: Client) -> None:
    answer = ask(client, "/page", **{"If-None-Match": 'W/"43-0"'})
    assert (answer.status_code, answer.data) == (304, b"")


@pytest.mark.parametrize("encoding", ["", "br", "gzip;q=0", "gzip; q=0.0", "*, gzip;q=0"])
def test_a_browser_without_gzip_gets_the_plain_page(client: Client, encoding: str) -> None:
    answer = ask(client, "/page", encoding)
    assert "Content-Encoding" not in answer.headers
    assert answer.text == PAGE


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "br, gzip;q=0.5", "*"])
def test_a_browser_with_gzip_gets_the_compressed_page(client: Client, encoding: str) -> None:
    assert ask(client, "/page", encoding).headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("kind", ["font/woff2", "image/png", "audio/mpeg", "text/event-stream"])
def test_compressed_files_and_streams_are_left_alone(client: Client, kind: str) -> None:
    answer = ask(client, f"/kind/{kind}")
    assert "Content-Encoding" not in answer.headers
    assert len(answer.data) == 5000


@pytest.mark.parametrize("kind", ["text/css", "text/javascript", "image/svg+xml"])
def test_styles_scripts_and_drawings_are_compressed(client: Client, kind: str) -> None:
    assert ask(client, f"/kind/{kind}").headers["Content-Encoding"] == "gzip"


def test_a_few_words_are_left_alone(client: Client) -> None:
    assert ask(client, "/short").text == "short"


def test_the_head_of_a_page_is_left_alone(client: Client) -> None:
    answer = client.head("/page", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


def test_a_lasting_file_is_compressed_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(client, "/static-like").data

    def never(*_: Any, **__: Any) -> bytes:
        raise AssertionError("compressed again")

    monkeypatch.setattr(gzip, "compress", never)
    assert ask(client, "/static-like").data == first
