"""When questions come, and which ones."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from classroom.engine import events as ev
from classroom.engine.observation import Observation
from classroom.learning.beliefs import Rating
from classroom.learning.evidence import Evidence
from classroom.learning.history import EASIEST, READY, History, Standing, history
from classroom.learning.questions import Question, make
from classroom.learning.recall_questions import Past, named_classes
from classroom.learning.schedule import (
    FOCUS_ANSWERS,
    NATURAL,
    Asking,
    _of_kinds,
    in_focus,
    is_due,
    natural_question,
    next_question,
    weights,
)
from classroom.learning.skills import ASKED, RECALL, SKILLS, Bounds, answered_by, bounds_at
from classroom.minds.board import Telling, already_known
from tests.learning.rows import row, rows
from tests.learning.simulating import answered, plain_question
from tests.learning.size import many
from tests.learning.tables import random_views
from tools.simulate import SimulatedChild

USUAL = Asking("every_turn", bounds_at("6-7"))


def gaps(frequency: str, turns: int = 4000) -> list[int]:
    """How many of the child's turns it takes from each question to the next."""
    rng, since, found = Random(1), 0, []
    for _ in range(turns):
        since += 1
        if is_due(frequency, since, rng):  # type: ignore[arg-type]
            found.append(since)
            since = 0
    return found


@pytest.mark.parametrize(
    ("frequency", "mean", "least"), [("every_turn", 1, 1), ("sometimes", 3, 2), ("rarely", 8, 4)]
)
def test_questions_come_as_often_as_set(frequency: str, mean: float, least: int) -> None:
    found = gaps(frequency)
    assert min(found) == least
    assert sum(found) / len(found) == pytest.approx(mean, rel=0.1)
    assert mean == 1 or len(set(found)) > 3  # a child cannot tell when the next one comes


def test_there_are_no_questions_when_off() -> None:
    assert gaps("off") == []
    assert not is_due("off", 99, Random(1), "end")


def test_there_are_never_two_questions_in_one_turn() -> None:
    assert not is_due("every_turn", 0, Random(1))
    assert not is_due("every_turn", 0, Random(1), "end")


def test_the_books_are_counted_or_added_at_the_end() -> None:
    assert is_due("rarely", 1, Random(1), "end")
    over = list(random_views("classic", 1, seats=3))[-1]
    assert over.over
    kinds: Counter[str] = Counter()
    known, pupil = History(), SimulatedChild(levels=dict.fromkeys(ASKED, 0.5))
    for seed in range(40):
        question = next_question(over, known, USUAL, 0, Random(seed), moment="end")
        assert question is not None
        kinds[question.kind] += 1
        known = known.after(answered(pupil, question, Random(seed), day=seed, at=86400.0 * seed))
    assert set(kinds) <= {"books_of_all", "books_of_three", "points_of_two", "count_books"}
    assert len(kinds) > 1


# ---- which skill


def test_a_skill_comes_back_after_1_7_and_28_days() -> None:
    known, day, returns = History(), 0, []
    for _ in range(5):
        known = known.after(row(day=day, round_id=day))
        returns.append(known.standing("how_many").due - day)
        day = known.standing("how_many").due
    assert returns == [1, 7, 28, 28, 28]


def test_a_wrong_answer_starts_again_with_tomorrow() -> None:
    known = history([row(day=0), row(day=1), row(day=8)])
    assert known.standing("how_many").due == 8 + 28
    known = known.after(row(day=36, right=False))
    assert known.standing("how_many").due == 37


def test_early_answers_and_help_prove_nothing() -> None:
    known = history([row(day=0), row(day=1)])
    assert known.standing("how_many").due == 8
    assert known.after(row(day=4)).standing("how_many").due == 8
    assert known.after(row(day=9, hint_step=4)).standing("how_many").due == 8


def test_due_skills_come_first_and_none_twice_running() -> None:
    known = history([row("how_many", day=0, at=0.0), row("make_book", day=0, at=1.0)])
    today = weights(known, ["how_many", "make_book", "give_n"], 0)
    assert today["make_book"] == 0.0
    tomorrow = weights(known, ["how_many", "make_book", "give_n"], 1)
    assert tomorrow["how_many"] == 2 * tomorrow["give_n"]
    assert weights(known, ["make_book"], 0)["make_book"] > 0  # nothing else is possible


