"""Guessing is hopeless, and nobody can be locked out."""

from __future__ import annotations

import contextlib
import random
import re
from dataclasses import dataclass, field

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Child, DoorKnock, SchoolClass, WrongTry
from classroom.services.access import knocks, passwords, sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base import audit, budgets, clock
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.lesson import gatherings, open_tables
from classroom.services.school import classes
from tests.world import PASSWORD, Visitor, World, same

WAYS = 12 * 11 * 10 * 9
LESSON = 45 * 60


@dataclass
class Lesson:
    """A lesson of the sunfish class with its own clock. Its people act through the services."""

    world: World
    now: float = field(default_factory=clock.now)

    def device(self, name: str) -> Who:
        room = self.world.classes["sunfish"]
        return Who(kind="device", class_id=room, device=f"{name:0<32}"[:32])

    def tap(self, device: Who, child: str, pictures: tuple[str, ...]) -> str:
        """Tap these pictures. Returns "in", "wrong", "wait" or "teacher". The clock stands
        still."""
        try:
            with clock.clock_at(self.now):
                sign_in.pictures(device, self.world.children[child], list(pictures))
        except NotNow:
            return "teacher"
        except Refused as refused:
            self.wait = float(str(refused.facts["wait"]))
            return "wait" if refused.code == "wait" else "wrong"
        return "in"

    def known(self, name: str) -> Who:
        """A device on which a child of the class has signed in."""
        device = self.device(name)
        assert self.tap(device, "Miaqua", self.right("Miaqua")) == "in"
        return device

    def wrong_pictures(self, device: Who, times: int) -> None:
        """Make this many wrong tries on this device, for a child who does not exist."""
        with clock.clock_at(self.now), write_unit():
            for _ in range(times):
                budgets.wrong_pictures(self.world.classes["sunfish"], 0, device.device)

    def teacher_taps(self, device: Who, child: str) -> None:
        """Let the teacher tap once, which lets in the waiting child."""
        child_id = self.world.children[child]
        with clock.clock_at(self.now):
            assert sign_in.come_in(device, child_id) is None
            self.let_in(device, child)
            assert sign_in.come_in(device, child_id)

    def let_in(self, device: Who, child: str) -> None:
        """Let the teacher tap the sign that this device shows."""
        child_id = self.world.children[child]
        row = knocks.find(device.device, child_id)
        assert row is not None
        knocks.let_in(self.world.adults["lake"], child_id, row.id, str(row.sign))

    def right(self, child: str) -> tuple[str, ...]:
        return sign_in.pictures_of(db.session.get_one(Child, self.world.children[child]))


@pytest.fixture
def lesson(world: World):
    with world.app.app_context():
        yield Lesson(world)


def wrong(right: tuple[str, ...]) -> tuple[str, ...]:
    return right[1:] + right[:1]


# ---- the four pictures


def test_a_childs_pictures_are_four_different_ones_and_stay_the_same(lesson: Lesson) -> None:
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


def test_new_pictures_differ_and_the_grid_stays_the_same(lesson: Lesson) -> None:
    child = db.session.get_one(Child, lesson.world.children["Miaqua"])
    old, grid = sign_in.pictures_of(child), sign_in.grid(child)
    classes.reset_pictures(child.id)
    child = db.session.get_one(Child, lesson.world.children["Miaqua"])
    assert sign_in.pictures_of(child) != old
    assert sign_in.grid(child) == grid
    assert sorted(grid) == sorted(sign_in.PICTURES)


def test_after_three_free_tries_a_child_waits_5_15_and_then_always_30_seconds(
    lesson: Lesson,
) -> None:
    device, four = lesson.device("a"), lesson.right("Miaqua")
    waits = []
    for _ in range(9):
        assert lesson.tap(device, "Miaqua", wrong(four)) == "wrong"
        waits.append(lesson.wait)
        lesson.now += lesson.wait
    assert waits == [0, 0, 0, 5, 15, 30, 30, 30, 30]


def test_a_child_who_taps_too_soon_is_told_to_wait_and_loses_no_try(lesson: Lesson) -> None:
    device, four = lesson.device("a"), lesson.right("Miaqua")
    for _ in range(4):
        lesson.tap(device, "Miaqua", wrong(four))
    assert lesson.tap(device, "Miaqua", four) == "wait"
    assert lesson.wait == 5
    lesson.now += 5
    assert lesson.tap(device, "Miaqua", four) == "in"


def test_a_child_who_gets_in_starts_again_without_a_wait(lesson: Lesson) -> None:
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


