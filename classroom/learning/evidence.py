"""Evidence of a skill: a row for each answer or ask. A row does not name the child; the database
table does. Every estimate can be computed again from the rows alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from classroom.learning.questions import Question
from classroom.learning.skills import IN_PLAY, RECALL

Source = Literal["question", "play", "moment"]
How = Literal["alone", "aided", "practice", "skipped"]

FREE_STEPS: Final = 1  # hint step 1 only repeats the question, which is no help
UNTOLD: Final = frozenset({"off", "closed"})  # values of `board` for a fact that was not told
WEAK: Final = 0.5  # items that a guesser gets right this often are left out of shares


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One first answer, or one ask, with its circumstances.

    `source`: a question, an ask in play, or an ask in a moment that was dealt to the class. `item`:
    the question as shown or, for an ask, the fact that the child could know; JSON. `options`: the
    choices. `first_answer`, `later_answers`: indexes into `options`; None if not answered. `right`:
    whether the first answer was right. `board`: the door (minds/board.py) by which the child had
    been told the fact; off or closed if the child was not told. `hint_step`: 0 (none) to 5.
    `aided`: whether there was so much help that the answer does not show what the child can
    do unaided. `lag_asks`: how many asks ago the fact was heard, from 1; None if nothing had to be
    remembered. `lag_seconds`: None if unknown. `overlap`: whether several seats asked for the class
    or, in play, must have it. `lure`: the source of a wrong option: this_round or previous_round.
    `at`: POSIX seconds. `day`: the number of the local day. `guess_rate`: the probability of being
    right by luck. `at_home`: whether the item was shown at home and not in a lesson.
    """

    skill: str
    source: Source
    item: Mapping[str, Any]
    options: tuple[Any, ...]
    first_answer: int | None
    later_answers: tuple[int, ...]
    right: bool
    latency_ms: int | None
    aided: bool
    board: str
    hint_step: int
    lag_asks: int | None
    lag_seconds: float | None
    overlap: bool
    lure: str | None
    at: float
    day: int
    round_id: int | None
    seq: int | None
    guess_rate: float
    at_home: bool = False

    @property
    def kind(self) -> str:
        """The kind of question. Asks in play have "certain"; some old rows have "hopeless"."""
        return str(self.item.get("kind", ""))

    @property
    def difficulty(self) -> float:
        """How hard the item was expected to be, in logits."""
        return float(self.item.get("difficulty", 0.0))

    @property
    def trial(self) -> str | None:
        """Whether there was an ask to remember ("old") or none ("new"); None for other items."""
        return self.item.get("trial")

    @property
    def weak(self) -> bool:
        """Whether a guesser gets the item right half the time or more."""
        return self.guess_rate >= WEAK - 1e-9

    @property
    def how(self) -> How:
        """How the item was answered. Only an answer given unaided shows what the child knows."""
        if self.first_answer is None:
            return "skipped"
        if self.item.get("practice"):
            return "practice"
        return "aided" if self.aided else "alone"

    @property
    def mixed_up(self) -> bool:
        """Whether the answer wrongly named someone or something although "nobody" was offered."""
        if self.trial is None or self.right or self.first_answer is None:
            return False
        return self.options[self.first_answer] is not None


def in_order(rows: Iterable[Evidence]) -> list[Evidence]:
    """Sort rows by time, and rows with the same time by the move that they follow."""
    return sorted(rows, key=lambda row: (row.at, -1 if row.seq is None else row.seq))


def is_aided(skill: str, board: str, hint_step: int) -> bool:
    """Whether there was so much help that the answer does not show what the child can do unaided.
    Hearing about an ask again helps with remembering, but not with counting."""
    return hint_step > FREE_STEPS or (skill in RECALL and board not in UNTOLD)


def from_answer(
    question: Question,
    answers: Sequence[int],
    *,
    at: float,
    day: int,
    round_id: int | None = None,
    latency_ms: int | None = None,
    board: str = "off",
    hint_step: int = 0,
) -> Evidence:
    """Make the evidence from a question. `answers`: the indexes of the chosen options, in order;
    only the first answer is judged. Without any answer the question is skipped, which counts for
    nothing. `hint_step`: the highest step taken before the first answer."""
    first = answers[0] if answers else None
    return Evidence(
        skill=question.skill,
        source="question",
        item=question.to_json(),
        options=question.options,
        first_answer=first,
        later_answers=tuple(answers[1:]),
        right=first == question.right,
        latency_ms=latency_ms,
        aided=is_aided(question.skill, board, hint_step),
        board=board,
        hint_step=hint_step,
        lag_asks=question.lag_asks,
        lag_seconds=question.lag_seconds,
        overlap=question.overlap,
        lure=question.lure,
        at=at,
        day=day,
        round_id=round_id,
        seq=question.seq,
        guess_rate=question.guess_rate,
    )


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A catch that is certain, and that the child could remember, at the first chance to ask for
    it. `since`: the move that made the catch certain. `lag_asks`: how many asks ago that was; 1 is
    the newest ask. `board`: as in Evidence."""

    target: int
    class_: str
    since: int
    lag_asks: int
    lag_seconds: float | None = None
    board: str = "off"


def from_ask(
    target: int,
    class_: str,
    *,
    facts: Sequence[KnownFact],
    certain: Collection[tuple[int, str]],
    legal: int,
    at: float,
    day: int,
    round_id: int | None = None,
    seq: int | None = None,
    latency_ms: int | None = None,
    hint_step: int = 0,
    source: Source = "play",
) -> tuple[Evidence, ...]:
    """Make the evidence that an ask gives about memory: for each fact, a row of the skill IN_PLAY.

    `facts`: the facts that the child can use now for the first time. The caller leaves out facts
    that already have a row, so that each counts once. `certain`: every ask (target, class) that
    could not miss. `legal`: how many different asks were allowed. If the child takes one certain
    catch, the others get no row yet: the child may still take them with the next ask. There is no
    evidence if no legal ask could miss.
    """
    if len(certain) >= legal:
        return ()
    chosen = (target, class_)
    met = [one for one in facts if chosen not in certain or (one.target, one.class_) == chosen]
    return tuple(
        Evidence(
            skill=IN_PLAY,
            source=source,
            item={
                "kind": "certain",
                "known": [[one.target, one.class_, one.lag_asks]],
                "since": one.since,
                "chance": 1,
                "asked": list(chosen),
                "legal": legal,
            },
            options=(True, False),
            first_answer=0 if chosen == (one.target, one.class_) else 1,
            later_answers=(),
            right=chosen == (one.target, one.class_),
            latency_ms=latency_ms,
            aided=is_aided(IN_PLAY, one.board, hint_step),
            board=one.board,
            hint_step=hint_step,
            lag_asks=one.lag_asks,
            lag_seconds=one.lag_seconds,
            overlap=sum(of == one.class_ for _, of in certain) > 1,
            lure=None,
            at=at,
            day=day,
            round_id=round_id,
            seq=seq,
            guess_rate=1 / (legal - len(certain) + 1),
        )
        for one in met
    )
