"""The second step of an adult's sign-in."""

from __future__ import annotations

import pyotp
import pytest

from classroom.database import db, write_unit
from classroom.models import SecondFactor, Session
from classroom.services.access import second_factors, sign_in
from classroom.services.access.second_factors import MOST_TICKETS, SecondStep, Site, Tickets
from classroom.services.base import budgets, clock, tombstones
from classroom.services.base.errors import NotFound, Refused
from classroom.services.operation import restored
from tests.world import PASSWORD, World

DEVICE = "a" * 32
WORD = "cd" * 16
SITE = Site("school.test", "https://school.test")
NOW = 1_790_000_000.0


def shown(world: World, steps: int = 0, who: str = "lake", word: str = WORD) -> str:
    """The code that the authenticator app shows now, or some steps later."""
    secret = second_factors.begin_app(world.adults[who], word).secret
    return pyotp.TOTP(secret).at(int(clock.now()) + steps * second_factors.STEP)


def add_app(world: World, who: str = "lake") -> None:
    second_factors.add_app(world.adults[who], WORD, "My phone", shown(world, who=who))


def ticket(world: World) -> str:
    with pytest.raises(SecondStep) as step:
        sign_in.adult("lake", PASSWORD, DEVICE)
    return step.value.ticket


def finish(found: str, code: str) -> str:
    return sign_in.adult_with_second(found, code, SITE, "", "", None)


def test_without_a_factor_the_password_is_enough(world: World) -> None:
    with world.app.app_context():
        assert sign_in.adult("lake", PASSWORD, DEVICE)


def test_with_one_the_right_password_makes_no_session_and_the_code_does(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        found = ticket(world)
        assert db.session.query(Session).count() == 0
        assert finish(found, shown(world, 1))
        assert db.session.query(Session).count() == 1
        with pytest.raises(Refused, match="second_late"):
            finish(found, shown(world, 1))


@pytest.mark.parametrize("steps", [-2, 2])
def test_a_code_of_another_time_is_refused(world: World, steps: int) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        with pytest.raises(Refused, match="second_wrong"):
            finish(ticket(world), shown(world, steps))


def test_each_code_works_once(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        code = shown(world, 1)
        assert finish(ticket(world), code)
        with pytest.raises(Refused, match="second_wrong"):
            finish(ticket(world), code)


def test_a_code_of_another_adult_is_refused(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        add_app(world, "brook")
        with pytest.raises(Refused, match="second_wrong"):
            finish(ticket(world), shown(world, 1, "brook"))


def test_wrong_codes_are_slowed_down_as_wrong_passwords_are(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        found = ticket(world)
        for _ in range(budgets.LOGIN_FREE):
            with pytest.raises(Refused, match="second_wrong"):
                finish(found, "000000")
        with pytest.raises(Refused, match="login_wait"):
            finish(found, shown(world, 1))


def test_a_ticket_lasts_five_minutes(world: World) -> None:
    with world.app.app_context():
        with clock.clock_at(NOW):
            add_app(world)
            found = ticket(world)
        with clock.clock_at(NOW + 301), pytest.raises(Refused, match="second_late"):
            finish(found, shown(world))


def test_an_app_is_added_only_with_the_code_that_it_shows(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        for word, code in ((WORD, "000000"), ("no word", shown(world)), (WORD, "")):
            with pytest.raises(Refused, match="factor_code"):
                second_factors.add_app(world.adults["lake"], word, "", code)
        assert second_factors.of(world.adults["lake"]) == ()


def test_one_takes_away_only_ones_own(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        (mine,) = second_factors.of(world.adults["lake"])
        with pytest.raises(NotFound):
            second_factors.remove(world.adults["brook"], mine.id)
        second_factors.remove(world.adults["lake"], mine.id)
        assert sign_in.adult("lake", PASSWORD, DEVICE)


def test_there_is_an_end_to_how_many_one_can_have(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        for number in range(second_factors.MOST_FACTORS):
            word = f"{number:032x}"
            code = shown(world, word=word)
            second_factors.add_app(world.adults["lake"], word, "", code)
        with pytest.raises(Refused, match="factors_full"):
            add_app(world)


def test_the_secret_is_not_in_the_database(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        secret = second_factors.begin_app(world.adults["lake"], WORD).secret
        (row,) = world.rows()["second_factors"]
        assert secret not in " ".join(row)


def test_the_operators_new_password_takes_the_second_step_away(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        sign_in.reset_password("lake", "nine small otters dive")
        assert sign_in.adult("lake", "nine small otters dive", DEVICE)


def test_a_factor_taken_away_does_not_come_back_with_a_backup(world: World) -> None:
    with world.app.app_context(), clock.clock_at(NOW):
        add_app(world)
        row = db.session.query(SecondFactor).one()
        kept = {c.name: getattr(row, c.name) for c in SecondFactor.__table__.c}
        second_factors.remove(world.adults["lake"], row.id)
        with write_unit():
            db.session.add(SecondFactor(**kept))
        assert ("factor", kept["id"]) in restored.replay()
        assert second_factors.of(world.adults["lake"]) == ()
        assert tombstones.NAME


@pytest.mark.parametrize(
    "answer", ["", "{}", "[]", "null", '{"id": "x"}', '{"id": 7, "response": {}}', "x" * 20_000]
)
def test_a_passkeys_answer_that_cannot_be_read_is_refused(world: World, answer: str) -> None:
    with world.app.app_context():
        mine = world.adults["lake"]
        challenge, _ = second_factors.begin_key(mine, SITE)
        with pytest.raises(Refused, match="factor_key"):
            second_factors.add_key(mine, "", SITE, challenge, answer)
        challenge, _ = second_factors.ask_key(mine, SITE)
        assert not second_factors.key_fits(mine, SITE, challenge, answer)


def test_the_oldest_ticket_makes_room(world: World) -> None:
    with world.app.app_context():
        tickets: Tickets[int] = Tickets()
        first = tickets.give(0)
        last = [tickets.give(number) for number in range(1, MOST_TICKETS + 1)][-1]
        assert tickets.look(first) is None
        assert tickets.take(last) == MOST_TICKETS
        assert tickets.take(last) is None
