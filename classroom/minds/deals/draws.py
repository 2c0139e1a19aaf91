"""The unseen draws of a round and what is known about them (the exact model of docs/rules.md A10).

Each draw whose card the viewer did not see is a slot: one place in the shuffled deck, taken by a
seat, set aside, or still in the stock. A deal that agrees with everything seen is a way to put the
unseen cards into the slots so that each `Rule` holds. All such ways are equally likely, as long as
what a seat chooses to ask for is not taken as a sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.class_ledger import ClassLedger
from classroom.minds.memory.counts import CountMemory
from classroom.minds.memory.deck_facts import Kinds
from classroom.minds.memory.reading import NOTHING_OPEN, Reader


@dataclass(frozen=True, slots=True)
class Rule:
    """Between `low` and `high` cards of the class are in these slots."""

    class_: int
    slots: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Apart:
    """Two sets of slots; at most one may have more than its `spare` cards of its class."""

    classes: tuple[int, int]
    slots: tuple[tuple[int, ...], tuple[int, ...]]
    spare: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Slots, what may be in them, and what their contents mean for the present hands.

    `rows`: the row of each slot (a seat, the stock or the lost cards). `allowed`: for each slot, a
    bit for each class it may hold. `pool`: how many unseen cards each class has. `known`: for each
    seat and class, how many cards do not depend on the slots; those in the slots
    `current[seat][class]` are added to them. `exact`: whether the model takes in everything seen.
    """

    kinds: Kinds
    seats: int
    viewer: int | None
    rows: tuple[int, ...]
    allowed: tuple[int, ...]
    pool: tuple[int, ...]
    rules: tuple[Rule, ...]
    apart: tuple[Apart, ...]
    known: tuple[tuple[int, ...], ...]
    current: tuple[tuple[tuple[int, ...], ...], ...]
    exact: bool

    @property
    def exact_pool(self) -> bool:
        """Whether there are as many unseen cards as slots."""
        return sum(self.pool) == len(self.rows)


def model_of(observation: Observation, memory: CountMemory) -> Model:
    """Build the model of the draws that the viewer did not see and of what it knows about them."""
    draws = Draws(memory)
    ledger = ClassLedger(memory.kinds, draws)
    reader = Reader(memory.kinds, memory.viewer, ledger, NOTHING_OPEN)
    for seen in observation.history:
        reader.take(seen)
    reader.end_move()
    return draws.model(observation.stock_size)


@dataclass(slots=True)
class _Last:
    """The latest upper limit of a row and class, kept so that a stricter one can replace it."""

    start: int
    known: int
    rule: int


