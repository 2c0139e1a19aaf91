"""A small school to play in, and a child's browser in it."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, update
from sqlalchemy.engine import Engine
from werkzeug.test import TestResponse

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.engine.actions import Action, Ask
from classroom.engine.cards import Card, deck_of
from classroom.engine.observation import Observation
from classroom.engine.record import action_to_json
from classroom.models import (
    Adult,
    Child,
    ChoicesRow,
    ClassSettings,
    ClassTeacher,
    Player,
    Round,
    School,
    SchoolClass,
)
from classroom.services.access import sessions
from classroom.services.base import clock, secrets_
from classroom.services.table import choices, matches
from classroom.web.child.table_view import TableView
from tests import databases
from tests.statements import share_statements

NAMES = ("Mia", "Ben", "Ada", "Noor", "Theo", "Lina", "Sam", "Ruby")
ANIMALS = ("fox", "bear", "owl", "rabbit", "turtle", "whale", "frog", "duck")
_TOKEN = re.compile(r'name="token" value="([0-9a-f]+)"')
_DRAWN_BY_LOT = re.compile(r'(name="(?:token|key)" value=")[^"]*(")')


@dataclass(frozen=True)
class Classroom:
    """A school with one open class of children, by name."""

    app: Flask
    class_id: int
    children: dict[str, int]

    @property
    def engine(self) -> Engine:
        """The school's database."""
        with self.app.app_context():
            return db.engine


def make_classroom(folder: Path, children: int = 2, **config: Any) -> Classroom:
    """Make a classroom whose school is in this folder."""
    databases.fresh(folder)
    app = create_app(
        {"INSTANCE": str(folder), "LOOK_AROUND": False, "COMPANION_PACE": 0.0} | config
    )
    share_statements(app)
    return fill(app, children)


def fill(app: Flask, children: int = 2) -> Classroom:
    """Put a class of children into an empty school."""
    with app.app_context():
        return _filled(app, children)


def usual_table(school_id: int) -> ChoicesRow:
    """A school's choice: children of every age play at tables of three with ten kinds of card."""
    return ChoicesRow(whose="school", school_id=school_id, opponents=2, deck="short")


def _filled(app: Flask, children: int) -> Classroom:
    now = clock.now()
    with write_unit():
        school = School(name="Pond School", created_at=now)
        db.session.add(school)
        db.session.flush()
        code = secrets_.class_code()
        class_ = SchoolClass(
            school_id=school.id, name="Frogs", code=code, opened_until=now + 1e6, created_at=now
        )
        db.session.add(class_)
        db.session.flush()
        # questions come at random; tests that want one turn them on
        db.session.add(ClassSettings(class_id=class_.id, set_at=now))
        db.session.add(ChoicesRow(whose="class", class_id=class_.id, questions="off"))
        db.session.add(usual_table(school.id))
        made = {}
        for i in range(children):
            name = NAMES[i] if i < len(NAMES) else f"Child {i}"
            animal, pad = ANIMALS[i % len(ANIMALS)], 1 + i // len(ANIMALS) % 4
            child = Child(class_id=class_.id, name=name, animal=animal, pad=pad, created_at=now)
            db.session.add(child)
            db.session.flush()
            made[name] = child.id
    clock.here()  # read once for each database, as when a server starts
    return Classroom(app, class_.id, made)


def settings(child_id: int, **values: Any) -> None:
    """Change these settings of the child."""
    with write_unit():
        row = db.session.scalar(
            select(ChoicesRow).filter_by(child_id=child_id, whose="family")
        ) or ChoicesRow(child_id=child_id, whose="family")
        db.session.add(row)
        for name, value in values.items():
            setattr(row, name, value)


