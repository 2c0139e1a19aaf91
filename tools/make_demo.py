"""Play the demo school: a teacher, an administrator, a class of 25, two parents, three weeks.

`python -m tools.make_demo` writes its rows to the file that each demo school is read from
(classroom/services/operation/look_around.py). It takes a minute or two. Run it for a release, and
when tests/services/test_demo_rows.py finds that the file does not suit the program any more.

Nothing in it is entered by hand. Each child is played by a mind with its own memory, through the
services that serve real children, with the clock set to each day. What teachers and parents see
follows from these rounds. Children sit at tables together, as in a lesson, so that each move is
one of theirs and 25 children take little longer than eight would, each with computer players.
"""

from __future__ import annotations

import json
import lzma
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from sqlalchemy import select

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.learning.skills import ASKED
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import PlayerLevel
from classroom.models import Adult
from classroom.services.access import accounts, invitations
from classroom.services.base import clock, secrets_
from classroom.services.operation import background, look_around
from classroom.services.quiz import posing
from classroom.services.school import classes, family_links
from classroom.services.table import choices, help, matches, rounds
from classroom.services.table.rounds import ViewedTable
from tools.simulate import SimulatedChild as Learner

WEEKS: Final = 3
SEED: Final = 2026  # decides attendance and thinking times; decks are shuffled as in any school
COMPUTER_SECONDS: Final = 2.5  # how long a computer player's move takes, as at a real table
LEAVES: Final = 0.04  # share of the questions that are left unanswered
SECOND: Final = 0.7  # chance that a child knows the answer at a further try, not guessing
SEATS: Final = 4  # most children at a table
GAME: Final = "classic"
AGAIN: Final = 0.15  # chance that a table plays a second round in a lesson
LESSON_STARTS: Final = 9.5  # hours after midnight, local time

# What follows from the key of the database in which it was made, and means nothing in another one.
KEYED: Final = {"audit", "family_codes", "invitations"}


@dataclass(frozen=True, slots=True)
class DemoChild:
    """A child of the demo class and the mind that plays it.

    `counts`: how well it counts, in logits (learning/beliefs.py). `span`: how many asks it
    remembers. `seconds`: how long it thinks about an ask. `comes`: the chance that it is there on a
    game day; `away`: how many of the last game days it is ill. `helps`: the chance that it takes a
    hint before an ask or an answer; `peeks`: that it looks at the board before an ask.
    """

    name: str
    animal: str
    age_band: str
    counts: float
    span: int
    seconds: float
    comes: float = 0.9
    away: int = 0
    helps: float = 0.05
    peeks: float = 0.05

    @property
    def learner(self) -> Learner:
        """The child as it answers questions: better at some skills than at others."""
        levels = {
            skill: self.counts + Random(f"{self.name} {skill}").uniform(-0.6, 0.6)
            for skill in ASKED
        }
        return Learner(levels=levels, span=float(self.span), names=0.4)

    @property
    def memory(self) -> PlayerLevel:
        """The same child as it plays: the less it remembers, the more it mixes up."""
        return PlayerLevel(
            key="pupil",
            name="Pupil",
            sentence="A child of the demo class.",
            span=self.span,
            decay=0.4 / self.span,
            blur=0.15,
            slip=0.4 / self.span,
        )


