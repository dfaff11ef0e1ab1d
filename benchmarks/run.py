"""Runs every benchmark, or those whose names are given: `python benchmarks/run.py classes s4`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    wanted = sys.argv[1:]
    for path in sorted(HERE.rglob("bench_*.py")):
        name = path.stem.removeprefix("bench_")
        if wanted and name not in wanted:
            continue
        print(f"\n== {name} ==", flush=True)
        environment = {**os.environ, "PYTHONPATH": str(HERE)}
        subprocess.run([sys.executable, str(path)], check=True, env=environment)  # noqa: S603


if __name__ == "__main__":
    main()
