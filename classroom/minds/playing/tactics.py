"""How the strongest level chooses when no catch is certain: what an ask gives away counts too.

A card fished is a secret; a card caught is known to all, and so is every class asked for. At a
table that uses what it hears, an early catch that completes no book is soon taken away again, while
the seat that has the turn as the pond runs out collects what the others have shown. The weights
come from playing on, after each possible ask, from about 100,000 positions of classic rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from classroom.engine import events as ev
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.minds.memory.deck_facts import kinds_of
from classroom.minds.playing.weighing import Prospect

DEEP_POND: Final = 10  # cards in the pond; with fewer, imagined worlds beat an even spread
LOW_POND: Final = 4  # cards in the pond; with no more, a catch is worth having to keep the turn
BOOK, KEPT_TURN, SHOWN, NEW_CLASS = 13.0, 39.0, -1.0, 3.0
"""The worth of a book, of a late and of an early catch, and of asking for a class not yet shown.

A new class is worth the secret that the ask gives away: a seat with cards of a class that the asker
has shown would have asked for the asker's cards, so asking for that class again finds nothing.
"""


def worth(observation: Observation) -> Callable[[Prospect], float]:
    """Return the key by which to sort the asks at this position, if no catch is certain."""
    if not _played_out(observation.rules):
        return Prospect.worth  # a round may end before a kept secret is of use
    if chance_missed(observation):
        return lambda prospect: prospect.chance
    catch = KEPT_TURN if observation.stock_size <= LOW_POND else SHOWN

    def among_listeners(prospect: Prospect) -> float:
        if prospect.chance == 0:
            return SHOWN
        new = 0.0 if prospect.known else NEW_CLASS
        return prospect.chance * (catch + BOOK * prospect.books) + new

    return among_listeners


def plays_on(observation: Observation) -> bool:
    """Whether playouts are worth their time: when the pond is low, so that the round is soon
    decided, and the table does not listen."""
    return (
        observation.stock_size <= LOW_POND
        and _played_out(observation.rules)
        and chance_missed(observation)
    )


def even_spread_will_do(observation: Observation) -> bool:
    """Whether chances from an even spread of the unseen cards are good enough, so that no deals
    need be imagined: the pond is deep, the round goes on until all books are made, and no other
    seat has passed up a catch that it could be sure of."""
    return (
        observation.stock_size >= DEEP_POND
        and _played_out(observation.rules)
        and not chance_missed(observation)
    )


def chance_missed(observation: Observation) -> bool:
    """Whether another seat has passed up cards that, as all had heard, it could take.

    Only for games in which a seat holds the class it asks for; otherwise False.
    """
    kinds = kinds_of(observation.rules)
    if kinds.by_card or kinds.parts_rivals:
        return False
    holders: dict[str, set[int]] = defaultdict(set)
    for entry in observation.history:
        match entry.event:
            case ev.Asked(seat=seat, target=target, class_=class_):
                if seat != observation.viewer and _passed_by(holders, seat, target, class_):
                    return True
                holders[class_].add(seat)
            case ev.Gave(giver=giver, taker=taker, class_=class_):
                holders[class_] = holders[class_] - {giver} | {taker}
            case ev.LaidBook(class_=str(class_)):
                holders.pop(class_, None)
            case ev.FishedFromHand():
                holders.clear()  # any card may have gone
    return False


def _played_out(rules: Rules) -> bool:
    """Whether a round goes on as long as any book can be made."""
    return set(rules.end) <= {"all_booked"}


def _passed_by(holders: dict[str, set[int]], seat: int, target: int | str, class_: str) -> bool:
    """Whether this seat could take cards for certain but asks for something else."""
    certain = {name for name, seats in holders.items() if seat in seats and len(seats) > 1}
    others = holders[class_] - {seat}  # a seat that asks for a class has it
    return bool(certain or others) and target not in {*others, "all"}
