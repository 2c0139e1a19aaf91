"""Each service that is told which adult acts writes one row of the audit log: what was done, to
whom, by whom. The expected rows are written by hand here, separately from the services."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyotp
import pytest
from sqlalchemy import delete, func, select

from classroom import services
from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ClassTeacher,
    DoorKnock,
    FamilyCode,
    FamilyLink,
    SchoolClass,
)
from classroom.services.access import (
    accounts,
    invitations,
    knocks,
    second_factors,
    sessions,
    sign_in,
)
from classroom.services.access.sessions import Who
from classroom.services.base import audit, budgets, clock, limits, rows
from classroom.services.base.clock import SchoolPlace
from classroom.services.base.errors import NotFound, Refused
from classroom.services.base.rows import existing
from classroom.services.lesson import lessons, moments, own_games, seating
from classroom.services.lesson.lessons import HomePlay, Times
from classroom.services.quiz import question_settings
from classroom.services.reports import looks, overview, skill_reports
from classroom.services.school import (
    child_moves,
    child_notes,
    class_life,
    class_lists,
    classes,
    family_links,
    objections,
    people,
    removals,
    school_year,
    undoing,
    voice_packs,
    year_plan,
)
from classroom.services.school.lists.tabular import ListedChild
from classroom.services.school.year_plan import Wishes, YearWish
from classroom.services.table import choices
from classroom.services.table.choices import Hours, Whose
from tests.conftest import finish, make_app
from tests.listed import add_list
from tests.randomness import drawn_from
from tests.world import PASSWORD, World

THE_ADULT = {
    "by",
    "adult_id",
    "teacher_id",
}  # parameters that name the acting adult
RULES = GAMES["classic"].rules
NIA = ListedChild(1, "Nia", band="4-5")
RARELY = question_settings.QuestionChoice("rarely")
NOTHING = question_settings.QuestionChoice("rarely", frozenset())


def _two(class_id: int) -> list[int]:
    """Two children of a class."""
    return list(db.session.scalars(select(Child.id).where(Child.class_id == class_id).limit(2)))


def _code(scene: Scene) -> int:
    return db.session.scalars(select(FamilyCode)).one().id


def _two_links(scene: Scene) -> int:
    """Link the parent to this child too. Returns the child's id."""
    with write_unit():
        ids = {"adult_id": scene.parent, "child_id": scene.child}
        db.session.add(FamilyLink(**ids, created_at=clock.now()))
    return scene.child


def _no_links(scene: Scene) -> int:
    """Take the parent's links away. Returns the parent's id."""
    with write_unit():
        db.session.execute(delete(FamilyLink).where(FamilyLink.adult_id == scene.parent))
    return scene.parent


def _with_reset(scene: Scene) -> int:
    """Give the parent of this child a code for a new password. Returns the child's id."""
    child = _two_links(scene)
    accounts.make_reset_code(scene.parent, by=None)
    with write_unit():
        db.session.execute(delete(AuditEntry))
    return child


def _held(scene: Scene) -> int:
    """Restrict the child, so that nothing is worked out about it. Returns its id."""
    objections.begin(scene.child, "school", "asked")
    with write_unit():
        db.session.execute(delete(AuditEntry))
    return scene.child


def _noted(scene: Scene) -> int:
    """Write a note on the child. Returns its id."""
    child_notes.write(scene.child, "Counts to five.", scene.teacher)
    with write_unit():
        db.session.execute(delete(AuditEntry))
    return child_notes.of_child(scene.child, scene.teacher)[0].note_id


def _voice(scene: Scene) -> int:
    return voice_packs.of_reader(scene.teacher)[0].pack_id


def _group(scene: Scene) -> int:
    return seating.groups_of(scene.room)[0].group_id


def _plan(scene: Scene) -> list[lessons.TablePlan]:
    return [lessons.TablePlan(game="classic", children=(scene.child,))]


def _app(scene: Scene) -> int:
    """Give the teacher an app that shows codes. Returns its id."""
    secret = second_factors.begin_app(scene.teacher, "ab" * 16).secret
    code = pyotp.TOTP(secret).at(int(clock.now()))
    second_factors.add_app(scene.teacher, "ab" * 16, "Phone", code)
    return second_factors.of(scene.teacher)[0].id


