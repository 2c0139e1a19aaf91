"""The security log: every event, no names, nothing that did not happen, nothing after seven
days."""

from __future__ import annotations

import json
import logging
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from classroom.database import db, write_unit
from classroom.models import Adult, Child, SchoolClass, YearChange
from classroom.services.access import accounts, knocks, sessions, sign_in
from classroom.services.base import budgets, clock, security_log
from classroom.services.base.errors import Refused
from classroom.services.operation import look_around
from classroom.services.school import classes, family_links, people, school_year, undoing, year_plan
from classroom.services.school.year_plan import Wishes, YearWish
from tests.world import CHILDREN, PASSWORD, SCHOOL_OF, Visitor, World

ROOT = Path(__file__).resolve().parents[2]
NEW_PASSWORD = "nine slow otters drift"
Line = dict[str, Any]


@dataclass(frozen=True)
class Log:
    """The security log of a folder."""

    folder: Path

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*"))

    @property
    def text(self) -> str:
        return "".join(path.read_text(encoding="ascii") for path in self.files)

    @property
    def lines(self) -> list[Line]:
        return [json.loads(line) for line in self.text.splitlines()]

    def of(self, event: str, outcome: str = "done") -> list[Line]:
        return [one for one in self.lines if (one["event"], one["outcome"]) == (event, outcome)]


@contextmanager
def logging_of(world: World) -> Iterator[Log]:
    instance = Path(world.app.instance_path)
    with world.app.app_context():
        engine = db.engine
    with security_log.kept(engine, instance, serving=True):
        yield Log(instance / security_log.FOLDER)


@pytest.fixture
def log(world: World) -> Iterator[Log]:
    with logging_of(world) as found:
        yield found


def right_pictures(world: World, child: str) -> dict[str, str]:
    with world.app.app_context():
        row = db.session.get_one(Child, world.children[child])
        return {f"p{n}": name for n, name in enumerate(sign_in.pictures_of(row), 1)}


def wrong_pictures(world: World, child: str) -> dict[str, str]:
    names = list(right_pictures(world, child).values())[::-1]
    return {f"p{n}": name for n, name in enumerate(names, 1)}


def everything_happens(world: World) -> list[str]:
    """Cause each event through the pages. Returns the typed texts, which must not be in the log."""
    secrets = [*_adults_come_and_go(world), *_a_class_comes_in(world), *_a_family_joins(world)]
    _forgeries(world)
    _records_are_taken(world)
    secrets += _colleagues_come_and_go(world)
    with world.app.app_context():
        sign_in.reset_password("admin", NEW_PASSWORD)
        with pytest.raises(Refused):
            accounts.make_school("AAAA-AAAA", "Pond School", "Ms Lake", "lake", PASSWORD)
    secrets += _a_year_passes(world)
    _a_demo_is_asked_for(world)
    return secrets


def _a_year_passes(world: World) -> list[str]:
    teacher, room = world.visitor("admin"), world.classes["sunfish"]
    mia = world.children["Miaqua"]
    with world.app.app_context():
        again = classes.add_child(room, "Miaquatwo")
        minnows = db.session.scalar(select(SchoolClass.id).where(SchoolClass.name == "Dragonflies"))
        db.session.rollback()
        people.share(minnows, world.adults["admin"], world.adults["admin"])
    teacher.post(f"/teach/classes/{room}/rename", {"name": "Newnamed"})
    teacher.post(f"/teach/children/{mia}/merge", {"other": again})
    teacher.post(f"/teach/children/{mia}/restrict", {"reason": "asked"})
    teacher.post(f"/teach/children/{mia}/answers/delete")
    teacher.post(f"/teach/children/{mia}/restrict", {"end": "school"})
    teacher.post(f"/teach/children/{mia}/class", {"to": minnows})
    for step in ("archive", "restore", "archive", "delete"):
        teacher.post(f"/teach/classes/{room}/{step}")
    with world.app.app_context():
        admin = world.adults["admin"]
        wishes = Wishes(rooms={world.classes["perch"]: YearWish(to=str(minnows))})
        seal = year_plan.plan(school_year.rooms_of(1), wishes).seal
        school_year.apply(1, wishes, seal, admin)
        undoing.undo_year(1, undoing.year_changes(1)[0].change_id, admin)
    return ["Newnamed", "Miaquatwo"]


