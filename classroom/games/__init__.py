"""The menu: every game of the house, by its key. Pure: rules as data, one file per family."""

from __future__ import annotations

from typing import Final

from classroom.games.classic import CLASSIC, CLASSIC_FACE_DOWN, COLOUR_PAIRS, RANK_PAIRS
from classroom.games.game import Game

GAMES: Final[dict[str, Game]] = {
    game.key: game for game in (CLASSIC, CLASSIC_FACE_DOWN, COLOUR_PAIRS, RANK_PAIRS)
}

__all__ = ["GAMES", "Game"]
