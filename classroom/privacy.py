"""The privacy register: what every column is for, who sees it, how long, and how it goes.

A column without a line fails a test. PRIVACY.md is written from here (`python -m classroom
privacy`) and tested to be up to date, and the page of the app is drawn from here, so neither can
drift from the tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

NOBODY = "nobody"
OWN = "the child, its teachers, its parents"
TEACHERS = "its teachers"
CLASS = "the class, its teachers, its parents"
ADULT = "that adult"
SERVER = "nobody; the server itself"
IN_RECORD = "nobody on any page; it is in the child's record"
STAFF = "whoever runs the server"

WITH_CHILD = "until the child is removed"
WITH_ROUND = "as long as a child who played in it is there"
WITH_ADULT = "until the account is removed"
WITH_CLASS = "as long as the class"
WITH_SCHOOL = "as long as the school"
WITH_LESSON = "until the lesson is over, at most a day"

BY_CHILD = "at once, with the child"
BY_ROUND = "at once, with the last child of the round"
BY_ADULT = "at once, with the account"
BY_CLASS = "with the class"
BY_SWEEP = "by itself"
NEVER = "with the database"


@dataclass(frozen=True, slots=True)
class Column:
    """`export`: belongs to what a child's family or an adult may ask to see.
    `personal`: describes a person rather than the running of the program."""

    purpose: str
    seen_by: str
    keep: str
    delete: str
    export: bool
    personal: bool


@dataclass(frozen=True, slots=True)
class Table:
    what: str
    columns: dict[str, Column]

    @property
    def first(self) -> Column:
        """What holds for the table, but where a column says something else."""
        return next(iter(self.columns.values()))


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """Something that the program works out about a child from what it did."""

    what: str
    used_for: str
    seen_by: str


@dataclass(frozen=True, slots=True)
class Cookie:
    """What the program puts into a browser. `days`: how long; None until the browser is closed."""

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
    **purposes: str,
) -> Table:
    """`export`: of the table all but what is secret. `personal`: columns about a person; `secret`:
    columns that nobody gets to see."""
    about, hidden = personal.split(), secret.split()
    return Table(
        what,
        {
            name: Column(
                purpose,
                SERVER if name in hidden else seen_by,
                keep,
                delete,
                export and name not in hidden,
                name in about,
            )
            for name, purpose in purposes.items()
        },
    )


REGISTER: Final[dict[str, Table]] = {
    "schools": _table(
        "The school that uses this installation.",
        CLASS,
        WITH_SCHOOL,
        NEVER,
        id="number of the row",
        name="shown to its adults",
        created_at="when it was set up",
    ),
    "adults": _table(
        "Teachers and parents. No e-mail address, no telephone number.",
        ADULT,
        WITH_ADULT,
        BY_ADULT,
        export=True,
        personal="role login name",
        secret="password_hash",
        id="number of the row",
        school_id="whose adult",
        role="teacher, parent or administrator: what they may do",
        login="a name they chose, to sign in with",
        name="how children and colleagues know them",
        password_hash="argon2id; the password itself is not kept",
        created_at="when the account was made",
    ),
    "classes": _table(
        "A class of children.",
        CLASS,
        WITH_SCHOOL,
        NEVER,
        id="number of the row",
        school_id="whose class",
        name="shown to the class",
        code="to bring a device into the class; good only while it is open",
        code_kept="whether it stays the same from lesson to lesson",
        opened_until="until when children may sign in",
        shelf="which games lie on its shelf",
        paused_at="since when the teacher has paused all tables",
        ending_at="since when the lesson is ending",
        resumed_at="when the tables last went on",
        changes="counts the changes to all tables",
        created_at="when it was made",
    ),
    "class_teachers": _table(
        "Who teaches which class.",
        TEACHERS,
        WITH_CLASS,
        BY_ADULT,
        class_id="the class",
        adult_id="the teacher",
    ),
    "own_games": _table(
        "A game with rules that the teacher chose for the class.",
        CLASS,
        WITH_CLASS,
        BY_CLASS,
        id="number of the row",
        class_id="the class",
        name="shown on its shelf",
        game="the game it was made from",
        rules="its house rules",
        look="how its numbers are shown",
        shown="whether it lies on the shelf",
        made_at="when it was saved",
    ),
    "children": _table(
        "A child. These six facts and no more: no surname, birth date, photo or address is asked.",
        CLASS,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="class_id name animal pad age_band pictures_version",
        id="number of the row",
        class_id="whose classmate",
        name="first name or nickname, given by the teacher",
        animal="the child's face",
        pad="the leaf under the animal: tells two foxes apart",
        age_band="4-5, 5-6, 6-7 or 7-9: which questions fit",
        pictures_version="counts new sign-in pictures; the pictures themselves are not kept",
        created_at="when the teacher added the child",
    ),
    "child_settings": _table(
        "What an adult set for one child.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="opponents level deck board hints questions question_skills number_low number_high "
        "minutes_a_day",
        child_id="the child",
        opponents="how many computer players",
        level="how strong they are",
        deck="how many kinds of card",
        board="how much of what was asked the child can look up: all, for a moment, the last, none",
        hints="whether hints are offered",
        questions="how often questions come",
        question_skills="what they may be about",
        number_low="from which number on",
        number_high="up to which number",
        minutes_a_day="how long the child may play",
        set_by="the adult who chose last",
        set_at="when",
    ),
    "class_settings": _table(
        "What a teacher set for a class.",
        CLASS,
        WITH_CLASS,
        BY_CLASS,
        class_id="the class",
        questions="how often questions come at most",
        question_skills="what they may be about",
        number_low="from which number on",
        number_high="up to which number",
        nudge_after="seconds until a child is reminded of its turn",
        stand_in_after="seconds until a computer friend plays for it",
        minutes_a_day="how long each child may play",
        set_by="the adult who chose last",
        set_at="when",
    ),
    "family_codes": _table(
        "A code on paper that links one adult to one child, once.",
        IN_RECORD,
        "30 days after its end",
        BY_SWEEP,
        export=True,
        secret="code_hash",
        id="number of the row",
        child_id="the child",
        code_hash="SHA-256 of the code; the code itself is not kept",
        created_at="when it was made",
        ends_at="until when it is good",
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
        created_at="since when",
    ),
    "sessions": _table(
        "Browsers that are signed in. No address of a computer is kept with them.",
        IN_RECORD,
        "an adult's 3 idle hours or 12 hours; a class's as long as it is open, at most 12 hours",
        BY_SWEEP,
        export=True,
        secret="token_hash device",
        id="number of the row",
        token_hash="SHA-256 of what is in the cookie",
        adult_id="whose, for an adult",
        class_id="in which class, for a device of a class",
        child_id="whose, for a child",
        device="a random name of the browser",
        created_at="since when",
        seen_at="when something was last done, to the nearest five minutes",
        ends_at="when it ends at the latest",
        hand_at="since when the child's hand is up",
        moved_id="the child who went on at another device",
    ),
    "known_devices": _table(
        "Browsers in which somebody was signed in before, so that strangers' wrong tries elsewhere "
        "cannot lock them out.",
        IN_RECORD,
        "400 days after the last time",
        BY_SWEEP,
        export=True,
        secret="device",
        id="number of the row",
        adult_id="the adult",
        child_id="or the child",
        device="a random name of the browser",
        last_at="when last",
    ),
    "door_knocks": _table(
        "A child stands before its pictures on a device: wrong tries there, and the teacher's tap.",
        TEACHERS,
        "a day",
        BY_SWEEP,
        export=True,
        secret="device",
        id="number of the row",
        child_id="the child",
        device="a random name of the browser",
        tries="wrong tries in a row",
        wait_until="until when it has to wait",
        knocked_at="when it was last heard of",
        let_in_at="when the teacher let it in",
        sign="the coloured shape it shows, by which the teacher finds it",
        since="since when it stands there",
    ),
    "wrong_tries": _table(
        "Wrong pictures, and wrong passwords where their owner was signed in before, to slow down "
        "guessing. Strangers' wrong codes and passwords are counted in memory, for a day.",
        IN_RECORD,
        "two days",
        BY_SWEEP,
        export=True,
        secret="device",
        id="number of the row",
        what="what was tried: of a class, of a child, of an account (its name only signed)",
        device="a random name of the browser",
        at="when",
    ),
    "matches": _table(
        "Who met at a table to play which game.",
        OWN,
        WITH_ROUND,
        BY_ROUND,
        export=True,
        id="number of the row",
        class_id="the class",
        game="which game",
        own_id="the class's own game, if it was one",
        rules="its house rules",
        look="how its numbers are shown",
        practice="whether it was only to try the game out; kept until the child's next one",
        created_at="when",
    ),
    "gatherings": _table(
        "A table that friends fill in a lesson.",
        CLASS,
        WITH_LESSON,
        BY_SWEEP,
        id="number of the row",
        class_id="the class",
        game="what they play",
        seats="how many may sit",
        set_by="the teacher who seated them",
        match_id="what they play or played last",
        since="when the first was ready",
        created_at="when",
    ),
    "places": _table(
        "Who sits at such a table.",
        CLASS,
        WITH_LESSON,
        BY_SWEEP,
        export=True,
        id="number of the row",
        gathering_id="the table",
        seat="which seat",
        child_id="the child, if it is not a computer friend",
        ready="whether the child wants to begin",
    ),
    "players": _table(
        "Who sits at a table. A removed child's seat becomes a friend without a name.",
        CLASS,
        WITH_ROUND,
        BY_CHILD,
        export=True,
        personal="child_id name animal pad",
        id="number of the row",
        match_id="the table",
        seat="which seat",
        child_id="the child, or",
        level="the strength of the computer player",
        name="shown at the table",
        animal="shown at the table",
        pad="shown at the table",
        board="the child's settings when the match began",
        hints="the child's settings when the match began",
        seed="what a computer player forgets",
    ),
    "rounds": _table(
        "One deal until the end.",
        OWN,
        WITH_ROUND,
        BY_ROUND,
        export=True,
        id="number of the row",
        match_id="the table",
        number="which round of the match",
        dealer="who dealt",
        deck="the shuffled cards; none is shown before it is played",
        moves="how many moves so far",
        away="seats for which a computer friend plays just now",
        returned_at="when a child last came back to its seat, answered or took help on its turn",
        changes="counts what happened besides moves",
        started_at="when it began",
        ended_at="when it ended",
        ended_by="why it ended",
        scores="books of each seat",
        winners="who had most",
    ),
    "moves": _table(
        "What was played: the one record of a round.",
        OWN,
        WITH_ROUND,
        BY_ROUND,
        export=True,
        personal="action",
        id="number of the row",
        round_id="the round",
        seq="which move",
        seat="whose",
        action="what was asked or done",
        chance="what was drawn by lot",
        key="makes two taps one move",
        played_by="a child, a computer player, or one for a child who was away",
        at="when",
    ),
    "child_rounds": _table(
        "One child's round in numbers.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="asks catches books hints peeks seconds",
        id="number of the row",
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
        last_at="when something was last done",
        over="whether it was finished",
    ),
    "evidence": _table(
        "What an ask or an answer showed about counting or remembering; never about luck.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="first_answer later_answers right latency_ms aided hint_step",
        id="number of the row",
        child_id="the child",
        round_id="in which round",
        seq="before which move",
        source="from play, or from a question",
        skill="which skill",
        item="what was asked",
        options="what could be chosen",
        first_answer="what the child chose first",
        later_answers="and then",
        right="whether the first answer was right",
        latency_ms="how long it took",
        aided="whether help was taken before",
        board="whether what was asked could be looked up",
        hint_step="which hint was taken",
        lag_asks="how many asks ago the fact was seen",
        lag_seconds="how long ago the fact was seen",
        overlap="whether two players asked for the same",
        lure="what made it easy to mix up",
        guess_rate="how often guessing would be right",
        day="on which day",
        at="when",
        counted="whether it is in the tallies and windows yet",
    ),
    "questions": _table(
        "A question put to a child in play.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="answers hint_step",
        secret="keys",
        id="number of the row",
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
        keys="that each tap is counted once",
        closed_at="when it was over",
    ),
    "child_histories": _table(
        "What the next question is chosen by: how able the child is in each skill, as far as its "
        "answers tell.",
        IN_RECORD,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="history",
        child_id="the child",
        history="ratings, when each skill comes back, places of the last right answers",
    ),
    "tallies": _table(
        "A child's first answers of one day, counted by sort. It follows from the evidence.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="n right mixed_up",
        child_id="the child",
        skill="which skill",
        day="on which day",
        source="from play, or from questions",
        how="alone, with help, as practice, or left alone",
        weak="whether guessing is right half the time or more",
        trial="whether there was anything to remember",
        lag_bin="roughly how many asks ago the fact was seen",
        overlap="whether two players asked for the same",
        check="whether it was the first answer after days away",
        n="how many answers",
        right="how many were right",
        mixed_up="how many named somebody else",
        guess_sum="how often guessing would be right, added up",
        lag_sum="how many asks ago, added up",
        days="days begun",
        sessions="rounds begun",
    ),
    "skill_windows": _table(
        "What counts of a skill now, day by day. It follows from the evidence.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="window",
        child_id="the child",
        skill="which skill",
        window="counts of the last days; the pace of the newest twelve answers",
    ),
    "help_taken": _table(
        "A hint, or a look at the board.",
        OWN,
        WITH_CHILD,
        BY_CHILD,
        export=True,
        personal="kind step",
        id="number of the row",
        round_id="in which round",
        child_id="the child",
        seq="before which move",
        kind="hint or board",
        step="how much was shown",
        at="when",
    ),
    "audit": _table(
        "Who looked at or changed a child's data: numbers and fixed words, no names. Each row is "
        "sealed with the one before it, so that a changed one is found.",
        STAFF,
        "12 months",
        BY_SWEEP,
        export=True,
        secret="seal",
        id="number of the row",
        at="when",
        adult_id="which adult",
        action="what was done",
        thing="to a child, a class, a round, an account",
        thing_id="to which",
        seal="SHA-256 over this row and the one before",
    ),
}

SHORT: Final = (
    (
        "Six facts about a child.",
        "A class, a first name or nickname, an animal, the leaf under it, an age band, and a count "
        "of its sign-in pictures. No surname, no birth date, no e-mail address, no photo, no voice "
        "and no place is asked for.",
    ),
    (
        "What it does in the games.",
        "Its moves, its answers to questions, the help it took, and how long it played; and what "
        "the program works out from these, which is listed below.",
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
        "and who plays with whom. How a child is doing is seen by its teachers, and by the parents "
        "whom a teacher linked to it; never by other children. Children are not ranked.",
    ),
    (
        "A child's record in one file.",
        "Teachers and parents can take it along from the child's page: every row and column that "
        "is marked below as part of the record, with what it is for. Other children are not named "
        "in it. Of a round with other children it holds the child's own moves and what the child "
        "could see, without the others' moves and times. Of a round that goes on it holds no card.",
    ),
    (
        "Removing a child.",
        "Its record goes at once: rounds it played alone, answers, settings, codes, links. In a "
        "round that another child played too, the moves stay for the other child, and the seat "
        "becomes a friend without a name. In a SQLite database what is deleted is overwritten; a "
        "PostgreSQL server overwrites it in its own time.",
    ),
    (
        "Copies.",
        "Before an upgrade the program keeps a copy of the database in “instance/copies”, and "
        "deletes it after 35 days; the newest two stay until a newer one is made. Backups that the "
        "school makes are the school's to delete: please keep them no longer than 35 days.",
    ),
    (
        "What was removed does not come back from a backup.",
        "A list beside the key, “instance/removed”, keeps the numbers of removed children and "
        "accounts, when their rows were made, and no names; a restore takes out what is on it.",
    ),
    (
        "Who looked.",
        "Every page with children's data that an adult opens, every file that is taken along and "
        "every change of it is on record for 12 months: who, what and when. What is opened again "
        "within a quarter of an hour is one look. A child's record lists who looked.",
    ),
    (
        "A security log",
        "says who signed in or was refused, and what was done to doors, accounts and records: the "
        "time, fixed words, numbers of rows, the network address, and a signed name of the "
        "browser. No name, login, code or password is in it. It is kept in files that only whoever "
        "runs the server can read, each for seven days at most. No other place keeps a network "
        "address.",
    ),
    (
        "Children's sign-in is made for children.",
        "Four pictures and an animal, on a device in an opened class. It is no strong proof of who "
        "somebody is, and so a child's account can do nothing but play.",
    ),
)

PROFILE: Final = (
    "From what a child does, the program works out a picture of it. This is called profiling, and "
    "so it is listed here in full. It decides nothing but how hard the game is, what a teacher is "
    "shown first, and a proposal for who sits together. The child itself sees a star for each "
    "round it played to the end, and nothing else of it."
)
WORKED_OUT: Final = (
    WorkedOut(
        "How many first tries were right, skill by skill and week by week, with the range in which "
        "the true share is likely to lie.",
        "To show what was practised. The children of a class who may need a look come first in a "
        "teacher's list. When a teacher has the class seated by level, the program proposes who "
        "sits with whom by these shares and the age bands, and the teacher may change it.",
        "its teachers, its parents",
    ),
    WorkedOut(
        "How far back a child remembers who asked for what. As long as little is known, the likely "
        "range leans on those of its classmates, taken together.",
        "To show it. Where an adult chose computer players “as strong as my child”, it sets how "
        "well they remember, and so do the rounds the child won.",
        "its teachers, its parents",
    ),
    WorkedOut(
        "How able a child is in each skill, as a rating, and when a skill comes back.",
        "To choose the next question, so that about three of four are answered right.",
        IN_RECORD,
    ),
    WorkedOut(
        "How quickly it answers, how often it takes help, and how long its turns stand.",
        "To tell a teacher that a child may be guessing, stuck, leaning on help, or idle.",
        "its teachers",
    ),
    WorkedOut(
        "What a child is doing right now: playing, waiting, away, stuck, or with its hand up.",
        "To show a teacher during the lesson who may need help. It is not kept.",
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
        "A random name of the browser. It protects forms, and whoever was signed in here before is "
        "not locked out by wrong tries elsewhere.",
        400,
    ),
    Cookie("quiet", "Remembers that the sound button was used on this device.", None),
)
ABOUT_COOKIES: Final = (
    "These three and nothing else are put into a browser. None of them says who somebody is, and "
    "none is sent to another host. In the demo school the first two are called “demo” and "
    "“demo-device”; over https their names begin with “__Host-”."
)

QUESTIONS: Final = (
    (
        "Who is responsible for the data?",
        "The school, or whoever runs this server for it. The makers of the program receive "
        "nothing and have no way in.",
    ),
    (
        "What is it used for?",
        "Playing, and showing teachers and parents what was practised. Nothing else.",
    ),
    (
        "On which legal ground, and is consent needed?",
        "That is for the school to decide. The program asks nobody for consent and keeps none.",
    ),
    (
        "Is anything decided about a child by the program alone?",
        "Which question comes next, and how strong the computer players are where an adult left "
        "that to the program. Nothing else.",
    ),
    (
        "Are children nudged to play?",
        "There are no streaks, no rankings, and no rewards for coming back. A child is reminded of "
        "its turn while others wait for it, and adults can limit the minutes of a day.",
    ),
    (
        "Is artificial intelligence used?",
        "No service and no language model. Computer players and hints are rules and odds, worked "
        "out on this server from the cards that the player at that seat could see.",
    ),
    (
        "Where is it kept, and is it encrypted?",
        "In the folder “instance” on the server, or in the school's PostgreSQL database. The "
        "program does not encrypt it: please encrypt the disk. Passwords are kept as argon2id "
        "hashes only, sign-in pictures and family codes not at all.",
    ),
    (
        "Does anybody else get it, in this country or another?",
        "Not from the program. Whoever runs the server can read what is on it.",
    ),
    (
        "How long is it kept?",
        "Each table below says so. A child's record has no end of its own: it stays until a "
        "teacher removes the child. Please remove children who leave.",
    ),
    (
        "Can parents see what is kept?",
        "Yes: the main part on their own pages, and all of it in the record.",
    ),
    (
        "Can it be corrected?",
        "A teacher can change a child's name, animal and age band, and adults its settings. Moves "
        "and answers cannot be changed, only removed with the child.",
    ),
    (
        "Can it be deleted?",
        "A teacher removes a child in two taps. A parent's account goes with the last child that "
        "it is linked to.",
    ),
    (
        "Can somebody object to a part of it?",
        "Questions can be turned off, by a teacher for the class and by a parent for the child. "
        "What is played is counted all the same, so whoever objects to that should not play.",
    ),
    (
        "What do adults leave behind?",
        "A name, a login, a role, and when the account was made; the password as a hash; and what "
        "they looked at and changed. No page shows all of it at once: please ask the school.",
    ),
    (
        "How is it protected?",
        "By sessions that can be ended at once, argon2id, no addresses of other people's things, a "
        "strict content security policy, and https where the school serves it so. README.md tells "
        "how to run it safely.",
    ),
    (
        "What if something goes wrong?",
        "The security log and the record of who looked help to find out what happened. The program "
        "raises no alarm by itself, and whom to tell is for the school to know.",
    ),
    (
        "Is the age of a child known?",
        "Only its band (4-5, 5-6, 6-7, 7-9), to choose questions that fit.",
    ),
    (
        "What is not promised?",
        "Safety from a teacher's account that was taken over, from a child who shows the screen, "
        "from whoever can read the server's disk.",
    ),
)

# Told to children by an adult: a picture of the sprite, and a sentence to read out.
FOR_CHILDREN: Final = (
    ("a-fox", "The game knows your name and your animal."),
    ("i-cards", "It remembers what you played and what you answered."),
    ("teacher", "Your teacher can see that, and your family at home."),
    ("i-friends", "The other children cannot. They see your name and your animal."),
    ("i-x", "If you stop playing here, your teacher can take it all away."),
)

TITLE: Final = """\
# What Fish School knows, and what becomes of it