def _a_demo_is_asked_for(world: World) -> None:
    demo = look_around.Demo(
        Path(world.app.instance_path) / "none",
        make=lambda *_: None,
        put=lambda *_: None,
        wake=lambda: None,
    )
    world.app.extensions["look_around"] = demo
    world.visitor("nobody").post("/look-around")


def _adults_come_and_go(world: World) -> list[str]:
    visitor = world.visitor("nobody")
    for _ in range(21):
        visitor.post("/in", {"login": "brook", "password": "wrong wrong wrong"})
    visitor.post("/in", {"login": "nobodyknown", "password": "wrong wrong wrong"})
    visitor.post("/in", {"login": "lake", "password": PASSWORD})
    visitor.post("/account/names", {"name": "Ms Lake", "login": "lake", "password": PASSWORD})
    visitor.post("/account", {"old": "not my old password", "new": NEW_PASSWORD})
    visitor.post("/account", {"old": PASSWORD, "new": NEW_PASSWORD})
    visitor.post("/out")
    return ["wrong wrong", "nobodyknown", PASSWORD, NEW_PASSWORD, "not my old"]


def _a_class_comes_in(world: World) -> list[str]:
    teacher, tablet, room = world.visitor("lake"), world.visitor("nobody"), world.classes["sunfish"]
    tablet.post("/join", {"code": "999999"})
    tablet.post("/join", {"code": "100000"})
    mia, ben = world.children["Miaqua"], world.children["Benquill"]
    tablet.post(f"/animals/{mia}", wrong_pictures(world, "Miaqua"))
    for step in range(1, budgets.CHILD_A_DEVICE + 1):
        with clock.clock_at(clock.now() + 60 * step):
            tablet.post(f"/animals/{ben}", wrong_pictures(world, "Benquill"))
    tablet.post(f"/animals/{mia}", right_pictures(world, "Miaqua"))
    tablet.post("/bye")
    tablet.post(f"/animals/{ben}/knock")
    with world.app.app_context():
        ((standing,),) = [child.devices for child in knocks.at_the_door(room)]
    tap = {"knock": str(standing.knock_id), "sign": standing.sign.key}
    teacher.post(f"/teach/children/{ben}/let-in", tap)
    tablet.post(f"/animals/{ben}/waiting")
    tablet.post("/bye")
    tablet.post("/bye")
    teacher.post(f"/teach/children/{ben}/pictures")
    teacher.post("/teach/classes", {"name": "Dragonflies"})
    teacher.post(f"/teach/classes/{room}/open", {"minutes": "45"})
    teacher.post(f"/teach/classes/{room}/code", {"keep": "1"})
    teacher.post(f"/teach/classes/{room}/new-devices")
    teacher.post(f"/teach/classes/{room}/close")
    return ["999999", "100000", "Dragonflies", *right_pictures(world, "Miaqua").values()]


def _a_family_joins(world: World) -> list[str]:
    with world.app.app_context():
        code = family_links.make_code(world.children["Miaqua"], by=world.adults["lake"])
    parent = world.visitor("nobody")
    wanted = {"name": "Quinnette", "login": "quinnette", "password": NEW_PASSWORD}
    parent.post("/family/join", wanted | {"code": "AAAA-AAAA-AAAA"})
    parent.post("/family/join", wanted | {"code": code})
    world.visitor("rush").post("/family/link", {"code": "BBBB-BBBB-BBBB"})
    _a_family_leaves(world)
    return [code, code.replace("-", ""), "AAAA", "BBBB", "uinnette"]


