"""Tests of run.py and its commands, most of them in processes of their own."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import urlencode

import click
import pytest
import trustme

from classroom import app, cli, config, launcher
from classroom.launcher import Missing
from classroom.services.access import accounts, sign_in
from classroom.services.base.errors import CannotStart
from tests.conftest import finish, make_app
from tests.ports import free_port
from tests.serving import get, open_tables, serving, stream, surroundings
from tests.world import World

ROOT = Path(__file__).resolve().parent.parent

one_process = pytest.mark.skipif(
    sys.platform == "win32", reason="there Ctrl-C goes to a whole console"
)
own_server = pytest.mark.walk(6, of="a server of its own")


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def folder(tmp_path: Path, migrated: Path) -> Path:
    """The folder of a new school whose database is made already, so that it starts sooner."""
    finish(make_app(tmp_path / "instance", migrated))
    return tmp_path / "instance"


def run(*words: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "classroom", *words],
        env={**surroundings(folder), **more},
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


Given = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Given:
    """Give a command as `run` does, but in this process, which takes no second to start."""

    def in_process(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
        monkeypatch.setenv("FISH_INSTANCE", str(folder))
        monkeypatch.chdir(folder.parent)
        capsys.readouterr()
        status, printed = cli.main(words), capsys.readouterr()
        return subprocess.CompletedProcess(words, status, printed.out, printed.err)

    return in_process


# ---- serving


@own_server
def test_a_first_start_prints_the_address_and_the_code_and_serves(
    tmp_path: Path, port: int
) -> None:
    with serving(tmp_path / "instance", port) as (process, printed):
        assert f"http://127.0.0.1:{port}/" in printed
        assert process.stdout is not None
        assert re.search(r"type this code there: \w{4}-\w{4}", process.stdout.readline())
        assert get(port)[0] == 200
        assert get(port, "/health") == (200, "ok\n")


@own_server
def test_a_later_start_serves_the_same_school(tmp_path: Path, port: int) -> None:
    folder = tmp_path / "instance"
    with serving(folder, port) as (_, first):
        key = (folder / "key").read_text()
    with serving(folder, port) as (_, printed):
        assert get(port)[0] == 200
        assert printed == first
        assert (folder / "key").read_text() == key


@own_server
@one_process
def test_ctrl_c_ends_it_with_a_connection_open(folder: Path, port: int) -> None:
    with (
        serving(folder, port) as (process, _),
        contextlib.closing(socket.create_connection(("127.0.0.1", port))) as held,
    ):
        held.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")  # and never sends the rest
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@own_server
@one_process
def test_after_ctrl_c_the_file_alone_is_the_whole_school(
    tmp_path: Path, peopled: Path, port: int
) -> None:
    folder = tmp_path / "instance"
    lake = Lake(folder, peopled)
    with serving(folder, port) as (process, _):
        for _ in range(5):
            assert lake.writes(port) == 303
        assert (folder / "school.db-wal").stat().st_size > 0
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    logs = [path for path in folder.glob("*.db-wal") if path.stat().st_size]
    assert logs == []
    assert written(folder / "school.db") == 5


class Lake:
    """A signed-in teacher of the school in this folder, whose actions write to the database."""

    def __init__(self, folder: Path, like: Path) -> None:
        app = make_app(folder, like)
        world = World.of(app)
        client = world.visitor("lake").client
        found = [client.get_cookie(name) for name in ("school", "school-device")]
        self._cookies = "; ".join(f"{one.key}={one.value}" for one in found if one)
        self._path = f"/teach/classes/{world.classes['sunfish']}/open"
        finish(app)

    def writes(self, port: int) -> int:
        """Open the class, which is noted in the audit log. Returns the status of the answer."""
        page = self._asked(port, "/account")[1]
        form = {"token": re.findall(r'name="token" value="([0-9a-f]+)"', page)[0], "minutes": "45"}
        return self._asked(port, self._path, urllib.parse.urlencode(form))[0]

    def _asked(self, port: int, path: str, form: str | None = None) -> tuple[int, str]:
        headers = {"Cookie": self._cookies}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        with contextlib.closing(line):
            line.request("POST" if form else "GET", path, form, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()


def written(file: Path) -> int:
    """The number of Lake's writes in the database file alone, without its log."""
    copy = shutil.copyfile(file, file.with_name("alone.copy"))
    with contextlib.closing(sqlite3.connect(copy)) as alone:
        found = alone.execute("SELECT count(*) FROM audit WHERE action = 'open'").fetchone()
    return int(found[0])


