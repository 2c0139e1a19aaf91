"""Setting a new password with a code on paper, and the page after an account has ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import g, redirect, request, url_for

from classroom.services.access import resets
from classroom.services.base.errors import Refused
from classroom.web.http import forms
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import Page, Reply, render
from classroom.web.words import sentences

CODE_REFUSED: Final = ("reset_unknown", "reset_used", "reset_ended", "code_wait")


@dataclass(frozen=True, kw_only=True)
class ResetPage(Page):
    """The form for a code and a new password. `errors`: by field."""

    template = "pages/auth/reset.html"
    code: str
    errors: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class EndedPage(Page):
    template = "pages/auth/ended.html"


def reset() -> Reply:
    """Set a new password with a code, and sign in; after an error the code stays in its field."""
    if request.method != "POST":
        return render(ResetPage(code="", errors=forms.blank({})))
    code, new = forms.text("code", 200), forms.text("new", 1000)
    try:
        token = resets.reset(code, new, g.device, g.who.session_id)
    except Refused as refused:
        field = "code" if refused.code in CODE_REFUSED else "new"
        errors = forms.blank({field: sentences.sentence(refused)})
        page = render(ResetPage(code=code, errors=errors))
        return page, sentences.status(refused), sentences.retry_after(refused)
    return keep_token(redirect(url_for("auth.front"), code=303), token)


def ended() -> str:
    """The page that says that the account has ended."""
    return render(EndedPage())
