"""The list of what a child was told: each way of telling puts its facts on it, and nothing else
does."""

from __future__ import annotations

import pytest

from classroom.engine.observation import Observation
from classroom.minds.board import SUPPORTS, AlreadyKnown, Support, Telling, already_known
from classroom.minds.playing.forgetting import Fading, Mind, thoughts
from tests.minds.test_judge import ask, later, view

FORGETS_NOTHING = Fading(span=None, decay=0.0, blur=0.0)
SEVEN = (1, "7")  # seat 1 asked for sevens, in moves 1 and 5
THREE = (2, "3")  # seat 2 asked for threes, in moves 2 and 6


def seen(
    *tellings: Telling, support: Support = "peek", minds: dict[int, Mind] | None = None
) -> AlreadyKnown:
    return already_known(view(later()), support, minds or {}, tellings)


def door(found: AlreadyKnown, move: int, held: tuple[int, str]) -> str | None:
    return found.door((move,), (held,))


def test_an_ask_is_no_telling_of_itself() -> None:
    for support in ("peek", "off"):
        found = seen(support=support)  # type: ignore[arg-type]
        assert not any(door(found, move, SEVEN) for move in range(1, 7))
        assert not found.nobody("K")


@pytest.mark.parametrize("support", ["open", "fading"])
def test_the_line_tells_everything_because_asks_stay_there_while_others_move(
    support: Support,
) -> None:
    found = seen(support=support)
    assert {door(found, move, SEVEN) for move in range(1, 7)} == {support}
    assert found.nobody("K")


def test_a_look_at_the_board_tells_all_that_was_asked_until_then() -> None:
    found = seen(Telling(door="peek", upto=2))
    assert (door(found, 1, SEVEN), door(found, 2, THREE)) == ("peek", "peek")
    assert door(found, 3, (3, "4")) is None
    assert door(found, 5, SEVEN) == "peek"  # the same seat asked for the same again
    assert found.nobody("K")


def test_a_look_before_the_first_ask_tells_nothing() -> None:
    found = seen(Telling(door="peek", upto=0))
    assert door(found, 1, SEVEN) is None
    assert not found.nobody("K")
    assert seen(Telling(door="peek", upto=1)).nobody("K")


def test_a_thought_aloud_tells_the_ask_it_is_about_and_no_other() -> None:
    """With some seeds, seat 2 thinks aloud about an ask of seat 1 before its own second ask."""
    observation, heard = view(later()), 0
    for seed in range(200):
        minds = {2: Mind(FORGETS_NOTHING, seed)}
        about = {(thought.asker, thought.class_) for thought in thoughts(observation, minds)}
        found = seen(minds=minds)
        assert (door(found, 1, SEVEN) == "aloud") == (SEVEN in about)
        assert (door(found, 2, THREE) == "aloud") == (THREE in about)
        heard += SEVEN in about
    assert heard > 5


def test_a_hint_tells_the_moves_it_shows_and_the_ask_it_names() -> None:
    by_moves = seen(Telling(door="hint", upto=4, moves=frozenset({1})))
    by_name = seen(Telling(door="hint", upto=4, asks=frozenset({SEVEN})))
    for found in (by_moves, by_name):
        assert door(found, 5, SEVEN) == "hint"
        assert door(found, 2, THREE) is None
        assert not found.nobody("K")


def test_a_question_tells_who_has_asked_for_its_class_until_then() -> None:
    found = seen(Telling(door="question", upto=4, classes=frozenset({"7", "K"})))
    assert door(found, 1, SEVEN) == "question"
    assert door(found, 2, THREE) is None
    assert found.nobody("K")
    assert not found.nobody("Q")


def test_who_asks_for_it_for_the_first_time_after_a_question_was_not_told() -> None:
    found = seen(Telling(door="question", upto=1, classes=frozenset({"3"})))
    assert door(found, 2, THREE) is None


def test_what_happened_while_the_child_was_away_was_missed_but_not_told() -> None:
    found = seen(Telling(door="away", since=1, upto=3))
    assert [door(found, move, (0, "K")) for move in range(1, 6)] == [
        None,
        "away",
        "away",
        None,
        None,
    ]
    assert door(found, 6, THREE) is None  # seat 2 asks again, and the child is there


@pytest.mark.parametrize("support", SUPPORTS)
def test_absence_comes_first(support: Support) -> None:
    found = seen(
        Telling(door="away", since=0, upto=3), Telling(door="peek", upto=3), support=support
    )
    assert door(found, 2, THREE) == "away"


def test_a_fact_that_follows_from_several_moves_is_closed_by_any_of_them() -> None:
    found = seen(Telling(door="hint", upto=4, moves=frozenset({2})))
    assert found.door((1, 2), (SEVEN,)) == "hint"
    assert found.door((1, 4), (SEVEN,)) is None


def test_the_list_grows_with_the_round() -> None:
    """When the round goes on, the list still holds everything that was told before."""
    early, late = view(later()), view(ask(later(), 2, "4"))
    looked = (Telling(door="peek", upto=3),)
    for observation in (early, late):
        assert isinstance(observation, Observation)
        assert already_known(observation, "peek", {}, looked).door((3,), ()) == "peek"