This page is written by the program from its own tables (`python3 run.py privacy`), and a test
fails when the two differ. The same is shown in the app under `/privacy`. It is about the software;
the school that runs it decides what it is used for, and answers for it. It is not legal advice.
"""
BY_ITSELF: Final = (
    "“By itself” means that the server deletes it, when it starts and once a day; where its "
    "clock seems to run ahead, it waits until the school is used. “About a person” stands beside "
    "what describes somebody, not the running of the program."
)


def page() -> str:
    """The text of PRIVACY.md."""
    parts = [TITLE, "## In short\n", *(f"- **{head}** {text}" for head, text in SHORT), ""]
    parts += ["## What is worked out from it\n", PROFILE, ""]
    parts += _rows(
        ("what", "what it is used for", "who sees it"),
        ((one.what, one.used_for, one.seen_by) for one in WORKED_OUT),
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
    """Whether the table belongs to a child's record; what is of adults is theirs to ask for."""
    lines = REGISTER[name].columns.values()
    return name != "adults" and any(line.export for line in lines)


def note(line: Column, table: Table) -> str:
    """What is to be said of a column besides what it is for."""
    if line.seen_by != table.first.seen_by:
        return f"seen by: {line.seen_by}"
    return "about a person" if line.personal else ""


def _of(name: str) -> str:
    first = REGISTER[name].first
    said = f"Seen by: {first.seen_by}. Kept: {first.keep}. Deleted: {first.delete}."
    return said + (" Part of a child's record." if in_record(name) else "")
