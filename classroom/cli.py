"""The commands, each a few lines on top of services. A command imports what it needs when it runs,
so that `help`, `health` and `record` need not load the web framework."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from classroom import config
from classroom.config import COMMAND
from classroom.launcher import COMMANDS, HELP, Missing, in_full, quietly, usage

if TYPE_CHECKING:
    from flask import Flask

    from classroom.live.server import Https

MOST_PROCESSES: Final = 64
PATIENCE: Final = 10.0  # seconds to wait for a server's response
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104
ONLY_HERE: Final = (
    "Only this computer can open it. For tablets on the same network stop it, and start it again "
    f"with: {COMMAND} --host {EVERYWHERE}"
)
FOR_THE_BOARD: Final = (
    "For the board: open your class, then “Show the code”. That page has the address, the code of "
    "the class and a QR code."
)
IN_THE_OPEN: Final = (
    "This connection is not private: anyone on the same network can read the passwords that adults "
    "type. See docs/https.md for how to change that."
)
WITHOUT: Final = "without what has been removed since."
WITH: Final = "and what has been removed since is back, because the list of it is missing."
NO_ADMINISTRATOR: Final = (
    "No one is an administrator of the school any more. To make a teacher one: "
    f"{COMMAND} administrator LOGIN"
)

Run = Callable[..., int | None]  # a command; returns the exit status, None for 0
school: Final = click.Group(COMMAND)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. A refusal prints one sentence and returns 1; wrong
    arguments return 2. In an installed program, `fish-school` calls this function. In a checkout,
    run.py makes the virtual environment, and then calls it with `python -m classroom`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    hidden = ("privacy",) if config.INSTALLED else ()  # this command needs the source tree
    help_text = usage(COMMAND, {name: one for name, one in COMMANDS.items() if name not in hidden})
    return quietly(lambda: _main(words, help_text))


def _main(words: list[str], help_text: str) -> int:
    if words[:1] in HELP:
        print(help_text)
        return 0
    try:
        with school.make_context(COMMAND, in_full(words, school.commands, help_text)) as context:
            return school.invoke(context) or 0
    except click.exceptions.Exit as done:  # after `--help`
        return done.exit_code
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        raise  # the reader of our output is gone; `quietly` handles this
    except Exception as error:
        if (said := _told(error)) is None:
            raise
        print(said, file=sys.stderr)
        return 1


def _told(error: Exception) -> str | None:
    """Return the message for an error that the operator can fix; None for any other error."""
    from sqlalchemy.exc import DBAPIError

    from classroom.condition import Unavailable
    from classroom.services.base.errors import CannotStart, Refused

    if isinstance(error, Missing | CannotStart | Unavailable | ValueError):
        return str(error)
    if isinstance(error, OSError | DBAPIError):
        from classroom.services.operation.health import in_words

        return in_words(error)
    if isinstance(error, Refused):
        from classroom.web.words.sentences import sentence

        return sentence(error)
    return None


# ---- parts of the command lines


def _command(name: str, **more: Any) -> Callable[[Run], click.Command]:
    """Make the function a command. Its help is the text in the launcher's list."""
    does = COMMANDS[name].does if name in COMMANDS else None
    more.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
    return school.command(name, help=does, hidden=does is None, **more)


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise click.BadParameter(f"{text!r} is no number from {least} to {most}.")
        return int(text)

    return number


_FILE: Final = click.Path(path_type=Path)
_PORT: Final = click.option(
    "--port", default="8000", type=_number(0, 65_535), metavar="PORT", help="the port (8000)"
)
_PROCESSES: Final = click.option(
    "--processes",
    default="1",
    type=_number(1, MOST_PROCESSES),
    metavar="N",
    help="how many, at neighbouring ports (1)",
)


def _serving(run: Run) -> Run:
    """Add the options of a command that starts a server."""
    for option in (
        click.option("--tls-key", type=_FILE, help="the key of the certificate"),
        click.option("--tls-cert", type=_FILE, help="speak https with this certificate"),
        _PORT,
        click.option("--host", default="127.0.0.1", help="the address to listen on"),
    ):
        run = option(run)
    return run


# ---- serving


