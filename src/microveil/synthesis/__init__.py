"""Models of the data from which synthetic records are drawn: one file per generator.

A generator is a frozen spec with the tag ``generator`` (:class:`Generator`): ``fit(table, rng)``
gives a :class:`Fitted`, whose ``sample(n, rng)`` gives a Polars frame with the columns of the
table, in their order and of their types. The class says what it can do: ``needs_domain``,
``private`` (then it has the fields ``epsilon`` and ``delta``), ``takes_given``,
``takes_weights``, ``numbers_only``.

A generator does not handle identifiers, strata, households, rules and sums. The surrounding code
(``parts/``) refuses columns that identify people, splits strata and households, and enforces rules
and sums on the drawn records.

Columns become arrays in one way (``parts/columns.py``): :func:`read_columns` gives for each a
:class:`CategoryColumn` (text, booleans: codes from 0 on, −1 missing) or a :class:`NumberColumn`
(numbers, dates, times: floats, whole on the column's grid, NaN missing); both have ``encode`` and
``decode``. A generator with declared domains builds these columns from the declaration:
``CategoryColumn(name, dtype, values)``, ``NumberColumn(name, dtype, origin, step, low, high)``.
A fitted model contains information about records: it cannot be pickled, and no release has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.lazy_names import lazy_names
from microveil.synthesis.trust_map import TrustMap, trust_map

if TYPE_CHECKING:
    from microveil.synthesis.aim import Aim
    from microveil.synthesis.boosted import Boosted
    from microveil.synthesis.bootstrap import Bootstrap
    from microveil.synthesis.cart import Cart
    from microveil.synthesis.copula import Copula
    from microveil.synthesis.evaluation import SynthesisEvaluation
    from microveil.synthesis.ipso import Ipso
    from microveil.synthesis.marginals import Marginals
    from microveil.synthesis.mst import Mst
    from microveil.synthesis.parts.combining import (
        CombinedEstimate,
        combine_full,
        combine_partial,
        combine_simple,
    )
    from microveil.synthesis.parts.generator import Generator
    from microveil.synthesis.parts.registry import GENERATORS
    from microveil.synthesis.parts.rules import Rule
    from microveil.synthesis.parts.sums import Sum
    from microveil.synthesis.parts.synthesizer import Synthesizer

__all__ = [
    "GENERATORS",
    "Aim",
    "Boosted",
    "Bootstrap",
    "Cart",
    "CombinedEstimate",
    "Copula",
    "Generator",
    "Ipso",
    "Marginals",
    "Mst",
    "Rule",
    "Sum",
    "SynthesisEvaluation",
    "Synthesizer",
    "TrustMap",
    "combine_full",
    "combine_partial",
    "combine_simple",
    "trust_map",
]

if not TYPE_CHECKING:
    __getattr__ = lazy_names(
        __name__,
        {
            "GENERATORS": "parts.registry",
            "Aim": "aim",
            "Boosted": "boosted",
            "Bootstrap": "bootstrap",
            "Cart": "cart",
            "CombinedEstimate": "parts.combining",
            "Copula": "copula",
            "Generator": "parts.generator",
            "Ipso": "ipso",
            "Marginals": "marginals",
            "Mst": "mst",
            "Rule": "parts.rules",
            "Sum": "parts.sums",
            "SynthesisEvaluation": "evaluation",
            "Synthesizer": "parts.synthesizer",
            "combine_full": "parts.combining",
            "combine_partial": "parts.combining",
            "combine_simple": "parts.combining",
        },
    )
