"""Items that a child missed, as the child saw them, for its teacher and its parents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from classroom.learning.evidence import Evidence
from classroom.learning.questions import Question
from classroom.learning.skills import ASKED, SKILLS, Skill, Strand
from classroom.services.quiz.posing import Put
from classroom.services.reports import skill_reports
from classroom.services.reports.skill_reports import Missed
from classroom.services.table.tables import Seated, ViewedTable
from classroom.web.child.card_faces import ClassFace, faces_of
from classroom.web.child.question_view import QuestionView, question_view
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

CLASSMATE = N_("a classmate")
FEW: Final = 3  # of the newest items, which the page of a child shows


@dataclass(frozen=True, slots=True)
class Sure:
    """A player and a class. As a certain fact: that the player had a card of this class, which was
    last shown `ago` asks earlier."""

    who: Seated
    asks: ClassFace
    ago: int


@dataclass(frozen=True, slots=True)
class MissedView:
    """One item. `move`: where to step to in the round, None while the round is in progress.

    For a question: `question`, as it was asked, and `tapped`, the place of the first answer.
    For play: `sure`, what was certain, and `asked`, whom the child asked for what instead.
    `hopeless`: the certain fact was that this player had none; only earlier versions wrote such
    items.
    """

    skill: Skill
    at: float
    round_id: int
    move: int | None
    sure: tuple[Sure, ...]
    asked: Sure | None
    hopeless: bool
    question: QuestionView | None
    tapped: int | None


def missed_views(found: Iterable[Missed], parent_of: int | None) -> tuple[MissedView, ...]:
    """The items for a page. `parent_of`: the child of the parent who is looking, if it is a parent;
    other children at the table are then shown as classmates, without names."""
    return tuple(_view(one, parent_of) for one in found)


def newest(child_id: int, strand: Strand | None = None) -> tuple[MissedView, ...]:
    """The newest questions that a child missed, for its teacher; or the newest one of a strand, for
    its family to do together."""
    skills = [key for key in ASKED if strand in (None, SKILLS[key].strand)]
    few = 1 if strand else FEW
    found = skill_reports.missed(child_id, skills, page=few)[:few]
    return missed_views(found, child_id if strand else None)


def _view(one: Missed, parent_of: int | None) -> MissedView:
    table = one.table if parent_of is None else _without_names(one.table, parent_of)
    row = one.row
    of_play, hopeless = row.source == "play", row.kind == "hopeless"
    certain = row.item["known"] if of_play else ()
    if hopeless:
        certain = [fact for fact in certain if fact[:2] == row.item["asked"]]
    return MissedView(
        skill=SKILLS[row.skill],
        at=row.at,
        round_id=table.round_id,
        move=row.seq if one.round_over else None,
        sure=tuple(_sure(table, fact[:2], fact[2]) for fact in certain),
        asked=_sure(table, row.item["asked"], 0) if of_play else None,
        hopeless=hopeless,
        question=None if of_play else _question(row, table),
        tapped=row.first_answer,
    )


def _question(row: Evidence, table: ViewedTable) -> QuestionView:
    """The question as it was asked, before any help, with its right answer."""
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


def _without_names(table: ViewedTable, child_id: int) -> ViewedTable:
    return replace(
        table,
        players=tuple(
            replace(who, name=_(CLASSMATE)) if who.child_id not in (None, child_id) else who
            for who in table.players
        ),
    )
