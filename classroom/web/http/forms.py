"""Fields of a form, read one by one by name: what nobody asked for is never looked at."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NoReturn

from flask import request

from classroom.services.table.rounds import LONGEST_KEY

MOST = 2**31 - 1  # the largest number that a row can have

_KEY = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_KEY}}}")
_NUMBER = re.compile(r"-?[0-9]{1,10}")


class InvalidForm(Exception):
    """A field that no page of ours would send: 400. `field` names it."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def by_htmx() -> bool:
    """Whether a script of ours asks, which takes a part of a page; else a browser wants all."""
    return "HX-Request" in request.headers


def text(field: str, longest: int = 200, default: str | None = "") -> str:
    """The field's text; too long a one is invalid. `default` None: the field must be there."""
    value = request.form.get(field, default)
    if value is None or len(value) > longest:
        _invalid(field)
    return value


def number(field: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number within bounds."""
    value = request.form.get(field)
    if value is None and default is not None:
        return default
    if value is None or not _NUMBER.fullmatch(value) or not low <= int(value) <= high:
        _invalid(field)
    return int(value)


def choice(field: str, allowed: Collection[str], default: str | None = None) -> str:
    """One of the values the page offered."""
    value = request.form.get(field, default)
    if value is None or value not in allowed:
        _invalid(field)
    return value


def key() -> str:
    """The fresh name that the page gave to this tap."""
    value = text("key", LONGEST_KEY)
    if not _KEY.fullmatch(value):
        _invalid("key")
    return value


def flag(field: str) -> bool:
    """Whether a box is ticked."""
    return request.form.get(field) in ("1", "on")


def blank(fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields for a template; one that is not there is empty."""
    return defaultdict(str, fields)


def _invalid(field: str) -> NoReturn:
    raise InvalidForm(field)
