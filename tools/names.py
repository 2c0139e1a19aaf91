"""Finds the names of games, skills, decks and levels for the catalogue of texts (babel.cfg).

Their packages know nothing about languages, so these texts are not marked where they are written.
Pages translate them where they are shown.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from io import BufferedIOBase
from typing import Any, Final

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


def _texts(call: ast.Call) -> Iterator[ast.Constant]:
    given = [one.value for one in call.keywords if one.arg in FIELDS]
    if isinstance(call.func, ast.Name) and call.func.id in MAKERS:
        given += call.args[1 : MAKERS[call.func.id]]
    for one in given:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one
