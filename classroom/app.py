"""The only place where the parts are joined."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, g, request, url_for
from flask.templating import Environment
from flask_migrate import Migrate
from jinja2 import StrictUndefined
from sqlalchemy import URL
from werkzeug.middleware.proxy_fix import ProxyFix

from classroom import config as settings
from classroom.database import db, prepare
from classroom.live.hub import hub_of
from classroom.services import disk, look_around, secrets_, upkeep
from classroom.services.errors import CannotStart
from classroom.web import (
    auth,
    doors,
    errors,
    family,
    first_visit,
    friends,
    guards,
    live,
    pictures,
    pieces,
    play,
    security,
    teach,
)

# these hang their routes on the blueprints of others
__all__ = ["create_app", "doors", "first_visit", "friends", "live"]


class _Pages(Environment):
    """Templates. None of ours has globals of its own, so all share one dictionary of them: the
    usual chain of two costs each import of a component as much as a small component."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


class _School(Flask):
    jinja_environment = _Pages


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """A school, ready to be served; with `DEMO`, the demo school.

    Makes the instance folder, the key and the database where they are missing, and brings the
    database up to date. Raises CannotStart or ValueError with one sentence that says what
    to do.
    """
    values = settings.load(config)
    folder = Path(values["INSTANCE"]).resolve()
    upkeep.make_ready(folder)
    app = _flask(values, folder)
    _database(app, folder)
    _web(app)
    if values["LOOK_AROUND"] and not values["DEMO"]:
        _demo_beside(app, values, folder)
    return app


def _flask(values: dict[str, Any], folder: Path) -> Flask:
    app = _School(
        "classroom",
        root_path=str(settings.ROOT / "classroom"),
        template_folder=str(settings.ROOT / "templates"),
        static_folder=str(settings.ROOT / "static"),
        instance_path=str(folder),
    )
    app.config.update(values)
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.config["TRUSTED_HOSTS"] = values["HOSTS"].replace(",", " ").split() or None
    app.jinja_options = {"cache_size": -1}  # all of ours, without the lock of one that forgets
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    if values["PROXIES"]:
        n = values["PROXIES"]
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]
    return app


def _database(app: Flask, folder: Path) -> None:
    file = folder / ("demo.db" if app.config["DEMO"] else "school.db")
    if not app.config["DATABASE_URI"]:
        if not app.config["DEMO"]:
            upkeep.not_lost(file, folder / "key")
        disk.private(file)
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"hide_parameters": True}  # not even in an error
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URI"] or URL.create(
        "sqlite", database=str(file)
    )
    db.init_app(app)
    Migrate(app, db, directory=str(upkeep.MIGRATIONS), render_as_batch=True)
    with app.app_context():
        prepare(db.engine)
        secrets_.keep_key(db.engine, _key(app, folder))
        if not app.config["DEMO"]:
            upkeep.keep_folder(db.engine, folder)
        app.extensions["hub"] = hub_of(db.engine)
        if app.config["UPGRADE"]:
            upkeep.upgrade(db.engine, app.config["COPIES"])


def _key(app: Flask, folder: Path) -> bytes:
    """A school's key is made with its database and never again; the demo school's at any time."""
    if not app.config["DEMO"]:
        return secrets_.key_in(folder, make=upkeep.is_empty(db.engine))
    try:
        return secrets_.key_in(folder, "demo-key")
    except CannotStart:
        secrets_.new_key(folder, "demo-key")
        return secrets_.key_in(folder, "demo-key")


def _web(app: Flask) -> None:
    guards.init_app(app)
    security.init_app(app)
    errors.init_app(app)
    asset = partial(_asset, app)
    app.add_template_global(asset, "asset")
    pictures.init_app(app, asset)
    pieces.init_app(app)
    app.jinja_env.globals["demo"] = app.config["DEMO"]
    app.context_processor(lambda: {"who": g.get("who", guards.NOBODY)})
    for room in (auth, play, teach, family):
        app.register_blueprint(room.bp)


def _asset(app: Flask, path: str) -> str:
    """The address of a static file, with a mark of its content: it may be kept for ever."""
    kept: dict[tuple[str, str], str] = app.extensions.setdefault("assets", {})
    where = (request.script_root, path)
    if where not in kept or app.debug:
        content = Path(app.static_folder or "", path).read_bytes()
        mark = hashlib.sha256(content).hexdigest()[:10]
        kept[where] = url_for("static", filename=path, v=mark)
    return kept[where]


# ---- the demo school beside it


def _demo_beside(app: Flask, values: dict[str, Any], folder: Path) -> None:
    demo = create_app(values | {"DEMO": True, "DATABASE_URI": "", "INSTANCE": str(folder)})
    app.extensions["demo"] = demo
    app.extensions["making"] = look_around.Making(folder)
    app.extensions["make_demo"] = demo_maker(demo)


def demo_maker(demo: Flask) -> Callable[[look_around.Progress], None]:
    """What makes this demo school when it is called with a function that hears of the progress."""

    def make(progress: look_around.Progress) -> None:
        from classroom.services import demo as founder  # only where it is asked for: it plays

        with demo.app_context():
            look_around.make_now(
                db.engine,
                Path(demo.instance_path),
                lambda heard: founder.make(demo, heard),
                progress,
            )

    return make
