"""A match: one round after another until a target score is reached (G10, O15, GA15, OA13)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from classroom.engine.rules import Rules


@dataclass(frozen=True)
class MatchScore:
    """The score of a match: one or more rounds by the same players. `dealer` deals next.

    Without a target a match is one round, and its winners are the winners of that round.
    """

    rules: Rules
    dealer: int
    totals: tuple[int, ...]
    rounds: int = 0
    winners: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        return bool(self.winners)


def new_match(rules: Rules, seats: int, dealer: int) -> MatchScore:
    """Start a match, with no rounds played and no points scored."""
    return MatchScore(rules=rules, dealer=dealer, totals=(0,) * seats)


def after_round(match: MatchScore, scores: tuple[int, ...], winners: tuple[int, ...]) -> MatchScore:
    """Add a round with these scores and winners to the match; the deal passes clockwise.

    The target is checked only after a round; a tie at the top means another round.

    >>> to_ten = Rules().changed({"match.target": 10, "tie": "shared"})
    >>> match = after_round(new_match(to_ten, 2, dealer=1), (12, 12), (0, 1))
    >>> match.totals, match.dealer, match.over
    ((12, 12), 0, False)
    >>> after_round(match, (1, 0), (0,)).winners
    (0,)
    """
    totals = tuple(map(sum, zip(match.totals, scores, strict=True)))
    return replace(
        match,
        totals=totals,
        dealer=(match.dealer + 1) % len(totals),
        rounds=match.rounds + 1,
        winners=winners if match.rules.match_target is None else _reached(match, totals),
    )


def _reached(match: MatchScore, totals: tuple[int, ...]) -> tuple[int, ...]:
    best = max(totals)
    target = match.rules.match_target
    if target is None or best < target or totals.count(best) > 1:
        return ()
    return (totals.index(best),)
