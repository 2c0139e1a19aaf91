"""Questions, which are made from the child's Observation when they are asked. A question changes
nothing in the round, and its answer follows from what the child has seen."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from random import Random
from typing import Any, Final

from classroom.engine.observation import Observation
from classroom.learning.beliefs import AIM, chance
from classroom.learning.drafts import Draft, Item, Lure, Scene, Stem, spread, wrong_numbers
from classroom.learning.number_questions import MAKERS
from classroom.learning.recall_questions import NO_PAST, OPTIONS, REMEMBERING, Past
from classroom.learning.skills import (
    AGE_BANDS,
    SKILLS,
    Bounds,
    Skill,
    answered_by,
    guess_rate,
)

# ---- The order in which possible questions are tried
#
# A practice question is easy. All others are chosen near the intended chance of success, but with
# varied answers: if the easiest number came every time, "always one" would be a good guess.

NEW_SHARE: Final = 0.3  # how often recall questions whose right answer is "nobody" are preferred
ANSWERS: Final = 4  # an item is drawn from items with this many different answers, if possible
WIDE: Final = 0.08  # items whose chance of success is this close to the best are equally good


def _by_preference(
    found: Sequence[Draft],
    ability: float | None,
    practised: Collection[str] | None,
    bounds: Bounds,
    rng: Random,
) -> list[Draft]:
    """Sort the drafts, best first; the caller skips drafts with too few options. `ability`,
    `practised`: as for `make`."""
    # Without old items of the same kind, "nobody" would mostly be the right answer.
    old = {one.kind for one in found if one.trial == "old"}
    mixed = [one for one in found if one.trial != "new" or one.kind in old]
    rng.shuffle(mixed)
    if practised is not None:
        new = [one for one in mixed if answered_by(one.face, _most(one, bounds)) not in practised]
        if new:
            return sorted(new, key=lambda one: (one.trial == "new", one.difficulty))
    unwanted = "old" if rng.random() < NEW_SHARE else "new"
    first = [one for one in mixed if one.trial != unwanted]
    rest = [one for one in mixed if one.trial == unwanted]
    if ability is None:
        return [*_evenly(first, rng), *_evenly(rest, rng)]
    return [*_near_aim(first, ability, bounds, rng), *_near_aim(rest, ability, bounds, rng)]


def _near_aim(found: Sequence[Draft], ability: float, bounds: Bounds, rng: Random) -> list[Draft]:
    """Put items near AIM first, in a random order in which each answer is equally likely to come
    first. If possible, these items have at least ANSWERS different numbers as answers."""

    def off(draft: Draft) -> float:
        luck = guess_rate(draft.kind, draft.face, _most(draft, bounds))
        return abs(chance(ability, draft.difficulty, luck) - AIM)

    best = min(map(off, found), default=0.0)
    near: list[Draft] = []
    far: list[Draft] = []
    answers: set[Hashable] = set()
    for draft in sorted(found, key=off):
        new = draft.number is not None and _answer(draft) not in answers
        wanted = off(draft) <= best + WIDE or (new and len(answers) < ANSWERS)
        (near if wanted else far).append(draft)
        answers |= {_answer(draft)} if wanted else set()
    return [*_evenly(near, rng), *far]


def _evenly(found: Sequence[Draft], rng: Random) -> list[Draft]:
    """Shuffle so that each answer is equally likely to come first, however many items have it."""
    ranks: dict[Hashable, float] = {}
    return sorted(found, key=lambda draft: ranks.setdefault(_answer(draft), rng.random()))


def _answer(draft: Draft) -> Hashable:
    """The right answer if it is a number, otherwise None, so all other answers form one group."""
    return draft.right if draft.face in ("numeral", "dots", "tapped") else None


# ---- From drafts to questions: the options and their order

ADMITTED: Final = {
    "count_class": (0.5, 0.7, 0.7),
    "given": (0.15, 0.5, 0.7),
    "how_many_more": (0.25, 0.35, 0.7),
    "more_for_book": (0.7, 0.7, 0.5),
}
"""The kinds whose answer is mostly one, two or three, each with the probabilities that an item with
these answers is kept. Common answers are kept less often, or "always one" would be a good guess."""
BY_DOTS: Final = ("flash", "count_pips")
"""The kinds that the youngest children answer with dots, because they cannot read numerals yet."""
MOST_DOTS: Final = 20  # the greatest number for which there is a picture of dots
MOST_LOOSE: Final = 10  # the greatest number that is drawn as scattered dots
MOST_NUMERAL: Final = 99
MOST_PICTURES: Final = 4  # the largest number of options, unless they are numerals
COVERS: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(REMEMBERING, frozenset({"board"})),
    **dict.fromkeys(("count_class", "count_hand", "left_after_draw"), frozenset({"counts"})),
    **dict.fromkeys(("count_books", "how_many_more"), frozenset({"counts"})),
    "given": frozenset({"board", "counts"}),
    "mixed": frozenset({"counts", "hand"}),
    "got_more": frozenset({"counts", "hand"}),
    "cards_of_two": frozenset({"counts"}),
    **dict.fromkeys(("most_cards", "fewest_cards", "most_books"), frozenset({"counts"})),
    **dict.fromkeys(("flash", "dots_to_numeral", "count_pips"), frozenset({"hand", "numerals"})),
    "numeral_to_dots": frozenset({"hand"}),
    "hear_numeral": frozenset({"numbers"}),
}
"""The parts of a page that are hidden while a question is open because they would give the answer
away. `board`: the board and the tags of earlier asks. `counts`: the badges with numbers of cards.
`hand`: the child's cards. `numerals`: the numerals on the stem's cards. `numbers`: the stem's
numbers, which are only spoken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Item):
    """One question with all the facts that are needed to show it again.

    `options`: 3 to 15 values: numbers, card codes, class codes or seats (in old rows also True and
    False); "both" is both other seats, and None is "nobody", "none of these" or "the same".
    `right`: the index of the right option. `guess_rate`: how often the best guesser is right
    (skills.py). `lag_seconds`: None if unknown. `lure`: the round that a tempting wrong option
    comes from. `seq`: the move after which the question was asked. `practice`: whether the child
    answers in this way for the first time.
    """

    skill: str
    options: tuple[Any, ...]
    right: int
    seq: int
    guess_rate: float
    lag_seconds: float | None = None
    lure: Lure | None = None
    practice: bool = False

    @property
    def covers(self) -> frozenset[str]:
        return COVERS.get(self.kind, frozenset())

    @property
    def answer(self) -> Any:
        return self.options[self.right]

    def to_json(self) -> dict[str, Any]:
        plain = asdict(self)
        plain["options"] = list(self.options)
        stem = plain["stem"]
        plain["stem"] = {k: list(v) if isinstance(v, tuple) else v for k, v in stem.items()}
        return plain

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        """Parse the result of `to_json`, even if it was stored as text in between."""
        stem: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in data["stem"].items()
        }
        return cls(**{**data, "stem": Stem(**stem), "options": tuple(data["options"])})


