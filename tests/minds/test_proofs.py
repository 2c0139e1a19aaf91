"""A bound carries the events that prove it: these events alone imply the same bound.

The checker gets the events of the proof and no other asks or answers. It also sees cards move; but
if a proof is about one seat and class only ("Owl asked for sevens and was given two"), it sees only
how many other cards moved, and not their classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from classroom.engine import events as ev, observe
from classroom.engine.observation import Observation, Seen
from classroom.games import GAMES
from classroom.minds.memory.by_class import ClassLedger, CountMemory, Sheet
from classroom.minds.memory.known_facts import Reader
from classroom.minds.memory.perfect_memory import Memory, certain_catches, remember
from tests.engine.tabletop import rules_of, steps

COUNTED = ["classic", "rank_pairs", "guru", "guru_ask_all", "wish_pairs", "colour_pairs"]
SAID = (ev.Asked, ev.SaidGoFish)


class Checker:
    """A checker that knows the events of one proof, and how many cards are where."""

    def __init__(self, observation: Observation, class_: str, proof: Sequence[Seen]) -> None:
        start = CountMemory.start(observation)
        self.class_ = class_
        self.others = set(range(len(start.kinds.names))) - {start.kinds.number[class_]}
        self.proof = set(map(id, proof))
        self.lucky = {seen.seq for seen in proof if isinstance(seen.event, ev.Lucky)}
        self.reader: Reader[ClassLedger[Sheet]] = Reader(
            start.kinds, start.viewer, ClassLedger(start.kinds, start.sheet.copy()), start.open
        )

    def strictly(self, history: Iterable[Seen]) -> Sheet:
        """The bounds if every moved card can be of any class, except in the proof, the deal and
        books."""
        for seen in history:
            if id(seen) in self.proof or isinstance(seen.event, (ev.LaidBook, ev.Dealt)):
                self.reader.take(seen)
            else:
                self._only_counted(seen)
        self.reader.end_move()
        return self.reader.ledger.counts

    def replayed(self, history: Iterable[Seen]) -> Sheet:
        """The bounds if no ask or answer counts, except those in the proof."""
        for seen in history:
            if id(seen) in self.proof or not isinstance(seen.event, SAID):
                self.reader.take(seen)
            elif isinstance(seen.event, ev.Asked):
                self._forget_ask()
        self.reader.end_move()
        return self.reader.ledger.counts

    def _forget_ask(self) -> None:
        self.reader.end_move()
        self.reader.ask = None

    def _only_counted(self, seen: Seen) -> None:
        reader, sheet = self.reader, self.reader.ledger.counts
        match seen.event:
            case ev.Asked():
                self._forget_ask()
            case ev.DealtCards(seat=seat, cards=cards) | ev.RefilledCards(seat=seat, cards=cards):
                reader.enter_draw(None)
                sheet.move_unknown(sheet.stock, seat, len(cards), None, seen)
            case ev.Drew(seat=seat):
                reader.enter_draw(None)
                sheet.move_unknown(sheet.stock, seat, 1, None, seen)
            case ev.Refilled(seat=seat, number=number) if seat != reader.viewer:
                reader.enter_draw(None)
                sheet.move_unknown(sheet.stock, seat, number, None, seen)
            case ev.Fished() if seen.seq in self.lucky:
                reader.take(seen)
            case ev.Fished(seat=seat) if seat != reader.viewer:
                reader.enter_draw(None)
                sheet.move_unknown(sheet.stock, seat, 1, None, seen)
            case ev.Gave(giver=giver, taker=taker, number=number, class_=class_):
                reader.enter_draw(None)
                classes = None if class_ == self.class_ else self.others
                sheet.move_unknown(giver, taker, number, classes, seen)


def about(seen: Seen, seat: int, class_: str) -> bool:
    """Whether an ask, a catch or a shown card was about this seat and class."""
    event = seen.event
    if not isinstance(event, (ev.Asked, ev.Gave, ev.Lucky)):
        return False
    seats = (getattr(event, "seat", None), getattr(event, "taker", None))
    return seat in seats and getattr(event, "class_", None) == class_


def proven(key: str, seats: int, seed: int) -> tuple[int, int]:
    """Check the proofs of one random round. Returns the numbers of lower and upper bounds."""
    viewer, memory, lows, highs = seed % seats, None, 0, 0
    for _, step in steps(rules_of(key), seats, seed):
        state = step.state
        if state.over:
            break
        observation = observe(state, viewer)
        memory = remember(observation, memory)
        assert isinstance(memory, CountMemory)
        if state.seq % 5:
            continue
        for seat in {*range(seats)} - {viewer}:
            for number, class_ in enumerate(memory.kinds.names):
                low, high = memory.bounds(seat, class_)
                cell = seat * memory.sheet.width + number
                where = (key, seats, seed, state.seq, seat, class_)
                if low:
                    proof = memory.proof(seat, class_)
                    checker = Checker(observation, class_, proof)
                    assert proof, where
                    plain = all(about(seen, seat, class_) for seen in proof)
                    replay = checker.strictly if plain else checker.replayed
                    assert replay(observation.history).low[cell] >= low, where
                    lows += 1
                if high == 0 and memory.settled.left[number]:
                    proof = memory.proof(seat, class_, high=True)
                    checker = Checker(observation, class_, proof)
                    assert checker.replayed(observation.history).high[cell] == 0, where
                    highs += 1
    return lows, highs


@pytest.mark.walk(6)
@pytest.mark.parametrize("key", COUNTED)
def test_the_events_of_a_proof_alone_imply_the_bound(key: str) -> None:
    rules = rules_of(key)
    sizes = sorted({rules.seats[0], min(3, rules.seats[1])})
    found = [proven(key, seats, seats) for seats in sizes]
    assert sum(lows for lows, _ in found) > 5
    assert sum(highs for _, highs in found) > 5


@pytest.mark.long
@pytest.mark.parametrize("key", COUNTED)
def test_the_events_of_a_proof_alone_imply_the_bound_in_many_rounds(key: str) -> None:
    most = min(rules_of(key).seats[1], 5)
    for seed in range(60):
        proven(key, 2 + seed % (most - 1), seed)


def test_a_certain_catch_is_proved_by_events_up_to_the_move_that_made_it_known() -> None:
    assert sum(dated("classic", 4, seed) for seed in range(6)) > 100


@pytest.mark.walk(4)
@pytest.mark.parametrize("key", GAMES)
def test_a_catch_was_certain_once_the_last_event_of_its_proof_had_happened(key: str) -> None:
    """This holds even if the catch follows from the numbers of cards alone, without an ask about
    it."""
    few, most = rules_of(key).seats
    assert dated(key, few, 1, every=4) + dated(key, min(5, most), 2, every=4) > 0


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_every_catch_of_many_rounds_is_dated_correctly(key: str) -> None:
    few, most = rules_of(key).seats
    for seed in range(24):
        dated(key, few + seed % (min(most, 5) - few + 1), seed)


def dated(key: str, seats: int, seed: int, every: int = 1) -> int:
    """Check since which move each catch was certain, in some positions of a round. Returns the
    number of catches."""
    known: dict[int, list[Memory]] = {seat: [] for seat in range(seats)}
    found = 0
    for _, step in steps(rules_of(key), seats, seed):
        for seat, memories in known.items():
            seen = observe(step.state, seat)
            memories.append(remember(seen, memories[-1] if memories else None))
        turn = step.state.turn
        if turn is None or step.state.phase != "ask" or step.state.seq % every:
            continue
        observation = observe(step.state, turn)
        for catch in certain_catches(observation, known[turn][-1]):
            found += 1
            numbers = [seen.seq for seen in catch.proof]
            assert numbers
            assert numbers == sorted(numbers)
            assert catch.since == max(numbers)
            assert set(catch.proof) <= set(observation.history)
            low, _ = known[turn][catch.since].bounds(catch.target, catch.class_)
            assert low >= 1, (key, seats, seed, step.state.seq, catch)
    return found
