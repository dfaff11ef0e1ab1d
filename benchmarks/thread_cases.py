"""The work that ``bench_threads.py`` gives to threads: a name, a number of rows, a function."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {
    "mdav": 1_000_000,
    "local_suppression": 1_000_000,
    "mondrian": 10_000_000,
    "classes": 10_000_000,
    "classes_text": 10_000_000,
    "assess": 1_000_000,
    "cart": 200_000,
    "linkage": 300_000,
    "lattice": 100_000,
    "attacks": 100_000,
    "local_recoding": 300_000,
    "suda": 1_000_000,
    "compare": 100_000,
    "separation": 1_000_000,
}
REAL = ("p", "q", "r", "u", "v")
KEYS = ("a", "b", "c", "d", "e")


def people(n: int) -> Any:
    """Five keys, five amounts of which two go together, and a sensitive text."""
    import polars as pl

    rng = np.random.default_rng(1)
    keys = {
        name: rng.integers(0, top, n) for name, top in zip(KEYS, (80, 2, 50, 10, 5), strict=True)
    }
    real = {name: rng.normal(0, 1, n) for name in REAL[:3]}
    real |= {"u": rng.lognormal(3, 1, n), "v": rng.normal(0, 1, n)}
    real["q"] = real["p"] + 0.5 * real["q"]
    return pl.DataFrame({**keys, **real, "s": rng.choice(["x", "y", "z", "w"], n)})


def keys_only(n: int) -> Any:
    """The keys alone: ten million rows fit in memory several times."""
    import polars as pl

    rng = np.random.default_rng(1)
    tops = zip(KEYS, (80, 2, 50, 10, 5), strict=True)
    return pl.DataFrame({name: rng.integers(0, top, n) for name, top in tops})


def work_of(case: str) -> Callable[[], Any]:
    """The work of a case on its table, which is made before the clock starts."""
    import microveil as mv

    frame = keys_only(SIZES[case]) if SIZES[case] > 5_000_000 else people(SIZES[case])
    if case == "classes_text":
        frame = frame.select(_texts())
    sensitive = ["s"] if "s" in frame.columns else []
    roles = mv.Roles(quasi_identifiers=list(KEYS), sensitive=sensitive)
    table = mv.Table(frame, roles)
    steps: dict[str, Callable[[], mv.Method]] = {
        "mondrian": lambda: mv.Mondrian(k=5),
        "local_suppression": lambda: mv.LocalSuppression(k=3),
        "mdav": lambda: mv.Microaggregate(columns=REAL, k=5),
        "cart": mv.Synthesize,
        "local_recoding": lambda: mv.LocalRecoding(k=5, steps=1_000_000),
    }
    if case == "lattice":
        return searching(SIZES[case])
    if case in steps:
        return lambda: steps[case]().apply(table, np.random.default_rng(1)).table.frame
    return measures(frame, roles)[case]


def measures(frame: Any, roles: Any) -> dict[str, Callable[[], Any]]:
    """What counts and measures, rather than changes."""
    import microveil as mv

    table = mv.Table(frame, roles)
    return {
        "classes": lambda: mv.Classes.of(mv.Table(frame, roles)).counts,
        "classes_text": lambda: mv.Classes.of(mv.Table(frame, roles)).counts,
        "linkage": lambda: mv.RecordLinkage(columns=REAL).measure(frame, moved(frame)).value,
        "attacks": lambda: attacked(table, mv.Table(moved(frame), roles)),
        "suda": lambda: mv.SpecialUniques(columns=KEYS).measure(frame).value,
        "compare": lambda: compared(frame, roles),
        "separation": lambda: mv.KeySeparation().measure(mv.Table(frame, roles)).value,
        "assess": lambda: mv.assess(frame, roles).k,
    }


def moved(frame: Any) -> Any:
    return frame.with_columns(
        u=frame["u"] * 1.02, p=frame["p"] + 0.1, a=frame["a"].shift(1, fill_value=0)
    )


def lattice_table(n: int) -> tuple[Any, dict[str, Any]]:
    """Records that are nearly all distinct, and hierarchies of 51,840 nodes."""
    import polars as pl

    import microveil as mv

    rng = np.random.default_rng(1)
    sizes, heights = (80, 60, 40, 30, 24, 16, 12, 6), (5, 4, 3, 3, 3, 2, 2, 2)
    keys = {f"key{i}": (rng.beta(2, 4, n) * size).astype(int) for i, size in enumerate(sizes)}
    widths = [[2**level for level in range(1, height)] for height in heights]
    return pl.DataFrame(keys), {
        name: mv.Intervals(width=width) for name, width in zip(keys, widths, strict=True)
    }


def searching(n: int) -> Callable[[], Any]:
    import microveil as mv

    frame, hierarchies = lattice_table(n)
    roles = mv.Roles(quasi_identifiers=frame.columns)
    how: dict[str, Any] = {"k": 10, "suppression_share": 0.05, "hierarchies": hierarchies}

    def best() -> float:
        found = mv.search_lattice(frame, roles, **how).optimum
        assert found
        return float(found.loss)

    return best


def attacked(original: Any, released: Any) -> list[float]:
    import microveil as mv

    attacks = (
        mv.SinglingOut(),
        mv.Linkability(known=[KEYS[:2], KEYS[2:]]),
        mv.Inference(secret=["s"]),
        mv.Membership(),
    )
    return [one.measure(original, released).value for one in attacks]


def compared(frame: Any, roles: Any) -> list[float]:
    import microveil as mv

    found = mv.compare(frame, moved(frame), roles)
    return [score.value for score in (*found.risk.values(), *found.utility.values())]


def _texts() -> list[Any]:
    import polars as pl

    return [("group " + pl.col(name).cast(pl.String)).alias(name) for name in KEYS]


def digest(result: Any) -> str:
    data = result.hash_rows().to_numpy().tobytes() if hasattr(result, "hash_rows") else None
    data = data if data is not None else np.asarray(result).tobytes()
    return hashlib.sha256(data).hexdigest()[:16]
