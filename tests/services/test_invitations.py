"""Codes on paper for colleagues: one use, an end, and what they open."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date

import pytest
from sqlalchemy import select, update

from classroom.database import db, write_unit
from classroom.models import Adult, ClassTeacher, Invitation
from classroom.services.access import accounts, invitations, sessions, sign_in
from classroom.services.base import budgets, clock, limits
from classroom.services.base.errors import NotFound, Refused
from classroom.services.school import people
from tests.world import PASSWORD, World

DAY = clock.SECONDS_A_DAY
NOON = 1_795_348_800.0
NOBODYS = "AAAA-AAAA-AAAA"


@dataclass(frozen=True)
class Scene:
    """A school at noon, and the ids of its people."""

    world: World

    def invite(self, role: str = "teacher", room: str | None = "sunfish", days: int = 0) -> str:
        school = db.session.get_one(Adult, self.id("lake")).school_id
        until = clock.now() + days * DAY if days else None
        class_id = self.world.classes[room] if room else None
        return invitations.make(school, self.id("lake"), role, class_id, until)

    def id(self, login: str) -> int:
        return self.world.adults[login]

    def teaches(self, login: str, room: str = "sunfish") -> bool:
        return sessions.teaches_class(self.id(login), self.world.classes[room])


@pytest.fixture
def scene(world: World) -> Iterator[Scene]:
    with world.app.app_context(), clock.clock_at(NOON):
        yield Scene(world)
        db.session.rollback()


def join(code: str, login: str = "newcomer") -> Adult:
    adult_id = invitations.register(code, "New Colleague", login, PASSWORD, "d" * 32)
    return db.session.get_one(Adult, adult_id)


def refused(code: str, login: str = "newcomer") -> str:
    with pytest.raises(Refused) as error:
        join(code, login)
    return error.value.code


def test_a_code_makes_a_teacher_of_the_class_once(scene: Scene) -> None:
    code = scene.invite()
    adult = join(code.lower().replace("-", " "))
    assert (adult.role, adult.ends_at) == ("teacher", None)
    assert sessions.teaches_class(adult.id, scene.world.classes["sunfish"])
    assert not sessions.teaches_class(adult.id, scene.world.classes["perch"])
    assert refused(code, "another") == "invitation_unknown"


def test_a_code_without_a_class_makes_an_administrator_of_this_school(scene: Scene) -> None:
    adult = join(scene.invite("admin", None))
    school = db.session.get_one(Adult, scene.id("lake")).school_id
    assert (adult.role, adult.school_id) == ("admin", school)
    assert people.only_administers(adult.id)


def test_the_code_itself_is_nowhere_in_the_database(scene: Scene) -> None:
    code = scene.invite()
    rows = str(scene.world.rows())
    assert code not in rows
    assert code.replace("-", "") not in rows


def test_a_code_lasts_fourteen_days(scene: Scene) -> None:
    code = scene.invite()
    with clock.clock_at(NOON + 14 * DAY):
        assert refused(code) == "invitation_unknown"
    with clock.clock_at(NOON + 14 * DAY - 1):
        assert join(code)


def test_a_refused_account_leaves_the_code_good(scene: Scene) -> None:
    code = scene.invite()
    assert refused(code, "lake") == "login_taken"
    with pytest.raises(Refused, match="password_short"):
        invitations.register(code, "New", "newcomer", "short", "d" * 32)
    assert join(code)


def test_wrong_codes_are_slowed_down_on_one_device_only(scene: Scene) -> None:
    code = scene.invite()
    for _ in range(budgets.CODE_TRIES):
        assert refused(NOBODYS) == "invitation_unknown"
    assert refused(code) == "code_wait"
    assert invitations.register(code, "New", "newcomer", PASSWORD, "e" * 32)


def test_nobody_without_a_code_learns_which_sign_in_names_exist(scene: Scene) -> None:
    assert refused(NOBODYS, "lake") == refused(NOBODYS, "nobodyknown") == "invitation_unknown"


def test_of_two_who_type_one_code_together_one_gets_in(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, both = scene.invite(), threading.Barrier(2, timeout=20)
    db.session.rollback()
    monkeypatch.setattr(accounts, "check_account", lambda *_: both.wait())

    def try_(login: str) -> str:
        with scene.world.app.app_context(), clock.clock_at(NOON):
            try:
                invitations.register(code, "New", login, PASSWORD, login)
            except Refused as refused:
                return refused.code
            return "in"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(try_, ("one", "two"))) == ["in", "invitation_unknown"]


# ---- taking a class


def test_a_teacher_of_the_school_takes_the_class(scene: Scene) -> None:
    code = scene.invite()
    assert invitations.take(scene.id("brook"), code) == scene.world.classes["sunfish"]
    assert scene.teaches("brook")
    assert scene.teaches("brook", "perch")


@pytest.mark.parametrize(
    ("who", "role", "room", "why"),
    [
        ("marsh", "teacher", "sunfish", "invitation_unknown"),  # of another school
        ("mere", "teacher", "sunfish", "already_taught"),
        ("brook", "teacher", None, "invitation_other"),
        ("brook", "admin", None, "invitation_other"),
        ("brook", "substitute", "sunfish", "invitation_other"),
        ("eddy", "teacher", "sunfish", "invitation_other"),
    ],
)
def test_a_code_for_somebody_else_is_refused_and_stays_good(
    scene: Scene, who: str, role: str, room: str | None, why: str
) -> None:
    code = scene.invite(role, room, 1 if role == "substitute" else 0)
    with pytest.raises(Refused, match=why):
        invitations.take(scene.id(who), code)
    assert db.session.scalars(select(Invitation.used_at)).all() == [None]


def test_a_substitute_takes_another_class_only_for_the_same_time(scene: Scene) -> None:
    adult = join(scene.invite("substitute", days=1))
    with pytest.raises(Refused, match="invitation_other"):
        invitations.take(adult.id, scene.invite("substitute", "perch", 2))
    invitations.take(adult.id, scene.invite("substitute", "perch", 1))
    assert sessions.teaches_class(adult.id, scene.world.classes["perch"])


# ---- substitutes


def test_a_substitutes_account_ends_and_only_the_right_password_hears_of_it(scene: Scene) -> None:
    adult = join(scene.invite("substitute", days=1))
    assert sessions.find(sign_in.welcome(adult.id, "d" * 32)).kind == "substitute"
    with clock.clock_at(NOON + 1 * DAY - 1):
        token = sign_in.adult("newcomer", PASSWORD, "d" * 32)
        assert sessions.find(token).kind == "substitute"
    with clock.clock_at(NOON + 1 * DAY):
        assert sessions.find(token) is sessions.NOBODY
        with pytest.raises(Refused, match="wrong_login"):
            sign_in.adult("newcomer", "not the password", "d" * 32)
        with pytest.raises(Refused, match="account_over"):
            sign_in.adult("newcomer", PASSWORD, "d" * 32)
        with pytest.raises(NotFound):
            sign_in.reset_password("newcomer", PASSWORD)


def test_an_ended_account_is_deleted_after_thirty_days(scene: Scene) -> None:
    adult_id = join(scene.invite("substitute", days=1)).id
    for days, there in ((31, True), (31.01, False)):
        with clock.clock_at(NOON + days * DAY):
            sessions.sweep()
            assert (db.session.get(Adult, adult_id) is not None) is there
    taught = select(ClassTeacher).where(ClassTeacher.adult_id == adult_id)
    assert not db.session.scalars(taught).all()


def test_the_code_of_a_substitute_ends_with_the_account(scene: Scene) -> None:
    code = scene.invite("substitute", days=1)
    with clock.clock_at(NOON + DAY):
        assert refused(code) == "invitation_unknown"


@pytest.mark.parametrize("days", [-1, 0, 93])
def test_a_substitutes_end_is_within_three_months(scene: Scene, days: int) -> None:
    with pytest.raises(Refused, match="until"):
        scene.invite("substitute", days=days)


def test_the_end_of_a_day_is_the_next_midnight(scene: Scene) -> None:
    today = clock.local(NOON).date()
    with clock.clock_at(clock.end_of(today) - 1):
        assert clock.local(clock.now()).date() == today
    assert clock.day(clock.end_of(today)) == clock.day(NOON) + 1


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone cannot be set here")
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland"])
@pytest.mark.parametrize(
    "day", ["2026-03-08", "2026-03-29", "2026-10-25", "2026-11-01", "2026-12-31"]
)
def test_a_day_ends_at_midnight_on_both_sides_of_summer_time(
    zone: str, day: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    end, following = clock.end_of(date.fromisoformat(day)), date.fromisoformat(day).toordinal() + 1
    assert clock.local(end).isoformat()[:19] == f"{date.fromordinal(following)}T00:00:00"
    monkeypatch.undo()
    time.tzset()


# ---- codes that stop working early


def test_a_revoked_code_opens_nothing(scene: Scene) -> None:
    code = scene.invite()
    (listed,) = invitations.of_class(scene.world.classes["sunfish"])
    with pytest.raises(NotFound):
        invitations.revoke(listed.row.id, scene.id("brook"), 1, scene.world.classes["perch"])
    invitations.revoke(listed.row.id, scene.id("lake"), 1, scene.world.classes["sunfish"])
    assert refused(code) == "invitation_unknown"


def test_a_used_code_is_not_revoked(scene: Scene) -> None:
    join(scene.invite())
    (listed,) = invitations.of_school(1)
    assert (listed.used_by, listed.made_by) == ("New Colleague", "Lakeqadult")
    with pytest.raises(NotFound):
        invitations.revoke(listed.row.id, scene.id("lake"), 1)


def test_the_codes_of_one_who_leaves_the_class_go_with_them(scene: Scene) -> None:
    for_the_class, for_another = scene.invite(), scene.invite(room="perch")
    people.leave(scene.world.classes["sunfish"], scene.id("lake"))
    assert refused(for_the_class) == "invitation_unknown"
    assert join(for_another)


def test_the_list_still_says_who_came_by_a_code_of_one_who_left_the_class(scene: Scene) -> None:
    join(scene.invite())
    people.leave(scene.world.classes["sunfish"], scene.id("lake"))
    (listed,) = invitations.of_class(scene.world.classes["sunfish"])
    assert (listed.used_by, listed.made_by) == ("New Colleague", "Lakeqadult")


@pytest.mark.parametrize("how", ["ended", "made a teacher only"])
def test_a_code_that_a_former_administrator_kept_opens_nothing(scene: Scene, how: str) -> None:
    code = invitations.make(1, scene.id("admin"), "admin")
    if how == "ended":
        people.end_account(scene.id("admin"), by=scene.id("head"))
    else:
        people.set_role(scene.id("admin"), "teacher", by=scene.id("head"))
    assert refused(code) == "invitation_unknown"


def test_unused_codes_are_limited_and_old_ones_are_forgotten(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.invite()
    limits.use(db.engine, limits.Limits({**limits.SCHOOL.most, "invitations": 1}, "school_full"))
    with pytest.raises(Refused, match="school_full"):
        scene.invite()
    with write_unit():
        db.session.execute(update(Invitation).values(ends_at=NOON - 30 * DAY - 1))
    sessions.sweep()
    assert not db.session.scalars(select(Invitation)).all()
