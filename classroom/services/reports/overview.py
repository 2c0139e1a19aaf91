"""The pages for adults about a class, a child and a round.

Figures about play come from queries on ChildRound and EvidenceRow. No list replays rounds, and the
number of queries does not grow with the number of children or rounds. `looked` records in the audit
log, once per sitting, that an adult has read a child's data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from sqlalchemy import exists, func, select

from classroom.database import db, write_unit
from classroom.learning.skills import IN_PLAY
from classroom.models import (
    AuditEntry,
    Child,
    ChildRound,
    ClassTeacher,
    EvidenceRow,
    FamilyLink,
    Match,
    Move,
    Player,
    Round,
    SchoolClass,
)
from classroom.services.base import audit, budgets, clock, names, security_log
from classroom.services.base.errors import NotFound
from classroom.services.base.names import ShownChild, ShownClass
from classroom.services.base.rows import count_rows, existing, is_there
from classroom.services.reports import figures, looks
from classroom.services.reports.figures import (
    ChildLine,
    ChildPage,
    ClassLine,
    ClassPage,
    RoundLine,
    RoundPage,
    SureAsk,
    Totals,
    total,
)
from classroom.services.table.choices import in_class_numbers
from classroom.services.table.evidence_log import RESTRICTED
from classroom.services.table.matches import MOMENT
from classroom.services.table.rounds import EARLIER_RULES
from classroom.services.table.stand_ins import STAND_IN

WEEK: Final = 7  # days, including today
WEEKS: Final = 3  # weeks for which a class page shows the days on which each child played
PAGE: Final = 20  # rounds on a page
LESSONS: Final = 5  # days with lessons for which a class page says which children were present
DAYS: Final = 21  # days of play listed on a child's page
SITTING_SECONDS: Final = 900  # seconds in which further looks at the same thing are not recorded
LAST_ID: Final = 2**31 - 1


# ---- recording looks


def looked(adult_id: int, thing: str, thing_id: int, action: str = "read") -> None:
    """Record, once per sitting, that an adult looked at a child's data. Reloading the page or
    stepping through the round is not recorded again."""
    if not opened(adult_id, thing, thing_id, action):
        with write_unit():
            audit.record(adult_id, action, thing, thing_id)
            if action in security_log.EVENTS:
                security_log.note(action, **{f"{thing}_id": thing_id})


def opened(adult_id: int, thing: str, thing_id: int, action: str) -> bool:
    """Whether the audit log already has a row for this adult, action and thing in this sitting."""
    lately = AuditEntry.at > clock.now() - SITTING_SECONDS
    this = {"adult_id": adult_id, "action": action, "thing": thing, "thing_id": thing_id}
    return is_there(select(AuditEntry.id).where(lately).filter_by(**this))


# ---- classes


def classes_of(adult_id: int) -> tuple[ClassLine, ...]:
    """The classes that an adult teaches, sorted by name, without archived classes."""
    count = select(func.count(Child.id)).where(Child.class_id == SchoolClass.id).scalar_subquery()
    today = ChildRound.day == clock.day(), in_class_numbers(ChildRound)
    dealt = select(func.count(ChildRound.id)).join(Child, Child.id == ChildRound.child_id)
    played = dealt.where(Child.class_id == SchoolClass.id, *today).scalar_subquery()
    rows = db.session.execute(
        select(SchoolClass.id, SchoolClass.name, count, SchoolClass.opened_until, played)
        .join(ClassTeacher, ClassTeacher.class_id == SchoolClass.id)
        .where(ClassTeacher.adult_id == adult_id, SchoolClass.archived_at.is_(None))
    )
    return tuple(
        ClassLine(class_id, name, children, _open(until), rounds)
        for class_id, name, children, until, rounds in names.by_name(rows)
    )


def class_page(class_id: int) -> ClassPage:
    """The class and its children, sorted by name, with the days on which they played."""
    school_class = existing(SchoolClass, class_id)
    today = clock.day()
    children_here = select(Child.id).where(Child.class_id == class_id)
    mine = ChildRound.child_id.in_(children_here) & in_class_numbers(ChildRound)
    days = figures.days_of(mine, ChildRound.day > today - WEEKS * WEEK)
    latest = select(ChildRound.child_id, func.max(ChildRound.day)).where(mine)
    last = dict(db.session.execute(latest.group_by(ChildRound.child_id)).all())
    return ClassPage(
        class_id=class_id,
        name=school_class.name,
        code=school_class.code,
        code_kept=school_class.code_kept,
        opened_until=_open(school_class.opened_until),
        archived=school_class.archived_at is not None,
        new_devices_off=budgets.new_devices_off(class_id),
        day=today,
        children=tuple(
            ChildLine(
                *names.face(child),
                age_band=child.age_band,
                days=frozenset(days[child.id]),
                last_day=last.get(child.id),
            )
            for child in names.children_of(class_id)
        ),
    )


def who_was_here(page: ClassPage) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """The last LESSONS days with lessons in the last three weeks, newest first, each with the
    number of children present and the names of absent children. A child who was dealt cards in this
    class at school that day was present. Children who joined the class later are not absent."""
    children = [child.child_id for child in page.children]
    in_class = exists().where(
        Round.id == ChildRound.round_id, Match.id == Round.match_id, Match.class_id == page.class_id
    )
    at_school = ChildRound.child_id.in_(children) & ChildRound.at_home.is_(False) & in_class
    days = figures.days_of(at_school, ChildRound.day > page.day - WEEKS * WEEK)
    came = looks.came_at(children)
    found = []
    for day in sorted(set().union(*days.values()), reverse=True)[:LESSONS]:
        others = [child for child in page.children if day not in days[child.child_id]]
        absent = (one.name for one in others if clock.day(came[one.child_id]) <= day)
        found.append((day, len(children) - len(others), tuple(absent)))
    return tuple(found)


def _open(until: float | None) -> float | None:
    return until if until is not None and until > clock.now() else None


# ---- children


def class_of(child_id: int) -> int:
    """The id of a child's class. Raises NotFound."""
    return existing(Child, child_id).class_id


