"""The menu: every game by its key. Pure: rules as data, one file per family of games."""

from __future__ import annotations

from typing import Final

from classroom.games.classic import CLASSIC, CLASSIC_FACE_DOWN, COLOUR_PAIRS, RANK_PAIRS
from classroom.games.five_suits import FIVE_SUIT_CLASSIC, OLD_FISH
from classroom.games.fours import FOURS, FOURS_WILD
from classroom.games.game import Game
from classroom.games.guru import GURU, VARIANTS
from classroom.games.make_ten import MAKE_FIVE, MAKE_TEN
from classroom.games.wish_pairs import WISH_PAIRS

GAMES: Final[dict[str, Game]] = {
    game.key: game
    for game in (
        CLASSIC,
        CLASSIC_FACE_DOWN,
        COLOUR_PAIRS,
        RANK_PAIRS,
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