def drafts(
    observation: Observation, skill: Skill, bounds: Bounds, past: Past = NO_PAST
) -> Iterator[Draft]:
    """Yield the drafts of all questions about a skill that could be asked now."""
    span = bounds.numbers(skill)
    if span is None:
        return
    scene, youngest = Scene(observation), bounds.band == AGE_BANDS[0]
    for kind in skill.kinds:
        if kind in REMEMBERING:
            yield from REMEMBERING[kind](scene, *span, past)
        elif kind in BY_DOTS and youngest:
            yield from (replace(one, face="dots") for one in MAKERS[kind](scene, *span))
        else:
            yield from MAKERS[kind](scene, *span)


def make(
    observation: Observation,
    skill_key: str,
    rng: Random,
    bounds: Bounds,
    *,
    kinds: Collection[str] | None = None,
    ability: float | None = None,
    practised: Collection[str] | None = None,
    past: Past = NO_PAST,
) -> Question | None:
    """Make a question about this skill; returns None if none is possible now. `kinds`: the kinds
    that are allowed. `ability`: in logits; if given, the chance of success will be near AIM.
    `practised`: the ways of answering that the child has used so far. The first question with a new
    way of answering is easy and marked as practice (None: no practice)."""
    bounds = bounds.of(SKILLS[skill_key])
    found = [
        draft
        for draft in drafts(observation, SKILLS[skill_key], bounds, past)
        if kinds is None or draft.kind in kinds
    ]
    for draft in _by_preference(_evened(found, rng), ability, practised, bounds, rng):
        made = _arranged(draft, rng, bounds)
        if made is None:
            continue
        options, right = made
        age = None if draft.fact_seq is None else past.ages.get(draft.fact_seq)
        lures = [draft.lures[o] for i, o in enumerate(options) if i != right and o in draft.lures]
        same = {one.name: getattr(draft, one.name) for one in fields(Item)}
        way = answered_by(draft.face, len(options))
        return Question(
            **same | {"difficulty": round(draft.difficulty, 3)},
            skill=skill_key,
            options=options,
            right=right,
            seq=observation.seq,
            guess_rate=guess_rate(draft.kind, draft.face, len(options)),
            lag_seconds=None if age is None else round(age, 3),
            lure=max(lures, key=lambda lure: lure == "previous_round", default=None),
            practice=practised is not None and way not in practised,
        )
    return None


