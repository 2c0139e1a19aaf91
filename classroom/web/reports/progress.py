"""Pages and CSV tables of children's answers: their levels, and the questions that they missed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from flask import g, request, stream_with_context, url_for
from werkzeug.wrappers import Response

from classroom.learning.estimates import Estimate
from classroom.learning.evidence import Evidence
from classroom.learning.levels import Level
from classroom.learning.questions import Question
from classroom.learning.report import COLUMNS, Report, lines
from classroom.learning.skills import ASKED, SKILLS, STRANDS, Skill, Strand
from classroom.learning.tracks import SCALES, range_of
from classroom.models import Restriction
from classroom.services.base import clock
from classroom.services.base.names import ShownChild, ShownClass
from classroom.services.quiz.posing import Put
from classroom.services.reports import overview, skill_reports
from classroom.services.reports.figures import ChildLine, Totals
from classroom.services.reports.skill_reports import SYSTEMS, Missed, System
from classroom.services.school import classes, family_links
from classroom.services.school.class_life import date_of
from classroom.services.table import evidence_log
from classroom.services.table.rounds import Seated, ViewedTable
from classroom.web.child.card_faces import ClassFace, faces_of
from classroom.web.child.play_questions import QuestionView, question_view
from classroom.web.http.pages import render
from classroom.web.reports.charts import Strip, TenFrame, strip_of, ten_frame
from classroom.web.words import advice_words, choice_words, language
from classroom.web.words.language import N_, gettext as _, ngettext
from classroom.web.words.level_words import (
    STRAND_NAMES,
    evident_words,
    growth_words,
    level_words,
    reason,
    standard,
    taken_words,
)

# ---- Items that a child missed, as the child saw them, for teachers and parents

CLASSMATE = N_("a classmate")
FEW: Final = 3  # how many of the newest items a child's page shows


@dataclass(frozen=True, slots=True)
class Sure:
    """A player and a class of cards: an ask, or the certain fact that the player had such a card.
    `ago`: for a fact, the number of asks since it was last shown."""

    who: Seated
    asks: ClassFace
    ago: int


@dataclass(frozen=True, slots=True)
class MissedView:
    """An item that a child missed. `it`: the item; for a parent, without other children's names.

    For a question, `question` shows it as it was asked. For play, `sure` are the certain facts, and
    `asked` is the ask that the child made instead. `hopeless`: whether the asked player certainly
    had no such card; only earlier versions stored such items."""

    it: Missed
    skill: Skill
    sure: tuple[Sure, ...]
    asked: Sure | None
    hopeless: bool
    question: QuestionView | None


def newest(child_id: int, strand: Strand | None = None) -> tuple[MissedView, ...]:
    """Return the newest questions that a child missed, for the teacher; with a strand, only the
    newest question in that strand, for the family to do together."""
    skills = [key for key in ASKED if strand in (None, SKILLS[key].strand)]
    few = 1 if strand else FEW
    found = skill_reports.missed(child_id, skills, page=few)[:few]
    return tuple(missed_view(one, child_id if strand else None) for one in found)


def missed_view(one: Missed, parent_of: int | None) -> MissedView:
    """Return an item for a page. `parent_of`: the child whose parent will see the page, None for
    teachers. A parent's page calls other children classmates, without their names."""
    if parent_of is not None:
        players = tuple(
            replace(who, name=_(CLASSMATE)) if who.child_id not in (None, parent_of) else who
            for who in one.table.players
        )
        one = replace(one, table=replace(one.table, players=players))
    row, table = one.row, one.table
    of_play, hopeless = row.source == "play", row.kind == "hopeless"
    certain = row.item["known"] if of_play else ()
    if hopeless:
        certain = [fact for fact in certain if fact[:2] == row.item["asked"]]
    return MissedView(
        it=one,
        skill=SKILLS[row.skill],
        sure=tuple(_sure(table, fact[:2], fact[2]) for fact in certain),
        asked=_sure(table, row.item["asked"], 0) if of_play else None,
        hopeless=hopeless,
        question=None if of_play else _question(row, table),
    )