def test_others_cannot_keep_me_out_of_a_device_where_i_was_before(lesson: Lesson) -> None:
    four = lesson.right("Miaqua")
    assert lesson.tap(lesson.device("mine"), "Miaqua", four) == "in"
    for number in range(20):
        lesson.tap(lesson.device(f"bad{number}"), "Miaqua", wrong(four))
    assert lesson.tap(lesson.device("bad99"), "Miaqua", four) == "teacher"
    assert lesson.tap(lesson.device("mine"), "Miaqua", four) == "in"


def _attack(lesson: Lesson, devices: int, seconds: float) -> int:
    """The number of guesses at a child's pictures that this many devices can make in this time."""
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
def test_a_guesser_gets_at_most_eleven_tries_a_day_at_one_child(
    lesson: Lesson, devices: int
) -> None:
    with clock.clock_at(lesson.now):
        classes.open_class(lesson.world.classes["sunfish"], 240)
    looked_at = _attack(lesson, devices, 4 * 3600)
    assert looked_at <= 11
    assert looked_at / WAYS <= 0.001


def test_eleven_wrong_tries_a_day_are_the_limit_on_known_devices_too(lesson: Lesson) -> None:
    own, four = [lesson.known(name) for name in ("mine", "ours")], lesson.right("Miaqua")
    said = []
    for number in range(30):
        lesson.now += budgets.PICTURE_WAITS[-1] + 1
        said.append(lesson.tap(own[number % 2], "Miaqua", wrong(four)))
    assert said == ["wrong"] * 11 + ["teacher"] * 19
    assert 11 / WAYS <= 0.001 < 12 / WAYS
    lesson.now += clock.SECONDS_A_DAY
    assert lesson.tap(own[0], "Miaqua", four) == "in"


def test_wrong_taps_on_known_devices_do_not_keep_a_child_out_of_a_new_one(lesson: Lesson) -> None:
    own, four = [lesson.known(name) for name in ("mine", "ours")], lesson.right("Miaqua")
    for number in range(budgets.CHILD_STRANGE):
        lesson.now += budgets.PICTURE_WAITS[-1] + 1
        assert lesson.tap(own[number % 2], "Miaqua", wrong(four)) == "wrong"
    assert lesson.tap(lesson.device("new"), "Miaqua", four) == "in"


def test_a_child_with_two_wrong_taps_in_five_gets_in_without_long_waits(
    lesson: Lesson, whole: bool
) -> None:
    """A tap is a random picture with a chance of 40 %; the teacher helps when asked."""
    taps = random.Random(5)
    helped, alone, days = 0, 0, 60 if whole else 20
    for day in range(days):
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
                lesson.teacher_taps(device, "Miaqua")
                helped += 1
                break
            assert lesson.wait <= 30
            lesson.now += lesson.wait + 4
    assert alone + helped == days
    assert alone > days / 2


def test_sixty_wrong_tries_in_a_class_ask_the_teacher_to_open_again(lesson: Lesson) -> None:
    device, four = lesson.known("a"), lesson.right("Miaqua")
    lesson.wrong_pictures(device, budgets.CLASS_TRIES)
    assert lesson.tap(device, "Miaqua", four) == "teacher"
    classes.open_class(lesson.world.classes["sunfish"], 45)
    assert lesson.tap(device, "Miaqua", four) == "in"


def test_the_class_recovers_after_ten_minutes(lesson: Lesson) -> None:
    device = lesson.known("a")
    lesson.wrong_pictures(device, budgets.CLASS_TRIES)
    lesson.now += budgets.TEN_MINUTES + 1
    assert lesson.tap(device, "Miaqua", lesson.right("Miaqua")) == "in"


# ---- the teacher's tap


def test_the_tap_lets_in_only_the_device_at_the_door(lesson: Lesson) -> None:
    child_id, mine, other = (
        lesson.world.children["Miaqua"],
        lesson.device("mine"),
        lesson.device("other"),
    )
    sign_in.knock(mine, child_id)
    lesson.let_in(mine, "Miaqua")
    assert sign_in.come_in(other, child_id) is None
    assert sign_in.come_in(mine, child_id)
    assert sign_in.come_in(mine, child_id) is None  # a tap lets the child in only once
    assert audit.verify().wrong is None


def test_a_child_of_another_class_is_unknown_here(lesson: Lesson) -> None:
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


def test_unknown_codes_and_codes_of_closed_classes_get_the_same_answer(world: World) -> None:
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


def test_after_ten_wrong_codes_a_device_waits_a_minute_for_each_try(world: World) -> None:
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


# ---- adults


def sign(world: World, visitor: Visitor, login: str = "lake", password: str = PASSWORD) -> int:
    return visitor.post("/in", {"login": login, "password": password}).status_code


def test_capitals_in_a_login_do_not_matter(world: World) -> None:
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


