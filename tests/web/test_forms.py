"""Forms: extra fields have no effect, and nothing that can be typed breaks anything."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyotp
import pytest
from sqlalchemy import delete, select

from classroom.database import db, write_unit
from classroom.engine.actions import Ask
from classroom.games import GAMES
from classroom.models import (
    Adult,
    Child,
    ClassTeacher,
    DoorKnock,
    FamilyCode,
    FamilyLink,
    Invitation,
    Round,
    YearChange,
)
from classroom.services.access import accounts, invitations, second_factors, sessions, sign_in
from classroom.services.access.second_factors import SecondStep
from classroom.services.access.sessions import Who
from classroom.services.base import budgets, clock
from classroom.services.lesson import (
    gatherings,
    lessons,
    live_class,
    moments,
    open_tables,
    own_games,
    seating,
)
from classroom.services.operation import background
from classroom.services.quiz import question_settings
from classroom.services.school import (
    child_moves,
    child_notes,
    class_life,
    classes,
    family_links,
    objections,
    school_year,
    undoing,
    voice_packs,
    year_plan,
)
from classroom.services.school.lists import tabular
from classroom.services.school.lists.tabular import Bundle, ListedChild, ListedClass
from classroom.services.school.year_plan import STAY, Wishes, YearWish
from classroom.services.table import rounds
from tests import sample
from tests.conftest import finish, make_app
from tests.questioning import put_question
from tests.web.people import METHODS_OF
from tests.web.routes import QUESTION_AT, addresses, rules
from tests.world import PASSWORD, PEOPLE, Visitor, World

Fields = dict[str, Any]
START = 1_790_000_000.0

# Fields that an attacker might add.
EXTRA: Fields = {
    "role": "admin",
    "kind": "teacher",
    "who": "teacher",
    "adult_id": "1",
    "child_id": "3",
    "class_id": "2",
    "school_id": "2",
    "round_id": "3",
    "match_id": "3",
    "id": "1",
    "seat": "1",
    "player": "1",
    "viewer": "TEACHER",
    "played_by": "computer",
    "opponents": "3",
    "level": "whale",
    "deck": "full",
    "board": "off",
    "hints": "0",
    "pace": "calm",
    "voice": "0",
    "lit": "1",
    "switch": "usual",
    "talk": "often",
    "rules": "{}",
    "opened_until": "9e9",
    "pictures_version": "9",
    "password_hash": "x",
    "let_in_at": "9e9",
    "aided": "0",
    "right": "1",
    "set_by": "3",
}

# Columns with random values, or values that follow from those.
BY_LOT = frozenset(
    "sessions.token_hash sessions.device known_devices.device door_knocks.device door_knocks.sign "
    "audit.seal wrong_tries.device wrong_tries.what family_codes.code_hash "
    "password_resets.code_hash adults.password_hash "
    "moves.key moments.header moments.moves moments.faces "
    "rounds.deck rounds.dealer players.seed players.name players.animal players.pad "
    "classes.code questions.item questions.board invitations.code_hash".split()
)


def _pictures(world: World) -> Fields:
    four = sign_in.pictures_of(db.session.get_one(Child, world.children["Miaqua"]))
    return {f"p{number}": picture for number, picture in enumerate(four, 1)}


def _second_step(world: World) -> Fields:
    _an_app(world)
    with pytest.raises(SecondStep) as step:
        sign_in.adult("lake", PASSWORD, "a" * 32)
    return {"ticket": step.value.ticket, "code": _code(world, after=second_factors.STEP)}


def _code(world: World, after: float = 0.0) -> str:
    """The code that Ms Lake's app shows, now or some seconds later."""
    secret = second_factors.begin_app(world.adults["lake"], "ab" * 16).secret
    return pyotp.TOTP(secret).at(int(clock.now() + after))


def _new_app(world: World) -> Fields:
    return {"kind": "app", "word": "ab" * 16, "name": "My phone", "code": _code(world)}


def _an_app(world: World) -> Fields:
    fields, mine = _new_app(world), world.adults["lake"]
    second_factors.add_app(mine, fields["word"], "My phone", fields["code"])
    return {"factor": second_factors.of(mine)[0].id}


