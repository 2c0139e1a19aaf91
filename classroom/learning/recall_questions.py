"""Recall questions, such as who asked for a class, who asked first, or what a player asked for.

They test whether the child remembers the asks of other players in this round (docs/learning.md).
The child's own asks are left out because children remember those better. Facts that the child was
told again or can see on the page are left out too. An item is *old* if there is something to
remember, and *new* if the right answer is "nobody" (or "none"). Without new items, a memory could
not be distinguished from a false alarm. Lags are counted in asks; the newest ask has lag 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import log
from random import Random
from typing import Any, Final

from classroom.engine.observation import Observation
from classroom.learning.drafts import Draft, Heard, Lure, Scene, Stem
from classroom.minds.board import NOTHING_KNOWN, AlreadyKnown, AskRow, asked_rows

NOBODY: Final = None  # the answer "nobody" or "none of these"
BOTH: Final = "both"  # the answer "both of the two other players"
OPTIONS: Final = 4  # a recall question with fewer options is not asked


@dataclass(frozen=True, slots=True)
class Past:
    """Earlier events that a question depends on. `last_round`: (seat, class) of each ask in the
    table's previous round. `told`: the facts that the child was told again in this round. `ages`:
    the seconds since each move, by the number of the move, if known."""

    last_round: tuple[tuple[int, str], ...] = ()
    told: AlreadyKnown = NOTHING_KNOWN
    ages: Mapping[int, float] = field(default_factory=dict)


NO_PAST: Final = Past()
Drafting = Callable[[Scene, int, int, Past], Iterator[Draft]]


def recall_hardness(lag: float, overlap: bool = False) -> float:
    """Estimate how hard an item is, in logits: 0 for an ask five asks ago. `overlap`: several
    players asked for the class, which makes the item harder."""
    return 1.1 * log(lag / 5) + (0.6 if overlap else 0.0)


NEW_HARDNESS: Final = 0.0


def who_asked(scene: Scene, low: int, high: int, past: Past) -> Iterator[Draft]:
    """Ask who asked for, say, threes: a player, nobody or, with just two other players, both."""
    if len(scene.others) < 2:
        return
    both = (BOTH,) if len(scene.others) == 2 else ()
    yield from _nobody_asked("who_asked", scene, past, (*scene.others, *both))
    for class_, by in _askable(scene, past).items():
        if len(by) > 1 and not both:
            continue
        oldest = max(by.values(), key=lambda heard: heard.ago)
        if not low <= oldest.ago <= high or class_ not in scene.open_classes:
            continue
        right = oldest.seat if len(by) == 1 else BOTH
        lures: dict[Any, Lure] = _last_round(past, class_)
        if oldest.target is not None:
            lures.setdefault(oldest.target, "this_round")
        yield Draft(
            kind="who_asked",
            stem=Stem(class_=class_),
            face="seat",
            right=right,
            difficulty=recall_hardness(oldest.ago, len(by) > 1),
            wrong=(tuple(one for one in (*scene.others, *both) if one != right),),
            keep=(NOBODY,),
            lag_asks=oldest.ago,
            fact_seq=oldest.seq,
            overlap=len(by) > 1,
            trial="old",
            lures=lures,
        )


def first_or_last(
    scene: Scene, low: int, high: int, past: Past, kind: str, first: bool
) -> Iterator[Draft]:
    """Ask which of several players was the first or the last to ask for, say, threes."""
    if len(scene.others) + 1 < OPTIONS:
        return
    yield from _nobody_asked(kind, scene, past, scene.others)
    askers, askable = _askers(scene), _askable(scene, past)
    for class_, by in _askable(scene, past, first).items():
        fact = (max if first else min)(by.values(), key=lambda heard: heard.ago)
        if len(by) < 2 or class_ not in askable or not low <= fact.ago <= high:
            continue
        rivals = tuple(seat for seat in askers[class_] if seat != fact.seat)
        rest = tuple(seat for seat in scene.others if seat not in askers[class_])
        yield Draft(
            kind=kind,
            stem=Stem(class_=class_),
            face="seat",
            right=fact.seat,
            difficulty=recall_hardness(fact.ago, True),
            wrong=(rivals, rest),
            keep=(NOBODY,),
            lag_asks=fact.ago,
            fact_seq=fact.seq,
            overlap=True,
            trial="old",
            lures=dict.fromkeys(rivals, "this_round"),
        )


def what_asked(scene: Scene, low: int, high: int, past: Past) -> Iterator[Draft]:
    """Ask what a player asked for last. The preferred wrong answers are classes that others asked
    for in this round, then one that they asked for in the previous round, then the others."""
    newest = {heard.seat: heard for heard in reversed(scene.heard)}
    askers = _askers(scene)
    for seat in scene.others:
        fact = newest.get(seat)
        if fact is None or not low <= fact.ago <= high or _is_given_away(scene, past, fact):
            continue
        known = {c for c, by in askers.items() if seat in by or scene.me in by} | past.told.classes
        by_others = tuple(class_ for class_ in askers if class_ not in known)
        before = tuple(c for s, c in past.last_round if s == seat and c not in known)
        unsaid = tuple(c for c in scene.open_classes if c not in known)
        lures: dict[Any, Lure] = {
            **dict.fromkeys(before, "previous_round"),
            **dict.fromkeys(by_others, "this_round"),
        }
        overlap = len(askers[fact.class_]) > 1
        yield Draft(
            kind="what_asked",
            stem=Stem(seats=(seat,)),
            face="class",
            right=fact.class_,
            difficulty=recall_hardness(fact.ago, overlap),
            wrong=(by_others[:2], before[:1], unsaid),
            lag_asks=fact.ago,
            fact_seq=fact.seq,
            overlap=overlap,
            lures=lures,
        )


def which_asked(scene: Scene, low: int, high: int, past: Past) -> Iterator[Draft]:
    """Show several classes and ask which of them another player has asked for, if any."""
    askers = _askers(scene)
    fresh = tuple(c for c in scene.open_classes if c not in askers and c not in past.told.classes)
    if not askers or len(fresh) < OPTIONS - 2:
        return
    before = tuple(dict.fromkeys(c for _, c in past.last_round if c in fresh))
    lures: dict[Any, Lure] = dict.fromkeys(before, "previous_round")
    for class_, by in _askable(scene, past).items():
        fact = min(by.values(), key=lambda heard: heard.ago)
        if class_ not in scene.open_classes or not low <= fact.ago <= high:
            continue
        yield Draft(
            kind="which_asked",
            stem=Stem(),
            face="class",
            right=class_,
            difficulty=recall_hardness(fact.ago),
            wrong=(before[:1], fresh),
            keep=(NOBODY,),
            lag_asks=fact.ago,
            fact_seq=fact.seq,
            overlap=len(by) > 1,
            trial="old",
            lures=lures,
        )
    unasked = tuple(class_ for class_ in fresh if not past.told.nobody(class_))
    yield Draft(
        kind="which_asked",
        stem=Stem(),
        face="class",
        right=NOBODY,
        difficulty=NEW_HARDNESS,
        wrong=(tuple(c for c in before[:1] if c in unasked), unasked),
        trial="new",
        lures=lures,
    )


REMEMBERING: Final[dict[str, Drafting]] = {
    "who_asked": who_asked,
    "who_asked_last": partial(first_or_last, kind="who_asked_last", first=False),
    "who_asked_first": partial(first_or_last, kind="who_asked_first", first=True),
    "what_asked": what_asked,
    "which_asked": which_asked,
}
EARLIER: Final = frozenset({"been_asked"})  # yes/no questions, which are no longer asked


def named_classes(item: Mapping[str, Any]) -> frozenset[str]:
    """Return the classes about which a recall question (as JSON) reveals something: the class in
    the question or in its answer, or all options of a `which_asked` question."""
    if item["kind"] == "which_asked":
        return frozenset(option for option in item["options"] if option is not None)
    if item["kind"] == "what_asked":
        return frozenset({item["options"][item["right"]]})
    return frozenset({item["stem"]["class_"]})


# ---- Which asks a question can be about


def _askers(scene: Scene, first: bool = False) -> dict[str, dict[int, Heard]]:
    """Find the newest (or `first`) ask of each seat for each class, by class and seat."""
    found: dict[str, dict[int, Heard]] = {}
    for heard in reversed(scene.heard) if first else scene.heard:
        found.setdefault(heard.class_, {}).setdefault(heard.seat, heard)
    return found


def _askable(scene: Scene, past: Past, first: bool = False) -> dict[str, dict[int, Heard]]:
    """Find the asks for each class that the child has not asked for, by class and seat. A class is
    left out if any of the asks for it is given away."""
    return {
        class_: by
        for class_, by in _askers(scene, first).items()
        if scene.me not in by and not any(_is_given_away(scene, past, one) for one in by.values())
    }


def _is_given_away(scene: Scene, past: Past, heard: Heard) -> bool:
    """Whether the child was told about an ask again, missed it, or sees it in the asker's books."""
    if past.told.door((heard.seq,), ((heard.seat, heard.class_),)):
        return True
    cards = [card for book in scene.observation.books[heard.seat] for card in book or ()]
    return any(heard.class_ in (card, *scene.deck.classes_of[card]) for card in cards)


