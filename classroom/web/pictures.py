"""Pictures are symbols of one sheet, drawn by <use>.

Functions and not macros: a table page has sixty pictures, and a macro costs ten times as much.
Templates import them from components/pictures.html.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask
from markupsafe import Markup, escape


def init_app(app: Flask, asset: Callable[[str], str]) -> None:
    """`asset` gives the address of a static file."""

    def picture(name: str, look: str = "", box: str = "", sheet: str = "sprite") -> Markup:
        look = f' class="{escape(look)}"' if look else ""
        box = f' viewBox="{escape(box)}"' if box else ""
        href = f"{asset(f'art/{sheet}.svg')}#{escape(name)}"
        return Markup(f'<svg{look}{box} aria-hidden="true"><use href="{href}"/></svg>')

    def icon(name: str, size: str = "") -> Markup:
        return picture("i-" + name, "ico ico--" + size if size else "ico")

    app.add_template_global(picture)
    app.add_template_global(icon)
