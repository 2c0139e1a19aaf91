"""Every address of the app, and the view that answers it.

An address answers the methods that the permission table gives its endpoint, and no others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Flask

from classroom.web import family, replaced
from classroom.web.auth import (
    at_home,
    colleague,
    doors,
    first_visit,
    forgotten,
    front_door,
    own_account,
    privacy_page,
    second,
)
from classroom.web.child import friends, play, play_questions
from classroom.web.http import both, guards
from classroom.web.http.permissions import PERMISSIONS
from classroom.web.reports import (
    child_record,
    child_sheet,
    class_skills,
    looks_pages,
    progress,
    replay,
    tomorrow_pages,
)
from classroom.web.school import (
    folder,
    keeping_pages,
    lists,
    people,
    record,
    rooms,
    school,
    school_settings,
    year,
)
from classroom.web.teacher import (
    card_pages,
    class_games,
    class_list,
    class_pages,
    colleagues,
    families,
    lesson_pages,
    plan_pages,
    settings_pages,
    teach,
)

Routes = tuple[tuple[str, str, Callable[..., Any]], ...]  # address, name, view

AUTH: Final[Routes] = (
    ("/health", "health", front_door.health_of_the_data),
    ("/", "front", front_door.front),
    ("/privacy", "privacy_page", privacy_page.privacy_page),
    ("/look-around", "look_around", first_visit.look_around),
    ("/demo-in", "demo_in", first_visit.demo_in),
    ("/setup", "setup_school", first_visit.setup_school),
    ("/in", "adult_in", front_door.adult_in),
    ("/in/again", "again", own_account.again),
    ("/in/second", "second", second.second),
    ("/reset", "reset", forgotten.reset),
    ("/ended", "ended", forgotten.ended),
    ("/https", "https", front_door.https),
    ("/account", "account", own_account.account),
    ("/account/names", "account_names", own_account.account_names),
    ("/account/second", "second_factors", second.second_factors_page),
    ("/account/second", "add_second", second.add_second),
    ("/account/second/remove", "remove_second", second.remove_second),
    ("/account/record.json", "own_record", own_account.own_record),
    ("/colleague", "colleague", colleague.colleague),
    ("/out", "out", front_door.out),
    ("/join", "join", doors.join),
    ("/c/<code>", "class_link", doors.class_link),
    ("/animals", "animals", doors.animals),
    ("/animals/<int:child_id>/knock", "knock", doors.knock),
    ("/animals/<int:child_id>", "pictures", doors.pictures),
    ("/animals/<int:child_id>", "pictures_try", doors.pictures_try),
    ("/animals/<int:child_id>/wait", "wait", doors.wait),
    ("/animals/<int:child_id>/waiting", "waiting", doors.waiting),
    ("/bye", "bye", doors.bye),
    ("/at-home", "home_door", at_home.door),
    ("/at-home", "home_try", at_home.try_pictures),
)
PLAY: Final[Routes] = (
    ("/", "home", play.home),
    ("/rounds", "start", play.start),
    ("/games/<key>", "how", play.how),
    ("/games/<key>/practice", "practice", play.practice),
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
    ("/rounds/<int:round_id>/back", "back", friends.back),
    ("/rounds/<int:round_id>/hand", "hand", friends.hand),
    ("/friends", "friends", friends.friends),
    ("/classes/<int:class_id>/friends", "friends_part", friends.friends_part),
    ("/classes/<int:class_id>/events", "friends_events", friends.friends_events),
    ("/friends", "make_table", friends.make_table),
    ("/friends/sit", "sit", friends.sit),
    ("/friends/leave", "stand_up", friends.stand_up),
    ("/friends/computer", "computer_friend", friends.computer_friend),
    ("/friends/ready", "ready", friends.ready),
)
TEACH: Final[Routes] = (
    ("/", "home", teach.home),
    ("/classes", "make_class", teach.make_class),
    ("/classes/<int:class_id>", "school_class", teach.school_class),
    ("/classes/<int:class_id>/colleagues", "colleagues", colleagues.colleagues),
    ("/classes/<int:class_id>/colleagues/invite", "invite", colleagues.invite),
    ("/classes/<int:class_id>/colleagues/revoke", "revoke", colleagues.revoke),
    ("/classes/<int:class_id>/colleagues/share", "share", colleagues.share),
    ("/classes/<int:class_id>/colleagues/leave", "leave", colleagues.leave),
    ("/classes/<int:class_id>/colleagues/dismiss", "dismiss", colleagues.dismiss),
    ("/classes/<int:class_id>/skills", "skills", class_skills.skills),
    ("/classes/<int:class_id>/skills/print", "class_report", class_skills.class_report),
    ("/classes/<int:class_id>/together", "seat_together", tomorrow_pages.seat_together),
    ("/classes/<int:class_id>/focus", "focus", tomorrow_pages.focus),
    ("/classes/<int:class_id>/paper", "paper", tomorrow_pages.paper),
    ("/classes/<int:class_id>/skills.csv", "skills_csv", progress.class_table),
    ("/classes/<int:class_id>/answers.csv", "answers_csv", progress.class_answers),
    ("/children/<int:child_id>/missed", "missed", progress.child_missed),
    ("/children/<int:child_id>/looks", "looks", looks_pages.looks),
    ("/children/<int:child_id>/sheet", "child_sheet", child_sheet.child_sheet),
    ("/children/<int:child_id>/skills.csv", "child_csv", progress.child_table),
    ("/children/<int:child_id>/answers.csv", "child_answers_csv", progress.child_answers),
    ("/children/<int:child_id>/record.json", "record", child_record.child_record),
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
    ("/classes/<int:class_id>/seats/start", "start_tables", lesson_pages.start_tables),
    ("/classes/<int:class_id>/seats/clear", "clear_seats", lesson_pages.clear_seats),
    ("/classes/<int:class_id>/groups", "class_groups", plan_pages.class_groups),
    ("/classes/<int:class_id>/plan", "plan", plan_pages.plan),
    ("/classes/<int:class_id>/plan/begin", "begin_plan", plan_pages.begin_plan),
    ("/classes/<int:class_id>/board", "board", lesson_pages.board),
    ("/classes/<int:class_id>/board/events", "board_events", lesson_pages.board_events),
    ("/rounds/<int:round_id>/watch", "watch", lesson_pages.watch),
    ("/rounds/<int:round_id>/watch/events", "watch_events", lesson_pages.watch_events),
    ("/rounds/<int:round_id>/watch", "watch_hands", lesson_pages.watch_hands),
    ("/classes/<int:class_id>/now", "now", teach.now),
    ("/classes/<int:class_id>/questions", "questions", settings_pages.questions),
    ("/classes/<int:class_id>/standards", "standards", settings_pages.standards),
    ("/classes/<int:class_id>/settings", "settings", settings_pages.settings),
    ("/classes/<int:class_id>/play", "class_play", settings_pages.play),
    ("/classes/<int:class_id>/home", "home_play", settings_pages.home_play),
    ("/children/<int:child_id>/settings", "child_settings", settings_pages.child_settings),
    ("/children/<int:child_id>/play", "child_play", settings_pages.child_play),
    ("/children/<int:child_id>/questions", "child_questions", settings_pages.child_questions),
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
    ("/classes/<int:class_id>/cards", "cards", card_pages.cards),
    ("/classes/<int:class_id>/games", "games", class_games.games),
    ("/classes/<int:class_id>/games/own", "mix", class_games.mix),
    ("/classes/<int:class_id>/games/change", "change_game", class_games.change),
    ("/children/<int:child_id>", "child", teach.child),
    ("/children/<int:child_id>/card", "card", card_pages.card),
    ("/children/<int:child_id>/rename", "rename", teach.rename),
    ("/children/<int:child_id>/remove", "remove", teach.remove),
    ("/children/<int:child_id>/pictures", "pictures", teach.pictures),
    ("/children/<int:child_id>/let-in", "let_in", teach.let_in),
    ("/children/<int:child_id>/family-code", "family_code", teach.family_code),
    ("/classes/<int:class_id>/families", "families", families.families),
    ("/classes/<int:class_id>/families/sheets", "family_sheets", families.family_sheets),
    ("/children/<int:child_id>/family-code/cancel", "cancel_code", families.cancel_code),
    ("/children/<int:child_id>/parents/<int:parent_id>/unlink", "unlink", families.unlink),
    (
        "/children/<int:child_id>/parents/<int:parent_id>/new-password",
        "reset_code",
        families.reset_code,
    ),
    (
        "/children/<int:child_id>/parents/<int:parent_id>/new-password/cancel",
        "cancel_reset_code",
        families.cancel_reset_code,
    ),
    ("/rounds/<int:round_id>", "replay", replay.page),
    ("/rounds/<int:round_id>/hands", "all_hands", replay.all_hands),
)
FAMILY: Final[Routes] = (
    ("/", "home", family.children),
    ("/join", "join", family.join),
    ("/children/<int:child_id>", "child", family.child),
    ("/children/<int:child_id>/progress", "progress", family.progress),
    ("/children/<int:child_id>/missed", "missed", progress.child_missed),
    ("/children/<int:child_id>/sheet", "child_sheet", child_sheet.child_sheet),
    ("/children/<int:child_id>/skills.csv", "child_csv", progress.child_table),
    ("/children/<int:child_id>/answers.csv", "child_answers_csv", progress.child_answers),
    ("/children/<int:child_id>/record.json", "record", child_record.child_record),
    ("/children/<int:child_id>/settings", "settings", family.settings),
    ("/children/<int:child_id>/questions", "questions", family.questions),
    ("/children/<int:child_id>/at-home", "open_home", at_home.open_home),
    ("/link", "link", family.link),
    ("/children/<int:child_id>/leave", "leave_child", family.leave_child),
    ("/children/<int:child_id>/looks", "looks", looks_pages.looks),
    ("/leave", "leave", family.leave),
)
SCHOOL: Final[Routes] = (
    ("/", "home", school.home),
    ("/people", "people", people.people),
    ("/people/invite", "invite", people.invite),
    ("/people/revoke", "revoke", people.revoke),
    ("/people/<int:adult_id>/role", "role", people.role),
    ("/people/<int:adult_id>/end", "end", people.end),
    ("/lists", "lists", lists.lists),
    ("/classes", "classes", rooms.classes),
    ("/classes/<int:class_id>/teachers", "teachers", rooms.teachers),
    ("/class", "change_class", year.change_class),
    ("/year", "year", year.year),
    ("/year/undo", "year_undo", year.undo),
    ("/keeping", "keeping", keeping_pages.keeping_page),
    ("/settings", "settings", school_settings.settings),
    ("/settings/play", "play", school_settings.play),
    ("/settings/questions", "questions", school_settings.questions),
    ("/record", "record", record.record),
    ("/folder", "folder", folder.folder),
    ("/folder/components.json", "components", folder.components),
    ("/folder/<paper>", "paper", folder.paper),
)

BLUEPRINTS: Final = (
    ("auth", "", AUTH),
    ("play", "/play", PLAY),
    ("teach", "/teach", TEACH),
    ("family", "/family", FAMILY),
    ("school", "/school", SCHOOL),
)


def init_app(app: Flask) -> None:
    """Register every view at its address, behind the guard."""
    both.init_app(app, replaced.REPLACED)
    for name, prefix, routes in BLUEPRINTS:
        blueprint = Blueprint(name, __name__, url_prefix=prefix or None)
        blueprint.before_request(guards.check)
        blueprint.before_request(both.check)
        for address, endpoint, view in routes:
            methods = PERMISSIONS[f"{name}.{endpoint}"].methods
            blueprint.add_url_rule(address, endpoint, view, methods=sorted(methods))
        app.register_blueprint(blueprint)