def _ask(world: World) -> Fields:
    round_id = world.rounds["Miaqua"]
    seat = rounds.seat_of(round_id, world.children["Miaqua"])
    assert seat is not None
    background.play_now(round_id)
    table = rounds.table(round_id, seat)
    action = table.observation.legal[0]
    return {"class": action.class_, "target": action.target, "key": "k1", "seen": table.seq}


def _hint(world: World) -> Fields:
    return {"seen": _ask(world)["seen"]}


def _act(world: World) -> Fields:
    return {"type": "ask", **_ask(world)}


def _family(world: World) -> Fields:
    code = family_links.make_code(world.children["Miaqua"])
    return {"code": code, "name": "New Parent", "login": "newparent", "password": PASSWORD}


def _coded(world: World) -> Fields:
    """Make a code for Miaqua's family, so that it can be taken back."""
    family_links.make_code(world.children["Miaqua"])
    return {"code": str(db.session.scalars(select(FamilyCode)).one().id)}


def _another_child(world: World) -> Fields:
    """Link Miaqua's parent to another child, so that the account is not closed with the link."""
    with write_unit():
        children = world.children
        link = FamilyLink(
            adult_id=world.adults["reed"], child_id=children["Adaquist"], created_at=START
        )
        db.session.add(link)
    return {}


def _no_child(world: World) -> Fields:
    with write_unit():
        db.session.execute(delete(FamilyLink).where(FamilyLink.adult_id == world.adults["reed"]))
    return {}


def _forgotten(world: World) -> Fields:
    code = accounts.make_reset_code(world.adults["reed"], by=None)
    return {"code": code, "new": "nine small otters dive"}


def _invited(world: World) -> Fields:
    code = _invitation(world)
    return {"code": code, "name": "New Colleague", "login": "newcolleague", "password": PASSWORD}


def _invitation(world: World) -> str:
    school = db.session.get_one(Adult, world.adults["lake"]).school_id
    return invitations.make(school, world.adults["lake"], "teacher", world.classes["sunfish"])


class SentAgain(io.BytesIO):
    """A file that may be sent several times."""

    def close(self) -> None:
        self.seek(0)


def _a_voice(world: World) -> Fields:
    file = SentAgain(voice_packs.exported(world.voices["carp"]))
    return {"room": world.classes["sunfish"], "file": (file, "voice.zip")}


def _unused(world: World) -> Fields:
    _invitation(world)
    return {"invitation": db.session.scalars(select(Invitation.id)).one()}


def _knocked(world: World) -> Fields:
    who = Who(kind="device", class_id=world.classes["sunfish"], device="d" * 32)
    sign_in.knock(who, world.children["Miaqua"])
    row = db.session.scalars(select(DoorKnock)).one()
    return {"knock": row.id, "sign": row.sign}


def _at_the_end(world: World) -> Fields:
    """Let a question come at every turn, and name the end of Benquill's round."""
    question_settings.write(
        None, "class", world.classes["sunfish"], question_settings.QuestionChoice("every_turn")
    )
    return {"seen": rounds.seq(world.rounds["Benquill"])}


def _asked(world: World) -> Fields:
    put_question(world.children["Miaqua"], world.rounds["Miaqua"], QUESTION_AT)
    return {"place": "0", "key": "a1", "took": "900"}


def _away(world: World) -> Fields:
    """Let a computer friend play for Miaqua."""
    with write_unit():
        db.session.get_one(Round, world.rounds["Miaqua"]).away = [0]
    return {}


def _hand_up(world: World) -> Fields:
    _here(world, "Miaqua")
    live_class.hand(world.children["Miaqua"], True)
    return {}


def _here(world: World, *names: str) -> None:
    with write_unit():
        for name in names:
            room = world.classes["sunfish"]
            sessions.start("e" * 32, class_id=room, child_id=world.children[name])


def _open_table(world: World) -> Fields:
    gatherings.make(world.children["Miaqua"], "classic")
    return {"table": str(open_tables.open_tables(world.classes["sunfish"])[0].gathering_id)}


def _place(world: World) -> Fields:
    _open_table(world)
    return {"seat": "2", "there": "1"}


def _almost_ready(world: World) -> Fields:
    _open_table(world)
    gatherings.computer_friend(world.children["Miaqua"], 1, there=True)
    return {"yes": "1"}


