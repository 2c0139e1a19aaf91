"""The proof command, run at small sizes, and the completeness of docs/learning.md."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from classroom.learning import estimates, levels, report, tracks
from classroom.learning.beliefs import chance
from classroom.learning.skills import AGE_BANDS, SKILLS
from classroom.learning.tracks import Track
from tests import sample
from tests.learning.size import many
from tools.proof import __main__ as proof, alarms, bank, guessers, memory, pages
from tools.proof.children import Sitting, guesser, steady
from tools.proof.levels import (
    ABILITIES,
    FEWEST,
    LOOKS,
    MOST,
    Look,
    coverage_lines,
    growing,
    seen_after,
    slope,
    slope_lines,
    steady_children,
)
from tools.proof.lines import Measurement, seeded, table

pytestmark = pytest.mark.walk(3, of="the proof in small")

PAGE = Path(__file__).parents[2] / "docs" / "learning.md"


def test_a_table_has_a_line_for_each_result() -> None:
    lines = [Measurement("a", "1 of 2", "-"), Measurement("b", "2 of 2", ">= 1")]
    assert table(lines).splitlines()[2:] == ["| a | 1 of 2 | - |", "| b | 2 of 2 | >= 1 |"]


def test_the_same_seed_gives_the_same_numbers() -> None:
    one, two = (memory.seen(memory.PERFECT, 0, seeded, rounds=1).level for _ in range(2))
    assert one == two


def test_the_bank_holds_questions_of_the_app_for_each_ability() -> None:
    here = bank.bank("5-6", "counting")
    easy, hard = (here.items("how_many", ability) for ability in (-2.0, 3.0))
    assert all(item.question.skill == "how_many" for item in (*easy, *hard))
    mean = [sum(one.question.difficulty for one in some) / len(some) for some in (easy, hard)]
    assert mean[0] < mean[1]


def test_the_shown_level_follows_the_true_one_and_its_range_holds_it(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    children, bands = many(3 if whole else 1, 20), sample.part(AGE_BANDS, 2, whole)
    monkeypatch.setattr("tools.proof.levels.AGE_BANDS", bands)
    found = steady_children(children, seeded)
    assert len(found) == 2 * len(bands) * len(ABILITIES) * (MOST - FEWEST + 1) * children
    assert all(line.held for line in slope_lines(found))
    assert sum(one.held for one in found) >= 0.93 * len(found)
    assert len(list(coverage_lines(found))) == len(LOOKS) + 1


def test_a_range_that_fails_at_one_ability_and_one_number_of_answers_is_noticed() -> None:
    def seen(true: float, n: int) -> bool:
        return (true, n) != (2.0, 33)

    found = [
        Look(true, n, true, seen(true, n))
        for true in ABILITIES
        for n in range(FEWEST, MOST + 1)
        for _ in range(20)
    ]
    *some, every = coverage_lines(found)
    assert all(line.held for line in some)
    assert not every.held
    assert "0.0 % of 20 (at +2, 33 answers)" in every.result


def test_a_share_of_right_answers_would_not_follow_the_ability() -> None:
    """A share of right answers fails the check, since items are chosen to suit the child."""
    points = []
    for true in ABILITIES:
        rows = list(
            Sitting(bank.bank("6-7", "counting"), steady(true), seeded(f"share {true}")).days(
                range(60), 2
            )
        )
        share = sum(row.right for row in rows) / len(rows)
        points.append((true, min(max(share, 0.01), 0.99)))
    assert slope(points) < 0.9 / 4


def test_growers_are_shown_about_as_they_are_now() -> None:
    held, seen = growing(many(6, 96), 2, seeded)
    assert held >= 0.8 * seen


def test_a_gain_and_a_fall_of_two_logits_are_seen() -> None:
    for gain, start in ((2.0, 0.0), (-2.0, 1.0)):
        names = [f"two {gain} {n}" for n in range(many(4, 50))]
        after = [seen_after(gain, seeded(name), "6-7", start) for name in names]
        assert sum(one is not None and one <= 60 for one in after) >= 0.5 * len(after)


def test_pages_about_children_whom_the_estimator_does_not_assume() -> None:
    careless = next(one for one in pages.KINDS if one.taps)
    found = [look for n in range(many(1, 6)) for look in pages.looks(careless, n, 4, Random(n))]
    assert {look.week for look in found} == {1, 2, 3, 4}
    colours, told = list(pages.colour_lines(found)), list(pages.told_lines(found))
    assert len(colours) == 8
    assert [one.held for one in told if one.wanted == "0"] == [True, True]


def test_false_red_would_be_printed_as_failing() -> None:
    look = next(pages.looks(pages.KINDS[0], 0, 1, Random(3)))
    able = look.child._replace(levels=dict.fromkeys(look.child.levels, 5.0))
    red = {key: replace(one, standing="start") for key, one in look.report.levels.items()}
    false = look._replace(child=able, report=replace(look.report, levels=red))
    first = next(pages.colour_lines([false]))
    assert not first.held
    assert "**fails**" in table([first])


def test_fast_children_who_know_are_not_taken_for_guessers() -> None:
    assert alarms.fast_days(0.9, 2, Random(1)) == (0, False)
    assert alarms.fast_days(0.1, 2, Random(1)) == (2, False)


def test_no_guesser_is_shown_above_the_lowest_level() -> None:
    for number, one in enumerate(guessers.guessers(many(8, 1000))):
        above, right, n = guessers.raised(one, seeded(f"guesser {number}"))
        assert not above, one
        assert right < 0.6 * n


def test_luck_recorded_too_low_would_show_guessers_as_able() -> None:
    """The check notices a child that is right half the time where luck is said to be a tenth."""
    found = Track(strand="counting")
    rng = Random(1)
    for item in bank.bank("5-6", "counting").items("how_many", 0.0) * 4:
        row = item.row(rng.random() < 0.5, 0, 0.0)
        object.__setattr__(row, "guess_rate", 0.1)
        found = found.after(row)
    assert found.settled().beyond_luck


def test_a_guesser_is_right_as_often_as_luck_says() -> None:
    sitting = Sitting(bank.bank("5-6"), guesser("any"), seeded("luck"), fresh=True)
    rows = list(sitting.days(range(10), 10))
    assert sum(row.right for row in rows) <= sum(row.guess_rate for row in rows) + 15


def test_a_guesser_who_always_takes_the_first_numeral_gains_little() -> None:
    """If the easiest of several questions were taken, its answer would often be the first
    numeral."""
    one = guessers.Guesser("first", "5-6", None)
    counts = [
        row.right
        for number in range(8)
        for row in guessers.answers(one, Random(f"first {number}"))
        if row.kind in ("between", "count_back", "count_on")
    ]
    assert len(counts) > 50
    assert sum(counts) < 0.45 * len(counts)  # it would be 0.6


def test_those_who_stay_behind_are_found_and_others_are_not(whole: bool) -> None:
    def below(band: str) -> alarms.Knows:
        return alarms.of_levels(alarms.needed(band, "least", -2.5))

    def usual(band: str) -> alarms.Knows:
        return alarms.of_levels(alarms.needed(band, "expected"))

    children = 8 if whole else 4
    assert alarms.flags("below", below, children, 6, seeded) >= 0.75 * children
    assert alarms.flags("usual", usual, children, 6, seeded) == 0


def test_a_wrong_range_and_an_empty_one_would_be_printed_as_failing() -> None:
    """Each line of the proof of remembering can fail."""
    found = [memory.seen(memory.HALVING[2], number, seeded, rounds=3) for number in range(4)]
    wrong = [one._replace(player=memory.PERFECT) for one in found]
    shown = [
        one._replace(level=replace(one.level, shown=True, between=(1, 8), about=2)) for one in wrong
    ]
    assert not memory.range_line(memory.PERFECT, shown).held
    assert not memory.said_line(
        [one._replace(level=replace(one.level, shown=False)) for one in found], "usual"
    ).held
    turned = {
        player: [one._replace(level=replace(one.level, middle=-player.true)) for one in found]
        for player in memory.USUAL
    }
    assert not any(line.held for line in memory.order_lines(turned))


def test_a_steady_child_answers_as_the_formula_says() -> None:
    item = bank.bank("5-6", "counting").items("how_many", 0.0)[0]
    rng, know = Random(3), steady(0.5)
    share = sum(know(item.question, 0, 0, rng) for _ in range(2000)) / 2000
    expected = chance(0.5, item.question.difficulty, item.question.guess_rate)
    assert share == pytest.approx(expected, abs=0.04)


@pytest.mark.long
def test_every_line_of_the_proof_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert proof.main(["guessers", "memory", "alarms", "guessing", "choosing"]) == 0
    assert "guessers shown above the lowest level" in capsys.readouterr().out


def test_the_page_of_results_names_every_skill_and_every_limit() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for skill in SKILLS.values():
        assert skill.name in text
        assert (skill.common_core or "") in text
        assert (skill.england or "") in text
    for limit in (
        estimates.SHARE_FROM,
        estimates.RECENT_DAYS,
        estimates.RECENT_ITEMS,
        estimates.LATEST,
        levels.BEHIND_FROM,
        levels.GROWTH_FROM,
        tracks.LATEST,
        report.LEANING_FROM,
        round(tracks.BEYOND_LUCK),
    ):
        assert f"{limit:,}" in text
