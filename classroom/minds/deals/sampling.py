"""Random deals that agree with everything seen, for when counting them would take too long.

A Markov chain: two or three slots exchange their contents if all limits still hold. Every step can
be undone with the same chance, so in the long run all deals occur equally often. Deterministic
given the random numbers that are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from classroom.minds.deals.draws import Model

_TRIES: Final = 4
_REPAIRS: Final = 600
_LOOKS: Final = 5  # exchanges compared in each step of a repair
_WARM_UP: Final = 12  # most steps per moving slot before the first deal
_NO_LIMIT: Final = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Between `low` and `high` of these (slot, content) pairs are true.

    `partner`: another limit; at most one of the two may have more than its `spare` pairs true.
    """

    pairs: tuple[tuple[int, int], ...]
    low: int
    high: int
    partner: int | None = None
    spare: int = _NO_LIMIT


@dataclass(frozen=True, slots=True)
class Frame:
    """Slots to fill: `allowed[slot]` has a bit for each content it may have, and `pool` says how
    many of each there are. `moving`: the slots whose contents matter; those of the stock do not."""

    allowed: tuple[int, ...]
    pool: tuple[int, ...]
    limits: tuple[Limit, ...]
    moving: tuple[int, ...]


def frame_of(model: Model) -> Frame:
    """Turn a model of unseen draws into slots to fill with classes."""
    limits = [
        Limit(pairs=tuple((slot, rule.class_) for slot in rule.slots), low=rule.low, high=rule.high)
        for rule in model.rules
    ]
    for pair in model.apart:
        for side in (0, 1):
            pairs = tuple((slot, pair.classes[side]) for slot in pair.slots[side])
            partner = len(limits) + 1 - 2 * side
            limits.append(
                Limit(pairs=pairs, low=0, high=_NO_LIMIT, partner=partner, spare=pair.spare[side])
            )
    moving = tuple(slot for slot, row in enumerate(model.rows) if row != model.seats)
    return Frame(model.allowed, model.pool, tuple(limits), moving)


