"""A server of the tests' own, and the system's Chromium to look at it with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSWORD = "a password of the tests"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Chromium talks to nobody but the page under test."""


def chromium() -> str | None:
    """Where the browser is; none when it is not installed."""
    return (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, str, int]]:
    """The app in a process of its own: its address, the invitation it printed, its id."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(  # noqa: S603  a program of ours
            [sys.executable, "-m", "microveil", "app", "--port", "0", "--no-browser", *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | {"MICROVEIL_APP_PASSWORD": PASSWORD, "PYTHONUNBUFFERED": "1"},
            cwd=Path(__file__).parents[3],
        )
        try:
            assert process.stdout is not None
            told = process.stdout.readline()
            found = re.search(r"http\S+", told)
            assert found, f"the app did not start: {told}"
            yield found[0].split("/sign-in")[0], found[0], process.pid
            errors.seek(0)
            complaint = errors.read()
            assert complaint == "", f"the server complained: {complaint}"
        finally:
            process.terminate()
            process.wait(30)
            if process.stdout:
                process.stdout.close()


def sign_in(page: Page, address: str) -> None:
    """Enter by the password."""
    page.goto(f"{address}/sign-in")
    page.get_by_label(re.compile("Password|Contraseña")).fill(PASSWORD)
    page.get_by_role("button").click()
    page.wait_for_selector("h1")


def settled(page: Page) -> None:
    """Wait until no job is under way."""
    page.wait_for_timeout(500)
    page.wait_for_selector(".job", state="detached")
    page.wait_for_timeout(400)
    page.wait_for_selector(".job", state="detached")


def open_example(page: Page, name: str = "Patients") -> None:
    """Begin with an example."""
    page.get_by_role("button", name=name).click()
    page.wait_for_selector(".table-box")
    settled(page)


def suggest(page: Page, address: str, k: int) -> None:
    """Let steps be suggested that reach a k below ten."""
    page.goto(f"{address}/protect")
    page.get_by_label("k to reach").fill(str(k))
    page.get_by_role("button", name="Suggest steps").click()
    page.get_by_text(re.compile(rf"k: \d+ → ([{k}-9]|\d\d)")).first.wait_for()
    settled(page)


def tab_to(page: Page, key: str) -> None:
    """Reach an element as a keyboard does: by the Tab key alone."""
    for _ in range(300):
        if page.evaluate("document.activeElement.dataset.key || ''") == key:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach '{key}'")