def _mate(world: World) -> Fields:
    return {"game": "classic", "mate": str(world.children["Benquill"])}


def _at_the_tablet(world: World) -> Fields:
    """An ask from the hand that is up."""
    world.visitor("tablet")
    round_id = world.rounds["tablet"]
    seat = rounds.table(round_id, rounds.WATCHER).observation.turn
    assert seat is not None
    ask = rounds.table(round_id, seat).observation.legal[0]
    assert isinstance(ask, Ask)
    seen = str(rounds.seq(round_id))
    return {
        "seat": str(seat), "class": ask.class_, "target": str(ask.target), "seen": seen, "key": "k1"
    }  # fmt: skip


def _tablet_over(world: World) -> Fields:
    """The round at the tablet has come to its end."""
    world.visitor("tablet")
    round_id = world.rounds["tablet"]
    while (seat := rounds.table(round_id, rounds.WATCHER).observation.turn) is not None:
        view = rounds.table(round_id, seat).observation
        rounds.play(round_id, seat, view.legal[-1], f"k{view.seq}", view.seq)
    return {}


def _present(world: World) -> Fields:
    _here(world, "Miaqua")
    return {"game": "classic", "size": "3", "how": "mixed"}


def _seated(world: World) -> Fields:
    """Let the teacher seat Miaqua at a table of three, and Benquill come later."""
    _here(world, "Miaqua")
    seating.seat_class(world.classes["sunfish"], "classic", 3, "mixed", world.adults["lake"])
    _here(world, "Benquill")
    table = seating.plan(world.classes["sunfish"]).tables[0].gathering_id
    return {"child": str(world.children["Benquill"]), "table": str(table), "seat": "0"}


def _two_of_the_class(world: World) -> Fields:
    together = [str(world.children[name]) for name in ("Miaqua", "Benquill")]
    return {"game": "make_five", "child": together}


def _free_seat(world: World) -> Fields:
    return {"table": _seated(world)["table"], "seat": "2"}


def _two_seated(world: World) -> Fields:
    together = [world.children[name] for name in ("Miaqua", "Benquill")]
    seating.seat_together(world.classes["sunfish"], "classic", together, world.adults["lake"])
    return {
        "table": str(seating.plan(world.classes["sunfish"]).tables[0].gathering_id),
        "shared": "1",
    }


def _planned(world: World) -> Fields:
    child = world.children["Miaqua"]
    return {"game-1": "classic", "numbers-1": "0-5", f"table-{child}": "1"}


def _with_a_plan(world: World) -> Fields:
    table = lessons.TablePlan(game="classic", children=(world.children["Miaqua"],))
    lessons.save_plan(world.classes["sunfish"], [table])
    return {"plan": "there"}


def _guessed_at(world: World) -> Fields:
    with write_unit():
        for _ in range(budgets.NEW_DEVICES):
            budgets.note(f"class:{world.classes['sunfish']}", "f" * 32)
    return {}


def _here_for_a_moment(world: World) -> Fields:
    with write_unit():
        room, child = world.classes["sunfish"], world.children["Miaqua"]
        sessions.start("e" * 32, class_id=room, child_id=child)
    return {"do": "deal"}


def _dealt(world: World) -> Fields:
    room, moment = world.classes["sunfish"], world.moments["sunfish"]
    _here_for_a_moment(world)
    moments.deal(room, moment, None)
    table, _ = moments.met_by(room, moment, world.children["Miaqua"])
    ask = next(each for each in table.observation.legal if isinstance(each, Ask))
    return {"class": ask.class_, "target": str(ask.target), "seen": str(table.seq)}


def _nothing(given: Callable[[World], Fields]) -> Callable[[World], Fields]:
    """The same preparation, but with no fields to send."""
    return lambda world: given(world) and {}


def _own_game(world: World) -> Fields:
    rules = GAMES["classic"].rules
    own = own_games.save(world.classes["sunfish"], "classic", "Ours", rules, "both", by=None)
    return {"own": str(own), "do": "rename", "name": "Theirs"}


