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
    """What a synthetic table is good for, and what it gives away, one row per measure.

    ``holdout`` are records of the same kind that the generator never saw: attacks are compared
    with what they achieve on them, and models are tried on them. ``target`` is what models
    predict. ``modelled`` names sets of columns that the generator saw together, ``trust`` a trust
    map that is known already. What cannot be measured stands in ``skipped`` with the reason. The
    original is read, so that the result is not covered by a promise of differential privacy.

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
