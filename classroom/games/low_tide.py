"""Low tide: a game played by all against the pond (rules T1 to T9), and its dial."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from classroom.engine.checks import check
from classroom.engine.rules import Rules
from classroom.games.game import Game
from classroom.games.variants import deck_rules

SEATS: Final = (3, 4)
STEPS: Final = {3: 8, 4: 7}


def low_tide(game: Game, seats: int, deck: str, band: str) -> Rules | None:
    """The rules of this game as low tide, with this deck size (`variants.DECKS`), for children of
    this age band; None if it cannot be played so."""
    if seats not in SEATS:
        return None
    together: dict[str, Any] = {"seats": list(SEATS)}
    rules = deck_rules(replace(game, rules=game.rules.changed(together)), seats, deck)
    rules = rules.changed({"end.tide": STEPS[seats]})
    return rules if check(rules, seats).lawful else None
