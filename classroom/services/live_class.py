"""A class as it is now: every child as a tile, which table and whose turn, and who needs help.

Made from what a watcher of each table may see, and from what the child did in this very round.
The value is compared to know whether there is news, so it holds moments and not durations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select

from classroom.database import db
from classroom.engine.observation import WATCHER, observe
from classroom.models import Child, EvidenceRow, Match, Place, Round, SchoolClass
from classroom.services import clock, presence, rests, stand_ins, states
from classroom.services.errors import NotFound
from classroom.services.states import Live

Told = tuple[str, str, int, float | None]
"""State, reason, its number and its moment: as in Kid."""

LATELY: Final = 12 * 3600.0  # seconds; a round that stood still for longer is not of this lesson
LAST: Final = 4  # judged asks that are looked at
WRONG: Final = 3  # of them: then the child is struggling

# What a child does; the first that holds is shown.
STATES: Final = ("help", "stuck", "away", "playing", "waiting", "choosing", "here", "out")


@dataclass(frozen=True, slots=True)
class Kid:
    """A child's tile. `state`: one of STATES. `reason`: a key for the line under it, with `number`
    and `since` as far as it has them. `books` at its table; None without one."""

    child_id: int
    name: str
    animal: str
    pad: int
    state: str
    reason: str
    number: int
    since: float | None
    round_id: int | None
    books: int | None


@dataclass(frozen=True, slots=True)
class SeatNow:
    """A seat as everybody in the room may see it: a face, a number of cards, whose turn. No
    result of anybody is in it."""

    name: str
    animal: str
    pad: int
    cards: int
    turn: bool
    away: bool


@dataclass(frozen=True, slots=True)
class Busy:
    """A table that is being played at. `seats` in seat order, as a watcher sees them."""

    round_id: int
    number: int
    game: str
    pond: int
    seats: tuple[SeatNow, ...]
    kids: tuple[Kid, ...]


@dataclass(frozen=True, slots=True)
class LiveClass:
    """The whole class. `rest`: paused, lesson_over or None. `code` only while it is open."""

    class_id: int
    name: str
    code: str
    opened_until: float | None
    rest: str | None
    tables: tuple[Busy, ...]
    others: tuple[Kid, ...]

    @property
    def kids(self) -> tuple[Kid, ...]:
        """Everybody, table by table."""
        return (*(kid for table in self.tables for kid in table.kids), *self.others)

    @property
    def needs(self) -> tuple[Kid, ...]:
        """Who needs the teacher: hands first, longest first."""
        found = [kid for kid in self.kids if kid.state in ("help", "stuck")]
        return tuple(sorted(found, key=lambda kid: (kid.state, kid.since or 0.0)))


def live_class(class_id: int) -> LiveClass:
    """The class now. Raises NotFound."""
    room = db.session.get(SchoolClass, class_id)
    if room is None:
        raise NotFound("class")
    children = {
        child.id: child
        for child in db.session.scalars(
            select(Child).where(Child.class_id == class_id).order_by(Child.name, Child.id)
        )
    }
    hands, lives = presence.here(class_id), _lives(class_id, set(children))
    wrong = _wrong([live.facts.round_id for live in lives])
    tables = tuple(
        _busy(number, live, children, hands, wrong) for number, live in enumerate(lives, 1)
    )
    playing = {kid.child_id for table in tables for kid in table.kids}
    open_until = room.opened_until if (room.opened_until or 0) > clock.now() else None
    rest = rests.PAUSED if room.paused_at else rests.LESSON_OVER if room.ending_at else None
    return LiveClass(
        class_id,
        room.name,
        room.code if open_until else "",
        open_until,
        rest,
        tables,
        tuple(_elsewhere(children.values(), playing, hands)),
    )


def _lives(class_id: int, children: set[int]) -> list[Live]:
    """The rounds that go on, each child counted at its latest one only."""
    rows = db.session.scalars(
        select(Round.id)
        .join(Match, Match.id == Round.match_id)
        .where(
            Match.class_id == class_id,
            Round.ended_at.is_(None),
            Round.started_at > clock.now() - LATELY,
        )
        .order_by(Round.id.desc())
    ).all()
    found, seen = [], set[int]()
    for round_id in rows:
        live = states.read(round_id)
        mine = (children & set(live.facts.children.values())) - seen
        if mine:
            found.append(live)
            seen |= mine
    return found[::-1]


def _wrong(round_ids: Iterable[int]) -> dict[tuple[int, int], int]:
    """How many of the last judged asks of each child in its round, without help, were wrong."""
    rows = db.session.execute(
        select(EvidenceRow.round_id, EvidenceRow.child_id, EvidenceRow.right)
        .where(
            EvidenceRow.round_id.in_(round_ids),
            EvidenceRow.source == "play",
            EvidenceRow.aided.is_(False),
        )
        .order_by(EvidenceRow.id)
    )
    found: dict[tuple[int, int], list[bool]] = defaultdict(list)
    for round_id, child_id, right in rows:
        found[round_id, child_id].append(right)
    return {key: answers[-LAST:].count(False) for key, answers in found.items()}


def _busy(
    number: int,
    live: Live,
    children: Mapping[int, Child],
    hands: Mapping[int, float | None],
    wrong: Mapping[tuple[int, int], int],
) -> Busy:
    facts = live.facts
    kids = []
    for seat, child_id in sorted(facts.children.items()):
        if child_id in children:
            missed = wrong.get((facts.round_id, child_id), 0)
            told = _state(live, seat, hands, missed)
            books = len(live.state.books[seat])
            kids.append(_kid(children[child_id], told, facts.round_id, books))
    title, pond = facts.name or facts.game, len(live.state.stock)
    return Busy(facts.round_id, number, title, pond, tuple(_seats(live)), tuple(kids))


def _seats(live: Live) -> Iterator[SeatNow]:
    seen = observe(live.state, WATCHER)
    for player in live.facts.players:
        seat = player.seat
        yield SeatNow(
            player.name, player.animal, player.pad, seen.hand_sizes[seat], seen.turn == seat,
            seat in live.facts.away,
        )  # fmt: skip


def _kid(child: Child, told: Told, round_id: int | None = None, books: int | None = None) -> Kid:
    face = child.id, child.name, child.animal, child.pad
    return Kid(*face, *told, round_id, books)


def _state(live: Live, seat: int, hands: Mapping[int, float | None], missed: int) -> Told:
    """What is told of a child at a table."""
    child_id, mine = live.facts.children[seat], live.state.turn == seat
    since = stand_ins.silent_since(live)
    if hands.get(child_id) is not None:
        return "help", "hand", 0, hands[child_id]
    if child_id not in hands:
        return "away", "signed_out", 0, None
    if rests.of_seat(live, seat) == rests.TIME_OVER:
        return "away", "time_over", 0, None
    if seat in live.facts.away:
        return "away", "stand_in", 0, None
    if rests.of_table(live):
        return "waiting", "resting", 0, None
    patience = stand_ins.times(live.facts.lesson)[0]
    if mine and clock.now() - since >= patience:
        return "stuck", "idle", 0, since
    if missed >= WRONG:
        return "stuck", "struggling", missed, None
    return ("playing", "turn", 0, None) if mine else ("waiting", "books", 0, None)


def _elsewhere(
    children: Iterable[Child], playing: set[int], hands: Mapping[int, float | None]
) -> Iterator[Kid]:
    children = list(children)
    theirs = select(Place.child_id).where(Place.child_id.in_([child.id for child in children]))
    seated = set(db.session.scalars(theirs))
    for child in children:
        if child.id in playing:
            continue
        state = "out" if child.id not in hands else "choosing" if child.id in seated else "here"
        reason, since = state, hands.get(child.id)
        if since is not None:
            state, reason = "help", "hand"
        yield _kid(child, (state, reason, 0, since))
