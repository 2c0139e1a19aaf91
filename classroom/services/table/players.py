"""The players of a match: their rows, and the settings of the children among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from secrets import SystemRandom
from typing import Any

from sqlalchemy import select

from classroom.database import db
from classroom.models import Child, PlaySettings
from classroom.services.base import faces
from classroom.services.table import choices, in_force, strength
from classroom.services.table.paces import pace_for

Sitting = dict[str, Any]  # a row of `players`, still without its match and seat

_random = SystemRandom()


def settings_for(child_id: int, *, at_home: bool = False) -> PlaySettings:
    """The settings for the child's next match. `level` is the one that the computer players get:
    "like me" and a pace by age are already worked out."""
    found = choices.of_child(child_id)
    settings = in_force.play(found.made, at_home=at_home)
    return replace(
        settings,
        level=strength.level_for(child_id, settings.level),
        pace=pace_for(settings.pace, found.age_band),
    )


def around(child: Child, settings: PlaySettings, seats: int) -> list[Sitting]:
    """The players in seat order: the child, then computer players with faces of their own."""
    friends = _friends(child.class_id, [child], seats - 1)
    return [_child(child, settings), *(_friend(face, settings.level) for face in friends)]


def at_the_table(class_id: int, sitters: Sequence[int | None], level: str) -> list[Sitting]:
    """The children and computer players in seat order."""
    children = {i: db.session.get_one(Child, i) for i in sitters if i is not None}
    faces_left = iter(_friends(class_id, list(children.values()), sitters.count(None)))
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


def _friends(class_id: int, children: Sequence[Child], number: int) -> list[tuple[str, int]]:
    """Faces for computer players, chosen at random.

    None has the animal of another player at the table. Animals that share their name with a child
    of the class are chosen last; of the others, those that fewer children have are chosen first.
    """
    class_ = db.session.execute(
        select(Child.animal, Child.pad, Child.name).where(Child.class_id == class_id)
    ).all()
    names = {name.strip().lower() for _, _, name in class_}
    taken = {(animal, pad) for animal, pad, _ in class_}
    crowd = [animal for animal, _ in taken]
    here = {child.animal for child in children}
    free = [animal for animal in faces.ANIMALS if animal not in here]
    _random.shuffle(free)
    free.sort(key=lambda animal: (animal in names, crowd.count(animal)))
    return [(animal, _free_pad(animal, taken)) for animal in free[:number]]


def _free_pad(animal: str, taken: set[tuple[str, int]]) -> int:
    return next((pad for pad in faces.PADS if (animal, pad) not in taken), faces.PADS[0])
