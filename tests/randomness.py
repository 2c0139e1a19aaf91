"""Randomness that is the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from classroom.engine.chance import Lots
from classroom.services.quiz import posing
from classroom.services.table import matches, players, rounds


@contextmanager
def drawn_from(rng: Random) -> Iterator[None]:
    """Draw decks, dealers, seeds, questions and all other chance in a round from this source."""
    with pytest.MonkeyPatch.context() as patch:
        for room, name in ((matches, "_random"), (players, "_random"), (posing, "_lots")):
            patch.setattr(room, name, rng)
        patch.setattr(rounds, "_chance", Lots(rng))
        yield
