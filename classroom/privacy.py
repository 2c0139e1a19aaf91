"""The privacy register: what each column is for, who sees it, how long it is kept, how it is
deleted.

A column without a line here fails a test. PRIVACY.md is written from this module (`python -m
classroom privacy`) and tested to be up to date, and the app's privacy page is made from it too, so
neither can differ from the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

NOBODY = "nobody"
OWN = "the child, its teachers, its parents"
TEACHERS = "its teachers"
CLASS = "the class, its teachers, its parents"
ADULT = "that adult"
STAFF_SEES = "that adult; of those who work at the school also the administrators"
SERVER = "nobody; only the server uses it"
IN_RECORD = "nobody on any page; it is in the child's record"
STAFF = "the people who run the server"


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """How long something is kept. `key`: the column of `schools` that holds the school's choice in
    days, between `least` and `most`; `days` applies until it chooses. `why`: why these bounds."""

    key: str
    what: str
    days: int
    least: int
    most: int
    why: str


PERIODS: Final = (
    Period(
        key="keep_moves",
        what="The moves and cards of a round, after it ended",
        days=90,
        least=30,
        most=400,
        why="Results and answers stay with the child; the moves are needed only to look at the "
        "round again. A month leaves time for that. More than one school year is longer than "
        "anybody needs them.",
    ),
    Period(
        key="keep_archived",
        what="A class and its children, after the class was archived",
        days=60,
        least=30,
        most=365,
        why="A month, so that nothing archived by mistake is lost and a school year can be undone. "
        "A year at most: the law allows no record of a child without an end.",
    ),
    Period(
        key="keep_audit",
        what="The record of who looked at or changed a child’s data",
        days=365,
        least=180,
        most=730,
        why="Half a year at least, so that a family’s question can be answered. Two years at most, "
        "because it says much about the staff.",
    ),
    Period(
        key="keep_copies",
        what="Copies of the database that the program made by itself",
        days=35,
        least=7,
        most=90,
        why="A week at least, to repair a damaged school. Three months at most, because a copy "
        "holds what was deleted since.",
    ),
)
UNDO_DAYS: Final = 30  # days in which a new school year, a removal or a merge can be undone
_DAYS: Final = {period.key: period.days for period in PERIODS}

WITH_CHILD = (
    f"until the child is removed, at the latest {_DAYS['keep_archived']} days after its class was "
    "archived"
)
WITH_ROUND = "until every child who played in it is removed"
WITH_MOVES = f"until {_DAYS['keep_moves']} days after the round ended"
WITH_ADULT = "until the account is removed"
WITH_CLASS = (
    f"until it is deleted, at the latest {_DAYS['keep_archived']} days after it was archived"
)
UNTIL_UNDO = f"{UNDO_DAYS} days, in which the change can be undone"
WITH_SCHOOL = "as long as the school exists"
WITH_LESSON = "until the lesson is over, at most a day"

BY_CHILD = "at once, with the child"
BY_ROUND = "at once, with the last child of the round"
BY_ADULT = "at once, with the account"
BY_CLASS = "with the class"
BY_SWEEP = "by itself"
NEVER = "with the database"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table. `export`: whether it is part of what a child's family or an adult may
    ask to see. `personal`: whether it describes a person, not the running of the program."""

    purpose: str
    seen_by: str
    keep: str
    delete: str
    export: bool
    personal: bool