def deals(
    frame: Frame,
    rng: Random,
    steps: int,
    most: int,
    first: list[int] | None = None,
    apart: int = 1,
) -> Iterator[list[int]]:
    """Yield at most `most` deals, as the content of every slot, from about `steps` chain steps.

    `first`: a deal to begin with, if one is known; it need not agree with everything yet. `apart`:
    steps per moving slot between two deals. Each deal is the same list, changed in place.
    Yields nothing if no deal was found that agrees with everything.
    """
    filling = _started(frame, rng, first)
    if filling is None:
        return
    if not frame.moving:
        yield filling.contents
        return
    draw = rng.random
    for _ in range(min(_WARM_UP * len(frame.moving), steps // 3)):
        filling.step(draw)
    thin = apart * len(frame.moving)
    for _ in range(max(1, min(most, steps // thin))):
        for _ in range(thin):
            filling.step(draw)
        yield filling.contents


class _Filling:
    """The content of each slot, and the number of true pairs of each limit."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.contents: list[int] = []
        self.counts: list[int] = []
        self.cover: list[dict[int, list[int]]] = [{} for _ in frame.allowed]
        for number, limit in enumerate(frame.limits):
            for slot, content in limit.pairs:
                self.cover[slot].setdefault(content, []).append(number)

    def fill(self, contents: list[int]) -> None:
        """Put these contents into the slots, whether the limits allow it or not."""
        self.contents = contents
        self.counts = [
            sum(1 for slot, content in limit.pairs if contents[slot] == content)
            for limit in self.frame.limits
        ]

    def broken(self, number: int) -> int:
        """The number of pairs by which a limit is broken."""
        limit, true = self.frame.limits[number], self.counts[number]
        if true < limit.low:
            return limit.low - true
        if true > limit.high:
            return true - limit.high
        if limit.partner is not None and true > limit.spare:
            partner = self.frame.limits[limit.partner]
            return int(self.counts[limit.partner] > partner.spare)
        return 0

    def change(self, slots: tuple[int, ...], contents: tuple[int, ...]) -> list[int]:
        """Put other contents into these slots; returns the numbers of the limits concerned."""
        touched: list[int] = []
        for slot, new in zip(slots, contents, strict=True):
            covering = self.cover[slot]
            if covering:
                for number in covering.get(self.contents[slot], ()):
                    self.counts[number] -= 1
                    touched.append(number)
                for number in covering.get(new, ()):
                    self.counts[number] += 1
                    touched.append(number)
            self.contents[slot] = new
        return touched

    def step(self, draw: Callable[[], float]) -> None:
        """Exchange the contents of two slots, or now and then of three, if the limits allow it."""
        contents, allowed, moving = self.contents, self.frame.allowed, self.frame.moving
        first = moving[int(draw() * len(moving))]
        second = int(draw() * len(contents))
        one, two = contents[first], contents[second]
        if one == two or not allowed[first] >> two & 1:
            return
        if draw() >= 0.15:
            if allowed[second] >> one & 1:
                self._try((first, second), (two, one), (one, two))
            return
        third = int(draw() * len(contents))
        three = contents[third]
        if third in (first, second) or not allowed[second] >> three & 1:
            return
        if allowed[third] >> one & 1:
            self._try((first, second, third), (two, three, one), (one, two, three))

    def _try(self, slots: tuple[int, ...], new: tuple[int, ...], old: tuple[int, ...]) -> None:
        for number in self.change(slots, new):
            if self.broken(number):
                self.change(slots, old)
                return


def _started(frame: Frame, rng: Random, first: list[int] | None) -> _Filling | None:
    """Repair the given deal or a random one until no limit is broken; None if that fails."""
    if sum(frame.pool) != len(frame.allowed):
        return None
    filling = _Filling(frame)
    for _ in range(_TRIES):
        contents = first or _random_contents(frame, rng)
        if contents is None:
            return None
        filling.fill(list(contents))
        if _repaired(filling, rng):
            return filling
        first = None
    return None


def _random_contents(frame: Frame, rng: Random) -> list[int] | None:
    """Find random contents that every slot allows, limits aside, by augmenting paths."""
    cards = [content for content, number in enumerate(frame.pool) for _ in range(number)]
    rng.shuffle(cards)
    slots = list(range(len(frame.allowed)))
    rng.shuffle(slots)
    holder: list[int | None] = [None] * len(cards)

    def place(slot: int, visited: set[int]) -> bool:
        for i, content in enumerate(cards):
            if i in visited or not frame.allowed[slot] >> content & 1:
                continue
            visited.add(i)
            previous = holder[i]
            if previous is None or place(previous, visited):
                holder[i] = slot
                return True
        return False

    for slot in sorted(slots, key=lambda s: frame.allowed[s].bit_count()):
        if not place(slot, set()):
            return None
    contents = [0] * len(slots)
    for i, holding in enumerate(holder):
        if holding is not None:
            contents[holding] = cards[i]
    return contents


def _repaired(filling: _Filling, rng: Random) -> bool:
    """Exchange contents until no limit is broken; returns whether that worked. Each step makes the
    best of a few exchanges if it mends something, and now and then even if it does not."""
    broken = {n for n in range(len(filling.frame.limits)) if filling.broken(n)}
    for _ in range(_REPAIRS):
        if not broken:
            return True
        number = rng.choice(sorted(broken))
        tried = [_exchange(filling, number, rng) for _ in range(_LOOKS)]
        swaps = [(_harm(filling, swap), swap) for swap in tried if swap is not None]
        if not swaps:
            continue
        harm, swap = min(swaps)
        if harm < 0 or rng.random() < (0.5 if harm == 0 else 0.1):
            for n in _concerned(filling, _exchanged(filling, swap)):
                (broken.add if filling.broken(n) else broken.discard)(n)
    return not broken


def _exchange(filling: _Filling, number: int, rng: Random) -> tuple[int, int] | None:
    """Pick two slots whose exchange may help this limit; None if they cannot be exchanged."""
    limit = filling.frame.limits[number]
    contents, allowed = filling.contents, filling.frame.allowed
    wants = filling.counts[number] < limit.low
    first, content = rng.choice([p for p in limit.pairs if (contents[p[0]] == p[1]) is not wants])
    if wants:
        second = rng.choice([slot for slot, held in enumerate(contents) if held == content])
    else:
        second = rng.randrange(len(contents))
    one, two = contents[first], contents[second]
    if one == two or not (allowed[first] >> two & 1 and allowed[second] >> one & 1):
        return None
    return first, second


def _harm(filling: _Filling, swap: tuple[int, int]) -> int:
    """How much worse the exchange makes the broken limits, in pairs; negative if better."""
    touched = _concerned(filling, _exchanged(filling, swap))
    after = sum(filling.broken(n) for n in touched)
    _exchanged(filling, swap)
    return after - sum(filling.broken(n) for n in touched)


def _exchanged(filling: _Filling, swap: tuple[int, int]) -> list[int]:
    first, second = swap
    contents = filling.contents
    return filling.change(swap, (contents[second], contents[first]))


def _concerned(filling: _Filling, touched: list[int]) -> set[int]:
    """These limits and their partners."""
    limits = filling.frame.limits
    partners = (limits[n].partner for n in touched)
    return {*touched, *(n for n in partners if n is not None)}
