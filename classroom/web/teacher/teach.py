"""A teacher's pages for classes and their sign-in, and for children."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.learning.skills import AGE_BANDS
from classroom.services.access import knocks
from classroom.services.access.knocks import SIGNS
from classroom.services.base import names
from classroom.services.base.errors import NotNow, Refused
from classroom.services.base.names import ShownClass
from classroom.services.lesson.live_class import live_class
from classroom.services.reports import overview, skill_reports
from classroom.services.school import (
    child_notes,
    class_life,
    classes,
    family_links,
    school_year,
    undoing,
)
from classroom.services.table import evidence_log
from classroom.web.http import forms, hosts
from classroom.web.http.pages import Reply, render, see_other, shown_class
from classroom.web.reports import charts, class_skills, progress
from classroom.web.reports.class_skills import tomorrow_lines
from classroom.web.reports.progress import child_view
from classroom.web.teacher.family_pages import DONE as FAMILY_DONE
from classroom.web.words import advice_words, choice_words, filters, list_words
from classroom.web.words.language import N_, gettext as _
from classroom.web.words.sentences import sentence

# What a page says after an action. The URL contains the key.
DONE = {
    "listed": N_("Done. Next, print the sign-in cards."),
    "nothing_listed": N_("Nothing was changed."),
    "opened": N_("The class is open. Show the children the class code."),
    "closed": N_("Closed. Every child and device in the class is signed out."),
    "added": N_("Added. Next, print the sign-in cards."),
    "changed": N_("Saved."),
    "seated": N_("The table is ready. Start it when the children are signed in."),
    "pictures": N_(
        "Four new pictures are ready, and the old card no longer works. Print the new sign-in card."
    ),
    "left": N_("You no longer teach that class."),
    "left_school": N_("Noted: the child has left the school. You can undo this below for 30 days."),
    "removed": N_(
        "The child has been taken out of the class and will be deleted. You can undo this below "
        "for 30 days."
    ),
    "deleted": N_("The child and all their data have been deleted."),
    "back": N_("Undone: the child is back. The old sign-in card works."),
    "back_card": N_("Undone: the child is back, and needs a new sign-in card."),
    "class_deleted": N_("The class, its children and all their data have been deleted."),
    "moved": N_("The child has been moved to the other class. The old sign-in card still works."),
    "moved_card": N_(
        "The child has been moved to the other class. The old sign-in card does not work there: "
        "please print a new one."
    ),
    "merged": N_(
        "The two entries have been merged, and everything from both is now here. You can undo this "
        "on the class page for 30 days."
    ),
    "note_deleted": N_("The note has been deleted."),
    "let_in": N_("The child has been let in."),
    "new_code": N_("There is a new code. The old one no longer works."),
    "new_devices": N_("Children can sign in with pictures on new devices again."),
    "nobody": N_(
        "The device with this sign is no longer at the door. "
        "Ask the child to tap their animal again."
    ),
}
LET_IN_FROM = {"home": "teach.home", "class": "teach.school_class", "live": "teach.live"}


def _done() -> str:
    gone, stay = (request.args.get(name, 0, type=int) for name in ("gone", "stay"))
    if "gone" in request.args:
        return list_words.undone(gone, stay)
    return _((DONE | FAMILY_DONE).get(request.args.get("done", ""), ""))


# ---- classes


def home(values: Mapping[str, str] | None = None, errors: Mapping[str, str] | None = None) -> str:
    mine = overview.classes_of(g.who.adult_id)
    return render(
        "pages/teach/home.html",
        here="home",
        school_class=None,
        classes=mine,
        doors={one.class_id: knocks.at_the_door(one.class_id) for one in mine if one.opened_until},
        archived=class_life.archived_of(g.who.adult_id),
        values=forms.blank(values),
        errors=forms.blank(errors),
        done=_done(),
    )


def make_class() -> Reply:
    name = forms.text("name", forms.LONGEST)
    try:
        class_id = classes.make_class(g.who.adult_id, g.who.school_id, name)
    except Refused as refused:
        return home({"name": name}, {"name": sentence(refused)}), 400
    return see_other("teach.add", class_id=class_id)


def school_class(class_id: int, error: str = "") -> str:
    overview.looked(g.who.adult_id, "class", class_id)
    part, skills = _now(class_id), skill_reports.of_class(class_id)
    page = part["page"]
    sequence, found = skill_reports.next_lesson(skills)
    return render(
        "pages/teach/class.html",
        here="class",
        school_class=ShownClass(class_id, page.name),
        **part,
        tomorrow=tomorrow_lines(skills),
        lesson=found.outline,
        why=advice_words.why_next(sequence, found),
        roll=class_skills.roll(page, skills),
        lessons=overview.who_was_here(page),
        since=class_skills.since_last_week(page, skills),
        life=class_life.life(class_id),
        new_cards=len(school_year.cards_needed(class_id)),
        old_pictures=classes.know_old_pictures(class_id),
        recent=undoing.of_class(class_id),
        done=_done(),
        error=error,
        added=request.args.get("done") in ("added", "listed"),
    )


def now(class_id: int) -> str:
    """Render the part of the class page that refreshes itself every few seconds."""
    overview.looked(g.who.adult_id, "class", class_id)
    return render("partials/teach/now.html", **_now(class_id))


def _now(class_id: int) -> dict[str, Any]:
    """Return the values for the page part `now`. `c`: the class at play; None if it is closed."""
    page, door = overview.class_page(class_id), knocks.at_the_door(class_id)
    return {"page": page, "door": door, "c": live_class(class_id) if page.opened_until else None}


def code(class_id: int) -> Response | str:
    """Show the class code, without any child's data; a POST makes a new code."""
    if request.method == "POST":
        keep = forms.choice("keep", ("1", "0")) == "1"
        classes.new_code(class_id, keep, by=g.who.adult_id)
        return see_other("teach.code", done="new_code", class_id=class_id)
    page = overview.class_page(class_id)
    link = hosts.for_tablets(url_for("auth.class_link", code=page.code, _external=True))
    return render(
        "pages/teach/code.html",
        here="class",
        school_class=ShownClass(class_id, page.name),
        page=page,
        qr=charts.qr(link),
        life=class_life.life(class_id),
        address=board_address(),
        only_here=hosts.is_loopback(urlsplit(link).hostname or ""),
        done=_done(),
    )


