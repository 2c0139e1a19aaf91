"""What computer players think aloud at a table, for whoever may hear it.

Where a child is to remember by itself (the board is off) they keep it to themselves.
"""

from __future__ import annotations

from classroom.engine.observation import Observation
from classroom.minds.playing.levels import level_of
from classroom.minds.playing.thoughts import Mind, Thought, thoughts
from classroom.services.table.states import Facts


def heard(facts: Facts, seen: Observation, since: int) -> tuple[Thought, ...]:
    """The thoughts this viewer heard with the asks after move `since`, and hears now."""
    viewer = next((p for p in facts.players if p.seat == seen.viewer), None)
    if viewer is None or viewer.board == "off":
        return ()
    minds = {
        p.seat: Mind(level_of(p.level).fading, p.seed + facts.number)
        for p in facts.players
        if p.level is not None
    }
    return thoughts(seen, minds, since) if minds else ()
