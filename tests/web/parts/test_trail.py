"""The path: pages that need data wait for them, and each says how far it is."""

from __future__ import annotations

from pathlib import Path

from microveil.methods import Drop, LocalSuppression
from microveil.privacy import KAnonymity
from microveil.tables import Roles
from microveil.web import actions, server
from microveil.web.pages import PAGES
from microveil.web.parts import trail as trail_module
from microveil.web.parts.trail import STOPS, _state, trail
from microveil.web.server import PATHS
from tests.web.drawing import drawn, paper


def test_stops_are_the_pages() -> None:
    assert STOPS == PATHS
    assert trail_module.BESIDE == server.BESIDE
    assert (*STOPS, *server.BESIDE) == tuple(PAGES)


def test_without_data_only_what_needs_none_is_a_link(tmp_path: Path) -> None:
    page = paper(tmp_path, name="data", empty=True)
    found = drawn(lambda: trail(page))
    link, *beside = found.all("a")
    assert (link.props["href"], link.props["aria-current"]) == ("/data", "page")
    assert [one.props["href"] for one in beside] == ["/linked", "/outputs", "/releases"]
    waiting = [node for node in found.nodes if node.props.get("aria-disabled") == "true"]
    assert len(waiting) == len(STOPS)


def test_each_stop_says_where_it_stands(tmp_path: Path) -> None:
    page = paper(tmp_path, Drop(columns=["name"]), LocalSuppression(k=2), name="risk")
    assert len(drawn(lambda: trail(page)).all("a")) == len(PAGES)
    told = {name: _state(page, name) for name in STOPS}
    assert told["risk"] == "k = 1"
    assert told["compare"] == "k = 6"
    assert told["release"] == page.text("state.unchecked")
    assert "12" in told["data"]
    assert told["roles"] == page.text("state.keys", n=2)
    assert told["protect"] == page.text("state.steps", n=2)
    actions.check(page.session)
    assert _state(page, "release") == page.text("state.holds")
    actions.release(page.session, ".csv")
    assert _state(page, "release") == page.text("state.released")
    actions.change(page.session, page.project.plan.with_require([KAnonymity(k=99)]))
    actions.check(page.session)
    assert _state(page, "release") == page.text("state.broken")


def test_without_keys_there_is_no_k(tmp_path: Path) -> None:
    page = paper(tmp_path, name="risk")
    actions.change(page.session, page.project.plan.with_roles(Roles(sensitive=["ill"])))
    assert [_state(page, name) for name in ("risk", "compare")] == ["–", "–"]
