"""The players of a match: their rows, their settings, and how the table shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from secrets import SystemRandom
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from classroom.database import AnyRow, db
from classroom.learning.estimates import ENOUGH, Memory, memory_of
from classroom.minds.board import Support
from classroom.minds.playing.forgetting import LIKE_ME, Result, going_on, like_me
from classroom.models import (
    Child,
    ChoicesRow,
    Gathering,
    Match,
    Place,
    Player,
    PlaySettings,
    Round,
    Session,
)
from classroom.models.table_rows import open_since, waiting_moment
from classroom.services.base import names
from classroom.services.table import choices, evidence_log

# ---- How strong the computer players of a child's next match are: as an adult chose, or "like me"


def level_for(child_id: int, chosen: str) -> str:
    """The key of the level (minds/playing/forgetting.py) for the child's next match.

    "Like me" starts from the child's measured memory. After that, each match moves it up or down
    from the level of the last one, by how much the child won; it never changes within a match.
    While nothing is worked out about the child, "like me" gives the level for a child whose memory
    is not measured yet.
    """
    if chosen != LIKE_ME:
        return chosen
    if evidence_log.is_held(child_id):
        return like_me().key
    last = _last(child_id)
    if last is None:
        found = measured(child_id)
        return (like_me() if found is None else like_me(half=found.half, low=found.low)).key
    match_id, key, seat = last
    return going_on(key, _results(match_id, seat)).key


def measured(child_id: int) -> Memory | None:
    """How far back the child remembers; None while too little is known.

    Rows that another process is counting right now may be missing, unless the caller has locked
    the child's row.
    """
    mine = evidence_log.progress_of([child_id])[child_id].tracks.get("recall")
    found = memory_of(mine.settled().recalled if mine else ())
    return found if found.n >= ENOUGH else None


def _last(child_id: int) -> tuple[int, str, int] | None:
    """The child's last "like me" match with no other child: its id, its level, the child's seat."""
    mine, friend, other = aliased(Player), aliased(Player), aliased(Player)
    shared = select(other.id).where(
        other.match_id == mine.match_id, other.level.is_(None), other.id != mine.id
    )
    row = db.session.execute(
        select(mine.match_id, friend.level, mine.seat)
        .join(friend, friend.match_id == mine.match_id)
        .join(Match, Match.id == mine.match_id)
        .where(mine.child_id == child_id, friend.level.startswith(LIKE_ME), ~shared.exists())
        .where(Match.moment.is_(False))  # begun in the middle, it is won for other reasons
        .order_by(mine.match_id.desc())
        .limit(1)
    ).first()
    return None if row is None else (row.match_id, row.level or "", row.seat)


def _results(match_id: int, seat: int) -> list[Result]:
    """What a seat won in each finished round of a match, oldest first."""
    seats = db.session.scalar(select(func.count()).where(Player.match_id == match_id)) or 1
    ends = db.session.scalars(
        select(Round.winners)
        .where(Round.match_id == match_id, Round.ended_at.is_not(None))
        .order_by(Round.number)
    )
    return [Result(seats, (seat in end) / len(end)) for end in ends if end]


# ---- The players of a match: their rows, and the settings of the children among them

Sitting = dict[str, Any]  # a row of `players`, still without its match and seat

_random = SystemRandom()


def settings_for(child_id: int, *, at_home: bool = False) -> PlaySettings:
    """The settings for the child's next match. `level` is the one that the computer players get:
    "like me" and what was left to the child's age are already worked out."""
    found = choices.of_child(child_id)
    settings = choices.for_age(choices.play(found.made, at_home=at_home), found.age_band)
    return replace(settings, level=level_for(child_id, settings.level))


def around(child: Child, settings: PlaySettings, seats: int) -> list[Sitting]:
    """The players in seat order: the child, then computer players with faces of their own."""
    friends = faces(child.class_id, [child], seats - 1)
    return [_child(child, settings), *(_friend(face, settings.level) for face in friends)]


def in_moment(
    child: Child, settings: PlaySettings, faces: Sequence[tuple[str, int]], seat: int
) -> list[Sitting]:
    """The players of a moment: the child at `seat`, with the face of that seat, and computer
    players."""
    players = [_friend(face, settings.level) for face in faces]
    animal, pad = faces[seat]
    players[seat] = _child(child, settings) | {"animal": animal, "pad": pad}
    return players


def at_the_table(class_id: int, sitters: Sequence[int | None], level: str) -> list[Sitting]:
    """The children and computer players in seat order."""
    children = {i: db.session.get_one(Child, i) for i in sitters if i is not None}
    faces_left = iter(faces(class_id, list(children.values()), sitters.count(None)))
    return [
        _friend(next(faces_left), level) if i is None else _child(children[i], settings_for(i))
        for i in sitters
    ]


