"""Fills a class from a list: reads it, compares it with the class and makes the ticked changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from flask import g, request

from classroom.learning.skills import AGE_BANDS
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.base.names import ShownClass
from classroom.services.reports import overview
from classroom.services.school import class_lists
from classroom.services.school.class_lists import Compared, Comparison, Ticked
from classroom.services.school.lists import columns, list_children, reading, tabular
from classroom.services.school.lists.columns import Guess
from classroom.services.school.lists.tabular import (
    CELL,
    FILE_BYTES,
    Bundle,
    ListedChild,
    ListTable,
    UnreadableList,
)
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.words import list_words
from classroom.web.words.language import gettext as _
from classroom.web.words.sentences import sentence

SAMPLES = 5  # how many rows of a table are shown


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. `kind`: what it probably contains. `why`: the reason for this guess.
    `fixed`: whether the teacher cannot change the kind."""

    heading: str
    kind: str
    why: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns and the first rows of a table. `asks`: whether somebody has to say which column
    has the names. `table`: the table as text, for a hidden field of the form."""

    columns: tuple[Column, ...]
    kinds: tuple[tuple[str, str], ...]
    samples: tuple[tuple[str, ...], ...]
    asks: bool
    table: str


@dataclass(frozen=True, slots=True)
class Rooms:
    """The classes in a list, to choose from, as (place, words). `chosen`: the place of the chosen
    class, "" for none. `bundle`: the list as text, for a hidden field, "" with a table."""

    rooms: tuple[tuple[str, str], ...]
    chosen: str
    bundle: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A change that can be ticked. `field`, `value`: what a tick makes the form send. Without a
    `field` it cannot be made, and `words` say why."""

    field: str
    value: str
    words: str
    ticked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPlan:
    """The differences between a list and a class. `new`: each new child and, in words, what is
    wrong with the name. `rest`: the children on the list who are not new, as text, for a hidden
    field of the form."""

    found: Comparison
    ticked: Ticked
    new: tuple[tuple[Compared, str], ...]
    changes: tuple[Tick, ...]
    rest: str
    delta: bool
    class_sourced_id: str


def columns_of(table: ListTable, guess: Guess) -> Columns:
    """Return the columns and the first rows of a table."""
    # There may be fewer headings than columns: none at all in a table without headings.
    found = zip_longest(guess.kinds, guess.why, guess.headings, fillvalue="")
    shown = tuple(
        Column(head, kind, list_words.why(why) if kind != "none" else "", kind in columns.READ_ONLY)
        for kind, why, head in found
    )
    rows = table.rows[guess.begins : guess.begins + SAMPLES]
    return Columns(
        shown,
        list_words.kinds(),
        tuple(tuple(row.cell(at) for at in range(len(shown))) for row in rows),
        guess.asks,
        tabular.pack_table(table),
    )


def rooms_of(bundle: Bundle, chosen: int | None, by_table: bool) -> Rooms | None:
    """Return the classes in a list, to choose from; None if there are fewer than two."""
    if len(bundle.classes) < 2:
        return None
    shown = tuple(
        (str(at), list_words.room(one.name, len(one.people)))
        for at, one in enumerate(bundle.classes)
    )
    packed = "" if by_table else tabular.pack_bundle(bundle)
    return Rooms(shown, "" if chosen is None else str(chosen), packed)


def plan_of(
    found: Comparison, ticked: Ticked | None, delta: bool, class_sourced_id: str
) -> ListPlan:
    """Return the differences and the ticks; by default, new children and ids are ticked."""
    chosen = ticked or Ticked(add=[one.line.number for one in found.lines], ids=True)
    new = [one for one in found.lines if one.what == "new"]
    return ListPlan(
        found=found,
        ticked=chosen,
        new=tuple((one, list_words.trouble(one) if one.trouble else "") for one in new),
        changes=tuple(_changes(found, chosen)),
        rest=tabular.pack_people([one.line for one in found.lines if one.what != "new"]),
        delta=delta,
        class_sourced_id=class_sourced_id,
    )


def _changes(found: Comparison, ticked: Ticked) -> list[Tick]:
    changes = []
    for one in found.lines:
        child = one.child
        if child is None or one.what == "elsewhere":
            continue
        key = child.child_id
        if one.what == "renamed":
            if one.trouble:
                changes.append(Tick("", "", list_words.wrong_line(one), ticked=False))
            else:
                words = _("Rename %(old)s to %(new)s", old=child.name, new=one.line.name)
                changes.append(Tick("rename", str(key), words, key in ticked.rename))
        if one.has_new_band:
            words = list_words.new_band(child.name, child.band, one.line.band or "")
            changes.append(Tick("band_of", str(key), words, key in ticked.band))
    ids = sum(one.has_new_id for one in found.lines if one.what == "same")
    if ids:
        changes.append(Tick("ids", "1", list_words.ids(ids), ticked.ids))
    return changes


# ---- The steps: read a list, correct its columns, choose a class, make the ticked changes
#
# Between these steps the server keeps nothing of a list: it is in hidden fields of the form.

STEPS = ("read", "columns", "room", "apply")
MOST_LINES = 500  # the maximum number of children in the last form, which applies a list


def class_list(class_id: int) -> Reply:
    """Read a list and compare it with the class; the last step makes the ticked changes."""
    if request.method != "POST":
        return _page(class_id)
    step = forms.choice("step", STEPS)
    if step == "apply":
        return _apply(class_id)
    try:
        if step == "columns":
            return _corrected(class_id, tabular.unpack_table(forms.text("table", FILE_BYTES)))
        if step == "room":
            return _of_bundle(class_id, tabular.unpack_bundle(forms.text("bundle", FILE_BYTES)))
        return _read(class_id)
    except UnreadableList as refused:
        text = forms.text("list", FILE_BYTES)
        errors = {"list" if text else "file": sentence(refused)}
        return _page(class_id, values={"list": text}, errors=errors), 400


