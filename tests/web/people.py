"""What each kind of person may do, from that person's side and in plain words.

Written by hand, separately from the table that the guard obeys (`web/http/permissions.py`). A test
compares the two, so each new route or wider permission is written, and read, twice. GET includes
HEAD; no other method is ever answered.
"""

from __future__ import annotations

NOBODY, DEVICE, CHILD = "nobody", "device", "child"
TABLET = "tablet"
TEACHER, PARENT, ADMIN, SUBSTITUTE = "teacher", "parent", "admin", "substitute"
HOME_DEVICE, HOME_CHILD = "home_device", "home_child"
MONITOR = "monitor"

# Which thing of theirs an address must name, if it names one.
ROUND_THEY_SIT_IN = "own_round"
ROUND_AT_THE_TABLET = "held_round"
CLASS_THEY_TEACH = "taught_class"
CHILD_THEY_TEACH = "taught_child"
GROUP_OF_THEIR_CLASS = "taught_group"
ROUND_OF_THEIR_CLASS = "taught_round"
MOMENT_OF_THEIR_CLASS = "taught_moment"
MOMENT_DEALT_TO_THEIR_CLASS = "own_moment"
ROUND_OF_THEIR_LESSON = "lesson_round"
THEIR_OWN_CHILD = "linked_child"
CLASS_THEY_ARE_IN = "own_class"
CHILD_OF_THE_DEVICES_CLASS = "classmate"
CLASS_OF_THEIR_SCHOOL = "class_of_school"
WHO_WORKS_AT_THEIR_SCHOOL = "colleague"
VOICE_THEY_READ = "own_voice"
VOICE_THEY_MAY_WITHDRAW = "kept_voice"
VOICE_OF_THEIR_CLASS = "heard_voice"

Line = tuple[str, str, str | None]  # what they do, the routes for it, which thing of theirs

ANYBODY: tuple[Line, ...] = (
    ("come to the front door, from wherever they are", "GET auth.front", None),
    ("load pictures, styles, scripts and voices", "GET static", None),
    ("ask whether the school is open at all", "GET auth.health", None),
    ("read what a connection without a lock means", "GET auth.https", None),
    ("read what is kept about whom", "GET auth.privacy_page", None),
    ("set the school up while there is none", "GET,POST auth.setup_school", None),
    ("look around in the demo school while it is offered", "GET,POST auth.look_around", None),
    ("tap a person of the demo school to be that person", "POST auth.demo_in", None),
    ("sign in as an adult, in one step or two", "GET,POST auth.adult_in POST auth.second", None),
    ("set a new password by a code on paper", "GET,POST auth.reset", None),
    ("read that their account has been closed", "GET auth.ended", None),
    ("type the code on the board, or follow its link", "POST auth.join GET auth.class_link", None),
    ("go out", "POST auth.out", None),
)

CHOOSE_WORDS: Line = ("choose the language of their pages", "POST auth.language", None)

HEAR: Line = (
    "hear a voice of their class",
    "GET voice.pieces GET voice.piece",
    VOICE_OF_THEIR_CLASS,
)

LEND_A_VOICE: tuple[Line, ...] = (
    HEAR,
    ("see the voices that they read, and begin one", "GET,POST voice.home", None),
    (
        "agree to be heard, read, and take the voice home",
        "POST voice.agree GET voice.studio POST voice.read GET voice.file",
        VOICE_THEY_READ,
    ),
    ("withdraw a voice", "POST voice.withdraw", VOICE_THEY_MAY_WITHDRAW),
)

OWN_ACCOUNT: tuple[Line, ...] = (
    CHOOSE_WORDS,
    ("see their account and change the password", "GET,POST auth.account", None),
    ("change their own names", "POST auth.account_names", None),
    ("type their password again where it is asked for", "GET,POST auth.again", None),
    (
        "add a second step to their sign-in, and take it away",
        "GET auth.second_factors POST auth.add_second POST auth.remove_second",
        None,
    ),
    ("take along what is kept about them", "GET auth.own_record", None),
)

PLAYING: tuple[Line, ...] = (
    ("choose a game and begin it", "GET play.home POST play.start", None),
    ("look at how a game goes and try it out", "GET play.how POST play.practice", None),
    ("choose between the two languages it has", "POST play.language", None),
    (
        "see the table where they sit, as it changes",
        "GET play.table GET play.table_part GET play.events",
        ROUND_THEY_SIT_IN,
    ),
    ("move where they sit", "POST play.ask POST play.act", ROUND_THEY_SIT_IN),
    ("take help where they sit", "POST play.hint POST play.board", ROUND_THEY_SIT_IN),
    (
        "answer a question where they sit, or leave it",
        "POST play.question POST play.answer POST play.question_hint POST play.question_leave",
        ROUND_THEY_SIT_IN,
    ),
    ("play another round at the same table", "POST play.again", ROUND_THEY_SIT_IN),
)

