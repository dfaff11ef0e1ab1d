"""The intersection attack on releases that are given as tables."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from microveil.errors import InputError
from microveil.registry.composing import Composition, K, compose
from microveil.registry.keyed_hashes import KeyedHashes
from microveil.registry.signatures import sign_table
from microveil.tables import Missing, Roles, as_table


def intersection_attack(
    releases: Sequence[Any],
    roles: Roles | Sequence[Roles],
    *,
    person: str,
    k: int = K,
    missing: Missing = "category",
) -> Composition:
    """How many people are alike in everything that several releases say together.

    ``releases`` are frames in the order in which they appeared, each with column ``person``, which
    tells people apart in all of them; it is no key. ``roles`` are those of all releases, or one for
    each. Nothing is kept of the frames.

    >>> one = {"id": [1, 2, 3, 4], "age": ["20-39"] * 4, "zip": ["1"] * 2 + ["2"] * 2}
    >>> two = {"id": [1, 2, 3, 4], "age": ["20-29", "30-39"] * 2, "zip": ["*"] * 4}
    >>> roles = Roles(quasi_identifiers=["age", "zip"])
    >>> found = intersection_attack([one, two], roles, person="id")
    >>> found.smallest, found.n_unique
    (1, 4)
    """
    if len(releases) < 2:  # noqa: PLR2004  an attack on one release is a matter of k
        raise InputError("Give at least two releases, in the order in which they appeared.")
    each = [roles] * len(releases) if isinstance(roles, Roles) else list(roles)
    if len(each) != len(releases):
        raise InputError("Give one set of roles for all releases, or one for each of them.")
    hashes = KeyedHashes(secrets.token_bytes(32))
    signed = []
    for frame, role in zip(releases, each, strict=True):
        table = as_table(frame, role)
        table.require([person])
        signed.append(
            sign_table(hashes, table, table.frame[person], people_by=person, missing=missing)
        )
    named = {f"release {place}": one for place, one in enumerate(signed[:-1], 1)}
    return compose(named, signed[-1], k)