@own_server
@one_process
def test_ctrl_c_ends_it_with_streams_open(tmp_path: Path, peopled: Path, port: int) -> None:
    folder = tmp_path / "instance"
    made = make_app(folder, peopled)
    path, cookies = open_tables(made, 5)
    finish(made)
    with serving(folder, port) as (process, _), contextlib.ExitStack() as open_lines:
        for cookie in cookies:
            open_lines.enter_context(stream(port, path, cookie))
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@own_server
def test_a_page_reveals_no_version_and_the_server_answers_to_no_other_name(
    folder: Path, port: int
) -> None:
    with (
        serving(folder, port),
        contextlib.closing(socket.create_connection(("127.0.0.1", port))) as line,
    ):
        line.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        answer = b""
        while part := line.recv(65_536):
            answer += part
        assert answer.startswith(b"HTTP/1.1 400 ")
        assert b"\r\nserver:" not in answer.lower()


@own_server
def test_one_line_warns_of_serving_a_network_without_https(
    folder: Path, port: int, whole: bool
) -> None:
    def said(*words: str) -> str:
        with serving(folder, port, *words) as (process, printed):
            assert process.stdout is not None
            line = process.stdout.readline()
            if line.startswith("In numbers"):  # only where there is a network
                line = process.stdout.readline()
            return printed + line

    assert said("--host", "0.0.0.0").count("This connection is not private: anyone") == 1
    if whole:
        (folder / "settings.toml").write_text("proxies = 1\n")
        assert "not private" not in said("--host", "0.0.0.0")


@own_server
def test_the_console_names_an_address_that_is_answered_and_the_board(
    folder: Path, port: int
) -> None:
    def said(*words: str, settings: str = "") -> str:
        (folder / "settings.toml").write_text(settings)
        with serving(folder, port, *words) as (process, printed):
            assert process.stdout is not None
            while "For the board" not in printed and "Only this computer" not in printed:
                line = process.stdout.readline()
                assert line, printed
                printed += line
            return printed

    assert "--host 0.0.0.0" in said()
    name = 'hosts = "fish.school.example"\n'
    found = said("--host", "0.0.0.0", settings=name)
    assert f"open at http://fish.school.example:{port}/" in found
    assert "In numbers" not in found  # the number would be refused
    assert "in front: https://fish.school.example/" in said(settings=name + "proxies = 1\n")


@own_server
def test_a_monitor_asks_by_command_how_the_server_is(folder: Path, port: int, given: Given) -> None:
    asked = ("health", "--port", str(port))
    silent = given(*asked, folder=folder)
    assert (silent.returncode, silent.stdout) == (1, "")
    assert f"Nobody answers at port {port}" in silent.stderr
    (folder / "settings.toml").write_text('hosts = ".school.lan, fish.school.lan"\n')
    with serving(folder, port):
        done = given(*asked, folder=folder)
        assert (done.returncode, done.stdout) == (0, "ok\n")
        (folder / "school.db").rename(folder / "elsewhere.db")
        done = given(*asked, folder=folder)
        assert done.returncode == 1
        assert "school.db was deleted or replaced" in done.stdout


@own_server
def test_the_log_of_a_server_is_json_where_that_is_set(folder: Path, port: int) -> None:
    (folder / "settings.toml").write_text("log_json = true\n")
    with serving(folder, port) as (process, _):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        with contextlib.closing(line):
            line.request("GET", "/", headers={"Host": "evil.example"})
            assert line.getresponse().status == 400
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
    assert "not private" not in "".join(said)  # for this computer alone it is private
    (logged,) = [json.loads(one) for one in said if one.startswith("{")]
    assert logged["logger"] == "classroom"
    assert "evil.example" in logged["message"]


