"""No page of an adult asks the database more often for a larger class."""

from __future__ import annotations

import secrets
from typing import Final

import pytest
from sqlalchemy import select, update

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.models import (
    Child,
    ChoicesRow,
    FamilyLink,
    Gathering,
    GroupMember,
    Round,
    SchoolClass,
)
from classroom.services.access import sessions
from classroom.services.base import clock, names
from classroom.services.base.rows import settings_to_change
from classroom.services.lesson import lessons, own_games, seating
from classroom.services.school import family_links, objections
from classroom.services.school.objections import REASONS
from classroom.services.table import choices, evidence_log, matches, offers
from tests import sample
from tests.learning.rows import rows
from tests.services.test_evidence_log import mixture
from tests.statements import sent_to
from tests.web.routes import addresses, is_own, rules
from tests.world import Visitor, World

SMALL, LARGE = 6, 24
READERS: Final = {"lake": "teacher", "admin": "admin", "reed": "parent"}
OWNS: Final = ("taught_class", "taught_child", "taught_group", "linked_child", "class_of_school")


def grown(world: World, size: int) -> None:
    """Fill the class up to this many children with all that a school year and a lesson bring: the
    time of some is up, some are away or have raised a hand, about some nothing is worked out, some
    have choices, parents and a group; half sit at tables, half wait at others."""
    class_id, parent = world.classes["sunfish"], world.adults["rush"]
    there = list(db.session.scalars(select(Child.id).where(Child.class_id == class_id)))
    looks = list(names.all_faces())
    for number in range(len(there), size):
        with write_unit():
            animal, pad = looks[number]
            name = f"Kid {chr(65 + number)}"
            child = Child(class_id=class_id, name=name, animal=animal, pad=pad, age_band="6-7")
            child.created_at = clock.now()
            db.session.add(child)
            db.session.flush()
            there.append(child.id)
            sessions.start(secrets.token_hex(16), class_id=class_id, child_id=child.id)
            evidence_log.append(child.id, mixture(number, 30))
            limit = ChoicesRow(child_id=child.id, whose="family", minutes_a_day=1 + number % 9)
            db.session.add(limit)
            db.session.add(FamilyLink(adult_id=parent, child_id=child.id, created_at=clock.now()))
            group = next(iter(world.groups.values()))
            db.session.add(GroupMember(child_id=child.id, group_id=group))
            evidence_log.append(child.id, rows(3, 5, round_id=None))
        choices.write(world.adults["lake"], "child", child.id, {"hints": bool(number % 2)})
        family_links.add_code(child.id)
        if number % 6 == 5:
            objections.begin(child.id, "family", next(iter(REASONS["family"])))
        elif number % 2:
            matches.start_match(child.id)
            evidence_log.count_new(child.id)
    waiting = there[2::2]
    with write_unit():
        seating.clear_all(class_id)
        for one, other in zip(waiting[::2], waiting[1::2], strict=False):
            seating.set_up(class_id, "classic", 2, [one, other], world.adults["lake"])
        db.session.execute(update(Round).where(Round.id > 5).values(away=[0], changes=1))
    tables = [lessons.TablePlan(game="classic", children=(one,)) for one in waiting[:12]]
    lessons.save_plan(class_id, tables)
    for number in range(len(offers.own_games(class_id)), 3):
        own_games.save(class_id, "classic", f"Own {number}", GAMES["classic"].rules, "both", None)


def counted(world: World, visitor: Visitor, path: str) -> int:
    """How many statements the page takes when it is opened once more."""
    visitor.get(path)
    with world.app.app_context():
        engine = db.engine
    with sent_to(engine) as sent:
        status = visitor.get(path).status_code
    assert status in (200, 303, 409), path
    return len(sent)


@pytest.fixture
def pages(world: World, whole: bool) -> dict[tuple[str, str], Visitor]:
    """Each page that says something of the class or of one of its children, with its reader."""
    found = {}
    with world.app.app_context():
        with write_unit():
            settings_to_change(None, world.classes["sunfish"]).minutes_a_day = 20
            db.session.get_one(SchoolClass, world.classes["sunfish"]).opened_until = clock.now() * 2
        grown(world, SMALL)
    for who in READERS:
        visitor = world.visitor(who)
        for rule in sample.part(rules(world.app), 6, whole):
            for one in addresses(world, rule) if "GET" in (rule.methods or ()) else ():
                mine = one.thing == "" or any(is_own(owns, who, one.thing) for owns in OWNS)
                if mine and visitor.get(one.path).status_code in (200, 409):
                    found[who, one.path] = visitor
    return found


def test_no_page_asks_more_often_for_a_larger_class(
    world: World, pages: dict[tuple[str, str], Visitor], whole: bool
) -> None:
    assert len(pages) > (80 if whole else 12)
    few = {key: counted(world, visitor, key[1]) for key, visitor in pages.items()}
    with world.app.app_context():
        grown(world, LARGE)
        assert db.session.scalar(select(Gathering.id).limit(1))
    many = {key: counted(world, visitor, key[1]) for key, visitor in pages.items()}
    more = {key: (few[key], many[key]) for key in pages if many[key] > few[key]}
    assert more == {}
