"""A teacher's settings for a class and one child: how they play, questions, times, standards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.services.base.errors import Refused
from classroom.services.lesson import home_play as home_play_of
from classroom.services.lesson import lessons
from classroom.services.lesson.home_play import HomePlay
from classroom.services.lesson.lessons import Times
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import WIDEST, Choice
from classroom.services.reports import overview
from classroom.services.reports import standards as shown_standards
from classroom.services.reports.figures import ChildPage, ClassPage
from classroom.services.school import families
from classroom.services.table import choices, restrictions
from classroom.services.table import talk as telling
from classroom.services.table.home import CLOCK_TIMES, WEEKENDS, Hours
from classroom.web.http import forms
from classroom.web.http.pages import Reply, ShownClass, Tab, TeacherPage, render
from classroom.web.reports import play_forms, question_forms
from classroom.web.reports.play_forms import PlayForm
from classroom.web.reports.question_forms import NO_ERRORS, AskingForm, asking_form
from classroom.web.teacher import home_forms
from classroom.web.words import choice_words, filters, restriction_words
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.sentences import sentence
from classroom.web.words.standard_words import SYSTEM_NAMES
from classroom.web.words.talk_words import OFTEN_NAMES

SCHOOLS = "school"  # the value that chooses the school's standards

# What a page says after something was saved; the address carries the key.
DONE = {
    "play": N_("Saved. This applies from the next round."),
    "questions": N_("Saved. This applies from the next question."),
    "talk": N_("Saved. This applies at once."),
    "times": N_("Saved. This applies at once."),
    "home": N_("Saved. This applies at once; numbers that change follow within a minute."),
    "standards": N_("Saved. The skills pages of this class now name these standards."),
}


@dataclass(frozen=True, kw_only=True)
class ClassSettingsPage(TeacherPage):
    """`part`: the part that is unfolded. `whose_words`, `whose_questions`: what is in force for a
    child without choices of its own, and whose choice it is. `own_questions`: whether the teacher
    has chosen any. `times`, `errors`: by field. `systems`: the key, name and words of each system
    of standards; `system`: the class's own choice, "school" if it has none. `talk`: how often
    children are asked how they knew, and `talks` the choices, as for `systems`. `home`: the fields
    for play at home; `home_words`: what is in force there; `hours`: the minutes of the day from
    which its times are chosen."""

    template = "pages/teach/settings.html"
    here: Tab = "settings"
    page: ClassPage
    part: str
    form: PlayForm
    whose_words: tuple[str, ...]
    asked: Choice
    asking: AskingForm
    whose_questions: str
    own_questions: bool
    times: Mapping[str, str]
    errors: Mapping[str, str]
    home: Mapping[str, str]
    home_words: str
    hours: tuple[int, ...]
    system: str
    systems: tuple[tuple[str, str, str], ...]
    talk: str
    talks: tuple[tuple[str, str, str], ...]
    done: str


@dataclass(frozen=True, kw_only=True)
class ChildSettingsPage(TeacherPage):
    """`settings_words`: how the child's next round is set up; `whose_words`, `whose_questions`:
    whose choices those are. `own_questions`: whether a teacher chose any for this child. `held`:
    why nothing is worked out about the child; empty if anything may be."""

    template = "pages/teach/child_settings.html"
    here: Tab = "settings"
    page: ChildPage
    form: PlayForm
    settings_words: tuple[str, ...]
    whose_words: tuple[str, ...]
    asked: Choice
    asking: AskingForm
    whose_questions: str
    own_questions: bool
    held: tuple[str, ...]
    done: str


# ---- the class


def settings(class_id: int) -> str:
    return _settings(class_id, request.args.get("done", ""))


def _settings(
    class_id: int,
    part: str,
    errors: Mapping[str, str] = NO_ERRORS,
    picks: Mapping[str, Any] = NO_ERRORS,
    typed: Choice | None = None,
) -> str:
    """The page of settings. `picks`, `typed`: how to play and what to ask about, as they were sent
    and refused."""
    page, levels = overview.class_page(class_id), choices.of_class(class_id)
    rules = choices.ruling_questions(levels)
    child = _("the child")
    return render(
        ClassSettingsPage(
            school_class=ShownClass(class_id, page.name),
            page=page,
            part=part if part in DONE else "play",
            form=play_forms.again(play_forms.of_level(levels, "class"), picks, errors),
            whose_words=choice_words.sentences(choices.told(levels.play), child, page.name),
            asked=typed or question_settings.of_class(class_id),
            asking=asking_form(WIDEST, errors),
            whose_questions=choice_words.questions(choices.asked_by(rules), child, page.name),
            own_questions=rules is not None and rules.whose == "class",
            times=forms.blank(request.form if part == "times" and errors else _times(class_id)),
            errors=forms.blank(errors),
            home=forms.blank(
                request.form
                if part == "home" and errors
                else home_forms.fields(home_play_of.of_class(class_id))
            ),
            home_words=home_forms.in_force(home_play_of.of_class(class_id).hours),
            hours=CLOCK_TIMES,
            system=shown_standards.own_choice(class_id) or SCHOOLS,
            systems=_systems(g.who.school_id),
            talk=telling.of_class(class_id),
            talks=tuple((key, _(name), _(what)) for key, (name, what) in OFTEN_NAMES.items()),
            done=done(),
        )
    )


def play(class_id: int) -> Reply:
    """Set how the children of the class play in lessons, or leave it to families."""
    errors: forms.Errors = {}
    picks = play_forms.sent(errors, may_open=True)
    if errors:
        return _settings(class_id, "play", errors, picks), 400
    choices.set_class(g.who.adult_id, class_id, picks)
    return back("teach.settings", "play", class_id=class_id)


def questions(class_id: int) -> Reply:
    """Set how often questions come, and what they are about. In lessons a family chooses within
    these limits; at home it chooses freely."""
    errors: forms.Errors = {}
    typed = questions_sent(errors)
    if errors:
        return _settings(class_id, "questions", errors, typed=typed), 400
    question_settings.set_class(g.who.adult_id, class_id, typed)
    return back("teach.settings", "questions", class_id=class_id)


def questions_sent(errors: forms.Errors) -> Choice | None:
    """The choice that was sent; None if it is left to the next wider level."""
    return None if forms.flag("leave") else question_forms.sent(WIDEST, errors)


def standards(class_id: int) -> Reply:
    """Choose which standards the class's pages name."""
    errors: forms.Errors = {}
    system = forms.chosen("standards", (SCHOOLS, *SYSTEM_NAMES), errors)
    if errors:
        return _settings(class_id, "standards", errors), 400
    chosen = None if system == SCHOOLS else system
    shown_standards.choose(class_id, chosen, by=g.who.adult_id)
    return back("teach.settings", "standards", class_id=class_id)


