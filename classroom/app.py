"""Builds the Flask application out of its parts. No other module does this."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, MutableMapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from flask import Flask, Response, g, request, url_for
from flask.templating import Environment
from jinja2 import StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from sqlalchemy import URL, create_engine, make_url
from sqlalchemy.engine import Engine
from sqlalchemy.exc import ArgumentError
from werkzeug.middleware.proxy_fix import ProxyFix

from classroom import config as settings
from classroom.database import connect_to, db, let_go, prepare
from classroom.hub import hub_of
from classroom.services.access import accounts
from classroom.services.access.sessions import NOBODY
from classroom.services.base import clock, disk, limits, secrets_
from classroom.services.base.errors import CannotStart
from classroom.services.operation import look_around, upkeep
from classroom.web import routes
from classroom.web.child import play
from classroom.web.http import assets, error_pages, guards, hosts, kept, pages, security
from classroom.web.http.hosts import Gate
from classroom.web.words import filters, language

CONNECTIONS = 35  # maximum number of connections to the database; there are fewer threads


class _Pages(Environment):
    """A Jinja environment in which all templates share one dictionary of globals, because none
    has globals of its own. Lookups in the usual ChainMap cost as much as rendering a small part."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


class _LongLines(Extension):
    """Lets a long line of a template continue on indented lines below it. In the page, each such
    line break becomes one space; after a statement, `trim_blocks` drops it altogether."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        for token in stream:
            if token.type == "data":
                text = re.sub(r"\A {2,}", "", token.value)
                token = Token(token.lineno, "data", re.sub(r"\n +", " ", text))
            yield token


class _School(Flask):
    jinja_environment = _Pages

    def send_static_file(self, filename: str) -> Response:
        """Send a file from the folder `static`, or a file that was built at startup."""
        if filename in assets.MADE:
            return assets.send(filename)
        answer = super().send_static_file(filename)
        answer.headers.pop("Content-Disposition", None)  # "inline" is the default anyway
        return answer


NO_PSYCOPG = (
    "The data is to be in PostgreSQL, but its library is missing: install it with "
    "`pip install 'psycopg[binary]'` where the program is, or in a checkout with "
    "`.venv/bin/pip install -r requirements-postgres.txt`."
)
NO_ADDRESS = (
    "DATABASE_URI is not the address of a database: it begins with postgresql+psycopg:// and is "
    "described in docs/running.md. Without it the data is in a file of its own."
)


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Build the app of a school, or of the demo school if `DEMO` is set, ready to be served. Makes
    the instance folder, the key and the database if they are missing, and upgrades the database.
    Raises CannotStart or ValueError with one sentence that says what to do."""
    values = settings.load(config)
    folder = Path(values["INSTANCE"]).resolve()
    upkeep.make_ready(folder)
    app = _flask(values, folder)
    _database(app, folder)
    _web(app)
    if values["DEMO"]:
        _demo(app)
    if values["LOOK_AROUND"] != "never" and not values["DEMO"]:
        _demo_beside(app, values)
    return app


def _flask(values: dict[str, Any], folder: Path) -> Flask:
    app = _School(
        "classroom",
        root_path=str(settings.PACKAGE),
        template_folder=str(settings.ROOT / "templates"),
        static_folder=str(settings.ROOT / "static"),
        instance_path=str(folder),
    )
    app.config.update(values)
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.jinja_options = {"cache_size": -1}  # no limit: a limited cache takes a lock on every lookup
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension(_LongLines)
    if values["PROXIES"]:
        n = values["PROXIES"]
        x_host = n if values["HOSTS"] else 0  # trust a forwarded host only if names are listed
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=x_host)  # type: ignore[method-assign]
    return app


def _database(app: Flask, folder: Path) -> None:
    file = folder / "school.db"
    if app.config["DEMO"]:
        file = look_around.found(folder) or folder / look_around.EMPTY
    if not app.config["DATABASE_URI"]:
        if not app.config["DEMO"]:
            upkeep.not_lost(file)
        disk.private(file)
    else:
        _check_address(app.config["DATABASE_URI"])
    kept = 30 if app.config["DATABASE_URI"] else 5  # a new connection to a server is slow
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
        "hide_parameters": True,  # no data in error messages
        "pool_size": kept,
        "max_overflow": CONNECTIONS - kept,
        "pool_use_lifo": True,  # the connection used last has the most prepared statements
    }
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URI"] or _address(file)
    db.init_app(app)
    app.teardown_appcontext(let_go)  # Flask-SQLAlchemy's teardown would raise for a lost connection
    with app.app_context():
        _settle_in(app, db.engine)
        begins = not app.config["DEMO"] and upkeep.is_empty(db.engine)
        if not begins:
            _take_key(app, db.engine)
        if app.config["UPGRADE"]:
            upkeep.upgrade(db.engine, app.config["COPIES"])
        if begins:  # an interrupted first start must not leave a key without a school
            _take_key(app, db.engine)
        if app.config["DATABASE_URI"] and db.engine.dialect.name == "postgresql":
            from classroom.postgres import give_up_in_time  # needs psycopg

            give_up_in_time(db.engine)
            db.engine.dispose()  # the connections that the upgrade used have no time limit
        clock.here()  # load the school's place now, not in the middle of a request


