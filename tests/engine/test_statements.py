"""Every numbered statement of docs/rules.md (C, G, P, F, W, O, R and S) has a test whose name
begins with its id, or a line in the tables of test_checks.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.engine.test_checks import REFUSED, WARNED
from tests.test_documents import definitions

HERE = Path(__file__).parent
STATEMENTS = [id_ for id_ in definitions() if re.fullmatch(r"[CGPFWORS]\d+b?", id_)]
NAMED = re.compile(r"def test_((?:[A-Z]+\d+b?_)+)")
ID = re.compile(r"[A-Z]+\d+b?")


def _tested() -> set[str]:
    """The ids at the start of test names, and those of the combinations that are tested one by
    one."""
    text = "".join(path.read_text("utf-8") for path in HERE.glob("test_*.py"))
    named = {found for ids in NAMED.findall(text) for found in ID.findall(ids)}
    return named | {line[0] for line in (*REFUSED, *WARNED)}


@pytest.mark.parametrize("letter", "CGPFWORS")
def test_every_statement_is_a_test_named_by_its_id(letter: str) -> None:
    wanted = {id_ for id_ in STATEMENTS if id_.startswith(letter)}
    assert wanted
    assert wanted <= _tested(), sorted(wanted - _tested())
