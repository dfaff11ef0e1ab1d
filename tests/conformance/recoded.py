"""One small table recoded in every way, and the same release written differently."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import microveil as mv
from microveil.errors import MicroveilError
from microveil.measures.base import Measure
from microveil.measures.scenarios import scenario_scores
from microveil.measures.subject import Subject
from microveil.measures.taking import score_of
from microveil.tables.values import as_text
from tests.conformance import cases

KEYS = ("age", "zip", "job", "born")
TREE = {"tree": {"health": ["nurse", "doctor"], "food": ["cook", "baker"], "office": ["clerk"]}}
DATES = (
    "week",
    "month",
    "quarter",
    "year_season",
    "year",
    "five_years",
    "decade",
    "twenty_years",
    "season",
    "weekday",
)


def people(n: int = 40) -> pl.DataFrame:
    """Every age from 20 to 39 twice, so that an interval's midpoint is the mean of its ages."""
    rng = np.random.default_rng(3)
    zips = [f"{one:05d}" for one in (8001, 8002, 8010, 9110, 9111, 9220)]
    return pl.DataFrame(
        {
            "person": [f"p{i}" for i in range(n)],
            "home": [f"h{i // 2}" for i in range(n)],
            "w": rng.choice([1.0, 2.0, 5.0], n),
            "age": rng.permutation(np.arange(n) % 20 + 20),
            "zip": rng.choice(zips, n),
            "job": rng.choice(["nurse", "doctor", "cook", "baker", "clerk"], n),
            "born": [
                dt.date(1990, 1, 1) + dt.timedelta(days=int(i)) for i in rng.integers(0, 3000, n)
            ],
            "pay": np.round(rng.normal(1000, 200, n)),
            "ill": rng.choice(["flu", "cold", "ulcer"], n),
        }
    )


def _generalized(column: str, level: int = 1, tree: Any = None, **builder: Any) -> mv.Method:
    return mv.Generalize(column=column, hierarchy=tree or builder, level=level)


GLOBAL: Mapping[str, list[mv.Method]] = {
    "interval": [_generalized("age", hierarchy="intervals", width=5)],
    "tree": [_generalized("job", tree=TREE)],
    "digits": [_generalized("zip", 2, hierarchy="digits")],
    "prefix": [_generalized("zip", hierarchy="prefix", lengths=[3])],
    "mask": [mv.Mask(columns=["zip"], keep_start=3)],
    "order": [_generalized("age", hierarchy="order", sizes=[5])],
    "types": [_generalized("age", hierarchy="types")],
    "types_date": [_generalized("born", hierarchy="types")],
    "rare": [mv.GroupRare(columns=["job"], min_count=8)],
    "star": [_generalized("job", 2, tree=TREE)],
    "coded": [mv.TopBottomCode(columns=["age"], top=35, bottom=25)],
    "rounded": [mv.Round(columns=["age"], base=5)],
    "two_steps": [
        mv.TopBottomCode(columns=["age"], top=34, bottom=25),
        _generalized("age", hierarchy="intervals", width=5),
    ],
    "tree_then_rare": [_generalized("job", tree=TREE), mv.GroupRare(columns=["job"], min_count=9)],
    **{step: [_generalized("born", hierarchy="dates", levels=[step])] for step in DATES},
}
"""Steps that give equal values equal labels."""
LOCAL: Mapping[str, list[mv.Method]] = {
    "mondrian": [mv.Mondrian(k=4, columns=["age", "job"])],
    "local_recoding": [
        mv.LocalRecoding(
            k=3,
            columns=["age", "job"],
            hierarchies={"age": {"hierarchy": "intervals", "width": 5}, "job": TREE},
        )
    ],
    "blank": [mv.LocalSuppression(k=2, columns=["age", "job"])],
    "noise": [mv.AdditiveNoise(columns=["age", "pay"], sd_share=0.2)],
}
SETTINGS: tuple[Mapping[str, Any], ...] = (
    {},
    {"entity": "person"},
    {"weight": "w"},
    {"scenarios": {"office": ["job", "zip"]}},
    {"household": "home"},
    {"missing": "wildcard"},
    {"entity": "person", "weight": "w", "household": "home", "missing": "wildcard"},
)
LAYOUTS = ("paired", "shuffled", "removed")


def measures(folder: Path, *, quick: bool) -> dict[str, Measure]:
    """One of each registered measure; everybody is attacked."""
    listed = folder / "list.csv"
    people().select("job", "zip").head(9).write_csv(listed)
    found: dict[str, Measure] = {**cases.RISK, **cases.UTILITY}
    found["prediction"] = mv.Prediction()
    found["outside_linkage"] = mv.OutsideLinkage(auxiliary=str(listed), known=["job", "zip"])
    attacks = {name: one for name, one in found.items() if "n_attacks" in type(one).model_fields}
    found |= {name: one.model_copy(update={"n_attacks": 2000}) for name, one in attacks.items()}
    if quick:  # fewer columns have fewer subsets
        found["singling_out"] = mv.SinglingOut(n_attacks=200, n_columns=2, columns=KEYS)
        found["linkability"] = mv.Linkability(known=[["age", "job"], ["zip", "born"]])
        found["membership"] = mv.Membership(columns=["zip", "job", "pay"])
    return found


