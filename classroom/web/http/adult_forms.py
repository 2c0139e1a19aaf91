"""One line for each form that only signed-in adults may send.

A line says what the form does, whether what was typed is kept when the session has ended (kept.py),
and whether the form replaces values that somebody else may have changed in the meantime (both.py).
A form without a line is neither kept nor checked, and fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from classroom.web.words.language import N_

Kind = Literal["replaces", "adds", "acts", "secret"]


@dataclass(frozen=True, slots=True)
class AdultForm:
    """`kind`: it replaces stored values, adds something new, does one thing at a tap, or holds a
    secret. `does`: a title for what it does. `typed`: the labels of its text fields; if there are
    any, one must be filled in for the form to be kept, or one of `carries`, hidden fields that hold
    what was done before. `kept`: False if it is not worth keeping."""

    kind: Kind
    does: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    kept: bool = True
    carries: tuple[str, ...] = ()

    def is_worth_keeping(self, sent: Mapping[str, str]) -> bool:
        """Whether somebody would miss what this form held."""
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
TAP: Final = AdultForm("acts")


def _once(does: str, typed: Mapping[str, str] = MappingProxyType({})) -> AdultForm:
    """A form that may need the password again: it waits while that is typed, and is not kept."""
    return AdultForm("acts", does, typed, kept=False)


SECRET: Final = AdultForm("secret")

ADULT_FORMS: Final[Mapping[str, AdultForm]] = {
    "auth.account": SECRET,
    "auth.account_names": SECRET,  # asks for the password too
    "auth.again": SECRET,
    "auth.add_second": SECRET,
    "auth.remove_second": _once(N_("Remove a second step")),
    "teach.make_class": AdultForm("adds", N_("Create a class"), NAME),
    "teach.open_class": TAP,
    "teach.close_class": TAP,
    "teach.code": TAP,
    "teach.new_devices": TAP,
    "teach.add": AdultForm("adds", N_("Add a child"), NAME),
    "teach.class_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.group_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.group_questions": AdultForm("replaces", N_("Change the questions in play")),
    "teach.home_play": AdultForm("replaces", N_("Change play at home")),
    "teach.child_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.child_questions": AdultForm("replaces", N_("Change the questions in play")),
    "teach.questions": AdultForm("replaces", N_("Change the questions in play")),
    "teach.talk": AdultForm("replaces", N_("Change how often children tell how they knew")),
    "teach.standards": AdultForm("replaces", N_("Choose the standards on the skills pages")),
    "teach.focus": AdultForm("replaces", N_("Ask more about one thing"), kept=False),
    "teach.seat_together": TAP,
    "teach.lesson": TAP,
    "teach.times": AdultForm("replaces", N_("Change waiting times and minutes a day"), TIMES),
    "teach.lower_hand": TAP,
    "teach.class_groups": AdultForm("replaces", N_("Change the groups")),
    "teach.plan": AdultForm("replaces", N_("Plan a lesson")),
    "teach.begin_plan": TAP,
    "teach.seats": TAP,
    "teach.move_child": TAP,
    "teach.seat_friend": TAP,
    "teach.start_tables": TAP,
    "teach.clear_seats": TAP,
    "teach.watch_hands": TAP,
    "teach.games": AdultForm("replaces", N_("Change the games on the shelf")),
    "teach.mix": AdultForm("adds", N_("Put your own game on the shelf"), NAME),
    "teach.change_game": AdultForm("replaces", N_("Rename your own game"), NAME),
    "teach.rename": AdultForm("replaces", N_("Change name, age or animal"), NAME),
    "teach.left": TAP,
    "teach.undo": TAP,
    "teach.remove": _once(N_("Remove a child")),
    "teach.restrict": TAP,
    "teach.erase_answers": _once(N_("Delete the answers")),
    "family.restrict": TAP,
    "teach.pictures": TAP,
    "teach.let_in": TAP,
    "teach.family_code": _once(N_("Make a code for the family")),
    "teach.all_hands": TAP,
    "family.settings": AdultForm("replaces", N_("Change the difficulty")),
    "family.questions": AdultForm("replaces", N_("Change the questions in play")),
    "family.link": _once(N_("Link a child"), {"code": N_("The code from the teacher")}),
    "family.leave": _once(N_("End your account")),
    "family.leave_child": _once(N_("End your link to a child")),
    "teach.family_sheets": _once(N_("Make codes for the families")),
    "family.open_home": TAP,
    "teach.cancel_code": TAP,
    "teach.reset_code": _once(N_("Make a code for a new password")),
    "teach.cancel_reset_code": TAP,
    "teach.unlink": _once(N_("Unlink an adult")),
    "teach.invite": _once(N_("Invite a colleague")),
    "teach.revoke": TAP,
    "teach.share": _once(N_("Share the class")),
    "teach.dismiss": TAP,
    "teach.new_pictures": TAP,
    "teach.leave": _once(N_("Leave the class")),
    "teach.class_list": AdultForm(
        "adds",
        N_("Children from a list"),
        {"list": N_("Class list")},
        carries=("table", "bundle", "rest"),
    ),
    "teach.rename_class": AdultForm("replaces", N_("Rename the class"), NAME),
    "teach.class_end": AdultForm("replaces", N_("Choose the last day of the class"), ENDS),
    "teach.archive_class": TAP,
    "teach.restore_class": TAP,
    "teach.delete_class": _once(N_("Delete the class")),
    "teach.change_class": TAP,
    "teach.merge": _once(N_("Merge two entries")),
    "school.invite": _once(N_("Invite someone")),
    "school.revoke": TAP,
    "school.role": _once(N_("Change what someone may do")),
    "school.reset_code": _once(N_("Make a code for a new password")),
    "school.cancel_reset_code": TAP,
    "school.end": _once(N_("End an account")),
    "school.teachers": _once(N_("Change who teaches a class")),
    "school.lists": AdultForm("adds", N_("Make the classes from a list")),
    "school.year": AdultForm("adds", N_("Begin the new school year")),
    "school.year_undo": TAP,
    "school.keeping": AdultForm("replaces", N_("Change how long things are kept")),
    "school.change_class": TAP,
    "school.settings": AdultForm("replaces", N_("Change time, words and paper")),
    "school.play": AdultForm("replaces", N_("Change difficulty and cards")),
    "school.questions": AdultForm("replaces", N_("Change the questions in play")),
}