def test_questions_reach_every_skill() -> None:
    able = SimulatedChild(levels=dict.fromkeys(ASKED, 1.0))  # none of them is too hard
    asked = Counter(one.skill for one, _ in lesson(able, rounds=many(12, 40), seed=1))
    skills = [key for key in ASKED if SKILLS[key].range_at("6-7")]
    assert set(asked) == set(skills) - {"order_asked"}  # it needs three others at the table
    assert max(asked.values()) < 0.25 * sum(asked.values())


def test_the_program_stays_with_skills_of_three_areas_until_they_say_something() -> None:
    known = History()
    first = in_focus(known, USUAL, 0)
    assert {SKILLS[key].strand for key in first} == {"counting", "adding", "recall"}
    for n in range(FOCUS_ANSWERS - 1):
        for skill in sorted(first):
            known = known.after(row(skill, day=n))
        assert in_focus(known, USUAL, n) == first
    for skill in sorted(first):
        known = known.after(row(skill, day=9))
    second = in_focus(known, USUAL, 9)
    assert not second & first
    assert {"comparing", "sorting"} <= {SKILLS[key].strand for key in second}


def test_the_teachers_focus_comes_first_and_three_times_in_four() -> None:
    wanted = Asking("every_turn", bounds_at("6-7"), frozenset({"next_before", "who_asked"}))
    assert in_focus(History(), wanted, 0) == {"next_before", "who_asked"}
    heavy = weights(History(), sorted(ASKED), 0, {"next_before", "who_asked"})
    assert heavy["next_before"] + heavy["who_asked"] == pytest.approx(0.75)
    assert sum(heavy.values()) == pytest.approx(1.0)
    chosen = [q for _, q in lesson(SimulatedChild(), rounds=1, seed=9, asking=wanted)]
    asked = Counter(question.skill for question in chosen[:20])
    assert asked["next_before"] + asked["who_asked"] > 10


def test_a_skill_that_says_enough_leaves_the_focus() -> None:
    wanted = Asking("every_turn", bounds_at("6-7"), frozenset({"how_many", "who_asked"}))
    known = history(rows(10, FOCUS_ANSWERS))
    assert in_focus(known, wanted, 0) == {"who_asked"}
    known = history([*rows(10, FOCUS_ANSWERS), *rows(10, FOCUS_ANSWERS, skill="who_asked")])
    assert not in_focus(known, wanted, 0) & wanted.focus


@cache
def natural(level: float, rounds: int = 8) -> list[tuple[Evidence, Question, Observation]]:
    """The questions that the game itself asks a child of this level, with their answers and what
    the child saw then."""
    known, rng, found = History(), Random(4), []
    pupil = SimulatedChild(levels=dict.fromkeys(ASKED, level))
    for number in range(rounds):
        for observation in random_views("classic", number, seats=3):
            question = natural_question(observation, known, USUAL, rng)
            assert question is None or not observation.over
            if question is not None:
                one = answered(pupil, question, rng, day=number, at=86400.0 * number + len(found))
                known = known.after(one)
                found.append((one, question, observation))
    return found


def test_the_game_itself_asks_about_what_it_shows() -> None:
    kinds = {question.kind for level in (-1.0, 0.5, 2.0) for _, question, _ in natural(level)}
    assert kinds <= set(NATURAL)
    assert len(kinds) > 10


def test_what_the_game_itself_asks_is_mostly_about_counting_and_adding_alike() -> None:
    strands = Counter(SKILLS[question.skill].strand for _, question, _ in natural(0.5))
    assert set(strands) == {"counting", "adding", "comparing", "sorting"}
    for strand in ("counting", "adding"):
        assert strands[strand] > 0.33 * strands.total()
    for strand in ("comparing", "sorting"):
        assert 0.02 < strands[strand] / strands.total() < 0.2


def test_one_sort_of_question_is_not_most_of_what_the_game_asks() -> None:
    skills = Counter(question.skill for _, question, _ in natural(0.5))
    counting = sum(n for skill, n in skills.items() if SKILLS[skill].strand == "counting")
    assert skills["give_n"] < 0.45 * counting


