"""The shelf of a class: games of the menu, and the class's own games."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import delete, select, update

from classroom.database import db, hold, write_unit
from classroom.engine.checks import check, demand
from classroom.engine.rules import Rules, RulesError
from classroom.games import GAMES
from classroom.games.menu import Game
from classroom.games.variants import USUAL_AGE, deck_rules, fewest_seats
from classroom.models import Gathering, OwnGame, SchoolClass
from classroom.services.base import audit, clock, limits, names, notices
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import check_version, held
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

LOOK: Final = "both"  # how the numbers of Make Ten are drawn by default
_OWN: Final = "own-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A game that can be started. `key`: what a form sends; `game`: the menu's game, with its
    picture and words. `own_id`, `rules`: set only for a class's own game, based on `game`."""

    key: str
    name: str
    game: Game
    own_id: int | None = None
    rules: Rules | None = None
    look: str = LOOK

    @property
    def pictures(self) -> str:
        """The key of the menu's game whose pictures explain this game."""
        return self.game.key if self.rules is None else _most_like(self.rules, self.game.key)

    @property
    def seats(self) -> tuple[int, int]:
        """The fewest and the most seats."""
        return (self.rules or self.game.rules).seats

    def fewest(self, band: str) -> int:
        """The fewest seats of a table of children of this age; a class's own game ignores it."""
        return self.seats[0] if self.rules else fewest_seats(self.game, band)

    def rules_for(self, seats: int, deck: str, band: str = USUAL_AGE) -> Rules:
        """The rules at a table for this deck size and age, which a class's own game ignores."""
        return self.rules or deck_rules(self.game, seats, deck, band)


@lru_cache(256)
def _most_like(rules: Rules, key: str) -> str:
    """The menu's game that differs from `rules` in the fewest dimensions; in a tie, `key`. Only
    rules with a tide can be most like the menu's game that has a tide."""
    wanted = rules.to_json()
    tidal = rules.end_tide is not None

    def unlike(other: str) -> tuple[int, bool]:
        found = GAMES[other].rules.to_json()
        return sum(found.get(name) != value for name, value in wanted.items()), other != key

    games = (one for one in GAMES if tidal or GAMES[one].rules.end_tide is None)
    return min(games, key=unlike)


def rules_of(data: dict[str, Any], seats: int | None = None) -> Rules | None:
    """The rules from a row, for this number of seats (None: for all that the rules allow); None if
    today's program refuses rules that an earlier version saved."""
    with suppress(RulesError):
        rules = read_rules(json.dumps(data, sort_keys=True))
        fewest, most = (seats, seats) if seats else rules.seats
        for number in range(fewest, most + 1):
            demand(rules, number)
        return rules
    return None


def only_asks(rules: Rules) -> bool:
    """Whether a turn is an ask of one player for a class of cards, answered at once, and nothing
    else: books are laid by themselves, and a fished card is shown without a choice."""
    asks = (rules.ask_what, rules.ask_scope, rules.ask_bait) == ("class", "one", "nobody")
    answers = rules.response in ("all", "one") and rules.lucky != "again_may_show"
    return asks and answers and rules.book_lay == "auto"


def of_menu(key: str) -> Offer:
    """The offer of a game of the menu, unchanged. Raises NotFound."""
    if key not in GAMES:
        raise NotFound("game")
    return Offer(key=key, name=GAMES[key].name, game=GAMES[key])


def of_own(row: OwnGame) -> Offer | None:
    """A class's own game; None if today's program refuses the rules that were saved."""
    game, rules = GAMES.get(row.game), rules_of(row.rules)
    if game is None or rules is None:
        return None
    return Offer(
        key=own_key(row.id), name=row.name, game=game, own_id=row.id, rules=rules, look=row.look
    )


def own_key(own_id: int) -> str:
    return f"{_OWN}{own_id}"


def find(class_id: int, key: str) -> Offer:
    """The game with this key in this class, on the shelf or not. Raises NotFound, also for a game
    that today's program refuses."""
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


def menu_shelf(class_id: int) -> tuple[str, ...]:
    """The keys of the menu's games on the shelf, in the shelf's order."""
    row = db.session.get(SchoolClass, class_id)
    if row is None or row.shelf is None:
        return DEFAULT
    return tuple(key for key in row.shelf if key in GAMES)


def shelf(class_id: int) -> tuple[Offer, ...]:
    """All games that the children of this class may start by themselves."""
    own = (of_own(row) for row in own_games(class_id) if row.shown)
    found = (*map(of_menu, menu_shelf(class_id)), *filter(None, own))
    return found or tuple(map(of_menu, DEFAULT))  # children must have something to play


