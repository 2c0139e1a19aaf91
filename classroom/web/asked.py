"""What was asked: public history as marks for the line of tags and for the board."""

from __future__ import annotations

from dataclasses import dataclass

from classroom.engine import events as e
from classroom.engine.observation import Observation
from classroom.web.faces import ClassFace, class_face


@dataclass(frozen=True, slots=True)
class Mark:
    """`asker` asked `target` for a class. `came`: cards given, 0 for none, None: still open."""

    seq: int
    asker: int
    target: int
    asks: ClassFace
    came: int | None


def marks(seen: Observation) -> tuple[Mark, ...]:
    """Every ask of the round with what came of it, oldest first. History, never a deduction."""
    found: list[Mark] = []
    for item in seen.history:
        match item.event:
            case e.Asked(seat=seat, target=int(target), class_=class_):
                found.append(Mark(item.seq, seat, target, class_face(class_), None))
            case e.Gave(giver=giver, number=number) if _open(found, giver):
                found[-1] = _closed(found[-1], number)
            case e.SaidGoFish(seat=seat) if _open(found, seat):
                found[-1] = _closed(found[-1], 0)
    return tuple(found)


def _open(found: list[Mark], seat: int) -> bool:
    return bool(found) and found[-1].came is None and found[-1].target == seat


def _closed(mark: Mark, came: int) -> Mark:
    return Mark(mark.seq, mark.asker, mark.target, mark.asks, came)