def _read(class_id: int) -> str:
    """Read the file that was sent or, if there is none, the pasted text."""
    sent = request.files.get("file")
    data = sent.read() if sent else b""
    found = reading.read_file(data) if data else reading.read_text(forms.text("list", FILE_BYTES))
    if isinstance(found, ListTable):
        return _of_table(class_id, found, columns.guess(found))
    return _of_bundle(class_id, list_children.of_zip(found, clock.local(clock.now()).date()))


def _corrected(class_id: int, table: ListTable) -> Reply:
    guess = columns.guess(table)
    try:
        return _of_table(class_id, table, columns.correct(guess, request.form.getlist("kind")))
    except UnreadableList as refused:
        shown = columns_of(table, guess)
        return _page(class_id, shown=shown, errors={"columns": sentence(refused)}), 400


def _of_table(class_id: int, table: ListTable, guess: Guess) -> str:
    shown = columns_of(table, guess)
    if guess.asks:
        return _page(class_id, shown=shown)
    bundle = list_children.of_table(table, guess, clock.local(clock.now()).date())
    return _of_bundle(class_id, bundle, shown)


def _of_bundle(class_id: int, bundle: Bundle, shown: Columns | None = None) -> str:
    """Show the chosen class of the list; if none was chosen, the class that fits."""
    if not bundle.classes and not bundle.loose:
        raise UnreadableList("list_empty")
    sent = request.form.get("room", "")
    if sent.isascii() and sent.isdigit() and int(sent) < len(bundle.classes):
        return _page(class_id, bundle, int(sent), shown)
    return _page(class_id, bundle, class_lists.fitting(bundle, class_id), shown)


def _apply(class_id: int) -> Reply:
    lines = _lines()
    ticked = Ticked(
        add=forms.ids(request.form.getlist("add")),
        rename=forms.ids(request.form.getlist("rename")),
        band=forms.ids(request.form.getlist("band_of")),
        ids=forms.flag("ids"),
    )
    delta, own_id = forms.flag("delta"), forms.text("class_sourced_id", class_lists.LONGEST_ID)
    try:
        done = class_lists.apply(class_id, lines, ticked, g.who.adult_id, delta, own_id)
    except Refused as refused:
        found: Any = refused.facts.get("compared") or class_lists.compare(
            class_id, lines, g.who.adult_id, delta
        )
        _note_look(class_id, found)
        plan = plan_of(found, ticked, delta, own_id)
        return _page(class_id, plan=plan, errors={"plan": sentence(refused)}), 400
    said = "listed" if done else "nothing_listed"
    return see_other("teach.school_class", class_id=class_id, done=said)


def _lines() -> list[ListedChild]:
    """Return the children in the form: the new ones as the teacher edited them, and the rest."""
    names, bands = request.form.getlist("name"), request.form.getlist("band")
    numbers, ids = request.form.getlist("number"), request.form.getlist("sourced_id")
    if not len(names) == len(bands) == len(numbers) == len(ids) <= MOST_LINES:
        raise forms.InvalidForm("name")
    sent = forms.text("rest", FILE_BYTES)
    try:
        rest = tabular.unpack_people(sent) if sent else ()
    except UnreadableList as refused:
        raise forms.InvalidForm("rest") from refused
    if not all(one.isascii() and one.isdigit() and len(one) < 10 for one in numbers):
        raise forms.InvalidForm("number")
    new = [
        ListedChild(int(number), name.strip()[:CELL], "", band, key[: class_lists.LONGEST_ID])
        for number, name, band, key in zip(numbers, names, bands, ids, strict=True)
    ]
    return sorted([*new, *rest], key=lambda line: line.number)


def _page(
    class_id: int,
    bundle: Bundle | None = None,
    chosen: int | None = None,
    shown: Columns | None = None,
    plan: ListPlan | None = None,
    values: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> str:
    page, rooms = overview.class_page(class_id), None
    bands = Counter(child.age_band for child in page.children)
    band = forms.choice("age_band", AGE_BANDS, next(iter(dict(bands.most_common(1))), AGE_BANDS[0]))
    if bundle:
        rooms = rooms_of(bundle, chosen, by_table=shown is not None)
        plan = _plan(class_id, bundle, chosen, band)
    return render(
        "pages/teach/list.html",
        here="class",
        school_class=ShownClass(class_id, page.name),
        title=bundle.kind if bundle else "",
        kept=list_words.kept(bundle),
        values=forms.blank({"age_band": band, **(values or {})}),
        errors=forms.blank(errors),
        age_bands=AGE_BANDS,
        columns=shown,
        rooms=rooms,
        plan=plan,
        dropped=list_words.dropped(bundle),
        notes=list_words.notes(bundle),
    )


def _plan(class_id: int, bundle: Bundle, chosen: int | None, band: str) -> ListPlan | None:
    """Return how the list differs from the class; None while no class in the list is chosen."""
    if chosen is None and not (bundle.delta and bundle.loose):
        return None
    listed = bundle.classes[chosen] if chosen is not None else None
    lines = class_lists.lines_of(class_id, bundle, listed, band)
    if len(lines) > MOST_LINES:
        raise UnreadableList("list_class", most=MOST_LINES)
    found = class_lists.compare(class_id, lines, g.who.adult_id, bundle.delta)
    _note_look(class_id, found)
    return plan_of(found, None, bundle.delta, listed.sourced_id if listed else "")


def _note_look(class_id: int, found: Comparison) -> None:
    """Record a look if the teacher sees names of the class that are not on the list."""
    if found.shows_others:
        overview.looked(g.who.adult_id, "class", class_id)
