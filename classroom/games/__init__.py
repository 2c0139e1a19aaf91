"""The menu: every game by its key. Pure data; the games themselves are in menu.py."""

from classroom.games.menu import GAMES, Game

__all__ = ["GAMES", "Game"]
