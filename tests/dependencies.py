"""Audit the locked libraries: `python -m tests.dependencies`.

pip-audit asks the OSV database about each locked version and installs nothing. If the database
cannot be reached, one line says NOT AUDITED and nothing fails, because it must be possible to run
the tests without internet.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
LOCKS: Final = tuple(ROOT / name for name in ("requirements.txt", "requirements-postgres.txt"))
SECONDS: Final = 15.0  # for the whole audit
_AWAY: Final = re.compile(
    r"requests\.exceptions\.\w+|urllib3\.exceptions\.\w+|ServiceError|Could not connect"
)


def main(locks: Sequence[Path] = LOCKS, seconds: float = SECONDS, more: Sequence[str] = ()) -> int:
    """Audit the locks and print the result. Returns 1 if a vulnerability is known, or if the audit
    failed for any reason other than that the database cannot be reached."""
    command = [sys.executable, "-m", "pip_audit", "--vulnerability-service", "osv", "--strict"]
    command += ["--require-hashes", "--disable-pip", "--format", "json", "--timeout", "5"]
    command += ["--progress-spinner", "off", *more]
    command += [word for lock in locks for word in ("--requirement", str(lock))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return _away(f"no answer within {seconds:.0f} seconds")
    if done.stdout.lstrip().startswith("{"):
        return _told(json.loads(done.stdout)["dependencies"])
    found = _AWAY.findall(done.stderr)
    if found:
        return _away(found[-1])
    print(done.stderr, file=sys.stderr)
    print("The locked libraries could not be audited: see above.", file=sys.stderr)
    return 1


def _told(libraries: Sequence[dict[str, Any]]) -> int:
    known = [(one, flaw) for one in libraries for flaw in one["vulns"]]
    for library, flaw in known:
        mended = ", ".join(flaw["fix_versions"]) or "no version yet"
        print(f"{library['name']} {library['version']}: {flaw['id']}, mended in {mended}")
    print(f"Known vulnerabilities of {len(libraries)} locked libraries: {len(known)}.")
    return 1 if known else 0


def _away(why: str) -> int:
    print(f"NOT AUDITED: the database of vulnerabilities cannot be reached ({why}).")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
