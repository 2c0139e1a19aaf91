"""A class's skills on a page and in print, its days of play, and what to do tomorrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Final, cast

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.games import GAMES
from classroom.learning.estimates import Estimate, Share
from classroom.learning.levels import Level
from classroom.learning.outlines import OUTLINES
from classroom.learning.report import Signal
from classroom.learning.skills import SKILLS, STRANDS, Strand
from classroom.learning.tomorrow import ON_PAPER, PLAYED, Form
from classroom.services.base import clock
from classroom.services.base.names import ShownClass
from classroom.services.lesson import seating
from classroom.services.reports import overview, skill_reports
from classroom.services.reports.figures import ChildLine, ClassPage
from classroom.services.reports.overview import WEEK
from classroom.services.reports.skill_reports import ChildSkills, ClassSkills, System
from classroom.services.school import classes
from classroom.web.http import forms
from classroom.web.http.pages import render, see_other
from classroom.web.reports.charts import DayDots, Drawing, Strip, day_dots, dot_drawing, strip_of
from classroom.web.words import language, rule_words
from classroom.web.words.advice_words import WHAT, Advice, words
from classroom.web.words.filters import together
from classroom.web.words.language import N_, gettext as _
from classroom.web.words.level_words import (
    STRAND_NAMES,
    evident_words,
    level_words,
    reason,
    short_words,
    standard,
    taken_words,
)

# ---- The skills page of a class, and its printed version on one page

HEADS: Final[dict[Strand, str]] = {  # names of strands for narrow columns
    **STRAND_NAMES,
    "counting": N_("Counting"),
    "adding": N_("Adding"),
}
DONE: Final = {
    "overtaken": N_(
        "A colleague has just changed the focus or the questions, or you changed them in another "
        "window. Your tap changed nothing: please look at the new choices, then tap again."
    ),
    "focus": N_(
        "Saved. Three in four questions will be about this until the children have answered enough."
    ),
}
COLOURED: Final = ("ok", "mid", "low")
SHOWN_FIRST: Final[Strand] = "counting"  # a phone shows one strand at a time, this one first
DOTS: Final = 6  # per cent of a strip's width: dots nearer than this are stacked


@dataclass(frozen=True, slots=True)
class Cell:
    """A child's level in a strand. `look`: the look of a strip, none (not enough answers), or plain
    (remembering, which has no colour). `short`: the level in a few words, "" for none. `words`: the
    whole text. `taken`: for remembering, the facts that the child remembered in play."""

    look: str
    short: str
    right: int
    n: int
    words: str
    strip: Strip | None = None
    taken: str = ""


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A child's row, with a cell for each strand. `reasons`: why a teacher should look at it."""

    child: ChildSkills
    cells: tuple[Cell, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """A strand's column. `short`: its short name. `stand`: how many children have each look.
    `dots`: for each child, the place on the scale, and how many dots are stacked below that dot."""

    strand: Strand
    short: str
    stand: tuple[tuple[str, int], ...]
    dots: tuple[tuple[float, int], ...]
    ends: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class FoldedRows:
    """The skills of one strand that at least one child has tried. `heads`: the name and the
    standard of each skill. `together`: the counts for the whole class. While the fold is closed,
    the counts are zero and `rows` is empty."""

    strand: Strand
    name: str
    heads: tuple[tuple[str, str], ...]
    together: tuple[Share, ...]
    rows: tuple[tuple[ChildSkills, tuple[Share, ...]], ...]


@dataclass(frozen=True, slots=True)
class ClassView:
    """The table of a class. `need`: the rows of children whom the teacher should look at. `sort`:
    the strand by which children are sorted, or "" if by name. `shown`: the strand that a phone
    shows. `folds`: empty until a child has tried a skill."""

    sort: str
    shown: str
    heads: tuple[Head, ...]
    rows: tuple[ClassRow, ...]
    need: tuple[ClassRow, ...]
    folds: tuple[FoldedRows, ...]

    @property
    def known(self) -> int:
        """How many levels in the table could have a colour."""
        return sum(one.look not in ("none", "plain") for row in self.rows for one in row.cells)

    @property
    def coloured(self) -> int:
        """How many levels in the table are certain enough for a colour."""
        return sum(one.look in COLOURED for row in self.rows for one in row.cells)


def skills(class_id: int) -> str:
    """Show what each child of a class can do, sorted by name or by the level in a strand."""
    overview.looked(g.who.adult_id, "class", class_id)
    page = skill_reports.of_class(class_id)
    return render(
        "pages/teach/skills.html",
        here="skills",
        school_class=ShownClass(class_id, page.name),
        page=page,
        view=class_view(page, request.args.get("strand", ""), request.args.get("sort", "")),
        tomorrow=tomorrow_lines(page),
        done=forms.done(DONE),
    )


def class_report(class_id: int) -> str:
    """Show the levels of a class on one page to print."""
    overview.looked(g.who.adult_id, "class", class_id)
    page = skill_reports.of_class(class_id)
    view, made_at = class_view(page), clock.now()
    return render("pages/teach/class_report.html", page=page, view=view, made_at=made_at)


def class_view(page: ClassSkills, opened: str = "", sort: str = "") -> ClassView:
    """Return the table of a class. `opened`: the strand whose skills are shown. `sort`: the strand
    by which children are sorted; if it is not a strand, they are sorted by name."""
    rows, system = tuple(map(_row, page.children)), skill_reports.standards_of(page.class_id)
    by = sort if sort in STRANDS else None
    return ClassView(
        sort=by or "",
        shown=by or SHOWN_FIRST,
        heads=tuple(_head(at, rows) for at in range(len(STRANDS))),
        rows=tuple(sorted(rows, key=lambda row: _order(row, by))) if by else rows,
        need=tuple(row for row in rows if row.reasons),
        folds=tuple(
            fold for one in STRANDS if (fold := _fold(page, one, system, one == opened)).heads
        ),
    )


def _order(row: ClassRow, strand: Strand) -> float:
    level = row.child.levels.get(strand)
    return inf if level is None or level.standing == "none" else level.middle


def _head(at: int, rows: Iterable[ClassRow]) -> Head:
    """Return the column of a strand, which shows how many children have each look."""
    strand, cells = STRANDS[at], [row.cells[at] for row in rows]
    strips = [one.strip for one in cells if one.strip]
    looks, places = Counter(one.look for one in cells), sorted(one.about for one in strips)
    dots: list[tuple[float, int]] = []
    for place in places:
        near = dots and place - dots[-1][0] < DOTS
        dots.append((dots[-1][0], dots[-1][1] + 1) if near else (place, 0))
    return Head(
        strand=strand,
        short=_(HEADS[strand]),
        stand=tuple((look, looks[look]) for look in (*COLOURED, "open", "grey") if looks[look]),
        dots=tuple(dots),
        ends=strips[0].ends if strips else (),
    )


def _row(child: ChildSkills) -> ClassRow:
    known = Cell("none", "", 0, 0, _("nothing is worked out")) if child.restricted else None
    cells = tuple(known or _cell(child.levels.get(strand)) for strand in STRANDS)
    return ClassRow(child, cells, tuple(map(reason, _told(child.signals))))


def _told(signals: Iterable[Signal]) -> list[Signal]:
    """Return the signals that get a line. If a child had too much help in several skills, only the
    skill with the most answers gets a line."""
    leaning = [one for one in signals if one.trouble == "leaning"]
    most = max(leaning, key=lambda one: one.facts["n"], default=None)
    return [one for one in signals if one.trouble != "leaning" or one is most]


def _cell(level: Level | None) -> Cell:
    if level is None or not level.n:
        return Cell("none", "", 0, 0, _("no answers yet"))
    if level.strand == "recall":
        return _memory_cell(level)
    strip = strip_of(level)
    if strip is None:  # too few answers, or luck could explain them
        return Cell("none", "", level.right, level.recent, _("not enough answers yet"))
    evidence = "; ".join(evident_words(level.strand, one) for one in level.evidence)
    words = f"{level_words(level)} {evidence}"
    return Cell(strip.look, short_words(level), level.right, level.recent, words, strip)


def _memory_cell(level: Level) -> Cell:
    """Return a cell with the facts that the child remembered in play at the first chance, and with
    how far back the child remembers."""
    known, taken = level.standing != "none", ", ".join(taken_words(level))
    look = "grey" if level.stale else "plain" if known or taken else "none"
    said = level_words(level) if known else _("not enough answers yet")
    short = short_words(level) if known else ""
    return Cell(look, short, level.right, level.recent, f"{said} {taken}".strip(), taken=taken)


def _fold(page: ClassSkills, strand: Strand, system: System, opened: bool) -> FoldedRows:
    keys = [key for key in page.skills if SKILLS[key].strand == strand]
    found = [(child, child.estimates(keys)) for child in page.children] if opened else []
    return FoldedRows(
        strand=strand,
        name=_(STRAND_NAMES[strand]),
        heads=tuple((_(SKILLS[key].name), standard(SKILLS[key], system)) for key in keys),
        together=tuple(_sum(mine.get(key) for __, mine in found) for key in keys),
        rows=tuple((child, tuple(_sum([mine.get(key)]) for key in keys)) for child, mine in found),
    )


def _sum(found: Iterable[Estimate | None]) -> Share:
    kept = [one for one in found if one is not None]
    return Share(sum(one.counts.right for one in kept), sum(one.counts.n for one in kept))


# ---- the list of children on the class page

LONG: Final = 8  # days without play after which a child is marked
ROLL_STRANDS: Final[tuple[Strand, ...]] = ("counting", "adding", "recall")


@dataclass(frozen=True, slots=True)
class RollLine:
    """A child in the list. `long`: how many days ago the child last played, 0 if fewer than LONG.
    `strips`: the levels in ROLL_STRANDS, None if too little is known."""

    child: ChildLine
    dots: DayDots
    long: int
    strips: tuple[Strip | None, ...]


def roll(page: ClassPage, skills: ClassSkills) -> tuple[RollLine, ...]:
    """Return a line for each child, sorted by name."""
    levels = {one.child_id: one.levels for one in skills.children}
    found = []
    for child in page.children:
        mine, long = levels.get(child.child_id, {}), page.day - (child.last_day or page.day)
        dots = day_dots(child.days, page.day)
        strips = tuple(strip_of(mine[one]) if one in mine else None for one in ROLL_STRANDS)
        found.append(RollLine(child, dots, long if long >= LONG else 0, strips))
    return tuple(found)


def since_last_week(page: ClassPage, skills: ClassSkills) -> str:
    """Return a line on who improved and who did not play; "" before anybody has played."""
    if all(child.last_day is None for child in page.children):
        return ""
    grown = [
        f"{child.name} ({_(WHAT[one.strand])})"
        for child in skills.children
        for one in child.glance.grown
    ]
    absent = [one.name for one in page.children if not any(d > page.day - WEEK for d in one.days)]
    played = _("%(who)s did not play.", who=together(absent)) if absent else _("Everybody played.")
    if not grown:
        return played
    return _("%(who)s made progress.", who=together(grown)) + " " + played


# ---- what to do tomorrow: the lines, and what their buttons do

TASKS: Final[Mapping[Form, str]] = {
    "count": N_("How many dots? Write the number."),
    "draw": N_("Draw as many dots as the number says."),
    "bond": N_("The number at the top is made of two parts. Which part is missing?"),
    "fill": N_("Fill the frame. How many more dots does it need?"),
}


@dataclass(frozen=True, slots=True)
class DrawnSheet:
    """A child's sheet, drawn. `halves`: the instruction and the tasks of each half. `language`: the
    language in which the sheet is written."""

    name: str
    strand: Strand
    numbers: tuple[int, int]
    halves: tuple[tuple[str, tuple[Drawing, ...]], ...]
    language: str


def tomorrow_lines(page: ClassSkills) -> tuple[Advice, ...]:
    """Return the lines of advice on what to do with this class tomorrow."""
    names = {child.child_id: child.name for child in page.children}
    return tuple(
        words(one, [names[child] for child in one.children])
        for one in skill_reports.suggested(page)
    )


def seat_together(class_id: int) -> Response:
    """Add a table to the seating plan for the children in a suggestion. If the form has a strand,
    these children are the small group for a week."""
    game, children = forms.choice("game", GAMES), forms.ids(request.form.getlist("child"))
    strand = cast(Strand, forms.choice("practise", PLAYED)) if "practise" in request.form else None
    seating.seat_together(class_id, game, children, g.who.adult_id, strand)
    return see_other("teach.seats", class_id=class_id, done="seated")


def small_group(class_id: int) -> str:
    """Show the small group on one page: its cards, what to ask, and why these children."""
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
    """Show sheets for counting or adding, for the children in the URL, or else for all."""
    overview.looked(g.who.adult_id, "class", class_id)
    strand = cast(Strand, request.args.get("strand", ON_PAPER[0]))
    sent = request.args.getlist("child")
    found = skill_reports.worksheets(class_id, strand, forms.ids(sent) if sent else None)
    back = url_for("teach.skills", class_id=class_id)
    words = classes.home_languages(class_id)
    sheets = []
    for child, sheet in found:
        spoken, halves = words[child.child_id], []
        with language.speaking(spoken):
            for tasks in sheet.halves:
                drawn = tuple(dot_drawing(task, at) for at, task in enumerate(tasks))
                halves.append((_(TASKS[tasks[0].form]), drawn))
        sheets.append(DrawnSheet(child.name, sheet.strand, sheet.numbers, tuple(halves), spoken))
    return render("pages/teach/paper.html", sheets=sheets, back=back)
