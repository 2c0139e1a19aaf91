"""Free ports of this machine, below 32,768: outgoing connections may take a higher one at any
moment, even one whose server is just restarting."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack, suppress

_LOWEST, _HIGHEST = 20_000, 32_000
_lots = random.SystemRandom()  # tests with the same seed would try the same ports


def free_port() -> int:
    return neighbours(1)[0]


def neighbours(number: int) -> range:
    """This many free ports side by side."""
    for first in _lots.sample(range(_LOWEST, _HIGHEST), 50):
        with suppress(OSError), ExitStack() as trials:
            for port in range(first, first + number):
                trials.enter_context(socket.create_server(("127.0.0.1", port)))
            return range(first, first + number)
    raise AssertionError("no ports are free")
