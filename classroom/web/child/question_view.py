"""A question as its panel shows it: one frozen value, made from what the child may see of it.

It holds numbers, keys and faces; words, voice and pictures for each kind live in templates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from classroom.learning.recall_questions import REMEMBERING
from classroom.learning.scene import NUMBER_OF_RANK, Scene
from classroom.services.quiz.posing import COUNT, Put
from classroom.services.table.tables import ViewedTable
from classroom.web.child.card_faces import (
    COLOURS,
    FAMILIES,
    LOOKS,
    SHAPES,
    SUITS,
    CardFace,
    ClassFace,
    Faces,
    faces_of,
)

PickKind = Literal[
    "numeral", "dots", "card", "face", "class", "nobody", "none", "same", "yes", "no"
]
DOTTED: Final = 10  # beside numerals up to this one their dots are drawn
PLAIN: Final = frozenset({"flash", "dots_to_numeral", "hear_numeral"})
"""Kinds whose numerals stand alone: dots beside them would be matched, not counted."""
COUNTED: Final = frozenset({"count_class", "count_hand", "count_kind"})
STEPPING: Final = frozenset({"next", "before", "between", "left_after_draw"})


@dataclass(frozen=True, slots=True)
class Somebody:
    """A player in a question. `number`: how many cards or books, to be drawn, None to be hidden."""

    animal: str
    pad: int
    name: str
    me: bool
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """Something to tap. `kind`: how it is drawn; `dots`: with its dots beside the numeral.

    `off`: not offered any more. `right`: found, or shown by the last step of help.
    """

    place: int
    kind: PickKind
    number: int | None = None
    dots: bool = False
    card: CardFace | None = None
    asks: ClassFace | None = None
    who: Somebody | None = None
    off: bool = False
    right: bool = False


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What the panel needs. `asks`, `cards`, `seats`, `numbers`, `trait`: what it is about.

    `bare`: the cards without their numerals; `brief`: to be seen for a moment. `covers`: what the
    page hides meanwhile. `or_none`: nobody, none or the same can be said. `frame`: (have, whole)
    places to be drawn as help; `path`: numerals on stepping stones, None the gap; `counted`: how
    many cards of `cards` are counted aloud as help; `lit`: which of them help points at.
    """

    round_id: int
    seq: int
    kind: str
    face: str
    recall: bool
    asks: ClassFace | None
    cards: tuple[CardFace, ...]
    bare: bool
    brief: bool
    seats: tuple[Somebody, ...]
    numbers: tuple[int, ...]
    trait: tuple[str, str] | None
    covers: tuple[str, ...]
    picks: tuple[Pick, ...]
    or_none: bool
    step: int
    tried: bool
    found: bool
    frame: tuple[int, int] | None
    path: tuple[int | None, ...]
    lit: frozenset[int]
    counted: bool

    @property
    def filled(self) -> int | None:
        """The number that was found, to be put where the gap was."""
        return (
            next((pick.number for pick in self.picks if pick.right), None) if self.found else None
        )


def question_view(put: Put, table: ViewedTable, look: str = LOOKS[0]) -> QuestionView:
    """What a child's page shows of a question put at this table."""
    faces = faces_of(table.observation.rules, look)
    stem = put.stem
    hidden = put.kind == "left_after_draw"  # said and drawn in the pond, not beside players
    return QuestionView(
        round_id=put.round_id,
        seq=put.seq,
        kind=put.kind,
        face=put.face,
        recall=put.kind in REMEMBERING,
        asks=None if stem.class_ is None else _asks(faces, put.kind, stem.class_),
        cards=faces.cards(stem.cards),
        bare="numerals" in put.covers,
        brief=stem.brief,
        seats=tuple(
            _somebody(table, seat, None if hidden or at >= len(stem.numbers) else stem.numbers[at])
            for at, seat in enumerate(stem.seats)
        ),
        numbers=stem.numbers,
        trait=None if stem.trait is None else (stem.trait[0], _trait(table, stem.trait)),
        covers=tuple(sorted(put.covers)),
        picks=tuple(_pick(put, table, faces, place) for place in range(len(put.options))),
        or_none=None in put.options,
        step=put.step,
        tried=bool(put.tried),
        found=put.found,
        frame=_frame(put, faces) if put.step >= COUNT else None,
        path=_path(put) if put.step >= COUNT else (),
        lit=_lit(put, table),
        counted=put.kind in COUNTED and put.step >= COUNT,
    )


