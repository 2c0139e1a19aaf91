"""Suggestions for tomorrow, made from a class's evidence, and worksheets for one child."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from random import Random
from typing import Final, Literal

from classroom.learning.estimates import Share, takes_less
from classroom.learning.levels import Level, added, together
from classroom.learning.report import Signal
from classroom.learning.skills import AGE_BANDS, SKILLS, STRANDS, Strand
from classroom.learning.tracks import SCALES

# ---- Suggestions
#
# There is at most one suggestion of each sort, except that each strand in which children need help
# has its own suggestion, which names all these children.
#
# Every rule is simple (docs/learning.md has a line for each), and each suggestion carries the
# numbers behind it. A rule without enough evidence gives no suggestion.

Deed = Literal["paper", "things", "open", "play", "focus", "group"]
Why = Literal["behind", "less", "alike", "begun"]

FEWEST: Final = 8  # a suggestion names a child only with this many recent answers in the strand
DAYS: Final = 2  # and only if these answers are from this many days
NEAR: Final = 1.0  # logits; children at most this far apart are at about the same level
CHANCES: Final = 10  # the fewest first chances in play before a child's memory is compared
OTHERS: Final = 3  # the fewest other children with whom a child's memory is compared
GROUP: Final = (2, 4)  # the fewest and the most children at one table
THREE: Final = 3  # the number of children in a teacher's small group
WEEK: Final = 7  # days for which a group chosen by a teacher is kept
CARDS: Final = (5, 10)  # the limits for the highest number on a small group's cards
FOCUS: Final = 3  # the largest number of skills in focus at a time
BEGUN_FROM: Final = 3  # how many levels in a strand must be known to suggest it as a focus
AHEAD: Final = 2  # how far the numbers on a sheet go beyond those that the child can do
FIVE: Final = 5  # children who can add numbers up to this can play Make Ten
TOP: Final = 20  # the greatest number on a sheet

PLAYED: Final[tuple[Strand, ...]] = ("adding", "counting", "comparing", "sorting")
ON_PAPER: Final[tuple[Strand, ...]] = ("counting", "adding")
WITH_THINGS: Final[tuple[Strand, ...]] = ("comparing", "sorting")
GAMES: Final[Mapping[Strand, str]] = {
    "counting": "classic",
    "comparing": "rank_pairs",
    "sorting": "fours",
}
"""The game for each strand except adding, for which the levels decide between two games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildTomorrow:
    """A child in the class, with levels and signals. `answers`: the number of recent answers by
    skill, which only `focus_skills` needs. `chosen`: the strand and the day if a teacher chose the
    child for the small group in the last seven days."""

    child: int
    band: str
    levels: Mapping[Strand, Level]
    answers: Mapping[str, int]
    signals: tuple[Signal, ...] = ()
    chosen: tuple[Strand, int] | None = None

    def known(self, strand: Strand) -> Level | None:
        """Return the level in a strand if it is shown, not stale, and based on enough answers."""
        level = self.levels.get(strand)
        if level is None or level.standing == "none" or level.stale:
            return None
        return level if level.recent >= FEWEST and level.days >= DAYS else None

    def doubtful(self, strand: Strand) -> bool:
        """Whether a level may be wrong because the child guesses fast or leans on help."""
        return any(
            one.trouble == "guessing"
            or (one.trouble == "leaning" and SKILLS[one.skill or ""].strand == strand)
            for one in self.signals
        )


Pair = tuple[ChildTomorrow, Level]
"""A child, and the child's level in the strand in question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One thing to do, with the reason.

    `children`: the children concerned, lowest level first; empty for the whole class. `numbers`:
    the first and the last number to use, None if the deed sets none. `game`: for "play" and
    "group". `skills`: for "focus" and "group". `day`: when a teacher chose the group. `right`, `n`:
    the numbers of right and of all recent answers behind the suggestion. `some`, `all`: for how
    many children `why` is true, and for how many this is known. `others`: the catches of the other
    children, for "open".
    """

    deed: Deed
    why: Why
    strand: Strand
    n: int
    right: int
    some: int
    all: int
    children: tuple[int, ...] = ()
    numbers: tuple[int, int] | None = None
    game: str | None = None
    skills: tuple[str, ...] = ()
    others: Share | None = None
    day: int | None = None


