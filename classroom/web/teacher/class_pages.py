"""A class's name, last day, archive and colleagues; moving, removing and merging children."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from flask import g, request
from werkzeug.wrappers import Response

from classroom.services.access import invitations
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.names import ShownClass
from classroom.services.reports import overview
from classroom.services.school import child_moves, class_life, classes, people, removals, undoing
from classroom.web.auth.account_pages import slip
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.teacher import teach
from classroom.web.words.language import N_
from classroom.web.words.sentences import sentence

DONE = {
    "changed": N_("Saved."),
    "archived": N_("The class is in the archive. Its reports can still be read."),
    "restored": N_("The class is back among your classes."),
}


# ---- a class


def about_class(
    class_id: int, values: Mapping[str, str] | None = None, errors: Mapping[str, str] | None = None
) -> str:
    life = class_life.life(class_id)
    ends = class_life.date_of(life.ends_day).isoformat()
    return render(
        "pages/teach/about_class.html",
        here="class",
        school_class=ShownClass(class_id, life.name),
        life=life,
        values=forms.blank({"name": life.name, "ends": ends, **(values or {})}),
        errors=forms.blank(errors),
        done=forms.done(DONE),
    )


def rename_class(class_id: int) -> Reply:
    return _change(class_id, "name", class_life.rename)


def class_end(class_id: int) -> Reply:
    return _change(class_id, "ends", _set_end)


def _change(class_id: int, field: str, change: Callable[[int, str, int, str], None]) -> Reply:
    typed, errors = forms.text(field, forms.LONGEST), {}
    if not forms.asks():
        try:
            change(class_id, typed, g.who.adult_id, forms.version())
            return see_other("teach.about_class", class_id=class_id, done="changed")
        except Refused as refused:
            errors[field] = sentence(refused)
    return about_class(class_id, {field: typed}, errors), 400


def _set_end(class_id: int, ends: str, by: int, version: str) -> None:
    try:
        day = class_life.day_of(date.fromisoformat(ends))
    except ValueError:
        raise Refused("class_end") from None
    class_life.set_end(class_id, day, by, version)


def archive_class(class_id: int) -> Response:
    class_life.archive(class_id, by=g.who.adult_id)
    return see_other("teach.about_class", class_id=class_id, done="archived")


def restore_class(class_id: int) -> Reply:
    try:
        class_life.restore(class_id, by=g.who.adult_id)
    except Refused as refused:
        return about_class(class_id, None, {"restore": sentence(refused)}), 400
    return see_other("teach.about_class", class_id=class_id, done="restored")


def delete_class(class_id: int) -> Response | str:
    """Show what will be deleted; a POST deletes it."""
    if request.method == "POST":
        removals.remove_class(class_id, by=g.who.adult_id)
        return see_other("teach.home", done="class_deleted")
    goes = removals.what_goes_with_class(class_id)
    return render(
        "pages/teach/delete_class.html",
        here="class",
        school_class=ShownClass(class_id, goes.name),
        goes=goes,
    )


# ---- a child


def change_class(child_id: int) -> Reply:
    """Show the classes to which the child can move; a POST moves the child."""
    if request.method != "POST":
        overview.looked(g.who.adult_id, "child", child_id)
        return _change_class(child_id, "")
    to = forms.number("to", 1, forms.MAX_ID)
    try:
        new_card = child_moves.move_by_teacher(g.who.adult_id, child_id, to)
    except Refused as refused:
        return _change_class(child_id, sentence(refused)), 400
    done = "moved_card" if new_card else "moved"
    return see_other("teach.child", child_id=child_id, done=done)


def _change_class(child_id: int, error: str) -> str:
    page = overview.shown_child(child_id)
    return render(
        "pages/teach/change_class.html",
        here="class",
        school_class=page.school_class,
        page=page,
        choices=child_moves.classes_for(g.who.adult_id, child_id),
        error=error,
    )


def remove(child_id: int) -> Response | str:
    """Show what will be deleted. A POST removes the child from the class, to be deleted later, or
    deletes it at once. In an archived class, a child is always deleted at once."""
    page, archived = overview.shown_child(child_id), class_life.is_childs_archived(child_id)
    if request.method == "POST":
        at_once = forms.choice("when", ("later", "now"), "later") == "now" or archived
        if at_once:
            removals.remove_child(child_id, by=g.who.adult_id)
        else:
            child_moves.leave_school(child_id, by=g.who.adult_id, for_good=True)
        return see_other(
            "teach.school_class",
            class_id=page.school_class.class_id,
            done="deleted" if at_once else "removed",
        )
    overview.looked(g.who.adult_id, "child", child_id)
    return render(
        "pages/teach/remove.html",
        here="class",
        school_class=page.school_class,
        page=page,
        archived=archived,
        goes=removals.what_goes(child_id),
    )


def left(child_id: int) -> Response:
    """Record that the child has left the school."""
    class_id = overview.class_of(child_id)
    child_moves.leave_school(child_id, by=g.who.adult_id)
    return see_other("teach.school_class", class_id=class_id, done="left_school")


def undo(class_id: int) -> Reply:
    """Undo a change to the children of the class, or say in a sentence why not."""
    change_id = forms.number("change", 1, forms.MAX_ID)
    try:
        done = undoing.undo(class_id, change_id, g.who.adult_id)
    except NotFound:
        raise
    except Refused as refused:
        return teach.school_class(class_id, sentence(refused)), 409
    if done.what == child_moves.LISTED:  # the page says how many children went, and how many stay
        counts = {"gone": done.children, "stay": done.stay or None}
        return see_other("teach.school_class", class_id=class_id, **counts)
    said = "back_card" if done.new_card else "back"
    return see_other("teach.school_class", class_id=class_id, done=said)


def merge(child_id: int) -> Reply:
    """Choose a second entry of the same child, and compare the two; a POST merges them."""
    if request.method != "POST":
        overview.looked(g.who.adult_id, "child", child_id)
        return _merge(child_id, request.args.get("other", type=int))
    other = forms.number("other", 1, forms.MAX_ID)
    try:
        child_moves.merge(child_id, other, by=g.who.adult_id)
    except Refused as refused:
        return _merge(child_id, None, sentence(refused)), 400
    return see_other("teach.child", child_id=child_id, done="merged")


def _merge(child_id: int, other: int | None, error: str = "") -> str:
    page, sides = overview.shown_child(child_id), None
    if other is not None:
        try:
            sides = child_moves.sides(child_id, other)
        except Refused as refused:
            error = sentence(refused)
    return render(
        "pages/teach/merge.html",
        here="class",
        school_class=page.school_class,
        page=page,
        mates=child_moves.mates(child_id),
        sides=sides,
        error=error,
    )


# ---- The page on which a class's teachers share it, hand it over, leave it or invite a substitute

SHARED_DONE: Final = {
    "shared": N_("Shared. Your colleague will find the class under “My classes”."),
    "revoked": N_("That code no longer works."),
    "dismissed": N_(
        "The substitute’s work in this class has ended, and they are signed out. They may "
        "know the children’s pictures: you can make new ones below."
    ),
}


def colleagues(class_id: int, errors: Mapping[str, str] | None = None) -> str:
    room = people.room(class_id)
    teaching = {one.adult_id for one in room.teachers}
    today = clock.local(clock.now()).date().isoformat()
    return render(
        "pages/teach/colleagues.html",
        here="class",
        school_class=ShownClass(class_id, room.name),
        room=room,
        others=tuple(
            one for one in people.teachers(g.who.school_id) if one.adult_id not in teaching
        ),
        invited=invitations.of_class(class_id),
        today=today,
        last=forms.text("last", default=today) if errors else today,
        errors=forms.blank(errors),
        done=forms.done(SHARED_DONE),
    )


def invite_colleague(class_id: int) -> Reply:
    """Make an invitation and show its code once: a redirect would put the code in a URL."""
    role, room = forms.choice("role", ("teacher", invitations.SUBSTITUTE)), people.room(class_id)
    try:
        made = slip(role, room.name, class_id)
    except Refused as refused:
        field = "last" if refused.code == "until" else "page"
        return colleagues(class_id, {field: sentence(refused)}), 400
    return render(
        "pages/teach/invitation.html",
        here="class",
        school_class=ShownClass(class_id, room.name),
        slip=made,
    )


def revoke_invitation(class_id: int) -> Response:
    invitation = forms.number("invitation", 1, forms.MAX_ID)
    invitations.revoke(invitation, g.who.adult_id, g.who.school_id, class_id)
    return see_other("teach.colleagues", class_id=class_id, done="revoked")


def share_class(class_id: int) -> Response:
    people.share(class_id, forms.number("adult", 1, forms.MAX_ID), by=g.who.adult_id)
    return see_other("teach.colleagues", class_id=class_id, done="shared")


def leave_class(class_id: int) -> Reply:
    """Leave the class; if a colleague is chosen, hand it over first."""
    to = forms.number("adult", 0, forms.MAX_ID, default=0) or None
    try:
        people.leave(class_id, g.who.adult_id, to)
    except Refused as refused:
        if refused.code != "last_teacher":
            raise
        return colleagues(class_id, {"leave": sentence(refused)}), 409
    return see_other("teach.home", done="left")


def new_pictures(class_id: int) -> Response:
    """Give every child new pictures, and redirect to the cards to print."""
    classes.reset_all_pictures(class_id, by=g.who.adult_id)
    return see_other("teach.cards", class_id=class_id)


def dismiss_colleague(class_id: int) -> Response:
    """End a substitute's work in this class."""
    people.dismiss(class_id, forms.number("adult", 1, forms.MAX_ID), by=g.who.adult_id)
    return see_other("teach.colleagues", class_id=class_id, done="dismissed")
