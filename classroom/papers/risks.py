"""What could go wrong for a child or an adult, what is done about it, and which tests show that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Chance = Literal["remote", "possible", "probable"]
Harm = Literal["slight", "serious", "severe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """A risk to a person. `chance` and `harm` are our judgement before the measures, `left` after
    them; the school judges for itself. `tables`: names in the privacy register. `school`: what only
    the school can do. `tests`: files that show the measures at work."""

    what: str
    chance: Chance
    harm: Harm
    measures: tuple[str, ...]
    school: str
    left: Literal["low", "medium", "high"]
    tables: tuple[str, ...]
    tests: tuple[str, ...]


RISKS: Final = (
    Risk(
        what="Somebody else sees what a child can do: another child, another family, a colleague "
        "who does not teach it, a stranger.",
        chance="possible",
        harm="serious",
        measures=(
            "Each address is open only to the people it is meant for, and only for what is theirs; "
            "anything else looks as if it did not exist.",
            "Children never see results, neither their own nor others'.",
            "A parent is linked to one child by a code on paper that works once.",
        ),
        school="Give each family code to the right adult, and end links that should not be there.",
        left="low",
        tables=(
            "children",
            "child_settings",
            "child_rounds",
            "evidence",
            "tallies",
            "skill_windows",
            "strand_tracks",
            "child_histories",
            "family_links",
        ),
        tests=("tests/web/test_permissions.py", "tests/services/test_families.py"),
    ),
    Risk(
        what="A child is signed in as another child, so that play is counted for the wrong one.",
        chance="probable",
        harm="slight",
        measures=(
            "Four pictures, in an open class only; after wrong tries the teacher has to tap.",
            "A child's account can do nothing but play.",
            "The teacher can change the pictures and sees who is signed in.",
        ),
        school="Hand the cards to the right children, and collect them if they are passed around.",
        left="medium",
        tables=("children", "players", "questions"),
        tests=("tests/web/test_sign_in.py", "tests/services/test_knocks.py"),
    ),
    Risk(
        what="Play at home shows a school what goes on in a family, or a child is judged by what "
        "somebody else tapped there.",
        chance="possible",
        harm="slight",
        measures=(
            "Play at home is off until a teacher switches it on, and has hours.",
            "Only a linked parent opens a device, for that child alone; unlinking closes it.",
            "Nobody can watch a round at home, and the live page does not show who plays there.",
            "What a child does at home is marked and reported apart, unless the teacher counts it.",
        ),
        school="Never set play at home as homework for a mark, and do not ask who did not play.",
        left="low",
        tables=("sessions", "matches", "child_rounds", "evidence"),
        tests=("tests/services/test_home.py", "tests/web/test_home.py"),
    ),
    Risk(
        what="A child is labelled by its level: adults expect less of it.",
        chance="possible",
        harm="serious",
        measures=(
            "Every level comes with the number of answers and a likely range, and is called "
            "evidence of practice, not a mark.",
            "Children are listed by name, never ranked. The class page names those who may need "
            "their teacher, and says why.",
            "No level changes for the worse without new answers, and a remark needs two days.",
            "Its family or its teacher can have nothing worked out about a child.",
            "Nothing is decided by the program alone except the next question and the strength of "
            "computer players.",
        ),
        school="Use the levels to choose what to practise next, and for nothing else.",
        left="medium",
        tables=(
            "evidence",
            "tallies",
            "skill_windows",
            "strand_tracks",
            "child_histories",
            "group_members",
            "restrictions",
        ),
        tests=(
            "tests/learning/test_levels.py",
            "tests/learning/test_alerts.py",
            "tests/services/test_objections.py",
        ),
    ),
    Risk(
        what="Data is kept although it is no longer needed, or comes back from a backup.",
        chance="possible",
        harm="serious",
        measures=(
            "Everything has a period, after which the server deletes it by itself.",
            "Removing a child deletes its record at once.",
            "A list beside the key keeps what was removed from coming back with a backup.",
        ),
        school="Delete backups after 35 days, and remove children who leave.",
        left="low",
        tables=(
            "children",
            "players",
            "moves",
            "child_rounds",
            "evidence",
            "sessions",
            "adults",
            "year_moves",
        ),
        tests=(
            "tests/services/test_retention.py",
            "tests/services/test_removals.py",
            "tests/services/test_restored.py",
        ),
    ),
    Risk(
        what="The server or a backup is stolen.",
        chance="remote",
        harm="serious",
        measures=(
            "Passwords are argon2id hashes, codes are hashes, sign-in pictures are not stored.",
            "No e-mail address, telephone number, surname, birth date or photo is asked for.",
        ),
        school="Encrypt the disk, lock the room, and keep backups and the key apart.",
        left="medium",
        tables=("adults", "children", "family_codes", "sessions"),
        tests=("tests/services/test_passwords.py", "tests/test_privacy.py"),
    ),
    Risk(
        what="Somebody on the school's network listens to what is sent.",
        chance="possible",
        harm="serious",
        measures=(
            "The server can speak https by itself, and says on its pages when it does not.",
            "Sessions can be ended at once.",
        ),
        school="Set up https before more than one machine is used (docs/https.md).",
        left="low",
        tables=("sessions", "adults"),
        tests=("tests/web/test_security.py", "tests/web/test_connection.py"),
    ),
    Risk(
        what="An adult of the school looks at a child's data without need.",
        chance="possible",
        harm="slight",
        measures=(
            "Teachers see their own classes only.",
            "Each look and each change is on record for 12 months, sealed against changes.",
        ),
        school="Say who may look at what, and look at the record now and then.",
        left="low",
        tables=("audit", "children", "evidence"),
        tests=("tests/services/test_audit.py", "tests/web/test_on_record.py"),
    ),
    Risk(
        what="A child is drawn into playing more than is good for it.",
        chance="possible",
        harm="slight",
        measures=(
            "No streaks, rankings, advertisements or rewards for coming back.",
            "Adults can limit the minutes per day, and the limit ends between two turns.",
        ),
        school="Decide how long a class plays.",
        left="low",
        tables=("child_settings", "child_rules", "child_rounds", "help_taken"),
        tests=("tests/services/test_lessons.py", "tests/web/test_family.py"),
    ),
    Risk(
        what="Data is lost, so that a teacher's picture of a child is wrong.",
        chance="remote",
        harm="slight",
        measures=(
            "A move counts only when it is on the disk.",
            "The database is copied before each upgrade and checked while it runs.",
        ),
        school="Make a backup each week and try one out each term (README.md).",
        left="low",
        tables=("moves", "rounds", "evidence", "players"),
        tests=("tests/services/test_health.py", "tests/services/test_upkeep.py"),
    ),
)
