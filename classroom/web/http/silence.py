"""Whether a child's page keeps silent until the ear is tapped, as adults chose."""

from __future__ import annotations

from flask import Flask, g

from classroom.services.table import choices
from classroom.web.http.guards import NOBODY


def init_app(app: Flask) -> None:
    app.add_template_global(is_silent)


def is_silent() -> bool:
    """Whether the signed-in child's pages are silent. Pages before sign-in never are."""
    who = g.get("who", NOBODY)
    return who.child_id is not None and not choices.speaks(who.child_id, at_home=who.at_home)
