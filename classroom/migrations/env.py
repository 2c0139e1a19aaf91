"""Runs migrations on the connection passed to Alembic; `flask db ...` opens a new connection."""

from __future__ import annotations

from alembic import context

import classroom.models  # noqa: F401  this registers the tables
from classroom.database import Base


def _run(connection: object) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


handed = context.config.attributes.get("connection")
if handed is not None:
    _run(handed)
else:
    from flask import current_app

    with current_app.extensions["migrate"].db.engine.connect() as connection:
        _run(connection)
