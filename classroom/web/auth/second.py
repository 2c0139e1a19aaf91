"""The second factor: asked for when an adult signs in, and managed on the account page."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import g, redirect, request, url_for
from markupsafe import Markup

from classroom.services.access import second_factors, second_step, sign_in
from classroom.services.access.second_factors import APP, KEY, Factor, NewApp, Site
from classroom.services.base.errors import Refused
from classroom.web.http import forms, kept
from classroom.web.http.pages import Page, Reply, render
from classroom.web.reports import charts
from classroom.web.words import sentences

LONGEST = 20_000  # the most characters that a passkey may send


@dataclass(frozen=True, kw_only=True)
class SecondStepPage(Page):
    """The second step of signing in. `options`: what the browser needs to ask for a passkey, "" if
    the adult has none that works here."""

    template = "pages/auth/second_step.html"
    ticket: str
    has_app: bool
    challenge: str
    options: str
    problem: str


@dataclass(frozen=True, kw_only=True)
class SecondFactorsPage(Page):
    """An adult's second factors, and the means to add one. `options`: what the browser needs to
    make a passkey, "" where passkeys do not work. `needed`: whether the
    adult must add one before going on."""

    template = "pages/auth/second_factors.html"
    factors: tuple[Factor, ...]
    new: NewApp
    qr: Markup
    challenge: str
    options: str
    needed: bool
    problem: str
    done: str


def ask(ticket: str, problem: str = "") -> str:
    """The page that asks for the second factor."""
    found = second_step.waits(ticket)
    kinds = second_factors.kinds_of(found.adult_id)
    challenge, options = "", ""
    if KEY in kinds and _site_has_keys():
        challenge, options = second_factors.ask_key(found.adult_id, _site())
    return render(
        SecondStepPage(
            ticket=ticket,
            has_app=APP in kinds,
            challenge=challenge,
            options=options,
            problem=problem,
        )
    )


def second() -> Reply:
    """Finish signing in by a code or a passkey."""
    ticket = forms.text("ticket", 100)
    try:
        token = sign_in.adult_with_second(
            ticket,
            forms.text("code", forms.LONGEST),
            _site(),
            forms.text("challenge", 100),
            forms.text("signed", LONGEST),
            g.who.session_id,
        )
    except Refused as refused:
        return _asked_again(ticket, refused)
    return kept.lead_on(token)


def _asked_again(ticket: str, refused: Refused) -> Reply:
    words = sentences.sentence(refused)
    if refused.code == "second_late":
        return kept.sign_in_page(words), sentences.status(refused)
    return ask(ticket, words), sentences.status(refused), sentences.retry_after(refused)


def second_factors_page() -> str:
    """The page that lists the adult's second factors and offers to add one."""
    return _page(done=request.args.get("done", ""))


def add_second() -> Reply:
    """Add an app or a passkey."""
    name, mine = forms.text("name", forms.LONGEST), g.who.adult_id
    try:
        if forms.choice("kind", (APP, KEY)) == APP:
            second_factors.add_app(
                mine, forms.text("word", 40), name, forms.text("code", forms.LONGEST)
            )
        else:
            second_factors.add_key(
                mine, name, _site(), forms.text("challenge", 100), forms.text("made", LONGEST)
            )
    except Refused as refused:
        page = _page(forms.text("word", 40), sentences.sentence(refused))
        return page, sentences.status(refused)
    return redirect(url_for("auth.second_factors", done="added"), code=303)


def remove_second() -> Reply:
    """Remove an app or a passkey."""
    second_factors.remove(g.who.adult_id, forms.number("factor", 1, forms.MOST))
    return redirect(url_for("auth.second_factors", done="removed"), code=303)


def _page(word: str = "", problem: str = "", done: str = "") -> str:
    mine = g.who.adult_id
    new = second_factors.begin_app(mine, word)
    challenge, options = second_factors.begin_key(mine, _site()) if _site_has_keys() else ("", "")
    return render(
        SecondFactorsPage(
            factors=second_factors.of(mine),
            new=new,
            qr=charts.qr(new.address),
            challenge=challenge,
            options=options,
            needed=request.args.get("needed") == "1",
            problem=problem,
            done=done,
        )
    )


def _site() -> Site:
    return Site(urlsplit(request.host_url).hostname or "", request.host_url.rstrip("/"))


def _site_has_keys() -> bool:
    """Whether browsers offer passkeys at this address: a name over https, or localhost."""
    name = _site().name
    by_name = any(sign.isalpha() for sign in name) and ":" not in name
    return by_name and (request.is_secure or name == "localhost")
