"""The language of the pages, and translations into it (Flask-Babel).

Texts are written in British English and marked for translation: with `{% trans %}`, `ngettext` or
`_("...")` where they are shown, or with `N_("...")` in a module constant, which `_` translates when
it is shown. The catalogue of American English has the few texts that differ. CONTRIBUTING.md says
how to add a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import flask_babel
from flask import Flask
from markupsafe import Markup

from classroom.services.base import clock

ENGLISH: Final = "en_GB"  # the language that the texts are written in
OTHERS: Final = {"en": ("es", "Español", "Ñ"), "es": ("en", "English", "ABC")}
"""For each language of a page: the other language that one tap chooses, the name of that other
language, and its sign."""

SOUNDS: Final = {
    "es": (
        (re.compile(r"\by(?= h?[ií](?![aeouáéó]))", re.IGNORECASE), "e"),  # uvas e higos
        (re.compile(r"\bo(?= h?[oó])", re.IGNORECASE), "u"),  # siete u ocho
    )
}
"""By language: small words that change before certain sounds once a text is filled in."""

_chosen: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """The language of the pages: one of clock.WORDS, or another language that a child plays in."""
    return _chosen.get()


def init_app(app: Flask, catalogues: Path) -> None:
    """Give templates `_`, `ngettext`, `{% trans %}` and `language`. `catalogues`: their folder."""
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(catalogues)
    app.before_request(choose)  # once in each request, because each text needs the language
    flask_babel.Babel(app, locale_selector=lambda: language(), configure_jinja=False)
    pages: Any = app.jinja_env
    pages.add_extension("jinja2.ext.i18n")
    pages.newstyle_gettext = True
    pages.policies["ext.i18n.trimmed"] = True  # a text may continue on the next line
    pages.globals |= {
        "_": _shown,
        "gettext": _shown,
        "ngettext": _counted,
        "language": lambda: language().replace("_", "-"),
        "other_language": lambda: OTHERS.get(language(), OTHERS["en"]),
    }


def choose(spoken: str | None = None) -> None:
    """Use this language in this thread from now on; for None and "en", the school's English."""
    _chosen.set(clock.here().words if spoken in (None, "en") else spoken)
    flask_babel.refresh()


@contextmanager
def speaking(spoken: str | None) -> Iterator[None]:
    """Use this language inside the block, such as for a letter; None keeps the page's language."""
    before = language()
    if spoken:
        choose(spoken)
    try:
        yield
    finally:
        choose(before)


def N_(text: str) -> str:
    """Mark a constant for translation, and return it unchanged."""
    return text


def gettext(text: str, /, **values: object) -> str:
    """The translation of a text, with placeholders such as `%(name)s` filled in."""
    found = _one(text)
    return sounded(language(), found % values) if values else found


def sounded(spoken: str, text: str) -> str:
    """A filled-in text, with its small words in the form that the next sound requires."""
    for small, other in SOUNDS.get(spoken, ()):
        text = small.sub(other, text)
    return text


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """The translation of a text about `n` things, with placeholders such as `%(num)s` filled in."""
    return _one_or_many(one, many, n) % {"num": n, **values}


# A child's table is drawn after each move and shows some twenty texts. Jinja's functions would take
# a tenth of the drawing time, and Flask-Babel's a quarter. The next two take hardly any.


def _shown(text: str, /, **values: object) -> Markup:
    """`_` and `{% trans %}` in templates: values are escaped, and `%%` is a per cent sign."""
    found = _known(_one(text))
    if values and language() in SOUNDS:
        return _markup(sounded(language(), found % values))
    return found % values if values or "%" in found else found


def _counted(one: str, many: str, n: int, /, **values: object) -> Markup:
    """`ngettext` in templates: values are escaped."""
    return _known(_one_or_many(one, many, n)) % {"num": n, **values}


def _markup(text: str) -> Markup:
    return Markup(text)  # noqa: S704 our own text: names come only as values, which are escaped


_known: Final = lru_cache(maxsize=4096)(_markup)


def _one(text: str) -> str:
    """The translation of a text. ENGLISH needs no lookup, because the texts are written in it."""
    spoken = language()
    return text if spoken == ENGLISH or not text else _translated(spoken, text)


@lru_cache(maxsize=4096)  # Flask-Babel's lookup takes over ten times as long
def _translated(_language: str, text: str) -> str:
    found: str = flask_babel.gettext(text)
    return found


def _one_or_many(one: str, many: str, n: int) -> str:
    spoken = language()
    if spoken == ENGLISH:
        return one if n == 1 else many
    return _translated_by_number(spoken, one, many, n)


@lru_cache(maxsize=4096)
def _translated_by_number(_language: str, one: str, many: str, n: int) -> str:
    found: str = flask_babel.get_translations().ungettext(one, many, n)
    return found
