"""The addresses of the app, made once for all apps of a run."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from flask import Blueprint, Flask
from werkzeug.routing import Map


class Known(NamedTuple):
    """What registering a blueprint adds to an app."""

    addresses: Map
    views: dict[str, Any]
    before: list[Any]


_known: Final[dict[str, Known]] = {}
_register: Final = Flask.register_blueprint


def register(app: Flask, blueprint: Blueprint, **options: Any) -> None:
    """Register a blueprint. Later apps share the first app's table of addresses, because making one
    took more than half of an app's start; so a test may add no address."""
    name = blueprint.name
    if name not in _known:
        earlier = {*app.view_functions}
        _register(app, blueprint, **options)
        views = {one: view for one, view in app.view_functions.items() if one not in earlier}
        _known[name] = Known(app.url_map, views, [*app.before_request_funcs[name]])
    app.url_map = _known[name].addresses
    app.blueprints[name] = blueprint
    app.view_functions.update(_known[name].views)
    app.before_request_funcs[name] = [*_known[name].before]


def share_addresses() -> None:
    """Let all apps share their addresses from now on."""
    Flask.register_blueprint = register  # type: ignore[method-assign]