PLAYED: Fields = {
    "opponents": "1", "level": "perch", "deck": "open-to-others", "board": "off", "hints": "0",
    "pace": "calm", "voice": "0", "lit": "1", "switch": "usual",
}  # fmt: skip

# The fields of a new child on a list.
LISTED: Fields = {
    "step": "apply",
    "number": "2",
    "name": "Nia",
    "band": "4-5",
    "sourced_id": "u7",
    "add": "2",
}


def _school_list(_world: World) -> Fields:
    """A list of a school, with a new child in a class that exists."""
    listed = ListedClass("", "Sunfishqroom", (ListedChild(2, "Nia", band="4-5"),))
    bundle = tabular.pack_bundle(Bundle(kind="", classes=(listed,)))
    return {"step": "apply", "room": "1", "bundle": bundle}


def _left(world: World) -> Fields:
    """A child of the class has left the school."""
    child_moves.leave_school(world.children["Miaqua"])
    return {"change": db.session.scalars(select(YearChange.id)).one()}


def _archived(world: World) -> Fields:
    class_life.archive(world.classes["sunfish"])
    return {}


def _second_class(world: World) -> Fields:
    """Give Miaqua's teacher one more class."""
    with write_unit():
        perch, lake = world.classes["perch"], world.adults["lake"]
        db.session.add(ClassTeacher(class_id=perch, adult_id=lake))
    return {"to": world.classes["perch"]}


def _new_year(world: World) -> Fields:
    """The fields with which the children of one class move into another."""
    sunfish, perch = world.classes["sunfish"], world.classes["perch"]
    rooms = school_year.rooms_of(_school(world))
    wishes = Wishes(rooms={sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}, older=False)
    seal = year_plan.plan(rooms, wishes).seal
    db.session.rollback()
    return {"what": "apply", f"to_{sunfish}": perch, f"to_{perch}": STAY, "seal": seal}


def _moved_on(world: World) -> Fields:
    fields = _new_year(world)
    sunfish, perch = world.classes["sunfish"], world.classes["perch"]
    wishes = Wishes(rooms={sunfish: YearWish(to=str(perch)), perch: YearWish(to=STAY)}, older=False)
    school_year.apply(_school(world), wishes, fields["seal"], world.adults["admin"])
    return {"change": undoing.year_changes(_school(world))[0].change_id}


def _colleague_forgot(world: World) -> Fields:
    accounts.make_reset_code(world.adults["brook"], None)
    return {}


def _noted(world: World) -> Fields:
    """Write a note on Miaqua."""
    mia, lake = world.children["Miaqua"], world.adults["lake"]
    child_notes.write(mia, "Counts on her fingers.", lake)
    return {"id": str(child_notes.of_child(mia, lake)[0].note_id)}


def _held(world: World) -> Fields:
    """Restrict Miaqua, so that nothing is worked out about her."""
    objections.begin(world.children["Miaqua"], "school", "asked")
    return {}


def _school(world: World) -> int:
    school_id = db.session.get_one(Adult, world.adults["admin"]).school_id
    db.session.rollback()
    return school_id