def tomorrow(
    pupils: Iterable[ChildTomorrow],
    focus: Collection[str] = (),
    allowed: Collection[str] = frozenset(SKILLS),
    busy: Collection[int] = (),
) -> tuple[Suggestion, ...]:
    """Suggest what to do, in this order: sheets or real things for each strand, an open board,
    games to play, skills to focus on.

    `focus`: the skills in focus now. `allowed`: the skills that may be asked about. `busy`: the
    children in the teacher's small group, who need no other table. The same evidence always gives
    the same suggestions, in whatever order the children are given."""
    everyone = sorted(pupils, key=lambda one: one.child)
    free = [one for one in everyone if one.child not in busy]
    found = (*_help(everyone), _open(everyone), _play(free), _focus(everyone, focus, allowed))
    return tuple(filter(None, found))


# ---- Paper and things


def _help(pupils: Sequence[ChildTomorrow]) -> Iterator[Suggestion]:
    """Suggest help for all children who are at the start or behind in a strand: sheets for counting
    and adding, with the numbers that these children need, and real things for the other strands."""
    for strand in (*ON_PAPER, *WITH_THINGS):
        found = [
            (pupil, level)
            for pupil, level in _met(pupils, strand)
            if (level.standing == "start" and not level.stale)
            or (level.behind and pupil.known(strand))
        ]
        if found:
            line = _naming("paper" if strand in ON_PAPER else "things", "behind", found, pupils)
            ranges = [sheet_numbers(level.about) for _, level in found]
            numbers = min(low for low, _ in ranges), max(high for _, high in ranges)
            yield replace(line, numbers=numbers) if strand in ON_PAPER else line


def sheet_numbers(about: int) -> tuple[int, int]:
    """Return the first and the last of the four numbers for a child's sheet.

    >>> sheet_numbers(5), sheet_numbers(0)
    ((4, 7), (1, 4))
    """
    high = min(max(about, AHEAD) + AHEAD, TOP)
    return max(1, high - 3), high


# ---- An open board


def _open(pupils: Sequence[ChildTomorrow]) -> Suggestion | None:
    """Suggest an open board, or a game with less to remember, for children who clearly take fewer
    catches in play than the others do with facts of the same age."""
    met = [
        pair
        for pair in _met(pupils, "recall")
        if pair[1].recent >= CHANCES and pair[1].days >= DAYS and not pair[1].stale
    ]
    if len(met) <= OTHERS:
        return None
    found = [pair for pair in met if takes_less(_ages([pair]), _ages(o for o in met if o != pair))]
    if not found:
        return None
    others = together(level for pupil, level in met if (pupil, level) not in found)
    return replace(_naming("open", "less", found, pupils), all=len(met), others=others)


def _ages(some: Iterable[Pair]) -> list[Share]:
    """Return the share of facts that these children took, for each range of lags."""
    found = [one for _, level in some for one in level.evidence]
    return [added([one for one in found if one.range == at]) for at in SCALES["recall"].ranges]


# ---- Play


def _play(pupils: Sequence[ChildTomorrow]) -> Suggestion | None:
    """Suggest that two to four children at about the same level in a strand play a game for it."""
    groups = {strand: _alike(pupils, strand) for strand in PLAYED}
    strand = max(PLAYED, key=lambda one: len(groups[one]))
    found = groups[strand]
    if not found:
        return None
    game, numbers = game_for(strand, [level for _, level in found])
    return replace(_naming("play", "alike", found, pupils), game=game, numbers=numbers)


def _alike(pupils: Sequence[ChildTomorrow], strand: Strand) -> Sequence[Pair]:
    """Find the largest group at about the same level. Among groups of equal size, the closest comes
    first, then the lowest. Children are left out if they are secure, if their level may be wrong,
    or if they are at the start or behind, because they get another suggestion."""
    open_to = [
        (pupil, level)
        for pupil, level in _known(pupils, strand)
        if _open_to(pupil, level) and level.standing != "start" and not level.behind
    ]
    fewest, most = GROUP
    near = [group for size in range(fewest, most + 1) for group in _near(open_to, size)]
    return min(near, key=lambda some: (-len(some), _spread(some), some[0][1].middle), default=[])


def _open_to(pupil: ChildTomorrow, level: Level) -> bool:
    return level.standing != "secure" and not pupil.doubtful(level.strand)


def _near(pairs: Sequence[Pair], size: int) -> list[Sequence[Pair]]:
    """List the groups of `size` neighbouring pairs that are at about the same level."""
    groups = (pairs[first : first + size] for first in range(len(pairs) - size + 1))
    return [group for group in groups if _spread(group) <= NEAR]