def _asks(faces: Faces, kind: str, class_: str) -> ClassFace:
    """What the child holds is called by itself; what was asked for, as it was asked."""
    return faces.own(class_) if kind in ("count_class", "more_for_book") else faces.asks(class_)


def _somebody(table: ViewedTable, seat: int, number: int | None = None) -> Somebody:
    who = table.players[seat]
    return Somebody(who.animal, who.pad, who.name, who.me, number)


def _trait(table: ViewedTable, trait: tuple[str, str]) -> str:
    """The trait's value by the name of its picture."""
    name, value = trait
    if name == "colour":
        return COLOURS[value]
    if name == "shape":
        return SHAPES[value]
    if name == "number":
        return "q" if not value.isdigit() else value
    if name == "rank":
        return str(NUMBER_OF_RANK[value])
    return FAMILIES[value] if table.observation.rules.deck_kind == "fish" else SUITS[value]


def _pick(put: Put, table: ViewedTable, faces: Faces, place: int) -> Pick:
    value: Any = put.options[place]
    off, right = place not in put.offered and not put.found, place == put.right
    if put.found:
        off = not right
    if value is None:
        kind: PickKind = "none" if put.face == "class" else "nobody"
        return Pick(place, kind if put.kind in REMEMBERING else "same", off=off, right=right)
    match put.face:
        case "seat":
            return Pick(place, "face", who=_somebody(table, value), off=off, right=right)
        case "class":
            return Pick(place, "class", asks=faces.asks(value), off=off, right=right)
        case "card":
            return Pick(place, "card", card=faces.card(value), off=off, right=right)
        case "yes_no":
            return Pick(place, "yes" if value else "no", off=off, right=right)
        case "dots":
            return Pick(place, "dots", number=value, off=off, right=right)
    dots = value <= DOTTED and put.kind not in PLAIN
    return Pick(place, "numeral", number=value, dots=dots, off=off, right=right)


# ---- help


def _lit(put: Put, table: ViewedTable) -> frozenset[int]:
    """Which cards of the stem are pointed at: those that count; at the last step of giving, as
    many as are to be given."""
    if put.face == "tapped":
        return frozenset(range(put.stem.numbers[0] if put.right is not None else 0))
    if put.step < COUNT - 1:
        return frozenset()
    if put.kind != "count_kind" or put.stem.trait is None:
        return frozenset(range(len(put.stem.cards)))
    name, value = put.stem.trait
    scene = Scene(table.observation)
    return frozenset(
        at for at, card in enumerate(put.stem.cards) if scene.traits(card).get(name) == value
    )


def _frame(put: Put, faces: Faces) -> tuple[int, int] | None:
    """Places in rows of five: those that are there, and how many there should be."""
    numbers = put.stem.numbers
    if put.kind == "more_for_book" or put.kind.startswith("complement"):
        return numbers[0], numbers[1]
    if put.kind == "give":
        return 0, numbers[0]
    if put.kind in ("numeral_to_dots", "hear_numeral"):
        return numbers[0], numbers[0]
    if put.kind in ("flash", "count_pips", "dots_to_numeral"):
        number = faces.card(put.stem.cards[0]).number
        return number, number
    if put.kind in ("books_of_all", "points_of_two"):
        return sum(numbers), sum(numbers)
    return None


def _path(put: Put) -> tuple[int | None, ...]:
    """The numbers around the one that is looked for, which is a gap."""
    if put.kind not in STEPPING:
        return ()
    first = put.stem.numbers[0]
    gap = first + 1 if put.kind in ("next", "between") else first - 1
    return tuple(None if n == gap else n for n in range(max(0, gap - 2), gap + 3))
