"""What a page does when its server is gone, and comes back without knowing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import serving, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.slow
def test_after_a_restart_a_page_leads_to_the_sign_in(browser: Browser) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    with serving() as (address, _, _):
        sign_in(page, address)
    page.wait_for_timeout(2_000)
    with serving("--port", address.rsplit(":", 1)[1]):
        page.wait_for_url(f"{address}/sign-in")
    context.close()
