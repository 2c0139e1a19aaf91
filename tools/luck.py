"""`python -m tools.luck [--write] [ROUNDS]`: measure how often guesses are right.

A child that only guesses meets every kind of question a few times in each of many random rounds, so
that its ratings sink and its questions become easy, as in the app. Every habit of guessing is tried
on each question. The best habit is found on one half of the questions and measured on the other: on
the same half, the best of many habits would look good by chance. `--write` writes the table into
classroom/data/luck.toml.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import Lots
from classroom.engine.events import LaidBook
from classroom.engine.observation import Observation
from classroom.games import GAMES
from classroom.games.variants import MEMORY, USUAL_AGE, deck_rules
from classroom.learning.beliefs import Ability
from classroom.learning.questions import Question, make
from classroom.learning.schedule import AFTER_BOOK
from classroom.learning.skills import AGE_BANDS, SKILL_OF, answered_by, bounds_at
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import LEVELS
from tools.simulate import HABITS, Trace

FILE: Final = Path(__file__).parents[1] / "classroom" / "data" / "luck.toml"
TABLES: Final = ("classic", "classic", "make_ten", "fours", "old_fish", "guru_points")
TIDE: Final = "low_tide"  # the one table with questions after a book
SEATS: Final = (2, 3, 3, 4)
ROUNDS: Final = 40  # rounds of each game and age
TIDES: Final = dict(zip(AGE_BANDS, ("five", "small", "short", "short"), strict=True))
"""The decks of low tide by age."""
RARE: Final = ("given", "got_more", "left_after_draw", "count_books")  # kinds that few tables allow
LEAST: Final = 200  # a sort with fewer questions than this gets no rate

Hits = dict[str, Counter[str]]  # by sort of question, right answers by habit


def key_of(question: Question) -> str:
    """The sort of a question, as in the table."""
    way = answered_by(question.face, len(question.options))
    return f"{question.kind} {way} {len(question.options)}"


def views(game: str, rng: Random, band: str = USUAL_AGE) -> Iterator[Observation]:
    """The views of one seat in a random round, before every move and at the end. Against the pond
    it is a round of usual memory, because a random one is soon lost, after few catches."""
    rules, lots = GAMES[game].rules, Lots(rng)
    low, high = rules.seats
    seats = min(max(rng.choice(SEATS), low), high)
    level = None
    if rules.end_tide is not None:
        rules, level = deck_rules(GAMES[game], seats, TIDES[band], band), LEVELS[MEMORY[band]]
    state = deal(rules, seats, rng.randrange(seats), shuffled(rules, rng), lots).state
    for _ in range(400):
        yield observe(state, 0)
        if state.over:
            return
        turn = state.active
        state = apply(
            state,
            choose(observe(state, turn), level, rng, turn)
            if level
            else rng.choice(legal_actions(state)),
            lots,
        ).state


def guessed(rounds: int, seed: str) -> Iterator[tuple[Question, Trace]]:
    """The questions put to guessers of every age, each with what the guesser remembers by then."""
    for band in AGE_BANDS:
        for game in (*TABLES, TIDE):
            rng = Random(f"{seed} {band} {game}")
            trace, ratings = Trace(), dict.fromkeys(SKILL_OF, Ability())
            for _ in range(rounds):
                for observation in views(game, rng, band):
                    for kind in SKILL_OF:
                        if rng.random() >= _share(kind, observation):
                            continue
                        question = _asked(observation, kind, band, ratings[kind], rng)
                        if question is None:
                            continue
                        yield question, trace
                        hit = rng.random() < 1 / len(question.options)
                        ratings[kind] = ratings[kind].after(
                            hit, question.difficulty, question.guess_rate
                        )
                        trace.add(question)


def _share(kind: str, observation: Observation) -> float:
    """The share of tables at which to ask this kind. It is small during a round, because the next
    table is nearly the same. After a book it is asked once, as in the app."""
    if kind == AFTER_BOOK:
        newest = (one.event for one in observation.history if one.seq == observation.seq)
        return float(any(isinstance(one, LaidBook) for one in newest))
    if kind in RARE:
        return 0.5
    return 1.0 if observation.over else 0.04


def _asked(
    observation: Observation, kind: str, band: str, rating: Ability, rng: Random
) -> Question | None:
    skill, bounds = SKILL_OF[kind], bounds_at(band)
    return make(observation, skill, rng, bounds, kinds=(kind,), ability=rating.level)


def measured(rounds: int, seed: str) -> tuple[Hits, Counter[str]]:
    """Each habit's right answers by sort of question, and the number of questions of each sort."""
    hits: Hits = defaultdict(Counter)
    asked: Counter[str] = Counter()
    rng = Random(seed)
    for question, trace in guessed(rounds, seed):
        key = key_of(question)
        asked[key] += 1
        for name, habit in HABITS.items():
            hits[key][name] += habit(question, trace, rng) == question.right
    return hits, asked


def rates(rounds: int) -> Iterator[tuple[str, float, str, int]]:
    """Each sort of question, the rate of its best habit, that habit, and how many were measured."""
    choosing, asked = measured(rounds, "choose")
    measuring, again = measured(rounds, "measure")
    for key in sorted(asked):
        if asked[key] >= LEAST and again[key] >= LEAST:
            best = max(HABITS, key=lambda name: choosing[key][name])
            yield key, measuring[key][best] / again[key], best, again[key]


def written(found: list[tuple[str, float, str, int]]) -> str:
    """The file with this table. Rates that are no better than chance are left out."""
    head = [line for line in FILE.read_text("utf-8").splitlines() if line.startswith("#")]
    rows = [
        f'"{key}" = {rate:.2f}  # {habit}'
        for key, rate, habit, _ in found
        if round(rate, 2) > round(1 / int(key.split()[-1]), 2)
    ]
    return "\n".join([*head, *rows, ""])


def main(arguments: list[str]) -> int:
    rounds = next((int(one) for one in arguments if one.isdigit()), ROUNDS)
    found = list(rates(rounds))
    for key, rate, habit, asked in found:
        print(f"{key:32} {rate:.3f}  {habit:14} {asked}")
    if "--write" in arguments:
        FILE.write_text(written(found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
