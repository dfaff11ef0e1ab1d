"""Sessions: what the server remembers of each browser, in memory and in a private folder."""

from __future__ import annotations

import asyncio
import gc
import shutil
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from time import monotonic
from typing import Any

from microveil.errors import InputError
from microveil.files.scratch import Scratch, scratch_folder
from microveil.texts import Message
from microveil.web.jobs import Job, JobState, Workers
from microveil.web.project.databases import Login
from microveil.web.project.linked_tables import LinkedDraft, LinkedMade
from microveil.web.project.output_checks import OutputsView
from microveil.web.project.project import Project
from microveil.web.project.registries import RegistryPlace, RegistryView
from microveil.web.project.saved import SavedProject

IDLE = 4 * 3600.0
"""Seconds after which an idle session is freed."""
MOST = 20
"""Largest number of sessions at a time."""


@dataclass
class Notice:
    """A message to the person: ``kind`` is success, error or info."""

    kind: str
    text: str
    page: str = ""
    """The page that showed it first: it does not follow to another."""
    everywhere: bool = False
    """Whether every page shows it: what it tells happened in another tab."""

    def belongs_to(self, page: str) -> bool:
        """Whether a page shows it; the first that asks keeps it."""
        self.page = self.page or page
        return self.everywhere or self.page == page


@dataclass(eq=False)
class LinkedWork:
    """Several linked tables: where they lie, what is decided, and what became of it."""

    source: str
    folder: Path
    draft: LinkedDraft
    made: LinkedMade | None = None
    target: Path | None = None
    """Where the files of the last run are."""

    def wipe(self) -> None:
        """Wipe the tables and what was made of them."""
        for folder in filter(None, (self.folder, self.target)):
            shutil.rmtree(folder, ignore_errors=True)

    def holds(self, path: Path) -> bool:
        """Whether a folder of the session is one of these."""
        return path in (self.folder, self.target)


