"""A server that is looked at all day does not grow, and its pages stay light."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import open_example, serving, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser

N_LOADS = 500
MOST_GROWTH = 50 * 1024**2
MOST_REQUESTS = 25
MOST_BYTES = 600_000
PAGES = ("data", "roles", "risk", "protect", "compare", "release")

pytestmark = pytest.mark.slow


def _resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def test_five_hundred_page_loads_grow_the_server_by_little_and_each_is_light(
    browser: Browser,
) -> None:
    with serving() as (address, _, pid):
        context = browser.new_context(locale="en-GB")
        page = context.new_page()
        page.set_default_timeout(60_000)
        sign_in(page, address)
        open_example(page)
        for name in PAGES:
            _light(context.new_page(), f"{address}/{name}")
        before = _resident(pid)
        for place in range(N_LOADS):
            page.goto(f"{address}/{PAGES[place % len(PAGES)]}")
            page.wait_for_selector("h1")
            if place % 100 == 99:
                _tell(place + 1, _resident(pid) - before)
        context.close()
        time.sleep(10)  # a page is forgotten some seconds after its browser has left
        grown = _resident(pid) - before
        _tell(N_LOADS, grown)
        assert grown < MOST_GROWTH


def _tell(n_loads: int, grown: int) -> None:
    print(f"{n_loads} page loads: {grown / 1024**2:+.1f} MB")  # noqa: T201  the number to note


def _light(page: object, address: str) -> None:
    """Load one page with an empty cache and count what comes."""
    session = page.context.new_cdp_session(page)  # type: ignore[attr-defined]
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address)  # type: ignore[attr-defined]
    page.wait_for_selector("h1")  # type: ignore[attr-defined]
    page.wait_for_timeout(700)  # type: ignore[attr-defined]
    print(f"{address}: {len(sizes)} requests, {sum(sizes) / 1000:.0f} kB")  # noqa: T201
    assert len(sizes) <= MOST_REQUESTS, address
    assert sum(sizes) <= MOST_BYTES, address
    page.close()  # type: ignore[attr-defined]
