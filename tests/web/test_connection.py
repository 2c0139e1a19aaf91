"""Only adults who type a password over an unencrypted connection are warned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import finish, make_app
from tests.web.routes import addresses, rules
from tests.world import World

WORDS = "This connection is not private: anyone on this Wi-Fi can read the password you type."
ELSEWHERE = {"REMOTE_ADDR": "192.168.1.23"}
FORWARDED = {"X-Forwarded-For": "192.168.1.23"}


def told(client: FlaskClient, path: str, **more: Any) -> bool:
    answer = client.get(path, **more)
    assert answer.status_code == 200
    assert (WORDS in answer.text) == ('href="/https"' in answer.text)
    return WORDS in answer.text


def from_(address: str) -> dict[str, Any]:
    return {"environ_base": {"REMOTE_ADDR": address}}


@pytest.mark.walk(4)
@pytest.mark.parametrize("page", ["/in", "/family/join", "/setup"])
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1", False),
        ("127.8.9.10", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("192.168.1.23", True),
        ("203.0.113.7", True),
        ("fe80::1", True),
        ("::ffff:192.168.1.23", True),
        ("nobody knows", True),
    ],
)
def test_plain_http_from_another_machine_is_warned_of_in_red(
    app: Flask, page: str, address: str, words: bool
) -> None:
    assert told(app.test_client(), page, **from_(address)) is words


@pytest.mark.parametrize("page", ["/in", "/family/join", "/setup"])
def test_over_https_there_is_no_warning(app: Flask, page: str) -> None:
    client = app.test_client()
    assert not told(client, page, base_url="https://192.168.1.5", **from_("192.168.1.23"))


@pytest.mark.parametrize(
    ("proxies", "headers", "words"),
    [
        (1, FORWARDED | {"X-Forwarded-Proto": "https"}, False),
        (1, FORWARDED | {"X-Forwarded-Proto": "http"}, True),
        (1, FORWARDED, True),
        (1, {}, False),  # from this machine, not through the proxy
        (0, FORWARDED | {"X-Forwarded-Proto": "https"}, False),  # no proxy was declared
    ],
)
def test_a_declared_proxy_is_believed(
    tmp_path: Path, migrated: Path, proxies: int, headers: dict[str, str], words: bool
) -> None:
    app = make_app(tmp_path / "behind", migrated, PROXIES=proxies)
    assert told(app.test_client(), "/in", headers=headers, **from_("127.0.0.1")) is words
    finish(app)


def test_a_claim_of_https_is_not_believed_without_a_declared_proxy(app: Flask) -> None:
    headers = FORWARDED | {"X-Forwarded-Proto": "https"}
    assert told(app.test_client(), "/in", headers=headers, **from_("192.168.1.23"))


def test_an_adult_who_changes_a_password_is_warned_too(world: World) -> None:
    client = world.visitor("lake").client
    assert told(client, "/account", **from_("192.168.1.23"))
    assert not told(client, "/account")


def test_a_form_error_appears_beside_the_warning(world: World) -> None:
    visitor = world.visitor("nobody")
    fields = {"login": "lake", "password": "not it"}
    answer = visitor.post("/in", fields, environ_base=ELSEWHERE)
    assert answer.status_code == 401
    assert WORDS in answer.text


def test_children_never_see_the_warning(world: World) -> None:
    seen = 0
    for who in ("Miaqua", "device", "nobody"):
        client = world.visitor(who).client
        for rule in rules(world.app):
            found = [*addresses(world, rule)] if "GET" in (rule.methods or ()) else []
            for address in {found[0], found[-1]} if found else ():
                answer = client.get(address.path, environ_base=ELSEWHERE, buffered=True)
                if '<body class="child' in answer.text:
                    seen += 1
                    assert "private" not in answer.text, address.path
                    assert "/https" not in answer.text, address.path
    assert seen > 20


def test_the_linked_page_says_what_to_do_without_any_other_host(app: Flask) -> None:
    page = app.test_client().get("/https", environ_base=ELSEWHERE)
    assert "This connection is not private." in page.text
    assert "docs/https.md" in page.text
    assert "--tls-cert" in page.text
    assert "://" not in page.text.replace("<b>http://</b>", "").replace("<b>https://</b>", "")


def test_the_page_says_when_the_connection_is_private(app: Flask) -> None:
    for more in ({}, {"base_url": "https://192.168.1.5", "environ_base": ELSEWHERE}):
        assert "No one else can read this" in app.test_client().get("/https", **more).text
