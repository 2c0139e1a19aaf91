"""Questions, made from the child's Observation at the moment they are asked.

A question changes nothing in the round, and its answer follows from what the child saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

from classroom.engine.observation import Observation
from classroom.learning.comparing_questions import COMPARING
from classroom.learning.counting_questions import COUNTING
from classroom.learning.drafts import Draft, Face, Lure, Stem, Trial, near, spread
from classroom.learning.ratings import AIM, chance
from classroom.learning.recall_questions import NO_PAST, OPTIONS, REMEMBERING, Past
from classroom.learning.scene import Scene
from classroom.learning.skills import RECALL, SKILLS, Bounds, Skill

PRACTICE: Final = 2  # first questions of each kind; they show how it works and do not count
NEW_SHARE: Final = 0.3  # how often a recall question with the right answer "nobody" is preferred
PAD: Final = 6  # this many numerals or more are shown in order, as on a number pad
WIDE: Final = 0.08  # most that is added at random to a distance from AIM, for variety
_RECALL_COVER: Final = frozenset({"board"})
COVERS: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(REMEMBERING, _RECALL_COVER),
    **dict.fromkeys(
        ("count_class", "count_hand", "give", "left_after_draw"), frozenset({"counts"})
    ),
    **dict.fromkeys(("most_cards", "fewest_cards", "most_books"), frozenset({"counts"})),
    **dict.fromkeys(("flash", "dots_to_numeral", "count_pips"), frozenset({"hand", "numerals"})),
    "numeral_to_dots": frozenset({"hand"}),
    "hear_numeral": frozenset({"numbers"}),
}
"""What a page must hide while a question is open, because it would give the answer away. `board`:
the board and the tags of what was asked; `counts`: the badges with numbers of cards; `hand`: the
child's cards; `numerals`: those on the stem's cards; `numbers`: the stem's, only spoken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question as the child sees it, complete, so that it can be shown again.

    `options`: 2 to 11, as values: numbers, card codes, class codes, seats, True and False; None is
    "nobody", "none of these" or "the same". `face`: what the options look like. `right`: place of
    the one right option. `lag_asks`: 1 is the newest ask. `lag_seconds`: None if unknown.
    `fact_seq`: the move that must be remembered. `lure`: where the most tempting wrong option comes
    from. `seq`: the move after which it was asked. `practice`: one of the first of its kind.
    """

    skill: str
    kind: str
    stem: Stem
    face: Face
    options: tuple[Any, ...]
    right: int
    seq: int
    guess_rate: float
    difficulty: float
    lag_asks: int | None = None
    lag_seconds: float | None = None
    fact_seq: int | None = None
    overlap: bool = False
    lure: Lure | None = None
    trial: Trial | None = None
    practice: bool = False

    @property
    def covers(self) -> frozenset[str]:
        """What the page must hide while the question is open (COVERS)."""
        return COVERS.get(self.kind, frozenset())

    @property
    def answer(self) -> Any:
        """The right option's value."""
        return self.options[self.right]

    def to_json(self) -> dict[str, Any]:
        """Return the question as plain JSON values."""
        plain = asdict(self)
        plain["options"] = list(self.options)
        plain["stem"] = {key: _listed(value) for key, value in plain["stem"].items()}
        return plain

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        """Parse a question: `from_json(q.to_json()) == q`, also by way of JSON text."""
        stem = Stem(**{key: _frozen(value) for key, value in data["stem"].items()})
        return cls(**{**data, "stem": stem, "options": tuple(data["options"])})


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def drafts(
    observation: Observation, skill: Skill, bounds: Bounds, past: Past = NO_PAST
) -> Iterator[Draft]:
    """Yield every question of a skill that could be asked now, before options are chosen."""
    span = bounds.numbers(skill)
    if span is None:
        return
    scene = Scene(observation)
    for kind in skill.kinds:
        if kind in REMEMBERING:
            yield from REMEMBERING[kind](scene, *span, past)
        else:
            yield from (COUNTING.get(kind) or COMPARING[kind])(scene, *span)


def possible(observation: Observation, bounds: Bounds, past: Past = NO_PAST) -> tuple[str, ...]:
    """Return the skills about which a question could be asked now."""
    return tuple(
        key
        for key, skill in SKILLS.items()
        if any(True for _ in drafts(observation, skill, bounds, past))
    )


def make(
    observation: Observation,
    skill_key: str,
    rng: Random,
    bounds: Bounds,
    last_positions: Sequence[int] = (),
    *,
    ability: float | None = None,
    practised: Mapping[str, int] | None = None,
    past: Past = NO_PAST,
    times: Mapping[int, float] | None = None,
    now: float | None = None,
) -> Question | None:
    """Make a question about this skill; returns None if the table allows none now.

    `last_positions`: places of earlier right answers, the newest last; the right answer is never in
    the same place twice running, nor where it would continue a pattern. `ability`: in logits; if
    given, an item near the wanted chance of success is chosen. `practised`: how many of each kind
    were asked before; the first two are easy and marked as practice (None: no practice). `past`:
    what was told in this round, and the asks of the one before. `times`: POSIX seconds of moves.
    """
    found = list(drafts(observation, SKILLS[skill_key], bounds, past))
    for draft in _by_preference(found, rng, bounds, ability, practised):
        made = _arranged(draft, rng, bounds, tuple(last_positions))
        if made is not None:
            options, right = made
            practice = practised is not None and practised.get(draft.kind, 0) < PRACTICE
            return _question(
                draft, skill_key, options, right, observation.seq, practice, times, now
            )
    return None


