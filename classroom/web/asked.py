"""What was asked: public history as marks for the line of tags and for the board."""

from __future__ import annotations

from dataclasses import dataclass, replace

from classroom.engine import events as e
from classroom.engine.observation import Observation
from classroom.web.faces import LOOKS, ClassFace, faces_of


@dataclass(frozen=True, slots=True)
class Mark:
    """`asker` asked `target` (None: everybody) for a class.

    `came`: cards given, 0 for none, None: still open.
    """

    seq: int
    asker: int
    target: int | None
    asks: ClassFace
    came: int | None


def marks(seen: Observation, look: str = LOOKS[0]) -> tuple[Mark, ...]:
    """Every ask of the round with what came of it, oldest first. History, never a deduction."""
    faces = faces_of(seen.rules, look)
    found: list[Mark] = []
    for item in seen.history:
        match item.event:
            case e.Asked(seat=seat, target=target, class_=class_):
                other = None if target == "all" else target
                found.append(Mark(item.seq, seat, other, faces.asks(class_), None))
            case e.Gave(number=number):
                found[-1] = _with(found[-1], number)
            case e.SaidGoFish():
                found[-1] = _with(found[-1], 0)
    return tuple(found)


def _with(mark: Mark, number: int) -> Mark:
    """The mark when an asked player has answered; of everybody, one after the other does."""
    return replace(mark, came=(mark.came or 0) + number)
