"""What is heard at a table: frames, their parts, a faster voice, and who is who."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from classroom.engine.cards import deck_of
from classroom.games import GAMES
from classroom.services.table import choices
from tests.browser import hands
from tests.browser.conftest import Child_, Served
from tests.playing import stacked

Open = Callable[..., Child_]
STRETCH = Path(__file__).parents[2] / "scripts" / "child" / "stretch.js"


def spoken(page: Page) -> list[str]:
    """A list that fills with the names of the pieces that the page loads from now on."""
    names: list[str] = []

    def asked(request: Request) -> None:
        if "/voice/" in request.url:
            names.append(request.url.rpartition("/")[2].partition(".mp3")[0])

    page.on("request", asked)
    return names


def have_said(page: Page, pieces: str) -> None:
    """Have the page say these pieces at the next tap on a card."""
    page.evaluate(
        """(pieces) => {
          for (const words of document.querySelectorAll('#words, #opts .opt'))
            for (const line of ['class', 'option', 'target', 'only', 'ask'])
              words.dataset[line + 'Say'] = pieces;
        }""",
        pieces,
    )
    page.locator("#hand .fan:not([aria-disabled])").first.click()


def test_a_frame_is_said_as_one_piece(open_child: Open, served: Served) -> None:
    page = open_child("Mia").sit()
    names = spoken(page)
    with page.expect_request("**/bear-asks+fox.mp3"), page.expect_request("**/for-7.mp3"):
        have_said(page, "bear-asks+fox for-7")
    page.wait_for_timeout(500)  # for parts, if it asked for them
    assert not {"bear-asks", "fox"} & set(names)


def test_a_frame_without_a_recording_is_joined_from_its_parts(
    open_child: Open, served: Served
) -> None:
    page = open_child("Mia").sit()
    page.route("**/voice/bear-asks+fox.mp3", lambda route: route.fulfill(status=404))
    with (
        page.expect_request("**/bear-asks.mp3"),
        page.expect_request("**/fox.mp3"),
        page.expect_request("**/for-7.mp3"),
    ):
        have_said(page, "bear-asks+fox for-7")


LIT = """() => {
  window.lit = [];
  const { set } = HighlightRegistry.prototype;
  HighlightRegistry.prototype.set = function (name, of) {
    window.lit.push([...of].map(String).join(''));
    return set.call(this, name, of);
  };
}"""


@pytest.mark.parametrize("wanted", [True, False])
def test_each_word_is_lit_as_it_is_said_unless_adults_chose_otherwise(
    open_child: Open, served: Served, wanted: bool
) -> None:
    served.set("Mia", lit=wanted)
    page = open_child("Mia").sit()
    page.evaluate(LIT)
    page.locator("#hand .fan:not([aria-disabled])").first.click()
    caption = page.locator("#words").inner_text()
    if wanted:
        page.wait_for_function("(many) => window.lit.length === many", arg=len(caption.split()))
        assert page.evaluate("window.lit") == caption.split()
        page.wait_for_function("() => !CSS.highlights.has('said')")
    else:
        page.wait_for_timeout(2_500)  # all is said by then
        assert page.evaluate("window.lit") == []


def test_a_lost_network_is_heard(open_child: Open, served: Served) -> None:
    """The piece is loaded before, as it could not be loaded then."""
    child = open_child("Mia")
    child.allowed |= {"ERR_INTERNET_DISCONNECTED", "Failed to fetch"}
    page = child.sit()
    page.evaluate(
        """() => {
          window.heard = 0;
          const { start } = AudioBufferSourceNode.prototype;
          AudioBufferSourceNode.prototype.start = function (...at) {
            window.heard++;
            start.apply(this, at);
          };
        }"""
    )
    have_said(page, "for-7")
    page.wait_for_function(
        """() => window.heard && performance.getEntriesByType('resource')
          .some((one) => one.name.includes('/wait-little.mp3') && one.responseEnd)"""
    )
    heard = page.evaluate("window.heard")
    child.context.set_offline(True)
    page.click("#home")
    expect(page.locator("#lost")).to_be_visible()
    page.wait_for_function("(heard) => window.heard > heard", arg=heard)
    child.context.set_offline(False)


@pytest.mark.parametrize("rate", [1.12, 1.3])
def test_a_faster_voice_is_not_higher(open_child: Open, rate: float) -> None:
    page = open_child().page
    page.set_content("<p>nothing</p>")
    code = STRETCH.read_text("utf-8").replace("export ", "")
    seconds, crossings = page.evaluate(
        code
        + """;
        (rate) => {
          const audio = new OfflineAudioContext(1, 24000, 24000);
          const buffer = audio.createBuffer(1, 24000, 24000);
          const wave = buffer.getChannelData(0);
          for (let i = 0; i < wave.length; i++) wave[i] = Math.sin((i * 2 * Math.PI * 220) / 24000);
          const short = hastened(audio, buffer, rate);
          const sound = short.getChannelData(0).slice(1000, -1000);
          let crossings = 0;
          for (let i = 1; i < sound.length; i++) crossings += sound[i - 1] < 0 && sound[i] >= 0;
          return [short.duration, (crossings * 24000) / sound.length];
        }""".replace("(rate) =>", "((rate) =>", 1)
        + f")({rate})"
    )
    assert seconds == pytest.approx(1 / rate, abs=0.06)
    assert crossings == pytest.approx(220, abs=8)


def test_an_ask_stays_in_view_when_the_telling_is_hurried(open_child: Open, served: Served) -> None:
    served.set("Noor", opponents=3, deck="short")
    page = open_child("Noor").sit()
    for turn in range(12):
        if hands.settle(page) == "over":
            page.click("#again")
            continue
        hands.ask(page, fan=turn)
        if seen_while_fishing(page):
            return
    raise AssertionError("no computer player had to fish")


def seen_while_fishing(page: Page) -> bool:
    """Hurry until a computer player fishes, and check that its ask is still shown. Returns whether
    one fished."""
    for _ in range(400):
        if hands.state(page) in ("mine", "over"):
            return False
        heard = page.locator("#heard").text_content() or ""
        if heard.endswith(" fishes."):
            assert page.locator("#air .say").count()
            return True
        if page.locator("#pond.is-now").count() or " asks " in heard:
            page.keyboard.press("Escape")
        page.wait_for_timeout(10)
    return False


def test_friends_hear_once_who_is_who(open_child: Open, served: Served) -> None:
    mia, ben = open_child("Mia"), open_child("Ben")
    names = spoken(mia.page)
    for page in (mia.page, ben.page):
        page.goto(served.url + "/play/friends")
    mia.page.click("#new-classic")
    ben.page.click(".opentable")
    mia.page.click("#ready")
    expect(ben.page.locator("#place-0.is-ready")).to_be_visible()
    ben.page.click("#ready")
    line = mia.page.locator("#tell .told")
    expect(line).to_contain_text("Ben is the ")
    expect(mia.page.locator("#tell .pad")).to_be_visible()
    assert hands.settle(mia.page) in ("mine", "over", "waiting")
    mia.page.wait_for_timeout(300)
    assert not names or any(name.startswith("this+is-") for name in names)


MUTED = "#sound.is-quiet"
# Notes from now on whether the ear is silent, whenever that changes.
EAR = """() => {
  const ear = document.querySelector('#sound');
  window.quiet = [];
  let before = true;
  new MutationObserver(() => {
    const now = ear.classList.contains('is-quiet');
    if (now !== before) window.quiet.push(now);
    before = now;
  }).observe(ear, {attributes: true});
}"""


def test_where_adults_chose_silence_a_tap_on_the_ear_is_heard_once(
    open_child: Open, served: Served
) -> None:
    served.set("Sam", voice=False, questions="off")
    child = open_child("Sam")
    names = spoken(child.page)
    page = child.sit()
    page.wait_for_selector(MUTED)
    page.locator("#hand .fan:not([aria-disabled])").first.click()
    page.wait_for_timeout(800)
    assert not names, "the page is silent"
    page.evaluate(EAR)
    page.click("#sound")
    page.wait_for_function("() => window.quiet.join() === 'false,true'")
    assert names, "the ear says it"
    names.clear()
    page.reload()
    page.wait_for_selector(MUTED)


ALL_CAUGHT = [f"{rank}{suit}" for rank in "A234567" for suit in "CD"]  # each ask of mine is a catch


def catch(child: Child_) -> Page:
    """Let the child ask for cards that its only friend has, so that it is its turn again."""
    rest = [card for card in deck_of(GAMES["classic"].rules).cards if card not in ALL_CAUGHT]
    with stacked([*ALL_CAUGHT, *rest], dealer=1):
        page = child.sit()
    hands.ask(page)
    assert hands.settle(page) == "mine"
    page.wait_for_selector("#talk", state="attached")
    return page


@pytest.mark.usefixtures("asked_always")
def test_the_voice_asks_how_the_child_knew_and_the_next_tap_goes_on(
    open_child: Open, served: Served
) -> None:
    served.set("Ada", opponents=1, deck="full", questions="off")
    child = open_child("Ada")
    names = spoken(child.page)
    page = catch(child)
    page.wait_for_selector("#air .say--talk")
    page.wait_for_timeout(500)  # it speaks once the balloon is painted
    assert {"talk-know", "talk-find", "talk-do"} & set(names)
    assert hands.state(page) == "mine", "it holds nothing up"
    page.locator("#hand .fan:not([aria-disabled])").first.click()
    expect(page.locator("#air .say--talk")).to_have_count(0)
    expect(page.locator('#hand .fan[aria-pressed="true"]')).to_have_count(1)


@pytest.mark.usefixtures("asked_always")
def test_the_voice_does_not_ask_where_little_should_move_or_in_silence(
    open_child: Open, served: Served
) -> None:
    served.set("Lina", opponents=1, deck="full", questions="off")
    served.set("Theo", opponents=1, deck="full", questions="off", voice=False)
    for child in (open_child("Lina", reduced_motion="reduce"), open_child("Theo")):
        names = spoken(child.page)
        page = catch(child)
        page.wait_for_timeout(600)
        assert not page.locator("#air .say--talk").count()
        assert not {name for name in names if name.startswith("talk-")}


@pytest.fixture
def asked_always(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every good moment to ask, not every second one."""
    monkeypatch.setitem(choices.EVERY, "often", 1)
    with served.room.app.app_context():
        choices.choose_talk(served.room.class_id, "often")
