"""The page that says what each step, model and measure does with people, households and strata.

    python docs/roles.py      # from the project's root: brings the page up to date

Every registered thing is run on a small table with and without each role, with the same random
numbers. What it does is told from what it made, not from what it says of itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import microveil as mv  # noqa: E402
from microveil.errors import MicroveilError  # noqa: E402
from microveil.measures.subject import Subject  # noqa: E402
from microveil.measures.taking import take  # noqa: E402
from microveil.tables import Table  # noqa: E402
from tests.conformance.cases import FITTING, METHODS, MODELS, RISK, UTILITY  # noqa: E402

PAGE = ROOT / "docs" / "roles.md"
UNIT = {"entity": "person", "household": "home"}
ROLES = {"entity": {"entity": "person"}, "household": {"household": "home"}} | {
    "strata": {"strata": ["region"]}
}
SEEDS = range(1, 9)
"""Tables that each step is run on."""
PEOPLE = {"entity": "people", "household": "households"}
HEAD = """# People, households and strata: who does what

This page is written by `docs/roles.py`, which runs every method, model and measure on a small table with and without each role, with the same random numbers, and looks at what comes out; a test keeps it up
to date, and another one holds every line against other data.

## Steps

| word | what it means |
|---|---|
| alike | the role is used, and what was the same in all rows of a person (household) is the same afterwards |
| alike anyway | equal values are treated alike with or without the role |
| whole people, whole households | rows are removed or drawn together: of no person (household) a part is left |
| used | the role changes the result, and rows of one person (household) may differ afterwards |
| rows | the role changes nothing: each row is treated by itself |
| needed | without the role (or a column named in its place) the step is refused |
| refused | with the role the step is refused, in a sentence that says what to do |
| new rows | records are drawn; they belong to nobody |
| within | strata: the step works in each stratum by itself |
| – | strata: not used |

