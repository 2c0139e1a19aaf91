"""The list of third-party software that a school runs, in CycloneDX format.

It is made from the locks and the vendored files when it is asked for (`python3 run.py sbom`), so it
is never out of date.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from classroom.config import ROOT

LOCKS: Final = {"requirements.txt": "required", "requirements-postgres.txt": "optional"}
TAKEN_OVER: Final = (
    ("htmx", "4.0.1", "0BSD", "scripts/vendor/htmx.min.js"),
    ("hx-sse", "4.0.1", "0BSD", "scripts/vendor/hx-sse.min.js"),
    ("andika-regular", "", "OFL-1.1", "static/fonts/andika-latin-400-normal.woff2"),
    ("andika-bold", "", "OFL-1.1", "static/fonts/andika-latin-700-normal.woff2"),
    ("fredoka", "", "OFL-1.1", "static/fonts/fredoka-latin-wght-normal.woff2"),
)
# Made with a program that is not part of the school: docs/voice.md.
VOICE: Final = ("voice", "hibari-tts 0.2.1 (heart)", "Apache-2.0")
_LOCKED: Final = re.compile(r"^([a-z0-9._-]+)==([^\s;]+)((?:.|\n(?!\S))*)", re.M)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
Component = dict[str, Any]


def text() -> str:
    """Return the list as JSON; always the same for the same locks and files."""
    components = {one["bom-ref"]: one for one in (*_files(), _voice(), *_libraries())}
    listed = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _school()},
        "components": [components[name] for name in sorted(components)],
        "dependencies": [{"ref": "fish-school", "dependsOn": sorted(components)}],
    }
    return json.dumps(listed, indent=2) + "\n"


def _school() -> Component:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = {name: project[name] for name in ("name", "version", "description")}
    licences = [{"license": {"id": project["license"]}}]
    return {"type": "application", "bom-ref": "fish-school", **about, "licenses": licences}


def _libraries() -> Iterator[Component]:
    """Yield the libraries in the locks. The first lock to name one says whether it is required."""
    listed = set()
    for lock, scope in LOCKS.items():
        for name, version, rest in _LOCKED.findall((ROOT / lock).read_text(encoding="utf-8")):
            if name not in listed:
                listed.add(name)
                yield _library(name, version, scope, _HASH.findall(rest))


def _library(name: str, version: str, scope: str, hashes: list[str]) -> Component:
    purl = f"pkg:pypi/{name}@{version}"
    files = {"type": "distribution", "url": purl, "hashes": [_hash(one) for one in hashes]}
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "scope": scope,
        "purl": purl,
        "externalReferences": [files],
    }


def _files() -> Iterator[Component]:
    for name, version, licence, path in TAKEN_OVER:
        found = {
            "type": "file" if path.endswith("woff2") else "library",
            "bom-ref": path,
            "name": name,
            "hashes": [_hash(_digest(ROOT / path))],
            "licenses": [{"license": {"id": licence}}],
        }
        yield found | ({"version": version} if version else {})


def _voice() -> Component:
    name, made_with, licence = VOICE
    return {
        "type": "data",
        "bom-ref": "static/voice",
        "name": name,
        "description": f"Recordings of a synthetic voice, made with {made_with}",
        "licenses": [{"license": {"id": licence}}],
    }


def _hash(digest: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": digest}


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
