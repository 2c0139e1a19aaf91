"""When a teacher should look at a child, and when not."""

from __future__ import annotations

from math import comb

import pytest

from classroom.learning.evidence import Evidence
from classroom.learning.report import Signal, Turn, guessing, idling, leaning
from tests.learning.rows import report, row, rows, track, window


def guessed(found: list[Evidence]) -> Signal | None:
    """The signal from the newest day of these answers about counting."""
    return guessing(track(found, "counting").fresh)


def over_days(shares, n: int = 8, **how):  # type: ignore[no-untyped-def]
    """`n` answers a day. `shares`: how many of them are right on each day."""
    return [
        one
        for day, right in enumerate(shares)
        for one in rows(right, n, day=day, round_id=day, **how)
    ]


def test_a_child_who_leans_on_help_is_named() -> None:
    found = [*rows(5, 5, hint_step=3), *rows(4, 4, day=1, hint_step=3), *rows(3, 4, day=1)]
    signal = leaning(window(found), 1)
    assert signal is not None
    assert signal.facts == {"n": 13, "helped": 9}
    assert leaning(window([*rows(9, 9, hint_step=3), *rows(3, 4)]), 0) is None  # one day only
    few = [*rows(3, 3, hint_step=3), *rows(2, 2, day=1, hint_step=3), *rows(3, 8, day=1)]
    assert leaning(window(few), 1) is None


def test_leaning_on_help_is_among_the_reasons_to_look() -> None:
    found = [*rows(5, 5, hint_step=3), *rows(4, 4, day=1, hint_step=3), *rows(3, 4, day=1)]
    assert "leaning" in [one.trouble for one in report(found, 1, "6-7").signals]


def test_a_board_that_adults_left_open_is_not_leaning_on_help() -> None:
    found = rows(12, 12, skill="who_asked", board="open", lag=3)
    assert leaning(window(found, "who_asked"), 0) is None


def test_fast_guessing_is_named() -> None:
    found = [*rows(2, 8, latency_ms=600), *rows(3, 3, latency_ms=5000)]
    signal = guessed(found)
    assert signal is not None
    assert signal.trouble == "guessing"
    assert signal.facts == {"day": 0, "n": 11, "fast": 8, "right": 2, "usual_ms": 600}


def test_fast_and_right_is_knowing() -> None:
    assert guessed(rows(7, 8, latency_ms=600)) is None


@pytest.mark.parametrize(
    ("knows", "n", "least", "most"),
    [(0.77, 6, 0.0, 0.05), (0.77, 12, 0.0, 0.05), (0.3, 6, 0.7, 1.0), (0.3, 12, 0.85, 1.0)],
)
def test_a_fast_child_is_seldom_taken_for_a_guesser(
    knows: float, n: int, least: float, most: float
) -> None:
    """Of all days on which a child answers `n` questions fast, whose luck is 0.3."""
    named = sum(
        comb(n, right) * knows**right * (1 - knows) ** (n - right)
        for right in range(n + 1)
        if guessed(rows(right, n, latency_ms=600, luck=0.3))
    )
    assert least <= named <= most


def test_slow_and_wrong_is_not_guessing() -> None:
    assert guessed(rows(1, 12, latency_ms=5000)) is None


def test_only_the_newest_answers_count() -> None:
    then = [row(right=False, at=float(i), latency_ms=500) for i in range(10)]
    now = [row(right=False, at=100.0 + i, latency_ms=5000) for i in range(12)]
    assert guessed(then) is not None
    assert guessed([*then, *now]) is None


def turns(*seconds: float, own: bool = True) -> list[Turn]:
    return [Turn(one, own) for one in seconds]


def test_turns_that_stood_still_on_a_day_are_a_reason_to_look() -> None:
    signal = idling(turns(4, 5, 31, 6, 45, 5, 60), 7, patience=30)
    assert signal is not None
    assert (signal.trouble, signal.skill) == ("idle", None)
    assert signal.facts == {"day": 7, "n": 7, "still": 3, "seconds": 30, "played_for": 0}


def test_once_or_twice_is_not_idling_nor_three_times_in_a_long_day() -> None:
    assert idling(turns(4, 5, 31, 6, 45), 7, patience=30) is None
    assert idling(turns(31, 45, 60, *[5.0] * 12), 7, patience=30) is not None
    assert idling(turns(31, 45, 60, *[5.0] * 13), 7, patience=30) is None
    assert idling([], 7, patience=30) is None


def test_a_slow_child_gets_its_own_time_up_to_a_bound() -> None:
    assert idling(turns(15, 15, 15, 40, 50, 55), 7, patience=30) is None
    signal = idling(turns(30, 30, 30, 30, 95, 95, 95), 7, patience=30)
    assert signal is not None
    assert signal.facts["seconds"] == 90


def test_a_child_who_comes_back_after_a_long_time_was_away() -> None:
    assert idling(turns(5, 5, 700, 3000, 90000), 7, patience=30) is None


def test_a_computer_friends_move_counts_as_idle_if_it_had_waited() -> None:
    played = turns(5, 5, 6) + turns(60, 60, 60, 1, 1, own=False)
    signal = idling(played, 7, patience=30)
    assert signal is not None
    assert signal.facts == {"day": 7, "n": 6, "still": 3, "seconds": 30, "played_for": 3}


def troubles(found: list[Evidence], day: int) -> list[str]:
    return [one.trouble for one in report(found, day, "7-9").signals]


def test_a_day_of_guessing_counts_for_no_level_and_no_alarm() -> None:
    honest = over_days([2, 2], difficulty=-2.0)
    wild = rows(1, 8, day=2, latency_ms=500, difficulty=-3.0)
    known = report(honest, 2, "7-9").levels
    assert report([*honest, *wild], 2, "7-9").levels == known
    only = over_days([0, 1, 0, 1], latency_ms=500, difficulty=-2.0)
    assert troubles(only, 3) == ["guessing"]
    assert report(only, 3, "7-9").levels["counting"].n == 0


def test_guessing_is_judged_in_all_strands_together() -> None:
    wild = [*rows(0, 3, latency_ms=500), *rows(0, 3, skill="make_ten", latency_ms=500, start=10)]
    found = report(wild, 0, "7-9")
    assert [one.trouble for one in found.signals] == ["guessing"]
    assert found.levels["counting"].n == found.levels["adding"].n == 0


def test_the_signal_of_guessing_stays_until_the_next_day_with_answers() -> None:
    found = over_days([0], latency_ms=500)
    assert troubles(found, 0) == troubles(found, 5) == ["guessing"]
    assert troubles([*found, row(day=5)], 5) == []


def test_less_than_before_is_a_reason_to_look() -> None:
    found = over_days([7] * 10 + [1] * 5, difficulty=1.0)
    assert "fallen" in troubles(found, 15)
    assert "fallen" not in troubles(over_days([7] * 15, difficulty=1.0), 15)
