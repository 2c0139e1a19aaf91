"""Pages and parts of them, the messages of a page's stream, and the functions for all templates."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from flask import Flask, current_app, redirect, render_template, request, url_for
from jinja2.runtime import Macro
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from classroom.services.base.errors import Refused
from classroom.services.base.names import ShownClass
from classroom.services.operation.look_around import Demo
from classroom.services.reports import overview
from classroom.web.http import forms
from classroom.web.words import language, phrases, sentences

# ---- Rendering a page, or a part that is sent alone

Reply = Response | str | tuple[str, int] | tuple[str, int, dict[str, str]]
"""What a view may return."""


def render(template: str, /, **values: Any) -> str:
    """The HTML of a page or a part. The template sees these values, which its first lines explain,
    `who` (the signed-in person) and the environment's globals (app.py), and nothing else.
    tests/web/test_pages.py compares each call with the names that the template uses."""
    return render_template(template, **values)


def refused_page(page: str, refused: Refused, status: int | None = None) -> Reply:
    """Answer with a page that says why something was refused. If the person must wait, a header
    says how long. `status` replaces the status of the refusal."""
    return page, status or sentences.status(refused), sentences.retry_after(refused)


def shown_class(class_id: int) -> ShownClass:
    return ShownClass(class_id, overview.class_name(class_id))


# ---- Redirecting to another page


def see_other(endpoint: str, **address: Any) -> Response:
    """Redirect the browser to the page at this URL."""
    return redirect(url_for(endpoint, **address), code=303)


def lead(address: str) -> Response:
    """Send the browser to this URL. A redirect would make htmx change only part of a page."""
    if forms.by_htmx():
        return Response(headers={"HX-Redirect": address})
    return redirect(address, code=303)


# ---- Messages of a page's stream: server-sent events, one in each response
#
# When there is news, the server's front (classroom/live) asks the page's own route for the next
# message. Without that front, the browser connects again for each message.

STREAM_TYPE: Final = "text/event-stream"
NOTHING_NEW: Final = b": nothing new\n\n"  # a comment, which the browser ignores
_NEW_LINE = re.compile(r"\r\n|\r|\n")  # a line ending in a message


def last_mark() -> str:
    """The mark of the last message that the browser received; "" before the first."""
    return request.headers.get("Last-Event-ID", "")


def mark(moves: int, changes: int) -> str:
    """The mark of a table after this many moves and other changes, for ETags and streams."""
    return f"{moves}-{changes}"


def mark_of(value: object) -> str:
    """A hash of a value that is shown, for ETags and marks. Equal values have equal marks."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def stream_message(mark: str, draw: Callable[[], str]) -> Response:
    """One message with the page's changing part, unless the browser has this mark already."""
    if last_mark() == mark:
        return nothing_new()
    lines = "".join(f"data: {line}\n" for line in _NEW_LINE.split(draw()))
    return Response(f"id: {mark}\n{lines}\n", mimetype=STREAM_TYPE)


def part(mark: str, draw: Callable[[], str]) -> Response:
    """The page's changing part, for a browser without a stream; 304 if it has this mark already."""
    answer = Response(mimetype="text/html")
    answer.set_etag(mark)
    if request.if_none_match.contains_weak(mark):
        answer.status_code = 304
    else:
        answer.set_data(draw())
    return answer


def nothing_new() -> Response:
    """A comment in place of a message."""
    return Response(NOTHING_NEW, mimetype=STREAM_TYPE)


# ---- what templates call


def init_app(app: Flask, asset: Callable[[str], str]) -> None:
    """Give templates their functions. `asset`: returns the URL of a static file."""

    def picture(name: str, look: str = "", box: str = "", sheet: str = "sprite") -> Markup:
        return drawn(asset(f"art/{sheet}.svg"), name, look, box)

    def styles(*names: str) -> Markup:
        """Links to these files of static/css."""
        link = Markup('<link rel="stylesheet" href="{}">\n')
        return link[:0].join(link.format(asset(f"css/{name}.css")) for name in names)

    def icon(name: str, size: str = "") -> Markup:
        return drawn(asset("art/sprite.svg"), "i-" + name, "ico ico--" + size if size else "ico")

    app.jinja_env.globals["url_for"] = address
    for called in (phrases.phrase, once, spoken, picture, icon, styles):
        app.add_template_global(called)
    for put_after in (phrases.called, phrases.animal, phrases.player):
        app.add_template_filter(put_after)


# ---- URLs in templates
#
# They are cached: a child's table has ten URLs, and building them for each move took a twentieth of
# the time needed to draw the table.


def address(endpoint: str, **values: Any) -> str:
    """The URL of a route, below the path where this school is mounted."""
    try:
        return _address(request.script_root, endpoint, tuple(values), *values.values())
    except TypeError:  # a list cannot be a cache key
        return url_for(endpoint, **values)


@lru_cache(maxsize=4096, typed=True)  # typed: 1 and True are equal but give different URLs
def _address(_below: str, endpoint: str, names: tuple[str, ...], *values: Any) -> str:
    return url_for(endpoint, **dict(zip(names, values, strict=True)))


# ---- Memoised components: `once(macro, ...)` in place of `macro(...)`
#
# A macro in templates/components sees only its arguments, which are frozen values for a table. Its
# text is kept, because most of a table looks the same as before the last move, and much of it looks
# the same from other seats. A viewer's arguments hold nothing that is hidden from that viewer.

COMPONENTS_KEPT: Final = 8192  # how many texts are kept at most, each about half a kilobyte


def once(macro: Macro, *args: Any) -> str:
    """Render the macro, memoised by its arguments. Raises TypeError for an unhashable argument."""
    return _drawn(request.script_root, language.language(), macro, *args)


def spoken(words: str | None, macro: Macro, *args: Any) -> str:
    """Render the macro in this language or, for None, in the language of the page."""
    with language.speaking(words):
        return macro(*args)


@lru_cache(maxsize=COMPONENTS_KEPT, typed=True)  # typed: Markup equals the str of the same text
def _drawn(_below: str, _language: str, macro: Macro, *args: Any) -> str:
    """`_below`: the path where the school is mounted; the URLs of pictures begin with it."""
    return macro(*args)


# ---- pictures in templates
#
# They are symbols in an SVG sheet (components/pictures.html). Functions draw them, because the page
# of a table has eighty pictures and macros would take more than ten times as long.

# The view boxes of drawings that are not square. A style gives such a picture only its width.
SHAPES: Final = {"fish": "0 0 142 116", "lily": "0 0 64 56"}


@lru_cache(maxsize=4096)
def drawn(sheet: str, name: str, look: str = "", box: str = "") -> Markup:
    """One symbol from a sheet, hidden from screen readers: the text beside it says the same."""
    look = f' class="{escape(look)}"' if look else ""
    box = box or SHAPES.get(name, "")
    box = f' viewBox="{escape(box)}"' if box else ""
    use = f'<use href="{escape(sheet)}#{escape(name)}"/>'
    return Markup(f'<svg{look}{box} aria-hidden="true">{use}</svg>')  # noqa: S704 all escaped


# ---- The demo school beside this school, for the pages that link to it


def demo_beside() -> Demo | None:
    """The demo school beside this school; None if there is none or it is closed."""
    demo: Demo | None = current_app.extensions.get("look_around")
    return demo if demo and not current_app.config["DEMO"] and demo.open() else None
