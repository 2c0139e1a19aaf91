"""Families: codes, accounts of parents, and settings that a child's rounds obey."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.games.variants import DECKS, deck_rules
from classroom.models import (
    Adult,
    AuditEntry,
    ChildRound,
    FamilyCode,
    FamilyLink,
    Match,
    Player,
    PlaySettings,
)
from classroom.services.access import sign_in
from classroom.services.base import budgets, clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import lessons
from classroom.services.lesson.lessons import Times
from classroom.services.quiz import question_settings
from classroom.services.school import family_links
from classroom.services.table import choices, matches, rounds, stand_ins
from tests.playing import family_chooses
from tests.world import PASSWORD, World

NOW = 1_790_000_000.0


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context():
        yield world
        db.session.rollback()


def register(code: str, **other: str) -> int:
    typed = {"name": "Mr Olsen", "login": "Olsen ", "password": PASSWORD} | other
    return family_links.register(code, **typed)


def refused(call: object, *values: object, **more: object) -> str:
    with pytest.raises(Refused) as found:
        call(*values, **more)  # type: ignore[operator]
    return found.value.code


# ---- codes


def test_a_code_links_a_new_parent_to_its_child_and_to_no_other(school: World) -> None:
    code = family_links.make_code(school.children["Benquill"], by=school.adults["lake"])
    parent = register(code)
    assert [child.name for child in family_links.children_of(parent)] == ["Benquill"]
    row = db.session.get_one(Adult, parent)
    assert (row.role, row.login, row.name) == ("parent", "olsen", "Mr Olsen")
    assert sign_in.adult("OLSEN", PASSWORD, "d" * 32)


def test_a_code_can_be_typed_in_any_case_and_grouping(school: World) -> None:
    code = family_links.make_code(school.children["Benquill"])
    assert register(" " + code.lower().replace("-", " "))


def test_a_code_works_once(school: World) -> None:
    code = family_links.make_code(school.children["Benquill"])
    register(code)
    assert refused(register, code, login="second") == "code_used"
    assert refused(family_links.link, school.adults["reed"], code) == "code_used"


def test_a_code_expires_after_fourteen_days(school: World) -> None:
    with clock.clock_at(NOW):
        code = family_links.make_code(school.children["Benquill"])
    with clock.clock_at(NOW + 14 * 86_400):
        assert refused(register, code) == "code_ended"
    with clock.clock_at(NOW + 14 * 86_400 - 1):
        assert register(code)


def test_the_database_does_not_hold_the_code(school: World) -> None:
    code = family_links.make_code(school.children["Benquill"])
    row = db.session.scalars(select(FamilyCode)).one()
    assert code.replace("-", "") not in row.code_hash
    assert len(code.replace("-", "")) == 12


def test_a_device_that_guesses_codes_has_to_wait(school: World) -> None:
    code = family_links.make_code(school.children["Benquill"])
    for _ in range(budgets.CODE_TRIES):
        assert refused(register, "AAAA-BBBB-CCCC", device="d" * 32) == "code_unknown"
    assert refused(register, code, device="d" * 32) == "code_wait"
    assert refused(family_links.link, school.adults["reed"], code, "d" * 32) == "code_wait"
    assert register(code, device="e" * 32)


def test_a_wrong_code_reveals_nothing_about_logins(school: World) -> None:
    assert refused(register, "AAAA-BBBB-CCCC", login="lake") == "code_unknown"


# ---- accounts


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("name", "", "adult_name"),
        ("name", "x" * 61, "adult_name"),
        ("login", "ab", "login"),
        ("login", "l" * 81, "login"),
        ("login", "LAKE", "login_taken"),
        ("login", "l\u0430ke", "login_taken"),  # an a of another alphabet
        ("login", "la\u200bke", "login_taken"),
        ("password", "short", "password_short"),
        ("password", "aaaaaaaaaaaaaaaaaaaa", "password_easy"),
        ("password", "x" * 257, "password_long"),
    ],
)
def test_a_mistake_in_the_form_does_not_use_up_the_code(
    school: World, field: str, value: str, code: str
) -> None:
    family = family_links.make_code(school.children["Benquill"])
    assert refused(register, family, **{field: value}) == code
    assert register(family)


def test_a_second_child_is_linked_by_a_second_code(school: World) -> None:
    reed = school.adults["reed"]
    family_links.link(reed, family_links.make_code(school.children["Benquill"]))
    assert [child.name for child in family_links.children_of(reed)] == ["Benquill", "Miaqua"]


def test_a_child_who_is_already_linked_does_not_use_up_the_code(school: World) -> None:
    code = family_links.make_code(school.children["Miaqua"])
    assert refused(family_links.link, school.adults["reed"], code) == "already_linked"
    assert register(code)


def test_a_code_of_another_school_is_unknown_here(school: World) -> None:
    code = family_links.make_code(school.children["Zedquorn"])
    assert refused(family_links.link, school.adults["reed"], code) == "code_unknown"
    assert len(db.session.scalars(select(FamilyLink)).all()) == 3


def test_no_code_is_made_for_an_unknown_child(school: World) -> None:
    with pytest.raises(NotFound):
        family_links.make_code(987_654)
    assert db.session.scalars(select(FamilyCode)).all() == []


# ---- settings


def test_a_child_starts_with_the_default_settings(school: World) -> None:
    found = family_links.settings(school.children["Benquill"])
    assert (found.opponents, found.level, found.deck) == (2, "minnow", "short")
    assert found.board == "peek"
    assert found.hints
    assert found.minutes_a_day is None


def test_a_choice_of_questions_leaves_the_defaults_of_play_as_they_were(school: World) -> None:
    mia = school.children["Miaqua"]
    page, match = family_links.settings(mia), matches.settings_for(mia)
    question_settings.write(
        school.adults["reed"], "family", mia, question_settings.QuestionChoice()
    )
    assert family_links.settings(mia) == page
    assert (
        matches.settings_for(mia) == match == PlaySettings(opponents=2, deck="short", pace="calm")
    )


@pytest.mark.parametrize(
    ("opponents", "level", "deck", "board", "minutes", "code"),
    [
        (-1, "perch", "short", "open", None, "opponents"),
        (4, "perch", "short", "open", None, "opponents"),
        (2, "whale", "short", "open", None, "level"),
        (2, "perch", "huge", "open", None, "deck"),
        (2, "perch", "short", "shut", None, "board"),
        (2, "perch", "short", "open", 0, "minutes_a_day"),
        (2, "perch", "short", "open", 21, "minutes_a_day"),
    ],
)
def test_only_offered_choices_can_be_set(
    school: World,
    opponents: int,
    level: str,
    deck: str,
    board: str,
    minutes: int | None,
    code: str,
) -> None:
    mia = school.children["Miaqua"]
    given = (school.adults["reed"], mia, opponents, level, deck, board, True, minutes)
    assert refused(family_chooses, *given) == code
    assert "family" not in {level.whose for level in choices.of_child(mia).made}


def test_the_next_round_obeys_and_the_running_one_does_not_change(school: World) -> None:
    mia = school.children["Miaqua"]
    running = school.rounds["Miaqua"]
    before = rounds.table(running, 0)
    family_chooses(school.adults["reed"], mia, 3, "pike", "small", "peek", False, None)
    after = rounds.table(running, 0)
    assert (after.players, after.observation) == (before.players, before.observation)
    fresh = matches.start_match(mia)
    seats = db.session.scalars(
        select(Player).join(Match).where(Match.id == rounds.table(fresh, 0).match_id)
    ).all()
    assert [seat.level for seat in seats if seat.child_id is None] == ["pike"] * 3
    mine = next(seat for seat in seats if seat.child_id == mia)
    assert mine.board == "peek"
    assert not mine.hints
    rules = rounds.table(fresh, 0).observation.rules
    assert rules == deck_rules(GAMES["classic"], 4, "small")


def limit(school: World, minutes: int | None) -> None:
    """Let Miaqua's parent limit the minutes of a day, and keep the other settings."""
    reed, mia = school.adults["reed"], school.children["Miaqua"]
    family_chooses(reed, mia, 2, "minnow", "short", "open", True, minutes)


