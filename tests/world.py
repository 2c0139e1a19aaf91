"""Two schools and their people, to test who may do what to whom.

Names are canaries: no other text in the project contains them.
"""

from __future__ import annotations

import random
import re
import secrets
from dataclasses import dataclass, replace
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, select, update
from werkzeug.test import TestResponse

from classroom.config import ROOT
from classroom.database import Base, db, write_unit
from classroom.engine import shuffled
from classroom.games import GAMES
from classroom.games.variants import deck_rules
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ChildGroup,
    ClassTeacher,
    FamilyLink,
    GroupMember,
    Moment,
    Round,
    School,
    SchoolClass,
    Session,
    VoicePack,
    VoicePiece,
)
from classroom.services.access import passwords, sessions
from classroom.services.base import clock
from classroom.services.lesson import moments
from classroom.services.operation import background
from classroom.services.table import evidence_log, matches, rounds
from tests.learning.rows import row
from tests.playing import stacked, usual_table

PASSWORD = "seven quiet herons wade"
YEAR = 365 * clock.SECONDS_A_DAY
MONITORS_TOKEN = "a-token-of-the-tests-for-a-monitor"
TOKEN = re.compile(r'(name="(?:token|by|key)" value=")[^"]*(")')

CLASSES = {"sunfish": "Northpond", "perch": "Northpond", "carp": "Southpond"}
CHILDREN = {"Miaqua": "sunfish", "Benquill": "sunfish", "Adaquist": "perch", "Zedquorn": "carp"}
TEACHERS = {"lake": "sunfish", "mere": "sunfish", "brook": "perch", "marsh": "carp"}
ADMINS = {"admin": "sunfish", "head": ""}  # one teaches a class too, the other none
SUBSTITUTES = {"eddy": "sunfish", "past": "sunfish"}  # the second one's account is closed
TEACHES = {**TEACHERS, **ADMINS, **SUBSTITUTES}
STAFF = {**dict.fromkeys(TEACHERS, "teacher"), **dict.fromkeys(ADMINS, "admin")}
STAFF |= dict.fromkeys(SUBSTITUTES, "substitute")
READERS = {"lake": "sunfish", "brook": "perch", "marsh": "carp"}  # of the voices of these classes
PARENTS = {"reed": "Miaqua", "rush": "Benquill", "sedge": "Zedquorn"}
SCHOOL_OF = {name: CLASSES.get(room, "Northpond") for name, room in TEACHES.items()} | {
    name: CLASSES[CHILDREN[child]] for name, child in PARENTS.items()
}

# The visitors in tests of permissions, by name. KIND has the kind of each.
PEOPLE = (
    "nobody",
    "device",
    "Miaqua",
    "Benquill",
    "Adaquist",
    "tablet",
    "home device",
    "Miaqua at home",
    "lake",
    "mere",
    "brook",
    "marsh",
    "reed",
    "rush",
    "sedge",
    "admin",
    "head",
    "eddy",
    "past",
    "ended child",
    "ended teacher",
    "ended account",
    "monitor",
)
KIND = {"nobody": "nobody", "device": "device", "monitor": "monitor", "tablet": "tablet"}
KIND |= {"home device": "home_device", "Miaqua at home": "home_child"}  # opened by reed
KIND |= dict.fromkeys(CHILDREN, "child") | dict.fromkeys(PARENTS, "parent") | STAFF
KIND |= dict.fromkeys(("past", "ended child", "ended teacher", "ended account"), "nobody")


def make_world(app: Flask) -> None:
    with app.app_context():
        with write_unit():
            rooms = _rooms()
            children = _children(rooms)
            _groups(rooms, children["Miaqua"])
            _adults(rooms, children)
            _voices(rooms)
        for child_id in children.values():
            matches.start_match(child_id)
        matches.start_practice(children["Miaqua"], "classic", at_home=True)
        round_id = play_out(children["Benquill"])
        for class_id in rooms.values():
            moments.keep(class_id, round_id, 1, None)
        with write_unit():
            db.session.execute(delete(AuditEntry))  # nobody has done anything yet
        with write_unit():  # because the cards of the round may have allowed no evidence
            answer = row(practice=True, day=clock.day(), at=clock.now(), round_id=None)
            evidence_log.append(children["Benquill"], [answer])


def count_all(many: int = 1) -> None:
    """Count the evidence of children with this many new rows or more, as a server's worker does."""
    while children := evidence_log.behind(many):
        for child_id in children:
            evidence_log.count_new(child_id)


def play_out(child_id: int) -> int:
    """Play the child's round to its end with random legal moves; returns its id."""
    round_id = matches.current_round(child_id)
    assert round_id is not None
    seat = rounds.seat_of(round_id, child_id)
    assert seat is not None
    lots = random.Random(7)
    while True:
        background.play_now(round_id)
        table = rounds.table(round_id, seat)
        if table.observation.over:
            return round_id
        action = lots.choice(table.observation.legal)
        rounds.play(round_id, seat, action, secrets.token_hex(8), table.seq)


