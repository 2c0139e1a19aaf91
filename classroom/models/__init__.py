"""Tables and queries. Knows nothing of rules."""

from classroom.database import Base
from classroom.models.audit import AuditEntry
from classroom.models.games import OwnGame
from classroom.models.gatherings import Gathering, Place
from classroom.models.learning import (
    ChildRound,
    EvidenceRow,
    HelpTaken,
    SkillWindow,
    TallyRow,
)
from classroom.models.matches import Match, Move, Player, Round
from classroom.models.people import Adult, Child, FamilyCode, FamilyLink
from classroom.models.questions import ChildHistory, QuestionRow
from classroom.models.schools import (
    ClassTeacher,
    DoorKnock,
    KnownDevice,
    School,
    SchoolClass,
    Session,
    WrongTry,
)
from classroom.models.settings import ChildSettings, ClassSettings

__all__ = [
    "Adult",
    "AuditEntry",
    "Child",
    "ChildHistory",
    "ChildRound",
    "ChildSettings",
    "ClassSettings",
    "ClassTeacher",
    "DoorKnock",
    "EvidenceRow",
    "FamilyCode",
    "FamilyLink",
    "Gathering",
    "HelpTaken",
    "KnownDevice",
    "Match",
    "Move",
    "OwnGame",
    "Place",
    "Player",
    "QuestionRow",
    "Round",
    "School",
    "SchoolClass",
    "Session",
    "SkillWindow",
    "TallyRow",
    "WrongTry",
]

# An id is never used twice, not even on SQLite after its row was deleted: a new child must not get
# the pictures of one who left, and the audit log must go on meaning what it meant.
for _table in Base.metadata.tables.values():
    if "id" in _table.c:
        _table.dialect_options["sqlite"]["autoincrement"] = True
