"""All generators by the names they have in recipe files."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from microveil.specs import Registry
from microveil.synthesis.aim import Aim
from microveil.synthesis.boosted import Boosted
from microveil.synthesis.bootstrap import Bootstrap
from microveil.synthesis.cart import Cart
from microveil.synthesis.copula import Copula
from microveil.synthesis.ipso import Ipso
from microveil.synthesis.marginals import Marginals
from microveil.synthesis.mst import Mst
from microveil.synthesis.parts.generator import Generator

GENERATORS = Registry[Generator](
    "generator",
    Cart,
    Boosted,
    Copula,
    Ipso,
    Marginals,
    Bootstrap,
    Mst,
    Aim,
)


def _by_name(raw: object) -> object:
    return {"generator": raw} if isinstance(raw, str) else raw


AnyGenerator: TypeAlias = Annotated[Generator, GENERATORS, BeforeValidator(_by_name)]
"""A generator; its name alone stands for one with every parameter at its default."""
