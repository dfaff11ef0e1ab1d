"""Read a project of the ARX desktop tool: its data, roles, hierarchies and models.

A ``.deid`` file is a ZIP archive: ``data/input.csv``, ``input/definition.xml`` (the attribute
types), ``input/config.xml`` (models, suppression, quality), ``input/hierarchies/*.csv`` and
``project.xml`` (the separator). Serialised Java objects in it are not read.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import polars as pl

from microveil.app.arx_projects.criteria import loss_of, model_of
from microveil.errors import FileError
from microveil.files import write
from microveil.files.sources import existing, expanded, reading
from microveil.hierarchies import Hierarchy, write_hierarchy
from microveil.recipes import Recipe

NULL = "NULL"
"""How ARX writes a missing cell."""


@dataclass(frozen=True, eq=False)
class ArxProject:
    """An ARX project as a recipe with its data."""

    recipe: Recipe
    """Its hierarchies are files that :meth:`save` writes alongside."""
    frame: pl.DataFrame
    hierarchies: Mapping[str, Hierarchy]
    """By column."""
    notes: tuple[str, ...]
    """What could not be converted, and what to do about it."""

    def save(self, path: str | Path, data: str | Path | None = None) -> tuple[Path, ...]:
        """Write the recipe, its hierarchies in a folder next to it, and optionally the data."""
        target = expanded(path)
        folder = target.parent / _FOLDER
        if self.hierarchies:
            folder.mkdir(parents=True, exist_ok=True)
        for name, hierarchy in self.hierarchies.items():
            write_hierarchy(hierarchy, folder / _file_name(name))
        self.recipe.write(target)
        if data is None:
            return (target,)
        write(self.frame, expanded(data), keep_order=True)
        return target, expanded(data)


_FOLDER = "hierarchies"


def read_arx_project(path: str | Path) -> ArxProject:
    """Read a ``.deid`` file of the ARX desktop tool as a recipe and a table.

    Roles, data types, hierarchies, level limits, weights, the suppression limit, the quality model
    and the privacy models are converted; ``notes`` list what is not.
    """
    place = existing(expanded(path))
    with reading(place, "an ARX project"), zipfile.ZipFile(place) as archive:
        return _Reader(archive, place).project()


class _Reader:
    def __init__(self, archive: zipfile.ZipFile, place: Path) -> None:
        self._archive, self._place = archive, place
        self._names = set(archive.namelist())
        self._notes: list[str] = []
        self._separator = self._text(self._xml("project.xml"), "separator") or ";"
        self._attributes = self._definition()

    def project(self) -> ArxProject:
        frame = self._frame()
        hierarchies = {
            name: found
            for name, attribute in self._attributes.items()
            if (found := self._hierarchy(name, attribute)) is not None
        }
        recipe = Recipe.parse(self._recipe(hierarchies), str(self._place))
        return ArxProject(recipe, frame, hierarchies, tuple(self._notes))

    def _bytes(self, name: str) -> bytes | None:
        return self._archive.read(name) if name in self._names else None

    def _xml(self, name: str) -> ET.Element:
        content = self._bytes(name)
        # Expat refuses entity expansion attacks, and external entities are never loaded.
        return ET.Element("empty") if content is None else ET.fromstring(content)  # noqa: S314

    @staticmethod
    def _text(element: ET.Element, tag: str) -> str | None:
        found = element.find(f".//{tag}")
        return None if found is None or found.text is None else found.text

    def _definition(self) -> dict[str, ET.Element]:
        definition = self._xml("input/definition.xml")
        found = {self._text(one, "name") or "": one for one in definition.iter("assigment")}
        if not found:
            raise FileError(
                f"{self._place} has no definition of attributes. Save the project in ARX again."
            )
        return found

    def _frame(self) -> pl.DataFrame:
        content = self._bytes("data/input.csv")
        if content is None:
            raise FileError(f"{self._place} has no data. Save the project in ARX again.")
        frame = _table(content, self._separator, header=True)
        return frame.with_columns(
            _typed(frame[name], self._text(attribute, "datatype") or "")
            for name, attribute in self._attributes.items()
            if name in frame.columns
        )

    def _hierarchy(self, name: str, attribute: ET.Element) -> Hierarchy | None:
        ref = self._text(attribute, "ref")
        content = self._bytes(f"input/{ref}") if ref else None
        if not content or not content.strip():
            return None
        levels = _table(content, self._separator, header=False)
        return Hierarchy.of(levels.get_columns(), source=f"{self._place} ({name})")

    def _recipe(self, hierarchies: Mapping[str, Hierarchy]) -> dict[str, Any]:
        roles: dict[str, list[str]] = {}
        for name, attribute in self._attributes.items():
            roles.setdefault(_role(self._text(attribute, "type") or ""), []).append(name)
        dropped = roles.get("identifiers", [])
        steps = [{"method": "drop", "columns": dropped}] if dropped else []
        config = self._xml("input/config.xml")
        require = list(self._models(config))
        if roles.get("quasi_identifiers") and require:
            steps.append(self._search(config, roles["quasi_identifiers"], hierarchies))
        return {"roles": roles, "steps": steps, "require": require}

    def _models(self, config: ET.Element) -> Iterator[dict[str, Any]]:
        for one in config.iter("criterion"):
            model = model_of(one.text or "")
            if model is None:
                self._notes.append(
                    f"The privacy model '{one.text}' was not converted: add it to `require`."
                )
            else:
                yield model

    def _search(
        self, config: ET.Element, keys: list[str], hierarchies: Mapping[str, Hierarchy]
    ) -> dict[str, Any]:
        step: dict[str, Any] = {
            "method": "optimal_generalization",
            "hierarchies": {
                name: f"{_FOLDER}/{_file_name(name)}" for name in keys if name in hierarchies
            },
            "suppression_share": float(self._text(config, "relativeMaxOutliers") or 0),
        }
        plain = [name for name in keys if name not in hierarchies]
        if plain:
            step["levels"] = dict.fromkeys(plain, 0)
            self._notes.append(f"No hierarchy for {', '.join(plain)}: it stays as it is.")
        loss = loss_of(self._text(config, "metric") or "loss")
        if loss is None:
            self._notes.append("The quality model is unknown: the search minimises `loss`.")
        return {**step, **(loss or {}), **self._limits(keys, config)}

    def _limits(self, keys: list[str], config: ET.Element) -> dict[str, Any]:
        """Lowest and highest levels, and weights, if the project differs from the defaults."""
        found: dict[str, dict[str, Any]] = {"min_levels": {}, "max_levels": {}, "weights": {}}
        for name in keys:
            for tag, field in (("min", "min_levels"), ("max", "max_levels")):
                level = self._text(self._attributes[name], tag)
                if level is not None and level.isdecimal():
                    found[field][name] = int(level)
        for one in config.iter("attributeWeight"):
            column, weight = self._text(one, "attribute"), self._text(one, "weight")
            if column in keys and weight is not None:
                found["weights"][column] = float(weight)
        weights = set(found["weights"].values())
        if len(weights) == 1 and len(found["weights"]) == len(keys):
            found["weights"] = {}  # only their proportions matter
        return {field: values for field, values in found.items() if values}


def _role(kind: str) -> str:
    """The role of an attribute type as ARX writes it; a hierarchy makes a quasi-identifier."""
    upper = kind.upper()
    for word, role in (
        ("QUASI", "quasi_identifiers"),
        ("HIERARCHY", "quasi_identifiers"),
        ("INSENSITIVE", "insensitive"),
        ("SENSITIVE", "sensitive"),
    ):
        if word in upper:
            return role
    return "identifiers"


def _table(content: bytes, separator: str, *, header: bool) -> pl.DataFrame:
    return pl.read_csv(
        io.BytesIO(content),
        separator=separator,
        has_header=header,
        infer_schema=False,
        null_values=[NULL] if header else None,
        truncate_ragged_lines=False,
    )


def _typed(column: pl.Series, datatype: str) -> pl.Series:
    """The column in the type that ARX declares, if every cell has it."""
    wanted = {"integer": pl.Int64(), "decimal": pl.Float64()}.get(datatype.lower())
    if wanted is None:
        return column
    typed = column.cast(wanted, strict=False)
    return typed if typed.null_count() == column.null_count() else column


def _file_name(column: str) -> str:
    safe = "".join(one if one.isalnum() or one in "-_" else "_" for one in column)
    return f"{safe or 'column'}.csv"
