"""A child who drops out comes back to the same seat, after any failure of network or device."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Error

from classroom.services.table import rounds
from tests.browser import hands
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]

BACK = 3.0  # seconds within which nineteen of twenty are back, on an idle machine
LONGEST = 15.0
NAME = "Ada"
LOST = {"ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "htmx: htmx:error", "Failed to fetch"}
LOST |= {"ERR_NETWORK_CHANGED", "network error", "Failed to load resource"}


class Dropped:
    """A child at a table who is cut off again and again."""

    def __init__(self, open_child: Open, served: Served, seed: int) -> None:
        self.open_child, self.served, self.lots = open_child, served, Random(seed)
        self.moves = 0
        self.sit()

    def sit(self) -> None:
        """Sit down on a new device: at the table that waits, else at a new one."""
        self.child = self.open_child(NAME)
        self.child.allowed |= LOST
        self.page = self.child.go("/play/")
        waits = self.page.locator("#go-on").count()
        self.page.click("#go-on" if waits else "#play-classic")
        self.page.wait_for_selector("#table")

    @property
    def round_id(self) -> int:
        return int(self.page.url.partition("/rounds/")[2].partition("?")[0])

    def true_number(self) -> int:
        with self.served.room.app.app_context():
            return rounds.seq(self.round_id)

    def is_over(self, round_id: int) -> bool:
        with self.served.room.app.app_context():
            return rounds.table(round_id, 0).over

    def play(self) -> None:
        """Play until the child taps Ask, then wait a moment: the cut comes before, during or after
        the request."""
        if hands.settle(self.page) == "over":
            self.another_device()
            self.play()
            return
        hands.take(self.page, self.lots.randrange(5), self.lots.randrange(2))
        before = self.true_number()
        self.page.click("#go", no_wait_after=True)
        self.page.wait_for_timeout(self.lots.uniform(0, 400))
        self.moves += self.true_number() > before

    def cut(self) -> float:
        """Drop out in one of three ways. Returns the seconds until the page shows the table as it
        is now."""
        how = self.lots.choice((self.offline, self.reload, self.another_device))
        seat = self.page.get_attribute("#table", "data-me")
        seen, table = hands.number(self.page), self.round_id
        began = how()
        while True:
            true = self.true_number()
            try:
                self.page.keyboard.press("Escape")  # skip the replay of what happened
                shown = hands.number(self.page)
            except Error:  # the page is loading
                shown = -1
            if shown == true == self.true_number():
                break
            assert time.monotonic() - began < LONGEST, (how.__name__, shown, true)
            self.page.wait_for_timeout(20)
        took = time.monotonic() - began
        if self.round_id != table:  # that round ended while the child was away
            assert self.is_over(table)
            return took
        assert shown >= seen
        assert self.page.get_attribute("#table", "data-me") == seat
        return took

    def offline(self) -> float:
        self.child.context.set_offline(True)
        self.page.wait_for_timeout(self.lots.uniform(50, 1500))
        self.child.context.set_offline(False)
        return time.monotonic()

    def reload(self) -> float:
        began = time.monotonic()
        self.page.reload()
        return began

    def another_device(self) -> float:
        self.child.context.close()  # like an empty battery: without notice
        began = time.monotonic()
        self.sit()
        return began


def drop_out(open_child: Open, served: Served, cuts: int) -> list[float]:
    """Cut the child off this many times. Returns the seconds to each return, shortest first."""
    served.set(NAME, opponents=2, deck="full")
    child = Dropped(open_child, served, seed=cuts)
    took = []
    for _ in range(cuts):
        child.play()
        took.append(child.cut())
    assert child.moves > cuts // 3  # the asks went through
    return sorted(took)


def test_a_child_who_drops_out_comes_back_to_the_same_seat(
    open_child: Open, served: Served, whole: bool
) -> None:
    drop_out(open_child, served, 6 if whole else 3)


@pytest.mark.long
def test_a_thousand_cuts_lead_back_to_the_same_seat(open_child: Open, served: Served) -> None:
    took = drop_out(open_child, served, 1000)
    assert took[950] <= BACK
