"""A parent's pages: create an account from a code, link children, set the difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.games.decks import DECKS, DeckSize
from classroom.minds.board import SUPPORTS
from classroom.minds.playing.levels import LEVELS, Level
from classroom.services.access import sign_in
from classroom.services.base import faces
from classroom.services.base.errors import Refused
from classroom.services.lesson import lessons
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import Chosen
from classroom.services.reports import overview
from classroom.services.reports import skill_reports as progress_of
from classroom.services.reports.figures import ChildPage, Totals
from classroom.services.school import families
from classroom.services.school.families import NextRound
from classroom.services.table import offers
from classroom.services.table.offers import Offer
from classroom.web.auth.front_door import Reply
from classroom.web.http import forms
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import FamilyPage, Page, render
from classroom.web.reports import charts, question_forms
from classroom.web.reports.charts import DayChart
from classroom.web.reports.progress_view import ChildView, child_view
from classroom.web.reports.question_forms import AskingForm, asking_form
from classroom.web.words import filters, home_words, rule_words, sentences
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

LIMITS = tuple(str(minutes) for minutes in (0, *families.MINUTES))  # 0: no limit
FIELDS = {  # which field a refusal belongs to
    "code_unknown": "code",
    "code_wait": "code",
    "slow_down": "password",
    "already_linked": "code",
    "adult_name": "name",
    "login": "login",
    "login_taken": "login",
    "password_short": "password",
    "password_long": "password",
    "password_easy": "password",
}
DONE = {
    "saved": N_("Saved. This applies from the next round."),
    "asked": N_("Saved. This applies from the next question."),
    "no_skill": N_("Nothing was changed: tick at least one skill, or choose Off."),
    "linked": N_("Linked. Welcome!"),
    "same": N_("This child is already linked to you."),
}

GameRules = tuple[Offer, tuple[str, ...]]  # a game and its rules, one sentence each


@dataclass(frozen=True, kw_only=True)
class JoinPage(Page):
    """The form for an account. `values` and `errors`: by field."""

    template = "pages/family/join.html"
    values: Mapping[str, str]
    errors: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class MyChildrenPage(FamilyPage):
    """By the child's id: `told`, three sentences, and `weeks`, the last seven days."""

    template = "pages/family/home.html"
    told: Mapping[int, tuple[str, ...]]
    weeks: Mapping[int, Totals]
    values: Mapping[str, str]
    errors: Mapping[str, str]
    done: str


@dataclass(frozen=True, kw_only=True)
class DifficultyPage(FamilyPage):
    """The settings of a child. `friends`: the animals drawn for computer friends. `limits`: minutes
    a day that can be chosen; `class_limit`: the teacher's, None if there is none."""

    template = "pages/family/child.html"
    page: ChildPage
    chosen: NextRound
    friends: tuple[str, ...]
    levels: tuple[Level, ...]
    decks: tuple[DeckSize, ...]
    limits: tuple[int, ...]
    class_limit: int | None
    settings_words: tuple[str, ...]
    asked: Chosen
    asking: AskingForm
    class_games: tuple[GameRules, ...]
    done: str


@dataclass(frozen=True, kw_only=True)
class HowChildDoesPage(FamilyPage):
    """`games`: the names of games, by key. `unfolded`: whether all of it is open, as for a reader
    who turns to older rounds."""

    template = "pages/family/progress.html"
    unfolded: bool
    page: ChildPage
    view: ChildView
    chart: DayChart
    games: Mapping[str, str]


# ---- account


def join() -> Reply:
    """Create an account from a code and sign in. After an error all but the password is kept."""
    if g.who.kind == "parent":
        return redirect(url_for("family.home"), code=303)
    if request.method != "POST":
        return _join_page({}, {})
    values = {field: forms.text(field, forms.LONGEST) for field in ("code", "name", "login")}
    password = forms.text("password", forms.LONGEST)
    try:
        adult_id = families.register(**values, password=password, device=g.device)
    except Refused as refused:
        errors = {FIELDS.get(refused.code, "code"): sentences.sentence(refused)}
        return _join_page(values, errors), _status(refused), sentences.retry_after(refused)
    token = sign_in.welcome(adult_id, g.device, g.who.session_id)
    return keep_token(redirect(url_for("family.home", done="linked"), code=303), token)


