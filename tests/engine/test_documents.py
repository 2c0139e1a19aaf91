"""The examples in the docstrings of classroom/engine and classroom/games are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import classroom.engine
import classroom.games

MODULES = sorted(
    [
        "tests.engine.positions",
        *(
            module.name
            for room in (classroom.engine, classroom.games)
            for module in pkgutil.iter_modules(room.__path__, f"{room.__name__}.")
        ),
    ]
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    tried = sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES)
    assert tried >= 15