MAY: dict[str, tuple[Line, ...]] = {
    # A program that has the token which the operator chose.
    MONITOR: (*ANYBODY, ("read the numbers of the server", "GET auth.metrics", None)),
    NOBODY: (
        *ANYBODY,
        CHOOSE_WORDS,
        ("become a parent by the code that the teacher gave them", "GET,POST family.join", None),
        ("get an account by an invitation", "GET,POST auth.colleague", None),
    ),
    # A device on which the code of an open class was typed, but no child is signed in.
    DEVICE: (
        *ANYBODY,
        HEAR,
        CHOOSE_WORDS,
        ("see the animals of the class", "GET auth.animals", None),
        ("tap an animal and then its four pictures", "POST auth.knock", CHILD_OF_THE_DEVICES_CLASS),
        (
            "sign that child in by the right pictures",
            "GET auth.pictures POST auth.pictures_try",
            CHILD_OF_THE_DEVICES_CLASS,
        ),
        (
            "wait at an animal for the teacher's tap",
            "GET auth.wait POST auth.waiting",
            CHILD_OF_THE_DEVICES_CLASS,
        ),
        ("leave the class", "POST auth.bye", None),
    ),
    CHILD: (
        *ANYBODY,
        HEAR,
        ("say goodbye and leave", "GET play.rest POST auth.bye", None),
        *PLAYING,
        ("come back after being away", "POST play.back", ROUND_THEY_SIT_IN),
        ("call the teacher from the table", "POST play.hand", ROUND_THEY_SIT_IN),
        (
            "meet a moment that the teacher deals, and answer it",
            "GET play.moment GET play.moment_part POST play.moment_ask",
            MOMENT_DEALT_TO_THEIR_CLASS,
        ),
        ("see which friends are here", "GET play.friends", None),
        (
            "see that page change",
            "GET play.friends_part GET play.friends_events",
            CLASS_THEY_ARE_IN,
        ),
        (
            "open a table for friends, sit down and stand up",
            "POST play.make_table POST play.sit POST play.stand_up",
            None,
        ),
        (
            "fill a seat with a computer friend and say that they are ready",
            "POST play.computer_friend POST play.ready",
            None,
        ),
        ("share their tablet with classmates", "GET,POST play.together", None),
        ("come to the tablet of a classmate who asks, or not", "GET,POST play.invited", None),
    ),
    # A tablet that lies between children: their table, and nothing of any child by itself.
    TABLET: (
        *ANYBODY,
        HEAR,
        (
            "see the table as it changes",
            "GET play.shared GET play.shared_part GET play.shared_events",
            ROUND_AT_THE_TABLET,
        ),
        (
            "raise a hand and ask from it, play again and stop",
            "POST play.shared_hand POST play.shared_ask POST play.shared_again "
            "POST play.shared_bell",
            ROUND_AT_THE_TABLET,
        ),
    ),
    # A device that a parent opened at home for one child: its pictures, and nobody else's.
    HOME_DEVICE: (
        *ANYBODY,
        HEAR,
        CHOOSE_WORDS,
        ("tap that child's four pictures", "GET auth.home_door POST auth.home_try", None),
        ("close the device", "POST auth.bye", None),
    ),
    # At home a child plays alone against computer friends.
    HOME_CHILD: (
        *ANYBODY,
        HEAR,
        ("say goodbye and leave", "GET play.rest POST auth.bye", None),
        *PLAYING,
    ),
    TEACHER: (
        *ANYBODY,
        *OWN_ACCOUNT,
        ("see their classes and make one more", "GET teach.home POST teach.make_class", None),
        ("see a class", "GET teach.school_class GET teach.now", CLASS_THEY_TEACH),
        ("take one more class by an invitation", "GET,POST auth.colleague", None),
        (
            "see who teaches a class with them, invite more, share it and leave it",
            "GET teach.colleagues POST teach.invite POST teach.revoke POST teach.share "
            "POST teach.leave POST teach.dismiss POST teach.new_pictures",
            CLASS_THEY_TEACH,
        ),
        (
            "open the door of a class, close it and change its code",
            "POST teach.open_class POST teach.close_class GET,POST teach.code "
            "POST teach.new_devices",
            CLASS_THEY_TEACH,
        ),
        ("put children into a class", "GET,POST teach.add", CLASS_THEY_TEACH),
        ("bring a class up to date from a list", "GET,POST teach.class_list", CLASS_THEY_TEACH),
        ("print the sign-in cards of a class", "GET teach.cards", CLASS_THEY_TEACH),
        (
            "choose and mix the games of a class",
            "GET,POST teach.games GET,POST teach.mix POST teach.change_game",
            CLASS_THEY_TEACH,
        ),
        (
            "print a game with everything it takes, and a weekly sheet for families",
            "GET teach.kit GET teach.week",
            CLASS_THEY_TEACH,
        ),
        (
            "say what questions are asked and how long a child may take and play",
            "POST teach.questions POST teach.times",
            CLASS_THEY_TEACH,
        ),
        (
            "follow a lesson as it goes, and call for quiet",
            "GET teach.live GET teach.live_events POST teach.lesson",
            CLASS_THEY_TEACH,
        ),
        (
            "say who sits where",
            "GET,POST teach.class_groups GET,POST teach.plan POST teach.begin_plan "
            "GET,POST teach.seats POST teach.move_child POST teach.seat_friend "
            "POST teach.seat_tablet POST teach.start_tables POST teach.seat_and_start "
            "POST teach.clear_seats",
            CLASS_THEY_TEACH,
        ),
        (
            "look up a ready-made lesson and begin it",
            "GET teach.outlines GET teach.outline POST teach.begin_outline POST teach.deal_outline",
            CLASS_THEY_TEACH,
        ),
        (
            "show a class on the projector",
            "GET teach.board GET teach.board_events",
            CLASS_THEY_TEACH,
        ),
        (
            "see what a class shows, print it and take it home as a table",
            "GET teach.skills GET teach.class_report GET teach.class_sheets GET teach.skills_csv "
            "GET teach.answers_csv",
            CLASS_THEY_TEACH,
        ),
        (
            "do what is suggested for tomorrow: seat some children, ask more about one thing, "
            "print sheets",
            "POST teach.seat_together POST teach.focus GET teach.paper GET teach.small_group",
            CLASS_THEY_TEACH,
        ),
        (
            "give a class a name and a last day, archive it and restore it",
            "GET teach.about_class POST teach.rename_class POST teach.class_end "
            "POST teach.archive_class POST teach.restore_class",
            CLASS_THEY_TEACH,
        ),
        ("delete an archived class", "GET,POST teach.delete_class", CLASS_THEY_TEACH),
        (
            "move a child to another class, or merge it with its second entry",
            "GET,POST teach.change_class GET,POST teach.merge",
            CHILD_THEY_TEACH,
        ),
        *LEND_A_VOICE,
        ("take in a voice from a file", "POST voice.take_in", None),
        ("see who speaks to a class, and ask a parent", "GET,POST teach.voices", CLASS_THEY_TEACH),
        ("choose whose standards are named", "POST teach.standards", CLASS_THEY_TEACH),
        ("choose how often children tell how they knew", "POST teach.talk", CLASS_THEY_TEACH),
        (
            "say how hard the lessons of a class are",
            "GET teach.settings POST teach.class_play",
            CLASS_THEY_TEACH,
        ),
        ("let the children of a class play at home", "POST teach.home_play", CLASS_THEY_TEACH),
        (
            "say how hard it is for a group, and what it is asked",
            "GET teach.group_settings POST teach.group_play POST teach.group_questions",
            GROUP_OF_THEIR_CLASS,
        ),
        (
            "say how hard it is for one child, and what it is asked",
            "GET teach.child_settings POST teach.child_play POST teach.child_questions",
            CHILD_THEY_TEACH,
        ),
        ("see a child and what it missed", "GET teach.child GET teach.missed", CHILD_THEY_TEACH),
        (
            "take home what a child shows, and all that is stored of it",
            "GET teach.child_sheet GET teach.child_csv GET teach.child_answers_csv "
            "GET teach.record",
            CHILD_THEY_TEACH,
        ),
        ("change a child's name or animal", "POST teach.rename", CHILD_THEY_TEACH),
        (
            "note something about a child for its other teachers",
            "POST teach.write_note POST teach.delete_note",
            CHILD_THEY_TEACH,
        ),
        (
            "note that a child has left, or take it out for good",
            "POST teach.left GET,POST teach.remove",
            CHILD_THEY_TEACH,
        ),
        ("undo that, a merge, or a list that was just added", "POST teach.undo", CLASS_THEY_TEACH),
        (
            "give a child new pictures, print its card or let it in with a tap",
            "POST teach.pictures GET teach.card POST teach.let_in",
            CHILD_THEY_TEACH,
        ),
        ("see who looked at a child's data", "GET teach.looks", CHILD_THEY_TEACH),
        (
            "have nothing worked out about a child, and delete its answers then",
            "GET,POST teach.restrict POST teach.erase_answers",
            CHILD_THEY_TEACH,
        ),
        ("give a child's parents a code", "POST teach.family_code", CHILD_THEY_TEACH),
        (
            "see the families of a class and print codes for all of them",
            "GET teach.families POST teach.family_sheets",
            CLASS_THEY_TEACH,
        ),
        (
            "take back a code, and end what a parent may see of a child",
            "POST teach.cancel_code GET,POST teach.unlink",
            CHILD_THEY_TEACH,
        ),
        (
            "give a child's parent a code for a new password, and take it back",
            "POST teach.reset_code POST teach.cancel_reset_code",
            CHILD_THEY_TEACH,
        ),
        ("say that they have seen a raised hand", "POST teach.lower_hand", CHILD_THEY_TEACH),
        (
            "watch a round, with open hands if they say so",
            "GET teach.watch GET teach.watch_events POST teach.watch_hands",
            ROUND_OF_THEIR_LESSON,
        ),
        (
            "step through a round that is over, with all hands if they say so",
            "GET teach.replay POST teach.all_hands",
            ROUND_OF_THEIR_CLASS,
        ),
        ("keep a moment of such a round", "POST teach.keep_moment", ROUND_OF_THEIR_CLASS),
        ("see the moments of a class", "GET teach.moments", CLASS_THEY_TEACH),
        ("build a moment", "GET,POST teach.build_moment", CLASS_THEY_TEACH),
        (
            "deal a moment, follow the answers, print it and remove it",
            "GET teach.moment GET teach.moment_events POST teach.moment_act GET teach.moment_sheet",
            MOMENT_OF_THEIR_CLASS,
        ),
    ),
    PARENT: (
        *ANYBODY,
        *OWN_ACCOUNT,
        ("see their children", "GET family.home", None),
        ("add a child by a second code", "GET,POST family.join POST family.link", None),
        (
            "see their child, what it shows and what it missed",
            "GET family.child GET family.progress GET family.missed",
            THEIR_OWN_CHILD,
        ),
        (
            "take home what their child shows, and all that is stored of it",
            "GET family.child_sheet GET family.child_csv GET family.child_answers_csv "
            "GET family.record",
            THEIR_OWN_CHILD,
        ),
        ("see who looked at their child's data", "GET family.looks", THEIR_OWN_CHILD),
        (
            "object to what is worked out about their child",
            "GET,POST family.restrict",
            THEIR_OWN_CHILD,
        ),
        (
            "let their child play on this device at home, and see its pictures for that",
            "GET,POST family.open_home GET family.card",
            THEIR_OWN_CHILD,
        ),
        ("no longer see a child", "GET,POST family.leave_child", THEIR_OWN_CHILD),
        ("close their own account", "GET,POST family.leave", None),
        (
            "say how hard it is, how long it plays and what it is asked",
            "POST family.settings POST family.questions",
            THEIR_OWN_CHILD,
        ),
        ("choose the languages of their child", "POST family.language", THEIR_OWN_CHILD),
        *LEND_A_VOICE,
    ),
    # The administrator looks after the school, and sees the children of the classes they teach.
    ADMIN: (
        *ANYBODY,
        ("see the size of the school", "GET school.home", None),
        (
            "read and print the papers that the school needs",
            "GET school.folder GET school.paper GET school.components",
            None,
        ),
        (
            "say where the school is, and how children usually play there",
            "GET,POST school.settings POST school.play POST school.questions",
            None,
        ),
        *OWN_ACCOUNT,
        ("see who did what, without any child's name", "GET school.record", None),
        ("see how the server is", "GET school.server", None),
        (
            "see who works at the school, and invite more",
            "GET school.people POST school.invite POST school.revoke",
            None,
        ),
        (
            "close an account, and say who is an administrator",
            "GET,POST school.end POST school.role",
            WHO_WORKS_AT_THEIR_SCHOOL,
        ),
        (
            "give a colleague a code for a new password, and take it back",
            "POST school.reset_code POST school.cancel_reset_code",
            WHO_WORKS_AT_THEIR_SCHOOL,
        ),
        ("see who teaches which class", "GET school.classes", None),
        ("say who teaches a class", "POST school.teachers", CLASS_OF_THEIR_SCHOOL),
        ("make classes and children from a list", "GET,POST school.lists", None),
        (
            "move the school into a new year by classes and first names, and undo it",
            "GET,POST school.year POST school.year_undo",
            None,
        ),
        ("say how long things are kept", "GET,POST school.keeping", None),
        ("move one child to another class", "GET,POST school.change_class", None),
    ),
    # A substitute runs lessons, and neither sees results nor changes anything that lasts.
    SUBSTITUTE: (
        *ANYBODY,
        HEAR,
        *OWN_ACCOUNT,
        ("see their classes", "GET teach.home", None),
        ("take one more class by an invitation", "GET,POST auth.colleague", None),
        ("see a class", "GET teach.school_class GET teach.now", CLASS_THEY_TEACH),
        ("start a lesson as it was planned", "POST teach.begin_plan", CLASS_THEY_TEACH),
        (
            "open the door of a class, close it and change its code",
            "POST teach.open_class POST teach.close_class GET,POST teach.code "
            "POST teach.new_devices",
            CLASS_THEY_TEACH,
        ),
        ("print the sign-in cards of a class", "GET teach.cards", CLASS_THEY_TEACH),
        (
            "follow a lesson as it goes, and call for quiet",
            "GET teach.live GET teach.live_events POST teach.lesson",
            CLASS_THEY_TEACH,
        ),
        (
            "say who sits where",
            "GET,POST teach.seats POST teach.move_child POST teach.seat_friend "
            "POST teach.seat_tablet POST teach.start_tables POST teach.seat_and_start "
            "POST teach.clear_seats",
            CLASS_THEY_TEACH,
        ),
        (
            "look up a ready-made lesson and begin it",
            "GET teach.outlines GET teach.outline POST teach.begin_outline POST teach.deal_outline",
            CLASS_THEY_TEACH,
        ),
        ("see the moments of a class", "GET teach.moments", CLASS_THEY_TEACH),
        (
            "deal a moment, follow the answers and print it",
            "GET teach.moment GET teach.moment_events POST teach.moment_act GET teach.moment_sheet",
            MOMENT_OF_THEIR_CLASS,
        ),
        (
            "show a class on the projector",
            "GET teach.board GET teach.board_events",
            CLASS_THEY_TEACH,
        ),
        ("let a child in with a tap", "POST teach.let_in", CHILD_THEY_TEACH),
        ("say that they have seen a raised hand", "POST teach.lower_hand", CHILD_THEY_TEACH),
        (
            "watch a round, with open hands if they say so",
            "GET teach.watch GET teach.watch_events POST teach.watch_hands",
            ROUND_OF_THEIR_LESSON,
        ),
    ),
}
MAY[ADMIN] += tuple(line for line in MAY[TEACHER] if line not in MAY[ADMIN])


