"""One tablet for two to four children: what its page, its stream and its raises may show."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.engine import deal, shuffled
from classroom.engine.cards import Card, deck_of
from classroom.engine.observation import Observation
from classroom.games import GAMES
from classroom.games.variants import deck_rules
from classroom.learning.recall_questions import for_all
from classroom.models import ChildRound, EvidenceRow, Match, Move, Player, QuestionRow
from classroom.services.base import clock
from classroom.services.lesson import gatherings, lessons, live_class, open_tables, shared_tables
from classroom.services.table import matches, offers, rounds, stand_ins, states
from classroom.web.child.card_faces import SUITS
from classroom.web.child.shared import HUNG
from tests.conftest import Rooms
from tests.playing import Browser, Classroom, browser, settings, stacked

NAMES = ("Mia", "Ben", "Ada", "Noor", "Theo", "Lina")
SIZES = pytest.mark.parametrize("seats", [2, 3, 4])
KEYS = re.compile(r'(name="(?:token|key)" value=")[^"]*(")')
FACE_UP = re.compile(rf"#p-(\d+)-({'|'.join(SUITS.values())})\b")


@dataclass
class Tablet:
    """A tablet at which these children of a class sit, the first of whom had signed in."""

    room: Classroom
    page: Browser
    round_id: int = 0
    answers: list[TestResponse] = field(default_factory=list)

    @property
    def at(self) -> str:
        return f"/play/shared/{self.round_id}"

    def seat(self, others: Sequence[str], game: str = "classic") -> TestResponse:
        self.page.get("/play/together")
        mates = [self.room.children[name] for name in others]
        answer = self.page.post("/play/together", htmx=False, game=game, mate=mates)
        if answer.status_code == 303:
            self.round_id = int(answer.headers["Location"].rpartition("/")[2])
            self.page.get(self.at)
        return answer

    def everything(self) -> list[str]:
        """All that the device is sent without a raise."""
        paths = ("", "/table", "/events")
        return [KEYS.sub(r"\1*\2", self.page.get(self.at + path).text) for path in paths]

    def raise_(self, seat: int) -> TestResponse:
        return self.page.post(self.at + "/hand", seat=seat)

    def ask(self, seat: int, class_: str, target: int, seen: int) -> TestResponse:
        ask = {"class": class_, "target": target, "seat": seat, "seen": seen}
        return self.page.post(self.at + "/asks", key=secrets.token_hex(8), **ask)

    def seen_by(self, seat: int) -> Observation:
        with self.room.app.app_context():
            return rounds.table(self.round_id, seat).observation

    def turn(self) -> int:
        turn = self.seen_by(0).turn
        assert turn is not None
        return turn


def shown(text: str) -> set[Card]:
    """The cards that lie face up in this text."""
    suits = {name: letter for letter, name in SUITS.items()}
    return {
        "A23456789TJQK"[int(number) - 1] + suits[suit] for number, suit in FACE_UP.findall(text)
    }


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    made = rooms.copy(tmp_path / "instance", 6)
    yield made
    with made.app.app_context():
        db.session.remove()
        db.engine.dispose()


def tablet(room: Classroom, seats: int, host: str = "Mia") -> Tablet:
    made = Tablet(room, browser(room, host))
    answer = made.seat([name for name in NAMES if name != host][: seats - 1])
    assert answer.status_code == 303, answer.text
    return made


# ---- hidden cards


def twins(seats: int, raised: int) -> tuple[list[Card], list[Card]]:
    """Two decks that deal the same hand to the raised seat, and others to those around it."""
    rules = deck_rules(GAMES["classic"], seats, matches.SMALLEST)
    lots = random.Random(seats)
    while True:
        deck = shuffled(rules, lots)
        state = deal(rules, seats, 0, deck).state
        others = [seat for seat in range(seats) if seat != raised]
        if any(state.books) or not state.stock:
            continue
        one = sorted(state.hands[others[0]])[0]
        other = sorted(state.hands[others[1]])[0] if seats > 2 else sorted(state.stock)[0]
        swapped = [{one: other, other: one}.get(card, card) for card in deck]
        twin = deal(rules, seats, 0, swapped).state
        if one[0] != other[0] and not any(twin.books) and twin.turn == state.turn:
            return deck, swapped


@pytest.mark.walk(3)
@SIZES
@pytest.mark.parametrize("raised", [0, 1])
def test_pages_and_a_raised_hand_do_not_tell_which_cards_others_hold(
    tmp_path: Path, rooms: Rooms, seats: int, raised: int
) -> None:
    told, hands, others = [], [], []
    for number, deck in enumerate(twins(seats, raised)):
        room = rooms.copy(tmp_path / str(number), 6)
        with ExitStack() as stack:
            stack.enter_context(stacked(deck, 0))
            made = tablet(room, seats)
            told.append(made.everything())
            hands.append(KEYS.sub(r"\1*\2", made.raise_(raised).text))
            told[-1] += made.everything()
            others.append({seat: shown(made.raise_(seat).text) for seat in range(seats)})
        with room.app.app_context():
            db.session.remove()
            db.engine.dispose()
    assert told[0] == told[1]
    assert hands[0] == hands[1]
    assert shown(hands[0])
    assert others[0] != others[1], "the two deals are the same"


@SIZES
def test_a_raise_shows_the_hand_of_its_seat_and_of_no_other(room: Classroom, seats: int) -> None:
    made = tablet(room, seats)
    for seat in (*range(seats), *range(seats)):
        answer = made.raise_(seat)
        assert shown(answer.text) == set(made.seen_by(seat).hand)
        assert answer.headers["Cache-Control"] == "no-store"
        assert not any(shown(text) for text in made.everything())


@pytest.mark.walk(3)
@SIZES
def test_a_whole_round_shows_only_what_is_public_without_a_raise(
    room: Classroom, seats: int
) -> None:
    made, lots = tablet(room, seats), random.Random(seats)
    for _ in range(300):
        seat = made.turn()
        view = made.seen_by(seat)
        raised = made.raise_(seat).text
        assert shown(raised) == set(view.hand)
        ask = lots.choice(view.legal)
        assert f'value="{ask.class_}"' in raised
        assert f'value="{ask.target}"' in raised
        answer = made.ask(seat, ask.class_, ask.target, view.seq)
        assert answer.status_code == 200
        after = made.seen_by(0)
        public = {card for books in after.books for book in books for card in book or ()}
        public |= {
            item.event.card for item in after.history if type(item.event).__name__ == "Lucky"
        }
        assert shown(answer.text) <= public
        assert not any(shown(text) for text in made.everything())
        if after.over:
            break
    else:
        raise AssertionError("the round did not end")
    assert made.raise_(0).status_code == 409
    assert 'id="again"' in made.page.get(made.at).text
    again = made.page.post(made.at + "/again", htmx=False)
    made.round_id += 1
    assert again.headers["Location"].endswith(made.at)
    assert shown(made.raise_(0).text)
    with room.app.app_context():
        assert set(db.session.scalars(select(Match.shared))) == {True}


def test_without_scripts_a_raise_answers_with_the_page_and_its_hand(room: Classroom) -> None:
    made = tablet(room, 3)
    text = made.page.post(made.at + "/hand", htmx=False, seat=1).text
    assert "<!doctype html>" in text
    assert shown(text) == set(made.seen_by(1).hand)


# ---- what is refused


@pytest.mark.walk(2)
@pytest.mark.parametrize("seat", [3, 2, -1, "x"])
def test_a_seat_that_is_not_there_is_not_raised(room: Classroom, seat: object) -> None:
    made = tablet(room, 2)
    answer = made.page.post(made.at + "/hand", seat=seat)
    assert answer.status_code in (400, 409)
    assert not shown(answer.text)


def test_a_hand_may_ask_only_while_it_is_the_one_that_is_up(room: Classroom) -> None:
    made = tablet(room, 3)
    seat = made.turn()
    view = made.seen_by(seat)
    ask = view.legal[0]
    assert made.ask(seat, ask.class_, ask.target, view.seq).status_code == 409  # none was raised
    made.raise_(seat)
    made.raise_((seat + 1) % 3)
    late = made.ask(seat, ask.class_, ask.target, view.seq)
    assert late.status_code == 409
    assert "Hold your animal again" in late.text
    other = made.ask((seat + 1) % 3, ask.class_, ask.target, view.seq)
    assert other.status_code == 422  # it is not its turn
    assert made.seen_by(seat).seq == view.seq
    made.raise_(seat)
    assert made.ask(seat, ask.class_, ask.target, view.seq).status_code == 200


def test_bad_fields_get_a_kind_answer_and_change_nothing(room: Classroom) -> None:
    made = tablet(room, 2)
    seat = made.turn()
    made.raise_(seat)
    before = made.seen_by(seat).seq
    assert made.ask(seat, "nonsense", 1 - seat, before).status_code in (400, 422)
    assert made.ask(seat, "7", 77, before).status_code in (400, 422)
    assert made.page.post(made.at + "/asks", seat="x").status_code == 400
    assert made.ask(seat, made.seen_by(seat).legal[0].class_, 1 - seat, 9).status_code == 409
    assert made.seen_by(seat).seq == before


def test_a_child_at_another_device_is_offered_and_not_taken(room: Classroom) -> None:
    browser(room, "Ben")
    made = Tablet(room, browser(room, "Mia"))
    page = made.page.get("/play/together").text
    assert re.search(rf'name="invite" value="{room.children["Ben"]}"', page)
    assert not re.search(rf'value="{room.children["Ada"]}" disabled\b', page)
    refused = made.seat(["Ben", "Ada"])
    assert refused.status_code == 409
    assert "A friend is at another table" in refused.text
    assert made.seat(["Ada"]).status_code == 303
    lina = browser(room, "Lina").get("/play/together").text
    assert re.search(rf'value="{room.children["Ada"]}" disabled\b', lina)


def test_two_devices_do_not_get_one_seat(room: Classroom) -> None:
    made = tablet(room, 3)
    theo = Tablet(room, browser(room, "Theo"))
    assert theo.seat(["Ben"]).status_code == 409
    mia = browser(room, "Mia")  # signs in elsewhere: the seats stay at the tablet
    mia.get("/play/together")
    assert mia.get(f"/play/rounds/{made.round_id}").status_code == 404
    assert mia.get(made.at).status_code == 404
    assert mia.post(made.at + "/hand", seat=0).status_code == 404
    assert shown(made.raise_(0).text)
    answer = mia.post("/play/together", htmx=False, round=made.round_id)  # until she takes them
    assert answer.headers["Location"].endswith(made.at)
    refused = made.raise_(0)
    assert refused.status_code == 401
    assert not shown(refused.text)
    assert made.page.get(made.at).headers["Location"] == "/"
    assert 'id="here-again"' in made.page.get("/animals").text
    taken = Tablet(room, mia, made.round_id)
    mia.get(made.at)
    assert shown(taken.raise_(0).text) == set(taken.seen_by(0).hand)


def test_a_tablet_that_is_silent_holds_its_children_no_more(room: Classroom) -> None:
    made = tablet(room, 3)
    theo = Tablet(room, browser(room, "Theo"))
    assert theo.seat(["Ben"]).status_code == 409
    with clock.clock_at(clock.now() + live_class.SILENT + 1):
        with room.app.app_context():
            assert room.children["Ben"] not in live_class.here(room.class_id)
        assert theo.seat(["Ben"]).status_code == 303
        assert made.raise_(1).status_code == 401  # Ben has one seat
        made.page.get("/animals")
        ada = Tablet(room, browser(room, "Ada"))
        ada.page.get("/play/together")
        both = ada.page.post("/play/together", htmx=False, round=made.round_id)
        assert both.status_code == 409  # as Ben sits with Theo now
        assert shown(theo.raise_(1).text)


@pytest.mark.parametrize("others", [[], ["Ben", "Ada", "Noor", "Theo"]])
def test_a_tablet_has_two_to_four_children(room: Classroom, others: list[str]) -> None:
    assert Tablet(room, browser(room, "Mia")).seat(others).status_code == 409


def test_a_game_whose_hands_do_not_fit_is_neither_offered_nor_begun(room: Classroom) -> None:
    made = Tablet(room, browser(room, "Mia"))
    page = made.page.get("/play/together").text
    offered = set(re.findall(r'name="game" value="(\w+)"', page))
    assert {"classic", "rank_pairs", "make_five"} <= offered
    assert not offered & {"fours", "old_fish"}
    assert made.seat(["Ben"], "fours").status_code == 409
    assert made.seat(["Ben", "Ada"], "wish_pairs").status_code == 409  # it is for two


@pytest.mark.parametrize("key", GAMES)
def test_hands_of_every_game_that_fits_are_small(key: str) -> None:
    for seats in (2, 3, 4):
        offer = offers.of_menu(key)
        if shared_tables.fits(offer, seats):
            rules = offer.rules_for(seats, matches.SMALLEST)
            assert rules.book_size == 2 or len(deck_of(rules).cards) <= shared_tables.MOST_CARDS


# ---- the bell, evidence, the teacher


def test_after_the_bell_the_table_goes_on_at_another_device(room: Classroom) -> None:
    made = tablet(room, 3)
    hand = shown(made.raise_(0).text)
    stopped = made.page.post(made.at + "/bell", htmx=False)
    assert stopped.headers["Location"] == "/animals"
    assert made.page.get(made.at).status_code in (303, 404)
    assert made.page.post(made.at + "/hand", seat=0).status_code in (401, 404)
    ben = Tablet(room, browser(room, "Ben"))
    page = ben.page.get("/play/together").text
    assert f'name="round" value="{made.round_id}"' in page.replace("\n  ", " ")
    noor = browser(room, "Noor")  # has no seat there
    noor.get("/play/together")
    assert noor.post("/play/together", htmx=False, round=made.round_id).status_code == 404
    assert ben.page.post("/play/together", htmx=False, round=made.round_id).status_code == 303
    ben.round_id = made.round_id
    ben.page.get(ben.at)
    assert shown(ben.raise_(0).text) == hand


def test_a_table_that_was_ended_lets_its_tablet_go(room: Classroom) -> None:
    made = tablet(room, 3)
    with room.app.app_context(), write_unit():
        rounds.leave_off(Player.child_id == room.children["Ada"])  # as when she changes class
    assert made.page.get(made.at).headers["Location"] == "/"
    assert made.page.get("/").headers["Location"] == "/animals"


def test_a_page_of_an_earlier_round_does_not_deal_again(room: Classroom) -> None:
    made, tables = tablet(room, 2), set()
    for _ in range(3):  # the first starts a round; the others come from a page left open
        with room.app.app_context(), write_unit():
            rounds.leave_off(Player.child_id == room.children["Mia"])
        tables.add(made.page.post(made.at + "/again", htmx=False).headers["Location"])
    assert len(tables) == 1


def test_the_front_door_leads_back_to_the_table(room: Classroom) -> None:
    made = tablet(room, 2)
    assert made.page.get("/").headers["Location"].endswith(made.at)
    assert made.page.get("/play/").headers["Location"] == "/"  # nobody is signed in at it


def test_play_at_a_shared_tablet_says_nothing_about_anybodys_memory(room: Classroom) -> None:
    made = tablet(room, 3)
    for _ in range(12):
        seat = made.turn()
        view = made.seen_by(seat)
        made.raise_(seat)
        made.ask(seat, view.legal[0].class_, view.legal[0].target, view.seq)
        if made.seen_by(0).over:
            break
    with room.app.app_context():
        assert not db.session.scalars(select(EvidenceRow)).all()
        asks = db.session.scalars(select(ChildRound.asks)).all()
        assert sum(asks) == len(db.session.scalars(select(Move)).all())  # they did play


def test_the_middle_asks_everybody_who_asked_for_a_card(room: Classroom) -> None:
    made, lots, asked = tablet(room, 3), random.Random(2), 0
    while asked < 3:
        seat = made.turn()
        view = made.seen_by(seat)
        made.raise_(seat)
        ask = lots.choice(view.legal)
        made.ask(seat, ask.class_, ask.target, view.seq)
        page = made.page.get(made.at).text
        row = for_all(made.seen_by(0), HUNG)
        assert (row is not None) == ('class="recall"' in page)
        if row is not None:
            asked += 1
            [animal] = re.findall(r'class="vh recall__a"[^>]*>(\w+) asked for', page)
            assert animal.lower() in page[page.index(f'id="edge-{row.asker}"') :][:900]
        if made.seen_by(0).over:
            made.page.post(made.at + "/again", htmx=False)
            made.round_id += 1
    with room.app.app_context():
        assert not db.session.scalars(select(QuestionRow)).all()


def test_the_one_voice_is_off_if_it_is_off_for_all_its_children(room: Classroom) -> None:
    made = tablet(room, 2)
    spoken = []
    for quiet in ((), ("Mia",), ("Mia", "Ben")):
        with room.app.app_context():
            for name in quiet:
                settings(room.children[name], voice=False)
        spoken.append(" data-silent" not in made.page.get(made.at).text)
    assert spoken == [True, True, False]


def test_no_stand_in_plays_while_all_sit_together(room: Classroom) -> None:
    made = tablet(room, 3)
    with room.app.app_context():
        live = states.read(made.round_id)
        assert stand_ins.wait_for(live, made.turn(), live.fold.last_at + 3600) is None


def test_the_teacher_sees_the_children_at_their_table(room: Classroom) -> None:
    made = tablet(room, 3)
    with room.app.app_context():
        (table,) = live_class.live_class(room.class_id).tables
        assert table.round_id == made.round_id
        assert {kid.state for kid in table.kids} == {"playing", "waiting"}
        assert {*live_class.here(room.class_id)} == {room.children[name] for name in NAMES[:3]}


def test_a_pause_holds_the_tablet_too(room: Classroom) -> None:
    made = tablet(room, 2)
    with room.app.app_context():
        lessons.pause(room.class_id)
    assert "Eyes on your teacher" in made.page.get(made.at + "/table").text
    refused = made.raise_(0)
    assert refused.status_code == 409
    assert not shown(refused.text)


# ---- asking a classmate to come


def asked(room: Classroom) -> tuple[Browser, Browser, int]:
    """Mia at her tablet has asked Ben, who plays at a device of his own."""
    ben = browser(room, "Ben")
    with room.app.app_context():
        round_id = matches.sit_down(room.children["Ben"], "classic")
    mia = browser(room, "Mia")
    page = mia.get("/play/together").text
    assert f'name="invite" value="{room.children["Ben"]}"' in page
    sent = mia.post("/play/together", invite=room.children["Ben"], mate=[room.children["Ada"]])
    assert "checked" in face(sent.text, room, "Ada"), "who was tapped before stays"
    assert "i-wait" in face(sent.text, room, "Ben")
    return mia, ben, round_id


def face(page: str, room: Classroom, name: str) -> str:
    at = page.index(f'id="mate-{room.children[name]}"')
    return page[at : page.index("</label>", at)]


def test_a_child_who_is_asked_and_comes_is_seated_at_the_one_tablet(room: Classroom) -> None:
    mia, ben, round_id = asked(room)
    assert 'data-go="/play/invited"' in ben.get(f"/play/rounds/{round_id}").text
    assert 'data-go="/play/invited"' in ben.get("/play/").text
    page = ben.get("/play/invited").text
    assert 'data-say="friend-waits"' in page
    assert "a-owl" not in page, "only who asks is shown"
    assert ben.post("/play/invited", htmx=False, yes="1").headers["Location"] == "/animals"
    assert "on the other screen" in ben.get("/animals").text
    assert "checked" in face(mia.get("/play/together").text, room, "Ben"), "his face is lit"
    made = Tablet(room, mia)
    assert made.seat(["Ben", "Ada"]).status_code == 303
    assert made.seen_by(1).seats == 3
    with room.app.app_context():
        assert matches.current_round(room.children["Ben"]) == round_id, "his own table waits"


def test_a_child_who_comes_gives_up_its_seat_at_a_table_of_friends(room: Classroom) -> None:
    mia, ben = browser(room, "Mia"), browser(room, "Ben")
    with room.app.app_context():
        gatherings.make(room.children["Ben"], "classic")
        assert open_tables.friends(room.children["Ada"]).tables
    mia.get("/play/together")
    mia.post("/play/together", invite=room.children["Ben"])
    ben.get("/play/invited")
    ben.post("/play/invited", htmx=False, yes="1")
    with room.app.app_context():
        assert not open_tables.friends(room.children["Ada"]).tables


def test_a_child_who_does_not_come_goes_on_and_is_not_asked_again_at_once(room: Classroom) -> None:
    mia, ben, round_id = asked(room)
    ben.get("/play/invited")
    stays = ben.post("/play/invited", htmx=False)
    assert stays.headers["Location"] == f"/play/rounds/{round_id}"
    assert ben.get("/play/invited").headers["Location"] == f"/play/rounds/{round_id}"
    page = mia.get("/play/together").text
    assert "disabled" in face(page, room, "Ben")
    refused = mia.post("/play/together", htmx=False, invite=room.children["Ben"])
    assert refused.status_code == 409
    with clock.clock_at(clock.now() + 61):
        again = mia.post("/play/together", htmx=False, invite=room.children["Ben"])
        assert again.status_code == 200


def test_an_invitation_ends_with_its_minute_and_with_who_asks(room: Classroom) -> None:
    mia, ben, round_id = asked(room)
    with clock.clock_at(clock.now() + 61):
        assert ben.get("/play/invited").status_code == 303
        assert 'data-go=""' in ben.get(f"/play/rounds/{round_id}").text
        late = ben.post("/play/invited", htmx=False, yes="1")
        assert late.headers["Location"] == f"/play/rounds/{round_id}", "nobody is signed out"
    assert Tablet(room, mia).seat(["Ada"]).status_code == 303
    assert ben.get("/play/invited").status_code == 303, "the tablet plays already"


def test_an_invitation_ends_with_the_session_of_who_asks(room: Classroom) -> None:
    mia, ben, _ = asked(room)
    assert ben.get("/play/invited").status_code == 200
    mia.post("/bye", htmx=False)
    assert ben.get("/play/invited").status_code == 303


def test_only_a_child_at_a_device_of_its_own_is_asked(room: Classroom) -> None:
    mia = browser(room, "Mia")
    Tablet(room, browser(room, "Theo")).seat(["Ada"])
    page = mia.get("/play/together").text
    for name in ("Theo", "Ada", "Noor"):  # two share a tablet, and Noor is at no device
        assert f'name="invite" value="{room.children[name]}"' not in page, name
        sent = mia.post("/play/together", htmx=False, invite=room.children[name])
        assert sent.status_code == 409, name