def _a_family_leaves(world: World) -> None:
    teacher, mia, reed = world.visitor("lake"), world.children["Miaqua"], world.adults["reed"]
    parent = f"/teach/children/{mia}/parents/{reed}"
    world.visitor("reed").post(f"/family/children/{mia}/at-home")
    teacher.post(f"/teach/children/{mia}/family-code")
    with world.app.app_context():
        (paper,) = family_links.links_of_child(mia).codes
    teacher.post(f"/teach/children/{mia}/family-code/cancel", {"code": str(paper.id)})
    teacher.post(f"{parent}/new-password")
    teacher.post(f"{parent}/new-password/cancel")
    world.visitor("nobody").post("/reset", {"code": "CCCC-CCCC-CCCC", "new": NEW_PASSWORD})
    teacher.post(f"{parent}/unlink")


def _colleagues_come_and_go(world: World) -> list[str]:
    teacher, room = world.visitor("lake"), world.classes["sunfish"]
    page = teacher.post(f"/teach/classes/{room}/colleagues/invite", {"role": "teacher"}).text
    (code,) = re.findall(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}\b", page)
    wanted = {"name": "Quentinne", "login": "quentinne", "password": NEW_PASSWORD}
    world.visitor("nobody").post("/colleague", wanted | {"code": "CCCC-CCCC-CCCC"})
    world.visitor("brook").post("/colleague", {"code": "DDDD-DDDD-DDDD"})
    world.visitor("brook").post("/colleague", {"code": code})
    teacher.post(f"/teach/classes/{room}/colleagues/leave")
    head, brook = world.visitor("head"), world.adults["brook"]
    head.post(f"/school/people/{brook}/role", {"role": "admin"})
    head.post(f"/school/people/{brook}/end")
    return [code, code.replace("-", ""), "CCCC", "DDDD", "uentinne"]


def _forgeries(world: World) -> None:
    teacher = world.visitor("lake")
    teacher.client.post("/out")
    cross = {"Sec-Fetch-Site": "cross-site"}
    teacher.post("/out", headers=cross)
    teacher.get("/teach/", headers=cross)
    teacher.get(f"/teach/children/{world.children['Zedquorn']}")


def _records_are_taken(world: World) -> None:
    teacher, done = world.visitor("lake"), world.rounds["Benquill"]
    teacher.post(f"/teach/rounds/{done}/hands", {"move": "1"})
    teacher.post(f"/teach/rounds/{world.rounds['Miaqua']}/watch")
    teacher.get(f"/teach/children/{world.children['Benquill']}/record.json")
    ben, room = f"/teach/children/{world.children['Benquill']}", world.classes["sunfish"]
    teacher.post(f"{ben}/left")
    with world.app.app_context():
        change = db.session.scalar(select(func.max(YearChange.id)))
    teacher.post(f"/teach/classes/{room}/undo", {"change": change})
    teacher.post(f"{ben}/remove", {"when": "now"})


WRITTEN = {
    ("adult_in", "wrong_login"),
    ("adult_in", "login_wait"),
    ("lock_out", "ask_teacher"),
    ("password_changed", "wrong_password"),
    ("device_in", "class_not_open"),
    ("child_in", "wrong_pictures"),
    ("account_made", "code_unknown"),
    ("password_reset", "reset_unknown"),
    ("account_made", "invitation_unknown"),
    ("child_linked", "code_unknown"),
    ("class_joined", "invitation_unknown"),
    ("school_made", "already_set_up"),
    ("form", "forged"),
    ("form", "other_site"),
    ("page", "other_site"),
    ("thing", "not_found"),
}
NEVER_DONE = {"lock_out", "form", "page", "thing", "school_made", "server_stopped"}


def test_every_event_is_written_down(world: World, log: Log) -> None:
    everything_happens(world)
    written = {(line["event"], line["outcome"]) for line in log.lines}
    done = {(event, "done") for event in security_log.EVENTS - NEVER_DONE}
    assert written == WRITTEN | done