def family_chooses(
    by: int | None,
    child_id: int,
    opponents: int | None,
    level: str | None,
    deck: str | None,
    board: str | None,
    hints: bool | None,
    minutes_a_day: int | None,
) -> None:
    """Have a family choose; None leaves what it chose before, but means no limit of minutes."""
    picks = {"opponents": opponents, "level": level, "deck": deck, "board": board, "hints": hints}
    made = {thing: pick for thing, pick in picks.items() if pick is not None}
    choices.write(by, "family", child_id, made | {"minutes_a_day": minutes_a_day})


@contextmanager
def stacked(deck: Sequence[Card], dealer: int) -> Iterator[None]:
    """Deal every round inside the block from this deck, by this dealer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matches, "shuffled", lambda _rules, _rng: list(deck))
        patch.setattr(matches._random, "randrange", lambda *_: dealer)
        yield


def re_deal(round_id: int, **values: Any) -> None:
    """Change the row of a round behind the app's back, as restoring a backup would."""
    with write_unit():
        db.session.execute(update(Round).where(Round.id == round_id).values(**values))


def seeds(match_id: int, *seeds: int) -> None:
    """Give the computer players in seats 1, 2, ... of a match these seeds."""
    with write_unit():
        for seat, seed in enumerate(seeds, 1):
            db.session.execute(
                update(Player)
                .where(Player.match_id == match_id, Player.seat == seat)
                .values(seed=seed)
            )


@dataclass
class Browser:
    """A child's browser: its cookies, the form token of the last page, and what pages have
    shown."""

    client: FlaskClient
    token: str = ""
    htmx: bool = True
    keeps: bool = False  # its pages keep the last picture, so the server sends only what changed
    answers: list[TestResponse] = field(default_factory=list)

    def get(self, path: str, **headers: str) -> TestResponse:
        return self._kept(self.client.get(path, headers=headers))

    def post(self, path: str, *, htmx: bool | None = None, **fields: Any) -> TestResponse:
        """Send a form with the token; the field `class_` is sent as `class`."""
        data = {"token": self.token} | {name.rstrip("_"): value for name, value in fields.items()}
        headers = {"HX-Request": "true"} if (self.htmx if htmx is None else htmx) else {}
        if headers and self.keeps:
            headers["HX-Told"] = "1"
        return self._kept(self.client.post(path, data=data, headers=headers))

    def ask(
        self, round_id: int, target: Any, class_: str, seen: int, key: str = ""
    ) -> TestResponse:
        return self.post(
            f"/play/rounds/{round_id}/asks",
            target=target,
            class_=class_,
            seen=seen,
            key=key or secrets.token_hex(8),
        )

    def move(self, round_id: int, action: Action, seen: int, key: str = "") -> TestResponse:
        """Send an action as the table's forms do."""
        data = action_to_json(action)
        kind = data.pop("type")
        if isinstance(data.get("show"), bool):
            data["show"] = "yes" if data["show"] else "no"
        if "cards" in data:
            data["cards"] = " ".join(data["cards"])
        path = f"/play/rounds/{round_id}/{'asks' if kind == 'ask' else 'actions'}"
        return self.post(path, type=kind, seen=seen, key=key or secrets.token_hex(8), **data)

    def _kept(self, answer: TestResponse) -> TestResponse:
        self.answers = [*self.answers[-2_000:], answer]
        found = _TOKEN.search(answer.text)
        if found:
            self.token = found[1]
        return answer


def browser(classroom: Classroom, name: str = "Mia") -> Browser:
    """A browser in which this child is signed in."""
    with classroom.app.app_context():
        kept = signed_in(class_id=classroom.class_id, child_id=classroom.children[name])
    return Browser(client_with(classroom.app, kept))


def signed_in(**who: int) -> dict[str, str]:
    """The cookies of a device on which a child (class_id, child_id) or adult (adult_id) has just
    signed in."""
    device = secrets.token_hex(16)
    with write_unit():
        return {"school": sessions.start(device, **who), "school-device": device}


