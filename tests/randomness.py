"""Randomness that is the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from classroom.engine.actions import Lots
from classroom.services.quiz import posing
from classroom.services.table import matches, rounds


def draw_from(rng: Random, patch: pytest.MonkeyPatch) -> None:
    """Draw decks, dealers, seeds, questions and all other chance in a round from this source."""
    for room, name in ((matches, "_random"), (posing, "_lots")):
        patch.setattr(room, name, rng)
    patch.setattr(rounds, "_chance", Lots(rng))


@contextmanager
def drawn_from(rng: Random) -> Iterator[None]:
    """Draw from this source until the end of the block."""
    with pytest.MonkeyPatch.context() as patch:
        draw_from(rng, patch)
        yield
