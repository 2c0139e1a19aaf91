"""How the strongest level weighs uncertain asks, including what an ask gives away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classroom.engine.actions import Ask
from classroom.engine.observation import Observation, observe
from classroom.engine.round import apply
from classroom.minds.playing.tactics import (
    DEEP_POND,
    LOW_POND,
    chance_missed,
    even_spread_will_do,
    plays_on,
    worth,
)
from classroom.minds.playing.weighing import Prospect
from tests.engine.tabletop import dealt, rules_of

HANDS = ("2C 2D 2H", "7C 8C 9C", "3C 3D 5C", "7H 4C 4D")
FIRST = [(2, "7"), (0, "3")]  # seats 1 and 2 ask in vain; seat 3, which has a seven too, is next


def view_after(*asks: tuple[int, str], key: str = "classic") -> Observation:
    """What seat 0 sees after these asks, the first of them by seat 1, without a lucky card."""
    rules = rules_of(key, deal={"default": 3})
    state = dealt(rules, 4, *HANDS, top="KH QD JC TS AH KD").state
    for target, class_ in asks:
        state = apply(state, Ask(target, class_)).state
    return observe(state, 0)


def prospect(chance: float, books: bool = False, known: bool = False) -> Prospect:
    return Prospect(
        ask=Ask(1, "2"),
        chance=chance,
        expected=chance,
        sure=0,
        own=3 if books else 1,
        books=books,
        known=known,
    )


@pytest.mark.parametrize(
    ("ask", "missed"),
    [((0, "4"), False), ((1, "7"), False), ((0, "7"), True)],
    ids=["a seat that nobody knows to have one", "the cards are taken", "asked of another seat"],
)
def test_a_catch_counts_as_missed_if_all_had_heard_of_it(
    ask: tuple[int, str], missed: bool
) -> None:
    assert chance_missed(view_after(*FIRST, ask)) == missed


def test_a_seat_that_asks_for_something_new_misses_nothing_if_only_it_has_asked_before() -> None:
    assert not chance_missed(view_after((2, "7"), (0, "3"), (0, "4"), (1, "2"), (2, "8")))


def test_among_listeners_a_new_class_is_asked_for_first_and_a_likely_book_before_it() -> None:
    value = worth(view_after(*FIRST))
    assert value(prospect(0.2)) > value(prospect(0.2, known=True))
    # The others would hear of a catch, and take the card away.
    assert value(prospect(0.1)) > value(prospect(0.4))
    assert value(prospect(0.4, books=True, known=True)) > value(prospect(0.1))
    assert value(prospect(0.1, known=True)) > value(prospect(0.0))  # never a hopeless ask


def test_while_the_last_cards_are_fished_the_chance_to_keep_the_turn_counts_most() -> None:
    value = worth(replace(view_after(*FIRST), stock_size=LOW_POND))
    assert value(prospect(0.4, known=True)) > value(prospect(0.2))


def test_among_players_who_do_not_listen_the_best_chance_is_asked_for() -> None:
    value = worth(view_after(*FIRST, (0, "7")))
    assert value(prospect(0.4, known=True)) > value(prospect(0.2))


def test_where_a_round_may_end_early_a_catch_is_worth_its_chance_and_the_cards_held() -> None:
    value = worth(view_after(*FIRST, key="guru"))
    one = prospect(0.3, books=True)
    assert value(one) == one.worth()


def test_a_round_without_its_own_end_is_played_out_as_if_all_are_booked() -> None:
    seen = view_after(*FIRST)
    dead = replace(seen, rules=replace(seen.rules, end=()))
    for one in (prospect(0.2), prospect(0.4, known=True), prospect(0.0)):
        assert worth(dead)(one) == worth(seen)(one)
    assert even_spread_will_do(replace(dead, stock_size=DEEP_POND))


def test_imagined_worlds_are_used_where_they_tell_more() -> None:
    seen = view_after(*FIRST)
    assert even_spread_will_do(replace(seen, stock_size=DEEP_POND))
    assert not even_spread_will_do(replace(seen, stock_size=DEEP_POND - 1))
    assert not even_spread_will_do(view_after(*FIRST, (0, "7")))
    assert not even_spread_will_do(view_after(*FIRST, key="guru"))


def test_rounds_are_imagined_among_the_last_cards_if_a_seat_does_not_listen() -> None:
    unheeded = view_after(*FIRST, (0, "7"))
    assert plays_on(replace(unheeded, stock_size=LOW_POND))
    assert not plays_on(replace(unheeded, stock_size=LOW_POND + 1))
    assert not plays_on(replace(view_after(*FIRST), stock_size=LOW_POND))
    early_end = replace(unheeded.rules, end=("stock_out",))
    assert not plays_on(replace(unheeded, stock_size=LOW_POND, rules=early_end))
