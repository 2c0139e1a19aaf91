"""The collection of a child: every book it has made, whatever it played."""

from __future__ import annotations

from collections import Counter

import pytest

from classroom.database import db, write_unit
from classroom.engine.observation import TEACHER
from classroom.games import GAMES
from classroom.models import ChildRound
from classroom.services.school import child_moves, removals
from classroom.services.table import matches, recording, rounds, states
from classroom.web.child.card_faces import ClassFace, faces_of
from classroom.web.child.home_pages import PILED, stacks
from tests.playing import settings
from tests.services.test_matches import play_out
from tests.web.test_table_view import played


def test_every_book_that_a_child_made_is_in_its_collection(mia: int) -> None:
    made: Counter[str] = Counter()
    settings(mia, opponents=1)
    for game in ("classic", "rank_pairs", "make_ten", "old_fish", "fours"):
        round_id = matches.start_match(mia, game)
        play_out(round_id)
        seen = rounds.table(round_id, TEACHER).observation
        dealt = len(states.folded_to(round_id, 0)[1].books[0])
        laid = [book for book in seen.books[0][dealt:] if book is not None]
        made.update(recording.name_of_book(seen.rules, book) for book in laid)
        row = db.session.query(ChildRound).filter_by(round_id=round_id).one()
        assert row.books == len(row.made or ()) == len(laid)
    assert recording.books_made_by(mia) == made
    assert sum(made.values()) > 10


def test_a_practice_round_adds_nothing(mia: int) -> None:
    play_out(matches.start_practice(mia, "classic"))
    assert recording.books_made_by(mia) == {}


def test_books_of_rounds_of_an_earlier_version_are_counted_without_their_number(mia: int) -> None:
    play_out(matches.start_match(mia))
    with write_unit():
        row = db.session.query(ChildRound).one()
        row.books, row.made = 3, None
    assert recording.books_made_by(mia) == {recording.UNKNOWN: 3}
    with write_unit():
        row = db.session.query(ChildRound).one()
        row.made = ["7"]
    assert recording.books_made_by(mia) == {recording.UNKNOWN: 2, "7": 1}


def test_a_collection_outlives_the_moves_of_its_rounds(mia: int) -> None:
    play_out(matches.start_match(mia))
    before = recording.books_made_by(mia)
    list(rounds.forget_moves(1, 4e9))
    assert recording.books_made_by(mia) == before


def test_two_that_become_one_child_have_the_books_of_both(mia: int, ben: int) -> None:
    for child_id in (mia, ben):
        play_out(matches.start_match(child_id))
    both = Counter(recording.books_made_by(mia)) + Counter(recording.books_made_by(ben))
    child_moves.merge(mia, ben)
    assert recording.books_made_by(mia) == both


def test_a_removed_child_leaves_no_books(mia: int) -> None:
    play_out(matches.start_match(mia))
    removals.remove_child(mia)
    assert recording.books_made_by(mia) == {}


@pytest.mark.parametrize("game", GAMES)
def test_a_book_looks_the_same_by_its_name_as_on_the_table(game: str) -> None:
    rules = GAMES[game].rules
    books = [
        book for seat in played(game, max(rules.seats[0], 2), seed=1)[-1].books for book in seat
    ]
    assert books
    for book in books:
        (stack,) = stacks({recording.name_of_book(rules, book): 1})
        face = faces_of(rules).book(book)
        assert stack.asks
        assert look(stack.asks) == look(face)


def look(face: ClassFace) -> tuple[object, ...]:
    """What a child sees of a book, without the colours of a pair."""
    kind = "rank" if face.kind in ("warm", "cool") else face.kind
    return kind, face.number, face.has, face.colour, face.shape, face.suit * (kind == "family")


def test_stacks_are_in_the_order_of_their_numbers_and_sevens_are_one_stack() -> None:
    found = stacks({"K": 1, "7": 2, "7r": 1, "7b": 3, "A": 9, "3+7": 1, "": 4, "F": 1})
    told = [(stack.asks and (stack.asks.kind, stack.asks.whole), stack.number) for stack in found]
    assert told == [
        (("rank", 1), 9), (("rank", 7), 6), (("rank", 13), 1), (("sum", 10), 1), (("family", 0), 1),
        (None, 4),
    ]  # fmt: skip
    assert [stack.piled for stack in found] == [PILED, PILED, 1, 1, 1, 4]
