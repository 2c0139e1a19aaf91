"""An entry of the menu: rules as data, with a name and a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from classroom.engine.rules import Rules


@dataclass(frozen=True)
class Game:
    """One game of the menu.

    `sentence` says in one human sentence how it is played; `seats` is the number of seats it is
    best with. `short` holds, per number of seats, the dimensions to change so that a round lasts
    6 to 10 minutes at a child's table (about 7 s an ask).
    """

    key: str
    name: str
    rules: Rules
    sentence: str
    seats: int
    short: Mapping[int, Mapping[str, Any]]

    def short_rules(self, seats: int) -> Rules:
        """The rules of the short form for this many seats."""
        return self.rules.changed(self.short.get(seats, {}))
