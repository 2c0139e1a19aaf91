"""What personal data is used for: each table of the register belongs to one of these activities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from classroom.privacy import REGISTER

CHILDREN: Final = "children of 4 to 9"
ADULTS: Final = "teachers, administrators and parents"
NO_ONE_ELSE: Final = "no one outside the school"


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """One use of personal data. `people`: whose data it is. `recipients`: who sees it. `tables`:
    names in the register."""

    name: str
    purpose: str
    people: str
    recipients: str
    tables: tuple[str, ...]

    def kinds_of_data(self) -> Iterator[str]:
        """Yield, for each table, what it holds and which of its columns describe a person."""
        for name in self.tables:
            table = REGISTER[name]
            about = [line.purpose for line in table.columns.values() if line.personal]
            yield table.what + (f" About a person: {'; '.join(about)}." if about else "")

    def periods(self) -> Iterator[str]:
        """Yield how long the data is kept, each period once."""
        yield from dict.fromkeys(
            line.keep for name in self.tables for line in REGISTER[name].columns.values()
        )


ACTIVITIES: Final = (
    Activity(
        name="Classes and who is in them",
        purpose="To let children sign in with pictures, and to show each class its own games.",
        people=f"{CHILDREN}; teachers",
        recipients=f"The class and its teachers see first names and animals; {NO_ONE_ELSE}.",
        tables=(
            "schools",
            "installations",
            "classes",
            "class_teachers",
            "class_settings",
            "own_games",
            "children",
            "choices",
            "year_changes",
            "year_moves",
            "child_groups",
            "group_members",
            "planned_tables",
            "planned_seats",
            "gatherings",
            "places",
        ),
    ),
    Activity(
        name="Playing",
        purpose="To run the card games, and to go on after an interruption.",
        people=CHILDREN,
        recipients=f"The children at the table see the play; {NO_ONE_ELSE}.",
        tables=("matches", "players", "rounds", "moves", "child_rounds", "questions", "help_taken"),
    ),
    Activity(
        name="What a child practises and can do",
        purpose="To choose questions that are neither too easy nor too hard, and to show the "
        "child's teachers and parents how counting and remembering are going. This is profiling.",
        people=CHILDREN,
        recipients=f"The child's teachers and linked parents; {NO_ONE_ELSE}.",
        tables=(
            "evidence",
            "child_histories",
            "tallies",
            "skill_windows",
            "strand_tracks",
            "recounts",
            "restrictions",
        ),
    ),
    Activity(
        name="Accounts of adults",
        purpose="To let teachers, administrators and parents sign in.",
        people=ADULTS,
        recipients=f"Colleagues see the names of a class's teachers, teachers the names of parents "
        f"who are linked to their children; {NO_ONE_ELSE}.",
        tables=(
            "adults",
            "second_factors",
            "invitations",
            "password_resets",
            "family_codes",
            "family_links",
        ),
    ),
    Activity(
        name="Keeping accounts and records safe",
        purpose="To keep people signed in, to slow down guessing, and to be able to find out who "
        "looked at a child's data.",
        people=f"{CHILDREN}; {ADULTS}",
        recipients=f"The people who run the server; {NO_ONE_ELSE}.",
        tables=("sessions", "known_devices", "door_knocks", "wrong_tries", "audit"),
    ),
)
