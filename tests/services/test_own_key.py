"""A server starts only with the key that belongs to its database."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from flask import Flask

from classroom import cli
from classroom.database import Base, db, write_unit
from classroom.models import Installation
from classroom.services.access import accounts
from classroom.services.base import secrets_, tombstones
from classroom.services.base.errors import CannotStart, Refused
from classroom.services.operation import health, upkeep
from tests.conftest import finish
from tests.world import PASSWORD


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
        (noted,) = set(db.session.scalars(db.select(Installation.key_print)))
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
        upkeep.check_key()
        secrets_.keep_key(db.engine, bytes(32))
        with pytest.raises(CannotStart, match="newkey"):
            upkeep.check_key()


def test_every_process_with_the_key_knows_the_code_for_setting_up(app: Flask) -> None:
    with app.app_context():
        code = accounts.first_code()
        assert accounts.first_code() == code
        assert len(code) == 9
        secrets_.keep_key(db.engine, bytes(32))
        assert accounts.first_code() != code


def test_another_key_put_in_place_while_the_school_is_open_is_moved_aside(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    key = Path(app.instance_path) / "key"
    mine = key.read_text()
    with app.app_context():
        watch = health.Watch()
        watch.look()
        key.write_text("ab" * 32)
        watch.look()
        watch.look()
        watch.leave()
    (other,) = key.parent.glob("key.other-*")
    assert (key.read_text(), other.read_text()) == (mine, "ab" * 32)
    assert caplog.text.count("Another key was put in place") == 1


# ---- the list of what must not come back with a backup


def test_a_school_whose_list_is_lost_does_not_start_until_it_is_told_to(
    app: Flask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = Path(app.instance_path) / tombstones.NAME
    left.unlink()
    assert served(app, monkeypatch) == 0, "it may be of a version that began no list"
    assert left.exists()
    left.unlink()
    if db_is_sqlite(app):
        assert served(app, monkeypatch) == 1
        said = capsys.readouterr().err
        assert f"The list {left} is missing" in said
        assert said.count("\n") == 1
    assert cli.main(["restore"]) == 1
    assert "restore --without-list" in capsys.readouterr().err
    assert cli.main(["restore", "--without-list"]) == 0
    assert "what has been removed since is back" in capsys.readouterr().out
    assert served(app, monkeypatch) == 0
    assert cli.main(["restore"]) == 0
    assert "without what has been removed since" in capsys.readouterr().out


def db_is_sqlite(app: Flask) -> bool:
    with app.app_context():
        return db.engine.dialect.name == "sqlite"


def test_a_list_that_is_cut_while_the_school_is_open_is_written_again(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    left = Path(app.instance_path) / tombstones.NAME
    left.write_bytes(b"\nchild 7 1.5\nadult 8 2.5")
    with app.app_context():
        watch = health.Watch()
        watch.look()
        left.unlink()
        watch.look()
        left.write_bytes(b"\nchild 9 3.5")
        watch.look()
        watch.look()
        watch.leave()
        kept = set(tombstones.lines(left.parent))
    assert kept == {("child", "9", "3.5"), ("child", "7", "1.5"), ("adult", "8", "2.5")}
    assert caplog.text.count("was cut while the school was open") == 2


def test_the_code_for_the_set_up_changes_once_it_was_used(app: Flask) -> None:
    with app.app_context():
        code = accounts.first_code()
        school = {"school_name": "Pond", "name": "Ms Lake", "password": PASSWORD}
        accounts.make_school(code, login="lake", **school)
        with write_unit():  # the database is lost, and the folder stays
            for table in reversed(Base.metadata.sorted_tables):
                db.session.execute(table.delete())
        assert not accounts.is_set_up()
        assert accounts.first_code() != code
        with pytest.raises(Refused, match="wrong_code"):
            accounts.make_school(code, login="lake", **school)
        accounts.make_school(accounts.first_code(), login="lake", **school)