def _question(row: Evidence, table: ViewedTable) -> QuestionView:
    """Return the question as it was asked, before any help, with its right answer."""
    question = Question.from_json(row.item)
    put = Put(
        round_id=table.round_id,
        seq=question.seq,
        kind=question.kind,
        stem=question.stem,
        face=question.face,
        options=question.options,
        covers=question.covers,
        offered=tuple(range(len(question.options))),
        tried=(),
        step=0,
        right=question.right,
        found=False,
    )
    return question_view(put, table)


def _sure(table: ViewedTable, fact: tuple[int, str], ago: int) -> Sure:
    seat, class_ = fact
    faces = faces_of(table.observation.rules)
    return Sure(table.players[seat], faces.asks(class_), ago)


# ---- Pages and CSV tables of children's answers, for their teachers and parents

EXPORT: Final = "export"  # the audit log's word for a download
BEGINS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
ANSWERS: Final = tuple(
    """child_id child day time place round move source strand skill kind how right first_answer
    right_answer options later_answers latency_ms board hint_step aided lag_asks
    lag_seconds overlap lure trial guess_rate difficulty number range item""".split()
)
_STORED: Final = tuple(  # the columns that are written as they are stored
    """source skill kind how right latency_ms board hint_step aided lag_asks lag_seconds overlap
    lure trial guess_rate difficulty""".split()
)


def class_table(class_id: int) -> Response:
    """Return all figures from the reports about a class's children, as CSV."""
    overview.looked(g.who.adult_id, "class", class_id, EXPORT)
    page = skill_reports.of_class(class_id)
    names = {child.child_id: child.name for child in page.children}
    return _table(page.name, names, skill_reports.of_children(list(names)))


def class_answers(class_id: int) -> Response:
    """Return all answers of a class's children, as CSV. A child about whom nothing is worked out
    has a single line, which gives the reason."""
    overview.looked(g.who.adult_id, "class", class_id, EXPORT)
    page = skill_reports.of_class(class_id)
    names = {child.child_id: child.name for child in page.children}
    return _answers(page.name, names, _why(names))


# ---- a child


def layout_of(child_id: int, school_class: ShownClass) -> dict[str, Any]:
    """Return the layout's values for a page about a child, for parents and for teachers."""
    parent = g.who.kind == "parent"
    return {
        "room": "family" if parent else "teach",
        "here": child_id if parent else "class",
        "own": family_links.children_of(g.who.adult_id) if parent else (),
        "school_class": school_class,
    }


def child_missed(child_id: int) -> str:
    """Show the items that a child missed, in one skill or in all skills, newest first."""
    overview.looked(g.who.adult_id, "child", child_id)
    skill = request.args.get("skill", "")
    found = skill_reports.missed(
        child_id, [skill] if skill in SKILLS else SKILLS, request.args.get("before", type=int)
    )
    page = overview.shown_child(child_id)
    parent_of = child_id if g.who.kind == "parent" else None
    return render(
        "pages/missed.html",
        **layout_of(child_id, page.school_class),
        page=page,
        skill=SKILLS.get(skill),
        items=tuple(missed_view(one, parent_of) for one in found[: skill_reports.PAGE]),
        older=found[skill_reports.PAGE - 1].id if len(found) > skill_reports.PAGE else None,
        restrictions=choice_words.restriction_sentences(
            evidence_log.restriction_of(child_id), page.name
        ),
    )


def child_table(child_id: int) -> Response:
    """Return all figures from the report about a child, as CSV."""
    overview.looked(g.who.adult_id, "child", child_id, EXPORT)
    name = overview.shown_child(child_id).name
    return _table(name, {child_id: name}, {child_id: skill_reports.of_child(child_id)})


def child_answers(child_id: int) -> Response:
    """Return all answers of a child, as CSV, even while nothing is worked out from them: adults who
    may see the child's data have a right to them."""
    overview.looked(g.who.adult_id, "child", child_id, EXPORT)
    name = overview.shown_child(child_id).name
    return _answers(name, {child_id: name}, {})


def _table(of: str, names: dict[int, str], found: dict[int, Report]) -> Response:
    """Return the figures as CSV. They are read before the download begins, because an error would
    cut it off. A child about whom nothing is worked out has a line that gives the reason."""
    why = _why(names)
    rows = (
        row | {"child_id": child_id, "child": names[child_id]}
        for child_id, report in found.items()
        for row in (
            [_instead(COLUMNS, "part", "name", why[child_id])] if child_id in why else lines(report)
        )
    )
    return _csv(f"{of} skills", ("child_id", "child", *COLUMNS), rows)


