"""The demo school: a teacher, a class of eight, two parents, and three weeks that were played.

Nothing in it is written in by hand. Each child is played by a mind with a memory of its own,
through the same services that serve real children, by a clock that is set to the day. What
teachers and parents see is what these rounds left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from classroom.database import db
from classroom.learning.simulate import Pupil as Learner
from classroom.learning.skills import ASKED
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.levels import Level
from classroom.models import School
from classroom.services.access import first_setup
from classroom.services.base import clock, secrets_
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.school import classes, families
from classroom.services.table import help, matches, rounds
from classroom.services.table.tables import ViewedTable

WEEKS: Final = 3
SEED: Final = 2026  # who comes when and thinks how long; the decks are shuffled as always
GAME_DAYS: Final = (0, 2, 4)  # Monday, Wednesday, Friday
COMPUTER_SECONDS: Final = 2.5  # a computer player's move, as long as at a real table
LEAVES: Final = 0.04  # of the questions are left alone
SECOND: Final = 0.7  # chance that a second look at a question finds it
LESSON_STARTS: Final = 9.5  # o'clock


@dataclass(frozen=True, slots=True)
class Pupil:
    """A child of the demo class and the mind that plays it.

    `memory`: how it remembers (minds.levels). `seconds`: how long it thinks about an ask.
    `helps`: chance to take a hint before an ask; `peeks`: to look at the board.
    `comes`: chance to be there on a game day; `rounds`: at most so many a day. `counts`: how well
    it counts, in logits (learning.ratings).
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
        """The same child before a question: some skills come easier to it than others."""
        levels = {
            skill: self.counts + Random(f"{self.name} {skill}").uniform(-0.6, 0.6)
            for skill in ASKED
        }
        return Learner(levels=levels, span=float(self.memory.span or 12), names=0.4)


def _mind(span: int | None, decay: float, slip: float) -> Level:
    return Level("pupil", "Pupil", "A child of the demo class.", span, decay, 0.15, slip, 0)


PUPILS: Final = (
    Pupil("Mia", "fox", "6-7", _mind(6, 0.05, 0.05), 6.0, 0.03, 0.05, 0.95, 2, 1.2),
    Pupil("Ben", "bear", "4-5", _mind(2, 0.25, 0.20), 9.0, 0.25, 0.10, 0.90, 1, 0.0),
    Pupil("Ruby", "rabbit", "6-7", _mind(4, 0.10, 0.10), 7.0, 0.08, 0.20, 0.90, 2, 0.8),
    Pupil("Noor", "owl", "6-7", _mind(None, 0.01, 0.02), 5.0, 0.00, 0.02, 0.95, 2, 2.0),
    Pupil("Theo", "turtle", "4-5", _mind(1, 0.40, 0.45), 11.0, 0.35, 0.05, 0.80, 1, -0.8),
    Pupil("Lina", "duck", "4-5", _mind(3, 0.15, 0.15), 8.0, 0.10, 0.25, 0.90, 1, 0.4),
    Pupil("Sam", "frog", "6-7", _mind(5, 0.08, 0.12), 4.0, 0.02, 0.00, 0.60, 1, 0.6),
    Pupil("Ada", "penguin", "6-7", _mind(8, 0.04, 0.04), 6.5, 0.05, 0.08, 0.90, 1, 1.4),
)

# login, name, children, and what they set for the first of them on the second Monday
PARENTS: Final[tuple[tuple[str, str, tuple[str, ...], dict[str, Any]], ...]] = (
    (
        "alex",
        "Alex",
        ("Mia",),
        {"opponents": 3, "level": "perch", "deck": "short", "board": "fading"},
    ),
    (
        "sofia",
        "Sofia",
        ("Ben", "Lina"),
        {"opponents": 1, "level": "minnow", "deck": "small", "board": "peek"},
    ),
)


