"""What each form does that only signed-in adults may send: one line for each.

A line says whether what was typed is kept when the session has ended (kept.py), and whether the
form replaces values that somebody else may have changed in the meantime (versions.py). A form
without a line is neither kept nor checked, and fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from classroom.web.words.language import N_

Kind = Literal["replaces", "adds", "acts", "secret"]


@dataclass(frozen=True, slots=True)
class AdultForm:
    """`kind`: it replaces stored values, adds something new, does one thing at a tap, or holds a
    secret. `does`: a title for what it does. `typed`: the labels of its text fields; if there are
    any, one must be filled in for the form to be kept. `kept`: False for a single tap."""

    kind: Kind
    does: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    kept: bool = True

    def is_worth_keeping(self, sent: Mapping[str, str]) -> bool:
        """Whether somebody would miss what this form held."""
        if self.kind not in ("replaces", "adds") or not self.kept:
            return False
        return not self.typed or any(sent.get(name, "").strip() for name in self.typed)


NAME: Final = {"name": N_("Name")}
TIMES: Final = {
    "nudge_after": N_("Remind the child after (seconds)"),
    "stand_in_after": N_("A computer friend plays after (seconds)"),
    "minutes_a_day": N_("Minutes a day for each child (0: no limit)"),
}
TAP: Final = AdultForm("acts")
SECRET: Final = AdultForm("secret")

ADULT_FORMS: Final[Mapping[str, AdultForm]] = {
    "auth.account": SECRET,
    "auth.account_names": SECRET,  # asks for the password too
    "auth.again": SECRET,
    "auth.add_second": SECRET,
    "auth.remove_second": TAP,
    "teach.make_class": AdultForm("adds", N_("Create a class"), NAME),
    "teach.open_class": TAP,
    "teach.close_class": TAP,
    "teach.code": TAP,
    "teach.new_devices": TAP,
    "teach.add": AdultForm(
        "adds", N_("Add children"), {"roster": N_("Class list"), "name": N_("First name")}
    ),
    "teach.class_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.home_play": AdultForm("replaces", N_("Change play at home")),
    "teach.child_play": AdultForm("replaces", N_("Change difficulty and cards")),
    "teach.child_questions": AdultForm("replaces", N_("Change the questions in play")),
    "teach.questions": AdultForm("replaces", N_("Change the questions in play")),
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
    "teach.remove": TAP,
    "teach.pictures": TAP,
    "teach.let_in": TAP,
    "teach.family_code": TAP,
    "teach.all_hands": TAP,
    "family.settings": AdultForm("replaces", N_("Change the difficulty")),
    "family.questions": AdultForm("replaces", N_("Change the questions in play")),
    "family.open_home": TAP,
    "family.link": SECRET,
    "family.leave": TAP,
    "family.leave_child": TAP,
    "teach.family_sheets": TAP,
    "teach.cancel_code": TAP,
    "teach.reset_code": TAP,
    "teach.cancel_reset_code": TAP,
    "teach.unlink": TAP,
    "teach.invite": TAP,
    "teach.revoke": TAP,
    "teach.share": TAP,
    "teach.dismiss": TAP,
    "teach.leave": TAP,
    "teach.class_list": AdultForm("adds", N_("Update from a list"), kept=False),  # may have a file
    "teach.rename_class": AdultForm("replaces", N_("Rename the class"), NAME),
    "teach.class_end": TAP,
    "teach.archive_class": TAP,
    "teach.restore_class": TAP,
    "teach.delete_class": TAP,
    "teach.change_class": TAP,
    "teach.merge": TAP,
    "school.invite": TAP,
    "school.revoke": TAP,
    "school.role": TAP,
    "school.end": TAP,
    "school.teachers": TAP,
    "school.lists": AdultForm("adds", N_("Make the classes from a list"), kept=False),
    "school.year": AdultForm("adds", N_("Begin the new school year"), kept=False),
    "school.year_undo": TAP,
    "school.keeping": AdultForm("replaces", N_("Change how long things are kept")),
    "school.change_class": TAP,
    "school.settings": AdultForm("replaces", N_("Change time, words and paper")),
    "school.play": AdultForm("replaces", N_("Change difficulty and cards")),
    "school.questions": AdultForm("replaces", N_("Change the questions in play")),
}
