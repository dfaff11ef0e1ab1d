"""From a journal to a result: marks, proof, and the reasons of the best solution's levels."""

from __future__ import annotations

from dataclasses import replace

from microveil.errors import InputError
from microveil.search.examiner import Examiner
from microveil.search.journal import Journal
from microveil.search.result import Reason, SearchResult
from microveil.search.space import Levels
from microveil.tables import Classes, Table


def result_of(journal: Journal, strategy: str, *, interrupted: bool) -> SearchResult:
    """What a journal says, as plain data."""
    space, goals = journal.examiner.space, journal.examiner.goals
    costs = journal.examiner.costs
    best = None if journal.best is None else journal.best[2]
    # Strategies for monotone problems see to minimal solutions; with suppression, a coarser
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
        proved=journal.proved and exact and not interrupted,
        interrupted=interrupted,
        limited=journal.exhausted() and not journal.proved,
        reasons=() if best is None else _reasons(journal.examiner, best),
        _findings=dict(journal.findings),
        _implied=journal.implied,
        _least=costs.bound,
    )


def counting(examiner: Examiner) -> Examiner:
    """The same examiner with any number of records suppressed, to count how many must be."""
    goals = replace(examiner.goals, most_suppressed=examiner.goals.n_records)
    return Examiner(examiner.table, examiner.space, goals, examiner.costs.rule)


def _reasons(examiner: Examiner, best: Levels) -> tuple[Reason, ...]:
    """For each key, what its level costs and what one level lower would."""
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
    """Mean share of the key's values that a cell stands for, from 0 at single values to 1."""
    space = examiner.space
    stair, counts = space.stairs[key], space.value_counts[key]
    if not counts.sum() or stair.n_leaves <= 1:
        return 0.0
    mean = float(counts @ stair.shares[level]) / float(counts.sum())
    least = 1 / stair.n_leaves
    return max((mean - least) / (1 - least), 0.0)


def refuse_unsolved(examiner: Examiner, result: SearchResult, table: Table) -> None:
    """Raise where no solution was found: what the coarsest node reaches, and what blocks it."""
    if result.optimum is not None:
        return
    space, most = examiner.space, examiner.goals.most_suppressed
    top = counting(examiner).examine(space.highest)
    all_star = space.highest == tuple(stair.height for stair in space.stairs)
    where = "every key '*'" if all_star else "every key at its highest level"
    text = (
        f"No generalisation reaches the goal with at most {most} of {space.n_records} records "
        f"suppressed: with {where}, {top.n_suppressed} would have to be."
    )
    if all_star:
        classes = Classes.of(table, ())
        broken = [
            check.sentence()
            for model in examiner.goals.models
            if not (check := model.verify(classes)).holds
        ]
        text += f" Of all records as one class: {broken[0]}" if broken else ""
    if result.limited:
        text = f"The search ended at its limit after {result.n_checked} nodes without a solution."
    raise InputError(f"{text} Ask for less, allow a larger suppression_share, or coarser levels.")