def class_name(class_id: int) -> str:
    return existing(SchoolClass, class_id).name


def week_of(child_id: int) -> Totals:
    """A child's totals for the last seven days."""
    mine = (ChildRound.child_id == child_id, ChildRound.day > clock.day() - WEEK)
    return total(figures.play_days_of(*mine, in_class_numbers(ChildRound))[child_id])


def ever_of(children: Collection[int]) -> dict[int, Totals]:
    """Each child's totals over all rounds that the child has played, by child."""
    days = figures.play_days_of(ChildRound.child_id.in_(children), in_class_numbers(ChildRound))
    return {child_id: total(days[child_id]) for child_id in children}


def shown_child(child_id: int) -> ShownChild:
    """A child and the child's class. Raises NotFound."""
    child = existing(Child, child_id)
    school_class = ShownClass(child.class_id, child.school_class.name)
    return ShownChild(*names.face(child), child.age_band, school_class)


def child_page(child_id: int, before: int | None = None) -> ChildPage:
    """A child and one page of rounds. `before`: only rounds older than the round with this id."""
    child = existing(Child, child_id)
    today = clock.day()
    mine = ChildRound.child_id == child_id, in_class_numbers(ChildRound)
    days = figures.play_days_of(*mine)[child_id]
    rounds = rounds_of(child_id, before)
    return ChildPage(
        *names.face(child),
        age_band=child.age_band,
        school_class=ShownClass(child.class_id, child.school_class.name),
        card=child.pictures_version,
        day=today,
        today=days.get(today, Totals()),
        week=total({day: found for day, found in days.items() if day > today - WEEK}),
        ever=total(days),
        days=tuple(days)[:DAYS],
        rounds=rounds[:PAGE],
        more=rounds[PAGE - 1].round_id if len(rounds) > PAGE else None,
        parents=count_rows(select(FamilyLink.adult_id).where(FamilyLink.child_id == child_id)),
        home=figures.at_home(child_id),
    )


