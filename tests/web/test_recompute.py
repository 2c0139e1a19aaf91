"""Every number that adults see can be computed again from the two tables that they download."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from random import Random
from typing import Any

import pytest

from classroom.database import db, write_unit
from classroom.learning.evidence import Evidence, from_answer
from classroom.learning.questions import Question, make
from classroom.learning.skills import AGE_BANDS, ASKED, bounds_at
from classroom.models import Child
from classroom.services.base import clock
from classroom.services.table import evidence_log, rounds
from tests import recompute
from tests.learning.rows import row
from tests.world import World, count_all, play_out

CHILDREN = {"Miaqua": "lake", "Adaquist": "brook", "Zedquorn": "marsh"}  # and their teachers
DAYS = 130
ANSWERS = 420


def questions(round_id: int, seat: int, band: str) -> list[Question]:
    """Questions of every skill, made at every other move."""
    found = []
    for seq in range(0, rounds.seq(round_id), 2):
        seen = rounds.then(round_id, seat, seq).observation
        for skill in ASKED:
            made = make(seen, skill, Random(seq), bounds_at(band))
            if made is not None:
                found.append(made)
    return found


def history(some: list[Question], rng: Random, growing: float) -> Iterator[Evidence]:
    """Answers of some months, in bursts: alone, with help, practised, skipped, and
    asks in play. The child gets better by `growing` from the first answer to the last."""
    day, first = clock.day() - DAYS, clock.day() - DAYS
    for number in range(ANSWERS):
        hasty = 40 <= number < 70  # a day of fast guessing
        days = 0 if hasty else rng.choice((0,) * 9 + (1, 1, 2, 9))
        day = min(day + days, clock.day() - 1)
        able = 0.1 if hasty else 0.35 + growing * (day - first) / DAYS
        at = clock.now() - (clock.day() - day) * 86_400 + number
        if rng.random() < 0.15:
            yield row("recall_ask", rng.random() < able, source="play", day=day, at=at,
                      lag=rng.randint(1, 30), board=rng.choice(("off", "open")),
                      trial=rng.choice((None, None, "new")), options=3, round_id=None)  # fmt: skip
            continue
        question = rng.choice(some)
        wrong = rng.choice([p for p in range(len(question.options)) if p != question.right])
        given = [question.right if rng.random() < able else wrong] if rng.random() < 0.93 else []
        one = from_answer(
            question,
            given,
            at=at,
            day=day,
            round_id=None,
            latency_ms=900 if hasty else 4000,
            board=rng.choice(("closed", "closed", "open")),
            hint_step=rng.choice((0, 0, 0, 1, 3)),
        )
        yield replace(one, item={**one.item, "practice": rng.random() < 0.1})


def fill(world: World, seed: int) -> None:
    """Write months of answers for three children, and let each play a round today. The newest rows
    of the last child are not counted yet."""
    with world.app.app_context():
        round_id = world.rounds["Benquill"]  # it is over
        seat = rounds.seat_of(round_id, world.children["Benquill"])
        assert seat is not None
        for place, name in enumerate(CHILDREN):
            child_id, band = world.children[name], AGE_BANDS[(seed + place) % len(AGE_BANDS)]
            some, rng = questions(round_id, seat, band), Random(seed * 10 + place)
            growing = (0.6, 0.0, -0.3)[place]
            with write_unit():
                db.session.get_one(Child, child_id).age_band = band
                for number, one in enumerate(history(some, rng, growing)):
                    evidence_log.append(child_id, [one], at_home=number % 8 == 0)
            count_all()
            play_out(child_id)
        db.session.rollback()


def tables(world: World, name: str) -> tuple[list[recompute.Row], list[recompute.Row]]:
    """The two tables of a child, as its teacher downloads them: the answers and the numbers."""
    teacher, child = world.visitor(CHILDREN[name]), f"/teach/children/{world.children[name]}"
    answers, numbers = (
        csv.DictReader(io.StringIO(teacher.get(f"{child}/{file}").text.removeprefix("\ufeff")))
        for file in ("answers.csv", "skills.csv")
    )
    return list(answers), list(numbers)


def again(answers: list[recompute.Row], table: list[recompute.Row]) -> Any:
    head = table[0]
    skills = [one["skill"] for one in table if one["part"] == "skill"]
    as_of = date.fromisoformat(head["as_of_day"])
    return recompute.numbers(answers, as_of, head["age_band"], skills)


@pytest.mark.walk(3)
@pytest.mark.parametrize("seed", range(3))
def test_every_number_can_be_computed_again_from_the_answers(world: World, seed: int) -> None:
    fill(world, seed)
    guessed: set[int] = set()
    for name in CHILDREN:
        answers, table = tables(world, name)
        assert recompute.differences(table, again(answers, table)) == []
        guessed |= recompute.guessing_days(answers)
        levels = [one for one in table if one["part"] == "level"]
        assert sum(int(one["ever"]) for one in levels) > 100
        assert any(one["growth"] for one in levels)
    assert guessed, "days of guessing are left out by both"


@pytest.mark.whole  # a test of the comparison, which is made every day
def test_a_number_that_is_off_by_one_is_found(world: World) -> None:
    fill(world, 0)
    answers, table = tables(world, "Miaqua")
    found = again(answers, table)
    for part in ("level", "range", "skill", "recall"):
        changed = next(one for one in table if one["part"] == part)
        wrong = {**changed, "right": str(int(changed["right"]) + 1)}
        others = [one for one in table if one is not changed]
        assert len(recompute.differences([*others, wrong], found)) == 1
