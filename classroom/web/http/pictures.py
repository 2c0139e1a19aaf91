"""Pictures: symbols of an SVG sheet, drawn with <use>. Templates import components/pictures.html.

They are drawn by functions because a table page has eighty, and macros cost ten times as much.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flask import Flask
from markupsafe import Markup, escape


def init_app(app: Flask, asset: Callable[[str], str]) -> None:
    """Give templates `picture` and `icon`. `asset`: returns the address of a static file."""

    def picture(name: str, look: str = "", box: str = "", sheet: str = "sprite") -> Markup:
        return drawn(asset(f"art/{sheet}.svg"), name, look, box)

    def icon(name: str, size: str = "") -> Markup:
        return drawn(asset("art/sprite.svg"), "i-" + name, "ico ico--" + size if size else "ico")

    app.add_template_global(picture)
    app.add_template_global(icon)


@lru_cache(maxsize=4096)
def drawn(sheet: str, name: str, look: str = "", box: str = "") -> Markup:
    """One symbol of a sheet, hidden from screen readers: the text beside it says the same."""
    look = f' class="{escape(look)}"' if look else ""
    box = f' viewBox="{escape(box)}"' if box else ""
    use = f'<use href="{escape(sheet)}#{escape(name)}"/>'
    return Markup(f'<svg{look}{box} aria-hidden="true">{use}</svg>')  # noqa: S704 all escaped
