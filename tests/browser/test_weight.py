"""How many bytes a page transfers."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Response

from tests.browser import hands
from tests.browser.conftest import Child_, Served

Open = Callable[..., Child_]

FIRST_LOAD = 150_000
SCRIPTS = 50_000
ANSWER = 12_000


def test_the_table_transfers_few_bytes(open_child: Open, served: Served) -> None:
    served.set("Noor", opponents=3, deck="full")
    address = served.deal("Noor")
    child = open_child("Noor", fresh=True)  # a browser with an empty cache
    page, answers = child.page, list[Response]()
    page.on("response", lambda answer: answers.append(answer))
    page.goto(address)
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)
    first = {answer.url: size(answer) for answer in answers if "/events" not in answer.url}
    assert not [url for url in first if "/voice/" in url], "the voice is not of the first load"
    total = sum(first.values())
    scripts = sum(bytes_ for url, bytes_ in first.items() if ".js" in url)
    print(f"first load {total} bytes, scripts {scripts}, of {FIRST_LOAD} and {SCRIPTS}")
    assert total <= FIRST_LOAD, first
    assert scripts <= SCRIPTS
    if hands.settle(page) != "mine":
        return
    hands.take(page)
    with page.expect_response("**/asks") as answer:
        page.click("#go")
    print(f"answer to an ask {size(answer.value)} bytes, of {ANSWER}")
    assert size(answer.value) <= ANSWER


def size(answer: Response) -> int:
    answer.finished()
    sizes = answer.request.sizes()
    return int(sizes["responseBodySize"] + sizes["responseHeadersSize"])
