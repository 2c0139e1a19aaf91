"""Fish School: `python3 run.py` serves it, `python3 run.py test` tests it. Nothing else is needed.

This file is written so that even a very old Python can run it and report that it is too old.
"""

import sys

NEEDED = (3, 11)


def start(arguments):  # type: ignore[no-untyped-def]
    """Prepare the project's own environment and continue there."""
    if sys.version_info < NEEDED:
        sys.stderr.write(
            "Fish School needs Python %d.%d or newer, and this is Python %d.%d: "
            "install a newer one and start it with that.\n" % (NEEDED + sys.version_info[:2])
        )
        return 1
    from classroom import launcher

    return launcher.main(arguments)


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:]))
