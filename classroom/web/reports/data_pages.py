"""Pages for families and teachers about a child's data: its record, the adults who looked at it,
and the request that nothing be worked out from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from flask import g, request, stream_with_context
from werkzeug.wrappers import Response

from classroom.learning.report import Report, lines
from classroom.services.base import clock, limits
from classroom.services.base.errors import Refused
from classroom.services.reports import looks as found_looks, overview, skill_reports
from classroom.services.school import exports, objections
from classroom.services.school.objections import FAMILY, REASONS, SCHOOL
from classroom.services.table import evidence_log
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.reports.progress import EXPORT, attached, layout_of
from classroom.web.words import choice_words, record_words, sentences
from classroom.web.words.language import N_, gettext as _

# ---- The whole record of a child in one JSON file, for the parents, the teacher or another school

PIECE: Final = 64_000  # approximate number of characters that are sent at once
ABOUT: Final = N_(
    "Everything that Fish School keeps about one child. `columns` says what each column is for; "
    "`numbers` are the numbers on the child's page; `tables` are the rows as stored; `ratings` "
    "decide which question comes next. Ratings, levels (`strand_tracks`) and the pace of answers "
    "(`skill_windows`) are a profile of the child. Times are seconds since 1970-01-01 UTC, days "
    "are counted from 1970-01-01. The cards of a round in progress are left out, and its questions "
    "are added a day later. The last few answers are in `numbers`, but not yet in the windows and "
    "tracks. Other children are not named and their moves are left out: for a round with them, "
    "`seen` has what this child could see, in order and without times. `audit` says who looked at "
    "the child's data: teachers of the child by name, other adults by their role."
)


def child_record(child_id: int) -> Response:
    """Return everything that is kept about a child, as a download. The child is looked up before
    the response begins. All data in the download is from the same moment."""
    overview.looked(g.who.adult_id, "child", child_id, EXPORT)
    name, found = overview.shown_child(child_id).name, skill_reports.of_child(child_id)
    texts = _in_pieces(_written(child_id, name, found, g.who.adult_id))
    answer = Response(stream_with_context(texts), content_type="application/json")
    return attached(answer, f"{name} record", "json")


def _written(child_id: int, name: str, found: Report, reader_id: int) -> Iterator[str]:
    head = {
        "about": _(ABOUT),
        "child": name,
        "made_at": clock.local(clock.now()).isoformat(timespec="seconds"),
        "columns": exports.columns(),
    }
    yield "{"
    for key, value in head.items():
        yield f"{_json(key)}: {_json(value)},\n"
    yield '"numbers": '
    yield from _list(lines(found))
    yield ',\n"ratings": '
    yield from _list(exports.ratings(child_id))
    yield ',\n"tables": {'
    for number, (table, rows) in enumerate(exports.record(child_id, reader_id)):
        yield f"{',' if number else ''}\n{_json(table)}: "
        yield from _list(rows)
    yield "\n}}\n"


def _list(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a JSON list with one row per line."""
    yield "["
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{_json(row)}"
    yield "]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _in_pieces(texts: Iterable[str]) -> Iterator[str]:
    kept: list[str] = []
    size = 0
    for text in texts:
        kept.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(kept)
            kept, size = [], 0
    yield "".join(kept)


# ---- The page that says who looked at a child's data, for the child's teachers and parents


def looks(child_id: int) -> str:
    """Show the days on which adults looked at a child's data, and what they did. Opening this page
    is recorded too."""
    overview.looked(g.who.adult_id, "child", child_id)
    child = overview.shown_child(child_id)
    before = request.args.get("before", type=int)
    if before is not None and not 0 < before <= clock.day() + 1:
        before = None
    found = found_looks.of_child(child_id, g.who.adult_id, before)
    return render(
        "pages/looks.html",
        **layout_of(child_id, child.school_class),
        child_id=child_id,
        name=child.name,
        days=tuple(
            (day, tuple(record_words.look(each, child.name) for each in done))
            for day, done in found.days
        ),
        kept=limits.days_kept()["keep_audit"],
        more=found.more,
    )


# ---- The page on which parents and teachers ask that nothing be worked out about a child

DONE = {
    "begun": N_("Saved. This applies at once."),
    "ended": N_("Saved. From now on the program will work out this child’s levels again."),
    "erased": N_("The answers have been deleted."),
}


def restrict(child_id: int) -> Reply:
    """Show who asked that nothing be worked out about the child; a POST makes or ends a request."""
    if request.method != "POST":
        return _page(child_id)
    ends = request.form.get("end", "")
    try:
        if ends in REASONS:
            objections.end(child_id, ends, _side() == FAMILY, g.who.adult_id)
            return _back(child_id, "ended")
        reason = request.form.get("reason", "")
        objections.begin(child_id, _side(), reason, g.who.adult_id)
    except Refused as refused:
        return _page(child_id, sentences.sentence(refused)), sentences.status(refused)
    return _back(child_id, "begun")


def erase_answers(child_id: int) -> Reply:
    """Delete the answers of a child about whom nothing is worked out."""
    try:
        objections.erase(child_id, g.who.adult_id)
    except Refused as refused:
        return _page(child_id, sentences.sentence(refused)), sentences.status(refused)
    return _back(child_id, "erased")


def _page(child_id: int, problem: str = "") -> str:
    overview.looked(g.who.adult_id, "child", child_id)
    page, side = overview.shown_child(child_id), _side()
    parent = side == FAMILY
    restrictions = evidence_log.restriction_of(child_id)
    sides = tuple(one.whose for one in restrictions)
    reasons = {} if side in sides else choice_words.RESTRICTION_REASONS[side]
    return render(
        "pages/restrict.html",
        **layout_of(child_id, page.school_class),
        page=page,
        told=choice_words.restriction_sentences(restrictions, page.name),
        reasons={key: _(words) for key, words in reasons.items()},
        ends=tuple(one for one in sides if objections.may_end(child_id, one, parent)),
        answers=0 if parent or not restrictions else objections.answers_of(child_id),
        problem=problem,
        done=forms.done(DONE),
    )


def _side() -> str:
    return FAMILY if g.who.kind == "parent" else SCHOOL


def _back(child_id: int, done: str) -> Response:
    endpoint = "family.restrict" if _side() == FAMILY else "teach.restrict"
    return see_other(endpoint, child_id=child_id, done=done)
