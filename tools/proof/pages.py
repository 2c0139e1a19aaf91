"""What pages say of children whom the estimator does not assume, looked at once a week.

Nothing here is drawn from the formula of the levels alone: there are children with other
difficulties, careless and tired ones, children whose days differ, with one weak strand, who come
late or seldom, and who guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from random import Random
from typing import Final, NamedTuple

from classroom.learning.evidence import Evidence
from classroom.learning.levels import CAN, LINE, Level
from classroom.learning.questions import Question
from classroom.learning.report import Report, at_home, of_stored
from classroom.learning.skills import AGE_BANDS, SKILLS, STRANDS, Strand
from classroom.learning.tracks import SCALES, Track, counts, followed
from tools.proof.bank import bank
from tools.proof.children import SCHOOL_DAYS, Knows, Sitting, right_by
from tools.proof.lines import Measurement, Seeded, per_cent, slack

WEEKS: Final = 20
A_ROUND: Final[dict[Strand | None, int]] = {"counting": 3, "adding": 3, None: 2}
"""Questions of a round, by strand; None: about anything. At real tables it is much the same."""
LOW, HIGH = -2.0, 3.0  # logits; between these the children's levels lie
WITHIN: Final = 0.5  # logits; how much the strands of one child differ (standard deviation)
FALSE: Final = 0.05  # most red and green levels that may be false
GROWN: Final = 0.1  # share of unchanged children who may be said to have grown in 20 weeks
HOLDS: Final = 0.92  # a range that is told should hold the truth so often
HIGH_SPREAD: Final = 0.6  # logits; how far levels lie from the truth (standard deviation)
CELLS: Final = 100  # fewest levels of a colour before a share of them says something


class Child(NamedTuple):
    """One simulated child: its age, its level in each strand, and how it answers."""

    band: str
    levels: dict[Strand, float]
    knows: Knows


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of children. `first`: the week in which they come; `rounds`: a week; `offset`: logits
    that one question of some kind is harder than assumed (standard deviation)."""

    name: str
    offset: float = 0.0
    slips: float = 0.0
    taps: float = 0.0
    tires: float = 0.0
    moods: float = 0.0
    weak: float = 0.0
    first: int = 0
    rounds: int = 3

    def child(self, number: int, rng: Random) -> Child:
        """Draw a child; ages take turns."""
        able = rng.uniform(LOW, HIGH)
        levels = {strand: able + rng.gauss(0, WITHIN) for strand in STRANDS}
        levels["adding"] -= self.weak
        harder: dict[str, float] = {}
        days: dict[int, float] = {}

        def right(question: Question, day: int, nth: int, rng: Random) -> bool:
            level = levels[SKILLS[question.skill].strand] - self.tires * nth
            level += days.setdefault(day, rng.gauss(0, self.moods)) if self.moods else 0.0
            if self.offset:
                level -= harder.setdefault(question.kind, rng.gauss(0, self.offset))
            return right_by(question, level, rng, slips=self.slips, taps=self.taps)

        return Child(AGE_BANDS[number % len(AGE_BANDS)], levels, right)


KINDS: Final = (
    Kind("as assumed", slips=0.03),
    Kind("who never slip"),
    Kind("for whom kinds are 0.5 logits harder or easier", offset=0.5, slips=0.03),
    Kind("who tap anywhere in one answer of ten", taps=0.1),
    Kind("who tire and whose days differ", tires=0.15, moods=0.5, slips=0.03),
    Kind("who are weak in adding", weak=2.0, slips=0.03),
    Kind("who come in week four", first=3, slips=0.03),
    Kind("who play once a week", rounds=1, slips=0.03),
)


class Look(NamedTuple):
    """What was said of one child in a week, from all its answers so far."""

    kind: Kind
    number: int
    week: int
    child: Child
    report: Report
    rows: tuple[Evidence, ...]


