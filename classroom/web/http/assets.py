"""The scripts and styles that browsers load, made from their sources when the server starts.

Scripts: a page loads a single file, because htmx and its extensions race each other when loaded one
by one, and an extension that arrives late is left out. The vendored files come first, checked
against their SHA-256 and never changed. Our modules follow in one function, each after the modules
that it imports, without its imports and exports. Therefore no two modules may define the same name.
Styles are the files of `static/css`, minified; the four files for a table are sent as one. The
drawings in `static/art` are also made as outlines with pale greys, for printing with little ink.
"""

from __future__ import annotations

import io
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from flask import Response, send_file
from rcssmin import cssmin
from rjsmin import jsmin

from classroom.config import ROOT

STATIC: Final = ROOT / "static"
SOURCES: Final = ROOT / "scripts"
VENDORED: Final = {
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
}
BUNDLE: Final = "js/bundle.js"  # the script with the vendored files at its start
# The main module of each script, by the script's path below /static.
SCRIPTS: Final = {
    BUNDLE: "child/main.js",
    "js/adult.js": "adult/main.js",
    "js/recorded.js": "child/packs.js",
    "js/studio.js": "studio/main.js",
    "js/level.js": "studio/worklet.js",
}
STYLES: Final = tuple(f"css/{path.name}" for path in sorted((STATIC / "css").glob("*.css")))
JOINED: Final = {"css/play.css": ("table", "games", "questions", "screens")}
PALE: Final = {f"art/pale/{path.name}": path for path in sorted((STATIC / "art").glob("*.svg"))}
MADE: Final = (*SCRIPTS, *STYLES, *JOINED, *PALE)
_KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

_PAINT: Final = re.compile(
    r'(fill|stroke|stop-color|flood-color)="(?:var\(--[\w-]+,)?#([0-9a-f]{3}|[0-9a-f]{6})\)?"'
)
LIGHT: Final = 0.9  # a colour with a larger share of white becomes white, like the paper
SURFACE: Final = 0.07  # the share of its darkness that a surface keeps
LINE: Final = 0.65  # the share of its darkness that a line keeps

_IMPORT: Final = re.compile(
    r'^import (?:\{\s*\w+(?:,\s*\w+)*,?\s*\} from )?"\./(\w+)\.js";\n', re.M
)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) \w)", re.M)
_NAMED: Final = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.M)
_OTHER: Final = re.compile(r"^(?:import|export|var|const [{[]|let [{[]).*", re.M)


def make_all() -> None:
    """Make every file when the server starts (about 20 ms). Raises ValueError like `made`."""
    for path in MADE:
        made(path)


@cache
def made(path: str) -> bytes:
    """The content of the file at a path in MADE. Raises ValueError if it cannot be made."""
    if path in SCRIPTS:
        parts = [vendored(SOURCES / "vendor" / name) for name in VENDORED if path == BUNDLE]
        ours = "".join(modules(SOURCES / SCRIPTS[path]).values())
        parts.append(str(jsmin('(() => {\n"use strict";\n' + ours + "})();\n")))
        return "\n;\n".join(parts).encode()
    if path in JOINED:
        return b"\n".join(made(f"css/{name}.css") for name in JOINED[path])
    if path in PALE:
        return _PAINT.sub(_pale, PALE[path].read_text("utf-8")).encode()
    return str(cssmin((STATIC / path).read_text("utf-8"))).encode()


def content(path: str) -> bytes:
    """The content of the file at this path below /static."""
    return made(path) if path in MADE else (STATIC / path).read_bytes()


def send(path: str) -> Response:
    """Send the file at one of the paths in MADE, with an ETag made from its content."""
    text = made(path)
    return send_file(
        io.BytesIO(text),
        mimetype=_KINDS[Path(path).suffix],
        etag=sha256(text).hexdigest()[:32],
        conditional=True,
    )


def _pale(found: re.Match[str]) -> str:
    """A drawing's colour as grey: a surface becomes pale, and a line keeps most of its darkness."""
    what, code = found.groups()
    six = code if len(code) == 6 else "".join(digit * 2 for digit in code)
    red, green, blue = (int(six[at : at + 2], 16) / 255 for at in (0, 2, 4))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    dark = 0 if light > LIGHT else (1 - light) * (LINE if what == "stroke" else SURFACE)
    return f'{what}="#{f"{round(255 * (1 - dark)):02x}" * 3}"'


def vendored(path: Path) -> str:
    """The text of a vendored file. Raises ValueError if its hash is not the one in VENDORED."""
    data = path.read_bytes()
    if sha256(data).hexdigest() != VENDORED[path.name]:
        raise ValueError(f"{path.name} is not the file that was taken over")
    return data.decode("utf-8").strip()


def modules(start: Path) -> dict[Path, str]:
    """The texts of a module and of all modules that it imports, without imports and exports, each
    after those that it needs. Raises ValueError if they cannot be joined."""
    bodies: dict[Path, str] = {}
    names: dict[str, str] = {}

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            raise ValueError(f"{path.name} imports itself by way of {above[-1].name}")
        if path in bodies:
            return
        source = path.read_text("utf-8")
        for name in _IMPORT.findall(source):
            visit(path.with_name(f"{name}.js"), (*above, path))
        bodies[path] = _EXPORT.sub("", _IMPORT.sub("", source))
        if other := _OTHER.search(bodies[path]):
            raise ValueError(f"{path.name}: {other[0]} is a form that is not joined")
        for name in _NAMED.findall(bodies[path]):
            if name in names:
                raise ValueError(f"{name} is a name in {names[name]} and in {path.name}")
            names[name] = path.name

    visit(start, ())
    return bodies
