"""The school's settings: time, dates, words, standards and paper, and how children usually play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from flask import g, redirect, request, url_for

from classroom.services.base import clock, places
from classroom.services.base.errors import Refused
from classroom.services.base.places import Place
from classroom.services.reports import standards
from classroom.services.school import schools
from classroom.services.table import choices
from classroom.web.http import both, forms
from classroom.web.http.pages import Reply, SchoolPage, render
from classroom.web.reports import setting_forms
from classroom.web.reports.setting_forms import NOTHING, Saving, Sent, Shown
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.sentences import sentence
from classroom.web.words.standard_words import SYSTEM_NAMES

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
    `shown`: the forms for play and for questions. `zones`: the time zones that can be chosen, by
    region. `now`: the time, shown as an example."""

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
    shown: Shown
    done: str


def settings() -> Reply:
    """Show all settings; a POST sets time, dates, words, standards and paper."""
    if request.method != "POST":
        return page()
    errors = forms.errors()
    typed = {
        "time_zone": forms.text("time_zone", forms.LONGEST),
        "dates": forms.chosen("dates", places.DATES, errors),
        "words": forms.chosen("words", places.WORDS, errors),
        "paper": forms.chosen("paper", places.PAPERS, errors),
        "standards": forms.chosen("standards", standards.SYSTEMS, errors),
    }
    if errors:
        return page(Sent(part="place", errors=errors, picks=typed)), 400
    place = Place(**{name: value for name, value in typed.items() if name != "standards"})
    who, system = g.who, typed["standards"]
    try:
        schools.set_place(who.adult_id, who.school_id, place, system, both.version())
    except Refused as refused:
        wrong = {refused.code: sentence(refused)}
        return page(Sent(part="place", errors=wrong, picks=typed)), 400
    return redirect(url_for("school.settings", done="place"), code=303)


def place_fields(where: tuple[Place, str]) -> dict[str, str]:
    """The fields of the form for the place of the school."""
    place, system = where
    return {**asdict(place), "standards": system}


def page(sent: Sent = NOTHING) -> str:
    """The page of settings. `sent`: what was sent and cannot be stored."""
    school_id, part = g.who.school_id, sent.part or request.args.get("done", "")
    name, now = schools.size(school_id).name, place_fields(schools.where(school_id))
    return render(
        SchoolSettingsPage(
            here="settings",
            name=name,
            part=part if part in DONE else "place",
            place=forms.blank(sent.picks if sent.part == "place" else now),
            errors=forms.blank(sent.errors),
            zones=_zones(),
            now=clock.now(),
            dates=_offer(DATES),
            words=_offer(WORDS),
            papers=_offer(PAPERS),
            systems=_offer(SYSTEM_NAMES),
            shown=setting_forms.shown("school", choices.read("school", school_id), name, sent=sent),
            done=_(DONE.get(request.args.get("done", ""), "")),
        )
    )


SCHOOL = Saving("school", "school.settings", page)


def _zones() -> tuple[tuple[str, tuple[str, ...]], ...]:
    names = sorted(places.zones())
    regions = dict.fromkeys(name.split("/")[0] for name in names)
    return tuple(
        (region, tuple(name for name in names if name.split("/")[0] == region))
        for region in regions
    )


def _offer(found: Mapping[Any, tuple[str, str]]) -> Offer:
    return tuple((key, _(name), _(example)) for key, (name, example) in found.items())