def test_an_adults_own_device_allows_twenty_wrong_passwords_an_hour_then_one_a_minute(
    world: World,
) -> None:
    visitor = world.visitor("nobody")
    assert sign(world, visitor) == 303
    visitor.post("/out")
    start = clock.now()
    with clock.clock_at(start):
        assert [sign(world, visitor, password="no") for _ in range(21)] == [401] * 20 + [429]
    with clock.clock_at(start + 60):
        assert sign(world, visitor, password="no") == 401
        assert sign(world, visitor) == 429
    with clock.clock_at(start + 120):
        assert sign(world, visitor) == 303
    with clock.clock_at(start + 121):
        visitor.post("/out")
        assert sign(world, visitor, password="no") == 401
        assert sign(world, visitor) == 303


def test_strangers_who_guess_do_not_lock_the_owner_out(world: World) -> None:
    known = world.visitor("nobody")
    assert sign(world, known) == 303
    known.post("/out")
    statuses = [sign(world, world.visitor("nobody"), password="no") for _ in range(25)]
    assert statuses == [401] * 20 + [429] * 5
    assert sign(world, world.visitor("nobody")) == 429  # an unknown device must wait a minute
    assert sign(world, known) == 303


def test_strangers_get_one_try_a_minute_and_after_a_hundred_one_in_fifteen(world: World) -> None:
    start, tried = clock.now(), list[float]()
    with world.app.app_context():
        login = budgets.login("lake", "s" * 32, world.adults["lake"])
        for second in range(0, 3 * 86_400, 20):
            with clock.clock_at(start + second), contextlib.suppress(Refused):
                budgets.may_try_login(login)
                budgets.wrong_login(login)
                tried.append(start + second)
    first_hour = sum(at < start + budgets.HOUR for at in tried)
    assert first_hour < 20 + 60
    in_a_day = [sum(day <= at < day + budgets.DAY for at in tried) for day in tried]
    assert 100 < max(in_a_day) <= 190


def test_a_wrong_login_is_kept_only_as_a_signature_and_only_for_known_devices(
    world: World,
) -> None:
    own = world.visitor("nobody")
    sign(world, own)
    own.post("/out")
    before = world.rows()
    sign(world, world.visitor("nobody"), "my-secret-typed-in-the-wrong-field")
    sign(world, world.visitor("nobody"), "lake", "no")
    assert world.rows() == before
    sign(world, own, "lake", "no")
    with world.app.app_context():
        (kept,) = db.session.scalars(select(WrongTry.what))
    assert "lake" not in kept


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


def test_a_child_whose_friends_wait_goes_straight_to_its_table(world: World) -> None:
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


def test_nothing_reveals_right_pictures_before_the_fourth(world: World) -> None:
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


HTMX = {"HX-Request": "true"}


def sign_on(page: str) -> str:
    """The sign that a child's page shows, as the page sends it when it polls."""
    found = re.search(r'name="sign" value="([a-z-]+)"', page)
    assert found
    colour, shape = found[1].split("-")
    assert re.search(rf"sign--{colour}[^>]*><svg[^>]*><use [^>]*#sign-{shape}\"", page)
    return found[1]


def taps(page: str) -> dict[str, dict[str, str]]:
    """The fields that a teacher's tap sends for each device at the door, by the device's sign."""
    forms = re.findall(r'<form id="knock-\d+".*?</form>', page, re.S)
    fields = [dict(re.findall(r'name="(knock|sign|back)" value="([^"]*)"', form)) for form in forms]
    return {found["sign"]: found for found in fields}