# fmt: off
CHILDREN: Final = (
    DemoChild("Ada", "penguin", "6-7", 1.4, 8, 6.5),
    DemoChild("Amir", "whale", "5-6", 1.0, 6, 6.0),
    DemoChild("Ben", "bear", "5-6", 0.4, 2, 9.0, helps=0.1, peeks=0.1),
    DemoChild("Clara", "cat", "6-7", 0.9, 5, 7.0),
    DemoChild("Elif", "mouse", "5-6", -0.9, 3, 10.0, comes=0.7, helps=0.2),
    DemoChild("Emma", "owl", "6-7", 1.1, 5, 7.0),
    DemoChild("Finn", "duck", "5-6", 0.7, 4, 5.0, peeks=0.2),
    DemoChild("Hana", "rabbit", "6-7", 1.9, 9, 6.0, comes=0.95),
    DemoChild("Ivy", "hedgehog", "5-6", 1.7, 6, 7.0),
    DemoChild("Jack", "fox", "6-7", 2.1, 5, 4.5),
    DemoChild("Kofi", "frog", "6-7", 1.3, 6, 6.0),
    DemoChild("Leo", "frog", "5-6", 1.2, 4, 8.0),
    DemoChild("Lina", "duck", "5-6", 0.6, 3, 8.0, comes=0.95, peeks=0.25),
    DemoChild("Maya", "whale", "6-7", 0.6, 7, 6.5),
    DemoChild("Mia", "fox", "6-7", 1.2, 6, 6.0, comes=0.95, helps=0.03),
    DemoChild("Noor", "owl", "6-7", 2.6, 30, 5.0, comes=0.95, helps=0.0, peeks=0.02),
    DemoChild("Oscar", "penguin", "5-6", 2.0, 7, 5.5),
    DemoChild("Priya", "cat", "6-7", 1.8, 4, 7.0),
    DemoChild("Rosa", "hedgehog", "5-6", 0.5, 5, 8.0),
    DemoChild("Ruby", "rabbit", "6-7", 0.8, 4, 7.0, helps=0.08, peeks=0.2),
    DemoChild("Sam", "turtle", "6-7", -0.4, 5, 4.0, comes=0.75, away=4, peeks=0.0),
    DemoChild("Theo", "turtle", "5-6", -0.8, 1, 11.0, comes=0.85, helps=0.35),
    DemoChild("Tomas", "bear", "6-7", 0.3, 4, 6.0, comes=0.7, away=4),
    DemoChild("Yusuf", "mouse", "5-6", 1.5, 6, 6.0),
    DemoChild("Zoe", "rabbit", "6-7", 1.6, 6, 6.5),
)
# fmt: on

# Login, name, children, and the settings of the first child from the middle game day on.
PARENTS: Final[tuple[tuple[str, str, tuple[str, ...], dict[str, Any]], ...]] = (
    (
        "alex",
        "Alex",
        ("Mia",),
        {"opponents": 3, "level": "perch", "deck": "short", "board": "off"},
    ),
    (
        "sofia",
        "Sofia",
        ("Ben", "Lina"),
        {"opponents": 1, "level": "minnow", "deck": "small", "board": "peek"},
    ),
)


def main() -> None:
    os.environ["TZ"] = look_around.ZONE  # the dates in the file are dates in this time zone
    time.tzset()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "demo-1.db"
        app = create_app({"INSTANCE": folder, "DEMO": True, "DATABASE_URI": f"sqlite:///{file}"})
        with app.app_context():
            make(lambda share: print(f"{share:.0%}", flush=True))
            write(look_around.ROWS)
            db.engine.dispose()


def write(file: Path) -> None:
    """Write the rows of the current app's database to this file."""
    rows = {}
    for table in db.metadata.sorted_tables:
        found = db.session.execute(select(table)).mappings().all()
        names = [column.name for column in table.columns if column.name != "ends_day"]
        kept = [name for name in names if any(one[name] is not None for one in found)]
        if found and table.name not in KEYED:
            rows[table.name] = {name: [one[name] for one in found] for name in kept}
    days = sorted(set(rows["child_rounds"]["day"]))
    text = json.dumps({"days": days, "rows": rows}, separators=(",", ":"))
    file.write_bytes(lzma.compress(text.encode(), preset=9))


def make(progress: Callable[[float], None]) -> None:
    """Fill the empty demo database of the current app; `progress` is called with 0.0 to 1.0."""
    rng = Random(SEED)
    days = list(_game_days())
    with clock.clock_at(days[0] - clock.SECONDS_A_DAY):
        class_id, children, parents = _people()
    for number, start in enumerate(days):
        progress(number / len(days))
        if number == len(days) // 2:
            _settle(parents, children, start)
        there = [
            child
            for child in CHILDREN
            if rng.random() < child.comes and number < len(days) - child.away
        ]
        _lesson(class_id, [(child, children[child.name]) for child in there], start, rng)
    progress(1.0)


def _game_days() -> Iterator[float]:
    """The start of the lesson on each game day of the last three weeks, oldest first."""
    for day in look_around.game_days(len(look_around.GAME_DAYS) * WEEKS):
        yield clock.begin_of(day) + LESSON_STARTS * 3600


# ---- the people


def _people() -> tuple[int, dict[str, int], dict[str, int]]:
    """Make the school, its class and its families; returns the class, the children's ids by name
    and the parents' by login. All passwords are random: visitors sign in with a tap."""
    head = accounts.make_school(
        accounts.first_code(), "Pond School", "Mr Hill", "head", secrets_.token()
    )
    school_id = db.session.get_one(Adult, head).school_id
    invited = invitations.make(school_id, head, "teacher")
    teacher = invitations.register(invited, "Ms Rivers", "teacher", secrets_.token())
    class_id = classes.make_class(teacher, school_id, "Dragonflies")
    children = {
        child.name: classes.add_child(class_id, child.name, child.animal, child.age_band, teacher)
        for child in CHILDREN
    }
    parents = {
        login: _parent(login, name, [children[child] for child in own], teacher)
        for login, name, own, _ in PARENTS
    }
    return class_id, children, parents


