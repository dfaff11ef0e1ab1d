"""New keys for released tables: random numbers, or pseudonyms that are the same in every run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.linked.links import key_parts, parents_first, places_among
from microveil.linked.recipe import LinkedRecipe
from microveil.methods.parts.persons import keyed_numbers
from microveil.methods.parts.secret_keys import key_for, read_key
from microveil.methods.parts.value_text import value_text

PURPOSE = "keys of linked tables"
Place = tuple[str, str]
"""A table and one of its columns."""


def with_new_keys(
    recipe: LinkedRecipe, frames: Mapping[str, pl.DataFrame], numbering: int
) -> dict[str, pl.DataFrame]:
    """The tables with new keys, the same wherever links lead; as they are if kept."""
    made = dict(frames)
    if recipe.keys == "keep":
        return made
    rng = np.random.default_rng(numbering)
    for places in joined_columns(recipe, list(frames)):
        highest = _highest(recipe, places)
        dtype = frames[highest[0][0]].schema[highest[0][1]]
        old = pl.concat([frames[table][name].cast(dtype).alias("old") for table, name in highest])
        old = old.drop_nulls().unique(maintain_order=True)
        if recipe.keys == "renumber":
            new = pl.Series(rng.permutation(len(old)) + 1)
        else:
            new = _pseudonyms(recipe, places[0], old)
        for table, name in places:
            column = frames[table][name].cast(dtype).to_frame("old")
            place = pl.Series(places_among(column, old.to_frame()))
            found = new.gather(place.set(place < 0, None))
            made[table] = made[table].with_columns(found.alias(name))
    return made


def _highest(recipe: LinkedRecipe, places: list[Place]) -> list[Place]:
    """Columns that refer to none of the others: whatever the others hold, these hold, too."""
    below = {(link.table, column) for link in recipe.links for column in link.columns}
    return [place for place in places if place not in below]


def joined_columns(recipe: LinkedRecipe, tables: list[str]) -> list[list[Place]]:
    """The columns that hold the same keys, however many links lead from one to the other.

    A table's key may itself refer to another table's, so that three tables share one key. The
    highest comes first.
    """
    people = recipe.people
    groups: list[list[Place]] = [[(people.table, key)] for key in key_parts(people.key)]
    for link in recipe.links:
        for column, key in zip(link.columns, link.keys, strict=True):
            pair = {(link.to, key), (link.table, column)}
            met = [group for group in groups if pair.intersection(group)]
            groups = [group for group in groups if group not in met]
            groups.append(sorted(pair.union(*met)))
    rank = {name: place for place, name in enumerate(parents_first(tables, recipe.links))}
    ordered = [sorted(group, key=lambda one: (rank[one[0]], one)) for group in groups]
    return sorted(ordered)


def _pseudonyms(recipe: LinkedRecipe, place: Place, keys: pl.Series) -> pl.Series:
    """A text of 16 signs for each key, which only the holder of the secret can reproduce."""
    table, column = place
    whole = [recipe.people.key, *(link.key for link in recipe.links if link.to == table)]
    purpose = table if column in whole else f"{table}+{column}"
    secret = key_for(key_for(read_key(recipe.key_env, recipe.key_file), PURPOSE), purpose)
    numbers = keyed_numbers(value_text(keys), secret)
    if len(np.unique(numbers)) < len(numbers):
        raise InputError(
            "Two keys of table '{table}' have the same pseudonym. Use `keys: renumber`.",
            table=table,
        )
    return pl.Series([f"{number:016x}" for number in numbers.tolist()], dtype=pl.String)