def _spread(group: Sequence[Pair]) -> float:
    return group[-1][1].middle - group[0][1].middle


def game_for(strand: Strand, levels: Sequence[Level]) -> tuple[str, tuple[int, int] | None]:
    """Return the game for these children and its range of numbers (None if the game has none). Make
    Ten is chosen only if every child at the table can add up to five."""
    if strand != "adding":
        return GAMES[strand], None
    if min(level.about for level in levels) < FIVE:
        return "make_five", (0, 5)
    return "make_ten", (0, 10)


# ---- A small group with the teacher


def small_group(
    pupils: Iterable[ChildTomorrow], allowed: Collection[str] = frozenset(SKILLS)
) -> Suggestion | None:
    """Suggest a small group with which the teacher plays for ten minutes. A group that the teacher
    chose this week is kept while at least two of its children are left. Otherwise the group has
    three children at about the same level in a strand. The group with the most children at the
    start or behind is chosen; among equal groups the closest, then the lowest.

    Children are left out if they are secure or if their level may be wrong.
    """
    everyone = sorted(pupils, key=lambda one: one.child)
    for strand, day in sorted({one.chosen for one in everyone if one.chosen}):
        left = [pair for pair in _met(everyone, strand) if pair[0].chosen == (strand, day)]
        if len(left) >= GROUP[0] and (line := _taught(left, everyone, allowed)):
            return replace(line, day=day)
    threes = [
        three
        for strand in PLAYED
        for three in _near([pair for pair in _known(everyone, strand) if _open_to(*pair)], THREE)
    ]

    def urgency(three: Sequence[Pair]) -> tuple[int, float, float]:
        in_need = sum(level.standing == "start" or level.behind for _, level in three)
        return -in_need, _spread(three), three[0][1].middle

    lines = (_taught(three, everyone, allowed) for three in sorted(threes, key=urgency))
    return next(filter(None, lines), None)


def _taught(
    found: Sequence[Pair], pupils: Sequence[ChildTomorrow], allowed: Collection[str]
) -> Suggestion | None:
    """Suggest this small group, with a game, its numbers and one skill: the skill that has the
    game's key or, if there is none, the first skill with numbers above the lowest child's level.
    None if no skill in the strand may be asked about."""
    strand, levels = found[0][1].strand, [level for _, level in found]
    bands = {pupil.band for pupil, _ in found}
    asked = _asked(bands, strand, allowed)
    if not asked:
        return None
    game, numbers = game_for(strand, levels)
    if strand in ("counting", "comparing"):
        most = max(sheet_numbers(level.about)[1] for level in levels)
        numbers = 1, min(max(most, CARDS[0]), CARDS[1])
    least = min(level.about for level in levels)
    tops = {key: max((SKILLS[key].range_at(band) or (0, 0))[1] for band in bands) for key in asked}
    skill = game if game in asked else next((key for key in asked if tops[key] > least), asked[-1])
    line = _naming("group", "alike", found, pupils)
    return replace(line, game=game, numbers=numbers, skills=(skill,))


# ---- Focus


def _focus(
    pupils: Sequence[ChildTomorrow], focus: Collection[str], allowed: Collection[str]
) -> Suggestion | None:
    """Suggest the strand in which the largest share of known levels is at the start, if this share
    is at least half. Recall is left out, because it has no norm. None unless half of the children
    have a known level, and half of these have one in every strand already in focus."""
    players = [one for one in pupils if any(one.known(strand) for strand in STRANDS)]
    set_already = {SKILLS[key].strand for key in focus if key in SKILLS}
    if len(players) < max(GROUP[0], len(pupils) / 2) or any(
        2 * len(_known(players, strand)) < len(players) for strand in set_already
    ):
        return None
    bands = {one.band for one in players}
    skills = {one: focus_skills(one, players, bands, allowed) for one in STRANDS}
    known = {
        one: found
        for one in STRANDS
        if skills[one]
        and one not in {*set_already, "recall"}
        and len(found := _known(players, one)) >= BEGUN_FROM
    }
    begun = {one: sum(level.standing == "start" for _, level in known[one]) for one in known}
    strand = max(known, key=lambda one: begun[one] / len(known[one]), default=None)
    if strand is None or 2 * begun[strand] < len(known[strand]):
        return None
    line = _naming("focus", "begun", known[strand], players)
    return replace(line, some=begun[strand], children=(), skills=skills[strand])