def _parent(login: str, name: str, own: list[int], teacher: int) -> int:
    codes = [family_links.make_code(child_id, by=teacher) for child_id in own]
    parent = family_links.register(codes[0], name, login, secrets_.token())
    for code in codes[1:]:
        family_links.link(parent, code)
    return parent


def _settle(parents: dict[str, int], children: dict[str, int], at: float) -> None:
    """Have the parents change their children's settings, an hour before this lesson."""
    with clock.clock_at(at - 3600):
        for login, _, own, wish in PARENTS:
            choices.write(parents[login], "family", children[own[0]], {**wish, "hints": True})


# ---- the lessons

Pupil = tuple[DemoChild, int]  # a child of the class, and its id


def _lesson(class_id: int, there: list[Pupil], start: float, rng: Random) -> None:
    """Have the children who are there play a round at tables of up to four."""
    rng.shuffle(there)
    tables = -(-len(there) // SEATS)
    for at in range(tables):
        watch = ManualClock(start + rng.uniform(0, 240))
        with clock.clock_at(watch):
            for _ in range(1 + (rng.random() < AGAIN)):
                _round(class_id, there[at::tables], watch, rng)
                watch.pass_(rng.uniform(20, 60))


class ManualClock:
    """A clock that moves only when told to."""

    def __init__(self, at: float) -> None:
        self._at = at

    def __call__(self) -> float:
        return self._at

    def pass_(self, seconds: float) -> None:
        self._at += seconds


def _round(class_id: int, pupils: list[Pupil], watch: ManualClock, rng: Random) -> None:
    """Play one round. Questions come while others move, and at the end."""
    ids = [child_id for _, child_id in pupils]
    with write_unit():
        sitters = [*ids, *[None] * (2 - len(ids))]  # a child who is left over plays with a friend
        round_id = matches.together(class_id, GAME, sitters)
    turn: int | None = rounds.table(round_id, 0).observation.turn
    while turn is not None:
        if turn >= len(pupils):
            watch.pass_(COMPUTER_SECONDS)
            background.play_now(round_id)
            turn = rounds.table(round_id, 0).observation.turn
            continue
        played = _turn(pupils[turn][0], rounds.table(round_id, turn), turn, watch, rng)
        if not played.my_turn and not played.observation.over:
            _question(pupils[turn], played, turn, watch, rng)
        turn = played.observation.turn
    for seat, pupil in enumerate(pupils):
        _question(pupil, rounds.table(round_id, seat), seat, watch, rng)


def _turn(
    child: DemoChild, table: ViewedTable, seat: int, watch: ManualClock, rng: Random
) -> ViewedTable:
    """Take one action for the child, chosen by its mind, perhaps after taking help."""
    watch.pass_(child.seconds * rng.uniform(0.5, 1.8))
    if table.board != "off" and rng.random() < child.peeks:
        help.opened_board(table.round_id, seat)
    if table.hints and rng.random() < child.helps:
        help.hint(table.round_id, seat)
    action = choose(table.observation, child.memory, rng, memory_seed=table.round_id)
    key = f"demo{table.seq}"
    return rounds.play(table.round_id, seat, action, key, table.seq)


def _question(pupil: Pupil, table: ViewedTable, seat: int, watch: ManualClock, rng: Random) -> None:
    """If a question comes up, answer it as this child would, perhaps after a hint and with further
    tries if the first answer is wrong, or leave it unanswered."""
    child, child_id = pupil
    put = posing.put(table.round_id, child_id, seat, table.seq)
    if put is None:
        return
    here = (table.round_id, child_id, put.seq)
    question = posing.in_full(*here)
    watch.pass_(rng.uniform(0.6, 1.4) * child.seconds / 2)
    if rng.random() < LEAVES:
        posing.leave(*here)
        return
    if rng.random() < child.helps:
        posing.hint(*here)
    place = child.learner.answer(question, rng)
    while place in put.offered:
        put = posing.answer(*here, place, f"demo{len(put.tried)}")
        watch.pass_(rng.uniform(2, 5))
        place = question.right if rng.random() < SECOND else rng.choice(put.offered or (-1,))


if __name__ == "__main__":
    main()