@pytest.mark.parametrize(
    ("family", "class_", "played", "over"),
    [
        (10, None, 10, True),
        (10, None, 9.9, False),
        (None, None, 500, False),
        (10, 30, 10, True),
        (45, 30, 30, True),
        (45, 30, 29, False),
        (None, 30, 30, True),
    ],
)
def test_the_smaller_limit_of_family_and_class_ends_the_time(
    school: World, family: int | None, class_: int | None, played: float, over: bool
) -> None:
    mia, lake = school.children["Miaqua"], school.adults["lake"]
    mine = select(ChildRound).where(ChildRound.child_id == mia)
    with write_unit():
        row = db.session.scalars(mine).one()
        row.seconds, row.day = 60 * played, clock.day()  # the school may be of yesterday
    lessons.set_times(school.classes["sunfish"], Times(minutes_a_day=class_), lake)
    limit(school, family)
    assert stand_ins.time_is_up(mia) == over


def test_a_new_limit_of_minutes_ends_a_running_round_at_once(school: World) -> None:
    """Other settings wait for the next round. The open page is told, and goes on if the limit is
    raised."""
    mia, running = school.children["Miaqua"], school.rounds["Miaqua"]
    mine = select(ChildRound).where(ChildRound.child_id == mia)
    with write_unit():
        row = db.session.scalars(mine).one()
        row.seconds, row.day = 660.0, clock.day()
    before = rounds.table(running, 0).around
    assert before.paused is None
    limit(school, 10)
    after = rounds.table(running, 0).around
    assert (after.paused, after.changes) == ("time_over", before.changes + 1)
    limit(school, 20)
    assert rounds.table(running, 0).around.paused is None


def test_changing_settings_is_on_record(school: World) -> None:
    reed, mia = school.adults["reed"], school.children["Miaqua"]
    family_chooses(reed, mia, 1, "perch", "full", "off", False, 20)
    found = family_links.settings(mia)
    assert (found.opponents, found.level, found.deck) == (1, "perch", "full")
    assert (found.board, found.hints, found.minutes_a_day) == ("off", False, 20)
    row = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert row is not None
    assert (row.adult_id, row.action, row.thing_id) == (reed, "settings", mia)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_deck_size_is_a_deck_that_can_be_dealt(game: str, seats: int) -> None:
    sizes = [len(deck_rules(GAMES[game], seats, deck).deck_ranks) for deck in DECKS]
    assert sizes == sorted(sizes)
    assert sizes[0] * 4 > seats * 4
    assert sizes[1] * 4 > seats * (7 if seats == 2 else 5)
