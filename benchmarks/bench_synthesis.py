"""Synthesis without differential privacy: how close, how safe, how fast.

Goals, for ``cart`` on Adult as it is coded in the literature (48,842 × 14): at most 3 s of CPU;
mean L1 distance over all one-, two- and three-way marginals at most .011, .038 and .098; a
propensity ratio of at most 1.2; a two-sample classifier's AUC between .49 and .53; at most 4.7 %
replicated uniques; the AUC of a classifier learnt from synthetic records within .015 of one learnt
from real ones. 1,000,000 × 14 within 60 s and 1.5 GiB; a category of 5,000 levels does not freeze
it.

``ADULT14_CSV`` names that file; a table of the same shape stands in for it otherwise. The
classifiers are scikit-learn's HistGradientBoosting; what is learnt from real and synthetic records
is tried on a fifth of the records that the synthesizer never saw. Times are CPU seconds of fitting
and drawing, after a first call that compiles.

Found, on two cores shared by others (load 16 to 27), with generator, CPU seconds, L1, ratio, C2ST,
replicated uniques, TSTR against .926: cart 0.76 s, .0101/.0371/.0967, 0.63, .497, 4.4 %, .922;
boosted 9.3 s, .0097/.0417/.1087, 0.39, .532, 2.0 %, .917; copula 0.26 s, .0097/.1304/.2992 (with
codes of categories as numbers), 0.86, .929, 0.3 %, .881. Of cart's records 7.2 % equal a real one,
of boosted's 2.9 %; 2.7 % would by chance. 1,000,000 × 14 with all facts, CPU: cart 28 s and
0.72 GiB, boosted 90 s and 0.55 GiB, copula 10 s. A category of 5,000 levels: 0.3, 4.5 and 1.1 s.
Profiling found: counting a table of levels and classes in large nodes, instead of sorting their
records, takes a quarter off all trees; drawing columns of few values first copies a fifth less at
the same closeness.

synthpop on the same table (published by its users, not run here: it needs R): 45 s,
.0125/.0427/.1064, ratio 1.54, replicated uniques 4.7 %; SDV's Gaussian copula .31/.65/.94.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from timing import seconds_and_peak

import microveil as mv

N_RECORDS, MANY = 48_842, 1_000_000
SIZES = (85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2)
GENERATORS: tuple[str, ...] = ("cart", "boosted", "copula", "marginals", "bootstrap")


def main() -> None:
    frame = adult()
    target = frame.columns[-1]
    mv.Synthesizer().fit(frame.head(500)).sample(10)
    mv.Synthesizer(generator=mv.Boosted(n_rounds=2)).fit(frame.head(500)).sample(10)
    held_out = np.random.default_rng(0).random(frame.height) < 0.2
    learn, test = frame.filter(~held_out), frame.filter(held_out)
    print(f"{frame.height} × {frame.width}; target {target}, real AUC {auc(learn, test):.3f}")
    print("generator   CPU s   L1 of 1-, 2-, 3-way   ratio  C2ST  repl.  equal  chance  TSTR")
    for name in GENERATORS:
        report(name, frame, learn, test)
    large(frame)
    levels()


def report(name: str, frame: pl.DataFrame, learn: pl.DataFrame, test: pl.DataFrame) -> None:
    started = time.process_time()
    model = mv.Synthesizer(generator=name).fit(frame, seed=1)
    inner = model.model.fitted
    drawn = inner.sample(frame.height, np.random.default_rng(2))
    taken = time.process_time() - started
    model.sample(seed=2)
    facts = model.facts
    distances = "/".join(f"{one:.4f}" for one in marginal_distances(frame, drawn))
    ratio = mv.Propensity().measure(frame, drawn, aligned=False).parts["ratio"]
    part = mv.Synthesizer(generator=name).fit(learn, seed=1).sample(seed=2)
    print(
        f"{name:10} {taken:6.2f}   {distances}   {ratio:5.2f}  {two_sample(frame, drawn):.3f}"
        f"  {facts['replicated_uniques_share']:.3f}  {facts['equal_share']:.3f}"
        f"  {facts['equal_share_by_chance']:.3f}   {auc(part, test):.3f}",
        flush=True,
    )


def large(frame: pl.DataFrame) -> None:
    rows = np.random.default_rng(1).integers(0, frame.height, MANY)
    many = frame[rows]
    for name in ("cart", "boosted", "copula"):
        settings = mv.Synthesizer(generator=name)
        started = time.process_time()
        wall, peak = seconds_and_peak(_fit_and_sample(settings, many))
        cpu = time.process_time() - started
        print(
            f"{name} {MANY} × {frame.width}: {wall:.1f} s, CPU {cpu:.1f} s, {peak / 2**30:.2f} GiB"
        )


def levels() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5000, N_RECORDS)
    frame = pl.DataFrame(
        {
            "code": [f"c{one}" for one in codes],
            "pay": codes + rng.normal(0, 50, N_RECORDS).round(),
            "sex": rng.choice(["f", "m"], N_RECORDS),
        }
    )
    for name in ("cart", "boosted", "copula"):
        wall, _ = seconds_and_peak(_fit_and_sample(mv.Synthesizer(generator=name), frame))
        print(f"{name}, a category of 5,000 levels among {N_RECORDS} records: {wall:.1f} s")


def _fit_and_sample(settings: mv.Synthesizer, frame: pl.DataFrame) -> Callable[[], object]:
    return lambda: settings.fit(frame, seed=1).sample(seed=2)


def adult() -> pl.DataFrame:
    if "ADULT14_CSV" in os.environ:
        return pl.read_csv(os.environ["ADULT14_CSV"])
    rng = np.random.default_rng(0)
    common = rng.normal(size=N_RECORDS)
    columns = {}
    for position, size in enumerate(SIZES):
        score = 0.6 * common + 0.8 * rng.normal(size=N_RECORDS)
        columns[f"x{position}"] = np.clip((score + 3) / 6 * size, 0, size - 1).astype(np.int64)
    return pl.DataFrame(columns)


def marginal_distances(first: pl.DataFrame, second: pl.DataFrame) -> list[float]:
    """Mean L1 distance of all one-, two- and three-way marginals."""
    sizes = [int(one) + 1 for one in pl.concat([first, second]).max().row(0)]
    tables = [one.to_numpy().astype(np.int64) for one in (first, second)]
    means = []
    for width in (1, 2, 3):
        sets = list(itertools.combinations(range(first.width), width))
        means.append(float(np.mean([_distance(tables, sizes, one) for one in sets])))
    return means


def _distance(tables: Sequence[np.ndarray], sizes: Sequence[int], columns: Sequence[int]) -> float:
    shares = []
    for table in tables:
        packed = np.zeros(len(table), dtype=np.int64)
        for column in columns:
            packed = packed * sizes[column] + table[:, column]
        cells = int(np.prod([sizes[column] for column in columns]))
        shares.append(np.bincount(packed, minlength=cells) / len(table))
    return float(np.abs(shares[0] - shares[1]).sum())


def two_sample(first: pl.DataFrame, second: pl.DataFrame) -> float:
    """AUC of a classifier that tells real from synthetic records, by cross-validation."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    x = np.vstack([first.to_numpy(), second.to_numpy()])
    y = np.repeat([0, 1], [first.height, second.height])
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    model = HistGradientBoostingClassifier(random_state=0)
    chances = cross_val_predict(model, x, y, cv=folds, method="predict_proba")[:, 1]
    return float(roc_auc_score(y, chances))


def auc(learn: pl.DataFrame, test: pl.DataFrame) -> float:
    """AUC, on records never seen, of a classifier of the last column (its highest value or not)."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score

    x, y = learn.to_numpy()[:, :-1], learn.to_numpy()[:, -1]
    model = HistGradientBoostingClassifier(random_state=0).fit(x, y)
    chances = model.predict_proba(test.to_numpy()[:, :-1])[:, -1]
    return float(roc_auc_score(test.to_numpy()[:, -1], chances))


if __name__ == "__main__":
    # Threads of the classifiers would wait for each other where cores are shared.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
