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
from classroom.web.http.pages import SchoolPage, render
from classroom.web.reports import play_forms, question_forms
from classroom.web.reports.play_forms import PlayForm
from classroom.web.reports.question_forms import AskingForm, asking_form
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.sentences import sentence
from classroom.web.words.standard_words import SYSTEM_NAMES

WIDEST = Choice("every_turn")
LONGEST = 80  # most characters of a time zone
DONE = {
    "place": N_("Saved. Every page, sheet and file goes by this from now on."),
    "play": N_("Saved. This applies from the next round, wherever no one chose otherwise."),
    "questions": N_("Saved. This applies from the next question, in classes without their own."),
    "no_skill": N_("Nothing was changed: tick at least one skill, or choose Off."),
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
    `zones`: the time zones that can be chosen, by region. `now`: the time as it is shown now."""

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


def settings() -> Response | str | tuple[str, int]:
    """Show all settings; a POST sets time, dates, words, standards and paper."""
    if request.method != "POST":
        done = request.args.get("done", "")
        return _settings("questions" if done == "no_skill" else done, {}, {})
    typed = {
        "time_zone": forms.text("time_zone", LONGEST),
        "dates": forms.choice("dates", places.DATES),
        "words": forms.choice("words", places.WORDS),
        "paper": forms.choice("paper", places.PAPERS),
        "standards": forms.choice("standards", standards.SYSTEMS),
    }
    system = typed["standards"]
    place = Place(**{name: value for name, value in typed.items() if name != "standards"})
    try:
        schools.set_place(g.who.adult_id, g.who.school_id, place, system)
    except Refused as refused:
        return _settings("place", typed, {refused.code: sentence(refused)}), 400
    return _back("place")


def _settings(part: str, typed: Mapping[str, str], errors: Mapping[str, str]) -> str:
    school_id = g.who.school_id
    now = {**asdict(places.here()), "standards": standards.of_school(school_id)}
    return render(
        SchoolSettingsPage(
            here="settings",
            name=schools.glance(school_id).name,
            part=part if part in DONE else "place",
            place=forms.blank(typed or now),
            errors=forms.blank(errors),
            zones=_zones(),
            now=clock.now(),
            dates=_offer(DATES),
            words=_offer(WORDS),
            papers=_offer(PAPERS),
            systems=_offer(SYSTEM_NAMES),
            form=play_forms.of_level(choices.of_school(school_id), "school"),
            asked=question_settings.of_school(school_id),
            asking=asking_form(WIDEST),
            done=_(DONE.get(request.args.get("done", ""), "")),
        )
    )


def play() -> Response:
    """Set how children usually play."""
    choices.set_usual(g.who.adult_id, g.who.school_id, play_forms.sent(may_open=False))
    return _back("play")


def questions() -> Response:
    """Set how often questions usually come and what about."""
    try:
        question_settings.set_usual(g.who.adult_id, g.who.school_id, question_forms.sent(WIDEST))
    except Refused:
        return _back("no_skill")
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
