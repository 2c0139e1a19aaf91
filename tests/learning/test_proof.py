"""The proof command: it prints what it found, and docs/learning.md is complete."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from classroom.learning import alerts, estimates, recall_span, windows
from classroom.learning.skills import SKILLS
from tools import proof

PAGE = Path(__file__).parents[2] / "docs" / "learning.md"


def test_a_table_has_a_line_for_each_result() -> None:
    lines = [
        proof.Measurement("a", "1 of 2", "-", True),
        proof.Measurement("b", "2 of 2", ">= 1", True),
    ]
    assert proof.table(lines).splitlines()[2:] == ["| a | 1 of 2 | - |", "| b | 2 of 2 | >= 1 |"]


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two = (proof.spans_found(4.0, 0.5, 3, Random("same")) for _ in range(2))
    assert one == two


@pytest.mark.long
def test_every_line_of_the_proof_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert proof.main([]) == 0
    assert "children who only guess" in capsys.readouterr().out


def test_the_page_of_results_names_every_skill_and_every_limit() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for skill in SKILLS.values():
        assert skill.name in text
        assert (skill.common_core or "") in text
        assert (skill.england or "") in text
    for limit in (
        estimates.SHARE_FROM,
        estimates.COLOUR_FROM,
        windows.RECENT_DAYS,
        windows.RECENT_ITEMS,
        estimates.HALVING_DAYS,
        recall_span.RECENT_ITEMS,
        alerts.LONG_FROM,
        round(100 * estimates.HIGH),
        round(100 * estimates.MID),
    ):
        assert f"{limit}" in text
