"""Joins the modules of `scripts` into the files that browsers load.

One file a page, because htmx and its extensions loaded one by one race each other: an extension
that comes late is left out. The vendored files come first, checked against their SHA-256 and never
changed. Ours follow in one function, each module after those that it imports from, without its
imports and exports; so no two of them may give a name to different things.
"""

from __future__ import annotations

import io
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from flask import Response, send_file
from rjsmin import jsmin

from classroom.config import ROOT

SCRIPTS: Final = ROOT / "scripts"
VENDORED: Final = {
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
}
# Below /static: the files of others that it begins with, and the module that it starts from.
FILES: Final = {
    "js/bundle.js": (tuple(VENDORED), "child/main.js"),
    "js/adult.js": ((), "adult/main.js"),
}
_IMPORT: Final = re.compile(
    r'^import (?:\{\s*\w+(?:,\s*\w+)*,?\s*\} from )?"\./(\w+)\.js";\n', re.M
)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class) \w)", re.M)
_NAMED: Final = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.M)
_OTHER: Final = re.compile(r"^(?:import|export|var|const [{[]|let [{[]).*", re.M)


def join_all() -> None:
    """Join every file now: a start takes some 4 ms for it, and fails where one cannot be joined."""
    for file in FILES:
        joined(file)


@cache
def joined(file: str) -> bytes:
    """The file of this name below /static. ValueError where a module cannot be joined."""
    others, start = FILES[file]
    parts = [vendored(SCRIPTS / "vendor" / name) for name in others]
    ours = "".join(modules(SCRIPTS / start).values())
    parts.append(str(jsmin('(() => {\n"use strict";\n' + ours + "})();\n")))
    return "\n;\n".join(parts).encode()


def vendored(path: Path) -> str:
    """The text of a vendored file; ValueError if it is not the file that was taken over."""
    data = path.read_bytes()
    if sha256(data).hexdigest() != VENDORED[path.name]:
        raise ValueError(f"{path.name} is not the file that was taken over")
    return data.decode("utf-8").strip()


def modules(start: Path) -> dict[Path, str]:
    """A module and all that it imports from, each after those that it needs, ready to be joined."""
    made: dict[Path, str] = {}
    names: dict[str, str] = {}

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            raise ValueError(f"{path.name} imports itself by way of {above[-1].name}")
        if path in made:
            return
        source = path.read_text("utf-8")
        for name in _IMPORT.findall(source):
            visit(path.with_name(f"{name}.js"), (*above, path))
        made[path] = _body(path.name, source)
        for name in _NAMED.findall(made[path]):
            if name in names:
                raise ValueError(f"{name} is a name in {names[name]} and in {path.name}")
            names[name] = path.name

    visit(start, ())
    return made


def _body(name: str, source: str) -> str:
    """A module without its imports and exports."""
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if other := _OTHER.search(body):
        raise ValueError(f"{name}: {other[0]} is a form that is not joined")
    return body


def send(file: str) -> Response:
    """A joined file as an answer, with an ETag of its content."""
    content = joined(file)
    return send_file(
        io.BytesIO(content),
        mimetype="text/javascript",
        etag=sha256(content).hexdigest()[:32],
        conditional=True,
        max_age=None,
    )
