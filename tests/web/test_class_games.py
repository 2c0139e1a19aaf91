"""The games of a class, the mixer of rules, and a match to a number of points, over HTTP."""

from __future__ import annotations

import re

import pytest

from classroom.engine import checks
from classroom.engine.rules import Rules
from classroom.games import GAMES, variants
from classroom.services.lesson import own_games
from classroom.services.operation import background
from classroom.services.table import offers, rounds
from classroom.web.child.card_faces import LOOKS
from classroom.web.teacher import class_games
from classroom.web.words import knob_words, rule_words
from tests.playing import Browser, Classroom
from tests.world import Visitor, World

PLAIN = re.compile(r"[A-Z“0-9].*[.]")


def path(world: World, rest: str = "") -> str:
    return f"/teach/classes/{world.classes['sunfish']}/games{rest}"


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


# ---- words


def test_every_knob_and_every_choice_has_words() -> None:
    assert knob_words.KNOBS.keys() == {knob.key for knob in variants.KNOBS}
    for knob in variants.KNOBS:
        assert knob_words.KNOBS[knob.key][1].keys() == knob.choices.keys()
        assert knob.group in knob_words.GROUPS
    assert knob_words.LOOKS.keys() == set(LOOKS)


def test_every_refusal_and_every_warning_has_words() -> None:
    assert {line.id for line in checks._REFUSED} <= knob_words.REFUSED.keys()
    assert {line.id for line in checks._DOUBTFUL} == knob_words.DOUBTED.keys()


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_of_every_game_are_plain_sentences(key: str) -> None:
    said = rule_words.rule_sentences(GAMES[key].rules)
    assert 9 <= len(said) <= 20
    for line in said:
        assert PLAIN.fullmatch(line), line
        assert "_" not in line
        assert "None" not in line


def test_both_readings_of_how_many_can_be_chosen() -> None:
    game = GAMES["guru_how_many"].rules
    every = variants.turned(game, {"response": "challenge_all"})
    assert (every.response, every.give) == ("challenge", "all")
    assert variants.turned(every, {"response": "challenge"}) == game
    assert any("gets them all" in line for line in rule_words.rule_sentences(every))
    assert "A player who always says “one” gets all the cards" in " ".join(
        knob_words.doubts(checks.check(every))
    )


def test_every_knob_changes_a_sentence_or_warns() -> None:
    """Every choice of every knob changes a sentence, leads to a warning, or is refused."""
    for game in GAMES.values():
        for knob in variants.knobs_of(game.rules):
            for value in knob.choices:
                rules = variants.turned(game.rules, {knob.key: value})
                verdict = checks.check(rules)
                changed = rule_words.rule_sentences(rules) != rule_words.rule_sentences(game.rules)
                if (knob.key, value) == ("response", "one") and rules.ask_what == "card":
                    continue  # there is only one of an exact card to give
                told = verdict.reasons or verdict.warnings or checks.check(game.rules).warnings
                assert rules == game.rules or changed or told, (game.key, knob.key, value)


def test_a_game_without_changes_is_itself() -> None:
    for game in GAMES.values():
        at = {knob.key: knob.choice(game.rules) for knob in variants.knobs_of(game.rules)}
        assert variants.turned(game.rules, at) == game.rules
        assert variants.turned(game.rules, {"kinds": "77", "nonsense": "1"}) == game.rules


def test_fours_say_that_they_end_when_no_four_can_be_made() -> None:
    for rules in (GAMES["fours"].rules, GAMES["fours"].rules.changed(end=["all_booked"])):
        said = rule_words.rule_sentences(rules)
        assert "The round ends when no more fours can be made." in said
        assert not any("all books" in line for line in said)
    said = rule_words.rule_sentences(GAMES["fours"].rules)
    assert (
        "When the pond is empty, the round also ends if each player has had ten turns without a "
        "new four." in said
    )
    assert "The round ends when all books are made." in rule_words.rule_sentences(Rules())


def test_fours_say_when_an_empty_hand_is_filled_and_from_where() -> None:
    said = rule_words.rule_sentences(GAMES["fours"].rules)
    taken = "takes 5 cards from the pond: at once during a turn, otherwise on their next turn."
    assert f"A player with no cards left {taken}" in said
    assert (
        "Once the pond is empty, players take new cards from their own boat, without looking."
        in said
    )
    alone = rule_words.rule_sentences(GAMES["wish_pairs"].rules)
    assert "A player with no cards left takes one card from the pond on their next turn." in alone
    assert not any("boat" in line for line in alone)


