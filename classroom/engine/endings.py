"""When a round is over (strategy point EndCheck of docs/rules.md A7, A11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from classroom.engine.events import ALL, RevealedBooks, RevealedLost, RoundOver
from classroom.engine.scoring import scores, winners
from classroom.engine.state import Position, Table

BOOKLESS_TIMES: Final = 4
"""The multiple of the stall limit at which asks without a new book also stall a round (S2)."""
FOURLESS_TURNS: Final = 10
"""Turns per seat, with an empty stock and no new four, after which a round of Fours ends (S15)."""


def check_end(t: Table) -> bool:
    """End the round if an ending is reached (step 7 of A6); returns whether the round is over.

    The endings that its rules name come first, then a dead position, then a stall (S19).
    """
    if t.may_be_dead:
        look_for_dead(t)
    if not check_own_end(t) and not t.stock:
        _check_universal_end(t)
    return t.ended_by is not None


def look_for_dead(t: Table) -> None:
    """Record whether the position is dead: the stock is empty and no book can be made any more."""
    if not t.stock:
        t.dead = not t.setup.finder.possible(t.in_play())
    t.may_be_dead = False


def check_own_end(t: Table) -> bool:
    """End the round if an ending that its rules name is reached; returns whether one was."""
    for end, has_come in t.setup.ends:
        if has_come(t):
            finish(t, end)
            return True
    return False


def count_turn(t: Table) -> bool:
    """In Fours, count a turn with an empty stock; returns whether it ends the round (S15)."""
    if t.rules.book_kind == "four":
        t.quiet = t.quiet.turned()
        if t.quiet.fourless >= FOURLESS_TURNS * t.seats:
            finish(t, "stall")
    return t.over


def finish(t: Table, ended_by: str) -> None:
    """End the round: reveal what is face down, and work out the scores."""
    t.phase, t.ended_by = "over", ended_by
    t.pending = t.drawn = t.claims = None
    if t.lost:
        t.tell(RevealedLost(audience=ALL, cards=t.setup.deck.sorted(t.lost)))
    if t.rules.visibility_books == "face_down":
        t.tell(RevealedBooks(audience=ALL, books=tuple(t.books)))
    t.tell(RoundOver(audience=ALL, ended_by=ended_by, scores=scores(t), winners=winners(t)))


def _check_universal_end(t: Table) -> None:
    """End a dead or stalled round, whatever endings its rules name (A11, S20, S35)."""
    if t.dead:
        _check_dead_end(t)
    elif _stalled(t):
        finish(t, "stall")


def _check_dead_end(t: Table) -> None:
    """End a round in a dead position; with `single_holder`, only after the extra asks of OA7.

    In Fours this is the normal end, and `all_booked` means that nothing was left over (S19).
    """
    holders = t.holders()
    if "single_holder" not in t.rules.end:
        all_laid = t.rules.book_kind == "four" and _nothing_left(t)
        finish(t, "all_booked" if all_laid else "dead")
    elif not holders:
        finish(t, "all_booked")
    elif t.quiet.dodges >= len(holders):
        finish(t, "dead")
    elif _stalled(t):
        finish(t, "stall")


def _stalled(p: Position) -> bool:
    limit = p.setup.stall_limit
    return p.quiet.idle >= limit or p.quiet.bookless >= BOOKLESS_TIMES * limit


def _nothing_left(p: Position) -> bool:
    return p.dead and not any(p.hands) and not any(p.boats)


def _target_reached(p: Position) -> bool:
    target = p.rules.end_books_target
    return target is not None and max(map(len, p.books)) >= target


def _one_holder(p: Position) -> bool:
    return p.dead and len(p.holders()) == 1


def _hand_empty(p: Position) -> bool:
    return not all(p.hands)


def _stock_out(p: Position) -> bool:
    return not p.stock


OWN_ENDS: Final[dict[str, Callable[[Position], bool]]] = {
    "all_booked": _nothing_left,
    "books_target": _target_reached,
    "single_holder": _one_holder,
    "hand_empty": _hand_empty,
    "stock_out": _stock_out,
}
