"""One server and one browser for all tests; each test is a user of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import FLAGS, chromium, open_example, serving, sign_in, suggest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, StorageState


POLICY = "Content Security Policy"
"""What the browser says where the page does what its policy forbids."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not installed (install package chromium)")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    if chromium() is None:
        pytest.skip("Chromium is not installed (install package chromium)")
    with serving() as (url, _, _):
        yield url


@pytest.fixture(scope="session")
def prepared(browser: Browser, address: str) -> StorageState:
    """Somebody who has opened the example and has steps: for tests that only look."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    sign_in(page, address)
    open_example(page)
    suggest(page, address, 3)
    found = context.storage_state()
    context.close()
    return found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A user who has just signed in; nothing may go wrong in the browser's console."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    found = context.new_page()
    found.set_default_timeout(60_000)
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda told: wrong.append(told.text) if POLICY in told.text else None)
    sign_in(found, address)
    yield found
    context.close()
    assert wrong == []
