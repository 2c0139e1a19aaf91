"""Every game plays its golden round as it did when a person read it."""

from __future__ import annotations

import pytest

from tests.games.playthrough import FOLDER, ROUNDS, playthrough, seat_counts

NAMES = [f"{key}-{seats}" for key, rules in ROUNDS.items() for seats in seat_counts(rules)]


@pytest.mark.walk(6)
@pytest.mark.parametrize("name", NAMES)
def test_the_golden_round_is_the_same(name: str) -> None:
    key, _, seats = name.rpartition("-")
    golden = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(key, int(seats)).splitlines() == golden.splitlines()


def test_every_game_has_exactly_its_golden_rounds() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(NAMES)
