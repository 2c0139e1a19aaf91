"""A report as its pages show it (strands, levels and skills), and the same in print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import g, url_for

from classroom.learning.estimates import Estimate
from classroom.learning.levels import Level
from classroom.learning.report import Report
from classroom.learning.skills import SKILLS, STRANDS, Skill, Strand
from classroom.models import Restriction
from classroom.services.base import clock
from classroom.services.reports import overview, skill_reports
from classroom.services.reports.figures import ChildLine, ChildPage, Totals
from classroom.services.reports.skill_reports import SYSTEMS, System
from classroom.services.school import classes
from classroom.services.table import evidence_log
from classroom.web.http.pages import render
from classroom.web.reports.charts import Strip, TenFrame, strip_of, ten_frame
from classroom.web.words import advice_words, choice_words, language
from classroom.web.words.language import gettext as _
from classroom.web.words.language import ngettext
from classroom.web.words.level_words import (
    STRAND_NAMES,
    evident_words,
    growth_words,
    level_words,
    reason,
    standard,
    taken_words,
)

# ---- A report as its pages show it: strands with their levels, and skills below them
#
# Every number comes from the report; here it only becomes a position on a scale or a word.


@dataclass(frozen=True, slots=True)
class SkillLine:
    """One skill of one child. `standard`: its code, or why it has none. `missed`: how many
    missed items there are."""

    skill: Skill
    standard: str
    e: Estimate
    missed: int


@dataclass(frozen=True, slots=True)
class StrandView:
    """One strand of one child.

    `said`: the level in a sentence, "" while it is too early to say. `n`: the number of answers
    behind it. `evidence`: by range of the scale, empty for remembering (see ChildView.facts).
    `bar`: None while too little is known. `growth`: "" while there are too few answers to compare.
    `skills`: those that the child has met.
    """

    level: Level
    name: str
    said: str
    bar: Strip | None
    evidence: tuple[str, ...]
    growth: str
    skills: tuple[SkillLine, ...]


@dataclass(frozen=True, slots=True)
class ChildView:
    """A child's report. `held`: why nothing is worked out about it, a sentence for each side that
    wants this, else empty. `home`: three sentences for its family, or else `held`; `frame`: the
    same as a picture. `unmet`: names of skills not tried yet. `facts`: in words, how many facts it
    took in play at the first chance; `nothing_asked`: its board is open, so no question is about
    memory. `reasons`: why a teacher should look, one line each."""

    held: tuple[str, ...]
    home: tuple[str, ...]
    frame: TenFrame | None
    strands: tuple[StrandView, ...]
    unmet: tuple[str, ...]
    facts: tuple[str, ...]
    nothing_asked: bool
    reasons: tuple[str, ...]

    @property
    def known(self) -> tuple[StrandView, ...]:
        """The strands about which there is something to say."""
        of_play = self.facts or self.nothing_asked
        return tuple(
            one for one in self.strands if one.bar or (one.level.strand == "recall" and of_play)
        )

    @property
    def early(self) -> str:
        """The other strands in one line, each with how many answers there are."""
        return ", ".join(
            f"{one.name} ({ngettext('%(num)s answer', '%(num)s answers', one.level.recent)})"
            for one in self.strands
            if one not in self.known
        )

    @property
    def anything(self) -> bool:
        """Whether the child has met any skill."""
        return any(one.skills for one in self.strands)


# ---- a child


def child_view(
    name: str,
    report: Report,
    board: str = "off",
    system: System = SYSTEMS[0],
    held: Sequence[Restriction] = (),
    *,
    judged: bool = False,
) -> ChildView:
    """The report on one child, for its teacher or its parent. `board`: how many of the earlier asks
    it can look up, as in its settings. `system`: which standards are shown. `held`: the reasons why
    nothing is worked out about it. `judged`: whether to show what is expected at its age, for its
    teacher."""
    why = choice_words.restriction_sentences(held, name)
    met = [key for key, one in report.estimates.items() if one.last_day is not None]
    return ChildView(
        held=why,
        home=why or advice_words.family_sentences(name, report.levels),
        frame=None if why else ten_frame(report.levels),
        strands=tuple(_strand(report, strand, met, system, judged) for strand in STRANDS),
        unmet=tuple(_(skill.name) for key, skill in SKILLS.items() if key not in met),
        facts=taken_words(report.levels["recall"]),
        nothing_asked=board == "open",
        reasons=tuple(reason(one) for one in report.signals),
    )


def _strand(
    report: Report, strand: Strand, met: list[str], system: System, judged: bool
) -> StrandView:
    level, growth = report.levels[strand], report.growth[strand]
    evidence = () if strand == "recall" else level.evidence
    return StrandView(
        level=level,
        name=_(STRAND_NAMES[strand]),
        said=level_words(level) if level.standing != "none" else "",
        bar=strip_of(level, judged=judged),
        evidence=tuple(evident_words(strand, one) for one in evidence),
        growth=growth_words(growth) if growth else "",
        skills=tuple(_line(one, system) for one in report.of(strand) if one.skill in met),
    )


def _line(e: Estimate, system: System) -> SkillLine:
    return SkillLine(
        skill=SKILLS[e.skill],
        standard=standard(SKILLS[e.skill], system),
        e=e,
        missed=e.n - e.right + e.weak_n - e.weak_right,
    )


# ---- one page to print, about a child or about each child of a class


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """The page of one child. `ever`: all its play so far. `language`: that of the child's family;
    None: that of the adult who prints the page."""

    child: ChildPage | ChildLine
    ever: Totals
    view: ChildView
    language: str | None


def child_sheet(child_id: int) -> str:
    """What a child's answers show, on one page."""
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.child_page(child_id)
    if g.who.kind == "parent":
        return _page(page.class_name, [page], url_for("family.progress", child_id=child_id), {})
    words = classes.home_languages(page.class_id)
    return _page(page.class_name, [page], url_for("teach.child", child_id=child_id), words)


def class_sheets(class_id: int) -> str:
    """The sheets of all children of a class, as for a parents' evening."""
    overview.looked(g.who.adult_id, "class", class_id)
    page = overview.class_page(class_id)
    words = classes.home_languages(class_id)
    return _page(page.name, page.children, url_for("teach.skills", class_id=class_id), words)


def _page(
    class_name: str, children: Sequence[ChildPage | ChildLine], back: str, words: Mapping[int, str]
) -> str:
    ids = [one.child_id for one in children]
    reports, held = skill_reports.of_children(ids), evidence_log.held_among(ids)
    ever = overview.ever_of(ids)
    sheets = tuple(
        _sheet(
            one,
            ever[one.child_id],
            reports[one.child_id],
            held.get(one.child_id, ()),
            words.get(one.child_id),
        )
        for one in children
        if one.child_id in reports  # the child was not removed in the meantime
    )
    return render(
        "pages/child_sheet.html",
        class_name=class_name,
        sheets=sheets,
        made_at=clock.now(),
        back=back,
    )


def _sheet(
    one: ChildPage | ChildLine,
    ever: Totals,
    report: Report,
    held: Sequence[Restriction],
    words: str | None,
) -> PrintedSheet:
    with language.speaking(words):
        view = child_view(one.name, report, held=held)
    return PrintedSheet(one, ever, view, words)
