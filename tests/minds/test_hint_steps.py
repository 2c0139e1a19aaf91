"""What each step of a hint holds, restated from docs/rules.md M3 and compared field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from classroom.engine import observe
from classroom.engine.actions import Ask, Claim, Lay, Name, Show, Target
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.minds.chances import chances
from classroom.minds.hints import EVIDENCE, LOOK, NARROW, SAY_AGAIN, SHOW, hint, shown_fact
from classroom.minds.memory.known_facts import kinds_of
from classroom.minds.memory.perfect_memory import Catch, certain_catches, plain_asks, remember
from tests import sample
from tests.web.test_table_view import played

GAMES = ("classic", "make_ten", "guru_exact_card")


@cache
def views(game: str, seats: int = 3, seed: int = 4) -> tuple[Observation, ...]:
    """What the player whose turn it is sees, at every position of a round."""
    return tuple(
        observe(state, state.turn) for state in played(game, seats, seed) if state.turn is not None
    )


def asking(game: str) -> Iterator[Observation]:
    for seen in views(game)[2::5]:
        if plain_asks(seen) and not any(isinstance(one, (Lay, Claim)) for one in seen.legal):
            yield seen


def best(catches: tuple[Catch, ...]) -> Catch | None:
    """A catch that completes a book, else any; of these the one with the shortest proof."""
    some = [one for one in catches if one.completes] or list(catches)
    short = [one for one in some if len(one.proof) == min(len(other.proof) for other in some)]
    return max(short, key=lambda c: (c.least, c.since, -c.target, [-ord(x) for x in c.class_]),
               default=None)  # fmt: skip


def allowing(rules: Rules, hand: Iterable[str], asked: str) -> set[str]:
    """The cards of a hand that allow an ask."""
    kinds = kinds_of(rules)
    if rules.ask_what == "card":
        return {card for card in hand if kinds.deck.class_of(card) == kinds.deck.class_of(asked)}
    partner = str(10 - int(asked)) if rules.book_kind == "sum" else asked
    return {card for card in hand if kinds.deck.class_of(card) == partner}


@pytest.mark.walk(6)
@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_every_step_is_as_it_should_be(game: str, whole: bool) -> None:
    certain = 0
    for seen in sample.part(asking(game), 2, whole):
        memory = remember(seen)
        catch = best(tuple(certain_catches(seen, memory)))
        odds = chances(seen, memory)
        again, look, evidence, narrow, show = (
            hint(seen, step) for step in (SAY_AGAIN, LOOK, EVIDENCE, NARROW, SHOW)
        )
        assert (again.kind, again.class_, again.cards, again.certain) == ("again", None, (), False)
        assert look.kind == "look_at_cards"
        assert (look.seat, look.chance, look.evidence, look.choices) == (None, None, (), ())
        ask = show.action
        assert isinstance(ask, Ask)
        if catch is None:
            top = max(odds.by_ask.values())
            assert odds.by_ask[ask.target, ask.class_] == top
            assert (evidence.kind, evidence.evidence) == ("most_likely", ())
            assert (evidence.chance, evidence.sample) == (top, odds.sample)
            assert evidence.seat == ask.target
        else:
            certain += 1
            assert ask == catch.ask
            assert evidence.evidence == tuple(sorted({one.seq for one in catch.proof}))
            assert (evidence.chance, evidence.sample) == (1.0, 0)
            assert evidence.seat == catch.target
            assert evidence.kind != "most_likely"
            assert evidence.told is not None or evidence.kind == "worked_out"
            assert shown_fact(seen, memory) == (catch.target, catch.class_, evidence.evidence)
        for one in (look, evidence, narrow, show):
            assert (one.class_, one.certain) == (ask.class_, catch is not None)
        for one in (look, evidence, show):
            assert set(one.cards) == allowing(seen.rules, seen.hand, ask.class_)
        assert [one.action for one in (again, look, evidence)] == [None] * 3
        assert (show.kind, show.seat, show.chance) == ("do", ask.target, evidence.chance)
        check_pair(seen, ask, odds.by_ask)
    assert certain


def check_pair(seen: Observation, ask: Ask, odds: dict[tuple[Target, str], float]) -> None:
    right, narrow = (ask.target, ask.class_), hint(seen, NARROW)
    others = {(one.target, one.class_) for one in plain_asks(seen)} - {right}
    if not others:
        assert (narrow.kind, narrow.action) == ("do", ask)
        return
    assert (narrow.kind, narrow.action) == ("one_of_two", None)
    (wrong,) = set(narrow.choices) - {right}
    assert odds[wrong] == min(odds[other] for other in others)
    assert narrow.seat == ask.target
    both = allowing(seen.rules, seen.hand, ask.class_) | allowing(seen.rules, seen.hand, wrong[1])
    assert set(narrow.cards) == both
    assert len(narrow.cards) == len(both)


def test_the_right_one_of_two_is_on_either_side() -> None:
    sides = [
        told.choices.index((show.action.target, show.action.class_))
        for seen in asking("classic")
        for told, show in [(hint(seen, NARROW), hint(seen, SHOW))]
        if isinstance(show.action, Ask) and told.choices
    ]
    assert set(sides) == {0, 1}


def test_a_step_beyond_the_ladder_is_the_nearest() -> None:
    seen = next(asking("classic"))
    assert hint(seen, -3) == hint(seen, 0) == hint(seen, SAY_AGAIN)
    assert hint(seen, 9) == hint(seen, SHOW)


def test_a_hint_about_a_number_names_it_beside_the_next_one() -> None:
    every = (*views("guru_how_many"), *views("guru_how_many", 2, 0))
    asked = [seen for seen in every if seen.phase == "name"]
    sures, greater = set(), 0
    for seen in asked:
        assert seen.pending is not None
        asker, ask = seen.pending
        again, look, evidence, narrow, show = (
            hint(seen, step) for step in (SAY_AGAIN, LOOK, EVIDENCE, NARROW, SHOW)
        )
        low = remember(seen).bounds(ask.target, ask.class_)[0] if ask.target != "all" else 0
        sure = bool(evidence.evidence)
        sures.add(sure)
        numbers = sorted(one.number for one in seen.legal if isinstance(one, Name))
        right = min(numbers, key=lambda number: abs(number - max(low, 1)))
        more = [n for n in numbers if n > right] or [n for n in numbers if n < right][:1]
        mine = {card for card in seen.hand if card[0] == ask.class_}
        assert (again.kind, again.seat, again.cards) == ("name", asker, ())
        for one in (look, evidence, narrow, show):
            assert (one.class_, set(one.cards)) == (ask.class_, mine)
        for one in (evidence, narrow, show):
            assert (one.seat, one.certain, one.chance) == (ask.target, sure, 1.0 if sure else None)
        assert (look.seat, look.certain, look.chance) == (None, False, None)
        assert narrow.numbers == tuple(sorted((right, more[0])))
        assert (show.kind, show.numbers, show.action) == ("do_name", (right,), Name(right))
        assert (evidence.numbers, narrow.action) == ((), None)
        fact = shown_fact(seen, remember(seen))
        assert fact == (ask.target, ask.class_, evidence.evidence)
        greater += right > numbers[0]
    assert sures == {True}  # whoever asks this holds one
    assert greater > 5


@pytest.mark.parametrize(
    ("game", "phase", "kind"),
    [("fours_wild", "show", "show"), ("fours_wild", "ask", "lay"), ("fours", "claim", "claim")],
)
def test_a_hint_in_another_phase_highlights_the_cards_in_question(
    game: str, phase: str, kind: str
) -> None:
    found = 0
    for seen in views(game):
        laying = any(isinstance(one, (Lay, Claim)) for one in seen.legal)
        if seen.phase != phase or (kind != "show" and not laying):
            continue
        again, look, evidence, narrow, show = (
            hint(seen, step) for step in (SAY_AGAIN, LOOK, EVIDENCE, NARROW, SHOW)
        )
        assert show.action in seen.legal
        if kind == "show" and laying:
            continue
        asker = seen.pending[0] if seen.pending else None
        wanted = (seen.drawn,) if kind == "show" else show.action.cards  # type: ignore[union-attr]
        assert (again.kind, again.cards, again.seat) == (kind, (), asker)
        assert look.kind == evidence.kind == kind
        assert narrow.kind == show.kind == f"do_{kind}"
        assert look.cards == evidence.cards == narrow.cards == show.cards == wanted
        assert [one.action for one in (again, look, evidence, narrow)] == [None] * 4
        if kind == "show" and any(isinstance(one, Show) and one.show for one in seen.legal):
            assert isinstance(show.action, Show)
            assert show.action.show
        if laying:
            assert shown_fact(seen, remember(seen)) is None
        found += 1
        if found > 6:
            break
    assert found
