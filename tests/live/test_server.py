"""The preparations of the server before it opens."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import Environment
from jinja2.bccache import FileSystemBytecodeCache

from classroom.live import server
from tests.conftest import finish, make_app


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


def no_more(*_: object) -> None:
    raise AssertionError("compiled again")


def test_no_child_waits_for_a_template_to_be_compiled(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    server._settle(app)
    monkeypatch.setattr(Environment, "compile", no_more)
    assert app.test_client().get("/").status_code == 200


def test_compiled_templates_are_kept_for_the_next_start(
    app: Flask, tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server._settle(app)
    monkeypatch.setattr(Environment, "compile", no_more)
    again = make_app(tmp_path / "instance", migrated)
    server._settle(again)
    finish(again)


def test_templates_work_on_a_full_disk(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(FileSystemBytecodeCache, "dump_bytecode", full)
    monkeypatch.setattr(Path, "mkdir", full)
    server._settle(app)
    assert app.test_client().get("/").status_code == 200