def _put_away(class_id: int) -> None:
    with write_unit():
        class_life.put_away(existing(SchoolClass, class_id))


def _teach_next(scene: Scene) -> None:
    with write_unit():
        db.session.add(ClassTeacher(class_id=scene.room + 1, adult_id=scene.teacher))


def _move_on(by: int) -> None:
    """Move the two children of the first class into the second."""
    rooms = school_year.rooms_of(1)
    first, second = sorted(room.class_id for room in rooms)
    wishes = Wishes(rooms={first: YearWish(to=str(second))})
    school_year.apply(1, wishes, year_plan.plan(rooms, wishes).seal, by)


@dataclass(frozen=True)
class Scene:
    """A teacher in a lesson; a seated child of the class, with another device at its door; a game
    of the class; a parent of another child, with a code for this one; a colleague of another class,
    with an invitation to this one; the other teacher of this class, and a substitute."""

    teacher: int
    parent: int
    room: int
    child: int
    own_game: int
    round: int
    moment: int
    knock: DoorKnock
    code: str
    colleague: int
    other: int
    substitute: int
    invited: str
    invitation: int


@pytest.fixture(scope="module")
def staged(
    tmp_path_factory: pytest.TempPathFactory, first_world: World, peopled: Path
) -> tuple[World, Scene]:
    """The scene, made once, in a world whose app is closed."""
    world = first_world.at(make_app(tmp_path_factory.mktemp("scene"), peopled))
    teacher, room, child = world.adults["lake"], world.classes["sunfish"], world.children["Miaqua"]
    with world.app.app_context(), drawn_from(random.Random("scene")):
        classes.open_class(room)
        with write_unit():
            sessions.start("e" * 32, class_id=room, child_id=child)
        seating.seat_class(room, "classic", 2, "mixed", teacher)
        own_game = own_games.save(room, "classic", "Ours", RULES, "both", by=None)
        sign_in.knock(Who(kind="device", class_id=room, device="d" * 32), child)
        knock = db.session.scalars(select(DoorKnock)).one()
        code = family_links.make_code(child)
        invited = invitations.make(1, teacher, "teacher", room)
        with write_unit():
            db.session.execute(delete(AuditEntry))
        scene = Scene(
            teacher,
            world.adults["rush"],
            room,
            child,
            own_game,
            world.rounds["Benquill"],
            world.moments["sunfish"],
            knock,
            code,
            *(world.adults[login] for login in ("brook", "mere", "eddy")),
            invited,
            invitations.of_class(room)[0].row.id,
        )
        db.session.rollback()
    finish(world.app)
    return world, scene


@pytest.fixture
def scene(tmp_path: Path, staged: tuple[World, Scene]) -> Iterator[Scene]:
    world, scene = staged
    app = make_app(tmp_path / "scene", Path(world.app.instance_path))
    with app.app_context():
        yield replace(scene, knock=db.session.scalars(select(DoorKnock)).one())
        db.session.rollback()
    finish(app)


