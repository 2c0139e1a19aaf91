"""`python -m tools.calibrate FILE ...`: what a school's own answers say about our difficulties.

FILE: tables of all answers (answers.csv), as teachers download them. Prints for each kind of
question how much harder it was for these children than drafts.py says, in logits, shrunk
towards that table and bounded. The program itself does not use it: whoever is sure changes the
table. The same rows give the same numbers, in any order.

The fit is a joint one: of each child's level in each strand, and of the offset of each kind, by
turns, with the formula of the levels. Only answers of the last RECENT days count, because children
change.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from math import exp, sqrt
from typing import Final, NamedTuple

from classroom.learning.beliefs import SPREAD

RECENT: Final = 90  # days
SHRUNK: Final = 0.4  # logits; how far kinds are thought to be off before any answer
BOUND: Final = 0.7  # logits; the most that a kind may be moved
SLIP: Final = 0.02  # how often a child misses what it knows
TURNS: Final = 60


class Answer(NamedTuple):
    """One first answer without help. `who`: a child in a strand."""

    who: tuple[str, str]
    kind: str
    difficulty: float
    luck: float
    right: bool


class Offset(NamedTuple):
    """How much harder a kind is than the table says, with its standard error, from `n` answers."""

    n: int
    by: float
    error: float


def answers_of(rows: Iterable[Mapping[str, str]]) -> list[Answer]:
    """Return the answers that count, of the rows of a table of all answers."""
    some = [row for row in rows if row["source"] == "question" and row["how"] == "alone"]
    some = [row for row in some if row["strand"] != "recall"]
    newest = max((row["day"] for row in some), default="1970-01-01")
    since = str(date.fromisoformat(newest) - timedelta(days=RECENT))
    return sorted(
        Answer(
            (row["child_id"], row["strand"]),
            row["kind"].rstrip("_0123456789"),
            float(row["difficulty"]),
            float(row["guess_rate"]),
            row["right"] == "1",
        )
        for row in some
        if row["day"] > since
    )


def offsets(answers: Iterable[Answer]) -> dict[str, Offset]:
    """Fit the levels of all children and the offsets of all kinds, taking turns."""
    found = list(answers)
    levels: dict[tuple[str, str], float] = defaultdict(float)
    harder: dict[str, float] = defaultdict(float)
    says: dict[str, float] = {}
    for _ in range(TURNS):
        for level in (True, False):
            pull: dict[object, float] = defaultdict(float)
            weight: dict[object, float] = defaultdict(float)
            for one in found:
                key = one.who if level else one.kind
                score, known = _score(one, levels[one.who] - harder[one.kind])
                pull[key] += score
                weight[key] += known
            if level:
                for who in levels:
                    tied = 1 / SPREAD**2
                    levels[who] += (pull[who] - tied * levels[who]) / (weight[who] + tied)
            else:
                for kind in harder:
                    tied = 1 / SHRUNK**2
                    says[kind] = weight[kind] + tied
                    harder[kind] -= (pull[kind] + tied * harder[kind]) / says[kind]
    return {
        kind: Offset(
            sum(one.kind == kind for one in found),
            max(-BOUND, min(BOUND, by)),
            1 / sqrt(says[kind]),
        )
        for kind, by in sorted(harder.items())
    }


def _score(one: Answer, level: float) -> tuple[float, float]:
    """How an answer pulls at the level, and how much it says about it (Fisher's information)."""
    knows = 1 / (1 + exp(one.difficulty - level))
    most = 1 - one.luck - SLIP
    right = one.luck + most * knows
    slope = most * knows * (1 - knows)
    spread = right * (1 - right)
    return (one.right - right) * slope / spread, slope * slope / spread


def main(files: list[str]) -> int:
    rows: list[Mapping[str, str]] = []
    for name in files:
        with open(name, encoding="utf-8-sig", newline="") as file:
            rows += csv.DictReader(file)
    print(f"{'kind':20} answers  harder by  error")
    for kind, one in offsets(answers_of(rows)).items():
        print(f"{kind:20} {one.n:7}  {one.by:+9.2f}  {one.error:5.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
