"""Questions on the page: without the answer, of all kinds, with and without scripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.learning.skills import SKILL_OF
from classroom.models import EvidenceRow, QuestionRow
from classroom.services.base import clock
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.table import matches, rounds
from classroom.services.table.rounds import ViewedTable
from tests.playing import Browser, Classroom, settings, without_random_parts
from tests.questioning import put_here, put_kind, put_question, tables
from tests.web.test_voice import unlike

PIECES = {path.stem for path in (Path(__file__).parents[2] / "static" / "voice").glob("*.mp3")}
SAID = re.compile(r'id="q-words" data-say="([^"]*)"')
GAMES = {"classic": 43, "fours": 36, "old_fish": 30, "make_ten": 34, "low_tide": 40}
"""The fewest kinds of question that three rounds of a game must allow."""


def change(room: Classroom, **values: Any) -> int:
    """Change the newest question behind the app's back. Returns the place of its right answer."""
    with room.app.app_context(), write_unit():
        row = db.session.scalars(select(QuestionRow).order_by(QuestionRow.id.desc())).first()
        assert row is not None
        row.item = row.item | values.pop("item", {})
        for name, value in values.items():
            setattr(row, name, value)
        return int(row.item["right"])


def at_a_question(room: Classroom) -> int:
    """Start a round and ask a question whose options are three numbers, the right one in the
    middle. Returns the round's id."""
    with room.app.app_context():
        round_id = matches.start_match(room.children["Mia"])
        put_question(room.children["Mia"], round_id, 3)
    return round_id


def every_turn(room: Classroom) -> None:
    with room.app.app_context():
        question_settings.write(
            None, "class", room.class_id, question_settings.QuestionChoice("every_turn")
        )