# For each service, the action and the thing that go on record, and a call of it, by the teacher
# unless a parent is named.
Act = tuple[str, str, Callable[[Scene], object]]
ACTS: dict[Callable[..., Any], Act] = {
    question_settings.write: (
        "settings", "class", lambda s: question_settings.write(s.teacher, "class", s.room, RARELY)),
    choices.write: (
        "group_settings", "class",
        lambda s: choices.write(s.teacher, "group", _group(s), {"deck": "full"})),
    classes.sign_in_card: (
        "cards", "child", lambda s: classes.sign_in_card(s.child, s.teacher)),
    classes.sign_in_cards: (
        "cards", "class", lambda s: classes.sign_in_cards(s.room, s.teacher)),
    invitations.make: (
        "invite", "class", lambda s: invitations.make(1, s.teacher, "teacher", s.room)),
    invitations.revoke: (
        "revoke", "class", lambda s: invitations.revoke(s.invitation, s.teacher, 1)),
    invitations.take: (
        "join", "class by the colleague", lambda s: invitations.take(s.colleague, s.invited)),
    invitations.register: (
        "join", "class by the new adult",
        lambda s: invitations.register(s.invited, "New Colleague", "newcolleague", PASSWORD)),
    people.share: (
        "assign", "class", lambda s: people.share(s.room, s.colleague, s.teacher)),
    people.take_off: (
        "take_off", "class", lambda s: people.take_off(s.room, s.other, s.teacher)),
    people.dismiss: (
        "take_off", "class",
        lambda s: people.dismiss(s.room, s.substitute, s.teacher)),
    people.leave: ("leave", "class", lambda s: people.leave(s.room, s.teacher)),
    people.set_role: (
        "make_admin", "colleague", lambda s: people.set_role(s.colleague, "admin", s.teacher)),
    people.make_reset_code: (
        "reset_code", "colleague", lambda s: people.make_reset_code(s.colleague, s.teacher)),
    people.end_account: (
        "remove", "colleague", lambda s: people.end_account(s.colleague, s.teacher)),
    classes.add_child: (
        "add", "new child", lambda s: classes.add_child(s.room, "Nia", by=s.teacher)),
    classes.close_class: (
        "close", "class", lambda s: classes.close_class(s.room, s.teacher)),
    classes.make_class: (
        "make", "new class", lambda s: classes.make_class(s.teacher, 1, "Minnows")),
    classes.new_code: (
        "code", "class", lambda s: classes.new_code(s.room, True, s.teacher)),
    classes.open_class: (
        "open", "class", lambda s: classes.open_class(s.room, 60, s.teacher)),
    voice_packs.begin: (
        "voice_begun", "teacher",
        lambda s: voice_packs.begin(s.teacher, s.room, "es", "school", agrees=True)),
    voice_packs.ask: (
        "voice_asked", "parent by the teacher",
        lambda s: voice_packs.ask(s.room, s.parent, "es", s.teacher)),
    voice_packs.withdraw: (
        "voice_withdrawn", "teacher", lambda s: voice_packs.withdraw(_voice(s), s.teacher)),
    classes.give_language: (
        "change", "child", lambda s: classes.give_language(s.child, "", by=s.teacher)),
    classes.rename_child: (
        "change", "child", lambda s: classes.rename_child(s.child, "Mila", by=s.teacher)),
    classes.reset_pictures: (
        "pictures", "child", lambda s: classes.reset_pictures(s.child, s.teacher)),
    classes.reset_all_pictures: (
        "pictures", "class", lambda s: classes.reset_all_pictures(s.room, s.teacher)),
    classes.trust_new_devices: (
        "new_devices", "class", lambda s: classes.trust_new_devices(s.room, s.teacher)),
    objections.begin: (
        "restrict", "child",
        lambda s: objections.begin(s.child, "school", "asked", s.teacher)),
    objections.end: (
        "release", "child", lambda s: objections.end(_held(s), "school", False, s.teacher)),
    objections.erase: ("erase", "child", lambda s: objections.erase(_held(s), s.teacher)),
    child_notes.write: (
        "note", "child", lambda s: child_notes.write(s.child, "Counts to five.", s.teacher)),
    child_notes.delete: (
        "delete_note", "child",
        lambda s: child_notes.delete(s.child, _noted(s), s.teacher)),
    family_links.link: (
        "link", "child by the parent", lambda s: family_links.link(s.parent, s.code)),
    family_links.make_code: (
        "family_code", "child", lambda s: family_links.make_code(s.child, s.teacher)),
    family_links.register: (
        "link", "child by the new adult",
        lambda s: family_links.register(s.code, "New Parent", "newparent", PASSWORD)),
    family_links.make_sheets: (
        "family_code", "class", lambda s: family_links.make_sheets(s.room, "all", s.teacher)),
    family_links.cancel_code: (
        "cancel_code", "child", lambda s: family_links.cancel_code(s.child, _code(s), s.teacher)),
    family_links.unlink: (
        "unlink", "child", lambda s: family_links.unlink(_two_links(s), s.parent, s.teacher)),
    family_links.end_account: (
        "remove", "parent", lambda s: family_links.end_account(_no_links(s))),
    family_links.make_reset_code: (
        "reset_code", "parent by the teacher",
        lambda s: family_links.make_reset_code(_two_links(s), s.parent, s.teacher)),
    family_links.cancel_reset_code: (
        "cancel_reset_code", "parent by the teacher",
        lambda s: family_links.cancel_reset_code(_with_reset(s), s.parent, s.teacher)),
    accounts.make_reset_code: (
        "reset_code", "parent by the teacher",
        lambda s: accounts.make_reset_code(s.parent, s.teacher)),
    accounts.cancel_reset: (
        "cancel_reset_code", "parent by the teacher",
        lambda s: accounts.cancel_reset(_with_reset(s) and s.parent, s.teacher)),
    sign_in.open_at_home: (
        "open_home", "child by the parent",
        lambda s: sign_in.open_at_home(s.parent, _two_links(s), "d" * 32, None)),
    lessons.set_home_play: (
        "home", "class",
        lambda s: lessons.set_home_play(s.teacher, s.room, HomePlay(Hours(True, 900, 1140), True))),
    knocks.let_in: (
        "let_in", "child",
        lambda s: knocks.let_in(s.teacher, s.child, s.knock.id, s.knock.sign or "")),
    lessons.end: ("end", "class", lambda s: lessons.end(s.room, s.teacher)),
    lessons.go_on: ("go_on", "class", lambda s: lessons.go_on(s.room, s.teacher)),
    lessons.pause: ("pause", "class", lambda s: lessons.pause(s.room, s.teacher)),
    lessons.set_times: (
        "change", "class", lambda s: lessons.set_times(s.room, Times(20, 40, 30), s.teacher)),
    own_games.put_on_shelf: (
        "shelf", "class", lambda s: own_games.put_on_shelf(s.room, ["old_fish"], s.teacher)),
    own_games.remove: (
        "own_game_removed", "class", lambda s: own_games.remove(s.room, s.own_game, s.teacher)),
    own_games.rename: (
        "own_game_renamed", "class",
        lambda s: own_games.rename(s.room, s.own_game, "Theirs", s.teacher)),
    own_games.save: (
        "own_game_made", "class",
        lambda s: own_games.save(s.room, "classic", "More", RULES, "both", s.teacher)),
    moments.keep: (
        "moment_made", "class", lambda s: moments.keep(s.room, s.round, 2, s.teacher)),
    moments.keep_built: (
        "moment_made", "class",
        lambda s: moments.keep_built(s.room, "classic", ["7", "5"], ["1-7"], s.teacher)),
    moments.deal: (
        "moment_dealt", "class", lambda s: moments.deal(s.room, s.moment, s.teacher)),
    moments.remove: (
        "moment_removed", "class", lambda s: moments.remove(s.room, s.moment, s.teacher)),
    removals.remove_child: (
        "remove", "child", lambda s: removals.remove_child(s.child, s.teacher)),
    overview.looked: (
        "read", "child", lambda s: overview.looked(s.teacher, "child", s.child)),
    class_life.set_place: (
        "settings", "school",
        lambda s: class_life.set_place(s.teacher, 1, SchoolPlace(paper="letter"), "england")),
    seating.seat_class: (
        "seat", "class", lambda s: seating.seat_class(s.room, "classic", 3, "mixed", s.teacher)),
    seating.seat_rest: (
        "seat", "class",
        lambda s: (seating.clear(s.room), seating.seat_rest(s.room, "classic", s.teacher))),
    seating.seat_together: (
        "seat", "class",
        lambda s: seating.seat_together(s.room, "classic", _two(s.room), s.teacher)),
    skill_reports.choose_standards: (
        "settings", "class",
        lambda s: skill_reports.choose_standards(s.room, "england", s.teacher)),
    choices.choose_talk: (
        "settings", "class", lambda s: choices.choose_talk(s.room, "often", s.teacher)),
    skill_reports.set_focus: (
        "settings", "class", lambda s: skill_reports.set_focus(s.room, "adding", s.teacher)),
    seating.start_all: (
        "start", "class", lambda s: seating.start_all(s.room, s.teacher)),
    class_lists.apply: (
        "add", "new child",
        lambda s: class_lists.apply(s.room, [NIA], class_lists.Ticked(add=[1]), s.teacher)),
    seating.change_groups: (
        "groups", "class",
        lambda s: seating.change_groups(s.room, {s.child: None}, "Owls", (), s.teacher)),
    lessons.save_plan: ("plan", "class", lambda s: lessons.save_plan(s.room, _plan(s), s.teacher)),
    lessons.begin_planned: (
        "seat", "class",
        lambda s: (lessons.save_plan(s.room, _plan(s), s.teacher),
                   lessons.begin_planned(s.room, s.teacher))),
    lessons.seat_and_start: (
        "start", "class", lambda s: lessons.seat_and_start(s.room, s.teacher)),
    lessons.begin_outline: (
        "outline", "class", lambda s: lessons.begin_outline(s.room, "make-five", s.teacher)),
    classes.begin_outline: (
        "outline", "class", lambda s: classes.begin_outline(s.room, "make-five", s.teacher)),
    second_factors.add_app: ("second_factor", "teacher", lambda s: _app(s)),
    second_factors.remove: (
        "second_factor", "teacher",
        lambda s: second_factors.remove(s.teacher, _app(s))),
    accounts.change_names: (
        "change", "teacher",
        lambda s: accounts.change_names(
            Who("teacher", adult_id=s.teacher, device="d" * 32), "Ms Lake", "lake", PASSWORD)),
    class_life.rename: ("rename", "class", lambda s: class_life.rename(s.room, "New", s.teacher)),
    class_life.set_end: (
        "end_day", "class", lambda s: class_life.set_end(s.room, clock.day() + 9, s.teacher)),
    class_life.set_year_end: (
        "year_end", "school", lambda s: class_life.set_year_end(1, 6, 30, s.teacher)),
    class_life.archive: ("archive", "class", lambda s: class_life.archive(s.room, s.teacher)),
    class_life.restore: (
        "restore", "class",
        lambda s: (_put_away(s.room), class_life.restore(s.room, s.teacher))),
    removals.remove_class: (
        "remove", "class",
        lambda s: (_put_away(s.room), removals.remove_class(s.room, s.teacher))),
    child_moves.move: (
        "move", "child", lambda s: child_moves.move(s.child, s.room + 1, s.teacher)),
    child_moves.move_in_school: (
        "move", "child",
        lambda s: child_moves.move_in_school(1, s.child, s.room + 1, s.teacher)),
    child_moves.move_by_teacher: (
        "move", "child", lambda s: (_teach_next(s), child_moves.move_by_teacher(
            s.teacher, s.child, s.room + 1))),
    child_moves.names_in: (
        "names", "class", lambda s: child_moves.names_in(1, s.room, s.teacher)),
    child_moves.leave_school: (
        "leave", "child", lambda s: child_moves.leave_school(s.child, s.teacher)),
    undoing.undo: (
        "take_back", "child",
        lambda s: (child_moves.leave_school(s.child), undoing.undo(s.room, 1, s.teacher))),
    undoing.undo_list: (
        "remove", "gone child",
        lambda s: (add_list(s.room, "Nia", by=s.teacher),
                   undoing.undo_list(1, 1, s.teacher))),
    child_moves.merge: (
        "merge", "child", lambda s: child_moves.merge(s.child, _two(s.room)[1], s.teacher)),
    limits.choose_days: (
        "keeping", "school", lambda s: limits.choose_days(1, limits.days_kept(), s.teacher)),
    school_year.look: ("names", "school", lambda s: school_year.look(1, s.teacher)),
    school_year.apply: ("year", "school", lambda s: _move_on(s.teacher)),
    undoing.undo_year: (
        "year_undone", "school",
        lambda s: (_move_on(s.teacher), undoing.undo_year(1, 1, s.teacher))),
    accounts.change_password: (
        "password", "teacher",
        lambda s: accounts.change_password(
            Who("teacher", adult_id=s.teacher, device="d" * 32), PASSWORD, "nine otters dive")),
    sign_in.reset_password: (
        "password", "teacher", lambda s: sign_in.reset_password("lake", "nine otters dive")),
}  # fmt: skip

