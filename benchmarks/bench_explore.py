"""Exploring eight points of Mondrian on 120,648 records, and the report of Adult (goal ≤ 5 s).

Found: points are Polars and compiled loops, which leave Python's lock, so that two threads took
0.89 s where one took 1.32 s, on two cores that others used, too; processes would have to be
started and handed the table. Most of a report is drawing. The first one in a process takes 2.2 s
of CPU time (14 figures; it loads Altair and starts the converter), a second one 1.4 s.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl
from timing import medians, seconds

import microveil as mv

DATA = Path(__file__).parents[1] / "tests" / "data" / "adult" / "adult.parquet"
KEYS = ["age", "sex", "race", "marital-status", "education"]


def main() -> None:
    adult = pl.read_parquet(DATA)
    roles = mv.Roles(quasi_identifiers=KEYS, sensitive=["salary-class"])
    recipe = mv.Recipe(
        roles=roles,
        steps=[mv.Mondrian(k=10)],
        require=[mv.KAnonymity(k=10)],
        undeclared="keep",
    )
    explore(pl.concat([adult] * 4), recipe)
    report(adult, recipe)


def explore(frame: pl.DataFrame, recipe: mv.Recipe) -> None:
    grid = {"steps.0.k+require.0.k": [2, 3, 5, 8, 12, 20, 40, 80]}

    def run(workers: int) -> mv.Exploration:
        return mv.explore(
            frame, recipe, grid, seed=1, workers=workers, risk="class_sizes", utility="cell_changes"
        )

    assert run(1).frame.drop("seconds").equals(run(2).frame.drop("seconds"))
    taken = medians({"1 worker": lambda: run(1), "2 workers": lambda: run(2)})
    for name, value in taken.items():
        print(f"explore, 8 points, {frame.height:,} records, {name:<10} {value:5.2f} s")


def report(adult: pl.DataFrame, recipe: mv.Recipe) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        release = mv.run(recipe, adult, seed=1)
        written = release.write(Path(folder) / "released.csv")
        taken = seconds(lambda: release.report(path, written=written))
        size = path.stat().st_size
        print(f"report of Adult, utility and figures included {taken:5.2f} s, {size / 1e6:.2f} MB")
        assert taken < 5
        assert size < 3_000_000


if __name__ == "__main__":
    main()
