"""Decides which of the questions that a table allows comes first.

A question for practice is easy. All others are chosen near the wanted chance of success, but from
several answers: if the easiest number came every time, "always one" would be a good guess.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from classroom.learning.drafts import Draft
from classroom.learning.luck import answered_by, guess_rate
from classroom.learning.ratings import AIM, chance
from classroom.learning.skills import Bounds

NEW_SHARE: Final = 0.3  # how often a recall question with the right answer "nobody" is preferred
ANSWERS: Final = 4  # different numbers among which an item is drawn, if the table has them
WIDE: Final = 0.08  # items whose chance is within this distance of the best one are as good


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What kind of item is wanted. `most`: how many options a draft will have.

    `ability`: in logits, to choose for success; None: at random. `practised`: ways of answering
    that need no practice; None: all ways.
    """

    ability: float | None
    practised: Collection[str] | None
    most: Callable[[Draft, Bounds], int]


def by_preference(found: Sequence[Draft], wish: Wish, bounds: Bounds, rng: Random) -> list[Draft]:
    """Sort the drafts, best first; the next is used if one has too few options."""
    mixed = _with_old_ones(found)
    rng.shuffle(mixed)
    if wish.practised is not None:
        new = [one for one in mixed if _way(one, wish, bounds) not in wish.practised]
        if new:
            return sorted(new, key=lambda one: (one.trial == "new", one.difficulty))
    unwanted = "old" if rng.random() < NEW_SHARE else "new"
    first = [one for one in mixed if one.trial != unwanted]
    rest = [one for one in mixed if one.trial == unwanted]
    return [*_ordered(first, wish, bounds, rng), *_ordered(rest, wish, bounds, rng)]


def _with_old_ones(found: Sequence[Draft]) -> list[Draft]:
    """Leave out new items of kinds without an old one, or "nobody" would mostly be right there."""
    old = {one.kind for one in found if one.trial == "old"}
    return [one for one in found if one.trial != "new" or one.kind in old]


def _ordered(found: Sequence[Draft], wish: Wish, bounds: Bounds, rng: Random) -> list[Draft]:
    if wish.ability is None:
        return _evenly(found, rng)
    return _near_aim(found, wish, bounds, rng)


def _way(draft: Draft, wish: Wish, bounds: Bounds) -> str:
    return answered_by(draft.face, wish.most(draft, bounds))


def _near_aim(found: Sequence[Draft], wish: Wish, bounds: Bounds, rng: Random) -> list[Draft]:
    """Put items near AIM first, drawn evenly by answer: they have at least ANSWERS different
    numbers as answers, if there are that many."""

    def off(draft: Draft) -> float:
        options = wish.most(draft, bounds)
        luck = guess_rate(draft.kind, draft.face, options)
        return abs(chance(wish.ability or 0.0, draft.difficulty, luck) - AIM)

    best = min(map(off, found), default=0.0)
    near: list[Draft] = []
    far: list[Draft] = []
    answers: set[Hashable] = set()
    for draft in sorted(found, key=off):
        new = draft.number is not None and _answer(draft) not in answers
        wanted = off(draft) <= best + WIDE or (new and len(answers) < ANSWERS)
        (near if wanted else far).append(draft)
        answers |= {_answer(draft)} if wanted else set()
    return [*_evenly(near, rng), *far]


def _evenly(found: Sequence[Draft], rng: Random) -> list[Draft]:
    """Order at random, so that each answer comes first equally often, however many have it."""
    ranks: dict[Hashable, float] = {}
    return sorted(found, key=lambda draft: ranks.setdefault(_answer(draft), rng.random()))


def _answer(draft: Draft) -> Hashable:
    """The right answer if it is a number, otherwise None: all other answers form one group."""
    return draft.right if draft.face in ("numeral", "dots", "tapped") else None