# The sender of each form, what its address names, and fields with which it has its full effect.
FORMS: dict[str, tuple[str, str, Callable[[World], Fields] | Fields]] = {
    "auth.adult_in": ("nobody", "", {"login": "lake", "password": PASSWORD}),
    "auth.language": ("lake", "", {"language": "es"}),
    "auth.account_names": (
        "lake",
        "",
        {"name": "Ms Lake", "login": "lakeside", "password": PASSWORD},
    ),
    "auth.again": ("lake", "", {"password": PASSWORD}),
    "auth.second": ("nobody", "", _second_step),
    "auth.add_second": ("lake", "", _new_app),
    "auth.remove_second": ("lake", "", _an_app),
    "auth.account": ("lake", "", {"old": PASSWORD, "new": "nine small otters dive"}),
    "auth.out": ("lake", "", {}),
    "auth.reset": ("nobody", "", _forgotten),
    "auth.colleague": ("nobody", "", _invited),
    "school.invite": (
        "head",
        "",
        lambda world: {"role": "teacher", "class": world.classes["sunfish"]},
    ),
    "school.revoke": ("head", "", _unused),
    "school.role": ("head", "lake", {"role": "admin"}),
    "school.end": ("head", "brook", {}),
    "school.reset_code": ("head", "brook", {}),
    "school.cancel_reset_code": ("head", "brook", _colleague_forgot),
    "school.teachers": (
        "head",
        "perch",
        lambda world: {"do": "add", "adult": world.adults["mere"]},
    ),
    "teach.voices": (
        "lake",
        "sunfish",
        lambda world: {"adult": world.adults["reed"], "language": "en"},
    ),
    "voice.home": (
        "lake",
        "",
        lambda world: {"room": world.classes["sunfish"], "language": "es", "agrees": "1"},
    ),
    "voice.take_in": ("lake", "", _a_voice),
    "voice.agree": ("lake", "sunfish", {"agrees": "1", "licence": "free"}),
    "voice.withdraw": ("lake", "sunfish", {}),
    "teach.invite": ("lake", "sunfish", {"role": "teacher"}),
    "teach.revoke": ("lake", "sunfish", _unused),
    "teach.share": ("lake", "sunfish", lambda world: {"adult": world.adults["brook"]}),
    "teach.leave": ("lake", "sunfish", {}),
    "teach.new_pictures": ("lake", "sunfish", {}),
    "teach.dismiss": ("lake", "sunfish", lambda world: {"adult": world.adults["eddy"]}),
    "auth.join": ("nobody", "", {"code": "100000"}),
    "auth.knock": ("device", "Miaqua", {}),
    "auth.pictures_try": ("device", "Miaqua", _pictures),
    "auth.waiting": ("device", "Miaqua", {}),
    "auth.bye": ("Miaqua", "", {}),
    "play.start": ("Adaquist", "", {"game": "classic", "new": "1"}),
    "play.practice": ("Adaquist", "", {}),
    "play.language": ("Adaquist", "", {"language": "es"}),
    "play.ask": ("Miaqua", "Miaqua", _ask),
    "play.act": ("Miaqua", "Miaqua", _act),
    "play.hint": ("Miaqua", "Miaqua", _hint),
    "play.board": ("Miaqua", "Miaqua", {"seen": "0"}),
    "play.question": ("Benquill", "Benquill", _at_the_end),
    "play.answer": ("Miaqua", "Miaqua", _asked),
    "play.question_hint": ("Miaqua", "Miaqua", _asked),
    "play.question_leave": ("Miaqua", "Miaqua", _asked),
    "play.again": ("Benquill", "Benquill", {}),
    "play.back": ("Miaqua", "Miaqua", _away),
    "play.hand": ("Miaqua", "Miaqua", {"up": "1"}),
    "play.make_table": ("Miaqua", "", {"game": "classic"}),
    "play.sit": ("Benquill", "", _open_table),
    "play.stand_up": ("Miaqua", "", _nothing(_open_table)),
    "play.computer_friend": ("Miaqua", "", _place),
    "play.ready": ("Miaqua", "", _almost_ready),
    "play.together": ("Miaqua", "", _mate),
    "play.invited": ("Miaqua", "", {"yes": "1"}),
    "play.shared_hand": ("tablet", "tablet", _at_the_tablet),
    "play.shared_ask": ("tablet", "tablet", _at_the_tablet),
    "play.shared_again": ("tablet", "tablet", _tablet_over),
    "play.shared_bell": ("tablet", "tablet", _at_the_tablet),
    "teach.lesson": ("lake", "sunfish", {"what": "pause"}),
    "teach.times": (
        "lake",
        "sunfish",
        {"nudge_after": "20", "stand_in_after": "40", "minutes_a_day": "30"},
    ),
    "teach.lower_hand": ("lake", "Miaqua", _hand_up),
    "teach.class_groups": ("lake", "sunfish", {"name": "Owls"}),
    "teach.plan": ("lake", "sunfish", _planned),
    "teach.begin_plan": ("lake", "sunfish", _nothing(_with_a_plan)),
    "teach.begin_outline": ("lake", "sunfish", {}),
    "teach.seats": ("lake", "sunfish", _present),
    "teach.move_child": ("lake", "sunfish", _seated),
    "teach.seat_friend": ("lake", "sunfish", _free_seat),
    "teach.seat_tablet": ("lake", "sunfish", _two_seated),
    "teach.start_tables": ("lake", "sunfish", _nothing(_seated)),
    "teach.seat_and_start": ("lake", "sunfish", _nothing(_seated)),
    "teach.clear_seats": ("lake", "sunfish", _nothing(_seated)),
    "teach.watch_hands": ("lake", "Miaqua", {}),
    "teach.make_class": ("lake", "", {"name": "Minnows"}),
    "teach.open_class": ("lake", "sunfish", {"minutes": "45"}),
    "teach.questions": (
        "lake",
        "sunfish",
        {
            "questions": "rarely",
            "skill": ["how_many", "give_n"],
            "numbers": "0-5",
            "focus": ["give_n"],
        },
    ),
    "teach.standards": ("lake", "sunfish", {"standards": "england"}),
    "teach.talk": ("lake", "sunfish", {"talk": "often"}),
    "teach.class_play": ("lake", "sunfish", PLAYED),
    "teach.group_play": ("lake", "sunfish", PLAYED),
    "teach.group_questions": (
        "lake",
        "sunfish",
        {"questions": "off", "skill": ["how_many"], "numbers": "0-10"},
    ),
    "teach.home_play": (
        "lake",
        "sunfish",
        {"home_on": "1", "home_counts": "1", "home_from": "480", "home_until": "1200"}
        | {"home_weekend": "other", "home_weekend_from": "600", "home_weekend_until": "1200"},
    ),
    "family.open_home": ("reed", "Miaqua", {}),
    "auth.home_try": ("home device", "", _pictures),
    "teach.child_play": ("lake", "Miaqua", PLAYED),
    "teach.child_questions": (
        "lake",
        "Miaqua",
        {"questions": "off", "skill": ["how_many"], "numbers": "0-10"},
    ),
    "teach.focus": ("lake", "sunfish", {"strand": "adding"}),
    "teach.seat_together": ("lake", "sunfish", _two_of_the_class),
    "teach.close_class": ("lake", "sunfish", {}),
    "teach.code": ("lake", "sunfish", {"keep": "1"}),
    "teach.new_devices": ("lake", "sunfish", _guessed_at),
    "teach.add": ("lake", "sunfish", {"name": "Nia", "age_band": "4-5"}),
    "teach.class_list": ("lake", "sunfish", LISTED),
    "teach.games": ("lake", "sunfish", {"game": "old_fish"}),
    "teach.mix": ("lake", "sunfish", {"game": "classic", "name": "Ours", "save": "1"}),
    "teach.change_game": ("lake", "sunfish", _own_game),
    "teach.rename": (
        "lake",
        "Miaqua",
        {"name": "Mila", "age_band": "6-7", "animal": "cat"},
    ),
    "teach.write_note": ("lake", "Miaqua", {"note": "Counts on her fingers."}),
    "teach.delete_note": ("lake", "Miaqua", _noted),
    "teach.remove": ("lake", "Miaqua", {"when": "later"}),
    "teach.left": ("lake", "Miaqua", {}),
    "teach.undo": ("lake", "sunfish", _left),
    "teach.restrict": ("lake", "Miaqua", {"reason": "asked"}),
    "teach.erase_answers": ("lake", "Miaqua", _held),
    "family.restrict": ("reed", "Miaqua", {"reason": "object"}),
    "teach.pictures": ("lake", "Miaqua", {}),
    "teach.let_in": ("lake", "Miaqua", _knocked),
    "teach.family_code": ("lake", "Miaqua", {}),
    "teach.family_sheets": ("lake", "sunfish", {"which": "all"}),
    "teach.cancel_code": ("lake", "Miaqua", _coded),
    "teach.unlink": ("lake", "Miaqua", _another_child),
    "teach.reset_code": ("lake", "Miaqua", {}),
    "teach.cancel_reset_code": ("lake", "Miaqua", _nothing(_forgotten)),
    "family.leave_child": ("reed", "Miaqua", _another_child),
    "family.leave": ("reed", "", _no_child),
    "teach.all_hands": ("lake", "Benquill", {}),
    "teach.keep_moment": ("lake", "Benquill", {"move": "2"}),
    "teach.build_moment": (
        "lake",
        "sunfish",
        {"game": "classic", "hand": "7.2", "ask": "1-7", "seat": "0"},
    ),
    "teach.moment_act": ("lake", "sunfish", _here_for_a_moment),
    "teach.deal_outline": ("lake", "sunfish", _nothing(_here_for_a_moment)),
    "play.moment_ask": ("Miaqua", "sunfish", _dealt),
    "teach.rename_class": ("lake", "sunfish", {"name": "Second graders"}),
    "teach.class_end": ("lake", "sunfish", {"ends": "2027-03-01"}),
    "teach.archive_class": ("lake", "sunfish", {}),
    "teach.restore_class": ("lake", "sunfish", _nothing(_archived)),
    "teach.delete_class": ("lake", "sunfish", _nothing(_archived)),
    "teach.change_class": ("lake", "Miaqua", _second_class),
    "teach.merge": ("lake", "Miaqua", lambda world: {"other": world.children["Benquill"]}),
    "school.year": ("admin", "", _new_year),
    "school.year_undo": ("admin", "", _moved_on),
    "school.keeping": (
        "admin",
        "",
        {"keep_moves": "60", "keep_archived": "90", "keep_audit": "400", "keep_copies": "30"},
    ),
    "school.change_class": (
        "admin",
        "",
        lambda world: {
            "from": world.classes["sunfish"],
            "child": world.children["Miaqua"],
            "to": world.classes["perch"],
        },
    ),
    "family.join": ("nobody", "", _family),
    "family.settings": (
        "reed",
        "Miaqua",
        {
            "opponents": "1",
            "level": "perch",
            "deck": "short",
            "board": "open",
            "hints": "1",
            "pace": "age",
            "voice": "1",
            "lit": "1",
            "switch": "off",
            "minutes_a_day": "20",
        },
    ),
    "family.language": ("reed", "Miaqua", {"second": "es"}),
    "family.questions": (
        "reed",
        "Miaqua",
        {"questions": "off", "skill": ["how_many"], "numbers": "0-10"},
    ),
    "school.lists": ("admin", "", _school_list),
    "family.link": ("rush", "", lambda world: {"code": _family(world)["code"]}),
}
FORMS |= {
    "school.settings": (
        "admin",
        "",
        {
            "time_zone": "Asia/Tokyo",
            "dates": "month_first",
            "words": "en_US",
            "paper": "letter",
            "standards": "england",
        },
    ),
    "school.play": ("admin", "", PLAYED | {"deck": "full"}),
    "school.questions": (
        "admin",
        "",
        {"questions": "off", "skill": ["how_many"], "numbers": "0-10"},
    ),
}
NOT_HERE = {"auth.setup_school", "auth.look_around", "auth.demo_in"}  # first visit, demo school
NOT_HERE |= {"voice.read"}  # it takes a recording: test_studio.py


