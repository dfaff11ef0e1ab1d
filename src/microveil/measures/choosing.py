"""Choosing measures: names, their settings, and words such as `default`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from microveil.errors import InputError, SpecError, did_you_mean, listing
from microveil.measures.naming import Named, read_name
from microveil.specs import Registry, Spec
from microveil.texts import Message

One = str | Spec | Mapping[str, Any]
"""A measure by name, with settings if it needs any (``prediction:target=income``), as a mapping
(``{"name": "prediction", "target": "income"}``), or as a spec."""
Choice = One | Sequence[One]
"""Which measures: ``default`` (those that suit most tables), ``all``, ``none``, or a selection."""

WORDS = ("default", "all", "none")
"""Choices that are not the name of a measure."""


def names_measures(choice: Choice) -> bool:
    """Whether measures were named explicitly, so that failing to take one is an error.

    >>> names_measures("all"), names_measures("il1s"), names_measures([])
    (False, True, True)
    """
    return not isinstance(choice, str) or choice not in WORDS


def choose_measures(
    choice: Choice, *registries: Registry[Any], n_cells: int | None = None
) -> list[Any]:
    """The measures selected: named ones in the order given, others in registry order.

    ``n_cells`` removes from the default those that would take too long on a table of that size.
    """
    known = [measure for registry in registries for measure in registry]
    if choice == "none":
        return []
    if choice == "all":
        return _with_defaults(known)
    if choice == "default":
        return _with_defaults(
            kind for kind in known if _by_default(kind) and not _too_long(kind, n_cells)
        )
    some: Sequence[One] = [choice] if isinstance(choice, str | Spec | Mapping) else choice
    return [_find_measure(one, known) for one in some]


def left_out(
    choice: Choice, *registries: Registry[Any], n_cells: int | None = None
) -> dict[str, str]:
    """Measures left out of the default because the table is large, and why."""
    if choice != "default":
        return {}
    reason = Message(
        "measures.takes_long_table_size",
        "takes long on a table of this size, so it is taken only when it is named",
    )
    return {
        kind.kind(): reason
        for registry in registries
        for kind in registry
        if _by_default(kind) and _too_long(kind, n_cells)
    }


def _with_defaults(kinds: Iterable[type[Spec]]) -> list[Spec]:
    """One of each kind that needs no parameters."""
    made = []
    for kind in kinds:
        try:
            made.append(kind())
        except SpecError:  # it has required parameters
            continue
    return made


def _by_default(kind: type[Spec]) -> bool:
    return bool(getattr(kind, "by_default", True))


def _too_long(kind: type[Spec], n_cells: int | None) -> bool:
    limit: int | None = getattr(kind, "most_cells", None)
    return limit is not None and n_cells is not None and n_cells > limit


def _find_measure(one: One, known: Sequence[type[Spec]]) -> Spec:
    if isinstance(one, Spec):
        if not isinstance(one, tuple(known)):
            raise InputError(
                "{kind} is not a measure that can be used here.", kind=type(one).__name__
            )
        return one
    named = read_name(one) if isinstance(one, str) else Named.of(one)
    for kind in known:
        if kind.kind() == named.name:
            if named.part is not None:
                raise InputError(
                    "'{name}' is used as a whole here: leave out '.{part}' after it.",
                    name=named.name,
                    part=named.part,
                )
            return kind.parse({str(kind.tag): named.name, **named.settings})
    names = [kind.kind() for kind in known]
    raise InputError(
        "There is no measure '{name}' here: choose from {names}.{hint}",
        name=named.name,
        names=listing(names, len(names)),
        hint=did_you_mean(named.name, names),
    )