def talk(class_id: int) -> Reply:
    """Choose how often the voice asks children to tell how they knew."""
    errors: forms.Errors = {}
    often = forms.chosen("talk", telling.OFTEN, errors)
    if errors:
        return _settings(class_id, "talk", errors), 400
    telling.choose(class_id, often, by=g.who.adult_id)
    return back("teach.settings", "talk", class_id=class_id)


def home_play(class_id: int) -> Reply:
    """Set whether and when the children may play at home, and whether it counts."""
    errors: forms.Errors = {}
    times = [str(one) for one in CLOCK_TIMES]
    sent = {name: forms.chosen(name, ("0", "1"), errors) for name in ("home_on", "home_counts")}
    sent |= {name: forms.chosen(name, times, errors) for name in home_forms.TIMES}
    sent["home_weekend"] = forms.chosen("home_weekend", WEEKENDS, errors)
    if not errors:
        first, last, weekend_first, weekend_last = (int(sent[name]) for name in home_forms.TIMES)
        weekend = (sent["home_weekend"], weekend_first, weekend_last)
        hours = Hours(sent["home_on"] == "1", first, last, *weekend)
        chosen = HomePlay(hours, sent["home_counts"] == "1")
        try:
            home_play_of.set_class(g.who.adult_id, class_id, chosen)
        except Refused as refused:
            late = "home_until" if refused.code == "hours" else "home_weekend_until"
            errors[late] = sentence(refused)
    if errors:
        return _settings(class_id, "home", errors), 400
    return back("teach.settings", "home", class_id=class_id)


