"""A child's settings as the school, teachers and family chose them, and whose choice applies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, cast

from sqlalchemy import ColumnElement, bindparam, exists, or_, select, update

from classroom.database import db, run, write_unit
from classroom.games.variants import DECKS
from classroom.minds.board import SUPPORTS
from classroom.minds.playing.forgetting import LIKE_ME
from classroom.models import (
    Adult,
    Child,
    ChildGroup,
    ChoicesRow,
    ClassSettings,
    GroupMember,
    Match,
    PlaySettings,
    Restriction,
    Round,
    School,
    SchoolClass,
)
from classroom.services.base import audit, clock, notices
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import check_version, existing, held, settings_to_change

# ---- Deciding whose choice applies to a child, among the choices at several levels
#
# A teacher's choice comes first: the one for the child, else for the group, else for the class. The
# family can choose what teachers left open. If nobody chose, the school's usual choice applies. At
# home the family's choice comes first.

Whose = Literal["child", "group", "class", "family", "school"]

IN_LESSONS: Final[tuple[Whose, ...]] = ("child", "group", "class", "family", "school")
"""The levels, the strongest first. "child", "group" and "class" are a teacher's choices."""
AT_HOME: Final[tuple[Whose, ...]] = ("family", "child", "group", "class", "school")
TEACHERS: Final[frozenset[Whose]] = frozenset({"child", "group", "class"})
THINGS: Final = tuple(one.name for one in fields(PlaySettings))
QUESTIONS: Final = "questions"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceLevel:
    """The choices at one level. `made`: the choices that are not left open, by column of the table
    `choices`. `by`, `at`: the adult who last changed the play settings, and when, if known.
    `asked_by`, `asked_at`: the same for the question settings. `name`: the group's name. `row_id`:
    0 if nothing is stored yet."""

    whose: Whose
    made: Mapping[str, Any]
    by: int | None = None
    at: float | None = None
    asked_by: int | None = None
    asked_at: float | None = None
    name: str = ""
    row_id: int = 0


def ruling(
    levels: Iterable[ChoiceLevel], thing: str, order: tuple[Whose, ...] = IN_LESSONS
) -> ChoiceLevel | None:
    """The level whose choice for this setting applies; None if nobody chose."""
    chose = [level for level in levels if thing in level.made]
    return min(chose, key=lambda level: order.index(level.whose), default=None)


def play(levels: Iterable[ChoiceLevel], *, at_home: bool = False) -> PlaySettings:
    """The child's play settings: for each setting, the choice that applies, else the default."""
    known, order = tuple(levels), AT_HOME if at_home else IN_LESSONS
    found = {thing: ruling(known, thing, order) for thing in THINGS}
    return PlaySettings(**{thing: level.made[thing] for thing, level in found.items() if level})


def fixed(levels: Iterable[ChoiceLevel], *, at_home: bool = False) -> frozenset[str]:
    """The settings that a teacher decided and the family cannot change. At home none is fixed."""
    rules = {thing: ruling(levels, thing) for thing in THINGS} if not at_home else {}
    return frozenset(thing for thing, level in rules.items() if level and level.whose in TEACHERS)


def minutes(*limits: int | None) -> int | None:
    """The daily limit that applies, in minutes: the smallest; None if nobody set a limit."""
    return min((limit for limit in limits if limit is not None), default=None)


# ---- Choices that adults leave to the child's age: the number of friends, the deck and the pace
#
# Waiting is hardest for the youngest children, and each additional friend adds a turn to the wait.

PACES: Final = ("calm", "usual", "quick")
BY_AGE: Final[Mapping[str, Any]] = {"opponents": 0, "deck": "age", "pace": "age"}
"""For each of these settings, the choice that leaves it to the child's age."""
_SUITS: Final[Mapping[str, Mapping[str, Any]]] = {
    "4-5": {"opponents": 1, "deck": "five", "pace": "calm"},
    "5-6": {"opponents": 1, "deck": "small", "pace": "calm"},
    "6-7": {"opponents": 2, "deck": "short", "pace": "usual"},
    "7-9": {"opponents": 2, "deck": "short", "pace": "quick"},
}


