"""What is suggested for tomorrow: each rule gives its line once there is enough evidence, and not
before."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from classroom.engine.checks import check
from classroom.games import GAMES
from classroom.learning.estimates import Share
from classroom.learning.levels import Evident, Level
from classroom.learning.report import Signal
from classroom.learning.skills import SKILLS, STRANDS, Strand
from classroom.learning.tomorrow import (
    GROUP,
    ChildTomorrow,
    Suggestion,
    focus_skills,
    game_for,
    sheet_numbers,
    small_group,
    tomorrow,
)


def level(
    strand: Strand = "adding", middle: float = 0.0, *, right: int = 9, n: int = 12, **how: Any
) -> Level:
    """A level that counts as known, unless changed: "partly", by 12 answers on three days."""
    facts: dict[str, Any] = {
        "strand": strand,
        "n": n,
        "middle": middle,
        "low": middle - 1.5,
        "high": middle + 1.5,
        "about": 4,
        "between": (2, 6),
        "evidence": (Evident("1-5", right, n),),
        "standing": "partly",
        "shown": True,
        "stale": False,
        "behind": False,
        "last_day": 20,
        "days": 3,
    }
    return Level(**facts | how)


def pupil(child: int, *levels: Level, band: str = "5-6", **how: Any) -> ChildTomorrow:
    facts: dict[str, Any] = {"answers": {}, **how}
    return ChildTomorrow(
        child=child, band=band, levels={one.strand: one for one in levels}, **facts
    )


def all_secure(child: int, **changed: Any) -> ChildTomorrow:
    """A child whom no rule names: known and secure in every strand."""
    levels = [level(strand, 3.0, standing="secure") for strand in STRANDS]
    return pupil(child, *levels, **changed)


def line(deed: str, pupils: list[ChildTomorrow], **how: Any) -> Suggestion | None:
    return next((one for one in tomorrow(pupils, **how) if one.deed == deed), None)


def test_a_class_without_answers_gets_no_lines() -> None:
    assert tomorrow([]) == ()
    assert tomorrow([pupil(1), pupil(2)]) == ()


def test_a_class_in_which_all_is_well_gets_no_lines() -> None:
    assert tomorrow([all_secure(child) for child in range(1, 9)]) == ()


def test_there_is_at_most_one_line_of_each_sort_in_a_fixed_order() -> None:
    behind = [level("counting", -4.0, behind=True, standing="start")]
    pupils = [pupil(child, *behind, level("adding", 0.1 * child)) for child in range(1, 7)]
    assert [one.deed for one in tomorrow(pupils)] == ["paper", "play", "focus"]


def test_the_order_of_the_children_changes_nothing() -> None:
    pupils = [
        pupil(1, level(middle=0.0)),
        pupil(2, level(middle=0.0)),
        pupil(3, level("counting", 0.0, behind=True)),
        pupil(4, level("adding", 0.9), level("counting", 0.0, behind=True)),
    ]
    assert len({tomorrow(some) for some in permutations(pupils)}) == 1


# ---- play


def test_children_at_about_the_same_level_play_the_game_of_that_strand() -> None:
    pupils = [pupil(7, level(middle=0.3, right=8)), pupil(4, level(middle=0.6)), all_secure(9)]
    found = line("play", pupils)
    assert found is not None
    assert (found.strand, found.game, found.numbers) == ("adding", "make_five", (0, 5))
    assert found.children == (7, 4)  # the lower level first
    assert (found.right, found.n, found.some, found.all) == (17, 24, 2, 3)


@pytest.mark.parametrize(
    "changed",
    [
        {"n": 7, "right": 5},  # fewer than eight recent answers
        {"days": 1},
        {"stale": True},
        {"standing": "secure"},  # it can do this already
        {"standing": "none"},
        {"behind": True},  # it gets a sheet
    ],
)
def test_no_child_is_seated_whose_evidence_does_not_carry_it(changed: dict[str, Any]) -> None:
    pupils = [pupil(1, level()), pupil(2, level(**changed))]
    assert line("play", pupils) is None
    assert line("play", [*pupils, pupil(3, level())]) is not None


def test_a_child_that_guesses_or_leans_on_help_is_not_seated_by_its_answers() -> None:
    guessing = (Signal("guessing"),)
    leaning = (Signal("leaning", "make_five"),)
    elsewhere = (Signal("leaning", "how_many"),)
    assert line("play", [pupil(1, level()), pupil(2, level(), signals=guessing)]) is None
    assert line("play", [pupil(1, level()), pupil(2, level(), signals=leaning)]) is None
    assert line("play", [pupil(1, level()), pupil(2, level(), signals=elsewhere)]) is not None


def test_children_a_range_apart_are_not_seated_together() -> None:
    assert line("play", [pupil(1, level(middle=0.0)), pupil(2, level(middle=1.1))]) is None
    assert line("play", [pupil(1, level(middle=0.0)), pupil(2, level(middle=1.0))]) is not None


def test_the_largest_group_plays_and_of_equal_ones_the_closest() -> None:
    middles = {1: -3.0, 2: -2.1, 3: 0.0, 4: 0.2, 5: 0.4, 6: 0.8, 7: 3.0, 8: 3.1}
    found = line("play", [pupil(child, level(middle=at)) for child, at in middles.items()])
    assert found is not None
    assert found.children == (3, 4, 5, 6)
    del middles[4], middles[5]
    found = line("play", [pupil(child, level(middle=at)) for child, at in middles.items()])
    assert found is not None
    assert found.children == (7, 8)


def test_no_table_is_larger_than_four() -> None:
    found = line("play", [pupil(child, level()) for child in range(1, 9)])
    assert found is not None
    assert found.children == (1, 2, 3, 4)


def test_remembering_seats_nobody() -> None:
    assert line("play", [pupil(1, level("recall")), pupil(2, level("recall"))]) is None


def test_make_ten_is_for_a_table_at_which_everybody_adds_to_five() -> None:
    assert game_for("adding", [level(about=9), level(about=4)]) == ("make_five", (0, 5))
    assert game_for("adding", [level(about=5), level(about=8)]) == ("make_ten", (0, 10))


@pytest.mark.parametrize("strand", ["adding", "counting", "comparing", "sorting"])
@pytest.mark.parametrize("seats", range(GROUP[0], GROUP[1] + 1))
def test_every_suggested_game_can_be_played_by_such_a_group(strand: Strand, seats: int) -> None:
    """Computer friends take the seats that a game needs beyond the group."""
    for about in (3, 9):
        game = GAMES[game_for(strand, [level(strand, about=about)])[0]]
        fewest, most = game.rules.seats
        assert seats <= most
        assert check(game.rules, max(seats, fewest)).lawful


# ---- paper


def test_children_who_are_behind_get_sheets_with_their_numbers() -> None:
    pupils = [
        pupil(1, level("counting", -3.0, about=2, behind=True, standing="start")),
        pupil(2, level("counting", -4.0, about=1, behind=True, standing="start")),
        all_secure(3),
    ]
    found = line("paper", pupils)
    assert found is not None
    assert (found.strand, found.children, found.numbers) == ("counting", (2, 1), (1, 4))
    assert (found.right, found.n, found.some, found.all) == (18, 24, 2, 3)


@pytest.mark.parametrize(
    "changed", [{"behind": False}, {"n": 7}, {"days": 1}, {"standing": "none"}, {"stale": True}]
)
def test_no_sheet_where_the_evidence_does_not_carry_it(changed: dict[str, Any]) -> None:
    assert line("paper", [pupil(1, level("counting", **{"behind": True, **changed}))]) is None


def test_every_child_at_the_start_is_named_in_the_line_of_its_strand() -> None:
    low = {"standing": "start"}
    pupils = [
        pupil(1, level("counting", -3.0, **low), level("adding", -3.0, **low)),
        pupil(2, level("adding", -3.5, behind=True, **low)),
        pupil(3, level("comparing", -3.0, **low)),
        pupil(4, level("sorting", -3.0, **low)),
        *(pupil(child, level("adding", -2.0, **low)) for child in range(5, 15)),
    ]
    found = [one for one in tomorrow(pupils) if one.why == "behind"]
    assert [(one.deed, one.strand, one.children) for one in found] == [
        ("paper", "counting", (1,)),
        ("paper", "adding", (2, 1, *range(5, 15))),
        ("things", "comparing", (3,)),
        ("things", "sorting", (4,)),
    ]


def test_remembering_has_no_line_of_help() -> None:
    assert tomorrow([pupil(1, level("recall", -3.0, standing="start"))]) == ()


def test_the_numbers_of_a_sheet_stay_within_what_is_taught() -> None:
    for about in range(41):
        low, high = sheet_numbers(about)
        assert low == max(1, high - 3)
        assert 4 <= high <= 20
        assert low <= max(1, about)


@pytest.mark.parametrize("changed", [{"days": 1}, {"n": 8, "right": 1}, {}])
def test_a_child_in_red_always_has_a_line(changed: dict[str, Any]) -> None:
    """Also if all its answers are of one day, or few of them are recent."""
    for strand in ("counting", "comparing", "adding", "sorting"):
        red = level(strand, -3.0, standing="start", **changed)
        assert [one.children for one in tomorrow([pupil(1, red)])] == [(1,)]
        assert tomorrow([pupil(1, replace(red, stale=True))]) == ()


# ---- an open board


def memory(right: int, n: int, late: tuple[int, int] = (0, 0), **how: Any) -> Level:
    evidence = (Evident("1-2", right, n), Evident(">10", *late))
    return level("recall", standing="open", evidence=evidence, **how)


CLASS: list[ChildTomorrow] = [pupil(child, memory(18, 20)) for child in range(1, 6)]


def test_a_child_that_takes_clearly_less_than_the_class_is_sent_to_an_open_board() -> None:
    found = line("open", [*CLASS, pupil(9, memory(4, 15))])
    assert found is not None
    assert (found.why, found.children, found.right, found.n) == ("less", (9,), 4, 15)
    assert (found.others, found.some, found.all) == (Share(90, 100), 1, 6)


@pytest.mark.parametrize(
    "level_",
    [
        memory(2, 9),  # few chances
        memory(10, 15),  # not surely less
        memory(4, 15, days=1),
        memory(4, 15, stale=True),
        memory(0, 0, late=(4, 15)),  # nobody else has met such old facts
    ],
)
def test_nobody_is_sent_there_without_being_sure(level_: Level) -> None:
    assert line("open", [*CLASS, pupil(9, level_)]) is None


def test_nobody_is_sent_there_while_hardly_anybody_else_has_played() -> None:
    assert line("open", [*CLASS[:2], pupil(9, memory(4, 15))]) is None
    assert line("open", [*CLASS[:3], pupil(9, memory(4, 15))]) is not None


def test_in_a_class_of_equal_children_nobody_is_sent_there() -> None:
    assert line("open", [pupil(child, memory(6, 20)) for child in range(1, 9)]) is None


# ---- focus


def test_nobody_is_asked_more_because_nobody_was_asked() -> None:
    secure = {"standing": "secure"}
    thin = level("comparing", n=3, right=2, shown=False, standing="none")
    pupils = [pupil(child, level("counting", **secure), thin) for child in range(1, 5)]
    assert tomorrow(pupils) == ()


def test_the_strand_that_most_have_only_begun_becomes_the_focus() -> None:
    def one(child: int, standing: str) -> ChildTomorrow:
        made = all_secure(child)
        begun = level("adding", -2.0, standing=standing, right=6)
        return replace(made, levels={**made.levels, "adding": begun})

    pupils = [one(1, "start"), one(2, "start"), one(3, "secure"), one(4, "secure")]
    found = line("focus", pupils)
    assert found is not None
    assert (found.strand, found.why, found.some, found.all) == ("adding", "begun", 2, 4)
    assert (found.right, found.n) == (24, 48)
    assert line("focus", [one(1, "start"), *pupils[2:]]) is None  # one of three is not half


def begun(child: int, *strands: Strand) -> ChildTomorrow:
    """A child at the start in these strands, and secure in the others."""
    made = all_secure(child)
    low = {strand: level(strand, -2.0, standing="start") for strand in strands}
    return replace(made, levels={**made.levels, **low})


def test_no_focus_before_half_of_the_class_has_answered_enough() -> None:
    three = [begun(child, "adding") for child in range(1, 4)]
    assert line("focus", [*three, *map(pupil, range(4, 8))]) is None
    assert line("focus", [*three, *map(pupil, range(4, 7))]) is not None


def test_a_focus_is_left_alone_until_half_of_the_class_is_known_in_its_strand() -> None:
    pupils = [begun(child, "adding") for child in range(1, 4)]
    first = line("focus", pupils)
    assert first is not None
    without = [
        replace(one, levels={key: v for key, v in one.levels.items() if key != "sorting"})
        for one in pupils
    ]
    sorting = focus_skills("sorting", pupils)
    assert line("focus", without, focus=sorting) is None
    assert line("focus", [pupils[0], pupils[1], without[2]], focus=sorting) is not None
    assert line("focus", pupils, focus=first.skills) is None  # it is the focus already


def test_what_may_not_be_asked_about_is_no_focus() -> None:
    pupils = [begun(child, "adding") for child in range(1, 4)]
    found = line("focus", pupils, allowed=["how_many", "make_five"])
    assert found is not None
    assert found.skills == ("make_five",)
    assert line("focus", pupils, allowed=["how_many"]) is None


def test_remembering_is_never_said_to_have_only_begun() -> None:
    def one(child: int) -> ChildTomorrow:
        made = all_secure(child)
        begun = level("recall", -2.0, standing="start")
        return replace(made, levels={**made.levels, "recall": begun})

    assert tomorrow([one(child) for child in range(1, 6)]) == ()


def test_the_focus_is_on_the_skills_with_the_fewest_answers_that_suit_the_age() -> None:
    adding = [key for key, one in SKILLS.items() if one.strand == "adding" and one.asked]
    answers = {key: n for n, key in enumerate(reversed(adding))}
    pupils = [pupil(1, answers=answers), pupil(2, answers=answers)]
    assert focus_skills("adding", pupils) == tuple(reversed(adding))[:3]
    assert focus_skills("adding", []) == tuple(adding[:3])
    young = focus_skills("adding", pupils, ["4-5"])
    assert young
    assert all(SKILLS[key].range_at("4-5") is not None for key in young)
    assert focus_skills("adding", pupils, allowed=["make_five"]) == ("make_five",)
    assert focus_skills("adding", pupils, allowed=["how_many"]) == ()


# ---- the teacher's small group


def three(**changed: Any) -> list[ChildTomorrow]:
    """Three children whom the teacher could take; the third one's level changed."""
    return [
        pupil(3, level(middle=0.4)),
        pupil(1, level(middle=0.0)),
        pupil(2, level(**{"middle": 0.2} | changed)),
    ]


