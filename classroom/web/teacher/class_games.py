"""A teacher's pages for the games of a class, and for the rule mixer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from flask import g, request

from classroom.engine.checks import check
from classroom.engine.rules import Rules
from classroom.games import GAMES, variants
from classroom.services.base.errors import Refused
from classroom.services.lesson import own_games
from classroom.services.table import offers, round_lengths
from classroom.services.table.round_lengths import Length
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other, shown_class
from classroom.web.words import filters, knob_words, rule_words
from classroom.web.words.language import N_, gettext as _
from classroom.web.words.sentences import sentence

SEATS: Final = (2, 3, 4)  # the page says how long a round lasts with these numbers of players
ROUNDS, MOVES = 6, 200  # limits of a simulation, so that the page answers within a second

DONE: Final = {
    "shelf": N_("Saved. The children see these games now."),
    "made": N_("Saved. The new game is on the class’s shelf."),
    "renamed": N_("Saved under the new name."),
    "removed": N_("Removed. Rounds in progress continue to the end."),
}


@dataclass(frozen=True, slots=True)
class Turned:
    """A knob with its current choice. `choices`: the value and the label of each choice."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Mixed:
    """The rules chosen so far. `refused`: why they cannot be played. `doubts`: what else a teacher
    should know. `lengths`: how long a round lasts, by number of players; empty if the rules are
    refused."""

    sentences: tuple[str, ...]
    refused: tuple[str, ...]
    doubts: tuple[str, ...]
    lengths: tuple[tuple[int, Length], ...]
    ages: str


# ---- the shelf


def games(class_id: int) -> Reply:
    """Show the games of a class; a POST puts the ticked games on the shelf."""
    if request.method != "POST":
        return _games_page(class_id)
    keys = set(request.form.getlist("game"))
    if forms.asks():
        return _games_page(class_id, shelf=keys), 400
    try:
        own_games.put_on_shelf(class_id, keys, g.who.adult_id, forms.version())
    except Refused as refused:
        return _games_page(class_id, sentence(refused), shelf=keys), 400
    return see_other("teach.games", class_id=class_id, done="shelf")


def change(class_id: int) -> Reply:
    """Rename or remove one of the class's own games."""
    own_id = forms.number("own", 0, forms.MAX_ID)
    if forms.choice("do", ("rename", "remove")) == "remove":
        own_games.remove(class_id, own_id, by=g.who.adult_id)
        return see_other("teach.games", class_id=class_id, done="removed")
    name = forms.text("name", forms.LONGEST)
    if forms.asks():
        wrong = {own_id: forms.changed_to("name")}
        return _games_page(class_id, typed={own_id: name}, wrong=wrong), 400
    try:
        own_games.rename(class_id, own_id, name, g.who.adult_id, forms.version())
    except Refused as refused:
        if refused.code == "not_found":
            raise
        return _games_page(class_id, typed={own_id: name}, wrong={own_id: sentence(refused)}), 400
    return see_other("teach.games", class_id=class_id, done="renamed")


def _games_page(
    class_id: int,
    error: str = "",
    shelf: Collection[str] | None = None,
    typed: Mapping[int, str] = MappingProxyType({}),
    wrong: Mapping[int, str] = MappingProxyType({}),
) -> str:
    rows = offers.own_games(class_id)
    own = tuple(filter(None, map(offers.of_own, rows)))
    fresh = {one.own_id for one in own}
    return render(
        "pages/teach/games.html",
        here="games",
        school_class=shown_class(class_id),
        menu=tuple(GAMES.values()),
        own=tuple((one, rule_words.rule_sentences(one.rules)) for one in own if one.rules),
        earlier={row.id: row.name for row in rows if row.id not in fresh},
        shelf=frozenset(offers.offered(class_id) if shelf is None else shelf),
        typed=typed,
        wrong=wrong,
        error=error,
        done=forms.done(DONE),
    )


# ---- the mixer


def mix(class_id: int) -> Reply:
    """Show the rule mixer; a POST with `save` saves the rules as one of the class's own games."""
    given = request.values
    key = given.get("game", "classic")
    if key not in GAMES:
        raise forms.InvalidForm("game")
    rules = variants.turned(GAMES[key].rules, given)
    look = given.get("look", offers.LOOK)
    if look not in knob_words.LOOKS:
        raise forms.InvalidForm("look")
    if request.method != "POST" or not forms.flag("save"):
        return _mix_page(class_id, key, rules, look, given.get("name", "")[: forms.LONGEST])
    name = forms.text("name", forms.LONGEST)
    if not check(rules).lawful:
        return _mix_page(class_id, key, rules, look, name), 400
    try:
        own_games.save(class_id, key, name, rules, look, by=g.who.adult_id)
    except Refused as refused:
        return _mix_page(class_id, key, rules, look, name, sentence(refused)), 400
    return see_other("teach.games", class_id=class_id, done="made")


def _mix_page(class_id: int, key: str, rules: Rules, look: str, name: str, error: str = "") -> str:
    if forms.by_htmx():
        return render("partials/teach/mixed.html", mixed=mixed(rules))
    return render(
        "pages/teach/mix.html",
        here="games",
        school_class=shown_class(class_id),
        game=GAMES[key],
        names=filters.game_names(),
        groups=_groups(GAMES[key].rules, rules),
        looks={key: _(words) for key, words in knob_words.LOOKS.items()}
        if rules.deck_kind == "numbers"
        else {},
        look=look,
        mixed=mixed(rules),
        name=name,
        error=error,
    )


def _groups(game: Rules, rules: Rules) -> tuple[tuple[str, list[Turned]], ...]:
    """Return the knobs of a game, grouped, each with its current choice."""
    found: dict[str, list[Turned]] = {}
    for knob in variants.knobs_of(game):
        values = [*knob.choices]
        if knob.choice(game) == variants.AS_IT_IS:  # the game's own value is not a choice
            values.insert(0, variants.AS_IT_IS)
        label = _(knob_words.KNOBS[knob.key][0])
        choices = tuple((value, knob_words.knob_words(knob, value)) for value in values)
        turned = Turned(knob.key, label, choices, knob.choice(rules))
        found.setdefault(_(knob_words.GROUPS[knob.group]), []).append(turned)
    return tuple(found.items())


def mixed(rules: Rules) -> Mixed:
    """Return the rules in sentences, with the ages that they suit and the length of a round."""
    verdict = check(rules)
    found: tuple[tuple[int, Length], ...] = ()
    if verdict.lawful:
        low, high = own_games.checked(rules).seats
        found = tuple(
            (seats, round_lengths.length(rules, seats, ROUNDS, moves=MOVES))
            for seats in SEATS
            if low <= seats <= high
        )
    longest = max((one.minutes for seats, one in found), default=0.0)
    return Mixed(
        sentences=rule_words.rule_sentences(rules),
        refused=knob_words.refusals(verdict),
        doubts=(*knob_words.doubts(verdict), *knob_words.tide_note(rules)),
        lengths=found,
        ages=rule_words.ages(rules, longest),
    )
