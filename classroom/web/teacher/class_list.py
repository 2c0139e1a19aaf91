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
from classroom.services.school.class_lists import Comparison, Ticked
from classroom.services.school.lists import columns, people, reading, tables
from classroom.services.school.lists.columns import Guess
from classroom.services.school.lists.tables import (
    CELL,
    FILE_BYTES,
    Bundle,
    Person,
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
            table = tables.unpack_table(forms.text("table", FILE_BYTES))
            return _corrected(class_id, table)
        if step == "room":
            return _of_bundle(class_id, tables.unpack_bundle(forms.text("bundle", FILE_BYTES)))
        return _read(class_id)
    except UnreadableList as refused:
        text = forms.text("list", FILE_BYTES)
        errors = {"list" if text else "file": sentence(refused)}
        return _page(class_id, values={"list": text}, errors=errors), 400


def _read(class_id: int) -> str:
    """Read the file that was sent, else the pasted text."""
    sent = request.files.get("file")
    data = sent.read() if sent else b""
    found = reading.read_file(data) if data else reading.read_text(forms.text("list", FILE_BYTES))
    if isinstance(found, Table):
        return _of_table(class_id, found, columns.guess(found))
    return _of_bundle(class_id, people.of_zip(found, clock.local(clock.now()).date()))


def _corrected(class_id: int, table: Table) -> Answer:
    guess = columns.guess(table)
    try:
        return _of_table(class_id, table, columns.correct(guess, request.form.getlist("kind")))
    except UnreadableList as refused:
        shown = list_pages.columns_of(table, guess)
        return _page(class_id, shown=shown, errors={"columns": sentence(refused)}), 400


def _of_table(class_id: int, table: Table, guess: Guess) -> str:
    shown = list_pages.columns_of(table, guess)
    if guess.asks:
        return _page(class_id, shown=shown)
    bundle = people.of_table(table, guess, clock.local(clock.now()).date())
    return _of_bundle(class_id, bundle, shown)


def _of_bundle(class_id: int, bundle: Bundle, shown: list_pages.Columns | None = None) -> str:
    if not bundle.classes and not bundle.loose:
        raise UnreadableList("list_empty")
    return _page(class_id, bundle=bundle, chosen=_chosen(class_id, bundle), shown=shown)


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


def _lines() -> list[Person]:
    """The children in the form: the new ones as the teacher edited them, and the rest."""
    names, bands = request.form.getlist("name"), request.form.getlist("band")
    numbers, ids = request.form.getlist("number"), request.form.getlist("sourced_id")
    if not len(names) == len(bands) == len(numbers) == len(ids) <= MOST_LINES:
        raise forms.InvalidForm("name")
    try:
        rest = tables.unpack_people(forms.text("rest", FILE_BYTES, "[]"))
    except UnreadableList as refused:
        raise forms.InvalidForm("rest") from refused
    new = [
        Person(number, name.strip()[:CELL], "", band, key[: class_lists.LONGEST_ID])
        for number, name, band, key in zip(_numbers(numbers), names, bands, ids, strict=True)
    ]
    return sorted([*new, *rest], key=lambda line: line.number)


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
    listed = bundle.classes[chosen] if chosen is not None else None
    lines = class_lists.lines_of(class_id, bundle, listed, band)
    if len(lines) > MOST_LINES:
        raise UnreadableList("list_class", most=MOST_LINES)
    found = class_lists.compare(class_id, lines, g.who.adult_id, bundle.delta)
    _note_look(class_id, found)
    return list_pages.plan_of(found, None, bundle.delta, listed.sourced_id if listed else "")


def _note_look(class_id: int, found: Comparison) -> None:
    """Record that the teacher sees names of the class which are not on the list."""
    if found.shows_others:
        overview.looked(g.who.adult_id, "class", class_id)
