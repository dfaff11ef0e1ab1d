"""First use: CPU seconds of a first call in a fresh process with an empty kernel cache.

Goals: `microveil risk` ≤ 3 s, any one method ≤ 6 s, `microveil demo` ≤ 8 s. With `--compiled`
every loop is compiled, as on a table too large to be interpreted; with `--kernels` the loops that
were compiled are listed with their own share of the time.

Found: most of the time goes to numba's own Python code (types, lowering), about half a second per
loop, so that no single loop dominates. What helped: loops are interpreted until two million rounds
are spent; loops that other loops call stay without Python wrappers; uniques, Gower neighbours,
matches of queries, links, counts in boxes, Mondrian's partitions and MDAV's groups are found with
NumPy until machine code is there, so that the demo compiles nothing; arrays are made outside the
loops, and sorts, block assignments and array expressions are written as loops; field docstrings are
read when they are shown, and a name loads its own module only. What did not: fewer or cheaper
optimisations by LLVM, no vectorisation, no reference counts, linking each loop once. Replacing
numba's private steps saved a third of the compilation, for one version of numba, and was given up.

CPU seconds with an empty cache, on two cores with a load of 14 to 20, where an empty loop of ten
million rounds takes 0.25 s; 240 records, the demo 20,000:

| case | CPU seconds |
|---|---|
| risk | 2.0 |
| demo | 8.0 |
| microaggregate, mondrian, local_suppression, incognito, optimal_generalization | 0.6 to 0.9 |
| local_recoding | 1.7 |
| synthesize cart, mst | 0.9 |
| risk special_uniques, identity_disclosure, record_linkage, inference | 0.5 to 0.7 |
| more than the goal: microaggregate, refined; synthesize boosted | 11 to 13, 5.9 |

A first use on made-up tables (four keys; of one numeric column and age), with 400,000 rounds and
with two million: local_recoding of 400 records 42 and 2.1, v_mdav of 5,000 13.6 and 1.1,
optimal_generalization of 5,000 16.5 and 1.4, local_suppression of 5,000 4.2 and 4.4. Compiling
local_recoding takes 40 s, once per installation (`microveil warm-up`).
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
        # As after an installation: modules come with their bytecode.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
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
