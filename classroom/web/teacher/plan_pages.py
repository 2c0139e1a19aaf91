"""A teacher's pages for groups, for the plan of the next lesson, and for ready-made lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from flask import g, request

from classroom.learning.outlines import OUTLINES, SEQUENCES
from classroom.learning.skills import SKILLS
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import gatherings, lessons, moments, seating
from classroom.services.lesson.lessons import TablePlan
from classroom.services.quiz.question_settings import RANGES
from classroom.services.reports import overview, skill_reports
from classroom.services.school import classes
from classroom.services.table import offers
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other, shown_class
from classroom.web.reports.setting_forms import range_words
from classroom.web.words import filters, level_words, sentences
from classroom.web.words.language import N_, gettext as _

NUMBERS = {f"{low}-{high}": (low, high) for low, high in RANGES}
DONE = {
    "saved": N_("The plan has been saved. On the day, you can start it with one tap."),
    "groups": N_("Saved."),
}


# ---- groups


def class_groups(class_id: int) -> Reply:
    """Show the groups; a POST puts children into them, and adds or removes a group."""
    if request.method != "POST":
        overview.looked(g.who.adult_id, "class", class_id)
        return _groups(class_id)
    places, gone = _chosen("group", class_id), forms.ids(request.form.getlist("remove"))
    name = forms.text("name", forms.LONGEST)
    if forms.asks():
        return _groups(class_id, name, places=places), 400
    try:
        seating.change_groups(class_id, places, name, gone, g.who.adult_id, forms.version())
    except Refused as refused:
        page = _groups(class_id, name, sentences.sentence(refused), places)
        return page, sentences.status(refused)
    return see_other("teach.class_groups", class_id=class_id, done="groups")


def _groups(
    class_id: int, name: str = "", problem: str = "", places: Mapping[int, int | None] | None = None
) -> str:
    """Render the groups page. `name`, `places`: what the teacher sent, if it was refused."""
    found = seating.groups_of(class_id)
    stored = {child: one.group_id for one in found for child in one.children}
    return render(
        "pages/teach/groups.html",
        here="class",
        school_class=shown_class(class_id),
        groups=found,
        children=lessons.children_of_plan(class_id),
        group_of=stored if places is None else places,
        name=name,
        problem=problem,
        done=forms.done(DONE),
    )


# ---- the plan


def plan(class_id: int) -> Reply:
    """Show the plan; a POST saves it and, with `start`, starts the lesson with it."""
    if request.method != "POST":
        overview.looked(g.who.adult_id, "class", class_id)
        return _plan(class_id, _tables(class_id))
    errors = forms.errors()
    tables = _sent(class_id, errors)
    if errors:
        return _plan(class_id, tables, next(iter(errors.values()))), 400
    try:
        lessons.save_plan(class_id, tables, g.who.adult_id, forms.version())
        if forms.flag("start"):
            return begin_plan(class_id)
    except Refused as refused:
        return _plan(class_id, tables, sentences.sentence(refused)), sentences.status(refused)
    return see_other("teach.plan", class_id=class_id, done="saved")


def begin_plan(class_id: int) -> Reply:
    """Set up the planned tables, and start those with a child who is signed in."""
    started = lessons.begin_planned(class_id, g.who.adult_id)
    return see_other("teach.live" if started else "teach.seats", class_id=class_id)


def _tables(class_id: int) -> tuple[TablePlan, ...]:
    """Return the saved plan, or a proposal if the URL asks for one or no plan is saved."""
    how, saved = request.args.get("how"), lessons.plan_of(class_id)
    if saved and how not in seating.WAYS:
        return saved
    how = how if how in seating.WAYS else seating.MIXED
    return lessons.proposed_plan(class_id, _size(), how)


def _size() -> int:
    size = request.args.get("size", 4, type=int)
    return min(max(size, 2), gatherings.LARGEST)


def _sent(class_id: int, errors: forms.Errors) -> tuple[TablePlan, ...]:
    """Return the plan in the form that was sent. `errors` gets a sentence for a wrong choice."""
    at, offered = _chosen("table", class_id), offers.offered(class_id)
    found = []
    for number in range(1, lessons.MOST_TABLES + 1):
        if f"game-{number}" in request.form:
            children = tuple(child for child, table in at.items() if table == number)
            game = forms.chosen(f"game-{number}", offered, errors)
            chosen = forms.chosen(f"numbers-{number}", NUMBERS, errors)
            numbers = NUMBERS.get(chosen, RANGES[0])
            shared = forms.flag(f"shared-{number}")
            found.append(TablePlan(game=game, numbers=numbers, children=children, shared=shared))
    return tuple(found)


def _plan(class_id: int, tables: Sequence[TablePlan], problem: str = "") -> str:
    spare = TablePlan(game=offers.shelf(class_id)[0].key, children=())
    shown = (*tables, spare) if len(tables) < lessons.MOST_TABLES else tuple(tables)
    return render(
        "pages/teach/plan.html",
        here="seats",
        school_class=shown_class(class_id),
        tables=shown,
        children=lessons.children_of_plan(class_id),
        table_of=lessons.places_of_plan(tables),
        games=offers.shelf(class_id),
        numbers={key: range_words(*numbers) for key, numbers in NUMBERS.items()},
        groups=bool(seating.groups_of(class_id)),
        size=_size(),
        problem=problem,
        done=forms.done(DONE),
    )


# ---- ready-made lessons


def outlines(class_id: int) -> str:
    return render(
        "pages/teach/outlines.html",
        here="class",
        school_class=shown_class(class_id),
        sequences=SEQUENCES,
        games=filters.game_names(),
        last=lessons.last_outline_of(class_id),
    )


def outline(class_id: int, outline: str) -> str:
    """Show one ready-made lesson, to print."""
    if outline not in OUTLINES:
        raise NotFound("outline")
    found, system = OUTLINES[outline], skill_reports.standards_of(class_id)
    skills = [SKILLS[key] for key in found.skills]
    return render(
        "pages/teach/outline.html",
        school_class=shown_class(class_id),
        lesson=found,
        sequence=next(one for one in SEQUENCES if found in one.lessons),
        game=filters.game_names()[found.game],
        skills=tuple((_(one.name), level_words.standard(one, system)) for one in skills),
    )


def deal_outline(class_id: int, outline: str) -> Reply:
    """Deal a lesson's moment, and lead to the moment's page. If no child is signed in, the moment
    is kept, and the teacher can deal it on that page later."""
    found = OUTLINES.get(outline)
    if found is None or not found.moment:
        raise NotFound("outline")
    by, (hands, asks) = g.who.adult_id, (part.split() for part in found.moment.split("/"))
    moment_id = moments.keep_built(class_id, found.game, hands, asks, by)
    with suppress(Refused):
        moments.deal(class_id, moment_id, by)
    return see_other("teach.moment", moment_id=moment_id)


def begin_outline(class_id: int, outline: str) -> Reply:
    """Open the class if it is closed, and begin the lesson. Show the code if nobody is there."""
    started = classes.begin_outline(class_id, outline, g.who.adult_id)
    return see_other("teach.live" if started else "teach.code", class_id=class_id)


# ---- for groups and for the plan


def _chosen(field: str, class_id: int) -> dict[int, int | None]:
    """Return the table or group that the form sent for each child of the class, or None."""
    found = {}
    for friend in lessons.children_of_plan(class_id):
        sent = request.form.get(f"{field}-{friend.child_id}")
        if friend.child_id is not None and sent is not None:
            other = seating.NEW_GROUP if sent == "new" else None
            found[friend.child_id] = next(iter(forms.ids([sent])), other)
    return found