def _evened(found: list[Draft], rng: Random) -> list[Draft]:
    """Drop items with answers 1 to 3 at random; each is kept with its probability in ADMITTED."""
    lot = {kind: rng.random() for kind in ADMITTED}
    return [
        one
        for one in found
        if one.kind not in ADMITTED
        or one.right > 3
        or lot[one.kind] < ADMITTED[one.kind][one.right - 1]
    ]


def _most(draft: Draft, bounds: Bounds) -> int:
    """Return how many options a draft will have if it has enough wrong answers."""
    if _on_pad(draft, bounds):
        return len(draft.pad)
    if draft.kind in REMEMBERING:
        return OPTIONS
    return min(bounds.options, 11 if draft.face == "numeral" else MOST_PICTURES)


def _on_pad(draft: Draft, bounds: Bounds) -> bool:
    """Whether the whole pad is offered. With up to three options, only `tapped` drafts have one."""
    return bool(draft.pad) and (draft.face == "tapped" or bounds.options > 3)


def _arranged(draft: Draft, rng: Random, bounds: Bounds) -> tuple[tuple[Any, ...], int] | None:
    """Order the options. Returns them and the index of the right one, or None if they are too few.
    Unless numbers are in order, each index is equally likely, so that no pattern helps guessers."""
    if _on_pad(draft, bounds):
        return draft.pad, draft.pad.index(draft.right)
    wrong = _wrong(draft, rng, bounds)
    size = 1 + len(wrong)
    if size < (OPTIONS if draft.kind in REMEMBERING else 3):
        return None  # with so few options, luck would decide
    if answered_by(draft.face, size) == "pad":
        ordered = tuple(sorted((draft.right, *wrong)))
        return ordered, ordered.index(draft.right)
    place = rng.randrange(size)
    return (*wrong[:place], draft.right, *wrong[place:]), place


def _wrong(draft: Draft, rng: Random, bounds: Bounds) -> tuple[Any, ...]:
    count = max(1, _most(draft, bounds) - 1)
    if draft.wrong:
        wrong = [*draft.keep, *spread(draft.wrong, count - len(draft.keep), rng)]
    else:
        low, high = draft.least, MOST_NUMERAL
        if draft.pad:
            # The pad's last number is a poor wrong answer: it is seldom right.
            low, high = draft.pad[0], max(draft.right, draft.pad[-1] - 1)
        elif draft.face == "dots":
            high = MOST_LOOSE if draft.kind in BY_DOTS else MOST_DOTS
        wrong = list(wrong_numbers(draft.right, low, high, rng, count, draft.errors))
    rng.shuffle(wrong)
    return tuple(wrong)
