"""How often a question is answered right without any knowledge.

The rates are those of the best of several strategies (always the same place, never where the last
right one was, the smallest, the middle, the usual answer ...), measured on real tables. `python -m
tools.luck` measures them and writes the table below; a test measures a sample again.
"""

from __future__ import annotations

from typing import Final

PAD: Final = 6  # this many numerals or more are shown in order, as on a number pad


def answered_by(face: str, options: int) -> str:
    """Return the way of answering: the face of the options, or "pad" for many numerals."""
    return "pad" if face == "numeral" and options >= PAD else face


def guess_rate(kind: str, face: str, options: int) -> float:
    """Return the chance of the best strategy without knowledge; at least that of any guess."""
    return max(RATES.get(f"{kind} {answered_by(face, options)} {options}", 0.0), 1 / options)


# Written by tools/luck.py.
RATES: Final[dict[str, float]] = {}