def rounds_of(child_id: int, before: int | None = None) -> tuple[RoundLine, ...]:
    """One page of the child's rounds, newest first, and one more round if there are older ones."""
    mine = ChildRound.child_id == child_id, ChildRound.round_id < (before or LAST_ID)
    wanted = select(ChildRound, Round, Match).join(Round, Round.id == ChildRound.round_id)
    wanted = wanted.join(Match, Match.id == Round.match_id).where(*mine)
    newest_first = wanted.order_by(ChildRound.round_id.desc()).limit(PAGE + 1)
    rows = db.session.execute(newest_first).all()
    tables: dict[int, list[Player]] = defaultdict(list)
    sat = select(Player).where(Player.match_id.in_({played.match_id for _, played, _ in rows}))
    for player in db.session.scalars(sat.order_by(Player.seat)):
        tables[player.match_id].append(player)
    return tuple(
        RoundLine(
            round_id=row.round_id,
            game=match.game if match.rules.get("end.tide") is None else "low_tide",
            started_at=played.started_at,
            opponents=tuple(p for p in tables[played.match_id] if p.seat != row.seat),
            asks=row.asks,
            catches=row.catches,
            books=row.books,
            help=row.hints + row.peeks,
            minutes=max(1, round(row.seconds / 60)),
            over=row.over,
            earlier=played.ended_by == EARLIER_RULES,
            at_home=row.at_home,
            begun=match.moment,
        )
        for row, played, match in rows
    )


# ---- one round


def stood_in(round_id: int) -> frozenset[int]:
    """The numbers of the moves that a stand-in made for a child who was away."""
    theirs = select(Move.seq).filter_by(round_id=round_id, played_by=STAND_IN)
    return frozenset(db.session.scalars(theirs))


def before_moment(round_id: int) -> int:
    """How many moves in this round were copied from before its moment; 0 if it has no moment."""
    return count_rows(select(Move.seq).filter_by(round_id=round_id, played_by=MOMENT))


def sure_asks(round_id: int) -> dict[int, SureAsk]:
    """The sure asks by move number, except by children about whom nothing may be worked out."""
    rows = db.session.execute(
        select(EvidenceRow.seq, EvidenceRow.right, EvidenceRow.aided, EvidenceRow.item).where(
            *(EvidenceRow.round_id == round_id, EvidenceRow.skill == IN_PLAY),
            EvidenceRow.item["kind"].as_string() == "certain",
            EvidenceRow.child_id.not_in(RESTRICTED),
        )
    )
    found: dict[int, SureAsk] = {}
    for seq, right, aided, item in rows:  # an ask has one row for each sure catch
        one = found.get(seq, SureAsk(False, False, ()))
        known = tuple((fact[0], fact[1], fact[2]) for fact in item["known"])
        found[seq] = SureAsk(one.taken or right, one.aided or aided, (*one.known, *known))
    return found


def round_page(round_id: int, reader_id: int) -> RoundPage:
    """A round without its cards, with the children whom the reader teaches now. `class_id`: the
    class in which the round was played or, if these children are now all in other classes, the
    present class of one of them. Raises NotFound."""
    wanted = select(Match.class_id, SchoolClass.name, Round.started_at, Match.id)
    wanted = wanted.join(Match, Match.id == Round.match_id)
    wanted = wanted.join(SchoolClass, SchoolClass.id == Match.class_id)
    found = db.session.execute(wanted.where(Round.id == round_id)).first()
    if found is None:
        raise NotFound("round")
    class_id, class_name, started_at, match_id = found
    sat = select(Player).filter_by(match_id=match_id).order_by(Player.seat)
    players = db.session.scalars(sat).all()
    rows = db.session.execute(
        select(Child.id, SchoolClass.id, SchoolClass.name)
        .join(Player, Player.child_id == Child.id)
        .join(SchoolClass, SchoolClass.id == Child.class_id)
        .join(ClassTeacher, ClassTeacher.class_id == SchoolClass.id)
        .where(Player.match_id == match_id, ClassTeacher.adult_id == reader_id)
    )
    taught = {child_id: (room, name) for child_id, room, name in rows}
    if taught and class_id not in {room for room, _ in taught.values()}:
        class_id, class_name = min(taught.values())
    return RoundPage(
        round_id=round_id,
        class_id=class_id,
        class_name=class_name,
        started_at=started_at,
        seats=len(players),
        children=tuple((p.seat, p.child_id, p.name) for p in players if p.child_id in taught),
    )
