"""Decides whether to ask a question now, and which one, from history, settings and chance alone. A
child should get 75 to 80 % of the questions right. Most questions are about a few skills in focus
until these have enough answers. Each skill returns after 1, 7 and 28 days (docs/learning.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final, Literal

from classroom.engine.events import Fished, Gave, LaidBook, LaidFaceDown
from classroom.engine.observation import Observation
from classroom.learning.history import History
from classroom.learning.questions import Question, make
from classroom.learning.recall_questions import NO_PAST, Past
from classroom.learning.skills import SKILL_OF, SKILLS, Bounds, Strand

Frequency = Literal["off", "rarely", "sometimes", "every_turn"]
Moment = Literal["turn", "caught", "waiting", "end"]

PACE: Final[dict[Frequency, tuple[int, float]]] = {
    "rarely": (4, 1 / 5),  # in one of five turns, from the fourth on; every eighth turn on average
    "sometimes": (2, 1 / 2),  # every third turn on average
    "every_turn": (1, 1.0),
}
DUE_WEIGHT: Final = 4.0  # the weight of a skill that is due
NEW_WEIGHT: Final = 2.0  # the weight of a skill that the child was never asked about
RECALL_WEIGHT: Final = 2.0  # the factor for recall skills, because there are few of them
LOOKS: Final = 8  # how many skills are tried, at most, before the best item so far is used
NEAR: Final = 0.08  # an item is good enough if its chance of success is this close to AIM
KIND, EASY = 0.6, 0.9  # an item in focus is good enough with a chance of success between these
NEW_A_DAY: Final = 3  # after this many new skills in one day, another new skill is unlikely
FOCUS_SHARE: Final = 0.75  # the share of chosen questions that are about skills in focus
FOCUS_ANSWERS: Final = 10  # a skill leaves the focus after this many answers without help
FOCUS_SKILLS: Final = 3  # how many skills the program puts into focus, each from another strand
FOCUS_STRANDS: Final = ("counting", "adding", "recall", "comparing", "sorting")
FOCUS_FIRST: Final = ("how_many", "give_n", "take_away", "add_books", "who_asked", "what_asked")
"""The strands and some skills in the order in which the program puts them into focus. The skills
that say most about their strand come first."""
END_KINDS: Final = ("books_of_all", "books_of_three", "points_of_two", "count_books")
NATURAL: Final = (
    "given",
    "count_hand",
    "give",
    "more_for_book",
    "got_more",
    "cards_of_two",
    "left_after_draw",
    "books_of_all",
    "books_of_three",
    "most_cards",
    "fewest_cards",
    "how_many_more",
    "most_books",
    "belongs",
    "count_kind",
)
"""The kinds that fit into the game: about numbers of cards (given, held, left or missing), about
who has more, and about cards that belong together."""
MORE: Final = {
    **dict.fromkeys(("most_cards", "fewest_cards", "how_many_more"), (Gave, Fished)),
    "most_books": (LaidBook, LaidFaceDown),
}
"""The kinds about who has more, each with the events after which it is asked."""
OWN: Final = ("belongs", "count_kind")
"""The kinds about the child's hand, which are asked when the child gets a new card."""
AFTER_BOOK: Final = "books_missing"
"""The kind of question for the next child after a book is laid in a game against the pond."""
AGAIN: Final = 0.5  # the factor for a question if the last question was about the same skill
LESS: Final[Mapping[Strand, float]] = {"comparing": 0.025, "sorting": 0.025}
"""Factors for NATURAL questions of a strand. Without them, strands about which little is known
would get most of the questions, and counting and adding too few."""
CROWDED: Final = 1 / 3  # ALIKE applies to a skill above this share of its strand's answers
ALIKE: Final = 0.4  # the factor for a skill with only one kind of question
SAYS: Final[Mapping[Strand, float]] = {"counting": 0.13, "adding": 0.105}
"""The information that an answer usually gives about the level in a strand (Fisher's information).
It is lower in adding, where guesses are right more often: "how many more make the book" has only
three different answers."""
BEFORE: Final = 0.2  # the information about a level before any answer (Fisher's information)
NATURAL_PACE: Final[dict[Frequency, float]] = {
    "rarely": 0.05,
    "sometimes": 0.55,
    "every_turn": 0.55,
}
"""How often a question of a NATURAL kind is asked when one is possible, as in most turns."""
BOOK_PACE: Final[dict[Frequency, float]] = {"rarely": 0.1, "sometimes": 1.0, "every_turn": 1.0}
"""How often a question of the kind AFTER_BOOK is asked when a book is laid; at most once a turn."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The settings made by parent and teacher: how often to ask, and within which bounds. `focus`:
    the keys of the skills that the teacher wants in focus; if it is empty, the program chooses."""

    frequency: Frequency
    bounds: Bounds
    focus: frozenset[str] = frozenset()


