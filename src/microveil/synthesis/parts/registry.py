"""All generators by the names they have in recipe files."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from microveil.specs import Registry
from microveil.synthesis.parts.generator import Generator

GENERATORS = Registry[Generator].of_package(
    "generator",
    "microveil.synthesis",
    {
        "cart": "Cart",
        "boosted": "Boosted",
        "copula": "Copula",
        "ipso": "Ipso",
        "marginals": "Marginals",
        "bootstrap": "Bootstrap",
        "mst": "Mst",
        "aim": "Aim",
    },
)


def _by_name(raw: object) -> object:
    return {"generator": raw} if isinstance(raw, str) else raw


AnyGenerator: TypeAlias = Annotated[Generator, GENERATORS, BeforeValidator(_by_name)]
"""A generator; its name alone stands for one with every parameter at its default."""
