"""Play at home: the hours, the door of one child, rounds apart from lessons, and what counts."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Child, ChildRound, EvidenceRow, Match, Recount, Round, Session
from classroom.services.access import sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base import clock
from classroom.services.base.clock import SchoolPlace
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.lesson import lessons, live_class, open_tables
from classroom.services.lesson.lessons import HomePlay, Times
from classroom.services.operation import background
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import QuestionChoice
from classroom.services.reports import overview, skill_reports
from classroom.services.school import child_moves, class_life, classes, family_links
from classroom.services.table import choices, evidence_log, matches, rounds, stand_ins, states
from classroom.services.table.choices import Hours
from tests.learning.rows import row
from tests.playing import family_chooses
from tests.questioning import chosen_for
from tests.world import World, count_all

DEVICE = "d" * 32
AFTERNOON = Hours(True, 15 * 60, 19 * 60)


def at(day: int, hour: int, minute: int = 0, month: int = 11) -> float:
    """The timestamp of this moment of 2026 in UTC, which in winter is also the time in London."""
    return datetime(2026, month, day, hour, minute, tzinfo=UTC).timestamp()


FOUR = at(24, 16)


@pytest.fixture
def school(world: World) -> Iterator[World]:
    """A school in London at four in the afternoon, where sunfish play at home from three to
    seven."""
    with world.app.app_context(), clock.clock_at(FOUR):
        class_life.set_place(None, 1, SchoolPlace(time_zone="Europe/London"), "common_core")
        lessons.set_home_play(None, world.classes["sunfish"], HomePlay(AFTERNOON, False))
        yield world
        db.session.rollback()


@pytest.fixture
def mia(school: World) -> int:
    return school.children["Miaqua"]


def opened(school: World, child: str = "Miaqua", parent: str = "reed") -> str:
    adult, child_id = school.adults[parent], school.children[child]
    return sign_in.open_at_home(adult, child_id, DEVICE, None)


def inside(school: World) -> Who:
    """Miaqua, signed in at home."""
    token = sign_in.pictures_at_home(sessions.find(opened(school)), right(school, "Miaqua"))
    return sessions.find(token)


def right(school: World, child: str) -> list[str]:
    return list(sign_in.pictures_of(db.session.get_one(Child, school.children[child])))


def wrong(school: World) -> list[str]:
    return list(reversed(right(school, "Miaqua")))


def play_out(child_id: int) -> int:
    """Play a round at home to its end. Returns its id."""
    round_id = matches.sit_down(child_id, "classic", new=True, at_home=True)
    seat, lots = rounds.seat_of(round_id, child_id, at_home=True), random.Random(7)
    assert seat is not None
    while True:
        background.play_now(round_id)
        table = rounds.table(round_id, seat)
        if table.over:
            return round_id
        action = lots.choice(table.observation.legal)
        rounds.play(round_id, seat, action, secrets.token_hex(8), table.seq)


def shown(child_id: int, number: int, *, at_home: bool = True, **more: object) -> None:
    """Write this many answers of the child."""
    rows = [row(day=clock.day(), at=clock.now(), round_id=None, **more) for _ in range(number)]
    with write_unit():
        evidence_log.append(child_id, rows, at_home=at_home)


def counted(child_id: int) -> int:
    """The number of answers behind the figures on the child's pages."""
    tracks = evidence_log.progress_of([child_id])[child_id].tracks.values()
    return sum(track.settled().n for track in tracks)


# ---- the hours


@pytest.mark.parametrize(
    ("hour", "minute", "is_open"),
    [(14, 59, False), (15, 0, True), (18, 59, True), (19, 0, False), (3, 0, False)],
)
def test_a_parent_opens_a_device_within_the_hours_only(
    school: World, hour: int, minute: int, is_open: bool
) -> None:
    with clock.clock_at(at(24, hour, minute)):
        if is_open:
            assert sessions.find(opened(school)).kind == "home_device"
        else:
            with pytest.raises(NotNow, match="home_closed"):
                opened(school)


def test_the_hours_are_those_of_the_schools_time_zone(school: World) -> None:
    class_life.set_place(None, 1, SchoolPlace(time_zone="Asia/Tokyo"), "common_core")
    with pytest.raises(NotNow):  # it is one in the morning there
        opened(school)
    with clock.clock_at(at(24, 7)):
        assert opened(school)


