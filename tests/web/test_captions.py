"""Every sentence that a child sees or hears, over all games, steps, hints and questions.

`captions.tsv` beside this file has them all: the words, and the pieces that speak them; `pages.tsv`
has what else the pages of a child show, say or call something. `python -m tests.web.test_captions`
writes both again; read what has changed before you keep it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace as Some
from typing import Any

from flask import Flask

from classroom.app import create_app
from classroom.engine.cards import deck_of
from classroom.games import GAMES
from classroom.learning.skills import SKILL_OF
from classroom.web.child.card_faces import CardFace, ClassFace, faces_of
from classroom.web.child.steps import STEP_KINDS
from classroom.web.words import rule_words
from classroom.web.words.phrases import called, phrase
from tests.web import child_pages
from tests.web.test_voice import COUNTS
from tools.voice import recording

GOLDEN = Path(__file__).parent / "captions.tsv"
PAGES = Path(__file__).parent / "pages.tsv"
TOLD = re.compile(r'<p class="told" data-say="([^"]*)">(.*?)</p>', re.DOTALL)
HINTS = (
    "again look_at_cards asked_for took showed answered worked_out most_likely one_of_two do name "
    "do_name show do_show answer do_answer lay claim do_lay do_claim pass do_pass declare "
    "do_declare layoff do_layoff"
).split()
ME, FRIEND, OTHER = 0, 1, 2
ANIMALS = ("fox", "owl", "bear")
Line = tuple[str, str, str]


@cache
def asked() -> dict[str, ClassFace]:
    """Everything that can be asked for or be a book, in any game, each once."""
    found: dict[str, ClassFace] = {}
    for game in GAMES.values():
        faces, deck = faces_of(game.rules), deck_of(game.rules)
        exact = deck.cards if game.rules.ask_what == "card" else ()
        for class_ in (*deck.classes, *exact):
            for face in (faces.asks(class_), faces.own(class_) if class_ in deck.classes else None):
                if face is not None:
                    found.setdefault(f"{face.kind} {face.key}", face)
    for whole in (5, 10):
        for has in range(whole // 2 + 1):
            found[f"sum {has}+{whole - has}"] = ClassFace("", whole - has, "sum", has=has)
    return found


@cache
def cards() -> dict[str, CardFace]:
    """Every card of any game, each once."""
    found = {}
    for game in GAMES.values():
        for card, look in product(deck_of(game.rules).cards, ("both", "fingers")):
            face = faces_of(game.rules, look).card(card)
            found[f"{face.kind} {card.split('-')[0]}"] = face
    return found


def kinds(found: dict[str, Any]) -> dict[str, Any]:
    """The first two of each kind; in Fours two of each way to name two things."""
    chosen: dict[str, Any] = {}
    counted: dict[str, int] = {}
    for name, face in found.items():
        sort = f"{face.kind} {bool(face.colour)} {bool(face.shape)}"
        if counted.setdefault(sort, 0) < 2:
            chosen[name] = face
            counted[sort] += 1
    return chosen


def words_of(app: Flask) -> dict[str, Any]:
    """The words of each game, by the names that its rules choose."""
    tell: Any = app.jinja_env.get_template("components/words.html").module
    names = {rule_words.asking_template(game.rules) for game in GAMES.values()}
    names |= {rule_words.ending_template(game.rules) for game in GAMES.values()}
    return {name: Words(tell, name) for name in sorted(names)}


@dataclass(frozen=True)
class Words:
    """The macros of components/words.html for one game."""

    tell: Any
    game: str

    def step_words(self, *step: Any) -> str:
        return str(self.tell.step_words(self.game, *step))

    def row_words(self, who: Any) -> str:
        return str(self.tell.row_words(self.game, who))

    def ending_words(self, who: Any) -> str:
        return str(self.tell.made(self.game, who, "words"))

    def ending_say(self, who: Any) -> str:
        return str(self.tell.made(self.game, who, "say"))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tell, name)


def lines(app: Flask) -> Iterator[Line]:
    """Every sentence: what is said, its words, and its pieces."""
    seen: dict[str, tuple[str, str]] = {}
    with app.test_request_context():
        for name, game in words_of(app).items():
            spoken = [*of_steps(game), *of_hints(game), *of_seats(game), *of_bar(game)]
            for what, words, pieces in spoken:
                found = (" ".join(words.split()), pieces)
                if seen.setdefault(what, found) == found and name != "classic":
                    continue  # as in Go Fish
                yield (what if name == "classic" else f"{name}: {what}", *found)
        yield from of_the_tide()
        yield from of_questions(app.jinja_env.get_template("components/asking.html").module)


def told(what: str, drawn: str) -> Iterator[Line]:
    found = TOLD.findall(drawn)
    if found:
        yield what, unescape(found[0][1]), found[0][0]
    assert len(found) == (1 if drawn.strip() else 0)


def step(kind: str, seat: int, other: int | None, asks: Any = None, **more: Any) -> Any:
    given = {"number": 2, "cards": (), **more}
    return Some(kind=kind, seat=seat, other=other, asks=asks, **given)


def of_steps(game: Any) -> Iterator[Line]:
    things, faces = asked(), cards()
    ways = ((ME, FRIEND), (FRIEND, ME), (FRIEND, OTHER), (ME, None), (FRIEND, None))

    def say(what: str, one: Any) -> Iterator[Line]:
        other = ANIMALS[one.other] if one.other is not None else ""
        drawn = game.step_words(one, ME, ANIMALS[one.seat], other)
        yield from told(f"{one.kind} {one.seat}>{one.other} {what}".strip(), drawn)

    few = game.game != "classic"  # the words of things are the same in every game
    for name, thing in (kinds(things) if few else things).items():
        yield from say(name, step("asked", ME, FRIEND, thing))
        yield from say(name, step("asked", FRIEND, None, thing))
        yield from say(name, step("lucky", ME, None, thing))
        if thing.kind == "traits" or thing.kind == "sum":
            yield from say(name, step("book", ME, None, thing))
    for name, face in (kinds(faces) if few else faces).items():
        yield from say(name, step("fished", ME, None, cards=(face,)))
    for kind, (seat, other) in product(STEP_KINDS, ways):
        for name, thing in kinds(things).items():
            about = {"asked": True, "thought": other is not None, "lucky": other is None}
            if about.get(kind):
                yield from say(name, step(kind, seat, other, thing))
        if kind in ("gave", "named"):
            for number in range(1, 14):
                if kind == "named" or other is not None:
                    yield from say(str(number), step(kind, seat, other, number=number))
        elif kind in ("picked", "fished"):
            yield from say("", step(kind, seat, other))
            for name, face in kinds(faces).items():
                yield from say(name, step(kind, seat, other, cards=(face,)))
        elif kind == "bait" and other is None:
            continue
        elif kind not in ("asked", "thought", "lucky"):
            yield from say("", step(kind, seat, other))
    yield from of_books(say, things, faces)


def of_books(say: Any, things: dict[str, ClassFace], faces: dict[str, Any]) -> Iterator[Line]:
    for (name, thing), size in product(kinds(things).items(), (2, 3, 4, 5)):
        if thing.kind in ("rank", "warm", "cool", "family", "joker"):
            made = tuple(faces["fish FA"] for _ in range(size))
            yield from say(f"{name} of {size}", step("book", ME, None, thing, cards=made))
    for name, face in kinds(faces).items():
        if face.kind == "joker":
            made = (faces["fish FA"], face)
            yield from say(f"with {name}", step("book", ME, None, things["family F"], cards=made))


def of_hints(game: Any) -> Iterator[Line]:
    things, frogs = asked(), asked()["family F"]
    asking = ("look_at_cards", "answered", "took", "showed", "most_likely", "do", "asked_for")
    for kind, who in product(HINTS, ("", "owl")):
        if kind in (*asking, "worked_out"):
            for (name, thing), same in product(kinds(things).items(), (True, False)):
                one = Some(
                    kind=kind, asks=thing, told=thing if same else frogs, numbers=(), show=False
                )
                if thing.kind != "sum" and (who or kind in ("look_at_cards", "most_likely", "do")):
                    yield from told(f"hint {kind} {who} {name} {same}", game.hint_words(one, who))
            continue
        for number, show in product((1, 3), (True, False)):
            one = Some(kind=kind, asks=None, told=None, numbers=(number,), show=show)
            yield from told(f"hint {kind} {who} {number} {show}", game.hint_words(one, who))


def of_seats(game: Any) -> Iterator[Line]:
    sums = [
        Some(points=p, total=t, minus=2, fish=f)
        for p, t, f in product((None, 0, 1, 5), (-1, 0, 1, 4), (False, True))
    ]
    for number, boat, pot, points, name in product(
        (0, 1, 2), (None, 1, 3), (None, 0, 4), (None, 1, 5), ("Owl", "Mia <3")
    ):
        who = Some(
            name=name,
            animal="owl",
            cards=number,
            boat=boat,
            pot=pot,
            books=(1,) * number,
            sum=Some(points=points),
            out=number == 0,
            away=boat == 1,
            pondering=pot == 0,
        )
        yield f"seat {name} {number} {boat} {pot} {points}", unescape(str(game.seat_label(who))), ""
    for number, one in product((0, 1, 2), sums):
        who = Some(animal="owl", books=(1,) * number, sum=one, pot=2 * number)
        what = f"{number} {one.points} {one.total} {one.fish}"
        yield f"ending {what}", str(game.ending_words(who)), str(game.ending_say(who))
        yield f"row {what}", str(game.row_words(who)), ""
    for (name, thing), target, came in product(kinds(asked()).items(), (1, None), (None, 0, 1, 3)):
        mark = Some(asker=2, target=target, asks=thing, came=came)
        yield f"mark {name} {target} {came}", str(game.mark_words(mark, ANIMALS)), ""


def of_bar(game: Any) -> Iterator[Line]:
    """What there is to do, as the page shows it when everything is tapped."""
    for name, thing in (asked() if game.game == "classic" else kinds(asked())).items():
        if thing.kind == "sum":
            continue
        for kind in ("class", "option", "target", "only", "ask"):
            said = phrase(f"todo.{kind}", game.game, thing=thing, name="{name}")
            words, pieces = str(said.words), said.say
            yield (
                f"to do {kind} {name}",
                words.replace("{name}", "Owl"),
                pieces.replace("{name}", "owl"),
            )
    for name, thing in asked().items():
        yield f"many {name}", str(called(thing)), ""
    for name, face in cards().items():
        for fan in (
            Some(code="x", is_=None, cards=(face,)),
            Some(code="", is_=None, cards=(face,)),
        ):
            yield f"fan {name}", str(game.fan_label(fan)), ""
    for (name, thing), many in product(asked().items(), (1, 2)):
        yield (
            f"fan {many} {name}",
            str(game.fan_label(Some(code="", is_=thing, cards=(1,) * many))),
            "",
        )


def of_the_tide() -> Iterator[Line]:
    ends = [("asleep", 0), *product(("full", "asleep"), (1, 2))]
    for end, number in ends:
        found = phrase("together", end, n=number)
        yield f"{end} {number}", str(found.words), found.say
        yield f"row {number}", str(phrase("row", "together", n=number).words), ""


def of_questions(asking: Any) -> Iterator[Line]:
    owl, bear = Some(name="Owl", animal="owl", me=False), Some(name="Mia", animal="bear", me=False)
    mia = Some(name="Mia", animal="fox", me=True)
    numbers = ((1, 1), (1, 0), (2, -1), (7, 3), (8, 1), (11, 2), (20, 3), (21, 10), (10, 11))
    for kind, pair, seats in product(SKILL_OF, numbers, ((owl, bear), (mia, owl))):
        q = question(kind, numbers=pair, seats=seats)
        if (kind == "mixed" and abs(pair[1]) > 1) or (kind != "mixed" and pair[1] < 0):
            continue
        yield from asking_lines(asking, f"? {kind} {pair} {seats[0].animal}", q)
    for kind, (name, thing) in product(SKILL_OF, kinds(asked()).items()):
        if kind in ("who_asked", "who_asked_last", "who_asked_first", "count_class", "given"):
            yield from asking_lines(asking, f"? {kind} {name}", question(kind, asks=thing))
    for kind in ("who_asked", "which_asked", "most_cards", "been_asked"):
        for none, both, face, recall in product(
            (True, False), (True, False), ("seat", "class"), (True, False)
        ):
            q = question(kind, or_none=none, or_both=both, face=face, recall=recall)
            yield from asking_lines(asking, f"? {kind} {none} {both} {face} {recall}", q)
    for at, face, found in product(range(6), ("seat", "tapped"), (True, False)):
        q = Some(put=Some(step=at, face=face, found=found))
        yield f"help {at} {face} {found}", str(asking.help(q, "words")), str(asking.help(q, "say"))
    for name, pick in picks():
        yield f"pick {name}", str(asking.label(pick)), ""


def picks() -> Iterator[tuple[str, Any]]:
    usual = {"asks": None, "card": None, "number": None}
    for kind, n in product(("numeral", "dots", "loose"), (0, 3, 20, 21)):
        yield f"{kind} {n}", Some(kind=kind, **{**usual, "number": n})
    for me in (True, False):
        yield f"face {me}", Some(kind="face", who=Some(name="Mia", animal="owl", me=me))
    for name, face in cards().items():
        yield f"card {name}", Some(kind="card", **{**usual, "card": face})
    both = (Some(animal="owl"), Some(animal="fox"))
    for kind in ("both", "nobody", "none", "same", "yes", "no"):
        yield kind, Some(kind=kind, both=both, **usual)


def question(kind: str, **given: Any) -> Any:
    usual = {"or_none": False, "or_both": False, "recall": False, "face": "number"}
    nobody = (Some(name="Owl", animal="owl", me=False), Some(name="Mia", animal="bear", me=False))
    usual |= {"numbers": (2, 1), "seats": nobody, "asks": asked()["rank 7"]}
    given = {**usual, **given}
    put = Some(kind=kind, face=given.pop("face"), stem=Some(numbers=given.pop("numbers")))
    return Some(put=put, **given)


def asking_lines(asking: Any, what: str, q: Any) -> Iterator[Line]:
    yield what, unescape(str(asking.asked(q, "words"))), str(asking.asked(q, "say"))


def captions(app: Flask) -> str:
    """Each caption with its pieces, once."""
    return "".join(sorted({f"{words}\t{pieces}\n" for _, words, pieces in lines(app)}))


def texts(app: Flask) -> str:
    """Every other text of the pages with its pieces, once."""
    known = {line.partition("\t")[0] for line in GOLDEN.read_text("utf-8").splitlines()}
    found = child_pages.texts(app)
    return "".join(sorted(f"{words}\t{pieces}\n" for words, pieces in found if words not in known))


def test_every_sentence_is_as_it_was(app: Flask) -> None:
    for golden, now in ((GOLDEN, captions(app)), (PAGES, texts(app))):
        known, found = golden.read_text("utf-8").splitlines(), now.splitlines()
        assert sorted({*found} - {*known}) == []
        assert sorted({*known} - {*found}) == []


def test_every_sentence_has_as_many_words_as_its_pieces() -> None:
    """So it is lit word by word (scripts/child/lit.js). Some numbers above never come in play, so
    their pieces are not recorded."""
    for line in GOLDEN.read_text("utf-8").splitlines():
        words, pieces = line.split("\t")
        parts = [part for name in pieces.split() for part in joined(name)]
        if parts and all(part in COUNTS for part in parts) and "you hear" not in words:
            assert sum(map(COUNTS.__getitem__, parts)) == len(recording.WORD.findall(words)), line


def joined(piece: str) -> list[str]:
    """A piece, or the parts of a frame that is not recorded."""
    return [piece] if piece in COUNTS else piece.split("+")


def main() -> None:
    with TemporaryDirectory() as folder:
        app = create_app({"INSTANCE": folder, "LOOK_AROUND": False})
        GOLDEN.write_text(captions(app), "utf-8")
        PAGES.write_text(texts(app), "utf-8")


if __name__ == "__main__":
    main()
