"""Points and winners of a round (strategy point Scorer of docs/rules.md A7)."""

from __future__ import annotations

from classroom.engine.cards import rank_height
from classroom.engine.state import Position


def scores(p: Position) -> tuple[int, ...]:
    """The round score of every seat. Deductions and penalties count only at the end (S25)."""
    points = [_laid(p, seat) for seat in range(p.seats)]
    if p.over:
        points = [_at_the_end(p, seat, laid) for seat, laid in enumerate(points)]
    return tuple(points)


def winners(p: Position) -> tuple[int, ...]:
    """The winning seats, which have the best score; none before the end.

    If the rules say so, the highest book breaks a tie (C20).
    """
    if not p.over:
        return ()
    points = scores(p)
    top = max(points)
    best = [seat for seat, its in enumerate(points) if its == top]
    if len(best) > 1 and p.rules.tie == "high_book":
        heights = {seat: _heights(p, seat) for seat in best}
        highest = max(heights.values())
        best = [seat for seat in best if heights[seat] == highest]
    return tuple(best)


def _laid(p: Position, seat: int) -> int:
    if p.rules.score_per == "card":
        return sum(map(len, p.books[seat]))
    return len(p.books[seat])


def _at_the_end(p: Position, seat: int, points: int) -> int:
    points -= p.rules.score_deduct * len(p.cards(seat))
    if p.rules.score_penalty and _pays(p, seat):
        points -= p.rules.score_penalty
    floor = p.rules.score_floor
    return points if floor is None else max(floor, points)


def _pays(p: Position, seat: int) -> bool:
    """Whether `seat` pays the penalty for cards left over (OA8, S30)."""
    holders = p.holders()
    return seat in holders and (p.rules.score_penalty_for == "each" or len(holders) == 1)


def _heights(p: Position, seat: int) -> list[int]:
    """How high each book of a seat ranks, highest first (CA9, S24)."""
    return sorted((rank_height(book[0]) for book in p.books[seat]), reverse=True)
