"""One standard for each skill, in the Common Core State Standards and in England.

Memory has no standard. A school, and each of its classes, chooses which of the two is shown.
"""

from __future__ import annotations

from typing import Final

COMMON_CORE: Final[dict[str, str]] = {
    "subitizing": "K.CC.B.4",
    "how_many": "K.CC.B.5",
    "give_n": "K.CC.B.5",
    "mixed": "K.CC.B.4.b",
    "numeral_dots": "K.CC.A.3",
    "next_before": "K.CC.A.2",
    "count_on": "1.OA.C.5",
    "teens": "K.NBT.A.1",
    "who_has_more": "K.CC.C.6",
    "how_many_more": "1.OA.A.1",
    "make_book": "K.OA.A.2",
    "make_five": "K.OA.A.5",
    "bonds": "K.OA.A.3",
    "make_ten": "K.OA.A.4",
    "doubles": "1.OA.C.6",
    "add_books": "1.OA.C.6",
    "add_three": "1.OA.A.2",
    "take_away": "K.OA.A.1",
    "sorting": "K.MD.B.3",
}
"""Codes of the Common Core State Standards for Mathematics, K to 2. That of `subitizing` is only
the nearest: seeing at a glance comes before it and has no code of its own."""

ENGLAND: Final[dict[str, str]] = {
    "subitizing": "EYFS ELG Number: subitise up to 5",
    "how_many": "EYFS ELG Number: have a deep understanding of number to 10",
    "give_n": "EYFS ELG Number: have a deep understanding of number to 10",
    "mixed": "EYFS ELG Number: have a deep understanding of number to 10",
    "numeral_dots": "Y1 Number: read and write numbers from 1 to 20 in numerals and words",
    "next_before": "Y1 Number: given a number, identify one more and one less",
    "count_on": "Y1 Number: count forwards and backwards from any given number",
    "teens": "Y1 Number: identify and represent numbers using objects and pictures",
    "who_has_more": "EYFS ELG Numerical Patterns: compare quantities up to 10",
    "how_many_more": "Y1 Number: solve one-step problems that involve subtraction",
    "make_book": "Y1 Number: solve missing number problems",
    "make_five": "EYFS ELG Number: automatically recall number bonds up to 5",
    "bonds": "Y1 Number: represent and use number bonds within 20",
    "make_ten": "EYFS ELG Number: recall some number bonds to 10",
    "doubles": "EYFS ELG Numerical Patterns: represent double facts",
    "add_books": "Y1 Number: add one-digit and two-digit numbers to 20",
    "add_three": "Y2 Number: adding three one-digit numbers",
    "take_away": "Y1 Number: subtract one-digit and two-digit numbers to 20",
    "sorting": "Y2 Statistics: counting the number of objects in each category",
}
"""Goals of the early years (EYFS, early learning goals) and lines of the national curriculum, in
short."""
