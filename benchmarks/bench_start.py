"""Start-up: `import microveil` (goal ≤ 0.5 s) and `microveil --help` (goal ≤ 0.7 s), cold process.

Found: polars, numpy and pydantic are most of it; numba, pandas, Arrow and SciPy load on first use.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time


def seconds(*command: str, repeat: int = 7) -> float:
    taken = []
    for _ in range(repeat):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603  our own program
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def main() -> None:
    bare = seconds(sys.executable, "-c", "pass")
    cases = {
        "import microveil": (sys.executable, "-c", "import microveil"),
        "every room loaded": (sys.executable, "-c", "import microveil; dir(microveil)"),
        "microveil --help": (sys.executable, "-m", "microveil", "--help"),
    }
    for name, command in cases.items():
        print(f"{name:<18} {seconds(*command):5.2f} s   (bare interpreter {bare:4.2f} s)")


if __name__ == "__main__":
    main()
