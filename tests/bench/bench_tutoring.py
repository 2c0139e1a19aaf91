"""Next-answer prediction on public tutoring data: our ratings beside pyBKT's default model.

    python tests/bench/bench_tutoring.py [FOLDER] [--pybkt] [--fits 5] [--forgets]

FOLDER, or the environment variable FISH_TUTORING_DATA, holds `assistments2009_train.csv` and
`assistments2009_test.csv`: three lines a pupil (number of answers; skill of each; 1 right, 0
wrong), the split of Piech et al. 2015. The data is not part of the project. pyBKT is optional
(`pip install pyBKT "scikit-learn<1.6" "numpy<2.3" "pandas<3"`, best in an environment of its own).

Every model sees the same rows: all answers of all pupils. Each answer of a test pupil is predicted
from the answers that the same pupil gave before. Ratings learn the difficulty of each skill from
the training pupils; their steps (classroom/learning/ratings.py) are those of the app. As the file
names no items, a skill stands for an item.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from classroom.learning.ratings import Ability, Rating, chance, step

Pupil = Sequence[tuple[int, bool]]
Prediction = tuple[bool, float]

ITEM_STEP = 1.0  # first step of an item's difficulty


def pupils(path: Path) -> list[list[tuple[int, bool]]]:
    """The answers of each pupil: (skill, right), in time order."""
    lines = [line.strip().rstrip(",") for line in path.read_text().splitlines() if line.strip()]
    found = []
    for skills, answers in zip(lines[1::3], lines[2::3], strict=True):
        pairs = zip(skills.split(","), answers.split(","), strict=True)
        found.append([(int(skill), answer == "1") for skill, answer in pairs])
    return found


def rated(train: Iterable[Pupil], test: Iterable[Pupil], shared: bool = True) -> list[Prediction]:
    """Predictions by the app's ratings, with difficulties learned from `train` only.

    With `shared` False there is no general part of an ability: each skill is separate as in pyBKT,
    and answers that the file repeats under several skills cannot help.
    """
    difficulty: dict[int, Rating] = {}
    for pupil in train:
        for _ in _played(pupil, difficulty, True, shared):
            pass
    return [one for pupil in test for one in _played(pupil, difficulty, False, shared)]


def _played(
    pupil: Pupil, difficulty: dict[int, Rating], learn: bool, shared: bool
) -> Iterable[Prediction]:
    general = Rating()
    own: dict[int, Rating] = {}
    for skill, right in pupil:
        item = difficulty.get(skill, Rating())
        ability = Ability(general, own.get(skill, Rating()))
        yield right, chance(ability.level, item.level)
        if learn:
            difficulty[skill] = harder(item, right, ability.level)
        moved = ability.after(right, item.level)
        general, own[skill] = (moved.general if shared else general), moved.own


def harder(item: Rating, right: bool, ability: float) -> Rating:
    """The difficulty of an item after a pupil of that ability answered it."""
    surprise = float(right) - chance(ability, item.level)
    return item.moved(-step(ITEM_STEP, item.answers) * surprise)


def base_rates(train: Iterable[Pupil], test: Iterable[Pupil]) -> list[Prediction]:
    """Predictions by each skill's share of right answers, without knowledge of the pupil."""
    counts: dict[int, tuple[int, int]] = {}
    for pupil in train:
        for skill, right in pupil:
            n, hits = counts.get(skill, (0, 0))
            counts[skill] = n + 1, hits + right
    shares = {skill: (hits + 1) / (n + 2) for skill, (n, hits) in counts.items()}
    return [(right, shares.get(skill, 0.5)) for pupil in test for skill, right in pupil]


def bkt(
    train: Sequence[Pupil], test: Sequence[Pupil], fits: int, forgets: bool
) -> list[Prediction]:
    """Predictions by pyBKT's model, one fit for each skill."""
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pyBKT.models import Model  # type: ignore[import-untyped,import-not-found,unused-ignore]

    def frame(people: Sequence[Pupil]) -> Any:
        rows = [
            (number, str(skill), int(right))
            for number, pupil in enumerate(people)
            for skill, right in pupil
        ]
        table = pandas.DataFrame(rows, columns=["user_id", "skill_name", "correct"])
        table["order_id"] = range(len(table))
        return table

    names = {name: name for name in ("order_id", "skill_name", "correct", "user_id")}
    model = Model(seed=42, num_fits=fits)
    model.fit(data=frame(train), defaults=names, forgets=forgets)
    told = model.predict(data=frame(test)).sort_values("order_id")
    guesses = told["correct_predictions"].fillna(0.5)
    return [(right == 1, float(p)) for right, p in zip(told["correct"], guesses, strict=True)]


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


def main(arguments: Sequence[str]) -> int:
    """Print AUC and RMSE of each model. Returns 1 if the ratings are worse than pyBKT."""
    parser = argparse.ArgumentParser(description="Next-answer prediction on tutoring data.")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--pybkt", action="store_true", help="fit pyBKT too (minutes)")
    parser.add_argument("--fits", type=int, default=5, help="starts for each fit; pyBKT's own is 5")
    parser.add_argument("--forgets", action="store_true", help="with forgetting too")
    given = parser.parse_args(arguments)
    folder = folder_given(given.folder)
    if folder is None:
        print("Name the folder of the tutoring data, or set FISH_TUTORING_DATA.")
        return 2
    train = pupils(folder / "assistments2009_train.csv")
    test = pupils(folder / "assistments2009_test.csv")
    print(f"{len(train)} pupils to learn from, {len(test)} with {sum(map(len, test))} answers")
    models: dict[str, Callable[[], list[Prediction]]] = {
        "share of the skill": lambda: base_rates(train, test),
        "ratings of the app": lambda: rated(train, test),
        "the same, skills apart": lambda: rated(train, test, shared=False),
    }
    if given.pybkt:
        models["pyBKT, default"] = lambda: bkt(train, test, given.fits, False)
    if given.forgets:
        models["pyBKT, forgetting"] = lambda: bkt(train, test, given.fits, True)
    scores = {}
    for name, model in models.items():
        began = perf_counter()
        told = model()
        scores[name] = auc(told), rmse(told)
        spent = perf_counter() - began
        print(f"{name:22}  AUC {scores[name][0]:.4f}  RMSE {scores[name][1]:.4f}  {spent:.0f} s")
    ours, theirs = scores["ratings of the app"], scores.get("pyBKT, default", (0.0, 1.0))
    return 0 if ours[0] >= theirs[0] and ours[1] <= theirs[1] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