@_command("serve")
@_serving
@_PROCESSES
@click.option("--demo", is_flag=True, help="the demo school alone")
@click.option("--part", is_flag=True, hidden=True)
def serve(host: str, port: int, processes: int, demo: bool, part: bool, **tls: Path | None) -> int:
    """Serve the school until Ctrl-C. First print its URL and how to set it up."""
    from classroom import logs
    from classroom.processes import check, end_with_parent, serve_school
    from classroom.services.operation import upkeep

    if demo:
        _serve_demo(host, port, **tls)
        return 0
    found = config.load()
    if found["LOG_JSON"]:
        logs.write_json()
    folder = Path(found["INSTANCE"])
    upkeep.make_ready(folder)
    https = _https(folder, **tls)
    ports = range(port, port + processes)
    check(host, ports, str(found["DATABASE_URI"]))
    if part:
        end_with_parent()
    with contextlib.nullcontext() if part else upkeep.only_one(folder):
        if processes > 1:
            return serve_school(host, ports, tls)
        # one of several processes may end slowly: the others serve its children
        _serve(host, port, https, folder, grace=5 if part else 1)
    return 0


def _serve(host: str, port: int, https: Https | None, folder: Path, grace: int) -> None:
    """Serve the school in this process."""
    from classroom.app import create_app
    from classroom.database import closed, db
    from classroom.services.access import accounts
    from classroom.services.base import security_log
    from classroom.services.operation import health, look_around, restored, upkeep
    from classroom.services.school import people

    app = create_app()
    with closed(app):
        with app.app_context():
            health.examine()
            upkeep.check_key()
            upkeep.check_list(folder)
            _say_who_needs_a_password(restored.without_password(restored.replay()))
            if not people.has_administrator():
                print(NO_ADMINISTRATOR, flush=True)
            code = None if accounts.is_set_up() else accounts.first_code()
            engine = db.engine
        if "look_around" not in app.extensions:
            look_around.forget(folder)
        with security_log.kept(engine, folder, serving=True):
            _run(app, host, port, https, code, grace)


def _serve_demo(host: str, port: int, **tls: Path | None) -> None:
    """Serve the demo school alone; make it first if there is none yet."""
    from classroom import processes
    from classroom.app import create_app
    from classroom.services.operation import look_around

    processes.free(host, port)
    with _not_served() as folder:
        https = _https(folder, **tls)
        app = create_app({"DEMO": True, "DATABASE_URI": ""})
        made: look_around.Demo = app.extensions["look_around"]
        if not made.ready:
            made.make_now()
        _run(app, host, port, https)


_command("demo")(_serving(_serve_demo))


def _run(
    app: Flask, host: str, port: int, https: Https | None, code: str | None = None, grace: int = 1
) -> None:
    """Serve this school. Replace its demo school, if it has one, whenever a new one is due."""
    from classroom.live.server import serve
    from classroom.services.operation.look_around import Keeper

    demo = app.extensions.get("look_around")
    for one in (app, app.extensions.get("demo", app)):
        if host == EVERYWHERE:
            one.extensions["number"] = _own_number
    with Keeper(demo) if demo else contextlib.nullcontext():
        serve(
            app,
            host,
            port,
            ready=lambda host, port: _hello(host, port, https, code, app),
            tls=https and https.context,
            grace=grace,
        )


def _https(folder: Path, tls_cert: Path | None, tls_key: Path | None) -> Https | None:
    """Load the TLS set-up, if any. The command line takes precedence over the settings, whose paths
    are relative to the instance folder. Raises CannotStart if it cannot be used."""
    from classroom.live.server import https

    found = config.load()
    names = found["TLS_CERT"], found["TLS_KEY"]
    kept = [str(folder.resolve() / name) if name else "" for name in names]
    said = [str(path.absolute()) if path else "" for path in (tls_cert, tls_key)]
    certificate, key = said if any(said) else kept
    return https(certificate, key) if certificate or key else None


def _hello(host: str, port: int, https: Https | None, code: str | None, app: Flask) -> None:
    """Print the URLs at which the school is open."""
    import socket

    names, private = _whole(app.config["HOSTS"]), app.config["PROXIES"] > 0
    shown = [*names, socket.gethostname()][0] if host in (EVERYWHERE, "::") else host
    shown = f"[{shown}]" if ":" in shown else shown
    scheme = "https" if https else "http"
    print(f"Fish School is open at {scheme}://{shown}:{port}/ (Ctrl-C ends it)", flush=True)
    number = _own_number() if host == EVERYWHERE else ""
    if private and names:
        print(f"Browsers reach it through the web server in front: https://{names[0]}/", flush=True)
    elif number and number in (names or [number]):
        print(f"In numbers, for tablets that do not find that name: {scheme}://{number}:{port}/")
    if https:
        print(f"Its certificate is good until {https.until.astimezone():%Y-%m-%d}.", flush=True)
    elif host not in LOOPBACK and not private:
        print(IN_THE_OPEN, flush=True)
    if code:
        print(f"To set up your school, type this code there: {code}", flush=True)
    print(ONLY_HERE if host in LOOPBACK and not private else FOR_THE_BOARD, flush=True)


