"""Refusals by services, as sentences for adults; children see a picture instead.

A code without a sentence gets ANYTHING_ELSE, and fails a test.
"""

from __future__ import annotations

import math
from collections import defaultdict

from classroom.services.base.errors import EarlierRules, NotFound, NotNow, OutOfDate, Refused
from classroom.web.words.language import N_, gettext as _, ngettext

SENTENCES = {
    "not_found": N_("There is nothing at this address, or you are not allowed to see it."),
    "out_of_date": N_("The table has moved on since you loaded this page."),
    "earlier_rules": N_(
        "This round used the rules of an earlier version of Fish School, so it cannot "
        "be shown step by step. Its results are kept."
    ),
    "moves_gone": N_(
        "This round ended long ago. Its results are kept, but its moves and cards are not, so it "
        "cannot be shown step by step."
    ),
    "left_off": N_(
        "This round was not played to the end, so it cannot be shown step by step. "
        "What it shows about the children is kept."
    ),
    "class_archived": N_(
        "This class is in the archive, so nothing in it can be changed. Restore it first."
    ),
    "class_not_archived": N_("Please archive the class before you delete it."),
    "class_name_known": N_(
        "There is already a class called {name} in this school. Please choose another name."
    ),
    "class_end": N_("Please choose a day from today up to two years from now."),
    "hours": N_("Please choose an end time that is later than the start time."),
    "weekend_hours": N_("Please choose an end time that is later than the start time."),
    "home_closed": N_("Play at home is closed now."),
    "ask_parent": N_("Too many wrong pictures. A parent can open this device again."),
    "year_end": N_("There is no such date. Please choose another one."),
    "period": N_("Please choose a number of days from {least} to {most}."),
    "other_class": N_("Please choose another class."),
    "reason": N_("Please choose a reason."),
    "not_yours_to_end": N_(
        "This can be ended only by whoever chose it, the family or the school. Please "
        "talk to each other."
    ),
    "not_restricted": N_(
        "Please stop the analysis of the child’s answers first. Then the answers can be deleted."
    ),
    "same_child": N_("Please choose another child."),
    "same_table": N_(
        "In one round, both entries sat at the same table, so they cannot be the same child."
    ),
    "year_conflict": N_("Some things have to be put right first. Nothing was changed."),
    "year_changed": N_(
        "Something has changed since you opened this page, so nothing was saved. Please look "
        "through the page again."
    ),
    "year_undo_full": N_(
        "This cannot be undone: there is not enough room in {room} for the children who would come "
        "back. Move some of its children to another class first."
    ),
    "year_undo_child": N_(
        "This cannot be undone: another child in {room} is called {name} now. Change one of the "
        "two names first."
    ),
    "year_undo_class": N_(
        "This cannot be undone: another class is called {room} now. Rename that class first."
    ),
    "account_over": N_(
        "Your last day here is over. To teach here again, ask the school for a new invitation."
    ),
    "wrong_login": N_("That sign-in name and password do not match. Please try again."),
    "login_wait": N_("Too many wrong attempts. Please wait {wait}, then try again."),
    "second_wrong": N_("That is not right. Please try again with the code that is shown now."),
    "second_late": N_("That took too long. Please sign in again."),
    "factor_code": N_("That is not the code that the app shows. Please type the latest one."),
    "factor_key": N_("The passkey could not be added. Please try again."),
    "factors_full": N_("You already have {most} passkeys and apps. Please remove one first."),
    "wrong_password": N_("The current password is not right."),
    "password_short": N_("Please use at least {shortest} characters: four or five words will do."),
    "password_long": N_("Please use at most {longest} characters."),
    "password_easy": N_(
        "This password is one of the first that someone would guess. "
        "Four or five unrelated words are easier to remember and harder to guess."
    ),
    "adult_name": N_("Please give the name that children and colleagues use, up to 60 characters."),
    "login": N_("Please choose a sign-in name of 3 to 80 characters."),
    "login_taken": N_("This sign-in name is already taken. Please choose another."),
    "school_name": N_("Please give the school a name of 2 to 80 characters."),
    "wrong_code": N_("This is not the code that the program printed when it was started."),
    "code_wait": N_("Too many wrong codes. Please wait {wait}, then try again."),
    "already_set_up": N_("The school is already set up. Please sign in."),
    "class_not_open": N_(
        "No class with this code is open right now. The teacher can open the class on its page."
    ),
    "slow_down": N_("Many people are signing in right now. Please try again in {wait}."),
    "child_name_empty": N_("Please type a first name or nickname."),
    "child_name_long": N_("That is longer than 30 letters. A first name is enough."),
    "child_name_odd": N_("That does not look like a name. A first name or nickname is enough."),
    "child_name_known": N_(
        "{name} is already in this class. If this is another child, add a letter, like “{name} B.”."
    ),
    "note_empty": N_("Please type a note first."),
    "note_long": N_("That is {over} characters too long: a note can have {most}."),
    "note_odd": N_("Something in this note cannot be read. Please type that part again."),
    "age_band": N_("Please choose an age from the list."),
    "animal_full": N_("All four of these animals are taken. Please choose another one."),
    "class_full": N_("A class can have at most {most} children, and this one is full."),
    "class_name_empty": N_("Please type a name for the class."),
    "class_name_long": N_(
        "That is longer than 60 letters. Please choose a shorter name, which is easier to "
        "read on the board."
    ),
    "class_name_odd": N_("That does not look like a name."),
    "game_name_empty": N_("Please type a name for the game."),
    "game_name_long": N_(
        "That is longer than 30 letters. Please choose a shorter name, which fits on the shelf."
    ),
    "game_name_odd": N_("That does not look like a name."),
    "game_name_known": N_(
        "The class already has a game called {name}. Please choose another name."
    ),
    "moment_none": N_(
        "There is no moment to deal at this move: somebody must be about to ask, and there must "
        "have been an ask before. Please choose another move."
    ),
    "moment_game": N_(
        "A moment of this game cannot be dealt, because in this game it takes more than "
        "one move to answer an ask."
    ),
    "moment_gone": N_(
        "This moment cannot be played: its cards or moves are not possible under today’s "
        "rules. The children did not see it. You can remove it and save another one."
    ),
    "moment_many": N_("The game has fewer cards of this kind. Take one away."),
    "moment_book": N_(
        "One hand has a whole book, which would be laid down at once. Take a card away."
    ),
    "moment_unheld": N_(
        "Ask {number} is not possible: whoever asks must hold a card of that kind. Take the ask "
        "back, or change the cards."
    ),
    "moment_ask": N_(
        "Ask {number} is not possible at this table. Take the ask back, or change the cards or the "
        "players."
    ),
    "moments_full": N_("A class can keep {most} moments. Please remove one first."),
    "games_full": N_("A class can have up to {most} games of its own. Please remove one first."),
    "shelf_empty": N_("Please leave at least one game on the shelf, so that there is one to play."),
    "roster": N_("Nothing has been saved yet: please check some lines in the list."),
    "list_empty": N_("There are no names in this list."),
    "list_no_name": N_(
        "We cannot tell which column has the first names. Please choose it, or give the columns "
        "headings."
    ),
    "list_kind": N_(
        "This is not a class list that we can read. Use a spreadsheet (XLSX, ODS), a CSV "
        "or text file, or a OneRoster zip, or copy and paste the list."
    ),
    "list_line": N_(
        "Line {line} cannot be read: a quotation mark is missing, or there is one too many."
    ),
    "list_rows": N_("A list can have {most} lines, and this one has more (line {line})."),
    "list_columns": N_("A list can have {most} columns. Line {line} has more."),
    "list_large": N_(
        "This file is too large: the limit is {most} kB. Please export one school or one class."
    ),
    "list_unzipped": N_(
        "This file is too large when it is unpacked: the limit is {most} MB. Please "
        "export one school or one class."
    ),
    "list_damaged": N_("This file is damaged or was not saved completely. Please export it again."),
    "list_password": N_("This file has a password. Please save it without one first."),
    "list_zip": N_(
        "There is no class list in this zip. A OneRoster export has users.csv, classes.csv and "
        "enrollments.csv."
    ),
    "list_no_enrollments": N_(
        "The file enrollments.csv is missing from this zip, so we cannot tell who is in "
        "which class."
    ),
    "list_class": N_(
        "This list has more than {most} children for one class. If there is a column with the "
        "classes, please choose it."
    ),
    "list_busy": N_("Several lists are being read right now. Please try again in a moment."),
    "code_unknown": N_(
        "We do not know this code. Please compare it with the one on the paper: a code has 12 "
        "letters and digits, and works for 14 days."
    ),
    "code_used": N_(
        "This code has been used. If that was you, sign in with your own account. Each person "
        "needs their own code: ask the teacher for another."
    ),
    "code_ended": N_("This code no longer works. Please ask the teacher for another."),
    "reset_unknown": N_(
        "We do not know this code. Please compare it with the one on the paper: a code has 12 "
        "letters and digits, and works for three days."
    ),
    "reset_used": N_(
        "This code has been used. If you need another, please ask the person who gave you this one."
    ),
    "reset_ended": N_(
        "This code no longer works. Please ask the person who gave it to you for another."
    ),
    "invitation_unknown": N_(
        "This code has expired or been used, or was mistyped. It has 12 letters and digits, and "
        "works for 14 days and for one person. Whoever gave it to you can make another."
    ),
    "invitation_other": N_(
        "This code makes a new account, and you have one already. Please ask for a code that "
        "shares a class with you."
    ),
    "already_taught": N_("You teach this class already."),
    "last_teacher": N_(
        "You are the only teacher of this class, so it would be left without a teacher. Hand it "
        "over to a colleague, or ask the administrator, who can give any class to any teacher."
    ),
    "last_admin": N_(
        "This person is the only administrator of the school. Please make someone else an "
        "administrator first."
    ),
    "until": N_("Please choose a day within the next three months."),
    "already_linked": N_("This child is already linked to you."),
    "nobody_here": N_("No one is signed in yet. Open the class and let the children in first."),
    "times": N_(
        "Please choose 10 to 600 seconds, with the reminder before the computer friend, and 5 "
        "to 240 minutes a day, or 0 for no limit."
    ),
    "time_zone": N_(
        "The program does not know this time zone. Please choose one from the list, like "
        "Europe/London."
    ),
    "too_few": N_(
        "These children are no longer in the class, so no one was seated. Please look at the "
        "skills page again."
    ),
    "no_focus": N_(
        "Questions about this are switched off. You can change that under Questions in play."
    ),
    "no_plan": N_("There is no plan yet. Please make one first."),
    "tables_full": N_("A plan can have at most {most} tables."),
    "plan_game": N_("A planned game no longer exists. Please choose another one for its table."),
    "group_name": N_("Please give the group a name of up to 30 letters."),
    "group_name_known": N_("There is already a group called {name}."),
    "groups_full": N_("A class can have at most {most} groups."),
    "too_many": N_("That is too many children for one table of this game."),
    "one_tablet": N_(
        "Two to four children can share one tablet, in a game where players ask only for cards "
        "they hold."
    ),
    **dict.fromkeys(
        """questions standards talk voice lit dates words paper numbers opponents level deck board
        minutes_a_day""".split(),
        N_("Please choose one of these."),
    ),
    "skills": N_("Please tick at least one skill, or choose Off."),
    "focus": N_("Please choose up to three skills for the focus, and tick them above too."),
    "place": N_("That can no longer be chosen."),
    "over": N_("It is too late to answer that question."),
    "school_full": N_("A school can have {most} {what}, and this one is full."),
    "demo_full": N_(
        "The demo school is full: it can have at most {most} {what}. It is reset every night. A "
        "school of your own can have many more."
    ),
    "voice_agree": N_("Please tick the box if you agree. Nothing has been started yet."),
    "voice_known": N_("You have already started this voice. You can carry on where you left off."),
    "voices_full": N_("There are {most} voices already. One of them has to be withdrawn first."),
    "voice_no_sound": N_("This is not a recording made by the program. Nothing was saved."),
    "voice_long": N_("That was too long. Please read only these words."),
    "voice_short": N_("That was too short. Please read all the words."),
    "voice_clipped": N_("That was too loud. Please move a little away from the microphone."),
    "voice_quiet": N_("That was too quiet for this room. Please move closer to the microphone."),
    "voice_file": N_("This is not a voice file. Nothing was saved."),
    "voice_licence": N_("This voice is for another school only. Nothing was saved."),
}
ANYTHING_ELSE = N_("That could not be done. Nothing was changed.")