@pytest.mark.parametrize(
    ("day", "month", "utc", "is_open"),
    [
        (24, 10, 14, True),  # the last day of summer time: three o'clock
        (24, 10, 18, False),
        (25, 10, 14, False),  # the clocks were put back: two o'clock
        (25, 10, 18, True),
        (28, 3, 14, False),  # the last day of winter time
        (29, 3, 14, True),  # the clocks were put forward
        (29, 3, 18, False),
    ],
)
def test_the_hours_follow_the_clock_on_the_wall_when_summer_time_begins_and_ends(
    school: World, day: int, month: int, utc: int, is_open: bool
) -> None:
    with clock.clock_at(at(day, utc, month=month)):
        assert AFTERNOON.are_now() == is_open
        last = clock.local(AFTERNOON.end())
        assert (last.day, last.hour, last.minute) == (day, 19, 0)


@pytest.mark.parametrize(("first", "last"), [(300, 900), (900, 1290), (900, 900), (915, 1140)])
def test_hours_are_halves_between_six_and_nine_and_the_first_comes_first(
    school: World, first: int, last: int
) -> None:
    with pytest.raises(Refused, match="hours"):
        lessons.set_home_play(
            None, school.classes["sunfish"], HomePlay(Hours(True, first, last), False)
        )
    with pytest.raises(Refused, match="weekend_hours"):
        weekend = Hours(True, 900, 1140, "other", first, last)
        lessons.set_home_play(None, school.classes["sunfish"], HomePlay(weekend, False))


WEEKENDS = ("other", 9 * 60, 12 * 60)


@pytest.mark.parametrize(
    ("day", "hour", "weekend", "is_open"),
    [
        (27, 16, WEEKENDS, True),  # a Friday
        (27, 10, WEEKENDS, False),
        (28, 10, WEEKENDS, True),
        (28, 16, WEEKENDS, False),
        (29, 11, WEEKENDS, True),
        (28, 16, ("same", 540, 720), True),
        (28, 10, ("same", 540, 720), False),
        (28, 16, ("none", 540, 720), False),
        (28, 10, ("none", 540, 720), False),
        (27, 16, ("none", 540, 720), True),
    ],
)
def test_weekends_can_have_hours_of_their_own_or_none(
    school: World, day: int, hour: int, weekend: tuple[str, int, int], is_open: bool
) -> None:
    hours = Hours(True, 15 * 60, 19 * 60, *weekend)
    lessons.set_home_play(None, school.classes["sunfish"], HomePlay(hours, False))
    with clock.clock_at(at(day, hour)):
        assert family_links.children_of(school.adults["reed"])[0].home_now == is_open
        if is_open:
            token, last = opened(school), 12 if weekend == WEEKENDS and day > 27 else 19
            for after, kind in ((0, "home_device"), (sessions.CLASS_GRACE + 1, "nobody")):
                with clock.clock_at(at(day, last) + after):
                    assert sessions.find(token).kind == kind


def test_a_class_begins_without_play_at_home(school: World) -> None:
    with write_unit():
        fresh = classes.add_class(1, "New", [school.adults["lake"]])
        db.session.flush()
        class_id = fresh.id
    assert lessons.home_play_of(class_id) == HomePlay(Hours(False, 15 * 60, 19 * 60), False)


# ---- the door


def test_a_device_at_home_is_for_one_child_alone(school: World) -> None:
    who = sessions.find(opened(school))
    assert (who.kind, who.home_id, who.child_id) == ("home_device", school.children["Miaqua"], None)
    with pytest.raises(Refused, match="wrong_pictures"):
        sign_in.pictures_at_home(who, right(school, "Benquill"))
    child = sessions.find(sign_in.pictures_at_home(who, right(school, "Miaqua")))
    assert (child.kind, child.child_id) == ("home_child", school.children["Miaqua"])
    assert child.class_id == school.classes["sunfish"]


@pytest.mark.parametrize("parent", ["rush", "sedge", "lake"])
def test_nobody_opens_a_device_for_a_child_who_is_not_theirs(school: World, parent: str) -> None:
    with pytest.raises(NotFound):
        opened(school, "Miaqua", parent)


def test_the_parent_is_signed_out_on_the_device(school: World) -> None:
    with write_unit():
        token = sessions.start(DEVICE, adult_id=school.adults["reed"])
    before = sessions.find(token)
    sign_in.open_at_home(
        school.adults["reed"], school.children["Miaqua"], DEVICE, before.session_id
    )
    assert sessions.find(token).kind == "nobody"


def test_a_child_at_home_is_not_in_the_lesson(school: World, mia: int) -> None:
    who = inside(school)
    room = school.classes["sunfish"]
    assert mia not in live_class.here(room)
    round_id = matches.sit_down(mia, "classic", at_home=True)
    assert round_id not in [table.round_id for table in live_class.live_class(room).tables]
    view = open_tables.alone(mia)
    assert (view.here, view.tables, view.mine, view.paused) == ((), (), None, None)
    assert who.at_home


