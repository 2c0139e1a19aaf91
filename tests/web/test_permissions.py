"""Every route is allowed or refused as intended: each cell of the matrix is a real request.

The expected results come from tests/web/people.py, never from the table that the guard obeys.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from flask import Flask
from werkzeug.routing import Rule

from classroom.web.http.permissions import OWNED, PERMISSIONS, PERSON_KINDS
from tests import sample
from tests.web.people import ALLOWED, MAY, METHODS_OF, kinds, may, whose
from tests.web.routes import HIDDEN, METHODS, MISSING, Address, addresses, by_path, is_own, rules
from tests.world import (
    CHILDREN,
    CLASSES,
    KIND,
    PARENTS,
    PEOPLE,
    SCHOOL_OF,
    STAFF,
    TEACHES,
    Visitor,
    World,
    same,
)

FIRST_VISIT = {"auth.setup_school", "auth.look_around"}  # gone once there is a school
FINISHED = "Benquill"  # this child's round is over
REFUSED = (401, 403, 404, 405)
READING = ("GET", "HEAD")
PART = 10  # an everyday run asks for one in this many routes by HEAD
FEW = ("nobody", "Miaqua", "admin")  # every day enough for methods that no route takes
BY_NAME = ("school.year", "school.change_class")  # where an administrator moves children
LOG = frozenset({"audit"})
ONE_OF_EACH = tuple({KIND[who]: who for who in reversed(PEOPLE)}.values())  # kind of person


def test_the_guards_table_allows_exactly_what_people_may_do() -> None:
    obeyed = {
        (kind, method, endpoint): line.owns
        for endpoint, line in PERMISSIONS.items()
        for kind in line.who
        for method in line.methods
    }
    assert obeyed == ALLOWED


def test_everyone_has_a_line_and_no_line_is_there_twice() -> None:
    assert set(MAY) == set(PERSON_KINDS) == set(KIND.values())
    for lines in MAY.values():
        assert len({what for what, _, _ in lines}) == len(lines)


def test_each_route_takes_exactly_the_methods_that_may_be_used(app: Flask) -> None:
    taken: dict[str, set[str]] = {}
    for rule in rules(app):
        taken.setdefault(rule.endpoint, set()).update((rule.methods or set()) - {"HEAD", "OPTIONS"})
    assert taken == METHODS_OF == {name: set(line.methods) for name, line in PERMISSIONS.items()}


def test_each_address_names_what_must_be_theirs(app: Flask) -> None:
    for rule in rules(app):
        owned = whose(rule.endpoint)
        named = {name for name in rule.arguments if name.endswith("_id")}
        if owned == "taught_child":  # a parent is found only among this child's parents
            named -= {"parent_id"}
        assert named == ({OWNED[owned]} if owned else set()), rule.rule


def test_every_person_is_refused_what_is_not_theirs_and_nothing_changes(
    world: World, request: pytest.FixtureRequest, whole: bool
) -> None:
    everybody = {who: world.visitor(who) for who in (PEOPLE if whole else ONE_OF_EACH)}
    tokens = {who: visitor.token() for who, visitor in everybody.items()}
    before = world.rows()
    cells, every = 0, request.config.getoption("--long")
    paths = by_path(world.app)
    taken_paths = [*paths] if whole else one_of_each(paths)
    methods = [one for one in METHODS if whole or one != "HEAD"]  # refused as GET is
    for path in taken_paths:
        taken = paths[path]
        for method in methods:
            rule = taken.get(_routed(method)) or next(iter(taken.values()))
            found = list(addresses(world, rule))
            people = everybody
            if method not in (*READING, "POST"):  # these are refused whoever sends them
                found = found[:1]
                people = everybody if every else {who: everybody[who] for who in FEW}
            for who, visitor in people.items():
                cell = Cell(rule, path, method, who)
                cells += cell.refusals(visitor, tokens[who], found if every else cell.few(found))
    assert cells > (6_000 if whole else 400)
    assert world.rows() == before


def one_of_each(paths: dict[str, dict[str, Rule]]) -> list[str]:
    """A path to read and one to send a form to, for each thing that must be theirs."""
    found = {
        (whose(rule.endpoint), method): path
        for path, taken in paths.items()
        for method, rule in taken.items()
    }
    return [*dict.fromkeys(found.values())]


def _routed(method: str) -> str:
    return "GET" if method == "HEAD" else method


@dataclass(frozen=True)
class Cell:
    """One person, one method, one route."""

    rule: Rule
    path: str
    method: str
    who: str

    def few(self, found: list[Address]) -> list[Address]:
        """These addresses or, for a kind of person who may do nothing here, those of one thing and
        of one that does not exist."""
        if may(KIND[self.who], self.method, self.rule.endpoint):
            return found
        return [*found[:1], *found[1:][-1:]]

    def refusals(self, visitor: Visitor, token: str, found: list[Address]) -> int:
        """Send every request that must be refused. Returns the number sent."""
        if self.rule.endpoint == "static" and self.method == "OPTIONS":
            return 0  # static files answer OPTIONS
        answers = {}
        for address in found:
            if self.may(address.thing):
                continue
            headers = {} if self.method in READING else {"X-Token": token}
            answer = visitor.client.open(address.path, method=self.method, headers=headers)
            assert answer.status_code in self.statuses(), (self.who, self.method, address.path)
            answers[address.thing] = same(answer)
        if None in answers:  # other people's things look as if they did not exist
            assert set(answers.values()) == {answers[None]}, self
        return len(answers)

    def may(self, thing: str | None) -> bool:
        allowed = may(KIND[self.who], self.method, self.rule.endpoint)
        return allowed and is_own(whose(self.rule.endpoint), self.who, thing)

    def statuses(self) -> tuple[int, ...]:
        """The statuses of a refusal: not found, not allowed, or the way in for a stranger."""
        here, kind = kinds(self.rule.endpoint), KIND[self.who]
        if self.rule.endpoint in HIDDEN:
            return (404,)
        if _routed(self.method) not in (self.rule.methods or ()):
            return (405,)
        if here == {"monitor"}:
            return (404,)
        children_only = (
            kind in ("device", "tablet") and kind not in here and {"child", "tablet"} & here
        )
        if kind == "nobody" or children_only:
            return (303,) if self.method in READING else (401,)
        return (404,)


@pytest.mark.parametrize("method", READING)
def test_every_person_reads_what_is_theirs_and_nothing_changes(
    world: World, method: str, whole: bool
) -> None:
    everybody = {who: world.visitor(who) for who in PEOPLE}
    before = world.rows(LOG)
    opened, found = set[tuple[str, str]](), rules(world.app)
    if method == "HEAD":  # which differs from GET only in what is sent back
        found = sample.part(found, PART, whole)
    people = PEOPLE if whole else ONE_OF_EACH
    for rule in found:
        for address in addresses(world, rule):
            for who in people:
                if (
                    (whole or (who, rule.endpoint) not in opened)
                    and Cell(rule, "", method, who).may(address.thing)
                    and rule.endpoint not in FIRST_VISIT
                    and "GET" in (rule.methods or ())
                ):
                    answer = everybody[who].client.open(address.path, method=method, buffered=True)
                    if rule.endpoint == "teach.replay" and address.thing != FINISHED:
                        assert answer.headers["Location"].endswith("/watch")  # not over yet
                    assert answer.status_code not in REFUSED, (who, address.path)
                    assert answer.status_code < 500, (who, address.path)
                    opened.add((who, rule.endpoint))
    asked = {rule.endpoint for rule in found}
    may_read = {name for name in asked if "GET" in METHODS_OF[name]}
    assert {name for _, name in opened} == may_read - FIRST_VISIT
    assert world.rows(LOG) == before


@pytest.mark.parametrize("path", ["/setup", "/look-around"])
def test_once_the_school_is_set_up_its_first_doors_are_gone(world: World, path: str) -> None:
    for who in PEOPLE:
        assert world.visitor(who).get(path).status_code == 404
        assert world.visitor(who).post(path).status_code == 404


def test_a_tap_signs_no_one_in_to_a_real_school(world: World) -> None:
    for fields in ({"adult": world.adults["lake"]}, {"child": world.children["Miaqua"]}):
        visitor = world.visitor("nobody")
        assert visitor.post("/demo-in", fields).status_code == 404
        assert visitor.get("/account").status_code == 303


@pytest.mark.walk(12)
@pytest.mark.parametrize("who", PEOPLE)
def test_no_page_shows_a_name_of_another_class_or_school(world: World, who: str) -> None:
    visitor = world.visitor(who)
    seen = _may_see(who)
    canaries = {*CHILDREN, *(room.title() + "qroom" for room in CLASSES)}
    canaries |= {name.title() + "qadult" for name in (*STAFF, *PARENTS)}
    shown = set()
    for rule in rules(world.app):
        for address in addresses(world, rule):
            if "GET" not in (rule.methods or ()):
                continue
            text = visitor.get(address.path).text
            shown |= {name for name in canaries if name in text}
            named = _named(who) if rule.endpoint in BY_NAME else set()
            assert not [n for n in canaries - seen - named if n in text], (who, address.path)
    assert shown or not seen, f"no page shows {who} anything"


def _named(who: str) -> set[str]:
    """The names of classes and children that an administrator reads on some pages, on record."""
    rooms = {room for room in CLASSES if CLASSES[room] == SCHOOL_OF.get(who)}
    children = {name for name, room in CHILDREN.items() if room in rooms}
    return children | {room.title() + "qroom" for room in rooms}


def _may_see(who: str) -> set[str]:
    """All names that this person may see."""
    if KIND[who] in ("nobody", "monitor"):
        return set()
    room = TEACHES.get(who, CHILDREN.get(PARENTS.get(who, who), "sunfish"))
    mates = {name for name, where in CHILDREN.items() if where == room}
    names = {room.title() + "qroom"}
    if "home" in who:
        return {"Miaqua"}
    if KIND[who] == "parent":
        return names | {PARENTS[who], who.title() + "qadult"}
    if KIND[who] == "substitute":
        return names | mates | {who.title() + "qadult"}
    if KIND[who] in ("teacher", "admin"):
        linked = {n.title() + "qadult" for n, child in PARENTS.items() if child in mates}
        here = {one for one in STAFF if SCHOOL_OF[one] == SCHOOL_OF[who]}
        colleagues = {
            one.title() + "qadult" for one in here if KIND[who] == "admin" or one != "past"
        }
        rooms = {one.title() + "qroom" for one in CLASSES if CLASSES[one] == SCHOOL_OF[who]}
        return names | mates | linked | colleagues | (rooms if KIND[who] == "admin" else set())
    return names | mates


def test_an_address_with_a_huge_number_is_not_found(world: World) -> None:
    child = world.visitor("Miaqua")
    for number in (0, MISSING, 2**31, 2**63, 10**40):
        assert child.get(f"/play/rounds/{number}").status_code == 404
