"""The tide of a round that all play against the pond, and its lamp (rules T1 to T9)."""

from __future__ import annotations

from classroom.engine.actions import Lamp, Refusal
from classroom.engine.events import ALL, Event, LampLit, TideFell, TurnPassed, shared
from classroom.engine.state import Flow, Position, Table


def fall(t: Table) -> None:
    """Make the tide fall one step; do nothing in a game without a tide (T3, T4)."""
    if t.tide:
        t.tide -= 1
        t.tell(_fall_event(t.active, t.tide))


@shared
def _fall_event(seat: int, left: int) -> Event:
    return TideFell(audience=ALL, seat=seat, left=left)


def is_lit(p: Position) -> bool:
    """Whether the lamp was lit in this turn and still shines (T8)."""
    for entry in reversed(p.log):
        for event in reversed(entry.events):
            if isinstance(event, (LampLit, TurnPassed)):
                return isinstance(event, LampLit)
    return False


def lamp_refusal(p: Position, action: Lamp) -> Refusal | None:
    """The reason why the active seat may not light the lamp, or None."""
    if p.tide == 1:
        return Refusal("last_step", "the lamp would take the last step")
    if is_lit(p):
        return Refusal("lamp_lit", "the lamp shines already")
    return None


def light(t: Table) -> Flow:
    """Light the lamp for this turn, which costs one step (T8)."""
    t.tell(LampLit(audience=ALL, seat=t.active))
    fall(t)
    return "goes_on"
