"""How long a round lasts, from simulated rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from classroom.engine import events
from classroom.engine.rules import Rules
from classroom.games import GAMES
from classroom.games.variants import DECKS, deck_rules
from classroom.models import PlaySettings
from classroom.services.table import choices
from classroom.services.table.round_lengths import SHOWN, length
from classroom.web.child.steps import _told

DOC = Path(__file__).parents[2] / "docs" / "round-length.md"


def test_the_same_seed_plays_the_same_rounds() -> None:
    length.cache_clear()
    first = length(Rules(), 3, rounds=2, seed=5)
    length.cache_clear()
    assert length(Rules(), 3, rounds=2, seed=5) == first
    assert length(Rules(), 3, rounds=2, seed=6) != first


def test_a_range_lies_around_its_mean() -> None:
    found = length(GAMES["classic"].rules, 2, rounds=10)
    assert found.asks_low <= found.asks <= found.asks_high
    assert found.minutes_low <= found.minutes <= found.minutes_high
    assert found.books == 13
    assert 0 <= found.tied <= 1


def test_fewer_cards_are_a_shorter_round() -> None:
    minutes = [length(deck_rules(GAMES["classic"], 2, deck), 2, rounds=6).minutes for deck in DECKS]
    assert minutes == sorted(minutes)


@pytest.mark.parametrize("band", ["4-5", "5-6"])
def test_the_youngest_play_a_round_of_less_than_four_minutes(band: str) -> None:
    suits = choices.for_age(PlaySettings(), band)
    seats = suits.opponents + 1
    assert length(deck_rules(GAMES["classic"], seats, suits.deck), seats).minutes < 4


@pytest.mark.walk(4)
@pytest.mark.parametrize("key", ["classic", "guru_retire", "old_fish", "five_suit_classic"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_short_form_lasts_six_to_ten_minutes(key: str, seats: int) -> None:
    assert 6 <= length(GAMES[key].short_rules(seats), seats, rounds=16).minutes <= 10


def rows() -> dict[tuple[str, int], float]:
    """The minutes of each game's short form by seats, as docs/round-length.md has them."""
    found = {}
    for line in DOC.read_text("utf-8").splitlines():
        game, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        for seats, cell in enumerate(cells, 2):
            if cell[0].isdigit():
                found[game, seats] = float(cell.split(",")[0])
    return found


def test_the_page_has_every_game_with_two_to_four_seats() -> None:
    wanted = {
        (game.name, seats)
        for game in GAMES.values()
        for seats in (2, 3, 4)
        if game.rules.seats[0] <= seats <= game.rules.seats[1]
    }
    assert rows().keys() == wanted
    assert all(6 <= minutes <= 10 for minutes in rows().values()), rows()


@pytest.mark.parametrize(("key", "seats"), [("make_ten", 2), ("wish_pairs", 2), ("old_fish", 4)])
def test_the_page_matches_the_present_rules(key: str, seats: int) -> None:
    found = length(GAMES[key].short_rules(seats), seats, rounds=40)
    assert rows()[GAMES[key].name, seats] == pytest.approx(found.minutes, rel=0.1)


def test_everything_that_a_page_shows_takes_time() -> None:
    """Every kind of event that becomes a step has a time."""
    shown = {kind for kind in vars(events).values() if isinstance(kind, type)}
    shown = {kind for kind in shown if issubclass(kind, events.Event) and kind is not events.Event}
    steps = {kind for kind in shown if _told(_any(kind)) is not None}
    assert steps == SHOWN.keys()


def _any(kind: type[events.Event]) -> events.Event:
    """An event of this kind, with empty fields."""
    event = object.__new__(kind)
    for name in kind.__dataclass_fields__:
        object.__setattr__(event, name, ())
    return event
