"""First use: CPU seconds of a first call in a fresh process with an empty kernel cache.

Goals: `microveil risk` ≤ 3 s, any one method ≤ 6 s, `microveil demo` ≤ 8 s. With `--kernels CASE`
the loops that were compiled are listed with their own share of the time.

Found: most of the time goes to numba's own Python code (types, lowering), about a tenth of a second
per loop on a free core, so that no single loop dominates. Loops are therefore interpreted until
400,000 rounds are spent, and compiled only then: on 240 records risk, Mondrian, MDAV, local
suppression, the lattice search and local recoding compile nothing. Where code is compiled, loops
that other loops call carry no wrapper for Python; each loop had been compiled anew for every
constant handed to it (now for whole numbers); and a block assignment compiles the text of its
shape error (cells are copied one by one instead).

CPU seconds, before and after, on two cores shared with other work: risk 16.4 → 1.9, Mondrian
21.4 → 1.8, MDAV 26.0 → 2.1, local suppression 7.2 → 2.4, optimal generalisation 24.7 → 2.2, local
recoding 72.3 → 2.8, refined microaggregation (annealing, compiled) 39.6 → 16.3, the demo (51,000
records, compiled) 40.5 → 28.7. The last two miss their goals.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

from first_use_cases import cases

WATCHED = """
import time
from numba.core import event
spent, open_ = {}, []
class Watch(event.Listener):
    def on_start(self, one):
        open_.append([time.process_time(), 0.0, one.data["dispatcher"].py_func])
    def on_end(self, one):
        begun, inner, loop = open_.pop()
        whole = time.process_time() - begun
        name = f"{loop.__module__}.{loop.__name__}"
        spent[name] = spent.get(name, 0.0) + whole - inner
        if open_:
            open_[-1][1] += whole
event.register("numba:compile", Watch())
import atexit, sys
def show():
    for name, own in sorted(spent.items(), key=lambda one: -one[1])[:40]:
        print(f"{own:6.2f} s  {name}", file=sys.stderr)
atexit.register(show)
"""


def cpu_seconds(code: str) -> float:
    """CPU time of a process of its own, whose kernel cache is empty."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = os.environ | {"MICROVEIL_CACHE_DIR": folder}
        done = subprocess.run(  # noqa: S603  our own code
            [sys.executable, "-c", code],
            check=False,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        return float("nan")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure the cases named, or all of them."""
    words = sys.argv[1:]
    code = cases(compiled="--compiled" in words)
    watched = WATCHED if "--kernels" in words else ""
    wanted = [word for word in words if not word.startswith("--")] or list(code)
    for name in wanted:
        print(f"{name:<32} {cpu_seconds(watched + code[name]):6.2f} s CPU", flush=True)


if __name__ == "__main__":
    main()