# ---- the pages


def test_the_shelf_has_the_ticked_games(world: World, lake: Visitor) -> None:
    page = lake.get(path(world))
    assert page.status_code == 200
    assert all(f'value="{key}"' in page.text for key in GAMES)
    assert page.text.count(" checked") == len(offers.DEFAULT)
    saved = lake.post(path(world), {"game": ["fours", "guru", "poker"]})
    assert saved.status_code == 303
    with world.app.app_context():
        assert offers.offered(world.classes["sunfish"]) == ("guru", "fours")
    empty = lake.post(path(world), {})
    assert empty.status_code == 400
    assert "at least one game" in empty.text


def test_a_change_is_answered_with_its_effect(world: World, lake: Visitor) -> None:
    page = lake.get(path(world, "/own"), query_string={"game": "classic"})
    assert page.status_code == 200
    assert "Four cards of the same number make a book." in page.text
    fields = {"game": "classic", "size": "2", "scope": "all", "next": "refuser"}
    part = lake.post(path(world, "/own"), fields, headers={"HX-Request": "true"})
    assert part.text.lstrip().startswith("<section")
    assert "Two cards of the same number make a book." in part.text
    assert knob_words.REFUSED["R1"] in part.text
    assert "Two play" not in part.text
    whole = lake.post(path(world, "/own"), fields)
    assert "<!doctype html>" in whole.text, "without scripts"
    with world.app.app_context():
        assert not offers.own_games(world.classes["sunfish"]), "looking saves nothing"


def test_the_mixer_says_how_fours_end_and_allows_wild_cards_and_a_deduction(
    lake: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_games, "ROUNDS", 1)
    place = "/teach/classes/1/games/own"
    page = lake.get(place, query_string={"game": "fours"}).text
    ends = page[page.index('name="fours_end"') :]
    chosen = re.search(r'<option value="(\w[^"]*)"[^>]* selected', ends)
    assert chosen is not None
    assert chosen[1] == "dead"
    assert variants.AS_IT_IS not in ends[: ends.index("</select>")]
    fields = {"game": "fours", "wild": "yes", "deduct": "1"}
    mixed = lake.post(place, fields, headers={"HX-Request": "true"}).text
    assert "There are 125 cards" in mixed
    assert "every card left in the hand or the boat costs one" in mixed
    assert "3 players" in mixed


def test_mixed_rules_are_saved_renamed_and_removed(world: World, lake: Visitor) -> None:
    fields = {"game": "make_ten", "look": "mixed", "top": "12", "save": "1"}
    nameless = lake.post(path(world, "/own"), {**fields, "name": " "})
    assert nameless.status_code == 400
    assert "type a name" in nameless.text
    assert lake.post(path(world, "/own"), {**fields, "name": "Dozens"}).status_code == 303
    with world.app.app_context():
        (row,) = offers.own_games(world.classes["sunfish"])
        own = str(row.id)
        assert (row.name, row.look, row.rules["deck.top"]) == ("Dozens", "mixed", 12)
    assert "Dozens" in lake.get(path(world)).text
    again = lake.post(path(world, "/change"), {"own": own, "do": "rename", "name": "Twelves"})
    assert again.status_code == 303
    assert lake.post(path(world, "/change"), {"own": own, "do": "remove"}).status_code == 303
    assert lake.post(path(world, "/change"), {"own": own, "do": "remove"}).status_code == 404


def test_rules_that_do_not_go_together_are_not_saved(world: World, lake: Visitor) -> None:
    fields = {"game": "guru", "scope": "all", "name": "No game", "save": "1"}
    answer = lake.post(path(world, "/own"), fields)
    assert answer.status_code == 400
    assert knob_words.REFUSED["R1"] in answer.text
    with world.app.app_context():
        assert not offers.own_games(world.classes["sunfish"])