def times(class_id: int) -> Reply:
    """Set the waiting times and the minutes a day. After an error the form keeps what was typed."""
    errors: forms.Errors = {}
    low, high = lessons.SILENCE
    chosen = Times(
        forms.whole("nudge_after", low, high, errors),
        forms.whole("stand_in_after", low, high, errors),
        forms.whole("minutes_a_day", 0, lessons.MINUTES[1], errors) or None,
    )
    if not errors:
        try:
            lessons.set_times(class_id, chosen, g.who.adult_id)
        except Refused as refused:
            late = chosen.nudge_after > chosen.stand_in_after
            errors["stand_in_after" if late else "minutes_a_day"] = sentence(refused)
    if errors:
        return _settings(class_id, "times", errors), 400
    return back("teach.settings", "times", class_id=class_id)


def _times(class_id: int) -> dict[str, str]:
    times = lessons.times(class_id)
    return {
        "nudge_after": str(times.nudge_after),
        "stand_in_after": str(times.stand_in_after),
        "minutes_a_day": str(times.minutes_a_day or 0),
    }


def _systems(school_id: int) -> tuple[tuple[str, str, str], ...]:
    usual = SYSTEM_NAMES[shown_standards.of_school(school_id)][0]
    schools = (SCHOOLS, _("As the school"), _("Now: %(standards)s.", standards=_(usual)))
    return (schools, *((key, _(name), _(what)) for key, (name, what) in SYSTEM_NAMES.items()))


# ---- one child


def child_settings(child_id: int) -> str:
    return _child_settings(child_id)


def _child_settings(
    child_id: int,
    errors: Mapping[str, str] = NO_ERRORS,
    picks: Mapping[str, Any] = NO_ERRORS,
    typed: Choice | None = None,
) -> str:
    overview.looked(g.who.adult_id, "child", child_id)
    page, levels = overview.child_page(child_id), choices.of_child(child_id)
    asked = question_settings.of_child(child_id)
    return render(
        ChildSettingsPage(
            school_class=ShownClass(page.class_id, page.class_name),
            page=page,
            form=play_forms.again(
                play_forms.of_level(levels, "child", page.name, page.animal, page.pad),
                picks,
                errors,
            ),
            settings_words=filters.settings(families.settings(child_id)),
            whose_words=choice_words.sentences(
                choices.told(levels.play), page.name, page.class_name
            ),
            asked=typed or asked.bounds,
            asking=asking_form(WIDEST, errors),
            whose_questions=choice_words.questions(
                choices.asked_by(asked.rules), page.name, page.class_name
            ),
            own_questions=asked.rules is not None and asked.rules.whose == "child",
            held=restriction_words.sentences(restrictions.of(child_id), page.name),
            done=done(),
        )
    )


def child_play(child_id: int) -> Reply:
    """Set how one child plays in lessons, or leave that to its group or class."""
    errors: forms.Errors = {}
    picks = play_forms.sent(errors, may_open=True)
    if errors:
        return _child_settings(child_id, errors, picks), 400
    choices.set_child(g.who.adult_id, child_id, picks)
    return back("teach.child_settings", "play", child_id=child_id)


def child_questions(child_id: int) -> Reply:
    """Set how often questions come for one child and what about, or leave that to its group or
    class."""
    errors: forms.Errors = {}
    typed = questions_sent(errors)
    if errors:
        return _child_settings(child_id, errors, typed=typed), 400
    question_settings.set_rules(g.who.adult_id, child_id, typed)
    return back("teach.child_settings", "questions", child_id=child_id)


def done() -> str:
    """What was just saved, in a sentence; "" for nothing."""
    return _(DONE.get(request.args.get("done", ""), ""))


def back(endpoint: str, what: str, **address: Any) -> Response:
    """Go back to the settings page, which says that `what` is saved."""
    return redirect(url_for(endpoint, done=what, **address), code=303)