@pytest.mark.walk(6)
@pytest.mark.parametrize(("game", "least"), GAMES.items())
def test_every_kind_is_drawn_spoken_helped_and_answered(
    room: Classroom, mia: Browser, game: str, least: int, whole: bool
) -> None:
    """Each kind of question in the game, at the first table where it can be asked."""
    left, child_id = set(SKILL_OF), room.children["Mia"]
    with room.app.app_context():
        settings(child_id, opponents=3)  # some kinds need three others
        for table in tables(child_id, game, seed=1):
            kind = next((k for k in sorted(left) if put_here(child_id, table, k)), None)
            if kind is not None:
                left.remove(kind)
                whole = posing.in_full(table.round_id, child_id, table.seq)
                check(room, mia, table, kind, whole.right)
            if len(SKILL_OF) - len(left) >= (least if whole else least // 2):
                return
    raise AssertionError(f"never met: {left}")


def check(room: Classroom, mia: Browser, table: ViewedTable, kind: str, right: int) -> None:
    path, said, page = f"/play/rounds/{table.round_id}", set(), ""
    for step in (0, 2, 3, 4, 5):
        change(room, hint_step=step)
        page = mia.get(path).text
        assert f'class="q q--{kind.replace("_", "-")} ' in page
        said |= set(SAID.findall(page)[0].split())
    given = {"take": list(range(right + 1))} if "q--tapped" in page else {"place": right}
    answer = mia.post(f"{path}/questions/{table.seq}/answers", key="k1", **given)
    assert answer.status_code == 200
    assert "data-found" in answer.text
    assert said | set(SAID.findall(answer.text)[0].split()) <= PIECES
    assert kind == "hear_numeral" or not unlike(page)  # its caption must not show the number


def test_the_page_is_the_same_whatever_the_right_answer_is(room: Classroom, mia: Browser) -> None:
    """Until the first answer, two questions that differ only in the right answer give the same
    bytes, and so do their hints."""
    round_id = at_a_question(room)
    path, found = f"/play/rounds/{round_id}", []
    for right in (0, 1, 2):
        secret = {
            "right": right, "difficulty": right, "trial": ("old", "new", None)[right],
            "lag_asks": right, "fact_seq": right, "lure": ("this_round", None, None)[right],
        }  # fmt: skip
        change(room, item=secret, hint_step=0, hint_at=None)
        pages = [mia.get(path).text]
        for number in range(3):
            with clock.clock_at(1_000.0 + 10 * number):
                pages.append(mia.post(f"{path}/questions/3/hint").text)
        found.append([without_random_parts(page) for page in pages])
    assert found[0] == found[1] == found[2]


def test_a_wrong_answer_is_switched_off_and_help_comes(room: Classroom, mia: Browser) -> None:
    round_id = at_a_question(room)
    here = f"/play/rounds/{round_id}/questions/3"
    wrong = mia.post(f"{here}/answers", place=0, key="a", took=1200).text
    assert re.search(r'id="pick-0"[^>]* disabled', wrong)
    assert not re.search(r'id="pick-1"[^>]* disabled', wrong)
    assert "Let’s look again." in wrong
    assert "is-right" not in wrong
    assert "data-found" in mia.post(f"{here}/answers", place=1, key="b").text
    assert mia.post(f"{here}/answers", place=2, key="c").status_code == 409
    assert mia.post(f"{here}/hint").status_code == 409


def test_it_is_answered_by_forms_without_scripts(room: Classroom, mia: Browser) -> None:
    round_id = at_a_question(room)
    path = f"/play/rounds/{round_id}"
    page = mia.get(path).text
    assert f'action="{path}/questions/3/answers"' in page
    answer = mia.post(f"{path}/questions/3/answers", htmx=False, place=0, key="a")
    assert (answer.status_code, answer.location) == (303, path)
    assert "Let’s look again." in mia.get(path).text
    nothing = mia.post(f"{path}/questions/3/answers", htmx=False, key="x")
    assert nothing.status_code == 303
    answer = mia.post(f"{path}/questions/3/answers", htmx=False, place=1, key="b")
    joy = mia.get(answer.location).text
    assert "data-found" in joy
    assert f'id="q-on" href="{path}"' in joy
    assert '<section class="q ' not in mia.get(path).text


def test_a_move_can_bring_a_question_without_scripts(room: Classroom, mia: Browser) -> None:
    every_turn(room)
    mia.htmx, came = False, False
    for _ in range(6):
        with room.app.app_context():
            round_id = matches.start_match(room.children["Mia"])
        while not came:
            with room.app.app_context():
                background.play_now(round_id)
                table = rounds.table(round_id, 0)
            if table.over:
                break
            mia.move(round_id, table.observation.legal[0], table.seq)
            came = '<section class="q ' in mia.get(f"/play/rounds/{round_id}").text
    assert came


def test_the_page_asks_for_a_question_and_is_told_if_there_is_none(
    room: Classroom, mia: Browser
) -> None:
    with room.app.app_context():
        path = f"/play/rounds/{matches.start_match(room.children['Mia'])}"
    assert 'id="wonder"' not in mia.get(path).text
    assert mia.post(f"{path}/questions", seen=0).status_code == 204
    every_turn(room)
    assert 'id="wonder"' in mia.get(path).text
    assert mia.post(f"{path}/questions", seen="x").status_code == 400


def test_leaving_it_alone_empties_the_panel(room: Classroom, mia: Browser) -> None:
    round_id = at_a_question(room)
    answer = mia.post(f"/play/rounds/{round_id}/questions/3/leave")
    assert answer.text.strip() == '<div id="question"></div>'
    with room.app.app_context():
        (row,) = db.session.scalars(select(EvidenceRow))
        assert row.first_answer is None
        assert posing.open_now(round_id, room.children["Mia"], 0) is None


@pytest.mark.parametrize("kind", ["double", "points_of_two", "complement_10"])
def test_the_numbers_of_a_sum_can_be_counted_where_cards_show_fish(
    room: Classroom, mia: Browser, kind: str
) -> None:
    with room.app.app_context():
        table = put_kind(room.children["Mia"], kind, "old_fish")
        numbers = posing.in_full(table.round_id, room.children["Mia"], table.seq).stem.numbers
    page = mia.get(f"/play/rounds/{table.round_id}").text
    look = page[page.index('class="q__look"') : page.index("q__picks")]
    drawn = re.findall(r"#p-(\d+)-dot", look)
    counted = numbers[:1] if kind == "complement_10" else numbers
    assert drawn == [str(number) for number in counted]


def test_as_many_cards_lie_in_the_pond_as_the_question_says(room: Classroom, mia: Browser) -> None:
    round_id = at_a_question(room)
    change(room, item={"kind": "left_after_draw", "stem": {"numbers": [4, 1]}})
    page = mia.get(f"/play/rounds/{round_id}").text
    assert "#backs-4" in page[page.index('class="q__pond"') : page.index("q__picks")]


def lit(page: str, what: str) -> list[bool]:
    """Whether help points at each of the cards or shells of a question."""
    return ["is-lit" in name for name in re.findall(rf'class="({what}(?: is-lit)?)"', page)]


def test_help_points_at_the_cards_to_count_before_it_numbers_them(
    room: Classroom, mia: Browser
) -> None:
    with room.app.app_context():
        table = put_kind(room.children["Mia"], "count_kind")
        stem = posing.in_full(table.round_id, room.children["Mia"], table.seq).stem
    assert stem.trait is not None
    of_suit = [card[1] == stem.trait[1] for card in stem.cards]
    for step, shown in enumerate([[False] * len(of_suit)] * 2 + [of_suit] * 4):
        change(room, hint_step=step)
        page = mia.get(f"/play/rounds/{table.round_id}").text
        assert lit(page, "q__card") == shown
        assert page.count("q__nth") == (sum(of_suit) if step >= posing.COUNT else 0)


def test_help_points_at_as_many_shells_as_are_wanted_last_of_all(
    room: Classroom, mia: Browser
) -> None:
    with room.app.app_context():
        table = put_kind(room.children["Mia"], "give")
        (wanted,) = posing.in_full(table.round_id, room.children["Mia"], table.seq).stem.numbers
    for step, number in ((0, 0), (4, 0), (5, wanted)):
        change(room, hint_step=step)
        found = lit(mia.get(f"/play/rounds/{table.round_id}").text, "take")
        assert found == [True] * number + [False] * (15 - number)
