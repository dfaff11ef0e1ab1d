"""CPU of the work that must not get slower, as ratios that another machine can repeat.

``make bench-check`` runs every case in turns with a yardstick (sorting and grouping by NumPy and
Polars, which does not change with this project), takes the median of five, and compares the ratios
with ``accepted.json``. A case that exceeds its accepted ratio by a quarter fails the run: two
runs on a machine that others use differ by up to a fifth. Arguments name cases by a part of their
name; ``--accept`` keeps what was measured. ``--against TREE`` compares with another work tree
instead (``git worktree add``, with a ``.venv`` of its own), case by case in turns: that is
sharper, since the same load hits both.

Found against an earlier tree (before random streams were bound to the data, and before attacks
searched for the worst columns), on two cores shared by many: see ``docs/benchmarks.md``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from cases import YARDSTICK, cases  # noqa: E402
from verdicts import accept, accepted_ratios, compare  # noqa: E402


class Worker:
    """A process that runs cases with one tree's code."""

    def __init__(self, python: str) -> None:
        command = [python, "-W", "ignore", str(HERE / "worker.py")]
        self._process = subprocess.Popen(  # noqa: S603  our own script
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, line: str = "") -> float | None:
        """CPU seconds of the named case, or of the last one again; None if it fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        found = json.loads(self._process.stdout.readline())
        if "failed" in found:
            print(f"   {line}: {found['failed']}", file=sys.stderr)
        return found.get("seconds")

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def ratio(case: str, mine: Worker, other: Worker, beside: str, repeat: int) -> float | None:
    """CPU of a case over that of another, taken in turns after a first run each."""
    pairs = [(mine, case), (other, beside)]
    if any(worker.ask(name) is None for worker, name in pairs):
        return None
    taken = [[worker.ask() or 0.0 for worker, _ in pairs] for _ in range(repeat)]
    first, second = (statistics.median(one) for one in zip(*taken, strict=True))
    return first / max(second, 1e-9)


def main() -> int:
    """Measure, print, and say by the exit code whether something got slower."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("cases", nargs="*", help="parts of cases' names; all by default")
    parser.add_argument("--accept", action="store_true", help="keep what is measured")
    parser.add_argument("--against", type=Path, help="another work tree with a .venv")
    parser.add_argument("--repeat", type=int, default=5)
    asked = parser.parse_args()
    other = asked.against / ".venv" / "bin" / "python" if asked.against else sys.executable
    workers = Worker(sys.executable), Worker(str(other))
    ratios: dict[str, float | None] = {}
    for case in cases():
        if case == YARDSTICK or not (not asked.cases or any(part in case for part in asked.cases)):
            continue
        beside = case if asked.against else YARDSTICK
        ratios[case] = ratio(case, *workers, beside, asked.repeat)
        known = {case: 1.0} if asked.against else accepted_ratios()
        print(*compare({case: ratios[case]}, known)[0], flush=True)
    for worker in workers:
        worker.close()
    if asked.accept and not asked.against:
        accept(ratios)
        return 0
    known = dict.fromkeys(ratios, 1.0) if asked.against else accepted_ratios()
    return 0 if compare(ratios, known)[1] else 1


if __name__ == "__main__":
    raise SystemExit(main())