# The second and later rows of acts that concern both a class and an adult.
MORE: dict[Callable[..., Any], tuple[tuple[str, str], ...]] = {
    people.share: (("assign", "colleague"),),
    people.take_off: (("take_off", "other"),),
    people.dismiss: (("take_off", "substitute"), ("remove", "substitute")),
}

# How many rows an act writes if it also writes one for each child, or includes another act.
MANY: dict[Callable[..., Any], int] = {
    removals.remove_class: 3,
    classes.reset_all_pictures: 3,
    child_moves.merge: 2,
    undoing.undo: 2,
    undoing.undo_list: 2,
    school_year.apply: 3,
    undoing.undo_year: 6,
    second_factors.remove: 2,
    lessons.begin_planned: 3,
    lessons.begin_outline: 3,
    classes.begin_outline: 3,
}

# These write no row: they only read, are part of an act above, or sign someone in, which is noted
# in the security log.
SILENT: set[Callable[..., Any]] = {
    audit.record,
    budgets.login,
    child_moves.classes_for,
    child_moves.add_change,
    child_moves.note_change,
    child_moves.put_entry_away,
    looks.person,
    undoing.lists_by,
    undoing.put_back,
    rows.settings_to_change,  # each caller records what it changes
    class_lists.compare,
    classes.put_class,
    classes.put_in,
    accounts.adult_record,
    accounts.speak,  # about nobody but the adult
    sessions.hears_pack,
    sessions.keeps_pack,
    sessions.reads_pack,
    voice_packs.forget_reader,  # part of ending a link
    voice_packs.imported,  # begins one too, and needs a file: test_voice_packs.py
    voice_packs.of_reader,
    class_lists.apply_school,
    seating.set_up,
    second_factors.add_key,  # recorded like add_app, see tests/browser/test_passkeys.py
    second_factors.app_fits,
    second_factors.ask_key,
    second_factors.begin_app,
    second_factors.begin_key,
    second_factors.key_fits,
    second_factors.kinds_of,
    second_factors.of,
    second_factors.remove_all,
    sign_in.set_password,
    class_life.archived_of,
    family_links.children_of,
    invitations.let_teach,
    invitations.void_of,
    people.colleague,
    people.only_administers,
    overview.classes_of,
    overview.opened,
    sessions.is_parent_of,
    sessions.teaches_child,
    sessions.teaches_class,
    sessions.teaches_group,
    sessions.teaches_round,
    sessions.works_at,
    sessions.start,
    family_links.ending,
    sign_in.demo_adult,
    sign_in.enter,
    accounts.login_of,
    sign_in.replace_password,
    sign_in.welcome,
}

