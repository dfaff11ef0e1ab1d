"""Taking measures: one loop, and what is said of those that cannot be taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from microveil.errors import InputError
from microveil.progress import Progress, silent
from microveil.specs import Spec

M = TypeVar("M", bound=Spec)
R = TypeVar("R")


def take(
    measures: Sequence[M],
    call: Callable[[M], R],
    *,
    asked: bool,
    progress: Progress = silent,
) -> tuple[dict[str, R], dict[str, str]]:
    """Take each measure; those that do not apply are told with their reason.

    What the caller asked for by name must be measured: there, the reason is an error. Several of
    one kind are told apart by a number behind the name: ``il1s``, ``il1s_2``.
    """
    scores: dict[str, R] = {}
    skipped: dict[str, str] = {}
    for i, (name, measure) in enumerate(numbered(measures)):
        progress(i, len(measures), name)
        try:
            scores[name] = call(measure)
        except InputError as error:
            if asked:
                raise
            skipped[name] = str(error)
    return scores, skipped


def numbered(measures: Iterable[M]) -> list[tuple[str, M]]:
    """Each measure under a name of its own."""
    often: Counter[str] = Counter()
    found = []
    for measure in measures:
        kind = measure.kind()
        often[kind] += 1
        found.append((kind if often[kind] == 1 else f"{kind}_{often[kind]}", measure))
    return found
