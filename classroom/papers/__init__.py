"""The papers that a school needs before it may use the program, made from the privacy register."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from classroom.papers.accessibility import accessibility_report
from classroom.papers.agreements import processor_terms, school_authorisation
from classroom.papers.assessment import assessment
from classroom.papers.facts import ANY_SCHOOL, Facts
from classroom.papers.notices import notice_for_parents, page_for_children
from classroom.papers.paper import Paper, markdown
from classroom.papers.records import record_of_processing, retention_schedule

__all__ = ["ANY_SCHOOL", "PAPERS", "Facts", "Paper", "markdown", "papers"]

PAPERS: Final[tuple[Callable[[Facts], Paper], ...]] = (
    assessment,
    record_of_processing,
    retention_schedule,
    notice_for_parents,
    page_for_children,
    school_authorisation,
    processor_terms,
    accessibility_report,
)


def papers(facts: Facts) -> tuple[Paper, ...]:
    """All papers, filled in with the facts about one school."""
    return tuple(make(facts) for make in PAPERS)
