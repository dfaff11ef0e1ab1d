"""Extras: which of them brings a package that is not installed."""

from __future__ import annotations

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
