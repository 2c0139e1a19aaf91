"""Every URL of the app, the view that answers it, and the forms that replace stored values.

A URL accepts only the methods that the permission table lists for its endpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from flask import Blueprint, Flask, g

from classroom.services.base import limits
from classroom.services.lesson import lessons, seating
from classroom.services.lesson.lessons import TablePlan
from classroom.services.lesson.seating import Group
from classroom.services.reports import skill_reports
from classroom.services.school import class_life, classes
from classroom.services.table import choices, offers
from classroom.services.table.choices import Levels, Whose
from classroom.web import family
from classroom.web.auth import account_pages, doors, front_door
from classroom.web.child import home_pages, play, play_questions, shared
from classroom.web.http import forms, guards, kept
from classroom.web.http.forms import Fields, ReplacedForm
from classroom.web.http.permissions import ASK_AGAIN, PERMISSIONS
from classroom.web.reports import class_skills, data_pages, progress, replay
from classroom.web.reports.setting_forms import play_fields, question_fields
from classroom.web.school import privacy_pages, school_pages, year
from classroom.web.school.school_pages import place_fields
from classroom.web.teacher import (
    class_games,
    class_list,
    class_moments,
    class_pages,
    family_pages,
    lesson_pages,
    plan_pages,
    print_pages,
    settings_pages,
    teach,
)
from classroom.web.teacher.settings_pages import SCHOOLS, times_fields
from classroom.web.voice import voice_pages

Routes = tuple[tuple[str, str, Callable[..., Any]], ...]  # the URL rule, name and view of each

AUTH: Final[Routes] = (
    ("/health", "health", front_door.health_of_the_data),
    ("/metrics", "metrics", front_door.metrics),
    ("/", "front", front_door.front),
    ("/privacy", "privacy_page", privacy_pages.privacy_page),
    ("/look-around", "look_around", front_door.look_around),
    ("/demo-in", "demo_in", front_door.demo_in),
    ("/setup", "setup_school", front_door.setup_school),
    ("/in", "adult_in", front_door.adult_in),
    ("/in/again", "again", account_pages.password_again),
    ("/in/second", "second", account_pages.second),
    ("/reset", "reset", account_pages.reset),
    ("/ended", "ended", account_pages.ended),
    ("/https", "https", front_door.https),
    ("/language", "language", front_door.language),
    ("/account", "account", account_pages.account),
    ("/account/names", "account_names", account_pages.account_names),
    ("/account/second", "second_factors", account_pages.second_factors_page),
    ("/account/second", "add_second", account_pages.add_second),
    ("/account/second/remove", "remove_second", account_pages.remove_second),
    ("/account/record.json", "own_record", account_pages.own_record),
    ("/colleague", "colleague", account_pages.colleague),
    ("/out", "out", front_door.out),
    ("/join", "join", doors.join),
    ("/c/<code>", "class_link", doors.class_link),
    ("/animals", "animals", doors.animals),
    ("/animals/<int:child_id>/knock", "knock", doors.knock),
    ("/animals/<int:child_id>", "pictures", doors.pictures),
    ("/animals/<int:child_id>", "pictures_try", doors.pictures_try),
    ("/animals/<int:child_id>/wait", "wait", doors.waiting_page),
    ("/animals/<int:child_id>/waiting", "waiting", doors.waiting),
    ("/bye", "bye", doors.bye),
    ("/at-home", "home_door", doors.door_at_home),
    ("/at-home", "home_try", doors.home_pictures_try),
)
PLAY: Final[Routes] = (
    ("/", "home", home_pages.home),
    ("/rest", "rest", home_pages.rest),
    ("/rounds", "start", play.start),
    ("/games/<key>", "how", play.how),
    ("/games/<key>/practice", "practice", play.practice),
    ("/language", "language", home_pages.language),
    ("/rounds/<int:round_id>", "table", play.table),
    ("/rounds/<int:round_id>/table", "table_part", play.table_part),
    ("/rounds/<int:round_id>/events", "events", play.events),
    ("/rounds/<int:round_id>/asks", "ask", play.ask),
    ("/rounds/<int:round_id>/actions", "act", play.act),
    ("/rounds/<int:round_id>/hint", "hint", play.hint),
    ("/rounds/<int:round_id>/board", "board", play.board),
    ("/rounds/<int:round_id>/questions", "question", play_questions.put),
    ("/rounds/<int:round_id>/questions/<int:seq>/answers", "answer", play_questions.answer),
    ("/rounds/<int:round_id>/questions/<int:seq>/hint", "question_hint", play_questions.hint),
    ("/rounds/<int:round_id>/questions/<int:seq>/leave", "question_leave", play_questions.leave),
    ("/rounds/<int:round_id>/again", "again", play.again),
    ("/rounds/<int:round_id>/back", "back", home_pages.back),
    ("/rounds/<int:round_id>/hand", "hand", home_pages.hand),
    ("/moments/<int:moment_id>", "moment", play.moment),
    ("/moments/<int:moment_id>/table", "moment_part", play.moment_part),
    ("/moments/<int:moment_id>/asks", "moment_ask", play.moment_ask),
    ("/friends", "friends", home_pages.friends),
    ("/classes/<int:class_id>/friends", "friends_part", home_pages.friends_part),
    ("/classes/<int:class_id>/events", "friends_events", home_pages.friends_events),
    ("/friends", "make_table", home_pages.make_table),
    ("/friends/sit", "sit", home_pages.sit),
    ("/friends/leave", "stand_up", home_pages.stand_up),
    ("/friends/computer", "computer_friend", home_pages.computer_friend),
    ("/friends/ready", "ready", home_pages.ready),
    ("/together", "together", shared.together),
    ("/invited", "invited", shared.invited),
    ("/shared/<int:round_id>", "shared", shared.table),
    ("/shared/<int:round_id>/table", "shared_part", shared.table_part),
    ("/shared/<int:round_id>/events", "shared_events", shared.events),
    ("/shared/<int:round_id>/hand", "shared_hand", shared.hand),
    ("/shared/<int:round_id>/asks", "shared_ask", shared.ask),
    ("/shared/<int:round_id>/again", "shared_again", shared.again),
    ("/shared/<int:round_id>/bell", "shared_bell", shared.bell),
)
PARENT: Final = "/children/<int:child_id>/parents/<int:parent_id>"
TEACH: Final[Routes] = (
    ("/", "home", teach.home),
    ("/classes", "make_class", teach.make_class),
    ("/classes/<int:class_id>", "school_class", teach.school_class),
    ("/classes/<int:class_id>/voices", "voices", voice_pages.of_class),
    ("/classes/<int:class_id>/colleagues", "colleagues", class_pages.colleagues),
    ("/classes/<int:class_id>/colleagues/invite", "invite", class_pages.invite_colleague),
    ("/classes/<int:class_id>/colleagues/revoke", "revoke", class_pages.revoke_invitation),
    ("/classes/<int:class_id>/colleagues/share", "share", class_pages.share_class),
    ("/classes/<int:class_id>/colleagues/leave", "leave", class_pages.leave_class),
    ("/classes/<int:class_id>/colleagues/pictures", "new_pictures", class_pages.new_pictures),
    ("/classes/<int:class_id>/colleagues/dismiss", "dismiss", class_pages.dismiss_colleague),
    ("/classes/<int:class_id>/skills", "skills", class_skills.skills),
    ("/classes/<int:class_id>/skills/print", "class_report", class_skills.class_report),
    ("/classes/<int:class_id>/skills/sheets", "class_sheets", progress.class_sheets),
    ("/classes/<int:class_id>/together", "seat_together", class_skills.seat_together),
    ("/classes/<int:class_id>/focus", "focus", class_skills.focus),
    ("/classes/<int:class_id>/paper", "paper", class_skills.paper),
    ("/classes/<int:class_id>/small-group", "small_group", class_skills.small_group),
    ("/classes/<int:class_id>/print", "kit", print_pages.kit),
    ("/classes/<int:class_id>/week", "week", print_pages.week),
    ("/classes/<int:class_id>/skills.csv", "skills_csv", progress.class_table),
    ("/classes/<int:class_id>/answers.csv", "answers_csv", progress.class_answers),
    ("/children/<int:child_id>/missed", "missed", progress.child_missed),
    ("/children/<int:child_id>/looks", "looks", data_pages.looks),
    ("/children/<int:child_id>/restrict", "restrict", data_pages.restrict),
    ("/children/<int:child_id>/answers/delete", "erase_answers", data_pages.erase_answers),
    ("/children/<int:child_id>/sheet", "child_sheet", progress.child_sheet),
    ("/children/<int:child_id>/skills.csv", "child_csv", progress.child_table),
    ("/children/<int:child_id>/answers.csv", "child_answers_csv", progress.child_answers),
    ("/children/<int:child_id>/record.json", "record", data_pages.child_record),
    ("/classes/<int:class_id>/open", "open_class", teach.open_class),
    ("/classes/<int:class_id>/close", "close_class", teach.close_class),
    ("/classes/<int:class_id>/live", "live", lesson_pages.live),
    ("/classes/<int:class_id>/live/events", "live_events", lesson_pages.live_events),
    ("/classes/<int:class_id>/lesson", "lesson", lesson_pages.lesson),
    ("/classes/<int:class_id>/times", "times", settings_pages.times),
    ("/children/<int:child_id>/hand", "lower_hand", lesson_pages.lower_hand),
    ("/classes/<int:class_id>/seats", "seats", lesson_pages.seats),
    ("/classes/<int:class_id>/seats/move", "move_child", lesson_pages.move_child),
    ("/classes/<int:class_id>/seats/friend", "seat_friend", lesson_pages.seat_friend),
    ("/classes/<int:class_id>/seats/tablet", "seat_tablet", lesson_pages.seat_tablet),
    ("/classes/<int:class_id>/seats/start", "start_tables", lesson_pages.start_tables),
    ("/classes/<int:class_id>/seats/all", "seat_and_start", lesson_pages.seat_and_start),
    ("/classes/<int:class_id>/seats/clear", "clear_seats", lesson_pages.clear_seats),
    ("/classes/<int:class_id>/groups", "class_groups", plan_pages.class_groups),
    ("/classes/<int:class_id>/plan", "plan", plan_pages.plan),
    ("/classes/<int:class_id>/plan/begin", "begin_plan", plan_pages.begin_plan),
    ("/classes/<int:class_id>/lessons", "outlines", plan_pages.outlines),
    ("/classes/<int:class_id>/lessons/<outline>", "outline", plan_pages.outline),
    ("/classes/<int:class_id>/lessons/<outline>", "begin_outline", plan_pages.begin_outline),
    ("/classes/<int:class_id>/lessons/<outline>/moment", "deal_outline", plan_pages.deal_outline),
    ("/classes/<int:class_id>/board", "board", lesson_pages.board),
    ("/classes/<int:class_id>/board/events", "board_events", lesson_pages.board_events),
    ("/rounds/<int:round_id>/watch", "watch", lesson_pages.watch),
    ("/rounds/<int:round_id>/watch/events", "watch_events", lesson_pages.watch_events),
    ("/rounds/<int:round_id>/watch", "watch_hands", lesson_pages.watch_hands),
    ("/classes/<int:class_id>/now", "now", teach.now),
    ("/classes/<int:class_id>/questions", "questions", settings_pages.CLASS.questions),
    ("/classes/<int:class_id>/standards", "standards", settings_pages.standards),
    ("/classes/<int:class_id>/talk", "talk", settings_pages.talk),
    ("/classes/<int:class_id>/settings", "settings", settings_pages.settings),
    ("/classes/<int:class_id>/play", "class_play", settings_pages.CLASS.play),
    ("/groups/<int:group_id>/settings", "group_settings", settings_pages.group_settings),
    ("/groups/<int:group_id>/play", "group_play", settings_pages.GROUP.play),
    ("/groups/<int:group_id>/questions", "group_questions", settings_pages.GROUP.questions),
    ("/classes/<int:class_id>/home", "home_play", settings_pages.home_play),
    ("/children/<int:child_id>/settings", "child_settings", settings_pages.child_settings),
    ("/children/<int:child_id>/play", "child_play", settings_pages.CHILD.play),
    ("/children/<int:child_id>/questions", "child_questions", settings_pages.CHILD.questions),
    ("/classes/<int:class_id>/code", "code", teach.code),
    ("/classes/<int:class_id>/about", "about_class", class_pages.about_class),
    ("/classes/<int:class_id>/rename", "rename_class", class_pages.rename_class),
    ("/classes/<int:class_id>/end", "class_end", class_pages.class_end),
    ("/classes/<int:class_id>/archive", "archive_class", class_pages.archive_class),
    ("/classes/<int:class_id>/restore", "restore_class", class_pages.restore_class),
    ("/classes/<int:class_id>/delete", "delete_class", class_pages.delete_class),
    ("/children/<int:child_id>/class", "change_class", class_pages.change_class),
    ("/children/<int:child_id>/merge", "merge", class_pages.merge),
    ("/classes/<int:class_id>/new-devices", "new_devices", teach.new_devices),
    ("/classes/<int:class_id>/children", "add", teach.add),
    ("/classes/<int:class_id>/list", "class_list", class_list.class_list),
    ("/classes/<int:class_id>/cards", "cards", family_pages.cards),
    ("/classes/<int:class_id>/games", "games", class_games.games),
    ("/classes/<int:class_id>/games/own", "mix", class_games.mix),
    ("/classes/<int:class_id>/games/change", "change_game", class_games.change),
    ("/children/<int:child_id>", "child", teach.child),
    ("/children/<int:child_id>/notes", "write_note", teach.write_note),
    ("/children/<int:child_id>/notes/delete", "delete_note", teach.delete_note),
    ("/children/<int:child_id>/card", "card", family_pages.card),
    ("/children/<int:child_id>/rename", "rename", teach.rename),
    ("/children/<int:child_id>/remove", "remove", class_pages.remove),
    ("/children/<int:child_id>/left", "left", class_pages.left),
    ("/classes/<int:class_id>/undo", "undo", class_pages.undo),
    ("/children/<int:child_id>/pictures", "pictures", teach.pictures),
    ("/children/<int:child_id>/let-in", "let_in", teach.let_in),
    ("/children/<int:child_id>/family-code", "family_code", family_pages.family_code),
    ("/classes/<int:class_id>/families", "families", family_pages.families),
    ("/classes/<int:class_id>/families/sheets", "family_sheets", family_pages.family_sheets),
    ("/children/<int:child_id>/family-code/cancel", "cancel_code", family_pages.cancel_code),
    (f"{PARENT}/unlink", "unlink", family_pages.unlink),
    (f"{PARENT}/new-password", "reset_code", family_pages.reset_code),
    (f"{PARENT}/new-password/cancel", "cancel_reset_code", family_pages.cancel_reset_code),
    ("/rounds/<int:round_id>", "replay", replay.replay_page),
    ("/rounds/<int:round_id>/hands", "all_hands", replay.all_hands),
    ("/rounds/<int:round_id>/moment", "keep_moment", class_moments.keep_moment),
    ("/classes/<int:class_id>/moments", "moments", class_moments.moments_page),
    ("/classes/<int:class_id>/moments/new", "build_moment", class_moments.build_moment),
    ("/moments/<int:moment_id>", "moment", class_moments.moment),
    ("/moments/<int:moment_id>", "moment_act", class_moments.moment_act),
    ("/moments/<int:moment_id>/events", "moment_events", class_moments.news),
    ("/moments/<int:moment_id>/print", "moment_sheet", class_moments.sheet),
)
FAMILY: Final[Routes] = (
    ("/", "home", family.children),
    ("/join", "join", family.join),
    ("/children/<int:child_id>", "child", family.child),
    ("/children/<int:child_id>/progress", "progress", family.progress),
    ("/children/<int:child_id>/missed", "missed", progress.child_missed),
    ("/children/<int:child_id>/sheet", "child_sheet", progress.child_sheet),
    ("/children/<int:child_id>/skills.csv", "child_csv", progress.child_table),
    ("/children/<int:child_id>/answers.csv", "child_answers_csv", progress.child_answers),
    ("/children/<int:child_id>/record.json", "record", data_pages.child_record),
    ("/children/<int:child_id>/settings", "settings", family.FAMILY.play),
    ("/children/<int:child_id>/questions", "questions", family.FAMILY.questions),
    ("/children/<int:child_id>/language", "language", family.language),
    ("/children/<int:child_id>/at-home", "open_home", doors.open_home),
    ("/children/<int:child_id>/card", "card", doors.own_card),
    ("/link", "link", family.link),
    ("/children/<int:child_id>/leave", "leave_child", family.leave_child),
    ("/children/<int:child_id>/looks", "looks", data_pages.looks),
    ("/children/<int:child_id>/restrict", "restrict", data_pages.restrict),
    ("/leave", "leave", family.leave),
)
COLLEAGUE: Final = "/people/<int:adult_id>"
SCHOOL: Final[Routes] = (
    ("/", "home", school_pages.school_home),
    ("/people", "people", school_pages.people),
    ("/people/invite", "invite", school_pages.invite),
    ("/people/revoke", "revoke", school_pages.revoke),
    (f"{COLLEAGUE}/role", "role", school_pages.role),
    (f"{COLLEAGUE}/new-password", "reset_code", school_pages.reset_code),
    (f"{COLLEAGUE}/new-password/cancel", "cancel_reset_code", school_pages.cancel_reset_code),
    (f"{COLLEAGUE}/end", "end", school_pages.end),
    ("/lists", "lists", school_pages.lists),
    ("/classes", "classes", school_pages.classes),
    ("/classes/<int:class_id>/teachers", "teachers", school_pages.teachers),
    ("/class", "change_class", year.change_class),
    ("/year", "year", year.year),
    ("/year/undo", "year_undo", year.undo),
    ("/server", "server", school_pages.server),
    ("/keeping", "keeping", privacy_pages.keeping_page),
    ("/settings", "settings", school_pages.settings),
    ("/settings/play", "play", school_pages.SCHOOL.play),
    ("/settings/questions", "questions", school_pages.SCHOOL.questions),
    ("/record", "record", privacy_pages.record),
    ("/folder", "folder", privacy_pages.folder),
    ("/folder/components.json", "components", privacy_pages.components),
    ("/folder/<paper>", "paper", privacy_pages.paper),
)
VOICE: Final[Routes] = (
    ("/", "home", voice_pages.home),
    ("/file", "take_in", voice_pages.take_in),
    ("/<int:pack_id>/agree", "agree", voice_pages.agree),
    ("/<int:pack_id>/read", "studio", voice_pages.studio),
    ("/<int:pack_id>/read/<name>", "read", voice_pages.read),
    ("/<int:pack_id>/withdraw", "withdraw", voice_pages.withdraw),
    ("/<int:pack_id>/voice.zip", "file", voice_pages.file),
    ("/<int:pack_id>/<int:version>/pieces.json", "pieces", voice_pages.pieces),
    ("/<int:pack_id>/<int:version>/<name>.mp3", "piece", voice_pages.piece),
)

BLUEPRINTS: Final = (
    ("auth", "", AUTH),
    ("play", "/play", PLAY),
    ("teach", "/teach", TEACH),
    ("family", "/family", FAMILY),
    ("school", "/school", SCHOOL),
    ("voice", "/voice", VOICE),
)


# ---- The forms that replace stored values: how their values are read and turned into fields
#
# Two tabs or two adults can have the same form open, so web/http/forms.py compares their values.

DETAILS: Final = ("name", "age_band", "animal", "second")


def _levels(whose: Whose) -> Callable[..., Levels]:
    return lambda **address: choices.read(whose, *(address.values() or (g.who.school_id,)))


def _play(whose: Whose) -> ReplacedForm:
    return ReplacedForm(_levels(whose), partial(play_fields, whose))


def _questions(whose: Whose) -> ReplacedForm:
    return ReplacedForm(_levels(whose), partial(question_fields, whose))


def _each(fields: Callable[[Any], Mapping[str, object]]) -> Callable[[Any], Fields]:
    """Make a function that returns form fields with one value each."""
    return lambda values: {name: (str(value),) for name, value in fields(values).items()}


def _one(name: str) -> Callable[[Any], Fields]:
    """Make a function that returns the only field of a form."""
    return lambda value: {name: (str(value),)}


def _game_name(class_id: int, own: int) -> str:
    return next((row.name for row in offers.own_games(class_id) if row.id == own), "")


def _plan_fields(tables: tuple[TablePlan, ...]) -> Fields:
    found = {f"table-{child}": (str(at),) for child, at in lessons.places_of_plan(tables).items()}
    for at, one in enumerate(tables, 1):
        found |= {f"game-{at}": (one.game,), f"numbers-{at}": ("{}-{}".format(*one.numbers),)}
    return found


def _group_fields(found: tuple[Group, ...]) -> Fields:
    return {f"group-{child}": (str(one.group_id),) for one in found for child in one.children}


def _ends(day: int) -> Fields:
    return {"ends": (class_life.date_of(day).isoformat(),)}


REPLACED: Final[Mapping[str, ReplacedForm]] = {
    "teach.class_play": _play("class"),
    "teach.group_play": _play("group"),
    "teach.child_play": _play("child"),
    "family.settings": _play("family"),
    "school.play": _play("school"),
    "teach.questions": _questions("class"),
    "teach.group_questions": _questions("group"),
    "teach.child_questions": _questions("child"),
    "family.questions": _questions("family"),
    "school.questions": _questions("school"),
    "teach.focus": ReplacedForm(_levels("class"), partial(question_fields, "class"), whole=True),
    "teach.times": ReplacedForm(lessons.times, _each(times_fields)),
    "teach.standards": ReplacedForm(
        skill_reports.own_standards, lambda own: {"standards": (str(own or SCHOOLS),)}
    ),
    "teach.talk": ReplacedForm(choices.talk_of_class, _one("talk")),
    "teach.home_play": ReplacedForm(lessons.home_play_of, _each(settings_pages.home_fields)),
    "teach.games": ReplacedForm(offers.offered, lambda keys: {"game": keys}),
    "teach.change_game": ReplacedForm(_game_name, _one("name")),
    "teach.class_groups": ReplacedForm(seating.groups_of, _group_fields),
    "teach.plan": ReplacedForm(lessons.plan_of, _plan_fields, whole=True),
    "teach.rename": ReplacedForm(
        classes.details, lambda details: _each(dict)(zip(DETAILS, details, strict=True))
    ),
    "teach.rename_class": ReplacedForm(
        lambda class_id: class_life.life(class_id).name, _one("name")
    ),
    "teach.class_end": ReplacedForm(lambda class_id: class_life.life(class_id).ends_day, _ends),
    "school.keeping": ReplacedForm(limits.days_kept, _each(dict)),
    "school.settings": ReplacedForm(lambda: class_life.where(g.who.school_id), _each(place_fields)),
}


def init_app(app: Flask) -> None:
    """Register every view at its URL, behind the guard."""
    for name, prefix, routes in BLUEPRINTS:
        blueprint = Blueprint(name, __name__, url_prefix=prefix or None)
        blueprint.before_request(guards.check)
        if any(endpoint.startswith(f"{name}.") for endpoint in ASK_AGAIN):
            blueprint.before_request(kept.check_proof)
        for address, endpoint, view in routes:
            methods = PERMISSIONS[f"{name}.{endpoint}"].methods
            blueprint.add_url_rule(address, endpoint, view, methods=sorted(methods))
        app.register_blueprint(blueprint)
    forms.init_app(app, REPLACED)
