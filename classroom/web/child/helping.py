"""A hint step as the page shows it: what the fish says, and what lights up on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from classroom.engine.actions import Answer, Show, Target
from classroom.engine.observation import Observation
from classroom.minds.hints import EVIDENCE, Hint
from classroom.web.child.asked import Tag, tags
from classroom.web.child.card_faces import CardFace, ClassFace, Faces, faces_of

SHOWN: Final = 3  # asks of a proof that are drawn: as many as a child can take in


@dataclass(frozen=True, slots=True)
class Help:
    """One hint step. `kind`, `who` (None: everyone), `asks` and `told`: as `kind`, `seat`, `class_`
    and `told` in minds.hints.Hint, but with faces. `tags`: the asks that prove it, newest last.
    `choices`: two pairs of (who, asks). `cards`: the card fished, or those that make a four.
    `show`: whether to show that card. `lit`: the ids of the elements that light up."""

    step: int
    kind: str
    who: int | None
    asks: ClassFace | None
    told: ClassFace | None
    tags: tuple[Tag, ...]
    choices: tuple[tuple[int | None, ClassFace], ...]
    numbers: tuple[int, ...]
    cards: tuple[CardFace, ...]
    show: bool
    lit: tuple[str, ...]


def help_view(hint: Hint, observation: Observation, look: str) -> Help:
    """The hint with the faces of this deck. `look`: how the numbers of Make Ten are shown."""
    faces = faces_of(observation.rules, look)
    proof = [tag for tag in tags(observation, look) if tag.seq in hint.evidence]
    alone = hint.class_ is None
    return Help(
        step=hint.step,
        kind=hint.kind,
        who=_who(hint.seat),
        asks=faces.asks(hint.class_) if hint.class_ else None,
        told=faces.asks(hint.told) if hint.told else None,
        tags=tuple(proof[-SHOWN:]) if hint.step == EVIDENCE else (),
        choices=tuple((_who(seat), faces.asks(class_)) for seat, class_ in hint.choices),
        numbers=hint.numbers,
        cards=faces.cards(hint.cards) if alone else (),
        show=isinstance(hint.action, Show) and hint.action.show,
        lit=tuple(dict.fromkeys(_lit(hint, faces))),
    )


def _who(seat: Target | None) -> int | None:
    return seat if isinstance(seat, int) else None


def _lit(hint: Hint, faces: Faces) -> Iterator[str]:
    """The ids of the fans, players, numbers and buttons that the hint is about."""
    yield from (f"fan-{faces.fan(card)}" for card in hint.cards)
    seats = [seat for seat, _ in hint.choices] if hint.choices else [hint.seat]
    if hint.step >= EVIDENCE:
        yield from (f"seat-{seat}" for seat in seats if isinstance(seat, int))
    yield from (f"name-{number}" for number in hint.numbers)
    match hint.action:
        case Show(show=show):
            yield "show-yes" if show else "show-no"
        case Answer(answer=answer):
            yield f"answer-{answer}"
