"""The standard of a skill, in the system that a class has chosen."""

from __future__ import annotations

from typing import Final

from classroom.learning.skills import Skill
from classroom.services.reports.standards import System
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

SYSTEM_NAMES: Final[dict[System, tuple[str, str]]] = {
    "common_core": (N_("Common Core"), N_("United States: codes such as K.CC.B.5")),
    "england": (N_("England"), N_("Early years, years 1 and 2")),
}


def standard(skill: Skill, system: System) -> str:
    """The one standard of a skill, or words that remembering has none."""
    if skill.strand == "recall":
        return _("memory, no maths standard")
    return (skill.common_core if system == "common_core" else skill.england) or ""