def _own_number() -> str:
    """Return this computer's IP address in its network; "" if none. Sends no packet."""
    import socket

    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""


# ---- looking after the data


@contextlib.contextmanager
def _not_served() -> Iterator[Path]:
    """Yield the school's folder, locked so that nobody else can serve it during the block."""
    from classroom.services.operation import upkeep

    folder = Path(config.load()["INSTANCE"]).resolve()
    upkeep.make_ready(folder)
    with upkeep.only_one(folder):
        yield folder


@contextlib.contextmanager
def _opened(**settings: Any) -> Iterator[Flask]:
    """Yield the school's app, with its database open, for a command that needs its data."""
    from classroom.app import create_app
    from classroom.database import opened

    app = create_app({"LOOK_AROUND": False, **settings})
    with opened(app):
        yield app


@_command("backup")
@click.argument("file", type=_FILE, required=False)
def backup(file: Path | None) -> None:
    """Copy the database, check the copy, and print whether the audit log is intact."""
    from classroom.services.base import clock
    from classroom.services.base.errors import CannotStart
    from classroom.services.operation import copies

    database = _database_file()
    stamp = clock.local(clock.now()).strftime("%Y-%m-%d-%H%M%S")
    target = file or database.parent / "backups" / f"school-{stamp}.db"
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    copies.backup(database, target)
    print(f"The school has been copied to {target}.")
    print("Keep a copy of instance/key as well: without it, every child needs new pictures.")
    with contextlib.suppress(CannotStart):  # without a key the copy is still good
        _audit(UPGRADE=False)


@_command("restore")
@click.argument("file", type=_FILE, required=False)
@click.option("--without-list", is_flag=True, help="even if the list of what was removed is lost")
def restore(file: Path | None, without_list: bool) -> None:
    """Replace the database with a backup, without the data that was removed since the backup. The
    server must be stopped. If no file is given, the backup is already in place."""
    from classroom.services.base import tombstones
    from classroom.services.operation import copies, upkeep

    logins: list[str] = []
    with _not_served() as folder:
        whole = tombstones.is_there(folder)
        if not without_list:
            upkeep.require_list(folder)
        if file is None:
            logins += _mended()
        else:
            copies.restore(file, _database_file(), lambda copy: logins.extend(_mended(copy)))
        tombstones.begin(folder)
    print("The school is as it was in the backup,", WITHOUT if whole else WITH)
    print("Everyone has to sign in again. Unused codes on paper are void.")
    _say_who_needs_a_password(logins)


def _say_who_needs_a_password(logins: Sequence[str]) -> None:
    for login in logins:
        print(f"A new password is needed: {COMMAND} password {login}", flush=True)


def _mended(file: Path | None = None) -> list[str]:
    """Remove from a backup its sessions, its unused codes and the data removed since it was made.
    If no file is given, mend the database in place. Returns the logins that need a new password."""
    from sqlalchemy import URL

    from classroom.services.operation import restored

    where = {"DATABASE_URI": URL.create("sqlite", database=str(file)), "COPIES": 0} if file else {}
    with _opened(**where):
        return restored.mend()


@_command("newkey")
def newkey() -> None:
    """Make a new key to replace a lost one. The server must be stopped."""
    from classroom.services.base import audit, secrets_
    from classroom.services.operation import upkeep

    with _not_served() as folder:
        old = secrets_.new_key(folder)
        with _opened():
            upkeep.replace_key()
            audit.begin_with_a_new_key()
    print("There is a new key: every child needs a new sign-in card.")
    print("Unused codes on paper are void.")
    if old is not None:
        print(f"The old key was moved to {old}.")


@_command("recount")
def recount() -> None:
    """Recount every child's evidence, and print for how many children the counts changed."""
    from classroom.services.table import evidence_log

    with _opened():
        differed = [changed for _, changed in evidence_log.recount()]
    print(f"Recounted {len(differed)} children; the counts of {sum(differed)} have changed.")


def _audit(**settings: bool) -> int:
    """Check the seals of the audit log; returns 1 if a row was changed or removed."""
    from classroom.services.base import audit

    with _opened(**settings):
        found = audit.verify()
    print(audit.seals_in_words(found))
    return 0 if found.wrong is None else 1


_command("audit")(_audit)


@_command("privacy")
def privacy() -> None:
    """Write PRIVACY.md and the other source files that are made from the privacy register."""
    from classroom import papers
    from classroom.services.base.errors import CannotStart

    if config.INSTALLED:
        raise CannotStart("These pages are files of the sources, and this is an installed program.")
    papers.write(config.ROOT)


