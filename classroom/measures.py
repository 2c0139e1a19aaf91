"""Measurements of a running server, for `/metrics` and the administrator's page Server.

They describe only the process and the machine: no label is a name, a code, an IP address or an id.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Final

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from classroom import config

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
A_MINUTE: Final = 60.0
REMEMBERED: Final = 6_000  # how many waits are kept; enough for a hundred moves a second

prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

MOVES: Final = Counter("fish_moves", "Moves that were committed.", ["by"], registry=REGISTRY)
STREAMS: Final = Gauge(
    "fish_streams", "Pages that are open and hear of each change.", ["of"], registry=REGISTRY
)
WAITS: Final = Histogram(
    "fish_wait_seconds",
    "How long requests waited for a thread.",
    ["of"],
    buckets=SECONDS,
    registry=REGISTRY,
)
COMMITS: Final = Histogram(
    "fish_commit_seconds", "How long commits took.", buckets=SECONDS, registry=REGISTRY
)
WORKER_LAG: Final = Gauge(
    "fish_worker_lag_seconds", "How late the background thread is.", registry=REGISTRY
)
LEADS: Final = Gauge(
    "fish_leads", "1 in the process that does the school's background work.", registry=REGISTRY
)
NOTICES: Final = Counter(
    "fish_notices",
    "Notices between the processes of a school: sent, heard.",
    ["of"],
    registry=REGISTRY,
)
ERRORS: Final = Counter(
    "fish_errors",
    "Failures: page (500), busy (503, the database), worker (the background thread).",
    ["of"],
    registry=REGISTRY,
)
VERSION: Final = Gauge("fish_info", "The version that runs.", ["version"], registry=REGISTRY)
for _kind in ("page", "busy", "worker"):
    ERRORS.labels(_kind)  # start at 0: an alarm needs a number to compare with


class RecentWaits:
    """How long moves waited in the last minute. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waits: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)

    def add(self, seconds: float) -> None:
        with self._lock:
            self._waits.append((time.monotonic(), seconds))

    def slowest(self) -> float | None:
        """Return the 99th percentile of the recent waits, in seconds; None if there are none."""
        with self._lock:
            since = time.monotonic() - A_MINUTE
            found = sorted(seconds for at, seconds in self._waits if at > since)
        return found[(len(found) * 99 - 1) // 100] if found else None


RECENT: Final = RecentWaits()


def waited(of: str, seconds: float) -> None:
    """Note how long a request of this kind (pages, doors, moves) waited for a thread."""
    WAITS.labels(of).observe(seconds)
    if of == "moves":
        RECENT.add(seconds)


def now(name: str, **labels: str) -> float:
    """Return the current value of a measurement; 0 if nothing has been counted yet."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


def text() -> tuple[bytes, str]:
    """Return all measurements in the format that Prometheus reads, and the content type."""
    VERSION.labels(config.version()).set(1)
    return prometheus_client.generate_latest(REGISTRY), prometheus_client.CONTENT_TYPE_LATEST