# Acts that are refused, and why.
REFUSED: dict[str, Callable[[Scene], object]] = {
    "no such class to pause": lambda s: lessons.pause(99, s.teacher),
    "no such class to open": lambda s: classes.open_class(99, 60, s.teacher),
    "no such class to close": lambda s: classes.close_class(99, s.teacher),
    "no such class to ask": lambda s: question_settings.write(s.teacher, "class", 99, RARELY),
    "no such class to leave": lambda s: people.leave(99, s.teacher),
    "no such colleague": lambda s: people.share(s.room, 99, s.teacher),
    "a parent to teach": lambda s: people.share(s.room, s.parent, s.teacher),
    "a parent to end": lambda s: people.end_account(s.parent, s.teacher),
    "a substitute to promote": lambda s: people.set_role(s.substitute, "admin", s.teacher),
    "an invitation of another school": lambda s: invitations.revoke(s.invitation, s.teacher, 2),
    "an invitation that is none": lambda s: invitations.take(s.colleague, "AAAA-AAAA-AAAA"),
    "no such child to change": lambda s: classes.rename_child(99, "Mila", by=s.teacher),
    "no such child to remove": lambda s: removals.remove_child(99, s.teacher),
    "no such child for a family": lambda s: family_links.make_code(99, s.teacher),
    "no such knock": lambda s: knocks.let_in(s.teacher, s.child, 99, "sun"),
    "no such game": lambda s: own_games.remove(s.room, 99, s.teacher),
    "no skill to ask about": lambda s: question_settings.write(
        s.teacher, "family", s.child, NOTHING
    ),
    "no such level": lambda s: choices.write(s.teacher, "class", s.room, {"level": "whale"}),
    "no such class to set": lambda s: choices.write(s.teacher, "class", 99, {"level": "pike"}),
    "no such child to set": lambda s: choices.write(s.teacher, "child", 99, {"level": "pike"}),
    "an empty shelf": lambda s: own_games.put_on_shelf(s.room, [], s.teacher),
    "times that nobody can mean": lambda s: lessons.set_times(s.room, Times(40, 20), s.teacher),
    "a name that is taken": lambda s: classes.add_child(s.room, "Miaqua", by=s.teacher),
    "a code that is none": lambda s: family_links.link(s.parent, "AAAA-AAAA-AAAA"),
}


