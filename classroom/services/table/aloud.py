"""What computer players think aloud at a table, for whoever may hear it.

Where a child is to remember by itself (the board is off), they keep it to themselves.
"""

from __future__ import annotations

from classroom.engine.observation import Observation, Viewer
from classroom.minds.playing.levels import level_of
from classroom.minds.playing.thoughts import Mind, Thought, thoughts
from classroom.services.table.states import Facts


def heard(facts: Facts, observation: Observation, since: int) -> tuple[Thought, ...]:
    """The thoughts that this viewer heard with the asks after move `since`, and hears now."""
    minds = minds_heard(facts, observation.viewer)
    return thoughts(observation, minds, since) if minds else ()


def minds_heard(facts: Facts, viewer: Viewer | int) -> dict[int, Mind]:
    """The computer players that this viewer hears think, by seat."""
    listener = next((p for p in facts.players if p.seat == viewer), None)
    if listener is None or listener.board == "off":
        return {}
    return {
        p.seat: Mind(level_of(p.level).fading, p.seed + facts.number)
        for p in facts.players
        if p.level is not None
    }
