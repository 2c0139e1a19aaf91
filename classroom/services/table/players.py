"""The players of a match: how strong computer players are, and everybody's settings and faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from secrets import SystemRandom
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from classroom.database import db
from classroom.learning.remembering import ENOUGH, Memory, memory_of
from classroom.minds.playing.player_levels import LIKE_ME, Result, going_on, like_me
from classroom.models import (
    Child,
    Match,
    Player,
    PlaySettings,
    Round,
)
from classroom.services.base import names
from classroom.services.table import choices, evidence_log

# ---- How strong the computer players of a child's next match are: as an adult chose, or "like me"


def level_for(child_id: int, chosen: str) -> str:
    """The key of the level (minds/playing/player_levels.py) for the child's next match.

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
