"""What to do tomorrow, on a teacher's pages: the lines, and what their buttons do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.games import GAMES
from classroom.learning.sheets import Form
from classroom.learning.skills import STRANDS, Strand
from classroom.learning.tomorrow import ON_PAPER, Suggestion
from classroom.services.lesson import seating
from classroom.services.reports import overview, suggestions
from classroom.services.reports.skill_reports import ClassSkills
from classroom.services.reports.suggestions import ChildSheet
from classroom.web.http import both, forms
from classroom.web.http.pages import Page, render
from classroom.web.reports.dots import Drawing, drawing
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.tomorrow_words import Words, words

TASKS: Final[Mapping[Form, str]] = {
    "count": N_("How many dots? Write the number."),
    "draw": N_("Draw as many dots as the number says."),
    "bond": N_("The number at the top is made of two parts. Which part is missing?"),
    "fill": N_("Fill the frame. How many more dots does it need?"),
}


@dataclass(frozen=True, slots=True)
class TomorrowLine:
    """A suggestion and its words."""

    it: Suggestion
    words: Words


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """A child's sheet, drawn. `halves`: what to do in each half, and its tasks."""

    name: str
    strand: Strand
    numbers: tuple[int, int]
    halves: tuple[tuple[str, tuple[Drawing, ...]], ...]


@dataclass(frozen=True, kw_only=True)
class PaperPage(Page):
    """Sheets to print, a page for each child. `back`: the address of the skills page."""

    template = "pages/teach/paper.html"
    sheets: tuple[DrawnSheet, ...]
    back: str


def tomorrow_lines(page: ClassSkills) -> tuple[TomorrowLine, ...]:
    """What to do tomorrow with this class."""
    names = {child.child_id: child.name for child in page.children}
    return tuple(
        TomorrowLine(one, words(one, [names[child] for child in one.children]))
        for one in suggestions.of_class(page)
    )


def seat_together(class_id: int) -> Response:
    """Set up a table for the children of a suggestion; it waits in the seating plan."""
    game, children = forms.choice("game", GAMES), forms.ids(request.form.getlist("child"))
    seating.seat_together(class_id, game, children, by=g.who.adult_id)
    return redirect(url_for("teach.seats", class_id=class_id, done="seated"), code=303)


def focus(class_id: int) -> Response:
    """Make a strand the focus of the class's questions."""
    strand = cast(Strand, forms.choice("strand", STRANDS))
    if not forms.asks():
        suggestions.set_focus(class_id, strand, g.who.adult_id, both.version())
    done = "overtaken" if forms.asks() else "focus"
    return redirect(url_for("teach.skills", class_id=class_id, done=done), code=303)


def paper(class_id: int) -> str:
    """Sheets for counting or adding, for the children in the address or, if it names none, for the
    whole class."""
    overview.looked(g.who.adult_id, "class", class_id)
    strand = cast(Strand, request.args.get("strand", ON_PAPER[0]))
    sent = request.args.getlist("child")
    found = suggestions.sheets(class_id, strand, forms.ids(sent) if sent else None)
    back = url_for("teach.skills", class_id=class_id)
    return render(PaperPage(sheets=tuple(map(_drawn, found)), back=back))


def _drawn(one: ChildSheet) -> DrawnSheet:
    halves = tuple(
        (_(TASKS[tasks[0].form]), tuple(drawing(task, at) for at, task in enumerate(tasks)))
        for tasks in one.sheet.halves
    )
    return DrawnSheet(one.name, one.sheet.strand, one.sheet.numbers, halves)
