"""Pages and CSV tables of children's answers, for their teachers and parents."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from typing import Any, Final, Literal

from flask import Response, g, request, stream_with_context

from classroom.learning.evidence import Evidence
from classroom.learning.report import COLUMNS, Report, lines
from classroom.learning.scales import SCALES, range_of
from classroom.learning.skills import SKILLS, Skill
from classroom.services.base import clock
from classroom.services.reports import overview, skill_reports
from classroom.services.reports.figures import ChildPage
from classroom.services.school import families
from classroom.services.school.families import OwnChild
from classroom.services.table import restrictions
from classroom.web.http.pages import Page, ShownClass, render
from classroom.web.reports.missed_view import MissedView, missed_views
from classroom.web.words import restriction_words

EPOCH: Final = date(1970, 1, 1)
EXPORT: Final = "export"  # the audit log's word for a download
NO_ONE: Final[Mapping[int, str]] = {}
TYPE: Final = "text/csv; charset=utf-8"
BEGINS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
ANSWERS: Final = tuple(
    """child_id child day time place round move source strand skill kind how right first_answer
    right_answer options later_answers latency_ms board hint_step aided lag_asks
    lag_seconds overlap lure trial guess_rate difficulty number range item""".split()
)


@dataclass(frozen=True, kw_only=True)
class MissedPage(Page):
    """What a child missed, in the layout of its reader (`room`). `here`, `own` and `school_class`:
    as in FamilyPage and TeacherPage. `skill`: None for all skills. `older`: the `before` of the
    next, older page; None on the last. `held`: why nothing is worked out about the child."""

    template = "pages/missed.html"
    room: Literal["family", "teach"]
    here: int | Literal["class"]
    own: tuple[OwnChild, ...]
    school_class: ShownClass
    page: ChildPage
    skill: Skill | None
    items: tuple[MissedView, ...]
    older: int | None
    held: tuple[str, ...]


# ---- a class


def class_table(class_id: int) -> Response:
    """Every number of the children of a class, as CSV."""
    overview.looked(g.who.adult_id, "class", class_id, EXPORT)
    page = skill_reports.of_class(class_id)
    names = {child.child_id: child.name for child in page.children}
    return _table(page.name, names, skill_reports.of_children(list(names)))


def class_answers(class_id: int) -> Response:
    """Every answer of the children of a class, as CSV. A child about whom nothing is worked out has
    one line, which says so."""
    overview.looked(g.who.adult_id, "class", class_id, EXPORT)
    page = skill_reports.of_class(class_id)
    names = {child.child_id: child.name for child in page.children}
    return _answers(page.name, names, _why(names))


# ---- a child


def child_missed(child_id: int) -> str:
    """The items a child missed, of one skill or of all, newest first."""
    overview.looked(g.who.adult_id, "child", child_id)
    skill = request.args.get("skill", "")
    found = skill_reports.missed(
        child_id, [skill] if skill in SKILLS else SKILLS, request.args.get("before", type=int)
    )
    page, parent = overview.child_page(child_id), g.who.kind == "parent"
    return render(
        MissedPage(
            room="family" if parent else "teach",
            here=child_id if parent else "class",
            own=families.children_of(g.who.adult_id) if parent else (),
            school_class=ShownClass(page.class_id, page.class_name),
            page=page,
            skill=SKILLS.get(skill),
            items=missed_views(found[: skill_reports.PAGE], child_id if parent else None),
            older=found[skill_reports.PAGE - 1].id if len(found) > skill_reports.PAGE else None,
            held=restriction_words.sentences(restrictions.of(child_id), page.name),
        )
    )


def child_table(child_id: int) -> Response:
    """Every number of a child, as CSV."""
    overview.looked(g.who.adult_id, "child", child_id, EXPORT)
    name = overview.name_of(child_id)
    return _table(name, {child_id: name}, {child_id: skill_reports.of_child(child_id)})


def child_answers(child_id: int) -> Response:
    """Every answer of a child, as CSV, even while nothing is worked out from them: whoever may see
    the child's data has a right to them."""
    overview.looked(g.who.adult_id, "child", child_id, EXPORT)
    name = overview.name_of(child_id)
    return _answers(name, {child_id: name})


