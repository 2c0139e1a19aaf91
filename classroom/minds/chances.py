"""The probability that an ask catches cards, from what the viewer could know (docs/rules.md A10).

Each card that the viewer has not seen is in a slot: a draw in the round or a place where the card
can be now. Each fact limits the contents of some slots. A world is a way to fill the slots within
all limits. All worlds count as equally likely, because an ask is taken to show only that the asker
holds a card that allows it. Worlds are sampled with a Metropolis chain, which exchanges the
contents of two slots again and again. An exchange may break limits, but the more it breaks them,
the less often it is accepted. So the chain finds a first world and goes on to others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from classroom.engine.actions import Target
from classroom.engine.observation import Observation, Seen
from classroom.minds.memory.by_card import PlaceMemory
from classroom.minds.memory.by_class import ClassLedger, CountMemory
from classroom.minds.memory.known_facts import NOTHING_OPEN, Reader
from classroom.minds.memory.perfect_memory import Memory, plain_asks, targets
from classroom.minds.playing.computer_players import by_memory

STEPS: Final = 7_000  # exchanges tried per position; they take about 10 ms
EACH: Final = 400  # at most this many steps for each slot in which exchanges begin
FEW, LONGER = 30, 4  # with fewer than 30 worlds the chain goes on, up to four times as long
WARM_UP: Final = 6  # the first sixth of the steps yields no worlds
THREE: Final = 10  # in every tenth step three slots exchange their contents, not two
BROKEN: Final = 0.01  # the probability of accepting an exchange that breaks limits by one more card

Pair = tuple[int, int]
"""A slot and a possible content, which is the number of a class or, in `_Places`, of a card."""


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of the legal asks. `by_ask`: the probability of a catch, by target and class.
    `sample`: the number of worlds in the sample; 0 if memory alone settles all asks, 1 if the
    chances are rough estimates because no world was found."""

    by_ask: dict[tuple[Target, str], float]
    sample: int


def chances(observation: Observation, memory: Memory, steps: int = STEPS) -> Chances:
    """Work out the chances of all legal asks. The same observation always gives the same chances.
    Where memory settles an ask, its chance is exactly 0 or 1."""
    found: dict[tuple[Target, str], float] = {}
    unsure: dict[tuple[Target, str], list[int]] = {}
    for ask in plain_asks(observation):
        bounds = {seat: memory.bounds(seat, ask.class_) for seat in targets(observation, ask)}
        found[ask.target, ask.class_] = float(any(low for low, _ in bounds.values()))
        may = [seat for seat, (low, high) in bounds.items() if high]
        if may and not found[ask.target, ask.class_]:
            unsure[ask.target, ask.class_] = may
    if not unsure:
        return Chances(found, 0)
    unseen = _unseen(observation, memory)
    met = dict.fromkeys(unsure, 0)
    worlds = 0
    held = {(s, c): unseen.held(s, c) for (_, c), seats in unsure.items() for s in seats}
    for contents in unseen.worlds(Random(observation.seq), steps):
        worlds += 1
        has = {
            cell
            for cell, (known, pairs) in held.items()
            if known + sum([contents[slot] == content for slot, content in pairs]) > 0
        }
        for key, seats in unsure.items():
            met[key] += any((seat, key[1]) in has for seat in seats)
    if not worlds:
        rough = by_memory(observation, memory)
        return Chances({(one.ask.target, one.ask.class_): one.chance for one in rough}, 1)
    return Chances(found | {key: number / worlds for key, number in met.items()}, worlds)


def _unseen(observation: Observation, memory: Memory) -> Unseen:
    if isinstance(memory, PlaceMemory):
        return _Places(memory)
    draws = _Draws(memory, observation)
    return draws if draws.exact else _Bounds(memory)


