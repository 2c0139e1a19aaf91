"""A teacher's settings for a class, a group or one child: play, questions, times, play at home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import g, request

from classroom.services.base.errors import Refused
from classroom.services.base.names import ShownClass
from classroom.services.lesson import lessons, seating
from classroom.services.lesson.lessons import HomePlay, Times
from classroom.services.reports import overview, skill_reports
from classroom.services.school import family_links
from classroom.services.table import choices, evidence_log
from classroom.services.table.choices import CLOCK_TIMES, WEEKENDS, Hours
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.reports import setting_forms
from classroom.web.reports.setting_forms import NOTHING, Saving, SentSettings, offer
from classroom.web.words import choice_words, filters
from classroom.web.words.choice_words import OFTEN_NAMES
from classroom.web.words.filters import clock_time
from classroom.web.words.language import N_, gettext as _
from classroom.web.words.level_words import SYSTEM_NAMES
from classroom.web.words.sentences import sentence

# ---- The form for play at home: its fields, and a sentence on when children may play there

HOME_TIMES: Final = ("home_from", "home_until", "home_weekend_from", "home_weekend_until")


def home_fields(chosen: HomePlay) -> dict[str, str]:
    """Return the stored settings for play at home, as the fields of their form."""
    return {
        "home_on": str(int(chosen.hours.on)),
        "home_from": str(chosen.hours.first),
        "home_until": str(chosen.hours.last),
        "home_weekend": chosen.hours.weekend,
        "home_weekend_from": str(chosen.hours.weekend_first),
        "home_weekend_until": str(chosen.hours.weekend_last),
        "home_counts": str(int(chosen.counts)),
    }


def home_in_force(hours: Hours) -> str:
    """Return a sentence that says when children may play at home."""
    if not hours.on:
        return _("Off: children play in lessons only.")
    first, last = clock_time(hours.first), clock_time(hours.last)
    if hours.weekend == "same":
        return _("On from %(first)s to %(last)s.", first=first, last=last)
    if hours.weekend == "none":
        return _("On from %(first)s to %(last)s, not at weekends.", first=first, last=last)
    return _(
        "On from %(first)s to %(last)s, at weekends from %(early)s to %(late)s.",
        first=first,
        last=last,
        early=clock_time(hours.weekend_first),
        late=clock_time(hours.weekend_last),
    )


# ---- A teacher's settings for a class and one child: how they play, questions, times, standards

SCHOOLS = "school"  # the value that chooses the school's standards

# What a page says after something was saved. The URL contains the key.
DONE = {
    "play": N_("Saved. This applies from the next round."),
    "questions": N_("Saved. This applies from the next question."),
    "talk": N_("Saved. This applies at once."),
    "times": N_("Saved. This applies at once."),
    "home": N_(
        "Saved. This applies at once. The results on the class’s pages will change within a minute."
    ),
    "standards": N_("Saved. The skills pages of this class now show these standards."),
}


def settings(class_id: int, sent: SentSettings = NOTHING) -> str:
    """Show the settings of a class. `sent`: settings that were sent and cannot be stored."""
    page, levels = overview.class_page(class_id), choices.read("class", class_id)
    part, home = sent.part or request.args.get("done", ""), lessons.home_play_of(class_id)

    def typed(key: str, stored: Mapping[str, str]) -> Mapping[str, str]:
        return forms.blank(request.form if part == key and sent.errors else stored)

    own = {"standards": skill_reports.own_standards(class_id) or SCHOOLS}
    usual = _(SYSTEM_NAMES[skill_reports.school_standards(g.who.school_id)][0])
    schools = (SCHOOLS, _("Same as the school"), _("Now: %(standards)s.", standards=usual))
    often = {"talk": choices.talk_of_class(class_id)}
    return render(
        "pages/teach/settings.html",
        here="settings",
        school_class=ShownClass(class_id, page.name),
        page=page,
        part=part if part in DONE else "play",
        shown=setting_forms.shown("class", levels, page.name, sent=sent),
        times=typed("times", times_fields(lessons.times(class_id))),
        errors=forms.blank(sent.errors),
        home=typed("home", home_fields(home)),
        home_words=home_in_force(home.hours),
        hours=CLOCK_TIMES,
        system=typed("standards", own)["standards"],
        systems=(schools, *offer(SYSTEM_NAMES)),
        talk=typed("talk", often)["talk"],
        talks=offer(OFTEN_NAMES),
        done=forms.done(DONE),
    )


CLASS = Saving("class", "teach.settings", settings)


def _again(class_id: int, part: str, errors: Mapping[str, str]) -> Reply:
    return settings(class_id, SentSettings(part=part, errors=errors)), 400


def standards(class_id: int) -> Reply:
    errors = forms.errors()
    system = forms.chosen("standards", (SCHOOLS, *SYSTEM_NAMES), errors)
    if errors:
        return _again(class_id, "standards", errors)
    chosen = None if system == SCHOOLS else system
    skill_reports.choose_standards(class_id, chosen, g.who.adult_id, forms.version())
    return see_other("teach.settings", done="standards", class_id=class_id)


def talk(class_id: int) -> Reply:
    """Choose how often the voice asks the children in this class how they knew."""
    errors = forms.errors()
    often = forms.chosen("talk", choices.OFTEN, errors)
    if errors:
        return _again(class_id, "talk", errors)
    choices.choose_talk(class_id, often, g.who.adult_id, forms.version())
    return see_other("teach.settings", done="talk", class_id=class_id)


def home_play(class_id: int) -> Reply:
    """Set whether and when the children may play at home, and whether their play there counts."""
    errors = forms.errors()
    times = [str(one) for one in CLOCK_TIMES]
    sent = {name: forms.chosen(name, ("0", "1"), errors) for name in ("home_on", "home_counts")}
    sent |= {name: forms.chosen(name, times, errors) for name in HOME_TIMES}
    sent["home_weekend"] = forms.chosen("home_weekend", WEEKENDS, errors)
    if not errors:
        first, last, weekend_first, weekend_last = (int(sent[name]) for name in HOME_TIMES)
        weekend = (sent["home_weekend"], weekend_first, weekend_last)
        hours = Hours(sent["home_on"] == "1", first, last, *weekend)
        chosen = HomePlay(hours, sent["home_counts"] == "1")
        try:
            lessons.set_home_play(g.who.adult_id, class_id, chosen, forms.version())
        except Refused as refused:
            late = "home_until" if refused.code == "hours" else "home_weekend_until"
            errors[late] = sentence(refused)
    if errors:
        return _again(class_id, "home", errors)
    return see_other("teach.settings", done="home", class_id=class_id)


def times(class_id: int) -> Reply:
    """Set the waiting times and the minutes a day. After an error the form keeps what was typed."""
    errors = forms.errors()
    low, high = lessons.SILENCE
    chosen = Times(
        forms.whole("nudge_after", low, high, errors),
        forms.whole("stand_in_after", low, high, errors),
        forms.whole("minutes_a_day", 0, lessons.MINUTES[1], errors) or None,
    )
    if not errors:
        try:
            lessons.set_times(class_id, chosen, g.who.adult_id, forms.version())
        except Refused as refused:
            late = chosen.nudge_after > chosen.stand_in_after
            errors["stand_in_after" if late else "minutes_a_day"] = sentence(refused)
    if errors:
        return _again(class_id, "times", errors)
    return see_other("teach.settings", done="times", class_id=class_id)


def times_fields(times: Times) -> dict[str, str]:
    return {
        "nudge_after": str(times.nudge_after),
        "stand_in_after": str(times.stand_in_after),
        "minutes_a_day": str(times.minutes_a_day or 0),
    }


# ---- one child


def child_settings(child_id: int, sent: SentSettings = NOTHING) -> str:
    """Show one child's settings for play and questions. `sent`: what was sent, but not stored."""
    overview.looked(g.who.adult_id, "child", child_id)
    page, levels = overview.shown_child(child_id), choices.read("child", child_id)
    return render(
        "pages/teach/child_settings.html",
        here="settings",
        school_class=page.school_class,
        page=page,
        shown=setting_forms.shown("child", levels, page.school_class.name, page, sent),
        settings_words=filters.settings(family_links.next_round(levels)),
        restrictions=choice_words.restriction_sentences(
            evidence_log.restriction_of(child_id), page.name
        ),
        done=forms.done(DONE),
    )


CHILD = Saving("child", "teach.child_settings", child_settings)


# ---- The settings of a group, which override the settings of its class


def group_settings(group_id: int, sent: SentSettings = NOTHING) -> str:
    """Show the group's settings for play and questions. `sent`: what was sent, but not stored."""
    group, levels = seating.group(group_id), choices.read("group", group_id)
    overview.looked(g.who.adult_id, "class", group.class_id)
    room = overview.class_name(group.class_id)
    return render(
        "pages/teach/group_settings.html",
        here="settings",
        school_class=ShownClass(group.class_id, room),
        group=group,
        children=seating.members_of(group),
        shown=setting_forms.shown("group", levels, room, sent=sent),
        done=forms.done(DONE),
    )


GROUP = Saving("group", "teach.group_settings", group_settings)
