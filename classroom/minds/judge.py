"""How good an ask was, by what the asker could know; luck never counts."""

from __future__ import annotations

from dataclasses import dataclass

from classroom.engine import events as ev
from classroom.engine.actions import Action, Ask
from classroom.engine.observation import Observation
from classroom.minds.memory.perfect_memory import Catch, certain_catches, remember, targets
from classroom.minds.playing.chances import chances


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one ask shows of the asker's memory.

    `target`, `class_`: what was asked ("all" for everybody).
    `available`: there was an ask that could not miss; `taken`: this was one.
    `catch_target`, `catch_class`: that certain catch: the one taken, else the one with the
    shortest proof. `lag_asks`: asks at the table since it became known; `lag_moves`: moves.
    `overlap`: two or more other seats have asked for its class. `first_hand`: the asker took part
    in all the events that prove it. `proof`: the numbers of those moves. The last six are empty
    without a certain catch.
    `hopeless`: the asker could know that no card would come; `repeated`: and had itself asked
    just that before. `stale`: the cards had been there, and the asker could know that they left.
    `chance`, `best_chance`: of at least one card, for this ask and the best one (0 to 1, None
    where it cannot be counted); `sample`: worlds looked at, 0 if counted exactly.
    """

    target: int | str
    class_: str
    available: bool
    taken: bool
    catch_target: int | None
    catch_class: str | None
    lag_asks: int | None
    lag_moves: int | None
    overlap: bool
    first_hand: bool
    proof: tuple[int, ...]
    hopeless: bool
    repeated: bool
    stale: bool
    chance: float | None
    best_chance: float | None
    sample: int


def judge(observation: Observation, action: Action) -> Judgement | None:
    """Judge an ask that the viewer is about to make; None for any other action."""
    if not isinstance(action, Ask) or not isinstance(observation.viewer, int):
        return None
    memory = remember(observation)
    catches = certain_catches(observation, memory)
    taken = next((catch for catch in catches if _same(catch.ask, action)), None)
    catch = taken or (catches[0] if catches else None)
    asked = targets(observation, action)
    hopeless = all(memory.bounds(seat, action.class_)[1] == 0 for seat in asked)
    odds = chances(observation, memory)
    return Judgement(
        target=action.target,
        class_=action.class_,
        available=bool(catches),
        taken=taken is not None,
        catch_target=catch.target if catch else None,
        catch_class=catch.class_ if catch else None,
        lag_asks=_asks_since(observation, catch.since) if catch else None,
        lag_moves=observation.seq - catch.since if catch else None,
        overlap=catch is not None and _asked_by_two(observation, catch.class_),
        first_hand=catch is not None and _took_part(catch, observation.viewer),
        proof=tuple(sorted({seen.seq for seen in catch.proof})) if catch else (),
        hopeless=hopeless,
        repeated=hopeless and _asked_before(observation, action),
        stale=hopeless and any(_had(observation, seat, action.class_) for seat in asked),
        chance=odds.of(action),
        best_chance=odds.best,
        sample=odds.sample,
    )


def _same(ask: Ask, other: Ask) -> bool:
    return (ask.target, ask.class_) == (other.target, other.class_)


def _asks_since(observation: Observation, seq: int) -> int:
    """Asks after move `seq`, by anybody."""
    return sum(
        1 for seen in observation.history if seen.seq > seq and isinstance(seen.event, ev.Asked)
    )


def _asked_by_two(observation: Observation, class_: str) -> bool:
    askers = {
        seen.event.seat
        for seen in observation.history
        if isinstance(seen.event, ev.Asked) and seen.event.class_ == class_
    }
    return len(askers - {observation.viewer}) > 1


def _took_part(catch: Catch, viewer: int) -> bool:
    """Whether the viewer asked, gave, took or was asked in every event of the proof; in the deal
    everybody takes part."""
    return all(seen.seq == 0 or viewer in _parties(seen.event) for seen in catch.proof)


def _parties(event: ev.Event) -> tuple[object, ...]:
    match event:
        case ev.Asked(seat=seat, target=target):
            return (seat, target)
        case ev.Gave(giver=giver, taker=taker):
            return (giver, taker)
        case ev.SaidGoFish(seat=seat, asker=asker) | ev.AskedHowMany(seat=seat, asker=asker):
            return (seat, asker)
    return (getattr(event, "seat", None),)


def _asked_before(observation: Observation, ask: Ask) -> bool:
    """Whether the viewer asked the same of the same seat since that seat last took a card."""
    repeated = False
    for seen in observation.history:
        match seen.event:
            case ev.Asked(seat=seat, target=target, class_=class_) if seat == observation.viewer:
                repeated = repeated or (target, class_) == (ask.target, ask.class_)
            case ev.Fished(seat=seat) | ev.Refilled(seat=seat) | ev.Replaced(seat=seat):
                repeated = repeated and seat != ask.target
    return repeated


def _had(observation: Observation, seat: int, class_: str) -> bool:
    """Whether the seat was ever seen with cards of the class: it asked, took or showed one."""
    for seen in observation.history:
        match seen.event:
            case (
                ev.Asked(seat=holder, class_=code)
                | ev.Gave(giver=holder, class_=code)
                | ev.Gave(taker=holder, class_=code)
                | ev.Lucky(seat=holder, class_=code)
            ) if holder == seat and code == class_:
                return True
    return False