def test_a_waiting_child_gets_in_by_the_teachers_tap(world: World) -> None:
    visitor, teacher = world.visitor("device"), world.visitor("lake")
    at = f"/animals/{world.children['Miaqua']}"
    visitor.post(at + "/knock")
    shown = sign_on(visitor.get(at + "/wait").text)
    asked = {"sign": shown, "page": "wait"}
    assert visitor.post(at + "/waiting", asked, headers=HTMX).status_code == 204
    room = f"/teach/classes/{world.classes['sunfish']}"
    tap = taps(teacher.get(room).text)[shown]
    assert (
        teacher.post(f"/teach/children/{world.children['Miaqua']}/let-in", tap).status_code == 303
    )
    answer = visitor.post(at + "/waiting", asked, headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (200, "/play/")
    assert visitor.get("/play/").status_code == 200


@pytest.mark.parametrize("page", ["", "/live"])
@pytest.mark.parametrize("picked", [0, 1])
def test_the_sign_lets_in_only_the_tablet_that_shows_it(
    world: World, picked: int, page: str
) -> None:
    child, teacher = world.children["Miaqua"], world.visitor("lake")
    tablets = [world.visitor("device"), world.visitor("device")]
    for tablet in tablets:
        tablet.post(f"/animals/{child}/knock")
    shown = [sign_on(tablet.get(f"/animals/{child}").text) for tablet in tablets]
    text = teacher.get(f"/teach/classes/{world.classes['sunfish']}{page}").text
    assert "Two devices are at Miaqua’s picture. Which one is Miaqua holding?" in text
    assert set(taps(text)) == set(shown)
    answer = teacher.post(f"/teach/children/{child}/let-in", taps(text)[shown[picked]])
    assert answer.headers["Location"].endswith(f"{page}?done=let_in")
    again = f"/animals/{child}/wait"  # the page where the other tablet can go on
    for number, way_on in ((1 - picked, None), (picked, "/play/"), (1 - picked, again)):
        asked = {"sign": shown[number]}
        answer = tablets[number].post(f"/animals/{child}/waiting", asked, headers=HTMX)
        assert answer.headers.get("HX-Redirect") == way_on


def test_a_knock_at_another_door_is_answered_as_unknown(world: World) -> None:
    teacher = world.visitor("lake")
    world.visitor("device").post(f"/animals/{world.children['Benquill']}/knock")
    with world.app.app_context():
        stranger = Who(kind="device", class_id=world.classes["perch"], device="f" * 32)
        sign_in.knock(stranger, world.children["Adaquist"])
        rows = db.session.scalars(select(DoorKnock)).all()
        known = [{"knock": row.id, "sign": str(row.sign)} for row in rows]
        db.session.rollback()
    assert len(known) == 2
    before, pages = world.rows(), set()
    for fields in (*known, {"knock": 10**6, "sign": "blue-star"}):
        pages.add(same(teacher.post(f"/teach/children/{world.children['Miaqua']}/let-in", fields)))
    ((status, _, _),) = pages
    assert status == 404
    assert world.rows() == before


@pytest.mark.parametrize("page", ["wait", "pictures"])
def test_a_page_with_an_old_sign_is_fetched_again(world: World, page: str) -> None:
    visitor, at = world.visitor("device"), f"/animals/{world.children['Miaqua']}"
    visitor.post(at + "/knock")
    asked = {"sign": "no-sign", "page": page}
    answer = visitor.post(at + "/waiting", asked, headers=HTMX)
    assert answer.headers["HX-Redirect"] == at + ("/wait" if page == "wait" else "")
    assert visitor.post(at + "/waiting", asked).headers["Location"] == answer.headers["HX-Redirect"]


def test_a_tablet_left_at_a_door_shows_ways_on_once_the_child_is_in(world: World) -> None:
    mine, other = world.visitor("device"), world.visitor("device")
    at = f"/animals/{world.children['Miaqua']}"
    for visitor in (mine, other):
        visitor.post(at + "/knock")
    shown = sign_on(other.get(at + "/wait").text)
    with world.app.app_context():
        four = sign_in.pictures_of(db.session.get_one(Child, world.children["Miaqua"]))
    mine.post(at, {f"p{number}": picture for number, picture in enumerate(four, 1)})
    answer = other.post(at + "/waiting", {"sign": shown, "page": "wait"}, headers=HTMX)
    page = other.get(answer.headers["HX-Redirect"]).text
    assert "you are playing on the other screen now" in page
    assert "/animals?all=1" in page
    assert at + "/knock" in page
    assert 'id="knocking"' not in page
    teacher = world.visitor("lake")
    room = f"/teach/classes/{world.classes['sunfish']}/now"
    assert not taps(teacher.get(room).text)
    other.post(at + "/knock")
    words = "Miaqua is signed in on another device and will be signed out there."
    assert words in teacher.get(room).text


def test_a_child_who_has_not_knocked_can_knock(world: World) -> None:
    visitor, at = world.visitor("device"), f"/animals/{world.children['Miaqua']}"
    page = visitor.get(at + "/wait").text
    assert f'action="{at}/knock"' in page
    assert 'id="knocking"' not in page
    assert 'id="knocking"' not in visitor.get(at).text


@pytest.mark.parametrize(
    "fields",
    [
        {"p1": "q-dragon", "p2": "q-sun", "p3": "q-moon", "p4": "q-cup"},
        {"p1": "", "p2": "", "p3": "", "p4": ""},
        {"p1": "q-sun" * 900},
        {"p2": "<script>", "p1": "q-sun"},
    ],
)
def test_unknown_pictures_are_a_bad_form(world: World, fields: dict[str, str]) -> None:
    visitor = world.visitor("device")
    before = world.rows()
    assert visitor.post(f"/animals/{world.children['Miaqua']}", fields).status_code == 400
    assert world.rows() == before
