"""Questions in play: when the page asks for one, how its panel shows it, and how it is answered."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, Final, Literal

from flask import g, request
from werkzeug.wrappers import Response

from classroom.learning.drafts import Scene
from classroom.learning.questions import BY_DOTS
from classroom.learning.recall_questions import BOTH, EARLIER, REMEMBERING
from classroom.services.base.errors import NotNow, OutOfDate
from classroom.services.quiz import posing
from classroom.services.quiz.posing import COUNT, Put
from classroom.services.table import rounds
from classroom.services.table.rounds import Seated, ViewedTable
from classroom.web.child import card_faces
from classroom.web.child.card_faces import CardFace, ClassFace, Faces, faces_of
from classroom.web.http import forms
from classroom.web.http.pages import render, see_other

# ---- A question as its panel shows it: one frozen value, made from what the child may see
#
# It holds numbers, keys and faces; the words, voice and pictures of each kind are in templates.

PickKind = Literal[
    "numeral",
    "dots",
    "loose",
    "card",
    "face",
    "both",
    "class",
    "nobody",
    "none",
    "same",
    "yes",
    "no",
]
DOTTED: Final = 10  # numerals up to this number have dots beside them
PLAIN: Final = frozenset({"flash", "count_pips", "dots_to_numeral", "hear_numeral"})
"""Kinds of question whose numerals have no dots: children would match dots instead of counting."""
COUNTED: Final = frozenset({"count_class", "count_hand", "count_kind", "mixed"})
STEPPING: Final = ("next", "before", "between", "left_after_draw", "count_on", "count_back")


@dataclass(frozen=True, slots=True)
class PickView:
    """An option to tap. `kind`: how it is drawn; `dots`: whether it has dots beside its numeral;
    `off`: whether it can no longer be tapped; `right`: whether it is shown as right."""

    place: int
    kind: PickKind
    number: int | None = None
    dots: bool = False
    card: CardFace | None = None
    asks: ClassFace | None = None
    who: Seated | None = None
    both: tuple[Seated, ...] = ()
    off: bool = False
    right: bool = False


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The question `put`, with faces to draw. `asks`, `cards`, `seats`, `trait`: its subject.
    `or_none`: whether "nobody", "none" or "the same" is an option; `or_both`: whether "both" is.
    For help, `frame`: how many places to draw, filled and in all; `path`: numerals on stepping
    stones, None for the gap; `lit`: the places of the cards to point at; `counted`: whether the
    cards are numbered."""

    put: Put
    recall: bool
    asks: ClassFace | None
    cards: tuple[CardFace, ...]
    seats: tuple[Seated, ...]
    trait: tuple[str, str] | None
    picks: tuple[PickView, ...]
    or_none: bool
    or_both: bool
    frame: tuple[int, int] | None
    path: tuple[int | None, ...]
    lit: frozenset[int]
    counted: bool

    @property
    def filled(self) -> int | None:
        """The right number, once it is found, to fill the gap."""
        right = (pick.number for pick in self.picks if pick.right)
        return next(right, None) if self.put.found else None


def question_view(put: Put, table: ViewedTable) -> QuestionView:
    """The question as the page of a child at this table shows it."""
    faces = faces_of(table.observation.rules)
    stem = put.stem
    holds = put.kind in ("count_class", "more_for_book")  # other kinds show an ask
    return QuestionView(
        put=put,
        recall=put.kind in REMEMBERING or put.kind in EARLIER,
        asks=None if stem.class_ is None else (faces.own if holds else faces.asks)(stem.class_),
        cards=faces.cards(stem.cards),
        seats=tuple(table.players[seat] for seat in stem.seats),
        trait=None if stem.trait is None else (stem.trait[0], _trait(table, stem.trait)),
        picks=tuple(_pick(put, table, faces, place) for place in range(len(put.options))),
        or_none=None in put.options,
        or_both=BOTH in put.options,
        frame=_frame(put, faces) if put.step >= COUNT else None,
        path=_path(put) if put.step >= COUNT else (),
        lit=_lit(put, table),
        counted=put.kind in COUNTED and put.step >= COUNT,
    )


def _trait(table: ViewedTable, trait: tuple[str, str]) -> str:
    """The name of the picture for this value of a trait."""
    name, value = trait
    if name == "colour":
        return card_faces.COLOURS[value]
    if name == "shape":
        return card_faces.SHAPES[value]
    if name == "number":
        return value if value.isdigit() else "q"
    if name == "rank":
        return str(card_faces.NUMBERS[value])
    is_fish = table.observation.rules.deck_kind == "fish"
    return (card_faces.FAMILIES if is_fish else card_faces.SUITS)[value]


