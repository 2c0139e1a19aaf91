"""The chance that an ask catches at least one card, given all that the viewer could know.

Everyone is taken to ask at random: an ask shows the card that the rules demand for it, and nothing
else (A10).
"""

from __future__ import annotations

from dataclasses import dataclass

from classroom.engine.actions import Ask, Target
from classroom.engine.observation import Observation
from classroom.minds.deals.worlds import QUICK, Effort, Worlds, imagine
from classroom.minds.memory.perfect_memory import Memory, plain_asks, targets
from classroom.minds.playing.weighing import by_memory


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of the legal asks. `by_ask`: a chance (0 to 1) for each target and class.

    `sample`: how many deals were sampled; 0 if all were counted, 1 if these are rough estimates.
    """

    by_ask: dict[tuple[Target, str], float]
    sample: int

    def of(self, ask: Ask) -> float | None:
        """The chance of this ask, None if it is not legal."""
        return self.by_ask.get((ask.target, ask.class_))

    @property
    def best(self) -> float | None:
        """The best chance of all legal asks."""
        return max(self.by_ask.values(), default=None)


def chances(observation: Observation, memory: Memory, effort: Effort = QUICK) -> Chances:
    """Work out the chances of all legal asks. Those that memory settles are exactly 0 or 1."""
    asks = plain_asks(observation)
    classes = tuple(dict.fromkeys(ask.class_ for ask in asks))
    worlds = imagine(observation, memory, classes, effort) if asks else None
    if worlds is None:
        weighed = by_memory(observation, memory)
        return Chances({(p.ask.target, p.ask.class_): p.chance for p in weighed}, 1)
    return Chances(
        {(ask.target, ask.class_): _chance(observation, memory, worlds, ask) for ask in asks},
        worlds.sample,
    )


def _chance(observation: Observation, memory: Memory, worlds: Worlds, ask: Ask) -> float:
    bounds = [memory.bounds(seat, ask.class_) for seat in targets(observation, ask)]
    if any(low for low, _ in bounds):
        return 1.0
    if not any(high for _, high in bounds):
        return 0.0
    if ask.target == "all":
        return worlds.anybody[ask.class_]
    return worlds.chance(ask.target, ask.class_)
