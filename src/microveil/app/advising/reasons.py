"""Reasons: why a recipe was chosen, in sentences that the search itself can give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from microveil.app.advising.candidates import AS_IT_IS, Candidate
from microveil.app.advising.families import FAMILIES, Plan
from microveil.app.advising.families.coarsening import CoarsenThenCells
from microveil.app.advising.situation import Situation
from microveil.hierarchies import Dates, Intervals, Prefix
from microveil.methods import Drop, Generalize, GroupRare, Method, TopBottomCode
from microveil.texts import Message

MOST_FAMILIES = 4
"""Other families that a choice is compared with."""
UNTOUCHED = 1e-9
Tried = Mapping[Plan, Candidate]


def reasons_for(plan: Plan | None, chosen: Candidate, tried: Tried, here: Situation) -> list[str]:
    """Why this recipe: its columns, level by level, then what the others would have lost."""
    told = list(_columns(chosen))
    if plan is not None and isinstance(FAMILIES[plan.family], CoarsenThenCells):
        told += _levels(plan, chosen, tried, here)
    return [*told, *_others(chosen, list(tried.values()))]


def _columns(chosen: Candidate) -> Iterator[str]:
    """Which columns lose, and which are whole."""
    lost = {name: loss for name, loss in chosen.columns.items() if loss > UNTOUCHED}
    for name, loss in sorted(lost.items(), key=lambda pair: -pair[1]):
        yield Message(
            "advise.column_loses",
            "Column '{name}' loses {loss:.1%} of what its cells said.",
            name=name,
            loss=loss,
        )
    whole = [name for name in chosen.columns if name not in lost]
    if whole:
        yield Message("advise.columns_whole", "As they were: {whole:quoted}.", whole=whole)


def _levels(plan: Plan, chosen: Candidate, tried: Tried, here: Situation) -> Iterator[str]:
    """Why each column is as coarse as it is: what a finer level leaves, a coarser one costs."""
    times, rungs, *rest = plan.at
    space, n = here.climbing.space, here.table.height
    now = space.at_risk(rungs)
    for place, name in enumerate(here.keys):
        rung, ladder = rungs[place], here.climbing.ladders[place]
        if rung:
            finer = (*rungs[:place], rung - 1, *rungs[place + 1 :])
            n_more = round((space.at_risk(finer) - now) * n)
            yield _why_coarser(
                name, _word(ladder.usable[rung]), _word(ladder.usable[rung - 1]), n_more
            )
        if rung + 1 < len(ladder.usable):
            coarser = (*rungs[:place], rung + 1, *rungs[place + 1 :])
            other = tried.get(plan._replace(at=(times, coarser, *rest)))
            if other is None or other.loss is None or chosen.loss is None:
                continue
            if (more := other.loss - chosen.loss) >= 0:
                yield _why_not_coarser(name, _word(ladder.usable[rung + 1]), more)


def _why_coarser(name: str, level: str, finer: str, more: int) -> str:
    if more <= 0:
        return Message(
            "advise.coarser_for_less_loss",
            "Column '{name}' goes to {level}: with {finer} as many records would be rare, and more "
            "cells suppressed.",
            name=name,
            level=level,
            finer=finer,
        )
    return Message(
        "advise.coarser",
        "Column '{name}' goes to {level} because with {finer} {more:,} more records would be rare.",
        name=name,
        level=level,
        finer=finer,
        more=more,
    )


def _why_not_coarser(name: str, coarser: str, more: float) -> str:
    return Message(
        "advise.not_coarser",
        "Column '{name}' at {coarser} instead would cost {more:.3g} more.",
        name=name,
        coarser=coarser,
        more=more,
    )


def _word(step: Method | None) -> str:  # noqa: PLR0911  one per kind of step
    """A level in a few words."""
    if step is None:
        return Message("advise.level_exact", "exact values")
    if isinstance(step, Drop):
        return Message("advise.level_out", "leaving it out")
    if isinstance(step, GroupRare):
        return Message(
            "advise.level_rare",
            "categories of fewer than {count:,} records merged",
            count=step.min_count or 0,
        )
    if isinstance(step, TopBottomCode):
        return Message("advise.level_ends", "extremes cut off")
    if isinstance(step, Generalize):
        builder = step.hierarchy
        if isinstance(builder, Intervals) and not builder.cuts:
            width = builder.width[0] if isinstance(builder.width, tuple) else builder.width
            return Message("advise.level_width", "steps of {width:g}", width=float(width or 0))
        if isinstance(builder, Intervals) and len(builder.cuts) == 1:
            return Message("advise.level_cuts", "{n} intervals", n=len(builder.cuts[0]) + 1)
        if isinstance(builder, Dates):
            return Message("advise.level_date", "the {level}", level=str(step.level))
        if isinstance(builder, Prefix):
            return Message(
                "advise.level_prefix", "its first {length} characters", length=builder.lengths[0]
            )
        return Message("advise.level", "level {level}", level=str(step.level))
    return step.kind()


def _others(chosen: Candidate, tried: Sequence[Candidate]) -> Iterator[str]:
    """What the best of each other family would have lost, or why it was not possible."""
    best: dict[str, Candidate] = {}
    for one in sorted(tried, key=lambda each: each.rank):
        if one.family != chosen.family and one.loss is not None:
            best.setdefault(one.family, one)
    shown = [one for one in best.values() if one.counts][:MOST_FAMILIES]
    for one in shown:
        yield Message(
            "advise.other_loses",
            "{name} would lose {loss:.3g} instead of {own:.3g}, with a risk of {risk:.2%} instead "
            "of {own_risk:.2%}.",
            name=_capital(one.name),
            loss=one.loss,
            own=chosen.loss,
            risk=one.risk,
            own_risk=chosen.risk,
        )
    for one in list(best.values())[:MOST_FAMILIES]:
        broken = [each for each in one.verdicts if not each.holds]
        if broken and not one.counts and one.family != AS_IT_IS:
            yield Message(
                "advise.other_breaks",
                "{name} was the nearest of its kind and does not meet '{title}' (reached "
                "{reached:.4g}).",
                name=_capital(one.name),
                title=broken[0].title,
                reached=broken[0].achieved,
            )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