def test_the_page_does_not_simulate_a_very_long_round_to_its_end() -> None:
    mixed = class_games.mixed(Rules().changed(ask_what="card", ask_bluff=True))
    assert not all(one.whole for _, one in mixed.lengths)
    assert all(one.asks <= class_games.MOVES for _, one in mixed.lengths)


def test_a_parent_reads_the_rules_of_the_classs_games(world: World) -> None:
    rules = GAMES["classic"].rules.changed(ask_what="card")
    with world.app.app_context():
        class_id = world.classes["sunfish"]
        own_games.save(class_id, "classic", "Very cards", rules, "both", by=None)
    page = world.visitor("reed").get(f"/family/children/{world.children['Miaqua']}").text
    assert "Very cards" in page
    assert "one particular card, of a kind they hold" in page
    assert "There are 40 cards: ten kinds, four of each." in page, "as the child plays it"


# ---- at the table


def begin(room: Classroom, mia: Browser, game: str, **changes: object) -> str:
    """Mix a game for the class from this one, and begin to play it. Returns the address of its
    table."""
    rules = GAMES[game].rules.changed(**changes)
    with room.app.app_context():
        own = own_games.save(room.class_id, game, "Ours to play", rules, "both", by=None)
    mia.get("/play/")
    started = mia.post("/play/rounds", htmx=False, game=f"own-{own}")
    assert started.status_code == 303
    return str(started.location)


def play_out(room: Classroom, mia: Browser, address: str) -> list[str]:
    """Play legal moves through the page's forms until the round is over. Returns the page after
    each, and the page at the end."""
    round_id = int(address.rsplit("/", 1)[1])
    pages = []
    while True:
        with room.app.app_context():
            background.play_now(round_id)
            table = rounds.table(round_id, 0)
        if table.over:
            return [*pages, mia.get(address).text]
        answer = mia.move(round_id, table.observation.legal[0], table.seq)
        assert answer.status_code == 200
        pages.append(answer.text)


@pytest.mark.walk(4)
@pytest.mark.parametrize(
    ("game", "changes", "words"),
    [
        ("classic", {"ask_what": "card"}, "Ours to play"),
        ("classic", {"ask_scope": "all"}, "Everybody, do you have"),
        ("rank_pairs", {"score_per": "card"}, "in the basket"),
        ("wish_pairs", {"score_per": "book"}, r"\b\d+ books?\b"),
        ("guru_deduct", {"score_deduct": 0}, "Ours to play"),
        ("guru_exact_card", {"ask_what": "class"}, "Ours to play"),
        ("old_fish", {"score_penalty": 0}, "Ours to play"),
    ],
)
def test_a_table_speaks_by_its_rules(
    room: Classroom, mia: Browser, game: str, changes: dict[str, object], words: str
) -> None:
    """The words follow the rules in force, not the game that they were mixed from."""
    changes = {**changes, "deck_ranks": "A2345" if game != "old_fish" else "A234567"}
    address = begin(room, mia, game, **changes)
    with room.app.app_context():
        background.play_now(int(address.rsplit("/", 1)[1]))
    pages = mia.get(address).text
    while len(played := play_out(room, mia, address)) == 1:  # over before it was my turn
        address = str(mia.post(f"{address}/again", htmx=False).location)
        pages += mia.get(address).text
    pages += "".join(played)
    assert re.search(words, pages)
    assert "None" not in re.sub(r"<[^>]*>", "", pages)
    assert not re.search(r'aria-label="[^"]*None', pages)


def test_a_match_is_played_through_the_page_to_its_winner(room: Classroom, mia: Browser) -> None:
    changes = {"deck_ranks": "A2345", "match_target": 5}
    address = begin(room, mia, "guru_points", **changes)
    seen = []
    while True:
        page = play_out(room, mia, address)[-1]
        over = "has won" in page
        assert ("Again</button>" in page) == over
        assert ("Next round</button>" in page) == (not over)
        seen.append(re.findall(r"(\d+) points? so far", page))
        following = str(mia.post(f"{address}/again", htmx=False).location)
        with room.app.app_context():
            table = rounds.table(int(following.rsplit("/", 1)[1]), 0)
        if over:
            break
        assert "points so far" in mia.get(following).text, "at the table too"
        address = following
    assert max(map(int, seen[-1])) >= 5
    assert (table.number, table.points) == (1, (0, 0, 0))