@dataclass(eq=False)
class WebSession:
    """One browser: its language, its project, and the job under way."""

    id: str
    folder: Path
    workers: Workers
    language: str = "en"
    project: Project | None = None
    waiting: SavedProject | None = None
    """A project that was opened before its data."""
    upload: Path | None = None
    """The file that came last, and its name."""
    upload_name: str = ""
    login: Login = field(default_factory=Login)
    """The database that was named last; in memory only, and forgotten with another source."""
    tables: list[str] = field(default_factory=list)
    """Tables of that database, to choose from."""
    read_options: dict[str, Any] = field(default_factory=dict)
    registry: RegistryPlace | None = None
    """Where releases are noted."""
    registry_view: RegistryView | None = None
    """What the registry held when it was looked at last."""
    relook: Callable[[WebSession], None] | None = None
    """Looks at the registry again, once something was noted."""
    linked: LinkedWork | None = None
    """Several linked tables, beside the project of one table."""
    packages: dict[str, tuple[Path, str]] = field(default_factory=dict)
    """Packed outputs that came, with their names: those to check, and those accepted before."""
    outputs_view: OutputsView | None = None
    """The verdict on the outputs that came last."""
    imported: Any = None
    """The tree of a hierarchy file that came last."""
    forms: dict[str, Any] = field(default_factory=dict)
    """What was typed into pages and not acted on yet; a reload loses nothing."""
    downloads: dict[str, tuple[Path, str]] = field(default_factory=dict)
    """Files that may be fetched, by a name that nobody can guess."""
    offered: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Address and name of each file that was made, by what it is."""
    after: Callable[[WebSession], None] | None = None
    """What comes next, once the job under way is done."""
    job: Job | None = None
    notice: Notice | None = None
    version: int = 0
    """Incremented with every change, so that other tabs notice."""
    seen: float = field(default_factory=monotonic)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    """Held while a click is worked on: the next one waits for its turn."""
    n_clicks: int = 0
    """Clicks that are worked on or wait; pages are drawn when there is none."""

    def mark_changed(self) -> None:
        """Tell every page of this session that it is out of date."""
        self.version += 1

    def say(self, kind: str, text: str, *, everywhere: bool = False) -> None:
        """Leave a message for the person."""
        self.notice = Notice(kind, text, everywhere=everywhere)
        self.mark_changed()

    @property
    def busy(self) -> bool:
        """Whether a job is under way."""
        return self.job is not None and self.job.running

    def start(
        self,
        title: str,
        task: Callable[..., Any],
        then: Callable[[Any], None],
        **arguments: Any,
    ) -> Job:
        """Begin a job; its result goes to ``then``, what went wrong into a message."""
        if self.busy:
            raise InputError(
                Message(
                    "app.one_thing_time_wait",
                    "One thing at a time: wait for the work under way, or cancel it.",
                )
            )
        self.notice = None

        def finish(job: Job) -> None:
            if job.state is JobState.done:
                try:
                    then(job.result)
                except InputError as error:
                    self.notice = Notice("error", error.message)
            elif job.state is JobState.failed:
                self.notice = Notice("error", self._as_known(job.error))
            after, self.after = self.after, None
            if after is not None and job.state is JobState.done:
                after(self)
            self.mark_changed()

        self.job = self.workers.start(title, task, finish, **arguments)
        self.mark_changed()
        return self.job

    def _as_known(self, told: str) -> str:
        """A message that calls the file by the name it came with, not by where it lies."""
        if self.upload is None:
            return told
        return told.replace(str(self.upload), self.upload_name).replace(
            self.upload.name, self.upload_name
        )

    def cancel(self) -> None:
        """End the work under way; everything else stays as it is."""
        if self.job is not None:
            self.job.cancel()
        self.mark_changed()

    def offer(self, path: Path, name: str) -> str:
        """Let a file be fetched; what comes back is its address."""
        token = token_urlsafe(24)
        self.downloads[token] = (path, name)
        return f"/download/{token}"

    def wipe_but(self, *kept: Path | None) -> None:
        """Wipe every file of the session but a few, and what could be fetched."""
        self.downloads.clear()
        self.offered.clear()
        for path in self.folder.iterdir():
            if path not in kept and not self._is_beside(path):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def _is_beside(self, path: Path) -> bool:
        """Whether a file belongs to what is done beside the project."""
        packed = path in (one for one, _ in self.packages.values())
        return packed or (self.linked is not None and self.linked.holds(path))

    def close(self) -> None:
        """End the work and wipe the folder."""
        if self.job is not None:
            self.job.cancel()
        held_data = self.project is not None
        # Open pages may still hold the session; what it knew of the data must go all the same,
        # for a table that is mapped keeps its place on disk until nothing refers to it.
        self.project = self.waiting = self.upload = self.job = self.after = self.imported = None
        self.login, self.notice, self.registry_view = Login(), None, None
        self.outputs_view = self.linked = None
        known: Any
        for known in (
            self.downloads,
            self.offered,
            self.forms,
            self.read_options,
            self.tables,
            self.packages,
        ):
            known.clear()
        shutil.rmtree(self.folder, ignore_errors=True)
        if held_data:
            gc.collect()


class Sessions:
    """All sessions of a server, under the secret in their cookie."""

    def __init__(
        self,
        workers: Workers,
        idle: float = IDLE,
        most: int = MOST,
        registry: RegistryPlace | None = None,
    ) -> None:
        self.workers, self.idle, self.most, self.registry = workers, idle, most, registry
        # Locked while the server lives: the next one removes what a killed one left behind.
        self._scratch: list[Scratch] = []
        home = Path(tempfile.gettempdir()) / "microveil-app"
        self.root = scratch_folder(home, self._scratch).path
        self._sessions: dict[str, WebSession] = {}
        self._lock = threading.Lock()

    def new(self) -> WebSession:
        """A session of its own for a browser that has just signed in."""
        with self._lock:
            self._free()
            if len(self._sessions) >= self.most:
                raise InputError("Too many people at work here: try again later.")
            secret = token_urlsafe(32)
            folder = Path(tempfile.mkdtemp(dir=self.root))
            session = WebSession(secret, folder, self.workers, registry=self.registry)
            self._sessions[secret] = session
            return session

    def get(self, secret: str | None) -> WebSession | None:
        """The session of a cookie; none where there is none, or it was freed."""
        session = self._sessions.get(secret) if secret else None
        if session is not None:
            session.seen = monotonic()
        return session

    def end(self, secret: str) -> None:
        """Free one session."""
        session = self._sessions.pop(secret, None)
        if session is not None:
            session.close()

    def free_idle(self) -> None:
        """Free the sessions that have been idle for too long."""
        with self._lock:
            self._free()

    def _free(self) -> None:
        now = monotonic()
        for secret, session in list(self._sessions.items()):
            if now - session.seen > self.idle and not session.busy:
                self.end(secret)

    @property
    def full(self) -> bool:
        """Whether nobody else can sign in now."""
        with self._lock:
            self._free()
            return len(self._sessions) >= self.most

    def __len__(self) -> int:
        """Number of sessions."""
        return len(self._sessions)

    def close(self) -> None:
        """Free all of them and wipe every file."""
        for secret in list(self._sessions):
            self.end(secret)
        for scratch in self._scratch:
            scratch.remove()