def make(_app: object, progress: Callable[[float], None]) -> None:
    """Fill the empty demo database of the current app; `progress` hears a share from 0 to 1."""
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
    """When the lesson began on each game day of the last three weeks, oldest first."""
    today = clock.local(clock.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    morning = today.timestamp() + LESSON_STARTS * 3600
    for ago in range(7 * WEEKS, 0, -1):
        start = morning - ago * clock.SECONDS_A_DAY
        if clock.local(start).weekday() in GAME_DAYS:
            yield start


# ---- the people


def _people() -> tuple[dict[str, int], dict[str, int]]:
    """The school, its class and its families; children and parents by name and login.

    Nobody is given a password: the demo's doors open with one tap.
    """
    teacher = first_setup.make_school(
        first_setup.first_code(), "Pond School", "Ms Rivers", "teacher", secrets_.token()
    )
    school_id = db.session.query(School.id).scalar()
    class_id = classes.make_class(teacher, school_id, "Dragonflies")
    question_settings.set_class(teacher, class_id, question_settings.Choice("every_turn"))
    children = {
        pupil.name: classes.add_child(class_id, pupil.name, pupil.animal, pupil.age_band, teacher)
        for pupil in PUPILS
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
    """The parents set something of their own, on a day in the middle."""
    with clock.clock_at(at - 3600):
        for login, _, own, wish in PARENTS:
            families.change_settings(
                parents[login], children[own[0]], **wish, hints=True, minutes_a_day=None
            )


# ---- the lessons


def _lesson(children: dict[str, int], start: float, rng: Random) -> None:
    """Everybody who has come plays a round or more, each at a device of their own."""
    for pupil in PUPILS:
        if rng.random() >= pupil.comes:
            continue
        watch = Watch(start + rng.uniform(0, 240))
        with clock.clock_at(watch):
            for _ in range(rng.randint(1, pupil.rounds)):
                _round(pupil, children[pupil.name], watch, rng)
                watch.pass_(rng.uniform(20, 60))


class Watch:
    """A clock that goes on only when it is told to."""

    def __init__(self, at: float) -> None:
        self._at = at

    def __call__(self) -> float:
        return self._at

    def pass_(self, seconds: float) -> None:
        self._at += seconds


def _round(pupil: Pupil, child_id: int, watch: Watch, rng: Random) -> None:
    round_id = matches.start_match(child_id)
    seat = rounds.seat_of(round_id, child_id)
    assert seat is not None
    while True:
        _friends_play(round_id, watch)
        table = rounds.table(round_id, seat)
        _question(pupil, child_id, table, seat, watch, rng)
        if table.observation.over:
            return
        played = _turn(pupil, table, seat, watch, rng)
        if not played.my_turn:
            _question(pupil, child_id, played, seat, watch, rng)


def _friends_play(round_id: int, watch: Watch) -> None:
    while background.play_one(round_id):
        watch.pass_(COMPUTER_SECONDS)


def _turn(pupil: Pupil, table: ViewedTable, seat: int, watch: Watch, rng: Random) -> ViewedTable:
    """One action of the child, as its mind would have it, after such help as it takes."""
    watch.pass_(pupil.seconds * rng.uniform(0.5, 1.8))
    if table.board != "off" and rng.random() < pupil.peeks:
        help.opened_board(table.round_id, seat)
    if table.hints and rng.random() < pupil.helps:
        help.hint(table.round_id, seat)
    action = choose(table.observation, pupil.memory, rng, memory_seed=table.round_id)
    key = f"demo{table.seq}"
    return rounds.play(table.round_id, seat, action, key, table.seq)


def _question(
    pupil: Pupil, child_id: int, table: ViewedTable, seat: int, watch: Watch, rng: Random
) -> None:
    """If one comes: the child answers as it can, tries again after a slip, or leaves it alone."""
    put = posing.put(table.round_id, child_id, seat, table.seq)
    if put is None:
        return
    here = (table.round_id, child_id, put.seq)
    question = posing.in_full(*here)
    watch.pass_(rng.uniform(0.6, 1.4) * pupil.seconds / 2)
    if rng.random() < LEAVES:
        posing.leave(*here)
        return
    if rng.random() < pupil.helps:
        posing.hint(*here)
    place = pupil.learner.answer(question, rng)
    while place in put.offered:
        put = posing.answer(*here, place, f"demo{len(put.tried)}")
        watch.pass_(rng.uniform(2, 5))
        place = question.right if rng.random() < SECOND else rng.choice(put.offered or (-1,))