def test_each_form_is_listed_here() -> None:
    taken = {name for name, methods in METHODS_OF.items() if "POST" in methods}
    assert set(FORMS) == taken - NOT_HERE


def prepared(world: World, endpoint: str) -> tuple[Visitor, str, Fields]:
    """Prepare everything that this form needs. Returns its sender, address and fields."""
    who, thing, fields = FORMS[endpoint]
    with clock.clock_at(START), world.app.app_context():
        _open(world)
        given = fields(world) if callable(fields) else fields
        db.session.rollback()
    (path,) = (
        address.path
        for rule in rules(world.app)
        if rule.endpoint == endpoint and "POST" in (rule.methods or ())
        for address in addresses(world, rule)
        if address.thing == thing
    )
    with clock.clock_at(START):
        return world.visitor(who), path, given


def send(world: World, endpoint: str, extra: Fields) -> tuple[int, dict[str, Any]]:
    """Send a form in this world. Returns the status, and every row afterwards."""
    visitor, path, given = prepared(world, endpoint)
    with clock.clock_at(START):
        answer = visitor.post(path, {**extra, **given})
        return answer.status_code, world.rows(BY_LOT)


def _open(world: World) -> None:
    for name in ("sunfish", "perch"):
        classes.open_class(world.classes[name], 60)


