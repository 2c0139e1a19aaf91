"""The outside check of the ratings: its arithmetic, and the ratings on simulated data."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random

import pytest

from classroom.learning.ratings import chance

PLACE = Path(__file__).parents[1] / "bench" / "bench_tutoring.py"
SPEC = importlib.util.spec_from_file_location("bench_tutoring", PLACE)
assert SPEC is not None
assert SPEC.loader is not None
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


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


def test_ratings_predict_better_than_the_share_of_a_skill() -> None:
    rng = Random(2)
    skills = [rng.uniform(-1.5, 1.5) for _ in range(8)]

    def pupil() -> list[tuple[int, bool]]:
        level = rng.gauss(0, 1.2)
        asked = [rng.randrange(8) for _ in range(40)]
        return [(skill, rng.random() < chance(level, skills[skill])) for skill in asked]

    train, test = [pupil() for _ in range(150)], [pupil() for _ in range(60)]
    ours, shares = bench.rated(train, test), bench.base_rates(train, test)
    assert len(ours) == len(shares) == 60 * 40
    assert bench.auc(ours) > bench.auc(shares) + 0.03
    assert bench.rmse(ours) < bench.rmse(shares)


def test_the_data_is_named_by_argument_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FISH_TUTORING_DATA", raising=False)
    assert bench.main([]) == 2
    assert "FISH_TUTORING_DATA" in capsys.readouterr().out
    for name in ("train", "test"):
        (tmp_path / f"assistments2009_{name}.csv").write_text("3\n7,7,8,\n1,0,1,\n" * 5)
    monkeypatch.setenv("FISH_TUTORING_DATA", str(tmp_path))
    assert bench.main([]) == 0
    assert "ratings of the app" in capsys.readouterr().out
