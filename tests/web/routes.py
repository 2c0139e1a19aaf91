"""Every route of the app, with its possible addresses in the world of tests/world.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Flask
from werkzeug.routing import Rule

from tests.world import (
    CHILDREN,
    CLASSES,
    PARENTS,
    READERS,
    SCHOOL_OF,
    STAFF,
    SUBSTITUTES,
    TEACHES,
    World,
)

MISSING = 987_654
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
HIDDEN = {"auth.look_around"}  # answers 404 to every method if no demo school is offered
QUESTION_AT = 3  # the move after which tests put a question
PARENT_OF = {child: login for login, child in PARENTS.items()}
THINGS = {
    "class_id": "classes",
    "child_id": "children",
    "group_id": "groups",
    "round_id": "rounds",
    "adult_id": "adults",
    "moment_id": "moments",
    "pack_id": "voices",
}


@dataclass(frozen=True)
class Address:
    """One address of a route. `thing`: what it names, "" for nothing, None for what does not
    exist."""

    endpoint: str
    path: str
    thing: str | None


def rules(app: Flask) -> list[Rule]:
    return sorted(app.url_map.iter_rules(), key=lambda rule: (rule.endpoint, rule.rule))


def by_path(app: Flask) -> dict[str, dict[str, Rule]]:
    """The rule for each method of each path, since two routes may share a path."""
    found: dict[str, dict[str, Rule]] = {}
    for rule in rules(app):
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            found.setdefault(rule.rule, {})[method] = rule
    return found


def addresses(world: World, rule: Rule) -> Iterator[Address]:
    """An address for each thing that the route can name and one for a thing that does not exist, or
    the only address if the route names none."""
    arguments = [name for name in rule.arguments if name in THINGS]
    fixed = {
        "code": "100000",
        "filename": "css/tokens.css",
        "key": "wish_pairs",
        "outline": "make-five",
        "seq": QUESTION_AT,
        "paper": "retention-schedule",
        "name": "yes",
        "version": 1,
    }
    values = {name: fixed[name] for name in rule.arguments if name in fixed}
    if not arguments:
        yield Address(rule.endpoint, _build(world, rule, values), "")
        return
    (name,) = arguments
    with_parent = "parent_id" in rule.arguments  # such an address names a child and its parent
    for thing, number in getattr(world, THINGS[name]).items():
        if not with_parent or thing in PARENT_OF:
            more = {"parent_id": world.adults[PARENT_OF[thing]]} if with_parent else {}
            yield Address(rule.endpoint, _build(world, rule, values | more | {name: number}), thing)
    more = {"parent_id": MISSING} if with_parent else {}
    yield Address(rule.endpoint, _build(world, rule, values | more | {name: MISSING}), None)


def _build(world: World, rule: Rule, values: dict[str, object]) -> str:
    built = world.app.url_map.bind("localhost").build(rule.endpoint, values)
    return str(built).removeprefix("http://localhost")


def is_own(owns: str | None, who: str, thing: str | None) -> bool:
    """Whether this thing belongs to this person, written separately from the app's own rule."""
    if owns is None:
        return True
    if thing is None:
        return False
    of_family = {login: CHILDREN[child] for login, child in PARENTS.items()}
    here = dict.fromkeys(("device", "tablet", "home device", "Miaqua at home"), "sunfish")
    room = (CHILDREN | {"tablet": "sunfish"}).get(thing.removesuffix(" at home"), thing)
    return {
        "own_round": who == thing,
        "held_round": who == thing,
        "taught_class": TEACHES.get(who) == room,
        "taught_child": TEACHES.get(who) == room,
        "taught_group": TEACHES.get(who) == room,
        "taught_round": TEACHES.get(who) == room,
        "lesson_round": TEACHES.get(who) == room and "home" not in thing,
        "taught_moment": TEACHES.get(who) == room,
        "own_moment": CHILDREN.get(who) == room,
        "own_voice": READERS.get(who) == room,
        "kept_voice": TEACHES.get(who) == room and who not in SUBSTITUTES,
        "heard_voice": room in ({**TEACHES, **of_family, **CHILDREN, **here}.get(who),),
        "linked_child": PARENTS.get(who) == thing,
        "own_class": CHILDREN.get(who) == room,
        "classmate": who == "device" and room == "sunfish",
        "class_of_school": CLASSES.get(thing) == SCHOOL_OF.get(who),
        "colleague": thing in STAFF and SCHOOL_OF[thing] == SCHOOL_OF.get(who),
    }[owns]
