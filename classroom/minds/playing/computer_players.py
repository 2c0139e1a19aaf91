"""Computer players: `choose` an action from an Observation, by level.

They see what their seat sees and nothing else; their level says how well they remember. Randomness
comes only from `rng` (what they do now) and `memory_seed` (what they forget in this round).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from classroom.engine.actions import Action, Answer, Ask, Claim, Declare, Lay, LayOff, Name, Show
from classroom.engine.observation import Observation
from classroom.minds.memory.known_facts import kinds_of
from classroom.minds.memory.perfect_memory import Memory, remember
from classroom.minds.playing.forgetting import believe, recalled
from classroom.minds.playing.player_levels import LEVELS, PlayerLevel
from classroom.minds.playing.weighing import Prospect, by_belief, by_memory

__all__ = ["LEVELS", "PlayerLevel", "choose"]


def choose(
    observation: Observation,
    level: PlayerLevel,
    rng: Random,
    memory_seed: int = 0,
    memory: Memory | None = None,
) -> Action:
    """Choose what a player of this level does now, always one of `observation.legal`.

    The same observation, level, rng state and memory seed give the same action. `memory`: an
    earlier memory of the same seat and round, which only saves work. Raises ValueError if the
    viewer has nothing to do.
    """
    legal = observation.legal
    if not legal:
        raise ValueError(f"seat {observation.viewer} has nothing to do at move {observation.seq}")
    if len(legal) == 1:
        return legal[0]
    if observation.phase == "answer":
        return _answer(legal, level, rng)
    if observation.phase == "name":
        return _name(observation, level, rng, memory)
    if observation.phase == "show":
        return max((a for a in legal if isinstance(a, Show)), key=lambda action: action.show)
    if observation.phase == "claim":
        return next((a for a in legal if isinstance(a, Claim)), legal[0])
    return _turn(observation, level, rng, memory_seed, memory)


def _answer(legal: Sequence[Action], level: PlayerLevel, rng: Random) -> Action:
    """Ask "how many?", unless the player slips: if the asker then says too many, it gets none."""
    wanted = "give" if rng.random() < level.slip else "challenge"
    return next(a for a in legal if isinstance(a, Answer) and a.answer == wanted)


def _name(
    observation: Observation, level: PlayerLevel, rng: Random, memory: Memory | None
) -> Action:
    """Name as many cards as the asked seat certainly has, or 1; too high a number gets nothing."""
    names = [action for action in observation.legal if isinstance(action, Name)]
    if observation.pending is None or rng.random() < level.slip or not level.perfect:
        return min(names, key=lambda action: action.number)
    ask = observation.pending[1]
    memory = remember(observation, memory)
    target = ask.target if isinstance(ask.target, int) else 0
    low, high = memory.bounds(target, ask.class_)
    safe = max(low, 1)
    best = min(safe, max(high, 1))
    return min(names, key=lambda action: abs(action.number - best))


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
        return _best_book(observation, books)
    asks = [action for action in legal if isinstance(action, Ask)]
    declare = next((action for action in legal if isinstance(action, Declare)), None)
    if declare is not None and (not asks or _nothing_to_win(observation)):
        return declare
    if not asks:
        return next((a for a in legal if not isinstance(a, LayOff)), legal[0])
    if rng.random() < level.slip:
        # Ask as a player who remembers nothing: at random, for the class of which it holds most.
        kinds = kinds_of(observation.rules)
        held = Counter(c for card in observation.hand for c in kinds.deck.classes_of[card])
        most = max(held.get(ask.class_, 0) for ask in asks)
        return rng.choice([ask for ask in asks if held.get(ask.class_, 0) == most])
    return _with_random_bait(observation, _ask(observation, level, rng, memory_seed, memory), rng)


def _ask(
    observation: Observation,
    level: PlayerLevel,
    rng: Random,
    memory_seed: int,
    memory: Memory | None,
) -> Ask:
    if not level.perfect:
        belief = believe(observation, recalled(observation, level.fading, memory_seed))
        return _pick(by_belief(observation, belief), rng)
    return _pick(by_memory(observation, remember(observation, memory)), rng)


def _pick(weighed: Sequence[Prospect], rng: Random) -> Ask:
    worths = [prospect.worth() for prospect in weighed]
    best = max(worths) - 1e-9
    return rng.choice([p.ask for p, value in zip(weighed, worths, strict=True) if value > best])


def _with_random_bait(observation: Observation, ask: Ask, rng: Random) -> Ask:
    """Return this ask with a random one of the cards that may be shown with it."""
    same = [
        action
        for action in observation.legal
        if isinstance(action, Ask) and (action.target, action.class_) == (ask.target, ask.class_)
    ]
    return rng.choice(same) if len(same) > 1 else ask


def _best_book(observation: Observation, books: Sequence[Lay]) -> Lay:
    """The book that leaves the most other books possible (FA5)."""

    def left(book: Lay) -> int:
        laid = set(book.cards)
        return sum(1 for other in books if laid.isdisjoint(other.cards))

    return max(books, key=left)


def _nothing_to_win(observation: Observation) -> bool:
    """Whether each four that could use a card of the viewer has lost one of its cards to a book.

    If it returns True, a declaration would be true (FA11). False in Wild Fours.
    """
    kinds = kinds_of(observation.rules)
    gone = {card for books in observation.books for book in books for card in book or ()}
    mine = {*observation.hand, *observation.boat}
    if kinds.rules.book_kind != "four" or kinds.rules.deck_wild:
        return False
    return not any(mine & members and not members & gone for members in kinds.deck.members.values())