def test_leaving_shows_the_door_again_and_leaving_that_closes_the_device(school: World) -> None:
    token = sign_in.leave_at_home(inside(school))
    door = sessions.find(token)
    assert door.kind == "home_device"
    assert sign_in.leave_at_home(door) is None
    assert sessions.find(token).kind == "nobody"


def unlink(school: World) -> None:
    parent, child_id = school.adults["reed"], school.children["Miaqua"]
    second = family_links.make_code(school.children["Benquill"])
    family_links.link(parent, second)  # so that the account goes on
    family_links.unlink(child_id, parent, by=school.adults["lake"])


def unlink_themselves(school: World) -> None:
    parent = school.adults["reed"]
    family_links.link(parent, family_links.make_code(school.children["Benquill"]))
    family_links.unlink(school.children["Miaqua"], parent, by=parent)


def end_account(school: World) -> None:
    family_links.end_account(school.adults["reed"])


def switch_off(school: World) -> None:
    off = HomePlay(Hours(False, 900, 1140), False)
    lessons.set_home_play(None, school.classes["sunfish"], off)


def shorten(school: World) -> None:
    lessons.set_home_play(None, school.classes["sunfish"], HomePlay(Hours(True, 360, 720), False))


def archive(school: World) -> None:
    class_life.archive(school.classes["sunfish"], school.adults["lake"])


@pytest.mark.parametrize(
    "end", [unlink, unlink_themselves, end_account, switch_off, shorten, archive]
)
def test_the_device_closes_at_once(school: World, end: object) -> None:
    token = sign_in.pictures_at_home(sessions.find(opened(school)), right(school, "Miaqua"))
    assert sessions.find(token).kind == "home_child"
    end(school)  # type: ignore[operator]
    assert sessions.find(token).kind == "nobody"


def test_the_device_closes_a_little_after_the_hours_and_for_good(school: World, mia: int) -> None:
    token = sign_in.pictures_at_home(sessions.find(opened(school)), right(school, "Miaqua"))
    for moment, kind in (
        (at(24, 18, 59), "home_child"),
        (at(24, 19, 14), "home_child"),  # the turn can be finished
        (at(24, 19, 16), "nobody"),
        (at(25, 16), "nobody"),  # the next day a parent opens it again
    ):
        with clock.clock_at(moment):
            assert sessions.find(token).kind == kind
    with clock.clock_at(at(25, 16)):
        sessions.sweep()
    assert not db.session.scalars(select(Session).where(Session.home_id == mia)).all()


def test_longer_hours_do_not_open_a_closed_device_again(school: World) -> None:
    token = sign_in.pictures_at_home(sessions.find(opened(school)), right(school, "Miaqua"))
    with clock.clock_at(at(24, 19, 16)):
        until_nine = HomePlay(Hours(True, 900, 1260), False)
        lessons.set_home_play(None, school.classes["sunfish"], until_nine)
        assert sessions.find(token).kind == "nobody"
        assert sessions.find(opened(school)).kind == "home_device"


def test_wrong_pictures_at_home_close_no_door_in_class(school: World, mia: int) -> None:
    who = sessions.find(opened(school))
    for number in range(sign_in.HOME_TRIES):
        with clock.clock_at(FOUR + 60 * number), pytest.raises(Refused, match="wrong_pictures"):
            sign_in.pictures_at_home(who, wrong(school))
    with clock.clock_at(FOUR + 3000):
        assert sign_in.is_closed_at_home(who)
        with pytest.raises(NotNow, match="ask_parent"):
            sign_in.pictures_at_home(who, right(school, "Miaqua"))
        device = Who(kind="device", class_id=school.classes["sunfish"], device="e" * 32)
        assert not sign_in.needs_teacher(device, mia)
        assert sign_in.pictures_at_home(sessions.find(opened(school)), right(school, "Miaqua"))


def test_after_some_wrong_pictures_a_child_at_home_waits(school: World) -> None:
    who = sessions.find(opened(school))
    for _ in range(4):
        with pytest.raises(Refused, match="wrong_pictures"):
            sign_in.pictures_at_home(who, wrong(school))
    assert 0 < sign_in.wait_of(who, school.children["Miaqua"]) <= 5
    with pytest.raises(Refused, match="wait"):
        sign_in.pictures_at_home(who, right(school, "Miaqua"))


# ---- playing