def test_the_log_holds_no_name_no_login_no_code_and_no_password(world: World, log: Log) -> None:
    typed = everything_happens(world)
    drawn_by_lot = re.compile(r'"(time|device)": "[0-9a-f:.TZ-]+"')
    text = drawn_by_lot.sub("", log.text).casefold()
    with world.app.app_context():
        names = [*db.session.scalars(select(Child.name)), *db.session.scalars(select(Adult.name))]
        rooms = db.session.execute(select(SchoolClass.name, SchoolClass.code))
        names += [word for row in rooms for word in row]
    names += [*CHILDREN, *SCHOOL_OF, "Northpond", "Southpond"]
    found = [word for word in [*typed, *names] if word.casefold() in text]
    assert not found


def test_a_line_is_json_with_the_time_the_browser_the_address_and_the_person(
    world: World, log: Log
) -> None:
    child = world.children["Benquill"]
    with clock.clock_at(1_800_000_000.25):
        teacher = world.visitor("lake")
        device = teacher.client.get_cookie("school-device")
        teacher.post(f"/teach/children/{child}/pictures")
    (line,) = log.of("pictures_reset")
    assert device
    assert len(line.pop("device")) == 12
    assert device.value not in log.text
    assert line == {
        "time": "2027-01-15T08:00:00.250Z",
        "event": "pictures_reset",
        "outcome": "done",
        "child_id": child,
        "by": f"adult:{world.adults['lake']}",
        "address": "127.0.0.1",
    }


def test_an_action_that_was_not_committed_is_not_logged_as_done(world: World, log: Log) -> None:
    with world.app.app_context():
        with pytest.raises(KeyError), write_unit():
            security_log.note("child_removed", child_id=1)
            security_log.note("form", "forged")
            raise KeyError
        assert not log.of("child_removed")
        assert log.of("form", "forged")
        with write_unit():
            security_log.note("child_removed", child_id=2)
            assert not log.of("child_removed")
        assert [line["child_id"] for line in log.of("child_removed")] == [2]


def test_the_end_of_the_server_is_written_down(world: World) -> None:
    with logging_of(world) as log:
        pass
    assert [line["event"] for line in log.lines] == ["server_started", "server_stopped"]


def test_a_lock_out_is_logged_when_it_begins(world: World, log: Log) -> None:
    tablet, child = world.visitor("device"), world.children["Miaqua"]
    wrong = wrong_pictures(world, "Miaqua")
    for step in range(9):
        with clock.clock_at(clock.now() + 60 * step):
            tablet.post(f"/animals/{child}", wrong)
        assert len(log.of("lock_out", "ask_teacher")) == (1 if step == 8 else 0)


def test_a_wrong_password_is_logged_with_its_account(world: World, log: Log) -> None:
    for login in ("brook", "nobodyknown"):
        world.visitor("nobody").post("/in", {"login": login, "password": "wrong wrong wrong"})
    known, unknown = log.of("adult_in", "wrong_login")
    assert known["adult_id"] == world.adults["brook"]
    assert "adult_id" not in unknown


@pytest.mark.parametrize(
    "said", ['1.2.3.4\n{"event": "x"}', "Mia", "::1%Mia", "1.2.3.4, 5.6.7.8", "", "\ud800"]
)
def test_a_made_up_address_brings_no_text_into_the_log(world: World, log: Log, said: str) -> None:
    with world.app.app_context():
        security_log.asked_by(said, "d" * 32)
        security_log.note("form", "forged")
        security_log.asked_by("", "")
    (line,) = log.of("form", "forged")
    assert line.get("address") in (None, "::1")
    assert "Mia" not in log.text


def test_an_unknown_event_or_fact_is_an_error(world: World) -> None:
    with world.app.app_context():
        with pytest.raises(ValueError, match="has no"):
            security_log.note("something")
        with pytest.raises(ValueError, match="has no"):
            security_log.note("adult_in", name=1)


