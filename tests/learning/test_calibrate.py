"""A school's own answers say which kinds of questions are harder than the table says."""

from __future__ import annotations

from math import exp
from pathlib import Path
from random import Random

import pytest

from tools.calibrate import BOUND, SHRUNK, answers_of, main, offsets

HARDER = {"count_hand": 0.6, "give": -0.5, "next": 0.0, "flash": 0.2, "mixed": -0.3}


def school(children: int, each: int) -> list[dict[str, str]]:
    """The rows of the table of all answers of children whose kinds are as in HARDER."""
    rng, rows = Random("school"), []
    for child in range(children):
        level = rng.uniform(-2, 3)
        for number in range(each):
            kind, difficulty = rng.choice(sorted(HARDER)), level + rng.uniform(-1.5, 0.5)
            knows = 1 / (1 + exp(difficulty + HARDER[kind] - level))
            right = rng.random() < 0.2 + 0.8 * knows
            rows.append({
                "child_id": str(child), "strand": "counting", "source": "question", "how": "alone",
                "day": f"2026-{1 + number % 3:02}-11", "kind": kind, "guess_rate": "0.2",
                "difficulty": f"{difficulty:.3f}", "right": str(int(right)),
            })  # fmt: skip
    return rows


def test_what_is_harder_for_these_children_is_found() -> None:
    found = offsets(answers_of(school(30, 80)))
    errors = [found[kind].by - by for kind, by in HARDER.items()]
    assert sum(error**2 for error in errors) < 0.3 * sum(by**2 for by in HARDER.values())
    assert all(one.error < 0.5 * SHRUNK for one in found.values())


def test_few_answers_move_hardly_anything_and_no_number_of_them_moves_far() -> None:
    assert all(abs(one.by) < 0.3 for one in offsets(answers_of(school(2, 6))).values())
    assert offsets([]) == {}
    wrong = [row | {"right": "0"} if row["kind"] == "give" else row for row in school(30, 80)]
    assert offsets(answers_of(wrong))["give"].by == BOUND


def test_the_same_rows_give_the_same_numbers_in_any_order() -> None:
    rows = school(5, 20)
    assert offsets(answers_of(rows)) == offsets(answers_of(rows[::-1]))


@pytest.mark.parametrize(
    "aside", [{"how": "aided"}, {"source": "play"}, {"strand": "recall"}, {"day": "2025-10-01"}]
)
def test_what_counts_for_no_level_or_is_old_counts_for_no_difficulty(aside: dict[str, str]) -> None:
    rows = school(3, 10)
    assert answers_of([*rows, rows[0] | aside]) == answers_of(rows)


def test_the_command_reads_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = school(3, 10)
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    (tmp_path / "answers.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    assert main([str(tmp_path / "answers.csv")]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == sorted(HARDER)
