"""The Arrow library, which an extra brings: for pandas, Arrow tables, Parquet and runs in parts."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from microveil.errors import InputError


def need_arrow(module: str = "") -> Any:
    """PyArrow or a module of it (``parquet``), or what to install.

    >>> need_arrow("parquet").__name__
    'pyarrow.parquet'
    """
    try:
        return import_module(f"pyarrow.{module}" if module else "pyarrow")
    except ImportError:
        raise InputError(
            "pandas and Arrow tables, Parquet files and runs in parts need pyarrow: "
            "pip install 'microveil[arrow]'."
        ) from None
