"""The shelf of a class: games from the menu, and the class's own games."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import select

from classroom.database import db
from classroom.engine.checks import demand
from classroom.engine.rules import Rules, RulesError
from classroom.games import GAMES
from classroom.games.menu import Game
from classroom.games.variants import USUAL_AGE, deck_rules, fewest_seats
from classroom.models import OwnGame, SchoolClass
from classroom.services.base.errors import NotFound
from classroom.services.table.states import read_rules

DEFAULT: Final = (
    "classic",
    "rank_pairs",
    "wish_pairs",
    "low_tide",
    "make_five",
    "make_ten",
    "old_fish",
    "fours",
)
"""The games on the shelf until the teacher chooses: different kinds, easy ones first."""

LOOK: Final = "both"  # how the numbers in Make Ten are drawn by default
_OWN: Final = "own-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A game that can be started. `key`: its key in forms. `game`: the game on the menu, with its
    picture and words. `own_id`, `rules`: set only for a class's own game, based on `game`."""

    key: str
    name: str
    game: Game
    own_id: int | None = None
    rules: Rules | None = None
    look: str = LOOK

    @property
    def pictures(self) -> str:
        """The key of the game on the menu whose pictures explain this game."""
        return self.game.key if self.rules is None else _most_like(self.rules, self.game.key)

    @property
    def seats(self) -> tuple[int, int]:
        """The fewest and the most seats."""
        return (self.rules or self.game.rules).seats

    def fewest(self, band: str) -> int:
        """The fewest seats for children of this age; a class's own game ignores the age."""
        return self.seats[0] if self.rules else fewest_seats(self.game, band)

    def rules_for(self, seats: int, deck: str, band: str = USUAL_AGE) -> Rules:
        """The rules for this number of seats, deck and age. A class's own game has fixed rules."""
        return self.rules or deck_rules(self.game, seats, deck, band)


@lru_cache(256)
def _most_like(rules: Rules, key: str) -> str:
    """The key of the menu game that differs from `rules` in the fewest dimensions; in a tie,
    `key`. Games with a tide are considered only if `rules` have a tide."""
    wanted = rules.to_json()
    tidal = rules.end_tide is not None

    def unlike(other: str) -> tuple[int, bool]:
        found = GAMES[other].rules.to_json()
        return sum(found.get(name) != value for name, value in wanted.items()), other != key

    games = (one for one in GAMES if tidal or GAMES[one].rules.end_tide is None)
    return min(games, key=unlike)


def rules_of(data: dict[str, Any], seats: int | None = None) -> Rules | None:
    """The rules from a row, checked for `seats` seats (None: for all numbers that they allow).
    Returns None if this version of the program refuses the rules, which an earlier version may
    have saved."""
    with suppress(RulesError):
        rules = read_rules(json.dumps(data, sort_keys=True))
        fewest, most = (seats, seats) if seats else rules.seats
        for number in range(fewest, most + 1):
            demand(rules, number)
        return rules
    return None


def only_asks(rules: Rules) -> bool:
    """Whether the only choice in a turn is whom to ask for which class of cards. Answers and books
    follow automatically, and so does showing a fished card."""
    asks = (rules.ask_what, rules.ask_scope, rules.ask_bait) == ("class", "one", "nobody")
    answers = rules.response in ("all", "one") and rules.lucky != "again_may_show"
    return asks and answers and rules.book_lay == "auto"


def of_menu(key: str) -> Offer:
    """The offer for this game on the menu. Raises NotFound."""
    if key not in GAMES:
        raise NotFound("game")
    return Offer(key=key, name=GAMES[key].name, game=GAMES[key])


def of_own(row: OwnGame) -> Offer | None:
    """The offer for a class's own game; None if this version of the program refuses its rules."""
    game, rules = GAMES.get(row.game), rules_of(row.rules)
    if game is None or rules is None:
        return None
    key = own_key(row.id)
    return Offer(key=key, name=row.name, game=game, own_id=row.id, rules=rules, look=row.look)


def own_key(own_id: int) -> str:
    return f"{_OWN}{own_id}"


def find(class_id: int, key: str) -> Offer:
    """The game with this key in this class, even if it is not on the shelf. Raises NotFound,
    including for a game that this version of the program refuses."""
    if not key.startswith(_OWN):
        return of_menu(key)
    for row in own_games(class_id):
        if own_key(row.id) == key and (offer := of_own(row)):
            return offer
    raise NotFound("game")


def own_games(class_id: int) -> list[OwnGame]:
    """The class's own games, oldest first."""
    rows = select(OwnGame).where(OwnGame.class_id == class_id).order_by(OwnGame.id)
    return list(db.session.scalars(rows))


def shelf(class_id: int) -> tuple[Offer, ...]:
    """All games that the children in this class may start by themselves."""
    row = db.session.get(SchoolClass, class_id)
    menu = DEFAULT if row is None or row.shelf is None else row.shelf
    own = (of_own(row) for row in own_games(class_id) if row.shown)
    found = (*(of_menu(key) for key in menu if key in GAMES), *filter(None, own))
    return found or tuple(map(of_menu, DEFAULT))  # children must have something to play


def offered(class_id: int) -> tuple[str, ...]:
    """The keys of all games on the shelf."""
    return tuple(offer.key for offer in shelf(class_id))
