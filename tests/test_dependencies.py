"""Tests of the audit of locked libraries, with a local database, and of the SBOM."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.model.bom import Bom

from classroom import cli, papers
from tests import dependencies, runner
from tests.ports import free_port
from tools.voice import recording

ROOT = Path(__file__).resolve().parent.parent
LOCK = "\n".join(
    f"{name}=={version} \\\n    --hash=sha256:{'0' * 64}"
    for name, version in (("flask", "3.1.3"), ("werkzeug", "3.1.9"))
)
FLAW = {
    "id": "GHSA-xxxx-yyyy-zzzz",
    "summary": "made up",
    "published": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"name": "werkzeug", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.9"}]}],
        }
    ],
}
Asked = dict[str, Any]
Answer = Callable[[Asked], tuple[int, Any]]


@contextmanager
def database(answer: Answer) -> Iterator[tuple[str, list[Asked]]]:
    """The address of a local database of vulnerabilities, and the requests that it got."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            status, body = answer(asked[-1])
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


def audit(tmp_path: Path, address: str, seconds: float = 30.0, lock: str = LOCK) -> int:
    file = tmp_path / "lock.txt"
    file.write_text(lock)
    return dependencies.main([file], seconds, ["--osv-url", address])


def clean(_asked: Asked) -> tuple[int, Any]:
    return 200, {}


def flawed(asked: Asked) -> tuple[int, Any]:
    return 200, {"vulns": [FLAW]} if asked["package"]["name"] == "werkzeug" else {}


def test_libraries_without_a_known_flaw_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with database(clean) as (address, asked):
        assert audit(tmp_path, address) == 0
    assert [(one["package"]["name"], one["version"]) for one in asked] == [
        ("flask", "3.1.3"),
        ("werkzeug", "3.1.9"),
    ]
    assert capsys.readouterr().out == "Known vulnerabilities of 2 locked libraries: 0.\n"


def test_a_known_flaw_fails_and_is_named_with_the_version_that_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with database(flawed) as (address, _):
        assert audit(tmp_path, address) == 1
    assert capsys.readouterr().out == (
        "werkzeug 3.1.9: GHSA-xxxx-yyyy-zzzz, mended in 9.9\n"
        "Known vulnerabilities of 2 locked libraries: 1.\n"
    )


def test_a_missing_database_is_reported_in_one_line_and_fails_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit(tmp_path, f"http://127.0.0.1:{free_port()}") == 0
    said = capsys.readouterr()
    assert said.out.startswith("NOT AUDITED: ")
    assert said.out.count("\n") == 1
    assert said.err == ""


@pytest.mark.walk(4)
@pytest.mark.parametrize("status", [404, 429, 500, 503])
def test_an_answer_without_a_result_does_not_count_as_clean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    with database(lambda _asked: (status, {})) as (address, _):
        assert audit(tmp_path, address) == 0
    assert capsys.readouterr().out.startswith("NOT AUDITED: ")


def test_the_audit_does_not_wait_for_a_database_that_never_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    let_go = threading.Event()

    def slow(_asked: Asked) -> tuple[int, Any]:
        let_go.wait(20)
        return 200, {}

    began = time.monotonic()
    with database(slow) as (address, _):
        assert audit(tmp_path, address, seconds=2.0) == 0
        took = time.monotonic() - began
        let_go.set()
    assert took < 8
    assert capsys.readouterr().out == (
        "NOT AUDITED: the database of vulnerabilities cannot be reached "
        "(no answer within 2 seconds).\n"
    )


def test_any_other_error_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with database(clean) as (address, _):
        assert audit(tmp_path, address, lock="flask==3.1.3\n") == 1  # a lock without a hash
    said = capsys.readouterr()
    assert "NOT AUDITED" not in said.out
    assert "could not be audited" in said.err


def test_served_libraries_are_audited_with_every_test_run() -> None:
    audit = [*runner.PYTHON, "tests.dependencies"]
    assert audit in runner.before(only_changed=False)
    names = [lock.name for lock in dependencies.LOCKS]
    assert names == ["requirements.txt", "requirements-postgres.txt"]
    assert all(lock.is_file() for lock in dependencies.LOCKS)


# ---- the SBOM


def listed() -> dict[str, Any]:
    return {one["name"]: one for one in json.loads(papers.components())["components"]}


def test_the_list_holds_every_locked_library_with_its_hashes() -> None:
    found = listed()
    for lock in dependencies.LOCKS:
        for block in re.split(r"\n(?=\S)", lock.read_text(encoding="utf-8").strip()):
            name, version = block.split(None, 1)[0].split("==")
            (files,) = found[name]["externalReferences"]
            hashes = {one["content"] for one in files["hashes"]}
            assert found[name]["version"] == version
            assert hashes == set(re.findall("sha256:([0-9a-f]{64})", block))
    assert found["flask"]["scope"] == "required"
    assert found["psycopg"]["scope"] == "optional"


def test_the_list_holds_every_third_party_file() -> None:
    vendor, fonts = ROOT / "scripts" / "vendor", ROOT / "static" / "fonts"
    taken = [*vendor.glob("*.js"), *fonts.glob("*.woff2")]
    assert {ROOT / path for _, _, _, path in papers.TAKEN_OVER} == set(taken)
    (version,) = re.findall(r'version="([0-9.]+)"', (vendor / "htmx.min.js").read_text())
    assert listed()["htmx"]["version"] == version


def test_the_list_says_what_the_voice_was_made_with() -> None:
    (voice,) = {voice for voice, _ in recording.recorded().values()}
    tool, manner = voice.split()
    assert tool in listed()["voice"]["description"]
    assert f"({manner})" in listed()["voice"]["description"]


def test_the_list_is_valid_cyclonedx_and_the_same_each_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["sbom"]) == 0
    printed = capsys.readouterr().out
    assert printed == papers.components()
    read = Bom.from_json(json.loads(printed))  # type: ignore[attr-defined]
    school = json.loads(printed)["metadata"]["component"]
    assert (school["name"], school["licenses"]) == ("fish-school", [{"license": {"id": "MIT"}}])
    assert {one.name for one in read.components} == listed().keys()
    assert read.validate()
