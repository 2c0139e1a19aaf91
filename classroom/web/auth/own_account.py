"""An adult's own account: password, names, and a download of everything kept about the adult."""

from __future__ import annotations

import json
from dataclasses import dataclass

from flask import Response, g, redirect, request, url_for

from classroom.services.access import own_account
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.reports import overview
from classroom.services.school import families
from classroom.services.school.families import OwnChild
from classroom.web.http import forms, kept, proof
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import Page, Reply, render
from classroom.web.reports.progress import attached
from classroom.web.words import sentences
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

ABOUT = N_(
    "Everything that Fish School keeps about one adult. `columns` says what each column is for. "
    "Moments are seconds since 1970-01-01 UTC."
)


DONE = {
    "password": N_("Your password has been changed, and you are signed out everywhere else."),
    "names": N_("Saved."),
    "unlinked": N_("The link has ended."),
}


@dataclass(frozen=True, kw_only=True)
class AccountPage(Page):
    """An adult's own names and password. `own`: a parent's children. `problem`: what is wrong with
    the password; `names_problem`: with the names. `done`: what was just done, "" for nothing."""

    template = "pages/auth/account.html"
    name: str
    login: str
    own: tuple[OwnChild, ...]
    problem: str = ""
    names_problem: str = ""
    done: str = ""


def account() -> Reply:
    """Show the account page. A POST changes the password, which signs out every other browser."""
    if request.method != "POST":
        return render(_page(done=_(DONE.get(request.args.get("done", ""), ""))))
    old, new = forms.text("old", forms.LONGEST), forms.text("new", forms.LONGEST)
    try:
        token = own_account.change_password(g.who, old, new)
    except Refused as refused:
        return _refused(refused, _page(problem=sentences.sentence(refused)))
    return keep_token(redirect(url_for("auth.account", done="password"), code=303), token)


def account_names() -> Reply:
    """Change the adult's own name and sign-in name."""
    name, login = forms.text("name", forms.LONGEST), forms.text("login", forms.LONGEST)
    try:
        own_account.change_names(g.who, name, login, forms.text("password", forms.LONGEST))
    except Refused as refused:
        page = _page(name, login, names_problem=sentences.sentence(refused))
        return _refused(refused, page)
    return redirect(url_for("auth.account", done="names"), code=303)


def again() -> Reply:
    """Ask for the password again before an action that needs it. Then show the form that was sent
    with a button to send it again, or lead on to the page that was wanted."""
    if request.method != "POST":
        return proof.page()
    try:
        token = own_account.again(g.who, forms.text("password", forms.LONGEST))
    except Refused as refused:
        page = proof.page(sentences.sentence(refused))
        return page, sentences.status(refused), sentences.retry_after(refused)
    return kept.lead_on(token)


def own_record() -> Response:
    """Everything that is kept about the adult who asks, as a download."""
    found = {
        "about": _(ABOUT),
        "made_at": clock.local(clock.now()).isoformat(timespec="seconds"),
        "columns": own_account.columns(),
        "tables": dict(own_account.record(g.who.adult_id)),
    }
    text = json.dumps(found, ensure_ascii=False, indent=1)
    return attached(Response(text, content_type="application/json"), g.who.name, "json")


def _page(
    name: str | None = None,
    login: str | None = None,
    *,
    problem: str = "",
    names_problem: str = "",
    done: str = "",
) -> AccountPage:
    """The account page. A parent's page names the children, so the look goes on record."""
    own = families.children_of(g.who.adult_id) if g.who.kind == "parent" else ()
    for child in own:
        overview.looked(g.who.adult_id, "child", child.child_id)
    return AccountPage(
        name=g.who.name if name is None else name,
        login=own_account.login_of(g.who.adult_id) if login is None else login,
        own=own,
        problem=problem,
        names_problem=names_problem,
        done=done,
    )


def _refused(refused: Refused, page: AccountPage) -> Reply:
    return render(page), sentences.status(refused), sentences.retry_after(refused)
