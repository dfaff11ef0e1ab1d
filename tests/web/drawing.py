"""Pages drawn without a browser: what stands on them, and what a click or a change does."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import polars as pl
from nicegui.client import Client
from nicegui.page import page as new_page

from microveil import app
from microveil.errors import MicroveilError
from microveil.files import Labels
from microveil.methods import Method
from microveil.privacy import KAnonymity
from microveil.progress import silent
from microveil.tables import Roles
from microveil.web.access import Address
from microveil.web.jobs import JobState
from microveil.web.parts.page import Page
from microveil.web.project.plan import ProjectPlan
from microveil.web.project.project import Project
from microveil.web.project.states import write_frame
from microveil.web.project.tasks import Opened
from microveil.web.sessions import WebSession
from tests.web.loops import in_own_loop

PEOPLE = pl.DataFrame(
    {
        "name": [f"p{i}" for i in range(12)],
        "sex": ["f", "m"] * 6,
        "age": [30, 30, 31, 31, 40, 40, 41, 41, 50, 50, 51, None],
        "ill": ["flu", "flu", "cold"] * 4,
    }
)
ROLES = Roles(identifiers=["name"], quasi_identifiers=["sex", "age"], sensitive=["ill"])


@dataclass
class AtOnce:
    """Workers that do a job here and now."""

    titles: list[str] = field(default_factory=list)

    def start(
        self, title: str, task: Callable[..., Any], finished: Callable[[Any], None], **more: Any
    ) -> Any:
        self.titles.append(title)
        job = SimpleNamespace(
            title=title, running=False, state=JobState.done, result=None, error=""
        )
        try:
            job.result = task(**more, progress=silent)
        except MicroveilError as error:
            job.state, job.error = JobState.failed, str(error)
        finished(job)
        return job


class Paper(Page):
    """A page whose clicks act in the test's own thread, and whose errors are the test's."""

    async def run(self, action: Callable[[], Any]) -> None:
        action()
        self.session.mark_changed()

    def look(self) -> None:
        """Nothing: a test draws when it wants to."""


def paper(folder: Path, *steps: Method, name: str = "protect", empty: bool = False) -> Paper:
    """A page of a session with a small table open, and the steps of its plan taken."""
    workers: Any = AtOnce()
    server: Any = SimpleNamespace(
        address=Address(), databases=False, largest_upload=2**20, registry=None
    )
    session = WebSession("id", folder, workers)
    if not empty:
        data = folder / "data.arrow"
        write_frame(PEOPLE, data)
        opened = Opened(PEOPLE.height, {}, app.inspect(PEOPLE), Labels())
        session.project = Project.begin("people.csv", data, opened)
        plan = ProjectPlan(roles=ROLES, require=(KAnonymity(k=2),))
        for step in steps:
            plan = plan.with_step(step)
        from microveil.web import actions

        actions.change(session, plan)
        assert session.notice is None
    return Paper(server, session, name, lambda _: None)


def _not_started(awaitable: Any, **_: Any) -> None:
    awaitable.close()


@contextmanager
def client() -> Iterator[Client]:
    """Somewhere to draw: no browser, no loop, and nothing that goes on in the background."""
    with (
        patch("nicegui.outbox.background_tasks.create_or_defer", _not_started),
        patch("nicegui.ui.timer", lambda *_, **__: None),
    ):
        found = Client(new_page("/drawn"))
        with found:
            yield found
        found.delete()


@dataclass(frozen=True)
class Drawn:
    """What was drawn, in its order."""

    nodes: list[Any]
    heard: dict[int, list[Any]]
    """What listens to each of them; a page that is gone forgets it."""
    inside: dict[int, list[Any]]

    @classmethod
    def of(cls, content: Any) -> Drawn:
        nodes = list(content.descendants())
        heard = {node.id: list(node._event_listeners.values()) for node in nodes}
        return cls(nodes, heard, {node.id: list(node) for node in nodes})

    @property
    def texts(self) -> list[str]:
        return [str(node._text) for node in self.nodes if getattr(node, "_text", None)]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def keys(self) -> list[str]:
        return [str(node.props["data-key"]) for node in self.nodes if "data-key" in node.props]

    def all(self, tag: str) -> list[Any]:
        return [node for node in self.nodes if node.tag == tag]

    def by_key(self, key: str) -> Any:
        (found,) = [node for node in self.nodes if node.props.get("data-key") == key]
        return found

    def key_of(self, start: str) -> str:
        """The one key that begins so."""
        (found,) = [key for key in self.keys if key.startswith(start)]
        return found

    def keys_of(self, start: str) -> list[str]:
        """All keys that begin so."""
        return [key for key in self.keys if key.startswith(start)]

    def shown(self, key: str) -> str:
        """The value of a field."""
        node = self.by_key(key)
        if "data-value" in node.props:
            return str(node.props["data-value"])
        if node.tag == "select":
            options = [
                one.props["value"] for one in self.inside[node.id] if one.props.get("selected")
            ]
            return str(options[0])
        if node.props.get("type") in ("checkbox", "radio"):
            return "true" if node.props.get("checked") else "false"
        return str(node.props.get("value", ""))

    def click(self, key: str) -> None:
        self._tell(key, "click", None)

    def enter(self, key: str, value: object) -> None:
        self._tell(key, "mvValue", value)

    def _tell(self, key: str, event: str, value: object) -> None:
        (one,) = [one for one in self.heard[self.by_key(key).id] if one.type == event]
        _done(one.handler(SimpleNamespace(args={"detail": value})))


def _done(result: Any) -> None:
    async def awaited(work: Awaitable[Any]) -> None:
        await work

    if inspect.isawaitable(result):
        in_own_loop(awaited(result))


def drawn(draw: Callable[[], Any]) -> Drawn:
    """Draw, and look at what is there."""
    with client() as here:
        draw()
        return Drawn.of(here.content)


def ready(page: Page, draw: Callable[[], Any]) -> Drawn:
    """Draw until nothing on the page is still being worked out."""
    for _ in range(200):
        found = drawn(draw)
        if page.text("step.waiting") not in found.texts:
            break
        sleep(0.02)
    return found
