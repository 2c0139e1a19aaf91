"""The log as JSON, one object per line, for tools that collect the logs of many servers.

It has the same lines as the plain-text log, and goes to standard error too. For an error it gives
the type and the place, never the message, which can contain an SQL statement, a name or a code.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from classroom.services.base.errors import traced


class JsonLines(logging.Formatter):
    """Writes a record as one JSON object: time, level, logger, message and, if any, error."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line["error"] = traced(error)
        return json.dumps(line, ensure_ascii=False)


def write_json() -> None:
    """Write everything that this process logs as JSON lines."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