def looks(kind: Kind, number: int, weeks: int, rng: Random) -> Iterator[Look]:
    """Look at a child at the end of each week."""
    child = kind.child(number, rng)
    tables = [(Sitting(bank(child.band, of), child.knows, rng), n) for of, n in A_ROUND.items()]
    tracks: dict[Strand, Track] = {}
    rows: list[Evidence] = []
    for week in range(kind.first, weeks):
        for day in SCHOOL_DAYS[: kind.rounds]:
            for sitting, n in tables:
                for row in sitting.answers(7 * week + day, n):
                    tracks |= followed(tracks, row)
                    rows.append(row)
        report = of_stored(tracks.values(), (), 7 * week + 6, child.band)
        yield Look(kind, number, week + 1, child, report, tuple(rows))


def every_look(children: int, rng: Seeded, kinds: Sequence[Kind] = KINDS) -> list[Look]:
    """Look at this many children of each kind."""
    return [
        look
        for kind in kinds
        for number in range(children)
        for look in looks(kind, number, WEEKS, rng(f"page {kind.name} {number}"))
    ]


# ---- colours


def truly(child: Child, strand: Strand) -> str:
    """Where the child truly stands for its age."""
    scale, age = SCALES[strand], AGE_BANDS.index(child.band)
    level = child.levels[strand]
    if level < scale.steps[scale.least[age] - 1] + log(LINE / (1 - LINE)):
        return "start"
    if level >= scale.steps[scale.expected[age] - 1] + log(CAN / (1 - CAN)):
        return "secure"
    return "partly"


def colour_lines(found: Sequence[Look]) -> Iterator[Measurement]:
    """Check that red and green are hardly ever false, in any week, strand and age and for any kind
    of children, and say how many levels have a colour."""
    cells = [
        (look, strand, level.standing, truly(look.child, strand))
        for look in found
        for strand, level in look.report.levels.items()
        if strand != "recall" and level.standing != "none"
    ]
    for colour, name in (("start", "red"), ("secure", "green"), ("partly", "yellow")):
        of: Counter[str] = Counter()
        false: Counter[str] = Counter()
        lone: dict[str, set[tuple[str, int, Strand]]] = {}  # looks at one level are not independent
        for look, strand, said, true in cells:
            if said == colour:
                week = next(w for w in (1, 2, 3, 6, 12, 20) if look.week <= w)
                for group in (
                    "all", f"to week {week}", strand, f"age {look.child.band}", look.kind.name
                ):  # fmt: skip
                    of[group] += 1
                    lone.setdefault(group, set()).add((look.kind.name, look.number, strand))
                    false[group] += said != true
        large = [group for group in of if of[group] >= CELLS] or ["all"]
        worst = max(large, key=lambda group: false[group] / max(of[group], 1))
        text = (
            f"{per_cent(false['all'], of['all'])} of {of['all']}, "
            f"most {per_cent(false[worst], of[worst])} of {of[worst]} ({worst})"
        )
        most = FALSE + slack(FALSE, len(lone.get(worst, ())))
        held = false[worst] / max(of[worst], 1) <= most or colour == "partly"
        wanted = "-" if colour == "partly" else f"<= {100 * FALSE:.0f} % in each week, strand, age"
        yield Measurement(f"{name} levels that are false", text, wanted, held)
    for week in (1, 2, 3, 6, 12):
        here = [one for one in cells if one[0].week == week]
        some = sum(said in ("start", "partly", "secure") for _, _, said, _ in here)
        yield Measurement(
            f"levels with a colour, week {week}", f"{per_cent(some, len(here))} of {len(here)}", "-"
        )


# ---- sentences


def told_lines(found: Sequence[Look]) -> Iterator[Measurement]:
    """Check what a page says in words: about how far, and between what."""
    said = [
        (look, strand, level)
        for look in found
        for strand, level in look.report.levels.items()
        if strand != "recall" and level.about
    ]
    for kind in dict.fromkeys(look.kind for look in found):
        mine = [one for one in said if one[0].kind == kind and one[0].week in (3, 6, 12)]
        held = sum(low <= _true(*one) <= high for one in mine for low, high in [one[2].between])
        n, lone = max(len(mine), 1), len({(look.number, strand) for look, strand, _ in mine})
        yield Measurement(
            f"children {kind.name}: “between 5 and 10” holds the truth, weeks 3, 6 and 12",
            f"{per_cent(held, n)} of {n}",
            f">= {100 * HOLDS:.0f} %",
            held / n >= HOLDS - slack(HOLDS, lone),
        )
    yield from _middle_lines(said)
    bad = sum(not _fits(*one) for one in said)
    yield Measurement(
        "“about 7” above the last number that was right, or below a range with 3 of 4 right",
        f"{bad} of {len(said)}", "0", bad == 0,
    )  # fmt: skip
    apart = sum(not _one_strand(look) for look in found)
    yield Measurement(
        "the sentences for a family are not about one strand, or do not fit",
        f"{apart} of {len(found)}", "0", apart == 0,
    )  # fmt: skip


