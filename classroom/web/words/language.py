"""The language of the pages, and the catalogues of translations (Flask-Babel).

Texts are written in English and marked: `_("...")` or `{% trans %}` in templates, `_`, `ngettext` or
`lazy_gettext` in Python, the last for constants of a module. CONTRIBUTING.md says how to add a
language.
"""

from __future__ import annotations

from typing import Any, Final

import flask_babel
from flask import Flask
from flask_babel import LazyString, gettext, lazy_gettext, ngettext

from classroom.config import ROOT

__all__ = ["ENGLISH", "LazyString", "gettext", "init_app", "language", "lazy_gettext", "ngettext"]

ENGLISH: Final = "en"  # the language that the texts are written in


def language() -> str:
    """The language of the pages; English is the only one so far."""
    return ENGLISH


def init_app(app: Flask) -> None:
    """Give templates `_`, `ngettext` and `{% trans %}`."""
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(ROOT / "translations")
    flask_babel.Babel(app, locale_selector=language, configure_jinja=False)
    pages: Any = app.jinja_env
    pages.add_extension("jinja2.ext.i18n")
    pages.install_gettext_callables(_one, _one_or_many, newstyle=True)


def _one(text: str) -> str:
    """The translation; Flask-Babel's own lookup costs a child's table a fifth more, so English
    does without."""
    return text if language() == ENGLISH else gettext(text)


def _one_or_many(one: str, many: str, n: int) -> str:
    if language() == ENGLISH:
        return one if n == 1 else many
    found: str = ngettext(one, many, n)
    return found
