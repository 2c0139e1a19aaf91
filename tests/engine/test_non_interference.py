"""Hidden cards change nothing: two rounds that differ only in cards a viewer has not seen look the
same to that viewer, byte for byte (docs/rules.md A9).

As long as two rounds agree in what the viewer knows, every view and every legal list must agree.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from classroom.engine import observe
from classroom.engine.actions import Ask, Bait
from classroom.engine.events import Event
from classroom.engine.observation import WATCHER, Viewer, may_see
from classroom.engine.record import observation_to_json
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.games import GAMES
from tests.engine.tabletop import (
    LONG,
    LOW_TIDES,
    dealt,
    do,
    names,
    rules_of,
    seats_of,
    steps,
    table,
)
from tests.engine.twins import Move, knowledge, other_round, random_round

MIXES: dict[str, Rules] = {
    **{key: game.rules for key, game in GAMES.items()},
    **{key: LOW_TIDES[key] for key in ("classic_low_tide", "make_ten_low_tide")},
    "how_many_from_hands_kept": rules_of(
        "guru_how_many",
        response="challenge_optional",
        miss="draw_asked_hand",
        lucky="again_may_show",
    ),
    "wild_old_fish": rules_of("old_fish", deck_joker="wild"),
    "threes_face_down_by_choice": rules_of(
        "guru_threes", visibility_books="face_down", book_layoff="choice"
    ),
    "classic_by_choice": rules_of("rank_pairs", book_lay="choice", visibility_books="face_down"),
    "fours_face_down": rules_of("fours", visibility_books="face_down", end_declare=False),
    "baited_classic": rules_of("classic", ask_bait="asked", lucky="again_may_show"),
    "lost_classic": rules_of("classic", deck_lost=3, end=["all_booked", "stock_out"]),
}


def _compared(rounds: list[tuple[list[State], list[Move]]], viewer: int | Viewer) -> int:
    """Check that the views agree as long as the knowledge does. Returns for how many moves it
    did."""
    number = min(len(states) for states, _ in rounds)
    (states, _), (others, _) = rounds
    known, other = (knowledge(s[:number], m[: number - 1], viewer) for s, m in rounds)
    same = -1
    for i, (mine, yours) in enumerate(zip(known, other, strict=True)):
        if mine != yours:
            break
        assert observe(states[i], viewer) == observe(others[i], viewer)
        same = i
    if same >= 0:
        views = [observe(row[same], viewer) for row in (states, others)]
        one, two = (json.dumps(observation_to_json(view)) for view in views)
        assert one == two
    return same


@pytest.mark.walk(12)
@pytest.mark.parametrize("key", MIXES)
def test_what_a_viewer_has_not_seen_changes_nothing_in_its_view(key: str) -> None:
    rules = MIXES[key]
    rng = random.Random(key)
    tried = agreed = 0
    sizes = seats_of(rules, 4)
    for seed in range(4 * LONG):
        seats = sizes[seed % len(sizes)]
        deck, states, moves = random_round(rules, seats, seed)
        for viewer in (*range(seats), WATCHER):
            own = states[0].cards(viewer) if isinstance(viewer, int) else frozenset()
            hidden = [card for card in deck if card not in own]
            for _ in range(4):
                pair = tuple(rng.sample(hidden, 2))
                other = other_round(states[0], deck, moves, pair)
                agreed += _compared([(states, moves), other], viewer)
                tried += 1
    assert agreed / tried > 0.5, "the swaps are told too early to prove anything"


PRIVATE: dict[str, tuple[str, ...]] = {
    "classic_face_down": ("DealtCards", "Drew", "RefilledCards", "LaidFaceDownCards", "GaveCards"),
    "guru_how_many": ("GaveCards", "Drew"),
    "how_many_from_hands_kept": ("Picked", "ReplacedCard"),
    "fours": ("SawBait", "GaveCards"),
    "fours_wild": ("SawBait", "GaveCards", "Drew"),
    "old_fish": ("GaveCards", "RefilledCards"),
    "make_ten": ("GaveCards", "RefilledCards"),
    "wish_pairs": ("Drew", "RefilledCards"),
    "baited_classic": ("SawBait",),
}
"""The events that only some seats see, in games where they are sure to occur."""


def _occurrences(
    rules: Rules, kind: str
) -> Iterator[tuple[tuple[list[str], list[State], list[Move]], int, Event]]:
    sizes = seats_of(rules, 4)
    for seed in range(40):
        round_ = random_round(rules, sizes[seed % len(sizes)], seed)
        for page in round_[1][-1].log:
            for event in page.events:
                if type(event).__name__ == kind:
                    yield round_, page.seq, event


def _survives(round_: tuple[list[str], list[State], list[Move]], seq: int, event: Event) -> bool:
    """Whether some card of the event can be swapped without any change for a viewer who did not see
    the event."""
    deck, states, moves = round_
    viewers = [v for v in (*range(states[0].seats), WATCHER) if not may_see(event, v)]
    cards = getattr(event, "cards", None) or (event.card,)  # type: ignore[attr-defined]
    rng = random.Random(seq)
    for viewer in viewers[:2]:
        for _ in range(12):
            pair = (rng.choice(cards), rng.choice(deck))
            other = other_round(states[0], deck, moves[:seq], pair)
            if pair[0] != pair[1] and len(other[0]) == seq + 1:
                mine = (states[: seq + 1], moves[:seq])
                if _compared([mine, other], viewer) == seq:
                    return True
    return False


@pytest.mark.walk(4)
@pytest.mark.parametrize(("key", "kind"), [(key, kind) for key in PRIVATE for kind in PRIVATE[key]])
def test_what_an_event_hides_from_a_viewer_is_really_hidden(key: str, kind: str) -> None:
    """Swapping the cards of a private event makes no difference for those who did not see it."""
    found = 0
    for round_, seq, event in _occurrences(MIXES[key], kind):
        found += _survives(round_, seq, event)
        if found == 3:
            return
    raise AssertionError(f"{kind} was put to the proof {found} times only")


@pytest.mark.parametrize("stock", ["", "stock BH4 YC3 GC1"])
def test_new_bait_from_the_boat_or_the_stock_is_hidden(stock: str) -> None:
    """Two tables that differ in the boat and the stock both refill seat 1 when its turn comes."""
    text = f"> RS1 RS4 YC1 \n . / boat RS2 RS3 GT1 GT2 BH2 BH3 \n . BH1 \n {stock}"
    other = text.replace("GT1", "GH1").replace("BH2", "BS2").replace("YC3", "YH3")
    bait = () if stock else (Bait(1, ("RS2", "GT1", "BH2", "GT2", "BH3")),)
    changed = tuple(Bait(1, ("RS2", "GH1", "BS2", "GT2", "BH3")) for _ in bait)
    one = do(table("fours", text), Ask(2, "YC.", "YC1"), *bait)
    two = do(table("fours", other), Ask(2, "YC.", "YC1"), *changed)
    assert {"Baited", "Refilled"} & set(names(one))
    for viewer in (2, WATCHER) if stock else (0, 2, WATCHER):
        assert observe(one.state, viewer) == observe(two.state, viewer)
    assert observe(one.state, 1) != observe(two.state, 1)


def test_only_a_seat_that_asks_all_sees_who_gave_which_card() -> None:
    rounds: list[tuple[list[State], list[Move]]] = []
    for first, then in (("8H", "8C"), ("8C", "8H")):
        before = dealt(MIXES["guru_ask_all"], 4, "8S", first, then, dealer=3).state
        ask = Ask("all", "8")
        rounds.append(([before, do(before, ask).state], [(ask, ())]))
    one, other = (observe(states[-1], 0) for states, _ in rounds)
    assert one.hand == other.hand
    assert one != other
    assert _compared(rounds, 0) == 0
    assert _compared(rounds, 3) == _compared(rounds, WATCHER) == 1


@pytest.mark.walk(5)
@pytest.mark.parametrize("key", MIXES)
def test_S27_cards_in_events_and_views_are_in_the_order_of_the_deck(key: str) -> None:
    rules = MIXES[key]
    for _, step in steps(rules, seats_of(rules)[0], 3):
        in_order = step.state.setup.deck.sorted
        for event in step.events:
            cards = getattr(event, "cards", ())
            assert tuple(cards) == in_order(cards), event
        view = observe(step.state, 0)
        assert (view.hand, view.boat) == (in_order(view.hand), in_order(view.boat))
