"""Finds the texts of other packages for the catalogue (babel.cfg): the names of games, skills,
decks and levels, the ready-made lessons and the privacy register.

Their packages know nothing about languages, so these texts are not marked where they are written.
Pages translate them where they are shown.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from io import BufferedIOBase
from typing import Any, Final

from classroom import privacy
from classroom.services.base.limits import WORDS

FIELDS: Final = ("name", "sentence")
OUTLINE: Final = ("name", "title", "opener", "play", "say", "look", "close")
MAKERS: Final = {"_counting": 2, "_recall": 2, "DeckSize": 2, "_variant": 3}
"""Functions that are called with a key, then names: how many arguments these are together."""


def extract(
    file: BufferedIOBase, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield each text that is passed as a name or a sentence, or to a maker after a key."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call):
            for value in _texts(node):
                yield value.lineno, None, str(value.value), []


def extract_outlines(
    file: BufferedIOBase, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield each text of the ready-made lessons."""
    for number, line in enumerate(file.read().decode().splitlines(), 1):
        name = line.partition(" = ")[0]
        if name in OUTLINE:
            found = tomllib.loads(line)[name]
            for text in [found] if isinstance(found, str) else found:
                yield number, None, text, []


def extract_limits(
    file: BufferedIOBase, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield what a school can be full of."""
    for text in WORDS.values():
        yield 1, None, text, []


def _texts(call: ast.Call) -> Iterator[ast.Constant]:
    given = [one.value for one in call.keywords if one.arg in FIELDS]
    if isinstance(call.func, ast.Name) and call.func.id in MAKERS:
        given += call.args[1 : MAKERS[call.func.id]]
    for one in given:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one


def extract_privacy(
    file: BufferedIOBase, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield each text of the privacy register, as a page shows it."""
    tables = privacy.REGISTER.values()
    columns = [line for table in tables for line in table.columns.values()]
    for texts in (
        *(*privacy.SHORT, *privacy.QUESTIONS, *(one[1:] for one in privacy.FOR_CHILDREN)),
        (privacy.PROFILE, privacy.ABOUT_COOKIES, privacy.ABOUT_PERIODS),
        (privacy.BY_ITSELF, privacy.ABOUT_A_PERSON),
        *((one.what, one.used_for, one.seen_by) for one in privacy.WORKED_OUT),
        *((one.purpose, one.life) for one in privacy.COOKIES),
        *((one.what, one.why) for one in privacy.PERIODS),
        *((table.what,) for table in tables),
        *((one.purpose, one.seen_by, one.keep, one.delete) for one in columns),
    ):
        for text in texts:
            yield 1, None, text, []
