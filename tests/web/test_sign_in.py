"""Guessing is hopeless, and locking somebody out is impossible (PROMISES G2)."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Child, SchoolClass, WrongTry
from classroom.services import (
    audit,
    budgets,
    classes,
    clock,
    gatherings,
    open_tables,
    passwords,
    sessions,
    sign_in,
)
from classroom.services.errors import NotFound, NotNow, Refused
from classroom.services.sessions import Who
from tests.world import PASSWORD, Visitor, World, same

WAYS = 12 * 11 * 10 * 9
LESSON = 45 * 60


@dataclass
class Lesson:
    """A lesson of the sunfish class on a clock of its own, played through the services."""

    world: World
    now: float = field(default_factory=clock.now)

    def device(self, name: str) -> Who:
        room = self.world.classes["sunfish"]
        return Who(kind="device", class_id=room, device=f"{name:0<32}"[:32])

    def tap(self, device: Who, child: str, pictures: tuple[str, ...]) -> str:
        """in, wrong, wait or teacher; the clock is not moved."""
        try:
            with clock.clock_at(self.now):
                sign_in.pictures(device, self.world.children[child], list(pictures))
        except NotNow:
            return "teacher"
        except Refused as refused:
            self.wait = float(str(refused.facts["wait"]))
            return "wait" if refused.code == "wait" else "wrong"
        return "in"

    def right(self, child: str) -> tuple[str, ...]:
        return sign_in.pictures_of(db.session.get_one(Child, self.world.children[child]))


@pytest.fixture
def lesson(world: World):
    with world.app.app_context():
        yield Lesson(world)


def wrong(right: tuple[str, ...]) -> tuple[str, ...]:
    return right[1:] + right[:1]


# ---- the four pictures


def test_the_pictures_of_a_child_are_four_different_ones_and_stay(lesson: Lesson) -> None:
    found = {name: lesson.right(name) for name in lesson.world.children}
    for name, four in found.items():
        assert len(set(four)) == 4
        assert set(four) <= set(sign_in.PICTURES)
        assert lesson.right(name) == four


def test_all_sequences_are_about_as_likely(lesson: Lesson) -> None:
    firsts = [0] * 12
    seen = set()
    for number in range(6_000):
        four = sign_in.pictures_of(Child(id=number, pictures_version=1))
        firsts[sign_in.PICTURES.index(four[0])] += 1
        seen.add(four)
    assert min(firsts) > 400
    assert max(firsts) < 600
    assert len(seen) > 0.75 * WAYS * (1 - (1 - 1 / WAYS) ** 6_000)


def test_new_pictures_are_others_and_the_grid_stays_where_it_was(lesson: Lesson) -> None:
    child = db.session.get_one(Child, lesson.world.children["Miaqua"])
    old, grid = sign_in.pictures_of(child), sign_in.grid(child)
    classes.reset_pictures(child.id)
    child = db.session.get_one(Child, lesson.world.children["Miaqua"])
    assert sign_in.pictures_of(child) != old
    assert sign_in.grid(child) == grid
    assert sorted(grid) == sorted(sign_in.PICTURES)


def test_three_wrong_tries_are_free_then_a_child_waits_5_15_and_30_seconds_and_never_longer(
    lesson: Lesson,
) -> None:
    device, four = lesson.device("a"), lesson.right("Miaqua")
    waits = []
    for _ in range(9):
        assert lesson.tap(device, "Miaqua", wrong(four)) == "wrong"
        waits.append(lesson.wait)
        lesson.now += lesson.wait
    assert waits == [0, 0, 0, 5, 15, 30, 30, 30, 30]


def test_who_taps_too_soon_is_told_to_wait_and_loses_no_try(lesson: Lesson) -> None:
    device, four = lesson.device("a"), lesson.right("Miaqua")
    for _ in range(4):
        lesson.tap(device, "Miaqua", wrong(four))
    assert lesson.tap(device, "Miaqua", four) == "wait"
    assert lesson.wait == 5
    lesson.now += 5
    assert lesson.tap(device, "Miaqua", four) == "in"


def test_who_comes_in_starts_again_without_a_wait(lesson: Lesson) -> None:
    device, four = lesson.device("a"), lesson.right("Miaqua")
    for _ in range(4):
        lesson.tap(device, "Miaqua", wrong(four))
    lesson.now += 5
    assert lesson.tap(device, "Miaqua", four) == "in"
    lesson.tap(device, "Miaqua", wrong(four))
    assert lesson.wait == 0


def test_a_classmate_who_taps_wrong_pictures_for_me_does_not_keep_me_out(lesson: Lesson) -> None:
    mine, theirs, four = lesson.device("mine"), lesson.device("theirs"), lesson.right("Miaqua")
    tapped = 0
    while lesson.tap(theirs, "Miaqua", wrong(four)) != "teacher":
        lesson.now += lesson.wait
        tapped += 1
    assert tapped == budgets.CHILD_A_DEVICE
    assert lesson.tap(mine, "Miaqua", four) == "in"


def test_on_a_device_where_i_was_before_i_can_come_in_whatever_others_tap(lesson: Lesson) -> None:
    four = lesson.right("Miaqua")
    assert lesson.tap(lesson.device("mine"), "Miaqua", four) == "in"
    for number in range(20):
        lesson.tap(lesson.device(f"bad{number}"), "Miaqua", wrong(four))
    assert lesson.tap(lesson.device("bad99"), "Miaqua", four) == "teacher"
    assert lesson.tap(lesson.device("mine"), "Miaqua", four) == "in"


def _attack(lesson: Lesson, devices: int, seconds: float) -> int:
    """How many guesses at one child are looked at, from so many devices, in so long a time."""
    end, looked_at = lesson.now + seconds, 0
    four, next_try = lesson.right("Miaqua"), [lesson.now] * devices
    while lesson.now < end:
        for number in range(devices):
            if next_try[number] > lesson.now:
                continue
            said = lesson.tap(lesson.device(f"bad{number}"), "Miaqua", wrong(four))
            looked_at += said == "wrong"
            next_try[number] = end if said == "teacher" else lesson.now + max(lesson.wait, 2.0)
        lesson.now = min(next_try)
    return looked_at


@pytest.mark.parametrize("devices", [1, 3, 30])
def test_whoever_guesses_gets_at_most_eleven_tries_a_day_at_one_child(
    lesson: Lesson, devices: int
) -> None:
    with clock.clock_at(lesson.now):
        classes.open_class(lesson.world.classes["sunfish"], 240)
    looked_at = _attack(lesson, devices, 4 * 3600)
    assert looked_at <= 11
    assert looked_at / WAYS <= 0.001


def test_from_the_outside_nobody_even_finds_a_door(lesson: Lesson) -> None:
    guesses, device = 0, "outside"
    for number in range(2_000):
        try:
            with clock.clock_at(lesson.now + number * 0.3):  # ten minutes
                sign_in.open_device(f"2{number:05}", f"{device}{number}")
        except Refused as refused:
            guesses += refused.code == "class_not_open"
    assert guesses == budgets.ALL_CODE_TRIES
    day_of_open_class = 6 * 6 * guesses  # six hours, one class open, ten minutes each
    assert day_of_open_class / 10**6 * budgets.CHILD_A_DAY / WAYS < 0.001 / 50


def test_a_child_with_two_wrong_taps_in_five_comes_in_and_never_waits_long(lesson: Lesson) -> None:
    """Each of the four taps is wrong with 40 %; the teacher helps when asked."""
    taps = random.Random(5)
    helped = alone = 0
    for day in range(60):
        lesson.now += clock.SECONDS_A_DAY + 1
        with clock.clock_at(lesson.now):
            classes.open_class(lesson.world.classes["sunfish"], 60)
        device, four = lesson.device(f"day{day}"), lesson.right("Miaqua")
        while True:
            tapped = tuple(
                p if taps.random() > 0.4 else taps.choice(sign_in.PICTURES) for p in four
            )
            said = lesson.tap(device, "Miaqua", tapped)
            if said == "in":
                alone += 1
                break
            if said == "teacher":
                _teacher_taps(lesson, device)
                helped += 1
                break
            assert lesson.wait <= 30
            lesson.now += lesson.wait + 4
    assert alone + helped == 60
    assert alone > 30


def _teacher_taps(lesson: Lesson, device: Who) -> None:
    """One tap of the teacher, and the waiting child is in."""
    child_id = lesson.world.children["Miaqua"]
    with clock.clock_at(lesson.now):
        assert sign_in.come_in(device, child_id) is None
        sign_in.let_in(lesson.world.adults["lake"], child_id)
        assert sign_in.come_in(device, child_id)


def test_sixty_wrong_tries_in_a_class_ask_the_teacher_to_open_again(lesson: Lesson) -> None:
    room = lesson.world.classes["sunfish"]
    with write_unit():
        for _ in range(budgets.CLASS_TRIES):
            budgets.note(f"class:{room}", "x" * 32)
    device, four = lesson.device("a"), lesson.right("Miaqua")
    assert lesson.tap(device, "Miaqua", four) == "teacher"
    classes.open_class(room, 45)
    assert lesson.tap(device, "Miaqua", four) == "in"


def test_the_class_comes_to_itself_after_ten_minutes(lesson: Lesson) -> None:
    with write_unit():
        for _ in range(budgets.CLASS_TRIES):
            budgets.note(f"class:{lesson.world.classes['sunfish']}", "x" * 32)
    lesson.now += budgets.TEN_MINUTES + 1
    assert lesson.tap(lesson.device("a"), "Miaqua", lesson.right("Miaqua")) == "in"


# ---- the teacher's tap


def test_the_tap_lets_in_the_device_that_stands_there_and_no_other(lesson: Lesson) -> None:
    child_id, mine, other = (
        lesson.world.children["Miaqua"],
        lesson.device("mine"),
        lesson.device("other"),
    )
    sign_in.knock(mine, child_id)
    sign_in.let_in(lesson.world.adults["lake"], child_id)
    assert sign_in.come_in(other, child_id) is None
    assert sign_in.come_in(mine, child_id)
    assert sign_in.come_in(mine, child_id) is None  # good for once
    assert audit.verify() is None


def test_without_a_knock_there_is_nobody_to_let_in(lesson: Lesson) -> None:
    with pytest.raises(NotNow, match="nobody_at_the_door"):
        sign_in.let_in(lesson.world.adults["lake"], lesson.world.children["Miaqua"])


def test_an_open_door_closes_again_after_two_minutes(lesson: Lesson) -> None:
    child_id, device = lesson.world.children["Miaqua"], lesson.device("mine")
    start = clock.now()
    with clock.clock_at(start):
        sign_in.knock(device, child_id)
        sign_in.let_in(lesson.world.adults["lake"], child_id)
    with clock.clock_at(start + sign_in.LET_IN_SECONDS):
        assert sign_in.come_in(device, child_id) is None


def test_a_child_of_another_class_is_nobody_here(lesson: Lesson) -> None:
    device = lesson.device("a")
    for child in ("Adaquist", "Zedquorn"):
        with pytest.raises(NotFound):
            sign_in.pictures(device, lesson.world.children[child], list(lesson.right(child)))
        with pytest.raises(NotFound):
            sign_in.knock(device, lesson.world.children[child])


def test_when_the_class_is_closed_right_pictures_open_nothing(lesson: Lesson) -> None:
    row = db.session.get_one(SchoolClass, lesson.world.classes["sunfish"])
    until = row.opened_until
    assert until is not None
    lesson.now = until
    assert lesson.tap(lesson.device("a"), "Miaqua", lesson.right("Miaqua")) == "teacher"


# ---- the door of the class


def test_a_code_that_is_unknown_and_one_that_is_closed_get_the_same_answer(world: World) -> None:
    with world.app.app_context():
        classes.close_class(world.classes["sunfish"])
    pages = []
    for code in ("100000", "999999", "", "fish", "１００００１", "1000019"):
        visitor = world.visitor("nobody")
        answer = visitor.post("/join", {"code": code})
        assert answer.status_code == 404
        pages.append(len(answer.text))
    assert len(set(pages)) == 1


def test_a_code_may_be_typed_with_a_space(world: World) -> None:
    assert world.visitor("nobody").post("/join", {"code": " 100 000 "}).status_code == 303


def test_after_ten_wrong_codes_a_device_waits_a_minute_and_then_may_go_on(world: World) -> None:
    visitor = world.visitor("nobody")
    token = visitor.token()

    def join(code: str) -> int:
        return visitor.client.post("/join", data={"token": token, "code": code}).status_code

    start = clock.now()
    with clock.clock_at(start):
        assert [join("222222") for _ in range(11)] == [404] * 10 + [429]
        assert join("100000") == 429
    with clock.clock_at(start + budgets.CODE_WAIT):
        assert join("100000") == 303


def test_when_all_the_world_guesses_codes_a_known_device_still_comes_in(lesson: Lesson) -> None:
    mine = lesson.device("mine")
    assert lesson.tap(mine, "Miaqua", lesson.right("Miaqua")) == "in"
    with write_unit():
        for number in range(budgets.ALL_CODE_TRIES):
            budgets.note("code", f"{number:032}")
    with pytest.raises(Refused, match="code_wait"):
        sign_in.open_device("100000", "f" * 32)
    assert sign_in.open_device("100000", mine.device)


# ---- adults


def sign(world: World, visitor: Visitor, login: str = "lake", password: str = PASSWORD) -> int:
    return visitor.post("/in", {"login": login, "password": password}).status_code


def test_an_adult_signs_in_whatever_the_capitals_of_the_login(world: World) -> None:
    assert sign(world, world.visitor("nobody"), " LAKE ") == 303


def test_a_wrong_password_and_an_unknown_login_get_the_same_answer(world: World) -> None:
    pages = []
    for login in ("lake", "nobody-here"):
        visitor = world.visitor("nobody")
        answer = visitor.post("/in", {"login": login, "password": "wrong wrong wrong"})
        assert answer.status_code == 401
        pages.append(answer.text.replace(login, "").split('name="token"')[1][150:])
        assert "wrong wrong" not in answer.text
    assert pages[0] == pages[1]


def test_an_unknown_login_costs_as_much_work_as_a_known_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = []
    real = passwords._hasher.verify

    class Counting:
        def __getattr__(self, name: str) -> object:
            return getattr(real.__self__, name)

        def verify(self, *given: str) -> bool:
            work.append(given)
            return real(*given)

    monkeypatch.setattr(passwords, "_hasher", Counting())
    for login in ("lake", "nobody-here"):
        sign(world, world.visitor("nobody"), login, "wrong wrong wrong")
    assert len(work) == 2


def test_five_wrong_passwords_are_free_on_a_known_device_then_waits_double(world: World) -> None:
    visitor = world.visitor("nobody")
    assert sign(world, visitor) == 303
    visitor.post("/out")
    start = clock.now()
    with clock.clock_at(start):
        assert [sign(world, visitor, password="no") for _ in range(6)] == [401] * 5 + [429]
    with clock.clock_at(start + 30):
        assert sign(world, visitor, password="no") == 401
        assert sign(world, visitor) == 429
    with clock.clock_at(start + 90):
        assert sign(world, visitor) == 303
    with clock.clock_at(start + 91):
        visitor.post("/out")
        assert sign(world, visitor, password="no") == 401
        assert sign(world, visitor) == 303


def test_the_longest_wait_of_an_adult_is_a_quarter_of_an_hour() -> None:
    assert max(budgets._login_pause(n) for n in range(1_000)) == 900


def test_strangers_who_guess_do_not_lock_the_owner_out(world: World) -> None:
    known = world.visitor("nobody")
    assert sign(world, known) == 303
    known.post("/out")
    statuses = [sign(world, world.visitor("nobody"), password="no") for _ in range(25)]
    assert statuses == [401] * 20 + [429] * 5
    assert sign(world, world.visitor("nobody")) == 429  # a strange device waits its minute
    assert sign(world, known) == 303


def test_strangers_get_one_try_a_minute_once_the_free_ones_are_gone(world: World) -> None:
    start, tried = clock.now(), 0
    for second in range(0, 3_600, 5):
        with clock.clock_at(start + second), world.app.app_context():
            try:
                sign_in.adult("lake", "no", f"{second:032}")
            except Refused as refused:
                tried += refused.code == "wrong_login"
    assert tried <= 20 + 60


def test_the_log_of_wrong_tries_holds_no_login(world: World) -> None:
    sign(world, world.visitor("nobody"), "my-secret-typed-in-the-wrong-field")
    with world.app.app_context():
        kept = list(db.session.scalars(select(WrongTry.what)))
    assert len(kept) == 1
    assert "secret" not in kept[0]


# ---- through the pages


def test_a_child_signs_in_through_the_pages_without_scripts(world: World) -> None:
    visitor = world.visitor("nobody")
    child = world.children["Miaqua"]
    with world.app.app_context():
        four = sign_in.pictures_of(db.session.get_one(Child, child))
    assert visitor.post("/join", {"code": "100000"}).headers["Location"] == "/animals"
    assert "Miaqua" in visitor.get("/animals").text
    knocked = visitor.post(f"/animals/{child}/knock")
    assert knocked.headers["Location"] == f"/animals/{child}"
    chosen: dict[str, str] = {}
    page = visitor.get(f"/animals/{child}")
    for number, picture in enumerate(four, 1):
        assert f'name="p{number}"' in page.text
        chosen[f"p{number}"] = picture
        page = visitor.post(f"/animals/{child}", chosen)
    assert page.headers["Location"] == "/play/"
    assert visitor.get("/play/").status_code == 200


def test_a_child_whose_friends_wait_comes_right_to_its_table(world: World) -> None:
    mia, ben = world.children["Miaqua"], world.children["Benquill"]
    for name in (mia, ben):
        with world.app.app_context(), write_unit():
            sessions.start(f"{name:032}", class_id=world.classes["sunfish"], child_id=name)
    with world.app.app_context():
        gatherings.make(mia, "classic")
        gatherings.sit(ben, open_tables.friends(ben).tables[0].gathering_id)
        gatherings.ready(mia)
        round_id = gatherings.ready(ben)
        four = sign_in.pictures_of(db.session.get_one(Child, mia))
        db.session.rollback()
    replaced = world.visitor("device")
    chosen = {f"p{number}": picture for number, picture in enumerate(four, 1)}
    answer = replaced.post(f"/animals/{mia}", chosen)
    assert answer.headers["Location"] == f"/play/rounds/{round_id}"
    assert replaced.get(answer.headers["Location"]).status_code == 200


def test_nothing_tells_before_the_fourth_picture_whether_the_first_were_right(world: World) -> None:
    visitor, child = world.visitor("device"), world.children["Miaqua"]
    names = re.compile("|".join(picture[2:] for picture in sign_in.PICTURES))
    before = world.rows()
    pages = set()
    for picture in sign_in.PICTURES:
        status, text, _ = same(visitor.post(f"/animals/{child}", {"p1": picture}))
        assert status == 200
        pages.add(names.sub("*", text))
    assert len(pages) == 1
    assert world.rows() == before


def test_a_waiting_child_hears_of_the_teachers_tap(world: World) -> None:
    visitor, teacher, child = (
        world.visitor("device"),
        world.visitor("lake"),
        world.children["Miaqua"],
    )
    htmx = {"HX-Request": "true"}
    assert visitor.get(f"/animals/{child}/wait").status_code == 200
    assert visitor.post(f"/animals/{child}/waiting", headers=htmx).status_code == 204
    assert teacher.post(f"/teach/children/{child}/let-in").status_code == 303
    answer = visitor.post(f"/animals/{child}/waiting", headers=htmx)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (200, "/play/")
    assert visitor.get("/play/").status_code == 200


@pytest.mark.parametrize(
    "fields",
    [
        {"p1": "q-dragon", "p2": "q-sun", "p3": "q-moon", "p4": "q-cup"},
        {"p1": "", "p2": "", "p3": "", "p4": ""},
        {"p1": "q-sun" * 900},
        {"p2": "<script>", "p1": "q-sun"},
    ],
)
def test_pictures_that_are_none_are_a_bad_form(world: World, fields: dict[str, str]) -> None:
    visitor = world.visitor("device")
    before = world.rows()
    assert visitor.post(f"/animals/{world.children['Miaqua']}", fields).status_code == 400
    assert world.rows() == before
