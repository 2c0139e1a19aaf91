"""Computer players: `choose` picks an action from an Observation. Players see only what their seat
sees; their level sets how well they remember. Randomness comes only from `rng` (for the choice now)
and `memory_seed` (for what they forget in this round)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from classroom.engine import events as ev
from classroom.engine.actions import Action, Answer, Ask, Claim, Declare, Lay, LayOff, Name, Show
from classroom.engine.observation import Observation
from classroom.minds.memory.by_class import CountMemory
from classroom.minds.memory.known_facts import kinds_of
from classroom.minds.memory.perfect_memory import (
    Memory,
    completes,
    own_count,
    plain_asks,
    remember,
    targets,
)
from classroom.minds.playing.forgetting import Belief, PlayerLevel, believe, recalled

# ---- The prospects of a seat's asks, as far as a player knows them (docs/rules.md M1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """One ask: the probability of a catch, and the expected and the certain number of cards.

    `own`: how many cards of the class (or fish) the asker holds. `books`: whether catching the
    certain cards, or one card if none is certain, completes a book. `known`: whether the table
    knows that the asker holds cards of the class.
    """

    ask: Ask
    chance: float
    expected: float
    sure: int
    own: int
    books: bool
    known: bool

    def worth(self) -> float:
        """A sort key: certain books, then certain catches, then the value of a catch times its
        chance. The more cards of the class the asker holds, the more a catch is worth. Without this
        factor a player would ask for classes of which it has one card, and lose to random play."""
        if self.sure:
            return 100.0 + self.expected + (10.0 if self.books else 0.0)
        return self.chance * (self.own + 0.02 * self.expected + (0.02 if self.known else 0.0))


Guess = Callable[[int, str], tuple[int, float, float]]
"""Maps a seat and a class to (certain number, expected number, probability of at least one)."""


def prospects(observation: Observation, guess: Guess) -> tuple[Prospect, ...]:
    """Weigh the legal asks by `guess`. Asks that differ only in their bait count once."""
    kinds, shown, found = kinds_of(observation.rules), _shown(observation), list[Prospect]()
    for ask in plain_asks(observation):
        sure, expected, miss = 0, 0.0, 1.0
        for target in targets(observation, ask):
            low, mean, chance = guess(target, ask.class_)
            sure += low
            expected += mean
            miss *= 1 - chance
        found.append(
            Prospect(
                ask=ask,
                chance=1 - miss,
                expected=expected,
                sure=sure,
                own=own_count(observation, kinds, ask.class_),
                books=completes(observation, kinds, ask.class_, max(sure, 1)),
                known=ask.class_ in shown,
            )
        )
    return tuple(found)


def _certain(number: int) -> tuple[int, float, float]:
    return number, float(number), float(number > 0)


def _uncertain(low: int, mean: float, high: int) -> tuple[int, float, float]:
    """A guess; its probability of at least one card is estimated from `mean` and `high`."""
    if low or high <= 0 or mean <= 0:
        return low, mean, float(low > 0)
    return low, mean, float(1 - (1 - min(mean / high, 1.0)) ** high)


def _shown(observation: Observation) -> set[str]:
    """The classes that the viewer asked for and has not given away since."""
    shown: set[str] = set()
    for entry in observation.history:
        match entry.event:
            case ev.Asked(seat=seat, class_=class_) if seat == observation.viewer:
                shown.add(class_)
            case ev.Gave(giver=giver, class_=class_) if giver == observation.viewer:
                shown.discard(class_)
    return shown


def by_memory(observation: Observation, memory: Memory) -> tuple[Prospect, ...]:
    """Weigh the asks with a perfect memory; unknown cards are spread evenly over free places."""
    if isinstance(memory, CountMemory):
        return prospects(observation, _even_counts(observation, memory))
    return prospects(observation, _even_places(observation, memory))


def _even_counts(observation: Observation, memory: CountMemory) -> Guess:
    sheet = memory.settled
    width, rows = sheet.width, sheet.seats + 2
    free = [
        sheet.size[row] - sum(sheet.low[row * width : (row + 1) * width]) for row in range(rows)
    ]

    def guess(seat: int, class_: str) -> tuple[int, float, float]:
        number = memory.kinds.number[class_]
        cell = seat * width + number
        low, high = sheet.low[cell], sheet.high[cell]
        if low == high:
            return _certain(low)
        lows, highs = sheet.low[number::width], sheet.high[number::width]
        spare = sheet.left[number] - sum(lows)
        rooms = [0 if row == memory.viewer else _room(free[row], highs[row] - lows[row], spare)
                 for row in range(rows)]  # fmt: skip
        share = rooms[seat] / max(sum(rooms), 1)
        return _uncertain(low, low + min(spare * share, high - low), high)

    return guess


def _room(free: int, more: int, spare: int) -> int:
    """The free places in a hand for cards of a class. If the hand can take fewer such cards
    (`more`) than are unplaced (`spare`), it recently had none, so only later draws count."""
    return free if more >= spare else min(free, more)


def _even_places(observation: Observation, memory: Memory) -> Guess:
    o = observation
    held = [hand + boat for hand, boat in zip(o.hand_sizes, o.boat_sizes, strict=True)]
    unseen = o.stock_size + sum(size for seat, size in enumerate(held) if seat != o.viewer)

    def guess(seat: int, class_: str) -> tuple[int, float, float]:
        low, high = memory.bounds(seat, class_)
        share = held[seat] / max(unseen, 1)
        return _uncertain(low, low + (high - low) * share, high)

    return guess


def by_belief(observation: Observation, belief: Belief) -> tuple[Prospect, ...]:
    """Weigh the asks as a player who remembers only some of the asks so far."""
    kinds = kinds_of(observation.rules)
    unseen = observation.stock_size + sum(
        size for seat, size in enumerate(observation.hand_sizes) if seat != observation.viewer
    )

    def guess(seat: int, class_: str) -> tuple[int, float, float]:
        low = belief.has.get((seat, class_), 0)
        if low or (seat, class_) in belief.none:
            return _certain(low)
        copies = len(kinds.deck.named[class_])
        left = max(copies - own_count(observation, kinds, class_), 1)
        share = observation.hand_sizes[seat] / max(unseen, 1)
        return _uncertain(0, left * share, left)

    return prospects(observation, guess)


def choose(
    observation: Observation,
    level: PlayerLevel,
    rng: Random,
    memory_seed: int = 0,
    memory: Memory | None = None,
) -> Action:
    """Choose an action for a player at this level, always one of `observation.legal`. The same
    observation, level, rng state and memory seed give the same action. `memory`: an earlier memory
    for this seat and round, which only saves work. Raises ValueError if `legal` is empty."""
    legal = observation.legal
    if not legal:
        raise ValueError(f"seat {observation.viewer} has nothing to do at move {observation.seq}")
    if len(legal) == 1:
        return legal[0]
    if observation.phase == "answer":
        # "How many?" is better, because an asker who names too high a number gets nothing. A player
        # gives at once only by a slip.
        wanted = "give" if rng.random() < level.slip else "challenge"
        return next(a for a in legal if isinstance(a, Answer) and a.answer == wanted)
    if observation.phase == "name":
        return _name(observation, level, rng, memory)
    if observation.phase == "show":
        return max((a for a in legal if isinstance(a, Show)), key=lambda action: action.show)
    if observation.phase == "claim":
        return next((a for a in legal if isinstance(a, Claim)), legal[0])
    return _turn(observation, level, rng, memory_seed, memory)


def _name(
    observation: Observation, level: PlayerLevel, rng: Random, memory: Memory | None
) -> Action:
    """Name as many cards as the asked seat certainly has, or 1; naming too many gets nothing."""
    names = [action for action in observation.legal if isinstance(action, Name)]
    if observation.pending is None or rng.random() < level.slip or not level.perfect:
        return min(names, key=lambda action: action.number)
    ask = observation.pending[1]
    target = ask.target if isinstance(ask.target, int) else 0
    low, _ = remember(observation, memory).bounds(target, ask.class_)
    return min(names, key=lambda action: abs(action.number - max(low, 1)))


def _turn(
    observation: Observation,
    level: PlayerLevel,
    rng: Random,
    memory_seed: int,
    memory: Memory | None,
) -> Action:
    legal = observation.legal
    books = [action for action in legal if isinstance(action, Lay)]
    if books:
        # the book that leaves the most other books possible (FA5)
        cards = [book.cards for book in books]
        return max(books, key=lambda book: sum(map(set(book.cards).isdisjoint, cards)))
    asks = [action for action in legal if isinstance(action, Ask)]
    declare = next((action for action in legal if isinstance(action, Declare)), None)
    if declare is not None and (not asks or _nothing_to_win(observation)):
        return declare
    if not asks:
        return next((a for a in legal if not isinstance(a, LayOff)), legal[0])
    if rng.random() < level.slip:
        # Ask like a player who remembers nothing: choose at random, among the asks for classes
        # with the most cards in hand.
        kinds = kinds_of(observation.rules)
        held = Counter(c for card in observation.hand for c in kinds.deck.classes_of[card])
        most = max(held.get(ask.class_, 0) for ask in asks)
        return rng.choice([ask for ask in asks if held.get(ask.class_, 0) == most])
    if level.perfect:
        weighed = by_memory(observation, remember(observation, memory))
    else:
        belief = believe(observation, recalled(observation, level, memory_seed))
        weighed = by_belief(observation, belief)
    worths = [one.worth() for one in weighed]
    best = max(worths) - 1e-9
    ask = rng.choice([one.ask for one, worth in zip(weighed, worths, strict=True) if worth > best])
    same = [one for one in asks if (one.target, one.class_) == (ask.target, ask.class_)]
    return rng.choice(same) if len(same) > 1 else ask  # choose the bait at random, if needed


def _nothing_to_win(observation: Observation) -> bool:
    """Whether every four with one of the viewer's cards has lost a card to a book, so that a
    declaration would be true (FA11). Always False in Wild Fours."""
    kinds = kinds_of(observation.rules)
    gone = {card for books in observation.books for book in books for card in book or ()}
    mine = {*observation.hand, *observation.boat}
    if kinds.rules.book_kind != "four" or kinds.rules.deck_wild:
        return False
    return not any(mine & members and not members & gone for members in kinds.deck.members.values())
