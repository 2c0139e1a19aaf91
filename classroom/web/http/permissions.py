"""Tables with a line for each route (who may use it) and for each form that only adults send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from classroom.web.words.language import N_

# ---- The permission table: one line for each route says who may use it
#
# The guard obeys it, and a test tries every line. A route without a line is refused to everyone.
# `owns` names the thing in the URL that must belong to the person asking. If it is not theirs, the
# response is 404, as if it did not exist.

NOBODY, DEVICE, CHILD = "nobody", "device", "child"
TABLET = "tablet"  # a class device that all children at one table share
TEACHER, PARENT, ADMIN, SUBSTITUTE = "teacher", "parent", "admin", "substitute"
HOME_DEVICE, HOME_CHILD = "home_device", "home_child"  # opened by a parent for one child
CHILDREN = frozenset({DEVICE, CHILD, TABLET, HOME_DEVICE, HOME_CHILD})
MONITOR = "monitor"  # a program that sends the token of the setting METRICS_TOKEN
PERSON_KINDS = (
    *(NOBODY, DEVICE, CHILD, TABLET, HOME_DEVICE, HOME_CHILD),
    *(TEACHER, PARENT, ADMIN, SUBSTITUTE, MONITOR),
)

# Each kind of thing whose id can be in a URL, and the view's argument with this id.
OWNED = {
    "own_round": "round_id",  # the child sits in the round
    "held_round": "round_id",  # all children in the round sit at this tablet
    "taught_class": "class_id",  # the adult teaches the class
    "taught_child": "child_id",  # a child in a class the adult teaches
    "taught_group": "group_id",  # a group in a class the adult teaches
    "taught_round": "round_id",  # a round in a class the adult teaches
    "lesson_round": "round_id",  # a round in a taught class, not played at home
    "taught_moment": "moment_id",  # a moment kept with a class the adult teaches
    "own_moment": "moment_id",  # a moment kept with the child's class
    "linked_child": "child_id",  # a child that is linked to the parent
    "own_class": "class_id",  # the class the child is in
    "classmate": "child_id",  # a child in the class this device is in
    "class_of_school": "class_id",  # a class in the administrator's school
    "colleague": "adult_id",  # someone who works at the administrator's school
    "own_voice": "pack_id",  # the adult's own voice
    "kept_voice": "pack_id",  # a voice that the adult may withdraw
    "heard_voice": "pack_id",  # a voice heard on pages of the adult or the class
}


@dataclass(frozen=True, slots=True)
class Permission:
    """The allowed methods (GET includes HEAD), the kinds of people, and a key of OWNED or None."""

    methods: frozenset[str]
    who: frozenset[str]
    owns: str | None = None


def _may(methods: str, who: str, owns: str | None = None) -> Permission:
    return Permission(frozenset(methods.split()), frozenset(who.split()), owns)


# The seconds after which the password must be typed again for the routes in ASK_AGAIN: downloads,
# removals, links, codes and roles.
PROOF = 600.0
ASK_AGAIN = frozenset(
    f"{name}.{endpoint}"
    for name, endpoints in {
        "auth": "own_record add_second remove_second",
        "teach": "skills_csv answers_csv child_csv child_answers_csv record remove delete_class "
        "merge erase_answers cards family_code family_sheets unlink reset_code invite share leave",
        "family": "child_csv child_answers_csv record card link leave leave_child",
        "school": "invite role end teachers reset_code",
    }.items()
    for endpoint in endpoints.split()
)

EVERYBODY = " ".join(PERSON_KINDS)
PLAYERS = f"{CHILD} {HOME_CHILD}"  # children who play, in a lesson or at home
ADULTS = f"{TEACHER} {PARENT} {ADMIN} {SUBSTITUTE}"
TEACHERS = f"{TEACHER} {ADMIN}"  # limited to what they teach; an administrator may be a teacher too
LESSON = f"{TEACHERS} {SUBSTITUTE}"  # those who may run a lesson
READERS = f"{TEACHERS} {PARENT}"  # those who may lend their voice; a parent only if asked
HEARERS = f"{DEVICE} {CHILD} {TABLET} {HOME_DEVICE} {HOME_CHILD} {ADULTS}"

PERMISSIONS: dict[str, Permission] = {
    "static": _may("GET", EVERYBODY),
    "auth.health": _may("GET", EVERYBODY),
    "auth.metrics": _may("GET", MONITOR),
    "auth.front": _may("GET", EVERYBODY),
    "auth.privacy_page": _may("GET", EVERYBODY),
    "auth.look_around": _may("GET POST", EVERYBODY),
    "auth.demo_in": _may("POST", EVERYBODY),
    "auth.setup_school": _may("GET POST", EVERYBODY),
    "auth.adult_in": _may("GET POST", EVERYBODY),
    "auth.second": _may("POST", EVERYBODY),
    "auth.again": _may("GET POST", ADULTS),
    "auth.reset": _may("GET POST", EVERYBODY),
    "auth.ended": _may("GET", EVERYBODY),
    "auth.https": _may("GET", EVERYBODY),
    "auth.language": _may("POST", f"{NOBODY} {DEVICE} {HOME_DEVICE} {ADULTS}"),
    "auth.account": _may("GET POST", ADULTS),
    "auth.account_names": _may("POST", ADULTS),
    "auth.second_factors": _may("GET", ADULTS),
    "auth.add_second": _may("POST", ADULTS),
    "auth.remove_second": _may("POST", ADULTS),
    "auth.own_record": _may("GET", ADULTS),
    "auth.colleague": _may("GET POST", f"{NOBODY} {LESSON}"),
    "auth.out": _may("POST", EVERYBODY),
    "auth.join": _may("POST", EVERYBODY),
    "auth.class_link": _may("GET", EVERYBODY),
    "auth.animals": _may("GET", "device"),
    "auth.knock": _may("POST", "device", "classmate"),
    "auth.pictures": _may("GET", "device", "classmate"),
    "auth.pictures_try": _may("POST", "device", "classmate"),
    "auth.wait": _may("GET", "device", "classmate"),
    "auth.waiting": _may("POST", "device", "classmate"),
    "play.rest": _may("GET", PLAYERS),
    "auth.home_door": _may("GET", HOME_DEVICE),
    "auth.home_try": _may("POST", HOME_DEVICE),
    "auth.bye": _may("POST", f"{DEVICE} {HOME_DEVICE} {PLAYERS}"),
    "play.home": _may("GET", PLAYERS),
    "play.start": _may("POST", PLAYERS),
    "play.how": _may("GET", PLAYERS),
    "play.practice": _may("POST", PLAYERS),
    "play.language": _may("POST", PLAYERS),
    "play.table": _may("GET", PLAYERS, "own_round"),
    "play.table_part": _may("GET", PLAYERS, "own_round"),
    "play.events": _may("GET", PLAYERS, "own_round"),
    "play.ask": _may("POST", PLAYERS, "own_round"),
    "play.act": _may("POST", PLAYERS, "own_round"),
    "play.hint": _may("POST", PLAYERS, "own_round"),
    "play.board": _may("POST", PLAYERS, "own_round"),
    "play.question": _may("POST", PLAYERS, "own_round"),
    "play.answer": _may("POST", PLAYERS, "own_round"),
    "play.question_hint": _may("POST", PLAYERS, "own_round"),
    "play.question_leave": _may("POST", PLAYERS, "own_round"),
    "play.again": _may("POST", PLAYERS, "own_round"),
    "play.back": _may("POST", "child", "own_round"),
    "play.hand": _may("POST", "child", "own_round"),
    "play.friends": _may("GET", "child"),
    "play.friends_part": _may("GET", "child", "own_class"),
    "play.friends_events": _may("GET", "child", "own_class"),
    "play.moment": _may("GET", "child", "own_moment"),
    "play.moment_part": _may("GET", "child", "own_moment"),
    "play.moment_ask": _may("POST", "child", "own_moment"),
    "play.make_table": _may("POST", "child"),
    "play.sit": _may("POST", "child"),
    "play.stand_up": _may("POST", "child"),
    "play.computer_friend": _may("POST", "child"),
    "play.ready": _may("POST", "child"),
    "play.together": _may("GET POST", "child"),
    "play.invited": _may("GET POST", "child"),
    "play.shared": _may("GET", TABLET, "held_round"),
    "play.shared_part": _may("GET", TABLET, "held_round"),
    "play.shared_events": _may("GET", TABLET, "held_round"),
    "play.shared_hand": _may("POST", TABLET, "held_round"),
    "play.shared_ask": _may("POST", TABLET, "held_round"),
    "play.shared_again": _may("POST", TABLET, "held_round"),
    "play.shared_bell": _may("POST", TABLET, "held_round"),
    "teach.class_groups": _may("GET POST", TEACHERS, "taught_class"),
    "teach.plan": _may("GET POST", TEACHERS, "taught_class"),
    "teach.begin_plan": _may("POST", LESSON, "taught_class"),
    "teach.outlines": _may("GET", LESSON, "taught_class"),
    "teach.outline": _may("GET", LESSON, "taught_class"),
    "teach.begin_outline": _may("POST", LESSON, "taught_class"),
    "teach.deal_outline": _may("POST", LESSON, "taught_class"),
    "teach.settings": _may("GET", TEACHERS, "taught_class"),
    "teach.class_play": _may("POST", TEACHERS, "taught_class"),
    "teach.group_settings": _may("GET", TEACHERS, "taught_group"),
    "teach.group_play": _may("POST", TEACHERS, "taught_group"),
    "teach.group_questions": _may("POST", TEACHERS, "taught_group"),
    "teach.home_play": _may("POST", TEACHERS, "taught_class"),
    "teach.child_settings": _may("GET", TEACHERS, "taught_child"),
    "teach.child_play": _may("POST", TEACHERS, "taught_child"),
    "teach.child_questions": _may("POST", TEACHERS, "taught_child"),
    "teach.restrict": _may("GET POST", TEACHERS, "taught_child"),
    "teach.erase_answers": _may("POST", TEACHERS, "taught_child"),
    "teach.looks": _may("GET", TEACHERS, "taught_child"),
    "teach.families": _may("GET", TEACHERS, "taught_class"),
    "teach.family_sheets": _may("POST", TEACHERS, "taught_class"),
    "teach.cancel_code": _may("POST", TEACHERS, "taught_child"),
    "teach.unlink": _may("GET POST", TEACHERS, "taught_child"),
    "teach.reset_code": _may("POST", TEACHERS, "taught_child"),
    "teach.cancel_reset_code": _may("POST", TEACHERS, "taught_child"),
    "teach.home": _may("GET", LESSON),
    "teach.make_class": _may("POST", TEACHERS),
    "teach.colleagues": _may("GET", TEACHERS, "taught_class"),
    "teach.invite": _may("POST", TEACHERS, "taught_class"),
    "teach.revoke": _may("POST", TEACHERS, "taught_class"),
    "teach.share": _may("POST", TEACHERS, "taught_class"),
    "teach.leave": _may("POST", TEACHERS, "taught_class"),
    "teach.new_pictures": _may("POST", TEACHERS, "taught_class"),
    "teach.dismiss": _may("POST", TEACHERS, "taught_class"),
    "teach.school_class": _may("GET", LESSON, "taught_class"),
    "teach.skills": _may("GET", TEACHERS, "taught_class"),
    "teach.class_report": _may("GET", TEACHERS, "taught_class"),
    "teach.class_sheets": _may("GET", TEACHERS, "taught_class"),
    "teach.seat_together": _may("POST", TEACHERS, "taught_class"),
    "teach.focus": _may("POST", TEACHERS, "taught_class"),
    "teach.paper": _may("GET", TEACHERS, "taught_class"),
    "teach.small_group": _may("GET", TEACHERS, "taught_class"),
    "teach.kit": _may("GET", TEACHERS, "taught_class"),
    "teach.week": _may("GET", TEACHERS, "taught_class"),
    "teach.skills_csv": _may("GET", TEACHERS, "taught_class"),
    "teach.answers_csv": _may("GET", TEACHERS, "taught_class"),
    "teach.missed": _may("GET", TEACHERS, "taught_child"),
    "teach.child_sheet": _may("GET", TEACHERS, "taught_child"),
    "teach.child_csv": _may("GET", TEACHERS, "taught_child"),
    "teach.child_answers_csv": _may("GET", TEACHERS, "taught_child"),
    "teach.record": _may("GET", TEACHERS, "taught_child"),
    "teach.open_class": _may("POST", LESSON, "taught_class"),
    "teach.close_class": _may("POST", LESSON, "taught_class"),
    "teach.live": _may("GET", LESSON, "taught_class"),
    "teach.live_events": _may("GET", LESSON, "taught_class"),
    "teach.lesson": _may("POST", LESSON, "taught_class"),
    "teach.times": _may("POST", TEACHERS, "taught_class"),
    "teach.lower_hand": _may("POST", LESSON, "taught_child"),
    "teach.seats": _may("GET POST", LESSON, "taught_class"),
    "teach.move_child": _may("POST", LESSON, "taught_class"),
    "teach.seat_friend": _may("POST", LESSON, "taught_class"),
    "teach.seat_tablet": _may("POST", LESSON, "taught_class"),
    "teach.start_tables": _may("POST", LESSON, "taught_class"),
    "teach.seat_and_start": _may("POST", LESSON, "taught_class"),
    "teach.clear_seats": _may("POST", LESSON, "taught_class"),
    "teach.board": _may("GET", LESSON, "taught_class"),
    "teach.board_events": _may("GET", LESSON, "taught_class"),
    "teach.watch": _may("GET", LESSON, "lesson_round"),
    "teach.watch_events": _may("GET", LESSON, "lesson_round"),
    "teach.watch_hands": _may("POST", LESSON, "lesson_round"),
    "teach.now": _may("GET", LESSON, "taught_class"),
    "teach.questions": _may("POST", TEACHERS, "taught_class"),
    "teach.standards": _may("POST", TEACHERS, "taught_class"),
    "teach.talk": _may("POST", TEACHERS, "taught_class"),
    "teach.code": _may("GET POST", LESSON, "taught_class"),
    "teach.new_devices": _may("POST", LESSON, "taught_class"),
    "teach.add": _may("GET POST", TEACHERS, "taught_class"),
    "teach.cards": _may("GET", LESSON, "taught_class"),
    "teach.games": _may("GET POST", TEACHERS, "taught_class"),
    "teach.mix": _may("GET POST", TEACHERS, "taught_class"),
    "teach.change_game": _may("POST", TEACHERS, "taught_class"),
    "teach.child": _may("GET", TEACHERS, "taught_child"),
    "teach.write_note": _may("POST", TEACHERS, "taught_child"),
    "teach.delete_note": _may("POST", TEACHERS, "taught_child"),
    "teach.card": _may("GET", TEACHERS, "taught_child"),
    "teach.rename": _may("POST", TEACHERS, "taught_child"),
    "teach.remove": _may("GET POST", TEACHERS, "taught_child"),
    "teach.left": _may("POST", TEACHERS, "taught_child"),
    "teach.undo": _may("POST", TEACHERS, "taught_class"),
    "teach.pictures": _may("POST", TEACHERS, "taught_child"),
    "teach.let_in": _may("POST", LESSON, "taught_child"),
    "teach.family_code": _may("POST", TEACHERS, "taught_child"),
    "teach.replay": _may("GET", TEACHERS, "taught_round"),
    "teach.all_hands": _may("POST", TEACHERS, "taught_round"),
    "teach.keep_moment": _may("POST", TEACHERS, "taught_round"),
    "teach.moments": _may("GET", LESSON, "taught_class"),
    "teach.build_moment": _may("GET POST", TEACHERS, "taught_class"),
    "teach.moment": _may("GET", LESSON, "taught_moment"),
    "teach.moment_act": _may("POST", LESSON, "taught_moment"),
    "teach.moment_events": _may("GET", LESSON, "taught_moment"),
    "teach.moment_sheet": _may("GET", LESSON, "taught_moment"),
    "teach.class_list": _may("GET POST", TEACHERS, "taught_class"),
    "teach.about_class": _may("GET", TEACHERS, "taught_class"),
    "teach.rename_class": _may("POST", TEACHERS, "taught_class"),
    "teach.class_end": _may("POST", TEACHERS, "taught_class"),
    "teach.archive_class": _may("POST", TEACHERS, "taught_class"),
    "teach.restore_class": _may("POST", TEACHERS, "taught_class"),
    "teach.delete_class": _may("GET POST", TEACHERS, "taught_class"),
    "teach.change_class": _may("GET POST", TEACHERS, "taught_child"),
    "teach.merge": _may("GET POST", TEACHERS, "taught_child"),
    "family.home": _may("GET", "parent"),
    "family.join": _may("GET POST", "nobody parent"),
    "family.child": _may("GET", "parent", "linked_child"),
    "family.progress": _may("GET", "parent", "linked_child"),
    "family.missed": _may("GET", "parent", "linked_child"),
    "family.child_sheet": _may("GET", "parent", "linked_child"),
    "family.child_csv": _may("GET", "parent", "linked_child"),
    "family.child_answers_csv": _may("GET", "parent", "linked_child"),
    "family.record": _may("GET", "parent", "linked_child"),
    "family.settings": _may("POST", "parent", "linked_child"),
    "family.questions": _may("POST", "parent", "linked_child"),
    "family.language": _may("POST", "parent", "linked_child"),
    "family.open_home": _may("GET POST", "parent", "linked_child"),
    "family.card": _may("GET", "parent", "linked_child"),
    "family.link": _may("POST", "parent"),
    "family.restrict": _may("GET POST", "parent", "linked_child"),
    "family.looks": _may("GET", "parent", "linked_child"),
    "family.leave_child": _may("GET POST", "parent", "linked_child"),
    "family.leave": _may("GET POST", "parent"),
    "teach.voices": _may("GET POST", TEACHERS, "taught_class"),
    "voice.home": _may("GET POST", READERS),
    "voice.take_in": _may("POST", TEACHERS),
    "voice.agree": _may("POST", READERS, "own_voice"),
    "voice.studio": _may("GET", READERS, "own_voice"),
    "voice.read": _may("POST", READERS, "own_voice"),
    "voice.withdraw": _may("POST", READERS, "kept_voice"),
    "voice.file": _may("GET", READERS, "own_voice"),
    "voice.pieces": _may("GET", HEARERS, "heard_voice"),
    "voice.piece": _may("GET", HEARERS, "heard_voice"),
    "school.home": _may("GET", "admin"),
    "school.folder": _may("GET", "admin"),
    "school.paper": _may("GET", "admin"),
    "school.components": _may("GET", "admin"),
    "school.settings": _may("GET POST", "admin"),
    "school.play": _may("POST", "admin"),
    "school.questions": _may("POST", "admin"),
    "school.record": _may("GET", "admin"),
    "school.server": _may("GET", "admin"),
    "school.people": _may("GET", "admin"),
    "school.invite": _may("POST", "admin"),
    "school.revoke": _may("POST", "admin"),
    "school.role": _may("POST", "admin", "colleague"),
    "school.end": _may("GET POST", "admin", "colleague"),
    "school.reset_code": _may("POST", "admin", "colleague"),
    "school.cancel_reset_code": _may("POST", "admin", "colleague"),
    "school.classes": _may("GET", "admin"),
    "school.teachers": _may("POST", "admin", "class_of_school"),
    "school.lists": _may("GET POST", "admin"),
    "school.year": _may("GET POST", "admin"),
    "school.year_undo": _may("POST", "admin"),
    "school.keeping": _may("GET POST", "admin"),
    "school.change_class": _may("GET POST", "admin"),
}

# The changes that a teacher may still make to an archived class and its children.
WHILE_ARCHIVED = frozenset(
    "teach.restore_class teach.delete_class teach.remove teach.change_class teach.restrict "
    "teach.erase_answers teach.delete_note teach.unlink teach.cancel_code "
    "teach.cancel_reset_code".split()
)
# Pages that exist only for changing or playing something: an archived class has none of them.
NOT_WHILE_ARCHIVED = frozenset(
    f"teach.{page}"
    for page in "add class_list games mix settings group_settings child_settings class_groups plan "
    "seats live board code colleagues merge cards card outlines outline small_group "
    "build_moment".split()
)


# ---- One line for each form that only signed-in adults may send
#
# A line says what the form does, whether it is kept if it came after the session had ended
# (kept.py), and whether it replaces values that somebody else may have changed in the meantime
# (forms.py). A form without a line is not kept and not checked, and fails a test.

FormKind = Literal["replaces", "adds", "acts", "secret"]


@dataclass(frozen=True, slots=True)
class AdultForm:
    """The line for a form. `kind`: it replaces stored values, adds something new, does one thing
    when tapped, or holds a secret. `does`: a title for what it does. `typed`: the labels of its
    text fields; `carries`: its hidden fields from an earlier step. A form with text fields is kept
    only if a field of `typed` or `carries` is filled in. `kept`: False if the form is never worth
    keeping."""

    kind: FormKind
    does: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    kept: bool = True
    carries: tuple[str, ...] = ()

    def is_worth_keeping(self, sent: Mapping[str, str]) -> bool:
        """Whether somebody would otherwise have to type or choose the contents again."""
        if self.kind not in ("replaces", "adds") or not self.kept:
            return False
        return not self.typed or any(
            sent.get(name, "").strip() for name in (*self.typed, *self.carries)
        )


NAME: Final = {"name": N_("Name")}
ENDS: Final = {"ends": N_("Last day")}
TIMES: Final = {
    "nudge_after": N_("Remind the child after (seconds)"),
    "stand_in_after": N_("A computer friend plays after (seconds)"),
    "minutes_a_day": N_("Minutes a day for each child (0: no limit)"),
}


def _once(does: str, typed: Mapping[str, str] = MappingProxyType({})) -> AdultForm:
    """A form that waits while the password is typed again, but is not kept."""
    return AdultForm("acts", does, typed, kept=False)


SECRET: Final = AdultForm("secret")

# These forms do one thing when tapped. All choices for `build_moment` are in the URL.
_TAPS: Final = tuple(
    f"{name}.{endpoint}"
    for name, endpoints in {
        "teach": "open_class close_class code new_devices seat_together lesson lower_hand "
        "begin_plan begin_outline deal_outline seats move_child seat_friend seat_tablet "
        "start_tables seat_and_start clear_seats watch_hands delete_note left undo "
        "restrict pictures let_in all_hands keep_moment build_moment moment_act "
        "cancel_code cancel_reset_code revoke dismiss new_pictures archive_class "
        "restore_class change_class voices",
        "family": "restrict language open_home",
        "voice": "home take_in agree read withdraw",
        "school": "revoke cancel_reset_code year_undo change_class",
    }.items()
    for endpoint in endpoints.split()
)

ADULT_FORMS: Final[Mapping[str, AdultForm]] = {
    **dict.fromkeys(_TAPS, AdultForm("acts")),
    "auth.account": SECRET,
    "auth.account_names": SECRET,  # asks for the password too
    "auth.again": SECRET,
    "auth.add_second": SECRET,
    "auth.remove_second": _once(N_("Remove a second step")),
    "teach.make_class": AdultForm("adds", N_("Create a class"), NAME),
    "teach.add": AdultForm("adds", N_("Add a child"), NAME),
    "teach.class_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.group_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.group_questions": AdultForm("replaces", N_("Change the questions in play")),
    "teach.home_play": AdultForm("replaces", N_("Change play at home")),
    "teach.child_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.child_questions": AdultForm("replaces", N_("Change the questions in play")),
    "teach.questions": AdultForm("replaces", N_("Change the questions in play")),
    "teach.talk": AdultForm("replaces", N_("Change how often children are asked how they knew")),
    "teach.standards": AdultForm("replaces", N_("Choose the standards on the skills pages")),
    "teach.focus": AdultForm("replaces", N_("Ask more about one skill"), kept=False),
    "teach.times": AdultForm("replaces", N_("Change waiting times and minutes a day"), TIMES),
    "teach.class_groups": AdultForm("replaces", N_("Change the groups")),
    "teach.plan": AdultForm("replaces", N_("Plan a lesson")),
    "teach.games": AdultForm("replaces", N_("Change the games on the shelf")),
    "teach.mix": AdultForm("adds", N_("Put your own game on the shelf"), NAME),
    "teach.change_game": AdultForm("replaces", N_("Rename your own game"), NAME),
    "teach.rename": AdultForm("replaces", N_("Change name, age or animal"), NAME),
    "teach.write_note": AdultForm("adds", N_("Write a note about a child"), {"note": N_("Note")}),
    "teach.remove": _once(N_("Remove a child")),
    "teach.erase_answers": _once(N_("Delete the answers")),
    "teach.family_code": _once(N_("Make a code for the family")),
    "family.settings": AdultForm("replaces", N_("Change the difficulty")),
    "family.questions": AdultForm("replaces", N_("Change the questions in play")),
    "family.link": _once(N_("Link a child"), {"code": N_("The code from the teacher")}),
    "family.leave": _once(N_("Close your account")),
    "family.leave_child": _once(N_("End your link to a child")),
    "teach.family_sheets": _once(N_("Make codes for the families")),
    "teach.reset_code": _once(N_("Make a code for a new password")),
    "teach.unlink": _once(N_("Unlink an adult")),
    "teach.invite": _once(N_("Invite a colleague")),
    "teach.share": _once(N_("Share the class")),
    "teach.leave": _once(N_("Leave the class")),
    "teach.class_list": AdultForm(
        "adds",
        N_("Children from a list"),
        {"list": N_("Class list")},
        carries=("table", "bundle", "rest"),
    ),
    "teach.rename_class": AdultForm("replaces", N_("Rename the class"), NAME),
    "teach.class_end": AdultForm("replaces", N_("Choose the last day of the class"), ENDS),
    "teach.delete_class": _once(N_("Delete the class")),
    "teach.merge": _once(N_("Merge two entries")),
    "school.invite": _once(N_("Invite someone")),
    "school.role": _once(N_("Change someone’s role")),
    "school.reset_code": _once(N_("Make a code for a new password")),
    "school.end": _once(N_("Close an account")),
    "school.teachers": _once(N_("Change who teaches a class")),
    "school.lists": AdultForm("adds", N_("Create the classes from a list")),
    "school.year": AdultForm("adds", N_("Begin the new school year")),
    "school.keeping": AdultForm("replaces", N_("Change how long things are kept")),
    "school.settings": AdultForm("replaces", N_("Change time zone, spelling and paper size")),
    "school.play": AdultForm("replaces", N_("Change difficulty and cards")),
    "school.questions": AdultForm("replaces", N_("Change the questions in play")),
}
