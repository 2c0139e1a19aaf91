"""How a group of a class plays. A group has the same choices as a class, and they override it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g

from classroom.services.lesson import groups
from classroom.services.lesson.groups import Group
from classroom.services.lesson.open_tables import Friend
from classroom.services.reports import overview
from classroom.services.table import choices
from classroom.web.http.pages import ShownClass, Tab, TeacherPage, render
from classroom.web.reports import setting_forms
from classroom.web.reports.setting_forms import NOTHING, Saving, Sent, Shown
from classroom.web.teacher.settings_pages import done


@dataclass(frozen=True, kw_only=True)
class GroupSettingsPage(TeacherPage):
    """`shown`: the forms for play and for questions."""

    template = "pages/teach/group_settings.html"
    here: Tab = "settings"
    group: Group
    children: tuple[Friend, ...]
    shown: Shown
    done: str


def group_settings(group_id: int, sent: Sent = NOTHING) -> str:
    """How the group plays and what it is asked about. `sent`: what was sent and cannot be
    stored."""
    group, levels = groups.find(group_id), choices.read("group", group_id)
    overview.looked(g.who.adult_id, "class", group.class_id)
    room = overview.class_name(group.class_id)
    return render(
        GroupSettingsPage(
            school_class=ShownClass(group.class_id, room),
            group=group,
            children=groups.friends_of(group),
            shown=setting_forms.shown("group", levels, room, sent=sent),
            done=done(),
        )
    )


GROUP = Saving("group", "teach.group_settings", group_settings)
