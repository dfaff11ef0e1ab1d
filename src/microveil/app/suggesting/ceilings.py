"""Ceilings: how often simulated attacks may succeed, by who will read the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from microveil.app.running import run
from microveil.app.suggesting.grounds import K_BY_AUDIENCE
from microveil.app.suggesting.proposal import Proposal
from microveil.errors import MicroveilError
from microveil.recipes import MeasureRequirement
from microveil.release.attacks import ATTACK_WORDS, CEILINGS, Attack, attack_release
from microveil.texts import Message, join

CEILINGS_BY_AUDIENCE: Mapping[str, Mapping[str, float]] = {
    "public": CEILINGS,
    "research": {
        "singling_out": 1 / K_BY_AUDIENCE["research"],
        "linkability": 1 / K_BY_AUDIENCE["research"],
        "inference": 0.4,
    },
    "internal": {"singling_out": 0.33, "linkability": 0.33, "inference": 0.5},
}
"""Largest accepted risk of each attack: finding a record as for k, one in k; about twice that for
what is inferred, since it includes what statistics say about anybody."""
_GROUNDS = {
    "public": Message("suggest.ground_public", "public files, EMA policy 0070"),
    "research": Message(
        "suggest.ground_research", "researchers under contract, one in five, El Emam 2013"
    ),
    "internal": Message("suggest.ground_internal", "within the house, one in three, El Emam 2013"),
}


def limit_attacks(found: Proposal, data: Any, audience: str | None, seed: int | None) -> Proposal:
    """The proposal with a ceiling on each attack that stays below it; the others are named.

    The recipe with its ceilings is run again, so that what is proposed holds.
    """
    attacks = () if audience is None else attack_release(found.release)
    if audience is None or not attacks:
        return found
    ceilings = CEILINGS_BY_AUDIENCE[audience]
    below = [one for one in attacks if one.risk <= ceilings[one.name]]
    notes = [*found.notes, *_above(attacks, ceilings)]
    if not below:
        return replace(found, notes=tuple(notes))
    limits = [_limit(one, ceilings[one.name]) for one in below]
    recipe = found.recipe.model_copy(update={"require": (*found.recipe.require, *limits)})
    try:
        release = run(recipe, data, seed=seed)
    except MicroveilError:
        return found
    if not release.holds:
        return found
    told = join([_in_words(one.name, ceilings[one.name]) for one in below], "; ")
    notes.append(
        Message(
            "suggest.ceilings",
            "Simulated attacks are held, beyond guessing, to the risk that is accepted for these "
            "readers ({ground}): {limits}.",
            ground=_GROUNDS[audience],
            limits=told,
        )
    )
    return replace(found, recipe=recipe, release=release, notes=tuple(notes))


def _limit(attack: Attack, ceiling: float) -> MeasureRequirement:
    return MeasureRequirement.read({"measure": attack.name, "at_most": ceiling})


def _in_words(name: str, ceiling: float) -> str:
    return Message(
        "suggest.ceiling", "{what}: at most {ceiling:.0%}", what=ATTACK_WORDS[name], ceiling=ceiling
    )


def _above(attacks: tuple[Attack, ...], ceilings: Mapping[str, float]) -> Iterator[str]:
    for one in attacks:
        if one.risk > ceilings[one.name]:
            yield Message(
                "suggest.above_ceiling",
                "{what} succeeds in {risk:.1%} of simulated attacks, more than the {ceiling:.0%} "
                "that is accepted for these readers: it is not required. Coarsen what is exact, or "
                "give the data to fewer people.",
                what=one.words,
                risk=one.risk,
                ceiling=ceilings[one.name],
            )