def _settle_in(app: Flask, engine: Engine) -> None:
    """Set up this database for the app, with its limits, its folder and its hub."""
    demo = app.config["DEMO"]
    prepare(engine, limits.DEMO_BYTES if demo else None)
    if not demo:
        disk.keep_folder(engine, Path(app.instance_path))
    limits.use(engine, limits.DEMO if demo else limits.SCHOOL)
    clock.follow(engine)
    app.extensions["hub"] = hub_of(engine)


def _check_address(address: str | URL) -> None:
    """Raise CannotStart unless this is the URL of a database that we can use."""
    try:
        driver = make_url(address).drivername
    except ArgumentError:
        driver = ""
    if driver not in ("postgresql+psycopg", "sqlite"):
        raise CannotStart(NO_ADDRESS)
    if driver != "sqlite" and find_spec("psycopg") is None:
        raise CannotStart(NO_PSYCOPG)


def _address(file: Path) -> URL:
    return URL.create("sqlite", database=str(file))


def _take_key(app: Flask, engine: Engine) -> None:
    """Read the key for this database. If the key is missing, a new one is made: for a demo school
    always, for a real school only before it is set up."""
    folder = Path(app.instance_path)
    if app.config["DEMO"]:
        try:
            key = secrets_.key_in(folder, "demo-key")
        except CannotStart:
            secrets_.new_key(folder, "demo-key")
            key = secrets_.key_in(folder, "demo-key")
    else:
        key = secrets_.key_in(folder, make=upkeep.has_no_school(engine))
    secrets_.keep_key(engine, key)


def _web(app: Flask) -> None:
    language.init_app(app, settings.ROOT / "translations")
    hosts.init_app(app)
    guards.init_app(app)
    security.init_app(app)
    kept.init_app(app)
    error_pages.init_app(app)
    asset = partial(_asset, app)
    app.add_template_global(asset, "asset")
    assets.make_all()
    pages.init_app(app, asset)
    app.add_template_global(guards.may, "may")
    app.jinja_env.globals["demo"] = app.config["DEMO"]
    app.jinja_env.globals["command"] = settings.COMMAND
    app.context_processor(lambda: {"who": g.get("who", NOBODY)})
    filters.register(app.jinja_env)
    routes.init_app(app)
    app.extensions["news"] = partial(play.messages, app)


def _asset(app: Flask, path: str) -> str:
    """Return the URL of a static file. The hash in it lets browsers cache the file forever."""
    kept: dict[tuple[str, str], str] = app.extensions.setdefault("assets", {})
    where = (request.script_root, path)
    if where not in kept or app.debug:
        if app.debug:
            assets.made.cache_clear()
        mark = hashlib.sha256(assets.content(path)).hexdigest()[:10]
        kept[where] = url_for("static", filename=path, v=mark)
    return kept[where]


# ---- the demo school


def _demo(app: Flask) -> None:
    """Let this demo school be replaced with a new one while the server runs."""
    folder = Path(app.instance_path)
    demo = look_around.Demo(
        folder,
        look_around.load_rows,
        put=partial(_put, app),
        wake=lambda: app.extensions["hub"].wake(),
    )
    app.extensions["look_around"] = demo
    app.wsgi_app = Gate(app.wsgi_app, demo)  # type: ignore[method-assign]


def _put(app: Flask, file: Path) -> None:
    """Connect the demo school's app to another database, and make open pages update."""
    with app.app_context():
        options, old_hub = app.config["SQLALCHEMY_ENGINE_OPTIONS"], app.extensions["hub"]
        engine = create_engine(_address(file), **options)
        _settle_in(app, engine)
        _take_key(app, engine)
        connect_to(engine).dispose()
        app.config["SQLALCHEMY_DATABASE_URI"] = engine.url
    old_hub.wake()


def _demo_beside(app: Flask, values: dict[str, Any]) -> None:
    """Serve the demo school below /demo, if the setting LOOK_AROUND offers it now."""

    def offered() -> bool:
        with app.app_context():
            return app.config["LOOK_AROUND"] == "always" or not accounts.is_set_up()

    if not offered():
        return
    beside = create_app(values | {"DEMO": True, "DATABASE_URI": ""})
    demo: look_around.Demo = beside.extensions["look_around"]
    demo.offered = offered
    cast(Gate, beside.wsgi_app).school = app
    app.extensions["demo"], app.extensions["look_around"] = beside, demo
    app.extensions["demo_open"] = lambda: not demo.closed


def migrating() -> Flask:
    """Build the app for `flask --app classroom.app:migrating db ...`, which writes new migrations.
    A server does not need Flask-Migrate, and starts faster without it."""
    from flask_migrate import Migrate

    made = create_app()
    Migrate(made, db, directory=str(upkeep.MIGRATIONS), render_as_batch=True)
    return made