"""


def table(seed: int = 7) -> pl.DataFrame:
    """People in homes and regions; what a home shares, its people share, and their rows."""
    rng = np.random.default_rng(seed)
    homes, n = 30, 180
    person = np.sort(rng.integers(0, 3 * homes, n))
    home = person // 3
    texts = np.array(["a b", "a c", "b c", "b d"])
    first = np.datetime64("2020-01-01")
    values = rng.integers(0, 12, homes)
    return pl.DataFrame(
        {
            "sex": np.array(["f", "m"])[home % 2],
            "age": (20 + 5 * (home % 6)).astype(np.int64),
            "x": values[home] + np.where(home % 7 == 0, 20 + home, 0),
            "text": texts[rng.integers(0, 4, homes)][home],
            "day": first + rng.integers(0, 300, homes)[home].astype("timedelta64[D]"),
            "region": np.array(["north", "south"])[home // 2 % 2],
            "home": home.astype(np.int64),
            "person": person.astype(np.int64),
        }
    )


def column_for(method: str) -> str:
    """The column that suits a method."""
    return {"dates": "day", "strings": "text"}.get(FITTING.get(method, ""), "x")


def applied(method: str, role: str | None, seed: int = 7) -> tuple[Table, Table] | None:
    """The table before and after a step; None if it is refused."""
    roles = mv.Roles(quasi_identifiers=["sex", "age"], **(ROLES[role] if role else {}))
    before = Table(table(seed), roles)
    step = METHODS[method](column_for(method))
    try:
        return before, step.apply(before, np.random.default_rng(seed)).table
    except MicroveilError:
        return None


def keeps_units_alike(before: Table, after: Table, unit: str, column: str) -> bool:
    """Whether a column that each unit shared is still shared by its rows."""
    rows = np.arange(before.height) if after.rows is None else after.rows
    if column not in after.columns:
        return True
    ids = before.frame[unit].gather(rows)
    pairs = pl.DataFrame({"unit": ids, "cell": after.frame[column].cast(pl.String, strict=False)})
    return pairs.n_unique() == ids.n_unique()


def removes_whole_units(before: Table, after: Table, unit: str) -> bool:
    """Whether of every unit all rows are left, or none."""
    rows = np.arange(before.height) if after.rows is None else after.rows
    left = set(before.frame[unit].gather(rows))
    gone = np.setdiff1d(np.arange(before.height), rows)
    return left.isdisjoint(set(before.frame[unit].gather(gone)))


def same(one: Table, other: Table) -> bool:
    """Whether two results are equal."""
    return one.columns == other.columns and one.frame.equals(other.frame)


def of_method(method: str, role: str) -> str:
    """What a step does with a role, in the words of the page: on several tables together."""
    pairs = [(applied(method, None, seed), applied(method, role, seed)) for seed in SEEDS]
    if any(made is None for _, made in pairs):
        return "refused"
    if any(plain is None for plain, _ in pairs):
        return "needed"
    found = [(plain[1], *made) for plain, made in pairs if plain is not None and made is not None]
    used = not all(same(plain, after) for plain, _, after in found)
    if any(after.synthetic for *_, after in found):
        return "new rows"
    return _with_strata(used) if role == "strata" else _with_units(method, role, found, used=used)


def _with_strata(used: bool) -> str:  # noqa: FBT001  the one thing that is asked
    return "within" if used else "–"


def _with_units(
    method: str, role: str, found: list[tuple[Table, Table, Table]], *, used: bool
) -> str:
    unit, column = UNIT[role], column_for(method)
    whole = all(removes_whole_units(before, after, unit) for _, before, after in found)
    alike = all(keeps_units_alike(before, after, unit, column) for _, before, after in found)
    if used and whole and any(after.height < before.height for _, before, after in found):
        return f"whole {PEOPLE[role]}"
    if whole and alike:
        return "alike" if used else "alike anyway"
    return "used" if used else "rows"


def _told(ask: Callable[[pl.DataFrame, mv.Roles], Any], role: str, counted: str) -> str:
    """Whether a number is another one with a role; without it, its column is not there."""
    plain = mv.Roles(quasi_identifiers=["sex", "age", "x"], sensitive=["text"])
    frame = table().select("sex", "age", "x", "text", "region")
    try:
        usual = ask(frame, plain)
    except MicroveilError:
        usual = None
    unit = UNIT.get(role)
    frame = frame if unit is None else frame.with_columns(table()[unit])
    try:
        found = ask(frame, plain.model_copy(update=ROLES[role]))
    except MicroveilError:
        return "refused" if usual is not None else "not taken here"
    if found is None:
        return "not taken here"
    return "–" if found == usual else counted


def of_model(model: str, role: str) -> str:
    """What a model does with a role."""

    def ask(frame: pl.DataFrame, roles: mv.Roles) -> Any:
        check = MODELS[model].check(Table(frame, roles))
        return check.achieved, check.n_broken, tuple(check.parts.items())

    return _told(ask, role, "counts people" if role == "entity" else "used")


def of_measure(measure: Any, role: str) -> str:
    """What a measure of risk or utility does with a role.

    Measures of utility look at all columns, so that the ids are there in any case, as text.
    """
    ids = {name: pl.Series([f"{name} {one}" for one in table()[name]]) for name in UNIT.values()}
    keeps = measure.kind() in UTILITY

    def ask(frame: pl.DataFrame, roles: mv.Roles) -> Any:
        if keeps:
            free = [one for one in ids if one not in (roles.entity, roles.household)]
            frame = frame.with_columns(one.alias(name) for name, one in ids.items())
            roles = roles.model_copy(update={"insensitive": tuple(free)})
        grouped = mv.Microaggregate(columns=["x"], k=3).protect(frame, seed=1)
        subject = Subject(original=Table(frame, roles), released=Table(grouped, roles))
        score = take([measure], subject).scores.get(measure.kind())
        return None if score is None else round(float(score.value), 9)

    return _told(ask, role, "counts people" if role == "entity" and not keeps else "used")


def _grid(title: str, folder: str, names: list[str], say: Callable[[str, str], str]) -> list[str]:
    lines = [f"| {title} | `entity` | `household` | `strata` |", "|---|---|---|---|"]
    for name in names:
        cells = [say(name, role) for role in ROLES]
        lines.append(f"| [`{name}`]({folder}/{name}.md) | {' | '.join(cells)} |")
    return [*lines, ""]


def page() -> str:
    """The page as it should be."""
    os.environ.setdefault("MICROVEIL_KEY", "a key for this page, kept by nobody")
    lines = _grid("step", "methods", list(mv.METHODS.classes), of_method)
    lines += ["## Models", "", MODELS_SAY, ""]
    lines += _grid("model", "models", list(MODELS), of_model)
    lines += ["## Measures", "", MEASURES_SAY, ""]
    lines += _grid("risk", "risk", list(RISK), lambda name, role: of_measure(RISK[name], role))
    lines += _grid(
        "utility", "utility", list(UTILITY), lambda name, role: of_measure(UTILITY[name], role)
    )
    return HEAD + "\n".join(lines) + TAIL


MODELS_SAY = (
    "*Counts people*: with `entity` the number is another one, since a person's rows are one. "
    "Households are not counted by models; what their members give back is filled in before "
    "a requirement is checked ([what an intruder derives](deriving.md))."
)
MEASURES_SAY = (
    "The same for measures. *Used*: the number is another one with the role, since its column is "
    "no content that is compared, or rows are weighed otherwise. *Not taken here* is a measure that needs something that this small "
    "table has not (a control, a population, labels)."
)
TAIL = """
## Engines

All steps above do the same in parts and on Spark, or are refused there: [which engine does what](scale/engines.md) names the way for each role. Over several tables, people are those
of [linked tables](linked-tables.md), whatever a table's own columns are.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
