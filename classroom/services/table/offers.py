"""What lies on the shelf of a class: games of the menu, and games with rules of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlalchemy import select

from classroom.database import db
from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.games.decks import deck_rules
from classroom.games.game import Game
from classroom.models import OwnGame, SchoolClass
from classroom.services.base.errors import NotFound
from classroom.services.table.states import rules_of

DEFAULT: Final = (
    "classic",
    "rank_pairs",
    "wish_pairs",
    "make_five",
    "make_ten",
    "old_fish",
    "fours",
)
"""The games that need no choice of a teacher: one of each family, the easy ones first."""

LOOK: Final = "both"  # how the numbers of Make Ten are shown where nobody chose
_OWN: Final = "own-"


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that can be started. `key`: what a form sends; `game`: that of the menu, with its
    picture and its words. `own_id`, `rules`: of a class's own game; None for one of the menu."""

    key: str
    name: str
    game: Game
    own_id: int | None = None
    rules: Rules | None = None
    look: str = LOOK

    @property
    def pictures(self) -> str:
        """The key of the menu's game whose pictures tell how this one is played."""
        return self.game.key if self.rules is None else _most_like(self.rules, self.game.key)

    @property
    def seats(self) -> tuple[int, int]:
        """The fewest and the most seats."""
        return (self.rules or self.game.rules).seats

    def rules_for(self, seats: int, deck: str) -> Rules:
        """The rules at a table. `deck`: the size that was set for the child; what a teacher has
        mixed is played as it was mixed."""
        return self.rules or deck_rules(self.game, seats, deck)


@lru_cache(256)
def _most_like(rules: Rules, key: str) -> str:
    """The game that differs from `rules` in the fewest dimensions, of equals the one of `key`."""
    wanted = rules.to_json()

    def unlike(other: str) -> tuple[int, bool]:
        found = GAMES[other].rules.to_json()
        return sum(found[name] != value for name, value in wanted.items()), other != key

    return min(GAMES, key=unlike)


def of_menu(key: str) -> Offer:
    """A game of the menu as it is. Raises NotFound."""
    if key not in GAMES:
        raise NotFound("game")
    return Offer(key, GAMES[key].name, GAMES[key])


def of_own(row: OwnGame) -> Offer:
    """A class's own game."""
    game = GAMES[row.game]
    return Offer(own_key(row.id), row.name, game, row.id, rules_of(row.rules), row.look)


def own_key(own_id: int) -> str:
    return f"{_OWN}{own_id}"


def find(class_id: int, key: str) -> Offer:
    """What this key names for this class, on the shelf or not. Raises NotFound."""
    if not key.startswith(_OWN):
        return of_menu(key)
    for row in own_games(class_id):
        if own_key(row.id) == key:
            return of_own(row)
    raise NotFound("game")


def own_games(class_id: int) -> list[OwnGame]:
    """The class's own games, in the order in which they were made."""
    rows = select(OwnGame).where(OwnGame.class_id == class_id).order_by(OwnGame.id)
    return list(db.session.scalars(rows))


def menu_shelf(class_id: int) -> tuple[str, ...]:
    """The games of the menu that lie on the shelf, in the order of the shelf."""
    row = db.session.get(SchoolClass, class_id)
    return DEFAULT if row is None or row.shelf is None else tuple(row.shelf)


def shelf(class_id: int) -> tuple[Offer, ...]:
    """All that the children of this class may start by themselves."""
    own = (of_own(row) for row in own_games(class_id) if row.shown)
    return (*map(of_menu, menu_shelf(class_id)), *own)


def offered(class_id: int) -> tuple[str, ...]:
    """The keys of what lies on the shelf."""
    return tuple(offer.key for offer in shelf(class_id))
