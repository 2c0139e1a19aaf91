"""Evidence: what one answer or one ask says about a skill, as a row that is never changed.

A row does not name its child; the database table adds that. Every estimate can be computed again
from the rows alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from classroom.learning.questions import Question
from classroom.learning.skills import IN_PLAY, RECALL

Source = Literal["question", "play"]
How = Literal["alone", "aided", "practice", "skipped"]

FREE_STEPS: Final = 1  # hint step 1 only repeats the question, which is no help
VISIBLE_BOARDS: Final = frozenset({"open", "peek", "fading"})  # boards that show old asks
WEAK: Final = 0.5  # items that luck alone gets right this often never decide an estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One first answer, or one ask, with its circumstances.

    `item`: the question as shown, or what could be known before the ask; JSON. `options`: the
    choices. `first_answer`, `later_answers`: places in `options`; None: not answered. `right`:
    whether the first answer was right. `board`: state of the board of asks between the event in
    question and the answer: off, closed, peek, fading or open. `hint_step`: 0 (none) to 5. `aided`:
    helped so much that the answer does not show what the child knows alone. `lag_asks`: 1 is the
    newest ask; None if no single lag fits. `lag_seconds`: None if unknown. `overlap`: two seats
    asked for the class. `lure`: where a wrong option comes from: this_round or previous_round.
    `at`: POSIX seconds. `day`: number of the local day. `guess_rate`: chance of being right by
    luck.
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

    @property
    def kind(self) -> str:
        """The kind of question; for an ask in play, certain or hopeless."""
        return str(self.item.get("kind", ""))

    @property
    def difficulty(self) -> float:
        """How hard the item was expected to be, in logits."""
        return float(self.item.get("difficulty", 0.0))

    @property
    def trial(self) -> str | None:
        """Whether there was something to remember ("old") or not ("new"); None if not tested."""
        trial = self.item.get("trial")
        return None if trial is None else str(trial)

    @property
    def form(self) -> bool:
        """Whether the item came from the set form, drawn at random and not to suit the child."""
        return bool(self.item.get("form"))

    @property
    def weak(self) -> bool:
        """Whether luck alone gets the item right half the time or more."""
        return self.guess_rate >= WEAK - 1e-9

    @property
    def how(self) -> How:
        """How it was answered: alone, aided, practice or skipped; only alone counts as knowing."""
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


def is_aided(skill: str, board: str, hint_step: int) -> bool:
    """Whether there was so much help that the answer does not show what the child knows alone.

    The board helps to remember, not to count.
    """
    return hint_step > FREE_STEPS or (skill in RECALL and board in VISIBLE_BOARDS)


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
    """Make the evidence of an answered question. `answers`: places in its options, in order.

    Only the first answer is judged. A question without an answer is kept too, but does not count.
    `hint_step`: the highest step taken before the first answer.
    """
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
class Known:
    """An ask whose result the child could have known: certain to catch, or to catch nothing.

    `lag_asks`: how many asks ago the fact could last be seen; 1 is the newest.
    """

    target: int
    class_: str
    lag_asks: int
    lag_seconds: float | None = None


def from_ask(
    target: int,
    class_: str,
    *,
    certain: Sequence[Known],
    hopeless: Sequence[Known],
    legal: int,
    at: float,
    day: int,
    round_id: int | None = None,
    seq: int | None = None,
    latency_ms: int | None = None,
    board: str = "off",
    hint_step: int = 0,
    played_by: str = "child",
) -> tuple[Evidence, ...]:
    """Make the evidence that an ask gives about memory: up to two rows of the skill IN_PLAY.

    `certain`, `hopeless`: all asks that were certain to catch, or not to, by what this seat could
    know (never by luck); `legal`: how many different asks were allowed. With one certain catch its
    lag counts for the span; with several there is no single lag. A sort shows nothing if all legal
    asks, or none, are of that sort. A computer player's moves at the seat are no evidence. If the
    child has answered a question about the class since, it was reminded: pass board="peek".
    """
    if played_by != "child":
        return ()
    play = partial(
        Evidence,
        skill=IN_PLAY,
        source="play",
        options=(True, False),
        later_answers=(),
        latency_ms=latency_ms,
        aided=is_aided(IN_PLAY, board, hint_step),
        board=board,
        hint_step=hint_step,
        lure=None,
        at=at,
        day=day,
        round_id=round_id,
        seq=seq,
    )
    kinds = (("certain", certain), ("hopeless", hopeless))
    return tuple(
        play(**_row_fields(kind, facts, (target, class_), legal))
        for kind, facts in kinds
        if 0 < len(facts) < legal
    )


def _row_fields(
    kind: str, facts: Sequence[Known], chosen: tuple[int, str], legal: int
) -> dict[str, Any]:
    """Fill in the fields of a row that depend on the kind of fact."""
    among = chosen in {(fact.target, fact.class_) for fact in facts}
    share = len(facts) / legal
    single = facts[0] if len(facts) == 1 else None
    return {
        "item": _play_item(kind, facts, chosen, legal),
        "first_answer": 0 if among else 1,
        "right": among if kind == "certain" else not among,
        "lag_asks": single.lag_asks if single else None,
        "lag_seconds": single.lag_seconds if single else None,
        "overlap": len({fact.class_ for fact in facts}) < len(facts),
        "guess_rate": share if kind == "certain" else 1 - share,
    }


def _play_item(
    kind: str, facts: Sequence[Known], chosen: tuple[int, str], legal: int
) -> dict[str, Any]:
    known = [[fact.target, fact.class_, fact.lag_asks] for fact in facts]
    item = {"kind": kind, "known": known, "asked": list(chosen), "legal": legal}
    return item if kind == "certain" else {**item, "trial": "new"}
