"""A restore does not bring back what was deleted or ended since the backup."""

from __future__ import annotations

import errno
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from sqlalchemy import event, select, update

from classroom import cli
from classroom.app import create_app
from classroom.condition import Unavailable
from classroom.database import db, write_unit
from classroom.models import Adult, AuditEntry, Child, DoorKnock
from classroom.services.access import invitations, passwords, sessions, sign_in
from classroom.services.access.sessions import NOBODY, Who
from classroom.services.base import disk, secrets_, tombstones
from classroom.services.base.errors import Refused
from classroom.services.operation import copies, health, restored
from classroom.services.school import classes, family_links, people, removals
from tests.conftest import finish, make_app
from tests.world import PASSWORD, World

DEVICE = "d" * 32


@dataclass
class Backup:
    """What must stay as in the backup, and what must not come back.

    `tokens`, `codes`, `pictures`, `passwords`: the ways in at the time of the backup; `changed`:
    whose pictures or password have been replaced since.
    """

    folder: Path
    file: Path
    gone: set[str] = field(default_factory=set)  # names that must be nowhere
    stay: set[str] = field(default_factory=set)  # names of children
    tokens: list[str] = field(default_factory=list)  # session tokens
    codes: list[str] = field(default_factory=list)  # family codes
    pictures: dict[int, tuple[str, ...]] = field(default_factory=dict)
    passwords: dict[str, str] = field(default_factory=dict)
    changed: set[int | str] = field(default_factory=set)  # children's ids and adults' logins

    def check(self) -> None:
        """Check that the restored school is as in the backup, without what has ended since."""
        app = create_app({"INSTANCE": str(self.folder), "LOOK_AROUND": False})
        with app.app_context():
            assert restored.replay() == []
            self._check_people()
            self._check_ways_in()
            db.session.rollback()
        finish(app)
        for path in self.folder.rglob("*"):
            content = path.read_bytes() if path.is_file() else b""
            assert not [name for name in self.gone if name.encode() in content], path

    def _check_people(self) -> None:
        assert self.stay == set(db.session.scalars(select(Child.name)))
        assert not self.gone & set(db.session.scalars(select(Adult.name)))

    def _check_ways_in(self) -> None:
        assert {sessions.find(token) for token in self.tokens} <= {NOBODY}
        assert db.session.scalars(select(DoorKnock)).all() == []
        for child_id, shown in self.pictures.items():
            child = db.session.get(Child, child_id)
            if child is not None:
                assert (sign_in.pictures_of(child) == shown) == (child_id not in self.changed)
        for row in db.session.scalars(select(Adult)):
            fits = passwords.fits(self.passwords[row.login], row.password_hash)
            assert fits == (row.login not in self.changed)
        for code in self.codes:
            with pytest.raises(Refused, match="code_unknown"):
                family_links.register(code, "Someone", "someone", PASSWORD)


class Days:
    """Random events in a school."""

    def __init__(self, lots: Random) -> None:
        self.lots = lots
        self.made = 0
        self.backup: Backup | None = None  # once it is made
        self.tokens: list[str] = []
        self.codes: list[str] = []
        self.passwords = dict.fromkeys(db.session.scalars(select(Adult.login)), PASSWORD)

    def pass_(self, events: int) -> None:
        acts = (self.add, self.remove, self.reset, self.change, self.enter, self.invite)
        for _ in range(events):
            self.lots.choice(acts)()

    def back_up(self, folder: Path, file: Path) -> Backup:
        copies.backup(folder / "school.db", file)
        found = self.backup = Backup(folder, file, tokens=self.tokens[:], codes=self.codes[:])
        found.stay = set(db.session.scalars(select(Child.name)))
        children = db.session.scalars(select(Child))
        found.pictures = {child.id: sign_in.pictures_of(child) for child in children}
        found.passwords = dict(self.passwords)
        db.session.rollback()
        return found

    def child(self) -> Child:
        return self.lots.choice(db.session.scalars(select(Child).order_by(Child.id)).all())

    def add(self) -> None:
        self.made += 1
        letters = "".join("abcdefghij"[int(digit)] for digit in f"{self.made:03}")
        classes.add_child(self.child().class_id, f"Canary{letters}")

    def remove(self) -> None:
        if len(db.session.scalars(select(Child.id)).all()) < 3:
            return
        child, before = self.child(), set(db.session.scalars(select(Adult.name)))
        name = child.name
        removals.remove_child(child.id)
        if self.backup:
            self.backup.gone |= {name} | before - set(db.session.scalars(select(Adult.name)))
            self.backup.stay.discard(name)

    def reset(self) -> None:
        child_id = self.child().id
        classes.reset_pictures(child_id)
        if self.backup:
            self.backup.changed.add(child_id)

    def change(self) -> None:
        going_on = select(Adult.login).where(Adult.ends_at.is_(None))
        login = self.lots.choice(sorted(db.session.scalars(going_on)))
        self.made += 1
        self.passwords[login] = f"{PASSWORD} {self.made}"
        sign_in.reset_password(login, self.passwords[login])
        if self.backup:
            self.backup.changed.add(login)

    def enter(self) -> None:
        child = self.child()
        child_id, class_id = child.id, child.class_id
        with write_unit():
            self.tokens.append(sessions.start(DEVICE, class_id=class_id, child_id=child_id))
        sign_in.knock(Who(kind="device", class_id=class_id, device=DEVICE), child_id)

    def invite(self) -> None:
        self.codes.append(family_links.make_code(self.child().id))