def test_who_has_more_is_asked_when_cards_have_moved_and_shows_no_card_of_others() -> None:
    seen = [(q, o) for level in (-1.0, 0.5, 2.0) for _, q, o in natural(level)]
    kinds = {q.kind for q, _ in seen}
    assert {"most_cards", "how_many_more", "most_books", "belongs", "count_kind"} <= kinds
    for question, table in seen:
        newest = [item.event for item in table.history if item.seq == table.seq]
        if question.kind in ("most_cards", "fewest_cards", "how_many_more"):
            assert any(isinstance(one, ev.Gave | ev.Fished) for one in newest)
            held = [table.hand_sizes[seat] for seat in question.stem.seats]
            assert list(question.stem.numbers) == held
            assert "counts" in question.covers
        elif question.kind == "most_books":
            assert any(isinstance(one, ev.LaidBook | ev.LaidFaceDown) for one in newest)
        elif question.kind in ("belongs", "count_kind"):
            assert any(table.viewer in (getattr(one, "taker", None), getattr(one, "seat", None))
                       for one in newest if isinstance(one, ev.Gave | ev.Fished))  # fmt: skip
            cards = {*question.stem.cards, *(question.options if question.face == "card" else ())}
            assert cards <= set(table.hand)


@pytest.mark.parametrize(("adding", "asked"), [(12, "how_many"), (6, "make_book")])
def test_what_says_little_is_asked_only_where_much_less_is_known(adding: int, asked: str) -> None:
    """An answer about the book says less, as luck is right more often."""

    def ask(skill: str, *, kinds: tuple[str, ...], ability: float) -> Question | None:
        luck = {"count_hand": 0.2, "more_for_book": 0.45}.get(kinds[0])
        if luck is None:
            return None
        return replace(plain_question(skill, Random(1)), kind=kinds[0], guess_rate=luck)

    known = History(general={"counting": Rating(0.5, 12), "adding": Rating(0.5, adding)})
    question = _of_kinds(NATURAL, known, bounds_at("6-7"), ask, Random(1))
    assert question is not None
    assert question.skill == asked


def test_what_the_game_itself_asks_is_harder_for_those_who_can_do_more() -> None:
    usual = []
    for level in (-1.0, 0.5, 2.0):
        found = natural(level)
        usual.append(sum(question.difficulty for _, question, _ in found) / len(found))
        right = [one.right for one, _, _ in found][20:]
        assert 0.58 <= sum(right) / len(right) <= 0.9
    assert usual == sorted(usual)


def test_a_child_ahead_of_its_age_gets_the_numbers_of_the_next() -> None:
    young = Asking("every_turn", bounds_at("4-5"))
    ahead = History(general={"counting": Rating(1.0, READY)})
    assert ahead.reach("4-5") == {"counting": "5-6"}
    assert History(general={"counting": Rating(1.0, READY - 1)}).reach("4-5") == {}
    assert History(general={"counting": Rating(5.0, READY)}).reach("4-5") == {"counting": "7-9"}
    view = next(v for v in random_views("classic", 3, seats=3) if 6 < len(v.hand) < 11)
    bounds = replace(young.bounds, reach=ahead.reach("4-5"))
    for chosen, fits in ((young.bounds, False), (bounds, True)):
        question = make(view, "how_many", Random(1), chosen, kinds=("count_hand",))
        assert (question is not None) == fits


def lesson(pupil: SimulatedChild, rounds: int, seed: int, asking: Asking = USUAL):  # type: ignore[no-untyped-def]
    """The answers of a simulated child in random classic rounds, with their questions. One question
    may come before each move."""
    rng, known, found = Random(seed), History(), []
    for number in range(rounds):
        about: list[Telling] = []
        for step, observation in enumerate(random_views("classic", 100 * seed + number, seats=3)):
            question = next_question(
                observation, known, asking, number, rng,
                past=Past(told=already_known(observation, "peek", {}, about)),
                moment="end" if observation.over else "turn",
            )  # fmt: skip
            if question is None:
                continue
            if question.skill in RECALL:
                classes = named_classes(question.to_json())
                about.append(Telling(door="question", upto=observation.seq, classes=classes))
            at = number * 86400.0 + step
            one = answered(pupil, question, rng, day=number, at=at, round_id=number)
            found.append((one, question))
            known = known.after(one)
    return found


