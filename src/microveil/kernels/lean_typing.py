"""Inferring types once: what numba would look up again for every call is remembered.

numba tries all implementations of an operator, a dozen of them, wherever the operator occurs,
although its types decide; compares the settings of a compilation option by option each time; and
imports its lists of implementations anew for every function.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from numba.core import cpu, targetconfig
from numba.core.types import functions

_Function: Any = functions.BaseFunction
_Context: Any = cpu.CPUContext
_Settings: Any = targetconfig.TargetConfig
STEPS_OF_NUMBA = (
    (_Function, "get_call_type"),
    (_Context, "load_additional_registries"),
    (_Settings, "values"),
)
"""Steps that must exist in a version of numba."""
_MEMORY = "signatures_by_arguments"


def remembering() -> dict[tuple[Any, str], Callable[..., Any]]:
    """The steps that replace numba's own while one loop is compiled."""
    return {
        (_Function, "get_call_type"): _remembered(_Function.get_call_type),
        (_Context, "load_additional_registries"): _first_time_only(
            _Context.load_additional_registries
        ),
        (_Settings, "__hash__"): lambda settings: _hash_of(settings.__class__),
        (_Settings, "__eq__"): _same_settings,
    }


def _remembered(get_call_type: Callable[..., Any]) -> Callable[..., Any]:
    """The signature found for the same arguments before; a failure is not remembered."""

    def remembered(function: Any, context: Any, args: Any, kws: dict[str, Any]) -> Any:
        memory = function.__dict__.setdefault(_MEMORY, {})
        key = context, args, tuple(kws.items())
        if key not in memory:
            memory[key] = get_call_type(function, context, args, kws)
        return memory[key]

    return remembered


def _first_time_only(load: Callable[[Any], None]) -> Callable[[Any], None]:
    """Import numba's lists of implementations once; later only what was added to them is read."""
    loaded: set[int] = set()

    def load_once(context: Any) -> None:
        if id(context.typing_context) in loaded:
            for registry in list(context._registries):  # noqa: SLF001
                context.install_registry(registry)
        else:
            load(context)
            loaded.add(id(context.typing_context))

    return load_once


@cache
def _hash_of(kind: Any) -> int:
    """The same as numba's own: that of the options' names, whatever their values."""
    return hash(tuple(sorted(kind.options)))


def _same_settings(one: Any, other: Any) -> bool:
    """Whether two settings agree: most often those that were made are the same."""
    if not isinstance(other, _Settings):
        return False
    return bool(one._values == other._values or one.values() == other.values())  # noqa: SLF001
