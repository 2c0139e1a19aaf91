"""The menu: every game by its key. Pure data; the games themselves are in menu.py."""

from __future__ import annotations

from typing import Final

from classroom.games.game import Game
from classroom.games.menu import (
    CLASSIC,
    CLASSIC_FACE_DOWN,
    COLOUR_PAIRS,
    FIVE_SUIT_CLASSIC,
    FOURS,
    FOURS_WILD,
    GURU,
    LOW_TIDE,
    MAKE_FIVE,
    MAKE_TEN,
    OLD_FISH,
    RANK_PAIRS,
    VARIANTS,
    WISH_PAIRS,
)

GAMES: Final[dict[str, Game]] = {
    game.key: game
    for game in (
        CLASSIC,
        CLASSIC_FACE_DOWN,
        COLOUR_PAIRS,
        RANK_PAIRS,
        LOW_TIDE,
        GURU,
        *VARIANTS,
        WISH_PAIRS,
        FOURS,
        FOURS_WILD,
        OLD_FISH,
        FIVE_SUIT_CLASSIC,
        MAKE_TEN,
        MAKE_FIVE,
    )
}

__all__ = ["GAMES", "Game"]
