"""Taking measures: which ones, how far, and what is said of those that cannot be taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeVar

from microveil.errors import InputError, did_you_mean, listing
from microveil.progress import Progress, silent
from microveil.scores import Score
from microveil.specs import Registry, Spec

Choice = Literal["default", "all", "none"] | Sequence[str | Spec]
"""Which measures: those that suit most tables, all there are, none, or some by name or as specs."""

M = TypeVar("M", bound=Spec)


def chosen(choice: Choice, *registries: Registry[Any], n_cells: int | None = None) -> list[Any]:
    """The measures a choice means, in the registries' order.

    ``n_cells`` leaves out of the default those that would take too long for such a table.
    """
    known = [measure for registry in registries for measure in registry]
    if choice == "none":
        return []
    if choice == "all":
        return _with_defaults(known)
    if choice == "default":
        return _with_defaults(kind for kind in known if _suits(kind, n_cells))
    if isinstance(choice, str):
        choice = [choice]
    return [_named(one, known) for one in choice]


def _with_defaults(kinds: Iterable[type[Spec]]) -> list[Spec]:
    """One of each kind that can do without parameters."""
    made = []
    for kind in kinds:
        try:
            made.append(kind())
        except ValueError:  # it must be told something first
            continue
    return made


def _suits(kind: type[Spec], n_cells: int | None) -> bool:
    limit: int | None = getattr(kind, "most_cells", None)
    if limit is not None and n_cells is not None and n_cells > limit:
        return False
    return bool(getattr(kind, "by_default", True))


def _named(one: str | Spec, known: Sequence[type[Spec]]) -> Spec:
    if not isinstance(one, str):
        if not isinstance(one, tuple(known)):
            raise InputError(f"{type(one).__name__} is no measure that can be taken here.")
        return one
    for kind in known:
        if kind.kind() == one:
            return kind()
    names = [kind.kind() for kind in known]
    raise InputError(
        f"There is no measure '{one}' here: choose from {listing(names, len(names))}."
        f"{did_you_mean(one, names)}"
    )


def take(
    measures: Sequence[M],
    call: Callable[[M], Score],
    *,
    asked: bool,
    progress: Progress = silent,
) -> tuple[dict[str, Score], dict[str, str]]:
    """Take each measure; those that do not apply are told with their reason.

    What the caller asked for by name must be measured: there, the reason is an error.
    """
    scores, skipped = {}, {}
    for i, measure in enumerate(measures):
        progress(i, len(measures), measure.kind())
        try:
            scores[measure.kind()] = call(measure)
        except InputError as error:
            if asked:
                raise
            skipped[measure.kind()] = str(error)
    return scores, skipped
