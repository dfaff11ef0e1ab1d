"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from microveil.files import Labels
    from microveil.measures.choosing import Choice
    from microveil.recipes import Recipe
    from microveil.registry import RegistryTerms
    from microveil.tables import Roles

DataSource = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="CSV, Parquet, XLSX, JSON lines, SPSS, Stata, SAS or R file, a folder or pattern of "
        "CSV or Parquet files, or a database (sqlite:///file.db?table=t, postgresql://…).",
        show_default=False,
    ),
]
QuasiIdentifiers = Annotated[
    list[str] | None,
    typer.Option(
        "-q", "--quasi", help="Quasi-identifiers, comma-separated or repeated: age,sex,zip."
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option("-s", "--sensitive", help="Sensitive columns, comma-separated or repeated."),
]
Weight = Annotated[str | None, typer.Option("--weight", help="Column with sampling weights.")]
MissingReading = Annotated[
    str,
    typer.Option(
        "--missing", help="A missing key is a 'category' of its own or a 'wildcard' (sdcMicro)."
    ),
]
Measures = Annotated[
    str,
    typer.Option(
        "--measures",
        help="Which measures: 'default', 'all', 'none', or comma-separated names, with settings "
        "after colons: il1s,prediction:target=income (`microveil list measures`).",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        envvar="MICROVEIL_SEED",
        show_envvar=True,
        help="Repeat a run exactly. Keep it secret: it can remove the noise.",
    ),
]
Expect = Annotated[
    str | None,
    typer.Option(
        "--expect",
        metavar="SCHEMA",
        help="Expected schema of the data, instead of the recipe's (`microveil schema infer`).",
    ),
]
READING: dict[str, Any] = {
    "separator": Annotated[
        str | None, typer.Option("--separator", help="CSV separator; detected if not given.")
    ],
    "encoding": Annotated[
        str | None, typer.Option("--encoding", help="Text encoding; detected if not given.")
    ],
    "decimal": Annotated[
        str | None, typer.Option("--decimal", help="Decimal sign of the CSV: . or ,")
    ],
    "sheet": Annotated[str | None, typer.Option("--sheet", help="Sheet of the workbook.")],
    "table": Annotated[str | None, typer.Option("--table", help="Table of the database.")],
    "query": Annotated[str | None, typer.Option("--query", help="SQL query to read instead.")],
    "types": Annotated[
        list[str] | None,
        typer.Option(
            "--read",
            metavar="COLUMN=TYPE",
            help="How a column is read, repeated for several: birth=%d/%m/%Y, code=text, "
            "'height={type: number, missing: [9999]}'.",
        ),
    ],
    "labels": Annotated[
        str | None,
        typer.Option(
            "--labels",
            metavar="CODE_BOOK",
            help="Code book: a CSV file with column, code and label. Labels of SPSS, Stata, SAS "
            "and R files are read anyway.",
        ),
    ],
}
"""How data are read: the options of every command that reads one file."""


def takes_options(
    command: Callable[..., None], options: Mapping[str, Any], parameter: str
) -> Callable[..., None]:
    """Add options to a command, which receives them together as one parameter."""

    @wraps(command)
    def with_options(**given: Any) -> None:
        together = {name: given.pop(name) for name in options}
        if "types" in together:
            together["types"] = column_readings(together["types"])
        command(**given, **{parameter: together})

    own = signature(command, eval_str=True).parameters.values()
    more = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in options.items()
    ]
    parameters = [one for one in own if one.name != parameter] + more
    with_options.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    with_options.__annotations__ = {one.name: one.annotation for one in parameters}
    return with_options


