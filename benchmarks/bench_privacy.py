"""Checking privacy models on 1,000,000 records, and beside pyCANON.

Goal: l-diversity and t-closeness together at least 50 × faster than pyCANON in one run. pyCANON
pins old versions of pandas and NumPy, so its times are taken in the peers' environment, on the
same table and by the same clock.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl
from peers import peer_python
from timing import medians

from microveil.privacy.beta_likeness import BetaLikeness
from microveil.privacy.delta_disclosure import DeltaDisclosure
from microveil.privacy.km_anonymity import KmAnonymity
from microveil.privacy.l_diversity import LDiversity
from microveil.privacy.t_closeness import TCloseness
from microveil.tables import Classes, Roles, Table

N = 1_000_000
KEYS = ("sex", "age", "region")
FEW_KEYS = ("sex", "age")
"""For the peer, whose time grows with classes × records."""
PEER = """
import sys, time
import pandas
from pycanon import anonymity
frame = pandas.read_parquet(sys.argv[1])
started = time.process_time()
l = anonymity.l_diversity(frame, {keys}, ["disease"])
t = anonymity.t_closeness(frame, {keys}, ["disease"])
print(time.process_time() - started, l, t)
"""


def people(n: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "sex": rng.integers(0, 2, n),
            "age": rng.integers(0, 90, n),
            "region": rng.integers(0, 50, n),
            "disease": rng.zipf(1.3, n).clip(max=60).astype(str),
            "income": rng.lognormal(10, 1, n).round(),
        }
    )


def classes_of(frame: pl.DataFrame, sensitive: str, keys: tuple[str, ...] = KEYS) -> Classes:
    return Classes.of(Table(frame, Roles(quasi_identifiers=keys, sensitive=[sensitive])))


def ours(frame: pl.DataFrame, keys: tuple[str, ...] = KEYS) -> tuple[float, float]:
    classes = classes_of(frame, "disease", keys)
    return LDiversity(l=2).verify(classes).achieved, TCloseness(t=0.2).verify(classes).achieved


def own_times() -> None:
    frame = people(N)
    models = {
        "distinct l": (LDiversity(l=2), "disease"),
        "entropy l": (LDiversity(l=2, kind="entropy"), "disease"),
        "recursive l": (LDiversity(l=2, c=3, kind="recursive"), "disease"),
        "t, equal": (TCloseness(t=0.2), "disease"),
        "t, ordered": (TCloseness(t=0.2, distance="ordered"), "income"),
        "beta": (BetaLikeness(beta=2), "disease"),
        "delta": (DeltaDisclosure(delta=2), "disease"),
    }
    work = {"classes": lambda: classes_of(frame, "disease")}
    work |= {
        name: lambda model=model, column=column: model.verify(classes_of(frame, column))
        for name, (model, column) in models.items()
    }
    work["l and t"] = lambda: ours(frame)
    n_incomes = frame["income"].n_unique()
    print(
        f"{N:,} records, {classes_of(frame, 'income').n_classes:,} classes, {n_incomes:,} incomes"
    )
    for name, seconds in medians(work).items():
        print(f"{name:>12}: {seconds:.3f} s, classes included")


def item_sets() -> None:
    rng = np.random.default_rng(0)
    n = 100_000
    items = (rng.zipf(1.5, (n, 6)).clip(max=500)).tolist()
    frame = pl.DataFrame({"items": items})
    for m in (1, 2, 3):
        model = KmAnonymity(k=5, m=m, column="items")
        seconds = medians({"km": lambda model=model: model.check(frame, Roles())}, repeat=3)["km"]
        print(f"k^{m}-anonymity of {n:,} records of up to 6 items of 500: {seconds:.2f} s")


def beside_peer(n: int, keys: tuple[str, ...]) -> None:
    python = peer_python("pycanon", "pyarrow")
    if python is None:
        print("pyCANON is not measured: it cannot be installed here.")
        return
    frame = people(n)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        frame.write_parquet(path)
        script = PEER.format(keys=list(keys))
        command = [str(python), "-W", "ignore", "-c", script, str(path)]
        said = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    seconds, *values = map(float, said.stdout.split())
    started = time.process_time()
    own = ours(frame, keys)
    mine = time.process_time() - started
    assert np.allclose(own, values), "the two do not agree"
    print(
        f"{n:,} records by {len(keys)} keys, l and t: {mine:.3f} s of CPU, "
        f"pyCANON {seconds:.1f} s, {seconds / mine:.0f} ×"
    )


def main() -> None:
    own_times()
    item_sets()
    beside_peer(100_000, KEYS)
    beside_peer(N, FEW_KEYS)


if __name__ == "__main__":
    main()
