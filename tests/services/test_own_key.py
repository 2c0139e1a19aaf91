"""A server starts only with the key that belongs to its database."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from flask import Flask

from classroom import cli
from classroom.database import db
from classroom.models import Installation
from classroom.services.access import first_setup
from classroom.services.base import secrets_
from classroom.services.base.errors import CannotStart
from classroom.services.operation import own_key
from tests.conftest import finish


def served(app: Flask, monkeypatch: pytest.MonkeyPatch) -> int:
    """Start a server in the app's folder, up to the moment when it would open."""
    finish(app)
    monkeypatch.setenv("FISH_INSTANCE", app.instance_path)
    monkeypatch.setattr(cli, "_run", lambda made, *_: finish(made))
    return cli.main(["serve"])


def test_the_first_start_notes_a_fingerprint_of_the_key_and_not_the_key(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert served(app, monkeypatch) == 0
    with app.app_context():
        (noted,) = db.session.scalars(db.select(Installation.key_print)).all()
    key = (Path(app.instance_path) / "key").read_text()
    assert noted not in key
    assert key not in noted
    assert served(app, monkeypatch) == 0


def test_a_server_with_another_key_says_so_in_one_sentence_and_does_not_start(
    app: Flask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert served(app, monkeypatch) == 0
    key = Path(app.instance_path) / "key"
    mine = shutil.copy(key, key.with_name("mine"))
    secrets_.new_key(key.parent)
    assert served(app, monkeypatch) == 1
    said = capsys.readouterr().err
    assert f"The key in {key.parent} is not the one" in said
    assert said.count("\n") == 1
    assert key.read_text() not in said
    shutil.copy(mine, key)
    assert served(app, monkeypatch) == 0


def test_a_new_key_made_on_purpose_is_the_one_that_belongs_to_the_database(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert served(app, monkeypatch) == 0
    assert cli.main(["newkey"]) == 0
    assert served(app, monkeypatch) == 0


def test_the_key_that_is_checked_is_the_one_in_use(app: Flask) -> None:
    with app.app_context():
        own_key.check()
        secrets_.keep_key(db.engine, bytes(32))
        with pytest.raises(CannotStart, match="newkey"):
            own_key.check()


def test_every_process_with_the_key_knows_the_code_for_setting_up(app: Flask) -> None:
    with app.app_context():
        code = first_setup.first_code()
        assert first_setup.first_code() == code
        assert len(code) == 9
        secrets_.keep_key(db.engine, bytes(32))
        assert first_setup.first_code() != code
