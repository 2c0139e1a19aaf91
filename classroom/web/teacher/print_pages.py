"""A teacher's sheets to print: a game without a screen, and the weekly sheet for families."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import g, request, url_for

from classroom.engine.cards import deck_of
from classroom.games.variants import DECKS
from classroom.services.base import clock
from classroom.services.reports import overview, skill_reports
from classroom.services.school import classes
from classroom.services.table import offers
from classroom.services.table.offers import Offer
from classroom.web.child.card_faces import faces_of
from classroom.web.http import forms
from classroom.web.http.pages import render, shown_class
from classroom.web.words import language, rule_words
from classroom.web.words.filters import game_title
from classroom.web.words.language import N_, gettext as _

# ---- Everything for a game on paper
#
# The URL contains the choices, so a teacher can bookmark it.

SHEETS: Final[Mapping[str, str]] = {
    "deck": N_("Cards"),
    "rules": N_("The rules in six pictures"),
    "mat": N_("A mat with the pond"),
    "record": N_("Recording sheets"),
    "prompts": N_("Question cards on a ring"),
    "path": N_("Number paths"),
    "label": N_("A label for the bag"),
}
INKS: Final[Mapping[str, str]] = {"colour": N_("Colour"), "black": N_("Black and white")}
PAPERS: Final[Mapping[str, str]] = {"a4": "A4", "letter": N_("Letter")}
MARKS: Final[Mapping[str, str]] = {
    "circle": N_("Circle"),
    "square": N_("Square"),
    "triangle": N_("Triangle"),
    "star": N_("Star"),
    "heart": N_("Heart"),
    "drop": N_("Drop"),
    "cloud": N_("Cloud"),
    "cross": N_("Cross"),
}
"""The sign on each card of a set, so that two sets are not mixed up. Drawn in art/signs.svg."""

ON_A_PAGE: Final = 9  # cards, three by three
ROWS: Final = 13  # rows of a memory board that the children fill in themselves


def kit(class_id: int) -> str:
    """Show everything for playing a game on paper: the sheets, cards and game in the URL."""
    offer = _offer(class_id)
    deck = _picked("deck", DECKS, "short")
    rules = offer.rules_for(offer.game.seats, deck)
    cards = faces_of(rules, offer.look).cards(deck_of(rules).cards)
    asked = request.args.getlist("sheet")
    return _printed(
        "pages/teach/kit.html",
        class_id,
        offer,
        sheets=tuple(key for key in SHEETS if key in asked or not asked),
        deck=deck,
        mark=_picked("mark", MARKS, "circle"),
        number=len(cards),
        seats=rules.seats,
        pages=tuple(cards[at : at + ON_A_PAGE] for at in range(0, len(cards), ON_A_PAGE)),
        rules=rule_words.rule_sentences(rules),
        tide=rules.end_tide,
        # The memory board has a row for each class, or empty rows if there are too many.
        rows=(None,) * ROWS
        if rules.book_kind == "four"
        else tuple(map(faces_of(rules).own, deck_of(rules).classes)),
        prompts=rule_words.prompts(rules),
    )


def _printed(template: str, class_id: int, offer: Offer, **its: Any) -> str:
    """Render a page with the values in `its`. In black and white, drawings are outlines."""
    ink = _picked("ink", INKS, "colour")
    shown = render(
        template,
        school_class=shown_class(class_id),
        offer=offer,
        choices={
            "games": {one.key: game_title(one) for one in offers.shelf(class_id)},
            "decks": {key: _(one.name) for key, one in DECKS.items()},
            "sheets": _said(SHEETS),
            "inks": _said(INKS),
            "papers": _said(PAPERS),
            "marks": _said(MARKS),
            "whose": _said(WHOSE),
        },
        ink=ink,
        size=_picked("size", PAPERS, clock.here().paper),
        back=url_for("teach.games", class_id=class_id),
        **its,
    )
    return shown.replace("/static/art/", "/static/art/pale/") if ink == "black" else shown


def _offer(class_id: int) -> Offer:
    """Return the game in the URL; without one, the first game on the shelf."""
    return offers.find(class_id, request.args.get("game") or offers.offered(class_id)[0])


def _picked(field: str, allowed: Mapping[str, object], default: str) -> str:
    """Return the choice in the URL. Raises InvalidForm if it is not allowed."""
    value = request.args.get(field, default)
    if value not in allowed:
        raise forms.InvalidForm(field)
    return value


def _said(labels: Mapping[str, str]) -> dict[str, str]:
    return {key: _(label) for key, label in labels.items()}


# ---- The weekly sheet for families: one game, and nothing about how the child is doing

WHOSE: Final[Mapping[str, str]] = {
    "class": N_("One sheet for the class"),
    "child": N_("A sheet for each child"),
}
FOR_ALL: Final = ("", 7)  # on a sheet for the whole class: no name, and numbers up to 7


@dataclass(frozen=True, slots=True)
class WeekSheet:
    """A weekly sheet. `name`: the child's, "" for the class. `needed`: the cards for the game."""

    language: str
    name: str
    needed: str
    questions: tuple[str, ...]
    practised: tuple[str, ...]


def week(class_id: int) -> str:
    """Show the weekly sheet: one for the class in each language of its families, or one for each
    child with numbers that suit the child."""
    offer = _offer(class_id)
    rules = offer.rules_for(offer.game.seats, "short")
    whose = _picked("whose", WHOSE, "class")
    words = classes.home_languages(class_id)
    people = [(one, *FOR_ALL) for one in sorted(set(words.values())) or (classes.FIRST,)]
    if whose == "child":
        overview.looked(g.who.adult_id, "class", class_id)
        found = skill_reports.worksheets(class_id, "counting")
        people = [(words[one.child_id], one.name, sheet.numbers[1]) for one, sheet in found]
    sheets = []
    for spoken, name, n in people:
        with language.speaking(spoken):
            needed, asked = rule_words.needed(rules), rule_words.questions(rules, n)
            practised = rule_words.practised(rules, n)
        sheets.append(WeekSheet(spoken, name, needed, asked, practised))
    return _printed("pages/teach/week.html", class_id, offer, whose=whose, sheets=sheets)
