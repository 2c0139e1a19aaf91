"""Adults' accounts: password, names, second factors, a download of everything that is kept about an
adult, and codes on paper for a new account or a new password."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import accounts, invitations, second_factors, sign_in
from classroom.services.access.second_factors import APP, KEY, Site
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.reports import overview
from classroom.services.school import family_links
from classroom.web.http import forms, kept
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import Reply, refused_page, render, see_other
from classroom.web.reports import charts
from classroom.web.reports.progress import attached
from classroom.web.words import sentences
from classroom.web.words.language import N_, gettext as _

# ---- An adult's own account: password, names, and a download of everything kept about the adult

ABOUT = N_(
    "Everything that Fish School keeps about one adult. `columns` says what each column is for. "
    "Times are seconds since 1970-01-01 UTC."
)
DONE = {
    "password": N_("Your password has been changed, and you are signed out everywhere else."),
    "names": N_("Saved."),
    "unlinked": N_("Unlinked. You can no longer see this child's pages here."),
}


def account() -> Reply:
    """Show the account page. A POST changes the password, which signs out every other browser."""
    if request.method != "POST":
        return _page(done=forms.done(DONE))
    old, new = forms.text("old", forms.LONGEST), forms.text("new", forms.LONGEST)
    try:
        token = accounts.change_password(g.who, old, new)
    except Refused as refused:
        return refused_page(_page(problem=sentences.sentence(refused)), refused)
    return keep_token(see_other("auth.account", done="password"), token)


def account_names() -> Reply:
    name, login = forms.text("name", forms.LONGEST), forms.text("login", forms.LONGEST)
    try:
        accounts.change_names(g.who, name, login, forms.text("password", forms.LONGEST))
    except Refused as refused:
        page = _page(name, login, names_problem=sentences.sentence(refused))
        return refused_page(page, refused)
    return see_other("auth.account", done="names")


def password_again() -> Reply:
    """Ask for the password again, then go on with the form or the page that needed it."""
    if request.method != "POST":
        return kept.proof_page()
    try:
        token = accounts.password_again(g.who, forms.text("password", forms.LONGEST))
    except Refused as refused:
        return refused_page(kept.proof_page(sentences.sentence(refused)), refused)
    return kept.lead_on(token)


def own_record() -> Response:
    found = {
        "about": _(ABOUT),
        "made_at": clock.local(clock.now()).isoformat(timespec="seconds"),
        "columns": accounts.columns(),
        "tables": dict(accounts.adult_record(g.who.adult_id)),
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
) -> str:
    """Render the account page. A parent's page names the children, so a look is recorded."""
    own = family_links.children_of(g.who.adult_id) if g.who.kind == "parent" else ()
    for child in own:
        overview.looked(g.who.adult_id, "child", child.child_id)
    return render(
        "pages/auth/account.html",
        name=g.who.name if name is None else name,
        login=accounts.login_of(g.who.adult_id) if login is None else login,
        own=own,
        problem=problem,
        names_problem=names_problem,
        done=done,
    )


# ---- The second factor: asked for when an adult signs in, and managed on the account page

LONGEST_CODE = 20_000  # the maximum number of characters that a passkey may send


def ask_second(ticket: str, problem: str = "") -> str:
    found = second_factors.step_waits(ticket)
    kinds = second_factors.kinds_of(found.adult_id)
    challenge, options = "", ""
    if KEY in kinds and _site_has_keys():
        challenge, options = second_factors.ask_key(found.adult_id, _site())
    return render(
        "pages/auth/second_step.html",
        ticket=ticket,
        has_app=APP in kinds,
        challenge=challenge,
        options=options,
        problem=problem,
    )


def second() -> Reply:
    """Finish signing in, with a code or a passkey."""
    ticket = forms.text("ticket", 100)
    try:
        token = sign_in.adult_with_second(
            ticket,
            forms.text("code", forms.LONGEST),
            _site(),
            forms.text("challenge", 100),
            forms.text("signed", LONGEST_CODE),
            g.who.session_id,
        )
    except Refused as refused:
        words = sentences.sentence(refused)
        if refused.code == "second_late":
            return kept.sign_in_page(words), sentences.status(refused)
        return refused_page(ask_second(ticket, words), refused)
    return kept.lead_on(token)


def add_second() -> Reply:
    name, mine = forms.text("name", forms.LONGEST), g.who.adult_id
    try:
        if forms.choice("kind", (APP, KEY)) == APP:
            second_factors.add_app(
                mine, forms.text("word", 40), name, forms.text("code", forms.LONGEST)
            )
        else:
            second_factors.add_key(
                mine, name, _site(), forms.text("challenge", 100), forms.text("made", LONGEST_CODE)
            )
    except Refused as refused:
        page = second_factors_page(forms.text("word", 40), sentences.sentence(refused))
        return page, sentences.status(refused)
    return see_other("auth.second_factors", done="added")


