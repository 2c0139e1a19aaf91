"""Faces: twelve animals on four lily pads. An animal and a pad make a child's face in its class."""

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
    """Every face: all animals on the first pad, then all on the second, and so on."""
    return ((animal, pad) for pad in PADS for animal in ANIMALS)


def free_face(taken: Collection[Face], animal: str | None = None) -> Face | None:
    """A face that is not taken, with this animal if one is given; None if there is none left.

    Without `animal`, the animal that the fewest children have is chosen: animals are told apart at
    a glance, pads only on a second look.
    """
    free = [face for face in all_faces() if face not in taken and animal in (None, face[0])]
    if not free:
        return None
    crowd = {name: sum(face[0] == name for face in taken) for name in ANIMALS}
    return min(free, key=lambda face: (crowd[face[0]], face[1]))


def animal_besides(taken: Collection[str]) -> str:
    """The first animal that is not among these; for the seat of a removed child."""
    return next((animal for animal in ANIMALS if animal not in taken), ANIMALS[0])