def test_rounds_of_lessons_and_of_home_are_apart(school: World, mia: int) -> None:
    lesson = school.rounds["Miaqua"]
    assert matches.current_round(mia) == lesson
    assert matches.current_round(mia, at_home=True) is None
    at_home = matches.sit_down(mia, "classic", at_home=True)
    assert matches.current_round(mia, at_home=True) == at_home != lesson
    assert rounds.seat_of(lesson, mia, at_home=True) is None
    assert rounds.seat_of(at_home, mia) is None
    assert matches.sit_down(mia, "classic", at_home=True) == at_home
    assert matches.sit_down(mia, "classic") == lesson


def test_the_next_round_at_home_is_at_home(school: World, mia: int) -> None:
    first = play_out(mia)
    match_id = db.session.get_one(Round, first).match_id
    later = matches.next_round(match_id, mia)
    assert db.session.get_one(Round, later).match.at_home
    family_chooses(None, mia, 1, "pike", "short", "open", True, None)
    changed = db.session.get_one(Round, play_out(mia)).match_id
    assert db.session.get_one(Match, changed).at_home


def test_a_pause_or_the_end_of_the_lesson_does_not_reach_the_home(school: World, mia: int) -> None:
    at_home = states.read(matches.sit_down(mia, "classic", at_home=True))
    lessons.pause(school.classes["sunfish"])
    assert stand_ins.pause_of_table(states.read(school.rounds["Miaqua"])) == stand_ins.PAUSED
    lessons.end(school.classes["sunfish"])
    assert stand_ins.pause_of_table(states.read(at_home.facts.round_id)) is None
    assert open_tables.pause_of(mia, at_home=True) is None


def test_when_the_hours_end_the_childs_time_is_over(school: World, mia: int) -> None:
    round_id = matches.sit_down(mia, "classic", at_home=True)
    background.play_now(round_id)
    seat = rounds.seat_of(round_id, mia, at_home=True)
    assert seat is not None
    assert stand_ins.pause_of_seat(states.read(round_id), seat) is None
    with clock.clock_at(at(24, 19, 1)):
        assert stand_ins.pause_of_seat(states.read(round_id), seat) == stand_ins.TIME_OVER
        assert open_tables.pause_of(mia, at_home=True) == stand_ins.TIME_OVER
        assert open_tables.pause_of(mia) is None


def test_play_at_home_takes_no_minutes_from_a_lesson(school: World, mia: int) -> None:
    lessons.set_times(school.classes["sunfish"], Times(minutes_a_day=10), school.adults["lake"])
    there = matches.sit_down(mia, "classic", at_home=True)
    spend(mia, there, 600)
    assert stand_ins.time_is_up(mia, at_home=True)
    assert not stand_ins.time_is_up(mia)
    spend(mia, there, 0)
    spend(mia, school.rounds["Miaqua"], 600)
    assert stand_ins.time_is_up(mia, at_home=True)  # the whole day counts
    assert stand_ins.time_is_up(mia)


def spend(child_id: int, round_id: int, seconds: float) -> None:
    with write_unit():
        found = select(ChildRound).filter_by(child_id=child_id, round_id=round_id)
        row_ = db.session.scalars(found).one()
        row_.seconds, row_.day = seconds, clock.day()


def test_a_family_chooses_freely_for_home_and_the_teacher_for_lessons(
    school: World, mia: int
) -> None:
    choices.write(None, "class", school.classes["sunfish"], {"level": "pike", "opponents": 3})
    family_chooses(None, mia, 1, "minnow", None, None, None, None)
    assert matches.settings_for(mia).level == "pike"
    assert matches.settings_for(mia).opponents == 3
    assert matches.settings_for(mia, at_home=True).level == "minnow"
    assert matches.settings_for(mia, at_home=True).opponents == 1
    assert choices.of_child(mia).at_home
    assert not choices.fixed(choices.of_child(mia).made, at_home=True)
    switch_off(school)
    assert not choices.of_child(mia).at_home
    assert family_links.settings(mia).fixed == {"level", "opponents"}


def test_a_class_in_the_archive_has_no_play_at_home_to_choose_for(school: World, mia: int) -> None:
    assert choices.of_child(mia).at_home
    archive(school)
    assert not choices.of_child(mia).at_home


def test_what_a_family_left_open_is_at_home_as_in_lessons(school: World, mia: int) -> None:
    choices.write(None, "class", school.classes["sunfish"], {"level": "pike"})
    assert matches.settings_for(mia, at_home=True).level == "pike"


