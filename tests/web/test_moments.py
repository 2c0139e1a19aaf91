"""Moments over HTTP: a teacher deals one from a replay, children answer it, and the projector page
counts without names."""

from __future__ import annotations

import re
from contextlib import suppress
from html import unescape
from itertools import product

import pytest
from werkzeug.datastructures import MultiDict

from classroom.database import db, write_unit
from classroom.models import Moment, MomentAnswer
from classroom.services.access import sessions
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import moments
from tests.web.test_spanish import give_spanish
from tests.world import CHILDREN, Visitor, World, play_out


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


@pytest.fixture
def mia(world: World) -> Visitor:
    return world.visitor("Miaqua")


@pytest.fixture
def dealt(world: World, lake: Visitor, mia: Visitor) -> str:
    """The address of the moment of Miaqua's class, dealt while she is here."""
    here = f"/teach/moments/{world.moments['sunfish']}"
    assert lake.post(here, {"do": "deal"}).status_code == 303
    return here


def met(world: World) -> str:
    return f"/play/moments/{world.moments['sunfish']}"


def choice(page: str) -> dict[str, str]:
    """The first card and the first seat that can be tapped on a child's page."""
    (card, *_) = re.findall(r'class="opt" id="opt-[^"]+"[^>]*name="class" value="([^"]+)"', page)
    (seat, *_) = re.findall(r'id="seat-(\d)"', page)
    (seen,) = re.findall(r'name="seen"\s+value="(\d+)"', page)
    return {"class": card, "target": seat, "seen": seen}


def test_a_replay_keeps_a_moment_with_the_class(world: World, lake: Visitor) -> None:
    replay = f"/teach/rounds/{world.rounds['Benquill']}"
    for move in (1, 3):
        assert "Deal this moment" in lake.get(f"{replay}?move={move}").text
    assert "Deal this moment" not in lake.get(f"{replay}?move=0").text
    kept = lake.post(f"{replay}/moment", {"move": "3"})
    assert kept.status_code == 303
    assert "Deal to the class" in lake.get(kept.headers["Location"]).text
    assert (
        lake.get(f"/teach/classes/{world.classes['sunfish']}/moments").text.count("mcard__a") == 2
    )


def test_a_move_without_anything_to_ask_is_refused_in_words(world: World, lake: Visitor) -> None:
    answer = lake.post(f"/teach/rounds/{world.rounds['Benquill']}/moment", {"move": "99999"})
    assert answer.status_code == 422
    assert "There is no moment to deal at this move" in answer.text


def test_a_moment_waits_for_children_who_are_here(world: World, lake: Visitor) -> None:
    answer = lake.post(f"/teach/moments/{world.moments['sunfish']}", {"do": "deal"})
    assert answer.status_code == 422
    assert "No one is signed in yet" in answer.text


def test_a_moment_with_impossible_cards_is_refused_in_words(world: World, lake: Visitor) -> None:
    moment_id = world.moments["sunfish"]
    with world.app.app_context(), write_unit():
        row = db.session.get_one(Moment, moment_id)
        row.header = row.header | {"deck": row.header["deck"][:3]}
    world.visitor("Miaqua")
    answer = lake.post(f"/teach/moments/{moment_id}", {"do": "deal"})
    assert answer.status_code == 422
    assert "This moment cannot be played" in answer.text
    assert lake.get(f"/teach/moments/{moment_id}").status_code == 422
    page = lake.get(f"/teach/classes/{world.classes['sunfish']}/moments")
    assert page.status_code == 200
    assert lake.post(f"/teach/moments/{moment_id}", {"do": "remove"}).status_code == 303


def test_a_child_is_taken_to_a_moment_from_its_table_and_its_home(
    world: World, dealt: str, mia: Visitor
) -> None:
    there = f'data-go="{met(world)}"'
    assert there in mia.get(f"/play/rounds/{world.rounds['Miaqua']}").text
    home = mia.get("/play/").text
    assert there in home
    assert f'href="{met(world)}"' in home
    assert there in mia.get("/play/friends", follow_redirects=True).text


def test_a_child_hears_what_was_asked_answers_and_goes_back(
    world: World, dealt: str, mia: Visitor
) -> None:
    first = mia.get(met(world)).text
    assert 'data-next=""' in first, "it cannot ask before it has heard"
    part = mia.get(f"{met(world)}/table?seen=0").text
    assert 'data-kind="asked"' in part
    after = mia.post(f"{met(world)}/asks", choice(part), headers={"HX-Request": "true"})
    assert after.status_code == 200
    back = f'href="/play/rounds/{world.rounds["Miaqua"]}"'
    assert back in after.text
    assert "data-go=" not in after.text
    assert mia.get(f"/play/rounds/{world.rounds['Miaqua']}").text.count('data-go=""') == 1


