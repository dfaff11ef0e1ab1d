"""How large k should be, by kind of release or by table size."""

from __future__ import annotations

from collections.abc import Mapping

from microveil.errors import InputError, did_you_mean

ACCEPTABLE_K: Mapping[int, int] = {51_000: 10, 105_000: 7, 260_000: 5}
"""Largest number of records → smallest acceptable k (St Petersburg lab report, 2022).

Above the last size, the last k applies: larger tables need no less.
"""

KINDS: Mapping[str, Mapping[int, int]] = {
    "petersburg": ACCEPTABLE_K,
    "scientific": {1: 5},
    "public": {1: 11},
}
"""Rules by name: ``petersburg`` depends on the size of the table; files for research under
contract need 3 to 5, public files 11 or more, a risk of 0.09 (El Emam 2013; EMA policy 0070).
Other numbers are given as a table."""

KRule = Mapping[int, int] | str
"""A rule by name, or a table that maps a number of records to the k required up to it."""


def acceptable_k(n_records: int, rule: KRule | None = None) -> int:
    """Smallest acceptable k for a number of records; by default it depends on that number.

    >>> [acceptable_k(n) for n in (51_000, 51_001, 260_000, 10_000_000)]
    [10, 7, 5, 5]
    >>> acceptable_k(1_000, "public"), acceptable_k(1_000, "scientific")
    (11, 5)
    """
    table = sorted(thresholds(rule).items())
    return next((k for limit, k in table if n_records <= limit), table[-1][1])


def thresholds(rule: KRule | None) -> Mapping[int, int]:
    """The table of a rule."""
    if rule is None:
        return ACCEPTABLE_K
    if not isinstance(rule, str):
        if not rule:
            raise InputError("acceptable_k needs at least one size with its k.")
        return rule
    if rule not in KINDS:
        raise InputError(
            "There is no rule '{rule}' for an acceptable k.{hint} There are: {kinds}, or a "
            "table such as 51000=10,105000=7.",
            rule=rule,
            hint=did_you_mean(rule, KINDS),
            kinds=KINDS,
        )
    return KINDS[rule]
