"""The command `fish-school` of an installed program. In a checkout `run.py` does the same, once it
has made the environment."""

from __future__ import annotations

import sys

from classroom import cli
from classroom.config import COMMAND
from classroom.launcher import COMMANDS, HELP, Missing, in_full, quietly, usage

FOR_SOURCES = ("privacy",)  # the commands that write files of the sources


def main() -> int:
    """Run the command line; returns the exit status."""
    return quietly(_main)


def _main() -> int:
    words = sys.argv[1:]
    offered = {name: one for name, one in COMMANDS.items() if name not in FOR_SOURCES}
    help_text = usage(COMMAND, offered)
    if words[:1] in HELP:
        print(help_text)
        return 0
    try:
        return cli.main(in_full(words, help_text))
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
