"""Decodes the text of a file, in whichever encoding a program wrote it."""

from __future__ import annotations

from typing import Final

_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16, with a mark or without, else Windows-1252."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    zeros = data[0::2].count(0), data[1::2].count(0)
    if max(zeros) * 4 > len(data) > 3:  # over half of the bytes at even or at odd places are 0
        return data.decode("utf-16-be" if zeros[0] > zeros[1] else "utf-16-le", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
