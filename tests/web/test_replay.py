"""Stepping through a finished round: every move has an address, and each view shows only what it
may."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import delete, select

from classroom.database import db, write_unit
from classroom.engine import observe
from classroom.engine.observation import TEACHER, Observation
from classroom.games import GAMES
from classroom.minds.hints import EVIDENCE, Hint, hint
from classroom.models import AuditEntry, EvidenceRow, HelpTaken, Move, Player, Round
from classroom.services.reports import overview
from classroom.services.reports.figures import SureAsk
from classroom.services.table import evidence_log, rounds
from classroom.web.child.card_faces import ClassFace, faces_of
from classroom.web.child.helping import asked_tags
from classroom.web.child.steps import STEP_KINDS, StepView, TableCounts, steps_since
from classroom.web.reports.replay import ALL, Helped, ReplaySeat, ReplayView, replay_view
from tests.learning.rows import row
from tests.web.test_table_view import played as played_at_random
from tests.world import Visitor, World


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


@pytest.fixture
def played(world: World) -> Iterator[int]:
    """The id of Benquill's finished round. The test runs within the app's context."""
    with world.app.app_context():
        yield world.rounds["Benquill"]
        db.session.rollback()


def path(world: World, **query: object) -> str:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/teach/rounds/{world.rounds['Benquill']}?{asked}"


def view(round_id: int, move: int, seat: int | None, sure: dict[int, SureAsk]) -> ReplayView:
    viewer = TEACHER if seat is None else seat
    end = rounds.replay(round_id, viewer, rounds.seq(round_id))
    now = rounds.replay(round_id, viewer, move)
    return replay_view(now, end, ALL if seat is None else str(seat), seat or 0, sure)


def all_hands_opened(world: World) -> int:
    with world.app.app_context():
        rows = select(AuditEntry).where(AuditEntry.action == "all_hands")
        return len(db.session.scalars(rows).all())


# ---- the picture


def test_a_seat_sees_its_own_cards_and_the_backs_of_others(played: int) -> None:
    last = rounds.seq(played)
    for seat in range(len(rounds.replay(played, 0, 0).players)):
        for move in (0, last // 2, last):
            shown = view(played, move, seat, {})
            for other in shown.seats:
                assert (other.fans is None) == (other.seat != seat)
            mine = shown.seats[seat]
            assert mine.fans is not None
            assert sum(len(fan.cards) for fan in mine.fans) == mine.cards


def test_all_hands_shows_every_card_of_every_hand(played: int) -> None:
    shown = view(played, 10, None, {})
    for seat in shown.seats:
        assert seat.fans is not None
        assert sum(len(fan.cards) for fan in seat.fans) == seat.cards


def test_the_viewing_seat_is_nearest_and_the_others_follow_clockwise(played: int) -> None:
    shown = view(played, 5, 1, {})
    assert shown.focus.seat == 1
    assert [seat.seat for seat in shown.ring] == [
        (1 + n) % len(shown.seats) for n in range(1, len(shown.seats))
    ]


def test_there_is_no_step_beyond_the_ends_of_the_round(played: int) -> None:
    last = rounds.seq(played)
    first, final = view(played, 0, 0, {}), view(played, last, 0, {})
    assert (first.back, first.next) == (None, 1)
    assert (final.back, final.next) == (last - 1, None)
    assert [line.move for line in final.moves] == list(range(last + 1))


@pytest.mark.parametrize("kind", STEP_KINDS)
def test_every_kind_of_step_has_a_sentence(world: World, kind: str) -> None:
    seven = ClassFace("7", 7, "rank")
    step = StepView("s1-1", 1, kind, 0, 1, seven, 2, (), TableCounts(0, (), ()))
    with world.app.test_request_context():
        module = world.app.jinja_env.get_template("components/told.html").module
        said = str(module.told(step, ["Ben", "Owl"])).strip()
    assert said.endswith((".", "?", "now."))
    assert "None" not in said


def test_an_ask_is_described_in_full(world: World, lake: Visitor, played: int) -> None:
    end = rounds.replay(played, 0, rounds.seq(played))
    first = next(step for step in steps_since(end.observation, 0) if step.kind == "asked")
    names = [player.name for player in end.players]
    text = lake.get(path(world, move=first.seq)).text
    assert f"{names[first.seat]} asks {names[first.other or 0]} for " in text


def test_certain_asks_are_shown_only_to_the_asker_and_with_all_hands(played: int) -> None:
    end = rounds.replay(played, TEACHER, rounds.seq(played))
    asked = next(step for step in steps_since(end.observation, 0) if step.kind == "asked")
    other = (asked.seat + 1) % len(end.players)
    sure = {asked.seq: SureAsk(False, False, ((other, "7", 3),))}
    told = view(played, asked.seq, asked.seat, sure)
    (certain,) = told.sure
    assert (certain.who.seat, certain.asks.key, certain.ago) == (other, "7", 3)
    assert told.moves[asked.seq].sure is False
    (open_to_all,) = view(played, asked.seq, None, sure).sure
    assert (open_to_all.who.seat, open_to_all.asks) == (other, certain.asks)
    hidden = view(played, asked.seq, other, sure)
    assert hidden.sure == ()
    assert hidden.moves[asked.seq].sure is None


def test_the_certain_asks_of_the_round_come_from_the_evidence(world: World, played: int) -> None:
    found = overview.sure_asks(played)
    end = rounds.replay(played, TEACHER, rounds.seq(played))
    seat = rounds.seat_of(played, world.children["Benquill"])
    by_move = {s.seq: s for s in steps_since(end.observation, 0) if s.kind == "asked"}
    for move, ask in found.items():
        assert by_move[move].seat == seat
        asked = by_move[move].asks
        assert asked is not None
        assert ask.taken == ((by_move[move].other, asked.key) in {f[:2] for f in ask.known})


def test_an_ask_that_takes_one_of_two_certain_catches_took_one(world: World, played: int) -> None:
    facts = [[1, "7", 2]], [[1, "9", 4]]
    with write_unit():
        db.session.execute(delete(EvidenceRow).where(EvidenceRow.round_id == played))
        for right, known in zip((True, False), facts, strict=True):
            one = row("recall_ask", right, kind="certain", source="play", round_id=played)
            one = replace(one, item=one.item | {"known": known})
            evidence_log.append(world.children["Benquill"], [one])
    assert overview.sure_asks(played) == {1: SureAsk(True, False, ((1, "7", 2), (1, "9", 4)))}


# ---- the pages


def test_every_move_has_its_own_link(world: World, lake: Visitor) -> None:
    text = lake.get(path(world, move=3)).text
    with world.app.app_context():
        last = rounds.seq(world.rounds["Benquill"])
    moves = {int(found) for found in re.findall(r'href="[^"]*move=(\d+)[^"]*"', text)}
    assert moves == set(range(last + 1))
    assert text.count('aria-current="step"') == 1
    assert text.count("is-later") == last - 3
    assert "Move 3 of" in text
    assert 'data-key="ArrowRight"' in text


@pytest.mark.parametrize("move", ["", "-1", "x", "99999999999999999999", "٣", "1e3"])
def test_a_move_out_of_range_is_the_deal_or_the_end(world: World, lake: Visitor, move: str) -> None:
    text = lake.get(path(world, move=move)).text
    assert ("The deal</b>" in text) != move.startswith("9")


@pytest.mark.parametrize("view", ["", "9", "watcher", "teacher", "-1"])
def test_an_unknown_view_is_the_childs_own(world: World, lake: Visitor, view: str) -> None:
    with world.app.app_context():
        seat = rounds.seat_of(world.rounds["Benquill"], world.children["Benquill"])
    text = lake.get(path(world, view=view)).text
    assert re.search(rf'id="view-{seat}" aria-current="true"', text)


def test_htmx_gets_only_the_changing_part(world: World, lake: Visitor) -> None:
    part = lake.get(path(world, move=2), headers={"HX-Request": "true"}).text
    assert part.lstrip().startswith('<div id="replay"')
    assert "<html" not in part


def test_the_replay_runs_by_itself_with_and_without_scripts(world: World, lake: Visitor) -> None:
    text = lake.get(path(world, move=2, play=1)).text
    assert '<noscript><meta http-equiv="refresh" content="3;url=/teach/rounds/' in text
    assert 'data-hx-trigger="load delay' in text
    assert "http-equiv" not in lake.get(path(world, move=2)).text
    assert "http-equiv" not in lake.get(path(world, move=10**6, play=1)).text


def test_all_hands_need_a_deliberate_switch_and_are_on_record(world: World, lake: Visitor) -> None:
    refused = lake.get(path(world, move=4, view="all"))
    assert refused.status_code == 303
    assert "view=all" not in refused.headers["Location"]
    assert all_hands_opened(world) == 0
    switched = lake.post(f"/teach/rounds/{world.rounds['Benquill']}/hands", {"move": "4"})
    assert switched.status_code == 303
    assert all_hands_opened(world) == 1
    text = lake.get(switched.headers["Location"]).text
    assert "All hands are shown" in text
    assert "Move 4 of" in text
    assert "rseat__b" not in text
    lake.get(path(world, move=5, view="all"))
    assert all_hands_opened(world) == 1


def test_a_running_round_is_watched_and_not_stepped_through(world: World, lake: Visitor) -> None:
    with world.app.app_context():
        assert db.session.get_one(Round, world.rounds["Miaqua"]).ended_at is None
    at = f"/teach/rounds/{world.rounds['Miaqua']}"
    for wanted in (at, at + "?view=all"):
        assert lake.get(wanted).headers["Location"] == at + "/watch"
        lake.post(at + "/hands")


def test_a_round_whose_friend_left_the_school_can_still_be_stepped_through(
    world: World, lake: Visitor
) -> None:
    with world.app.app_context(), write_unit():
        match_id = db.session.get_one(Round, world.rounds["Benquill"]).match_id
        friend = db.session.scalars(
            select(Player).where(Player.match_id == match_id, Player.level.is_not(None))
        ).first()
        assert friend is not None
        friend.level, friend.name = None, "Friend"
    assert "Friend" in lake.get(path(world, move=1)).text


# ---- help


def helped_at(world: World) -> tuple[int, int]:
    """Let Benquill take two steps of help and look at the board. Returns the move that
    followed, and the seat."""
    round_id, child_id = world.rounds["Benquill"], world.children["Benquill"]
    with world.app.app_context():
        seat = rounds.seat_of(round_id, child_id)
        assert seat is not None
        end = rounds.replay(round_id, seat, rounds.seq(round_id))
        move = [tag.seq for tag in asked_tags(end.observation) if tag.asker == seat][2]
        with write_unit():
            for kind, step in (("hint", 1), ("hint", 2), ("board", 0)):
                db.session.add(
                    HelpTaken(
                        round_id=round_id, child_id=child_id, seq=move - 1, kind=kind,
                        step=step, at=1.0,
                    )
                )  # fmt: skip
    return move, seat


def test_help_is_shown_at_the_move_it_was_taken_for_with_its_reason(
    world: World, lake: Visitor
) -> None:
    move, seat = helped_at(world)
    text = lake.get(path(world, move=move, view=seat)).text
    told = re.findall(r"<b>Help before this move:</b>([^<]+)</p>", text)
    assert len(told) == 1
    assert "asked the fish for help, up to step 2 of 5: which cards to look at." in told[0]
    assert "looked at the board" in told[0]
    assert re.search(
        r"(no one had taken them|Nothing was certain|It followed|so held|shown)", told[0]
    )
    assert text.count('title="Took help first"') == 1
    assert "Help before this move" not in lake.get(path(world, move=move - 1, view=seat)).text


def test_help_of_a_child_is_not_shown_from_another_seat(world: World, lake: Visitor) -> None:
    move, seat = helped_at(world)
    text = lake.get(path(world, move=move, view=(seat + 1) % 2)).text
    assert "Help before this move" not in text
    assert "Help was taken" not in text
    lake.post(f"/teach/rounds/{world.rounds['Benquill']}/hands", {"move": move})
    assert "asked the fish" in lake.get(path(world, move=move, view=ALL)).text


def test_every_reason_of_a_hint_has_a_sentence(world: World, whole: bool) -> None:
    """It is checked in every game, at moves throughout a random round, from the seat that acts."""
    page = world.app.jinja_env.get_template("components/helped.html").module
    for game in GAMES:
        states = played_at_random(game, min(3, GAMES[game].rules.seats[1]), 4)
        for state in states[4 : -1 : 13 if whole else 40]:
            seen = observe(state, state.turn or 0)
            why = hint(seen, EVIDENCE)
            one = replay_help(why, seen)
            words = page.why(one)  # type: ignore[attr-defined]
            assert words or why.kind in ("pass", "declare", "layoff", "name"), why
            assert "None" not in words


def replay_help(why: Hint, seen: Observation) -> Helped:
    faces = faces_of(seen.rules)
    who = ReplaySeat(0, "Owl", "owl", 1, 0, None, (), False, False, False)
    return Helped(
        seat=who,
        step=3,
        looks=0,
        why=why.kind,
        who=who if isinstance(why.seat, int) else None,
        asks=faces.asks(why.class_) if why.class_ else None,
        told=faces.asks(why.told) if why.told else None,
        moves=why.evidence,
        percent=50,
    )


def test_moves_that_a_computer_friend_played_for_a_child_are_marked(
    world: World, lake: Visitor
) -> None:
    words = "a computer friend played this move"
    assert words not in lake.get(path(world, move=2)).text
    with world.app.app_context(), write_unit():
        second = select(Move).filter_by(round_id=world.rounds["Benquill"], seq=2)
        db.session.scalars(second).one().played_by = "stand_in"
    assert words in lake.get(path(world, move=2)).text
    assert words not in lake.get(path(world, move=1)).text
