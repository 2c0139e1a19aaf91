"""Recall questions: who asked for it, what did they ask for, has it been asked (docs/learning.md).

The facts are the asks of this round, which everybody heard. An item is *old* if there is something
to remember, *new* if the right answer is "nobody" (or "none", or "no"): without new items, memories
could not be told from false alarms. Lags are counted in asks; the newest ask has lag 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Any, Final

from classroom.learning.drafts import Draft, Lure, Stem
from classroom.learning.scene import Heard, Scene

NOBODY: Final = None  # also "none of these"
Past = Sequence[tuple[int, str]]  # (seat, class) of each ask in the previous round at the table
Drafting = Callable[[Scene, int, int, Past], Iterator[Draft]]


def recall_hardness(lag: int, overlap: bool = False) -> float:
    """Estimate how hard an item is: even odds five asks back, luck apart; overlaps are harder."""
    return 1.1 * log(lag / 5) + (0.6 if overlap else 0.0)


NEW_HARDNESS: Final = 0.0


def _askers(scene: Scene) -> dict[str, dict[int, Heard]]:
    """Find, for each class asked for in this round, each asker's newest ask for it."""
    found: dict[str, dict[int, Heard]] = {}
    for heard in scene.heard:
        found.setdefault(heard.class_, {}).setdefault(heard.seat, heard)
    return found


def who_asked(scene: Scene, low: int, high: int, past: Past = ()) -> Iterator[Draft]:
    """Ask who asked for, say, threes: another seat or nobody; at a table of two also the child."""
    askers = _askers(scene)
    faces = scene.others if len(scene.others) > 1 else (*scene.others, scene.me)
    asked_of = {h.class_: h.target for h in scene.heard}
    for class_ in scene.open_classes:
        by = askers.get(class_, {})
        if len(by) > 1 or not set(by) <= set(faces):
            continue
        lures: dict[Any, Lure] = {seat: "previous_round" for seat, asked in past if asked == class_}
        stem = Stem(class_=class_)
        if not by:
            if not askers:
                return  # before the first ask there is nothing to remember
            yield Draft(
                kind="who_asked",
                stem=stem,
                face="seat",
                right=NOBODY,
                difficulty=NEW_HARDNESS,
                wrong=(faces,),
                trial="new",
                lures=lures,
            )
            continue
        ((seat, heard),) = by.items()
        if low <= heard.ago <= high:
            target = asked_of.get(class_)
            if target is not None:
                lures.setdefault(target, "this_round")
            wrong = tuple(face for face in faces if face != seat)
            yield Draft(
                kind="who_asked",
                stem=stem,
                face="seat",
                right=seat,
                difficulty=recall_hardness(heard.ago),
                wrong=(wrong,),
                keep=(NOBODY,),
                lag_asks=heard.ago,
                fact_seq=heard.seq,
                trial="old",
                lures=lures,
            )


def who_asked_last(scene: Scene, low: int, high: int, past: Past = ()) -> Iterator[Draft]:
    """Ask who was the last of several to ask for, say, threes. The overlap makes it harder."""
    for class_, by in _askers(scene).items():
        newest = min(by.values(), key=lambda heard: heard.ago)
        if len(by) < 2 or newest.seat == scene.me or not low <= newest.ago <= high:
            continue
        rivals = tuple(seat for seat in by if seat != newest.seat)
        rest = tuple(seat for seat in scene.others if seat not in by)
        if len(rivals) + len(rest) < 2:
            continue  # with only two options, luck would decide
        lures: dict[Any, Lure] = dict.fromkeys(rivals, "this_round")
        yield Draft(
            kind="who_asked_last",
            stem=Stem(class_=class_),
            face="seat",
            right=newest.seat,
            difficulty=recall_hardness(newest.ago, True),
            wrong=(rivals, rest),
            lag_asks=newest.ago,
            fact_seq=newest.seq,
            overlap=True,
            lures=lures,
        )


def what_asked(scene: Scene, low: int, high: int, past: Past = ()) -> Iterator[Draft]:
    """Ask what, say, Owl asked for last. Wrong answers: what others asked for, then anything."""
    newest: dict[int, Heard] = {}
    for heard in scene.heard:
        newest.setdefault(heard.seat, heard)
    askers = _askers(scene)
    for seat in scene.others:
        fact = newest.get(seat)
        if fact is None or not low <= fact.ago <= high:
            continue
        mine = {class_ for class_, by in askers.items() if seat in by}
        by_others = tuple(class_ for class_ in askers if class_ not in mine)
        before = tuple(c for s, c in past if s == seat and c not in mine)
        unsaid = tuple(c for c in scene.open_classes if c not in mine)
        overlap = len(askers[fact.class_]) > 1
        lures: dict[Any, Lure] = {
            **dict.fromkeys(before, "previous_round"),
            **dict.fromkeys(by_others, "this_round"),
        }
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


def which_asked(scene: Scene, low: int, high: int, past: Past = ()) -> Iterator[Draft]:
    """Ask which of these someone else has asked for: one of them, or none."""
    askers = _askers(scene)
    fresh = tuple(class_ for class_ in scene.open_classes if class_ not in askers)
    if len(fresh) < 2:
        return
    before = tuple(dict.fromkeys(c for _, c in past if c in fresh))
    lures: dict[Any, Lure] = dict.fromkeys(before, "previous_round")
    wrong = (before[:1], fresh)
    for class_, by in askers.items():
        ago = min(heard.ago for heard in by.values())
        if scene.me in by or class_ not in scene.open_classes or not low <= ago <= high:
            continue
        fact = next(h for h in by.values() if h.ago == ago)
        yield Draft(
            kind="which_asked",
            stem=Stem(),
            face="class",
            right=class_,
            difficulty=recall_hardness(ago),
            wrong=wrong,
            keep=(NOBODY,),
            lag_asks=ago,
            fact_seq=fact.seq,
            overlap=len(by) > 1,
            trial="old",
            lures=lures,
        )
    if askers:
        yield Draft(
            kind="which_asked",
            stem=Stem(),
            face="class",
            right=NOBODY,
            difficulty=NEW_HARDNESS,
            wrong=wrong,
            trial="new",
            lures=lures,
        )


def been_asked(scene: Scene, low: int, high: int, past: Past = ()) -> Iterator[Draft]:
    """Ask the youngest whether anyone else asked for, say, threes; too easy to guess to count."""
    askers = _askers(scene)
    before = {class_ for _, class_ in past}
    for class_ in scene.open_classes:
        by = askers.get(class_, {})
        if scene.me in by:
            continue
        stem = Stem(class_=class_)
        lures: dict[Any, Lure] = {True: "previous_round"} if class_ in before and not by else {}
        if not by:
            if askers:
                yield Draft(
                    kind="been_asked",
                    stem=stem,
                    face="yes_no",
                    right=False,
                    difficulty=NEW_HARDNESS,
                    wrong=((True,),),
                    trial="new",
                    lures=lures,
                )
            continue
        fact = min(by.values(), key=lambda heard: heard.ago)
        if low <= fact.ago <= high:
            yield Draft(
                kind="been_asked",
                stem=stem,
                face="yes_no",
                right=True,
                difficulty=recall_hardness(fact.ago),
                wrong=((False,),),
                lag_asks=fact.ago,
                fact_seq=fact.seq,
                overlap=len(by) > 1,
                trial="old",
            )


REMEMBERING: Final[dict[str, Drafting]] = {
    "who_asked": who_asked,
    "who_asked_last": who_asked_last,
    "what_asked": what_asked,
    "which_asked": which_asked,
    "been_asked": been_asked,
}