@dataclass(frozen=True, slots=True)
class TableEntry:
    what: str
    columns: dict[str, Column]

    @property
    def first(self) -> Column:
        """The first column, whose texts apply to the table unless a column differs."""
        return next(iter(self.columns.values()))


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """Something that the program works out about a child from what the child did."""

    what: str
    used_for: str
    seen_by: str


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie. `days`: for how many it is kept; None: until the browser is closed."""

    name: str
    purpose: str
    days: int | None

    @property
    def life(self) -> str:
        return f"{self.days} days" if self.days else "until the browser is closed"


def _table(
    what: str,
    seen_by: str,
    keep: str,
    delete: str,
    /,
    export: bool = False,
    personal: str = "",
    secret: str = "",
    more: Mapping[str, str] | None = None,
    **purposes: str,
) -> TableEntry:
    """Make a table of the register. `export`: whether its columns are part of a record, except
    secret ones. `personal`: the columns about a person; `secret`: the columns that no one sees;
    `more`: the purposes of columns that several tables have."""
    about, hidden = personal.split(), secret.split()
    return TableEntry(
        what,
        {
            name: Column(
                purpose=purpose,
                seen_by=SERVER if name in hidden else seen_by,
                keep=keep,
                delete=delete,
                export=export and name not in hidden,
                personal=name in about,
            )
            for name, purpose in {**purposes, **(more or {})}.items()
        },
    )


_PLAY: Final = {
    "opponents": "how many computer players",
    "level": "how strong they are",
    "deck": "how many kinds of card",
    "board": "how many asks the child can look up: all, all for a moment, the last few, none",
    "hints": "whether hints are offered",
    "pace": "how fast the table tells what happens",
    "voice": "whether their pages speak by themselves",
}
_QUESTIONS: Final = {
    "questions": "how often questions come",
    "question_skills": "what they may be about",
    "number_low": "from which number on",
    "number_high": "up to which number",
}
_BY_TEACHER: Final = {
    "play_by": "the teacher who last chose how they play",
    "play_at": "when they did",
    "questions_by": "the teacher who last chose the questions",
    "questions_at": "when they did",
}

REGISTER: Final[dict[str, TableEntry]] = {
    "schools": _table(
        "The school that uses this installation.",
        CLASS,
        WITH_SCHOOL,
        NEVER,
        id="row number",
        name="shown to adults",
        created_at="when it was set up",
        time_zone="its time zone, if it is not the computer's",
        dates="how it writes dates",
        words="British or American words",
        standards="which standards its pages name",
        paper="A4 or Letter",
        more=_PLAY | _QUESTIONS,
        year_end="the month and day on which its year ends",
        keep_moves="how many days the moves of a round are kept",
        keep_archived="how many days an archived class is kept",
        keep_audit="how many days the record of who looked is kept",
        keep_copies="how many days copies of the database are kept",
    ),
    "installations": _table(
        "Which key belongs to this database.",
        SERVER,
        WITH_SCHOOL,
        NEVER,
        id="row number",
        key_print="a fingerprint of the key, so that no server starts with another one",
    ),
    "adults": _table(
        "Teachers, substitutes, administrators and parents. No e-mail address, no telephone number.",
        STAFF_SEES,
        "until the account is removed; a substitute's until 30 days after it ended",
        BY_ADULT,
        export=True,
        personal="role login name",
        secret="password_hash",
        id="row number",
        school_id="the school",
        role="teacher, substitute, parent or administrator: what they may do",
        login="a name they chose, to sign in with",
        name="how children and colleagues know them",
        password_hash="argon2id; the password itself is not kept",
        created_at="when the account was made",
        ends_at="when a substitute's account ends",
        role_since="when an administrator last changed the role",
    ),
    "invitations": _table(
        "A code on paper with which a colleague gets an account or one more class, once.",
        "the administrators, the teachers of the class",
        "until 30 days after it expires, or until its maker's account is removed",
        BY_SWEEP,
        secret="code_hash",
        id="row number",
        school_id="the school",
        role="whether it is for a teacher, a substitute or an administrator",
        class_id="the class that they then teach",
        code_hash="keyed hash of the code; the code itself is not kept",
        made_by="the adult who made it",
        created_at="when it was made",
        ends_at="when it expires",
        account_ends_at="when a substitute's account will end",
        used_at="when it was used",
        used_by="the adult who used it",
    ),
    "second_factors": _table(
        "An app or a passkey that an adult signs in with besides the password.",
        ADULT,
        "until the adult takes it away",
        BY_ADULT,
        secret="word credential public_key last_step",
        id="row number",
        adult_id="the adult",
        kind="app or passkey",
        name="what the adult calls it",
        word="a random word; an app's secret follows from it and the installation's key",
        credential="the public name of a passkey",
        public_key="the public half of a passkey",
        last_step="keeps a code or a signature from being used twice",
        created_at="when it was added",
        last_at="when it was last used",
    ),
    "classes": _table(
        "A class of children.",
        CLASS,
        WITH_CLASS,
        "by itself, or by its teacher",
        id="row number",
        school_id="the school",
        name="shown to the class",
        code="to bring a device into the class; good only while it is open",
        code_kept="whether it stays the same from lesson to lesson",
        opened_until="until when children may sign in",
        shelf="which games are on its shelf",
        paused_at="when the teacher paused all tables",
        ending_at="when the lesson began to end",
        resumed_at="when the tables last went on",
        changes="counts the changes to all tables",
        created_at="when it was made",
        sourced_id="the id of the class in the school’s own system, if a class list gave it",
        code_made_at="when a code that stays the same was made",
        ends_day="the day after which it is archived",
        archived_at="when it was archived",
        home_on="whether its children may play at home",
        home_from="from when, in minutes of the day",
        home_until="until when",
        home_weekend="whether other hours hold at weekends",
        home_weekend_from="from when at weekends",
        home_weekend_until="until when at weekends",
        home_counts="whether what they show at home counts in its numbers",
    ),
    "class_teachers": _table(
        "The teachers of each class.",
        TEACHERS,
        WITH_CLASS,
        BY_ADULT,
        class_id="the class",
        adult_id="the teacher or substitute",
        since="since when",
    ),
    "own_games": _table(
        "A game with rules that the teacher chose for the class.",
        CLASS,
        WITH_CLASS,
        BY_CLASS,
        id="row number",
        class_id="the class",
        name="shown on its shelf",
        game="the game it was made from",
        rules="its house rules",
        look="how its numbers are shown",
        shown="whether it is on the shelf",
        made_at="when it was saved",
    ),
    "children": _table(
        "A child. Only these facts: the program asks for no surname, birth date, photo or address.",
        CLASS,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="class_id name animal pad age_band pictures_version sourced_id",
        id="row number",
        class_id="the class",
        name="first name or nickname, given by the teacher",
        animal="the child's face",
        pad="the leaf under the animal: tells two foxes apart",
        age_band="4-5, 5-6, 6-7 or 7-9: which questions fit",
        pictures_version="counts new sign-in pictures; the pictures themselves are not kept",
        created_at="when the teacher added the child",
        sourced_id="the id of the child in the school’s own system, if the class list was a file that has it: so the next list finds the child",
    ),
    "year_changes": _table(
        "One move of the school’s classes into a new year, or a smaller change of who is in a class: "
        "a child left, was removed or merged, or a list was added.",
        "the administrators, and the teachers of the class",
        UNTIL_UNDO,
        BY_SWEEP,
        id="row number",
        school_id="the school",
        by="the adult who made it",
        at="when",
        made="the classes made for it",
        archived="the classes archived by it",
        ends="when each class ended before",
        what="whether it was a new year, or what else",
        given="after a merge, the numbers of the rows that one child gave to the other",
    ),
    "year_moves": _table(
        "What one child had before such a change, and after a new year was undone, whether the "
        "child needs a new sign-in card. An administrator sees names and "
        "classes only, and this look is on record.",
        "the administrators, and the teachers of the class",
        UNTIL_UNDO,
        BY_SWEEP,
        export=True,
        personal="name animal pad age_band",
        id="row number",
        change_id="the change",
        child_id="the child",
        from_class="its class before",
        to_class="its class after",
        name="its name before",
        animal="its face before",
        pad="its face before",
        age_band="its age band before",
        new_card="whether it needs a new sign-in card",
    ),
    "child_settings": _table(
        "What a family set for its child.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="opponents level deck board hints pace voice questions question_skills "
        "number_low number_high minutes_a_day",
        child_id="the child",
        more=_PLAY | _QUESTIONS,
        minutes_a_day="how many minutes a day the child may play",
        set_by="the adult who last made a choice",
        set_at="when they made it",
    ),
    "child_rules": _table(
        "What a teacher set for one child.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal=" ".join((*_PLAY, *_QUESTIONS)),
        child_id="the child",
        more=_PLAY | _QUESTIONS | _BY_TEACHER,
    ),
    "class_settings": _table(
        "What a teacher set for a class.",
        CLASS,
        WITH_CLASS,
        BY_CLASS,
        class_id="the class",
        more=_PLAY | _QUESTIONS | _BY_TEACHER,
        focus="which skills come more often",
        nudge_after="seconds until a child is reminded of its turn",
        stand_in_after="seconds until a computer friend plays for it",
        minutes_a_day="how many minutes a day each child may play",
        standards="which standards its pages name",
        talk="how often the voice asks a child to tell how it knew",
        set_by="the adult who last made a choice",
        set_at="when they made it",
    ),
    "restrictions": _table(
        "That nothing is worked out about a child, because its family or its school wants it so.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="whose reason since",
        child_id="the child",
        whose="whether the family or the school wants it",
        reason="why, of a few reasons to choose from",
        by="the adult who asked for it",
        since="when",
    ),
    "family_codes": _table(
        "A code on paper that links one adult to one child, once.",
        IN_RECORD,
        "until 30 days after it expires",
        BY_SWEEP,
        export=True,
        secret="code_hash",
        id="row number",
        child_id="the child",
        code_hash="SHA-256 of the code; the code itself is not kept",
        created_at="when it was made",
        ends_at="when it expires",
        used_at="when it was used",
    ),
    "family_links": _table(
        "Which parent belongs to which child.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="adult_id child_id",
        adult_id="the parent",
        child_id="the child",
        created_at="when they were linked",
    ),
    "password_resets": _table(
        "A code on paper with which an adult sets a new password, once.",
        f"{ADULT}; the teachers of their children see that there is one",
        "until 30 days after it expires",
        BY_SWEEP,
        secret="code_hash",
        id="row number",
        adult_id="the adult",
        code_hash="SHA-256 of the code, made with the installation's key; the code is not kept",
        created_at="when it was made",
        ends_at="when it expires",
        used_at="when it was used",
    ),
    "sessions": _table(
        "Browsers that are signed in. No network address is kept with them.",
        IN_RECORD,
        "an adult's 3 idle hours or 12 hours; a class's as long as it is open, at most 12 hours; at home until the hours of play end",
        BY_SWEEP,
        export=True,
        secret="token_hash device",
        id="row number",
        token_hash="SHA-256 of what is in the cookie",
        adult_id="the adult, if an adult is signed in",
        class_id="the class, if it is a device of a class",
        child_id="the child, if a child is signed in",
        device="a random name of the browser",
        created_at="when it began",
        seen_at="when something was last done in it, to the nearest five minutes",
        ends_at="when it ends at the latest",
        hand_at="when the child's hand went up",
        moved_id="the child who has moved to another device",
        home_id="the child for whom a parent opened the device at home",
        home_by="the parent who opened it",
    ),
    "known_devices": _table(
        "Browsers in which somebody was signed in before, so that strangers' wrong tries elsewhere "
        "cannot lock them out.",
        IN_RECORD,
        "until 400 days after the last sign-in",
        BY_SWEEP,
        export=True,
        secret="device",
        id="row number",
        adult_id="the adult, or",
        child_id="the child",
        device="a random name of the browser",
        last_at="when they last signed in; the child's teachers see the day for a parent",
    ),
    "door_knocks": _table(
        "A device at a child's pictures: wrong tries there, and whether the teacher let it in.",
        TEACHERS,
        "a day",
        BY_SWEEP,
        export=True,
        secret="device",
        id="row number",
        child_id="the child",
        device="a random name of the browser",
        tries="wrong tries in a row",
        wait_until="until when it has to wait",
        knocked_at="when it was last there",
        let_in_at="when the teacher let it in",
        sign="the sign it shows, like a red star, by which the teacher finds it",
        since="when it came there",
    ),
    "wrong_tries": _table(
        "Wrong pictures, and wrong passwords typed where the account's owner was signed in before, "
        "to slow down guessing. Strangers' wrong codes and passwords are counted only in memory, "
        "for a day.",
        IN_RECORD,
        "two days",
        BY_SWEEP,
        export=True,
        secret="device",
        id="row number",
        what="what was tried: a class, a child there or at home, or an account (only as a signed name)",
        device="a random name of the browser",
        at="when",
    ),
    "matches": _table(
        "A match: a table, and the game played at it.",
        OWN,
        WITH_ROUND,
        BY_ROUND,
        export=True,
        id="row number",
        class_id="the class",
        game="which game",
        own_id="the class's own game, if it is one",
        rules="its house rules",
        look="how its numbers are shown",
        practice="whether it is only to try the game out; kept until the child's next match",
        at_home="whether it was played at home",
        created_at="when",
    ),
    "gatherings": _table(
        "A table that friends fill in a lesson.",
        CLASS,
        WITH_LESSON,
        BY_SWEEP,
        id="row number",
        class_id="the class",
        game="what they play",
        seats="how many may sit",
        set_by="the teacher who seated them",
        match_id="the match they play or played last",
        since="when the first of them was ready",
        until="until when it waits for a friend who taps the same game",
        number_low="from which number on the questions go, if the teacher chose",
        number_high="up to which number",
        created_at="when",
    ),
    "child_groups": _table(
        "A group inside a class, such as a reading group.",
        TEACHERS,
        WITH_CLASS,
        BY_CLASS,
        id="row number",
        class_id="the class",
        name="what the teacher calls it",
        created_at="when it was made",
    ),
    "group_rules": _table(
        "What a teacher set for a group.",
        CLASS,
        WITH_CLASS,
        BY_CLASS,
        group_id="the group",
        more=_PLAY | _QUESTIONS | _BY_TEACHER,
    ),
    "group_members": _table(
        "Which child is in which group.",
        TEACHERS,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="group_id",
        child_id="the child",
        group_id="the group",
    ),
    "planned_tables": _table(
        "A table of the plan for a class's next lesson.",
        TEACHERS,
        WITH_CLASS,
        BY_CLASS,
        id="row number",
        class_id="the class",
        game="what will be played",
        number_low="from which number on the questions go, if the teacher chose",
        number_high="up to which number",
    ),
    "planned_seats": _table(
        "Which child is to sit at such a table.",
        TEACHERS,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        child_id="the child",
        table_id="the table",
    ),
    "places": _table(
        "A taken seat of such a table.",
        CLASS,
        WITH_LESSON,
        BY_SWEEP,
        export=True,
        id="row number",
        gathering_id="the table",
        seat="which seat",
        child_id="the child, unless it is a computer friend",
        ready="whether the child is ready to begin",
    ),
    "players": _table(
        "A player of a match. A removed child's seat becomes a friend without a name.",
        CLASS,
        WITH_ROUND,
        BY_CHILD,
        export=True,
        personal="child_id name animal pad",
        id="row number",
        match_id="the match",
        seat="which seat",
        child_id="the child, or",
        level="the strength of the computer player",
        name="shown at the table",
        animal="shown at the table",
        pad="shown at the table",
        board="the child's settings when the match began",
        hints="the child's settings when the match began",
        pace="the child's settings when the match began",
        seed="the random number by which a computer player forgets",
        gone="whether the child has closed the page of the table",
    ),
    "rounds": _table(
        "A round: one deal, played to the end.",
        OWN,
        WITH_ROUND,
        BY_ROUND,
        export=True,
        id="row number",
        match_id="the match",
        number="which round of the match",
        dealer="who dealt",
        deck="the shuffled cards, as long as the moves; none is shown before it is played",
        moves="how many moves so far",
        away="seats for which a computer friend is playing now",
        returned_at="when a child last came back to its seat, answered or took help on its turn",
        changes="counts changes other than moves",
        started_at="when it began",
        ended_at="when it ended",
        ended_by="why it ended",
        scores="books of each seat",
        winners="the seats with the most books",
    ),
    "moves": _table(
        "A move. The moves and the deck are the record of a round; the results stay when they go.",
        OWN,
        WITH_MOVES,
        BY_SWEEP,
        export=True,
        personal="action",
        id="row number",
        round_id="the round",
        seq="which move",
        seat="the seat that moved",
        action="what was asked or done",
        chance="random outcomes of the move",
        key="makes a double tap one move",
        played_by="a child, a computer player, or one that played for a child who was away",
        at="when",
    ),
    "child_rounds": _table(
        "One child's round in numbers.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="asks catches books hints peeks seconds made",
        id="row number",
        child_id="the child",
        round_id="the round",
        seat="where the child sat",
        day="on which day",
        asks="how many asks",
        catches="how many brought cards",
        books="how many books",
        hints="how many hints were taken",
        peeks="how often the board was opened",
        seconds="how long the child was at the table",
        last_at="when the child last did something",
        over="whether the round was finished",
        at_home="whether it was played at home",
        made="which books the child made; they are its collection on the home page",
    ),
    "evidence": _table(
        "What an ask or an answer showed about counting or remembering; never about luck.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="first_answer later_answers right latency_ms aided hint_step",
        id="row number",
        child_id="the child",
        round_id="in which round",
        seq="before which move",
        source="from play, or from a question",
        skill="which skill",
        item="what was asked",
        options="what could be chosen",
        first_answer="what the child chose first",
        later_answers="what it chose after that",
        right="whether the first answer was right",
        latency_ms="how long it took",
        aided="whether help was taken first",
        board="whether earlier asks could be looked up",
        hint_step="which hint was taken",
        lag_asks="how many asks ago the fact was seen",
        lag_seconds="how many seconds ago the fact was seen",
        overlap="whether two players asked for the same",
        lure="what made it easy to mix up",
        guess_rate="how often guessing would be right",
        day="on which day",
        at="when",
        counted="whether it is in the tallies and windows already, or was left out of them",
        at_home="whether the child did it at home",
    ),
    "questions": _table(
        "A question put to a child in play.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="answers hint_step",
        secret="keys",
        id="row number",
        child_id="the child",
        round_id="in which round",
        seq="after which move",
        turn="in which of the child's turns",
        item="what was asked",
        made_at="when it was asked",
        board="whether the answer could be looked up",
        hint_step="which hint was taken last",
        hint_at="when it was taken",
        answers="what the child chose",
        keys="make sure that each tap is counted once",
        closed_at="when it was over",
    ),
    "child_histories": _table(
        "The data by which the next question is chosen: how able the child is in each skill, as far "
        "as its answers show it: a profile.",
        IN_RECORD,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="history",
        child_id="the child",
        history="ratings, when each skill is asked again, ways of answering already met",
    ),
    "tallies": _table(
        "A child's first answers of one day, and what it asked for in play, counted by kind. Worked "
        "out from the evidence.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="n right mixed_up",
        child_id="the child",
        skill="which skill",
        day="on which day",
        source="from play, or from questions",
        how="alone, with help, as practice, or not answered",
        form="whether the question was drawn at random",
        weak="whether guessing is right half the time or more",
        trial="whether there was anything to remember",
        lag_bin="roughly how many asks ago the fact was seen",
        overlap="whether two players asked for the same",
        check="whether it was the first answer after days away",
        n="how many answers or asks",
        right="how many were right",
        mixed_up="how many named somebody else",
        guess_sum="how often guessing would be right, added up",
        lag_sum="how many asks ago, added up",
        days="how many days were begun",
        sessions="how many rounds were begun",
    ),
    "skill_windows": _table(
        "The recent days of one skill that count now: a part of the profile. Worked out from the "
        "evidence.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="window",
        child_id="the child",
        skill="which skill",
        window="counts of the last days",
    ),
    "strand_tracks": _table(
        "How far the child has come in counting, comparing, adding, sorting or remembering, as its "
        "answers show it: a profile. Worked out from the evidence.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="track",
        child_id="the child",
        strand="which of the five",
        track="how likely each level is, and slips; counts by range of numbers; the "
        "newest answers; how quick those of the newest day were, if too quick for thinking",
    ),
    "recounts": _table(
        "Children whose answers are counted again, because what counts has changed.",
        SERVER,
        "until it is done, about a minute",
        BY_SWEEP,
        child_id="the child",
    ),
    "help_taken": _table(
        "A hint, or a look at the board.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="kind step about",
        id="row number",
        round_id="in which round",
        child_id="the child",
        seq="how many moves the round had then",
        kind="hint or board",
        step="how much was shown",
        about="which player it was about, which card, and the moves that showed it",
        at="when",
    ),
    "audit": _table(
        "The log of looks at a child's data and changes to it: numbers and fixed words, no names. "
        "Each row is sealed with the one before it, so that a change is noticed.",
        STAFF,
        "12 months",
        BY_SWEEP,
        export=True,
        secret="seal",
        id="row number",
        at="when",
        adult_id="which adult",
        action="what was done",
        thing="whether it was a child, a class, a round or an account",
        thing_id="which one",
        seal="a seal over this row and the one before, made with the installation's key",
    ),
}

SHORT: Final = (
    (
        "A few facts about a child.",
        "A class, a first name or nickname, an animal, the leaf under it, an age band, and how "
        "often it got new sign-in pictures. The program asks for no surname, birth date, e-mail "
        "address, photo, voice or place.",
    ),
    (
        "What the child does in the games.",
        "Its moves, its answers to questions, the help it took, and how long it played; and what "
        "the program works out from these, as listed below.",
    ),
    (
        "Nothing goes anywhere else.",
        "All of it is kept on the server that the school uses. No page loads anything from another "
        "host. There are no trackers and no advertisements, and the makers of the program receive "
        "nothing.",
    ),
    (
        "Who sees it.",
        "Children see their own table, and the names and animals of their classmates: who is here, "
        "and who plays with whom. Only a child's teachers, and parents whom a teacher linked to it, "
        "see how it is doing; other children never do. A substitute sees the class at play, and no "
        "results. An administrator sees no child, unless they teach its class. Children are not "
        "ranked.",
    ),
    (
        "A child's record in one file.",
        "Teachers and parents can download it from the child's page: every row and column that is "
        "marked below as part of the record, with what it is for. Other children are not named in "
        "it. For a round with other children it holds the child's own moves and what the child "
        "could see, without the others' moves and times. For a round in progress it holds no cards.",
    ),
    (
        "Removing a child.",
        "Its record is deleted at once: rounds it played alone, answers, settings, codes, links. In "
        "a round that another child played too, the moves stay for the other child, and the seat "
        "becomes a friend without a name. In a SQLite database deleted data is overwritten; a "
        "PostgreSQL server overwrites it later.",
    ),
    (
        "Every record ends.",
        "A class ends with its school year and is archived: no child can play in it any more. Later it "
        "is deleted with its children, and with the parents who have no other child here. The moves "
        "of a round go earlier; its results stay. The school chooses the times within bounds.",
    ),
    (
        "Copies.",
        "Before an upgrade the program keeps a copy of the database in “instance/copies”, and "
        "deletes it after 35 days, or what the school chooses; the newest two stay until newer ones "
        "are made. So what was removed is still in them for that long. The school has to "
        "delete the backups that it makes: please keep them no longer than 35 days.",
    ),
    (
        "What was removed does not come back from a backup.",
        "A list beside the key, “instance/removed”, keeps the row numbers of removed children, "
        "classes, accounts and links to parents, of those who no longer teach a class or administer "
        "the school, and of used codes, and when their rows were made, but no names; a restore "
        "removes what is on it.",
    ),
    (
        "Who looked.",
        "Every page with children's data that an adult opens, every file that is downloaded and "
        "every change is on record for a year, or what the school chooses: who, what and when. A "
        "page opened again within a quarter of an hour counts as one look. A child's teachers and "
        "parents read it on a page; parents read the names of its teachers, and of other adults "
        "only what they are. An administrator reads it for the whole school, without the names of "
        "children and parents.",
    ),
    (
        "A security log",
        "says who signed in or was refused, and what was done to classes, accounts and records: "
        "the time, fixed words, row numbers, the network address, and a signed name of the browser. "
        "No name, login, code or password is in it. It is kept in files that only the people who "
        "run the server can read, each for seven days at most. Network addresses are kept nowhere "
        "else.",
    ),
    (
        "Children's sign-in is made for children.",
        "Four pictures and an animal, on a device in an open class. This is no strong proof of who "
        "somebody is, so a child's account can do nothing but play.",
    ),
)

PROFILE: Final = (
    "From what a child does, the program works out how the child is doing: its levels, its ratings "
    "and how quick it is. Together these are a profile of the child, so all of it is listed here. "
    "It decides only which question comes next, how hard the game is, what a teacher is shown "
    "first, and proposals for who sits together and what to do next. The child sees nothing of it, "
    "except a star for each round it played to the end."
)
WORKED_OUT: Final = (
    WorkedOut(
        "Its level in counting, comparing, adding, sorting and remembering, from its first answers "
        "without help, with the likely range; and how far it has come since its first answers.",
        "To show what the child can do, and whether an adult should look. The class page "
        "names those who may need attention, and why. From the levels come the lines for "
        "tomorrow, the paper sheets, and the three sentences for a family.",
        "its teachers, its parents",
    ),
    WorkedOut(
        "How many first answers were right, skill by skill and week by week; a percentage only of "
        "the questions that were drawn at random.",
        "To show what was worked on. If a teacher asks for seating by level, the program uses the "
        "share of right answers and the age bands to propose who sits with whom, and the teacher "
        "may change it.",
        "its teachers, its parents",
    ),
    WorkedOut(
        "How many facts about earlier asks it used at the first chance in play, by how old they "
        "were; and how far back it remembers.",
        "To show the first. If an adult chose computer players “as strong as my child”, the second "
        "determines, with the rounds the child won, how well they remember.",
        "its teachers, its parents (how far back it remembers: nobody)",
    ),
    WorkedOut(
        "A rating of the child in each skill, and when a skill is asked again. This is a part of "
        "the profile as well, although no page shows it.",
        "To choose the next question, so that it is neither too easy nor too hard.",
        IN_RECORD,
    ),
    WorkedOut(
        "Its pace: how quickly it answers, how often it takes help, and how long its turns take.",
        "To tell a teacher that a child may be guessing, stuck, leaning on help, or idle.",
        "its teachers",
    ),
    WorkedOut(
        "What a child is doing right now: playing, waiting, away, stuck, or with its hand up.",
        "To show a teacher during the lesson which children may need help. It is not kept.",
        "its teachers",
    ),
)

COOKIES: Final = (
    Cookie(
        "school",
        "Keeps somebody signed in: a random token. The server forgets it when the session ends, "
        "after 12 hours at the latest.",
        None,
    ),
    Cookie(
        "school-device",
        "A random name of the browser. It protects forms, and keeps people who were signed in here "
        "before from being locked out by wrong tries elsewhere.",
        400,
    ),
    Cookie("quiet", "Remembers that the sound button was used on this device.", None),
)
ABOUT_COOKIES: Final = (
    "The program stores only these three in a browser. None of them says who somebody is, and none "
    "is sent to another host. In the demo school the first two are called “demo” and "
    "“demo-device”; over https their names begin with “__Host-”."
)

ABOUT_PERIODS: Final = (
    "The administrator can choose these times within the bounds. The server deletes what is older "
    "once a day."
)

QUESTIONS: Final = (
    (
        "Who is responsible for the data?",
        "The school, or whoever runs this server for it. The makers of the program receive "
        "nothing and have no way in.",
    ),
    (
        "What is it used for?",
        "Playing, and showing teachers and parents what was worked on. Nothing else.",
    ),
    (
        "On which legal ground, and is consent needed?",
        "That is for the school to decide. The program does not ask for consent or record it.",
    ),
    (
        "Is anything decided about a child by the program alone?",
        "Which question comes next, and how strong the computer players are if an adult left that "
        "to the program. Nothing else.",
    ),
    (
        "Are children nudged to play?",
        "There are no streaks, rankings or rewards for coming back. A child is reminded of its turn "
        "while others wait for it, and adults can limit the minutes per day.",
    ),
    (
        "Is artificial intelligence used?",
        "No AI service and no language model is used. Computer players and hints follow rules and "
        "odds, worked out on this server from what the player at that seat could see.",
    ),
    (
        "Where is it kept, and is it encrypted?",
        "In the folder “instance” on the server, or in the school's PostgreSQL database. The "
        "program does not encrypt it: please encrypt the disk. Passwords are kept as argon2id "
        "hashes only, sign-in pictures and family codes not at all.",
    ),
    (
        "Does anybody else get it, in this country or another?",
        "Not from the program. The people who run the server can read what is on it.",
    ),
    (
        "How long is it kept?",
        "Each table below says so. Every class ends, at the latest with its school year, and is then "
        "archived; a child whose class was archived is deleted with it, unless it was moved to "
        "another class. The school chooses some of the times within bounds: see “How long”.",
    ),
    (
        "Can parents see what is kept?",
        "Yes: the main part is on their own pages, and all of it is in the record. They also read "
        "who looked at it.",
    ),
    (
        "Can a parent's access end?",
        "Yes. A teacher of the child can unlink an adult, who sees nothing from that moment on; "
        "parents can do this themselves, and end their account. An account without a child is "
        "deleted.",
    ),
    (
        "Can it be corrected?",
        "A teacher can change a child's name, animal and age band, and adults can change its "
        "settings. Moves and answers cannot be changed, only removed with the child.",
    ),
    (
        "Can it be deleted?",
        "A teacher removes a child in two taps. A parent's account is deleted with the last child "
        "linked to it.",
    ),
    (
        "Can somebody object to a part of it?",
        "Questions can be turned off, by a teacher for the class and by a parent for the child. "
        "Play is counted all the same, so a child whose family objects to that should not play.",
    ),
    (
        "What do adults leave behind?",
        "A name, a login, a role and when the account was made; the password as a hash; and what "
        "they looked at and changed. No page shows all of this at once: please ask the school.",
    ),
    (
        "How is it protected?",
        "By sessions that can be ended at once, argon2id, access to one's own things only, a strict "
        "content security policy, and https if the school sets it up. README.md says how to run it "
        "safely.",
    ),
    (
        "What if something goes wrong?",
        "The security log and the record of who looked help to find out what happened. The program "
        "raises no alarm by itself, and the school must know whom to inform.",
    ),
    (
        "Is a child's age kept?",
        "Only an age band (4-5, 5-6, 6-7, 7-9), to choose suitable questions.",
    ),
    (
        "What is not promised?",
        "Protection from a stolen teacher's account, from a child who shows its screen, or from "
        "anyone who can read the server's disk.",
    ),
)

# For an adult to read out to children: a picture from the sprite sheet, and a sentence.
FOR_CHILDREN: Final = (
    ("a-fox", "The game knows your name and your animal."),
    ("i-cards", "It remembers what you played and what you answered."),
    ("teacher", "Your teacher can see that, and your family at home."),
    ("i-friends", "The other children cannot. They see your name and your animal."),
    ("i-x", "If you stop playing here, your teacher can take it all away."),
)

TITLE: Final = """\
# What Fish School knows, and what becomes of it

