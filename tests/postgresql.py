"""A PostgreSQL server of the tests' own, on a free port of this machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """Where PostgreSQL's programs are; none when it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(programs: Path, *, durable: bool = False) -> Iterator[str]:
    """The address of an empty database; ``durable`` waits for the disk as a real one does."""
    # PostgreSQL refuses to run as root.
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="microveil-pg-"))
    if as_user:
        shutil.chown(folder, "postgres")
    data, port = folder / "data", free_port()

    def run(program: str, *arguments: str) -> None:
        subprocess.run(  # noqa: S603 - PostgreSQL's own programs
            [*as_user, str(programs / program), *arguments],
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    settings = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=300"
    settings += "" if durable else " -c fsync=off"
    try:
        run("initdb", "-D", str(data), "-U", "tester", "-A", "trust", "--no-locale", "-E", "UTF8")
        run("pg_ctl", "-D", str(data), "-o", settings, "-w", "-l", str(folder / "log"), "start")
        try:
            yield f"postgresql://tester:not-a-real-secret@127.0.0.1:{port}/postgres"
        finally:
            # What is thrown away next need not be written out first.
            run("pg_ctl", "-D", str(data), "-m", "fast" if durable else "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
