"""The tables of the database. They do not depend on the rules of games."""

from classroom.database import Base
from classroom.models.school_rows import (
    Adult,
    AuditEntry,
    Child,
    ChildNote,
    ChoicesRow,
    ClassSettings,
    ClassTeacher,
    DoorKnock,
    FamilyCode,
    FamilyLink,
    Installation,
    Invitation,
    KnownDevice,
    PasswordReset,
    PlaySettings,
    Restriction,
    School,
    SchoolClass,
    SecondFactor,
    Session,
    VoicePack,
    VoicePiece,
    WrongTry,
    YearChange,
    YearMove,
)
from classroom.models.table_rows import (
    ChildGroup,
    ChildHistory,
    ChildRound,
    EvidenceRow,
    Gathering,
    GroupMember,
    HelpTaken,
    Match,
    Moment,
    MomentAnswer,
    Move,
    OwnGame,
    Place,
    PlannedSeat,
    PlannedTable,
    Player,
    QuestionRow,
    Recount,
    Round,
    SkillWindow,
    SmallGroup,
    StrandTrack,
)

# An id is never reused, even on SQLite after its row was deleted. A new child must not get the
# pictures of a child who has left, and ids in the audit log must keep their meaning.
for _table in Base.metadata.tables.values():
    if "id" in _table.c:
        _table.dialect_options["sqlite"]["autoincrement"] = True