def rows() -> list[tuple[int | None, str, str, int | None]]:
    found = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id))
    return [(row.adult_id, row.action, row.thing, row.thing_id) for row in found]


def expected(scene: Scene, action: str, what: str) -> tuple[int | None, str, str, int | None]:
    def newest(model: Any) -> int | None:
        return db.session.scalar(select(func.max(model.id)))

    return {
        "class": (scene.teacher, action, "class", scene.room),
        "child": (scene.teacher, action, "child", scene.child),
        "teacher": (scene.teacher, action, "adult", scene.teacher),
        "school": (scene.teacher, action, "school", 1),
        "parent": (scene.parent, action, "adult", scene.parent),
        "parent by the teacher": (scene.teacher, action, "adult", scene.parent),
        "class by the colleague": (scene.colleague, action, "class", scene.room),
        "class by the new adult": (newest(Adult), action, "class", scene.room),
        **{
            name: (scene.teacher, action, "adult", getattr(scene, name))
            for name in ("colleague", "other", "substitute")
        },
        "new class": (scene.teacher, action, "class", newest(SchoolClass)),
        "new child": (scene.teacher, action, "child", newest(Child)),
        "gone child": (scene.teacher, action, "child", (newest(Child) or 0) + 1),
        "child by the parent": (scene.parent, action, "child", scene.child),
        "child by the new adult": (newest(Adult), action, "child", scene.child),
    }[what]


