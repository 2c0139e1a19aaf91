"""Every statement of the five rule texts (RULES.md A1 to A5), of A8 and of the settled readings
has a test whose name begins with its id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.engine.test_checks import REFUSED, WARNED

HERE = Path(__file__).parent
STATEMENTS = {
    "C": [str(n) for n in range(1, 25)],
    "G": [*map(str, range(1, 21)), "6b"],
    "P": [str(n) for n in range(1, 14)],
    "F": [str(n) for n in range(1, 19)],
    "W": [str(n) for n in range(1, 8)],
    "O": [str(n) for n in range(1, 16)],
    "R": [str(n) for n in range(1, 22)],
    "S": [str(n) for n in range(1, 36)],
}
"""How many there are of each document: doc 000, 001, 002, 003 and its wild game, 004; the
combinations that are refused or warned of; the settled readings."""

NAMED = re.compile(r"def test_((?:[A-Z]+\d+b?_)+)")
ID = re.compile(r"[A-Z]+\d+b?")


def _tested() -> set[str]:
    """The ids that begin the name of a test, and those of the combinations tried one by one."""
    text = "".join(path.read_text("utf-8") for path in HERE.glob("test_*.py"))
    named = {found for ids in NAMED.findall(text) for found in ID.findall(ids)}
    return named | {line[0] for line in (*REFUSED, *WARNED)}


@pytest.mark.parametrize("letter", STATEMENTS)
def test_every_statement_is_a_test_named_by_its_id(letter: str) -> None:
    wanted = {letter + number for number in STATEMENTS[letter]}
    assert wanted <= _tested(), sorted(wanted - _tested())
