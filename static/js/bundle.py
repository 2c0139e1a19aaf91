"""Joins the page scripts into one file: `python static/js/bundle.py`.

One file, because htmx and its extensions loaded one by one race each other: an extension that
comes late is left out. The vendored files are checked against their SHA-256 and never changed;
ours (app/*.js, by name) are wrapped so that nothing of them is global. `--check` only compares.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
VENDORED = {
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
}


def vendored(name: str) -> str:
    """The text of a vendored file; ValueError if it is not the very file that was taken over."""
    data = (HERE / "vendor" / name).read_bytes()
    if sha256(data).hexdigest() != VENDORED[name]:
        raise ValueError(f"vendor/{name} is not the file that was taken over")
    return data.decode("utf-8").strip()


def ours() -> str:
    """Our own scripts without comments of whole lines and without indentation."""
    lines: list[str] = []
    inside = False
    for path in sorted((HERE / "app").glob("*.js")):
        for line in map(str.strip, path.read_text("utf-8").splitlines()):
            inside = inside or line.startswith("/**")
            if line and not inside and not line.startswith("//"):
                lines.append(line)
            inside = inside and not line.endswith("*/")
    return "\n".join(lines)


def bundle() -> str:
    """The whole bundle as text."""
    parts = [vendored(name) for name in VENDORED]
    return "\n;\n".join([*parts, '(() => {\n"use strict";\n' + ours() + "\n})();\n"])


def main(arguments: list[str]) -> int:
    target = HERE / "bundle.js"
    text = bundle()
    if "--check" in arguments:
        same = target.exists() and target.read_text("utf-8") == text
        print("bundle.js is up to date" if same else "bundle.js is old: python static/js/bundle.py")
        return 0 if same else 1
    target.write_text(text, "utf-8")
    print(f"bundle.js: {len(text.encode())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