def run_trial(folder: Path, like: Path, number: int, patch: pytest.MonkeyPatch) -> None:
    app = make_app(folder, like)
    with app.app_context():
        days = Days(Random(number))
        days.pass_(8)
        backup = days.back_up(folder, folder.with_name(f"{folder.name}.db"))
        days.pass_(12)
        db.session.remove()
    finish(app)
    patch.setenv("FISH_INSTANCE", str(folder))
    assert cli.main(["restore", str(backup.file)]) == 0
    backup.check()


@pytest.mark.walk(10)
@pytest.mark.sqlite
@pytest.mark.parametrize("number", range(20))
def test_nothing_that_has_ended_comes_back(
    tmp_path: Path, peopled: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    run_trial(tmp_path / "school", peopled, number, monkeypatch)


@pytest.mark.long
@pytest.mark.sqlite
def test_nothing_that_has_ended_comes_back_in_a_hundred_trials(
    tmp_path: Path, peopled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100, 200):
        run_trial(tmp_path / f"school-{number}", peopled, number, monkeypatch)


@pytest.mark.sqlite
def test_a_backup_copied_by_hand_is_corrected_at_the_start(tmp_path: Path, peopled: Path) -> None:
    app = make_app(tmp_path / "school", peopled)
    file = tmp_path / "school" / "school.db"
    with app.app_context():
        copies.backup(file, tmp_path / "backup.db")
        row = db.session.scalars(select(Child).where(Child.name == "Miaqua")).one()
        removals.remove_child(row.id)
        sign_in.reset_password("lake", PASSWORD + " of today")
        db.session.remove()
    finish(app)
    shutil.copyfile(tmp_path / "backup.db", file)
    again = create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False})
    with again.app_context():
        changed = restored.replay()
        assert [kind for kind, _ in changed] == ["child", "adult", "password"]
        assert restored.without_password(changed) == ["lake"]
        assert restored.replay() == []
        with pytest.raises(Refused, match="wrong_login"):
            sign_in.adult("lake", PASSWORD, DEVICE)
    finish(again)
    assert b"Miaqua" not in file.read_bytes()


@pytest.mark.sqlite
def test_who_has_left_or_lost_an_office_does_not_come_back(tmp_path: Path, peopled: Path) -> None:
    app = make_app(tmp_path / "school", peopled)
    file, world = tmp_path / "school" / "school.db", World.of(app)
    lake, admin, head = (world.adults[login] for login in ("lake", "admin", "head"))
    sunfish, perch = world.classes["sunfish"], world.classes["perch"]
    with app.app_context():
        used, cancelled = (invitations.make(1, head, "teacher", sunfish) for _ in range(2))
        copies.backup(file, tmp_path / "backup.db")
        invitations.take(world.adults["brook"], used)
        invitations.revoke(invitations.of_class(sunfish)[0].row.id, head, 1)
        people.leave(sunfish, lake)
        people.set_role(admin, "teacher", by=head)
        people.share(perch, lake, by=head)
        people.end_account(world.adults["eddy"], by=head)
        db.session.remove()
    finish(app)
    shutil.copyfile(tmp_path / "backup.db", file)
    again = create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False})
    with again.app_context():
        changed = restored.replay()
        assert [kind for kind, _ in changed] == [
            "invitation",
            "invitation",
            "left",
            "role",
            "adult",
        ]
        assert restored.replay() == []
        assert not sessions.teaches_class(lake, sunfish)
        assert db.session.get_one(Adult, admin).role == "teacher"
        assert db.session.get(Adult, world.adults["eddy"]) is None
        for code in (used, cancelled):
            with pytest.raises(Refused, match="invitation_unknown"):
                invitations.take(world.adults["brook"], code)
    finish(again)


