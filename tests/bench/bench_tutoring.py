"""Predict next answers in public tutoring data: the level that adults see against other models.

    python tests/bench/bench_tutoring.py [FOLDER] [--every 1]

FOLDER, or the environment variable FISH_TUTORING_DATA, holds `assistments2009_train.csv` and
`assistments2009_test.csv`: three lines a pupil (number of answers; skill of each; 1 right, 0
wrong), the split of Piech et al. 2015. The data is not part of the project. The file is sorted by
skill, not by time, and names neither items nor days.

Every model sees the same rows: the first twenty answers of each pupil in each skill, as a child of
this app gives few answers in one skill. Each answer of a test pupil is predicted from earlier ones
of the same pupil; parameters are fitted on the training pupils. `--every 10` takes a tenth of the
pupils. The other models are in tutoring_models.py.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from math import exp, log, sqrt
from pathlib import Path
from time import perf_counter
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from classroom.learning.beliefs import (
    CARELESS,
    GRID,
    NOTHING_KNOWN,
    STEP,
    Belief,
    from_json,
    moments,
    predicted,
    updated,
    widened,
)
from classroom.learning.tracks import DRIFT
from tests.bench import tutoring_models as others
from tests.bench.tutoring_models import MOST, Prediction, Pupil, sequences, shares_of


def pupils(path: Path) -> list[list[tuple[int, bool]]]:
    """The answers of each pupil: (skill, right), in the order of the file."""
    lines = [line.strip().rstrip(",") for line in path.read_text().splitlines() if line.strip()]
    found = []
    for skills, answers in zip(lines[1::3], lines[2::3], strict=True):
        pairs = zip(skills.split(","), answers.split(","), strict=True)
        found.append([(int(skill), answer == "1") for skill, answer in pairs])
    return found


# ---- the level


@dataclass(frozen=True, slots=True)
class Fit:
    """The parameters of the tracks in one skill. The file does not say which item was answered.

    `difficulty`: the difficulty of every item, in logits. `spread`: how widely levels are spread
    before any answer; 0: as in the app. `drift`: the variance that each answer adds to a level.
    `gain`: how far practice raises a level with each answer, in logits. `borrowed`: how far a level
    begins above 0 for each logit that the pupil's other skills are above it.
    """

    difficulty: float
    spread: float = 0.0
    drift: float = DRIFT
    gain: float = 0.0
    borrowed: float = 0.0

    def start(self, others: float = 0.0) -> Belief:
        """Return the belief before any answer, given the pupil's ability in its other skills."""
        if not self.spread:
            return NOTHING_KNOWN
        middle = self.borrowed * others
        weights = [exp(-(((level - middle) / self.spread) ** 2) / 2) for level in GRID]
        levels = [weight / sum(weights) for weight in weights]
        return from_json(levels, [CARELESS * one for one in levels])

    def after(self, belief: Belief, right: bool) -> Belief:
        """Return the belief after one more answer."""
        return raised(widened(updated(belief, right, self.difficulty, 0.0), self.drift), self.gain)


CHOICES: Final = {
    "difficulty": (-0.4, 0.4, 0.8),
    "spread": (0.8, 1.2, 1.8, 2.5),
    "drift": (0.02, 0.1, 0.3),
    "gain": (0.0, 0.05, 0.1, 0.2),
}
"""The values to try for each part of a fit; for the difficulty, what to add to the usual one."""
ROUNDS: Final = 2
FITTED: Final = 300  # sequences of a skill that a fit looks at


def raised(belief: Belief, by: float) -> Belief:
    """Return the belief with every level raised by this much, which is less than a grid step."""
    share = by / STEP
    halves = belief[: len(GRID)], belief[len(GRID) :]
    return tuple(
        (1 - share) * here + share * below
        for part in halves
        for below, here in zip((0.0, *part[:-1]), part, strict=True)
    )


