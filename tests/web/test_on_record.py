"""The audit log records each time an adult looks at a child's data, each change to a class, a child
or a password, and nothing else."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import delete, func, select

from classroom.database import db, write_unit
from classroom.live.asgi import Front
from classroom.models import Adult, AuditEntry, Child, SchoolClass
from classroom.services.base import clock
from classroom.services.lesson import live_class
from tests.live.test_streams import Browser, scope as bare_scope
from tests.loops import in_a_loop
from tests.web.people import ADMIN, PARENT, SUBSTITUTE, TEACHER, kinds, may
from tests.web.routes import addresses, rules
from tests.web.test_forms import FORMS, NOT_HERE, START, prepared
from tests.world import World

# What each page for adults shows about children, as we judge it: the action and the thing that must
# be on record, or None if no child is named.
OF_CLASS, OF_CHILD, OF_ROUND = ("read", "class"), ("read", "child"), ("read", "round")
JUDGED = {
    "static": None,
    "auth.health": None,
    "auth.front": None,
    "auth.look_around": None,
    "auth.setup_school": None,
    "auth.adult_in": None,
    "auth.https": None,
    "auth.reset": None,
    "auth.ended": None,
    "auth.privacy_page": None,
    "auth.account": None,
    "auth.again": None,
    "auth.second_factors": None,
    "auth.own_record": None,  # the adult's own data
    "auth.colleague": None,
    "auth.class_link": None,
    "family.join": None,
    "family.home": OF_CHILD,
    "family.child": OF_CHILD,
    "family.progress": OF_CHILD,
    "family.missed": OF_CHILD,
    "family.child_csv": ("export", "child"),
    "family.child_sheet": ("read", "child"),
    "family.child_answers_csv": ("export", "child"),
    "family.record": ("export", "child"),
    "family.looks": OF_CHILD,
    "family.restrict": OF_CHILD,
    "teach.restrict": OF_CHILD,
    "family.leave_child": OF_CHILD,
    "family.open_home": OF_CHILD,
    "family.card": ("cards", "child"),
    "family.leave": OF_CHILD,
    "teach.home": None,
    "teach.colleagues": None,
    "teach.school_class": OF_CLASS,
    "teach.now": OF_CLASS,
    "teach.skills": OF_CLASS,
    "teach.class_report": OF_CLASS,
    "teach.class_sheets": OF_CLASS,
    "teach.paper": OF_CLASS,
    "teach.small_group": None,  # nobody has answered enough here; test_class_page.py
    "teach.kit": None,
    "teach.week": None,  # tests/web/test_print.py has the sheets for each child
    "teach.skills_csv": ("export", "class"),
    "teach.answers_csv": ("export", "class"),
    "teach.live": OF_CLASS,
    "teach.live_events": OF_CLASS,
    "teach.class_groups": OF_CLASS,
    "teach.group_settings": OF_CLASS,
    "teach.plan": OF_CLASS,
    "teach.outlines": None,
    "teach.outline": None,
    "teach.seats": OF_CLASS,
    "teach.board": OF_CLASS,
    "teach.board_events": OF_CLASS,
    "teach.cards": ("cards", "class"),
    "teach.code": None,
    "teach.add": None,
    "teach.class_list": None,  # unless children are missing on the list
    "teach.games": None,
    "teach.mix": None,
    "teach.child": OF_CHILD,
    "teach.settings": None,
    "teach.child_settings": OF_CHILD,
    "teach.card": ("cards", "child"),
    "teach.remove": OF_CHILD,
    "teach.looks": OF_CHILD,
    "teach.unlink": OF_CHILD,
    "teach.families": OF_CLASS,
    "teach.missed": OF_CHILD,
    "teach.child_csv": ("export", "child"),
    "teach.child_sheet": ("read", "child"),
    "teach.child_answers_csv": ("export", "child"),
    "teach.record": ("export", "child"),
    "teach.replay": OF_ROUND,
    "teach.moments": None,  # no child is named with a moment
    "teach.build_moment": None,
    "teach.moment": None,
    "teach.moment_events": None,
    "teach.moment_sheet": None,
    "teach.voices": None,  # about adults alone
    "voice.home": None,
    "voice.studio": None,
    "voice.file": None,
    "voice.pieces": None,
    "voice.piece": None,
    "teach.watch": OF_ROUND,
    "teach.watch_events": OF_ROUND,
    "teach.about_class": None,
    "teach.delete_class": None,
    "teach.change_class": OF_CHILD,
    "teach.merge": OF_CHILD,
    "school.home": None,
    "school.folder": None,
    "school.paper": None,
    "school.components": None,
    "school.settings": None,
    "school.record": None,
    "school.server": None,
    "school.people": None,
    "school.end": None,
    "school.classes": None,
    "school.lists": None,
    "school.year": ("names", "school"),
    "school.keeping": None,
    "school.change_class": None,
}
# The same, for one kind of adult alone: a parent's account names the children.
JUDGED_OF = {("auth.account", PARENT): OF_CHILD}
# What each form for adults does, as we judge it: the action and the thing that must be on record,
# or None if it changes no lasting data of a class, a child or an adult.
ACTS = {
    "auth.adult_in": None,  # signing in and out is in the security log
    "auth.out": None,
    "auth.join": None,  # a device joins, not a person
    "auth.language": None,
    "auth.account": ("password", "adult"),
    "auth.account_names": ("change", "adult"),
    "auth.second": None,
    "auth.again": None,
    "auth.add_second": ("second_factor", "adult"),
    "auth.remove_second": ("second_factor", "adult"),
    "auth.colleague": ("join", "class"),
    "school.invite": ("invite", "class"),
    "school.revoke": ("revoke", "class"),
    "school.role": ("make_admin", "adult"),
    "school.end": ("remove", "adult"),
    "school.reset_code": ("reset_code", "adult"),
    "school.cancel_reset_code": ("cancel_reset_code", "adult"),
    "school.teachers": ("assign", "class"),  # a second row names the adult
    "teach.invite": ("invite", "class"),
    "teach.revoke": ("revoke", "class"),
    "teach.share": ("assign", "class"),  # a second row names the adult
    "teach.leave": ("leave", "class"),
    "teach.dismiss": ("take_off", "class"),  # the account is closed with its last class
    "teach.make_class": ("make", "class"),
    "teach.open_class": ("open", "class"),
    "teach.close_class": ("close", "class"),
    "teach.code": ("code", "class"),
    "teach.new_devices": ("new_devices", "class"),
    "teach.questions": ("settings", "class"),
    "teach.standards": ("settings", "class"),
    "teach.talk": ("settings", "class"),
    "teach.class_play": ("settings", "class"),
    "teach.group_play": ("group_settings", "class"),
    "teach.group_questions": ("group_settings", "class"),
    "teach.home_play": ("home", "class"),
    "family.open_home": ("open_home", "child"),
    "teach.child_play": ("settings", "child"),
    "teach.child_questions": ("settings", "child"),
    "teach.focus": ("settings", "class"),
    "teach.seat_together": ("seat", "class"),
    "teach.times": ("change", "class"),
    "teach.games": ("shelf", "class"),
    "teach.mix": ("own_game_made", "class"),
    "teach.change_game": ("own_game_renamed", "class"),
    "teach.lesson": ("pause", "class"),
    "teach.class_groups": ("groups", "class"),
    "teach.plan": ("plan", "class"),
    "teach.begin_plan": ("seat", "class"),
    "teach.begin_outline": ("outline", "class"),
    "teach.seats": ("seat", "class"),
    "teach.start_tables": ("start", "class"),
    "teach.seat_and_start": ("seat", "class"),
    "teach.move_child": None,  # part of the seating for one lesson, which is on record as "seat"
    "teach.seat_friend": None,
    "teach.seat_tablet": None,
    "teach.clear_seats": None,
    "teach.lower_hand": None,  # a raised hand is not kept
    "teach.add": ("add", "child"),
    "teach.class_list": ("add", "child"),
    "school.lists": ("add", "child"),
    "teach.rename": ("change", "child"),
    "teach.write_note": ("note", "child"),
    "teach.delete_note": ("delete_note", "child"),
    "teach.remove": ("take_out", "child"),
    "teach.restrict": ("restrict", "child"),
    "teach.erase_answers": ("erase", "child"),
    "family.restrict": ("restrict", "child"),
    "teach.pictures": ("pictures", "child"),
    "teach.new_pictures": ("pictures", "class"),
    "teach.let_in": ("let_in", "child"),
    "teach.family_code": ("family_code", "child"),
    "teach.family_sheets": ("family_code", "class"),
    "teach.cancel_code": ("cancel_code", "child"),
    "teach.unlink": ("unlink", "child"),
    "teach.reset_code": ("reset_code", "adult"),
    "teach.cancel_reset_code": ("cancel_reset_code", "adult"),
    "auth.reset": ("password", "adult"),
    "family.leave_child": ("unlink", "child"),
    "family.leave": ("remove", "adult"),
    "teach.watch_hands": ("live_hands", "round"),
    "teach.all_hands": ("all_hands", "round"),
    "teach.keep_moment": ("moment_made", "class"),
    "teach.build_moment": ("moment_made", "class"),
    "teach.moment_act": ("moment_dealt", "class"),
    "teach.deal_outline": ("moment_dealt", "class"),
    "teach.voices": ("voice_asked", "adult"),
    "voice.home": ("voice_begun", "adult"),
    "voice.take_in": ("voice_begun", "adult"),
    "voice.agree": ("voice_begun", "adult"),
    "voice.withdraw": ("voice_withdrawn", "adult"),
    "teach.rename_class": ("rename", "class"),
    "teach.class_end": ("end_day", "class"),
    "teach.archive_class": ("archive", "class"),
    "teach.restore_class": ("restore", "class"),
    "teach.delete_class": ("remove", "class"),
    "teach.change_class": ("move", "child"),
    "teach.merge": ("merge", "child"),
    "teach.left": ("leave", "child"),
    "teach.undo": ("take_back", "child"),
    "school.year": ("year", "school"),
    "school.year_undo": ("year_undone", "school"),
    "school.keeping": ("keeping", "school"),
    "school.change_class": ("move", "child"),
    "family.join": ("link", "child"),
    "family.link": ("link", "child"),
    "family.settings": ("settings", "child"),
    "family.questions": ("settings", "child"),
    "family.language": ("change", "child"),
    "school.settings": ("settings", "school"),
    "school.play": ("settings", "school"),
    "school.questions": ("settings", "school"),
}
THEN = {  # a form that does one thing more
    "teach.seat_and_start": ("start", "class"),
    "teach.deal_outline": ("moment_made", "class"),
}
WHOM = {  # the rows after the first, which name the other adults concerned
    "school.teachers": [("assign", "mere")],
    "teach.share": [("assign", "brook")],
    "teach.dismiss": [("take_off", "eddy"), ("remove", "eddy")],
}
ADULTS = {TEACHER: "lake", PARENT: "rush", ADMIN: "admin", SUBSTITUTE: "eddy"}
# Forms that also write a row for each of these children, and its action.
ALSO = {
    "teach.delete_class": ("remove", {"Miaqua", "Benquill"}),
    "teach.merge": ("merge", {"Benquill"}),
    "teach.new_pictures": ("pictures", {"Miaqua", "Benquill"}),
    "school.year": ("move", {"Miaqua", "Benquill"}),
    "school.year_undo": ("move", {"Miaqua", "Benquill"}),
}
OWN = {  # what each adult may open, by kind of thing
    TEACHER: {"classes": "sunfish", "children": "Benquill", "rounds": "Benquill"},
    PARENT: {"children": "Benquill", "rounds": "Benquill"},
    ADMIN: {
        "classes": "sunfish",
        "children": "Benquill",
        "rounds": "Benquill",
        "adults": "lake",
    },
    SUBSTITUTE: {"classes": "sunfish", "children": "Benquill", "rounds": "Benquill"},
}


def on_record(world: World) -> list[tuple[int | None, str, str, int | None]]:
    with world.app.app_context():
        rows = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
        return [(row.adult_id, row.action, row.thing, row.thing_id) for row in rows]


def forget(world: World) -> None:
    with world.app.app_context(), write_unit():
        db.session.execute(delete(AuditEntry))


def names_a_child(world: World, text: str) -> bool:
    return any(name in text for name in world.children)


def test_every_page_and_every_form_of_adults_has_been_judged(world: World) -> None:
    def open_to_adults(method: str) -> set[str]:
        return {
            rule.endpoint
            for rule in rules(world.app)
            if any(may(kind, method, rule.endpoint) for kind in ADULTS)
        }

    assert open_to_adults("GET") == JUDGED.keys()
    assert open_to_adults("POST") - NOT_HERE == ACTS.keys()


@pytest.mark.walk(9)
@pytest.mark.parametrize("endpoint", sorted(JUDGED))
def test_looking_at_a_child_is_on_record_and_no_other_page_writes(
    world: World, endpoint: str
) -> None:
    rule = next(r for r in rules(world.app) if r.endpoint == endpoint)
    world.visitor("Benquill")  # a child who can be seated
    with world.app.app_context():
        live_class.hand(world.children["Benquill"], True)  # and needs its teacher
    for kind in ADULTS.keys() & kinds(endpoint):
        adult, judged = ADULTS[kind], JUDGED_OF.get((endpoint, kind), JUDGED[endpoint])
        own = {"", *OWN[kind].values()}
        address = next((a for a in addresses(world, rule) if a.thing in own), None)
        if address is None:  # nobody of this kind reads a voice
            assert endpoint.startswith("voice.")
            continue
        visitor = world.visitor(adult)
        forget(world)
        answer = visitor.get(address.path)
        found = on_record(world)
        assert answer.status_code in (200, 303, 308, 404)
        if judged is None:
            assert not found
            assert not names_a_child(world, answer.text)
        else:
            ((who, action, thing, number),) = found
            assert (who, action, thing) == (world.adults[adult], *judged)
            own_things = {getattr(world, group)[name] for group, name in OWN[kind].items()}
            assert number in (own_things or {school(world)})
            assert names_a_child(world, answer.text)


@pytest.mark.walk(9)
@pytest.mark.parametrize("endpoint", sorted(ACTS))
def test_each_change_of_a_class_or_a_child_is_on_record_once(world: World, endpoint: str) -> None:
    visitor, path, fields = prepared(world, endpoint)
    forget(world)
    with clock.clock_at(START):
        assert visitor.post(path, fields).status_code < 400
    by = sender(world, endpoint)
    acts = filter(None, (ACTS[endpoint], THEN.get(endpoint)))
    expected = [(by, *act, subject(world, endpoint)) for act in acts]
    expected += [
        (by, action, "adult", world.adults[whom]) for action, whom in WHOM.get(endpoint, [])
    ]
    action, children = ALSO.get(endpoint, ("", set()))
    expected += [(by, action, "child", world.children[name]) for name in children]
    assert sorted(on_record(world), key=str) == sorted(expected, key=str)


def sender(world: World, endpoint: str) -> int | None:
    """The adult who sent the form or, if none was signed in, the one whose account it made or
    opened."""
    if endpoint == "auth.reset":
        return world.adults["reed"]
    return world.adults.get(FORMS[endpoint][0]) or newest(world, Adult)


def subject(world: World, endpoint: str) -> int | None:
    """The row that the address names, or the one that the form made."""
    thing, (_, kind) = FORMS[endpoint][1], ACTS[endpoint] or ("", "")
    if endpoint in ("family.join", "family.link"):
        thing = "Miaqua"
    if endpoint == "teach.make_class":
        return newest(world, SchoolClass)
    if endpoint in ("teach.add", "teach.class_list", "school.lists"):
        return newest(world, Child)
    if endpoint in ("teach.reset_code", "teach.cancel_reset_code", "teach.voices"):
        return world.adults["reed"]
    if endpoint in ("school.change_class", "teach.undo"):
        thing = "Miaqua"
    if kind == "school":
        return school(world)
    if kind == "adult":
        return world.adults.get(thing) or sender(world, endpoint)
    if endpoint in ("auth.colleague", "school.invite", "school.revoke", "teach.keep_moment"):
        thing = "sunfish"
    group = {"class": world.classes, "child": world.children, "round": world.rounds}[kind]
    return group[thing]


def school(world: World) -> int:
    with world.app.app_context():
        return db.session.get_one(Adult, world.adults["admin"]).school_id


def newest(world: World, model: type[Adult | Child | SchoolClass]) -> int | None:
    with world.app.app_context():
        return db.session.scalar(select(func.max(model.id)))


@pytest.mark.walk(9)
@pytest.mark.parametrize("endpoint", sorted(name for name, judged in JUDGED.items() if judged))
def test_a_refused_look_is_not_on_record(world: World, endpoint: str) -> None:
    rule = next(r for r in rules(world.app) if r.endpoint == endpoint)
    kind = endpoint.partition(".")[0].replace("teach", TEACHER).replace("family", PARENT)
    kind = kind.replace("school", ADMIN)
    visitor = world.visitor(ADULTS[kind])
    forget(world)
    for address in addresses(world, rule):
        # pages of the school itself name none of these
        if address.thing in (None, "carp", "Zedquorn"):
            assert visitor.get(address.path).status_code == 404
    assert not on_record(world)


def test_the_home_of_a_parent_is_a_look_at_each_child(world: World) -> None:
    visitor = world.visitor("reed")
    forget(world)
    for _ in range(3):
        visitor.get("/family/")
    adult, child = world.adults["reed"], world.children["Miaqua"]
    assert on_record(world) == [(adult, "read", "child", child)]


STREAMS = ("classes/{sunfish}/live", "classes/{sunfish}/board", "rounds/{round}/watch")


def stream_of(world: World, page: str) -> str:
    things = {"sunfish": world.classes["sunfish"], "round": world.rounds["Miaqua"]}
    return f"/teach/{page.format(**things)}/events"


@pytest.mark.parametrize("page", STREAMS)
def test_a_stream_that_claims_to_have_seen_everything_is_on_record_too(
    world: World, page: str
) -> None:
    visitor = world.visitor("lake")
    mark = visitor.get(stream_of(world, page)).text.partition("\n")[0].removeprefix("id: ")
    forget(world)
    answer = visitor.get(stream_of(world, page), headers={"Last-Event-ID": mark})
    assert answer.text == ": nothing new\n\n"
    assert len(on_record(world)) == 1


@pytest.mark.walk(3)
@pytest.mark.parametrize("page", STREAMS)
def test_a_stream_is_one_look_however_many_messages_it_sends(
    world: World, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classroom.live.asgi.GLANCE", 0.2)
    cookie = world.visitor("lake").client.get_cookie("school")
    assert cookie
    round_id = world.rounds["Miaqua"]
    about = bare_scope(cookie=f"school={cookie.value}") | {"path": stream_of(world, page)}
    forget(world)

    async def run() -> None:
        front, browser = Front(world.app), Browser()
        hub = world.app.extensions["hub"]
        watching = asyncio.create_task(front(about, browser.receive, browser.send))
        await browser.until(lambda: len(browser.sent) > 1)
        assert len(on_record(world)) == 1
        forget(world)
        topic = round_id if "watch" in page else ("live", world.classes["sunfish"])
        for told in (2, 3):
            hub.tell(topic, told)
            await browser.until(lambda told=told: len(browser.sent) > told)
        front.end_streams()
        await asyncio.wait_for(watching, 5)

    in_a_loop(run())
    assert not on_record(world)
