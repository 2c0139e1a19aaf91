"""What to do tomorrow, on a teacher's pages: the lines, and what their buttons do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.games import GAMES
from classroom.learning.outlines import OUTLINES, Outline
from classroom.learning.skills import STRANDS, Strand
from classroom.learning.tomorrow import ON_PAPER, PLAYED, Form, Worksheet
from classroom.services.lesson import seating
from classroom.services.reports import overview, skill_reports
from classroom.services.reports.skill_reports import ClassSkills
from classroom.services.school import classes
from classroom.web.http import forms
from classroom.web.http.pages import render, see_other
from classroom.web.reports.charts import Drawing, dot_drawing
from classroom.web.words import language, rule_words
from classroom.web.words.advice_words import Advice, why_next, words
from classroom.web.words.filters import game_names
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.level_words import level_words

TASKS: Final[Mapping[Form, str]] = {
    "count": N_("How many dots? Write the number."),
    "draw": N_("Draw as many dots as the number says."),
    "bond": N_("The number at the top is made of two parts. Which part is missing?"),
    "fill": N_("Fill the frame. How many more dots does it need?"),
}


@dataclass(frozen=True, slots=True)
class NextLesson:
    """The ready-made lesson that is suggested, the name of its game, and why."""

    outline: Outline
    game: str
    why: str


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """A child's sheet, drawn. `halves`: what to do in each half, and its tasks. `language`: the
    language of the child's sheet."""

    name: str
    strand: Strand
    numbers: tuple[int, int]
    halves: tuple[tuple[str, tuple[Drawing, ...]], ...]
    language: str


def tomorrow_lines(page: ClassSkills) -> tuple[Advice, ...]:
    """What to do tomorrow with this class."""
    names = {child.child_id: child.name for child in page.children}
    return tuple(
        words(one, [names[child] for child in one.children])
        for one in skill_reports.suggested(page)
    )


def next_lesson(page: ClassSkills) -> NextLesson:
    """The ready-made lesson that comes next for this class."""
    sequence, found = skill_reports.next_lesson(page)
    game = game_names()[found.outline.game]
    return NextLesson(found.outline, game, why_next(sequence, found))


def seat_together(class_id: int) -> Response:
    """Set up a table for the children of a suggestion; it waits in the seating plan. With a strand,
    they are the small group for a week."""
    game, children = forms.choice("game", GAMES), forms.ids(request.form.getlist("child"))
    strand = cast(Strand, forms.choice("practise", PLAYED)) if "practise" in request.form else None
    seating.seat_together(class_id, game, children, g.who.adult_id, strand)
    return see_other("teach.seats", class_id=class_id, done="seated")


def small_group(class_id: int) -> str:
    """The small group on one page: its cards, what to ask and to look for, and why these three."""
    page = skill_reports.of_class(class_id)
    line = next((one for one in tomorrow_lines(page) if one.it.deed == "group"), None)
    if line is None:
        return render(
            "pages/teach/small_group.html",
            lesson=None,
            needed="",
            children=(),
            class_id=class_id,
            line=None,
        )
    overview.looked(g.who.adult_id, "class", class_id)
    it = line.it
    lessons = [one for one in OUTLINES.values() if one.strand == it.strand]
    levels = {one.child_id: (one.name, one.levels.get(it.strand)) for one in page.children}
    return render(
        "pages/teach/small_group.html",
        class_id=class_id,
        line=line,
        lesson=next((one for one in lessons if it.skills[0] in one.skills), lessons[0]),
        needed=rule_words.needed(GAMES[str(it.game)].rules),
        children=tuple(
            (name, level_words(level), level.right, level.recent)
            for name, level in map(levels.__getitem__, it.children)
            if level
        ),
    )


def focus(class_id: int) -> Response:
    """Make a strand the focus of the class's questions."""
    strand = cast(Strand, forms.choice("strand", STRANDS))
    if not forms.asks():
        skill_reports.set_focus(class_id, strand, g.who.adult_id, forms.version())
    done = "overtaken" if forms.asks() else "focus"
    return see_other("teach.skills", class_id=class_id, done=done)


def paper(class_id: int) -> str:
    """Sheets for counting or adding, for the children in the address or, if there are none, for the
    whole class."""
    overview.looked(g.who.adult_id, "class", class_id)
    strand = cast(Strand, request.args.get("strand", ON_PAPER[0]))
    sent = request.args.getlist("child")
    found = skill_reports.worksheets(class_id, strand, forms.ids(sent) if sent else None)
    back = url_for("teach.skills", class_id=class_id)
    words = classes.home_languages(class_id)
    sheets = tuple(_drawn(child.name, sheet, words[child.child_id]) for child, sheet in found)
    return render("pages/teach/paper.html", sheets=sheets, back=back)


def _drawn(name: str, sheet: Worksheet, words: str) -> DrawnSheet:
    with language.speaking(words):
        halves = tuple(
            (_(TASKS[tasks[0].form]), tuple(dot_drawing(task, at) for at, task in enumerate(tasks)))
            for tasks in sheet.halves
        )
    return DrawnSheet(name, sheet.strand, sheet.numbers, halves, words)
