"""The work under way: what it is, how far it is, and a way to end it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from microveil.methods import METHODS
from microveil.web.parts.elements import Node, button, div

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def job_bar(page: Page) -> None:
    """A bar while a job runs; nothing otherwise."""
    session = page.session
    job = session.job
    if job is None or not job.running:
        return
    with div("job", role="status"):
        title = Node("span", page.text(job.title), "job-title")
        bar = Node("progress", max=100, aria_label=page.text(job.title), classes="job-progress")
        button(page.text("cancel"), page.do(session.cancel), key="cancel")

    def tell() -> None:
        known = _known(page, job.what)
        title.say(f"{page.text(job.title)}{known} ({job.seconds:.0f} s)")
        if job.share:
            bar.props["value"] = round(100 * job.share)
            bar.update()

    tell()
    ui.timer(0.5, tell)


def _known(page: Page, what: str) -> str:
    """What is going on, where there are words for it: a stage of the work, or a step."""
    stage = page.text(f"doing.{what}")
    if what and stage != f"doing.{what}":
        return f": {stage}"
    return f": {page.text(f'method.{what}')}" if what in METHODS else ""