def _answers(of: str, names: dict[int, str], why: Mapping[int, str]) -> Response:
    reasons = (
        (child_id, _instead(ANSWERS, "source", "item", line)) for child_id, line in why.items()
    )
    found = skill_reports.answers([child_id for child_id in names if child_id not in why])
    rows = (
        line | {"child_id": child_id, "child": names[child_id]}
        for child_id, line in chain(reasons, ((child, _answer(row)) for child, row in found))
    )
    return _csv(f"{of} answers", ANSWERS, rows)


def _why(names: Mapping[int, str]) -> dict[int, str]:
    """Return, by child id, why nothing is worked out about some of these children."""
    return {
        child_id: " ".join(choice_words.restriction_sentences(restrictions, names[child_id]))
        for child_id, restrictions in evidence_log.restrictions_among(names).items()
    }


def _instead(columns: tuple[str, ...], kind: str, words: str, why: str) -> dict[str, Any]:
    """Return the single line for a child about whom nothing is worked out. `kind`, `words`: the
    columns for "restricted" and for the reason."""
    return {**dict.fromkeys(columns), kind: "restricted", words: why}


def _answer(row: Evidence) -> dict[str, Any]:
    """Return the line for one row of evidence; docs/learning.md explains the columns."""
    first, right = row.first_answer, row.item.get("right")
    strand = SKILLS[row.skill].strand
    return {name: getattr(row, name) for name in _STORED} | {
        "day": date_of(row.day).isoformat(),
        "time": clock.local(row.at).isoformat(timespec="seconds"),
        "place": "home" if row.at_home else "school",
        "round": row.round_id,
        "move": row.seq,
        "strand": strand,
        "first_answer": "" if first is None else json.dumps(row.options[first]),
        "right_answer": "" if right is None else json.dumps(row.options[right]),
        "options": json.dumps(row.options),
        "later_answers": json.dumps([row.options[place] for place in row.later_answers]),
        "number": row.item.get("number"),
        "range": SCALES[strand].ranges[range_of(row)],
        "item": json.dumps(row.item, ensure_ascii=False),
    }


