"""The named levels of computer players, from minnow to whale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.minds.recall import Fading


@dataclass(frozen=True, slots=True)
class Level:
    """How well a computer player remembers (RULES.md C3).

    `span`: asks kept in mind (None: all). `decay`: chance to lose one at every later ask.
    `blur`: chance that a lost one stays with the wrong asker instead. `slip`: chance of asking
    for a favourite instead of thinking. `search`: imagined worlds looked at for a move; 0: none.
    """

    key: str
    name: str
    sentence: str
    span: int | None
    decay: float
    blur: float
    slip: float
    search: int

    @property
    def fading(self) -> Fading:
        """Its memory."""
        return Fading(self.span, self.decay, self.blur)

    @property
    def perfect(self) -> bool:
        """Whether it forgets nothing."""
        return self.span is None and self.decay == 0


_ALL: Final = (
    Level("minnow", "Minnow", "Remembers the last two asks.", 2, 0.30, 0.2, 0.20, 0),
    Level("perch", "Perch", "Remembers about four asks.", 4, 0.10, 0.2, 0.08, 0),
    Level("pike", "Pike", "Remembers most of what was asked.", 9, 0.03, 0.1, 0.02, 0),
    Level("dolphin", "Dolphin", "Remembers everything.", None, 0.0, 0.0, 0.0, 0),
    Level("whale", "Whale", "Remembers everything and thinks ahead.", None, 0.0, 0.0, 0.0, 120),
)

LEVELS: Final[dict[str, Level]] = {level.key: level for level in _ALL}
"""Weakest first. Parents choose among minnow, perch and pike."""
