"""The commands for an adult who cannot get in: a new password, and a new administrator."""

from __future__ import annotations

import argparse
import getpass
import sys
from pathlib import Path


def password(given: argparse.Namespace) -> int:
    """Ask for an adult's new password and set it, or print a code with which the adult sets one."""
    from classroom.app import create_app
    from classroom.database import db, opened
    from classroom.services.access import resets, sign_in
    from classroom.services.base import security_log

    app = create_app({"LOOK_AROUND": False})
    with opened(app), security_log.kept(db.engine, Path(app.instance_path)):
        if given.code:
            code = resets.make_code_for(given.login)
            print(f"The code, good once within {resets.CODE_DAYS} days:\n{code}")
            print("Enter it on the sign-in page, under “I have a code for a new password”.")
            return 0
        typed = getpass.getpass("New password: ") if sys.stdin.isatty() else sys.stdin.readline()
        sign_in.reset_password(given.login, typed.rstrip("\n"))
    print("The password has been changed, and every browser of this account is signed out.")
    return 0


def administrator(given: argparse.Namespace) -> int:
    """Make an existing teacher an administrator: for a school whose last one has gone."""
    from classroom.app import create_app
    from classroom.database import db, opened
    from classroom.services.base import security_log
    from classroom.services.school import people

    app = create_app({"LOOK_AROUND": False})
    with opened(app), security_log.kept(db.engine, Path(app.instance_path)):
        people.make_administrator(given.login)
    print("They are an administrator now: the pages of the school are under “School”.")
    return 0