def test_a_child_reads_every_animals_name_in_its_own_language(
    world: World, dealt: str, mia: Visitor
) -> None:
    give_spanish(world, "Miaqua")
    with world.app.app_context(), write_unit():
        row = db.session.get_one(Moment, world.moments["sunfish"])
        row.faces = [["turtle", 1], ["frog", 1], ["bear", 1]]
    names = re.findall(r'class="chip">(\w+)<', mia.get(met(world)).text)
    assert sorted(names) == ["Oso", "Rana", "Tortuga"]


def test_without_scripts_a_child_answers_by_links_and_a_form(
    world: World, dealt: str, mia: Visitor
) -> None:
    page = mia.get(f"{met(world)}?now=1").text
    chosen = choice(page)
    tapped = mia.get(f"{met(world)}?class={chosen['class']}").text
    next_tap = tapped[tapped.index('id="pick-target"') :]
    assert f'name="class" value="{chosen["class"]}"' in next_tap
    answer = mia.post(f"{met(world)}/asks", chosen)
    assert answer.status_code == 303
    shown = mia.get(answer.headers["Location"]).text
    assert "Go on" in shown
    assert f'data-v="{int(chosen["seen"]) + 1}"' in shown, "it sees what came of its ask"


def test_a_tap_that_the_rules_refuse_shows_a_picture(
    world: World, dealt: str, mia: Visitor
) -> None:
    chosen = choice(mia.get(f"{met(world)}/table").text)
    for wrong in ({"class": "Z"}, {"target": "9"}, {"target": ""}, {"seen": "x"}):
        sent = chosen | wrong
        answer = mia.post(f"{met(world)}/asks", sent, headers={"HX-Request": "true"})
        assert answer.status_code in (400, 422), wrong
        assert 'id="notice"' in answer.text
    with world.app.app_context():
        assert db.session.query(MomentAnswer).count() == 0


def test_what_is_not_dealt_any_more_leads_back(
    world: World, lake: Visitor, dealt: str, mia: Visitor
) -> None:
    chosen = choice(mia.get(f"{met(world)}/table").text)
    lake.post(dealt, {"do": "take_back"})
    back = f"/play/rounds/{world.rounds['Miaqua']}"
    assert mia.get(met(world)).headers["Location"] == back
    assert mia.get(f"{met(world)}/table").status_code == 410
    sent = mia.post(f"{met(world)}/asks", chosen, headers={"HX-Request": "true"})
    assert sent.headers["HX-Redirect"] == back


def test_no_hand_but_that_of_the_seat_is_in_what_a_child_gets(
    world: World, dealt: str, mia: Visitor
) -> None:
    page = mia.get(f"{met(world)}/table").text
    with world.app.app_context():
        table, _ = moments.met_by(
            world.classes["sunfish"], world.moments["sunfish"], world.children["Miaqua"]
        )
    ring = page[page.index('id="ring"') : page.index('class="low"')]
    assert 'class="card' not in ring
    assert page.count('class="fan ') == len({card[0] for card in table.observation.hand})


def test_the_projector_counts_without_names(
    world: World, lake: Visitor, dealt: str, mia: Visitor
) -> None:
    with world.app.app_context(), write_unit():
        sessions.start(
            "e" * 32, class_id=world.classes["sunfish"], child_id=world.children["Benquill"]
        )
    mia.post(f"{met(world)}/asks", choice(mia.get(f"{met(world)}/table").text))
    before = lake.get(dealt).text
    assert re.search(r"<b>1</b> of 2 have\s+answered", before)
    assert "manswer" not in before, "nobody copies what others asked"
    lake.post(dealt, {"do": "show"})
    shown = lake.get(dealt).text
    assert re.search(r"1 child asked \w+ for \w+", shown)
    for page in (before, shown, lake.get(f"{dealt}/print").text):
        assert not [name for name in CHILDREN if name in page]


def test_the_stream_of_a_moment_tells_each_answer_once(
    world: World, lake: Visitor, dealt: str, mia: Visitor
) -> None:
    first = lake.get(f"{dealt}/events")
    mark = re.findall(r"id: (\w+)", first.text)[0]
    again = lake.get(f"{dealt}/events", headers={"Last-Event-ID": mark})
    assert again.text.startswith(": nothing new")
    mia.post(f"{met(world)}/asks", choice(mia.get(f"{met(world)}/table").text))
    answered = lake.get(f"{dealt}/events", headers={"Last-Event-ID": mark}).text
    assert "data: " in answered
    lake.post(dealt, {"do": "show"})
    mark = re.findall(r"id: (\w+)", answered)[0]
    assert "data: " in lake.get(f"{dealt}/events", headers={"Last-Event-ID": mark}).text


