"""How fast a table tells what happens: an adult's choice, or what suits the child's age."""

from __future__ import annotations

from typing import Final

PACES: Final = ("calm", "usual", "quick")
BY_AGE: Final = "age"  # what adults choose to have the age decide
_OF_AGE: Final = {"4-5": "calm", "5-6": "calm", "6-7": "usual", "7-9": "quick"}


def pace_for(choice: str, age_band: str) -> str:
    """The pace for a child of this age; one of PACES."""
    return _OF_AGE[age_band] if choice == BY_AGE else choice