def offered(class_id: int) -> tuple[str, ...]:
    """The keys of all games on the shelf."""
    return tuple(offer.key for offer in shelf(class_id))


# ---- What a teacher changes: the games on the shelf, and games with the class's own rules
#
# `by` is the teacher who makes the change, for the audit log. A round in progress keeps its rules,
# and shows the new name of a game that is renamed. A game that is removed can no longer be started.

MOST_OWN_GAMES: Final = 12  # with more games of its own, children could not tell them apart
LONGEST_GAME_NAME: Final = 30


def save(class_id: int, game: str, name: str, rules: Rules, look: str, by: int | None) -> int:
    """Save a new game of the class and put it on the shelf; returns its id.

    Raises Refused: `game_name_empty`, `_long`, `_odd`, `_known`, `games_full`; NotFound for a game
    that is not on the menu; RulesError for rules that cannot be played.
    """
    if game not in GAMES:
        raise NotFound("game")
    rules = checked(rules)
    with write_unit():
        own = own_games(class_id)
        if len(own) >= MOST_OWN_GAMES:
            raise Refused("games_full", most=MOST_OWN_GAMES)
        limits.check("own_games")
        row = OwnGame(
            class_id=class_id,
            name=_new_name(name, own),
            game=game,
            rules=rules.to_json(),
            look=look,
            made_at=clock.now(),
        )
        db.session.add(row)
        db.session.flush()
        audit.record(by, "own_game_made", "class", class_id)
        return row.id


def rename(class_id: int, own_id: int, name: str, by: int | None, version: str = "") -> None:
    """Rename a game of the class. Raises NotFound, Changed, and Refused as `save` does."""
    with write_unit():
        held(SchoolClass, class_id)
        row = _row(class_id, own_id)
        check_version(version, row.name)
        others = [own for own in own_games(class_id) if own.id != own_id]
        row.name = _new_name(name, others)
        audit.record(by, "own_game_renamed", "class", class_id)


def remove(class_id: int, own_id: int, by: int | None) -> None:
    """Remove a game of the class, and the tables still waiting to play it. A match in progress
    keeps its rules while the same friends sit there; with other friends, the table plays the menu
    game from which the removed one was made. Raises NotFound."""
    with write_unit():
        row = _row(class_id, own_id)
        of_it = (Gathering.class_id == class_id) & (Gathering.game == own_key(own_id))
        # all in one statement and by id, as gatherings.hold_tables explains
        tables = select(Gathering.id).where(of_it).order_by(Gathering.id)
        db.session.execute(hold(tables))
        db.session.execute(delete(Gathering).where(of_it, Gathering.match_id.is_(None)))
        db.session.execute(update(Gathering).where(of_it).values(game=row.game))
        db.session.delete(row)
        audit.record(by, "own_game_removed", "class", class_id)
    notices.friends(class_id)


def put_on_shelf(class_id: int, keys: Collection[str], by: int | None, version: str = "") -> None:
    """Put exactly these games on the shelf; unknown `keys` are ignored. Raises
    Refused("shelf_empty") if none is left, since children must have something to play; Changed."""
    with write_unit():
        class_ = held(SchoolClass, class_id)
        check_version(version, offered(class_id))
        own = own_games(class_id)
        menu = [key for key in GAMES if key in keys]
        if not menu and not any(own_key(row.id) in keys for row in own):
            raise Refused("shelf_empty")
        class_.shelf = menu
        for row in own:
            row.shown = own_key(row.id) in keys
        audit.record(by, "shelf", "class", class_id)


def checked(rules: Rules) -> Rules:
    """Limit the range of seats to those for which the rules can be played; returns the new rules.

    Raises RulesError if they cannot be played at all.
    """
    low, high = rules.seats
    serve = [seats for seats in range(low, high + 1) if check(rules, seats).lawful]
    if not serve:
        demand(rules, low)
    return rules.changed(seats=(serve[0], serve[-1]))


def _row(class_id: int, own_id: int) -> OwnGame:
    row = db.session.get(OwnGame, own_id)
    if row is None or row.class_id != class_id:
        raise NotFound("game")
    return row


def _new_name(name: str, others: Collection[OwnGame]) -> str:
    tidy = names.tidy(name)
    trouble = names.trouble(tidy, LONGEST_GAME_NAME, digits=True)
    if trouble:
        raise Refused(f"game_name_{trouble}")
    if names.is_like_one_of(tidy, [other.name for other in others]):
        raise Refused("game_name_known", name=tidy)
    return tidy
