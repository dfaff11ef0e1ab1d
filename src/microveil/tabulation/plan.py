"""Table plan: tables to publish, the rules and the protection, as a file says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import Field, PrivateAttr

from microveil.errors import SpecError
from microveil.files.columns.column_reading import Reading
from microveil.files.sources import expand_home
from microveil.files.texts import parsed_yaml, read_text
from microveil.hierarchies import beside
from microveil.progress import Progress, silent
from microveil.specs import Spec
from microveil.tables import Roles
from microveil.tabulation.earlier import EarlierTable
from microveil.tabulation.protections import AnyProtection
from microveil.tabulation.protections.suppression.spec import Suppress
from microveil.tabulation.rules import AnyRule
from microveil.tabulation.statuses import CellStatus
from microveil.tabulation.tables import ProtectedTables
from microveil.tabulation.tabulating import tabulate
from microveil.tabulation.tabulation import Tabulation
from microveil.texts import phrase


class TablePlan(Spec):
    """Several tables that are made and protected together.

    >>> TablePlan.from_yaml("tables: [{by: [town, sex]}]").tables[0].title
    'count by town, sex'
    """

    reading: Reading = Reading()
    """How the data are read, as in a recipe."""
    roles: Roles = Roles()
    """What columns mean: ``entity`` tells people apart."""
    tables: tuple[Tabulation, ...] = Field(min_length=1)
    """The tables to publish."""
    rules: tuple[AnyRule, ...] = ()
    """Rules that find unsafe cells; by default a cell needs three contributors."""
    protect: AnyProtection = Suppress()
    """How unsafe cells are protected."""
    statuses: tuple[CellStatus, ...] = ()
    """What is known of cells beforehand."""
    earlier: tuple[EarlierTable, ...] = ()
    """Tables of the same data that were published before."""

    _folder: Path | None = PrivateAttr(default=None)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a file, YAML or JSON; all its problems are reported at once."""
        path = expand_home(path)
        plan = cls.from_yaml(read_text(path), source=str(path))
        plan._folder = path.parent  # noqa: SLF001  where its own files are looked for
        return plan

    @classmethod
    def from_yaml(cls, text: str, source: str | None = None) -> Self:
        """Parse YAML (or JSON, which is also YAML)."""
        raw = parsed_yaml(text, source)
        if not isinstance(raw, dict):
            raise SpecError(
                [phrase("A plan of tables is a mapping with tables and rules.")], source
            )
        return cls.parse(raw, source)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without parameters at their defaults."""
        plain: dict[str, Any] = {"reading": self.reading.to_dict()} if self.reading else {}
        if self.roles != Roles():
            plain["roles"] = self.roles.to_dict()
        for name in ("tables", "rules", "statuses", "earlier"):
            if specs := getattr(self, name):
                plain[name] = [one.to_dict() for one in specs]
        if self.protect != Suppress():
            plain["protect"] = self.protect.to_dict()
        return plain

    def to_yaml(self) -> str:
        """The plan as YAML."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, width=100)

    def make(
        self,
        data: Any,
        *,
        released: Any = None,
        seed: int | None = None,
        progress: Progress = silent,
    ) -> ProtectedTables:
        """Make the tables from a frame."""
        with beside(self._folder or Path()):
            return tabulate(
                data,
                self.tables,
                roles=self.roles,
                rules=self.rules,
                protect=self.protect,
                statuses=self.statuses,
                earlier=self.earlier,
                released=released,
                seed=seed,
                progress=progress,
            )


def table_plan_schema() -> dict[str, Any]:
    """The JSON Schema of files with tables, for editors."""
    schema = TablePlan.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Microveil tables",
    } | {key: value for key, value in schema.items() if key != "title"}
