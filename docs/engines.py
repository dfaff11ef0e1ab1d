"""The page that says which engine does what: from the registries and the planner itself.

    python docs/engines.py      # from the project's root: brings the page up to date

Every method plans one step on a small table, with each kind of role. What the planner decides, on
a file in parts and on an engine whose rows have no order, is what the page says.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import microveil as mv  # noqa: E402
from microveil.errors import MicroveilError  # noqa: E402
from microveil.planning import plan_steps  # noqa: E402
from microveil.planning.course import Course  # noqa: E402
from microveil.planning.files import FileEngine  # noqa: E402
from microveil.planning.methods import by_sorting  # noqa: E402
from microveil.spark.methods import microaggregate, mondrian  # noqa: E402
from tests.conformance.engines import ROLES, people, recipe  # noqa: E402

PAGE = ROOT / "docs" / "scale" / "engines.md"
HEAD = """# Which engine does what

This page is written by `docs/engines.py` from the registries and the planner; a test keeps it up to date. Another one runs every method with every role on small data, in
parts and on Spark, and compares with a run on the whole table: rows are equal where nothing is left to chance, and otherwise have the same columns and number.

| word | what it means | memory |
|---|---|---|
| row by row | every row by itself | a part |
| from counts | the distinct combinations of its columns are counted, and a plan is made of them | the combinations |
| sorted on disk | its columns are sorted on disk, if there are more than 1,000,000 rows | what sorting may use |
| columns in memory | its own columns of all rows are in memory, in parts in that of the process, on Spark in that of the driver; all other columns stay where they are. More than may be used is refused before the step begins | three times these columns |
| in blocks | on Spark: workers finish blocks of rows | a block for each worker |

Roles are named where they change the way. `weight` and `scenarios` never stop a step. A `synthesize` without `columns` draws new rows: on Spark on the driver, which holds three times the
table; in parts block after block, from a model of up to 1,000,000 rows.

`decompose` draws the links where the plan is made, with a number for each row and, with `l`, the sensitive column. Its tables are written side by side, and appear together
or not at all. `pseudonymize` with `mapping` makes a second, secret table, which neither in parts nor on Spark is written.

"""
WORDS = {
    "row by row": "row by row",
    "from counts": "from counts",
    "sorted on disk": "sorted on disk",
    "its columns in memory": "columns in memory",
}


class _Unordered(FileEngine):
    """A file whose rows have no order, as on a cluster: the planner decides as for Spark."""

    @property
    def holds_rows(self) -> bool:
        return False

    def take_step(
        self,
        step: mv.Method,
        course: Course,
        rng: np.random.Generator,  # noqa: ARG002  nothing is drawn
        *,
        unplanned: bool = False,
    ) -> Any:
        suited = {mv.Microaggregate: microaggregate.suits, mv.Mondrian: mondrian.suits}
        suits: Any = suited.get(type(step))
        if suits is not None and suits(step, course.head):
            return course, {"way": "in blocks"}
        return (course, {"way": "columns in memory"}) if unplanned else None


def way(method: str, roles: str, path: Path, engine: type[FileEngine]) -> str:
    """How an engine performs a method with a role."""
    asked = recipe(method, roles)
    if engine is _Unordered and asked.steps[0].splits:
        return WORDS["its columns in memory"]  # the planner leaves it to the engine
    try:
        course = plan_steps(asked, engine(path, asked.roles, {}, 1, 2**30, folder=path.parent), 1)
    except MicroveilError as error:
        return "–" if "mapping" in str(error) else "refused everywhere"
    told = [facts["way"] for _, facts in course.told if "way" in facts]
    kinds = [WORDS.get(str(plan.kind), str(plan.kind)) for plan in course.plans]
    return (told or kinds or ["row by row"])[0]


def cell(ways: Mapping[str, str]) -> str:
    """The usual way, and the roles that change it."""
    usual = ways["plain"]
    others: dict[str, list[str]] = {}
    for roles, found in ways.items():
        if found not in (usual, "refused everywhere"):
            others.setdefault(found, []).append(f"`{roles}`")
    more = "; ".join(f"{found} with {', '.join(names)}" for found, names in others.items())
    return f"{usual}; {more}" if more else usual


def page() -> str:
    """The page as it should be."""
    by_sorting.LARGE = 0  # the way of a large table, on a small one
    lines = ["| method | in parts | on Spark |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        people().write_parquet(path)
        for method in mv.METHODS.classes:
            cells = [
                cell({roles: way(method, roles, path, engine) for roles in ROLES})
                for engine in (FileEngine, _Unordered)
            ]
            lines.append(f"| [`{method}`](../methods/{method}.md) | {cells[0]} | {cells[1]} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
