"""The books that a child has made, as little stacks for its home page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from classroom.web.child.card_faces import ClassFace, named_face

PILED: Final = 5  # a stack is drawn with at most this many books; the number on it is exact


@dataclass(frozen=True, slots=True)
class Stack:
    """All books of one kind. `asks`: what they are made of, None if that is not known."""

    asks: ClassFace | None
    number: int

    @property
    def piled(self) -> int:
        """The number of books drawn in the stack."""
        return min(self.number, PILED)


def stacks(made: Mapping[str, int]) -> tuple[Stack, ...]:
    """The stacks of a collection (services/table/collection.py): numbers first, in order. Sevens
    are one stack, whatever their colours."""
    found: Counter[ClassFace | None] = Counter()
    for name, number in made.items():
        found[named_face(name) if name else None] += number
    return tuple(Stack(face, found[face]) for face in sorted(found, key=_order))


def _order(face: ClassFace | None) -> tuple[int, int, str]:
    if face is None:
        return 9, 0, ""
    kinds = ("rank", "sum", "family", "traits")
    return (*((kinds.index(face.kind), face.whole) if face.kind in kinds else (8, 0)), face.key)
