"""The demo school: a teacher, a class of eight, two parents, and three weeks of play.

Nothing in it is entered by hand. Each child is played by a mind with its own memory, through the
services that serve real children, with the clock set to each day. What teachers and parents see
follows from these rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from classroom.database import db, write_unit
from classroom.learning.simulate import SimulatedChild as Learner
from classroom.learning.skills import ASKED
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.player_levels import Level
from classroom.models import Adult, School
from classroom.services.access import first_setup
from classroom.services.base import clock, secrets_
from classroom.services.operation import background
from classroom.services.quiz import posing
from classroom.services.school import classes, families
from classroom.services.table import help, matches, rounds
from classroom.services.table.tables import ViewedTable

WEEKS: Final = 3
SEED: Final = 2026  # decides attendance and thinking times; decks are shuffled as in any school
GAME_DAYS: Final = (0, 2, 4)  # Monday, Wednesday, Friday
COMPUTER_SECONDS: Final = 2.5  # how long a computer player's move takes, as at a real table
LEAVES: Final = 0.04  # share of the questions that are left unanswered
SECOND: Final = 0.7  # chance that a child knows the answer at a further try, not guessing
LESSON_STARTS: Final = 9.5  # hours after midnight, local time


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoChild:
    """A child of the demo class and the mind that plays it.

    `memory`: how it remembers (player_levels.py). `seconds`: how long it thinks about an ask.
    `helps`: the chance that it takes a hint before an ask or an answer; `peeks`: that it looks at
    the board before an ask; `comes`: that it is there on a game day. `rounds`: the most rounds that
    it plays in a day. `counts`: how well it counts, in logits (learning/ratings.py).
    """

    name: str
    animal: str
    age_band: str
    memory: Level
    seconds: float
    helps: float
    peeks: float
    comes: float
    rounds: int
    counts: float

    @property
    def learner(self) -> Learner:
        """The same child as it answers questions: better at some skills than at others."""
        levels = {
            skill: self.counts + Random(f"{self.name} {skill}").uniform(-0.6, 0.6)
            for skill in ASKED
        }
        return Learner(levels=levels, span=float(self.memory.span or 12), names=0.4)


def _mind(span: int | None, decay: float, slip: float) -> Level:
    return Level(
        key="pupil",
        name="Pupil",
        sentence="A child of the demo class.",
        span=span,
        decay=decay,
        blur=0.15,
        slip=slip,
    )


# fmt: off
CHILDREN: Final = (
    DemoChild(name="Mia", animal="fox", age_band="6-7", memory=_mind(6, 0.05, 0.05),
              seconds=6.0, helps=0.03, peeks=0.05, comes=0.95, rounds=2, counts=1.2),
    DemoChild(name="Ben", animal="bear", age_band="4-5", memory=_mind(2, 0.25, 0.20),
              seconds=9.0, helps=0.25, peeks=0.10, comes=0.90, rounds=1, counts=0.0),
    DemoChild(name="Ruby", animal="rabbit", age_band="6-7", memory=_mind(4, 0.10, 0.10),
              seconds=7.0, helps=0.08, peeks=0.20, comes=0.90, rounds=2, counts=0.8),
    DemoChild(name="Noor", animal="owl", age_band="6-7", memory=_mind(None, 0.01, 0.02),
              seconds=5.0, helps=0.00, peeks=0.02, comes=0.95, rounds=2, counts=2.0),
    DemoChild(name="Theo", animal="turtle", age_band="4-5", memory=_mind(1, 0.40, 0.45),
              seconds=11.0, helps=0.35, peeks=0.05, comes=0.80, rounds=1, counts=-0.8),
    DemoChild(name="Lina", animal="duck", age_band="4-5", memory=_mind(3, 0.15, 0.15),
              seconds=8.0, helps=0.10, peeks=0.25, comes=0.90, rounds=1, counts=0.4),
    DemoChild(name="Sam", animal="frog", age_band="6-7", memory=_mind(5, 0.08, 0.12),
              seconds=4.0, helps=0.02, peeks=0.00, comes=0.60, rounds=1, counts=0.6),
    DemoChild(name="Ada", animal="penguin", age_band="6-7", memory=_mind(8, 0.04, 0.04),
              seconds=6.5, helps=0.05, peeks=0.08, comes=0.90, rounds=1, counts=1.4),
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


def make(_app: object, progress: Callable[[float], None]) -> None:
    """Fill the empty demo database of the current app; `progress` is called with 0.0 to 1.0."""
    rng = Random(SEED)
    days = list(_game_days())
    with clock.clock_at(days[0] - clock.SECONDS_A_DAY):
        children, parents = _people()
    for number, start in enumerate(days):
        progress(number / len(days))
        if number == len(days) // 2:
            _settle(parents, children, start)
        _lesson(children, start, rng)
    progress(1.0)


def _game_days() -> Iterator[float]:
    """The start of the lesson on each game day of the last three weeks, oldest first."""
    today = clock.local(clock.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    morning = today.timestamp() + LESSON_STARTS * 3600
    for ago in range(7 * WEEKS, 0, -1):
        start = morning - ago * clock.SECONDS_A_DAY
        if clock.local(start).weekday() in GAME_DAYS:
            yield start


# ---- the people


def _people() -> tuple[dict[str, int], dict[str, int]]:
    """Make the school, its class and its families; returns the children's ids by name and the
    parents' by login. All passwords are random: visitors of the demo school sign in with a tap.
    """
    teacher = first_setup.make_school(
        first_setup.first_code(), "Pond School", "Ms Rivers", "teacher", secrets_.token()
    )
    with write_unit():  # visitors look around a class, not an administrator's pages
        db.session.get_one(Adult, teacher).role = "teacher"
    school_id = db.session.query(School.id).scalar()
    class_id = classes.make_class(teacher, school_id, "Dragonflies")
    children = {
        child.name: classes.add_child(class_id, child.name, child.animal, child.age_band, teacher)
        for child in CHILDREN
    }
    parents = {
        login: _parent(login, name, [children[child] for child in own], teacher)
        for login, name, own, _ in PARENTS
    }
    return children, parents


def _parent(login: str, name: str, own: list[int], teacher: int) -> int:
    codes = [families.make_code(child_id, by=teacher) for child_id in own]
    parent = families.register(codes[0], name, login, secrets_.token())
    for code in codes[1:]:
        families.link(parent, code)
    return parent


def _settle(parents: dict[str, int], children: dict[str, int], at: float) -> None:
    """Have the parents change their children's settings, an hour before this lesson."""
    with clock.clock_at(at - 3600):
        for login, _, own, wish in PARENTS:
            families.change_settings(
                parents[login], children[own[0]], **wish, hints=True, minutes_a_day=None
            )


