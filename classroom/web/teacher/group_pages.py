"""How a group of a class plays. A group has the same choices as a class, and they override it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import g

from classroom.services.lesson import groups
from classroom.services.lesson.groups import Group
from classroom.services.lesson.open_tables import Friend
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import WIDEST, Choice
from classroom.services.reports import overview
from classroom.services.table import choices
from classroom.web.http import forms
from classroom.web.http.pages import Reply, ShownClass, Tab, TeacherPage, render
from classroom.web.reports import play_forms
from classroom.web.reports.play_forms import PlayForm
from classroom.web.reports.question_forms import NO_ERRORS, AskingForm, asking_form
from classroom.web.teacher.settings_pages import back, done, questions_sent
from classroom.web.words import choice_words
from classroom.web.words.language import gettext as _


@dataclass(frozen=True, kw_only=True)
class GroupSettingsPage(TeacherPage):
    """`whose_words`, `whose_questions`: what is in force for a child of the group without choices
    of its own, and whose choice it is. `own_questions`: whether a teacher chose any for the group.
    """

    template = "pages/teach/group_settings.html"
    here: Tab = "settings"
    group: Group
    children: tuple[Friend, ...]
    form: PlayForm
    whose_words: tuple[str, ...]
    asked: Choice
    asking: AskingForm
    whose_questions: str
    own_questions: bool
    done: str


def group_settings(group_id: int) -> str:
    """How the group plays and what it is asked about."""
    overview.looked(g.who.adult_id, "class", groups.find(group_id).class_id)
    return _page(group_id)


def group_play(group_id: int) -> Reply:
    """Set how the group plays in lessons, or leave that to the class."""
    errors: forms.Errors = {}
    picks = play_forms.sent(errors, may_open=True)
    if errors:
        return _page(group_id, errors, picks), 400
    choices.set_group(g.who.adult_id, group_id, picks)
    return back("teach.group_settings", "play", group_id=group_id)


def group_questions(group_id: int) -> Reply:
    """Set how often questions come for the group and what about, or leave that to the class."""
    errors: forms.Errors = {}
    typed = questions_sent(errors)
    if errors:
        return _page(group_id, errors, typed=typed), 400
    question_settings.set_group(g.who.adult_id, group_id, typed)
    return back("teach.group_settings", "questions", group_id=group_id)


def _page(
    group_id: int,
    errors: Mapping[str, str] = NO_ERRORS,
    picks: Mapping[str, Any] = NO_ERRORS,
    typed: Choice | None = None,
) -> str:
    group, levels = groups.find(group_id), choices.of_group(group_id)
    room, child = overview.class_name(group.class_id), _("the child")
    rules = choices.ruling_questions(levels)
    return render(
        GroupSettingsPage(
            school_class=ShownClass(group.class_id, room),
            group=group,
            children=groups.friends_of(group),
            form=play_forms.again(play_forms.of_level(levels, "group"), picks, errors),
            whose_words=choice_words.sentences(choices.told(levels.play), child, room),
            asked=typed or question_settings.of_group(group_id),
            asking=asking_form(WIDEST, errors),
            whose_questions=choice_words.questions(choices.asked_by(rules), child, room),
            own_questions=rules is not None and rules.whose == "group",
            done=done(),
        )
    )
