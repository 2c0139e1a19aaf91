"""Memoised components: `once(macro, ...)` in place of `macro(...)`.

A macro of templates/components or templates/games sees only its arguments, and those of a table are
frozen values. Most of a table looks as it did a move ago, and much of it looks the same from other
seats, so the text is kept. A viewer's arguments hold nothing that is hidden from that viewer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from flask import Flask, request
from jinja2.runtime import Macro

from classroom.web.words import language

KEPT: Final = 8192  # the most texts to keep, each of about half a kilobyte


def init_app(app: Flask) -> None:
    app.add_template_global(once)


def once(macro: Macro, *args: Any) -> str:
    """Render the macro, memoised by its arguments. Raises TypeError if one is not hashable."""
    return _drawn(request.script_root, language.language(), macro, *args)


@lru_cache(maxsize=KEPT, typed=True)  # typed: Markup equals the str of the same text
def _drawn(_below: str, _language: str, macro: Macro, *args: Any) -> str:
    """`_below`: the path where the school is mounted; the addresses of pictures begin with it."""
    return macro(*args)
