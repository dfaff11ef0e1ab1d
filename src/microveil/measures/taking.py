"""Taking measures: one loop for all who measure, and what is said of those not taken."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import polars as pl

from microveil.errors import InputError, MicroveilError
from microveil.measures.base import Measure, RiskMeasure, UtilityMeasure
from microveil.measures.subject import Subject
from microveil.progress import Progress, silent
from microveil.scores import Score

M = TypeVar("M", bound=Measure)

ANOTHER_ORDER = "needs rows in the same order"
NO_NUMBERS = "the tables have no column of numbers in common"
NOT_FINITE = "no finite number comes of it on these data"


@dataclass(frozen=True, eq=False)
class Taken:
    """What measures found, and why some found nothing."""

    measures: Mapping[str, Measure]
    """The measures that were taken, by the name of their score."""
    scores: Mapping[str, Score]
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Measures that could not be taken, and why."""
    invalid: Mapping[str, str] = field(default_factory=dict)
    """Measures that count classes where class sizes are no evidence, and why."""

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
    progress: Progress = silent,
) -> Taken:
    """Take each measure of a subject; those that do not apply are told with their reason.

    What the caller ``asked`` for by name must fit the tables: there, such a reason is an error. A
    measure that fails in any other way takes nothing down with it: it is told with the reason.
    Measures that count classes are not taken where class sizes are no evidence, unless somebody
    wants to ``count_anyway``. Several of one kind are told apart by a number behind the name:
    ``il1s``, ``il1s_2``.
    """
    named = measures if isinstance(measures, Mapping) else numbered(measures)
    scores: dict[str, Score] = {}
    skipped: dict[str, str] = {}
    invalid: dict[str, str] = {}
    for i, (name, measure) in enumerate(named.items()):
        progress(i, len(named), name)
        if measure.counts_classes and subject.no_evidence and not count_anyway:
            invalid[name] = subject.no_evidence
            continue
        try:
            scores[name] = score_of(measure, subject)
        except InputError as error:
            if asked:
                raise
            skipped[name] = str(error)
        except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  see above
            skipped[name] = _reason(error)
    return Taken({name: named[name] for name in scores}, scores, skipped, invalid)


def score_of(measure: Measure, subject: Subject) -> Score:
    """One measure of a subject; an error that says why where it does not apply."""
    reason = _gate(measure, subject)
    if reason:
        raise InputError(reason)
    # What overflows shows in the result, which must be finite; a warning would tell nobody.
    with subject.in_its_folder(), np.errstate(all="ignore"):
        score = as_read(measure, subject).score_pair(
            subject.original, subject.released, aligned=subject.aligned, control=subject.control
        )
    if not math.isfinite(score.value):
        raise InputError(NOT_FINITE)
    return score


def as_read(measure: M, subject: Subject) -> M:
    """The measure with the subject's reading of missing keys and labels, where it set none."""
    fields, given = type(measure).model_fields, measure.model_fields_set
    changes: dict[str, object] = {}
    if "missing" in fields and "missing" not in given and measure.missing != subject.missing:  # type: ignore[attr-defined]  # it has the field
        changes["missing"] = subject.missing
    if measure.looks_labels_up and "hierarchies" not in given and subject.hierarchies:
        changes["hierarchies"] = subject.hierarchies
    return measure.model_copy(update=changes) if changes else measure


def _gate(measure: Measure, subject: Subject) -> str:
    """Why a measure does not apply; an empty text where it does."""
    if measure.needs_original and subject.original is None:
        return "looks at a release beside its original"
    if measure.needs_alignment and not subject.aligned:
        return ANOTHER_ORDER
    if not measure.needs_numbers or getattr(measure, "columns", None):
        return ""  # Columns that were named are judged by the measure itself.
    fits = subject.has_numbers if measure.reads_labels else subject.has_known_numbers
    return "" if fits else NO_NUMBERS


def _reason(error: BaseException) -> str:
    """Why a measure failed, in one sentence without a cell: foreign messages may quote one."""
    if isinstance(error, MicroveilError):
        return str(error)
    if isinstance(error, MemoryError):
        return "needs more memory than there is"
    if isinstance(error, OverflowError | FloatingPointError):
        return "numbers of these columns are too large to be worked with"
    if isinstance(error, np.linalg.LinAlgError):
        return "an equation it must solve has no solution on these columns"
    return f"could not be worked out on these data ({type(error).__name__})"


def numbered(measures: Iterable[M]) -> dict[str, M]:
    """Each measure under a name of its own."""
    often: Counter[str] = Counter()
    found: dict[str, M] = {}
    for measure in measures:
        kind = measure.kind()
        often[kind] += 1
        found[kind if often[kind] == 1 else f"{kind}_{often[kind]}"] = measure
    return found