def _middle_lines(said: Sequence[tuple[Look, Strand, Level]]) -> Iterator[Measurement]:
    """Whether “about 7” lies in the middle, and how high it is for able children."""
    here = [one for one in said if one[0].kind.name == "as assumed" and one[0].week in (3, 6)]
    below = sum(level.about < _true(look, strand, level) for look, strand, level in here)
    above = sum(level.about > _true(look, strand, level) for look, strand, level in here)
    n = max(len(here), 1)
    yield Measurement(
        "“about 7” is below and above the truth, weeks 3 and 6",
        f"below {per_cent(below, n)}, above {per_cent(above, n)} of {n}",
        "neither over 60 %",
        max(below, above) <= 0.6 * n,
    )
    careful = [
        level.middle - look.child.levels[strand]
        for look, strand, level in said
        if look.kind.name == "who never slip" and look.week in (3, 6, 12)
        and look.child.levels[strand] >= 1 and strand in ("counting", "adding")
    ]  # fmt: skip
    high = sum(careful) / max(len(careful), 1)
    error = 1.645 * HIGH_SPREAD / max(len(careful) / 6, 1) ** 0.5  # six looks at each child
    yield Measurement(
        "able children who never slip: shown too high by",
        f"{high:+.2f} logits ({len(careful)} looks)", "<= 0.3", high - error <= 0.3,
    )  # fmt: skip


def _true(look: Look, strand: Strand, level: Level) -> int:
    """The last step that the child can truly do."""
    return max(1, SCALES[strand].step_at(look.child.levels[strand] - log(CAN / (1 - CAN))))


def _fits(look: Look, strand: Strand, level: Level) -> bool:
    """Whether the words agree with the counts beside them, by the answers themselves."""
    scale = SCALES[strand]
    mine = [row for row in look.rows if SKILLS[row.skill].strand == strand and counts(row)]
    right = [scale.place(row) for row in mine if row.right]
    clear = [
        scale.last_step(scale.ranges.index(one.range))
        for one in level.evidence
        if one.n >= 8 and 4 * one.right >= 3 * one.n
    ]
    return level.about <= max(right, default=0) and (
        level.about >= min(max(clear, default=0), max(right, default=0))
        or level.about >= max(scale.place(row) for row in mine[-40:] if row.right)
    )


def _one_strand(look: Look) -> bool:
    told = at_home(look.report.levels)
    return told.level is None or (
        told.next.strand == told.level.strand and told.next.first == told.level.about + 1
    )


# ---- growth


def steady_lines(found: Sequence[Look]) -> Iterator[Measurement]:
    """Check that growth, and a fall, is hardly ever told of children who do not change."""
    for kind in (None, *dict.fromkeys(look.kind for look in found)):
        mine = [look for look in found if kind in (None, look.kind)]
        children = len({(look.kind, look.number) for look in mine})
        grown, fell = (
            len({
                (look.kind, look.number)
                for look in mine
                for one in look.report.growth.values()
                if one is not None and (one.seen if up else one.fallen)
            })
            for up in (True, False)
        )  # fmt: skip
        who = kind.name if kind else "(all)"
        yield Measurement(
            f"unchanging children {who}: growth told in any strand at any of {WEEKS} weeks",
            f"{per_cent(grown, children)} of {children} (a fall: {per_cent(fell, children)})",
            f"<= {100 * GROWN:.0f} %",
            grown / children <= GROWN + slack(GROWN, children),
        )


def page_lines(children: int, rng: Seeded) -> Iterator[Measurement]:
    """All that pages say about these children."""
    found = every_look(children, rng)
    yield from colour_lines(found)
    yield from told_lines(found)
    yield from steady_lines(found)