def remove_second() -> Reply:
    second_factors.remove(g.who.adult_id, forms.number("factor", 1, forms.MAX_ID))
    return see_other("auth.second_factors", done="removed")


def second_factors_page(word: str = "", problem: str = "") -> str:
    """Show the adult's second factors, and the forms that add one. `word`: as in `begin_app`."""
    mine = g.who.adult_id
    new = second_factors.begin_app(mine, word)
    challenge, options = second_factors.begin_key(mine, _site()) if _site_has_keys() else ("", "")
    return render(
        "pages/auth/second_factors.html",
        factors=second_factors.of(mine),
        new=new,
        qr=charts.qr(new.address),
        challenge=challenge,
        options=options,
        needed=request.args.get("needed") == "1",
        problem=problem,
        done=request.args.get("done", ""),
    )


def _site() -> Site:
    return Site(urlsplit(request.host_url).hostname or "", request.host_url.rstrip("/"))


def _site_has_keys() -> bool:
    """Whether browsers offer passkeys at this address: a name over https, or localhost."""
    name = _site().name
    by_name = any(sign.isalpha() for sign in name) and ":" not in name
    return by_name and (request.is_secure or name == "localhost")


# ---- A colleague uses an invitation: to make an account or, when signed in, to take on a class


def colleague() -> Reply:
    """Use an invitation's code. After an error the form keeps everything but the password."""
    if request.method != "POST":
        return _colleague_page({}, {})
    values = {name: forms.text(name, forms.LONGEST) for name in ("code", "name", "login")}
    try:
        if g.who.adult_id:
            class_id = invitations.take(g.who.adult_id, values["code"], g.device)
            return see_other("teach.school_class", class_id=class_id)
        password = forms.text("password", forms.LONGEST)
        adult_id = invitations.register(**values, password=password, device=g.device)
        token = sign_in.welcome(adult_id, g.device, g.who.session_id)
        return keep_token(see_other("auth.front"), token)
    except Refused as refused:
        errors = {field_of(refused.code): sentences.sentence(refused)}
        known = sentences.status(refused) == 429 or refused.code == "invitation_unknown"
        return refused_page(_colleague_page(values, errors), refused, None if known else 400)


def field_of(code: str) -> str:
    """Return the field beside which this refusal's sentence is shown: usually the code field."""
    fields = {"adult_name": "name", "login": "login", "login_taken": "login"}
    fields |= {"school_name": "school_name", "slow_down": "password"}
    return "password" if code.startswith("password") else fields.get(code, "code")


def _colleague_page(values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    values, errors = forms.blank(values), forms.blank(errors)
    return render("pages/auth/colleague.html", values=values, errors=errors)


# ---- for adults who invite


def slip(role: str, place: str, class_id: int | None = None) -> dict[str, Any]:
    """Make an invitation from the fields of the form, and return the facts to print on its slip.
    `place`: the name of the class or the school. Raises Refused("until") for a last day that is not
    a date, and the errors of `invitations.make`."""
    last = None
    if role == invitations.SUBSTITUTE:
        try:
            last = clock.end_of(date.fromisoformat(forms.text("last")))
        except (ValueError, OverflowError) as error:
            raise Refused("until") from error
    code = invitations.make(g.who.school_id, g.who.adult_id, role, class_id, last)
    paper = code_paper("auth.colleague", invitations.DAYS, last)
    return {"code": code, "role": role, "place": place, "last": last, **paper}


def code_paper(endpoint: str, days: int, last: float | None = None) -> dict[str, Any]:
    """Return the facts to print with a code: where to type it, and when it stops working. `last`:
    if given, the code stops working at this time at the latest."""
    address, ends = url_for(endpoint, _external=True), clock.now() + days * clock.SECONDS_A_DAY
    return {
        "ends": min(ends, last or ends),
        "address": address.split("//", 1)[1],
        "qr": charts.qr(address),
    }


# ---- Setting a new password with a code on paper, and the page after an account was closed


def reset() -> Reply:
    """Set a new password with a code, and sign in. After an error the code stays in its field."""
    if request.method != "POST":
        return render("pages/auth/reset.html", code="", errors=forms.blank())
    code, new = forms.text("code", 200), forms.text("new", 1000)
    try:
        token = accounts.reset_password(code, new, g.device, g.who.session_id)
    except Refused as refused:
        field = "new" if field_of(refused.code) == "password" else "code"
        errors = forms.blank({field: sentences.sentence(refused)})
        page = render("pages/auth/reset.html", code=code, errors=errors)
        return refused_page(page, refused)
    return keep_token(see_other("auth.front"), token)


def ended() -> str:
    return render("pages/auth/ended.html")