@pytest.mark.parametrize("level", [-1.0, 0.0, 1.0])
def test_a_child_is_right_three_to_four_times_in_five_in_whole_games(level: float) -> None:
    """In whole games there are questions to suit a child of each of these levels; one below EASIEST
    is right a little less often. A recall span of 6 asks is usual for the age."""
    levels = dict.fromkeys(ASKED, level)
    found = lesson(SimulatedChild(levels=levels, span=6.0), rounds=many(5, 30), seed=2)
    later = [one.right for one, q in found[60:] if not q.practice]
    assert len(later) > 100
    assert (0.62 if level > EASIEST else 0.54) <= sum(later) / len(later) <= 0.88


def test_one_practice_question_comes_first_in_each_way_of_answering() -> None:
    met: set[str] = set()
    for _, question in lesson(SimulatedChild(), rounds=4, seed=3):
        way = answered_by(question.face, len(question.options))
        assert question.practice == (way not in met)
        met.add(way)
    assert {"pad", "dots", "seat", "class", "card", "tapped"} == met


def test_a_fact_is_not_asked_about_twice_in_a_round() -> None:
    for number in range(2):
        facts = [
            question.fact_seq
            for one, question in lesson(SimulatedChild(), rounds=2, seed=5)
            if one.round_id == number and question.fact_seq is not None
        ]
        assert len(facts) == len(set(facts))


def test_only_allowed_skills_are_asked() -> None:
    bounds = Bounds(
        low=1, high=5, skills=frozenset({"how_many", "who_asked"}), options=4, band="6-7"
    )
    found = lesson(SimulatedChild(), rounds=2, seed=6, asking=Asking("every_turn", bounds))
    assert {question.skill for _, question in found} == {"how_many", "who_asked"}
    numbers = [q.answer for _, q in found if q.skill == "how_many"]
    assert max(numbers) <= 5


def test_no_question_comes_if_none_can_be_made() -> None:
    (first, *_) = random_views("classic", 1, seats=3, moves=1)
    bounds = Bounds(low=1, high=5, skills=frozenset({"add_books"}), options=4, band="6-7")
    assert next_question(first, History(), Asking("every_turn", bounds), 0, Random(1)) is None


def test_a_history_is_kept_as_json_and_can_be_counted_again() -> None:
    evidence: list[Evidence] = [one for one, _ in lesson(SimulatedChild(), rounds=3, seed=7)]
    known = history(evidence)
    assert History.from_json(json.loads(json.dumps(known.to_json()))) == known
    assert History.from_json({}) == History()
    one_by_one = History()
    for one in evidence:
        one_by_one = one_by_one.after(one)
    assert one_by_one == known


def test_a_history_of_an_earlier_version_can_be_read() -> None:
    """That version counted questions by kind, and kept the places of right answers."""
    kept = {
        "standings": {
            "how_many": {
                "own": [0.5, 3], "rung": 1, "due": 9, "asked": 4, "day": 8, "today": 1,
                "kinds": {"count_hand": 2, "count_pips": 2},
            },
            "give_n": {
                "own": [0.0, 0], "rung": 0, "due": 1, "asked": 1, "day": 0, "today": 1,
                "kinds": {"give": 1},
            },
        },
        "general": {"counting": [0.2, 3]},
        "positions": [0, 2, 1],
        "last_skill": "how_many",
    }  # fmt: skip
    known = History.from_json(kept)
    assert known.practised == {"numeral", "tapped"}
    assert known.ability("how_many").level == pytest.approx(0.7)
    assert known.standing("how_many").due == 9
    assert History.from_json(known.to_json()) == known


def test_play_and_help_do_not_move_a_rating() -> None:
    known = History().after(row("recall_ask", source="play"))
    assert known == History()
    helped = History().after(row(hint_step=3))
    assert helped.ability("how_many").level == 0.0
    assert helped.standing("how_many").asked == 1


def test_a_new_skill_starts_from_the_others_of_its_strand() -> None:
    known = history(rows(20, 20))
    assert known.ability("give_n").level > 0.5
    assert known.ability("who_asked").level == 0.0
    assert known.standing("make_book") == Standing()
