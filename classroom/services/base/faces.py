"""Faces: twelve animals on four lily pads; together they are a child's own face in a class."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

ANIMALS: Final = (
    "fox",
    "owl",
    "bear",
    "rabbit",
    "turtle",
    "whale",
    "frog",
    "duck",
    "cat",
    "mouse",
    "hedgehog",
    "penguin",
)
PADS: Final = (1, 2, 3, 4)

Face = tuple[str, int]


def all_faces() -> Iterator[Face]:
    """Every face; each animal once before any comes a second time on another pad."""
    return ((animal, pad) for pad in PADS for animal in ANIMALS)


def free_face(taken: Collection[Face], animal: str | None = None) -> Face | None:
    """A face that nobody has, with this animal if one is named; None when there is none left.

    Without a wish the animal that fewest children have comes first: animals are told apart at a
    glance, pads only at a second one.
    """
    free = [face for face in all_faces() if face not in taken and animal in (None, face[0])]
    if not free:
        return None
    crowd = {name: sum(face[0] == name for face in taken) for name in ANIMALS}
    return min(free, key=lambda face: (crowd[face[0]], face[1]))


def animal_besides(taken: Collection[str]) -> str:
    """An animal that is not among these, always the same one; for a seat without a person."""
    return next((animal for animal in ANIMALS if animal not in taken), ANIMALS[0])
