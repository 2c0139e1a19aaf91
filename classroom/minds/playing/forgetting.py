"""Imperfect memory: the asks that a computer player still remembers, the conclusions it draws from
them, the thoughts it says aloud, and the levels of computer players."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import Final

from classroom.engine import events as ev
from classroom.engine.observation import Observation
from classroom.minds.memory.known_facts import Kinds, kinds_of

# ---- Forgetting: the asks that a computer player still remembers, and its conclusions from them
#
# An episode is an ask with its outcome ("Owl asked Fox for sevens and went fishing"). How long a
# player remembers it depends only on the player's level, a seed and the number of the ask, so
# nothing is stored and a round can be replayed. Asks that concern the player are remembered longer
# (docs/rules.md M2).

_MASK: Final = (1 << 64) - 1


def uniform(seed: int, *keys: int) -> float:
    """A number in [0, 1) that depends only on the seed and the keys (SplitMix64).

    >>> uniform(1, 2, 3) == uniform(1, 2, 3) != uniform(1, 3, 2)
    True
    """
    state = _mixed(seed & _MASK)
    for key in keys:
        state = _mixed(state ^ (key & _MASK))
    return (state >> 11) / (1 << 53)


def _mixed(value: int) -> int:
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


OWN_LASTS = 2.0
"""Asks that concern the player are remembered this many times as long as others."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One ask and its outcome. `given`: (giver, number) for each seat that gave cards. `refused`:
    seats that said go fish. `lucky`: the asker showed a card of the class. `index` counts asks from
    the start of the round. `blurred`: remembered with the wrong asker."""

    index: int
    seq: int
    asker: int
    class_: str
    given: tuple[tuple[int, int], ...] = ()
    refused: tuple[int, ...] = ()
    lucky: bool = False
    blurred: bool = False

    def concerns(self, seat: int) -> bool:
        """Whether the seat made the ask or answered it."""
        return seat == self.asker or seat in self.refused or any(g == seat for g, _ in self.given)


@dataclass(frozen=True, slots=True)
class Fading:
    """How memory fades: a player remembers at most `span` asks (None: any number), and forgets each
    ask with probability `decay` at every later ask. With probability `blur` a forgotten ask is
    remembered for as long again, but with the wrong asker."""

    span: int | None = None
    decay: float = 0.0
    blur: float = 0.0


def episodes(observation: Observation) -> tuple[Episode, ...]:
    """Every ask in the round with its outcome, in order."""
    asks = asks_of(observation)
    return tuple(episode(asks, index) for index in range(len(asks)))


def asks_of(observation: Observation) -> list[tuple[int, ev.Asked, list[ev.Event]]]:
    """Every ask in the round: its move, the ask, and the events after it until the next ask."""
    asks: list[tuple[int, ev.Asked, list[ev.Event]]] = []
    for seen in observation.history:
        if isinstance(seen.event, ev.Asked):
            asks.append((seen.seq, seen.event, []))
        elif asks:
            asks[-1][2].append(seen.event)
    return asks


def episode(asks: Sequence[tuple[int, ev.Asked, list[ev.Event]]], index: int) -> Episode:
    seq, ask, told = asks[index]
    return Episode(
        index,
        seq,
        ask.seat,
        ask.class_,
        given=tuple([(one.giver, one.number) for one in told if isinstance(one, ev.Gave)]),
        refused=tuple([one.seat for one in told if isinstance(one, ev.SaidGoFish)]),
        lucky=any(isinstance(one, ev.Lucky) for one in told),
    )


def recalled(observation: Observation, fading: Fading, seed: int) -> tuple[Episode, ...]:
    """The asks that are still remembered now, some of them wrongly."""
    viewer = observation.viewer if isinstance(observation.viewer, int) else -1
    everything = episodes(observation)
    now = len(everything)
    seats = observation.seats
    faded = [_faded(one, now, seats, viewer, fading, seed) for one in everything]
    kept = tuple(filter(None, faded))
    return kept if fading.span is None else kept[max(0, len(kept) - fading.span) :]


def lifetime(fading: Fading, seed: int, viewer: int, index: int) -> float:
    """The number of later asks after which an ask that does not concern the viewer is forgotten."""
    if fading.decay <= 0:
        return float("inf")
    if fading.decay >= 1:
        return 0
    luck = 1 - uniform(seed, viewer, index, 0)
    return float(int(log(luck) / log(1 - fading.decay)))


def _life(episode: Episode, viewer: int, fading: Fading, seed: int) -> float:
    lasts = OWN_LASTS if episode.concerns(viewer) else 1
    return lasts * lifetime(fading, seed, viewer, episode.index)


def _faded(
    episode: Episode, now: int, seats: int, viewer: int, fading: Fading, seed: int
) -> Episode | None:
    age, life = now - 1 - episode.index, _life(episode, viewer, fading, seed)
    if age <= life:
        return episode
    blurs = uniform(seed, viewer, episode.index, 1) < fading.blur
    others = [s for s in range(seats) if s not in (viewer, episode.asker)]
    if not blurs or age > 2 * life or not others or episode.asker == viewer:
        return None
    wrong = others[int(uniform(seed, viewer, episode.index, 2) * len(others))]
    return replace(episode, asker=wrong, refused=(), given=(), blurred=True)


@dataclass
class Belief:
    """A player's beliefs about hands. They change with each event that the player reads. `has`: the
    fewest cards that a seat holds of a class, by (seat, class). `none`: the (seat, class) pairs
    where the seat holds no card of the class."""

    kinds: Kinds
    has: dict[tuple[int, str], int] = field(default_factory=dict)
    none: set[tuple[int, str]] = field(default_factory=set)

    def raise_to(self, seat: int, class_: str, number: int, add: bool = False) -> None:
        """Believe that the seat has at least this many of the class; with `add`, this many more."""
        key = (seat, class_)
        before = self.has.get(key, 0)
        self.has[key] = before + number if add else max(before, number)
        self.none.discard(key)

    def heard(self, episode: Episode) -> None:
        if episode.class_ in self.kinds.number:
            self.raise_to(episode.asker, self.kinds.needed(episode.class_), 1)

    def outcome(self, event: ev.SaidGoFish | ev.Gave, how_many: bool) -> None:
        """Take in an answer. After "how many?", "go fish" means that the number was too high."""
        if isinstance(event, ev.SaidGoFish):
            if not how_many:
                self.empty(event.seat, event.class_)
            return
        if self.kinds.rules.response == "all":
            self.empty(event.giver, event.class_)
        else:
            self.lower(event.giver, event.class_, event.number)
        self.raise_to(event.taker, event.class_, event.number, add=True)

    def empty(self, seat: int, class_: str) -> None:
        self.has.pop((seat, class_), None)
        self.none.add((seat, class_))

    def drew(self, seat: int) -> None:
        self.none = {key for key in self.none if key[0] != seat}

    def laid(self, seat: int, cards: tuple[str, ...]) -> None:
        for card in cards:
            for class_ in (*self.kinds.deck.classes_of[card], card):
                self.lower(seat, class_, 1)

    def lower(self, seat: int, class_: str, number: int) -> None:
        left = self.has.pop((seat, class_), 0) - number
        if left > 0:
            self.has[seat, class_] = left


def believe(observation: Observation, remembered: tuple[Episode, ...]) -> Belief:
    """Work out beliefs from remembered asks, and from draws and books, which a player never
    forgets. This cannot use the `Reader` in known_facts.py, because a player remembers only some
    outcomes, and some asks with the wrong asker."""
    belief = Belief(kinds_of(observation.rules))
    known = {episode.seq: episode for episode in remembered}
    current: Episode | None = None
    how_many = False
    for seen in observation.history:
        event = seen.event
        if isinstance(event, ev.Asked):
            current, how_many = known.get(seen.seq), False
            if current is not None:
                belief.heard(current)
        elif isinstance(event, ev.AskedHowMany):
            how_many = True
        elif isinstance(event, (ev.SaidGoFish, ev.Gave)):
            if current is not None and not current.blurred:
                belief.outcome(event, how_many)
        elif isinstance(event, (ev.Fished, ev.Refilled, ev.FishedFromHand, ev.Replaced)):
            belief.drew(event.seat)
        elif isinstance(event, ev.Lucky):
            if current is not None and not current.blurred:
                belief.raise_to(event.seat, event.class_, 1, add=True)
        elif isinstance(event, (ev.LaidBook, ev.Claimed)):
            belief.laid(event.seat, event.cards)
    return belief


# ---- Thoughts that computer players say aloud: "Hmm, Fox asked for fours."
#
# Thoughts are true, public and rare. A thought repeats one of the last asks that its player still
# remembers. It depends only on public events, the player's level and its seed, so two tables that
# differ only in hidden cards have the same thoughts. A player never says why it asks.

RECENT: Final = 3  # how far back a thought can go, in asks
SHARE: Final = 0.25  # probability that a player thinks aloud before its ask, if it remembers one
_WHETHER, _WHICH = 11, 12  # keys for `uniform` that forgetting does not use


@dataclass(frozen=True, slots=True)
class Mind:
    """A computer player's mind: how its memory fades, and the seed that decides what it forgets."""

    fading: Fading
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """Before its ask in move `seq`, `seat` thinks of move `about`: `asker` asked for `class_`."""

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
        (seq, seat, minds[seat])
        for seq, seat in asks
        if seat in minds and uniform(minds[seat].seed, seat, seq, _WHETHER) < SHARE
    ]
    if not thoughtful:  # the usual case; the rest reads the whole history
        return ()
    # No thought repeats an ask if its asker has since laid a book of the class face up.
    laid = [
        (item.seq, item.event.seat, item.event.class_)
        for item in observation.history
        if isinstance(item.event, ev.LaidBook)
    ]
    past, found = asks_of(observation), list[Thought]()
    for seq, seat, mind in thoughtful:
        now = bisect_left(past, seq, key=lambda ask: ask[0])
        recent = (episode(past, index) for index in range(max(0, now - RECENT), now))
        kept = [
            one
            for one in recent
            if one.asker != seat
            and _remembered(one, now, seat, mind)
            and not any(
                one.seq <= at < seq and (who, of) == (one.asker, one.class_) for at, who, of in laid
            )
        ]
        if kept:
            one = kept[int(uniform(mind.seed, seat, seq, _WHICH) * len(kept))]
            found.append(
                Thought(seq=seq, seat=seat, about=one.seq, asker=one.asker, class_=one.class_)
            )
    return tuple(found)


