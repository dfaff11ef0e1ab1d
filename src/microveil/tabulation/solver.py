"""The solver of linear and integer programs, an extra."""

from __future__ import annotations

from types import ModuleType

from microveil.errors import InputError


def need_solver() -> ModuleType:
    """HiGHS, or what to install."""
    try:
        import highspy
    except ImportError:
        msg = "Protected tables need highspy. Install it with: pip install 'microveil[tables]'."
        raise InputError(msg) from None
    return highspy
