"""The audit log in plain words: one sentence for each action on each kind of thing.

`%(who)s` is an adult or the program; `%(thing)s` is a child, class, round, account or the school.
"""

from __future__ import annotations

from typing import Final

from classroom.services.reports.looks import Entry, Look, Looker
from classroom.web.words.language import N_, gettext as _, ngettext

WORDS: Final[dict[tuple[str, str], str]] = {
    ("read", "child"): N_("%(who)s looked at the pages of %(thing)s"),
    ("read", "class"): N_("%(who)s looked at the pages of %(thing)s"),
    ("read", "round"): N_("%(who)s watched %(thing)s"),
    ("export", "child"): N_("%(who)s downloaded the answers of %(thing)s"),
    ("export", "class"): N_("%(who)s downloaded the answers of %(thing)s"),
    ("cards", "child"): N_("%(who)s opened the sign-in card of %(thing)s"),
    ("cards", "class"): N_("%(who)s opened the sign-in cards of %(thing)s"),
    ("all_hands", "round"): N_("%(who)s looked at everyone’s cards in %(thing)s afterwards"),
    ("live_hands", "round"): N_("%(who)s looked at everyone’s cards in %(thing)s during play"),
    ("add", "child"): N_("%(who)s added %(thing)s"),
    ("change", "child"): N_("%(who)s changed the name, age, animal or language of %(thing)s"),
    ("pictures", "child"): N_("%(who)s gave %(thing)s new sign-in pictures"),
    ("pictures", "class"): N_("%(who)s gave every child of %(thing)s new sign-in pictures"),
    ("let_in", "child"): N_("%(who)s let %(thing)s in with a tap"),
    ("open_home", "child"): N_("%(who)s opened a device at home for %(thing)s"),
    ("home", "class"): N_("%(who)s changed play at home for %(thing)s"),
    ("settings", "child"): N_("%(who)s changed the settings of %(thing)s"),
    ("restrict", "child"): N_("%(who)s stopped the analysis of %(thing)s’s answers"),
    ("release", "child"): N_("%(who)s restarted the analysis of %(thing)s’s answers"),
    ("erase", "child"): N_("%(who)s deleted all answers given by %(thing)s"),
    ("note", "child"): N_("%(who)s wrote a note about %(thing)s"),
    ("delete_note", "child"): N_("%(who)s deleted a note about %(thing)s"),
    ("remove", "child"): N_("%(who)s removed %(thing)s"),
    ("family_code", "child"): N_("%(who)s made a code for the family of %(thing)s"),
    ("family_code", "class"): N_("%(who)s made codes for the families of %(thing)s"),
    ("cancel_code", "child"): N_("%(who)s cancelled a code for the family of %(thing)s"),
    ("link", "child"): N_("%(who)s used a family code for %(thing)s"),
    ("unlink", "child"): N_("%(who)s ended an adult’s link to %(thing)s"),
    ("make", "class"): N_("%(who)s made %(thing)s"),
    ("open", "class"): N_("%(who)s opened %(thing)s for sign-in"),
    ("close", "class"): N_("%(who)s closed %(thing)s"),
    ("code", "class"): N_("%(who)s made a new class code for %(thing)s"),
    ("new_devices", "class"): N_(
        "%(who)s let new devices in %(thing)s sign in with pictures again"
    ),
    ("settings", "class"): N_("%(who)s changed the settings of %(thing)s"),
    ("change", "class"): N_("%(who)s changed the daily limit or the waiting times for %(thing)s"),
    ("pause", "class"): N_("%(who)s paused all the tables in %(thing)s"),
    ("go_on", "class"): N_("%(who)s resumed all the tables in %(thing)s"),
    ("end", "class"): N_("%(who)s ended the lesson of %(thing)s"),
    ("seat", "class"): N_("%(who)s seated children in %(thing)s"),
    ("start", "class"): N_("%(who)s started the tables in %(thing)s"),
    ("shelf", "class"): N_("%(who)s chose the games of %(thing)s"),
    ("own_game_made", "class"): N_("%(who)s made a game for %(thing)s"),
    ("own_game_renamed", "class"): N_("%(who)s renamed a game in %(thing)s"),
    ("own_game_removed", "class"): N_("%(who)s removed a game from %(thing)s"),
    ("password", "adult"): N_("%(who)s set a new password for %(thing)s"),
    ("reset_code", "adult"): N_("%(who)s made a code for a new password for %(thing)s"),
    ("cancel_reset_code", "adult"): N_("%(who)s cancelled a code for a new password for %(thing)s"),
    ("remove", "adult"): N_("%(who)s closed the account of %(thing)s"),
    ("archive", "class"): N_("%(who)s archived %(thing)s"),
    ("restore", "class"): N_("%(who)s restored %(thing)s"),
    ("rename", "class"): N_("%(who)s renamed %(thing)s"),
    ("end_day", "class"): N_("%(who)s set the last day of %(thing)s"),
    ("remove", "class"): N_("%(who)s deleted %(thing)s"),
    ("groups", "class"): N_("%(who)s changed the groups in %(thing)s"),
    ("group_settings", "class"): N_("%(who)s changed the settings of a group in %(thing)s"),
    ("moment_made", "class"): N_("%(who)s saved a moment of a round for %(thing)s"),
    ("moment_dealt", "class"): N_("%(who)s dealt a moment to %(thing)s"),
    ("moment_removed", "class"): N_("%(who)s removed a moment from %(thing)s"),
    ("outline", "class"): N_("%(who)s began a ready-made lesson with %(thing)s"),
    ("plan", "class"): N_("%(who)s planned a lesson for %(thing)s"),
    ("names", "class"): N_("%(who)s looked at the children’s names in %(thing)s"),
    ("names", "school"): N_("%(who)s looked at the names of all the children in %(thing)s"),
    ("invite", "class"): N_("%(who)s made a code for a colleague in %(thing)s"),
    ("invite", "school"): N_("%(who)s made a code for a colleague at %(thing)s"),
    ("revoke", "class"): N_("%(who)s cancelled a code for a colleague in %(thing)s"),
    ("revoke", "school"): N_("%(who)s cancelled a code for a colleague at %(thing)s"),
    ("join", "class"): N_("%(who)s joined %(thing)s with a code"),
    ("join", "school"): N_("%(who)s joined %(thing)s with a code"),
    ("assign", "class"): N_("%(who)s added a teacher to %(thing)s"),
    ("assign", "adult"): N_("%(who)s made %(thing)s the teacher of a class"),
    ("take_off", "class"): N_("%(who)s removed a teacher from %(thing)s"),
    ("take_off", "adult"): N_("%(who)s took a class away from %(thing)s"),
    ("leave", "class"): N_("%(who)s left %(thing)s"),
    ("make_admin", "adult"): N_("%(who)s made %(thing)s an administrator"),
    ("make_teacher", "adult"): N_("%(who)s changed %(thing)s from administrator to teacher"),
    ("change", "adult"): N_("%(who)s changed the names of %(thing)s"),
    ("second_factor", "adult"): N_("%(who)s changed the second sign-in step of %(thing)s"),
    ("voice_asked", "adult"): N_("%(who)s asked %(thing)s to lend their voice"),
    ("voice_begun", "adult"): N_("%(who)s agreed to lend their voice"),
    ("voice_withdrawn", "adult"): N_("%(who)s withdrew the voice of %(thing)s"),
    ("move", "child"): N_("%(who)s moved %(thing)s to another class"),
    ("leave", "child"): N_("%(who)s noted that %(thing)s left the school"),
    ("take_out", "child"): N_("%(who)s took %(thing)s out of the class"),
    ("take_back", "child"): N_("%(who)s brought %(thing)s back"),
    ("merge", "child"): N_("%(who)s merged %(thing)s with another entry"),
    ("settings", "school"): N_("%(who)s changed the settings of %(thing)s"),
    ("keeping", "school"): N_("%(who)s chose how long %(thing)s keeps records"),
    ("year", "school"): N_("%(who)s started a new school year at %(thing)s"),
    ("year_end", "school"): N_("%(who)s set the last day of the school year at %(thing)s"),
    ("year_undone", "school"): N_("%(who)s undid the new school year at %(thing)s"),
    ("set_up", "school"): N_("%(who)s set up %(thing)s"),
    ("new_key", "school"): N_("%(who)s made a new key for %(thing)s"),
}
# The sentence for an action that this version does not know.
ANYTHING_ELSE: Final = N_("%(who)s did something with %(thing)s")
ROLES: Final = {
    "": N_("An account that has been closed"),
    "program": N_("The program"),
    "parent": N_("Another parent"),
    "teacher": N_("A teacher who is not in this class"),
    "substitute": N_("A substitute teacher"),
    "admin": N_("An administrator"),
}
SOMEONE: Final = N_("Someone else at the school")
THINGS: Final = {
    "child": N_("a child"),
    "class": N_("a class"),
    "round": N_("a round"),
    "adult": N_("an account"),
    "school": N_("the school"),
}
ANY_THING: Final = N_("something")
GONE: Final = {
    "child": N_("a child who has left"),
    "class": N_("a class that no longer exists"),
    "round": N_("a round that no longer exists"),
}


