"""Filling a class from a list: reading it, correcting its columns, making the ticked changes.

Between these steps nothing of a list is kept, except what the page's own form carries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.learning.skills import AGE_BANDS
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.reports import overview
from classroom.services.school import class_lists
from classroom.services.school.class_lists import Comparison, Line, Ticked
from classroom.services.school.lists import carried, columns, reading
from classroom.services.school.lists.columns import Guess
from classroom.services.school.lists.tables import (
    CELL,
    FILE_BYTES,
    Bundle,
    Table,
    UnreadableList,
)
from classroom.web.http import forms
from classroom.web.http.pages import ShownClass, render
from classroom.web.teacher import list_pages
from classroom.web.teacher.list_pages import ClassListPage
from classroom.web.words import list_words
from classroom.web.words.sentences import sentence

STEPS = ("read", "columns", "room", "apply")
MOST_LINES = 500  # children that the last form, which applies a list, can hold

Answer = Response | str | tuple[str, int]


def class_list(class_id: int) -> Answer:
    """Read a list and compare it with the class; the last step makes the ticked changes."""
    if request.method != "POST":
        return _page(class_id)
    step = forms.choice("step", STEPS)
    if step == "apply":
        return _apply(class_id)
    try:
        if step == "columns":
            table = carried.to_table(forms.text("table", FILE_BYTES))
            return _corrected(class_id, table)
        if step == "room":
            return _of_bundle(class_id, carried.to_bundle(forms.text("bundle", FILE_BYTES)))
        return _read(class_id)
    except UnreadableList as refused:
        return _refused(class_id, refused)


def of_text(class_id: int, text: str) -> Answer:
    """The page that compares a pasted list with the class."""
    try:
        table = reading.read_text(text)
        return _of_table(class_id, table, columns.guess(table))
    except UnreadableList as refused:
        return _refused(class_id, refused, text)


def _refused(class_id: int, refused: Refused, text: str = "") -> tuple[str, int]:
    errors = {"list" if text else "file": sentence(refused)}
    return _page(class_id, values={"list": text}, errors=errors), 400


def _read(class_id: int) -> Answer:
    sent = request.files.get("file")
    data = sent.read() if sent else b""
    if not data:
        return of_text(class_id, forms.text("list", FILE_BYTES))
    found = reading.read_file(data, clock.local(clock.now()).date())
    if isinstance(found, Bundle):
        return _of_bundle(class_id, found)
    return _of_table(class_id, found, columns.guess(found))


def _corrected(class_id: int, table: Table) -> Answer:
    guess = columns.guess(table)
    try:
        return _of_table(class_id, table, columns.correct(guess, request.form.getlist("kind")))
    except UnreadableList as refused:
        shown = list_pages.columns_of(table, guess)
        return _page(class_id, shown=shown, errors={"columns": sentence(refused)}), 400


def _of_table(class_id: int, table: Table, guess: Guess) -> str:
    if guess.asks:
        return _page(class_id, shown=list_pages.columns_of(table, guess))
    bundle = list_pages.read_table(table, guess)
    if not bundle.classes:
        raise UnreadableList("list_empty")
    chosen = _chosen(class_id, bundle)
    return _page(
        class_id,
        bundle=bundle,
        chosen=chosen,
        shown=list_pages.columns_of(table, guess),
    )


def _of_bundle(class_id: int, bundle: Bundle) -> str:
    if not bundle.classes and not bundle.loose:
        raise UnreadableList("list_empty")
    return _page(class_id, bundle=bundle, chosen=_chosen(class_id, bundle))


def _chosen(class_id: int, bundle: Bundle) -> int | None:
    """The chosen class, as its place in the list; if none was chosen, the class that fits."""
    sent = request.form.get("room", "")
    if sent.isascii() and sent.isdigit() and int(sent) < len(bundle.classes):
        return int(sent)
    return class_lists.fitting(bundle, class_id)


def _apply(class_id: int) -> Answer:
    lines, ticked = _lines(), _ticked()
    delta, own_id = forms.flag("delta"), forms.text("class_sourced_id", class_lists.LONGEST_ID)
    try:
        done = class_lists.apply(class_id, lines, ticked, g.who.adult_id, delta, own_id)
    except Refused as refused:
        found: Any = refused.facts.get("compared") or class_lists.compare(
            class_id, lines, g.who.adult_id, delta
        )
        _note_look(class_id, found)
        plan = list_pages.plan_of(found, ticked, delta, own_id)
        return _page(class_id, plan=plan, errors={"plan": sentence(refused)}), 400
    said = "listed" if done else "nothing_listed"
    return redirect(url_for("teach.school_class", class_id=class_id, done=said), code=303)


def _lines() -> list[Line]:
    """The children in the form: the new ones as the teacher edited them, and the rest."""
    names, bands = request.form.getlist("name"), request.form.getlist("band")
    numbers, ids = request.form.getlist("number"), request.form.getlist("sourced_id")
    if not len(names) == len(bands) == len(numbers) == len(ids) <= MOST_LINES:
        raise forms.InvalidForm("name")
    try:
        rest = carried.to_people(forms.text("rest", FILE_BYTES, "[]"))
    except UnreadableList as refused:
        raise forms.InvalidForm("rest") from refused
    new = [
        Line(number, name.strip()[:CELL], band, key[: class_lists.LONGEST_ID])
        for number, name, band, key in zip(_numbers(numbers), names, bands, ids, strict=True)
    ]
    old = [Line(one.number, one.name, one.band or "", one.sourced_id, one.gone) for one in rest]
    return sorted([*new, *old], key=lambda line: line.number)


def _numbers(sent: list[str]) -> list[int]:
    found = [int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < 10]
    if len(found) != len(sent):
        raise forms.InvalidForm("number")
    return found


def _ticked() -> Ticked:
    return Ticked(
        add=forms.ids(request.form.getlist("add")),
        rename=forms.ids(request.form.getlist("rename")),
        band=forms.ids(request.form.getlist("band_of")),
        ids=forms.flag("ids"),
    )


def _page(
    class_id: int,
    bundle: Bundle | None = None,
    chosen: int | None = None,
    shown: list_pages.Columns | None = None,
    plan: list_pages.Plan | None = None,
    values: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> str:
    page, notes, rooms = overview.class_page(class_id), (), None
    bands = Counter(child.age_band for child in page.children)
    band = forms.choice("age_band", AGE_BANDS, next(iter(dict(bands.most_common(1))), AGE_BANDS[0]))
    if bundle:
        rooms = list_pages.rooms_of(bundle, chosen, by_table=shown is not None)
        plan = _plan(class_id, bundle, chosen, band)
    return render(
        ClassListPage(
            school_class=ShownClass(class_id, page.name),
            title=bundle.kind if bundle else "",
            kept=list_words.kept(bundle is not None and bundle.has_ids),
            values=forms.blank({"age_band": band, **(values or {})}),
            errors=forms.blank(errors or {}),
            age_bands=AGE_BANDS,
            columns=shown,
            rooms=rooms,
            plan=plan,
            dropped=list_words.dropped(bundle),
            notes=list_pages.notes_of(bundle.left_out) if bundle else notes,
        )
    )


def _plan(class_id: int, bundle: Bundle, chosen: int | None, band: str) -> list_pages.Plan | None:
    """How the list differs from the class; None while no class of the list is chosen."""
    if chosen is None and not (bundle.delta and bundle.loose):
        return None
    lines = list_pages.lines_of(class_id, bundle, chosen, band)
    if len(lines) > MOST_LINES:
        raise UnreadableList("list_class", most=MOST_LINES)
    found = class_lists.compare(class_id, lines, g.who.adult_id, bundle.delta)
    _note_look(class_id, found)
    own_id = bundle.classes[chosen].sourced_id if chosen is not None else ""
    return list_pages.plan_of(found, None, bundle.delta, own_id)


def _note_look(class_id: int, found: Comparison) -> None:
    """Record that the teacher sees names of the class which are not on the list."""
    if found.shows_others:
        overview.looked(g.who.adult_id, "class", class_id)
