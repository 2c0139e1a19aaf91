"""An entry of the menu: rules as data, with a name and a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from classroom.engine.rules import RANKS, Rules


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game of the menu.

    `sentence`: tells people in one sentence how the game is played. `seats`: the number of seats
    that suits it best. `short`: for each number of seats, the dimensions to change so that a round
    lasts 6 to 10 minutes at a child's table (docs/round-length.md). `fewest`: the fewest kinds of
    card that make a good round, if the small deck has too few.
    """

    key: str
    name: str
    rules: Rules
    sentence: str
    seats: int
    short: Mapping[int, Mapping[str, Any]]
    fewest: int = 0

    def short_rules(self, seats: int) -> Rules:
        """The rules of the short form for this many seats."""
        return self.rules.changed(self.short.get(seats, {}))


def dealt_from(kinds: int, deal: int = 0, **changes: Any) -> dict[str, Any]:
    """Make a short form with this number of ranks, from the ace up; `deal`: cards for each seat, or
    0 for no change. Dealing fewer leaves more in the pond, which then takes more asks to empty."""
    ranks = {"deck.ranks": RANKS[:kinds]}
    return ranks | ({"deal": {"default": deal}} if deal else {}) | changes
