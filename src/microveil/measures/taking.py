"""Taking measures: the one loop that computes scores, with the reasons for any left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
import polars as pl

from microveil.cores import stream_on_cores
from microveil.errors import InputError, MicroveilError
from microveil.measures.base import Measure, RiskMeasure, UtilityMeasure
from microveil.measures.subject import Subject
from microveil.progress import Progress, silent
from microveil.scores import Score
from microveil.texts import Message

M = TypeVar("M", bound=Measure)
Kept: TypeAlias = bool | Collection[str]
"""Which scores keep their values per record: all, none, or those of the measures named."""

ON_CORES_FROM = 100_000
"""Records from which measures are taken side by side: threads cost more than small ones."""
ANOTHER_ORDER = Message("measures.needs_rows_same_order", "needs rows in the same order")
NO_NUMBERS = Message(
    "measures.tables_no_column_numbers", "the tables have no column of numbers in common"
)
NOT_FINITE = Message(
    "measures.result_these_data_finite", "the result on these data is not a finite number"
)


@dataclass(frozen=True, eq=False)
class MeasuresTaken:
    """Scores of the measures taken, and why others have none."""

    measures: Mapping[str, Measure]
    """The measures taken, by the name of their score."""
    scores: Mapping[str, Score]
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""
    invalid: Mapping[str, str] = field(default_factory=dict)
    """Measures that count classes where class sizes are not valid evidence, and why."""

    @property
    def risk(self) -> dict[str, Score]:
        """The scores of risk measures."""
        found = self.scores.items()
        return {name: one for name, one in found if isinstance(self.measures[name], RiskMeasure)}

    @property
    def utility(self) -> dict[str, Score]:
        """The scores of utility measures."""
        found = self.scores.items()
        return {name: one for name, one in found if isinstance(self.measures[name], UtilityMeasure)}


def take(
    measures: Iterable[Measure] | Mapping[str, Measure],
    subject: Subject,
    *,
    asked: bool = False,
    count_anyway: bool = False,
    records: Kept = True,
    beside: Sequence[Callable[[], None]] = (),
    progress: Progress = silent,
) -> MeasuresTaken:
    """Take each measure of a subject, recording a reason for those that do not apply.

    A measure the caller ``asked`` for by name must fit the tables; otherwise its reason is raised
    as an error. A measure that fails in any other way does not affect the others: its reason is
    recorded. Measures that count classes are skipped where class sizes are not valid evidence,
    unless ``count_anyway`` is set. Several measures of one kind are numbered: ``il1s``, ``il1s_2``.
    ``records`` says which scores keep their values per record and their frames: all, none, or those
    named. Large tables take less memory without. From 100,000 records on, measures are taken side
    by side on the threads that there are, and so is further work that is given as ``beside``.
    """
    named = measures if isinstance(measures, Mapping) else name_uniquely(measures)
    scores: dict[str, Score] = {}
    skipped: dict[str, str] = {}
    invalid: dict[str, str] = {}
    for name, measure in named.items():
        if measure.counts_classes and subject.no_evidence and not count_anyway:
            invalid[name] = subject.no_evidence
    valid = [name for name in named if name not in invalid]
    spread = stream_on_cores if subject.released.height >= ON_CORES_FROM else map
    tasks: list[Callable[[], Any]] = [
        *beside,
        *(partial(_try, named[name], subject) for name in valid),
    ]
    found = iter(spread(lambda task: task(), tasks))
    for _ in beside:
        next(found)
    for i, name in enumerate(valid):
        progress(i, len(valid), name)
        score = next(found)
        if isinstance(score, Score):
            scores[name] = _strip_records(name, score, records)
        elif isinstance(score, InputError) and asked:
            raise score
        else:
            skipped[name] = _reason(score)
    return MeasuresTaken({name: named[name] for name in scores}, scores, skipped, invalid)


def _try(measure: Measure, subject: Subject) -> Score | BaseException:
    """The score of a measure, or why it has none."""
    try:
        return score_of(measure, subject)
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  see `take`
        return error


def _strip_records(name: str, score: Score, records: Kept) -> Score:
    if records is True or (records is not False and name in records):
        return score
    return replace(score, records=None, frames={})


def score_of(measure: Measure, subject: Subject) -> Score:
    """Score one measure of a subject; raise an error with the reason if it does not apply."""
    reason = _gate(measure, subject)
    if reason:
        raise InputError(reason)
    # Overflow shows in the result, which must be finite, so a warning would add nothing.
    with np.errstate(all="ignore"):
        score = measure.score_subject(subject)
    if not math.isfinite(score.value):
        raise InputError(NOT_FINITE)
    return score


def _gate(measure: Measure, subject: Subject) -> str:
    """Why a measure does not apply; empty if it does."""
    if measure.needs_original and subject.original is None:
        return Message("measures.compares_release_original", "compares a release with its original")
    if measure.needs_alignment and not subject.aligned:
        return ANOTHER_ORDER
    if not measure.needs_numbers or getattr(measure, "columns", None):
        return ""  # The measure itself checks columns that were named.
    fits = subject.has_numbers if measure.reads_labels else subject.has_known_numbers
    return "" if fits else NO_NUMBERS


def _reason(error: BaseException) -> str:
    """Why a measure failed, in one sentence without cell values, which other messages may quote."""
    if isinstance(error, MicroveilError):
        return error.message
    if isinstance(error, MemoryError):
        return Message("measures.needs_more_memory_than", "needs more memory than is available")
    if isinstance(error, OverflowError | FloatingPointError):
        return Message(
            "measures.numbers_these_columns_too",
            "numbers in these columns are too large to compute with",
        )
    if isinstance(error, np.linalg.LinAlgError):
        return Message(
            "measures.equation_must_solve_no",
            "an equation it must solve has no solution for these columns",
        )
    return Message(
        "measures.could_computed_these_data",
        "could not be computed on these data ({kind})",
        kind=type(error).__name__,
    )


def name_uniquely(measures: Iterable[M]) -> dict[str, M]:
    """Each measure under a unique name."""
    often: Counter[str] = Counter()
    found: dict[str, M] = {}
    for measure in measures:
        kind = measure.kind()
        often[kind] += 1
        found[kind if often[kind] == 1 else f"{kind}_{often[kind]}"] = measure
    return found
