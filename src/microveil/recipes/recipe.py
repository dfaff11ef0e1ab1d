"""Recipe: what is done to a table, and what the result must satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import yaml
from pydantic import PrivateAttr, model_validator

from microveil.errors import InputError, SpecError
from microveil.files.columns.column_reading import Reading
from microveil.files.sources import expand_home
from microveil.files.texts import parsed_yaml, read_text
from microveil.hierarchies import HierarchyBuilder, beside
from microveil.hierarchies.text_files import find_file
from microveil.methods import METHODS, Method
from microveil.privacy import PrivacyModel
from microveil.recipes.across_releases import AcrossReleases
from microveil.recipes.frameworks import FRAMEWORKS
from microveil.recipes.measure_requirement import REQUIREMENTS, MeasureRequirement
from microveil.recipes.tables_block import TableBlock
from microveil.specs import Spec
from microveil.tables import Missing, Roles
from microveil.tables.roles import Columns
from microveil.texts import compose, join, phrase

LONGEST_PATH = 80
"""Letters of a mistyped path that a message repeats."""
Undeclared = Literal["refuse", "keep", "drop"]


class Recipe(Spec):
    """Steps that make a table safer, and requirements that decide whether it may be released.

    >>> recipe = Recipe.from_yaml("steps: [{method: drop, columns: [name]}]")
    >>> recipe.steps[0].columns
    ('name',)
    """

    reading: Reading = Reading()
    """How the data are read: types, date formats and missing codes by column, options of the
    file under ``file``."""
    roles: Roles = Roles()
    """What each column means for disclosure."""
    steps: tuple[Annotated[Method, METHODS], ...] = ()
    """Methods in the order they are applied."""
    require: tuple[
        Annotated[PrivacyModel | MeasureRequirement | AcrossReleases, REQUIREMENTS], ...
    ] = ()
    """Requirements the result must meet, models and limits on measures; if one is not met, nothing
    is released."""
    missing: Missing | None = None
    """How a missing key is treated when requirements are checked: ``category``, a value of its own
    (the safe choice, and the default), or ``wildcard``, a match for every value. Steps that count
    classes follow it unless they set their own."""
    undeclared: Undeclared = "refuse"
    """What happens on export to a column that has no role and that no step names."""
    keep: Columns = ()
    """Columns that are deliberately released unchanged: ids of people or households
    (``roles.entity``, ``roles.household``), or columns without a role."""
    follows: Columns = ()
    """Published rules that the release follows, such as ``iso_27559``: its report has a checklist
    of each, filled from the evidence."""
    expect: str | None = None
    """File with the expected schema of the data (``microveil schema infer``), beside the recipe or
    in the working directory; data that differ are refused."""

    tables: TableBlock = None
    """Tables that are published together with the records: a list of them, or a mapping with
    ``tables``, ``rules`` and ``protect``. They are made from the original, and audited against the
    records that leave; both are written, or neither."""

    if TYPE_CHECKING:  # what callers may pass; what is kept stands above

        def __init__(  # noqa: PLR0913  one for each field
            self,
            *,
            reading: Reading | Mapping[str, Any] = ...,
            roles: Roles | Mapping[str, Any] = ...,
            steps: Sequence[Method | Mapping[str, Any]] = ...,
            require: Sequence[
                PrivacyModel | MeasureRequirement | AcrossReleases | Mapping[str, Any]
            ] = ...,
            missing: Missing | None = ...,
            undeclared: Undeclared = ...,
            keep: str | Sequence[str] = ...,
            follows: str | Sequence[str] = ...,
            expect: str | None = ...,
            tables: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = ...,
        ) -> None: ...

    _file: Path | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _keeps_no_names(self) -> Self:
        named = [name for name in self.keep if name in self.roles.identifiers]
        if named:
            raise ValueError(
                phrase(
                    "keep: column {named:quoted} identifies people. Drop, mask or pseudonymize it.",
                    named=named,
                )
            )  # so that pydantic lists it with the recipe's other problems
        return self

    @model_validator(mode="after")
    def _follows_known_rules(self) -> Self:
        strangers = [name for name in self.follows if name not in FRAMEWORKS]
        if strangers:
            raise ValueError(
                phrase(
                    "follows: no rule '{name}'. Known: {known}.",
                    name=strangers[0],
                    known=list(FRAMEWORKS),
                )
            )  # so that pydantic lists it with the recipe's other problems
        return self

    @model_validator(mode="after")
    def _names_columns(self) -> Self:
        unnamed = [
            compose(
                f"steps.{place}.{step.kind()}.columns: {{told}}", told=phrase("Field required.")
            )
            for place, step in enumerate(self.steps)
            if step.lacks_columns
        ]
        if unnamed:
            raise ValueError(join(unnamed, "\n"))
        return self

    def __eq__(self, other: object) -> bool:
        """Equal if all fields are, wherever the recipes were read from."""
        return isinstance(other, Recipe) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.to_yaml())

    def beside_its_files(self) -> AbstractContextManager[None]:
        """Within this block, look for files named in the recipe in its own folder first."""
        return nullcontext() if self._file is None else beside(self._file.parent)

    def files_read(self) -> tuple[Path, ...]:
        """The recipe's own file and those that it names, such as hierarchies, where they exist."""
        with self.beside_its_files():
            named = [file for text in _texts(self.to_dict()) if (file := find_file(text))]
        return tuple(named if self._file is None else [self._file, *named])

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a recipe file, YAML or JSON; all its problems are reported at once."""
        path = expand_home(path)
        recipe = cls.from_yaml(read_text(path), source=str(path))
        recipe._file = path  # noqa: SLF001  beside it, its own files are looked for
        return recipe

    @classmethod
    def from_yaml(cls, text: str, source: str | None = None) -> Self:
        """Parse a recipe from YAML (or JSON, which is also YAML)."""
        raw = parsed_yaml(text, source)
        if not isinstance(raw, dict):
            raise SpecError(
                [phrase("A recipe is a mapping with roles, steps and require.")], source
            )
        return cls.parse(raw, source)

    def to_yaml(self) -> str:
        """The recipe as YAML, without seeds, keys or values of records."""
        return yaml.safe_dump(
            self.to_dict(), sort_keys=False, allow_unicode=True, default_flow_style=None, width=100
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without parameters at their defaults."""
        plain: dict[str, Any] = {"reading": self.reading.to_dict()} if self.reading else {}
        plain["roles"] = self.roles.to_dict()
        plain["steps"] = [step.to_dict() for step in self.steps]
        plain["require"] = [model.to_dict() for model in self.require]
        for name in ("missing", "undeclared", "keep", "follows", "expect", "tables"):
            value = getattr(self, name)
            if value != type(self).model_fields[name].default:
                plain[name] = list(value) if isinstance(value, tuple) else value
        return plain

    def write(self, path: str | Path) -> None:
        """Write the recipe as YAML, atomically."""
        from microveil.files import write_text

        write_text(self.to_yaml(), Path(path))

    @property
    def missing_keys(self) -> Missing:
        """How a missing key is treated: as the recipe says, by default a value of its own."""
        return self.missing or "category"

    @property
    def hierarchies(self) -> dict[str, HierarchyBuilder]:
        """How values are generalised, by column: the first hierarchy that a step has for it."""
        found: dict[str, HierarchyBuilder] = {}
        for step in self.steps:
            named = getattr(step, "hierarchies", None) or {}
            single = getattr(step, "hierarchy", None)
            if isinstance(single, HierarchyBuilder):
                named = {getattr(step, "column", ""): single}
            found = {name: one for name, one in named.items() if name} | found
        return found

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """The requirements that are privacy models."""
        return tuple(one for one in self.require if isinstance(one, PrivacyModel))

    @property
    def limits(self) -> tuple[MeasureRequirement, ...]:
        """The requirements that are limits on measures."""
        return tuple(one for one in self.require if isinstance(one, MeasureRequirement))

    @property
    def across(self) -> tuple[AcrossReleases, ...]:
        """The requirements on this and earlier releases together."""
        return tuple(one for one in self.require if isinstance(one, AcrossReleases))

    def with_steps(self, *steps: Method) -> Recipe:
        """The same recipe with further steps at the end."""
        return self.model_copy(update={"steps": self.steps + steps})

    def after_steps(self, n_steps: int) -> Recipe:
        """The recipe up to one of its steps: how a table between two of them was made."""
        return self.model_copy(update={"steps": self.steps[:n_steps]})

    def with_values(self, values: Mapping[str, Any]) -> Recipe:
        """The same recipe with parameters replaced by path: ``{"steps.1.k": 5}``."""
        raw = self.to_dict()
        for path, value in values.items():
            _set(raw, path, value)
        recipe = Recipe.parse(raw)
        recipe._file = self._file  # noqa: SLF001  another recipe, not another object's secret
        return recipe

    @property
    def row_wise(self) -> bool:
        """Whether every step processes one row at a time."""
        return all(step.row_wise for step in self.steps)


