"""Which parameters of steps and requirements a report shows.

A parameter is public only where the released data show it to every reader anyway: how a value was
masked, the base it was rounded to, the limit it was coded to. Each spec says so itself, in
``public_parameters``; whatever it does not name stays internal. What leads to a key or a seed
(``secret_parameters``) is in no report at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.reports.audience import Audience, without_secrets

if TYPE_CHECKING:
    from microveil.specs import Spec

COLUMNS = frozenset({"columns", "column"})
"""Shown as the columns of a step or a requirement."""


def shown_parameters(spec: Spec, audience: Audience) -> dict[str, Any]:
    """The parameters that this audience may read, those at their defaults and the columns apart.

    >>> from microveil.methods import RankSwap, Round
    >>> shown_parameters(RankSwap(columns=["pay"], range_share=0.1), "public")
    {}
    >>> shown_parameters(Round(columns=["pay"], base=10), "public")
    {'base': 10}
    """
    hidden = {spec.tag, *spec.secret_parameters, *COLUMNS}
    given = without_secrets(spec.to_dict())
    told = {name: value for name, value in given.items() if name not in hidden}
    if audience == "internal":
        return told
    return {name: value for name, value in told.items() if name in spec.public_parameters}