def test_three_children_alike_are_a_small_group_lowest_first() -> None:
    found = small_group([*three(), all_secure(9)])
    assert found is not None
    assert (found.deed, found.children, found.day) == ("group", (1, 2, 3), None)
    assert (found.right, found.n, found.some, found.all) == (27, 36, 3, 4)
    assert (found.game, found.numbers, found.skills) == ("make_five", (0, 5), ("make_five",))


@pytest.mark.parametrize(
    "changed",
    [
        {"n": 7, "right": 5},  # fewer than eight recent answers
        {"days": 1},
        {"stale": True},
        {"standing": "secure"},
        {"standing": "none"},
        {"middle": 1.1},  # too far from the lowest
    ],
)
def test_nobody_is_in_a_small_group_whose_evidence_does_not_carry_it(
    changed: dict[str, Any],
) -> None:
    assert small_group(three(**changed)) is None


@pytest.mark.parametrize("signal", [Signal("guessing"), Signal("leaning", "make_five")])
def test_nobody_is_in_a_small_group_whose_answers_may_say_little(signal: Signal) -> None:
    first, *others = three()
    assert small_group([replace(first, signals=(signal,)), *others]) is None


def test_those_at_the_start_or_behind_come_first_then_the_closest_then_the_lowest() -> None:
    close = [pupil(child, level(middle=0.0)) for child in (1, 2, 3)]
    low = [pupil(child, level(middle=-3 - 0.1 * child)) for child in (4, 5, 6)]
    needing = replace(low[0], levels={"adding": level(middle=-3.4, standing="start")})

    def taken(*pupils: ChildTomorrow) -> tuple[int, ...]:
        found = small_group(pupils)
        return found.children if found else ()

    assert taken(*close, *low) == (1, 2, 3)
    assert set(taken(*close, needing, *low[1:])) == {4, 5, 6}
    lower = [pupil(child, level(middle=-2.0)) for child in (7, 8, 9)]
    assert taken(*close, *lower) == (7, 8, 9)


