"""Read a project of the ARX desktop tool: its data, roles, hierarchies and models.

A ``.deid`` file is a ZIP archive: ``data/input.csv``, ``input/definition.xml`` (the attribute
types), ``input/config.xml`` (models, suppression, quality), ``input/hierarchies/*.csv`` and
``project.xml`` (the separator). Serialised Java objects in it are not read.
"""

from __future__ import annotations

import csv
import io
import math
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import polars as pl

from microveil.app.arx_projects.criteria import loss_of, model_of
from microveil.errors import FileError, quote
from microveil.files import write
from microveil.files.sources import distinct, existing, expand_home, reading
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
    population: pl.DataFrame | None = None
    """All records of the project, if the table is the subset that ARX calls the research sample."""

    def save(self, path: str | Path, data: str | Path | None = None) -> tuple[Path, ...]:
        """Write the recipe, its hierarchies and population next to it, and optionally the data."""
        target = expand_home(path)
        folder = target.parent / _FOLDER
        if self.hierarchies:
            folder.mkdir(parents=True, exist_ok=True)
        files = file_names(self.hierarchies)
        for name, hierarchy in self.hierarchies.items():
            write_hierarchy(hierarchy, folder / files[name])
        if self.population is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            write(self.population, target.parent / _POPULATION)
        self.recipe.write(target)
        if data is None:
            return (target,)
        write(self.frame, expand_home(data), keep_order=True)
        return target, expand_home(data)


_FOLDER = "hierarchies"
_POPULATION = "population.parquet"


def read_arx_project(path: str | Path) -> ArxProject:
    """Read a ``.deid`` file of the ARX desktop tool as a recipe and a table.

    Roles, data types, hierarchies, level limits, weights, the suppression limit, the quality model
    and the privacy models are converted; ``notes`` list what is not.
    """
    place = existing(expand_home(path))
    with reading(place, "an ARX project"), zipfile.ZipFile(place) as archive:
        return _Reader(archive, place).project()