def _set(raw: dict[str, Any], path: str, value: Any) -> None:
    """Set a value at a path like ``steps.1.k``, which must exist."""
    *way, last = path.split(".")
    place: Any = raw
    try:
        for part in way:
            place = place[int(part)] if isinstance(place, list) else place[part]
    except (KeyError, IndexError, ValueError, TypeError):
        place = None
    if not isinstance(place, dict) or (not way and last not in Recipe.model_fields):
        named = path if len(path) <= LONGEST_PATH else f"{path[:LONGEST_PATH]}…"
        raise InputError(
            "The recipe has nothing at '{named}'. A path reads like steps.1.k: the second "
            "step's k.",
            named=named,
        )
    place[last] = value


def refuse_other(recipe: object) -> None:
    """Raise an error for what is no recipe, such as the data in its place."""
    if hasattr(recipe, "links") and hasattr(recipe, "people"):
        raise InputError(
            "This recipe is for linked tables: use run_linked, check_linked or explain_linked."
        )
    if not isinstance(recipe, Recipe):
        raise InputError(
            "A recipe is needed, not {kind}: Recipe(…), or Recipe.read(path) for a file. Are "
            "the arguments in the right order?",
            kind=type(recipe).__name__,
        )


def _texts(raw: object) -> Iterator[str]:
    """All text below a mapping or a list."""
    if isinstance(raw, str):
        yield raw
    elif isinstance(raw, Mapping):
        for value in raw.values():
            yield from _texts(value)
    elif isinstance(raw, list | tuple):
        for value in raw:
            yield from _texts(value)
