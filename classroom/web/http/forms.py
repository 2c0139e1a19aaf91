"""Read the fields of a form one by one, by name; any other field is ignored. A form that replaces
values is compared with the values that were saved since it was made."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

from flask import Flask, current_app, g, make_response, request
from markupsafe import Markup
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.wrappers import Response

from classroom.database import db
from classroom.services.base.rows import Changed, version_of
from classroom.services.table.rounds import LONGEST_KEY
from classroom.web.http import security
from classroom.web.words.language import gettext as _

MAX_ID = 2**31 - 1  # the largest id that a row can have
LONGEST = 60_000  # the maximum length of a field whose errors are shown beside it

Errors = dict[str, str]  # sentences for adults, by field

_KEY = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_KEY}}}")
_NUMBER = re.compile(r"-?[0-9]{1,10}")


class InvalidForm(Exception):
    """A field that none of our pages would send; its name is the argument. The response is 400."""


def by_htmx() -> bool:
    """Whether htmx sent the request and expects part of a page. A browser expects a whole page."""
    return "HX-Request" in request.headers


def asks() -> bool:
    """Whether this form conflicts with newer values, so the adult must decide before saving."""
    return "asked" in g


def errors() -> Errors:
    """A dict for the errors of this form; not empty if the form must be shown again anyway."""
    return {"": ""} if asks() else {}


def text(field: str, longest: int = 200, default: str = "") -> str:
    """The text of a field; a longer one is invalid."""
    value = request.form.get(field, default)
    if len(value) > longest:
        raise InvalidForm(field)
    return value


def number(field: str, low: int, high: int, default: int | None = None) -> int:
    """The whole number in a field, within bounds, or `default` if the field is missing."""
    value = request.form.get(field)
    if value is None and default is not None:
        return default
    if value is None or not _NUMBER.fullmatch(value) or not low <= int(value) <= high:
        raise InvalidForm(field)
    return int(value)


def choice(field: str, allowed: Collection[str], default: str | None = None) -> str:
    """The value of a field, which must be an allowed one."""
    value = request.form.get(field, default)
    if value is None or value not in allowed:
        raise InvalidForm(field)
    return value


def chosen(field: str, allowed: Collection[str], errors: Errors, default: str = "") -> str:
    """The choice in a field. If it is not allowed, `errors` gets a sentence."""
    value = request.form.get(field, default)[:LONGEST]
    if value not in allowed:
        errors[field] = _("Please choose one of these.")
    return value


def whole(field: str, low: int, high: int, errors: Errors) -> int:
    """The whole number in a field. `errors` gets a sentence if there is none within bounds."""
    value = request.form.get(field, "").strip()
    if _NUMBER.fullmatch(value) and low <= int(value) <= high:
        return int(value)
    errors[field] = _("Please type a whole number from %(low)s to %(high)s.", low=low, high=high)
    return low


def key() -> str:
    """The key of this tap: a unique name that the page chose."""
    value = text("key", LONGEST_KEY)
    if not _KEY.fullmatch(value):
        raise InvalidForm("key")
    return value


def ids(sent: Iterable[str]) -> tuple[int, ...]:
    """The ids among these values, each once. All other values are left out."""
    found = (int(value) for value in sent if _NUMBER.fullmatch(value))
    return tuple(dict.fromkeys(one for one in found if 0 < one <= MAX_ID))


def flag(field: str) -> bool:
    """Whether a box is ticked."""
    return request.form.get(field) in ("1", "on")


def blank(fields: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """The fields for a template, in which a missing field reads as ""."""
    return defaultdict(str, fields or {})


def done(words: Mapping[str, str]) -> str:
    """The message about an action that was done, by the key in the URL; "" if there are none."""
    return _(words.get(request.args.get("done", ""), ""))


# ---- A form that replaces values
#
# Such a form carries the version of the values, and its fields as they were when it was made. If
# the stored values have changed since, each field that was changed only in the database or only in
# the form keeps that change. If a field was changed in both, nothing is saved. The form is shown
# again as it was typed, with a note that names the value saved now.

Fields = Mapping[str, tuple[str, ...]]  # the fields of a form by name, as a browser sends them
View = Callable[..., Any]

FIELD: Final = "made_from"
# Prefixes of the fields that hold a child's place; a child without a place has no stored field.
PLACES: Final = ("group-", "table-")
NO_PLACE: Final = ("0",)
TICKS: Final = frozenset({"skill", "focus", "game"})  # fields with any number of values
ANEW: Final = frozenset({"leave"})  # buttons that replace all values, whatever is in the fields


@dataclass(frozen=True, slots=True)
class ReplacedForm:
    """How a form shows the values that it replaces. `read`: finds the stored values, given the ids
    in the form's URL; `fields`: returns the form's fields for these values. `whole`: whether the
    fields only make sense together, so that two saves are never combined."""

    read: Callable[..., Any]
    fields: Callable[[Any], Fields]
    whole: bool = False


def init_app(app: Flask, replaced: Mapping[str, ReplacedForm]) -> None:
    """Make the registered views of these endpoints compare their forms with newer values."""
    app.extensions["replaced"] = replaced
    app.add_template_global(made_from)
    app.add_template_global(overtaken)
    app.add_template_global(saved_now)
    app.add_template_global(changed_to)
    for endpoint, form in replaced.items():
        app.view_functions[endpoint] = _comparing(app.view_functions[endpoint], form)


def version() -> str:
    """The version of the values that this form was made from, to hand to the service that saves
    them."""
    return request.form.get(FIELD, "").partition(" ")[0]


def made_from(endpoint: str, **address: Any) -> Markup:
    """The hidden field with the version of the values that this form shows. In the response to this
    same form, the field stays as it was sent, because the adult has not seen any newer values."""
    named = {name: str(value) for name, value in (request.view_args or {}).items()}
    given = {**request.form.to_dict(), **named} if request.method == "POST" else {}
    same = all(given.get(name) == str(value) for name, value in address.items())
    if same and endpoint == request.endpoint and version():
        return security.hidden((FIELD, request.form.get(FIELD, "")[:LONGEST]))
    form: ReplacedForm = current_app.extensions["replaced"][endpoint]
    return security.hidden((FIELD, _made_from(form, form.read(**address))))


def overtaken() -> str:
    """The words above a form that is shown again because of newer values; "" for other forms."""
    if not asks():
        return ""
    return _(
        "Someone else saved changes after you opened this page, or you saved them in another "
        "window. The changes on this page are not saved yet: look at what is marked “saved now”, "
        "and save again."
    )


def saved_now(name: str, value: object) -> bool:
    """Whether this choice of a field is saved now, although a different one was sent."""
    return str(value) in g.get("asked", {}).get(name, ())


def changed_to(name: str, words: str = "") -> str:
    """The sentence beside a field that was changed to something else in the meantime; "" beside any
    other field. `words`: the saved value in words, if the value is not readable itself."""
    if saved := g.get("asked", {}).get(name, ()):
        return _(
            "This was changed while you were editing. It now says: %(value)s",
            value=words or saved[0],
        )
    return ""


def _made_from(form: ReplacedForm, values: Any) -> str:
    found = version_of(values)
    return found if form.whole else f"{found} {json.dumps(form.fields(values))}"


def _comparing(view: View, form: ReplacedForm) -> View:
    """Wrap the view of a form that replaces values. If the values have changed, call the view again
    with the typed and the stored values combined; `errors` then says whether to ask the adult."""

    @wraps(view)
    def answer(**address: Any) -> Response:
        while True:
            try:
                reply = make_response(view(**address))
            except Changed as changed:
                if asks():
                    raise  # the view would replace values without asking the adult
                db.session.rollback()
                _take_in(form, changed.now)
            else:
                if reply.status_code == 400 and asks():
                    reply.status_code = 409
                return reply

    return answer


def _take_in(form: ReplacedForm, values: Any) -> None:
    """Fill the submitted form with the values now stored, except in fields that the user changed.
    Note the fields changed in both places, so that we can ask about them."""
    now, was = form.fields(values), _was()
    mine = {name: tuple(sent) for name, sent in request.form.lists()}
    mixed, asked = {**mine, FIELD: (_made_from(form, values),)}, {}
    for name in dict.fromkeys((*now, *(one for one in mine if one.startswith(PLACES)))):
        stored, typed = now.get(name, NO_PLACE), mine.get(name, ())
        before = None if was is None else was.get(name, NO_PLACE)
        if name in TICKS and before is not None:
            mixed[name] = _ticked(before, stored, typed)
        elif before is not None and typed in ((), before):  # a greyed-out field is not sent
            mixed[name] = stored
        elif stored not in (typed, before):
            asked[name] = stored
    request.form = ImmutableMultiDict(mixed)
    if asked:
        g.asked = asked


def _was() -> Fields | None:
    """The fields as they were when the form was made; None if the form replaces all values."""
    _version, _space, fields = request.form.get(FIELD, "").partition(" ")
    if not fields or not ANEW.isdisjoint(request.form):
        return None
    try:
        found = json.loads(fields)
        return {str(name): tuple(map(str, values)) for name, values in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None  # somebody changed the hidden field


def _ticked(was: tuple[str, ...], now: tuple[str, ...], mine: tuple[str, ...]) -> tuple[str, ...]:
    """The stored and the sent ticks combined. Each tick is taken from the side that changed it."""
    return tuple(
        one
        for one in dict.fromkeys((*now, *mine))
        if one in (now if (one in mine) == (one in was) else mine)
    )