class _Reader:
    def __init__(self, archive: zipfile.ZipFile, place: Path) -> None:
        self._archive, self._place = archive, place
        self._names = set(archive.namelist())
        self._notes: list[str] = []
        self._separator = self._text(self._xml("project.xml"), "separator") or ";"
        self._attributes = self._definition()
        self._everybody: pl.DataFrame | None = None

    def project(self) -> ArxProject:
        frame = self._frame("data/input.csv")
        if frame is None:
            raise FileError(
                "{place} has no data. Save the project in ARX again.", place=self._place
            )
        self._check_columns(frame)
        self._everybody = self._subset_of(frame)
        if self._everybody is not None:
            frame, self._everybody = self._everybody, frame
        hierarchies = {
            name: found
            for name, attribute in self._attributes.items()
            if (found := self._hierarchy(name, attribute)) is not None
        }
        recipe = Recipe.parse(self._recipe(hierarchies), str(self._place))
        return ArxProject(recipe, frame, hierarchies, tuple(self._notes), self._everybody)

    def _subset_of(self, frame: pl.DataFrame) -> pl.DataFrame | None:
        """The research sample, if it is only a part of the data and a model compares the two."""
        subset = self._frame("data/input_subset.csv")
        compared = any("-presence" in text.lower() or "-map" in text for text in self._criteria())
        if subset is None or subset.columns != frame.columns:
            return None
        return subset if compared and 0 < len(subset) < len(frame) else None

    def _criteria(self) -> list[str]:
        """The privacy models as ARX writes them, each once."""
        found = [one.text or "" for one in self._xml("input/config.xml").iter("criterion")]
        return list(dict.fromkeys(found))

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
        found: dict[str, ET.Element] = {}
        for one in self._xml("input/definition.xml").iter("assigment"):
            name = self._text(one, "name") or ""
            if name in found:
                self._notes.append(
                    f"Column '{name}' is defined more than once: its first definition was taken."
                )
            found.setdefault(name, one)
        if not found:
            raise FileError(
                "{place} has no definition of attributes. Save the project in ARX again.",
                place=self._place,
            )
        return found

    def _check_columns(self, frame: pl.DataFrame) -> None:
        """Note columns that only the data or only their definition has."""
        absent = [name for name in self._attributes if name not in frame.columns]
        if absent:
            self._notes.append(f"The data have no column {quote(absent)}: it was left out.")
        for name in absent:
            del self._attributes[name]
        unknown = [name for name in frame.columns if name not in self._attributes]
        if unknown:
            self._notes.append(
                f"Column {quote(unknown)} has no definition, and thus no role: give it one."
            )

    def _frame(self, name: str) -> pl.DataFrame | None:
        content = self._bytes(name)
        if content is None:
            return None
        frame = _table(content, self._separator, header=True, place=self._place)
        return frame.with_columns(
            _cast_declared(frame[name], self._text(attribute, "datatype") or "")
            for name, attribute in self._attributes.items()
            if name in frame.columns
        )

    def _hierarchy(self, name: str, attribute: ET.Element) -> Hierarchy | None:
        ref = self._text(attribute, "ref")
        content = self._bytes(f"input/{ref}") if ref else None
        if ref and content is None:
            self._notes.append(
                f"The hierarchy of column '{name}' is not in the project: add one to the recipe."
            )
        if not content or not content.strip():
            return None
        levels = _table(content, self._separator, header=False)
        return Hierarchy.of(levels.get_columns(), source=f"{self._place} ({name})")

    def _recipe(self, hierarchies: Mapping[str, Hierarchy]) -> dict[str, Any]:
        roles: dict[str, list[str]] = {}
        for name, attribute in self._attributes.items():
            roles.setdefault(self._role(name, attribute), []).append(name)
        dropped = roles.get("identifiers", [])
        steps: list[dict[str, Any]] = []
        if dropped:
            steps.append({"method": "drop", "columns": dropped})
        if "input/config.xml" not in self._names:
            self._notes.append(
                "The project has no input/config.xml: its privacy models, its suppression limit "
                "and its quality model are not known. Add them to `require` and to the steps."
            )
        config = self._xml("input/config.xml")
        models = list(self._models(hierarchies))
        # A population is coded as the original: only the search generalises it with the table.
        require = [model for model in models if "population" not in model]
        if roles.get("quasi_identifiers") and models:
            step = self._search(config, roles["quasi_identifiers"], hierarchies)
            steps.append(step if require == models else {**step, "models": models})
        if not require:
            self._notes.append(
                "The recipe requires nothing of the result: add a model to `require`."
            )
        return {"roles": roles, "steps": steps, "require": require}

    def _role(self, name: str, attribute: ET.Element) -> str:
        """The role of an attribute type as ARX writes it; a hierarchy makes a quasi-identifier."""
        kind = self._text(attribute, "type") or ""
        for word, role in _ROLES:
            if word in kind.upper():
                return role
        told = f"an unknown attribute type ('{kind}')" if kind else "no attribute type"
        self._notes.append(
            f"Column '{name}' has {told}: it is taken for an identifier and dropped. Give it a "
            "role if it should stay."
        )
        return "identifiers"

    def _models(self, hierarchies: Mapping[str, Hierarchy]) -> Iterator[dict[str, Any]]:
        for text in self._criteria():
            model = model_of(text)
            problem = self._problem(model, hierarchies)
            if model is None or problem:
                self._notes.append(
                    f"The privacy model '{text}' was not converted{problem}: add it to `require`."
                )
            else:
                yield self._complete(model, hierarchies)

    def _problem(
        self, model: Mapping[str, Any] | None, hierarchies: Mapping[str, Hierarchy]
    ) -> str:
        """Why a model that is known cannot be taken over; empty if it can."""
        column = (model or {}).get("column")
        if column is not None and column not in self._attributes:
            return f", because there is no column '{column}'"
        if model is not None and model.get("distance") == "hierarchical":
            return "" if column in hierarchies else f", because '{column}' has no hierarchy"
        if model is not None and model["model"] == "delta_presence" and self._everybody is None:
            return ", because the project names no research sample"
        return ""

    def _complete(
        self, model: dict[str, Any], hierarchies: Mapping[str, Hierarchy]
    ) -> dict[str, Any]:
        """The model with the files it needs."""
        if model.get("distance") == "hierarchical":
            return {**model, "hierarchy": _place(model["column"], hierarchies)}
        if model["model"] in ("delta_presence", "k_map") and self._everybody is not None:
            return {**model, "population": _POPULATION}
        return model

    def _search(
        self, config: ET.Element, keys: list[str], hierarchies: Mapping[str, Hierarchy]
    ) -> dict[str, Any]:
        share = self._number(config, "relativeMaxOutliers", "The suppression limit", 1.0)
        step: dict[str, Any] = {
            "method": "optimal_generalization",
            "hierarchies": {
                name: _place(name, hierarchies) for name in keys if name in hierarchies
            },
            "suppression_share": share or 0.0,
        }
        plain = [name for name in keys if name not in hierarchies]
        if plain:
            step["levels"] = dict.fromkeys(plain, 0)
            self._notes.append(f"No hierarchy for {', '.join(plain)}: it stays as it is.")
        loss = loss_of(self._text(config, "metric") or "loss")
        if loss is None:
            self._notes.append("The quality model is unknown: the search minimises `loss`.")
        limits = {
            field: levels
            for tag, field in (("min", "min_levels"), ("max", "max_levels"))
            if (levels := self._levels(tag, keys, hierarchies))
        }
        weights = self._weights(config, keys)
        return {**step, **(loss or {}), **limits, **({"weights": weights} if weights else {})}

    def _levels(
        self, tag: str, keys: list[str], hierarchies: Mapping[str, Hierarchy]
    ) -> dict[str, int]:
        """Lowest or highest levels, where the project limits them, within the hierarchies."""
        found = {}
        for name in keys:
            level = self._text(self._attributes[name], tag)
            if level is None or not level.isdecimal() or name not in hierarchies:
                continue
            most = hierarchies[name].height
            if int(level) > most:
                self._notes.append(
                    f"Level {level} of '{name}' is beyond its hierarchy: its highest, {most}, was "
                    "taken."
                )
            found[name] = min(int(level), most)
        return found

    def _weights(self, config: ET.Element, keys: list[str]) -> dict[str, float]:
        """Weights of the columns; none if all are equal, for only their proportions matter."""
        found: dict[str, float] = {}
        for one in config.iter("attributeWeight"):
            column = self._text(one, "attribute")
            weight = self._number(one, "weight", f"The weight of '{column}'", None)
            if column in keys and weight is not None:
                found[column] = weight
        alike = len(set(found.values())) == 1 and len(found) == len(keys)
        return {} if alike else found

    def _number(self, element: ET.Element, tag: str, what: str, most: float | None) -> float | None:
        """A number of at least 0; None, with a note, for anything else."""
        text = self._text(element, tag)
        if text is None:
            return None
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if number >= 0 and number <= (math.inf if most is None else most) and number < math.inf:
            return number
        self._notes.append(f"{what} is not a number that can be used: it was left out.")
        return None