def client_with(app: Flask, cookies: dict[str, str]) -> FlaskClient:
    client = app.test_client()
    for name, value in cookies.items():
        client.set_cookie(name, value)
    return client


def teacher_of(class_id: int) -> int:
    """Make a teacher of this class, and of no other. Returns the id."""
    with write_unit():
        school_id = db.session.get_one(SchoolClass, class_id).school_id
        teacher = Adult(
            school_id=school_id, role="teacher", login=secrets.token_hex(4), name="Lake",
            password_hash="", created_at=clock.now(),
        )  # fmt: skip
        db.session.add(teacher)
        db.session.flush()
        db.session.add(ClassTeacher(class_id=class_id, adult_id=teacher.id))
        return teacher.id


def without_random_parts(page: str) -> str:
    """A page without the random parts of each answer: form tokens and keys of taps."""
    return _DRAWN_BY_LOT.sub(r"\1*\2", page)


# ---- what a page shows

_BUTTON = re.compile(r"<button ([^>]*)>(.*?)</button>", re.DOTALL)
_COUNT = re.compile(r'class="fan__count">(\d+)<')
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')


@dataclass(frozen=True)
class Shown:
    """What a child can read on the page of a table.

    `v`: the last move shown; `fans`: the number of cards of each class in the hand; `classes`,
    `targets`: what can be tapped; `sizes`: the others' numbers of cards, by seat; `pond`: its
    number of cards, None if no number is shown. After the end only `v` and `over` mean anything.
    """

    v: int
    over: bool
    fans: dict[str, int]
    classes: tuple[str, ...]
    targets: tuple[int, ...]
    sizes: dict[int, int]
    pond: int | None
    token: str

    @property
    def my_turn(self) -> bool:
        return bool(self.classes and self.targets)


def shown(page: str) -> Shown:
    """Read a table's page, the part of it that htmx swaps, or the news about it."""
    main = dict(_ATTRIBUTE.findall(re.findall(r'<\w+ [^>]*id="(?:table|told)"[^>]*>', page)[0]))
    fans, classes, targets, sizes = {}, [], [], {}
    for text, inner in _BUTTON.findall(page):
        button = dict(_ATTRIBUTE.findall(text))
        can = button.get("aria-disabled") != "true"
        if "data-fan" in button:
            fans[button["data-fan"]] = int((_COUNT.findall(inner) or ["1"])[0])
            classes += button["data-options"].split() if can else []
        elif button.get("name") == "target":
            seat = int(button["value"])
            label = button.get("aria-label", inner)  # earlier versions say it in an attribute
            sizes[seat] = int(re.findall(r": (\d+) card", label)[0])
            targets += [seat] * can
    pond = re.findall(r'class="pond__n">(\d+)<', page)
    token = _TOKEN.search(page)
    return Shown(
        v=int(main["data-v"]),
        over=main.get("data-next") == "over",
        fans=fans,
        classes=tuple(classes),
        targets=tuple(targets),
        sizes=sizes,
        pond=int(pond[0]) if pond else None,
        token=token[1] if token else "",
    )


def same_table(found: Shown, seen: Observation) -> None:
    """Check that a page showed the table as its viewer sees it."""
    assert (found.v, found.over) == (seen.seq, seen.over)
    if seen.over:
        return
    assert found.pond == (seen.stock_size if seen.stock_size <= TableView.most_counted else None)
    assert found.sizes == {s: n for s, n in enumerate(seen.hand_sizes) if s != seen.viewer}
    if seen.rules.deck_kind != "french" or seen.rules.ask_what == "card":
        return
    deck = deck_of(seen.rules)
    assert found.fans == Counter(deck.class_of(card) for card in seen.hand)
    legal = [action for action in seen.legal if isinstance(action, Ask)]
    assert set(found.classes) == {action.class_ for action in legal}
    targets = {action.target for action in legal}
    assert set(found.targets) == (set(range(1, seen.seats)) if targets == {"all"} else targets)