def _each(routes: str) -> list[tuple[str, str]]:
    """The method and endpoint of each route in a line: "GET,POST a.b" names two."""
    words = routes.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return [(method, endpoint) for methods, endpoint in pairs for method in methods.split(",")]


# (kind, method, endpoint): which thing of theirs the address must name, or None if it names none.
ALLOWED: dict[tuple[str, str, str], str | None] = {
    (kind, method, endpoint): theirs
    for kind, lines in MAY.items()
    for _, routes, theirs in lines
    for method, endpoint in _each(routes)
}
METHODS_OF: dict[str, set[str]] = {}
for _kind, _method, _endpoint in ALLOWED:
    METHODS_OF.setdefault(_endpoint, set()).add(_method)


def may(kind: str, method: str, endpoint: str) -> bool:
    """Whether this kind of person may do this to what is theirs."""
    return (kind, "GET" if method == "HEAD" else method, endpoint) in ALLOWED


def whose(endpoint: str) -> str | None:
    """Which thing of theirs the address must name, if any. It is the same for all kinds who may use
    the route."""
    (theirs,) = {owned for (_, _, named), owned in ALLOWED.items() if named == endpoint}
    return theirs


def kinds(endpoint: str) -> set[str]:
    """The kinds of people who may use this route."""
    return {kind for kind, _, named in ALLOWED if named == endpoint}