@pytest.mark.sqlite
def test_who_came_back_since_stays(tmp_path: Path, peopled: Path) -> None:
    app = make_app(tmp_path / "school", peopled)
    world = World.of(app)
    lake, admin, head = (world.adults[login] for login in ("lake", "admin", "head"))
    sunfish = world.classes["sunfish"]
    with app.app_context():
        people.leave(sunfish, lake)
        people.share(sunfish, lake, by=head)
        people.set_role(admin, "teacher", by=head)
        people.set_role(admin, "admin", by=head)
        assert restored.replay() == []
        assert sessions.teaches_class(lake, sunfish)
        assert db.session.get_one(Adult, admin).role == "admin"
    finish(app)


def test_a_start_keeps_the_invitations_that_were_used(world: World) -> None:
    sunfish, head = world.classes["sunfish"], world.adults["head"]
    with world.app.app_context():
        invitations.take(world.adults["brook"], invitations.make(1, head, "teacher", sunfish))
        before = [(one.row.used_at, one.used_by) for one in invitations.of_class(sunfish)]
        assert before[0][1]
        assert restored.replay() == []
        assert [(one.row.used_at, one.used_by) for one in invitations.of_class(sunfish)] == before


def test_a_restore_voids_the_unused_invitations(world: World) -> None:
    sunfish, head = world.classes["sunfish"], world.adults["head"]
    with world.app.app_context():
        code = invitations.make(1, head, "admin")
        invitations.take(world.adults["brook"], invitations.make(1, head, "teacher", sunfish))
        restored.mend()
        assert len(invitations.of_class(sunfish)) == 1, "the used one stays"
        with pytest.raises(Refused, match="invitation_unknown"):
            invitations.register(code, "Someone", "someone", PASSWORD)


