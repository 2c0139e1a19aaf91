"""The size of trials: small by default, large if FISH_LONG is set."""

from __future__ import annotations

import os

LONG = bool(os.environ.get("FISH_LONG"))


def many(usual: int, long: int) -> int:
    """`long` if FISH_LONG is set, otherwise `usual`."""
    return long if LONG else usual
