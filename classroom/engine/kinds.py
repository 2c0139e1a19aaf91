"""The kinds of action, each with the functions that list it, refuse it and carry it out."""

from __future__ import annotations

from typing import Any, Final

from classroom.engine import asks, laying
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Claim,
    Declare,
    Lay,
    LayOff,
    Name,
    Pass,
    Show,
)
from classroom.engine.state import Flow, Kind, Position, Table

PHASES: Final = ("ask", "answer", "name", "show", "claim", "over")


def _lay(t: Table, action: Lay) -> Flow:
    laying.lay_book(t, t.active, t.setup.deck.sorted(action.cards))
    return "goes_on"


def _lay_off(t: Table, action: LayOff) -> Flow:
    laying.lay_off(t, t.active, action.card)
    return "goes_on"


def _never_refused(p: Position, action: Action) -> None:
    """Refuse nothing: for actions that are always allowed in their phase."""


KINDS: Final[dict[type[Any], Kind]] = {
    Ask: Kind(
        exists=lambda rules: True,
        phase="ask",
        legal=asks.legal_asks,
        refusal=asks.ask_refusal,
        perform=asks.ask,
    ),
    Lay: Kind(
        exists=lambda rules: rules.book_lay == "choice",
        phase="ask",
        legal=lambda p: map(Lay, laying.options(p)),
        refusal=lambda p, lay: laying.lay_refusal(p, lay.cards),
        perform=_lay,
    ),
    LayOff: Kind(
        exists=lambda rules: rules.book_layoff == "choice",
        phase="ask",
        legal=lambda p: map(LayOff, laying.single_options(p)),
        refusal=lambda p, layoff: laying.single_refusal(p, layoff.card),
        perform=_lay_off,
    ),
    Declare: Kind(
        exists=lambda rules: rules.end_declare,
        phase="ask",
        legal=lambda p: () if p.stock else (Declare(),),
        refusal=laying.declare_refusal,
        perform=lambda t, _: laying.declare(t),
    ),
    Answer: Kind(
        exists=lambda rules: rules.response == "challenge_optional",
        phase="answer",
        legal=lambda p: (Answer("give"), Answer("challenge")),
        refusal=_never_refused,
        perform=asks.answer,
    ),
    Name: Kind(
        exists=lambda rules: rules.response in asks.CHALLENGES,
        phase="name",
        legal=lambda p: map(Name, asks.numbers(p)),
        refusal=asks.name_refusal,
        perform=asks.name,
    ),
    Show: Kind(
        exists=lambda rules: rules.lucky == "again_may_show",
        phase="show",
        legal=lambda p: (Show(True), Show(False)) if asks.may_show(p) else (Show(False),),
        refusal=asks.show_refusal,
        perform=asks.show,
    ),
    Claim: Kind(
        exists=lambda rules: rules.end_declare,
        phase="claim",
        legal=lambda p: map(Claim, laying.claim_options(p)),
        refusal=lambda p, claim: laying.claim_refusal(p, claim.cards),
        perform=lambda t, claim: laying.claim(t, claim.cards),
    ),
    Pass: Kind(
        exists=lambda rules: rules.end_declare,
        phase="claim",
        legal=lambda p: (Pass(),),
        refusal=_never_refused,
        perform=lambda t, _: laying.pass_claim(t),
    ),
}
