"""The facts about one school that its papers state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the settings say about a school. `contact`: whom to ask about privacy, "" if the
    settings name no one. `https`: whether this server speaks https itself. `database`: "SQLite" or
    "PostgreSQL"."""

    school: str = "the school"
    contact: str = ""
    https: bool = False
    database: str = "SQLite"

    @property
    def whom(self) -> str:
        """The person or office that answers questions."""
        return self.contact or self.school


ANY_SCHOOL = Facts()
"""The facts for the papers that come with the program."""