def board_address() -> str:
    """Return the address where children type the code, short enough for the board."""
    there = urlsplit(hosts.for_tablets(url_for("auth.front", _external=True)))
    return (there.netloc + there.path).rstrip("/")


def open_class(class_id: int) -> Response:
    minutes = forms.number("minutes", 1, classes.LONGEST_LESSON, classes.LESSON_MINUTES)
    classes.open_class(class_id, minutes, by=g.who.adult_id)
    if request.form.get("then") == "code":
        return see_other("teach.code", class_id=class_id)
    return see_other("teach.school_class", done="opened", class_id=class_id)


def close_class(class_id: int) -> Response:
    classes.close_class(class_id, by=g.who.adult_id)
    return see_other("teach.school_class", done="closed", class_id=class_id)


def new_devices(class_id: int) -> Response:
    """Allow picture sign-in on new devices again, after too many wrong tries on them today."""
    classes.trust_new_devices(class_id, by=g.who.adult_id)
    return see_other("teach.school_class", done="new_devices", class_id=class_id)


# ---- adding children


def add(class_id: int) -> Reply:
    """Add one child. The page links to class_list.py, which adds a whole list."""
    if request.method != "POST":
        return _add_page(class_id, {}, {})
    errors: forms.Errors = {}
    values = {
        "name": forms.text("name", forms.LONGEST),
        "age_band": forms.chosen("age_band", AGE_BANDS, errors, AGE_BANDS[0]),
        "animal": forms.chosen("animal", (*names.ANIMALS, ""), errors),
    }
    if errors:
        return _add_page(class_id, values, errors), 400
    try:
        classes.add_child(class_id, by=g.who.adult_id, **values)
    except Refused as refused:
        field = "animal" if refused.code in ("animal_full", "class_full") else "name"
        return _add_page(class_id, values, {field: sentence(refused)}), 400
    return see_other("teach.school_class", done="added", class_id=class_id)


