"""For each form that replaces stored values: who reads them, and which fields show them.

Two tabs or two adults may have the same form open; web/http/both.py then compares their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import g

from classroom.services.base import limits
from classroom.services.lesson import lessons, seating
from classroom.services.lesson.lessons import TablePlan
from classroom.services.lesson.seating import Group
from classroom.services.reports import skill_reports
from classroom.services.school import class_life, classes
from classroom.services.table import choices, offers
from classroom.services.table.choices import Levels, Whose
from classroom.web.http.both import Fields, ReplacedForm
from classroom.web.reports.setting_forms import play_fields, question_fields
from classroom.web.school.school_pages import place_fields
from classroom.web.teacher import settings_pages
from classroom.web.teacher.settings_pages import SCHOOLS, times_fields

DETAILS: Final = ("name", "age_band", "animal", "second")


def _levels(whose: Whose) -> Callable[..., Levels]:
    return lambda **address: choices.read(whose, *(address.values() or (g.who.school_id,)))


def _play(whose: Whose) -> ReplacedForm:
    return ReplacedForm(_levels(whose), play_fields(whose))


def _questions(whose: Whose) -> ReplacedForm:
    return ReplacedForm(_levels(whose), question_fields(whose))


def _each(fields: Callable[[Any], Mapping[str, object]]) -> Callable[[Any], Fields]:
    """Returns a function that gives fields of one value each."""
    return lambda values: {name: (str(value),) for name, value in fields(values).items()}


def _one(name: str) -> Callable[[Any], Fields]:
    """Returns a function that gives the only field of a form."""
    return lambda value: {name: (str(value),)}


def _game_name(class_id: int, own: int) -> str:
    return next((row.name for row in offers.own_games(class_id) if row.id == own), "")


def _plan_fields(tables: tuple[TablePlan, ...]) -> Fields:
    found = {f"table-{child}": (str(at),) for child, at in lessons.places_of_plan(tables).items()}
    for at, one in enumerate(tables, 1):
        found |= {f"game-{at}": (one.game,), f"numbers-{at}": ("{}-{}".format(*one.numbers),)}
    return found


def _group_fields(found: tuple[Group, ...]) -> Fields:
    return {f"group-{child}": (str(one.group_id),) for one in found for child in one.children}


def _ends(day: int) -> Fields:
    return {"ends": (class_life.date_of(day).isoformat(),)}


REPLACED: Final[Mapping[str, ReplacedForm]] = {
    "teach.class_play": _play("class"),
    "teach.group_play": _play("group"),
    "teach.child_play": _play("child"),
    "family.settings": _play("family"),
    "school.play": _play("school"),
    "teach.questions": _questions("class"),
    "teach.group_questions": _questions("group"),
    "teach.child_questions": _questions("child"),
    "family.questions": _questions("family"),
    "school.questions": _questions("school"),
    "teach.focus": ReplacedForm(_levels("class"), question_fields("class"), whole=True),
    "teach.times": ReplacedForm(lessons.times, _each(times_fields)),
    "teach.standards": ReplacedForm(
        skill_reports.own_standards, lambda own: {"standards": (str(own or SCHOOLS),)}
    ),
    "teach.talk": ReplacedForm(choices.talk_of_class, _one("talk")),
    "teach.home_play": ReplacedForm(lessons.home_play_of, _each(settings_pages.home_fields)),
    "teach.games": ReplacedForm(offers.offered, lambda keys: {"game": keys}),
    "teach.change_game": ReplacedForm(_game_name, _one("name")),
    "teach.class_groups": ReplacedForm(seating.groups_of, _group_fields),
    "teach.plan": ReplacedForm(lessons.plan_of, _plan_fields, whole=True),
    "teach.rename": ReplacedForm(
        classes.details, lambda details: _each(dict)(zip(DETAILS, details, strict=True))
    ),
    "teach.rename_class": ReplacedForm(
        lambda class_id: class_life.life(class_id).name, _one("name")
    ),
    "teach.class_end": ReplacedForm(lambda class_id: class_life.life(class_id).ends_day, _ends),
    "school.keeping": ReplacedForm(lambda: limits.days_kept(g.who.school_id), _each(dict)),
    "school.settings": ReplacedForm(lambda: class_life.where(g.who.school_id), _each(place_fields)),
}