# ---- https


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    folder, authority = tmp_path_factory.mktemp("tls"), trustme.CA()
    made = authority.issue_cert("127.0.0.1")
    made.private_key_pem.write_to_path(folder / "school.key")
    made.cert_chain_pems[0].write_to_path(folder / "school.crt")
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(trusting)
    return Certificate(folder / "school.crt", folder / "school.key", trusting)


class Certificate(NamedTuple):
    """The two files of a certificate, and the settings of a browser that trusts its authority."""

    cert: Path
    key: Path
    trusting: ssl.SSLContext

    @property
    def words(self) -> list[str]:
        return ["--tls-cert", str(self.cert), "--tls-key", str(self.key)]


@own_server
def test_a_school_is_set_up_and_its_teacher_signs_in_over_https(
    tmp_path: Path, port: int, certificate: Certificate
) -> None:
    with serving(tmp_path / "instance", port, *certificate.words) as (process, printed):
        assert process.stdout is not None
        assert f"https://127.0.0.1:{port}/" in printed
        assert "certificate is good until" in process.stdout.readline()
        code = process.stdout.readline().split()[-1]
        jar, origin = CookieJar(), f"https://127.0.0.1:{port}"
        browser = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=certificate.trusting),
            urllib.request.HTTPCookieProcessor(jar),
        )
        with browser.open(origin + "/setup", timeout=20) as page:
            assert page.headers["Strict-Transport-Security"]
            token = re.search(r'name="token" value="([0-9a-f]+)"', page.read().decode())
        assert token
        fields = {"token": token[1], "code": code, "school_name": "Pond School", "name": "Ms Lake"}
        form = urlencode(fields | {"login": "lake", "password": "seven quiet herons wade"})
        sent = urllib.request.Request(origin + "/setup", form.encode(), {"Origin": origin})
        with browser.open(sent, timeout=20) as page:
            # over https an administrator adds a second step first
            assert page.url == origin + "/account/second?needed=1"
        assert {cookie.name for cookie in jar} == {"__Host-school", "__Host-school-device"}
        assert all(cookie.secure for cookie in jar)
        sent = urllib.request.Request(
            origin + "/in", form.encode(), {"Origin": origin.replace("https", "http")}
        )
        with pytest.raises(urllib.error.HTTPError, match="403"):
            browser.open(sent, timeout=20)


@own_server
def test_a_table_streams_over_https(
    tmp_path: Path, peopled: Path, port: int, certificate: Certificate
) -> None:
    folder = tmp_path / "instance"
    made = make_app(folder, peopled)
    path, (token,) = open_tables(made, 1)
    finish(made)
    with (
        serving(folder, port, *certificate.words),
        socket.create_connection(("127.0.0.1", port), 20) as plain,
        certificate.trusting.wrap_socket(plain, server_hostname="127.0.0.1") as line,
    ):
        assert line.version() in ("TLSv1.2", "TLSv1.3")
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: __Host-school={token}\r\n\r\n"
        line.sendall(head.encode())
        assert b"text/event-stream" in line.recv(65_536)


@own_server
def test_the_certificate_can_be_named_in_the_settings(
    folder: Path, port: int, certificate: Certificate
) -> None:
    shutil.copy(certificate.cert, folder)
    shutil.copy(certificate.key, folder)
    settings = 'tls_cert = "school.crt"\ntls_key = "school.key"\n'
    (folder / "settings.toml").write_text(settings)
    with serving(folder, port) as (_, printed):
        assert f"https://127.0.0.1:{port}/" in printed


@own_server
def test_an_unusable_certificate_is_reported_before_the_port_opens(
    tmp_path: Path, refused: Refused, port: int, certificate: Certificate
) -> None:
    words = ["serve", "--port", str(port), "--tls-cert", str(certificate.cert)]
    said = refused(*words, folder=tmp_path / "instance")
    assert "two files" in said
    said = refused(*words, "--tls-key", "none.key", folder=tmp_path / "instance")
    assert "none.key cannot be read" in said
    assert not (tmp_path / "instance" / "school.db").exists()


