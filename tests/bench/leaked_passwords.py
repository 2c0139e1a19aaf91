"""Make classroom/data/leaked.txt.gz: `python -m tests.bench.leaked_passwords LIST`.

LIST has one password a line, the commonest first. Those that zxcvbn does not know to be easy are
kept: all of the first hundred thousand, since people double them and add digits, and of the rest
those that are long enough for a password here.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from classroom.services.access import passwords

COMMON = 100_000
# guesses; zxcvbn rates a common password that needs more as strong, so the list must have it
HARD = 10**6
HEAD = """\
# Passwords that became public, the commonest first: of the ten million that Mark Burnett put into
# the public domain in 2015, as ordered by SecLists (MIT License, (c) Daniel Miessler).
"""


def kept(listed: list[str]) -> list[str]:
    """The entries worth keeping, in lower case and without punctuation, each once."""
    found: dict[str, None] = {}
    for rank, password in enumerate(listed):
        if rank >= COMMON and len(password) < passwords.SHORTEST:
            continue
        plain = "".join(filter(str.isalnum, password.casefold()))
        wanted = HARD if rank < COMMON else passwords.ENOUGH
        if len(plain) > 2 and passwords.guesses(plain) >= wanted:
            found[plain] = None
    return list(found)


if __name__ == "__main__":
    listed = Path(sys.argv[1]).read_text(encoding="utf-8", errors="ignore").splitlines()
    text = HEAD + "\n".join(kept(listed)) + "\n"
    Path(passwords.DATA / "leaked.txt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
