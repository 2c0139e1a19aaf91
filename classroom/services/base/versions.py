"""The version of the values in a form, so that a second save cannot silently undo the first.

A version is a keyed digest of what is stored: it needs no column, and says nothing to anybody who
cannot see the values. A form carries it to the service that writes, which compares it under a lock
(`rows.held`), so that two saves at the same time are handled one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from classroom.services.base import secrets_


class Changed(Exception):
    """The values that a form shows have been changed since it was made. `now`: what they are."""

    def __init__(self, now: Any) -> None:
        super().__init__("changed")
        self.now = now


def of(values: object) -> str:
    """The version of these values."""
    plain = json.dumps(values, default=_plain, sort_keys=True)
    return secrets_.sign("version", plain).hex()[:32]


def check(version: str, now: object) -> None:
    """Raise Changed unless this is the version of the values that are stored now. Without a version
    there is nothing to compare: a program writes, or an old page."""
    if version and not secrets_.same(of(now), version):
        raise Changed(now)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return dict(value) if isinstance(value, Mapping) else sorted(value)