class Unseen(ABC):
    """The slots for unseen cards, with the limits on their contents."""

    def __init__(self) -> None:
        self.allowed: list[int] = []  # for each slot, a bit mask of possible contents
        self.rows: list[int] = []  # for each slot, its row or place
        self.pool: list[int] = []  # for each content, the number of unseen cards
        self.limits: dict[object, tuple[list[Pair], int, int]] = {}
        self.resting: frozenset[int] = frozenset()  # no exchange begins in a slot in these rows

    @abstractmethod
    def held(self, seat: int, class_: str) -> tuple[int, list[Pair]]:
        """The number of cards of the class that the seat holds outside the slots, and the pairs
        of a slot and a content. Each pair adds one card if the slot has that content."""

    def worlds(self, rng: Random, steps: int) -> Iterator[list[int]]:
        """Yield worlds, each as a list of the contents of all slots; the list is changed in place.
        A world is yielded every `len(moving)` steps, unless a limit is broken at that step."""
        draw, allowed = rng.random, self.allowed
        contents = [content for content, number in enumerate(self.pool) for _ in range(number)]
        rng.shuffle(contents)
        moving = [slot for slot, row in enumerate(self.rows) if row not in self.resting]
        if not moving:
            yield contents
            return
        covers, counts, more, broken = self._limits_on(contents)
        slots, starts = len(contents), len(moving)
        steps, given = min(steps, EACH * starts), 0
        for step in range(1, LONGER * steps + 1):
            if step % starts == 0:
                if step > steps and given >= FEW:
                    return
                if not broken and step * WARM_UP > steps:
                    given += 1
                    yield contents
            first, second = moving[int(draw() * starts)], int(draw() * slots)
            one, two = contents[first], contents[second]
            worse = (allowed[first] >> one & 1) - (allowed[first] >> two & 1)
            if step % THREE:
                worse += (allowed[second] >> two & 1) - (allowed[second] >> one & 1)
                if one == two or worse > 1:
                    continue
                turned: tuple[tuple[int, int, int], ...] = ((first, one, two), (second, two, one))
            else:
                third = int(draw() * slots)
                three = contents[third]
                worse += (allowed[second] >> two & 1) - (allowed[second] >> three & 1)
                worse += (allowed[third] >> three & 1) - (allowed[third] >> one & 1)
                if len({first, second, third}) < 3 or worse > 1:
                    continue
                turned = ((first, one, two), (second, two, three), (third, three, one))
            leave = [number for slot, old, _ in turned for number in covers[slot].get(old, ())]
            enter = [number for slot, _, new in turned for number in covers[slot].get(new, ())]
            for number in leave:
                counts[number] -= 1
                worse -= more[number][counts[number]]
            for number in enter:
                worse += more[number][counts[number]]
                counts[number] += 1
            if worse <= 0 or draw() < BROKEN**worse:
                broken += worse
                for slot, _, new in turned:
                    contents[slot] = new
            else:
                for number in leave:
                    counts[number] += 1
                for number in enter:
                    counts[number] -= 1

    def _limits_on(
        self, contents: list[int]
    ) -> tuple[list[dict[int, list[int]]], list[int], list[list[int]], int]:
        """Return four values. `covers`: for each slot and content, the limits that count this pair.
        `counts`: for each limit, how many of its pairs are true. `more`: for each limit and count,
        by how many more cards it is broken if one more pair becomes true. `broken`: the number of
        cards by which all limits together are broken."""
        broken = sum(1 - (may >> one & 1) for may, one in zip(self.allowed, contents, strict=True))
        covers: list[dict[int, list[int]]] = [{} for _ in contents]
        counts, more = list[int](), list[list[int]]()
        for number, (pairs, low, high) in enumerate(self.limits.values()):
            for slot, content in pairs:
                covers[slot].setdefault(content, []).append(number)
            counts.append(sum(contents[slot] == content for slot, content in pairs))
            more.append([(n >= high) - (n < low) for n in range(len(pairs))])
            broken += max(low - counts[-1], counts[-1] - high, 0)
        return covers, counts, more, broken


