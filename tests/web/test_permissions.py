"""Every route is allowed or refused on purpose: each cell of the matrix is a real request."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from flask import Flask
from werkzeug.routing import Rule

from classroom.web.permissions import KINDS, OWNED, PERMISSIONS
from tests.web.routes import HIDDEN, METHODS, MISSING, Address, addresses, by_path, is_own, rules
from tests.world import CHILDREN, CLASSES, KIND, PARENTS, PEOPLE, TEACHERS, Visitor, World, same

FIRST_VISIT = {"auth.setup_school", "auth.look_around"}  # gone once a school is there
FINISHED = "Benquill"  # whose round is over
REFUSED = (401, 403, 404, 405)


def test_each_route_has_a_line_in_the_table_and_each_line_a_route(app: Flask) -> None:
    assert {rule.endpoint for rule in rules(app)} == set(PERMISSIONS)


def test_the_table_names_the_methods_that_the_routes_take(app: Flask) -> None:
    taken: dict[str, set[str]] = {}
    for rule in rules(app):
        taken.setdefault(rule.endpoint, set()).update((rule.methods or set()) - {"HEAD", "OPTIONS"})
    assert taken == {name: set(line.methods) for name, line in PERMISSIONS.items()}


def test_a_line_that_names_an_owner_stands_on_a_route_that_names_the_thing(app: Flask) -> None:
    for rule in rules(app):
        line = PERMISSIONS[rule.endpoint]
        assert line.who <= set(KINDS)
        named = {name for name in rule.arguments if name.endswith("_id")}
        assert named == ({OWNED[line.owns]} if line.owns else set()), rule.rule


def test_every_person_is_refused_what_is_not_theirs_and_nothing_changes(world: World) -> None:
    everybody = {who: world.visitor(who) for who in PEOPLE}
    tokens = {who: visitor.token() for who, visitor in everybody.items()}
    before = world.rows()
    cells = 0
    for path, taken in by_path(world.app).items():
        for method in METHODS:
            rule = taken.get(method) or next(iter(taken.values()))
            for who, visitor in everybody.items():
                cell = Cell(rule, path, method, who)
                cells += cell.refusals(visitor, tokens[who], list(addresses(world, rule)))
    assert cells > 3_000
    assert world.rows() == before


@dataclass(frozen=True)
class Cell:
    """One person, one method, one route."""

    rule: Rule
    path: str
    method: str
    who: str

    def refusals(self, visitor: Visitor, token: str, found: list[Address]) -> int:
        """Send every request that must be refused; how many they were."""
        answers = {}
        for address in found:
            if self.may(address.thing):
                continue
            headers = {} if self.method == "GET" else {"X-Token": token}
            answer = visitor.client.open(address.path, method=self.method, headers=headers)
            assert answer.status_code in self.statuses(), (self.who, self.method, address.path)
            answers[address.thing] = same(answer)
        if None in answers:  # what is there and not theirs looks like what is not there
            assert set(answers.values()) == {answers[None]}, self
        return len(answers)

    def may(self, thing: str | None) -> bool:
        line = PERMISSIONS[self.rule.endpoint]
        taken = self.method in line.methods and self.method in (self.rule.methods or ())
        return taken and KIND[self.who] in line.who and is_own(line.owns, self.who, thing)

    def statuses(self) -> tuple[int, ...]:
        """What a refusal looks like: not there, or the way in for who is not signed in."""
        line, kind = PERMISSIONS[self.rule.endpoint], KIND[self.who]
        if self.rule.endpoint in HIDDEN:
            return (404,)
        if self.method not in (self.rule.methods or ()):
            return (405,)
        children_only = kind == "device" and "device" not in line.who and "child" in line.who
        if kind == "nobody" or children_only:
            return (303,) if self.method == "GET" else (401,)
        return (404,)


def test_every_person_is_let_through_to_what_is_theirs(world: World) -> None:
    everybody = {who: world.visitor(who) for who in PEOPLE}
    opened = set()
    for rule in rules(world.app):
        for address in addresses(world, rule):
            for who in PEOPLE:
                if (
                    Cell(rule, "", "GET", who).may(address.thing)
                    and rule.endpoint not in FIRST_VISIT
                ):
                    answer = everybody[who].get(address.path)
                    if rule.endpoint == "teach.replay" and address.thing != FINISHED:
                        assert answer.status_code == 404  # only what is over is stepped through
                        continue
                    assert answer.status_code not in REFUSED, (who, address.path)
                    assert answer.status_code < 500, (who, address.path)
                    opened.add(rule.endpoint)
    may_read = {name for name, line in PERMISSIONS.items() if "GET" in line.methods}
    assert opened == may_read - FIRST_VISIT


@pytest.mark.parametrize("path", ["/setup", "/look-around"])
def test_once_the_school_is_set_up_nobody_finds_its_first_doors(world: World, path: str) -> None:
    for who in PEOPLE:
        assert world.visitor(who).get(path).status_code == 404
        assert world.visitor(who).post(path).status_code == 404


def test_nobody_takes_a_tap_into_a_school_that_is_no_demo(world: World) -> None:
    for fields in ({"adult": world.adults["lake"]}, {"child": world.children["Miaqua"]}):
        visitor = world.visitor("nobody")
        assert visitor.post("/demo-in", fields).status_code == 404
        assert visitor.get("/account").status_code == 303


@pytest.mark.parametrize("who", PEOPLE)
def test_no_page_shows_a_name_of_another_class_or_school(world: World, who: str) -> None:
    visitor = world.visitor(who)
    seen = _may_see(who)
    canaries = {*CHILDREN, *(room.title() + "qroom" for room in CLASSES)}
    canaries |= {name.title() + "qadult" for name in (*TEACHERS, *PARENTS, "admin")}
    shown = set()
    for rule in rules(world.app):
        for address in addresses(world, rule):
            if "GET" not in (rule.methods or ()):
                continue
            text = visitor.get(address.path).text
            shown |= {name for name in canaries if name in text}
            assert not [n for n in canaries - seen if n in text], (who, address.path)
    assert shown or not seen, f"no page shows {who} anything"


def _may_see(who: str) -> set[str]:
    """All the names that this person has to do with."""
    if KIND[who] == "nobody":
        return set()
    if KIND[who] == "admin":
        return {"Adminqadult"}
    room = TEACHERS.get(who) or CHILDREN.get(PARENTS.get(who, who), "sunfish")
    mates = {name for name, where in CHILDREN.items() if where == room}
    names = {room.title() + "qroom"}
    if KIND[who] == "parent":
        return names | {PARENTS[who], who.title() + "qadult"}
    if KIND[who] == "teacher":
        linked = {n.title() + "qadult" for n, child in PARENTS.items() if child in mates}
        return names | mates | linked | {who.title() + "qadult"}
    return names | mates


def test_an_address_beyond_all_numbers_is_an_address_of_nothing(world: World) -> None:
    child = world.visitor("Miaqua")
    for number in (0, MISSING, 2**31, 2**63, 10**40):
        assert child.get(f"/play/rounds/{number}").status_code == 404
