"""A parent's pages: create an account from a code, link children, set the difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import sign_in
from classroom.services.base.errors import Refused
from classroom.services.lesson import lessons
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import Choice, Chosen
from classroom.services.reports import overview
from classroom.services.reports import skill_reports as progress_of
from classroom.services.reports.figures import ChildPage, Totals
from classroom.services.school import families, family_links
from classroom.services.school.families import NextRound, OwnChild
from classroom.services.school.family_links import Ending
from classroom.services.table import choices, home, offers, restrictions
from classroom.services.table.offers import Offer
from classroom.web.http import forms
from classroom.web.http.guards import keep_token
from classroom.web.http.pages import FamilyPage, Page, Reply, render
from classroom.web.reports import charts, play_forms, question_forms
from classroom.web.reports.charts import DayDots
from classroom.web.reports.missed_view import MissedView, newest
from classroom.web.reports.play_forms import PlayForm
from classroom.web.reports.progress_view import ChildView, child_view
from classroom.web.reports.question_forms import NO_ERRORS, AskingForm, asking_form
from classroom.web.words import (
    choice_words,
    filters,
    home_words,
    restriction_words,
    rule_words,
    sentences,
)
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

LIMITS = tuple(str(minutes) for minutes in (0, *families.MINUTES))  # 0: no limit
FIELDS = {  # the field beside which each refusal is shown
    "code_unknown": "code",
    "code_used": "code",
    "code_ended": "code",
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
CODE_TROUBLES = ("code_unknown", "code_used", "code_ended")
DONE = {
    "saved": N_("Saved. This applies from the next round."),
    "asked": N_("Saved. This applies from the next question."),
    "linked": N_("Linked. Welcome!"),
    "same": N_("This child is already linked to you."),
    "home_closed": N_("Play at home is closed now."),
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
    """By the child's id: `told`, three sentences or why nothing is worked out, and `weeks`, the
    last seven days."""

    template = "pages/family/home.html"
    told: Mapping[int, tuple[str, ...]]
    weeks: Mapping[int, Totals]
    values: Mapping[str, str]
    errors: Mapping[str, str]
    done: str


@dataclass(frozen=True, kw_only=True)
class DifficultyPage(FamilyPage):
    """The settings of a child. `form`: for how it plays. `limits`: minutes a day that can be
    chosen; `class_limit`: the teacher's, None if there is none. `whose_words`, `whose_questions`:
    who chose what is in force in lessons. `child`: the same child, with the hours at home.
    `held`: why nothing is worked out about the child."""

    template = "pages/family/child.html"
    page: ChildPage
    chosen: NextRound
    form: PlayForm
    errors: Mapping[str, str]
    limits: tuple[int, ...]
    class_limit: int | None
    settings_words: tuple[str, ...]
    whose_words: tuple[str, ...]
    whose_questions: str
    asked: Chosen
    asking: AskingForm
    class_games: tuple[GameRules, ...]
    held: tuple[str, ...]
    child: OwnChild
    done: str


@dataclass(frozen=True, kw_only=True)
class HowChildDoesPage(FamilyPage):
    """`together`: a missed question to do together, if any. `unfolded`: whether every section is
    open, as it is for those who turn to older rounds."""

    template = "pages/family/progress.html"
    unfolded: bool
    page: ChildPage
    view: ChildView
    together: tuple[MissedView, ...]
    dots: DayDots
    home_lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LeaveChildPage(FamilyPage):
    template = "pages/family/leave_child.html"
    ending: Ending


@dataclass(frozen=True, kw_only=True)
class LeavePage(FamilyPage):
    template = "pages/family/leave.html"


# ---- account


def join() -> Reply:
    """Create an account from a code and sign in. After an error the form keeps everything but the
    password."""
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
    return status if status == 429 or refused.code in CODE_TROUBLES else 400


# ---- leaving


def leave_child(child_id: int) -> Response | str:
    """Ask whether to end the link to this child; a POST ends it."""
    if request.method == "POST":
        ended = family_links.unlink(child_id, g.who.adult_id, by=g.who.adult_id)
        return _ended() if ended else redirect(url_for("auth.account", done="unlinked"), code=303)
    ending = family_links.ending(child_id, g.who.adult_id)
    overview.looked(g.who.adult_id, "child", child_id)
    own = families.children_of(g.who.adult_id)
    return render(LeaveChildPage(here=child_id, own=own, ending=ending))


def leave() -> Response | str:
    """Ask whether to end the parent's own account; a POST ends it."""
    if request.method == "POST":
        family_links.end_account(g.who.adult_id)
        return _ended()
    own = families.children_of(g.who.adult_id)
    for child in own:
        overview.looked(g.who.adult_id, "child", child.child_id)
    return render(LeavePage(here="home", own=own))


