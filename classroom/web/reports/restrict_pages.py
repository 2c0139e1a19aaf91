"""The page on which parents and teachers ask that nothing be worked out about a child."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.base.errors import Refused
from classroom.services.reports import overview
from classroom.services.reports.figures import ChildPage
from classroom.services.school import families, objections
from classroom.services.school.families import OwnChild
from classroom.services.school.objections import FAMILY, REASONS, SCHOOL
from classroom.services.table import restrictions
from classroom.web.http.pages import Page, Reply, ShownClass, render
from classroom.web.words import restriction_words, sentences
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

DONE = {
    "begun": N_("Saved. It applies at once."),
    "ended": N_("Saved. From now on things are worked out again."),
    "erased": N_("The answers are deleted."),
}


@dataclass(frozen=True, kw_only=True)
class RestrictPage(Page):
    """`room`, `here`, `own` and `school_class`: as in MissedPage. `told`: why nothing is worked
    out, one sentence for each side that wants it so, else empty. `reasons`: those that the reader
    can choose from, empty if their side has chosen. `ends`: the sides whose wish the reader can
    end. `answers`: how many answers the reader can delete."""

    template = "pages/restrict.html"
    room: Literal["family", "teach"]
    here: int | Literal["class"]
    own: tuple[OwnChild, ...]
    school_class: ShownClass
    page: ChildPage
    told: tuple[str, ...]
    reasons: Mapping[str, str]
    ends: tuple[str, ...]
    answers: int
    problem: str
    done: str


def restrict(child_id: int) -> Reply:
    """Show who wants nothing to be worked out about the child; a POST begins or ends this wish."""
    if request.method != "POST":
        return _page(child_id)
    ends = request.form.get("end", "")
    try:
        if ends in REASONS:
            objections.end(child_id, ends, _by_family(), g.who.adult_id)
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
    page, held, parent = overview.child_page(child_id), restrictions.of(child_id), _by_family()
    sides = tuple(one.whose for one in held)
    reasons = {} if _side() in sides else restriction_words.CHOICES[_side()]
    return render(
        RestrictPage(
            room="family" if parent else "teach",
            here=child_id if parent else "class",
            own=families.children_of(g.who.adult_id) if parent else (),
            school_class=ShownClass(page.class_id, page.class_name),
            page=page,
            told=restriction_words.sentences(held, page.name),
            reasons={key: _(words) for key, words in reasons.items()},
            ends=tuple(one for one in sides if objections.may_end(child_id, one, parent)),
            answers=0 if parent or not held else objections.answers_of(child_id),
            problem=problem,
            done=_(DONE.get(request.args.get("done", ""), "")),
        )
    )


def _by_family() -> bool:
    return bool(g.who.kind == "parent")


def _side() -> str:
    return FAMILY if _by_family() else SCHOOL


def _back(child_id: int, done: str) -> Response:
    endpoint = "family.restrict" if _by_family() else "teach.restrict"
    return redirect(url_for(endpoint, child_id=child_id, done=done), code=303)