@dataclass(slots=True)
class Node:
    """Sequences that begin alike: how many go on with a right and with a wrong answer, and a node
    for what follows each."""

    counts: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    next: dict[bool, Node] = field(default_factory=dict)

    def add(self, answers: Sequence[bool]) -> None:
        """Add one sequence. Sequences that begin alike share the nodes of their beginning."""
        node = self
        for right in answers:
            node.counts[right] += 1
            node = node.next.setdefault(right, Node())

    def surprise(self, fit: Fit, belief: Belief) -> float:
        """Return the negative log likelihood of all these answers."""
        p = min(max(predicted(belief, fit.difficulty, 0.0), 1e-6), 1 - 1e-6)
        found = -self.counts[True] * log(p) - self.counts[False] * log(1 - p)
        for right, node in self.next.items():
            if node.next:
                found += node.surprise(fit, fit.after(belief, right))
        return found


def fitted(answers: Iterable[Sequence[bool]], share: float) -> Fit:
    """Fit a skill to these sequences, one parameter after the other."""
    tree = Node()
    for one in answers:
        tree.add(one)
    usual = log((1 - share) / share)
    best = Fit(usual, 1.2, 0.1, 0.05)
    least = tree.surprise(best, best.start())
    for _ in range(ROUNDS):
        for part, values in CHOICES.items():
            for value in values:
                tried = replace(best, **{part: usual + value if part == "difficulty" else value})
                found = tree.surprise(tried, tried.start())
                if found < least:
                    best, least = tried, found
    return best


def fits(train: Sequence[Pupil]) -> dict[int, Fit]:
    """Fit every skill of the training pupils."""
    shares = shares_of(train)
    return {skill: fitted(some[:FITTED], shares[skill]) for skill, some in sequences(train).items()}


BORROWING: Final = {"borrowed": (0.5, 0.9, 1.3), "difficulty": (-0.3, 0.3), "spread": (0.65, 0.8)}
"""The same for a level that begins from other skills; the spread is a share of the usual one."""
PEERS: Final = 1.0  # logits; how much pupils differ in what all their skills share
BIN: Final = 0.5  # logits; sequences that begin so near to each other share the nodes of a tree

Elsewhere = dict[int, float]  # by skill, what a pupil's other skills say when it begins this one


def elsewhere_of(people: Sequence[Pupil], of: dict[int, Fit]) -> list[Elsewhere]:
    """The ability of each pupil in all skills before, in logits, when it first meets each skill."""
    nothing = Fit(0.0, PEERS).start()
    found = []
    for pupil in people:
        belief, mine = nothing, Elsewhere()
        for skill, right in pupil:
            if skill not in mine:
                mine[skill] = moments(belief)[0]
            belief = updated(belief, right, of.get(skill, Fit(0.0)).difficulty, 0.0)
        found.append(mine)
    return found


def borrowing(train: Sequence[Pupil], of: dict[int, Fit]) -> dict[int, Fit]:
    """The same fits for levels that begin from the other skills of the pupil."""
    found = {}
    elsewhere = elsewhere_of(train, of)
    for skill, some in sequences(train).items():
        begun = [mine[skill] for mine in elsewhere if skill in mine]
        found[skill] = _borrowing(of[skill], list(zip(begun, some, strict=True))[:FITTED])
    return found


def _borrowing(fit: Fit, some: Iterable[tuple[float, Sequence[bool]]]) -> Fit:
    trees: dict[float, Node] = {}
    for other, answers in some:
        trees.setdefault(BIN * round(other / BIN), Node()).add(answers)

    def surprise(fit: Fit) -> float:
        return sum(tree.surprise(fit, fit.start(other)) for other, tree in trees.items())

    usual, best, least = fit, fit, surprise(fit)
    for part, values in BORROWING.items():
        for value in values:
            by = {
                "borrowed": value,
                "difficulty": usual.difficulty + value,
                "spread": usual.spread * value,
            }
            tried = replace(best, **{part: by[part]})
            found = surprise(tried)
            if found < least:
                best, least = tried, found
    return best


def as_in_the_app(train: Sequence[Pupil]) -> dict[int, Fit]:
    """Fits with the app's own prior and drift, as if each answer came on a new day."""
    return {skill: Fit(log((1 - p) / p)) for skill, p in shares_of(train).items()}


