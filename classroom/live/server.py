"""Runs the server: one process with tuned settings, and https without a separate web server."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple, cast

import uvicorn
from flask import Flask
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from classroom.live import bounds
from classroom.live.asgi import Front
from classroom.live.bounds import Bounded, Crowd
from classroom.services.base import clock
from classroom.services.base.errors import CannotStart

KEEP_ALIVE: Final = 75  # seconds; a child thinks for longer than the usual 5 seconds, and an ask
# that is sent just when its connection closes is lost
TICKS: Final = 10  # how many times a second uvicorn calls `on_tick`
SEARCH: Final = 10_000  # new objects before each search by the garbage collector; 700 by default
ARENAS: Final = 2  # heaps of the C library; with one for each thread, memory grows for hours
M_ARENA_MAX: Final = -8  # from glibc's malloc.h
Ready = Callable[[str, int], None]


class _Server(uvicorn.Server):
    """Ends open streams before it waits for connections to close, so that Ctrl-C works at once.
    Once a second, it also ends connections that are too slow."""

    def __init__(
        self, config: uvicorn.Config, front: Front, crowd: Crowd, ready: Ready | None
    ) -> None:
        super().__init__(config)
        self._front = front
        self._crowd = crowd
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self.config.ssl:  # uvicorn would wait forever for a browser that stalls in its handshake
            loop = asyncio.get_running_loop()
            begin = partial(loop.create_server, ssl_handshake_timeout=bounds.REQUEST_SECONDS)
            loop.create_server = begin  # type: ignore[method-assign]
        await super().startup(sockets=sockets)
        if self.started and self._ready is not None:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._ready(host, port)

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS == 0:
            self._crowd.sweep(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()  # no new streams can start while the open ones are ending
        self._front.end_streams()
        await super().shutdown(sockets=sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop gracefully on the first signal, at once on the second. Does not re-raise signals."""
        self.force_exit = self.should_exit
        self.should_exit = True


class _Compiled(FileSystemBytecodeCache):
    """Templates compiled at an earlier start, kept beside the database."""

    def __init__(self, folder: Path) -> None:
        with suppress(OSError):
            folder.mkdir(exist_ok=True)
        super().__init__(str(folder))

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # a full disk only makes the next start slower
            super().dump_bytecode(bucket)


def _settle(app: Flask) -> None:
    """Prepare this process to answer promptly.

    Templates are compiled before the first child comes: otherwise 30 children at once would each
    compile them. All objects made so far stay until the end, so the garbage collector skips them.
    It also searches less often: most objects are freed without it, and a full search delays
    everyone by 50 to 100 ms and finds almost nothing.
    """
    pages = app.jinja_env
    pages.bytecode_cache = _Compiled(Path(app.instance_path, "templates"))
    for name in pages.list_templates(extensions=["html"]):
        pages.get_template(name)
    gc.collect()
    gc.freeze()
    gc.set_threshold(SEARCH)


