"""The table: every measure of a synthetic table, with its ideal value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.progress import Progress, silent
from microveil.risk import Inference, Linkability, Membership, ReplicatedUniques, SinglingOut
from microveil.risk.attacks.base import attack_columns, readable_table
from microveil.synthesis.evaluation.associations import association_error, correlation_error
from microveil.synthesis.evaluation.learners import transfer, two_sample_auc
from microveil.synthesis.evaluation.marginal_errors import marginal_errors
from microveil.synthesis.evaluation.result import EvaluationRow, SynthesisEvaluation
from microveil.synthesis.trust_map import TrustMap, trust_map
from microveil.tables import Roles, Table
from microveil.texts import phrase
from microveil.utility import ConfidenceOverlap, Propensity

WORDS = {1: "one", 2: "two", 3: "three"}


@dataclass(frozen=True, eq=False)
class _Tables:
    """The three tables, with the columns that all of them have."""

    original: Table
    synthetic: Table
    holdout: Table | None
    target: str | None


def evaluate(  # noqa: PLR0913  what is compared, and how; all but the first two have a default
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
    """Measure a synthetic table; list what cannot be measured with the reason."""
    tables = _read(original, synthetic, holdout, target, roles)
    rows: list[EvaluationRow] = []
    skipped: dict[str, str] = {}
    for done, (name, measure) in enumerate(_MEASURES.items()):
        progress(done, len(_MEASURES), name)
        try:
            rows += list(measure(tables))
        except InputError as error:
            skipped[name] = error.message
    if trust is None and tables.original.frame.width > 1:
        trust = trust_map(tables.original, tables.synthetic, modelled)
    return SynthesisEvaluation(tuple(rows), trust, skipped)


def _read(
    original: Any, synthetic: Any, holdout: Any, target: str | None, roles: Roles | None
) -> _Tables:
    before, after = readable_table(original, roles), readable_table(synthetic, roles)
    held = None if holdout is None else readable_table(holdout, roles)
    for table, name in (
        (before, phrase("original")),
        (after, phrase("synthetic table")),
        (held, phrase("hold-out")),
    ):
        if table is not None and not table.height:
            raise InputError("The {name} has no records, so nothing can be evaluated.", name=name)
    names = attack_columns((before, after, held), attack=phrase("The evaluation"))
    if target is not None:
        before.require([target])
    kept = [_only(table, names) for table in (before, after)]
    return _Tables(kept[0], kept[1], None if held is None else _only(held, names), target)


def _only(table: Table, names: list[str]) -> Table:
    roles = table.roles.without(set(table.roles.named) - set(names))
    return Table(table.frame.select(names), roles)


def _marginals(tables: _Tables) -> Iterator[EvaluationRow]:
    for order, distance, fresh in marginal_errors(tables.original.frame, tables.synthetic.frame):
        yield EvaluationRow(
            "fidelity",
            f"{WORDS[order]}_way_marginals",
            distance,
            fresh,
            "mean sum of absolute differences of shares; a fresh sample has the reference",
        )


def _correlations(tables: _Tables) -> Iterator[EvaluationRow]:
    before, after = tables.original.frame, tables.synthetic.frame
    for name, found, what in (
        ("correlations", correlation_error(before, after), "correlations of numbers"),
        ("associations", association_error(before, after), "Cramér's V of all pairs"),
    ):
        if found is not None:
            meaning = f"mean absolute difference of the {what}"
            yield EvaluationRow("fidelity", name, found, 0.0, meaning)


def _propensity(tables: _Tables) -> Iterator[EvaluationRow]:
    score = Propensity().score_unpaired(tables.original, tables.synthetic)
    ratio = score.parts.get("ratio")
    if ratio is not None:
        yield EvaluationRow(
            "fidelity",
            "propensity_ratio",
            float(ratio),
            1.0,
            "how much better than chance a logistic model distinguishes the tables (pMSE ratio)",
        )


def _two_samples(tables: _Tables) -> Iterator[EvaluationRow]:
    yield EvaluationRow(
        "fidelity",
        "two_sample_auc",
        two_sample_auc(tables.original.frame, tables.synthetic.frame),
        0.5,
        "area under the curve of boosted trees that distinguish the tables; below 0.5: copies",
    )


def _overlap(tables: _Tables) -> Iterator[EvaluationRow]:
    score = ConfidenceOverlap().score(tables.original, tables.synthetic)
    if score.parts["n_estimates"]:
        meaning = "mean overlap of 95% intervals of means, group means and coefficients"
        yield EvaluationRow("usefulness", "interval_overlap", 1 - score.value, 1.0, meaning)


def _transfer(tables: _Tables) -> Iterator[EvaluationRow]:
    if tables.target is None:
        raise InputError("name a target to predict")
    learnt, held_out = tables.original.frame, None
    if tables.holdout is not None:
        held_out = tables.holdout.frame
    else:
        # Without a hold-out, a third of the original takes its place.
        order = np.random.default_rng(0).permutation(learnt.height)
        cut = learnt.height // 3
        learnt, held_out = learnt[order[cut:]], learnt[order[:cut]]
    found = transfer(learnt, tables.synthetic.frame, held_out, tables.target)
    yield EvaluationRow(
        "usefulness",
        "train_on_synthetic",
        found.synthetic,
        found.real,
        f"{found.scale} on held-out real records; learnt from real ones: the reference",
    )


def _attacks(tables: _Tables) -> Iterator[EvaluationRow]:
    for name, attack in (
        ("singling_out", SinglingOut()),
        ("linkability", Linkability()),
        ("inference", Inference()),
    ):
        score = attack.measure(tables.original, tables.synthetic, control=tables.holdout)
        parts = score.parts
        against = "control" if tables.holdout is not None else "baseline"
        reference = parts.get(against)
        yield EvaluationRow(
            "privacy",
            name,
            float(parts["attack"]["rate"]),
            float(reference["rate"]) if reference else None,
            f"share of attacks that succeed; the reference is the {against}'s",
        )


def _membership(tables: _Tables) -> Iterator[EvaluationRow]:
    if tables.holdout is None:
        raise InputError("needs a hold-out: records of the same population not used for training")
    score = Membership().measure(tables.original, tables.synthetic, control=tables.holdout)
    yield EvaluationRow(
        "privacy",
        "membership_advantage",
        score.value,
        0.0,
        "how much better than guessing an intruder infers who was in the data",
    )
    dcr = score.parts["dcr"]
    yield EvaluationRow(
        "privacy",
        "closer_to_original",
        float(dcr["attack"]["rate"]),
        float(dcr["baseline"]["rate"]),
        "share of synthetic records closer to an original record than to a held-out one",
    )


def _copies(tables: _Tables) -> Iterator[EvaluationRow]:
    unique = ReplicatedUniques(columns=tuple(tables.original.columns), worst_columns=False)
    score = unique.score(tables.original, tables.synthetic)
    yield EvaluationRow(
        "privacy",
        "replicated_uniques",
        score.value,
        None,
        "share of records that are unique in the original and again in the synthetic table",
    )
    found = _occurring(tables.original.frame, tables.synthetic.frame)
    chance = None
    if tables.holdout is not None:
        chance = _occurring(tables.holdout.frame, tables.synthetic.frame)
    yield EvaluationRow(
        "privacy",
        "records_found",
        found,
        chance,
        "share of original records that equal a synthetic one; of held-out ones: the reference",
    )


def _occurring(real: pl.DataFrame, synthetic: pl.DataFrame) -> float:
    """Share of real records that occur among the synthetic ones."""
    here = synthetic.select(real.columns).unique()
    # Some generators draw floats for a column of integers: 30.0 equals 30.
    there = real.cast(here.schema, strict=False)
    return there.join(here, on=real.columns, how="semi", nulls_equal=True).height / real.height


_MEASURES: dict[str, Callable[[_Tables], Iterator[EvaluationRow]]] = {
    "marginals": _marginals,
    "correlations": _correlations,
    "propensity_ratio": _propensity,
    "two_sample_auc": _two_samples,
    "interval_overlap": _overlap,
    "train_on_synthetic": _transfer,
    "attacks": _attacks,
    "membership": _membership,
    "copies": _copies,
}