def _add_page(class_id: int, values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    offered = classes.offered_faces(class_id)
    return render(
        "pages/teach/children.html",
        here="class",
        school_class=shown_class(class_id),
        values=forms.blank({"animal": offered[0][0], **values}),
        errors=forms.blank(errors),
        offered=offered,
        age_bands=AGE_BANDS,
        done=_done(),
    )


# ---- one child


def child(
    child_id: int, values: Mapping[str, str] | None = None, errors: Mapping[str, str] | None = None
) -> str:
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.child_page(child_id, request.args.get("before", type=int))
    own = {
        "name": page.name,
        "age_band": page.age_band,
        "animal": page.animal,
        "second": classes.details(child_id)[-1],
    }
    chosen = family_links.settings(child_id)
    return render(
        "pages/teach/child.html",
        here="class",
        school_class=page.school_class,
        page=page,
        dots=charts.day_dots(set(page.days), page.day),
        view=child_view(
            page.name,
            skill_reports.of_child(child_id),
            chosen.board,
            skill_reports.standards_of(page.school_class.class_id),
            evidence_log.restriction_of(child_id),
            judged=True,
        ),
        newest=progress.newest(child_id),
        settings_words=filters.settings(chosen),
        whose_words=choice_words.sentences(chosen.told, page.name, page.school_class.name),
        home_lines=advice_words.at_home_lines(page.home),
        family=family_links.links_of_child(child_id),
        notes=child_notes.of_child(child_id, g.who.adult_id),
        values=forms.blank(own | dict(values or {})),
        errors=forms.blank(errors),
        age_bands=AGE_BANDS,
        animals=names.ANIMALS,
        done=_done(),
    )


def rename(child_id: int) -> Reply:
    errors = forms.errors()
    values = {
        "name": forms.text("name", forms.LONGEST),
        "age_band": forms.chosen("age_band", AGE_BANDS, errors),
        "animal": forms.chosen("animal", names.ANIMALS, errors),
        "second": forms.chosen("second", ("", classes.SECOND), errors),
    }
    if errors:
        return child(child_id, values, errors), 400
    try:
        classes.rename_child(child_id, by=g.who.adult_id, version=forms.version(), **values)
    except Refused as refused:
        field = "animal" if refused.code == "animal_full" else "name"
        return child(child_id, values, {field: sentence(refused)}), 400
    return see_other("teach.child", done="changed", child_id=child_id)


def write_note(child_id: int) -> Reply:
    note = forms.text("note", forms.LONGEST)
    try:
        child_notes.write(child_id, note, by=g.who.adult_id)
    except Refused as refused:
        return child(child_id, {"note": note}, {"note": sentence(refused)}), 400
    return see_other("teach.child", done="changed", child_id=child_id)


def delete_note(child_id: int) -> Response:
    child_notes.delete(child_id, forms.number("id", 1, forms.MAX_ID), by=g.who.adult_id)
    return see_other("teach.child", done="note_deleted", child_id=child_id)


def pictures(child_id: int) -> Response:
    classes.reset_pictures(child_id, by=g.who.adult_id)
    return see_other("teach.child", done="pictures", child_id=child_id)


def let_in(child_id: int) -> Response:
    """Let in the device whose sign the teacher tapped."""
    done, page = "let_in", LET_IN_FROM[forms.choice("back", LET_IN_FROM, "class")]
    knock_id, sign = forms.number("knock", 1, forms.MAX_ID), forms.choice("sign", SIGNS)
    try:
        knocks.let_in(g.who.adult_id, child_id, knock_id, sign)
    except NotNow:
        done = "nobody"
    where = {} if page == "teach.home" else {"class_id": overview.class_of(child_id)}
    return see_other(page, done=done, **where)