def _ended() -> Response:
    answer = keep_token(redirect(url_for("auth.ended"), code=303), None)
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'
    return answer


# ---- children


def children() -> str:
    return _home({}, {})


def _home(values: Mapping[str, str], errors: Mapping[str, str]) -> str:
    own = families.children_of(g.who.adult_id)
    for child in own:
        overview.looked(g.who.adult_id, "child", child.child_id)
    children = [child.child_id for child in own]
    levels, held = progress_of.levels_of(children), restrictions.among(children)
    return render(
        MyChildrenPage(
            here="home",
            own=own,
            told={
                child.child_id: restriction_words.sentences(
                    held.get(child.child_id, ()), child.name
                )
                or home_words.sentences(child.name, levels.get(child.child_id, {}))
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
    return _child(child_id)


def _child(
    child_id: int,
    errors: Mapping[str, str] = NO_ERRORS,
    picks: Mapping[str, Any] = NO_ERRORS,
    typed: Choice | None = None,
) -> str:
    """The page of one child's settings. `picks`, `typed`: how to play and what to ask about, as
    sent and refused."""
    overview.looked(g.who.adult_id, "child", child_id)
    page = overview.child_page(child_id)
    own = families.children_of(g.who.adult_id)
    mine = next(one for one in own if one.child_id == child_id)
    chosen = families.settings(child_id)
    asked = _asked(child_id)
    form = play_forms.of_family(families.to_choose(child_id), page.name, page.animal, page.pad)
    return render(
        DifficultyPage(
            here=child_id,
            own=own,
            page=page,
            child=mine,
            chosen=chosen,
            form=play_forms.again(form, picks, errors),
            errors=forms.blank(errors),
            limits=families.MINUTES,
            class_limit=lessons.times(page.class_id).minutes_a_day,
            settings_words=filters.settings(chosen),
            whose_words=choice_words.sentences(chosen.told, page.name, page.class_name),
            whose_questions=choice_words.questions(
                choices.asked_by(asked.rules), page.name, page.class_name
            ),
            asked=replace(asked, now=typed) if typed else asked,
            asking=asking_form(asked.bounds, errors),
            class_games=_class_games(page.class_id, chosen),
            held=restriction_words.sentences(restrictions.of(child_id), page.name),
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
    view = child_view(
        page.name,
        progress_of.of_child(child_id),
        families.settings(child_id).board,
        held=restrictions.of(child_id),
    )
    return render(
        HowChildDoesPage(
            here=child_id,
            own=families.children_of(g.who.adult_id),
            page=page,
            unfolded="before" in request.args,
            view=view,
            together=newest(child_id, view.frame.strand) if view.frame else (),
            dots=charts.day_dots({one.day for one in page.days}, page.day),
            home_lines=home_words.at_home_lines(page.home),
        )
    )


def settings(child_id: int) -> Response | tuple[str, int]:
    errors: forms.Errors = {}
    picks = play_forms.sent(errors, may_open=False, fixed=families.to_choose(child_id).fixed)
    minutes = forms.chosen("minutes_a_day", LIMITS, errors)
    if errors:
        return _child(child_id, errors, picks), 400
    picks["minutes_a_day"] = int(minutes) or None
    families.change_settings(g.who.adult_id, child_id, **picks)
    return redirect(url_for("family.child", child_id=child_id, done="saved"), code=303)


def questions(child_id: int) -> Response | tuple[str, int]:
    """Set how often questions come, and what they are about. Skills that are greyed out count as
    ticked, so that they are there again once the teacher allows them."""
    errors: forms.Errors = {}
    typed = question_forms.sent(_asked(child_id).bounds, errors)
    if errors:
        return _child(child_id, errors, typed=typed), 400
    question_settings.set_child(g.who.adult_id, child_id, typed)
    return redirect(url_for("family.child", child_id=child_id, done="asked"), code=303)


def _asked(child_id: int) -> Chosen:
    """The questions that a parent chooses from: while play at home is on, all of them."""
    return question_settings.of_child(child_id, at_home=home.hours_for(child_id).on)


def _done() -> str:
    return _(DONE.get(request.args.get("done", ""), ""))
