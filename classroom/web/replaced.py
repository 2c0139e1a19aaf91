"""For each form that replaces stored values: what is stored now, and how to say it in words.

Two tabs or two adults may have the same form open; web/http/both.py then compares their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from flask import g

from classroom.games import GAMES
from classroom.learning.skills import ASKED, SKILLS
from classroom.privacy import PERIODS
from classroom.services.base import keeping, places
from classroom.services.lesson import groups, home_play, lesson_plan, lessons
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import Choice
from classroom.services.reports import standards
from classroom.services.school import class_life, classes, families
from classroom.services.table import choices, home, offers, talk
from classroom.services.table.in_force import THINGS
from classroom.web.http.adult_forms import ENDS, TIMES
from classroom.web.http.both import Address, Fields, Replaced
from classroom.web.reports import play_forms
from classroom.web.reports.play_forms import LABELS, OPEN, value_of
from classroom.web.reports.question_forms import OFTEN, range_words
from classroom.web.school import school_settings
from classroom.web.teacher import home_forms
from classroom.web.teacher.settings_pages import SCHOOLS
from classroom.web.words.filters import first_upper
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.level_words import STRAND_NAMES
from classroom.web.words.standard_words import SYSTEM_NAMES
from classroom.web.words.talk_words import OFTEN_NAMES

Told = Iterable[tuple[str, str]]

PLACE: Final[Mapping[str, tuple[str, Mapping[str, tuple[str, str]]]]] = {
    "dates": (N_("Dates"), school_settings.DATES),
    "words": (N_("Words"), school_settings.WORDS),
    "standards": (
        N_("Standards on the skills pages"),
        {str(key): names for key, names in SYSTEM_NAMES.items()},
    ),
    "paper": (N_("Paper"), school_settings.PAPERS),
}
DETAILS: Final = {"name": N_("Name"), "age_band": N_("Age"), "animal": N_("Animal")}


def _one(fields: Fields, name: str) -> str:
    return next(iter(fields.get(name, ())), "")


def _texts(labels: Mapping[str, str]) -> Callable[[Fields, Address], Told]:
    """Returns a function that gives each field its label and shows its text as it is."""
    return lambda fields, _address: [
        (_(label), _one(fields, name).strip()) for name, label in labels.items()
    ]


def _word(words: Mapping[str, str], key: str) -> str:
    """The words for a choice; an unknown choice is shown as it is."""
    return _(words[key]) if key in words else key


# ---- a class


def _times(class_id: int) -> Fields:
    found = lessons.times(class_id)
    return {
        "nudge_after": (str(found.nudge_after),),
        "stand_in_after": (str(found.stand_in_after),),
        "minutes_a_day": (str(found.minutes_a_day or 0),),
    }


def _home_play(class_id: int) -> Fields:
    return {
        name: (value,) for name, value in home_forms.fields(home_play.of_class(class_id)).items()
    }


def _told_home_play(fields: Fields, _address: Address) -> Told:
    return home_forms.told({name: _one(fields, name) for name in fields})


def _standards(class_id: int) -> Fields:
    return {"standards": (standards.own_choice(class_id) or SCHOOLS,)}


def _told_standards(fields: Fields, _address: Address) -> Told:
    names = {str(key): name for key, (name, _what) in SYSTEM_NAMES.items()}
    names[SCHOOLS] = N_("As the school")
    return [(_("Standards"), _word(names, _one(fields, "standards")))]


def _talk(class_id: int) -> Fields:
    return {"talk": (talk.of_class(class_id),)}


def _told_talk(fields: Fields, _address: Address) -> Told:
    names = {str(key): name for key, (name, _what) in OFTEN_NAMES.items()}
    return [(_("How often the voice asks"), _word(names, _one(fields, "talk")))]


def _shelf(class_id: int) -> Fields:
    return {"game": tuple(sorted(offers.offered(class_id)))}


def _told_shelf(fields: Fields, address: Address) -> Told:
    on = fields.get("game", ())
    names = {key: game.name for key, game in GAMES.items()}
    names |= {offers.own_key(row.id): row.name for row in offers.own_games(address["class_id"])}
    for key, name in names.items():
        yield name, _("on the shelf") if key in on else _("not on the shelf")


def _own_game(class_id: int, own: str | int) -> Fields:
    names = {str(row.id): row.name for row in offers.own_games(class_id)}
    return {"name": (names.get(str(own), ""),)}


# ---- the school


def _place() -> Fields:
    found = {**asdict(places.here()), "standards": standards.of_school(g.who.school_id)}
    return {name: (str(value or ""),) for name, value in found.items()}


def _told_place(fields: Fields, _address: Address) -> Told:
    yield _("Time zone"), _one(fields, "time_zone") or _("As this computer")
    for name, (label, words) in PLACE.items():
        key = _one(fields, name)
        yield _(label), _(words[key][0]) if key in words else key


def _school_play() -> Fields:
    levels = choices.of_school(g.who.school_id)
    return _picks(play_forms.of_level(levels, "school").chosen)


def _school_questions() -> Fields:
    found = _fields_of(question_settings.of_school(g.who.school_id))
    del found["focus"]  # only a class has a focus
    return found


def _keeping() -> Fields:
    return {key: (str(days),) for key, days in keeping.days(g.who.school_id).items()}


def _class_name(class_id: int) -> Fields:
    return {"name": (class_life.life(class_id).name,)}


def _class_end(class_id: int) -> Fields:
    return {"ends": (class_life.date_of(class_life.life(class_id).ends_day).isoformat(),)}


# ---- questions


def _fields_of(choice: Choice) -> dict[str, tuple[str, ...]]:
    return {
        "questions": (choice.frequency,),
        "skill": tuple(sorted(choice.skills)),
        "focus": tuple(sorted(choice.focus)),
        "numbers": ("{}-{}".format(*choice.numbers),),
    }


def _class_questions(class_id: int) -> Fields:
    return _fields_of(question_settings.of_class(class_id))


def _pupils_questions(child_id: int) -> Fields:
    """A teacher's choice for one child, which has no focus."""
    found = _fields_of(question_settings.of_child(child_id).bounds)
    del found["focus"]
    return found