# ---- the lessons


def _lesson(children: dict[str, int], start: float, rng: Random) -> None:
    """Have every child who comes play one or more rounds, each child at its own table."""
    for child in CHILDREN:
        if rng.random() >= child.comes:
            continue
        watch = ManualClock(start + rng.uniform(0, 240))
        with clock.clock_at(watch):
            for _ in range(rng.randint(1, child.rounds)):
                _round(child, children[child.name], watch, rng)
                watch.pass_(rng.uniform(20, 60))


class ManualClock:
    """A clock that moves only when told to."""

    def __init__(self, at: float) -> None:
        self._at = at

    def __call__(self) -> float:
        return self._at

    def pass_(self, seconds: float) -> None:
        self._at += seconds


def _round(child: DemoChild, child_id: int, watch: ManualClock, rng: Random) -> None:
    round_id = matches.start_match(child_id)
    seat = rounds.seat_of(round_id, child_id)
    assert seat is not None
    while True:
        _friends_play(round_id, watch)
        table = rounds.table(round_id, seat)
        _question(child, child_id, table, seat, watch, rng)
        if table.observation.over:
            return
        played = _turn(child, table, seat, watch, rng)
        if not played.my_turn:
            _question(child, child_id, played, seat, watch, rng)


def _friends_play(round_id: int, watch: ManualClock) -> None:
    while background.play_one(round_id):
        watch.pass_(COMPUTER_SECONDS)


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


def _question(
    child: DemoChild, child_id: int, table: ViewedTable, seat: int, watch: ManualClock, rng: Random
) -> None:
    """If a question comes up, answer it as this child would, perhaps after a hint and with further
    tries if the first answer is wrong, or leave it unanswered."""
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
