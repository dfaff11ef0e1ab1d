"""Peers from the package index, each measured in an environment of its own, in the same run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("microagg1d", "anonypy", "pycanon", "anonymeter", "anjana")


def peer_python(*packages: str) -> Path | None:
    """The interpreter of the peers' environment with these packages; none if they do not install.

    Peers pin old versions of what we use, so they never share our environment.
    """
    folder = ROOT / ".venv-peers"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)  # noqa: S603
    for package in packages:
        mark = folder / f".{package}"
        if not mark.exists():
            command = [str(python), "-m", "pip", "install", "--quiet", package]
            if subprocess.run(command, check=False, capture_output=True).returncode:  # noqa: S603
                return None
            mark.touch()
    return python


def peer_seconds(package: str, code: str) -> list[float] | None:
    """Seconds a peer's code prints, one number per line; none where the peer is not to be had."""
    python = peer_python(package)
    if python is None:
        return None
    done = subprocess.run([str(python), "-c", code], check=False, capture_output=True, text=True)  # noqa: S603
    return [float(line) for line in done.stdout.split()] if done.returncode == 0 else None


if __name__ == "__main__":
    for name in PACKAGES:
        print(name, "installed" if peer_python(name) else "cannot be installed here")
