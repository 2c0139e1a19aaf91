"""When the voice asks a child to tell how it knew, and with which words."""

from __future__ import annotations

from typing import Final

from classroom.engine import events as e
from classroom.services.table.tables import ViewedTable
from classroom.services.table.talk import EVERY
from classroom.web.child.steps import StepView

CAUGHT: Final = ("know", "find")  # the questions after a catch, in turn
MADE: Final = "do"  # the question after a book


def stem(table: ViewedTable, steps: tuple[StepView, ...]) -> str | None:
    """The question to say after these new steps, None for none.

    It comes after a catch or a book of the viewer's, if it is the viewer's turn again: then nothing
    else is told and the others are not held up. Only every second or fourth of these moments is
    used. In a practice round all cards are open, so there is nothing to tell.
    """
    every = EVERY[table.around.talk]
    good = {step.seq: step.kind for step in steps if _is_good(step, table.seat)}
    if not every or not good or table.practice or not table.my_turn:
        return None
    nth = len(_moments(table))
    if (nth + table.round_id) % every:
        return None
    return MADE if good[max(good)] != "gave" else CAUGHT[nth // every % len(CAUGHT)]


def _is_good(step: StepView, me: int | None) -> bool:
    if step.kind == "gave":
        return step.other == me
    return step.kind in ("book", "claimed") and step.seat == me


def _moments(table: ViewedTable) -> set[int]:
    """The moves of this round in which the viewer caught cards or made a book."""
    return {
        item.seq for item in table.observation.history if _caught_or_made(item.event, table.seat)
    }


def _caught_or_made(event: e.Event, me: int | None) -> bool:
    match event:
        case e.Gave(taker=seat) | e.LaidBook(seat=seat) | e.LaidFaceDown(seat=seat):
            return seat == me
        case e.Claimed(seat=seat):
            return seat == me
    return False
