"""Page: the frame around each page: the path, the work under way, messages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from nicegui import ui

from microveil.errors import MicroveilError
from microveil.texts import COMPLETE, text, translate
from microveil.texts.naming import method_name
from microveil.texts.numbers import number, translated_range
from microveil.web import actions
from microveil.web.logs import place_of
from microveil.web.parts.elements import Node, button, div, link
from microveil.web.parts.places import drawn_anew
from microveil.web.parts.progress_bar import job_bar
from microveil.web.parts.trail import trail
from microveil.web.project.project import Project
from microveil.web.sessions import WebSession

if TYPE_CHECKING:
    from microveil.web.server import Server

T = TypeVar("T")
Content = Callable[["Page"], None]
LOOK_AGAIN = 0.3
"""Seconds between two checks whether another tab or a job changed something."""

PATIENCE = 0.4
"""Seconds before a slow click shows that it is being processed."""


@dataclass(eq=False)
class Page:
    """What a page's content works with: its session, its words, and how to change things."""

    server: Server
    session: WebSession
    name: str
    content: Content
    seen: int = -1
    _body: Any = field(default=None, repr=False)
    _waiting: Any = field(default=None, repr=False)
    _tell: Callable[[], None] | None = field(default=None, repr=False)
    """Brings the bar of the work under way up to date."""

    def text(self, key: str, **values: Any) -> str:
        """A sentence in the person's language."""
        return text(self.session.language, key, **values)

    def method(self, kind: str) -> str:
        """A method's name in the person's language."""
        return method_name(self.session.language, kind)

    def say(self, sentence: str) -> str:
        """A sentence of the library in the person's language, where it is known."""
        return translate(sentence, self.session.language)

    def number(self, value: float, form: str = ",") -> str:
        """A number as the person's language writes it."""
        return number(self.session.language, value, form)

    def range(self, written: str) -> str:
        """Two numbers with a dash between them, as the person's language writes them."""
        return translated_range(self.session.language, written)

    def mark(self, *, holds: bool) -> Node:
        """A tick or a cross, which readers of screens hear as words."""
        return Node(
            "span",
            "✔" if holds else "✘",
            f"mark {'good' if holds else 'bad'}",
            role="img",
            aria_label=self.text("release.holds" if holds else "release.broken"),
        )

    @property
    def project(self) -> Project:
        """The project; pages that need one are shown only when there is one."""
        return actions.project_of(self.session)

    def do(self, action: Callable[[], Any]) -> Callable[[], Any]:
        """A click that may fail; mistakes that the user can correct become a message."""

        async def act() -> None:
            await self.run(action)

        return act

    def at_once(self, action: Callable[[], Any]) -> Callable[[], Any]:
        """A click that waits for no other one: what it does takes no time."""

        def act() -> None:
            action()
            self.session.mark_changed()
            self.look()

        return act

    async def run(self, action: Callable[[], Any]) -> None:
        """Act in a thread, so that the other pages stay live; then show what changed.

        Clicks of one person are answered in their order, each after the one before.
        """
        self.session.n_clicks += 1
        async with self.session.turn:
            slow = asyncio.get_running_loop().call_later(PATIENCE, self._wait, True)
            try:
                await asyncio.to_thread(action)
            except MicroveilError as error:
                self.session.say("error", error.message)
            except Exception as error:  # noqa: BLE001  whatever it is, the page stays there
                self.session.say("error", self._ours(error))
            slow.cancel()
            self._wait(False)
        self.session.n_clicks -= 1
        self.session.mark_changed()
        self.look()

    def _wait(self, on: bool) -> None:  # noqa: FBT001  a state
        """Show that a click is being worked on, where that takes a moment."""
        if not self._waiting.is_deleted and self._waiting.visible != on:
            self._waiting.set_visibility(on)

    def change(self, action: Callable[[Any], Any]) -> Callable[[Any], Awaitable[None]]:
        """A change of a field that acts at once."""

        async def act(value: Any) -> None:
            await self.run(lambda: action(value))

        return act

    def note(self, form: dict[str, Any], name: str) -> Callable[[Any], None]:
        """A change of a field that is only remembered."""

        def remember(value: Any) -> None:
            form[name] = value

        return remember

    def find(self, *question: Hashable, work: Callable[[], T]) -> T | None:
        """What takes a moment to work out; none until it is there, and the page is drawn anew."""
        found = self.project.findings.soon(question, work, self.session.mark_changed)
        if found is None:
            Node("p", self.text("step.waiting"), "hint", role="status")
        return found

    def form(self, name: str) -> dict[str, Any]:
        """What was typed into a form of this session so far."""
        found: dict[str, Any] = self.session.forms.setdefault(name, {})
        return found

    def look(self) -> None:
        """Draw again if anything changed."""
        if self._body.is_deleted:  # the browser has gone
            return
        if self.seen != self.session.version and not self.session.n_clicks:
            self.seen = self.session.version
            # Not ui.refreshable: its template would have to be compiled in the browser.
            with drawn_anew(self._body):
                self._draw()
        elif self._tell is not None:
            self._tell()

    def build(self) -> None:
        """The whole page."""
        session = self.session
        ui.add_head_html(_head(session.language))
        ui.page_title(f"{self.text(f'page.{self.name}')} · Microveil")
        Node("a", self.text("skip"), "skip", href="#main")
        self._header()
        self._waiting = Node("progress", None, "waiting-bar", aria_label=self.text("waiting"))
        self._waiting.set_visibility(False)
        self._body = div("body")
        with self._body:
            self._draw()
        self.seen = session.version
        ui.timer(LOOK_AGAIN, self.look)

    def _draw(self) -> None:
        with div("frame"):
            trail(self)
            with div("main", id="main", tabindex="-1"):
                self._content()
        with div("dock"):  # it lies over the page, so that nothing moves under the mouse
            self._notice()
            self._tell = job_bar(self)

    def _content(self) -> None:
        """Draw the page, or the reason why it cannot be drawn."""
        try:
            self.content(self)
        except MicroveilError as error:
            self._complain(self.say(error.message))
        except Exception as error:  # noqa: BLE001  whatever it is, the path stays walkable
            self._complain(self._ours(error))

    def _complain(self, told: str) -> None:
        with div("notice error"):
            Node("span", told, "notice-text")

    def _ours(self, error: Exception) -> str:
        place = f"{type(error).__name__}, {place_of(error.__traceback__)}"
        return self.text("error.ours", place=place)

    def _header(self) -> None:
        with Node("header", None, "header"):
            link("Microveil", "/data", "brand")
            Node("span", self.text("slogan"), "slogan")
            with div("header-tools"):
                self._languages()
                Node(
                    "button",
                    "◐",
                    "button quiet",
                    type="button",
                    aria_label=self.text("theme"),
                    title=self.text("theme"),
                    data_key="theme",
                    data_theme_switch=True,
                )
                with Node("form", method="post", action="/sign-out"):
                    Node("button", self.text("sign_out"), "button quiet", type="submit")

    def _languages(self) -> None:
        """A form that is sent as soon as another language is chosen."""
        with Node("form", method="post", action="/language"):
            Node("input", type="hidden", name="page", value=self.name)
            with Node(
                "select",
                None,
                "input",
                name="language",
                aria_label=self.text("language"),
                data_key="language",
                data_submit=True,
            ):
                for name, told in COMPLETE.items():
                    Node("option", told, value=name, selected=name == self.session.language)

    def _notice(self) -> None:
        notice = self.session.notice
        with div("live", role="status", aria_live="polite"):
            if notice is None or not notice.belongs_to(self.name):
                return
            with div(f"notice {notice.kind}"):
                Node("span", _say(self, notice.text), "notice-text")
                button(
                    "×",
                    self.at_once(self._dismiss),
                    kind="quiet",
                    label=self.text("dismiss"),
                    key="dismiss",
                )

    def _dismiss(self) -> None:
        self.session.notice = None


def _say(page: Page, told: str) -> str:
    """A message by its key, or as it is."""
    known = page.text(told)
    return page.say(told) if known == told else known


def _head(language: str) -> str:
    return (
        f'<meta name="microveil-language" content="{language}">'
        '<link rel="stylesheet" href="/static/app.css"><script src="/static/app.js"></script>'
    )
