"""Signs of devices at a door: coloured shapes that a teacher can spot in the children's hands.

The shapes differ in outline, and none looks like another when the device is turned, so two signs
at one child's door can be told apart without their colours.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Final, NamedTuple

COLOURS: Final = ("red", "orange", "green", "blue", "purple", "pink")
SHAPES: Final = ("circle", "square", "triangle", "star", "heart", "drop", "cloud", "cross")


class Sign(NamedTuple):
    colour: str
    shape: str

    @property
    def key(self) -> str:
        """Its name in forms and in the database: `blue-star`."""
        return f"{self.colour}-{self.shape}"

    @property
    def words(self) -> str:
        """Its name for people: `blue star`."""
        return f"{self.colour} {self.shape}"


SIGNS: Final = {sign.key: sign for sign in (Sign(c, s) for c in COLOURS for s in SHAPES)}


def draw(taken: Collection[Sign], beside: Collection[Sign]) -> Sign | None:
    """Draw a random sign that is not `taken`; returns None if all are.

    If possible, its shape differs from those of all `taken` signs; failing that, from those of the
    signs `beside` it, at the same child's door.
    """
    free = [sign for sign in SIGNS.values() if sign not in taken]
    for others in (taken, beside, ()):
        shapes = {sign.shape for sign in others}
        if found := [sign for sign in free if sign.shape not in shapes]:
            return secrets.choice(found)
    return None
