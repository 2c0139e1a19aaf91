"""The studio with a microphone, and the voice that it makes at a child's table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from classroom.models import VoicePiece
from classroom.services.school import voice_packs
from tests.browser import hands
from tests.browser.adults import make_adults, sign_in
from tests.browser.conftest import SIZES, Child_, Served
from tests.browser.test_voice import have_said, spoken

Open = Callable[..., Child_]
READER = Path(__file__).with_name("studio_reader.js").read_text("utf-8").rstrip(";\n")
MICROPHONE = {"permissions": ["microphone"]}


@pytest.fixture
def pack(served: Served) -> Iterator[int]:
    """An empty voice of the teacher."""
    teacher = make_adults(served)["lake"]
    with served.room.app.app_context():
        for old in voice_packs.of_reader(teacher):
            voice_packs.withdraw(old.pack_id, teacher)
        pack_id = voice_packs.begin(teacher, served.room.class_id, "en", "school", agrees=True)
    yield pack_id
    with served.room.app.app_context():
        voice_packs.withdraw(pack_id, teacher)


def open_studio(open_child: Open, pack: int, bad: dict[str, str]) -> Page:
    child = open_child(size="tablet", fresh=True, **MICROPHONE)
    child.allowed.add("net::ERR_FAILED")  # a recording that cannot be sent
    page = sign_in(child, "lake")
    page.add_init_script(f"({READER})({json.dumps(bad)})")
    page.goto(f"{child.url}/voice/{pack}/read")
    page.uncheck("#examples")
    return page


def read(page: Page, pieces: int, patience: float = 120) -> float:
    """Read until `pieces` of them are read. Returns the seconds that it took."""
    begun = time.monotonic()
    page.click("#begin")
    expect(page.locator(".piece.is-read").nth(pieces - 1)).to_be_visible(timeout=patience * 1000)
    return time.monotonic() - begun


def kept(served: Served, pack: int, pieces: int) -> tuple[VoicePiece, ...]:
    """The pieces that the server has, once there are `pieces` of them."""
    end = time.monotonic() + 20
    while True:
        with served.room.app.app_context():
            found = voice_packs.pieces(pack)
        if len(found) >= pieces:
            return found
        assert time.monotonic() < end, [one.name for one in found]
        time.sleep(0.2)


def test_speaking_begins_a_piece_and_silence_ends_it(
    open_child: Open, served: Served, pack: int
) -> None:
    page = open_studio(open_child, pack, {})
    read(page, 2)
    page.click("#begin")  # pause
    found = kept(served, pack, 2)
    heard = [one.loudness for one in found]
    assert max(heard) - min(heard) <= 1.5
    expect(page.locator("#far")).to_contain_text("/ 200")
    page.reload()
    assert page.locator(".piece.is-read").count() >= 2


def test_a_take_that_cannot_be_used_is_asked_for_again_with_the_reason(
    open_child: Open, served: Served, pack: int
) -> None:
    page = open_studio(open_child, pack, {"go-fish": "loud", "hello": "soft", "tap-card": "long"})
    page.evaluate("""() => { window.told = []; new MutationObserver(
      () => window.told.push(document.getElementById('say').textContent)
    ).observe(document.getElementById('say'), {childList: true}); }""")
    read(page, 5)
    told = " ".join(page.evaluate("window.told"))
    for why in ("too loud", "too quiet", "too long"):
        assert why in told
    assert page.evaluate("window.takes") >= 8  # three of five pieces were read twice
    assert {one.name for one in kept(served, pack, 5)} >= {"go-fish", "hello", "tap-card"}


def test_the_keys_alone_read_again_and_what_cannot_be_sent_is_kept(
    open_child: Open, served: Served, pack: int
) -> None:
    page = open_studio(open_child, pack, {})
    page.locator("#begin").focus()
    page.route("**/read/go-fish", lambda route: route.abort())
    page.keyboard.press(" ")
    expect(page.locator(".piece.is-read").nth(2)).to_be_visible(timeout=60_000)
    page.keyboard.press(" ")  # the same piece again
    expect(page.locator("#studio")).to_have_attribute("data-waits", "")
    page.unroute("**/read/go-fish")
    assert "go-fish" in {one.name for one in kept(served, pack, 3)}


def test_without_a_microphone_the_page_says_what_to_do(
    open_child: Open, served: Served, pack: int
) -> None:
    child = open_child(fresh=True)
    page = sign_in(child, "lake")
    page.add_init_script("""navigator.mediaDevices.getUserMedia =
      () => Promise.reject(new DOMException('no', 'NotAllowedError'))""")
    page.goto(f"{child.url}/voice/{pack}/read")
    page.click("#begin")
    expect(page.locator("#say")).to_contain_text("allow it next to the address")
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', {get: () => undefined})")
    page.reload()
    page.click("#begin")
    expect(page.locator("#say")).to_contain_text("https")


@pytest.mark.walk(3)
@pytest.mark.parametrize("size", SIZES)
def test_the_pages_of_voices_fit(open_child: Open, pack: int, size: str, served: Served) -> None:
    child = open_child(size=size)
    page = sign_in(child, "lake")
    room = served.room.class_id
    for path in ("/voice/", f"/voice/{pack}/read", f"/teach/classes/{room}/voices"):
        page.goto(child.url + path)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, path


def test_a_sentence_is_said_whole_by_the_voice_that_has_all_of_it(
    open_child: Open, served: Served, pack: int
) -> None:
    from tests.recordings import spoken as recorded

    with served.room.app.app_context():
        for name in ("bear-asks", "fox", "for-7"):
            voice_packs.put(pack, name, name, recorded(name), None)
        version = voice_packs.pack(pack).changes
    page = open_child("Mia").sit()
    page.wait_for_function("() => window.recorded")  # scripts/child/packs.js loads after the page
    names = spoken(page)
    with page.expect_request(f"**/voice/{pack}/{version}/for-7.mp3"):
        have_said(page, "bear-asks+fox for-7")  # the frame is put together from its parts
    page.wait_for_timeout(500)
    assert {"bear-asks", "fox", "for-7"} <= set(names)
    assert "bear-asks+fox" not in names
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_request("**/static/voice/for-8.mp3"):
        have_said(page, "bear-asks+fox for-8")  # this voice has only some of the parts
    page.wait_for_timeout(500)
    assert not [url for url in asked if f"/voice/{pack}/" in url]
    assert hands.settle(page) == "mine"


@pytest.mark.long
def test_two_hundred_pieces_take_less_than_twenty_minutes(
    open_child: Open, served: Served, pack: int
) -> None:
    page = open_studio(open_child, pack, {})
    seconds = read(page, 200, patience=1_500)
    takes = page.evaluate("window.takes")
    heard = [one.loudness for one in kept(served, pack, 200)]
    print(f"200 pieces in {seconds / 60:.1f} minutes, {takes - 200} of them read again; "
          f"softest to loudest {max(heard) - min(heard):.2f} LU")  # fmt: skip
    assert seconds < 20 * 60
    assert takes <= 205
    assert max(heard) - min(heard) <= 1.5