# ---- tables


def _table(of: str, names: dict[int, str], found: dict[int, Report]) -> Response:
    """The numbers as CSV. All of them are read before, because an error during the download would
    cut it off. A child about whom nothing is worked out has one line, which says so."""
    why = _why(names)
    rows = (
        row | {"child_id": child_id, "child": names[child_id]}
        for child_id, report in found.items()
        for row in (_instead(COLUMNS, "part", "name", why.get(child_id)) or lines(report))
    )
    return _csv(f"{of} skills", ("child_id", "child", *COLUMNS), rows)


def _answers(of: str, names: dict[int, str], why: Mapping[int, str] = NO_ONE) -> Response:
    held = (
        (child_id, line)
        for child_id in why
        for line in _instead(ANSWERS, "source", "item", why[child_id])
    )
    found = skill_reports.answers([child_id for child_id in names if child_id not in why])
    rows = (
        line | {"child_id": child_id, "child": names[child_id]}
        for child_id, line in chain(held, ((child, _answer(row)) for child, row in found))
    )
    return _csv(f"{of} answers", ANSWERS, rows)


def _why(names: Mapping[int, str]) -> dict[int, str]:
    """Why nothing is worked out about some of these children, by the child's id."""
    return {
        child_id: " ".join(restriction_words.sentences(held, names[child_id]))
        for child_id, held in restrictions.among(names).items()
    }


def _instead(
    columns: tuple[str, ...], kind: str, words: str, why: str | None
) -> list[dict[str, Any]]:
    """One line that replaces those of a child about whom nothing is worked out, for the reason
    `why`; no line if `why` is None. `kind`, `words`: the columns that say so."""
    return [{**dict.fromkeys(columns), kind: "restricted", words: why}] if why else []


def _answer(row: Evidence) -> dict[str, Any]:
    """One row of evidence; docs/learning.md explains the columns."""
    first, right = row.first_answer, row.item.get("right")
    at = clock.local(row.at)
    return {
        "day": _date(row.day),
        "time": at.isoformat(timespec="seconds"),
        "place": "home" if row.at_home else "school",
        "round": row.round_id,
        "move": row.seq,
        "source": row.source,
        "strand": SKILLS[row.skill].strand,
        "skill": row.skill,
        "kind": row.kind,
        "how": row.how,
        "right": row.right,
        "first_answer": "" if first is None else json.dumps(row.options[first]),
        "right_answer": "" if right is None else json.dumps(row.options[right]),
        "options": json.dumps(row.options),
        "later_answers": json.dumps([row.options[place] for place in row.later_answers]),
        "latency_ms": row.latency_ms,
        "board": row.board,
        "hint_step": row.hint_step,
        "aided": row.aided,
        "lag_asks": row.lag_asks,
        "lag_seconds": row.lag_seconds,
        "overlap": row.overlap,
        "lure": row.lure,
        "trial": row.trial,
        "guess_rate": row.guess_rate,
        "difficulty": row.difficulty,
        "number": row.item.get("number"),
        "range": SCALES[SKILLS[row.skill].strand].ranges[range_of(row)],
        "item": json.dumps(row.item, ensure_ascii=False),
    }


def _csv(name: str, columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Response:
    """A streamed CSV download. Its byte order mark lets spreadsheets read names as UTF-8."""
    answer = Response(stream_with_context(_written(columns, rows)), content_type=TYPE)
    return attached(answer, name, "csv")


def attached(answer: Response, name: str, ending: str) -> Response:
    """Make the answer a download, under an ASCII file name."""
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
        return _date(value)
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(BEGINS_FORMULA):
        return "'" + value
    return value


def _date(day: int) -> str:
    return (EPOCH + timedelta(days=day)).isoformat()