def name_of(service: Callable[..., Any]) -> str:
    return f"{service.__module__.rpartition('.')[2]}.{service.__name__}"


def test_every_service_that_gets_the_acting_adult_is_listed_here() -> None:
    told = set()
    for found in pkgutil.walk_packages(services.__path__, "classroom.services."):
        module = importlib.import_module(found.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_a_service = function.__module__ == module.__name__ and not name.startswith("_")
            if is_a_service and THE_ADULT & inspect.signature(function).parameters.keys():
                told.add(function)
    assert len(told) > 30
    assert not ACTS.keys() & SILENT
    assert {name_of(one) for one in told} - {name_of(one) for one in SILENT} <= set(
        map(name_of, ACTS)
    )


@pytest.mark.walk(2)
@pytest.mark.parametrize("service", ACTS, ids=name_of)
def test_an_act_goes_on_record_once_and_correctly(
    scene: Scene, service: Callable[..., Any]
) -> None:
    action, what, act = ACTS[service]
    act(scene)
    also = [expected(scene, *more) for more in MORE.get(service, ())]
    assert expected(scene, action, what) in rows()
    assert all(one in rows() for one in also)
    assert len(rows()) == MANY.get(service, 1 + len(also))
    assert audit.verify().wrong is None


@pytest.mark.parametrize(
    ("whose", "action", "thing"),
    [
        ("school", "settings", "school"),
        ("class", "settings", "class"),
        ("group", "group_settings", "class"),
        ("child", "settings", "child"),
        ("family", "settings", "child"),
    ],
)
def test_a_choice_at_each_level_goes_on_record(
    scene: Scene, whose: Whose, action: str, thing: str
) -> None:
    of = {"school": 1, "class": scene.room, "group": _group(scene)}.get(whose, scene.child)
    for write in (
        lambda: choices.write(scene.teacher, whose, of, {"deck": "full"}),
        lambda: question_settings.write(scene.teacher, whose, of, RARELY),
    ):
        write()
        row = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
        assert row
        assert (row.adult_id, row.action, row.thing) == (scene.teacher, action, thing)


@pytest.mark.parametrize("why", REFUSED)
def test_a_refused_act_is_not_on_record(scene: Scene, why: str) -> None:
    with pytest.raises((NotFound, Refused)):
        REFUSED[why](scene)
    assert not rows()


def test_each_child_on_a_list_goes_on_record(scene: Scene) -> None:
    made = add_list(scene.room, "Nia\nOle\nPia", by=scene.teacher)
    assert rows() == [(scene.teacher, "add", "child", child_id) for child_id in made]
    assert len(made) == 3


def test_starting_no_table_is_not_on_record(scene: Scene) -> None:
    seating.clear(scene.room)
    assert seating.start_all(scene.room, scene.teacher) == ()
    assert not rows()