class Draws:
    """Lists unseen draws, with a rule for each fact about them. It works out no bounds."""

    def __init__(self, memory: CountMemory) -> None:
        self.kinds = memory.kinds
        self.viewer = memory.viewer
        self.seats = memory.sheet.seats
        self.stock = self.seats
        self.lost = self.seats + 1
        self._veiled = memory.veiled_classes()
        self._veils = iter(memory.settled.veils)
        width = len(self.kinds.names)
        self._every = (1 << width) - 1
        self._pool = list(self.kinds.copies)
        self._rows: list[int] = []
        self._allowed: list[int] = []
        self._slots: list[list[int]] = [[] for _ in range(self.seats + 2)]
        self._start = [[0] * width for _ in range(self.seats + 2)]
        self._known = [[0] * width for _ in range(self.seats + 2)]
        self._rules: list[Rule | None] = []
        self._last: dict[tuple[int, int], _Last] = {}
        self._apart: dict[tuple[int, ...], Apart] = {}
        self._touched: set[int] = set()
        self._exact = memory.kinds.rules.deck_joker in ("none", "rank")

    # What the reader reports ------------------------------------------------------------------

    def at_least(self, row: int, class_: int, number: int, seen: Seen) -> None:
        """Enter that the row now holds at least this many cards of the class."""
        if row != self.viewer:
            low = number - self._known[row][class_]
            if low > 0:
                self._rules.append(Rule(class_, self._span(row, class_), low, 99))

    def at_most(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Enter that the row now holds at most this many cards of the class."""
        if row == self.viewer:
            return
        span, high = self._span(row, class_), number - self._known[row][class_]
        if high <= 0:
            self._forbid(span, class_)
        elif high < len(span):
            self._limit(row, class_, Rule(class_, span, 0, high))

    def none(self, row: int, class_: int, seen: Seen) -> None:
        """Enter that the row now holds none: all cards of the class in its slots have left it."""
        if row == self.viewer:
            self._known[row][class_] = 0
            return
        gone, span = -self._known[row][class_], self._span(row, class_)
        if gone <= 0:
            self._forbid(span, class_)
        else:
            self._rules.append(Rule(class_, span, gone, gone))
        self._start[row][class_] = len(self._slots[row])
        self._known[row][class_] = 0
        self._last.pop((row, class_), None)

    def gain(self, row: int, class_: int, number: int, seen: Seen) -> None:
        """Enter that known cards came into the row."""
        self._touched.add(row)
        self._known[row][class_] += number

    def lose(self, row: int, class_: int, number: int, seen: Seen) -> None:
        """Enter that known cards left the row, so it had at least that many."""
        if row == self.stock:
            self._pool[class_] -= number
            return
        self.at_least(row, class_, number, seen)
        self._known[row][class_] -= number

    def move_unknown(
        self, source: int, row: int, number: int, classes: Iterable[int] | None, seen: Seen
    ) -> None:
        """Enter that unseen cards went from one row to another."""
        if source != self.stock:
            self._exact = False
            return
        self._touched.add(row)
        allowed = self._every if classes is None else sum(1 << class_ for class_ in classes)
        for _ in range(number):
            self._slots[row].append(len(self._rows))
            self._rows.append(row)
            self._allowed.append(allowed)

    def spared(self, row: int, class_: int, seen: Seen) -> None:
        """Do nothing: `move_unknown` is told which classes the card can be of."""

    def book(self, seat: int, numbers: dict[int, int], seen: Seen) -> None:
        """Enter that a seat laid these cards on the table."""
        for class_, number in numbers.items():
            self.lose(seat, class_, number, seen)

    def candidates(self, seat: int, extra: int, barred: int | None) -> list[int]:
        """The possible classes of the next face-down book, without those ruled out later."""
        found = next(self._veils, ())
        return [c for c in found if c in self._veiled] if len(found) > 1 else list(found)

    def veil(self, seat: int, classes: list[int], seen: Seen) -> None:
        """Enter a face-down book; if its class never became known, the model leaves it out."""
        if len(classes) == 1:
            self.book(seat, {classes[0]: self.kinds.book_size}, seen)
        else:
            self._exact = False

    def settle(self) -> None:
        """Do nothing: conclusions are drawn from the whole model."""

    def keep_to_most(self, looking: int | None, booked: frozenset[int]) -> None:
        """Limit hands to what they can keep under automatic laying."""
        off = booked if self.kinds.rules.book_layoff == "auto" else frozenset()
        rows = range(self.seats) if off else sorted(self._touched)
        self._touched = {looking} if looking is not None else set()
        for row in rows:
            if row in (looking, self.viewer) or row >= self.seats:
                continue
            for class_, most in enumerate(self.kinds.most):
                self.at_most(row, class_, 0 if class_ in off else most, None)
            if self.kinds.parts_rivals:
                self._part_rivals(row)

    # Rules and slots --------------------------------------------------------------------------

    def _span(self, row: int, class_: int) -> tuple[int, ...]:
        """The slots whose cards of the class, if they hold any, are still in the row."""
        return tuple(self._slots[row][self._start[row][class_] :])

    def _forbid(self, slots: Sequence[int], class_: int) -> None:
        for slot in slots:
            self._allowed[slot] &= ~(1 << class_)

    def _limit(self, row: int, class_: int, rule: Rule) -> None:
        """Add an upper limit; it replaces a looser one if no known card came or went in between."""
        start, known = self._start[row][class_], self._known[row][class_]
        last = self._last.get((row, class_))
        if last is not None and (last.start, last.known) == (start, known):
            old = self._rules[last.rule]
            if old is not None and rule.high <= old.high:
                self._rules[last.rule] = None
        self._last[row, class_] = _Last(start, known, len(self._rules))
        self._rules.append(rule)

    def _part_rivals(self, row: int) -> None:
        known, start = self._known[row], self._start[row]
        for class_, rival in enumerate(self.kinds.rivals):
            if known[class_] > 0 <= rival:
                self.at_most(row, rival, 0, None)
            elif rival > class_ and known[rival] <= 0:
                spans = (self._span(row, class_), self._span(row, rival))
                spare = (-known[class_], -known[rival])
                key = (row, class_, start[class_], start[rival], *spare)
                self._apart[key] = Apart((class_, rival), spans, spare)

    def model(self, stock_size: int) -> Model:
        """Build the model from the slots and rules so far."""
        unseen = list(self._rows) + [self.stock] * stock_size
        width = range(len(self.kinds.names))
        rows = range(self.seats)
        spans = tuple(tuple(self._span(row, c) for c in width) for row in rows)
        return Model(
            kinds=self.kinds,
            seats=self.seats,
            viewer=self.viewer,
            rows=tuple(unseen),
            allowed=(*self._allowed, *((self._every,) * stock_size)),
            pool=tuple(self._pool),
            rules=tuple(rule for rule in self._rules if rule is not None and _binds(rule)),
            apart=tuple(pair for pair in self._apart.values() if _may_clash(pair)),
            known=tuple(tuple(self._known[row]) for row in rows),
            current=spans,
            exact=self._exact and len(unseen) == sum(self._pool),
        )


def _may_clash(pair: Apart) -> bool:
    return all(len(slots) > spare for slots, spare in zip(pair.slots, pair.spare, strict=True))


def _binds(rule: Rule) -> bool:
    return rule.low > 0 or rule.high < len(rule.slots)
