"""Synthesis with differential privacy: how close, how fast, how large.

Goals on Adult as it is coded in the literature (48,842 × 14), δ = 1e-9, mean L1 distance over all
one-, two- and three-way marginals: ``mst`` ε = 1 at most 3 s and 300 MB, .018/.106/.230; ``aim``
ε = 1 at most 40 s, .030/.091/.187, and an AUC of at least .89 of a classifier that learnt the
income class from synthetic records; ``aim`` ε = 10 at most 120 s, .009/.048/.130. Means over seeds.

``ADULT14_CSV`` and ``ADULT14_DOMAIN`` name the file and its domains; a table of the same shape
stands in for them otherwise, for which the goals do not hold. Noise is OpenDP's, so that no run
repeats. Every case runs in a process of its own: the memory is that of the whole process.

``mbi`` 2 with JAX on the same table, in an earlier trial on another machine:
132 s and 2.2 GB for MST at ε = 1, .018/.105/.228.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

SIZES = {
    "age": 85,
    "workclass": 9,
    "fnlwgt": 100,
    "education-num": 16,
    "marital-status": 7,
    "occupation": 15,
    "relationship": 6,
    "race": 5,
    "sex": 2,
    "capital-gain": 100,
    "capital-loss": 100,
    "hours-per-week": 99,
    "native-country": 42,
    "income>50K": 2,
}
TARGET = "income>50K"
CASES = (("mst", 1.0), ("aim", 1.0), ("aim", 10.0))


def table() -> tuple[pl.DataFrame, dict[str, int]]:
    path = os.environ.get("ADULT14_CSV")
    if path is None:
        rng = np.random.default_rng(0)
        latent = rng.normal(size=48_842)
        codes = {
            name: np.clip(
                ((latent + rng.normal(size=48_842)) / 6 + 0.5) * size, 0, size - 1
            ).astype(np.int64)
            for name, size in SIZES.items()
        }
        return pl.DataFrame(codes), dict(SIZES)
    domain = json.loads(Path(os.environ["ADULT14_DOMAIN"]).read_text(encoding="utf-8"))
    return pl.read_csv(path).select(list(domain)), domain


def distances(first: pl.DataFrame, second: pl.DataFrame, domain: dict[str, int]) -> list[float]:
    sizes = list(domain.values())
    sides = [one.select(list(domain)).to_numpy().T for one in (first, second)]
    found = []
    for order in (1, 2, 3):
        each = [
            float(np.abs(_shares(sides[0], sizes, s) - _shares(sides[1], sizes, s)).sum())
            for s in itertools.combinations(range(len(sizes)), order)
        ]
        found.append(float(np.mean(each)))
    return found


def _shares(codes: np.ndarray, sizes: list[int], columns: tuple[int, ...]) -> np.ndarray:
    place = np.zeros(codes.shape[1], dtype=np.int64)
    for column in columns:
        place = place * sizes[column] + codes[column]
    n_cells = int(np.prod([sizes[column] for column in columns]))
    return np.bincount(place, minlength=n_cells) / codes.shape[1]


def transfer_auc(train: pl.DataFrame, test: pl.DataFrame) -> float:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from threadpoolctl import threadpool_limits

    known = [name for name in train.columns if name != TARGET]
    with threadpool_limits(limits=1):
        model = HistGradientBoostingClassifier(random_state=0)
        model.fit(train.select(known).to_numpy(), train[TARGET].to_numpy())
        chances = model.predict_proba(test.select(known).to_numpy())[:, 1]
    return float(roc_auc_score(test[TARGET].to_numpy(), chances))


def case(generator: str, epsilon: float, *, held_out: bool) -> dict[str, object]:
    import microveil as mv

    frame, domain = table()
    order = np.random.default_rng(1).permutation(frame.height)
    cut = frame.height // 5
    known = frame[order[cut:]] if held_out else frame
    spec = mv.GENERATORS.parse({"generator": generator, "epsilon": epsilon, "domain": domain})
    wall, cpu = time.perf_counter(), time.process_time()
    model = spec.fit(mv.Table(known), np.random.default_rng())
    drawn = model.sample(model.n_records or known.height, np.random.default_rng())
    found: dict[str, object] = {
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if held_out:
        return found | {"auc": transfer_auc(drawn, frame[order[:cut]])}
    return found | {"l1": distances(frame, drawn, domain)}


def apart(generator: str, epsilon: float, *, held_out: bool = False) -> dict[str, object]:
    command = [sys.executable, __file__, "--case", generator, str(epsilon)]
    done = subprocess.run(  # noqa: S603  this file itself
        command + ["--held-out"] * held_out, check=True, capture_output=True, text=True
    )
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", nargs=2)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    if asked.case:
        print(json.dumps(case(asked.case[0], float(asked.case[1]), held_out=asked.held_out)))
        return
    print("generator  ε    runs  CPU s  wall s    MB   L1 over 1/2/3-way marginals  AUC")
    for generator, epsilon in CASES:
        runs = [apart(generator, epsilon) for _ in range(asked.seeds)]
        aucs = [apart(generator, epsilon, held_out=True)["auc"] for _ in range(asked.seeds)]
        cpu, wall, mb = (np.mean([one[key] for one in runs]) for key in ("cpu", "wall", "mb"))
        means = "/".join(f"{one:.4f}" for one in np.mean([one["l1"] for one in runs], axis=0))
        print(
            f"{generator:9} {epsilon:4g} {len(runs):5d} {cpu:7.1f} {wall:7.1f} {mb:5.0f}   "
            f"{means}    {np.mean(aucs):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
