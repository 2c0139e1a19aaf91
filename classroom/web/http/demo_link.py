"""The demo school beside this school, for the pages that link to it."""

from __future__ import annotations

from flask import current_app

from classroom.services.operation.look_around import Demo


def demo_beside() -> Demo | None:
    """The demo school beside this school, or None while it is not offered."""
    demo: Demo | None = None
    if not current_app.config["DEMO"]:
        demo = current_app.extensions.get("look_around")
    return demo if demo and demo.open() else None
