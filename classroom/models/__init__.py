"""The tables of the database. They know nothing about the rules of games."""

from classroom.database import Base
from classroom.models.audit_rows import AuditEntry
from classroom.models.evidence_rows import (
    ChildRound,
    EvidenceRow,
    HelpTaken,
    Recount,
    SkillWindow,
    StrandTrack,
    TallyRow,
)
from classroom.models.game_rows import OwnGame
from classroom.models.gathering_rows import Gathering, Place
from classroom.models.match_rows import Match, Move, Player, Round
from classroom.models.people_rows import (
    Adult,
    Child,
    FamilyCode,
    FamilyLink,
    Invitation,
    PasswordReset,
    Restriction,
    SecondFactor,
)
from classroom.models.plan_rows import ChildGroup, GroupMember, PlannedSeat, PlannedTable
from classroom.models.question_rows import ChildHistory, QuestionRow
from classroom.models.school_rows import (
    ClassTeacher,
    DoorKnock,
    Installation,
    KnownDevice,
    School,
    SchoolClass,
    Session,
    WrongTry,
)
from classroom.models.setting_rows import (
    ChoicesRow,
    ClassSettings,
    PlaySettings,
)
from classroom.models.year_rows import YearChange, YearMove

__all__ = [
    "Adult",
    "AuditEntry",
    "Child",
    "ChildGroup",
    "ChildHistory",
    "ChildRound",
    "ChoicesRow",
    "ClassSettings",
    "ClassTeacher",
    "DoorKnock",
    "EvidenceRow",
    "FamilyCode",
    "FamilyLink",
    "Gathering",
    "GroupMember",
    "HelpTaken",
    "Installation",
    "Invitation",
    "KnownDevice",
    "Match",
    "Move",
    "OwnGame",
    "PasswordReset",
    "Place",
    "PlannedSeat",
    "PlannedTable",
    "PlaySettings",
    "Player",
    "QuestionRow",
    "Recount",
    "Restriction",
    "Round",
    "School",
    "SchoolClass",
    "SecondFactor",
    "Session",
    "SkillWindow",
    "StrandTrack",
    "TallyRow",
    "WrongTry",
    "YearChange",
    "YearMove",
]

# An id is never reused, not even on SQLite after its row was deleted: a new child must not get
# the pictures of one who has left, and ids in the audit log must keep their meaning.
for _table in Base.metadata.tables.values():
    if "id" in _table.c:
        _table.dialect_options["sqlite"]["autoincrement"] = True