def _child_questions(child_id: int) -> Fields:
    """What is chosen for the child; which choices are greyed out belongs to the version."""
    chosen = question_settings.of_child(child_id, at_home=home.hours_for(child_id).on)
    found = _fields_of(chosen.now) | {"": (str(sorted(_fields_of(chosen.bounds).items())),)}
    del found["focus"]  # a parent's form has none
    return found


def _group_questions(group_id: int) -> Fields:
    """A teacher's choice for a group, which has no focus."""
    found = _fields_of(question_settings.of_group(group_id))
    del found["focus"]
    return found


def _told_questions(fields: Fields, address: Address) -> Told:
    if "leave" in fields:  # the adult left it to the wider choice
        fields = _wider(address)
    names = {key: name for key, (name, _what) in OFTEN.items()}
    yield _("How often"), _word(names, _one(fields, "questions"))
    for key in ASKED:
        asked = key in fields.get("skill", ())
        yield _(SKILLS[key].name), _("may be asked about") if asked else _("not asked about")
    yield _("Focus"), _skills(fields.get("focus", ()))
    low, _to, high = _one(fields, "numbers").partition("-")
    if low.isdecimal() and high.isdecimal():
        yield _("Numbers"), range_words(int(low), int(high))


def _wider(address: Address) -> Fields:
    """The choice that applies where a class, a group or a child has none of its own."""
    if "class_id" in address:
        return _fields_of(question_settings.of_school(g.who.school_id))
    if "group_id" in address:
        return _fields_of(question_settings.of_class(groups.find(address["group_id"]).class_id))
    return _fields_of(question_settings.around(address["child_id"]))


def _skills(keys: Iterable[str]) -> str:
    return ", ".join(_(SKILLS[key].name) for key in keys if key in SKILLS) or _("none")


def _focus(class_id: int) -> Fields:
    return {"focus": tuple(sorted(question_settings.of_class(class_id).focus))}


def _told_focus(fields: Fields, _address: Address) -> Told:
    names = {str(strand): name for strand, name in STRAND_NAMES.items()}
    strand = _one(fields, "strand")
    yield _("Focus"), _word(names, strand) if strand else _skills(fields.get("focus", ()))


# ---- who sits with whom


def _groups(class_id: int) -> Fields:
    """Each child's group; the names of the groups belong to the version."""
    found = groups.of_class(class_id)
    at = {child: str(one.group_id) for one in found for child in one.children}
    fields = {
        f"group-{child.child_id}": (at.get(child.child_id or 0, "0"),)
        for child in lesson_plan.children_of(class_id)
    }
    return {**fields, "": tuple(f"{one.group_id} {one.name}" for one in found)}


def _told_groups(fields: Fields, address: Address) -> Told:
    found = {str(one.group_id): one.name for one in groups.of_class(address["class_id"])}
    words = {"0": N_("No group"), "new": N_("The new group")}
    for child in lesson_plan.children_of(address["class_id"]):
        key = _one(fields, f"group-{child.child_id}")
        yield child.name, found.get(key) or _word(words, key)
    yield _("A new group"), _one(fields, "name") or _("none")
    gone = [found.get(key, key) for key in fields.get("remove", ())]
    yield _("Remove a group"), ", ".join(gone) or _("none")