def share_arenas() -> None:
    """Let all threads share a few heaps of the C library. Otherwise glibc gives each thread a heap
    of its own. A heap hardly shrinks, so the process grows. Other C libraries do not do this."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def serve(
    app: Flask,
    host: str,
    port: int,
    ready: Ready | None = None,
    tls: ssl.SSLContext | None = None,
    grace: int = 1,
) -> None:
    """Serve until a signal comes. `ready(host, port)` is called once the server answers. `tls`: for
    https; None for plain http. `grace`: seconds in which requests in progress may finish after the
    signal. With port 0, a free port is used. Raises SystemExit if the address cannot be used."""
    share_arenas()
    front = Front(app)
    behind_proxy = app.config["PROXIES"] > 0  # behind a proxy, all connections come from the proxy
    crowd = Crowd(
        bounds.most_connections(app.config["CONNECTIONS"]),
        None if behind_proxy else app.config["CONNECTIONS_PER_ADDRESS"],
    )
    config = uvicorn.Config(
        front,
        http=cast("type[asyncio.Protocol]", partial(Bounded, crowd=crowd)),
        ws="none",
        host=host,
        port=port,
        lifespan="on",
        access_log=False,
        # None: uvicorn logs like the rest of the program
        log_config=None if app.config["LOG_JSON"] else uvicorn.config.LOGGING_CONFIG,
        log_level="error",  # bad requests from strangers are warnings, which are not logged
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=grace,
        timeout_keep_alive=KEEP_ALIVE,
        backlog=2048,
        ssl_context_factory=(lambda _config, _default: tls) if tls else None,
    )
    _settle(app)
    _Server(config, front, crowd, ready).run()


# ---- https without a web server in front: a certificate and its key, tested before the start

NO_CHECK_TIME: Final = 0x200000  # OpenSSL flag; we check dates ourselves, to name them in messages
_CERTIFICATE: Final = b"-----BEGIN CERTIFICATE-----"
_KEY: Final = b"PRIVATE KEY-----"


class Https(NamedTuple):
    """The TLS context of a server, and when its certificate expires."""

    context: ssl.SSLContext
    until: datetime


def https(certificate: str, key: str) -> Https:
    """Set up TLS 1.2 or newer with these files. Raises CannotStart if they cannot be used, or if
    browsers would refuse the certificate: it is not valid now, or not made for a web server."""
    served = _context(certificate, key)
    try:
        shown = _rehearsed(served, certificate)
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", "") or error.reason or "unknown"
        raise CannotStart(
            f"Browsers would refuse the certificate {certificate} ({why}): ask for one made for a "
            "web server, and put all certificates between it and its root in the file."
        ) from error
    begins, ends = (
        ssl.cert_time_to_seconds(str(shown[name])) for name in ("notBefore", "notAfter")
    )
    if clock.now() >= ends:
        raise CannotStart(f"The certificate {certificate} expired on {_day(ends)}: get a new one.")
    if clock.now() < begins:
        raise CannotStart(
            f"The certificate {certificate} is not valid before {_day(begins)}: wait, or correct "
            "this machine's clock."
        )
    return Https(served, datetime.fromtimestamp(ends, tz=UTC))


def _context(certificate: str, key: str) -> ssl.SSLContext:
    if not (certificate and key):
        raise CannotStart(
            "https needs two files: the certificate (--tls-cert) and its key (--tls-key)."
        )
    _look(Path(certificate), _CERTIFICATE, "certificate")
    _look(Path(key), _KEY, "private key")
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        found.load_cert_chain(certificate, key, lambda: _locked(key))
    except ssl.SSLError as error:
        why = f"The certificate {certificate} and the key {key} cannot be used: {error.reason}."
        if error.reason == "KEY_VALUES_MISMATCH":
            why = f"The key {key} does not belong to the certificate {certificate}."
        raise CannotStart(why) from error
    return found


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).astimezone().strftime("%Y-%m-%d")


def _look(file: Path, sign: bytes, what: str) -> None:
    try:
        text = file.read_bytes()
    except OSError as error:
        raise CannotStart(
            f"The file {file} cannot be read ({error.strerror}): the {what} must be there and "
            "readable by the user who starts the program."
        ) from error
    if sign not in text:
        raise CannotStart(
            f"The file {file} contains no {what} in PEM format (-----BEGIN ... -----)."
        )


def _locked(key: str) -> str:
    raise CannotStart(
        f"The key {key} is protected by a password, which no one can type at each start: store it "
        "without one, readable only by this user."
    )


def _rehearsed(served: ssl.SSLContext, certificate: str) -> dict[str, object]:
    """Make a TLS handshake in memory; returns the certificate as a trusting browser sees it."""
    browser = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    browser.check_hostname = False
    browser.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | NO_CHECK_TIME
    browser.load_verify_locations(certificate)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = browser.wrap_bio(back, there), served.wrap_bio(there, back, server_side=True)
    for _ in range(2):
        for side in sides:
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return dict(sides[0].getpeercert() or {})
