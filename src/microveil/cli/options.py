"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from microveil.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from microveil.tables import Roles

DataSource = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="CSV, Parquet, XLSX, JSON lines, SPSS, Stata or SAS file, or a database "
        "(sqlite:///file.db?table=t, postgresql://…).",
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
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        envvar="MICROVEIL_SEED",
        show_envvar=True,
        help="Repeat a run exactly. Keep it secret: it takes the noise off.",
    ),
]
Separator = Annotated[
    str | None, typer.Option("--separator", help="CSV separator; detected if not given.")
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", help="Text encoding; detected if not given.")
]
Decimal = Annotated[str | None, typer.Option("--decimal", help="Decimal sign of the CSV: . or ,")]
Sheet = Annotated[str | None, typer.Option("--sheet", help="Sheet of the workbook.")]
TableName = Annotated[str | None, typer.Option("--table", help="Table of the database.")]
Query = Annotated[str | None, typer.Option("--query", help="SQL query to read instead.")]


def names(given: list[str] | None) -> tuple[str, ...]:
    """Comma-separated and repeated names as one list.

    >>> names(["age,sex", "zip"])
    ('age', 'sex', 'zip')
    """
    parts = [part.strip() for text in given or [] for part in text.split(",")]
    return tuple(part for part in parts if part)


def roles_of(
    quasi: list[str] | None, sensitive: list[str] | None = None, weight: str | None = None
) -> Roles:
    """Roles from the options."""
    from microveil.tables import Roles

    return Roles.parse(
        {"quasi_identifiers": names(quasi), "sensitive": names(sensitive), "weight": weight}
    )


def read_data(source: str, **options: Any) -> pl.DataFrame:
    """Read a data source with those reading options that were given."""
    from microveil.files import read

    return read(source, **{name: value for name, value in options.items() if value is not None})


def missing_reading(word: str) -> Any:
    """Check the word for how missing keys are read."""
    if word not in ("category", "wildcard"):
        raise InputError(f"--missing is 'category' or 'wildcard', not '{word}'.")
    return word