def _remembered(episode: Episode, now: int, seat: int, mind: Mind) -> bool:
    """Whether the player still remembers this ask, with the right asker (as in _faded)."""
    age, span = now - 1 - episode.index, mind.fading.span
    life = _life(episode, seat, mind.fading, mind.seed)
    return age <= life and (span is None or age < span)


# ---- The levels: how well computer players remember, from minnow to dolphin, and "like me"
#
# "Like me" is a level for one child. It starts from the child's measured recall and changes after
# each round with the child's result, so that the child wins a fair share: one round in four at a
# table of four. The level's key contains its only number, the half-life of an ask in memory.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLevel(Fading):
    """How well a computer player remembers (docs/rules.md M2). `slip`: probability of acting
    without thinking (computer_players.py)."""

    key: str
    name: str
    sentence: str
    slip: float = 0.0

    @property
    def perfect(self) -> bool:
        """Whether the player forgets nothing."""
        return self.span is None and self.decay == 0


_ALL: Final = (
    PlayerLevel(
        key="minnow",
        name="Minnow",
        sentence="Remembers the last two asks.",
        span=2,
        decay=0.30,
        blur=0.2,
        slip=0.20,
    ),
    PlayerLevel(
        key="perch",
        name="Perch",
        sentence="Remembers about four asks.",
        span=4,
        decay=0.10,
        blur=0.2,
        slip=0.08,
    ),
    PlayerLevel(
        key="pike",
        name="Pike",
        sentence="Remembers most of what was asked.",
        span=9,
        decay=0.03,
        blur=0.1,
        slip=0.02,
    ),
    PlayerLevel(key="dolphin", name="Dolphin", sentence="Remembers everything."),
)