WAITS = ("login_wait", "code_wait", "slow_down", "wait", "demo_full")


def sentence(refused: Refused) -> str:
    """The refusal as a sentence for an adult."""
    words = _(SENTENCES.get(refused.code, ANYTHING_ELSE))
    given = {"wait": _time(wait(refused)), "what": _(str(refused.facts.get("what", "")))}
    # A missing fact shows as an ellipsis instead of raising KeyError.
    return words.format_map(defaultdict(lambda: "…", {**refused.facts, **given}))


def status(refused: Refused) -> int:
    if isinstance(refused, NotFound):
        return 404
    if isinstance(refused, OutOfDate | NotNow | EarlierRules):
        return 409
    if refused.code in WAITS:
        return 429
    return 422


def retry_after(refused: Refused) -> dict[str, str]:
    """The Retry-After header in seconds; empty if the refusal names no wait."""
    seconds = wait(refused)
    return {"Retry-After": str(seconds)} if seconds > 0 else {}


def wait(refused: Refused) -> int:
    """How many whole seconds to wait; 0 if the refusal names no wait."""
    seconds = refused.facts.get("wait", 0)
    return math.ceil(seconds) if isinstance(seconds, int | float) else 0


def _time(seconds: int) -> str:
    if seconds < 90:
        return ngettext("%(num)s second", "%(num)s seconds", max(seconds, 1))
    return ngettext("%(num)s minute", "%(num)s minutes", math.ceil(seconds / 60))