@_command("sbom")
def sbom() -> None:
    """Print the list of third-party software that a school runs."""
    from classroom import papers

    print(papers.components(), end="")


def _database_file() -> Path:
    from classroom.services.base.errors import CannotStart

    found = config.load()
    if found["DATABASE_URI"]:
        raise CannotStart(
            "The data is in another database (DATABASE_URI): use that database's own tools, such "
            "as pg_dump and pg_restore."
        )
    return Path(found["INSTANCE"]).resolve() / "school.db"


# ---- for an adult who cannot get in


@_command("password")
@click.argument("login")
@click.option("--code", is_flag=True, help="print a code with which the adult sets one")
def password(login: str, code: bool) -> None:
    """Read an adult's new password and set it, or print a code for setting a new one."""
    import getpass

    from classroom.database import db
    from classroom.services.access import accounts, sign_in
    from classroom.services.base import security_log

    with _opened() as app, security_log.kept(db.engine, Path(app.instance_path)):
        if code:
            made = accounts.make_reset_code_for(login)
            print(f"The code, good once within {accounts.RESET_DAYS} days:\n{made}")
            print("Enter it on the sign-in page, under “I have a code for a new password”.")
            return
        typed = getpass.getpass("New password: ") if sys.stdin.isatty() else sys.stdin.readline()
        sign_in.reset_password(login, typed.rstrip("\n"))
    print("The password has been changed, and every browser of this account is signed out.")


@_command("administrator")
@click.argument("login")
def administrator(login: str) -> None:
    """Make a teacher an administrator, for a school that has lost its last administrator."""
    from classroom.database import db
    from classroom.services.base import security_log
    from classroom.services.school import people

    with _opened() as app, security_log.kept(db.engine, Path(app.instance_path)):
        people.make_administrator(login)
    print("They are an administrator now: the pages of the school are under “School”.")


@_command("language")
@click.argument("act", type=click.Choice(("new", "missing")), metavar="ACT")
@click.argument("code")
def language(act: str, code: str) -> int:
    """Write the files of a new language, such as `vi`, or list the texts that they still lack.
    Returns 1 if the list is not empty."""
    from babel import UnknownLocaleError

    from classroom.web.words import new_language

    try:
        if act == "new":
            made = new_language.begin(code)
            print("\n".join(f"Made {path}" for path in made) or "The files are there already.")
            return 0
        found = list(new_language.missing(code))
    except UnknownLocaleError:
        raise click.UsageError(f"There is no language {code!r}: use a code such as vi.") from None
    except FileNotFoundError:
        raise click.UsageError(f"Begin with: {config.COMMAND} language new {code}") from None
    except ValueError as error:
        raise click.UsageError(f"A file of {code} cannot be read: {error}.") from None
    print("\n".join(found) or "Nothing is missing.")
    return 1 if found else 0


# ---- for other programs


@_command("record", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def record(words: tuple[str, ...]) -> int:
    """Write a round as text. The arguments are parsed in recorder.py."""
    from classroom.recorder import main

    return main(words)


@_command("health")
@_PORT
@_PROCESSES
def health(port: int, processes: int) -> int:
    """Print the health of the server on this machine, one line for each process; returns 1 unless
    all are well. Meant for the health check of a container, and for monitors that run a command."""
    found = config.load()
    names, tls = _whole(found["HOSTS"]), bool(found["TLS_CERT"])
    well = [_is_well(one, names, tls=tls) for one in range(port, port + processes)]
    return 0 if all(well) else 1


def _is_well(port: int, names: list[str], *, tls: bool) -> bool:
    """Print the response from `/health` on this port; returns whether the server is well."""
    import ssl
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    trusting = ssl._create_unverified_context()  # noqa: S323 - the certificate is for another name
    line = (
        HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=trusting)
        if tls
        else HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    )
    try:
        with contextlib.closing(line):
            line.request("GET", "/health", headers={"Host": names[0] if names else "localhost"})
            answer = line.getresponse()
            said = answer.read().decode().strip()
    except (OSError, HTTPException) as error:
        print(f"Nobody answers at port {port} ({error}).", file=sys.stderr)
        return False
    print(said, flush=True)
    return answer.status == 200


def _whole(names: str) -> list[str]:
    """Return the full names in the setting HOSTS. Leaves out entries like `.school.lan`, which
    stand for all names below `school.lan`."""
    return [name for name in names.replace(",", " ").split() if not name.startswith(".")]