def focus_skills(
    strand: Strand,
    pupils: Iterable[ChildTomorrow],
    bands: Collection[str] = AGE_BANDS,
    allowed: Collection[str] = frozenset(SKILLS),
) -> tuple[str, ...]:
    """Return up to three skills of a strand that are asked about at these ages. The skills with the
    fewest answers in the class come first."""
    answers: Counter[str] = Counter()
    for pupil in pupils:
        answers.update(pupil.answers)
    return tuple(sorted(_asked(bands, strand, allowed), key=lambda key: answers[key])[:FOCUS])


def _asked(bands: Collection[str], strand: Strand, allowed: Collection[str]) -> list[str]:
    """List a strand's skills that may be asked about at any of these ages, in catalogue order."""
    return [
        key
        for key, skill in SKILLS.items()
        if skill.strand == strand
        and skill.asked
        and key in allowed
        and any(skill.range_at(band) is not None for band in bands)
    ]


# ---- Shared by all suggestions


def _known(pupils: Sequence[ChildTomorrow], strand: Strand) -> list[Pair]:
    """List the children whose level in a strand is known, lowest level first."""
    return [pair for pair in _met(pupils, strand) if pair[0].known(strand) is not None]


def _met(pupils: Sequence[ChildTomorrow], strand: Strand) -> list[Pair]:
    """List the children with a level in a strand, known or not, lowest level first."""
    found = [(one, level) for one in pupils if (level := one.levels.get(strand)) is not None]
    return sorted(found, key=lambda pair: (pair[1].middle, pair[0].child))


def _naming(
    deed: Deed, why: Why, found: Sequence[Pair], pupils: Sequence[ChildTomorrow]
) -> Suggestion:
    """Make a suggestion for these children. `all` counts all known levels in the strand."""
    strand, shown = found[0][1].strand, together(level for _, level in found)
    return Suggestion(
        deed=deed,
        why=why,
        strand=strand,
        n=shown.n,
        right=shown.right,
        some=len(found),
        all=len(_known(pupils, strand)),
        children=tuple(pupil.child for pupil, _ in found),
    )


# ---- Worksheets for one child: tasks with dots and numbers, all within the child's range
#
# The answers are never on the sheet. The same child and range always give the same sheet.

Picture = Literal["frame", "scattered", "rows"]
Form = Literal["count", "draw", "bond", "fill"]

PICTURES: Final[tuple[Picture, ...]] = ("frame", "scattered", "rows")
TASKS: Final = 6  # the number of tasks in each half of a sheet


@dataclass(frozen=True, slots=True)
class Task:
    """One task. "count": how many dots are there (`whole`, drawn as `picture`)? "draw": draw
    `whole` dots. "bond": `part` and how many make `whole`? "fill": a frame has `whole` places, of
    which `part` are filled; how many are empty?"""

    form: Form
    whole: int
    part: int = 0
    picture: Picture = "frame"


@dataclass(frozen=True, slots=True)
class Worksheet:
    """The two halves of a sheet; each has tasks of one form."""

    strand: Strand
    numbers: tuple[int, int]
    halves: tuple[tuple[Task, ...], tuple[Task, ...]]


def worksheet(strand: Strand, numbers: tuple[int, int], seed: int) -> Worksheet:
    """Make a sheet for counting or adding, with numbers from `numbers[0]` to `numbers[1]`."""
    rng = Random(f"{strand} {numbers} {seed}")
    low, high = numbers
    if strand == "counting":
        wholes = _turns(low, high, rng)
        pictures = cycle(rng.sample(PICTURES, len(PICTURES)))
        first = [Task("count", next(wholes), picture=next(pictures)) for _ in range(TASKS)]
        second = [Task("draw", next(wholes)) for _ in range(TASKS)]
    else:
        wholes = _turns(max(2, low), max(2, high), rng)
        pairs = [(whole, rng.randint(1, whole - 1)) for whole in islice(wholes, 2 * TASKS)]
        first = [Task("bond", *pair) for pair in pairs[:TASKS]]
        second = [Task("fill", *pair) for pair in pairs[TASKS:]]
    return Worksheet(strand, numbers, (tuple(first), tuple(second)))


def _turns(low: int, high: int, rng: Random) -> Iterator[int]:
    """Yield every number in the range in random order, then again in another order, and so on."""
    while True:
        yield from rng.sample(range(low, high + 1), high - low + 1)
