"""Saved: a project as a file, with plan, variants and settings; with the data only on request."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Annotated, Any

import polars as pl
from pydantic import Field

from microveil.errors import InputError, SpecError
from microveil.files.columns.column_reading import Reading
from microveil.files.texts import parsed_yaml
from microveil.hierarchies import File
from microveil.recipes import Recipe
from microveil.specs import Spec
from microveil.texts import phrase
from microveil.web.project.plan import ProjectPlan

FORMAT = 1
LARGEST = 512 * 1024 * 1024
"""Bytes that the data of a project file may have."""
PATHS = ("key_file", "population", "auxiliary", "key_env", "expect")
"""Fields that name a file or a secret of the server's machine; no page may set them."""


class SavedProject(Spec):
    """What a project file holds."""

    microveil_project: Annotated[int, Field(ge=1, le=FORMAT)] = FORMAT
    """Version of the format."""
    source: str = ""
    """Name of the file the data came from."""
    plan: ProjectPlan = ProjectPlan()
    """Roles, steps and requirements."""
    reading: Reading = Reading()
    """How the data are read."""
    pinned: Mapping[str, ProjectPlan] = Field(default_factory=dict)
    """Variants to compare, by name."""
    data: str | None = None
    """The data themselves (Parquet, Base64), where the owner asked for them."""

    def to_text(self) -> str:
        """The file's text."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"

    def frame(self) -> pl.DataFrame | None:
        """The data, where the file holds them."""
        if self.data is None:
            return None
        try:
            return pl.read_parquet(BytesIO(base64.b64decode(self.data, validate=True)))
        except (ValueError, pl.exceptions.PolarsError, OSError):
            raise InputError("The data in this project file cannot be read.") from None


def pack_frame(frame: pl.DataFrame) -> str:
    """A frame as text for a project file."""
    buffer = BytesIO()
    frame.write_parquet(buffer)
    if buffer.tell() > LARGEST:
        raise InputError("The data are too large for a project file. Save it without them.")
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def opened_project(text: str) -> SavedProject:
    """Read a project file, or a recipe; both may come from anywhere and are checked."""
    raw = parsed_yaml(text, None) if not text.lstrip().startswith("{") else _json(text)
    if not isinstance(raw, dict):
        raise InputError("This is neither a project nor a recipe: it is no mapping of fields.")
    if "microveil_project" in raw:
        return _check(SavedProject.parse(raw))
    if not {"roles", "steps", "require"} & set(raw):
        raise InputError("This is neither a project nor a recipe: it has no roles and no steps.")
    recipe = Recipe.parse(raw)
    refuse_paths(recipe)
    return _check(SavedProject(plan=ProjectPlan.of(recipe), reading=recipe.reading))


def _check(project: SavedProject) -> SavedProject:
    refuse_paths(project)
    return project


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("This file is damaged: it is no JSON.") from None


def refuse_paths(spec: Spec) -> None:
    """Refuse a plan that would make the server read a file or a secret of its machine."""
    problems = list(_paths(spec, ""))
    if problems:
        raise SpecError(
            [
                phrase(
                    "{place}: the app opens no file by its path. Import what it holds instead.",
                    place=place,
                )
                for place in problems[:5]
            ]
        )


def _paths(value: Any, place: str) -> Iterator[str]:
    """Places of a plan that name a file or a secret."""
    if isinstance(value, File):
        yield place
    elif isinstance(value, Spec):
        for name, field in type(value).model_fields.items():
            one = getattr(value, name)
            if name in PATHS and one not in (None, field.default):
                yield f"{place}.{name}".lstrip(".")
            else:
                yield from _paths(one, f"{place}.{name}".lstrip("."))
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _paths(one, f"{place}.{name}")
    elif isinstance(value, tuple | list):
        for position, one in enumerate(value):
            yield from _paths(one, f"{place}.{position}")