_ROLES = (
    ("QUASI", "quasi_identifiers"),
    ("HIERARCHY", "quasi_identifiers"),
    ("INSENSITIVE", "insensitive"),
    ("SENSITIVE", "sensitive"),
    ("IDENTIFYING", "identifiers"),
)
"""Roles by a word of the attribute type; the first that fits."""


def _table(
    content: bytes, separator: str, *, header: bool, place: Path | None = None
) -> pl.DataFrame:
    if header:
        first = content.decode("utf-8-sig", errors="replace").splitlines()[:1]
        distinct(next(csv.reader(first, delimiter=separator), []), place)
    return pl.read_csv(
        io.BytesIO(content),
        separator=separator,
        has_header=header,
        infer_schema=False,
        null_values=[NULL] if header else None,
        truncate_ragged_lines=False,
    )


def _cast_declared(column: pl.Series, datatype: str) -> pl.Series:
    """The column in the type that ARX declares, if every cell has it."""
    wanted = {"integer": pl.Int64(), "decimal": pl.Float64()}.get(datatype.lower())
    if wanted is None:
        return column
    typed = column.cast(wanted, strict=False)
    return typed if typed.null_count() == column.null_count() else column


def _place(column: str, hierarchies: Mapping[str, Hierarchy]) -> str:
    return f"{_FOLDER}/{file_names(hierarchies)[column]}"


def file_names(columns: Iterable[str]) -> dict[str, str]:
    """A file name for the hierarchy of each column, each another one.

    >>> file_names(["a b", "a_b", "zip"])
    {'a b': 'a_b.csv', 'a_b': 'a_b_2.csv', 'zip': 'zip.csv'}
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for column in columns:
        safe = "".join(one if one.isalnum() or one in "-_" else "_" for one in column) or "column"
        name = next(
            name
            for number in count(1)
            if (name := safe if number == 1 else f"{safe}_{number}").casefold() not in taken
        )
        taken.add(name.casefold())
        found[column] = f"{name}.csv"
    return found