def _csv(name: str, columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Response:
    """Stream a CSV download. Its byte order mark lets spreadsheets read names as UTF-8."""
    texts = stream_with_context(_written(columns, rows))
    return attached(Response(texts, content_type="text/csv; charset=utf-8"), name, "csv")


def attached(answer: Response, name: str, ending: str) -> Response:
    """Make the response a download with an ASCII file name."""
    ascii_name = "".join(c if c.isascii() and c.isalnum() else "-" for c in name).strip("-")
    name = f"{ascii_name or 'table'}.{ending}"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _written(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    text.write("\ufeff")
    writer.writerow(columns)
    for number, row in enumerate(rows):
        writer.writerow([_cell(name, row[name]) for name in columns])
        if number % 200 == 199:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _cell(column: str, value: Any) -> Any:
    """Write days as dates and booleans as 1 and 0, and quote text that looks like a formula."""
    if column.endswith("_day") and value is not None:
        return date_of(value).isoformat()
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(BEGINS_FORMULA):
        return "'" + value
    return value


# ---- A report as its pages show it: strands with their levels, and skills below them
#
# Every number comes from the report. This code only turns it into a word or a position on a scale.


@dataclass(frozen=True, slots=True)
class SkillLine:
    """One skill of one child. `standard`: the code of its standard, or why it has none. `missed`:
    how many items the child missed."""

    skill: Skill
    standard: str
    e: Estimate
    missed: int


@dataclass(frozen=True, slots=True)
class StrandView:
    """One strand of one child.

    `said`: the level in a sentence, "" while it is too early to say. `evidence`: a sentence about
    each range of the scale, none for remembering (see ChildView.facts). `bar`: the level on its
    scale, None while too little is known. `growth`: a sentence, "" while there are too few answers
    to compare. `skills`: the skills that the child has tried.
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
    """A child's report. `restrictions`: why nothing is worked out about the child: a sentence for
    each side (family, school) that stopped it. `home`: the sentences for the family, or
    `restrictions` if not empty. `frame`: a picture for these sentences. `unmet`: names of skills
    not tried yet. `facts`: in words, how many facts the child remembered in play at the first
    chance. `nothing_asked`: the child's board is open, so no question is about memory. `reasons`:
    why a teacher should look at the child."""

    restrictions: tuple[str, ...]
    home: tuple[str, ...]
    frame: TenFrame | None
    strands: tuple[StrandView, ...]
    unmet: tuple[str, ...]
    facts: tuple[str, ...]
    nothing_asked: bool
    reasons: tuple[str, ...]

    @property
    def known(self) -> tuple[StrandView, ...]:
        """The strands about which the report can say something."""
        of_play = self.facts or self.nothing_asked
        return tuple(
            one for one in self.strands if one.bar or (one.level.strand == "recall" and of_play)
        )

    @property
    def early(self) -> str:
        """The strands that are not in `known`, in one line, each with its number of answers."""
        return ", ".join(
            f"{one.name} ({ngettext('%(num)s answer', '%(num)s answers', one.level.recent)})"
            for one in self.strands
            if one not in self.known
        )

    @property
    def anything(self) -> bool:
        """Whether the child has tried any skill."""
        return any(one.skills for one in self.strands)


# ---- the view of a child


def child_view(
    name: str,
    report: Report,
    board: str = "off",
    system: System = SYSTEMS[0],
    restrictions: Sequence[Restriction] = (),
    *,
    judged: bool = False,
) -> ChildView:
    """Return the view of a child's report, for a teacher or a parent. `board`: how many of the
    earlier asks the child can look up (a setting). `system`: which standards are shown.
    `restrictions`: why nothing is worked out about the child. `judged`: whether to show what is
    expected at the child's age, for a teacher."""
    why = choice_words.restriction_sentences(restrictions, name)
    met = [key for key, one in report.estimates.items() if one.last_day is not None]
    return ChildView(
        restrictions=why,
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
        skills=tuple(
            SkillLine(
                skill=SKILLS[e.skill],
                standard=standard(SKILLS[e.skill], system),
                e=e,
                missed=e.counts.n - e.counts.right + e.counts.weak_n - e.counts.weak_right,
            )
            for e in report.of(strand)
            if e.skill in met
        ),
    )


# ---- one page to print, about a child or about each child in a class


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """The page about one child. `ever`: the totals of all the child's play. `language`: the
    language of the child's family; None: the language of the adult who prints the page."""

    child: ShownChild | ChildLine
    ever: Totals
    view: ChildView
    language: str | None


def child_sheet(child_id: int) -> str:
    """Show what a child's answers say about the child's skills, on one page to print."""
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.shown_child(child_id)
    name = page.school_class.name
    if g.who.kind == "parent":
        return _page(name, [page], url_for("family.progress", child_id=child_id), {})
    words = classes.home_languages(page.school_class.class_id)
    return _page(name, [page], url_for("teach.child", child_id=child_id), words)


def class_sheets(class_id: int) -> str:
    """Show a sheet about each child in a class, for example for a parents' evening."""
    overview.looked(g.who.adult_id, "class", class_id)
    page = overview.class_page(class_id)
    words = classes.home_languages(class_id)
    return _page(page.name, page.children, url_for("teach.skills", class_id=class_id), words)


def _page(
    class_name: str, children: Sequence[ShownChild | ChildLine], back: str, words: Mapping[int, str]
) -> str:
    ids = [one.child_id for one in children]
    reports, restrictions = skill_reports.of_children(ids), evidence_log.restrictions_among(ids)
    ever = overview.ever_of(ids)
    sheets = []
    for one in children:
        if one.child_id in reports:  # the child was not removed in the meantime
            spoken, why = words.get(one.child_id), restrictions.get(one.child_id, ())
            with language.speaking(spoken):
                view = child_view(one.name, reports[one.child_id], restrictions=why)
            sheets.append(PrintedSheet(one, ever[one.child_id], view, spoken))
    return render(
        "pages/child_sheet.html",
        class_name=class_name,
        sheets=sheets,
        made_at=clock.now(),
        back=back,
    )