def test_questions_at_home_may_be_more_than_the_teacher_asks(school: World, mia: int) -> None:
    question_settings.write(None, "class", school.classes["sunfish"], QuestionChoice("rarely"))
    assert chosen_for(mia, at_home=True).now.frequency == "rarely"
    question_settings.write(None, "family", mia, QuestionChoice("every_turn"))
    assert chosen_for(mia).now.frequency == "rarely"
    assert chosen_for(mia, at_home=True).now.frequency == "every_turn"
    assert question_settings.asking(mia, at_home=True).frequency == "every_turn"


# ---- what counts


def test_what_a_child_does_at_home_is_marked(school: World, mia: int) -> None:
    round_id = play_out(mia)
    sums = db.session.scalars(select(ChildRound).filter_by(round_id=round_id)).one()
    assert sums.at_home
    assert sums.over
    marks = select(EvidenceRow.at_home).where(EvidenceRow.round_id == round_id)
    assert set(db.session.scalars(marks)) == {True}
    lesson = select(EvidenceRow.at_home).where(EvidenceRow.round_id != round_id)
    assert set(db.session.scalars(lesson)) <= {False}


def test_evidence_of_home_is_left_out_until_the_teacher_counts_it(school: World, mia: int) -> None:
    shown(mia, 3, at_home=False)
    shown(mia, 5)
    assert counted(mia) == 3  # before the rows are tallied, and after
    count_all()
    assert counted(mia) == 3
    room = school.classes["sunfish"]
    lessons.set_home_play(None, room, HomePlay(AFTERNOON, True))
    evidence_log.count_waiting()
    assert counted(mia) == 8
    shown(mia, 2)
    assert counted(mia) == 10
    count_all()
    assert counted(mia) == 10
    lessons.set_home_play(None, room, HomePlay(AFTERNOON, False))
    evidence_log.count_waiting()
    assert counted(mia) == 3
    assert not db.session.scalars(select(Recount)).all()
    assert not [child for child, differed in evidence_log.recount() if differed]


def test_only_children_who_played_at_home_are_counted_again(school: World, mia: int) -> None:
    shown(mia, 1)
    shown(school.children["Benquill"], 1, at_home=False)
    lessons.set_home_play(None, school.classes["sunfish"], HomePlay(AFTERNOON, True))
    lessons.set_home_play(None, school.classes["sunfish"], HomePlay(AFTERNOON, False))
    assert list(db.session.scalars(select(Recount.child_id))) == [mia]


def test_a_child_who_changes_class_is_counted_as_the_new_class_does(
    school: World, mia: int
) -> None:
    shown(mia, 4)
    count_all()
    assert counted(mia) == 0
    lessons.set_home_play(None, school.classes["perch"], HomePlay(AFTERNOON, True))
    child_moves.move(mia, school.classes["perch"])
    evidence_log.count_waiting()
    assert counted(mia) == 4


def test_the_rounds_of_home_are_on_the_childs_page_apart(school: World, mia: int) -> None:
    before = overview.child_page(mia)
    play_out(mia)
    shown(mia, 3, right=True, source="question")
    shown(mia, 1, right=False, source="question")
    page = overview.child_page(mia)
    assert page.ever.rounds == before.ever.rounds
    assert page.home is not None
    assert (page.home.right, page.home.answers, page.home.counts) == (3, 4, False)
    assert [line.at_home for line in page.rounds if line.over] == [True]
    assert overview.week_of(mia).rounds == before.week.rounds


def test_counted_rounds_of_home_are_in_the_classs_totals(school: World, mia: int) -> None:
    room, lake = school.classes["sunfish"], school.adults["lake"]

    def today() -> tuple[int, ...]:
        of_classes = (one.rounds_today for one in overview.classes_of(lake))
        return overview.child_page(mia).today.rounds, *of_classes

    lessons_only = today()
    play_out(mia)
    assert today() == lessons_only
    lessons.set_home_play(None, room, HomePlay(AFTERNOON, True))
    assert sum(today()) == sum(lessons_only) + 2, "once for the child and once for its class"
    assert overview.child_page(mia).home.counts  # type: ignore[union-attr]


def test_every_answer_says_where_it_was_given(school: World, mia: int) -> None:
    shown(mia, 2)
    shown(mia, 1, at_home=False)
    places = [one.at_home for _, one in skill_reports.answers([mia])]
    assert sorted(places) == [False, True, True]


def test_whether_home_counts_is_asked_of_the_childs_own_class(school: World, mia: int) -> None:
    lessons.set_home_play(None, school.classes["perch"], HomePlay(AFTERNOON, True))
    assert choices.counts_at_home(school.children["Adaquist"])
    assert not choices.counts_at_home(mia)
