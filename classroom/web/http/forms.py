"""Read the fields of a form one by one, by name; any other field is ignored."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NoReturn

from flask import g, request

from classroom.services.table.rounds import LONGEST_KEY
from classroom.web.words.language import gettext as _

MOST = 2**31 - 1  # the largest id that a row can have
LONGEST = (
    60_000  # most characters of a field whose errors are shown beside it; a request has a limit too
)

Errors = dict[str, str]  # sentences for adults, by field

_KEY = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_KEY}}}")
_NUMBER = re.compile(r"-?[0-9]{1,10}")


class InvalidForm(Exception):
    """A field that no page of ours would send; it is answered with 400. `field` names it."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def by_htmx() -> bool:
    """Whether htmx sent the request and wants part of a page; a browser wants the whole page."""
    return "HX-Request" in request.headers


def asks() -> bool:
    """Whether this form was overtaken, so that nothing may be saved before the adult is asked
    (both.py)."""
    return "asked" in g


def errors() -> Errors:
    """A dict for the errors of the form that was sent. It begins empty, or with an entry if the
    form has to be shown again in any case."""
    return {"": ""} if asks() else {}


def text(field: str, longest: int = 200, default: str | None = "") -> str:
    """The text of a field; a longer one is invalid. `default` None: the field is required."""
    value = request.form.get(field, default)
    if value is None or len(value) > longest:
        _invalid(field)
    return value


def number(field: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number within bounds, or `default` if the field is missing."""
    value = request.form.get(field)
    if value is None and default is not None:
        return default
    if value is None or not _NUMBER.fullmatch(value) or not low <= int(value) <= high:
        _invalid(field)
    return int(value)


def choice(field: str, allowed: Collection[str], default: str | None = None) -> str:
    """The value of a field, which must be one of the allowed ones."""
    value = request.form.get(field, default)
    if value is None or value not in allowed:
        _invalid(field)
    return value


def chosen(field: str, allowed: Collection[str], errors: Errors, default: str = "") -> str:
    """What was chosen; `errors` gets a sentence for a value that is not on offer (any more)."""
    value = request.form.get(field, default)[:LONGEST]
    if value not in allowed:
        errors[field] = _("Please choose one of these.")
    return value


def whole(field: str, low: int, high: int, errors: Errors) -> int:
    """The whole number that was typed; `errors` gets a sentence for anything else."""
    value = request.form.get(field, "").strip()
    if _NUMBER.fullmatch(value) and low <= int(value) <= high:
        return int(value)
    errors[field] = _("Please type a whole number from %(low)s to %(high)s.", low=low, high=high)
    return low


def key() -> str:
    """The key of this tap: a unique name chosen by the page."""
    value = text("key", LONGEST_KEY)
    if not _KEY.fullmatch(value):
        _invalid("key")
    return value


def ids(sent: Iterable[str]) -> tuple[int, ...]:
    """The ids among these values, each once; whatever else was sent is left out."""
    found = (int(value) for value in sent if _NUMBER.fullmatch(value))
    return tuple(dict.fromkeys(one for one in found if 0 < one <= MOST))


def flag(field: str) -> bool:
    """Whether a box is ticked."""
    return request.form.get(field) in ("1", "on")


def blank(fields: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """The fields for a template, in which a missing field reads as ""."""
    return defaultdict(str, fields or {})


def done(words: Mapping[str, str]) -> str:
    """What a page says after an action. The key of the action is in the page's address; "" if there
    is nothing to say."""
    return _(words.get(request.args.get("done", ""), ""))


def _invalid(field: str) -> NoReturn:
    raise InvalidForm(field)
