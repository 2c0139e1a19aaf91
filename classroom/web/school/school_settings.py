"""The school's settings: time, dates, words, standards and paper, and how children usually play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.base import clock, places
from classroom.services.base.errors import Refused
from classroom.services.base.places import Place
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import Choice
from classroom.services.reports import standards
from classroom.services.school import schools
from classroom.services.table import choices
from classroom.web.http import forms
from classroom.web.http.pages import Reply, SchoolPage, render
from classroom.web.reports import play_forms, question_forms
from classroom.web.reports.play_forms import PlayForm
from classroom.web.reports.question_forms import NO_ERRORS, AskingForm, asking_form
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.sentences import sentence
from classroom.web.words.standard_words import SYSTEM_NAMES

WIDEST = Choice("every_turn")
DONE = {
    "place": N_("Saved. Every page, sheet and file goes by this from now on."),
    "play": N_("Saved. This applies from the next round, wherever no one chose otherwise."),
    "questions": N_("Saved. This applies from the next question, in classes without their own."),
}
# The choices of the form, each with its name and an example.
DATES: Final = {
    "day_first": (N_("Day first"), "3 Nov 2026, 14:45"),
    "month_first": (N_("Month first"), "Nov 3, 2026, 2:45 PM"),
    "year_first": (N_("Year first"), "2026-11-03, 14:45"),
}
WORDS: Final = {
    "en_GB": (N_("British English"), "maths · colour"),
    "en_US": (N_("American English"), "math · color"),
}
PAPERS: Final = {
    "a4": (N_("A4"), N_("210 × 297 mm")),
    "letter": (N_("Letter"), N_("8½ × 11 inches")),
}
Offer = tuple[tuple[str, str, str], ...]  # the value, name and example of each choice


@dataclass(frozen=True, kw_only=True)
class SchoolSettingsPage(SchoolPage):
    """`part`: the part that is unfolded. `place`: the choices by field; `errors`: by field.
    `zones`: the time zones that can be chosen, by region. `now`: the time, shown as an example."""

    template = "pages/school/settings.html"
    name: str
    part: str
    place: Mapping[str, str]
    errors: Mapping[str, str]
    zones: tuple[tuple[str, tuple[str, ...]], ...]
    now: float
    dates: Offer
    words: Offer
    papers: Offer
    systems: Offer
    form: PlayForm
    asked: Choice
    asking: AskingForm
    done: str


def settings() -> Reply:
    """Show all settings; a POST sets time, dates, words, standards and paper."""
    if request.method != "POST":
        return _settings(request.args.get("done", ""))
    errors: forms.Errors = {}
    typed = {
        "time_zone": forms.text("time_zone", forms.LONGEST),
        "dates": forms.chosen("dates", places.DATES, errors),
        "words": forms.chosen("words", places.WORDS, errors),
        "paper": forms.chosen("paper", places.PAPERS, errors),
        "standards": forms.chosen("standards", standards.SYSTEMS, errors),
    }
    if errors:
        return _settings("place", errors, place=typed), 400
    system = typed["standards"]
    place = Place(**{name: value for name, value in typed.items() if name != "standards"})
    try:
        schools.set_place(g.who.adult_id, g.who.school_id, place, system)
    except Refused as refused:
        return _settings("place", {refused.code: sentence(refused)}, place=typed), 400
    return _back("place")


def _settings(
    part: str,
    errors: Mapping[str, str] = NO_ERRORS,
    picks: Mapping[str, Any] = NO_ERRORS,
    typed: Choice | None = None,
    place: Mapping[str, str] = NO_ERRORS,
) -> str:
    """The page of settings. `picks`, `typed`, `place`: what was sent and refused."""
    school_id = g.who.school_id
    now = {**asdict(places.here()), "standards": standards.of_school(school_id)}
    return render(
        SchoolSettingsPage(
            here="settings",
            name=schools.glance(school_id).name,
            part=part if part in DONE else "place",
            place=forms.blank(place or now),
            errors=forms.blank(errors),
            zones=_zones(),
            now=clock.now(),
            dates=_offer(DATES),
            words=_offer(WORDS),
            papers=_offer(PAPERS),
            systems=_offer(SYSTEM_NAMES),
            form=play_forms.again(
                play_forms.of_level(choices.of_school(school_id), "school"), picks, errors
            ),
            asked=typed or question_settings.of_school(school_id),
            asking=asking_form(WIDEST, errors),
            done=_(DONE.get(request.args.get("done", ""), "")),
        )
    )


def play() -> Reply:
    """Set how children usually play."""
    errors: forms.Errors = {}
    picks = play_forms.sent(errors, may_open=False)
    if errors:
        return _settings("play", errors, picks), 400
    choices.set_usual(g.who.adult_id, g.who.school_id, picks)
    return _back("play")


def questions() -> Reply:
    """Set how often questions usually come, and what they are about."""
    errors: forms.Errors = {}
    typed = question_forms.sent(WIDEST, errors)
    if errors:
        return _settings("questions", errors, typed=typed), 400
    question_settings.set_usual(g.who.adult_id, g.who.school_id, typed)
    return _back("questions")


def _zones() -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = sorted(places.zones())
    regions = dict.fromkeys(name.split("/")[0] for name in names)
    return tuple(
        (region, tuple(name for name in names if name.split("/")[0] == region))
        for region in regions
    )


def _offer(found: Mapping[Any, tuple[str, str]]) -> Offer:
    return tuple((key, _(name), _(example)) for key, (name, example) in found.items())


def _back(done: str) -> Response:
    return redirect(url_for("school.settings", done=done), code=303)
