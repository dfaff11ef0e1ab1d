"""Shared by the commands of the service."""

from __future__ import annotations

from datetime import UTC, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from microveil.errors import InputError
from microveil.extras import say_packages

if TYPE_CHECKING:
    from microveil.service.home import Home

Folder = Annotated[
    Path,
    typer.Option(
        "--home", envvar="MICROVEIL_SERVICE_HOME", help="Folder of the ledger and the secret."
    ),
]
LedgerUrl = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        envvar="MICROVEIL_LEDGER",
        help="Ledger elsewhere: postgresql://… or sqlite:///FILE; by default in --home.",
        show_default=False,
    ),
]
DataName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the data set.")]
DEFAULT_HOME = Path("microveil-service")
_NEEDED = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "opendp", "sqlglot")


def home_of(folder: Path, ledger: str | None) -> Home:
    """The service's home; an error lists missing packages if the extra is not installed."""
    if missing := say_packages("The query service", "service", _NEEDED):
        raise InputError(missing)
    from microveil.service.home import Home

    return Home(folder, ledger)


def moment(text: str | None) -> datetime | None:
    """A day (its end, in UTC) or a moment, in ISO format."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InputError("--expires is a day such as 2027-01-31.") from None
    if len(text) == len("2027-01-31"):
        return datetime.combine(found.date(), time.max, tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
