"""Evaluate a synthetic table: fidelity, usefulness and privacy in one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from microveil.progress import Progress, silent
from microveil.synthesis.evaluation import SynthesisEvaluation, evaluate
from microveil.synthesis.trust_map import TrustMap
from microveil.tables import Roles


def evaluate_synthesis(  # noqa: PLR0913  what is compared, and how; most have a default
    original: Any,
    synthetic: Any,
    *,
    holdout: Any = None,
    target: str | None = None,
    roles: Roles | None = None,
    modelled: Iterable[Sequence[str]] = (),
    trust: TrustMap | None = None,
    progress: Progress = silent,
) -> SynthesisEvaluation:
    """Evaluate what a synthetic table is good for, and what it discloses, one row per measure.

    ``holdout`` holds records of the same population that the generator was not trained on: attacks
    are compared with their success on them, and models are tested on them. ``target`` is the column
    that models predict. ``modelled`` names sets of columns that the generator modelled jointly,
    ``trust`` a trust map that is already known. Anything that cannot be measured is in ``skipped``
    with the reason. The original is read, so the result is not covered by a guarantee of
    differential privacy.

    >>> people = {"age": list(range(20, 60)) * 5, "sex": ["f", "m"] * 100}
    >>> evaluate_synthesis(people, people)["one_way_marginals"]
    0.0
    """
    return evaluate(
        original,
        synthetic,
        holdout=holdout,
        target=target,
        roles=roles,
        modelled=modelled,
        trust=trust,
        progress=progress,
    )
