"""The table as one viewer may see it: an Observation, who sits where, and what goes on around it.

Pages are made from these values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from classroom.engine import events as ev
from classroom.engine import observe
from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Viewer
from classroom.minds.board import Support
from classroom.minds.playing.forgetting import Mind, Thought, level_of, thoughts
from classroom.models.school_rows import NUDGE_AFTER
from classroom.services.base import clock
from classroom.services.table import choices, stand_ins
from classroom.services.table.choices import Often
from classroom.services.table.states import Facts, Live

LONGEST_WONDER: Final = 90.0  # seconds for which a child counts as thinking about a question
INVITATION: Final = 60.0  # seconds for which an invitation to a shared tablet lasts
LATEST: Final = 12
"""The most moves that a page replays; after a longer absence it shows the table as it is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A player at a seat: a child (`child_id`), a computer player (`level`) or, with neither, a
    child who has been removed. `me`: the viewer. `away`: a child who is not answering, or has
    closed the table's page."""

    seat: int
    name: str
    animal: str
    pad: int
    child_id: int | None
    level: str | None
    me: bool
    away: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What is going on around one child's table.

    `changes`: how many changes other than moves there have been. `paused`: why the viewer may not
    move, a code of services.table.stand_ins, or None. `asleep`: a stand-in plays for the viewer.
    `shared`: other children sit here too. `pondering`: the seats of those who are thinking about a
    question. `hand`: the viewer's hand is up. `at_home`: the table is at home, where no teacher is.
    `called`: another round in which the viewer has been given a seat meanwhile; `moment`: a moment
    that was dealt to the viewer; `invited`: a classmate invites it to a shared tablet.
    `nudge_after`: seconds into the viewer's turn before its device reminds it. `talk`: how often
    the voice asks the viewer how it knew.
    """

    changes: int = 0
    paused: str | None = None
    asleep: bool = False
    shared: bool = False
    pondering: frozenset[int] = frozenset()
    hand: bool = False
    at_home: bool = False
    called: int | None = None
    moment: int | None = None
    invited: bool = False
    nudge_after: int = NUDGE_AFTER
    talk: Often = "never"


NOTHING_AROUND = Around()


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewedTable:
    """A table at one move as one viewer may see it.

    `board`: how much of the board of asks the viewer may see; `hints`: whether it may ask for
    hints. `pace`: how fast its page tells what happens, one of choices.PACES. `thoughts`: the seats
    of computer players whose turn it is; `aloud`: what computer players said they remember, during
    the latest moves and now. `points`: each seat's points in a match that is played to a target;
    `champion`: the seat that has won such a match. `practice`: a practice round, in which
    `open_hands` has the cards of the computer players, seat by seat. `begun`: a child went on from
    a moment. `name`: the name of a class's own game; `look`: how numbers are drawn.
    """

    round_id: int
    match_id: int
    number: int
    game: str
    observation: Observation
    players: tuple[Seated, ...]
    board: Support
    hints: bool
    pace: str = "usual"
    thoughts: tuple[int, ...]
    points: tuple[int, ...] = ()
    champion: int | None = None
    name: str | None = None
    look: str = "both"
    aloud: tuple[Thought, ...] = ()
    practice: bool = False
    begun: bool = False
    open_hands: tuple[tuple[Card, ...] | None, ...] = ()
    around: Around = NOTHING_AROUND

    @property
    def seq(self) -> int:
        """How many moves were made: the number that a page sends back as `seen`."""
        return self.observation.seq

    @property
    def over(self) -> bool:
        return self.observation.over

    @property
    def seat(self) -> int | None:
        """The viewer's seat; None for a watcher or the teacher."""
        viewer = self.observation.viewer
        return None if isinstance(viewer, Viewer) else viewer

    def thinks(self, player: Seated) -> bool:
        """Whether this player, a computer or a friend who is there, is thinking of its move."""
        friend = player.child_id is not None and not (player.me or player.away)
        return player.seat in self.thoughts or (friend and player.seat == self.observation.turn)

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.observation.turn == self.seat


def around(live: Live, viewer: int | Viewer) -> Around:
    """What the page of this viewer shows besides the table; the pages of watchers and teachers show
    only changes and pauses."""
    facts = live.facts
    public = Around(changes=facts.changes, paused=stand_ins.pause_of_table(live))
    child_id = None if isinstance(viewer, Viewer) else facts.children.get(viewer)
    if child_id is None or isinstance(viewer, Viewer):
        return public
    me = facts.players[viewer]
    # A table that a child left to play a moment waits for the child, and does not call it back.
    stays = facts.at_home or (facts.begun and (me.called or 0) < facts.round_id)
    return replace(
        public,
        paused=stand_ins.pause_of_seat(live, viewer),
        asleep=viewer in facts.away,
        shared=len(facts.children) > 1,
        pondering=_pondering(live, viewer),
        hand=me.hand_at is not None,
        called=None if stays or me.called == facts.round_id else me.called,
        moment=None if facts.at_home else me.moment,
        invited=not facts.at_home and (me.invited_at or 0.0) > clock.now() - INVITATION,
        at_home=facts.at_home,
        nudge_after=stand_ins.times(facts.lesson)[0],
        talk=choices.known_often(facts.lesson.talk),
    )


def _pondering(live: Live, viewer: int) -> frozenset[int]:
    """The seats of other children who may be thinking about an open question: it was asked less
    than LONGEST_WONDER seconds ago, and they have not asked in the game since."""
    now = clock.now()
    asked = {
        player.seat: player.asked_at
        for player in live.facts.players
        if player.seat != viewer and player.asked_at and now - player.asked_at < LONGEST_WONDER
    }
    if not asked:  # the usual case
        return frozenset()
    moved = {
        item.event.seat
        for item in observe(live.state, viewer).history
        if isinstance(item.event, ev.Asked)
        and live.fold.times[item.seq] > asked.get(item.event.seat, now)
    }
    return frozenset(asked) - moved


def heard_aloud(facts: Facts, view: Observation, since: int) -> tuple[Thought, ...]:
    """The thoughts that computer players told this viewer after move `since`, up to now."""
    minds = minds_heard(facts, view.viewer)
    return thoughts(view, minds, since) if minds else ()


def minds_heard(facts: Facts, viewer: int | Viewer) -> dict[int, Mind]:
    """The computer players that think aloud for this viewer, by seat.

    They tell nothing to a child who should remember without help (the board is off).
    """
    listener = next((p for p in facts.players if p.seat == viewer), None)
    if listener is None or listener.board == "off":
        return {}
    return {
        p.seat: Mind(level_of(p.level).fading, p.seed + facts.number)
        for p in facts.players
        if p.level is not None
    }
