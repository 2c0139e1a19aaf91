"""The page on which a class's teachers share it, hand it over, leave it or invite a substitute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import invitations
from classroom.services.access.invitations import Listed
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.school import classes, people
from classroom.services.school.people import Colleague, Room
from classroom.web.auth.colleague import Slip, slip
from classroom.web.http import forms
from classroom.web.http.pages import ShownClass, Tab, TeacherPage, render
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.sentences import sentence

DONE: Final = {
    "shared": N_("Shared. Your colleague finds the class under “My classes”."),
    "revoked": N_("That code no longer works."),
    "dismissed": N_(
        "Their work in this class has ended, and they are signed out of it. They may know the "
        "children’s pictures: you can make new ones below."
    ),
}


@dataclass(frozen=True, kw_only=True)
class ColleaguesPage(TeacherPage):
    """`others`: the school's teachers who do not teach this class. `today`: the first day that can
    be a substitute's last. `errors`: by field."""

    template = "pages/teach/colleagues.html"
    here: Tab = "class"
    room: Room
    others: tuple[Colleague, ...]
    invited: tuple[Listed, ...]
    today: str
    last: str
    errors: Mapping[str, str]
    done: str


@dataclass(frozen=True, kw_only=True)
class SlipPage(TeacherPage):
    """An invitation to a class, shown once."""

    template = "pages/teach/invitation.html"
    here: Tab = "class"
    slip: Slip


def colleagues(class_id: int) -> str:
    return _page(class_id, {})


def _page(class_id: int, errors: Mapping[str, str]) -> str:
    room = people.room(class_id)
    teaching = {one.adult_id for one in room.teachers}
    today = clock.local(clock.now()).date().isoformat()
    return render(
        ColleaguesPage(
            school_class=ShownClass(class_id, room.name),
            room=room,
            others=tuple(
                one for one in people.teachers(g.who.school_id) if one.adult_id not in teaching
            ),
            invited=invitations.of_class(class_id),
            today=today,
            last=forms.text("last", default=today) if errors else today,
            errors=forms.blank(errors),
            done=_(DONE.get(request.args.get("done", ""), "")),
        )
    )


def invite(class_id: int) -> str | tuple[str, int]:
    """Make an invitation and show its code once: a redirect would put it into an address."""
    role, room = forms.choice("role", ("teacher", invitations.SUBSTITUTE)), people.room(class_id)
    try:
        made = slip(role, room.name, class_id)
    except Refused as refused:
        field = "last" if refused.code == "until" else "page"
        return _page(class_id, {field: sentence(refused)}), 400
    return render(SlipPage(school_class=ShownClass(class_id, room.name), slip=made))


def revoke(class_id: int) -> Response:
    invitation = forms.number("invitation", 1, forms.MOST)
    invitations.revoke(invitation, g.who.adult_id, g.who.school_id, class_id)
    return _back(class_id, "revoked")


def share(class_id: int) -> Response:
    people.share(class_id, forms.number("adult", 1, forms.MOST), by=g.who.adult_id)
    return _back(class_id, "shared")


def leave(class_id: int) -> Response | tuple[str, int]:
    """Leave the class, after handing it over if a colleague is named."""
    to = forms.number("adult", 0, forms.MOST, default=0) or None
    try:
        people.leave(class_id, g.who.adult_id, to)
    except Refused as refused:
        if refused.code != "last_teacher":
            raise
        return _page(class_id, {"leave": sentence(refused)}), 409
    return redirect(url_for("teach.home", done="left"), code=303)


def new_pictures(class_id: int) -> Response:
    """Give every child new pictures, and lead on to the cards to print."""
    classes.reset_all_pictures(class_id, by=g.who.adult_id)
    return redirect(url_for("teach.cards", class_id=class_id), code=303)


def dismiss(class_id: int) -> Response:
    """End a substitute's work in this class."""
    people.dismiss(class_id, forms.number("adult", 1, forms.MOST), by=g.who.adult_id)
    return _back(class_id, "dismissed")


def _back(class_id: int, done: str) -> Response:
    return redirect(url_for("teach.colleagues", class_id=class_id, done=done), code=303)
