"""The app in a server process, and requests to it from outside."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from flask import Flask
from jinja2.bccache import FileSystemBytecodeCache

from tests.world import World

ROOT = Path(__file__).resolve().parent.parent


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a command, as run.py sets it: Python keeps the files it compiles."""
    found = {**os.environ, "FISH_INSTANCE": str(folder), "PYTHONPATH": str(ROOT)}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


def lend_templates(folder: Path) -> None:
    """Let a new school use the templates that tests have compiled: compiling them takes seconds."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(OSError):  # this system has no links, or it has compiled its own
        (folder / "templates").symlink_to(FileSystemBytecodeCache().directory)


@contextlib.contextmanager
def serving(
    folder: Path, port: int, *words: str, program: Path = ROOT
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server during the block; `program` is where its code is. Yields its process, and what
    it printed until it was ready."""
    lend_templates(folder)
    process = subprocess.Popen(
        [sys.executable, "-m", "classroom", "serve", "--port", str(port), *words],
        env=surroundings(folder) | {"PYTHONPATH": str(program)},
        cwd=folder.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    printed = ""
    try:
        while "Fish School is open" not in printed:
            line = process.stdout.readline()
            assert line, printed
            printed += line
        yield process, printed
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def get(port: int, path: str = "/") -> tuple[int, str]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        return answer.status, answer.read().decode()


def open_tables(app: Flask, devices: int) -> tuple[str, list[str]]:
    """The address of the stream of a child's table, and the tokens of sessions that may open it."""
    world = World.of(app)
    cookies = [world.visitor("Miaqua").client.get_cookie("school") for _ in range(devices)]
    tokens = [cookie.value for cookie in cookies if cookie is not None]
    return f"/play/rounds/{world.rounds['Miaqua']}/events", tokens


@contextlib.contextmanager
def stream(port: int, path: str, token: str) -> Iterator[None]:
    """Keep a stream open during the block, from its first bytes on."""
    with contextlib.closing(socket.create_connection(("127.0.0.1", port), 5)) as line:
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: school={token}\r\n\r\n"
        line.sendall(head.encode())
        assert b"text/event-stream" in line.recv(65_536)
        yield
