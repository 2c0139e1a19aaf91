"""What is said about remembering of children whose memory is known, after nine rounds in play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from statistics import median
from typing import Final, NamedTuple

from classroom.learning.levels import Level, level_of
from classroom.learning.tomorrow import ChildTomorrow, tomorrow
from classroom.learning.tracks import SCALES, tracks_of
from tools.proof.lines import NOTHING_WANTED, Measurement, Seeded, per_cent, slack
from tools.proof.rounds import BAND, EMPTY, NEVER, Player, at_once, halving, in_part, slowing

ROUNDS: Final = 9  # three weeks of three rounds
MOST: Final = len(SCALES["recall"].steps)
HELD: Final = 0.92  # a range should hold the truth so often
SAID: Final = 0.8  # children of whom something should be said after ROUNDS
ORDER: Final = 0.8  # pairs of children, one remembering four times as long, in the right order
FALSE: Final = 0.05  # most children who are sent to an open board without need
FOUND: Final = 0.8  # children who remember nothing and should be sent there
CLASS: Final = 10  # children of a class

HALVING: Final = {asks: Player(f"halves at {asks}", halving(asks), asks) for asks in (2, 4, 8, 16)}
PERFECT: Final = Player("forgets nothing", NEVER, inf)
NOTHING: Final = Player("remembers nothing", EMPTY, 0)
USUAL: Final = (PERFECT, *HALVING.values(), NOTHING)
OTHERS: Final = (
    Player("forgets nothing, uses half of it", NEVER, inf, uses=0.5),
    Player("halves at 6, uses half of it", halving(6), 6, uses=0.5),
    Player("halves at 4, always names somebody", halving(4), 4, names=1.0),
    Player("halves at 4, says nobody when in doubt", halving(4), 4, names=0.1),
    Player("remembers nothing, always names somebody", EMPTY, 0, names=1.0),
    Player("remembers nothing, asks for what it has most of", EMPTY, 0, habit="most"),
    Player("remembers nothing, asks for the same again", EMPTY, 0, habit="again"),
    Player("remembers nothing, always asks the same player", EMPTY, 0, habit="first"),
    Player("forgets all after 4", at_once(4), 4),
    Player("halves at 4, then ever more slowly", slowing(4), 4),
    Player("takes in 70 %, halves at 6", in_part(0.7, halving(6)), 6),
    Player("halves at 6, on half of the days at 3", halving(6), 4.5, varies=True),
    Player("halves at 4, four seats", halving(4), 4, seats=4),
)
FEW: Final = (  # of these nothing may be said for a long time
    Player("halves at 4, two seats", halving(4), 4, seats=2),
    Player("halves at 4, peeks before three asks in ten", halving(4), 4, peeks=0.3),
)


class Seen(NamedTuple):
    """A child, what is said of it after its rounds, and the longest it took something after."""

    player: Player
    level: Level
    reached: int


def seen(player: Player, number: int, rng: Seeded, rounds: int = ROUNDS) -> Seen:
    """Let a child play, and look at what is said of it."""
    rows = player.rounds(rounds, rng(f"memory {player.name} {number}"))
    alone = [row for row in rows if row.how == "alone"]
    reached = max((row.lag_asks or 0 for row in alone if row.right), default=0)
    level = level_of(tracks_of(rows)["recall"], BAND, max(row.day for row in rows))
    return Seen(player, level, reached)


def holds(one: Seen) -> bool:
    """Whether the range that is said holds the truth. What is beyond the scale cannot be said more
    exactly."""
    low, high = one.level.between
    return low <= one.player.true and (one.player.true <= high or high == MOST)


def memory_lines(scale: int, rng: Seeded) -> Iterator[Measurement]:
    """Check what is said of remembering, and who is sent to an open board."""
    children = 20 * scale
    found: dict[Player, list[Seen]] = defaultdict(list)
    for player in (*USUAL, *OTHERS, *FEW):
        found[player] += [seen(player, number, rng) for number in range(children)]
    for player, some in found.items():
        yield range_line(player, [one for one in some if one.level.shown])
    for players, what in ((USUAL, "usual"), (OTHERS, "other"), (FEW, "two seats, or peeking")):
        yield said_line([one for player in players for one in found[player]], what)
    yield from order_lines(found)
    everyone = [one for some in found.values() for one in some if one.level.about]
    beyond = sum(one.level.about > one.reached for one in everyone)
    yield Measurement(
        "“about 5 asks ago” is longer ago than anything that was right",
        f"{beyond} of {len(everyone)}", "0", beyond == 0,
    )  # fmt: skip
    helped = [seen(Player("peeks", EMPTY, 0, peeks=1.0), n, rng) for n in range(10 * scale)]
    fooled = sum(one.level.shown or one.level.recent > 0 for one in helped)
    yield Measurement(
        "peeks before each ask: something is said", f"{fooled} of {len(helped)}", "0", fooled == 0
    )
    yield from _open_lines(found)


def range_line(player: Player, shown: Sequence[Seen]) -> Measurement:
    """Check that the range holds the truth, as often as it should."""
    held, n = sum(map(holds, shown)), max(len(shown), 1)
    middle = median(one.level.about for one in shown) if shown else 0
    low, high = (median(one.level.between[end] for one in shown) if shown else 0 for end in (0, 1))
    return Measurement(
        f"{player.name}: range holds it after {ROUNDS} rounds",
        f"{per_cent(held, n)} of {len(shown)} (usually {middle:g}, {low:g}–{high:g})",
        f">= {100 * HELD:.0f} %",
        held / n >= HELD - slack(HELD, n) or not shown,
    )


def said_line(some: Sequence[Seen], what: str) -> Measurement:
    """Check that something is said of most children."""
    said = sum(one.level.shown for one in some)
    wanted = what != "two seats, or peeking"
    return Measurement(
        f"{what} children of whom something is said after {ROUNDS} rounds",
        f"{per_cent(said, len(some))} of {len(some)}, usually from "
        f"{median(one.level.n for one in some):g}",
        f">= {100 * SAID:.0f} %" if wanted else NOTHING_WANTED,
        not wanted or said / len(some) >= SAID - slack(SAID, len(some)),
    )


def order_lines(found: Mapping[Player, Sequence[Seen]]) -> Iterator[Measurement]:
    """Check that those who remember longer are shown to."""
    usual = sorted(USUAL, key=lambda one: one.true)
    middles = [median(one.level.middle for one in found[player]) for player in usual]
    yield Measurement(
        f"middles of the usual children ({', '.join(one.name for one in usual)})",
        ", ".join(f"{median(one.level.about for one in found[player]):g}" for player in usual),
        "in this order",
        middles == sorted(middles),
    )
    steps = (NOTHING, HALVING[2], HALVING[8], PERFECT), (HALVING[4], HALVING[16])
    for line in steps:
        for less, more in pairwise(line):
            pairs = [(a.level.middle < b.level.middle) for a in found[less] for b in found[more]]
            share = sum(pairs) / len(pairs)
            yield Measurement(
                f"{less.name} is shown below {more.name}",
                f"{per_cent(share, 1)} of pairs", f">= {100 * ORDER:.0f} %",
                share >= ORDER - slack(ORDER, len(found[less])),
            )  # fmt: skip


def sent(levels: Sequence[Level]) -> tuple[int, ...]:
    """The children of a class who are sent to an open board."""
    pupils = [
        ChildTomorrow(child=at, band=BAND, levels={"recall": one}, answers={})
        for at, one in enumerate(levels)
    ]
    return next((one.children for one in tomorrow(pupils) if one.deed == "open"), ())


def _open_lines(found: Mapping[Player, Sequence[Seen]]) -> Iterator[Measurement]:
    """Check that a child that remembers nothing is sent to an open board, and hardly anybody in a
    class of equal ones."""
    for player in (HALVING[2], HALVING[4], HALVING[8], OTHERS[0]):
        levels = [one.level for one in found[player]]
        classes = [levels[at : at + CLASS] for at in range(0, len(levels), CLASS)]
        named, n = sum(len(sent(one)) for one in classes), len(levels)
        yield Measurement(
            f"a class in which everybody {player.name}: sent to an open board",
            f"{per_cent(named, n)} of {n}", f"<= {100 * FALSE:.0f} %",
            named / n <= FALSE + slack(FALSE, n),
        )  # fmt: skip
    for player, others, wanted in (
        (NOTHING, HALVING[8], FOUND), (NOTHING, HALVING[4], FOUND), (HALVING[2], PERFECT, None),
    ):  # fmt: skip
        mates = [one.level for one in found[others][:CLASS]]
        hit = sum(CLASS in sent([*mates, one.level]) for one in found[player])
        share = hit / len(found[player])
        yield Measurement(
            f"{player.name}, and everybody else {others.name}: sent to an open board",
            f"{per_cent(share, 1)} of {len(found[player])}",
            f">= {100 * wanted:.0f} %" if wanted else NOTHING_WANTED,
            wanted is None or share >= wanted - slack(wanted, len(found[player])),
        )
