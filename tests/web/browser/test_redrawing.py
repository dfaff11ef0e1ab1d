"""A page that is drawn anew all the time loses no click and no typed letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import open_example

if TYPE_CHECKING:
    from playwright.sync_api import Page

N_CLICKS = 25
CLICK_AWAY = """([key, n]) => new Promise((done) => {
  let left = n;
  const timer = setInterval(() => {
    document.querySelector(`[data-key='${key}']`).click();
    if (!--left) { clearInterval(timer); done(); }
  }, 20);
})"""
"""Click the element of a key time and again, without waiting for any answer."""
SHOWN = """(wanted) => {
  const boxes = [...document.querySelectorAll("[data-key^='key ']")];
  return boxes.length === wanted.length && boxes.every((one, i) => one.checked === wanted[i]);
}"""
"""Whether the boxes of the keys are ticked as wanted."""


@pytest.mark.slow
def test_no_click_and_no_letter_is_lost_while_the_page_is_drawn_anew(
    page: Page, address: str
) -> None:
    open_example(page)
    # A second tab of the same person: what it does draws the first one anew.
    other = page.context.new_page()
    other.goto(f"{address}/roles")
    other.wait_for_selector("article")
    _quick_clicks(page, other)
    _keys_in_a_hurry(page, address)
    _pressed_then_drawn(page, other, address)


def _quick_clicks(page: Page, other: Page) -> None:
    """Every one of many clicks counts, though each of them draws the page."""
    page.bring_to_front()
    page.evaluate(CLICK_AWAY, ["rows after", N_CLICKS])
    other.evaluate(CLICK_AWAY, ["role cost insensitive", 1])
    first = 10 * N_CLICKS + 1
    page.get_by_text(f"rows {first} to {first + 9}").wait_for()


def _keys_in_a_hurry(page: Page, address: str) -> None:
    """Boxes ticked all at once are all ticked, here and on the server."""
    page.goto(f"{address}/risk")
    boxes = page.locator("[data-key^='key ']")
    boxes.first.wait_for()
    assert sum(one.is_checked() for one in boxes.all()) > 2
    wanted = [not one.is_checked() for one in boxes.all()]
    page.evaluate("document.querySelectorAll(\"[data-key^='key ']\").forEach((one) => one.click())")
    page.get_by_role("button", name="Take these as keys").wait_for()
    page.wait_for_function(SHOWN, arg=wanted)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)  # the server has them all by now
    page.reload()
    page.wait_for_function(SHOWN, arg=wanted)


def _pressed_then_drawn(page: Page, other: Page, address: str) -> None:
    """A button pressed, drawn anew and let go was clicked; what was typed is still there."""
    expect = pytest.importorskip("playwright.sync_api").expect
    page.goto(f"{address}/compare")
    page.locator("[data-key='Name']").fill("half a na")
    button = page.get_by_role("button", name="Take anybody")
    page.wait_for_load_state("networkidle")  # figures that are still drawn would move the button
    button.hover()
    page.mouse.down()
    keys = page.locator(".stop-state").nth(1)
    before = keys.inner_text()
    other.evaluate(CLICK_AWAY, ["role visits insensitive", 1])
    expect(keys).not_to_have_text(before)
    page.mouse.up()
    # What it found may be out of date already, for the roles have changed; the click has come.
    expect(page.locator("[data-key='find age']")).not_to_have_value("")
    assert page.locator("[data-key='Name']").input_value() == "half a na"
