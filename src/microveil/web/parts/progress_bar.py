"""The work under way: what it is, how far it is, and a way to end it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from microveil.methods import METHODS
from microveil.progress import Doing
from microveil.web.parts.elements import Node, button, div

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def job_bar(page: Page) -> Callable[[], None] | None:
    """A bar while a job runs, and how to bring it up to date; nothing otherwise."""
    session = page.session
    job = session.job
    if job is None or not job.running:
        return None
    with div("job", role="status"):
        title = Node("span", page.text(job.title), "job-title")
        bar = Node("progress", max=100, aria_label=page.text(job.title), classes="job-progress")
        # Not in turn with other clicks: one of them may be what takes so long.
        button(page.text("cancel"), page.at_once(session.cancel), key="cancel")

    def tell() -> None:
        known = _name_stage(page, job.what)
        title.say(f"{page.text(job.title)}{known} ({job.seconds:.0f} s)")
        share = round(100 * job.share)
        if share and bar.props.get("value") != share:
            bar.props["value"] = share
            bar.update()

    tell()
    return tell


def _name_stage(page: Page, what: str) -> str:
    """What is going on, where there are words for it: a stage of the work, or a step."""
    note = f", {page.say(what.note)}" if isinstance(what, Doing) and what.note else ""
    stage = page.text(f"doing.{what}")
    if what and stage != f"doing.{what}":
        return f": {stage}{note}"
    return f": {page.method(what)}{note}" if what in METHODS else ""
