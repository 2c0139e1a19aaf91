"""The preparations of the server before it opens."""

from __future__ import annotations

import gc
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment
from jinja2.bccache import FileSystemBytecodeCache

from classroom.live import server
from tests.conftest import finish, make_app
from tests.serving import ROOT


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


FRONT = "pages/auth/first.html"


def no_more(*_: object) -> None:
    raise AssertionError("compiled again")


def test_no_child_waits_for_a_template_to_be_compiled_in_this_start_or_the_next(
    app: Flask, tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server._settle(app)
    monkeypatch.setattr(Environment, "compile", no_more)
    assert app.test_client().get("/").status_code == 200
    again = make_app(tmp_path / "instance", migrated)
    server._settle(again)
    finish(again)


def test_templates_work_on_a_full_disk(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(FileSystemBytecodeCache, "dump_bytecode", full)
    monkeypatch.setattr(Path, "mkdir", full)
    monkeypatch.setattr(Environment, "list_templates", lambda *_, **__: [FRONT])
    server._settle(app)
    assert app.test_client().get("/").status_code == 200


HEAPS = """
import ctypes, sys, threading
from classroom.live.server import share_arenas
if sys.argv[1:]:
    share_arenas()
together = threading.Barrier(12)
def work():
    together.wait()
    kept = [bytes(5_000) for _ in range(50)]
    together.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
ctypes.CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="counts the heaps of glibc")
def test_the_threads_of_a_server_share_a_few_heaps() -> None:
    def heaps(*words: str) -> int:
        command = [sys.executable, "-c", HEAPS, *words]
        env = {name: value for name, value in os.environ.items() if "MALLOC" not in name}
        done = subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, check=True
        )
        return done.stderr.count("Arena ")

    assert heaps() > server.ARENAS
    assert heaps("share") <= server.ARENAS