def _add(row: Any) -> int:
    db.session.add(row)
    db.session.flush()
    return int(row.id)


def _rooms() -> dict[str, int]:
    now = clock.now()
    schools = {
        name: _add(School(name=name, created_at=now)) for name in sorted(set(CLASSES.values()))
    }
    for school_id in schools.values():
        _add(usual_table(school_id))
    return {
        name: _add(
            SchoolClass(
                school_id=schools[school],
                name=name.title() + "qroom",
                code=f"10000{number}",
                opened_until=now + YEAR,
                home_on=True,
                home_from=0,
                home_until=24 * 60,
                created_at=now,
            )
        )
        for number, (name, school) in enumerate(CLASSES.items())
    }


def _children(rooms: dict[str, int]) -> dict[str, int]:
    animals = dict(zip(CHILDREN, ("fox", "owl", "bear", "frog"), strict=True))
    return {
        name: _add(
            Child(
                class_id=rooms[room],
                name=name,
                animal=animals[name],
                pad=1,
                created_at=clock.now(),
            )
        )
        for name, room in CHILDREN.items()
    }


def _groups(rooms: dict[str, int], member: int) -> None:
    """Make a group in each class, with this child in the first."""
    made = [
        _add(ChildGroup(class_id=class_id, name=f"{name.title()}qgroup", created_at=clock.now()))
        for name, class_id in rooms.items()
    ]
    db.session.add(GroupMember(child_id=member, group_id=made[0]))


def _adults(rooms: dict[str, int], children: dict[str, int]) -> None:
    schools = {row.name: row.id for row in db.session.scalars(select(School))}
    hashed = passwords.hash_of(PASSWORD)

    def adult(login: str, role: str) -> int:
        return _add(
            Adult(
                school_id=schools[SCHOOL_OF[login]],
                role=role,
                login=login,
                name=login.title() + "qadult",
                password_hash=hashed,
                created_at=clock.now(),
                ends_at={"eddy": clock.now() + YEAR, "past": clock.now() - 1}.get(login),
            )
        )

    adults = {login: adult(login, role) for login, role in STAFF.items()}
    for login, room in TEACHES.items():
        if room:
            db.session.add(ClassTeacher(class_id=rooms[room], adult_id=adults[login], since=0.0))
    for login, child in PARENTS.items():
        adult_id = adult(login, "parent")
        db.session.add(
            FamilyLink(adult_id=adult_id, child_id=children[child], created_at=clock.now())
        )


def _voices(rooms: dict[str, int]) -> None:
    """A teacher of each class lends it a voice, which has one word."""
    adults = {row.login: row for row in db.session.scalars(select(Adult))}
    for login, room in READERS.items():
        reader, now = adults[login], clock.now()
        pack_id = _add(
            VoicePack(
                school_id=reader.school_id, class_id=rooms[room], adult_id=reader.id, language="en",
                role="teacher", licence="free", created_at=now, agreed_at=now, changes=1,
            )
        )  # fmt: skip
        sound = (ROOT / "static" / "voice" / "yes.mp3").read_bytes()
        piece = {"name": "yes", "words": "Yes!", "sound": sound, "loudness": -16.0}
        db.session.add(VoicePiece(pack_id=pack_id, **piece, ms=600, at=now))


class AnyText:
    """An answer whose text can be read even if it is a sound or an archive."""

    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode(errors="replace")


