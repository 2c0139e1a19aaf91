"""A parent's pages: create an account from a code, link children, set the difficulty."""

from __future__ import annotations

from collections.abc import Mapping

from flask import g, request
from werkzeug.wrappers import Response

from classroom.services.access import sign_in
from classroom.services.base.errors import Refused
from classroom.services.lesson import lessons
from classroom.services.reports import overview, skill_reports as progress_of
from classroom.services.school import classes, family_links, voice_packs
from classroom.services.table import choices, evidence_log, matches, offers
from classroom.web.auth.account_pages import field_of
from classroom.web.http import forms
from classroom.web.http.guards import forget, keep_token
from classroom.web.http.pages import Reply, refused_page, render, see_other
from classroom.web.reports import charts, setting_forms
from classroom.web.reports.progress import child_view, newest
from classroom.web.reports.setting_forms import NOTHING, Saving, SentSettings
from classroom.web.words import advice_words, choice_words, filters, rule_words, sentences
from classroom.web.words.language import N_

CODE_TROUBLES = ("code_unknown", "code_used", "code_ended")
DONE = {
    "play": N_("Saved. This applies from the next round."),
    "questions": N_("Saved. This applies from the next question."),
    "linked": N_("Linked. Welcome!"),
    "language": N_("Saved. This applies to every page that is opened from now on."),
    "home_closed": N_("Play at home is closed now."),
}


# ---- account


def join() -> Reply:
    """Create an account from a code and sign in. An error clears only the password field."""
    if g.who.kind == "parent":
        return see_other("family.home")
    if request.method != "POST":
        return _join_page({}, {})
    values = {field: forms.text(field, forms.LONGEST) for field in ("code", "name", "login")}
    password = forms.text("password", forms.LONGEST)
    try:
        adult_id = family_links.register(**values, password=password, device=g.device)
    except Refused as refused:
        errors = {field_of(refused.code): sentences.sentence(refused)}
        return refused_page(_join_page(values, errors), refused, _status(refused))
    token = sign_in.welcome(adult_id, g.device, g.who.session_id)
    return keep_token(see_other("family.home", done="linked"), token)


def _join_page(values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    return render("pages/family/join.html", values=forms.blank(values), errors=forms.blank(errors))


def _status(refused: Refused) -> int:
    """Return the status: 422 if a code does not work, 429 after too many tries, 400 otherwise."""
    status = sentences.status(refused)
    return status if status == 429 or refused.code in CODE_TROUBLES else 400


# ---- leaving


def leave_child(child_id: int) -> Response | str:
    """Ask whether to end the link to this child; a POST ends it."""
    if request.method == "POST":
        if family_links.unlink(child_id, g.who.adult_id, by=g.who.adult_id):
            return forget(see_other("auth.ended"))
        return see_other("auth.account", done="unlinked")
    ending = family_links.ending(child_id, g.who.adult_id)
    overview.looked(g.who.adult_id, "child", child_id)
    own = family_links.children_of(g.who.adult_id)
    return render("pages/family/leave_child.html", here=child_id, own=own, ending=ending)


def leave() -> Response | str:
    """Ask whether to close the parent's own account; a POST closes it."""
    if request.method == "POST":
        family_links.end_account(g.who.adult_id)
        return forget(see_other("auth.ended"))
    own = family_links.children_of(g.who.adult_id)
    for child in own:
        overview.looked(g.who.adult_id, "child", child.child_id)
    return render("pages/family/leave.html", here="home", own=own)


# ---- children


def children(
    values: Mapping[str, str] | None = None, errors: Mapping[str, str] | None = None
) -> str:
    own = family_links.children_of(g.who.adult_id)
    for child in own:
        overview.looked(g.who.adult_id, "child", child.child_id)
    children = [child.child_id for child in own]
    levels = progress_of.levels_of(children)
    restrictions = evidence_log.restrictions_among(children)
    return render(
        "pages/family/home.html",
        here="home",
        own=own,
        told={
            child.child_id: choice_words.restriction_sentences(
                restrictions.get(child.child_id, ()), child.name
            )
            or advice_words.family_sentences(child.name, levels.get(child.child_id, {}))
            for child in own
        },
        weeks={child.child_id: overview.week_of(child.child_id) for child in own},
        values=forms.blank(values),
        errors=forms.blank(errors),
        done=forms.done(DONE),
        asked=any(not one.agreed_at for one in voice_packs.of_reader(g.who.adult_id)),
    )


def link() -> Reply:
    code = forms.text("code", forms.LONGEST)
    try:
        child_id = family_links.link(g.who.adult_id, code, g.device)
    except Refused as refused:
        page = children({"code": code}, {"code": sentences.sentence(refused)})
        return refused_page(page, refused, _status(refused))
    return see_other("family.child", child_id=child_id, done="linked")


def child(child_id: int, sent: SentSettings = NOTHING) -> str:
    """Show a child's difficulty settings. `sent`: settings that were sent and cannot be stored."""
    overview.looked(g.who.adult_id, "child", child_id)
    page, levels = overview.child_page(child_id), choices.read("family", child_id)
    own = family_links.children_of(g.who.adult_id)
    chosen, band = family_links.next_round(levels), levels.age_band
    # The games on the class's shelf, each with its rules as this child plays them.
    played = (
        (offer, offer.rules_for(matches.seats(offer, chosen, band), chosen.deck, band))
        for offer in offers.shelf(page.school_class.class_id)
    )
    return render(
        "pages/family/child.html",
        here=child_id,
        own=own,
        page=page,
        child=next(one for one in own if one.child_id == child_id),
        shown=setting_forms.shown("family", levels, page.school_class.name, page, sent),
        chosen=chosen,
        limits=choices.MINUTES,
        class_limit=lessons.times(page.school_class.class_id).minutes_a_day,
        settings_words=filters.settings(chosen),
        class_games=tuple((offer, rule_words.rule_sentences(rules)) for offer, rules in played),
        restrictions=choice_words.restriction_sentences(
            evidence_log.restriction_of(child_id), page.name
        ),
        done=forms.done(DONE),
    )


FAMILY = Saving("family", "family.child", child)


def language(child_id: int) -> Response:
    """Give the child a second language, or remove it."""
    second = forms.choice("second", ("", classes.SECOND))
    classes.give_language(child_id, second, by=g.who.adult_id)
    return see_other("family.child", child_id=child_id, done="language")


def progress(child_id: int) -> str:
    """Show what a child's answers say about the child's skills, and the rounds the child played."""
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.child_page(child_id, request.args.get("before", type=int))
    view = child_view(
        page.name,
        progress_of.of_child(child_id),
        family_links.settings(child_id).board,
        restrictions=evidence_log.restriction_of(child_id),
    )
    return render(
        "pages/family/progress.html",
        here=child_id,
        own=family_links.children_of(g.who.adult_id),
        page=page,
        unfolded="before" in request.args,
        view=view,
        together=newest(child_id, view.frame.strand) if view.frame else (),
        dots=charts.day_dots(set(page.days), page.day),
        home_lines=advice_words.at_home_lines(page.home),
    )
