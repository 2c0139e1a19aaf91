"""Pages that move all children to the new school year's classes, or one child to another class."""

from __future__ import annotations

from collections.abc import Sequence, Set

from flask import g, request

from classroom.services.base.errors import NotFound, Refused
from classroom.services.school import child_moves, class_life, school_year, undoing, year_plan
from classroom.services.school.classes import MOST_CHILDREN
from classroom.services.school.year_plan import (
    LEAVE,
    NEW,
    STAY,
    Conflict,
    Wishes,
    YearPlan,
    YearRoom,
    YearWish,
)
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.words import filters
from classroom.web.words.language import N_, gettext as _
from classroom.web.words.sentences import sentence

DONE = {
    "applied": N_("The new school year has begun. You can undo this change on this page."),
    "undone": N_("Undone: the children are back in their old classes."),
    "undone_cards": N_(
        "Undone: the children are back in their old classes. Some need new sign-in cards, which "
        "can be printed from the teachers’ class pages."
    ),
    "saved": N_("Saved."),
    "moved": N_("The child has been moved. The old sign-in card still works."),
    "moved_card": N_(
        "The child has been moved, and needs a new sign-in card: the teacher can print it."
    ),
}
CONFLICTS = {
    "name": N_(
        "{room}: {name} and {other} would be in the same class. If they are two different "
        "children, add a letter to one of the names."
    ),
    "odd_name": N_("{room}: please type a name of up to 30 letters for {name}."),
    "full": N_("{room}: there are too many children. A class can have up to {most}."),
    "both": N_("{room}: {name} is ticked twice. Please choose one."),
    "class_name": N_(
        "There is already a class called “{room}”, or the name is missing. Please choose another "
        "name."
    ),
    "class_back": N_(
        "{room} would come back from the archive, but another class now has the same name. Rename "
        "that class, or choose another class for the children."
    ),
}


def year() -> Reply:
    """Show the form; a POST shows the changes, applies them, or sets the year's end."""
    if request.method != "POST":
        return _proposal()
    what = forms.choice("what", ("look", "apply", "end"))
    if what == "end":
        month, day = forms.number("month", 1, 12), forms.number("day", 1, 31)
        try:
            class_life.set_year_end(g.who.school_id, month, day, by=g.who.adult_id)
        except Refused as refused:
            return _proposal(sentence(refused)), 400
        return see_other("school.year", done="saved")
    error = ""
    if what == "apply":
        wishes = _wishes(school_year.rooms_of(g.who.school_id))
        try:
            school_year.apply(g.who.school_id, wishes, forms.text("seal", 64), g.who.adult_id)
            return see_other("school.year", done="applied")
        except Refused as refused:
            error = sentence(refused)
    rooms = school_year.look(g.who.school_id, g.who.adult_id)
    wishes = _wishes(rooms)
    return _page(rooms, wishes, year_plan.plan(rooms, wishes), error), 409 if error else 200


def undo() -> Reply:
    """Move all children back to their old classes, or show the form with the reason why not."""
    change_id = forms.number("change", 1, forms.MAX_ID)
    try:
        new_cards = undoing.undo_year(g.who.school_id, change_id, g.who.adult_id)
    except NotFound:
        raise
    except Refused as refused:
        return _proposal(sentence(refused)), 409
    return see_other("school.year", done="undone_cards" if new_cards else "undone")


def _wishes(rooms: Sequence[YearRoom]) -> Wishes:
    children = [one.child_id for room in rooms for one in room.pupils]
    to = {str(room.class_id) for room in rooms if not room.left}
    return Wishes(
        rooms={room.class_id: _wish(room.class_id, to - {str(room.class_id)}) for room in rooms},
        repeats=frozenset(forms.ids(request.form.getlist("repeats"))),
        leaves=frozenset(forms.ids(request.form.getlist("leaves"))),
        called={
            child_id: forms.text(f"called_{child_id}")
            for child_id in children
            if f"called_{child_id}" in request.form
        },
        older=forms.flag("older"),
    )


def _wish(class_id: int, others: Set[str]) -> YearWish:
    return YearWish(
        to=forms.choice(f"to_{class_id}", {STAY, LEAVE, NEW, *others}, STAY),
        new=forms.text(f"new_{class_id}"),
        repeat=forms.choice(f"repeat_{class_id}", {STAY, *others}, STAY),
    )


def _proposal(error: str = "") -> str:
    rooms = school_year.look(g.who.school_id, g.who.adult_id)
    return _page(rooms, Wishes(rooms=year_plan.proposal(rooms)), error=error)


def _page(
    rooms: Sequence[YearRoom], wishes: Wishes, plan: YearPlan | None = None, error: str = ""
) -> str:
    month, day = class_life.month_and_day_of_year_end(g.who.school_id)
    return render(
        "pages/school/year.html",
        here="year",
        rooms=[room for room in rooms if not room.left],
        wishes=wishes,
        exceptions=wishes.repeats | wishes.leaves,
        plan=plan,
        trouble=_trouble,
        names={room.class_id: room.name for room in rooms},
        changes=undoing.year_changes(g.who.school_id),
        month=month,
        day=day,
        months=filters.month_names(),
        done=forms.done(DONE),
        error=error,
    )


def _trouble(one: Conflict) -> str:
    words = _(CONFLICTS[one.code])
    return words.format(room=one.room, name=one.name, other=one.other, most=MOST_CHILDREN)


# ---- one child


def change_class() -> Reply:
    """Let the administrator choose a class, a child and a new class; a POST moves the child."""
    if request.method != "POST":
        return _change_class(request.args.get("from", type=int))
    class_id = forms.number("from", 1, forms.MAX_ID)
    child_id, to = forms.number("child", 1, forms.MAX_ID), forms.number("to", 1, forms.MAX_ID)
    try:
        new_card = child_moves.move_in_school(g.who.school_id, child_id, to, g.who.adult_id)
    except Refused as refused:
        return _change_class(class_id, sentence(refused)), 400
    return see_other("school.change_class", done="moved_card" if new_card else "moved")


def _change_class(class_id: int | None, error: str = "") -> str:
    rooms = child_moves.classes_of_school(g.who.school_id)
    room = next((one for one in rooms if one.class_id == class_id), None)
    found = child_moves.names_in(g.who.school_id, room.class_id, g.who.adult_id) if room else ()
    return render(
        "pages/school/change_class.html",
        here="year",
        rooms=rooms,
        room=room,
        children=found,
        done=forms.done(DONE),
        error=error,
    )
