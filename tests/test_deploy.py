"""The image, the compose file, the unit and their documentation agree with the program.

Docker is not needed: the files are read, and what they say is compared with the settings, the
command line and the locks. Where systemd or Caddy is installed, it checks its own file too.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from configparser import ConfigParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, urlopen

import pytest
import yaml
from sqlalchemy import make_url

from classroom import cli, config
from classroom.live.bounds import SPARE_FILES
from tests.ports import free_port
from tests.test_packaging import SERVED

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
DOCS = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
SETTING = re.compile(r"\bFISH_([A-Z_]+)\b")
OF_COMPOSE = {"NAME"}  # FISH_NAME is for the front alone


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return found


def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def unit() -> ConfigParser:
    """The systemd unit. If a key occurs several times, its values are joined by line breaks."""
    found = ConfigParser(interpolation=None, strict=False, delimiters=("=",))
    found.optionxform = str  # type: ignore[assignment,method-assign]
    lines: dict[str, list[str]] = {}
    section = ""
    for line in (DEPLOY / "fish-school@.service").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            found.add_section(section)
        elif "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            lines.setdefault(f"{section}/{key}", []).append(value)
    for name, values in lines.items():
        found.set(*name.split("/"), "\n".join(values))
    return found


def given(command: str, words: list[str]) -> SimpleNamespace:
    """The values that the program reads from a command line, which must be one of this command."""
    assert words[0] == command
    context = cli.school.commands[command].make_context(command, words[1:])
    return SimpleNamespace(**context.params)


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_every_setting_that_a_file_names_is_one(path: Path) -> None:
    named = set(SETTING.findall(path.read_text(encoding="utf-8"))) - OF_COMPOSE
    assert named <= set(config.NAMES)


def test_every_setting_and_command_that_the_page_names_is_one() -> None:
    assert set(SETTING.findall(DOCS)) - OF_COMPOSE <= set(config.NAMES)
    for command in re.findall(r"bin/fish-school (\w+)|`fish-school (\w+)`", DOCS):
        assert "".join(command) in {*cli.school.commands, "help"}, command
    for path in re.findall(r"deploy/[\w@.-]+", DOCS):
        assert (ROOT / path).is_file() or path == "deploy/.env"


def test_the_page_explains_every_number() -> None:
    from classroom import measures

    explained = set(re.findall(r"^\| `(fish_\w+)`", DOCS, re.M))
    found = {family.name for family in measures.REGISTRY.collect()}
    ours = {name for name in found if name.startswith("fish_")}
    assert {name.removesuffix("_total") for name in explained} == ours


# ---- the image


def test_the_image_serves_to_its_network_at_the_port_it_names() -> None:
    (command,) = re.findall(r"^CMD (\[.+\])", dockerfile(), re.M)
    served = given("serve", yaml.safe_load(command))
    assert served.host == "0.0.0.0"
    assert f"EXPOSE {served.port}" in dockerfile()
    (check,) = re.findall(r"^HEALTHCHECK .*CMD (\[.+\])", dockerfile(), re.M)
    assert given("health", yaml.safe_load(check)[1:]).port == served.port


def test_the_image_is_not_run_by_root_and_keeps_its_data_in_the_volume() -> None:
    text = dockerfile()
    (user,) = re.findall(r"^USER (\d+):\d+", text, re.M)
    assert int(user) >= 10_000
    assert f"--uid {user}" in text
    (volume,) = re.findall(r"^VOLUME (\S+)", text, re.M)
    assert f"FISH_INSTANCE={volume}\n" in text


def test_the_image_installs_only_what_is_locked() -> None:
    installs = re.findall(r"pip install (.+?)(?: \\)?$", dockerfile(), re.M)
    assert len(installs) == 3
    for options in installs:
        assert "--require-hashes -r requirements-" in options or "--no-index" in options
    assert "--no-build-isolation" in dockerfile()
    for lock in re.findall(r"requirements-\w+\.txt", dockerfile()):
        assert (ROOT / lock).is_file()


def test_all_that_the_wheel_is_made_of_reaches_the_image_and_no_data_does() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    let_in = {rule[1:] for rule in rules if rule.startswith("!")}
    assert {name.rstrip("/") for name in SERVED} <= let_in
    assert {"LICENSE", "README.md", "requirements-build.txt"} <= let_in
    assert all((ROOT / name).exists() for name in let_in)
    assert not {"instance", "tests", ".venv", "scripts"} & let_in


# ---- the compose file


def test_the_school_of_the_compose_file_has_a_read_only_root_and_no_rights() -> None:
    for name, service in compose()["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["restart"] == "unless-stopped", name
    assert "cap_add" not in compose()["services"]["school"]
    assert "ports" not in compose()["services"]["school"]


def test_the_settings_of_the_compose_file_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = compose()["services"]["school"]["environment"]
    for name, value in environment.items():
        default = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)
        monkeypatch.setenv(name, default)
    found = config.load()
    assert (found["HOSTS"], found["PROXIES"], found["METRICS_TOKEN"]) == ("localhost", 1, "")
    assert found["LOG_JSON"] is False


def test_school_and_database_share_a_socket_and_the_database_has_no_network() -> None:
    services = compose()["services"]
    school, database = services["school"], services["database"]
    address = make_url(school["environment"]["FISH_DATABASE_URI"])
    assert address.drivername == "postgresql+psycopg"
    assert (address.username, address.database) == (
        database["environment"]["POSTGRES_USER"],
        database["environment"]["POSTGRES_DB"],
    )
    assert f"socket:{address.query['host']}" in school["volumes"]
    assert f"socket:{address.query['host']}" in database["volumes"]
    assert database["network_mode"] == "none"
    assert "ports" not in database


def test_the_data_of_each_container_is_in_a_volume() -> None:
    made = compose()
    volumes = [one for service in made["services"].values() for one in service["volumes"]]
    named = {one.split(":")[0] for one in volumes if not one.startswith(".")}
    assert named == set(made["volumes"])
    (data,) = re.findall(r"^VOLUME (\S+)", dockerfile(), re.M)
    assert f"school:{data}" in made["services"]["school"]["volumes"]


def test_the_front_leads_to_the_school() -> None:
    services = compose()["services"]
    front = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    (host, port) = re.findall(r"reverse_proxy (\w+):(\d+)", front)[0]
    assert host in services
    assert f"EXPOSE {port}" in dockerfile()
    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in services["front"]["volumes"]
    assert services["front"]["environment"]["FISH_NAME"] == "${FISH_NAME:-localhost}"
    assert front.split("\n")[1].startswith("{$FISH_NAME:localhost} {")


def caddyfiles() -> list[str]:
    """The Caddyfile of the compose file, and the one printed in the documentation."""
    of_page = [text for text in re.findall(r"```\n(.*?)```", DOCS, re.S) if "reverse_proxy" in text]
    return [(DEPLOY / "Caddyfile").read_text(encoding="utf-8"), *of_page]


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")
@pytest.mark.parametrize("text", caddyfiles(), ids=["compose", "cells", "several"])
def test_caddy_takes_the_file(text: str, tmp_path: Path) -> None:
    file = tmp_path / "Caddyfile"
    file.write_text(text)
    done = subprocess.run(
        ["caddy", "validate", "--config", str(file), "--adapter", "caddyfile"],
        env={**os.environ, "HOME": str(tmp_path), "FISH_NAME": "fish.school.example"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_front_has_an_address_for_each_process() -> None:
    school = compose()["services"]["school"]
    served = given("serve", [*school["command"]])
    assert served.processes == 2
    asked = given("health", school["healthcheck"]["test"][2:])
    assert asked.processes == served.processes
    front = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    (line,) = re.findall(r"reverse_proxy (.*) {", front)
    assert line.split() == [f"school:{8000 + number}" for number in range(served.processes)]


class Upstream(BaseHTTPRequestHandler):
    """Stands in for a process of the school: answers with its own port."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        said = str(self.server.server_port).encode()  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def front(tmp_path: Path) -> Iterator[tuple[int, list[ThreadingHTTPServer]]]:
    """Caddy with the compose file's Caddyfile in front of two stand-ins, and its port."""
    behind = [ThreadingHTTPServer(("127.0.0.1", 0), Upstream) for _ in range(2)]
    for one in behind:
        Thread(target=one.serve_forever, args=(0.05,), daemon=True).start()
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    for number, one in enumerate(behind):
        text = text.replace(f"school:{8000 + number}", f"127.0.0.1:{one.server_port}")
    file, port = tmp_path / "Caddyfile", free_port()
    file.write_text("{\n\tadmin off\n}\n" + text)
    environment = {"HOME": str(tmp_path), "FISH_NAME": f"http://127.0.0.1:{port}"}
    process = subprocess.Popen(
        ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield port, behind
    finally:
        process.kill()
        process.wait()
        for one in behind:
            one.shutdown()
            one.server_close()


def answered(port: int, path: str, form: bytes | None = None, **headers: str) -> int:
    asked = Request(f"http://127.0.0.1:{port}{path}", form, headers)
    with urlopen(asked, timeout=20) as answer:
        return int(answer.read())


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")
def test_a_table_stays_with_one_process_and_the_doors_with_one(
    front: tuple[int, list[ThreadingHTTPServer]],
) -> None:
    port, behind = front
    of_table = {
        number: {
            answered(port, f"/play/rounds/{number}"),
            answered(port, f"/play/rounds/{number}/events", Cookie="school=another"),
            answered(port, f"/play/rounds/{number}/asks", b"seen=1"),
            answered(port, f"/teach/rounds/{number}/watch", **{"X-Place": "elsewhere"}),
        }
        for number in range(1, 41)
    }
    assert all(len(found) == 1 for found in of_table.values())
    share = Counter(next(iter(found)) for found in of_table.values())
    assert set(share) == {one.server_port for one in behind}
    assert min(share.values()) >= 8
    doors = [answered(port, path, b"code=1") for path in ("/join", "/in", "/in/second", "/setup")]
    assert len(set(doors)) == 1


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")
def test_when_a_process_is_away_the_other_takes_its_tables(
    front: tuple[int, list[ThreadingHTTPServer]],
) -> None:
    port, behind = front
    behind[0].shutdown()
    behind[0].server_close()
    began = time.monotonic()
    for number in range(1, 11):
        assert answered(port, f"/play/rounds/{number}/table") == behind[1].server_port
    assert time.monotonic() - began < 20


# ---- the unit


def test_the_unit_serves_its_own_folder_at_its_port() -> None:
    service = unit()["Service"]
    program, *words = service["ExecStart"].split()
    environment = dict(line.split("=", 1) for line in service["Environment"].splitlines())
    assert "FISH_PORT" not in environment
    port = environment.pop("PORT")
    served = given("serve", [word.replace("${PORT}", port) for word in words])
    assert (served.host, served.port) == ("127.0.0.1", int(port))
    assert {name.removeprefix("FISH_") for name in environment} <= set(config.NAMES)
    assert environment["FISH_INSTANCE"] == f"/var/lib/{service['StateDirectory']}"
    assert f"{program} " in DOCS
    assert program.removesuffix("/bin/fish-school") in DOCS


def test_a_unit_of_one_process_cannot_be_reloaded() -> None:
    """SIGHUP would end it; only the parent of several processes knows what to do."""
    assert "ExecReload" not in unit()["Service"]
    several = DOCS.partition("## 4. Several processes")[2]
    assert "ExecReload=/bin/kill -HUP $MAINPID" in several


def test_the_unit_and_the_page_name_the_same_user_files_and_folder() -> None:
    service = unit()["Service"]
    for value in (service["User"], service["EnvironmentFile"].lstrip("-")):
        assert value.replace("%i", "pond") in DOCS
    assert f"FISH_INSTANCE=/var/lib/{service['StateDirectory']}".replace("%i", "pond") in DOCS


def test_the_unit_leaves_room_for_all_connections() -> None:
    most = config.Settings.CONNECTIONS + SPARE_FILES
    assert int(unit()["Service"]["LimitNOFILE"]) >= most


def test_the_unit_keeps_what_the_program_needs() -> None:
    """The program reads /proc/mounts, lowers the priority of the demo's process and limits the one
    that reads spreadsheets. It listens, and reaches its database through a socket."""
    service = unit()["Service"]
    assert "ProcSubset" not in service
    assert "@resources" not in service["SystemCallFilter"]
    families = set(service["RestrictAddressFamilies"].split())
    assert families == {"AF_INET", "AF_INET6", "AF_UNIX"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_unit_and_finds_it_tight(tmp_path: Path) -> None:
    text = (DEPLOY / "fish-school@.service").read_text(encoding="utf-8")
    file = tmp_path / "fish-school@pond.service"
    file.write_text(text.replace("/srv/fish-school/bin/fish-school", "/bin/true"))
    verified = subprocess.run(
        ["systemd-analyze", "verify", str(file)], capture_output=True, text=True
    )
    said = [line for line in verified.stderr.splitlines() if file.name in line]
    assert (verified.returncode, said) == (0, [])
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(file)],
        capture_output=True,
        text=True,
    )
    assert rated.returncode == 0, rated.stdout[-300:]
