"""Grounds: which k is proposed, and why: by who will read the data, or by their number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from microveil.errors import InputError, did_you_mean
from microveil.risk import acceptable_k
from microveil.texts import Message

Audience = Literal["public", "research", "internal"]
AUDIENCES: tuple[str, ...] = get_args(Audience)

K_BY_AUDIENCE: Mapping[str, int] = {
    "public": acceptable_k(1, "public"),
    "research": acceptable_k(1, "scientific"),
    "internal": 3,
}
"""Smallest classes by reader: public files 11, a risk of 0.09; under contract 5; within the house
3, the least in use (El Emam 2013; EMA policy 0070)."""


@dataclass(frozen=True)
class Ground:
    """A proposed k with its reason."""

    k: int
    why: str

    @property
    def highest_risk(self) -> float:
        """The largest risk that a record is left with: one in k."""
        return 1 / self.k


def ground_for(n_people: int, audience: str | None = None, *, entity: bool = False) -> Ground:
    """The k for an audience; by default the one that the number of people asks for.

    >>> ground_for(800, "public").k, ground_for(800, "internal").k, ground_for(800).k
    (11, 3, 10)
    """
    if audience is None:
        k = acceptable_k(n_people)
        noun = "people" if entity else "records"
        return Ground(k, f"k = {k}, the acceptable k for {n_people:,} {noun}.")
    if audience not in K_BY_AUDIENCE:
        raise InputError(
            "There is no audience '{audience}'.{hint} There are: {audiences:quoted}.",
            audience=audience,
            hint=did_you_mean(audience, AUDIENCES),
            audiences=AUDIENCES,
        )
    k = K_BY_AUDIENCE[audience]
    return Ground(k, _reason(audience, k))


def _reason(audience: str, k: int) -> str:
    risk = 1 / k
    if audience == "public":
        return Message(
            "suggest.for_the_public",
            "k = {k}, because anybody may read the data: a risk of at most {risk:.1%} is asked of "
            "public files (El Emam 2013; EMA policy 0070).",
            k=k,
            risk=risk,
        )
    if audience == "research":
        return Message(
            "suggest.for_research",
            "k = {k}, because researchers read the data under contract: a risk of at most "
            "{risk:.1%} is usual then (El Emam 2013).",
            k=k,
            risk=risk,
        )
    return Message(
        "suggest.for_internal_use",
        "k = {k}, because the data stay in the house: it is the least k in use, a risk of at most "
        "{risk:.1%} (El Emam 2013). Do not pass the result on.",
        k=k,
        risk=risk,
    )
