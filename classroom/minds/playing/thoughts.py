"""What computer players think aloud: "Hmm, Fox asked for fours." True, public and rare.

A thought repeats one of the last asks that its player still remembers. It follows from public
events, the player's level and its seed alone, never from a card: two tables that differ only in
hidden cards have the same thoughts. A player never says why it asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from classroom.engine import events as ev
from classroom.engine.observation import Observation
from classroom.minds.playing.forgetting import (
    OWN_LASTS,
    Episode,
    Fading,
    asks_of,
    episode,
    lifetime,
    uniform,
)

RECENT: Final = 3  # how many asks back a thought may go
SHARE: Final = 0.25  # chance of a thought before a computer player's ask, if it remembers any ask
_WHETHER, _WHICH = 11, 12  # keys of the noise that forgetting does not use


@dataclass(frozen=True, slots=True)
class Mind:
    """A computer player's mind: how its memory fades, and the seed that decides what it forgets."""

    fading: Fading
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """Before its ask in move `seq`, `seat` thinks of the ask in move `about`, in which `asker`
    asked for `class_`."""

    seq: int
    seat: int
    about: int
    asker: int
    class_: str


def thoughts(
    observation: Observation, minds: Mapping[int, Mind], since: int = 0
) -> tuple[Thought, ...]:
    """List the thoughts before each ask after move `since`, oldest first, and before the next ask
    if a computer player will make it. `minds`: the computer players, by seat."""
    asks = [
        (item.seq, item.event.seat)
        for item in observation.history
        if item.seq > since and isinstance(item.event, ev.Asked)
    ]
    if observation.turn is not None and observation.phase == "ask":
        asks.append((observation.seq + 1, observation.turn))
    thoughtful = [
        (seq, seat) for seq, seat in asks if seat in minds and _thinks(minds[seat], seq, seat)
    ]
    if not thoughtful:  # the usual case; what follows reads the whole round
        return ()
    laid, past = _laid(observation), asks_of(observation)
    moves = [seq for seq, _, _ in past]
    before = [bisect_left(moves, seq) for seq, _ in thoughtful]
    found = (
        _thought(
            seq,
            seat,
            minds[seat],
            [episode(past, index) for index in range(max(0, number - RECENT), number)],
            number,
            laid,
        )
        for (seq, seat), number in zip(thoughtful, before, strict=True)
    )
    return tuple(one for one in found if one is not None)


def _thinks(mind: Mind, seq: int, seat: int) -> bool:
    return uniform(mind.seed, seat, seq, _WHETHER) < SHARE


def _thought(
    seq: int,
    seat: int,
    mind: Mind,
    recent: Sequence[Episode],
    now: int,
    laid: Sequence[tuple[int, int, str | None]],
) -> Thought | None:
    kept = [
        one
        for one in recent
        if one.asker != seat
        and _remembered(one, now, seat, mind)
        and not any(
            one.seq <= at < seq and (who, of) == (one.asker, one.class_) for at, who, of in laid
        )
    ]
    if not kept:
        return None
    one = kept[int(uniform(mind.seed, seat, seq, _WHICH) * len(kept))]
    return Thought(seq=seq, seat=seat, about=one.seq, asker=one.asker, class_=one.class_)


def _remembered(episode: Episode, now: int, seat: int, mind: Mind) -> bool:
    """Whether the player still remembers this ask, with the right asker (see forgetting.py)."""
    age = now - 1 - episode.index
    life = lifetime(mind.fading, mind.seed, seat, episode.index)
    if episode.concerns(seat):
        life *= OWN_LASTS
    return age <= life and (mind.fading.span is None or age < mind.fading.span)


def _laid(observation: Observation) -> list[tuple[int, int, str | None]]:
    """Books laid face up, as (move, seat, class): no thought is about an ask that led to one."""
    return [
        (item.seq, item.event.seat, item.event.class_)
        for item in observation.history
        if isinstance(item.event, ev.LaidBook)
    ]