def _with_a_known_answer(world: World, room: int) -> tuple[int, list[moments.Answered]]:
    """Keep the first moment of the class's rounds in which a right answer is known."""
    for round_id, move in product(world.rounds.values(), range(2, 40)):
        with suppress(Refused, NotFound):  # nobody is about to ask then, or the round goes on
            kept = moments.keep(room, round_id, move, None)
            if known := [one for one in moments.one(room, kept).answers if one.known]:
                return kept, known
            moments.remove(room, kept, None)
    raise AssertionError("no round has such a moment")


def test_a_moment_is_marked_in_the_table_of_every_answer(
    world: World, lake: Visitor, mia: Visitor
) -> None:
    room = world.classes["sunfish"]
    with world.app.app_context():
        moment_id, known = _with_a_known_answer(world, room)
        moments.deal(room, moment_id, None)
    sent = {"class": known[0].class_, "target": str(known[0].target), "seen": "0"}
    assert mia.post(f"/play/moments/{moment_id}/asks", sent).status_code == 303
    table = lake.get(f"/teach/classes/{room}/answers.csv").text
    assert [line for line in table.splitlines() if ",moment," in line and "Miaqua" in line]


# ---- building one


def taps(page: str, within: str) -> list[str]:
    """The links of one part of the page."""
    part = page[page.index(within) :]
    found = re.findall(r'<a\s+href="([^"]+)"', part[: part.index("</ul>")])
    return [unescape(one).partition("#")[0] for one in found]


def test_a_moment_is_built_by_taps_alone(world: World, lake: Visitor) -> None:
    here = f"/teach/classes/{world.classes['sunfish']}/moments/new"
    page = lake.get(here).text
    assert "Save this moment" not in page
    page = lake.get(taps(page, 'class="tray"')[6]).text
    assert "Take away a seven" in page
    (sevens,) = [one for one in taps(page, 'class="whom"') if "ask=1-7" in one]
    page = lake.get(sevens).text
    (form,) = re.findall(r'<form class="build__k".*?</form>', page, re.DOTALL)
    fields = MultiDict(re.findall(r'name="([^"]+)"\s+value="([^"]*)"', form))
    assert fields["ask"] == "1-7"
    kept = lake.post(here, fields)
    assert kept.status_code == 303
    assert "Deal to the class" in lake.get(kept.headers["Location"]).text


def test_a_hand_of_seven_cards_takes_no_other(world: World, lake: Visitor) -> None:
    here = f"/teach/classes/{world.classes['sunfish']}/moments/new"
    hand = ["7.7.2.2.3.3", ""]
    page = lake.get(here, query_string=MultiDict([("hand", one) for one in hand])).text
    assert taps(page, 'class="tray"')
    hand[0] += ".4"
    page = lake.get(here, query_string=MultiDict([("hand", one) for one in hand])).text
    assert not taps(page, 'class="tray"')


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"hand": ["7.7.7.7.7", ""], "ask": "1-7"}, "fewer cards of this kind"),
        ({"hand": ["7.7.7.7", ""], "ask": "1-7"}, "has a whole book"),
        ({"hand": ["7.2", "5"], "ask": "1-5"}, "must hold a card of that kind"),
        ({"hand": ["7.2", "5"], "ask": "9-7"}, "not possible at this table"),
        ({"hand": ["7.2", "5"]}, "an ask before"),
    ],
)
def test_an_impossible_moment_is_refused_in_words_and_stays_on_the_page(
    world: World, lake: Visitor, fields: dict[str, list[str] | str], words: str
) -> None:
    here = f"/teach/classes/{world.classes['sunfish']}/moments/new"
    answer = lake.post(here, MultiDict(fields))
    assert answer.status_code == 422
    assert re.search(words.replace(" ", r"\s+"), answer.text)
    assert f"hand={fields['hand'][0]}" in answer.text, "what was dealt is still there"


@pytest.mark.parametrize(
    "query", ["game=x&seat=x", "hand=...&hand=Z.Z", "seat=-5", "ask=-&ask=9", "ask=1-" + "7" * 900]
)
def test_an_address_that_says_nonsense_is_read_as_far_as_it_goes(
    world: World, lake: Visitor, query: str
) -> None:
    here = f"/teach/classes/{world.classes['sunfish']}/moments/new"
    assert lake.get(f"{here}?{query}").status_code == 200


# ---- in a ready-made lesson, and by a substitute


