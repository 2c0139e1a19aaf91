"""Recall questions: who asked for it, who was first, what did they ask for, has it been asked.

The facts are what others asked for in this round, which everybody heard (docs/learning.md). The
child's own asks are left out, since children remember these better. So is anything that the child
has been told again or that its page shows. An item is *old* if there is something to remember, and
*new* if the right answer is "nobody" (or "none"): without new items, memories could not be told
from false alarms. Lags are counted in asks; the newest ask has lag 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import log
from random import Random
from typing import Any, Final

from classroom.engine.observation import Observation
from classroom.learning.drafts import Draft, Heard, Lure, Scene, Stem
from classroom.minds.board import NOTHING_KNOWN, AlreadyKnown, AskRow, asked_rows

NOBODY: Final = None  # also "none of these"
BOTH: Final = "both"  # both of the two others
OPTIONS: Final = 4  # options of a recall question; with fewer it is not asked


@dataclass(frozen=True, slots=True)
class Past:
    """What came before a question. `last_round`: (seat, class) of each ask in the previous round at
    the table. `told`: what the child was told in this round. `ages`: seconds since each move, if
    known."""

    last_round: tuple[tuple[int, str], ...] = ()
    told: AlreadyKnown = NOTHING_KNOWN
    ages: Mapping[int, float] = field(default_factory=dict)


NO_PAST: Final = Past()
Drafting = Callable[[Scene, int, int, Past], Iterator[Draft]]


def recall_hardness(lag: float, overlap: bool = False) -> float:
    """Estimate how hard an item is: even odds for an ask five asks ago; overlaps are harder."""
    return 1.1 * log(lag / 5) + (0.6 if overlap else 0.0)


NEW_HARDNESS: Final = 0.0


def who_asked(scene: Scene, low: int, high: int, past: Past) -> Iterator[Draft]:
    """Ask who asked for, say, threes: one of the others, nobody or, if there are two, both."""
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


def who_asked_last(scene: Scene, low: int, high: int, past: Past) -> Iterator[Draft]:
    """Ask who was the last of several to ask for, say, threes."""
    newest = {
        class_: min(by.values(), key=lambda heard: heard.ago)
        for class_, by in _askable(scene, past).items()
        if len(by) > 1
    }
    yield from _one_of_several("who_asked_last", scene, past, newest, low, high)


def who_asked_first(scene: Scene, low: int, high: int, past: Past) -> Iterator[Draft]:
    """Ask who was the first of several to ask for, say, threes."""
    askable = _askable(scene, past)
    oldest = {
        class_: max(by.values(), key=lambda heard: heard.ago)
        for class_, by in _askable(scene, past, first=True).items()
        if len(by) > 1 and class_ in askable
    }
    yield from _one_of_several("who_asked_first", scene, past, oldest, low, high)


def _one_of_several(
    kind: str, scene: Scene, past: Past, facts: Mapping[str, Heard], low: int, high: int
) -> Iterator[Draft]:
    """Ask which of several askers was the last or the first. The overlap makes it harder."""
    if len(scene.others) + 1 < OPTIONS:
        return
    yield from _nobody_asked(kind, scene, past, scene.others)
    askers = _askers(scene)
    for class_, fact in facts.items():
        if not low <= fact.ago <= high:
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
    """Ask what, say, Owl asked for last. Wrong answers: what others asked for in this round, what
    Owl asked for in the round before, then what nobody asked for."""
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
    """Show several classes, and ask which of them another player has asked for: one or none."""
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
    "who_asked_last": who_asked_last,
    "who_asked_first": who_asked_first,
    "what_asked": what_asked,
    "which_asked": which_asked,
}
EARLIER: Final = frozenset({"been_asked"})  # a kind with yes and no as answers; no longer asked


def named_classes(item: Mapping[str, Any]) -> frozenset[str]:
    """The classes that a recall question (as JSON) gives something away about: the one in the
    question or in its answer, or all its options if the answer says which of them was asked for."""
    if item["kind"] == "which_asked":
        return frozenset(option for option in item["options"] if option is not None)
    if item["kind"] == "what_asked":
        return frozenset({item["options"][item["right"]]})
    return frozenset({item["stem"]["class_"]})


# ---- what may be asked about


def _askers(scene: Scene, first: bool = False) -> dict[str, dict[int, Heard]]:
    """For each class asked for in this round, each asker's newest ask for it, or its `first`."""
    found: dict[str, dict[int, Heard]] = {}
    for heard in reversed(scene.heard) if first else scene.heard:
        found.setdefault(heard.class_, {}).setdefault(heard.seat, heard)
    return found


def _askable(scene: Scene, past: Past, first: bool = False) -> dict[str, dict[int, Heard]]:
    """The askers of the classes that only others asked for. A class is left out if the child was
    told any of these asks again, missed it, or can see it on the page."""
    return {
        class_: by
        for class_, by in _askers(scene, first).items()
        if scene.me not in by and not any(_is_given_away(scene, past, one) for one in by.values())
    }


def _is_given_away(scene: Scene, past: Past, heard: Heard) -> bool:
    """Whether an ask has since been told again, was missed, or shows in its asker's books."""
    if past.told.door((heard.seq,), ((heard.seat, heard.class_),)):
        return True
    cards = [card for book in scene.observation.books[heard.seat] for card in book or ()]
    return any(heard.class_ in (card, *scene.deck.classes_of[card]) for card in cards)


def _nobody_asked(kind: str, scene: Scene, past: Past, others: tuple[Any, ...]) -> Iterator[Draft]:
    """Ask who asked for something that nobody asked for, if anything was asked for at all."""
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
    """The seats that asked for the class in the previous round: a child may mix up the rounds."""
    return {seat: "previous_round" for seat, asked in past.last_round if asked == class_}


# ---- Questions at a shared tablet, which are put to everybody and count for nobody

EVERY: Final = 5
"""After how many asks there is a question for the table."""


def for_all(observation: Observation, shown: int) -> AskRow | None:
    """Choose an ask for the whole table to remember now: who made it? None if no ask is suitable.
    Only one player has asked for its class in this round, no book has been made of the class, and
    the last `shown` asks, which the table can see, are not about it."""
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
