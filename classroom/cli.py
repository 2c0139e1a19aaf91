"""The commands: each is a few lines on top of services. A command imports what it needs when it
runs, so that `record` starts without a web server."""

from __future__ import annotations

import argparse
import contextlib
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from classroom.account_commands import administrator, password
from classroom.config import COMMAND
from classroom.launcher import COMMANDS
from classroom.server_commands import health, make_demo

if TYPE_CHECKING:
    from flask import Flask

    from classroom.live.tls import Https

MOST_PROCESSES = 64
LOOPBACK = ("127.0.0.1", "localhost", "::1")
IN_THE_OPEN = (
    "This connection is not private: anyone on the same network can read the passwords that adults "
    "type. See docs/https.md for how to change that."
)
WITHOUT = "without what has been removed since."
WITH = "and what has been removed since is back, because the list of it is missing."
NO_ADMINISTRATOR = (
    "No one is an administrator of the school any more. To make a teacher one: "
    f"{COMMAND} administrator LOGIN"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. A refusal prints one sentence and returns 1."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["record"]:
        from classroom.recorder import main as record

        return record(words[1:])
    from sqlalchemy.exc import DBAPIError

    from classroom.condition import Unavailable
    from classroom.services.base.errors import CannotStart, Refused

    given = _parser().parse_args(words)
    command: Callable[[argparse.Namespace], int] = given.command
    try:
        return command(given)
    except BrokenPipeError:
        raise  # whoever read what we print has gone: `quietly` ends the program
    except (CannotStart, Unavailable, ValueError) as error:
        print(error, file=sys.stderr)
    except (OSError, DBAPIError) as error:
        from classroom.services.operation.health import in_words

        print(in_words(error), file=sys.stderr)
    except Refused as refused:
        from classroom.web.words.sentences import sentence

        print(sentence(refused), file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    """Make the parser for the launcher's commands; `record` has one of its own (recorder.py)."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Fish School")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    made = {name: commands.add_parser(name, help=one.does) for name, one in COMMANDS.items()}
    made["make-demo"] = commands.add_parser("make-demo")  # services/operation/apart.py runs it
    for name, run in _runs().items():
        made[name].set_defaults(command=run)
    for one in (made["serve"], made["demo"]):
        one.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        one.add_argument("--port", default=8000, type=_port, help="the port (8000)")
        one.add_argument("--demo", action="store_true", help="the demo school alone")
        one.add_argument("--tls-cert", type=Path, help="speak https with this certificate")
        one.add_argument("--tls-key", type=Path, help="the key of the certificate")
    made["serve"].add_argument(
        "--processes", default=1, type=_few, help="how many, at neighbouring ports (1)"
    )
    made["serve"].add_argument("--part", action="store_true", help=argparse.SUPPRESS)
    made["demo"].set_defaults(part=False)
    made["health"].add_argument("--port", default=8000, type=_port, help="its port (8000)")
    made["health"].add_argument(
        "--processes", default=1, type=_few, help="how many, at neighbouring ports (1)"
    )
    made["backup"].add_argument(
        "file", nargs="?", type=Path, help="the copy (instance/backups/...)"
    )
    made["restore"].add_argument("file", nargs="?", type=Path, help="(none: already restored)")
    made["restore"].add_argument(
        "--without-list", action="store_true", help="also if the list of what was removed is lost"
    )
    made["password"].add_argument("login")
    made["password"].add_argument(
        "--code", action="store_true", help="print a code with which the adult sets one"
    )
    made["administrator"].add_argument("login")
    made["make-demo"].add_argument("file", type=Path)
    return parser


def _runs() -> dict[str, Callable[[argparse.Namespace], int]]:
    return {
        "serve": serve, "demo": serve_demo, "backup": backup, "restore": restore,
        "newkey": newkey, "password": password, "administrator": administrator,
        "recount": recount, "audit": check_audit, "privacy": privacy, "sbom": sbom,
        "health": health, "make-demo": make_demo,
    }  # fmt: skip


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError("a port is a number up to 65535")
    return int(text)


def _few(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST_PROCESSES}")
    return int(text)


# ---- serving


def serve(given: argparse.Namespace) -> int:
    """Serve the school until Ctrl-C; the first lines give its address and how to set it up."""
    from classroom import config, logs, processes
    from classroom.app import create_app
    from classroom.database import closed, db
    from classroom.services.access import first_setup
    from classroom.services.base import security_log
    from classroom.services.operation import health, look_around, own_key, restored, upkeep
    from classroom.services.school import people

    if given.demo:
        return serve_demo(given)
    found = config.load()
    if found["LOG_JSON"]:
        logs.write_json()
    folder = Path(found["INSTANCE"])
    upkeep.make_ready(folder)
    tls = _tls(given, folder)
    processes.check(given, str(found["DATABASE_URI"]))
    if given.processes > 1:
        with upkeep.only_one(folder):
            return processes.serve_school(given)
    if given.part:
        processes.end_with_parent()
    with contextlib.ExitStack() as stack:
        if not given.part:
            stack.enter_context(upkeep.only_one(folder))
        app = create_app()
        stack.enter_context(closed(app))
        with app.app_context():
            health.examine()
            own_key.check()
            own_key.check_list(folder)
            _say_who_needs_a_password(restored.without_password(restored.replay()))
            if not people.has_administrator():
                print(NO_ADMINISTRATOR, flush=True)
            code = None if first_setup.is_set_up() else first_setup.first_code()
            engine = db.engine
        if "look_around" not in app.extensions:
            look_around.forget(folder)
        with security_log.kept(engine, folder, serving=True):
            _run(app, given, tls, code)
    return 0


def serve_demo(given: argparse.Namespace) -> int:
    """Serve the demo school alone; make it first if there is none yet."""
    from classroom import config, processes
    from classroom.app import create_app
    from classroom.services.operation import look_around, upkeep

    folder = Path(config.load()["INSTANCE"])
    upkeep.make_ready(folder)
    tls = _tls(given, folder)
    processes.free(given.host, given.port)
    with upkeep.only_one(folder):
        app = create_app({"DEMO": True, "DATABASE_URI": ""})
        demo: look_around.Demo = app.extensions["look_around"]
        if not demo.ready:
            print("25 children play three weeks of Go Fish (only once, a minute or two):")
            demo.make_now(_bar)
            print()
        _run(app, given, tls, None)
    return 0


def _run(app: Flask, given: argparse.Namespace, tls: Https | None, code: str | None) -> None:
    """Serve this school; if it has a demo school, keep that fresh."""
    from classroom.live.server import serve
    from classroom.services.operation.look_around import Keeper

    demo = app.extensions.get("look_around")
    with Keeper(demo) if demo else contextlib.nullcontext():
        proxies = app.config["PROXIES"]
        serve(
            app,
            given.host,
            given.port,
            ready=lambda host, port: _hello(host, port, tls, code, private=proxies > 0),
            tls=tls and tls.context,
            grace=5 if given.part else 1,  # others play on while a part is replaced
        )


def _tls(given: argparse.Namespace, folder: Path) -> Https | None:
    """Load the TLS set-up, if any. The command line takes precedence over the settings, whose paths
    are relative to the instance folder. Raises CannotStart if it cannot be used."""
    from classroom import config
    from classroom.live.tls import https

    found = config.load()
    names = found["TLS_CERT"], found["TLS_KEY"]
    kept = [str(folder.resolve() / name) if name else "" for name in names]
    said = [str(path.absolute()) if path else "" for path in (given.tls_cert, given.tls_key)]
    certificate, key = said if any(said) else kept
    return https(certificate, key) if certificate or key else None


def _hello(host: str, port: int, tls: Https | None, code: str | None, private: bool) -> None:
    """Print where the school is open. `private`: a proxy takes care of https."""
    shown = socket.gethostname() if host in ("0.0.0.0", "::") else host  # noqa: S104
    shown = f"[{shown}]" if ":" in shown else shown
    scheme = "https" if tls else "http"
    print(f"Fish School is open at {scheme}://{shown}:{port}/ (Ctrl-C ends it)", flush=True)
    number = _own_number() if host == "0.0.0.0" else ""  # noqa: S104
    if number:
        print(f"Where a tablet does not find that name: {scheme}://{number}:{port}/", flush=True)
    if tls:
        print(f"Its certificate is good until {tls.until.astimezone():%Y-%m-%d}.", flush=True)
    elif host not in LOOPBACK and not private:
        print(IN_THE_OPEN, flush=True)
    if code:
        print(f"To set up your school, type this code there: {code}", flush=True)


def _own_number() -> str:
    """The number of this computer in its network, "" if it is in none. No packet is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def _bar(share: float) -> None:
    full = round(40 * share)
    print(f"\r[{'#' * full}{'.' * (40 - full)}] {share:4.0%}", end="", flush=True)


# ---- looking after


def backup(given: argparse.Namespace) -> int:
    """Copy the database and check the copy; then say whether the audit log is whole."""
    from classroom.services.base import clock
    from classroom.services.base.errors import CannotStart
    from classroom.services.operation import copies

    database = _database_file()
    stamp = clock.local(clock.now()).strftime("%Y-%m-%d-%H%M%S")
    target: Path = given.file or database.parent / "backups" / f"school-{stamp}.db"
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    copies.backup(database, target)
    print(f"The school has been copied to {target}.")
    print("Keep a copy of instance/key as well: without it, every child needs new pictures.")
    with contextlib.suppress(CannotStart):  # the copy is good, whether or not there is a key
        check_audit(given, UPGRADE=False)
    return 0


def restore(given: argparse.Namespace) -> int:
    """Replace the database with a backup, leaving out what was removed since. The server must be
    stopped. If no file is given, the backup is already in place."""
    from classroom import config
    from classroom.services.base import tombstones
    from classroom.services.operation import copies, own_key, upkeep

    folder = Path(config.load()["INSTANCE"]).resolve()
    logins: list[str] = []
    upkeep.make_ready(folder)
    with upkeep.only_one(folder):
        whole = tombstones.is_there(folder)
        if not given.without_list:
            own_key.require_list(folder)
        if given.file is None:
            logins += _mended()
        else:
            copies.restore(given.file, _database_file(), lambda file: logins.extend(_mended(file)))
        tombstones.begin(folder)
    print("The school is as it was in the backup,", WITHOUT if whole else WITH)
    print("Everyone has to sign in again. Unused codes on paper are void.")
    _say_who_needs_a_password(logins)
    return 0


def _say_who_needs_a_password(logins: Sequence[str]) -> None:
    for login in logins:
        print(f"A new password is needed: {COMMAND} password {login}", flush=True)


def _mended(file: Path | None = None) -> list[str]:
    """Take out of a backup all that has ended since it was made: out of this file or, if none is
    given, out of the database in place. Returns the logins that need a new password."""
    from sqlalchemy import URL

    from classroom.app import create_app
    from classroom.database import opened
    from classroom.services.operation import restored

    where = {"DATABASE_URI": URL.create("sqlite", database=str(file)), "COPIES": 0} if file else {}
    with opened(create_app({"LOOK_AROUND": False, **where})):
        return restored.mend()


def newkey(_given: argparse.Namespace) -> int:
    """Make a new key in place of a lost one; the server must be stopped."""
    from classroom import config
    from classroom.app import create_app
    from classroom.database import opened
    from classroom.services.base import audit, secrets_
    from classroom.services.operation import own_key, upkeep

    folder = Path(config.load()["INSTANCE"]).resolve()
    upkeep.make_ready(folder)
    with upkeep.only_one(folder):
        old = secrets_.new_key(folder)
        with opened(create_app({"LOOK_AROUND": False})):
            own_key.replace()
            audit.begin_with_a_new_key()
    print("There is a new key: every child needs a new sign-in card.")
    print("Unused codes on paper are void.")
    if old is not None:
        print(f"The old key was moved to {old}.")
    return 0


def recount(_given: argparse.Namespace) -> int:
    """Recount every child's evidence; prints for how many children the counts changed."""
    from classroom.app import create_app
    from classroom.database import opened
    from classroom.services.table import evidence_log

    with opened(create_app({"LOOK_AROUND": False})):
        differed = [changed for _, changed in evidence_log.recount()]
    print(f"Recounted {len(differed)} children; the counts of {sum(differed)} have changed.")
    return 0


def check_audit(_given: argparse.Namespace, **settings: bool) -> int:
    """Check the seals of the audit log; returns 1 if a row was changed or taken out."""
    from classroom.app import create_app
    from classroom.database import opened
    from classroom.services.base import audit
    from classroom.services.operation import seals

    with opened(create_app({"LOOK_AROUND": False, **settings})):
        found = audit.verify()
    print(seals.in_words(found))
    return 0 if found.wrong is None else 1


def privacy(_given: argparse.Namespace) -> int:
    """Write PRIVACY.md and the papers in docs/folder from the register."""
    from classroom import config
    from classroom.papers import files
    from classroom.services.base.errors import CannotStart

    if config.INSTALLED:
        raise CannotStart("These pages are files of the sources, and this is an installed program.")
    files.write(config.ROOT)
    return 0


def sbom(_given: argparse.Namespace) -> int:
    """Print the list of third-party software that a school runs."""
    from classroom.sbom import text

    print(text(), end="")
    return 0


def _database_file() -> Path:
    from classroom import config
    from classroom.services.base.errors import CannotStart

    found = config.load()
    if found["DATABASE_URI"]:
        raise CannotStart(
            "The data is in another database (DATABASE_URI): use that database's own tools, such "
            "as pg_dump and pg_restore."
        )
    return Path(found["INSTANCE"]).resolve() / "school.db"