@pytest.mark.walk(40)
@pytest.mark.parametrize("endpoint", FORMS)
def test_an_extra_field_has_no_effect(endpoint: str, tmp_path: Path, peopled: Path) -> None:
    found = []
    for number, extra in enumerate(({}, EXTRA)):
        app = make_app(tmp_path / f"world{number}", peopled)
        world = World.of(app)
        before = world.rows(BY_LOT)
        own = FORMS[endpoint][2]
        named = {} if callable(own) else own
        status, rows = send(world, endpoint, {k: v for k, v in extra.items() if k not in named})
        assert status < 400
        if endpoint != "auth.waiting":
            assert rows != before, "the form should do something here"
        found.append((status, rows))
        finish(app)
    assert found[0] == found[1]


def test_set_up_ignores_extra_fields(tmp_path: Path, migrated: Path) -> None:
    app = make_app(tmp_path / "fresh", migrated)
    with app.app_context():
        fields = {"code": accounts.first_code(), "school_name": "Pond", "name": "Ms Lake"}
    answer = Visitor(app.test_client()).post(
        "/setup", {**EXTRA, **fields, "login": "lake", "password": PASSWORD}
    )
    assert answer.status_code == 303
    with app.app_context():
        (adult,) = db.session.query(Adult).all()
        assert (adult.role, adult.school_id) == ("admin", 1)
    finish(app)


