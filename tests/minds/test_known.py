"""What a seat knows in one round of each game, with all proofs, is unchanged."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from classroom.engine import observe
from classroom.engine.observation import Observation
from classroom.games import GAMES
from classroom.minds.memory.perfect_memory import remember
from tests.engine.tabletop import steps

FIXED = Path(__file__).with_name("known.json")


def known(observation: Observation) -> list[object]:
    """The bounds for each seat and class, with the places of their proofs in the history."""
    memory = remember(observation)
    place = {id(seen): at for at, seen in enumerate(observation.history)}
    return [
        (
            memory.bounds(seat, class_),
            sorted(place[id(seen)] for seen in memory.proof(seat, class_)),
            sorted(place[id(seen)] for seen in memory.proof(seat, class_, high=True)),
        )
        for seat in range(observation.seats)
        for class_ in memory.kinds.deck.members
    ]


@pytest.mark.walk(3)
@pytest.mark.parametrize("game", GAMES)
def test_a_seats_knowledge_of_a_round_is_unchanged(game: str) -> None:
    """After a deliberate change, write the new digests into known.json by hand."""
    rules = GAMES[game].rules
    states = [step.state for _, step in steps(rules, rules.seats[0], seed=1)]
    found = [known(observe(state, 0)) for state in states[4:41:6] if not state.over]
    digest = sha256(json.dumps(found).encode()).hexdigest()[:16]
    assert digest == json.loads(FIXED.read_text(encoding="utf-8"))[game]