The program writes this page from its own tables (`python3 run.py privacy`), and a test fails if
the two differ. The app shows the same at `/privacy`. It is about the software; the school that
runs it decides what it is used for and is responsible for it. It is not legal advice.
"""
BY_ITSELF: Final = (
    "“By itself” means that the server deletes it, when it starts and once a day; if its clock "
    "seems to run ahead, it waits until the school is used. “About a person” marks what describes "
    "somebody, not the running of the program."
)


def page() -> str:
    """Write the text of PRIVACY.md."""
    parts = [TITLE, "## In short\n", *(f"- **{head}** {text}" for head, text in SHORT), ""]
    parts += ["## What is worked out from it\n", PROFILE, ""]
    parts += _rows(
        ("what", "what it is used for", "who sees it"),
        ((one.what, one.used_for, one.seen_by) for one in WORKED_OUT),
    )
    parts += ["## How long\n", ABOUT_PERIODS, ""]
    parts += _rows(
        ("what", "days", "the school may choose", "why"),
        ((one.what, str(one.days), f"{one.least} to {one.most}", one.why) for one in PERIODS),
    )
    parts += ["## Cookies\n", ABOUT_COOKIES, ""]
    parts += _rows(
        ("cookie", "what it is for", "kept"),
        ((f"`{one.name}`", one.purpose, one.life) for one in COOKIES),
    )
    parts += ["## Questions schools ask\n", *_rows(("question", "answer"), QUESTIONS)]
    parts += ["## Every column\n", BY_ITSELF, ""]
    for name, table in REGISTER.items():
        parts += [f"### {name}\n\n{table.what}\n", _of(name) + "\n"]
        lines = ((key, line.purpose, note(line, table)) for key, line in table.columns.items())
        parts += _rows(("column", "what it is for", ""), lines)
    return "\n".join(parts).rstrip() + "\n"


def _rows(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = (heads, ("---",) * len(heads), *rows)
    return [*("| " + " | ".join(line) + " |" for line in lines), ""]


def in_record(name: str) -> bool:
    """Whether the table is part of a child's record; adults' data is not."""
    lines = REGISTER[name].columns.values()
    return name != "adults" and any(line.export for line in lines)


def note(line: Column, table: TableEntry) -> str:
    """Return what to say about a column besides its purpose; "" if nothing."""
    if line.seen_by != table.first.seen_by:
        return f"seen by: {line.seen_by}"
    return "about a person" if line.personal else ""


def _of(name: str) -> str:
    first = REGISTER[name].first
    said = f"Seen by: {first.seen_by}. Kept: {first.keep}. Deleted: {first.delete}."
    return said + (" Part of a child's record." if in_record(name) else "")