def _plan(class_id: int) -> Fields:
    tables = lesson_plan.of_class(class_id)
    at, fields = lesson_plan.places(tables), dict[str, tuple[str, ...]]()
    for number, table in enumerate(tables, 1):
        fields[f"game-{number}"] = (table.game,)
        fields[f"numbers-{number}"] = ("{}-{}".format(*table.numbers),)
    for child in lesson_plan.children_of(class_id):
        fields[f"table-{child.child_id}"] = (str(at.get(child.child_id or 0, 0)),)
    return fields


def _told_plan(fields: Fields, address: Address) -> Told:
    games = {offer.key: offer.name for offer in offers.shelf(address["class_id"])}
    taken = {_one(fields, name) for name in fields if name.startswith("table-")}
    for number in range(1, lesson_plan.MOST + 1):
        if str(number) in taken:  # a table without children is not kept
            game, numbers = (_one(fields, f"{name}-{number}") for name in ("game", "numbers"))
            low, _to, high = numbers.partition("-")
            yield (
                _("Table %(number)s", number=number),
                f"{games.get(game, game)}, {range_words(int(low), int(high))}",
            )
    for child in lesson_plan.children_of(address["class_id"]):
        at = _one(fields, f"table-{child.child_id}")
        yield (
            child.name,
            _("Table %(number)s", number=at) if at not in ("", "0") else _("Not planned"),
        )


# ---- a child


def _details(child_id: int) -> Fields:
    name, age_band, animal = classes.details(child_id)
    return {"name": (name,), "age_band": (age_band,), "animal": (animal,)}


def _told_details(fields: Fields, address: Address) -> Told:
    found = dict(_texts(DETAILS)(fields, address))
    found[_("Age")] = found[_("Age")].replace("-", "–")
    found[_("Animal")] = first_upper(found[_("Animal")])
    return found.items()


# ---- how a child plays


def _play(child_id: int) -> Fields:
    """A family's choices. What the teacher chose is fixed, and belongs to the version."""
    found = families.to_choose(child_id)
    shown = _picks({thing: getattr(found, thing) for thing in THINGS})
    minutes = (str(found.minutes_a_day or 0),)
    return {**shown, "minutes_a_day": minutes, "": tuple(sorted(found.fixed))}


def _class_play(class_id: int) -> Fields:
    return _picks(play_forms.of_level(choices.of_class(class_id), "class").chosen)


def _group_play(group_id: int) -> Fields:
    return _picks(play_forms.of_level(choices.of_group(group_id), "group").chosen)


def _child_play(child_id: int) -> Fields:
    return _picks(play_forms.of_level(choices.of_child(child_id), "child").chosen)


def _picks(chosen: Mapping[str, Any]) -> Fields:
    return {thing: (OPEN if pick is None else value_of(pick),) for thing, pick in chosen.items()}


def _told_play(fields: Fields, _address: Address) -> Told:
    for thing, (label, words) in LABELS.items():
        if thing in fields:  # what is greyed out is not sent
            yield _(label), _word(words, _one(fields, thing))


REPLACED: Final[Mapping[str, Replaced]] = {
    "teach.times": Replaced(_times, _texts(TIMES)),
    "teach.standards": Replaced(_standards, _told_standards),
    "teach.talk": Replaced(_talk, _told_talk),
    "teach.home_play": Replaced(_home_play, _told_home_play),
    "teach.games": Replaced(_shelf, _told_shelf),
    "teach.change_game": Replaced(_own_game, _texts({"name": N_("Name")}), also=("own",)),
    "teach.questions": Replaced(_class_questions, _told_questions),
    "teach.class_play": Replaced(_class_play, _told_play),
    "teach.group_play": Replaced(_group_play, _told_play),
    "teach.group_questions": Replaced(_group_questions, _told_questions),
    "teach.child_play": Replaced(_child_play, _told_play),
    "teach.child_questions": Replaced(_pupils_questions, _told_questions),
    "teach.class_groups": Replaced(_groups, _told_groups),
    "teach.plan": Replaced(_plan, _told_plan),
    "teach.focus": Replaced(_focus, _told_focus),
    "teach.rename": Replaced(_details, _told_details),
    "family.settings": Replaced(_play, _told_play),
    "family.questions": Replaced(_child_questions, _told_questions),
    "teach.rename_class": Replaced(_class_name, _texts({"name": N_("Name")})),
    "teach.class_end": Replaced(_class_end, _texts(ENDS)),
    "school.keeping": Replaced(_keeping, _texts({one.key: one.what for one in PERIODS})),
    "school.settings": Replaced(_place, _told_place),
    "school.play": Replaced(_school_play, _told_play),
    "school.questions": Replaced(_school_questions, _told_questions),
}
