"""The end, points and winners of a round (EndCheck and Scorer in docs/rules.md A7), and matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from classroom.engine.cards import rank_height
from classroom.engine.events import ALL, RevealedBooks, RevealedLost, RoundOver
from classroom.engine.rules import Rules
from classroom.engine.state import Position, Table

# ---- The points and winners of a round, and the checks that end it


def scores(p: Position) -> tuple[int, ...]:
    """The round score of every seat. Deductions and penalties count only at the end (S25). With a
    tide every seat scores the points of the whole table (T2)."""
    in_cards = p.rules.score_per == "card"
    points = [sum(map(len, books)) if in_cards else len(books) for books in p.books]
    if p.tide is not None:
        return (sum(points),) * p.seats
    if p.over:
        points = [_at_the_end(p, seat, laid) for seat, laid in enumerate(points)]
    return tuple(points)


def winners(p: Position) -> tuple[int, ...]:
    """The seats with the best score; none before the end. If the rules say so, the highest book
    breaks a tie (C20). With a tide either all seats win or none does (T5, T6)."""
    if not p.over:
        return ()
    if p.tide is not None:
        return tuple(range(p.seats)) if p.ended_by == "all_booked" else ()
    points = scores(p)
    top = max(points)
    best = [seat for seat, its in enumerate(points) if its == top]
    if len(best) > 1 and p.rules.tie == "high_book":
        # the ranks of each seat's books, highest first (CA9, S24)
        heights = {
            seat: sorted((rank_height(book[0]) for book in p.books[seat]), reverse=True)
            for seat in best
        }
        highest = max(heights.values())
        best = [seat for seat in best if heights[seat] == highest]
    return tuple(best)


def _at_the_end(p: Position, seat: int, points: int) -> int:
    points -= p.rules.score_deduct * len(p.cards(seat))
    holders = p.holders()  # the seats that may have to pay for leftover cards (OA8, S30)
    if seat in holders and (p.rules.score_penalty_for == "each" or len(holders) == 1):
        points -= p.rules.score_penalty
    floor = p.rules.score_floor
    return points if floor is None else max(floor, points)


BOOKLESS_TIMES: Final = 4
"""The limit on asks in a row without a new book is this many times the stall limit (S2)."""
FOURLESS_TURNS: Final = 10
"""A round of Fours ends after this many turns per seat without a stock or a new four (S15)."""


def check_end(t: Table) -> bool:
    """End the round if an ending is reached (A6, step 7); returns whether the round is over. The
    endings in the rules are checked first, then a dead position, then a stall (S19)."""
    if t.may_be_dead:
        look_for_dead(t)
    if not check_own_end(t) and not t.stock:
        # A dead or stalled round always ends, whatever endings are in its rules (A11, S20, S35).
        if t.dead:
            _check_dead_end(t)
        elif _stalled(t):
            finish(t, "stall")
    return t.ended_by is not None


def look_for_dead(t: Table) -> None:
    """Record whether the position is dead: the stock is empty and no book can be made any more."""
    if not t.stock:
        t.dead = not t.setup.finder.possible(t.in_play())
    t.may_be_dead = False


def check_own_end(t: Table) -> bool:
    """End the round if one of the endings in its rules is reached; returns whether it is over."""
    for end, has_come in t.setup.ends:
        if has_come(t):
            finish(t, end)
            return True
    return False


def count_turn(t: Table) -> bool:
    """In Fours, count a turn with an empty stock; returns whether the round is over (S15)."""
    if t.rules.book_kind == "four":
        t.quiet = t.quiet.turned()
        if t.quiet.fourless >= FOURLESS_TURNS * t.seats:
            finish(t, "stall")
    return t.over


def finish(t: Table, ended_by: str) -> None:
    """End the round: reveal the face-down cards and work out the scores."""
    t.phase, t.ended_by = "over", ended_by
    t.pending = t.drawn = t.claims = None
    if t.lost:
        t.tell(RevealedLost(audience=ALL, cards=t.setup.deck.sorted(t.lost)))
    if t.rules.visibility_books == "face_down":
        t.tell(RevealedBooks(audience=ALL, books=tuple(t.books)))
    t.tell(RoundOver(audience=ALL, ended_by=ended_by, scores=scores(t), winners=winners(t)))


def _check_dead_end(t: Table) -> None:
    """End a round in a dead position; with `single_holder`, only after the extra asks of OA7. In
    Fours a dead position is the normal end, called `all_booked` if no card is left over (S19)."""
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


OWN_ENDS: Final[dict[str, Callable[[Position], bool]]] = {
    "all_booked": _nothing_left,
    "books_target": lambda p: max(map(len, p.books)) >= (p.rules.end_books_target or inf),
    "single_holder": lambda p: p.dead and len(p.holders()) == 1,
    "hand_empty": lambda p: not all(p.hands),
    "stock_out": lambda p: not p.stock,
    "tide": lambda p: p.tide == 0,
}


# ---- A match: one round after another until a target score is reached (G10, O15, GA15, OA13)


@dataclass(frozen=True)
class MatchScore:
    """The score of a match: one or more rounds by the same players. `dealer` deals next. Without a
    target, a match is one round and has that round's winners: none, if a tide beats all seats."""

    rules: Rules
    dealer: int
    totals: tuple[int, ...]
    rounds: int = 0
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        return bool(self.winners) or (self.rules.end_tide is not None and self.rounds > 0)


def new_match(rules: Rules, seats: int, dealer: int) -> MatchScore:
    """Start a match, with no rounds played and no points scored."""
    return MatchScore(rules=rules, dealer=dealer, totals=(0,) * seats)


def after_round(match: MatchScore, scores: tuple[int, ...], winners: tuple[int, ...]) -> MatchScore:
    """Add a round with these scores and winners to the match; the deal passes clockwise.

    The target is checked only after a round; a tie for the highest total means another round.

    >>> to_ten = Rules().changed({"match.target": 10, "tie": "shared"})
    >>> match = after_round(new_match(to_ten, 2, dealer=1), (12, 12), (0, 1))
    >>> match.totals, match.dealer, match.over
    ((12, 12), 0, False)
    >>> after_round(match, (1, 0), (0,)).winners
    (0,)
    """
    totals = tuple(map(sum, zip(match.totals, scores, strict=True)))
    if match.rules.match_target is not None:
        best = max(totals)
        reached = best >= match.rules.match_target and totals.count(best) == 1
        winners = (totals.index(best),) if reached else ()
    dealer, rounds = (match.dealer + 1) % len(totals), match.rounds + 1
    return replace(match, totals=totals, dealer=dealer, rounds=rounds, winners=winners)
