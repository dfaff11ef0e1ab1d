"""Extras: which of them brings a package that is not installed."""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS = {
    "PIL": "pictures",
    "alembic": "service",
    "altair": "plots",
    "cryptography": "signing",
    "duckdb": "sql",
    "fastapi": "service",
    "highspy": "tables",
    "httpx": "service",
    "nicegui": "web",
    "opendp": "dp",
    "pandas": "pandas",
    "presidio_analyzer": "redact",
    "psycopg": "sql",
    "pyarrow": "arrow",
    "pyspark": "spark",
    "sklearn": "models",
    "sqlalchemy": "service",
    "sqlglot": "dp",
    "starlette": "service",
    "statsmodels": "outputs",
    "uvicorn": "service",
    "vl_convert": "plots",
}
"""The extra of each package that is imported on demand, under the name it is imported by."""


def extra_of(module: str | None) -> str | None:
    """The extra that brings a module; None if none does.

    >>> extra_of("sklearn.tree")
    'models'
    """
    return EXTRAS.get((module or "").partition(".")[0])


def say_extra(module: str | None) -> str:
    """What to install for a module that is missing; nothing if no extra brings it."""
    extra = extra_of(module)
    if extra is None:
        return ""
    return f"The package {module} is not installed: pip install 'microveil[{extra}]'."


def say_packages(what: str, extra: str, packages: tuple[str, ...]) -> str:
    """What to install for something that needs all of some packages; nothing if they are there.

    Asked before the first import: a package that comes with several extras names only one of them.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if not missing:
        return ""
    return (
        f"{what} needs packages that are not installed ({', '.join(missing)}). "
        f"Install them with: pip install 'microveil[{extra}]'"
    )