LEVELS: Final[dict[str, PlayerLevel]] = {level.key: level for level in _ALL}
"""The named levels, weakest first. Adults can choose those in services.table.choices.LEVELS."""

LIKE_ME: Final = "like_me"
SHORTEST, LONGEST = 1 / 32, 160.0  # in asks: the limits of the half-life of "like me"
NEVER_FORGETS: Final = 48.0  # in asks: a player with this half-life or more forgets nothing
UNKNOWN: Final = 2.0  # in asks: the first half-life if a child's recall is not yet measured
STEP: Final = 0.75  # doublings of the half-life for each win above the fair share


@dataclass(frozen=True, slots=True)
class Result:
    """The child's result in a round with `seats` players. `won`: 1 for winning alone, 1/k for being
    one of k winners, 0 for not winning."""

    seats: int
    won: float


def like_me(
    results: Iterable[Result] = (), half: float | None = None, low: float | None = None
) -> PlayerLevel:
    """The level at which a child wins about as often as the others at the table.

    `half`: the half-life of asks in the child's memory, None if it is not measured yet; `low`: the
    lower end of its likely range. The wider the range, the easier the start. `results`: all rounds
    that the child has played at this level, oldest first.

    The level changes only by the difference between wins and the fair share. So over n rounds the
    child's share of wins differs from the fair one by at most (doublings between first and last
    level) / (n STEP), unless the half-life reached its shortest or longest.

    >>> like_me().key, like_me([Result(4, 1)]).key, like_me(half=8, low=2).key
    ('like_me 2', 'like_me 2.95', 'like_me 4')
    """
    start = UNKNOWN if half is None else (half * (half if low is None else low)) ** 0.5
    reached = _bounded(start)
    for result in results:
        reached = _bounded(reached * 2 ** (STEP * (result.won - 1 / result.seats)))
    return level_of(f"{LIKE_ME} {reached:.3g}")


def going_on(key: str, results: Iterable[Result]) -> PlayerLevel:
    """The "like me" level after these results, starting from the level with this key.

    >>> going_on("like_me 2", [Result(4, 1)]).key
    'like_me 2.95'
    """
    return like_me(results, half=float(key.removeprefix(LIKE_ME)))


def level_of(key: str) -> PlayerLevel:
    """The level with this key, named or from `like_me`. Raises KeyError for any other key.

    >>> level_of("minnow").span, level_of(like_me().key) == like_me()
    (2, True)
    """
    name, _, half_life = key.partition(" ")
    if name != LIKE_ME:
        return LEVELS[key]
    try:
        half = _bounded(float(half_life))
    except ValueError:
        raise KeyError(key) from None
    forgets = half < NEVER_FORGETS
    return PlayerLevel(
        key=key,
        name="Like me",
        sentence="Plays about as well as you do.",
        decay=1 - 2 ** (-1 / half) if forgets else 0.0,
        blur=0.1 if forgets else 0.0,
        slip=2**-half,  # the shorter the half-life, the more often a player slips
    )


def _bounded(half_life: float) -> float:
    return min(max(half_life, SHORTEST), LONGEST)