def is_due(frequency: Frequency, turns_since: int, rng: Random, moment: Moment = "turn") -> bool:
    """Whether to ask now. `turns_since`: the child's turns since the last question, including the
    current turn; below 1 the answer is no, so no turn gets two questions. Except for "every_turn",
    the result is random, so that a child cannot foresee questions. At the end of a round the caller
    passes at least 1, and the answer is yes unless questions are off."""
    if frequency == "off" or turns_since < 1:
        return False
    first_turn, share = PACE[frequency]
    return moment == "end" or (turns_since >= first_turn and rng.random() < share)


def in_focus(history: History, asking: Asking, day: int) -> frozenset[str]:
    """Return the skills that most questions are about: the teacher's choice, until each chosen
    skill has enough answers. After that, or without a choice, the program uses one skill from
    each of the three strands with the fewest answers. A skill that was begun stays in focus until
    it has enough answers."""
    skills = [key for key in SKILLS if asking.bounds.numbers(SKILLS[key]) and SKILLS[key].asked]
    chosen = [key for key in skills if key in asking.focus and not _enough(history, key)]
    if chosen:
        return frozenset(chosen)
    best: dict[str, str] = {}
    answers: Counter[str] = Counter()
    for key in sorted(skills, key=lambda key: _focus_rank(history, key, day)):
        strand = SKILLS[key].strand
        best.setdefault(strand, key)
        answers[strand] += history.standing(key).own.answers
    strands = sorted(best, key=lambda a: (answers[a] // FOCUS_ANSWERS, FOCUS_STRANDS.index(a)))
    return frozenset(best[strand] for strand in strands[:FOCUS_SKILLS])


def _focus_rank(history: History, key: str, day: int) -> tuple[bool, int, bool, int]:
    """Return the sort key of a skill for the focus: first skills without enough answers, from most
    to fewest answers, then the others, from fewest to most. In a tie, due skills come first."""
    one, enough = history.standing(key), _enough(history, key)
    answers = one.own.answers
    due = day >= one.due or one.day == day
    place = FOCUS_FIRST.index(key) if key in FOCUS_FIRST else len(FOCUS_FIRST)
    return enough, answers if enough else -answers, not due, place


def _enough(history: History, skill: str) -> bool:
    return history.standing(skill).own.answers >= FOCUS_ANSWERS


def weights(
    history: History, skills: Sequence[str], day: int, focus: Collection[str] = ()
) -> dict[str, float]:
    """Return each skill's weight in the draw of the next question. A skill with weight 0 is used
    only if no other skill is possible."""
    begun = sum(one.day == day and one.asked == one.today for one in history.standings.values())
    found: dict[str, float] = {}
    for skill in skills:
        standing = history.standing(skill)
        today = standing.today if standing.day == day else 0
        if standing.asked == 0:
            weight = NEW_WEIGHT if begun < NEW_A_DAY else 0.1
        else:
            weight = DUE_WEIGHT if day >= standing.due and not today else 1.0
        factor = RECALL_WEIGHT if SKILLS[skill].strand == "recall" else 1.0
        found[skill] = weight * factor / (1 + today)
    scaled: dict[str, float] = {}
    for inside, share in ((True, FOCUS_SHARE), (False, 1 - FOCUS_SHARE)):
        group = {skill: weight for skill, weight in found.items() if (skill in focus) == inside}
        if len(group) > 1 and history.last_skill in group:
            group[history.last_skill] = 0.0  # if possible, not the same skill twice in a row
        total = sum(group.values())
        scaled |= {
            skill: share * weight / total if total else 0.0 for skill, weight in group.items()
        }
    return scaled


def next_question(
    observation: Observation,
    history: History,
    asking: Asking,
    day: int,
    rng: Random,
    *,
    moment: Moment = "turn",
    past: Past = NO_PAST,
) -> Question | None:
    """Choose the question to ask now, or None if none is possible; `is_due` says whether to ask.

    A skill is drawn by weight. If it has no item near the intended chance of success, other skills
    are tried, and the item nearest to this chance is used. For a skill in focus, any item that is
    neither too hard nor too easy is good enough. At the end of a round the question is about the
    books, if allowed.
    """
    asking = _grown(history, asking)
    practised = history.practised
    ask = partial(make, observation, rng=rng, bounds=asking.bounds, practised=practised, past=past)
    if moment == "end" and (question := _of_kinds(END_KINDS, history, asking.bounds, ask, rng)):
        return question
    return choose(history, asking, day, ask, rng)


def choose(
    history: History, asking: Asking, day: int, ask: Callable[..., Question | None], rng: Random
) -> Question | None:
    """Draw skills by weight until one has an item near the intended chance of success. `ask`:
    called with a skill and the child's `ability`; returns a question or None."""
    focus = in_focus(history, asking, day)
    left = weights(history, sorted(asking.bounds.skills), day, focus)
    nearest: Question | None = None
    for looked_at in range(len(left)):
        keys = sorted(left)
        if any(left.values()):
            (skill,) = rng.choices(keys, [left[key] for key in keys])
        else:  # a skill of weight 0 is drawn only if no other is left
            skill = rng.choice(keys)
        if nearest is not None and (looked_at >= LOOKS or left[skill] == 0.0):
            break
        del left[skill]
        question = ask(skill, ability=history.aimed(skill))
        if question is None:
            continue
        kind = skill in focus and KIND <= history.expected(question) <= EASY
        enough = kind or question.practice or history.off(question) <= NEAR
        if enough or nearest is None or history.off(question) < history.off(nearest):
            nearest = question
        if enough:
            break
    if nearest is None or nearest.practice:
        return nearest
    # Draw the item again: if the easiest item always won, its answer could be guessed.
    return ask(nearest.skill, ability=history.aimed(nearest.skill)) or nearest


def natural_question(
    observation: Observation,
    history: History,
    asking: Asking,
    rng: Random,
    *,
    after_book: bool = False,
) -> Question | None:
    """Return a question that fits into the game at this moment (NATURAL), or None. `after_book`:
    ask about the missing books instead (AFTER_BOOK). Returns None when the round is over."""
    if observation.over:
        return None
    asking = _grown(history, asking)
    ask = partial(make, observation, rng=rng, bounds=asking.bounds, practised=history.practised)
    kinds = [AFTER_BOOK] if after_book else _fitting(observation)
    return _of_kinds(kinds, history, asking.bounds, ask, rng)


def _fitting(table: Observation) -> list[str]:
    newest = [item.event for item in table.history if item.seq == table.seq]
    sorts = any(
        (isinstance(one, Gave) and one.taker == table.viewer)
        or (isinstance(one, Fished) and one.seat == table.viewer)
        for one in newest
    )
    looks = {kind for kind, to in MORE.items() if any(isinstance(one, to) for one in newest)}
    unfit = {*MORE} - looks | (set() if sorts else {*OWN})
    return [kind for kind in NATURAL if kind not in unfit]


def _grown(history: History, asking: Asking) -> Asking:
    """Allow a later age's numbers in strands where the child can do its own age's numbers."""
    return replace(asking, bounds=replace(asking.bounds, reach=history.reach(asking.bounds.band)))


def _of_kinds(
    kinds: Sequence[str],
    history: History,
    bounds: Bounds,
    ask: Callable[..., Question | None],
    rng: Random,
) -> Question | None:
    """Return a question of one of these kinds, or None. Questions that are too hard or too easy are
    left out if there are others. Of the rest, the question whose answer will say most about the
    level in its strand is returned."""
    found = []
    for kind in rng.sample(kinds, len(kinds)):
        skill = SKILL_OF[kind]
        if skill in bounds.skills and (
            question := ask(skill, kinds=(kind,), ability=history.aimed(skill))
        ):
            found.append(question)
    telling = [one for one in found if one.practice or KIND <= history.expected(one) <= EASY]
    return max(telling or found, key=partial(_worth, history), default=None)


def _worth(history: History, question: Question) -> float:
    """Estimate how much the answer will narrow down the level in the strand. An answer is worth
    more if less is known about the strand. LESS, AGAIN and ALIKE make some questions rarer."""
    ability, strand = history.ability(question.skill), SKILLS[question.skill].strand
    answers = ability.general.answers
    known = BEFORE + answers * SAYS.get(strand, min(SAYS.values()))
    share = LESS.get(strand, 1.0)
    if question.skill == history.last_skill:
        share *= AGAIN
    alike = len(SKILLS[question.skill].kinds) == 1
    if alike and ability.own.answers > CROWDED * answers:
        share *= ALIKE
    return share * history.information(question) / known**2