def test_the_demo_school_logs_nothing(world: World) -> None:
    everything_happens(world)
    assert not (Path(world.app.instance_path) / security_log.FOLDER).exists()


def test_no_line_is_shown_on_the_console(
    world: World, log: Log, capfd: pytest.CaptureFixture[str]
) -> None:
    _forgeries(world)
    assert log.of("form", "forged")
    assert "forged" not in "".join(capfd.readouterr())


def test_after_a_request_its_address_is_forgotten(world: World, log: Log) -> None:
    world.visitor("lake").post("/out")
    with world.app.app_context():
        security_log.note("demo_made")
    assert "address" not in log.of("demo_made")[0]


def test_each_event_is_in_the_documents() -> None:
    told = (ROOT / "docs" / "security-log.md").read_text(encoding="utf-8")
    for event in security_log.EVENTS:
        assert f"`{event}`" in told, event


# ---- the files


def line(log: Log, text: str, level: int = logging.INFO) -> None:
    files = security_log.DayFiles(log.folder)
    files.handle(logging.LogRecord("classroom.security", level, "", 0, text, (), None))


@pytest.fixture
def empty(tmp_path: Path) -> Log:
    return Log(tmp_path / "security")


@pytest.mark.skipif(sys.platform == "win32", reason="no such rights there")
def test_only_the_server_can_read_the_files(empty: Log) -> None:
    line(empty, "{}")
    (file,) = empty.files
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(empty.folder.stat().st_mode) == 0o700


def test_no_line_is_kept_for_more_than_seven_days(empty: Log) -> None:
    start = 1_800_000_000.0
    for day in range(20):
        with clock.clock_at(start + day * clock.SECONDS_A_DAY):
            line(empty, json.dumps({"at": clock.now()}))
            assert min(one["at"] for one in empty.lines) > clock.now() - 7 * clock.SECONDS_A_DAY
    assert len(empty.files) == 7


def test_old_lines_are_deleted_while_nothing_happens(world: World, log: Log) -> None:
    with world.app.app_context():
        security_log.note("form", "forged")
        assert log.files
        with clock.clock_at(clock.now() + 7 * clock.SECONDS_A_DAY):
            sessions.sweep()
    assert not log.files


def test_other_files_in_the_folder_stay(empty: Log) -> None:
    empty.folder.mkdir()
    (empty.folder / "2020-01-01-incident.log").write_text("kept by hand\n")
    line(empty, "{}")
    assert len(empty.files) == 2


def test_a_flood_of_refusals_fills_half_of_a_days_file_and_hides_no_sign_in(
    empty: Log, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(security_log, "MOST_A_DAY", 1000)
    for _ in range(200):
        line(empty, '"refused"', logging.WARNING)
    line(empty, '"done"')
    assert len(empty.text) < 550
    assert empty.lines[-1] == "done"
    for _ in range(200):
        line(empty, '"done"')
    assert len(empty.text) < 1050
    assert "full for today" in caplog.text


def test_a_full_disk_harms_no_request_and_is_reported_once(
    world: World, log: Log, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(security_log, "_private", full)
    for _ in range(3):
        assert Visitor(world.app.test_client()).client.post("/out").status_code == 403
    answer = world.visitor("nobody").post("/in", {"login": "lake", "password": PASSWORD})
    assert answer.status_code == 303
    assert caplog.text.count("No space left on device") == 1
    assert "Traceback" not in caplog.text
    monkeypatch.undo()
    world.visitor("nobody").post("/out")
    assert log.lines[-1]["event"] == "server_started"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such file there")
def test_a_partly_written_line_harms_nothing(
    empty: Log, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(security_log, "_private", lambda _path, flags: os.open("/dev/full", flags))
    line(empty, "{}")
    assert caplog.text.count("cannot be written") == 1
