"""The administrator's pages: the school at a glance, its classes, its settings and its server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from flask import current_app, g, request
from werkzeug.wrappers import Response

from classroom.services.base import audit, clock
from classroom.services.base.clock import SchoolPlace
from classroom.services.base.errors import Refused
from classroom.services.operation.health import GB, Checkup, checkup
from classroom.services.reports import skill_reports
from classroom.services.school import class_life, people
from classroom.services.table import choices
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.reports import setting_forms
from classroom.web.reports.setting_forms import NOTHING, Saving, SentSettings
from classroom.web.words.language import N_, ngettext
from classroom.web.words.language import gettext as _
from classroom.web.words.level_words import SYSTEM_NAMES
from classroom.web.words.sentences import sentence

# ---- The administrator's first page: the school at a glance


def school_home() -> str:
    rooms = people.rooms(g.who.school_id)
    return render(
        "pages/school/home.html",
        here="school",
        size=class_life.size(g.who.school_id),
        alone=tuple(room for room in rooms if not room.teachers),
        checked=audit.broken_seals(),
    )


# ---- The administrator's page of all classes, and who teaches them

ROOMS_DONE: Final = {
    "add": N_("Saved. They will find the class under “My classes”."),
    "remove": N_("Saved. They no longer see this class."),
}


def classes() -> str:
    """The classes by name, those without a teacher first."""
    found = people.rooms(g.who.school_id)
    return render(
        "pages/school/classes.html",
        here="classes",
        rooms=tuple(sorted(found, key=lambda room: bool(room.teachers))),
        teachers=people.teachers(g.who.school_id),
        done=forms.done(ROOMS_DONE),
    )


def teachers(class_id: int) -> Response:
    """Give the class to a teacher, or take a teacher or substitute off it."""
    what, adult_id = forms.choice("do", ROOMS_DONE), forms.number("adult", 1, forms.MOST)
    if what == "add":
        people.share(class_id, adult_id, by=g.who.adult_id)
    else:
        people.take_off(class_id, adult_id, by=g.who.adult_id)
    return see_other("school.classes", done=what, _anchor=f"class-{class_id}")


# ---- The school's settings: time, dates, words, standards and paper, and how children usually play

DONE = {
    "place": N_("Saved. Every page, sheet and file uses this from now on."),
    "play": N_("Saved. This applies from the next round, unless someone has chosen otherwise."),
    "questions": N_(
        "Saved. This applies from the next question, in classes that have not chosen their own."
    ),
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


def settings() -> Reply:
    """Show all settings; a POST sets time, dates, words, standards and paper."""
    if request.method != "POST":
        return settings_page()
    errors = forms.errors()
    typed = {
        "time_zone": forms.text("time_zone", forms.LONGEST),
        "dates": forms.chosen("dates", clock.DATES, errors),
        "words": forms.chosen("words", clock.WORDS, errors),
        "paper": forms.chosen("paper", clock.PAPERS, errors),
        "standards": forms.chosen("standards", skill_reports.SYSTEMS, errors),
    }
    if errors:
        return settings_page(SentSettings(part="place", errors=errors, picks=typed)), 400
    place = SchoolPlace(**{name: value for name, value in typed.items() if name != "standards"})
    who, system = g.who, typed["standards"]
    try:
        class_life.set_place(who.adult_id, who.school_id, place, system, forms.version())
    except Refused as refused:
        wrong = {refused.code: sentence(refused)}
        return settings_page(SentSettings(part="place", errors=wrong, picks=typed)), 400
    return see_other("school.settings", done="place")


def place_fields(where: tuple[SchoolPlace, str]) -> dict[str, str]:
    """The form's fields for the place of the school."""
    place, system = where
    return {**asdict(place), "standards": system}


def settings_page(sent: SentSettings = NOTHING) -> str:
    """The page of settings. `sent`: settings that were sent and cannot be stored."""
    school_id, part = g.who.school_id, sent.part or request.args.get("done", "")
    name, now = class_life.size(school_id).name, place_fields(class_life.where(school_id))
    names = sorted(clock.zones())
    regions = dict.fromkeys(name.split("/")[0] for name in names)
    return render(
        "pages/school/settings.html",
        here="settings",
        name=name,
        part=part if part in DONE else "place",
        place=forms.blank(sent.picks if sent.part == "place" else now),
        errors=forms.blank(sent.errors),
        zones=tuple(
            (region, tuple(name for name in names if name.split("/")[0] == region))
            for region in regions
        ),
        now=clock.now(),
        dates=_offer(DATES),
        words=_offer(WORDS),
        papers=_offer(PAPERS),
        systems=_offer(SYSTEM_NAMES),
        shown=setting_forms.shown("school", choices.read("school", school_id), name, sent=sent),
        done=forms.done(DONE),
    )


SCHOOL = Saving("school", "school.settings", settings_page)


def _offer(found: Mapping[Any, tuple[str, str]]) -> Offer:
    return tuple((key, _(name), _(example)) for key, (name, example) in found.items())


# ---- How the server is doing, in plain words, for administrators


def server() -> str:
    """Say what works and what does not."""
    found = checkup(Path(current_app.instance_path), current_app.extensions.get("pulse"))
    open_pages = ngettext(
        "%(num)s open page is following a table or a class.",
        "%(num)s open pages are following a table or a class.",
        found.open_pages,
    )
    return render(
        "pages/school/server.html",
        here="server",
        lines=tuple(_lines(found)),
        open_pages=open_pages,
        version=found.version,
        database=found.database,
    )


def _lines(found: Checkup) -> Iterator[tuple[str, bool]]:
    yield (found.problem or _("The data is sound, and changes are saved."), not found.problem)
    yield (_room(found), not found.is_full)
    yield (_moves(found), not found.is_slow)
    yield (_players(found), not found.is_late)
    yield (_work(found), not found.skipped)


def _room(found: Checkup) -> str:
    room = f"{found.free / GB:.1f}"
    if found.is_full:
        return _(
            "Only %(room)s GB of disk space is left: make room before the disk is full.", room=room
        )
    return _("%(room)s GB of disk space is free.", room=room)


def _moves(found: Checkup) -> str:
    if found.wait is None:
        return _("Nobody has made a move in the last minute.")
    seconds = f"{found.wait:.1f}"
    if found.is_slow:
        return _(
            "In the last minute one move in a hundred waited %(seconds)s seconds or longer: this "
            "computer is too slow for this many children, or busy with something else.",
            seconds=seconds,
        )
    return _("Moves are answered at once.")


def _players(found: Checkup) -> str:
    if found.is_late:
        late = f"{found.lag:.0f}"
        return _(
            "Computer players are %(late)s seconds late: this computer has too much to do.",
            late=late,
        )
    return _("Computer players move on time.")


def _work(found: Checkup) -> str:
    if not found.skipped:
        return _("All other jobs that are due have been done.")
    return ngettext(
        "%(num)s job that is due fails each time, so it is skipped. The server’s log says what.",
        "%(num)s jobs that are due fail each time, so they are skipped. The server’s log says "
        "what.",
        found.skipped,
    )
