"""Addresses in templates, which are remembered."""

from __future__ import annotations

from flask import Flask, render_template_string, url_for


def drawn(app: Flask, address: str, below: str = "") -> str:
    """What a template makes of this call, in a school mounted below a path."""
    with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": below}):
        return render_template_string("{{ " + address + " }}")


def test_an_address_is_the_same_each_time_it_is_drawn(app: Flask) -> None:
    call = "url_for('play.table', round_id=7)"
    assert drawn(app, call) == drawn(app, call) == "/play/rounds/7"


def test_a_demo_school_keeps_its_own_addresses(app: Flask) -> None:
    call = "url_for('play.table', round_id=7)"
    assert drawn(app, call) == "/play/rounds/7"
    assert drawn(app, call, below="/demo") == "/demo/play/rounds/7"


def test_values_that_are_equal_but_read_differently_are_told_apart(app: Flask) -> None:
    assert drawn(app, "url_for('play.home', x=1)").endswith("x=1")
    assert drawn(app, "url_for('play.home', x=true)").endswith("x=True")


def test_values_go_with_their_own_names(app: Flask) -> None:
    assert drawn(app, "url_for('play.home', a=1)").endswith("a=1")
    assert drawn(app, "url_for('play.home', b=1)").endswith("b=1")


def test_a_list_of_values_has_its_address_too(app: Flask) -> None:
    with app.test_request_context("/"):
        wanted = url_for("play.home", trait=["a", "b"])
    call = "url_for('play.home', trait=['a', 'b'])"
    assert drawn(app, call).replace("&amp;", "&") == wanted
