"""The commands that programs run: a monitor asks the server how it is, and the server has a demo
school made."""

from __future__ import annotations

import argparse
import contextlib
import os
import ssl
import sys
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final

PATIENCE: Final = 10.0  # seconds to wait for the server's answer


def health(given: argparse.Namespace) -> int:
    """Ask the server on this machine how it is, and print its line, or one for each process;
    returns 1 unless all is well. For the health check of a container, and for monitors that run a
    command."""
    from classroom import config

    found = config.load()
    ports = range(given.port, given.port + given.processes)
    well = [_is_well(port, str(found["HOSTS"]), tls=bool(found["TLS_CERT"])) for port in ports]
    return 0 if all(well) else 1


def _is_well(port: int, names: str, *, tls: bool) -> bool:
    try:
        status, said = _asked(port, names, tls=tls)
    except (OSError, HTTPException) as error:
        print(f"Nobody answers at port {port} ({error}).", file=sys.stderr)
        return False
    print(said, flush=True)
    return status == 200


def _asked(port: int, names: str, *, tls: bool) -> tuple[int, str]:
    """The status and the text of `/health`, asked by a name that the server answers to."""
    whole = [name for name in names.replace(",", " ").split() if not name.startswith(".")]
    line = _line(port, tls)
    with contextlib.closing(line):
        line.request("GET", "/health", headers={"Host": whole[0] if whole else "localhost"})
        answer = line.getresponse()
        return answer.status, answer.read().decode().strip()


def _line(port: int, tls: bool) -> HTTPConnection:
    if not tls:
        return HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    trusting = ssl._create_unverified_context()  # noqa: S323 - the certificate names no loopback
    return HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=trusting)


def make_demo(given: argparse.Namespace) -> int:
    """Fill a new file with a demo school. Prints its progress for the server that waits for it."""
    from classroom.app import create_app
    from classroom.database import db, do_not_sync, empty_log
    from classroom.services.operation import apart, copies, demo

    apart.be_modest()
    print(0.0, flush=True)
    address = f"sqlite:///{given.file}"
    app = create_app({"DEMO": True, "DATABASE_URI": address, "UPGRADE": True})
    with app.app_context():
        db.engine.dispose()
        do_not_sync(db.engine)
        try:
            demo.make(app, lambda share: print(share, flush=True))
        except OSError:  # no one is listening: the server has ended and needs no demo school
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        empty_log()
        db.engine.dispose()
    copies.check(given.file)
    with given.file.open("rb+") as file:
        os.fsync(file.fileno())
    return 0
