"""New keys for released tables: random numbers, or pseudonyms that are the same in every run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.linked.recipe import LinkedRecipe
from microveil.methods.parts.persons import keyed_numbers
from microveil.methods.parts.secret_keys import key_for, read_key
from microveil.methods.parts.value_text import value_text

PURPOSE = "keys of linked tables"


def with_new_keys(
    recipe: LinkedRecipe, frames: Mapping[str, pl.DataFrame], numbering: int
) -> dict[str, pl.DataFrame]:
    """The tables with new keys, the same in a parent and its children; as they are if kept."""
    made = dict(frames)
    if recipe.keys == "keep":
        return made
    rng = np.random.default_rng(numbering)
    targets = {(link.to, link.key) for link in recipe.links}
    targets.add((recipe.people.table, recipe.people.key))
    for table, key in sorted(targets):
        old = frames[table][key]
        random = recipe.keys == "renumber"
        new = (
            pl.Series(rng.permutation(len(old)) + 1) if random else _pseudonyms(recipe, table, old)
        )
        both = pl.DataFrame({"old": old, "new": new})
        places = [(table, key)]
        places += [
            (one.table, one.column) for one in recipe.links if (one.to, one.key) == (table, key)
        ]
        for name, column in places:
            told = frames[name][column].alias("old").to_frame()
            found = told.join(both, on="old", how="left", maintain_order="left")["new"]
            made[name] = made[name].with_columns(found.alias(column))
    return made


def _pseudonyms(recipe: LinkedRecipe, table: str, keys: pl.Series) -> pl.Series:
    """A text of 16 signs for each key, which only the holder of the secret can reproduce."""
    secret = key_for(key_for(read_key(recipe.key_env, recipe.key_file), PURPOSE), table)
    numbers = keyed_numbers(value_text(keys), secret)
    if len(np.unique(numbers)) < len(numbers):
        raise InputError(
            "Two keys of table '{table}' have the same pseudonym. Use `keys: renumber`.",
            table=table,
        )
    return pl.Series([f"{number:016x}" for number in numbers.tolist()], dtype=pl.String)
