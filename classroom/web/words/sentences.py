"""What an adult reads when a service said no; children see a picture instead.

A code without a sentence gets the last one, and fails a test.
"""

from __future__ import annotations

import math

from classroom.services.base.errors import EarlierRules, NotFound, NotNow, OutOfDate, Refused

SENTENCES = {
    "not_found": "There is nothing at this address, or it is not yours to see.",
    "out_of_date": "The table has moved on since this page was shown.",
    "earlier_rules": "This round was played by the rules of an earlier version of Fish School, so "
    "it cannot be shown step by step. Everything that was counted in it is kept.",
    "wrong_login": "This name and password do not belong together. Try again.",
    "login_wait": "Those were many wrong tries. Please wait {wait}, then try again.",
    "wrong_password": "The old password is not right.",
    "password_short": "Please take at least {shortest} characters: four or five words will do.",
    "password_long": "Please take at most {longest} characters.",
    "password_easy": "This password is among the first that somebody would guess. "
    "Four or five words that nobody connects with you are easier to keep and harder to guess.",
    "adult_name": "Please give the name that children and colleagues know, up to 60 characters.",
    "login": "Please choose a name to sign in with, of 3 to 80 characters.",
    "login_taken": "Somebody already signs in with this name. Please choose another.",
    "school_name": "Please give the name of the school, of 2 to 80 characters.",
    "wrong_code": "This is not the code that the program printed when it was started.",
    "code_wait": "Those were many wrong codes. Please wait {wait}, then try again.",
    "already_set_up": "The school is already set up. Please sign in.",
    "class_not_open": "No class is open under this code right now. "
    "The teacher opens it on the class page.",
    "slow_down": "Many people are signing in right now. Please try again in {wait}.",
    "child_name_empty": "Please type a first name or nickname.",
    "child_name_long": "That is longer than 30 letters. A first name is enough.",
    "child_name_odd": "That cannot be read as a name. A first name or nickname is enough.",
    "child_name_known": "{name} is in this class already. If it is another child, add a letter, "
    "like “{name} B.”.",
    "age_band": "Please choose an age from the list.",
    "animal_full": "All four of these animals are taken. Please choose another one.",
    "class_full": "A class holds 48 children, and this one is full.",
    "class_name_empty": "Please type a name for the class.",
    "class_name_long": "That is longer than 60 letters. A short name reads better on the board.",
    "class_name_odd": "That cannot be read as a name.",
    "game_name_empty": "Please type a name for the game.",
    "game_name_long": "That is longer than 30 letters. A short name fits on the shelf.",
    "game_name_odd": "That cannot be read as a name.",
    "game_name_known": "The class has a game called {name} already. Please choose another name.",
    "games_full": "A class keeps {most} own games, and has them. Please remove one first.",
    "shelf_empty": "Please leave at least one game on the shelf, so that there is one to play.",
    "roster": "Nothing was added yet: some lines of the list need a look.",
    "roster_empty": "There is no name in it yet. Write or paste one child on each line.",
    "code_unknown": "This code is not good any more, or has a slip in it. It has 12 letters and "
    "digits, and is good for 14 days and for one person.",
    "already_linked": "This child is linked to you already.",
    "nobody_here": "Nobody is signed in yet. Open the class, and let the children in first.",
    "times": "Please choose 10 to 600 seconds, the reminder before the computer friend, and 5 to "
    "240 minutes a day, or 0 for no limit.",
    "questions": "Please choose one of these.",
    "skills": "Please tick at least one thing to ask about.",
    "numbers": "Please choose one of these.",
    "place": "That is not on offer any more.",
    "over": "The question is over.",
    "opponents": "Please choose one, two or three.",
    "level": "Please choose one of these.",
    "deck": "Please choose one of these.",
    "school_full": "A school holds {most} {what}, and this one has them.",
    "demo_full": "The demo school holds {most} {what}, and has them. "
    "It is made fresh every night; a school of your own takes many more.",
    "board": "Please choose one of these.",
    "minutes_a_day": "Please choose one of these.",
}
ANYTHING_ELSE = "That could not be done. Nothing was changed."

WAITS = ("login_wait", "code_wait", "slow_down", "wait", "demo_full")


def sentence(refused: Refused) -> str:
    """One sentence for an adult."""
    words = SENTENCES.get(refused.code, ANYTHING_ELSE)
    facts = _Facts(refused.facts, wait=_time(refused.facts.get("wait", 0)))
    return words.format_map(facts)


class _Facts(dict[str, object]):
    """A fact that nobody gave leaves a gap, not an error."""

    def __missing__(self, name: str) -> str:
        return "…"


def status(refused: Refused) -> int:
    """The HTTP status of a refusal."""
    if isinstance(refused, NotFound):
        return 404
    if isinstance(refused, OutOfDate | NotNow | EarlierRules):
        return 409
    if refused.code in WAITS:
        return 429
    return 422


def retry_after(refused: Refused) -> dict[str, str]:
    """The header that says in how many seconds to try again, where the refusal knows."""
    wait = refused.facts.get("wait", 0)
    seconds = math.ceil(wait) if isinstance(wait, int | float) else 0
    return {"Retry-After": str(seconds)} if seconds > 0 else {}


def _time(seconds: object) -> str:
    whole = math.ceil(float(seconds)) if isinstance(seconds, int | float) else 0
    if whole < 90:
        return f"{max(whole, 1)} seconds" if whole != 1 else "1 second"
    return f"{math.ceil(whole / 60)} minutes"