def _child(child: Child, settings: PlaySettings) -> Sitting:
    return {
        "child_id": child.id, "level": None, "name": child.name, "animal": child.animal,
        "pad": child.pad, "board": settings.board, "hints": settings.hints,
        "pace": settings.pace, "seed": 0,
    }  # fmt: skip


def _friend(face: tuple[str, int], level: str) -> Sitting:
    animal, pad = face
    return {
        "child_id": None, "level": level, "name": animal.capitalize(), "animal": animal,
        "pad": pad, "board": "off", "hints": False, "pace": "usual",
        "seed": _random.randrange(2**31),
    }  # fmt: skip


def faces(
    class_id: int, children: Sequence[Child], number: int, rng: Random | None = None
) -> list[tuple[str, int]]:
    """Faces for computer players, chosen at random, or as `rng` draws them.

    No two players at the table get the same animal. Animals that share their name with a child of
    the class are chosen last; of the others, those that fewer children have are chosen first.
    """
    class_ = db.session.execute(
        select(Child.animal, Child.pad, Child.name).where(Child.class_id == class_id)
    ).all()
    animals = {name.strip().lower() for _, _, name in class_}
    taken = {(animal, pad) for animal, pad, _ in class_}
    crowd = [animal for animal, _ in taken]
    here = {child.animal for child in children}
    free = [animal for animal in names.ANIMALS if animal not in here]
    (rng or _random).shuffle(free)
    free.sort(key=lambda animal: (animal in animals, crowd.count(animal)))
    pads = {animal: [pad for pad in names.PADS if (animal, pad) not in taken] for animal in free}
    return [(animal, (pads[animal] or names.PADS)[0]) for animal in free[:number]]


# ---- The players at a table's seats, as the database has them now; read together with each round
#
# What a page shows about the viewer besides the table is read here too, in the same statement as
# the round, so that a page is never older than its mark (web/http/pages.py) says.

_players, _family = Player.__table__.c, ChoicesRow.__table__.c
_sessions, _places, _gatherings = Session.__table__.c, Place.__table__.c, Gathering.__table__.c
_later = Round.__table__.alias("later")
_HAND = (
    select(func.max(_sessions.hand_at))
    .where(_sessions.child_id == _players.child_id)
    .scalar_subquery()
)
_INVITED = (
    select(func.max(_sessions.invited_at))
    .where(_sessions.child_id == _players.child_id, _sessions.invited_by.is_not(None))
    .scalar_subquery()
)
# Without the sum SQLite would search all unfinished rounds of the school, not the match's few.
_GOES_ON = (_later.c.ended_at + 0.0).is_(None)
_CALLED = (
    select(func.max(_later.c.id))
    .join(Gathering.__table__, _gatherings.match_id == _later.c.match_id)
    .join(Place.__table__, _places.gathering_id == _gatherings.id)
    .where(_places.child_id == _players.child_id, _GOES_ON)
    .scalar_subquery()
)
COLUMNS: Final = (
    _players.seat, _players.child_id, _players.level, _players.name, _players.animal,
    _players.pad, _players.board, _players.hints, _players.pace, _players.seed,
    _players.gone,
    _family.minutes_a_day,
    open_since(_players.child_id, Round.__table__.c.id).label("asked_at"),
    _HAND.label("hand_at"), _INVITED.label("invited_at"), _CALLED.label("called"),
    waiting_moment(_players.child_id, Match.__table__.c.class_id).label("moment"),
)  # fmt: skip
_NAMES: Final = tuple(column.name for column in COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """The player at a seat: a row of `players`, with the settings from when the match began.

    `child_id`: None for a computer player or a removed child; `level`: None for any child. `gone`:
    the child has closed the table's page. `minutes_a_day`: the limit that the child's family sets
    now, None if there is none. `asked_at`: when the child's open question was made, `hand_at`: when
    its hand went up, `invited_at`: when a classmate asked it to come to a shared tablet, None if
    there is none. `called`: the unfinished round of the table where the child has its place now.
    `moment`: the open moment of the class that the child has not answered.
    """

    seat: int
    child_id: int | None
    level: str | None
    name: str
    animal: str
    pad: int
    board: Support
    hints: bool
    pace: str
    seed: int
    gone: bool
    minutes_a_day: int | None
    asked_at: float | None = None
    hand_at: float | None = None
    invited_at: float | None = None
    called: int | None = None
    moment: int | None = None


def sitter(row: AnyRow) -> Sitter:
    """Make the player of a row that begins with COLUMNS."""
    return Sitter(**dict(zip(_NAMES, row, strict=False)))