# ---- anything that can be typed

ODD = (
    "",
    " ",
    "0",
    "-1",
    "1.5",
    "1e9",
    "NaN",
    "９",
    "²",
    str(2**31),
    str(2**63),
    "9" * 5_000,
    "null",
    "true",
    "[]",
    "{}",
    "Ünïcödé 🐟 日本語",
    "\u202eabc",
    "a\r\nSet-Cookie: x=1",
    "'; DROP TABLE children; --",
    "{{ 7 * 7 }}",
    "%s%n",
    "../../key",
    "<b>bold</b>",
    "q-sun",
    "7",
    "x" * 30_000,
    "\x1b[31m",
    "\t\v",
)
FIELD_NAMES = sorted(
    {
        *EXTRA,
        *"code login password old new name school_name p1 p2 p3 p4 game new key seen target class "
        "type bait answer card cards number show minutes what age_band animal list sure then "
        "before move view done seat place take took answered knock sign page back adult class last "
        "invitation".split(),
    }
)


@pytest.mark.walk(4)
@pytest.mark.parametrize("seed", range(4))
def test_no_form_can_cause_a_500(world: World, seed: int, whole: bool) -> None:
    lots = random.Random(seed)
    people = {who: world.visitor(who) for who in PEOPLE}
    tokens = {who: people[who].token() for who in PEOPLE}
    routes = [
        (address.path, method)
        for rule in rules(world.app)
        for method in ("GET", "POST")
        if method in (rule.methods or ())
        for address in addresses(world, rule)
        if rule.endpoint
        not in ("auth.out", "auth.bye", "teach.remove", "teach.close_class", "school.end")
    ]
    for _ in range(700 if whole else 120):
        path, method = lots.choice(routes)
        who = lots.choice(PEOPLE)
        names = lots.sample(FIELD_NAMES, lots.randrange(6))
        fields = {name: lots.choice(ODD) for name in names}
        if sum(map(len, fields.values())) > 60_000:
            continue
        headers = {"HX-Request": "true"} if lots.random() < 0.3 else {}
        if method == "GET":
            answer = people[who].get(path, query_string=fields, headers=headers)
        else:
            answer = people[who].client.post(
                path, data={"token": tokens[who], **fields}, headers=headers
            )
        assert answer.status_code < 500, (who, method, path, fields)
        assert "Set-Cookie: x=1" not in str(answer.headers)


def test_a_senseless_header_breaks_nothing(world: World, whole: bool) -> None:
    child = world.visitor("Miaqua")
    path = f"/play/rounds/{world.rounds['Miaqua']}"
    for name in ("If-None-Match", "Last-Event-ID", "Range", "Accept", "Content-Type", "Origin"):
        for value in ("", "x", "9" * 500, '"', "W/", "bytes=9-1", "ü".encode().decode("latin-1")):
            for page in sample.part((path, f"{path}/table", f"{path}/events", "/"), 2, whole):
                assert child.get(page, headers={name: value}).status_code < 500, (name, value)