def _join_page(values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    return render(JoinPage(values=forms.blank(values), errors=forms.blank(errors)))


def _status(refused: Refused) -> int:
    """The status: 422 for a code that does not work, 429 for too many tries, 400 for the rest."""
    status = sentences.status(refused)
    return status if status == 429 or refused.code == "code_unknown" else 400


# ---- children


def home() -> str:
    return _home({}, {})


def _home(values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    own = families.children_of(g.who.adult_id)
    for child in own:
        overview.looked(g.who.adult_id, "child", child.child_id)
    levels = progress_of.levels_of([child.child_id for child in own])
    return render(
        MyChildrenPage(
            here="home",
            own=own,
            told={
                child.child_id: home_words.sentences(child.name, levels.get(child.child_id, {}))
                for child in own
            },
            weeks={child.child_id: overview.week_of(child.child_id) for child in own},
            values=forms.blank(values),
            errors=forms.blank(errors),
            done=_done(),
        )
    )


def link() -> Reply:
    code = forms.text("code", forms.LONGEST)
    try:
        child_id = families.link(g.who.adult_id, code, g.device)
    except Refused as refused:
        page = _home({"code": code}, {"code": sentences.sentence(refused)})
        return page, _status(refused), sentences.retry_after(refused)
    return redirect(url_for("family.child", child_id=child_id, done="linked"), code=303)


def child(child_id: int) -> str:
    """The difficulty settings of one child."""
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.child_page(child_id)
    chosen, asked = families.settings(child_id), question_settings.of_child(child_id)
    return render(
        DifficultyPage(
            here=child_id,
            own=families.children_of(g.who.adult_id),
            page=page,
            chosen=chosen,
            friends=tuple(animal for animal in faces.ANIMALS[1:] if animal != page.animal)[:3],
            levels=tuple(LEVELS[key] for key in families.LEVELS if key in LEVELS),
            decks=tuple(DECKS.values()),
            limits=families.MINUTES,
            class_limit=lessons.times(page.class_id).minutes_a_day,
            settings_words=filters.settings(chosen),
            asked=asked,
            asking=asking_form(asked.bounds),
            class_games=_class_games(page.class_id, chosen),
            done=_done(),
        )
    )


def _class_games(class_id: int, chosen: NextRound) -> tuple[GameRules, ...]:
    """The games on the class's shelf, with their rules as this child plays them."""
    found = []
    for offer in offers.shelf(class_id):
        fewest, most = offer.seats
        seats = min(max(chosen.opponents + 1, fewest), most)
        found.append((offer, rule_words.sentences(offer.rules_for(seats, chosen.deck))))
    return tuple(found)


def progress(child_id: int) -> str:
    """What one child's answers show, and the rounds it played."""
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.child_page(child_id, request.args.get("before", type=int))
    return render(
        HowChildDoesPage(
            here=child_id,
            own=families.children_of(g.who.adult_id),
            page=page,
            unfolded="before" in request.args,
            view=child_view(
                page.name, progress_of.of_child(child_id), families.settings(child_id).board
            ),
            chart=charts.day_chart(page.days, page.day),
            games=filters.GAME_NAMES,
        )
    )


def settings(child_id: int) -> Response:
    families.change_settings(g.who.adult_id, child_id, **_chosen())
    return redirect(url_for("family.child", child_id=child_id, done="saved"), code=303)


def questions(child_id: int) -> Response:
    """Set how often questions come and what about; greyed-out choices stay as they were."""
    done, bounds = "asked", question_settings.of_child(child_id).bounds
    try:
        question_settings.set_child(g.who.adult_id, child_id, question_forms.sent(bounds))
    except Refused:
        done = "no_skill"
    return redirect(url_for("family.child", child_id=child_id, done=done), code=303)


def _chosen() -> dict[str, Any]:
    """The settings in the form. Values that its radio buttons cannot send are answered with 400."""
    return {
        "opponents": forms.number("opponents", min(families.OPPONENTS), max(families.OPPONENTS)),
        "level": forms.choice("level", families.LEVELS),
        "deck": forms.choice("deck", DECKS),
        "board": forms.choice("board", SUPPORTS),
        "hints": forms.choice("hints", ("1", "0")) == "1",
        "minutes_a_day": int(forms.choice("minutes_a_day", LIMITS)) or None,
    }


def _done() -> str:
    return _(DONE.get(request.args.get("done", ""), ""))