def test_a_lesson_deals_its_moment_in_one_tap(world: World, lake: Visitor, mia: Visitor) -> None:
    here = f"/teach/classes/{world.classes['sunfish']}/lessons/who-asked"
    assert "Deal this lesson’s moment" in lake.get(here).text
    dealt = lake.post(f"{here}/moment")
    assert dealt.status_code == 303
    assert "Take back the moment" in lake.get(dealt.headers["Location"]).text
    assert lake.post(f"{here}/moment").headers["Location"] == dealt.headers["Location"]


def test_the_moment_of_a_lesson_waits_for_children(world: World, lake: Visitor) -> None:
    here = f"/teach/classes/{world.classes['sunfish']}/lessons"
    kept = lake.post(f"{here}/who-asked/moment")
    assert kept.status_code == 303
    assert "Deal to the class" in lake.get(kept.headers["Location"]).text
    assert "Deal this lesson’s moment" not in lake.get(f"{here}/alike-twice").text
    assert lake.post(f"{here}/alike-twice/moment").status_code == 404
    assert lake.post(f"{here}/x/moment").status_code == 404


def test_a_substitute_deals_moments_and_removes_none(world: World, mia: Visitor) -> None:
    substitute = world.visitor("eddy")
    moment = f"/teach/moments/{world.moments['sunfish']}"
    assert substitute.post(moment, {"do": "deal"}).status_code == 303
    page = substitute.get(f"/teach/classes/{world.classes['sunfish']}/moments").text
    assert "Remove" not in page
    assert "Build a moment" not in page
    assert substitute.post(moment, {"do": "remove"}).status_code == 400
    assert substitute.post(moment, {"do": "take_back"}).status_code == 303


# ---- playing on from it


def played_on(world: World, lake: Visitor, mia: Visitor) -> str:
    """The address of the round in which Miaqua goes on from the moment of her class."""
    here = f"/teach/moments/{world.moments['sunfish']}"
    assert lake.post(here, {"do": "play_on"}).status_code == 303
    sent = choice(mia.get(f"{met(world)}/table?seen=0").text)
    answer = mia.post(f"{met(world)}/asks", sent, headers={"HX-Request": "true"})
    return answer.headers["HX-Redirect"]


def test_after_its_answer_a_child_comes_to_a_round_that_tells_what_came_of_it(
    world: World, lake: Visitor, mia: Visitor
) -> None:
    there = played_on(world, lake, mia)
    page = mia.get(there).text
    assert 'data-kind="asked"' in page
    assert 'data-go=""' in page
    assert f'href="{there.partition("?")[0]}"' in mia.get("/play/").text, "it is found again"
    moved = lake.get(f"/teach/moments/{world.moments['sunfish']}").text
    assert re.search(r"<b>1</b> of 1 has\s+answered", moved)
    again = mia.post(f"{met(world)}/asks", {"class": "7", "target": "1", "seen": "0"})
    assert again.status_code == 303, "a second tap changes nothing"
    assert f'href="{there.partition("?")[0]}"' in mia.get(again.headers["Location"]).text


def test_at_the_end_of_it_a_child_goes_back_to_its_own_table(
    world: World, lake: Visitor, mia: Visitor
) -> None:
    there = played_on(world, lake, mia).partition("?")[0]
    round_id = int(there.rpartition("/")[2])
    with world.app.app_context():
        assert play_out(world.children["Miaqua"]) == round_id
    page = mia.get(there).text
    assert re.search(r'id="again">.*?Go on', page, re.DOTALL)
    own = f"/play/rounds/{world.rounds['Miaqua']}"
    assert mia.post(f"{there}/again").headers["Location"] == own
    assert f'href="{own}"' in mia.get("/play/").text


def test_adults_see_what_came_before_the_moment(world: World, lake: Visitor, mia: Visitor) -> None:
    there = played_on(world, lake, mia).partition("?")[0]
    round_id = int(there.rpartition("/")[2])
    with world.app.app_context():
        assert play_out(world.children["Miaqua"]) == round_id
    replay = f"/teach/rounds/{round_id}"
    assert "Before the moment:" in re.sub(r"\s+", " ", lake.get(f"{replay}?move=1").text)
    assert "the child sat down" not in lake.get(f"{replay}?move=99").text
    assert "From a moment" in lake.get(f"/teach/children/{world.children['Miaqua']}").text


def test_no_hidden_card_is_in_the_round_that_goes_on(
    world: World, lake: Visitor, mia: Visitor
) -> None:
    page = mia.get(played_on(world, lake, mia)).text
    ring = page[page.index('id="ring"') : page.index('class="low"')]
    assert 'class="card' not in ring
    assert world.visitor("Benquill").get(played_on_path(page)).status_code == 404


def played_on_path(page: str) -> str:
    (part,) = re.findall(r'data-part="(/play/rounds/\d+)/', page)
    return part
