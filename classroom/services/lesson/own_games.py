"""The games of a class: the games on its shelf, and games for which the teacher chose the rules.

`by` is the teacher who makes the change, for the audit log. If a game is renamed, rounds in
progress show the new name. If a game is removed, they keep its rules, but no new round can begin.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import delete, update

from classroom.database import db, write_unit
from classroom.engine.checks import check, demand
from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.models import Gathering, OwnGame, SchoolClass
from classroom.services.base import audit, clock, limits, names, notices
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import check_version, held, in_class
from classroom.services.lesson import gatherings
from classroom.services.table import offers

MOST_OWN_GAMES: Final = 12  # the most for one class; children cannot tell more apart
LONGEST_NAME: Final = 30


def save(class_id: int, game: str, name: str, rules: Rules, look: str, by: int | None) -> int:
    """Save a new game for the class and put it on the shelf; returns its id. Raises Refused
    (`games_full`, or `game_name_` with `empty`, `long`, `odd` or `known`), NotFound for a game that
    is not on the menu, and RulesError for rules that cannot be played."""
    if game not in GAMES:
        raise NotFound("game")
    rules = checked(rules)
    with write_unit():
        own = offers.own_games(class_id)
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
    """Rename one of the class's games. Raises NotFound, Changed, and Refused as `save` does."""
    with write_unit():
        held(SchoolClass, class_id)
        row = in_class(OwnGame, own_id, class_id)
        check_version(version, row.name)
        others = [own for own in offers.own_games(class_id) if own.id != own_id]
        row.name = _new_name(name, others)
        audit.record(by, "own_game_renamed", "class", class_id)


def remove(class_id: int, own_id: int, by: int | None) -> None:
    """Remove a game from the class, and the tables that still wait to play it. A match in progress
    keeps its rules as long as the same friends play. With other friends, the table plays the menu
    game on which the removed game was based. Raises NotFound."""
    with write_unit():
        row = in_class(OwnGame, own_id, class_id)
        of_it = (Gathering.class_id == class_id) & (Gathering.game == offers.own_key(own_id))
        gatherings.hold_tables(of_it)
        db.session.execute(delete(Gathering).where(of_it, Gathering.match_id.is_(None)))
        db.session.execute(update(Gathering).where(of_it).values(game=row.game))
        db.session.delete(row)
        audit.record(by, "own_game_removed", "class", class_id)
    notices.friends(class_id)


def put_on_shelf(class_id: int, keys: Collection[str], by: int | None, version: str = "") -> None:
    """Put exactly these games on the shelf; unknown `keys` are ignored. Raises Changed, and
    Refused("shelf_empty") if no game is left: children must have something to play."""
    with write_unit():
        class_ = held(SchoolClass, class_id)
        check_version(version, offers.offered(class_id))
        own = offers.own_games(class_id)
        menu = [key for key in GAMES if key in keys]
        if not menu and not any(offers.own_key(row.id) in keys for row in own):
            raise Refused("shelf_empty")
        class_.shelf = menu
        for row in own:
            row.shown = offers.own_key(row.id) in keys
        audit.record(by, "shelf", "class", class_id)


def checked(rules: Rules) -> Rules:
    """Limit the rules to the numbers of seats for which they can be played; returns the new rules.
    Raises RulesError if they cannot be played at all."""
    low, high = rules.seats
    serve = [seats for seats in range(low, high + 1) if check(rules, seats).lawful]
    if not serve:
        demand(rules, low)
    return rules.changed(seats=(serve[0], serve[-1]))


def _new_name(name: str, others: Collection[OwnGame]) -> str:
    tidy = names.tidy(name)
    trouble = names.trouble(tidy, LONGEST_NAME, digits=True)
    if trouble:
        raise Refused(f"game_name_{trouble}")
    if names.is_like_one_of(tidy, [other.name for other in others]):
        raise Refused("game_name_known", name=tidy)
    return tidy
