"""Components that are drawn once for the same arguments: `once(macro, ...)`, not `macro(...)`.

A macro of templates/components or templates/games sees its arguments and nothing else, and those
of a table are frozen values. Most of a table looks as it did a move ago, much of it the same from
other seats, so its text is kept. What was hidden from a viewer is in none of its arguments.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from flask import Flask, request
from jinja2.runtime import Macro

KEPT: Final = 8192  # texts; one is about half a kilobyte


def init_app(app: Flask) -> None:
    app.add_template_global(once)


def once(macro: Macro, *args: Any) -> str:
    """What the macro makes of these arguments. TypeError where one of them can change."""
    return _drawn(request.script_root, macro, *args)


@lru_cache(maxsize=KEPT, typed=True)  # typed: text that is escaped already equals text that is not
def _drawn(_below: str, macro: Macro, *args: Any) -> str:
    """`_below`: where the school is mounted; addresses of pictures begin with it."""
    return macro(*args)
