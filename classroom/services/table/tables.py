"""The table as one viewer may see it: an Observation, and who sits where. What pages are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Viewer
from classroom.minds.board import Support
from classroom.minds.playing.thoughts import Thought

LATEST: Final = 12
"""Moves that are played again at most: who was away longer is shown the present."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits at a seat: a child (`child_id`), a computer player (`level`), or, with neither,
    a friend who is not in the class any more. `me`: the viewer. `away`: does not answer."""

    seat: int
    name: str
    animal: str
    pad: int
    child_id: int | None
    level: str | None
    me: bool
    away: bool


@dataclass(frozen=True, slots=True)
class Around:
    """What goes on around one child's table.

    `changes`: how much has happened there besides moves. `rest`: why nobody may move now, a code
    of services.rests, or None. `asleep`: a computer friend plays for the viewer. `shared`: other
    children sit here too. `hand`: the viewer's hand is up. `called`: a round to which the viewer
    has been seated meanwhile. `nudge_after`: seconds on the own turn until the device says so.
    """

    changes: int = 0
    rest: str | None = None
    asleep: bool = False
    shared: bool = False
    hand: bool = False
    called: int | None = None
    nudge_after: int = 30


NOTHING_AROUND = Around()


@dataclass(frozen=True, slots=True)
class Table:
    """One viewer's table at one move.

    `board`: how much of what was asked this viewer may see; `hints`: whether it may ask for one.
    `thoughts`: the seats of computer players whose move it is now; `aloud`: what they thought
    aloud in the last moves, and think now. `points`: of each seat in this
    match so far, in games that are played to a number of points; `champion`: the seat that has won
    such a match. `practice`: a round for trying the game out; then `open_hands` has the cards of
    the computer players, seat by seat. `name`: of the class's own game; `look`: how its numbers are
    shown.
    """

    round_id: int
    match_id: int
    number: int
    game: str
    observation: Observation
    players: tuple[Seated, ...]
    board: Support
    hints: bool
    thoughts: tuple[int, ...]
    points: tuple[int, ...] = ()
    champion: int | None = None
    name: str | None = None
    look: str = "both"
    aloud: tuple[Thought, ...] = ()
    practice: bool = False
    open_hands: tuple[tuple[Card, ...] | None, ...] = ()
    around: Around = NOTHING_AROUND

    @property
    def seq(self) -> int:
        """How many moves this table has seen: the number that a page sends back as `seen`."""
        return self.observation.seq

    @property
    def over(self) -> bool:
        return self.observation.over

    @property
    def seat(self) -> int | None:
        """The viewer's own seat, None without one."""
        viewer = self.observation.viewer
        return None if isinstance(viewer, Viewer) else viewer

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.observation.turn == self.seat
