"""First use: CPU seconds of a first call in a fresh process with an empty kernel cache.

Goals: `microveil risk` ≤ 3 s, any one method ≤ 6 s, `microveil demo` ≤ 8 s. With `--compiled`
every loop is compiled, as on a table too large to be interpreted; with `--kernels` the loops that
were compiled are listed with their own share of the time.

Found: most of the time goes to numba's own Python code (types, lowering), about a twentieth of a
second per loop on a free core, so that no single loop dominates. What helped: loops are interpreted
until 400,000 rounds are spent; loops that other loops call stay without machine code of their own
(a quarter of the time, `kernels/lean_compilation.py`); the types of an operator are inferred once
(a fifth, `kernels/lean_typing.py`), and passes for what no loop contains are left out (a twentieth,
`kernels/lean_passes.py`); numba's sorts and block assignments, a second each, are written as loops;
uniques, Gower neighbours, matches of queries, links, counts in boxes, Mondrian's partitions and
MDAV's groups are found with NumPy until machine code is there, so that the demo compiles nothing;
arrays are made outside the loops, and array expressions, a tenth of a second each, are written as
loops; field docstrings are read when they are shown, and names are looked up in light packages
first. What did not: fewer or cheaper optimisations by LLVM, no vectorisation, no reference counts,
linking each loop once.

CPU seconds on two cores with a load of three, where an empty loop of ten million rounds takes 0.27
s; in brackets what the same run gave before types were remembered and the demo used NumPy:

| case | 240 records | compiled |
|---|---|---|
| risk | 1.4 to 2.3 | |
| demo (20,000 records) | 7.0 to 8.6 (12.0 to 13.2) | |
| microaggregate, refined | 5.9 to 8.3 (9.3 to 9.7) | 14.9 |
| microaggregate (mixed, v_mdav) | | 8.3 (10.9) (10.1, 5.3) |
| mondrian | | 7.1 (8.3 to 8.9) |
| optimal_generalization, incognito | | 8.2, 8.5 (10.7) |
| local_suppression (wildcards), local_recoding | | 4.0 (5.3), 3.2 |
| synthesize cart, boosted | | 4.1, 4.4 |
| risk special_uniques, identity_disclosure, noise_filtering | | 4.7, 4.2, 4.1 |
| utility clustering, prediction | | 2.5, 2.0 |

A first use on the 48,842 records of Adult (in brackets before NumPy stood in), while the empty loop
took 0.25 to 0.3 s: assess 2.3, special_uniques 1.9, mondrian 2.1 (7.2), relaxed 1.9, by loss 2.9
(7.0), with l-diversity 2.2, microaggregate 3.5 (9.5), v_mdav 5.7 (11.4), optimal_generalization
2.3, incognito 1.8, datafly 1.7, local_suppression 4.3 and with wildcards 5.3, rank_swap 3.6,
swap_records 3.5, others 1.6 to 2.1, protect 4.9. More than the goal: mondrian by information gain
8.7, microaggregate of mixed columns 10.8, local_recoding 21, of which 3 are its work, `refined` of
1,080 records (3 are its work), and compare with all measures 21, of which 12 are theirs.

CPU seconds follow the machine: its pace changed by half from one minute to the next. While it was
idle the demo took 7.2 and 7.7, `refined` 5.9 and 6.0, risk 1.4; about 0.8 s more where modules have
no bytecode; in its slowest minutes (0.40 s for the empty loop) the demo took 9.3 and `refined` 9.0.
Warm, the best of six runs against those before, on 60,000 records (`refined`: 1,000; `v_mdav`,
`local_recoding`: 8,000): `mdav` 0.95, `v_mdav` 1.05, `refined` 1.03, `local_recoding` 0.99,
`local_suppression` 0.85; `mondrian` of 195,000 records 1.0.
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
