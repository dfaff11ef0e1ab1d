"""Settings: `path=value` options, as `--set` and the hierarchy builders take them."""

from __future__ import annotations

import json
from typing import Any

from microveil.errors import InputError


def parsed(settings: list[str] | None) -> dict[str, Any]:
    """``name=value`` options as plain data; values are read as JSON where they are JSON.

    >>> parsed(["width=10", "levels=day,year", "side=left"])
    {'width': 10, 'levels': ['day', 'year'], 'side': 'left'}
    """
    plain: dict[str, Any] = {}
    for text in settings or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"A parameter reads like width=10, not '{text}'.")
        plain[name] = _value(name, value)
    return plain


def _value(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text.split(",") if "," in text else text
    except (ValueError, RecursionError):
        raise InputError(
            f"The value of '{name}' has too many digits or is nested too deeply."
        ) from None
