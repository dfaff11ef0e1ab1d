"""Who reads a report, and what it may therefore contain.

The rule for the public, in one place:

- about a step: its method, what the method does, the columns, and parameters whose effect every
  reader of the data sees anyway (:mod:`microveil.reports.parameters`); no facts;
- about a requirement: its name, its column, and whether it holds; no numbers;
- about risk: nothing;
- a count of records: 0, or ``SMALL_COUNT`` and more; anything between is "<10", and a sum that
  would reveal it is left out;
- about utility: the share of cells that changed, overall and by column; no other measure;
- a share: rounded to a step that represents at least ``SMALL_COUNT`` records.

For all audiences: no seed, no key, no hint at where a key is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from microveil.errors import InputError, did_you_mean
from microveil.plots.small_counts import SMALL_COUNT
from microveil.texts import Message

Audience = Literal["internal", "public"]

SMALL = f"<{SMALL_COUNT}"
"""Replacement for a smaller count."""

Count = int | str
"""A number of records, or :data:`SMALL`."""

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Steps that a public share may be rounded to."""

HIDDEN_FROM_PUBLIC = (
    Message(
        "report.parameters_steps_would_help",
        "parameters of the steps that would help an intruder, and what each step counted",
    ),
    Message("report.numbers_behind_each_requirement", "the numbers behind each requirement"),
    Message(
        "report.disclosure_risk_class_sizes", "disclosure risk, class sizes and rare combinations"
    ),
    Message(
        "report.counts_fewer_than_records",
        "counts of fewer than {small_count} records; shares are rounded accordingly",
        small_count=SMALL_COUNT,
    ),
)

_SECRET = re.compile(r"(^|_)(seeds?|keys?|secrets?|salt|password)(_(env|file|path|name)|$)")


def checked_audience(audience: str) -> Audience:
    """The audience, if it is valid."""
    known: tuple[Audience, ...] = get_args(Audience)
    for one in known:
        if audience == one:
            return one
    raise InputError(
        "No audience '{audience}'.{hint} Choose internal or public.",
        audience=audience,
        hint=did_you_mean(audience, known),
    )


def public_count(count: int) -> Count:
    """A number of records as the public may see it.

    >>> [public_count(n) for n in (0, 9, 10)]
    [0, '<10', 10]
    """
    return SMALL if 0 < count < SMALL_COUNT else count


def public_share(share: float, n_records: int) -> float | None:
    """A share of records as the public may see it; None if even the coarsest step reveals it.

    >>> public_share(0.9874, 1_000), public_share(0.9874, 60), public_share(0.9874, 9)
    (0.99, 1.0, None)
    """
    for step in STEPS:
        # A small tolerance: 0.01 of 1,000 records is 10.
        if step * n_records >= SMALL_COUNT - 1e-9:
            return min(1.0, round(round(share / step) * step, 4))
    return None


def without_secrets(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters or facts without anything that is, or leads to, a seed or a key.

    >>> without_secrets({"style": "token", "key_file": "a.key", "seed": 7, "key_columns": 2})
    {'style': 'token', 'key_columns': 2}
    """
    return {name: value for name, value in parameters.items() if not _SECRET.search(name)}
