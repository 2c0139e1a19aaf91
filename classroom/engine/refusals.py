"""Why an action cannot be taken: understood but not allowed, or not understood at all."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """A stable reason code, which pages turn into words for children, and a line for adults."""

    reason: str
    message: str


class IllegalAction(ValueError):
    """The action is understood, but the rules do not allow it now."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class InvalidAction(ValueError):
    """The action cannot be understood."""