@dataclass(frozen=True, eq=False)
class Made:
    """A release beside its original."""

    original: mv.Table
    released: mv.Table
    recipe: mv.Recipe
    aligned: bool = True

    @property
    def link(self) -> Any:
        """The original row behind each released one."""
        rows = self.released.rows
        return np.arange(self.released.height) if rows is None else rows

    def scores(self, some: Mapping[str, Measure]) -> dict[str, float | str]:
        """The values of measures, and of each scenario; or that a measure does not apply."""
        subject = Subject.of(self.original, self.released, self.recipe, aligned=self.aligned)
        found: dict[str, float | str] = {}
        for name, measure in some.items():
            try:
                found[name] = score_of(measure, subject).value
            except MicroveilError:
                found[name] = "does not apply"
        for scenario, taken in scenario_scores(
            {name: one for name, one in some.items() if one.by_scenario and one.quick}, subject
        ).items():
            found |= {f"{name} ({scenario})": one.value for name, one in taken.items()}
        return found


def release(kind: str, setting: Mapping[str, Any], layout: str = "paired") -> Made:
    """The table recoded in one way, under some roles."""
    roles = {name: one for name, one in setting.items() if name != "missing"}
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=KEYS, sensitive=["ill"], **roles),
        steps={**GLOBAL, **LOCAL}[kind],
        keep=[name for name in ("person", "home") if name in roles.values()],
        missing=setting.get("missing", "category"),
        undeclared="keep",
    )
    done = mv.run(recipe, people(), seed=1)
    made = Made(done.original, done.table, recipe)
    if layout == "removed":
        made = Made(made.original, made.released.take(np.arange(4, 38)), recipe)
    return unpaired(made) if layout == "shuffled" else made


def unpaired(made: Made) -> Made:
    """The same release without knowledge of which row is whose."""
    order = np.random.default_rng(9).permutation(made.released.height)
    bare = mv.Table(made.released.frame[order], made.released.roles)
    return Made(made.original, bare, made.recipe, aligned=False)


def reordered(made: Made) -> Made:
    """The rows of both tables in another order."""
    rng = np.random.default_rng(5)
    ours, theirs = rng.permutation(made.original.height), rng.permutation(made.released.height)
    released = made.released.take(theirs)
    if made.aligned:
        released = released.rebase(np.argsort(ours)[made.link[theirs]])
    else:
        released = mv.Table(made.released.frame[theirs], made.released.roles)
    return Made(made.original.take(ours).rebase(None), released, made.recipe, made.aligned)


def tripled(made: Made) -> Made:
    """Every row three times, for the same person."""
    n, frame = made.original.height, made.original.frame
    original = mv.Table(pl.concat([frame] * 3), made.original.roles)
    shown = pl.concat([made.released.frame] * 3)
    if not made.aligned:
        return Made(original, mv.Table(shown, made.released.roles), made.recipe, aligned=False)
    rows = np.concatenate([made.link + n * time for time in range(3)])
    gone = [name for name in frame.columns if name not in shown.columns]
    released = original.take(rows).drop(gone).with_columns(shown.get_columns())
    return Made(original, released, made.recipe)


def rewritten(made: Made, kind: str, *, as_tree: bool) -> Made:
    """The same classes under other labels: sets of values, or names that a tree explains."""
    column = GLOBAL[kind][0].touches(made.original)[0]
    every = mv.run(made.recipe, people(), seed=1).table.frame[column]
    groups: dict[str, set[str]] = {}
    for value, label in zip(as_text(people()[column]), as_text(every), strict=True):
        groups.setdefault(label, set()).add(value)
    kept = {label for label, values in groups.items() if values == {label}}
    if as_tree:
        names = {one: one if one in kept else f"group {i}" for i, one in enumerate(groups)}
        tree = {"tree": {names[one]: sorted(values) for one, values in groups.items()}}
        steps = [mv.Generalize(column=column, hierarchy=tree, level=1)]
    else:
        names = {
            one: one if one in kept else "{" + ", ".join(sorted(values)) + "}"
            for one, values in groups.items()
        }
        steps = []
    shown = as_text(made.released.frame[column]).replace_strict(names).alias(column)
    recipe = made.recipe.model_copy(update={"steps": tuple(steps)})
    return Made(made.original, made.released.with_columns([shown]), recipe, made.aligned)


def beside(made: Made, column: pl.Series) -> Made:
    """The same with a further key, released as it is."""
    keys = {"quasi_identifiers": (*KEYS, column.name)}
    roles = made.original.roles.model_copy(update=keys)
    original = made.original.with_columns([column]).with_roles(roles)
    shown = made.released.with_columns([column.gather(pl.Series(made.link))]).with_roles(roles)
    return Made(original, shown, made.recipe, made.aligned)