def look(one: Look, child: str) -> str:
    """An action that concerned a child: who did it on one day, and how often."""
    thing = {
        "child": child,
        "class": one.class_name or _(GONE["class"]),
        "round": _("a round of %(name)s", name=child),
        "school": _(THINGS["school"]),
    }[one.thing]
    return _often(_sentence(one.action, one.thing, _who(one.who), thing), one.times)


def entry(one: Entry) -> str:
    """A line of the log without any child's name, for an administrator."""
    who = _("A parent") if one.who.role == "parent" else _who(one.who)  # parents are not named
    said = _sentence(one.action, one.thing, who, _thing(one))
    return said if one.thing == "child" else _often(said, one.times)


def _often(said: str, times: int) -> str:
    counted = ngettext("%(num)s time", "%(num)s times", times)
    return f"{said} ({counted})" if times > 1 else said


def parts(one: Entry) -> tuple[str, ...]:
    """How many children in each class an entry counts; empty if all are in one class."""
    return tuple(_children(*room) for room in one.rooms) if len(one.rooms) > 1 else ()


def _children(room: str, times: int) -> str:
    if not room:
        return ngettext("%(num)s child who has left", "%(num)s children who have left", times)
    return ngettext("%(num)s child of %(name)s", "%(num)s children of %(name)s", times, name=room)


def kind(action: str, thing: str) -> str:
    """An action in words, with nobody named, for a list of choices."""
    return _sentence(action, thing, _("Someone"), _(THINGS.get(thing, ANY_THING)))


def _thing(one: Entry) -> str:
    room = one.rooms[0][0]
    if one.thing == "child" and len(one.rooms) > 1:
        return ngettext("%(num)s child", "%(num)s children", one.times)
    if one.thing == "child" and one.times > 1:
        return _children(room, one.times)
    if one.thing == "class" and room:
        return room
    if one.thing == "child" and room:
        return _("a child of %(name)s", name=room)
    if one.thing == "round" and room:
        return _("a round of %(name)s", name=room)
    if one.adult:
        if one.adult.role == "parent":
            return _("a parent")
        return one.adult.name or _("an account that has been closed")
    return _(GONE.get(one.thing, THINGS.get(one.thing, ANY_THING)))


def _who(person: Looker) -> str:
    if person.you:
        return _("You")
    return person.name or _(ROLES.get(person.role, SOMEONE))


def _sentence(action: str, thing: str, who: str, what: str) -> str:
    return _(WORDS.get((action, thing), ANYTHING_ELSE), who=who, thing=what)
