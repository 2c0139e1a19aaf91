"""`url_for` in templates, remembered: a child's table has ten addresses, and to build them for
each move took a twentieth of its drawing."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Flask, request, url_for


def init_app(app: Flask) -> None:
    app.jinja_env.globals["url_for"] = address


def address(endpoint: str, **values: Any) -> str:
    """The address of a route, below the path where this school is mounted."""
    try:
        return _address(request.script_root, endpoint, tuple(values), *values.values())
    except TypeError:  # a list of values cannot be remembered
        return url_for(endpoint, **values)


@lru_cache(maxsize=4096, typed=True)  # typed: 1 and True are equal, and read differently
def _address(_below: str, endpoint: str, names: tuple[str, ...], *values: Any) -> str:
    return url_for(endpoint, **dict(zip(names, values, strict=True)))