def _pick(put: Put, table: ViewedTable, faces: Faces, place: int) -> PickView:
    value: Any = put.options[place]
    right = place == put.right
    off = not right if put.found else place not in put.offered
    if value is None:
        kind: PickKind = "none" if put.face == "class" else "nobody"
        return PickView(place, kind if put.kind in REMEMBERING else "same", off=off, right=right)
    match put.face:
        case "seat" if value == BOTH:
            pair = tuple(who for who in table.players if not who.me)
            return PickView(place, "both", both=pair, off=off, right=right)
        case "seat":
            return PickView(place, "face", who=table.players[value], off=off, right=right)
        case "class":
            return PickView(place, "class", asks=faces.asks(value), off=off, right=right)
        case "card":
            return PickView(place, "card", card=faces.card(value), off=off, right=right)
        case "yes_no":
            return PickView(place, "yes" if value else "no", off=off, right=right)
        case "dots":  # never the picture that is asked about: a child could match it
            look: PickKind = "loose" if put.kind in BY_DOTS else "dots"
            return PickView(place, look, number=value, off=off, right=right)
    dots = value <= DOTTED and put.kind not in PLAIN
    return PickView(place, "numeral", number=value, dots=dots, off=off, right=right)


# ---- help


def _lit(put: Put, table: ViewedTable) -> frozenset[int]:
    """The places of the cards that help points at: the cards to count or, once the answer to a
    question about giving is shown, as many cards as the child should give."""
    if put.face == "tapped":
        return frozenset(range(put.stem.numbers[0] if put.right is not None else 0))
    if put.step < COUNT - 1:
        return frozenset()
    if put.stem.trait is None:
        return frozenset(range(len(put.stem.cards)))
    name, value = put.stem.trait
    traits = map(Scene(table.observation).traits, put.stem.cards)
    return frozenset(at for at, found in enumerate(traits) if found.get(name) == value)


def _frame(put: Put, faces: Faces) -> tuple[int, int] | None:
    """Places in rows of five to draw as help: how many are filled, and how many there are."""
    numbers = put.stem.numbers
    if put.kind.startswith("complement") or put.kind == "more_for_book":
        return numbers[0], numbers[1]
    match put.kind:
        case "how_many_more" | "books_missing":
            return numbers[1], numbers[0]
        case "swim_away":
            return numbers[0] - numbers[1], numbers[0]
        case "ones_of":
            return 10, numbers[0]
        case "give":
            return 0, numbers[0]
        case "numeral_to_dots" | "hear_numeral" | "count_books" | "given":
            return numbers[0], numbers[0]
        case "flash" | "count_pips" | "dots_to_numeral":
            number = faces.card(put.stem.cards[0]).number
            return number, number
        case "books_of_all" | "books_of_three" | "points_of_two" | "double" | "ten_and":
            return sum(numbers), sum(numbers)
        case "got_more" | "cards_of_two":
            return sum(numbers), sum(numbers)
    return None


def _path(put: Put) -> tuple[int | None, ...]:
    """The numbers around the right number or, for counting on and back, all numbers between the
    first and the right one. The right number is a gap (None). Returns () for other questions."""
    if put.kind not in STEPPING:
        return ()
    first, on = put.stem.numbers[0], put.kind in ("next", "between", "count_on")
    if put.kind in ("count_on", "count_back"):
        gap = first + put.stem.numbers[1] * (1 if on else -1)
        path = range(min(first, gap), max(first, gap) + 1)
    else:
        gap = first + 1 if on else first - 1
        path = range(max(0, gap - 2), gap + 3)
    return tuple(None if n == gap else n for n in path)


# ---- Questions in play: the page asks for one when it has shown what happened, and sends answers
#
# The panel is a separate part beside the table; without scripts the table's page includes it.

LONGEST: Final = 10**7  # the longest time that an answer may take, in milliseconds


def put(round_id: int) -> Response:
    """A question for this moment, if there is one. The form's `seen`: the last move shown."""
    found = posing.put(round_id, g.who.child_id, g.owned, forms.number("seen", 0, 10**6))
    if found is None and forms.by_htmx():
        return Response(status=204)
    return _panel(round_id, found)


def answer(round_id: int, seq: int) -> Response:
    """Take an answer. If its option can no longer be chosen, show the question again."""
    child_id = g.who.child_id
    took = forms.number("took", 0, LONGEST) if request.form.get("took") else None
    # For an answer in shells, one shell is place 0, and none is -1, which is not an option.
    shells = len(set(request.form.getlist("take")))
    place = forms.number("place", 0, 20, default=shells - 1)
    try:
        answered = posing.answer(round_id, child_id, seq, place, forms.key(), took)
    except OutOfDate:
        return _panel(round_id, None, 409)
    except NotNow:
        return _panel(round_id, posing.open_now(round_id, child_id, g.owned), 422)
    return _panel(round_id, answered)


def hint(round_id: int, seq: int) -> Response:
    try:
        return _panel(round_id, posing.hint(round_id, g.who.child_id, seq))
    except NotNow:
        return _panel(round_id, None, 409)


def leave(round_id: int, seq: int) -> Response:
    posing.leave(round_id, g.who.child_id, seq)
    return _panel(round_id, None)


def _panel(round_id: int, put: Put | None, status: int = 200) -> Response:
    """The panel, empty for None. Without scripts, a redirect to the table's page, which has it."""
    if not forms.by_htmx():
        answered = put.seq if put and put.found else None
        return see_other("play.table", round_id=round_id, answered=answered)
    view = question_view(put, rounds.table(round_id, g.owned)) if put else None
    body = render("partials/child/question.html", q=view, key=secrets.token_urlsafe(12))
    return Response(body, status=status, mimetype="text/html")
