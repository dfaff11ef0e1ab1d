"""From a journal to a result: marks, proof, and the reasons for the optimum's levels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import GoalNotReachedError, InputError
from microveil.privacy import Check
from microveil.search.lattice.examiner import Examiner
from microveil.search.lattice.journal import Journal
from microveil.search.lattice.record_judge import labelled_classes
from microveil.search.lattice.result import Reason, SearchResult
from microveil.search.lattice.space import Levels
from microveil.texts import join, join_or, phrase


def result_of(journal: Journal, strategy: str, *, interrupted: bool) -> SearchResult:
    """The result of a journal, as plain data."""
    space, goals = journal.examiner.space, journal.examiner.goals
    costs = journal.examiner.costs
    best = None if journal.best is None else journal.best[2]
    # Strategies for monotone problems cover minimal solutions; with suppression, a coarser
    # one that suppresses less may cost less.
    minimal_only = strategy in ("flash", "ola", "incognito") and goals.most_suppressed > 0
    exact = not minimal_only or costs.rule.monotone or costs.rule.name == "height"
    return SearchResult(
        columns=space.names,
        lowest=space.lowest,
        highest=space.highest,
        strategy=strategy,
        n_records=space.n_records,
        most_suppressed=goals.most_suppressed,
        proved=journal.proved and exact and goals.exact and not interrupted,
        interrupted=interrupted,
        limited=journal.is_exhausted() and not journal.proved,
        reasons=() if best is None else _reasons(journal.examiner, best),
        _findings=dict(journal.findings),
        _implied=journal.implied,
        _least=costs.bound,
        _examiner=journal.examiner,
        _titles=tuple(stair.titles for stair in space.stairs),
    )


def counting(examiner: Examiner) -> Examiner:
    """The same examiner with unlimited suppression, to count how much is needed."""
    goals = replace(examiner.goals, most_suppressed=examiner.goals.n_records)
    return Examiner(examiner.table, examiner.space, goals, examiner.costs.rule)


def _reasons(examiner: Examiner, best: Levels) -> tuple[Reason, ...]:
    """For each key, the cost of its level and of one level lower."""
    free, space = counting(examiner), examiner.space
    now = free.examine(best).n_suppressed
    reasons = []
    for key, name in enumerate(space.names):
        level = best[key]
        lost = _share_lost(examiner, key, level)
        if level == space.lowest[key]:
            reasons.append(Reason(name, level, lost, None, None, None, None))
            continue
        lower = (*best[:key], level - 1, *best[key + 1 :])
        found = free.examine(lower)
        solution = found.solution and found.n_suppressed <= examiner.goals.most_suppressed
        reasons.append(
            Reason(
                name,
                level,
                lost,
                found.n_suppressed,
                max(found.n_suppressed - now, 0),
                solution,
                found.score[0] if solution else None,
            )
        )
    return tuple(reasons)


def _share_lost(examiner: Examiner, key: int, level: int) -> float:
    """Mean share of the key's values that a cell covers, from 0 for single values to 1."""
    space = examiner.space
    stair, counts = space.stairs[key], space.value_counts[key]
    if not counts.sum() or stair.n_leaves <= 1:
        return 0.0
    mean = float(counts @ stair.shares[level]) / float(counts.sum())
    least = 1 / stair.n_leaves
    return max((mean - least) / (1 - least), 0.0)


def checks_at(
    examiner: Examiner, levels: Levels, out: NDArray[np.int32] | None = None
) -> list[Check]:
    """The models' own checks of a node, without the suppressed classes."""
    space = examiner.space
    groups, of_record = space.classes_at(levels)
    kept = np.ones(len(of_record), dtype=np.bool_) if out is None else out[of_record] == 0
    table = examiner.table.filter(kept)
    classes = labelled_classes(table, of_record[kept])
    plain = [one for one in examiner.goals.models if one not in examiner.goals.populated]
    checks = [model.verify(classes) for model in plain]
    for people in examiner.people:
        counts = people.counts(levels, groups)
        numbers = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        population = pl.DataFrame({classes.columns[0]: numbers})
        checks += [model.against(classes, population) for model in people.models]
    return checks


def refuse_unsolved(examiner: Examiner, result: SearchResult) -> None:
    """Raise an error if there is no solution: what the coarsest node reaches, and what fails."""
    if result.optimum is not None:
        return
    if result.limited:
        raise InputError(
            "The search reached its limit without a solution. Raise max_checks or "
            "max_seconds, or ask for less."
        )
    space, most = examiner.space, examiner.goals.most_suppressed
    top = counting(examiner).examine(space.highest)
    all_star = space.highest == tuple(stair.height for stair in space.stairs)
    where = phrase("every key '*'") if all_star else phrase("every key at its highest level")
    # Rows that stand for several records are no records that models could be asked about.
    checks = checks_at(examiner, space.highest) if space.counts is None else []
    broken = [
        phrase(" There, {sentence}", sentence=check.sentence())
        for check in checks
        if not check.holds
    ]
    advice = [phrase("Ask for less")]
    if top.n_suppressed < space.n_records:
        advice.append(phrase("allow a larger suppression_share"))
    if not all_star:
        advice.append(phrase("allow higher levels"))
    raise GoalNotReachedError(
        "No generalisation reaches the goal with at most {most} of {n_records} records "
        "suppressed: with {where}, {n_suppressed} would have to be.{broken} {advice}.",
        most=most,
        n_records=space.n_records,
        where=where,
        n_suppressed=top.n_suppressed,
        broken=join(broken, ""),
        advice=join_or(advice),
    )