# ---- errors at the start are one sentence


Refused = Callable[..., str]


@pytest.fixture
def refused(given: Given) -> Refused:
    """Give a command in this process. Returns the one sentence with which it refuses."""
    return lambda *words, folder: one_sentence(given(*words, folder=folder))


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_taken_port_is_reported(tmp_path: Path, refused: Refused, port: int) -> None:
    with contextlib.closing(socket.create_server(("127.0.0.1", port))):
        said = refused("serve", "--port", str(port), folder=tmp_path / "instance")
    assert f"Port {port}" in said
    assert f"--port {port + 1}" in said


def test_an_unknown_address_is_reported(tmp_path: Path, refused: Refused) -> None:
    said = refused("serve", "--host", "no.such.host.invalid", folder=tmp_path / "i")
    assert "--host 0.0.0.0" in said


def test_an_unwritable_folder_is_reported(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "file").write_text("")
    said = refused("serve", folder=tmp_path / "file")
    assert "FISH_INSTANCE" in said


@own_server
def test_a_second_server_on_the_same_school_is_refused(
    folder: Path, port: int, refused: Refused
) -> None:
    with serving(folder, port):
        said = refused("serve", "--port", "0", folder=folder)
        restoring = refused("restore", "x.db", folder=folder)
    assert said == restoring
    assert "Another server" in said


def test_an_unknown_setting_is_reported(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "settings.toml").write_text("colour = 1")
    assert "colour" in refused("serve", folder=tmp_path)


def test_an_old_python_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    import run as start

    monkeypatch.setattr(sys, "version_info", (3, 6, 15, "final", 0))
    assert start.start([]) == 1
    assert capsys.readouterr().err == (
        "Fish School needs Python 3.11 or newer, and this is Python 3.6: "
        "install a newer one and start it with that.\n"
    )


def test_an_old_python_can_read_run_py() -> None:
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    assert source.isascii()
    for word in ('f"', "f'", ":=", "->", "match ", "async ", "nonlocal"):
        assert word not in source
    assert not re.search(r"def \w+\([^)]*:", source)


def test_a_python_without_venv_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(launcher, "find_spec", lambda name: None if name == "ensurepip" else name)
    with pytest.raises(Missing, match="apt-get install python3-venv"):
        launcher.make_environment(tmp_path / ".venv", tmp_path / ".venv" / "bin" / "python")


def test_ctrl_c_while_libraries_are_installed_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(launcher, "environment", stopped)
    for words in ([], ["check"]):
        assert launcher.main(words) == 130
        assert capsys.readouterr().err.strip() == "Stopped. Start again to go on."


@one_process
def test_ctrl_c_in_a_terminal_while_the_environment_is_made_is_one_sentence(tmp_path: Path) -> None:
    """All processes of the terminal get the signal, also the one that makes the environment."""
    python = tmp_path / "python"
    python.write_text(
        f"#!{sys.executable}\nimport time\nprint('making', flush=True)\ntime.sleep(60)\n"
    )
    python.chmod(0o755)
    start = (
        f"import pathlib, sys; from classroom import launcher; sys.executable = {str(python)!r}; "
        f"launcher.ROOT = pathlib.Path({str(tmp_path)!r}); "
        "launcher._stamp = str; sys.exit(launcher.main([]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", start],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "making\n" in iter(process.stdout.readline, "")
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr.read().strip() == "Stopped. Start again to go on."
        assert process.wait(60) == 130


@one_process
@pytest.mark.parametrize(
    "command",
    [
        ["run.py", "help"],
        ["-m", "classroom", "help"],
        ["-m", "classroom", "record", "--game", "classic", "--seats", "3"],
        ["-m", "classroom", "record", "--game", "classic", "--seats", "3", "--max-steps", "1"],
    ],
    ids=["run.py help", "fish-school help", "a long record", "a short record"],
)
def test_a_reader_who_closes_the_pipe_ends_a_command_without_a_word(command: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(60)) == ("", 0)


