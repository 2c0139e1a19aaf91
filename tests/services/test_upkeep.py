"""The database file: upgraded, copied, backed up, restored, and refused where necessary."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import create_engine, select, text

from classroom.app import create_app
from classroom.config import load
from classroom.database import db, prepare, write_unit
from classroom.models import School
from classroom.services.base import clock, secrets_
from classroom.services.base.errors import CannotStart
from classroom.services.operation import copies, upkeep
from tests.conftest import finish, make_app
from tests.serving import surroundings

pytestmark = pytest.mark.sqlite


def add(name: str) -> None:
    with write_unit():
        db.session.add(School(name=name, created_at=clock.now()))


def schools(file: Path) -> list[str]:
    connection = sqlite3.connect(file)
    found = [row[0] for row in connection.execute("SELECT name FROM schools ORDER BY id")]
    connection.close()
    return found


def as_it_is(_file: Path) -> None:
    """Mend nothing, since nothing has ended since the backup."""


def database(app: Flask) -> Path:
    return Path(app.instance_path) / "school.db"


def newest() -> str | None:
    return ScriptDirectory(str(upkeep.MIGRATIONS)).get_current_head()


# ---- bringing up to date


def test_the_newest_migration_is_the_one_that_all_others_lead_to() -> None:
    assert upkeep.newest() == newest()


def test_a_start_with_current_tables_does_without_the_tools_of_migrations(
    tmp_path: Path, migrated: Path
) -> None:
    made = make_app(tmp_path / "instance", migrated)
    finish(made)
    script = (
        "import sys; from classroom.app import create_app\n"
        "create_app({'LOOK_AROUND': 'never'})\n"
        "print([name for name in ('alembic', 'flask_migrate', 'mako') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script]
    env = surroundings(tmp_path / "instance")
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr


def test_a_fresh_database_is_made_and_a_current_one_left_alone(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'school.db'}")
    prepare(engine)
    assert upkeep.upgrade(engine) is True
    assert upkeep.upgrade(engine) is False
    assert not (tmp_path / "copies").exists()  # nothing to copy
    engine.dispose()


def test_before_an_upgrade_the_file_is_copied(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with app.app_context():
        add("before")
    before = newest()
    _one_more_migration(monkeypatch, tmp_path)
    with app.app_context():
        assert upkeep.upgrade(db.engine) is True
        add("after")
    (copy,) = (Path(app.instance_path) / "copies").glob(f"school-*-{before}.db")
    assert schools(copy) == ["before"]
    assert copy.stat().st_mode & 0o077 == 0
    assert schools(database(app)) == ["before", "after"]


def _one_more_migration(monkeypatch: pytest.MonkeyPatch, folder: Path, body: str = "pass") -> None:
    """Pretend that the program has one more migration."""
    more = folder / "migrations"
    shutil.copytree(upkeep.MIGRATIONS, more, ignore=shutil.ignore_patterns("__pycache__"))
    (more / "versions" / "9999_more.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        f"revision = '9999'\ndown_revision = '{newest()}'\n"
        f"def upgrade():\n    op.add_column('schools', sa.Column('more', sa.Integer))\n    {body}\n"
    )
    monkeypatch.setattr(upkeep, "MIGRATIONS", more)


def test_a_migration_that_fails_half_way_changes_nothing(
    app: Flask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = newest()
    _one_more_migration(monkeypatch, tmp_path, "raise KeyError('half way')")
    with app.app_context():
        with pytest.raises(KeyError):
            upkeep.upgrade(db.engine)
        with db.engine.connect() as connection:
            columns = [row[1] for row in connection.execute(text("PRAGMA table_info(schools)"))]
            revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    assert "more" not in columns
    assert revision == before


def test_a_database_of_a_newer_version_is_refused_in_one_sentence(app: Flask) -> None:
    with app.app_context():
        with db.engine.connect() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '2525'"))
            connection.commit()
        with pytest.raises(CannotStart, match="newer version of Fish School"):
            upkeep.upgrade(db.engine)


def test_a_process_that_dies_while_making_the_tables_leaves_none(
    tmp_path: Path,
) -> None:
    script = (
        "import os, sys\n"
        "from sqlalchemy import create_engine, event\n"
        "from classroom.database import prepare\n"
        "from classroom.services.operation import upkeep\n"
        "engine = create_engine('sqlite:///' + sys.argv[1])\n"
        "prepare(engine)\n"
        "@event.listens_for(engine, 'before_cursor_execute')\n"
        "def die(connection, cursor, statement, *more):\n"
        "    if 'CREATE TABLE moves' in statement:\n"
        "        os._exit(9)\n"
        "upkeep.upgrade(engine)\n"
    )
    file = tmp_path / "school.db"
    root = Path(upkeep.__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script, str(file)], cwd=root, check=False, timeout=60
    )
    assert done.returncode == 9
    engine = create_engine(f"sqlite:///{file}")
    prepare(engine)
    assert upkeep.upgrade(engine) is True
    engine.dispose()
    copies.check(file)


# ---- copies, backup, restore


def test_only_the_newest_copies_are_kept(app: Flask) -> None:
    made = [copies.copy_aside(database(app), f"n{number}", 3) for number in range(5)]
    left = sorted((Path(app.instance_path) / "copies").iterdir())
    assert left == made[-3:]


def test_a_copy_is_deleted_after_thirty_five_days_unless_it_is_one_of_the_newest_two(
    app: Flask,
) -> None:
    made = [copies.copy_aside(database(app), f"n{number}", 9) for number in range(4)]
    for days, copy in zip((60, 50, 40, 36), made, strict=True):
        then = clock.now() - days * clock.SECONDS_A_DAY
        os.utime(copy, (then, then))
    copies.forget_old_copies(Path(app.instance_path), 35 * clock.SECONDS_A_DAY)
    assert [copy.exists() for copy in made] == [False, False, True, True]


def test_a_copy_that_cannot_be_deleted_stops_nothing(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [copies.copy_aside(database(app), f"n{number}", 9) for number in range(4)]
    for days, copy in zip((60, 50, 40, 36), made, strict=True):
        then = clock.now() - days * clock.SECONDS_A_DAY
        os.utime(copy, (then, then))
    unlink = Path.unlink

    def held(path: Path, missing_ok: bool = False) -> None:
        if path == made[0]:
            raise PermissionError(13, "another program has it open")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", held)
    copies.forget_old_copies(Path(app.instance_path), 35 * clock.SECONDS_A_DAY)
    assert [copy.exists() for copy in made] == [True, False, True, True]
    assert copies.copy_aside(database(app), "new", 1).exists()
    assert [copy.exists() for copy in made] == [True, False, False, False]


def test_a_clock_that_was_set_back_does_not_make_the_newest_copy_the_oldest(app: Flask) -> None:
    old = [copies.copy_aside(database(app), f"n{number}", 3) for number in range(3)]
    with clock.clock_at(clock.now() - 400 * clock.SECONDS_A_DAY):
        new = copies.copy_aside(database(app), "new", 3)
    assert new.exists()
    assert [copy.exists() for copy in old] == [False, True, True]


def test_a_backup_made_while_children_play_is_complete_and_can_be_restored(
    app: Flask, tmp_path: Path
) -> None:
    stop, written = threading.Event(), []

    def play() -> None:
        with app.app_context():
            while not stop.is_set():
                add(f"school {len(written)}")
                written.append(len(written))

    thread = threading.Thread(target=play)
    thread.start()
    try:
        for number in range(5):
            before = len(written)
            target = tmp_path / f"backup-{number}.db"
            copies.backup(database(app), target)
            copies.check(target)
            found = schools(target)
            assert found == [f"school {n}" for n in range(len(found))]
            assert len(found) >= before
    finally:
        stop.set()
        thread.join()
    finish(app)
    copies.restore(tmp_path / "backup-0.db", database(app), as_it_is)
    assert schools(database(app)) == schools(tmp_path / "backup-0.db")
    (aside,) = (Path(app.instance_path) / "copies").glob("*before-restore.db")
    assert schools(aside) == [f"school {n}" for n in written]


def test_a_restored_school_runs(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        add("kept")
    copies.backup(database(app), tmp_path / "backup.db")
    with app.app_context():
        add("forgotten")
    finish(app)
    copies.restore(tmp_path / "backup.db", database(app), as_it_is)
    again = create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False})
    with again.app_context():
        assert list(db.session.scalars(select(School.name))) == ["kept"]
    finish(again)


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\0" + b"x" * 500])
def test_a_file_that_is_no_backup_is_refused_and_the_school_stays(
    app: Flask, tmp_path: Path, content: bytes
) -> None:
    with app.app_context():
        add("kept")
    finish(app)
    (tmp_path / "no.db").write_bytes(content)
    with pytest.raises(CannotStart):
        copies.restore(tmp_path / "no.db", database(app), as_it_is)
    assert schools(database(app)) == ["kept"]


def test_a_restore_keeps_a_broken_school_as_a_copy(app: Flask, tmp_path: Path) -> None:
    with app.app_context():
        add("kept")
    copies.backup(database(app), tmp_path / "backup.db")
    finish(app)
    for content in (b"broken", b"broken again"):
        database(app).write_bytes(content)
        database(app).with_name("school.db-wal").write_bytes(b"the log of " + content)
        copies.restore(tmp_path / "backup.db", database(app), as_it_is)
        assert schools(database(app)) == ["kept"]
    folder = Path(app.instance_path) / "copies"
    aside = sorted(path.read_bytes() for path in folder.glob("school.db.broken-*"))
    assert aside == [b"broken", b"broken again", b"the log of broken", b"the log of broken again"]


def test_ids_given_since_the_backup_are_not_given_again(app: Flask, tmp_path: Path) -> None:
    copies.backup(database(app), tmp_path / "backup.db")
    with app.app_context():
        for number in range(7):
            add(str(number))
    finish(app)
    copies.restore(tmp_path / "backup.db", database(app), as_it_is)
    assert next_school(app) == 8
    database(app).unlink()
    copies.restore(tmp_path / "backup.db", database(app), as_it_is)
    assert next_school(app) > 1_000


def next_school(app: Flask) -> int:
    again = create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False})
    with again.app_context():
        add("next")
        found = db.session.scalars(select(School.id)).one()
    finish(again)
    return found


def test_a_backup_without_a_school_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="no database"):
        copies.backup(tmp_path / "none.db", tmp_path / "copy.db")


# ---- the folder


def test_only_a_file_without_tables_is_called_empty(tmp_path: Path) -> None:
    school = tmp_path / "school.db"
    (tmp_path / "key").write_text("kept")
    school.write_bytes(b"no database at all" * 100)
    upkeep.not_lost(school)
    school.write_bytes(b"")
    with pytest.raises(CannotStart, match="is empty"):
        upkeep.not_lost(school)


def test_a_folder_is_made_for_this_user_alone(tmp_path: Path) -> None:
    upkeep.make_ready(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").stat().st_mode & 0o077 == 0


def test_an_unwritable_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CannotStart, match="cannot be written") as refused:
        upkeep.make_ready(tmp_path / "file" / "instance")
    assert str(refused.value).count(". ") == 0


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_network_drive_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(upkeep, "filesystem", lambda _folder: kind)
    with pytest.raises(CannotStart, match="network drive"):
        upkeep.make_ready(tmp_path)


def test_the_kind_of_a_drive_is_that_of_the_nearest_mount() -> None:
    mounts = (
        "/dev/sda1 / ext4 rw 0 0\n"
        "server:/x /srv/school nfs4 rw 0 0\n"
        "/dev/sdb1 /srv/school/local xfs rw 0 0\n"
        "//nas/y /srv/my\\040drive cifs rw 0 0\n"
    )
    kinds = {
        "/srv": "ext4",
        "/srv/school/instance": "nfs4",
        "/srv/school/local/instance": "xfs",
        "/srv/schoolhouse": "ext4",
        "/srv/my drive/instance": "cifs",
    }
    for folder, kind in kinds.items():
        assert upkeep._kind_of(Path(folder), mounts) == kind


def test_a_folder_serves_one_server_at_a_time(tmp_path: Path) -> None:
    with (
        upkeep.only_one(tmp_path),
        pytest.raises(CannotStart, match="Another server"),
        upkeep.only_one(tmp_path),
    ):
        pass
    with upkeep.only_one(tmp_path):
        pass


def test_tables_without_a_version_are_reported_in_one_sentence(app: Flask) -> None:
    with app.app_context():
        with db.engine.connect() as connection:
            connection.execute(text("DELETE FROM alembic_version"))
            connection.commit()
        with pytest.raises(CannotStart, match="does not say which version") as said:
            upkeep.upgrade(db.engine)
    assert "\n" not in str(said.value)


# ---- key and settings


def test_the_key_is_made_once_and_is_for_this_user_alone(tmp_path: Path) -> None:
    key = secrets_.key_in(tmp_path)
    assert len(key) == 32
    assert secrets_.key_in(tmp_path) == key
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "content", [b"", b"ab", b"no key at all", bytes(range(128, 160)), b"a" * 66]
)
def test_a_file_that_is_no_key_is_reported_in_one_sentence_and_kept(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(CannotStart, match="put it back") as said:
        secrets_.key_in(tmp_path)
    assert str(tmp_path / "key") in str(said.value)
    assert (tmp_path / "key").read_bytes() == content


def test_a_key_that_could_not_be_written_completely_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(os, "fsync", no_space)
        secrets_.key_in(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert len(secrets_.key_in(tmp_path)) == 32


def no_space(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_school_without_its_key_gets_no_new_one_by_itself(app: Flask) -> None:
    with app.app_context():
        add("Northpond")
    key = Path(app.instance_path) / "key"
    key.unlink()
    with pytest.raises(CannotStart, match=r"is missing.*newkey"):
        create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False})
    assert not key.exists()
    assert secrets_.new_key(key.parent) is None
    finish(create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False}))
    before = key.read_text()
    old = secrets_.new_key(key.parent)
    assert old is not None
    assert old.read_text() == before != key.read_text()


@pytest.mark.parametrize("left", ["key", "removed", "copies"])
@pytest.mark.parametrize("content", [None, b"", "no tables"])
def test_a_database_without_a_school_that_was_there_does_not_start_as_a_new_one(
    tmp_path: Path, left: str, content: bytes | str | None
) -> None:
    file = tmp_path / "school.db"
    (tmp_path / left).mkdir() if left == "copies" else (tmp_path / left).touch()
    if content is not None:
        file.write_bytes(b"")
    if content:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
    before = file.exists() and file.read_bytes()
    what = "is missing" if content is None else "is empty"
    with pytest.raises(CannotStart, match=f"{what}, though a school was here.*{left} away"):
        create_app({"INSTANCE": str(tmp_path), "LOOK_AROUND": False})
    assert (file.exists() and file.read_bytes()) == before


@pytest.mark.parametrize("until", ["upgrade", "key_in"])
def test_a_first_start_that_was_cut_short_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    place = upkeep if until == "upgrade" else secrets_
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(place, until, no_space)
        create_app({"INSTANCE": str(tmp_path), "LOOK_AROUND": False})
    finish(create_app({"INSTANCE": str(tmp_path), "LOOK_AROUND": False}))
    assert len(secrets_.key_in(tmp_path)) == 32


def test_a_spoilt_demo_key_does_not_stop_the_school_from_starting(app: Flask) -> None:
    (Path(app.instance_path) / "demo-key").write_text("spoilt")
    made = create_app({"INSTANCE": app.instance_path})
    finish(made.extensions["demo"])
    finish(made)


def test_settings_come_from_the_file_and_the_environment_takes_precedence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text('proxies = 1\nhosts = "school.example"\n')
    monkeypatch.setenv("FISH_PROXIES", "2")
    found = load({"INSTANCE": str(tmp_path)})
    assert (found["PROXIES"], found["HOSTS"], found["COPIES"]) == (2, "school.example", 10)


@pytest.mark.parametrize("text", ["prox = 1", "proxies = ", 'proxies = "many"'])
def test_an_impossible_setting_is_reported_in_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(ValueError, match=r"\.$"):
        load({"INSTANCE": str(tmp_path)})


def test_different_keys_give_the_same_child_different_pictures(
    app: Flask, tmp_path: Path, migrated: Path
) -> None:
    other = make_app(tmp_path / "other", migrated)
    with other.app_context():
        secrets_.keep_key(db.engine, b"x" * 32)
        theirs = secrets_.sign("pictures", 1, 1)
    with app.app_context():
        assert secrets_.sign("pictures", 1, 1) != theirs
        assert secrets_.sign("a", "bc") != secrets_.sign("ab", "c")
    finish(other)