def _nobody_asked(kind: str, scene: Scene, past: Past, others: tuple[Any, ...]) -> Iterator[Draft]:
    """Draft the questions whose answer is "nobody"; there are none before the first ask."""
    askers = _askers(scene)
    for class_ in scene.open_classes:
        if askers and class_ not in askers and not past.told.nobody(class_):
            yield Draft(
                kind=kind,
                stem=Stem(class_=class_),
                face="seat",
                right=NOBODY,
                difficulty=NEW_HARDNESS,
                wrong=(others,),
                trial="new",
                lures=_last_round(past, class_),
            )


def _last_round(past: Past, class_: str) -> dict[Any, Lure]:
    """The seats that asked for the class in the previous round; a child may mix up the rounds."""
    return {seat: "previous_round" for seat, asked in past.last_round if asked == class_}


# ---- Questions for all the children at a shared tablet; they are no evidence about any one child

EVERY: Final = 5
"""The number of asks between two questions for the table."""


def for_all(observation: Observation, shown: int) -> AskRow | None:
    """Choose an ask whose asker the children have to remember; None if no question is due. An ask
    is suitable if only one player has asked for its class in this round, no book of the class was
    laid, and none of the last `shown` asks, which the children can see, was for this class."""
    rows = asked_rows(observation)
    if observation.over or observation.tide is not None or not rows or len(rows) % EVERY:
        return None
    known = {row.class_ for row in rows[-shown:]} | {one for row in rows for one in row.books}
    askers = {(row.class_, row.asker) for row in rows}
    alone = [
        row
        for row in rows[:-shown]
        if row.class_ not in known and sum(class_ == row.class_ for class_, _ in askers) == 1
    ]
    return Random(observation.seq).choice(alone) if alone else None