def takes_reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the reading options to a command, as its parameter ``reading``."""
    return takes_options(command, READING, "reading")


def column_readings(given: list[str] | None) -> dict[str, Any] | None:
    """Columns with the type or format they are read in; None if none is given.

    >>> column_readings(["birth=%d/%m/%Y", "height={type: number, missing: [9999]}"])
    {'birth': '%d/%m/%Y', 'height': {'type': 'number', 'missing': [9999]}}
    """
    if not given:
        return None
    from microveil.files.texts import parsed_yaml

    found: dict[str, Any] = {}
    for one in given:
        name, mark, said = one.partition("=")
        if not (name and mark and said.strip()):
            raise InputError("--read names a column and its type: --read birth=%d/%m/%Y.")
        found[name] = parsed_yaml(said, None) if said.lstrip().startswith("{") else said.strip()
    return found


def expecting(recipe: Recipe, schema: str | None) -> Recipe:
    """The recipe with the schema that a command names, if it names one."""
    return recipe if schema is None else recipe.model_copy(update={"expect": schema})


def keep_inputs(read: tuple[Path | None, ...], **written: str | Path | None) -> None:
    """Refuse to write over a file that only the command reads, such as a key."""
    from microveil.errors import FileError
    from microveil.files.targets import Target, same_place

    for what, place in written.items():
        for one in read:
            if place and one and same_place(Target(place, text=True), Target(one, text=True)):
                raise FileError(
                    "{place} is the recipe, or a file that this run reads ({what}): an input is "
                    "never overwritten. Name another target.",
                    place=place,
                    what=what,
                )


def names(given: list[str] | None) -> tuple[str, ...]:
    """Comma-separated and repeated names as one list.

    >>> names(["age,sex", "zip"])
    ('age', 'sex', 'zip')
    """
    parts = [part.strip() for text in given or [] for part in text.split(",")]
    return tuple(part for part in parts if part)


def measures_of(text: str) -> Choice:
    """The measures selected by an option; settings follow a name after a colon.

    >>> measures_of("default"), measures_of("il1s:columns=[a, b],sse")
    ('default', ['il1s:columns=[a, b]', 'sse'])
    """
    from microveil.measures.naming import split_outside

    listed = [one.strip() for one in split_outside(text, ",") if one.strip()]
    if len(listed) == 1 and listed[0] in ("default", "all", "none"):
        choice: Choice = listed[0]
        return choice
    return listed


def roles_of(
    quasi: list[str] | None, sensitive: list[str] | None = None, weight: str | None = None
) -> Roles:
    """Roles from the options."""
    from microveil.tables import Roles

    return Roles.parse(
        {"quasi_identifiers": names(quasi), "sensitive": names(sensitive), "weight": weight}
    )


def read_data(
    source: str, reading: Mapping[str, Any] | None = None, recipe: Recipe | None = None
) -> pl.DataFrame:
    """Read a data source with the reading options given, otherwise as a recipe says."""
    from microveil.files import read

    said: dict[str, Any] = dict(reading or {})
    return read(source, **said, reading=None if recipe is None else recipe.reading)


def read_labelled_data(
    source: str, reading: Mapping[str, Any] | None = None, recipe: Recipe | None = None
) -> tuple[pl.DataFrame, Labels]:
    """Read a data source like :func:`read_data`, with the labels of its columns and codes."""
    from microveil.files import read_labelled

    said: dict[str, Any] = dict(reading or {})
    return read_labelled(source, **said, reading=None if recipe is None else recipe.reading)


def checked_missing(word: str) -> Any:
    """Check the word for the treatment of missing keys."""
    if word not in ("category", "wildcard"):
        raise InputError(f"--missing is 'category' or 'wildcard', not '{word}'.")
    return word


RegistryPlace = Annotated[
    str | None,
    typer.Option(
        "--registry",
        envvar="MICROVEIL_REGISTRY",
        help="Registry of releases: a SQLite file, or postgresql://USER@HOST/DATABASE.",
    ),
]
RegistryKey = Annotated[
    Path | None,
    typer.Option(
        "--registry-key",
        help="File with the registry's key; by default MICROVEIL_REGISTRY_KEY holds it.",
    ),
]
Person = Annotated[
    str | None,
    typer.Option(
        "--person",
        help="Column of the original that tells people apart; by default the entity, or rows.",
    ),
]
SourceName = Annotated[
    str | None,
    typer.Option("--source", help="Name of the source in the registry; by default the file's."),
]
ForWhom = Annotated[
    str | None, typer.Option("--audience", help="Who receives the release, for the registry.")
]


def registry_terms(
    place: str | None,
    key_file: Path | None,
    person: str | None,
    source: str | None,
    audience: str | None,
) -> RegistryTerms | None:
    """Where a release is noted, if a registry is named."""
    if place is None:
        if person or source or audience or key_file:
            raise InputError("--person, --source, --audience and --registry-key need a --registry.")
        return None
    from microveil.registry import Registry, RegistryTerms

    registry = Registry(place, key_file=key_file)
    return RegistryTerms(registry, source or "", person, audience)
