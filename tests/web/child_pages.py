"""Every page of a child in every state that has words of its own, to see what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from flask import Flask, g

from classroom.engine import observe
from classroom.games import GAMES
from classroom.learning.drafts import Stem
from classroom.services.access.knocks import SIGNS
from classroom.services.access.sign_in import PICTURES
from classroom.services.base.names import ChildFace
from classroom.services.lesson.open_tables import Friend, Friends, OpenTable
from classroom.services.lesson.shared_tables import Together
from classroom.services.quiz.posing import Put
from classroom.services.table.offers import Offer
from classroom.services.table.rounds import Around, Seated
from classroom.web.child.card_faces import CardFace, ClassFace
from classroom.web.child.choosing import FourSheet, OtherChoices, Pile, SheetCard
from classroom.web.child.home_pages import Stack
from classroom.web.child.play_questions import PickView, QuestionView
from classroom.web.child.table_view import Goal, TableView, table_view
from classroom.web.http.pages import render
from tests.web.test_table_view import played, table
from tests.web.test_tide import played as tidal

MIA = ChildFace(1, "Mia", "fox", 1)
ME = Friend(child_id=1, name="Mia", animal="fox", pad=1, me=True)
BEN = Friend(child_id=2, name="Ben", animal="bear", pad=2)
READY = replace(BEN, ready=True)
COMPUTER = Friend(child_id=None, name="Computer", animal="", pad=0, ready=True)
GO_FISH = Offer(key="classic", name=GAMES["classic"].name, game=GAMES["classic"])
NOTICES = (
    "out_of_date not_your_turn not_held own_seat empty_target no_hints no_board paused lesson_over "
    "time_over table_full elsewhere hand_down over invalid"
).split()
FROGS, SEVEN = ClassFace("F", 0, "family", "frog"), CardFace(7, "shell", code="7H")
OPEN = OpenTable(
    gathering_id=3, offer=GO_FISH, seats=(ME, BEN, None), by_teacher=False, shared=False,
    again=False, enough=True, until=None,
)  # fmt: skip
NO_FRIENDS = Friends(
    mine=None, tables=(), here=(), games=(GO_FISH,), round_id=None, moment=None, host=None,
    paused=None,
)  # fmt: skip
READ = ("aria-label", "title", "data-words", "data-one", "data-many", "data-on", "data-off")
READ += ("data-name",)
SKIPPED = "skipped"
TOLD = {"told", "ask__words", "seat", "q__say"}  # what tests/web/captions.tsv has


class Texts(HTMLParser):
    """What a page shows or reads aloud: each text with the pieces that speak it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[tuple[str, str]] = set()
        self._open: list[tuple[str, str | None, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.found |= {(" ".join(given[name].split()), "") for name in READ if name in given}
        if tag not in ("meta", "link", "input", "br", "use", "path"):
            told = self._open and self._open[-1][1] == SKIPPED
            told = told or TOLD & {*given.get("class", "").split()}
            self._open.append((tag, SKIPPED if told else given.get("data-say"), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_data(self, data: str) -> None:
        last = len(self._open) - 1
        self._open = [
            (tag, say, text + data if say is not None or place == last else text)
            for place, (tag, say, text) in enumerate(self._open)
        ]

    def handle_endtag(self, tag: str) -> None:
        while self._open and (last := self._open.pop()):
            name, say, text = last
            if say != SKIPPED:
                self.found.add((" ".join(text.split()), say or ""))
            if name == tag:
                break


def texts(app: Flask) -> set[tuple[str, str]]:
    """Everything that the pages of a child show or say in the language of the page."""
    found: set[tuple[str, str]] = set()
    with app.test_request_context("/"):
        g.token = g.device = ""
        for template, values in pages():
            found |= Texts(render(template, **values)).found
        for stem in ("know", "find", "do"):
            talk: Any = app.jinja_env.get_template("components/talk.html").module
            found |= Texts(talk.talk(stem)).found
    return {(words, say) for words, say in found if words and not words.isdigit()}


Drawn = tuple[str, dict[str, Any]]  # a template and its values


def page(template: str, **values: Any) -> Drawn:
    return template, values


def table_part(t: TableView) -> Drawn:
    return page("partials/child/table.html", t=t, key="k", notice=None, hint=None)


def pages() -> Iterator[Drawn]:
    yield from doors_()
    yield from home()
    yield from friends()
    yield from tables()
    yield from questions()
    yield from (
        page("pages/child/error.html", status=one, home="/")
        for one in (400, 401, 403, 404, 409, 413, 422)
    )
    yield from (page("pages/child/error.html", status=one, home="/") for one in (429, 500))


def doors_() -> Iterator[Drawn]:
    pad: Any = {"digits": "12", "fresh": 4, "kept": 6, "kept_first": "9", "code": ""}
    for problem in (None, "slow_down", "unknown"):
        yield page("pages/child/door.html", problem=problem, **pad)
    yield page("pages/child/class_link.html", code="1")
    yield page("pages/child/animals.html", class_name="Frogs", children=())
    yield page("pages/child/animals.html", class_name="Frogs", children=(MIA,))
    yield page("pages/child/elsewhere.html", child=MIA)
    for sign in (None, *[*SIGNS.values()][:2]):
        yield page("pages/child/waiting.html", child=MIA, sign=sign)
        given: Any = {"child": MIA, "sign": sign, "grid": PICTURES, "chosen": ()}
        yield page("pages/child/pictures.html", wrong=False, wait=0, **given)
    for wrong, wait in ((True, 0), (True, 5), (False, 5)):
        yield page(
            "pages/child/pictures.html",
            wrong=wrong,
            wait=wait,
            **given | {"chosen": PICTURES[:1]},
        )
    yield page("pages/child/home_door.html", wrong=False, wait=0, **given)
    yield page("pages/child/home_closed.html", child=MIA)


def home() -> Iterator[Drawn]:
    given: Any = {"me": MIA, "playing": None, "games": (GO_FISH,), "friends": (), "class_id": 1}
    mine = (Stack(FROGS, 2), Stack(None, 1))
    for going_on, moment, lit in ((None, None, GO_FISH), (7, None, None), (None, 5, None)):
        f = replace(NO_FRIENDS, moment=moment)
        yield page(
            "pages/child/home.html", going_on=going_on, f=f, lit=lit, mine=mine, other=None, **given
        )
    for why in (None, "paused", "lesson_over", "time_over"):
        yield page("pages/child/rest.html", f=replace(NO_FRIENDS, paused=why), me=MIA, class_id=1)
    for key, game in GAMES.items():
        offer, tidal_ = Offer(key=key, name=game.name, game=game), game.rules.end_tide is not None
        yield page("pages/child/how.html", offer=offer, can_play=True, back=None, tidal=tidal_)
    yield page("pages/child/how.html", offer=GO_FISH, can_play=True, back=7, tidal=False)
    together: Any = {"me": ME, "askable": frozenset({3}), "asked": frozenset(), "games": (GO_FISH,)}
    ada, eve = replace(BEN, child_id=3, name="Ada"), replace(BEN, child_id=4, name="Eve")
    view = Together(
        mates=(READY, ada, eve), came=frozenset(), resting=((7, (ME, BEN)),), **together
    )
    yield page("pages/child/together.html", notice=None, f=view, picked=())
    yield page("pages/child/invited.html", host=BEN)


def friends() -> Iterator[Drawn]:
    waits = replace(OPEN, seats=(BEN, None))
    for mine in (
        OPEN,
        replace(OPEN, until=1.0),
        replace(OPEN, seats=(replace(ME, ready=True), READY, COMPUTER)),
        replace(OPEN, seats=(ME, None), enough=False),
        replace(OPEN, by_teacher=True),
    ):
        f = replace(NO_FRIENDS, mine=mine)
        yield page("pages/child/friends.html", f=f, notice=None, class_id=1)
        yield page(
            "pages/child/friends.html", f=replace(f, tables=(waits,)), notice=None, class_id=1
        )
    yield page(
        "pages/child/friends.html",
        f=replace(NO_FRIENDS, tables=(waits,), here=(BEN,)),
        notice=None,
        class_id=1,
    )
    for notice in (None, *NOTICES):
        yield page("pages/child/friends.html", f=NO_FRIENDS, notice=notice, class_id=1)
    yield page("partials/child/raise.html", up=False, round_id=7)


def tables() -> Iterator[Drawn]:
    for game, seats in {"classic": 3, "fours": 3, "wish_pairs": 2, "old_fish": 3}.items():
        states = played(game, seats, 1)
        for move in (0, len(states) // 3, len(states) // 2, len(states) - 1):
            seen = observe(states[move], states[move].turn or 0)
            yield table_part(table_view(table(seen, game), max(0, move - 6)))
    for states in (tidal(32), tidal(6)):
        for move in (1, len(states) - 1):
            yield table_part(table_view(table(observe(states[move], 0)), 0))
    shown = classic()
    for around in (
        *(Around(paused=why) for why in ("paused", "lesson_over", "time_over")),
        Around(asleep=True),
    ):
        yield table_part(with_table(shown, around=around))
        yield shared(with_table(shown, around=around))
    over = ended(shown)
    yield shared(shown)
    yield shared(over)
    yield shared(table_view(table(observe(tidal(32)[5], 0)), 0))
    yield page("partials/child/shared_hand.html", hand=shown, sides="nes", key="k")
    yield from of_fours(shown)
    for t in (shown, over, with_table(shown, board="peek")):
        yield page("pages/child/board.html", t=t, few=False)
    yield page("pages/child/moment.html", moment_id=5, t=shown, key="k", onward=None, notice=None)
    yield page("pages/child/moment.html", moment_id=5, t=shown, key="k", onward="/", notice=None)
    for t in (
        with_table(over, begun=True),
        with_table(over, practice=True),
        replace(over, goal=Goal(10, False, 5, 1)),
        replace(over, champion=shown.me),
        replace(over, champion=shown.ring[0]),
        replace(shown, goal=Goal(10, False, 5, 1)),
        replace(shown, goal=Goal(3, True, 3, 1)),
        with_table(shown, board="peek"),
        replace(shown, friends=shown.ring),
        replace(shown, lost=()),
    ):
        yield table_part(t)


def classic() -> TableView:
    states = played("classic", 3, 1)
    move = next(move for move in range(20, len(states)) if states[move].turn == 0)
    return table_view(table(observe(states[move], 0)), 0, opened=True)


def with_table(shown: TableView, **more: Any) -> TableView:
    return replace(shown, table=replace(shown.table, **more))


def ended(shown: TableView) -> TableView:
    return with_table(shown, observation=replace(shown.table.observation, over=True))


def shared(t: TableView) -> Drawn:
    return page(
        "partials/child/shared.html", recall=None, notice=None, t=t, sides="nes", line=t.line
    )


def of_fours(shown: TableView) -> Iterator[Drawn]:
    piles = (Pile(0, False, (SheetCard(SEVEN, False, True),)),)
    lay, claim = (FourSheet(one, piles, (), (), False, 2) for one in ("lay", "claim"))
    for do, next_ in (
        (OtherChoices(lay=lay, declare=True, layoffs=(SEVEN,)), "lay"),
        (OtherChoices(claim=claim, can_pass=True, declarer=1), "claim"),
        (OtherChoices(numbers=(1, 2, 3, 4), asks=FROGS, asked=1), "name"),
        (OtherChoices(shows=(True, False), drawn=SEVEN), "show"),
        (OtherChoices(shows=(False,), drawn=SEVEN), "show"),
        (OtherChoices(answers=("give", "challenge"), asks=FROGS, asker=1), "answer"),
    ):
        choose = replace(shown.choose, next="")
        yield table_part(replace(shown, do=do, next=next_, choose=choose))


def questions() -> Iterator[Drawn]:
    given: Any = {"pad": 1, "child_id": None, "level": None, "away": False}
    mia = Seated(seat=0, name="Mia", animal="fox", me=True, **given)
    owl = Seated(seat=1, name="Owl", animal="owl", me=False, **given)
    kinds: Any = ("both", "nobody", "none", "same", "yes", "no")
    picks = tuple(PickView(place, kind, both=(mia, owl)) for place, kind in enumerate(kinds))
    given = {
        "recall": False, "asks": None, "cards": (SEVEN,), "seats": (), "trait": None,
        "or_none": False, "or_both": False, "frame": None, "path": (), "lit": frozenset(),
        "counted": False,
    }  # fmt: skip
    put = Put(
        round_id=7, seq=3, kind="count_hand", stem=Stem(numbers=(3,)), face="seat", options=(),
        covers=frozenset(), offered=(), tried=(), step=1, right=None, found=False,
    )  # fmt: skip
    for one in (put, replace(put, face="tapped"), replace(put, found=True)):
        q = QuestionView(put=one, picks=picks, **given)
        yield page("partials/child/question.html", q=q, key="k")
