"""The second step of an adult's sign-in, after the right password: a code or a passkey.

Between the two steps there is no session. The server remembers under a ticket who typed the right
password on which device; wrong answers count like wrong passwords.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from classroom.services.access import second_factors
from classroom.services.access.second_factors import Site
from classroom.services.base import budgets
from classroom.services.base.errors import Refused
from classroom.services.base.tickets import Tickets

SECONDS: Final = 300.0  # seconds to answer before the password is asked for again


@dataclass(frozen=True, slots=True)
class Waiting:
    """An adult whose password was right. `tried`: the login and the device, for counting wrong
    answers; `renewed`: the password's new hash if the old one is out of date."""

    adult_id: int
    tried: budgets.Login
    renewed: str | None


class SecondStep(Exception):
    """The password is right, and a second factor is needed. `ticket`: what `answered` takes."""

    def __init__(self, ticket: str) -> None:
        super().__init__("second step")
        self.ticket = ticket


_waiting: Tickets[Waiting] = Tickets(SECONDS)


def begin(adult_id: int, tried: budgets.Login, renewed: str | None) -> None:
    """Raise SecondStep if this adult has a second factor."""
    if second_factors.kinds_of(adult_id):
        raise SecondStep(_waiting.give(Waiting(adult_id, tried, renewed)))


def waits(ticket: str) -> Waiting:
    """The adult whose second step waits under this ticket. Raises Refused("second_late")."""
    found = _waiting.look(ticket)
    if found is None:
        raise Refused("second_late")
    return found


def answered(ticket: str, code: str, site: Site, challenge: str, signed: str) -> Waiting:
    """Check the answer: a `code`, or what a passkey has `signed` for the ticket `challenge`.

    Raises Refused: second_late, login_wait, second_wrong. After a right answer the ticket is void.
    """
    found = waits(ticket)
    budgets.may_try_login(found.tried)
    if signed:
        fits = second_factors.key_fits(found.adult_id, site, challenge, signed)
    else:
        fits = second_factors.app_fits(found.adult_id, code)
    if not fits:
        budgets.wrong_login(found.tried)
        raise Refused("second_wrong")
    _waiting.take(ticket)
    return found
