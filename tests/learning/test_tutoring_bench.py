"""The check against public tutoring data: its arithmetic, and its models on simulated pupils."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from classroom.learning.beliefs import NOTHING_KNOWN, Belief, chance, moments, quantiles, updated
from tests.bench import bench_tutoring as bench, tutoring_models as models

# No page shows what these find; every day the arithmetic of the bench is tried.
of_a_bench = pytest.mark.whole


def test_auc_equals_counting_pairs() -> None:
    rng = Random(1)
    told = [(rng.random() < 0.6, rng.randrange(5) / 5) for _ in range(80)]
    pairs = [(a, b) for right, a in told if right for wrong, b in told if not wrong]
    wins = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in pairs)
    assert bench.auc(told) == pytest.approx(wins / len(pairs))


def test_rmse_equals_a_hand_calculation() -> None:
    assert bench.rmse([(True, 0.5), (False, 0.5)]) == pytest.approx(0.5)
    assert bench.rmse([(True, 1.0), (False, 0.0)]) == 0


def test_pupils_are_read_from_three_lines_each(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("2\n7,8,\n1,0,\n1\n9,\n1,\n")
    assert bench.pupils(file) == [[(7, True), (8, False)], [(9, True)]]


def made_up(rng: Random, pupils: int) -> list[list[tuple[int, bool]]]:
    """Make up pupils with a level in each of four skills, who answer ten items of each. The levels
    have something in common."""
    found = []
    for _ in range(pupils):
        able = rng.gauss(0, 0.8)
        levels = [able + rng.gauss(skill / 2, 0.9) for skill in range(4)]
        found.append(
            [
                (s, rng.random() < chance(level, 0.5))
                for s, level in enumerate(levels)
                for _ in "x" * 10
            ]
        )
    return found


@pytest.fixture(scope="module")
def scores() -> dict[str, tuple[float, float, int]]:
    rng = Random(2)
    train, test = made_up(rng, 60), made_up(rng, 40)
    told = {name: list(model()) for name, model in bench.models(train, test).items()}
    return {name: (bench.auc(one), bench.rmse(one), len(one)) for name, one in told.items()}


@of_a_bench
def test_every_model_predicts_the_same_answers(scores: dict[str, tuple[float, float, int]]) -> None:
    assert {n for _, _, n in scores.values()} == {40 * 40}


@of_a_bench
def test_every_model_predicts_better_than_the_share_of_a_skill(
    scores: dict[str, tuple[float, float, int]],
) -> None:
    plain = scores.pop("share of the skill")
    for name, (auc, rmse, _) in scores.items():
        assert auc > plain[0] + 0.03, name
        assert rmse < plain[1], name


@of_a_bench
def test_where_levels_are_the_truth_the_level_predicts_best(
    scores: dict[str, tuple[float, float, int]],
) -> None:
    auc, rmse, _ = scores[bench.FITTED_LEVEL]
    for name in ("share of the last ten", "moving average, 0.2", "BKT, own fit by EM"):
        assert auc >= scores[name][0] - 0.01, name
        assert rmse <= scores[name][1] + 0.003, name


@of_a_bench
def test_where_skills_have_something_in_common_a_borrowed_start_predicts_better(
    scores: dict[str, tuple[float, float, int]],
) -> None:
    (auc, rmse, _), plain = scores[bench.BEGUN], scores[bench.FITTED_LEVEL]
    assert auc > plain[0] + 0.002
    assert rmse < plain[1]


def held_after(answers: int, start: Belief, true: float, rng: Random) -> float:
    """The share of 200 children at this level whose likely range holds it."""
    held = 0
    for _ in range(200):
        belief = start
        for _ in range(answers):
            suits = moments(belief)[0] - 1
            right = rng.random() < chance(true, suits, 0.25)
            belief = updated(belief, right, suits, 0.25)
        low, high = quantiles(belief, (0.025, 0.975))
        held += low <= true <= high
    return held / 200


def test_a_borrowed_start_would_hide_a_child_that_is_behind_in_one_strand_only() -> None:
    rng, ahead, behind = Random(11), 1.5, -1.0
    borrowed = bench.Fit(0.0, 1.0, borrowed=0.9).start(ahead)
    for answers in (5, 10, 25):
        assert held_after(answers, NOTHING_KNOWN, behind, rng) >= 0.92
        assert held_after(answers, borrowed, behind, rng) <= 0.88


def test_knowledge_tracing_finds_its_parameters() -> None:
    rng, true = Random(5), models.Tracing(0.3, 0.2, 0.2, 0.1)
    some = []
    for _ in range(1500):
        known, answers = rng.random() < true.known, []
        for _ in range(12):
            answers.append(rng.random() < (1 - true.slip if known else true.guess))
            known = known or rng.random() < true.learns
        some.append(answers)
    found = models.traced(some)
    for part in ("known", "learns", "guess", "slip"):
        assert getattr(found, part) == pytest.approx(getattr(true, part), abs=0.05), part


def test_the_data_is_named_by_argument_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FISH_TUTORING_DATA", raising=False)
    assert bench.main([]) == 2
    assert "FISH_TUTORING_DATA" in capsys.readouterr().out
    for name in ("train", "test"):
        (tmp_path / f"assistments2009_{name}.csv").write_text("3\n7,7,8,\n1,0,1,\n" * 5)
    monkeypatch.setenv("FISH_TUTORING_DATA", str(tmp_path))
    assert bench.main([]) in (0, 1)
    assert bench.FITTED_LEVEL in capsys.readouterr().out
