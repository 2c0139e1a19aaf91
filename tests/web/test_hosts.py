"""The names that a server answers to, and which headers of proxies it believes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from classroom.app import create_app
from classroom.web.http import hosts
from tests.conftest import finish, make_app


@pytest.fixture(autouse=True)
def _minipc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    called(monkeypatch, "MiniPC.office", "minipc.pond-school.example")
    yield
    forget_names()


def called(patch: pytest.MonkeyPatch, name: str, full_name: str) -> None:
    """Give this computer a name."""
    patch.setattr(hosts.socket, "gethostname", lambda: name)
    patch.setattr(hosts.socket, "getfqdn", lambda: full_name)
    forget_names()


def forget_names() -> None:
    hosts._own_name.cache_clear()
    hosts._full_names.cache_clear()


def served(tmp_path: Path, like: Path, **settings: object) -> Flask:
    return make_app(tmp_path / "named", like, **settings)


def ask(app: Flask, host: str, path: str = "/in", **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return app.test_client().get(path, headers={"Host": host, **named})


OURS = (
    "127.0.0.1:8000",
    "192.168.1.5:8000",
    "10.0.0.7",
    "[::1]:8000",
    "[fe80::1ff:fe23:4567:890a]",
    "localhost",
    "LOCALHOST:8000",
    "minipc:8000",
    "MiniPC",
    "minipc.local:8000",
    "minipc.school.lan",
    "minipc.local.",
    "minipc.office",
    "minipc.home.arpa",
    "minipc.pond-school.example:8000",
)
STRANGE = (
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "minipc-evil.example",
    "minipc.evil.example",
    "minipc.local.evil.example",
    "minipc.arpa",
    "minipc.notlocal",
    "other.local",
    "evilminipc",
    "localhost.evil.example",
    "192.168.1.5.nip.example",
    "1.2.3.4.5",
    "127.1",
    "[::1",
    "a b",
    "",
    "..",
    "a" * 70 + ".example",
    "minipc\x00.local",
    "192.168.1.5@evil.example",
)


@pytest.mark.parametrize("host", OURS)
def test_names_that_a_technician_types_work_without_a_setting(app: Flask, host: str) -> None:
    assert ask(app, host).status_code == 200


@pytest.mark.walk(4)
@pytest.mark.parametrize("host", STRANGE)
def test_a_foreign_name_that_leads_here_is_refused_with_a_sentence(
    app: Flask, host: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "EVERY", 0.0)
    for path in ("/", "/in", "/nothing", "/static/css/look.css", "/play/", "/%ff"):
        caplog.clear()
        answer = ask(app, host, path)
        assert answer.status_code == 400, path
        assert hosts.WORDS in answer.text
        assert "Content-Security-Policy" in answer.headers
        assert "Set-Cookie" not in answer.headers
        (line,) = caplog.records
        assert "add it to hosts in instance/settings.toml" in line.getMessage()
        assert line.levelno == logging.WARNING
        assert line.exc_info is None
        assert "\n" not in line.getMessage()
        assert len(line.getMessage()) < 250


def test_a_computer_without_a_name_answers_to_no_name_but_localhost(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    called(monkeypatch, "", "")
    assert ask(app, "localhost").status_code == 200
    for host in ("", ".local", "localhost.evil.example", "localhost.local", "evil.local"):
        assert ask(app, host).status_code == 400, host


def test_strange_names_log_at_most_one_line_a_minute(
    app: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    monkeypatch.setattr(hosts, "monotonic", lambda: now)
    for number in range(100):
        assert ask(app, f"evil{number}.example").status_code == 400
    (line,) = caplog.records
    assert "evil0.example" in line.getMessage()
    assert "more" not in line.getMessage()
    now += hosts.EVERY
    for _ in range(3):
        ask(app, "again.example")
    assert len(caplog.records) == 2
    assert "again.example" in caplog.text
    assert "(99 more were refused since the last such line)" in caplog.text


def test_a_strange_name_is_refused_before_anything_is_read(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_token: str) -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr("classroom.services.access.sessions.find", never)
    assert ask(app, "evil.example").status_code == 400


def test_a_server_with_names_answers_to_no_others(tmp_path: Path, migrated: Path) -> None:
    app = served(tmp_path, migrated, HOSTS="School.example, .pond.lan übung.example [::1]:8000")
    for host in (
        "school.example",
        "SCHOOL.example:8443",
        "a.pond.lan",
        "xn--bung-zra.example",
        "[::1]:9",
    ):
        assert ask(app, host).status_code == 200, host
    for host in ("pond.lan", "evilpond.lan", "192.168.1.5", "minipc", "localhost", "example"):
        assert ask(app, host).status_code == 400, host
    finish(app)


def test_an_impossible_name_in_the_settings_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="The setting HOSTS cannot be"):
        create_app({"INSTANCE": str(tmp_path), "LOOK_AROUND": False, "HOSTS": "a..b"})


# ---- behind a proxy


def test_behind_a_proxy_without_names_no_forwarded_name_is_believed(
    tmp_path: Path, peopled: Path
) -> None:
    app = served(tmp_path, peopled, PROXIES=1)
    forwarded = {"X_Forwarded_Host": "evil.example", "X_Forwarded_Proto": "https"}
    for path in ("/play/", "/teach/", "/teach", "/family"):
        answer = ask(app, "school.example", path, **forwarded)
        assert answer.status_code in (303, 308), path
        assert "evil" not in str(answer.headers) + answer.text
    finish(app)


def test_behind_a_proxy_with_names_a_forwarded_name_must_be_one_of_them(
    tmp_path: Path, peopled: Path
) -> None:
    app = served(tmp_path, peopled, PROXIES=1, HOSTS="school.example")
    assert ask(app, "127.0.0.1:8000", X_Forwarded_Host="school.example").status_code == 200
    assert ask(app, "school.example", X_Forwarded_Host="evil.example").status_code == 400
    chain = "evil.example, school.example"
    assert ask(app, "inner", X_Forwarded_Host=chain).status_code == 200
    assert ask(app, "inner", X_Forwarded_Host="school.example, evil.example").status_code == 400
    finish(app)


@pytest.mark.parametrize(
    ("proxies", "address", "https"),
    [(0, "127.0.0.1", False), (1, "9.9.9.9", False), (2, "6.6.6.6", True), (3, "127.0.0.1", False)],
)
def test_only_as_many_hops_are_believed_as_there_are_proxies(
    tmp_path: Path, migrated: Path, proxies: int, address: str, https: bool
) -> None:
    app = served(tmp_path, migrated, PROXIES=proxies)
    seen: list[str] = []
    app.before_request(lambda: seen.append(hosts.request.remote_addr or ""))
    chain = {"X_Forwarded_For": "6.6.6.6, 9.9.9.9", "X_Forwarded_Proto": "https, http"}
    answer = ask(app, "localhost", **chain)
    assert seen == [address]
    assert ("Strict-Transport-Security" in answer.headers) is https
    finish(app)


@pytest.mark.parametrize("name", ["X-Forwarded-Prefix", "X-Forwarded-Port", "Forwarded"])
def test_other_forwarded_headers_are_not_believed(tmp_path: Path, peopled: Path, name: str) -> None:
    app = served(tmp_path, peopled, PROXIES=1, HOSTS="localhost")
    evil = "host=evil.example" if name == "Forwarded" else "/evil"
    answer = ask(app, "localhost", "/teach", **{name: evil})
    assert answer.status_code == 308
    assert "evil" not in str(answer.headers) + answer.text
    finish(app)


# ---- the address on the board


@pytest.mark.parametrize(
    ("link", "more", "shown"),
    [
        ("http://minipc:8000/c/1", {}, "http://192.168.1.20:8000/c/1"),
        ("http://minipc.local/", {}, "http://192.168.1.20/"),
        ("http://localhost:8000/demo/", {}, "http://192.168.1.20:8000/demo/"),
        ("http://[::1]:8000/", {}, "http://192.168.1.20:8000/"),
        ("http://10.0.0.7:8000/", {}, "http://10.0.0.7:8000/"),
        ("https://minipc:8000/", {}, "https://minipc:8000/"),
        ("http://minipc:8000/", {"HOSTS": "minipc"}, "http://minipc:8000/"),
        ("http://minipc:8000/", {"PROXIES": 1}, "http://minipc:8000/"),
    ],
)
def test_the_board_has_the_number_of_a_server_that_all_can_reach(
    app: Flask, monkeypatch: pytest.MonkeyPatch, link: str, more: dict[str, object], shown: str
) -> None:
    with app.app_context():
        assert hosts.for_tablets(link) == link  # the server answers this computer only
        monkeypatch.setitem(app.extensions, "number", lambda: "192.168.1.20")
        for name, value in more.items():
            monkeypatch.setitem(app.config, name, value)
        assert hosts.for_tablets(link) == shown
