"""A page stays there whatever its content or a click does, and says what went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microveil.errors import InputError
from microveil.texts import COMPLETE
from microveil.web.parts.page import Page, _say
from tests.web.drawing import Drawn, client, paper
from tests.web.loops import in_own_loop


def built(folder: Path, content: Any, action: Any = None) -> tuple[Page, Drawn]:
    """A page as a browser gets it, after a click if there is one."""
    like = paper(folder, name="data", empty=True)
    page = Page(like.server, like.session, "data", content)

    async def show() -> Drawn:
        with client() as here:
            page.build()
            if action is not None:
                await page.run(action)
            return Drawn.of(here.content)

    return page, in_own_loop(show())


def test_a_page_has_its_path_its_languages_and_its_content(tmp_path: Path) -> None:
    from microveil.web.parts.elements import words

    page, found = built(tmp_path, lambda _: words("the content"))
    assert "the content" in found.texts
    assert page.text("page.data") in found.text
    options = [node.props["value"] for node in found.all("option")]
    assert options[: len(COMPLETE)] == list(COMPLETE)
    assert found.all("a")[0].props["href"] == "#main"


def test_what_keeps_a_page_from_being_drawn_is_said_in_its_place(tmp_path: Path) -> None:
    def ours(_: Page) -> None:
        raise InputError("Open a file first.")

    def broken(_: Page) -> None:
        raise ValueError("cell SECRET")

    assert "Open a file first." in built(tmp_path, ours)[1].texts
    told = built(tmp_path, broken)[1].text
    assert "ValueError" in told
    assert "SECRET" not in told


def test_a_click_that_fails_leaves_a_message(tmp_path: Path) -> None:
    def fails() -> None:
        raise InputError("Give a number.")

    page, found = built(tmp_path, lambda _: None, fails)
    assert page.session.notice is not None
    assert (page.session.notice.kind, page.session.notice.text) == ("error", "Give a number.")
    assert "Give a number." in found.texts
    assert page.seen == page.session.version

    def breaks() -> None:
        raise KeyError("SECRET")

    page, found = built(tmp_path, lambda _: None, breaks)
    assert "KeyError" in found.text
    assert "SECRET" not in found.text


def test_a_message_stays_on_the_page_that_showed_it(tmp_path: Path) -> None:
    def fails() -> None:
        raise InputError("Give a number.")

    page, _ = built(tmp_path, lambda _: None, fails)

    async def show(name: str) -> Drawn:
        with client() as here:
            Page(page.server, page.session, name, lambda _: None).build()
            return Drawn.of(here.content)

    assert "Give a number." not in in_own_loop(show("roles")).texts
    assert "Give a number." in in_own_loop(show("data")).texts


def test_forms_remember_what_was_typed(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    page.note(page.form("find"), "age")("30")
    assert page.session.forms == {"find": {"age": "30"}}
    assert page.form("find") is page.form("find")


def test_messages_are_told_by_their_key_or_as_they_came(tmp_path: Path) -> None:
    page = paper(tmp_path, empty=True)
    assert _say(page, "data.title") == page.text("data.title")
    assert _say(page, "No column 'x'.") == "No column 'x'."
