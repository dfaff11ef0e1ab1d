"""A server that is looked at all day does not grow."""

from __future__ import annotations

import time
from pathlib import Path

import httpx
import pytest

from tests.web.browser.chromium import PASSWORD, serving

N_LOADS = 500
MOST_GROWTH = 50 * 1024**2


def _resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


@pytest.mark.slow
def test_five_hundred_page_loads_grow_the_server_by_little() -> None:
    with serving() as (address, _, pid), httpx.Client(timeout=60) as client:
        told = client.post(f"{address}/sign-in", data={"password": PASSWORD})
        client.cookies.update(told.cookies)
        for _ in range(50):
            client.get(f"{address}/data").raise_for_status()
        time.sleep(5)
        before = _resident(pid)
        for _ in range(N_LOADS):
            client.get(f"{address}/data").raise_for_status()
        deadline = time.monotonic() + 120  # pages that never connect are freed after a minute
        while _resident(pid) - before > MOST_GROWTH and time.monotonic() < deadline:
            time.sleep(5)
        assert _resident(pid) - before < MOST_GROWTH
