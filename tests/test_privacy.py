"""Only listed data is kept: a column that the register does not explain fails here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from classroom import papers, privacy
from classroom.cli import main
from classroom.database import Base, db, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    DoorKnock,
    FamilyCode,
    Invitation,
    KnownDevice,
    PasswordReset,
    Place,
    Session,
    WrongTry,
)
from classroom.services.access import sessions
from classroom.services.base import audit, budgets, clock, secrets_
from classroom.services.lesson import gatherings
from classroom.services.reports import overview
from tests.conftest import finish
from tests.world import World

ROOT = Path(__file__).resolve().parent.parent


def test_every_column_is_in_the_register_and_every_line_is_a_column() -> None:
    tables = {t.name: {c.name for c in t.columns} for t in Base.metadata.sorted_tables}
    assert {name: set(table.columns) for name, table in privacy.REGISTER.items()} == tables


def test_every_line_says_its_purpose_readers_time_and_end() -> None:
    for name, table in privacy.REGISTER.items():
        assert table.what.endswith("."), name
        for column, line in table.columns.items():
            for text in (line.purpose, line.seen_by, line.keep, line.delete):
                assert len(text) > 2, f"{name}.{column}"
                assert not text.isupper(), f"{text} is none of the phrases"


def test_a_child_has_at_most_eight_personal_facts() -> None:
    children = privacy.REGISTER["children"].columns.values()
    assert sum(line.personal for line in children) <= 8


@pytest.mark.parametrize("word", ["email", "mail", "birth", "phone", "address", "photo", "ip"])
def test_no_column_holds_unneeded_data(word: str) -> None:
    names = [column for table in privacy.REGISTER.values() for column in table.columns]
    assert not [name for name in names if word in name.split("_")]


def test_what_belongs_to_a_child_is_deleted_with_the_child() -> None:
    for table in Base.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == "children":
                # The seat stays in the rounds of the other children; a child who was asked to a
                # tablet keeps its own device.
                kept = table.name == "players" or key.parent.name == "invited_by"
                assert key.ondelete == ("SET NULL" if kept else "CASCADE"), table.name


# References that may be empty, and whose rows go with what they refer to all the same.
GOES_ALONG = """
choices.child_id choices.class_id choices.group_id choices.school_id evidence.round_id
invitations.class_id known_devices.adult_id known_devices.child_id places.child_id sessions.adult_id
sessions.child_id sessions.class_id sessions.home_by sessions.home_id sessions.moved_id
voice_packs.class_id
"""


def test_a_row_that_can_do_without_what_it_refers_to_outlives_it() -> None:
    """A new reference deletes along unless its model says otherwise, so this list is needed."""
    found = [
        f"{table.name}.{key.parent.name}"
        for table in Base.metadata.sorted_tables
        for key in table.foreign_keys
        if key.parent.nullable and key.ondelete != "SET NULL"
    ]
    assert sorted(found) == GOES_ALONG.split()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (sessions.LONGEST, "after 12 hours at the latest"),
        (sessions.ADULT_IDLE, "or after 3 hours without use"),
        (sessions.LONGEST, "when the class closes, and after 12 hours at most"),
        (privacy._DAYS["keep_copies"] * clock.SECONDS_A_DAY, "deletes the copy after 35 days"),
        (overview.SITTING_SECONDS, "within a quarter of an hour"),
    ],
)
def test_the_times_of_the_page_are_those_of_the_program(seconds: float, said: str) -> None:
    assert any(said in text for _, text in papers.texts())
    number = {"quarter": 0.25 * 3600, "hour": 3600.0, "days": clock.SECONDS_A_DAY}
    unit = next(unit for unit in number if unit in said)
    counts = [float(count) for count in re.findall(r"\d+", said)] or [1.0]
    assert seconds in [count * number[unit] for count in counts]


def test_expired_data_is_deleted(world: World) -> None:
    year = 365 * clock.SECONDS_A_DAY
    with world.app.app_context():
        with write_unit():
            budgets.note("child:1", "a" * 32)
            for action in ("old", "older", "new"):
                audit.record(1, action, "child", 1)
            db.session.execute(
                update(AuditEntry)
                .where(AuditEntry.action != "new")
                .values(at=clock.now() - year - 60)
            )
        sessions.sweep()
        assert [row.action for row in db.session.scalars(select(AuditEntry))] == ["new"]
        assert audit.verify().wrong is None
        assert budgets.count("child:1", 0) == 1
        with clock.clock_at(clock.now() + 2 * clock.SECONDS_A_DAY + 1):
            sessions.sweep()
        assert budgets.count("child:1", 0) == 0


def test_tables_of_friends_are_forgotten_after_a_day(world: World) -> None:
    with world.app.app_context():
        gatherings.make(world.children["Miaqua"], "classic")
        sessions.sweep()
        assert db.session.scalar(select(func.count(Place.id))) == 1
        with clock.clock_at(clock.now() + clock.SECONDS_A_DAY + 1):
            sessions.sweep()
        assert db.session.scalar(select(func.count(Place.id))) == 0


def _rows_that_end(world: World) -> list[tuple[Base, float]]:
    """A row of each kind that `sweep` deletes, all from this moment, and for how many days each may
    stay. The audit log and the tables of friends have tests of their own."""
    now, mia, lake = clock.now(), world.children["Miaqua"], world.adults["lake"]
    end = {"created_at": now, "ends_at": now}
    ended = Adult(school_id=1, role="substitute", name="Ended", login="e", password_hash="-", **end)
    return [
        (Session(token_hash="h", adult_id=lake, device="d" * 32, seen_at=now, **end), 0),
        (WrongTry(what="child:1", at=now), 2),
        (DoorKnock(child_id=mia, device="e" * 32, knocked_at=now), 1),
        (KnownDevice(child_id=mia, device="f" * 32, last_at=now), 400),
        (FamilyCode(child_id=mia, code_hash="f", **end), 30),
        (PasswordReset(adult_id=lake, code_hash="p", **end), 30),
        (Invitation(school_id=1, role="admin", code_hash="i", made_by=lake, **end), 30),
        (ended, 30),
    ]


def test_each_row_goes_when_its_days_are_over_and_not_before(world: World) -> None:
    with world.app.app_context():
        rows, now = _rows_that_end(world), clock.now()
        with write_unit():
            db.session.add_all(one for one, _ in rows)
        kinds = [(type(one), one.id, days * clock.SECONDS_A_DAY) for one, days in rows]
        db.session.expunge_all()
        for seconds in sorted({seconds for _, _, seconds in kinds}):
            for late in (-60, 60):
                with clock.clock_at(now + seconds + late):
                    sessions.sweep()
                    for kind, number, most in kinds:
                        stays = db.session.get(kind, number) is not None
                        assert stays == (seconds + late < most), kind
                    db.session.rollback()


# ---- the audit log


def test_an_edited_row_of_the_audit_log_is_found(world: World) -> None:
    with world.app.app_context():
        with write_unit():
            for number in range(5):
                audit.record(1, "read", "child", number)
        assert audit.verify().wrong is None
        ids = list(db.session.scalars(select(AuditEntry.id).order_by(AuditEntry.id)))
        with write_unit():
            db.session.execute(
                update(AuditEntry).where(AuditEntry.id == ids[-2]).values(thing_id=99)
            )
        assert audit.verify().wrong == ids[-2]


def test_a_row_taken_out_of_the_audit_log_is_found(world: World) -> None:
    with world.app.app_context():
        with write_unit():
            for number in range(5):
                audit.record(1, "read", "child", number)
        rows = list(db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)))
        with write_unit():
            db.session.delete(rows[-3])
        assert audit.verify().wrong == rows[-2].id


def noted(many: int = 5) -> list[AuditEntry]:
    """Record looks at some children, and return the rows of the audit log, oldest first."""
    with write_unit():
        for number in range(many):
            audit.record(1, "read", "child", number)
    return list(db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)))


def seal_without_a_key(rows: list[AuditEntry], seal: str) -> None:
    """Seal rows again, as anybody could who knows the program but not the key."""
    with write_unit():
        for row in rows:
            seal = row.seal = audit._seal_without_key(seal, row)


def test_nobody_without_the_key_can_seal_a_changed_row(world: World) -> None:
    with world.app.app_context():
        rows = noted()
        rows[-3].thing_id = 99
        seal_without_a_key(rows[-3:], rows[-4].seal)
        assert audit.verify().wrong == rows[-3].id


def test_rows_of_the_version_that_had_no_key_are_counted_and_may_only_stand_first(
    world: World,
) -> None:
    with world.app.app_context():
        rows = noted()
        seal_without_a_key(rows, audit.START)
        assert audit.verify() == audit.Checked(whole=0, older=len(rows))
        later = noted(2)[len(rows) :]
        assert audit.verify() == audit.Checked(whole=len(later), older=len(rows))
        seal_without_a_key(later[1:], later[0].seal)
        assert audit.verify().wrong == later[1].id


def test_after_a_new_key_the_rows_before_it_cannot_be_checked_and_those_after_it_can(
    world: World,
) -> None:
    with world.app.app_context():
        before = noted()
        secrets_.keep_key(db.engine, bytes(32))
        assert audit.verify().wrong is not None
        audit.begin_with_a_new_key()
        assert audit.verify() == audit.Checked(whole=1, older=len(before))
        after = noted(3)[len(before) + 1 :]
        assert audit.verify() == audit.Checked(whole=1 + len(after), older=len(before))
        seal_without_a_key(after[-1:], after[-2].seal)
        assert audit.verify().wrong == after[-1].id


def test_the_command_says_whether_the_audit_log_is_whole(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("classroom.app.create_app", lambda _config: world.app)
    with world.app.app_context():
        rows = noted()
    assert main(["audit"]) == 0
    assert f"Checked: {len(rows)}." in capsys.readouterr().out
    with world.app.app_context(), write_unit():
        db.session.execute(
            update(AuditEntry).where(AuditEntry.id == rows[-2].id).values(thing_id=9)
        )
    assert main(["audit"]) == 1
    assert f"entry {rows[-2].id} was changed" in capsys.readouterr().out


@pytest.mark.sqlite
def test_a_backup_says_whether_the_audit_log_is_whole_and_is_made_all_the_same(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with world.app.app_context():
        number = noted()[1].id
        with write_unit():
            db.session.get_one(AuditEntry, number).thing_id = 9
    finish(world.app)
    monkeypatch.setenv("FISH_INSTANCE", world.app.instance_path)
    assert main(["backup", str(tmp_path / "one.db")]) == 0
    assert f"entry {number} was changed" in capsys.readouterr().out
    (Path(world.app.instance_path) / "key").unlink()
    assert main(["backup", str(tmp_path / "two.db")]) == 0
    assert (tmp_path / "one.db").exists()
    assert (tmp_path / "two.db").exists()


def test_the_command_for_a_new_key_says_so_in_the_audit_log(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = world.app.instance_path
    with world.app.app_context():
        before = noted()
    finish(world.app)
    monkeypatch.setenv("FISH_INSTANCE", folder)
    assert main(["newkey"]) == 0
    assert main(["audit"]) == 0
    said = capsys.readouterr().out
    assert "Checked: 1." in said
    assert f"key: {len(before)}." in said


def test_a_failed_action_is_not_in_the_audit_log(world: World) -> None:
    with world.app.app_context():
        before = world.rows()["audit"]
        with pytest.raises(KeyError), write_unit():
            audit.record(1, "read", "child", 1)
            raise KeyError
        assert world.rows()["audit"] == before
