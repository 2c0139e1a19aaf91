"""A whole school from one list: a OneRoster zip, or a spreadsheet with a column of classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.learning.skills import AGE_BANDS
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.school import class_lists, undoing
from classroom.services.school.class_lists import ComparedClass
from classroom.services.school.lists import columns, list_children, reading, tabular
from classroom.services.school.lists.tabular import FILE_BYTES, Bundle, ListTable, UnreadableList
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.words import list_words
from classroom.web.words.language import gettext as _
from classroom.web.words.language import ngettext
from classroom.web.words.sentences import sentence

MOST_TROUBLES = 5  # the most children of a class that are listed with their trouble


@dataclass(frozen=True, slots=True)
class ListedRoom:
    """A class of the list. `words`: what would be done; `troubles`: which children it would leave
    out, and why."""

    at: int
    name: str
    words: str
    troubles: tuple[str, ...]
    ticked: bool


def lists() -> Reply:
    """Read a list and show its classes; the second step adds the ticked ones."""
    if request.method != "POST":
        return _page(done=_done())
    step = forms.choice("step", ("read", "apply", "undo"))
    if step == "undo":
        return _undo()
    try:
        if step == "apply":
            return _apply(tabular.unpack_bundle(forms.text("bundle", FILE_BYTES)))
        return _page(_read())
    except UnreadableList as refused:
        return _page(errors={"file": sentence(refused)}), 400


def _undo() -> Response:
    change_id = forms.number("change", 1, forms.MOST)
    done = undoing.undo_list(g.who.school_id, change_id, g.who.adult_id)
    address = url_for("school.lists", gone=done.children, stay=done.stay or None)
    return redirect(address, code=303)


def _read() -> Bundle:
    sent, today = request.files.get("file"), clock.local(clock.now()).date()
    found = reading.read_file(sent.read() if sent else b"")
    if isinstance(found, ListTable):
        guess = columns.guess(found)
        if guess.asks:
            raise UnreadableList("list_no_name")
        bundle = list_children.of_table(found, guess, today)
    else:
        bundle = list_children.of_zip(found, today)
    if not bundle.classes:
        raise UnreadableList("list_empty")
    return bundle


def _apply(bundle: Bundle) -> Reply:
    # The number of a class is its place in the list plus one, because 0 is not an id.
    chosen = [number - 1 for number in forms.ids(request.form.getlist("room"))]
    try:
        made = class_lists.apply_school(bundle, chosen, g.who.school_id, _band(), g.who.adult_id)
    except Refused as refused:
        return _page(bundle, errors={"rooms": sentence(refused)}, chosen=chosen), 400
    return see_other("school.lists", classes=made[0], children=made[1])


def _done() -> str:
    """Say how many classes and children were added, from the numbers in the address; "" if there
    are none."""
    gone, stay = (request.args.get(name, 0, type=int) for name in ("gone", "stay"))
    if "gone" in request.args:
        return list_words.undone(gone, stay)
    made = request.args.get("classes", type=int), request.args.get("children", type=int)
    if made[0] is None or made[1] is None:
        return ""
    return _(
        "Done: %(classes)s and %(children)s were added.",
        classes=ngettext("%(num)s class", "%(num)s classes", made[0]),
        children=ngettext("%(num)s child", "%(num)s children", made[1]),
    )


def _band() -> str:
    return forms.choice("age_band", AGE_BANDS, AGE_BANDS[0])


def _page(
    bundle: Bundle | None = None,
    errors: Mapping[str, str] | None = None,
    chosen: list[int] | None = None,
    done: str = "",
) -> str:
    rooms, band = None, _band()
    if bundle:
        found = class_lists.compare_school(bundle, g.who.school_id, band)
        homes = any(one.listed.home for one in found)
        rooms = tuple(
            _room(one, one.at in chosen if chosen is not None else one.listed.home or not homes)
            for one in found
        )
    return render(
        "pages/school/lists.html",
        here="school",
        title=bundle.kind if bundle else "",
        kept=list_words.kept(bundle is not None and bundle.has_ids),
        rooms=rooms,
        bundle=tabular.pack_bundle(bundle) if bundle else "",
        dropped=list_words.dropped(bundle),
        notes=tuple(map(list_words.left_out, bundle.left_out[: list_words.MOST_NOTES]))
        if bundle
        else (),
        values={"age_band": band},
        errors=forms.blank(errors),
        age_bands=AGE_BANDS,
        recent=undoing.lists_by(g.who.adult_id),
        done=done,
    )


def _room(one: ComparedClass, ticked: bool) -> ListedRoom:
    parts = [_("a new class") if one.class_id is None else _("a class that is here already")]
    parts.append(ngettext("%(num)s new child", "%(num)s new children", one.new))
    if one.same:
        parts.append(ngettext("%(num)s is here already", "%(num)s are here already", one.same))
    if one.others:
        parts.append(ngettext("%(num)s difference", "%(num)s differences", one.others))
    troubles = tuple(
        _("“%(name)s” %(trouble)s", name=child.line.name, trouble=list_words.trouble(child))
        for child in one.troubles[:MOST_TROUBLES]
    )
    return ListedRoom(
        one.at + 1, one.listed.name or _("No class"), ", ".join(parts), troubles, ticked
    )