@dataclass(frozen=True)
class World:
    """The world of one test: its app, and the ids of all people and things by name."""

    app: Flask
    classes: dict[str, int]
    children: dict[str, int]
    adults: dict[str, int]
    rounds: dict[str, int]
    groups: dict[str, int]
    moments: dict[str, int]
    voices: dict[str, int]

    @classmethod
    def of(cls, app: Flask) -> World:
        with app.app_context():
            found = db.session.execute
            children = {row.name: row.id for row in db.session.scalars(select(Child))}
            rooms = [row.id for row in db.session.scalars(select(SchoolClass).order_by("id"))]
            adults = {row.login: row.id for row in db.session.scalars(select(Adult))}
            rounds = [row.id for row in found(select(Round.id).order_by(Round.id))]
            groups = list(db.session.scalars(select(ChildGroup.id).order_by(ChildGroup.id)))
            kept = list(db.session.scalars(select(Moment.id).order_by(Moment.id)))
            packs = list(db.session.scalars(select(VoicePack.id).order_by(VoicePack.id)))
            db.session.rollback()
        return cls(
            app,
            dict(zip(CLASSES, rooms, strict=True)),
            children,
            adults,
            dict(zip((*CHILDREN, "Miaqua at home"), rounds, strict=True)),
            dict(zip(CLASSES, groups, strict=True)),
            dict(zip(CLASSES, kept, strict=True)),
            dict(zip(CLASSES, packs, strict=True)),
        )

    def at(self, app: Flask) -> World:
        """This world in the app of a copy of its database."""
        return replace(self, app=app, rounds=dict(self.rounds))

    def visitor(self, who: str) -> Visitor:
        """A browser of one of PEOPLE, or of a child or adult by name."""
        client = self.app.test_client()
        client.response_wrapper = type("Shown", (AnyText, client.response_wrapper), {})
        device = secrets.token_hex(16)
        client.set_cookie("school-device", device)
        whose = self._ended_account() if who == "ended account" else self._whose(who)
        if whose:
            with self.app.app_context():
                with write_unit():
                    token = sessions.start(device, **whose)
                    if who == "tablet":
                        self._share(token)
                    if who == "ended account":
                        db.session.execute(delete(Adult).where(Adult.id == whose["adult_id"]))
                if who.startswith("ended "):
                    with write_unit():
                        sessions.end(sessions.find(token).session_id)
            client.set_cookie("school", token)
        if who == "monitor":
            client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {MONITORS_TOKEN}"
        return Visitor(client)

    def _share(self, token: str) -> None:
        """Let Miaqua and Benquill share the device with this token, in place of any other device,
        and raise the hand of the child whose turn it is."""
        if db.session.get(Round, self.rounds.get("tablet", 0)) is None:  # of this copy's database
            sitters = [self.children["Miaqua"], self.children["Benquill"]]
            rules = deck_rules(GAMES["classic"], 2, matches.SMALLEST)
            with stacked(shuffled(rules, random.Random(7)), 0):
                self.rounds["tablet"] = matches.together(
                    self.classes["sunfish"], "classic", sitters, shared=True
                )
        match_id = matches.of_round(self.rounds["tablet"])
        here = Session.id == sessions.find(token).session_id
        db.session.execute(update(Session).values(match_id=None).where(~here))
        up = rounds.table(self.rounds["tablet"], rounds.WATCHER).observation.turn
        db.session.execute(update(Session).values(match_id=match_id, shown=up).where(here))

    def _ended_account(self) -> dict[str, int]:
        """Make an account, which `visitor` deletes once its browser is signed in."""
        with self.app.app_context(), write_unit():
            row = db.session.get_one(Adult, self.adults["lake"])
            login, made = secrets.token_hex(8), clock.now()
            other = Adult(
                school_id=row.school_id,
                role="admin",
                login=login,
                name=login,
                password_hash="",
                created_at=made,
            )
            return {"adult_id": _add(other)}

    def _whose(self, who: str) -> dict[str, int]:
        who = who.removeprefix("ended ")
        who = {"child": "Miaqua", "teacher": "lake"}.get(who, who)
        if "home" in who:
            mia = self.children["Miaqua"]
            there = {"child_id": mia} if who == "Miaqua at home" else {}
            return {"home_id": mia, "home_by": self.adults["reed"]} | there
        if who in self.children:
            room = self.classes[CHILDREN[who]]
            return {"class_id": room, "child_id": self.children[who]}
        if who in self.adults:
            return {"adult_id": self.adults[who]}
        return {"class_id": self.classes["sunfish"]} if who in ("device", "tablet") else {}

    def rows(self, without: frozenset[str] = frozenset()) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table, except the tables and table.columns in `without`."""
        found = {}
        with self.app.app_context():
            for table in Base.metadata.sorted_tables:
                if table.name in without:
                    continue
                kept = [c for c in table.c if f"{table.name}.{c.name}" not in without]
                rows = db.session.execute(select(*kept).order_by(*table.primary_key))
                found[table.name] = [tuple(map(str, row)) for row in rows]
            db.session.rollback()
        return found


@dataclass(frozen=True)
class Visitor:
    """A browser with its cookies, which sends a form as one of our pages would."""

    client: FlaskClient

    def token(self) -> str:
        found = re.search(r'name="token" value="([0-9a-f]+)"', self.client.get("/reset").text)
        assert found, "the page shows no form token"
        return found[1]

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(path, buffered=True, **more)

    def post(self, path: str, fields: dict[str, Any] | None = None, **more: Any) -> TestResponse:
        data = {"token": self.token(), **(fields or {})}
        return self.client.post(path, data=data, **more)


def same(answer: TestResponse) -> tuple[int, str, str]:
    """An answer in a form that can be compared with another: without its random parts, and without
    the requested address, which a redirect to the sign-in page repeats."""
    asked = f"wanted={answer.request.path}"
    text = TOKEN.sub(r"\1*\2", answer.text).replace(asked, "wanted=*")
    return answer.status_code, text, answer.headers.get("Location", "").replace(asked, "wanted=*")
