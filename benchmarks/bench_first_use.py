"""First use: CPU seconds of a first call in a fresh process with an empty kernel cache.

Goals: `microveil risk` ≤ 3 s, any one method ≤ 6 s, `microveil demo` ≤ 8 s. With `--compiled`
every loop is compiled, as on a table too large to be interpreted; with `--kernels` the loops that
were compiled are listed with their own share of the time.

Found: most of the time goes to numba's own Python code (types, lowering), about a twentieth of a
second per loop on a free core, so that no single loop dominates. What helped: loops are interpreted
until 400,000 rounds are spent; loops that other loops call stay without machine code of their own
(a quarter of the time, `kernels/lean_compilation.py`); numba's sorts and block assignments, a
second each, are written as loops; uniques, Gower neighbours, matches of queries and links by prefix
are found with NumPy until machine code is there; field docstrings are read when they are shown (a
third of importing the package).

CPU seconds on two cores with a load of ten, where an empty loop of ten million rounds takes 1.1 s:

| case | before | 240 records | compiled |
|---|---|---|---|
| risk | 3.2 | 2.1 | |
| demo (20,000 records) | | 11.4 | |
| demo --rows 51000 | 34.2 | 16.8 | |
| mondrian | 3 | 1.8 | 11.0 |
| local_recoding | | 2.7 | 5.0 |
| local_suppression (wildcards) | | 1.9 | 6.4 (8.7) |
| optimal_generalization, incognito | | 1.9 | 14 to 15 |
| microaggregate (mixed, v_mdav) | | 2.1 (2.1) | 14 (19, 13) |
| microaggregate, refined | 18.2 | 11.2 | 28 |
| synthesize cart, boosted, aim | | 2.0, 5.8 | 6.8, 6.2, 2.3 |
| risk special_uniques, identity_disclosure, noise_filtering | | 1.6 | 7.4, 7.1, 6.0 |
| other risk measures | | | 1.6 to 5.6 |
| utility clustering, prediction | | | 4.6, 3.9 |
| other methods, models, utility measures taken | | | 1.5 to 3.8 |

The demo, `refined`, and the large loops on large tables miss their goals. Warm, the best of three
runs against that before, on 60,000 records (`refined`: 1,000; `v_mdav`, `local_recoding`: 8,000):
`mondrian` 0.97, `mdav` 0.95, `v_mdav` 0.95, `refined` 1.0, `optimal_generalization` 0.9,
`local_recoding` 1.04, `special_uniques` 1.08.
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
