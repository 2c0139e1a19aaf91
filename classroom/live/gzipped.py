"""Compresses pages, styles, scripts and drawings for the network.

Compression gives no secret away: the form token is masked differently in each response (BREACH), a
hand of cards is compressed only with its owner's page, and cards hidden from a viewer do not change
that viewer's page.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from typing import Any

Headers = list[tuple[str, str]]

SMALLEST = 600  # bytes; for shorter bodies the header costs more than compression saves
KEPT = 64  # how many compressed static files are kept
_TYPES = (
    "text/html",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
)


class Gzipped:
    """WSGI middleware that compresses answers for browsers that accept gzip."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self._app = app
        self._kept: dict[str, bytes] = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "HEAD" or not _reads_gzip(environ):
            return self._app(environ, start_response)
        answer: list[Any] = []

        def keep(status: str, headers: Headers, error: Any = None) -> Callable[[bytes], None]:
            answer[:] = [status, headers, error]
            return lambda _chunk: None

        parts = self._app(environ, keep)
        status, headers, error = answer
        if not _worth(status, headers):
            start_response(status, headers, error)
            return parts
        try:
            body = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        small, headers = self._small(body, headers)
        start_response(status, headers, error)
        return [small]

    def _small(self, body: bytes, headers: Headers) -> tuple[bytes, Headers]:
        if len(body) < SMALLEST:
            return body, headers
        named = {name.lower(): value for name, value in headers}
        etag = named.get("etag", "")
        lasting = bool(etag) and "public" in named.get("cache-control", "")
        small = self._kept.get(etag) if lasting else None
        if small is None:
            small = gzip.compress(body, 9 if lasting else 5, mtime=0)
            if lasting and len(self._kept) < KEPT:
                self._kept[etag] = small
        return small, _described(headers, len(small))


def _reads_gzip(environ: dict[str, Any]) -> bool:
    for part in environ.get("HTTP_ACCEPT_ENCODING", "").lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _worth(status: str, headers: Headers) -> bool:
    named = {name.lower(): value for name, value in headers}
    kind = named.get("content-type", "").partition(";")[0].strip()
    return (
        status[:3] not in ("204", "206", "304")
        and kind in _TYPES
        and "content-encoding" not in named
    )


def _described(headers: Headers, length: int) -> Headers:
    """Return the headers of the compressed body: its length, its encoding and a weak ETag."""
    kept = [
        (name, f"W/{value}" if name.lower() == "etag" and not value.startswith("W/") else value)
        for name, value in headers
        if name.lower() not in ("content-length", "accept-ranges", "vary")
    ]
    vary = [value for name, value in headers if name.lower() == "vary"]
    return [
        *kept,
        ("Vary", ", ".join([*vary, "Accept-Encoding"])),
        ("Content-Encoding", "gzip"),
        ("Content-Length", str(length)),
    ]