@pytest.mark.sqlite
def test_a_start_says_so_if_no_administrator_is_left(
    tmp_path: Path,
    peopled: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = make_app(tmp_path / "school", peopled)
    with app.app_context(), write_unit():
        db.session.execute(update(Adult).where(Adult.role == "admin").values(role="teacher"))
    finish(app)
    monkeypatch.setenv("FISH_INSTANCE", app.instance_path)
    monkeypatch.setattr(cli, "_run", lambda *_: None)
    assert cli.main(["serve", "--port", "0"]) == 0
    assert "python3 run.py administrator LOGIN\n" in capsys.readouterr().out
    assert cli.main(["administrator", "nobodyknown"]) == 1
    assert cli.main(["administrator", "lake"]) == 0
    capsys.readouterr()
    assert cli.main(["serve", "--port", "0"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.sqlite
def test_the_operator_is_told_who_needs_a_new_password(
    tmp_path: Path,
    peopled: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = make_app(tmp_path / "school", peopled)
    with app.app_context():
        copies.backup(tmp_path / "school" / "school.db", tmp_path / "backup.db")
        sign_in.reset_password("lake", PASSWORD + " of today")
    finish(app)
    monkeypatch.setenv("FISH_INSTANCE", app.instance_path)
    assert cli.main(["restore", str(tmp_path / "backup.db")]) == 0
    said = capsys.readouterr().out
    assert "python3 run.py password lake\n" in said
    assert "reed" not in said


@pytest.mark.sqlite
def test_a_start_says_so_too_after_a_copy_by_hand(
    tmp_path: Path,
    peopled: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = make_app(tmp_path / "school", peopled)
    with app.app_context():
        copies.backup(tmp_path / "school" / "school.db", tmp_path / "backup.db")
        sign_in.reset_password("lake", PASSWORD + " of today")
    finish(app)
    shutil.copyfile(tmp_path / "backup.db", tmp_path / "school" / "school.db")
    monkeypatch.setenv("FISH_INSTANCE", app.instance_path)
    monkeypatch.setattr(cli, "_run", lambda *_: None)
    for said in ("A new password is needed: python3 run.py password lake\n", ""):
        assert cli.main(["serve", "--port", "0"]) == 0
        assert capsys.readouterr().out == said


def test_the_command_also_corrects_a_restore_by_another_tool(
    tmp_path: Path, peopled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path / "school", peopled)
    with app.app_context(), write_unit():
        token = sessions.start(DEVICE, class_id=1)
        tombstones.note_gone(db.session.scalars(select(Child).where(Child.name == "Miaqua")).one())
    finish(app)
    monkeypatch.setenv("FISH_INSTANCE", app.instance_path)
    assert cli.main(["restore"]) == 0
    with app.app_context():
        assert sessions.find(token) is NOBODY
        assert "Miaqua" not in db.session.scalars(select(Child.name)).all()
    finish(app)


# ---- the ledger


def lines(world: World) -> list[tuple[str, ...]]:
    return list(tombstones.lines(Path(world.app.instance_path)))


def test_the_ledger_notes_a_removal_by_numbers_only(world: World) -> None:
    mia, reed = world.children["Miaqua"], world.adults["reed"]
    with world.app.app_context():
        classes.reset_pictures(mia)
        removals.remove_child(mia)
    noted = lines(world)
    assert [line[:2] for line in noted] == [
        ("pictures", str(mia)),
        ("child", str(mia)),
        ("adult", str(reed)),
    ]
    text = (Path(world.app.instance_path) / tombstones.NAME).read_text()
    assert not any(word in text for word in ("Miaqua", "Reed", "reed"))


def test_a_failed_removal_is_crossed_out(world: World) -> None:
    mia = world.children["Miaqua"]
    with world.app.app_context():

        def fail(_connection: object) -> None:
            assert [line[0] for line in lines(world)] == ["child", "adult"]  # before the commit
            raise KeyError

        event.listen(db.engine, "commit", fail)
        with pytest.raises(KeyError):
            removals.remove_child(mia)
        event.remove(db.engine, "commit", fail)
        assert lines(world) == []
        assert restored.replay() == []
        assert db.session.get(Child, mia) is not None


def test_nothing_is_removed_that_cannot_be_noted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    mia = world.children["Miaqua"]

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk, "append", full)
    with world.app.app_context():
        with pytest.raises(Unavailable, match="disk is full"):
            removals.remove_child(mia)
        assert db.session.get(Child, mia) is not None
        assert health.problem() == "The disk is full: make room on it."


def test_another_child_with_a_removed_childs_number_is_left_alone(world: World) -> None:
    mia = world.children["Miaqua"]
    with world.app.app_context():
        made = db.session.get_one(Child, mia).created_at
        disk.append(
            Path(world.app.instance_path) / tombstones.NAME, f"child {mia} {made}\n".encode()
        )
        with write_unit():
            db.session.execute(update(Child).where(Child.id == mia).values(created_at=made + 1))
        assert restored.replay() == []
        with write_unit():
            db.session.execute(update(Child).where(Child.id == mia).values(created_at=made))
        assert restored.replay() == [("child", mia)]
        assert db.session.get(Child, mia) is None


def test_a_line_torn_by_a_power_cut_spoils_no_other(world: World) -> None:
    file = Path(world.app.instance_path) / tombstones.NAME
    file.write_bytes(b"\nchild 7\nnothing 3\nchild x 1.0\nadult")
    with world.app.app_context():
        classes.reset_pictures(world.children["Miaqua"])
        assert lines(world)[-1][:2] == ("pictures", str(world.children["Miaqua"]))
        assert restored.replay() == []


def test_a_restore_keeps_a_password_whose_hash_was_only_renewed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "renewed", lambda word, _old: passwords.hash_of(word))
    with world.app.app_context():
        lake = db.session.get_one(Adult, world.adults["lake"])
        before = lake.password_hash
        sign_in.adult("lake", PASSWORD, DEVICE)
        db.session.refresh(lake)
        assert lake.password_hash != before
        assert lines(world) == []


def test_a_replay_is_on_record(world: World) -> None:
    with world.app.app_context():
        lake = db.session.get_one(Adult, world.adults["lake"])
        with write_unit():
            tombstones.note_password(db.session.get_one(Adult, world.adults["lake"]))
        assert restored.replay() == [("password", lake.id)]
        last = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
        assert last is not None
        assert (last.adult_id, last.action, last.thing_id) == (None, "password", lake.id)


def test_the_demo_school_keeps_no_ledger(tmp_path: Path, migrated: Path) -> None:
    app: Flask = make_app(tmp_path / "school", migrated, DEMO=True, DATABASE_URI="")
    with app.app_context(), write_unit():
        tombstones.note_gone(Adult(id=1, created_at=1.0))
    finish(app)
    assert not (tmp_path / "school" / tombstones.NAME).exists()
    assert len(secrets_.key_in(tmp_path / "school", "demo-key")) == 32
