"""Why a service said no. The web turns a code into a status and the words of who sees it."""

from __future__ import annotations

import traceback


class CannotStart(Exception):
    """One sentence that says what is wrong and what to do."""


def traced(error: BaseException) -> str:
    """What kind of error it is and where it came from, for a log. Never its words: they may hold a
    statement, a name or a card."""
    where = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{where}"


class Refused(Exception):
    """Understood, but not done. `code` is stable; `facts` are what the words may need."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class NotFound(Refused):
    """Not there, or not yours: the two are never told apart."""

    def __init__(self, thing: str = "page") -> None:
        super().__init__("not_found")
        self.thing = thing


class NotNow(Refused):
    """Could be done at another time: the class is closed, the round is over."""


class EarlierRules(Refused):
    """The round was played by the rules of an earlier version; those of today refuse a move of it,
    so nobody can tell any more how the cards lay."""

    def __init__(self, round_id: int) -> None:
        super().__init__("earlier_rules", round_id=round_id)
        self.round_id = round_id


class OutOfDate(Refused):
    """The table moved on since the page was made."""

    def __init__(self, round_id: int, seq: int) -> None:
        super().__init__("out_of_date", round_id=round_id, seq=seq)
        self.round_id = round_id
        self.seq = seq
