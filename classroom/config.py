"""All settings, one on each line. Set them in instance/settings.toml or as FISH_<NAME>.

The environment takes precedence over the file, and the file over these defaults. See
docs/settings.md.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
SHIPPED = PACKAGE / "shipped"  # in a wheel: the folders that a checkout has beside the package
INSTALLED = SHIPPED.is_dir()
ROOT = SHIPPED if INSTALLED else PACKAGE.parent  # the parent of templates, static, scripts ...
COMMAND = "fish-school" if INSTALLED else "python3 run.py"  # the command that the operator types
HOME = os.path.expanduser("~/fish-school") if INSTALLED else str(ROOT / "instance")


class Settings:
    """The default settings."""

    INSTANCE = HOME  # the folder of the database, the key and settings.toml
    DATABASE_URI = ""  # the database; empty: the SQLite file school.db in INSTANCE
    DEMO = False  # this is the demo school: sign-in cards on its front page, and a banner
    LOOK_AROUND = "until_set_up"  # when /demo serves the demo school: until_set_up, always or never
    UPGRADE = True  # bring the database up to date at start, after copying it
    HOSTS = ""  # host names to accept, comma-separated; empty: this computer's name and addresses
    PROXIES = 0  # how many reverse proxies are in front, whose X-Forwarded headers are trusted
    HSTS_SUBDOMAINS = False  # with https: subdomains of this server's name need https too
    TLS_CERT = ""  # the certificate if this server itself speaks https; empty: plain http
    TLS_KEY = ""  # the key of that certificate, without a password
    CONTACT = ""  # the person to ask about privacy, as written on pages; empty: the school
    METRICS_TOKEN = ""  # the secret token that a monitor sends to read /metrics; empty: nobody can
    LOG_JSON = False  # write the log as JSON, one object per line
    COMPANION_PACE = 1.2  # seconds a computer player takes for a move, so that a child can follow
    COPIES = 10  # how many copies of the database, made before upgrades, to keep
    MAX_CONTENT_LENGTH = 65_536  # bytes; the largest form without a class list or a recording
    MAX_FORM_MEMORY_SIZE = 65_536  # bytes; the largest field of a form
    CONNECTIONS = 4_000  # the largest number of connections open at one time
    CONNECTIONS_PER_ADDRESS = 1_000  # the most from one IP address, which a whole school may share
    MAX_FORM_PARTS = 200  # the largest number of fields in a form


@cache
def version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")
TOKEN = 20  # the minimum length of METRICS_TOKEN
LOOK_AROUND = ("until_set_up", "always", "never")
NAMES = tuple(name for name in vars(Settings) if name.isupper())


def load(overrides: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return all settings in force: defaults, settings.toml, environment, then `overrides`. Raises
    ValueError with one sentence for an unknown name or a value that cannot be read."""
    given = dict(overrides or {})
    environment = {n: os.environ[f"FISH_{n}"] for n in NAMES if f"FISH_{n}" in os.environ}
    values: dict[str, Any] = {name: getattr(Settings, name) for name in NAMES}
    values["INSTANCE"] = given.get("INSTANCE") or environment.get("INSTANCE", HOME)
    for found in (_from_file(Path(values["INSTANCE"])), environment):
        for name, value in found.items():
            values[name] = _as(type(getattr(Settings, name)), name, value)
    values |= given
    values["LOOK_AROUND"] = _when(values["LOOK_AROUND"])
    if 0 < len(values["METRICS_TOKEN"]) < TOKEN:
        raise ValueError(f"The setting METRICS_TOKEN is too short: it needs {TOKEN} characters.")
    return values


def _from_file(instance: Path) -> dict[str, Any]:
    path = instance / "settings.toml"
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}.") from error
    upper = {name.upper(): value for name, value in found.items()}
    unknown = sorted(set(upper) - set(NAMES))
    if unknown:
        raise ValueError(f"{path} has an unknown setting: {unknown[0].lower()}.")
    return upper


def _as(kind: type, name: str, value: Any) -> Any:
    if kind is bool and isinstance(value, str):
        return value.lower() in YES
    try:
        return kind(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The setting {name} cannot be {value!r}.") from error


def _when(value: Any) -> str:
    """Return when the demo school is offered; a plain yes or no is accepted too."""
    word = str(value).lower()
    found = "always" if word in YES else "never" if word in NO else word
    if found not in LOOK_AROUND:
        allowed = ", ".join(LOOK_AROUND)
        raise ValueError(f"The setting LOOK_AROUND cannot be {value!r}: choose one of {allowed}.")
    return found
