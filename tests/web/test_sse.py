"""Messages of a page's stream, as a browser's EventSource reads them."""

from __future__ import annotations

import pytest
from flask import Flask

from classroom.web.http import pages


@pytest.mark.parametrize("text", ["one", "one\ntwo", "one\u2028two", "one\x85two", "", "one\n"])
def test_a_browser_reads_the_text_that_was_sent(text: str) -> None:
    with Flask("pages").test_request_context():
        sent = pages.stream_message("5-0", lambda: text).get_data(as_text=True)
    name, *lines = sent.removesuffix("\n\n").split("\n")
    assert name == "id: 5-0"
    assert all(line.startswith("data: ") for line in lines)
    assert "\n".join(line.removeprefix("data: ") for line in lines) == text


def test_a_browser_that_has_this_mark_is_sent_nothing_new() -> None:
    with Flask("pages").test_request_context(headers={"Last-Event-ID": "5-0"}):
        assert pages.stream_message("5-0", lambda: "").get_data() == b": nothing new\n\n"


def test_equal_values_have_equal_marks_and_others_have_other_ones() -> None:
    assert pages.mark_of((1, "a")) == pages.mark_of((1, "a"))
    assert pages.mark_of((1, "a")) != pages.mark_of((1, "b"))