def for_age(settings: PlaySettings, age_band: str) -> PlaySettings:
    """The settings, with this age's values for those that were left to the child's age."""
    left = {thing for thing, by_age in BY_AGE.items() if getattr(settings, thing) == by_age}
    return replace(settings, **{thing: _SUITS[age_band][thing] for thing in left})


# ---- Reading and writing the choices of all levels

Picks = Mapping[str, Any]  # choices by column of ChoicesRow; None leaves a choice open

OPPONENTS: Final = (1, 2, 3)
LEVELS: Final = ("minnow", "perch", "pike", LIKE_ME)  # the levels that adults can choose
SWITCHES: Final = ("off", "slow", "usual", "quick")
MINUTES: Final = (10, 20, 30, 45)  # the daily limits, in minutes, that parents can choose
OFFERED: Final[Mapping[str, tuple[Any, ...]]] = {
    "opponents": (BY_AGE["opponents"], *OPPONENTS),
    "level": LEVELS,
    "deck": (BY_AGE["deck"], *DECKS),
    "board": tuple(SUPPORTS),
    "hints": (True, False),
    "pace": (BY_AGE["pace"], *PACES),
    "voice": (True, False),
    "lit": (True, False),
    "switch": SWITCHES,
    "minutes_a_day": MINUTES,
}
_MADE: Final = (
    *THINGS,
    *(QUESTIONS, "question_skills", "number_low", "number_high", "focus", "minutes_a_day"),
)
_OWNERS: Final[Mapping[Whose, tuple[Any, str]]] = {  # each level's model and the column of its id
    "school": (School, "school_id"),
    "class": (SchoolClass, "class_id"),
    "group": (ChildGroup, "group_id"),
    "child": (Child, "child_id"),
    "family": (Child, "child_id"),
}
# The queries are built once, without the ORM, because the child's query runs on every tap.
_schools, _classes = School.__table__.c, SchoolClass.__table__.c
_children, _groups = Child.__table__.c, ChildGroup.__table__.c
_members, _restrictions = GroupMember.__table__.c, Restriction.__table__.c
_rows = ChoicesRow.__table__.c
_LEVEL: Final = (
    *(_rows.id.label("row_id"), _rows.whose),
    *(_rows.play_by, _rows.play_at, _rows.questions_by, _rows.questions_at),
    *(_rows[name] for name in _MADE),
)
_AT_HOME: Final = (_classes.home_on & _classes.archived_at.is_(None)).label("at_home")
_IN_CLASS: Final = (_rows.school_id == _classes.school_id) | (_rows.class_id == _classes.id)
_IN_GROUP: Final = _IN_CLASS | (_rows.group_id == _groups.id)
_OF_CHILD: Final = (
    select(
        *(_children.age_band, _groups.name.label("group"), _classes.id.label("class_id"), _AT_HOME),
        exists().where(_restrictions.child_id == _children.id).label("restricted"),
        *_LEVEL,
    )
    .select_from(Child.__table__)
    .join(SchoolClass.__table__, _classes.id == _children.class_id)
    .outerjoin(GroupMember.__table__, _members.child_id == _children.id)
    .outerjoin(
        ChildGroup.__table__,
        (_groups.id == _members.group_id) & (_groups.class_id == _children.class_id),
    )
    .outerjoin(ChoicesRow.__table__, _IN_GROUP | (_rows.child_id == _children.id))
    .where(_children.id == bindparam("of"))
)
_READ: Final[Mapping[Whose, Any]] = {
    "child": _OF_CHILD,
    "family": _OF_CHILD,
    "group": select(_groups.name.label("group"), _classes.id.label("class_id"), *_LEVEL)
    .select_from(ChildGroup.__table__)
    .join(SchoolClass.__table__, _classes.id == _groups.class_id)
    .outerjoin(ChoicesRow.__table__, _IN_GROUP)
    .where(_groups.id == bindparam("of")),
    "class": select(_classes.id.label("class_id"), *_LEVEL)
    .select_from(SchoolClass.__table__)
    .outerjoin(ChoicesRow.__table__, _IN_CLASS)
    .where(_classes.id == bindparam("of")),
    "school": select(_schools.id, *_LEVEL)
    .outerjoin(ChoicesRow.__table__, _rows.school_id == _schools.id)
    .where(_schools.id == bindparam("of")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The choices for a child, a group, a class or the school, at all levels. `class_id`: the
    class, 0 for the school. `group`: the group's name, "" if there is none. `at_home`: the class
    allows play at home. `restricted`: the child must not be assessed."""

    made: tuple[ChoiceLevel, ...]
    class_id: int = 0
    age_band: str = ""
    group: str = ""
    at_home: bool = False
    restricted: bool = False

    def of(self, whose: Whose) -> ChoiceLevel:
        found = (level for level in self.made if level.whose == whose)
        return next(found, ChoiceLevel(whose=whose, made={}))


@dataclass(frozen=True, slots=True)
class ToldChoice:
    """The settings decided at one level, for a page. `made`: their values; `who`: the name of the
    adult who chose, "" if not known; `at`: when, None if not known; `name`: the group's name, ""
    for other levels. `whose` is None for settings that nobody chose, which keep their defaults."""

    whose: Whose | None
    made: Mapping[str, Any]
    who: str = ""
    at: float | None = None
    name: str = ""


# ---- reading


def read(whose: Whose, whose_id: int) -> Levels:
    """Read all levels of this school, class, group or child in one query. Raises NotFound."""
    rows = run(_READ[whose], {"of": whose_id}).mappings().all()
    if not rows:
        raise NotFound(whose)
    facts = rows[0]
    group = facts.get("group") or ""
    return Levels(
        made=tuple(_level(row, group) for row in rows if row["whose"]),
        class_id=facts.get("class_id", 0),
        age_band=facts.get("age_band", ""),
        group=group,
        at_home=bool(facts.get("at_home")),
        restricted=bool(facts.get("restricted")),
    )


def of_child(child_id: int) -> Levels:
    """All levels of a child. Raises NotFound."""
    return read("child", child_id)


def settings_of(child_id: int, *, at_home: bool = False) -> PlaySettings:
    """This child's play settings, after `for_age`. Raises NotFound."""
    found = of_child(child_id)
    return for_age(play(found.made, at_home=at_home), found.age_band)


def by_switch(child_id: int, *, at_home: bool = False) -> bool:
    """Whether this child plays by one switch. Such a child has to wait until the light reaches the
    wanted choice, so response times say nothing. Raises NotFound."""
    return settings_of(child_id, at_home=at_home).switch != "off"


def told(levels: Levels) -> tuple[ToldChoice, ...]:
    """Describe for a page which settings each level decides, in order of precedence."""
    decides = {thing: ruling(levels.made, thing) for thing in THINGS}
    chose = (level for level in levels.made if level in decides.values())
    found = sorted(chose, key=lambda level: IN_LESSONS.index(level.whose))
    names = _names({level.by for level in found if level.whose in TEACHERS} - {None})
    said = []
    for level in found:
        made = {thing: level.made[thing] for thing in THINGS if decides[thing] is level}
        who = names.get(level.by or 0, "")
        said.append(ToldChoice(level.whose, made, who, level.at, level.name))
    usual = {thing: getattr(PlaySettings(), thing) for thing in THINGS if decides[thing] is None}
    return (*said, ToldChoice(None, usual)) if usual else tuple(said)


def ruling_questions(levels: Levels) -> ChoiceLevel | None:
    """The level whose choice of questions limits the family's choice; None if there is none."""
    others = (level for level in levels.made if level.whose != "family")
    return ruling(others, QUESTIONS)


def asked_by(level: ChoiceLevel | None) -> ToldChoice:
    """Describe for a page who chose this level's questions."""
    if level is None:
        return ToldChoice(None, {})
    who = _names({level.asked_by} - {None}).get(level.asked_by or 0, "")
    return ToldChoice(level.whose, level.made, who, level.asked_at, level.name)


# ---- choosing


def write(by: int | None, whose: Whose, whose_id: int, picks: Picks, version: str = "") -> None:
    """Store an adult's choices at one level. They apply from the next match or question on; a daily
    limit applies at once. None leaves a choice to the other levels; a family may not do this for
    play settings. Settings not in `picks` do not change. A family's choices for settings that a
    teacher has decided are ignored. Raises Refused(thing) for a value that is not on offer,
    NotFound, Changed."""
    for thing, value in picks.items():
        if value is not None and value not in OFFERED.get(thing, (value,)):
            raise Refused(thing)
    owner, column = _OWNERS[whose]
    with write_unit():
        held(owner, whose_id)
        levels = read(whose, whose_id)
        check_version(version, levels)
        values, before = dict(picks), levels.of(whose)
        if whose == "family":
            for thing in fixed(levels.made, at_home=levels.at_home):
                values.pop(thing, None)
            for thing in THINGS:  # a family cannot leave a play setting open
                if values.get(thing, thing) is None:
                    raise Refused(thing)
        kind = "questions" if QUESTIONS in values else "play"
        values |= {f"{kind}_by": by, f"{kind}_at": clock.now()}
        if before.row_id:
            db.session.execute(update(ChoicesRow).filter_by(id=before.row_id).values(values))
        else:
            db.session.add(ChoicesRow(whose=whose, **{column: whose_id}, **values))
        limit = before.made.get("minutes_a_day")
        playing: list[int] = []
        if whose == "family" and values.get("minutes_a_day", limit) != limit:
            playing = notices.changed_for([whose_id])
        if whose == "group":
            audit.record(by, "group_settings", "class", levels.class_id)
        else:
            audit.record(by, "settings", "child" if whose == "family" else whose, whose_id)
    if playing:
        notices.tables(levels.class_id, playing)


# ---- details


def _level(row: Mapping[Any, Any], group: str) -> ChoiceLevel:
    whose = cast(Whose, row["whose"])
    return ChoiceLevel(
        whose=whose,
        made={name: row[name] for name in _MADE if row[name] is not None},
        by=row["play_by"],
        at=row["play_at"],
        asked_by=row["questions_by"],
        asked_at=row["questions_at"],
        name=group if whose == "group" else "",
        row_id=row["row_id"],
    )


def _names(adults: set[Any]) -> dict[int, str]:
    named = select(Adult.id, Adult.name).where(Adult.id.in_(adults))
    return dict(db.session.execute(named).all()) if adults else {}


# ---- Play at home: when a class allows it, and whether it counts
#
# The teacher sets hours in the school's local time, and can set other hours for weekends. A round
# that was begun at home is marked, and is kept apart from rounds in lessons.

CLOCK_TIMES: Final = tuple(range(6 * 60, 21 * 60 + 1, 30))
"""The times at which a class's hours can begin or end, in minutes since midnight as in Hours."""
WEEKENDS: Final = ("same", "other", "none")  # same hours as on other days, other hours, no play
SATURDAY: Final = 5

_counting = (
    select(Child.id)
    .join(SchoolClass, SchoolClass.id == Child.class_id)
    .where(SchoolClass.home_counts)
)


@dataclass(frozen=True, slots=True)
class Hours:
    """When the children of a class may play at home. `on`: whether they may play at home at all.
    `weekend`: one of WEEKENDS, for Saturdays and Sundays."""

    on: bool = False
    first: int = 15 * 60
    last: int = 19 * 60
    weekend: str = "same"
    weekend_first: int = 10 * 60
    weekend_last: int = 19 * 60

    @property
    def today(self) -> tuple[int, int]:
        """The minutes of the day at which today's hours begin and end."""
        return self._on_day(clock.now())

    def are_now(self, late: float = 0.0) -> bool:
        """Whether the time now, or `late` seconds ago, is within these hours."""
        now = clock.now()
        return self.on and (self._hold(now) or self._hold(now - late))

    def end(self) -> float:
        """When today's hours end, in POSIX seconds."""
        now = clock.now()
        local = clock.local(now)
        gone = 60 * _minute(now) + local.second + local.microsecond / 1e6
        return now - gone + 60 * self.today[1]

    def _hold(self, at: float) -> bool:
        first, last = self._on_day(at)
        return first <= _minute(at) < last

    def _on_day(self, at: float) -> tuple[int, int]:
        if self.weekend == "same" or clock.local(at).weekday() < SATURDAY:
            return self.first, self.last
        return (self.weekend_first, self.weekend_last) if self.weekend == "other" else (0, 0)


def _minute(at: float) -> int:
    local = clock.local(at)
    return local.hour * 60 + local.minute


def hours_of(room: Any) -> Hours:
    """The hours of a class, from a row with its columns; off while the class is archived."""
    return Hours(
        room.home_on and room.archived_at is None,
        *(room.home_from, room.home_until, room.home_weekend),
        *(room.home_weekend_from, room.home_weekend_until),
    )


def hours_for(child_id: int) -> Hours:
    """When this child may play at home. Raises NotFound."""
    return hours_of(existing(Child, child_id).school_class)


def is_at_home(round_id: int) -> bool:
    """Whether this round is played at home."""
    found = select(Match.at_home).join(Round, Round.match_id == Match.id)
    return bool(db.session.scalar(found.where(Round.id == round_id)))


def in_class_numbers(columns: Any) -> ColumnElement[bool]:
    """The SQL condition for rows that count in a class's numbers. `columns`: the columns of a table
    that has `child_id` and `at_home`."""
    return or_(columns.at_home.is_(False), columns.child_id.in_(_counting))


def counts_at_home(child_id: int) -> bool:
    """Whether this child's evidence from home counts in the class's numbers."""
    return db.session.scalar(_counting.where(Child.id == child_id)) is not None


# ---- How often the voice asks children how they knew, after their own catches and books
#
# Explaining how you found something out helps you to remember it. The child can tell a neighbour or
# nobody: the program does not wait for an answer, and records nothing.

Often = Literal["never", "now", "often"]

EVERY: Final[dict[Often, int]] = {"never": 0, "now": 4, "often": 2}
"""For each choice, the voice asks at one in this many suitable moments; 0 means never."""
OFTEN: Final[tuple[Often, ...]] = tuple(EVERY)
USUAL_TALK: Final[Often] = "now"  # the default until the teacher chooses


def talk_of_class(class_id: int) -> Often:
    """How often the voice asks the children in this class how they knew."""
    row = db.session.get(ClassSettings, class_id)
    return known_often(row.talk if row else None)


def known_often(key: str | None) -> Often:
    """The stored choice, or the default if there is none or this version does not know it."""
    return next((one for one in OFTEN if one == key), USUAL_TALK)


def choose_talk(class_id: int, often: str, by: int | None = None, version: str = "") -> None:
    """Set how often the voice asks in this class. Raises Refused("talk"), NotFound, Changed."""
    if often not in OFTEN:
        raise Refused("talk")
    with write_unit():
        row = settings_to_change(by, class_id)
        check_version(version, talk_of_class(class_id))
        row.talk = often
        audit.record(by, "settings", "class", class_id)
