"""The administrator's page of everyone who works at the school."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import accounts, invitations
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.school import class_life
from classroom.services.school import people as staff
from classroom.web.auth.account_pages import slip
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.reports import charts
from classroom.web.words.language import N_
from classroom.web.words.sentences import sentence

DONE: Final = {
    "revoked": N_("That code no longer works."),
    "admin": N_("From now on they are an administrator."),
    "teacher": N_("From now on they are only a teacher."),
    "cancelled": N_("The code no longer works."),
    "ended": N_("The account has been deleted and signed out of every browser."),
}


def people(problem: str = "", errors: Mapping[str, str] | None = None) -> str:
    today = clock.local(clock.now()).date().isoformat()
    return render(
        "pages/school/people.html",
        here="people",
        staff=staff.staff(g.who.school_id),
        invited=invitations.of_school(g.who.school_id),
        rooms=staff.rooms(g.who.school_id),
        today=today,
        last=forms.text("last", default=today) if errors else today,
        errors=forms.blank(errors),
        done=forms.done(DONE),
        problem=problem,
    )


def invite() -> Reply:
    """Make an invitation and show its code once: a redirect would put it into an address."""
    role = forms.choice("role", (*invitations.TEACHES, invitations.SUBSTITUTE))
    if role == invitations.SUBSTITUTE:
        class_id: int | None = forms.number("class", 1, forms.MOST)
    else:
        class_id = forms.number("class", 0, forms.MOST, default=0) or None
    place = staff.room(class_id).name if class_id else class_life.size(g.who.school_id).name
    try:
        return render(
            "pages/school/invitation.html", here="people", slip=slip(role, place, class_id)
        )
    except Refused as refused:
        if refused.code == "until":
            return people(errors={"last": sentence(refused)}), 400
        if refused.code != "school_full":
            raise
        return people(sentence(refused)), 400


def revoke() -> Response:
    invitation = forms.number("invitation", 1, forms.MOST)
    invitations.revoke(invitation, g.who.adult_id, g.who.school_id)
    return see_other("school.people", done="revoked")


def role(adult_id: int) -> Reply:
    """Make a teacher an administrator, or an administrator a teacher only."""
    chosen = forms.choice("role", invitations.TEACHES)
    try:
        staff.set_role(adult_id, chosen, by=g.who.adult_id)
    except Refused as refused:
        if refused.code != "last_admin":
            raise
        return people(sentence(refused)), 409
    if adult_id == g.who.adult_id and chosen == "teacher":  # they may no longer see this page
        return see_other("auth.front")
    return see_other("school.people", done=chosen)


def end(adult_id: int) -> Reply:
    """Show what is lost when the account ends; a POST ends it."""
    if request.method != "POST":
        alone = [
            room.name
            for room in staff.rooms(g.who.school_id)
            if [one.adult_id for one in room.teachers] == [adult_id]
        ]
        return render(
            "pages/school/end.html",
            here="people",
            colleague=staff.colleague(adult_id),
            alone=tuple(alone),
        )
    try:
        staff.end_account(adult_id, by=g.who.adult_id)
    except Refused as refused:
        if refused.code != "last_admin":
            raise
        return people(sentence(refused)), 409
    if adult_id == g.who.adult_id:
        return see_other("auth.front")
    return see_other("school.people", done="ended")


def reset_code(adult_id: int) -> str:
    """Make a code for a new password and show it once: a redirect would put it into an address."""
    adult, code = staff.make_reset_code(adult_id, by=g.who.adult_id)
    address = url_for("auth.reset", _external=True)
    return render(
        "pages/school/reset_code.html",
        here="people",
        adult=adult,
        school=class_life.size(g.who.school_id).name,
        code=code,
        ends=clock.now() + accounts.RESET_DAYS * clock.SECONDS_A_DAY,
        address=address.split("//", 1)[1],
        qr=charts.qr(address),
    )


def cancel_reset_code(adult_id: int) -> Response:
    accounts.cancel_reset(adult_id, by=g.who.adult_id)
    return see_other("school.people", done="cancelled")
