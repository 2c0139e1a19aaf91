"""The log as JSON: one object a line, without the words of errors."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from classroom.logs import JsonLines, write_json

SECRET = "Mia Pond 4711"


def written(message: str, error: BaseException | None = None, *words: object) -> dict[str, str]:
    info = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("classroom", logging.ERROR, "x.py", 1, message, words, info)
    line = JsonLines().format(record)
    assert "\n" not in line
    return dict(json.loads(line))


def test_a_line_has_its_time_level_logger_and_message() -> None:
    line = written("the %s failed\nagain", None, "page")
    assert line.pop("time").endswith("+00:00")
    assert line == {"level": "error", "logger": "classroom", "message": "the page failed\nagain"}


def test_of_an_error_it_holds_the_kind_and_the_place_but_not_the_words() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        line = written("it failed", error)
    assert line["error"].startswith("KeyError\n")
    assert "test_of_an_error" in line["error"]
    assert SECRET not in json.dumps(line)


def test_all_loggers_of_the_process_write_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A test that served a school in this process has left uvicorn's handlers behind.
    monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)
    monkeypatch.setattr(logging.getLogger("uvicorn"), "handlers", [])
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        write_json()
        root.handlers[0].setStream(sys.stderr)  # type: ignore[attr-defined]
        logging.getLogger("uvicorn.error").error("the socket failed")
        logging.getLogger("classroom.database").info("nothing of note")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "the socket failed"