@one_process
def test_ctrl_c_ends_a_record_without_a_word() -> None:
    words = ["record", "--game", "fours", "--seats", "6", "--views"]
    with subprocess.Popen(
        [sys.executable, "-m", "classroom", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith('{"record"')  # and then the pipe fills up
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        process.stdout.read()
        assert (process.stderr.read(), process.wait(60)) == ("", 130)


@pytest.mark.parametrize("word", ["check", "test", "mutants"])
def test_help_for_a_tool_is_there_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    monkeypatch.setattr(launcher, "environment", lambda *_: pytest.fail("made an environment"))
    assert launcher.main([word, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"python3 run.py {word}")


def test_postgresql_without_its_library_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(app, "find_spec", lambda _: None)
    with pytest.raises(CannotStart, match="its library is missing: install it with"):
        app.create_app(
            {"INSTANCE": str(tmp_path), "DATABASE_URI": "postgresql+psycopg://x@127.0.0.1/x"}
        )


@pytest.mark.parametrize("address", ["postgres://x@y/z", "postgresql://x@y/z", "mysql://x", "x"])
def test_an_address_of_no_database_is_one_sentence(
    refused: Refused, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    monkeypatch.setenv("FISH_DATABASE_URI", address)
    assert "begins with postgresql+psycopg://" in refused("recount", folder=tmp_path / "instance")


def test_a_missing_lock_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(launcher, "ROOT", tmp_path)
    with pytest.raises(Missing, match="get the whole project again"):
        launcher.environment("requirements.txt")


@pytest.mark.parametrize("content", ["", "ab", "no key at all"])
def test_a_file_that_is_no_key_is_reported(folder: Path, refused: Refused, content: str) -> None:
    (folder / "key").write_text(content)
    said = refused("serve", folder=folder)
    assert str(folder / "key") in said
    assert "newkey" in said


@pytest.mark.parametrize("content", [b"garbage" * 1_000, b"SQLite format 3\0" + b"x" * 9_000])
def test_a_file_that_is_no_database_is_reported(
    tmp_path: Path, refused: Refused, content: bytes
) -> None:
    (tmp_path / "school.db").write_bytes(content)
    said = refused("serve", folder=tmp_path)
    assert "restore FILE" in said


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="may read anything")
def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").touch(mode=0)
    assert str(tmp_path / "settings.toml") in one_sentence(run("serve", folder=tmp_path))


@contextlib.contextmanager
def tiny_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of this size. The test is skipped if this user cannot mount one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    with contextlib.suppress(FileNotFoundError):
        if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
            try:
                yield folder
            finally:
                subprocess.run(["umount", "-l", str(folder)], check=True)
            return
    pytest.skip("this user cannot mount a disk")


def fill(folder: Path, but: int = 0) -> Path:
    """Fill the disk until this many bytes are free."""
    left = shutil.disk_usage(folder).free - but
    with (folder / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while left > 0:
            left -= filler.write(b"x" * min(left, 4_096))
    return folder / "filler"


@pytest.mark.whole  # every day instead: the full disk of tests/faults/test_troubles.py
@pytest.mark.parametrize("free", [0, 4_096, 16_384, 153_600])
def test_a_first_start_on_a_full_disk_is_refused(tmp_path: Path, port: int, free: int) -> None:
    with tiny_disk(tmp_path / "disk", "12m") as folder:
        filler = fill(folder, free)
        assert "The disk is full" in one_sentence(run("serve", folder=folder))
        filler.unlink()
        with serving(folder, port):
            assert get(port, "/health") == (200, "ok\n")


@own_server
def test_a_school_recovers_once_a_full_disk_has_room(
    tmp_path: Path, peopled: Path, port: int
) -> None:
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tiny_disk(tmp_path / "disk", "9m"))
        lake = Lake(folder, peopled)
        stack.enter_context(serving(folder, port))
        assert lake.writes(port) == 303
        filler = fill(folder)
        assert 503 in [lake.writes(port) for _ in range(5)]
        assert health(port) == (503, "The disk is full: make room on it.\n")
        time.sleep(6)
        assert health(port)[0] == 503
        filler.unlink()
        until(lambda: health(port) == (200, "ok\n"))
        assert lake.writes(port) == 303


# ---- what goes wrong while it serves


def health(port: int) -> tuple[int, str]:
    try:
        return get(port, "/health")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def until(happens: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until this happens. It may take up to three times as long as promised, because the
    machine may be busy."""
    latest = time.monotonic() + 3 * seconds
    while not happens():
        assert time.monotonic() < latest
        time.sleep(0.2)


@own_server
@one_process
def test_a_school_whose_file_was_deleted_is_restored_completely(
    tmp_path: Path, peopled: Path, port: int, given: Given
) -> None:
    folder = tmp_path / "instance"
    lake = Lake(folder, peopled)
    with serving(folder, port) as (process, _):
        until(lambda: (folder / "school.db-wal").exists())
        for _ in range(3):
            assert lake.writes(port) == 303
        (folder / "school.db").unlink()
        until(lambda: health(port)[0] == 503)
        until(lambda: len(list(folder.glob("copies/rescued-*.db"))) == 1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stdout is not None
        printed = process.stdout.read()
    assert "Traceback" not in printed
    assert printed.count("school.db was deleted or replaced") == 1
    (copy,) = folder.glob("copies/rescued-*.db")
    assert str(copy) in printed
    said = one_sentence(given("serve", "--port", "0", folder=folder))
    assert f"restore {copy}" in said
    assert given("restore", str(copy), folder=folder).returncode == 0
    assert written(folder / "school.db") == 3
    with serving(folder, port):
        assert health(port) == (200, "ok\n")


@own_server
@one_process
def test_a_file_copied_over_the_school_is_left_as_it_is(
    tmp_path: Path, peopled: Path, port: int, given: Given
) -> None:
    folder, backup = tmp_path / "instance", tmp_path / "backup.db"
    lake = Lake(folder, peopled)
    with serving(folder, port) as (process, _):
        assert given("backup", str(backup), folder=folder).returncode == 0
        assert lake.writes(port) == 303
        shutil.copyfile(backup, folder / "school.db")
        until(lambda: health(port)[0] == 503)
        until(lambda: not (folder / "school.db-wal").exists())
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert (folder / "school.db").read_bytes() == backup.read_bytes()


# ---- the environment


def test_libraries_are_not_installed_again_until_the_lock_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(launcher, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text("one==1")
    done = []

    def make(folder: Path, python: Path) -> None:
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        done.append("made")

    monkeypatch.setattr(launcher, "make_environment", make)
    monkeypatch.setattr(launcher, "install", lambda _python, lock: done.append(lock.name))
    launcher.environment("requirements.txt")
    launcher.environment("requirements.txt")
    assert done == ["made", "requirements.txt"]
    (tmp_path / "requirements.txt").write_text("one==2")
    launcher.environment("requirements.txt")
    assert done == ["made", "requirements.txt"] * 2


def test_a_failed_installation_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(launcher, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text("one==1")
    monkeypatch.setattr(launcher, "make_environment", lambda *_: None)

    def fail(_python: Path, _lock: Path) -> None:
        raise Missing("no network")

    monkeypatch.setattr(launcher, "install", fail)
    for _ in range(2):
        with pytest.raises(Missing, match="no network"):
            launcher.environment("requirements.txt")
    assert not (tmp_path / ".venv" / "requirements.txt.stamp").exists()


@pytest.mark.long
def test_a_fresh_copy_of_the_project_installs_and_starts(tmp_path: Path, port: int) -> None:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (tmp_path / "p" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "p" / name)
    process = subprocess.Popen(
        [sys.executable, "run.py", "--port", str(port)], cwd=tmp_path / "p", text=True
    )
    try:
        end = time.monotonic() + 300
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                assert get(port)[0] == 200
                break
            assert process.poll() is None
            time.sleep(0.5)
        else:
            pytest.fail("it did not serve within five minutes")
    finally:
        process.kill()
        process.wait()


# ---- testing


def test_no_browser_is_refused_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "1")
    assert launcher.main(["test", "--no-browser"]) == 1
    assert "refused where CI is set" in capsys.readouterr().err


def test_a_user_who_cannot_install_chromium_is_told_how(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("FISH_CHROMIUM", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(Missing, match="apt-get install chromium"):
        launcher.chromium()


def test_several_processes_on_a_sqlite_file_are_refused_in_one_sentence(
    tmp_path: Path, refused: Refused
) -> None:
    said = refused("serve", "--port", "0", "--processes", "2", folder=tmp_path / "school")
    assert said.startswith("Several processes need PostgreSQL")
    assert not (tmp_path / "school" / "school.db").exists()


@pytest.mark.parametrize("number", ["0", "65", "two", "-1"])
def test_the_number_of_processes_is_from_1_to_64(
    number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--processes", number]) == 2
    assert "from 1 to 64" in capsys.readouterr().err


# ---- the other commands


def test_run_py_knows_and_lists_every_command() -> None:
    offered = {name for name, one in cli.school.commands.items() if not one.hidden}
    assert set(launcher.COMMANDS) == offered
    told = re.findall(
        r"^python3 run\.py (\w+)",
        launcher.usage("python3 run.py", launcher.COMMANDS | launcher.TESTING),
        re.M,
    )
    assert told == [*launcher.COMMANDS, *launcher.TESTING]


@pytest.mark.parametrize("name", launcher.COMMANDS)
def test_what_run_py_lists_of_a_command_is_what_it_takes(name: str) -> None:
    if name != "record":  # it reads its command line itself
        listed = re.findall(r"--[a-z-]+|\b[A-Z]+\b", launcher.COMMANDS[name].arguments)
        takes = {
            one.opts[0] if isinstance(one, click.Option) else one.human_readable_name
            for one in cli.school.commands[name].params
            if not getattr(one, "hidden", False)
        }
        assert takes <= {*listed}
        assert {word for word in listed if word.startswith("--")} <= takes


def test_help_for_a_command_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    for name, one in launcher.COMMANDS.items():
        assert cli.main([name, "--help"]) == 0
        said = capsys.readouterr().out
        assert said.startswith(f"Usage: {config.COMMAND} {name}")
        assert name == "record" or one.does in " ".join(said.split())


def test_a_command_line_that_cannot_be_read_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, said in (
        (["serve", "--pond"], "No such option '--pond'"),
        (["password"], "Missing argument 'LOGIN'"),
        (["newkey", "now"], "unexpected extra argument (now)"),
    ):
        assert cli.main(words) == 2
        assert said in capsys.readouterr().err
    assert cli.main(["swim"]) == 1
    assert capsys.readouterr().err.startswith("There is no command 'swim'.")


@own_server
def test_backup_and_restore_work_by_command(
    tmp_path: Path, folder: Path, port: int, given: Given
) -> None:
    done = given("backup", str(tmp_path / "kept.db"), folder=folder)
    assert done.returncode == 0, done.stderr
    assert given("restore", str(tmp_path / "kept.db"), folder=folder).returncode == 0
    with serving(folder, port):
        assert get(port)[0] == 200


def test_a_new_password_for_an_unknown_login_is_refused(folder: Path, refused: Refused) -> None:
    refused("password", "nobody", folder=folder)


def test_an_administrator_who_is_locked_out_sets_a_password_with_a_printed_code(
    tmp_path: Path, peopled: Path, given: Given
) -> None:
    folder = tmp_path / "instance"
    made = make_app(folder, peopled)
    finish(made)
    done = given("password", "admin", "--code", folder=folder)
    assert done.returncode == 0, done.stderr
    code = done.stdout.splitlines()[1]
    with made.app_context():
        assert accounts.reset_password(code, "seven quiet herons wade", "d" * 32)
        assert sign_in.adult("admin", "seven quiet herons wade", "e" * 32)
    finish(made)


@pytest.mark.parametrize("text", ["70000", "x", "-1", "１"])
def test_an_impossible_port_is_refused(text: str) -> None:
    assert cli.main(["serve", "--port", text]) == 2