class _Draws(Unseen):
    """All draws in the round that the viewer did not see, with a limit for each fact about them.

    A ledger records facts here as in a memory's sheet (by_class.py), but no conclusions are drawn.
    `exact`: whether slots can express everything seen. They cannot express unseen cards that went
    from hand to hand, face-down books of unknown class, or Jokers that count double.
    """

    def __init__(self, memory: CountMemory, observation: Observation) -> None:
        super().__init__()
        self.kinds, self.viewer = memory.kinds, memory.viewer
        self.seats = self.stock = observation.seats
        self.lost = self.seats + 1
        self._veiled = memory.veiled_classes()
        self._veils = iter(memory.settled.veils)
        width = len(self.kinds.names)
        self._every = (1 << width) - 1
        self.pool = list(self.kinds.copies)
        self.resting = frozenset((self.stock,))
        # `_slots`: the slots of each row. For each row and class, `_start` is the index of the
        # first slot that counts, and `_known` is the number of cards outside the slots.
        self._slots: list[list[int]] = [[] for _ in range(self.seats + 2)]
        self._start = [[0] * width for _ in self._slots]
        self._known = [[0] * width for _ in self._slots]
        self.exact = self.kinds.rules.deck_joker in ("none", "rank")
        reader = Reader(self.kinds, self.viewer, ClassLedger(self.kinds, self), NOTHING_OPEN)
        for seen in observation.history:
            reader.take(seen)
        reader.end_move()
        self._draw(self.stock, observation.stock_size, self._every)
        self.exact = self.exact and len(self.rows) == sum(self.pool)

    def held(self, seat: int, class_: str) -> tuple[int, list[Pair]]:
        number = self.kinds.number[class_]
        return self._known[seat][number], list(self._pairs(seat, number))

    def _pairs(self, row: int, class_: int) -> list[Pair]:
        """Each slot of the row from `_start` on, paired with the class. Cards of the class in
        earlier slots have left the row."""
        return [(slot, class_) for slot in self._slots[row][self._start[row][class_] :]]

    def _draw(self, row: int, number: int, allowed: int) -> None:
        for _ in range(number):
            self._slots[row].append(len(self.rows))
            self.rows.append(row)
            self.allowed.append(allowed)

    # Facts from the ledger --------------------------------------------------------------------

    def at_least(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Record a lower limit, unless an earlier one demands as many cards in fewer slots."""
        low = number - self._known[row][class_]
        if row != self.viewer and low > 0:
            key = ("low", row, class_, self._start[row][class_], low)
            if key not in self.limits:
                self.limits[key] = (self._pairs(row, class_), low, 99)

    def at_most(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        """Record an upper limit. It replaces an earlier one that allows as many cards in fewer
        slots, because the new limit implies the earlier one."""
        known, start = self._known[row][class_], self._start[row][class_]
        if row != self.viewer and number - known <= 0:
            for slot, _ in self._pairs(row, class_):
                self.allowed[slot] &= ~(1 << class_)
        elif row != self.viewer and number - known < len(self._slots[row]) - start:
            key = ("high", row, class_, start, known, number)
            self.limits[key] = (self._pairs(row, class_), 0, number - known)

    def none(self, row: int, class_: int, seen: Seen | None) -> None:
        """Record that the row now holds none of the class: any such cards have left the row."""
        self.at_least(row, class_, 0, seen)
        self.at_most(row, class_, 0, seen)
        self._start[row][class_] = len(self._slots[row])
        self._known[row][class_] = 0

    def gain(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        self._known[row][class_] += number

    def lose(self, row: int, class_: int, number: int, seen: Seen | None) -> None:
        if row == self.stock:
            self.pool[class_] -= number
        else:
            self.at_least(row, class_, number, seen)
            self._known[row][class_] -= number

    def move_unknown(
        self, source: int, row: int, number: int, classes: Iterable[int] | None, seen: Seen
    ) -> None:
        self.exact = self.exact and source == self.stock
        allowed = self._every if classes is None else sum(1 << class_ for class_ in classes)
        self._draw(row, number, allowed)

    def spared(self, row: int, class_: int, seen: Seen) -> None:
        """Do nothing: `move_unknown` already gets the possible classes of the card."""

    def book(self, seat: int, numbers: dict[int, int], seen: Seen) -> None:
        for class_, number in numbers.items():
            self.lose(seat, class_, number, seen)

    def candidates(self, seat: int, extra: int, barred: int | None) -> list[int]:
        """The possible classes of the next face-down book, except those ruled out later."""
        found = next(self._veils, ())
        return [c for c in found if c in self._veiled] if len(found) > 1 else list(found)

    def veil(self, seat: int, classes: list[int], seen: Seen) -> None:
        self.exact = self.exact and len(classes) == 1
        if self.exact:
            self.book(seat, {classes[0]: self.kinds.rules.book_size}, seen)

    def settle(self) -> None:
        """Do nothing, because sampling worlds replaces drawing conclusions."""

    def keep_to_most(self, looking: int | None, booked: frozenset[int]) -> None:
        off = booked if self.kinds.rules.book_layoff == "auto" else frozenset()
        for row in range(self.seats):
            if row in (looking, self.viewer):
                continue
            for class_, most in enumerate(self.kinds.most):
                rival = self.kinds.rivals[class_] if self.kinds.parts_rivals else -1
                apart = class_ in off or (rival >= 0 and self._known[row][rival] > 0)
                self.at_most(row, class_, 0 if apart else most, None)


class _Bounds(Unseen):
    """The free places in hands, the stock and face-down books; used if `_Draws` is not exact. All
    ways to fill the places within the memory's bounds count as equally likely."""

    def __init__(self, memory: CountMemory) -> None:
        super().__init__()
        self.memory, sheet = memory, memory.settled
        width = sheet.width
        placed = [sum(sheet.low[class_::width]) for class_ in range(width)]
        self.pool = [left - low for left, low in zip(sheet.left, placed, strict=True)]
        self.resting = frozenset((sheet.stock,))
        for row, size in enumerate(sheet.size):
            lows, highs = (
                side[row * width : (row + 1) * width] for side in (sheet.low, sheet.high)
            )
            slots = range(len(self.rows), len(self.rows) + size - sum(lows))
            self.rows += [row] * len(slots)
            self.allowed += [sum(1 << c for c in range(width) if highs[c] > lows[c])] * len(slots)
            for class_, (low, high) in enumerate(zip(lows, highs, strict=True)):
                if 0 < high - low < len(slots):
                    self.limits[row, class_] = ([(s, class_) for s in slots], 0, high - low)

    def held(self, seat: int, class_: str) -> tuple[int, list[Pair]]:
        number = self.memory.kinds.number[class_]
        pairs = [(slot, number) for slot, row in enumerate(self.rows) if row == seat]
        return self.memory.bounds(seat, class_)[0], pairs


class _Places(Unseen):
    """The free places in hands, boats and the stock; used if memory tracks single cards. Its chart
    sums up everything seen. All deals that agree with the chart count as equally likely, though
    some can come about in more ways than others."""

    def __init__(self, memory: PlaceMemory) -> None:
        super().__init__()
        self.memory, chart = memory, memory.settled
        self.sure = {card: at for card, at in chart.where.items() if at & (at - 1) == 0}
        self.cards = [card for card in chart.where if card not in self.sure]
        self.number = {card: number for number, card in enumerate(self.cards)}
        self.pool = [1] * len(self.cards)
        self.resting = frozenset((chart.stock, chart.gone))
        hands, boats = memory.sizes or ((), ())
        sizes = {chart.stock: chart.held[chart.seats]}
        for seat in range(chart.seats):
            sizes[chart.hand(seat)], sizes[chart.boat(seat)] = hands[seat], boats[seat]
        for place, size in sizes.items():
            self.rows += [place] * (size - sum(at == place for at in self.sure.values()))
        self.rows += [chart.gone] * (len(self.cards) - len(self.rows))
        may = {
            place: sum(1 << n for n, card in enumerate(self.cards) if chart.where[card] & place)
            for place in set(self.rows)
        }
        self.allowed = [may[place] for place in self.rows]
        for group in chart.groups:
            sure = sum(chart.where[card] & ~places == 0 for card, places in group.places)
            pairs = [p for c, places in group.places if chart.where[c] & ~places
                     for p in self._pairs((c,), places)]  # fmt: skip
            self.limits[group] = (pairs, group.least - sure, 99)
        if memory.kinds.rules.book_lay == "auto":  # no seat keeps a whole book (D10)
            for name, members in memory.kinds.deck.members.items():
                most = memory.kinds.most[memory.kinds.number[name]]
                for seat in range(chart.seats):
                    known, pairs = self.held(seat, name)
                    if pairs and most - known < len(members):
                        self.limits[name, seat] = (pairs, 0, most - known)

    def held(self, seat: int, class_: str) -> tuple[int, list[Pair]]:
        members, places = self.memory.kinds.deck.named[class_], self.memory.settled.at(seat)
        known = sum(bool(self.sure.get(card, 0) & places) for card in members)
        return known, self._pairs(sorted(members), places)

    def _pairs(self, cards: Iterable[str], places: int) -> list[Pair]:
        """Each of these cards whose place is unknown, paired with each slot in these places."""
        slots = [slot for slot, place in enumerate(self.rows) if place & places]
        return [(slot, self.number[c]) for c in cards if c in self.number for slot in slots]