def levels(
    test: Sequence[Pupil], of: dict[int, Fit], elsewhere: Sequence[Elsewhere] = ()
) -> Iterator[Prediction]:
    """Predict by the level: one track for each pupil and skill. `elsewhere`: where each begins."""
    for number, pupil in enumerate(test):
        mine = elsewhere[number] if elsewhere else {}
        beliefs: dict[int, Belief] = {}
        met: dict[int, int] = {}
        for skill, right in pupil:
            met[skill] = met.get(skill, 0) + 1
            if met[skill] > MOST:
                continue
            fit = of.get(skill, Fit(0.0))
            belief = beliefs.get(skill) or fit.start(mine.get(skill, 0.0))
            yield right, predicted(belief, fit.difficulty, 0.0)
            beliefs[skill] = fit.after(belief, right)


# ---- scores


def auc(predictions: Sequence[Prediction]) -> float:
    """The chance that a right answer has a higher prediction than a wrong one. Ties count half."""
    below, wins = 0, 0.0
    for _, tied in groupby(sorted(predictions, key=lambda one: one[1]), key=lambda one: one[1]):
        here = [right for right, _ in tied]
        wrong = here.count(False)
        wins += here.count(True) * (below + wrong / 2)
        below += wrong
    return wins / (below * (len(predictions) - below))


def rmse(predictions: Sequence[Prediction]) -> float:
    """The root mean squared error of the predicted chances."""
    return sqrt(sum((right - p) ** 2 for right, p in predictions) / len(predictions))


def folder_given(argument: str | None) -> Path | None:
    """The folder of the data, if it is given and has the files."""
    name = argument or os.environ.get("FISH_TUTORING_DATA")
    folder = Path(name) if name else None
    return folder if folder and (folder / "assistments2009_test.csv").is_file() else None


FITTED_LEVEL: Final = "level, fitted for each skill"
ALL_SKILLS: Final = "best-LR with recent shares, all skills"
BEGUN: Final = "level, fitted, begun from the other skills"


def models(
    train: Sequence[Pupil], test: Sequence[Pupil]
) -> dict[str, Callable[[], Iterable[Prediction]]]:
    """All models by name; the last two also see what the pupil did in other skills."""
    shares = shares_of(train)
    fitted_once = cache(lambda: fits(train))

    def begun() -> Iterable[Prediction]:
        of = fitted_once()
        return levels(test, borrowing(train, of), elsewhere_of(test, of))

    return {
        "share of the skill": lambda: others.base_rates(test, shares),
        "share of the last ten": lambda: others.last_ten(test, shares),
        "moving average, 0.2": lambda: others.moving_average(test, shares),
        "BKT, own fit by EM": lambda: others.bkt(train, test),
        "LR with recent shares, in the skill": lambda: others.regression(train, test, False),
        "level, prior and drift of the app": lambda: levels(test, as_in_the_app(train)),
        FITTED_LEVEL: lambda: levels(test, fitted_once()),
        BEGUN: begun,
        ALL_SKILLS: lambda: others.regression(train, test, True),
    }


def main(arguments: Sequence[str]) -> int:
    """Print AUC and RMSE of each model.

    Returns 1 if a fitted level is worse than another model that sees the same answers, and 2 if
    there is no data.
    """
    parser = argparse.ArgumentParser(description="Next-answer prediction on tutoring data.")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--every", type=int, default=1, help="take one pupil in so many")
    given = parser.parse_args(arguments)
    folder = folder_given(given.folder)
    if folder is None:
        print("Name the folder of the tutoring data, or set FISH_TUTORING_DATA.")
        return 2
    train = pupils(folder / "assistments2009_train.csv")[:: given.every]
    test = pupils(folder / "assistments2009_test.csv")[:: given.every]
    print(f"{len(train)} pupils to learn from, {len(test)} to predict")
    scores = {}
    for name, model in models(train, test).items():
        began = perf_counter()
        told = list(model())
        scores[name] = auc(told), rmse(told)
        print(
            f"{name:40} AUC {scores[name][0]:.4f}  RMSE {scores[name][1]:.4f}  "
            f"{len(told)} answers  {perf_counter() - began:.0f} s",
            flush=True,
        )
    begun, all_skills = scores.pop(BEGUN), scores.pop(ALL_SKILLS)
    ours = scores.pop(FITTED_LEVEL)
    pairs = [(begun, all_skills), *((ours, one) for one in scores.values())]
    return 0 if all(a[0] >= b[0] and a[1] <= b[1] for a, b in pairs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