def test_the_cards_and_the_skill_follow_from_the_levels() -> None:
    def of(strand: Strand, about: int, **how: Any) -> tuple[object, ...]:
        found = small_group([pupil(one, level(strand, about=about), **how) for one in (1, 2, 3)])
        assert found is not None
        return found.game, found.numbers, found.skills[0]

    assert of("adding", 6) == ("make_ten", (0, 10), "make_ten")
    assert of("counting", 2) == ("classic", (1, 5), "subitizing")
    assert of("counting", 6) == ("classic", (1, 8), "how_many")
    assert of("counting", 19, band="7-9") == ("classic", (1, 10), "how_many")
    assert of("comparing", 4, band="4-5") == ("rank_pairs", (1, 6), "who_has_more")
    assert of("sorting", 4) == ("fours", None, "sorting")


def test_a_strand_that_may_not_be_asked_about_has_no_small_group() -> None:
    assert small_group(three(), {"how_many"}) is None
    found = small_group(three(), {"take_away"})
    assert found is not None
    assert found.skills == ("take_away",)


def test_a_group_that_a_teacher_chose_stays_while_two_are_left() -> None:
    chosen = [replace(one, chosen=("adding", 20)) for one in three(standing="secure")]
    others = [pupil(child, level("counting", -3.0, standing="start")) for child in (7, 8, 9)]
    found = small_group([*chosen, *others])
    assert found is not None
    assert (found.children, found.day, found.strand) == ((1, 2, 3), 20, "adding")
    found = small_group([*chosen[:2], *others])
    assert found is not None
    assert found.children == (1, 3)
    found = small_group([*chosen[:1], *others])
    assert found is not None
    assert (found.children, found.day) == ((7, 8, 9), None)


def test_who_is_in_the_small_group_needs_no_other_table() -> None:
    assert line("play", three(), busy=(1, 2)) is None
    assert line("play", three(), busy=(2,)) is not None
