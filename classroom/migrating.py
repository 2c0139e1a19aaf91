"""The app of `flask --app classroom.migrating db ...`, which writes new migrations.

A school that starts does not need Flask-Migrate, and is ready sooner without it.
"""

from __future__ import annotations

from flask import Flask
from flask_migrate import Migrate

from classroom import app
from classroom.database import db
from classroom.services.operation import upkeep


def create_app() -> Flask:
    """Build the school's app with the commands of Flask-Migrate."""
    made = app.create_app()
    Migrate(made, db, directory=str(upkeep.MIGRATIONS), render_as_batch=True)
    return made
