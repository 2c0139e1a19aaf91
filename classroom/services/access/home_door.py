"""The door at home: a parent opens a device for one child, who then taps its own four pictures.

The parent is signed out on that device, so that the child cannot reach the parent's pages. Wrong
pictures at home are counted separately, so that they never close a door in class.
"""

from __future__ import annotations

from typing import Final

from classroom.database import write_unit
from classroom.models import Child
from classroom.services.access import knocks, sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base import audit, budgets, clock, notices, secrets_, security_log
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.base.rows import existing
from classroom.services.table.choices import hours_of

TRIES: Final = 9  # wrong tries in 24 hours, after which the parent has to open the device again


def open_device(adult_id: int, child_id: int, device: str, session_id: int | None) -> str:
    """Open this device for a child of this parent until today's hours end; returns the token.

    Raises NotFound for a child who is not linked to this parent, and NotNow("home_closed") outside
    the hours.
    """
    if not sessions.is_parent_of(adult_id, child_id):
        raise NotFound("child")
    with write_unit():
        child = existing(Child, child_id)
        if not hours_of(child.school_class).are_now():
            raise NotNow("home_closed")
        budgets.forgive(_what(child_id))
        audit.record(adult_id, "open_home", "child", child_id)
        security_log.note("home_opened", adult_id=adult_id, child_id=child_id)
        return _start(Who(session_id=session_id, device=device, home_by=adult_id), child)


# ---- the child


def is_closed(who: Who) -> bool:
    """Whether too many wrong pictures were tapped in 24 hours: the parent must then open the device
    again."""
    since = clock.now() - clock.SECONDS_A_DAY
    return budgets.count(_what(_child(who).id), since) >= TRIES


def wait_of(who: Who) -> float:
    """Seconds until the pictures may be tried again."""
    row = knocks.find(who.device, _child(who).id)
    return max(0.0, row.wait_until - clock.now()) if row else 0.0


@security_log.refusals("child_in")
def pictures(who: Who, chosen: list[str]) -> str:
    """Sign in the child for whom this device was opened; returns the new token.

    Raises Refused("wrong_pictures", wait=seconds), Refused("wait", wait=seconds) if they are tried
    too soon, and NotNow("ask_parent") after TRIES wrong tries.
    """
    with write_unit():
        child = _child(who)
        row = knocks.noted(who.device, child.id)
        no: Refused | None = None
        wait = row.wait_until - clock.now()
        if is_closed(who):
            no = NotNow("ask_parent")
        elif wait > 0:
            no = Refused("wait", wait=wait)
        elif secrets_.same(" ".join(sign_in.pictures_of(child)), " ".join(chosen)):
            row.tries, row.wait_until = 0, 0.0
            budgets.forgive(_what(child.id))
            sessions.move_to_here(child.id, who.session_id)
            security_log.came_in(child_id=child.id)
            token = _start(who, child, child.id)
        else:
            row.tries += 1
            wait = budgets.picture_wait(row.tries)
            row.wait_until = clock.now() + wait
            budgets.note(_what(child.id), row.device)
            no = Refused("wrong_pictures", wait=wait)
        class_id = child.class_id
    if no is not None:
        raise no
    notices.tables(class_id)
    return token


def leave(who: Who) -> str | None:
    """Sign the child out, but leave the device open for it; returns the new token. If no child is
    signed in, close the device."""
    with write_unit():
        security_log.went_out(child_id=who.child_id)
        if who.child_id is not None:
            return _start(who, _child(who))
        sessions.end(who.session_id)
    return None


# ---- details


def _child(who: Who) -> Child:
    if who.home_id is None:
        raise NotFound("child")
    return existing(Child, who.home_id)


def _start(who: Who, child: Child, child_id: int | None = None) -> str:
    """Replace the session of this device with one for the child at home."""
    sessions.end(who.session_id)
    return sessions.start(
        who.device,
        child_id=child_id,
        home_id=child.id,
        home_by=who.home_by,
        until=hours_of(child.school_class).end() + sessions.CLASS_GRACE,
    )


def _what(child_id: int) -> str:
    return f"home:{child_id}"
