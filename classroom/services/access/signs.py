"""Signs of devices at a door: a shape in a colour that a teacher finds again in a child's hands.

The shapes differ in outline and none turns into another when the device is turned, so the colour is
never needed to tell two signs at one child's door apart.
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
        """What a form and the database call it: `blue-star`."""
        return f"{self.colour}-{self.shape}"

    @property
    def words(self) -> str:
        """What people call it: `blue star`."""
        return f"{self.colour} {self.shape}"


SIGNS: Final = {sign.key: sign for sign in (Sign(c, s) for c in COLOURS for s in SHAPES)}


def draw(taken: Collection[Sign], beside: Collection[Sign]) -> Sign | None:
    """A sign by lot that is not `taken`; None when all are.

    Its shape is new to the whole class while there is such a shape, then at least new among the
    signs `beside` it, which stand at the same child's door.
    """
    free = [sign for sign in SIGNS.values() if sign not in taken]
    for known in (taken, beside, ()):
        shapes = {sign.shape for sign in known}
        if found := [sign for sign in free if sign.shape not in shapes]:
            return secrets.choice(found)
    return None