def _question(
    draft: Draft,
    skill: str,
    options: tuple[Any, ...],
    right: int,
    seq: int,
    practice: bool,
    times: Mapping[int, float] | None,
    now: float | None,
) -> Question:
    heard_at = None if draft.fact_seq is None else (times or {}).get(draft.fact_seq)
    lures = [draft.lures[o] for i, o in enumerate(options) if i != right and o in draft.lures]
    return Question(
        skill=skill,
        kind=draft.kind,
        stem=draft.stem,
        face=draft.face,
        options=options,
        right=right,
        seq=seq,
        guess_rate=1 / len(options),
        difficulty=round(draft.difficulty, 3),
        lag_asks=draft.lag_asks,
        lag_seconds=None if heard_at is None or now is None else round(now - heard_at, 3),
        fact_seq=draft.fact_seq,
        overlap=draft.overlap,
        lure=None if not lures else max(lures, key=lambda lure: lure == "previous_round"),
        trial=draft.trial,
        practice=practice,
    )


def _by_preference(
    found: list[Draft],
    rng: Random,
    bounds: Bounds,
    ability: float | None,
    practised: Mapping[str, int] | None,
) -> list[Draft]:
    """Sort the drafts, best first; the next is used if one has too few options."""
    new_first = rng.random() < NEW_SHARE

    def rank(draft: Draft) -> tuple[bool, bool, float]:
        first_ones = practised is not None and practised.get(draft.kind, 0) < PRACTICE
        off_trial = draft.trial is not None and (draft.trial == "new") != new_first
        if first_ones:
            return False, draft.trial == "new", draft.difficulty
        if ability is None:
            return True, off_trial, rng.random()
        luck = 1 / (len(draft.pad) or bounds.options)
        off = abs(chance(ability, draft.difficulty, luck) - AIM)
        return True, off_trial, off + rng.uniform(0, WIDE)

    rng.shuffle(found)
    return sorted(found, key=rank)


def _arranged(
    draft: Draft, rng: Random, bounds: Bounds, last: tuple[int, ...]
) -> tuple[tuple[Any, ...], int] | None:
    """Order the options; returns them and the right one's place, or None if no order will do."""
    if draft.pad and (draft.face == "tapped" or bounds.options > 3):
        place = draft.pad.index(draft.right)
        return None if len(draft.pad) < 3 or place in last[-1:] else (draft.pad, place)
    wrong = _wrong(draft, rng, bounds)
    size = 1 + len(wrong)
    if size < (OPTIONS if draft.kind in REMEMBERING else 3):
        return None  # with so few options, luck would decide
    if draft.face in ("numeral", "dots") and size >= PAD:
        ordered = tuple(sorted((draft.right, *wrong)))
        place = ordered.index(draft.right)
        return None if place in last[-1:] else (ordered, place)
    place = place_for(size, last, rng)
    return (*wrong[:place], draft.right, *wrong[place:]), place


def _wrong(draft: Draft, rng: Random, bounds: Bounds) -> tuple[Any, ...]:
    count = (OPTIONS if draft.kind in REMEMBERING else max(2, min(bounds.options, 11))) - 1
    if draft.pad:
        return near(draft.right, draft.pad[0], draft.pad[-1], rng, count)
    if draft.wrong:
        wrong = [*draft.keep, *spread(draft.wrong, count - len(draft.keep), rng)]
    else:
        low, high = max(0, bounds.low - 1), max(bounds.high, draft.right) + 1
        wrong = list(near(draft.right, low, high, rng, count))
    rng.shuffle(wrong)
    return tuple(wrong)


def place_for(size: int, last: tuple[int, ...], rng: Random) -> int:
    """Choose a place for the right answer: never the last one again, nor the next in a pattern.

    >>> from random import Random
    >>> {place_for(3, (0, 1, 0), Random(seed)) for seed in range(20)}
    {2}
    """
    free = [place for place in range(size) if place not in last[-1:]]
    plain = [place for place in free if not _continues(last, place)]
    return rng.choice(plain or free)


def _continues(last: tuple[int, ...], place: int) -> bool:
    """Whether a place would continue a pattern of going back and forth or step by step."""
    if len(last) < 3:
        return False
    a, b, c = last[-3:]
    return (a == c and place == b) or (b - a == c - b and place - c == c - b)


def is_recall(question: Question) -> bool:
    """Whether a question tests memory, so that the board must be closed."""
    return question.skill in RECALL
