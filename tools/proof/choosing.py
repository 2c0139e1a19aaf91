"""How often children are right with the items that are chosen for them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from classroom.learning.beliefs import AIM, Ability, chance
from tools.proof.lines import Measurement, Seeded


def success_aimed_at(level: float, items: int, rng: Random) -> float:
    """Return the share of right answers, after the first 20, if each item is the best of eight for
    the rating."""
    ability, right = Ability(), 0
    for i in range(items):
        at_hand = [rng.uniform(-5, 5) for _ in range(8)]
        item = min(at_hand, key=lambda d: abs(chance(ability.level, d, 0.25) - AIM))
        hit = rng.random() < chance(level, item, 0.25)
        ability = ability.after(hit, item, 0.25)
        right += hit and i >= 20
    return right / (items - 20)


def choice_lines(scale: int, rng: Seeded) -> Iterator[Measurement]:
    """Check that the chosen items suit children of every ability, if there are enough items."""
    for level in (-2.0, 0.0, 2.0):
        shares = [success_aimed_at(level, 220, rng(f"aim{level}{i}")) for i in range(20 * scale)]
        got = sum(shares) / len(shares)
        text = f"{100 * got:.1f} % right"
        what = f"choice of items, ability {level:+g}"
        yield Measurement(what, text, "75 to 80 %", 0.75 <= got <= 0.80)
