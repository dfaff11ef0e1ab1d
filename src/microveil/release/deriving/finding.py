"""Find what a release gives back of its keys: by rows that belong together, counts and columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from microveil.release.deriving.agreement import (
    CHANCE,
    NONE,
    Agreement,
    measure_agreement,
)
from microveil.release.deriving.derivation import Cause, Derivation
from microveil.release.deriving.hidden_key import HiddenKey, can_compare, values_alike
from microveil.tables import Table
from microveil.tables.codes import encode
from microveil.tables.people import number_people, one_each
from microveil.tables.values import plain

AGREEING = 0.95
"""Share of the households (persons) that must agree in a key, for one row to give back another."""
DETERMINED = 0.8
"""Agreement beyond chance above which a column determines a key."""
LIKELY = 0.5
"""Agreement beyond chance from which a column is told of that gives back most of a key's cells."""
SURE = 0.95
"""Share of the records with one value of a column that must have one and the same key."""
WELL_KNOWN = 5
"""Records by value, from which a column is a code whose meaning an intruder knows."""


def find_derivations(
    original: Table, released: Table, columns: Sequence[str], perturbed: Collection[str] = ()
) -> tuple[Derivation, ...]:
    """Everything that released ``columns`` give back of keys that were suppressed or coarsened.

    A key that was left out comes back, too, where another column tells it: that is told, and
    requirements, which are about the keys that are there, do not fail by it.
    Nothing if released rows cannot be matched with original ones, as for synthetic data. In
    ``perturbed`` keys a cell that differs from another member's is no gap that this one fills.
    """
    if released.synthetic or (released.rows is None and released.height != original.height):
        return ()
    shown = [name for name in columns if name in released.columns]
    keys = {key: None for some in original.roles.key_sets().values() for key in some}
    found: list[Derivation] = []
    for name in keys:
        if name not in original.columns or (name in released.columns and name not in shown):
            continue
        before = _in_rows(original, name, released)
        there = name in released.columns
        after = released.frame[name] if there else before.clear(n=len(before))
        key = HiddenKey.of(name, before, after)
        if key is not None:
            back = _find(key, original, released, shown, fills=there and name not in perturbed)
            found += (
                replace(one, strict=one.strict and there, by_key=one.by in keys) for one in back
            )
    return tuple(found)


def _in_rows(original: Table, name: str, released: Table) -> pl.Series:
    """An original column, its rows as the released ones are."""
    column = original.frame[name]
    return column if released.rows is None else column[released.rows]


def _find(
    key: HiddenKey, original: Table, released: Table, shown: Sequence[str], *, fills: bool
) -> Iterator[Derivation]:
    entity = original.roles.entity
    people = _in_rows(original, entity, released) if entity in original.columns else None
    ids: dict[str | None, Cause] = {
        original.roles.household: "household",
        original.roles.entity: "person",
    }
    for name in shown:
        column = released.frame[name]
        if name == key.name or not can_compare(column):
            continue
        if (counted := _by_count(key, column)) is not None:
            yield counted
        cause = ids.get(name, "column")
        if cause == "column" and (same := _by_same_value(key, column)) is not None:
            yield same
            continue
        if cause == "column" and _was_unrelated(key, original, released, column):
            continue
        known = _by_known_code(key, column, people) if cause == "column" else None
        yield from _by_rows(key, column, cause, fills=fills) if known is None else known


def _was_unrelated(key: HiddenKey, original: Table, released: Table, column: pl.Series) -> bool:
    """Whether a recoded column told nothing of the key before it was recoded.

    Steps that recode classes (Mondrian, local recoding) choose the labels of one key by the others,
    so that a label may go along with one value of another key. Nobody knows that from outside.
    Columns of too few equal values leave it open.
    """
    if column.name not in original.columns:
        return False
    before = _in_rows(original, column.name, released)
    if not can_compare(before) or HiddenKey.of(column.name, before, column) is None:
        return False
    said = before.drop_nulls()
    if len(said) < WELL_KNOWN * said.n_unique():
        return False
    return measure_agreement(plain(before), key.codes, key.chance).beyond_chance < LIKELY


def gives_away(column: pl.Series, key: pl.Series) -> bool:
    """Whether a released column tells the original values of a key to whoever knows its codes.

    >>> gives_away(pl.Series("icd", ["I10", "J18", "J44"] * 9), pl.Series("ward", [1, 2, 2] * 9))
    True
    """
    if not (can_compare(column) and can_compare(key)):
        return False
    hidden = HiddenKey("", plain(key), plain(key))
    agreement = measure_agreement(plain(column), hidden.codes, hidden.chance)
    return agreement.beyond_chance >= DETERMINED and _is_known(hidden, column, agreement)


def fills_gaps(column: pl.Series, labels: pl.Series) -> bool:
    """Whether a released column gives back labels of a key that are suppressed in some rows only.

    Other rows with the same value of the column show them; no code book is needed.

    >>> fills_gaps(pl.Series(["2020", "2021"] * 9), pl.Series(["old", "new"] * 9))
    True
    """
    if not (can_compare(column) and can_compare(labels)):
        return False
    hidden = HiddenKey("", plain(labels), plain(labels))
    agreement = measure_agreement(plain(column), hidden.codes, hidden.chance)
    return agreement.beyond_chance >= DETERMINED


def _by_known_code(
    key: HiddenKey, column: pl.Series, people: pl.Series | None
) -> list[Derivation] | None:
    """Cells that a column gives back by what it means; None if an intruder does not know that.

    A person is one witness, however many rows are theirs.
    """
    codes = key.codes if people is None else _once_each(column, key.codes, people)
    agreement = measure_agreement(column, codes, key.chance)
    if agreement.beyond_chance < LIKELY or not _is_known(key, column, agreement):
        return None
    back, values = _by_meaning(key, column, codes)
    return _worth_telling(key, column, "column", agreement, back, values)


def _once_each(column: pl.Series, codes: pl.Series, people: pl.Series) -> pl.Series:
    """The codes, missing wherever the person's rows say the same again."""
    told = pl.DataFrame({"value": column, "code": codes, "person": people})
    first = pl.struct("value", "code", "person").is_first_distinct()
    once = pl.when(first | pl.col("person").is_null()).then("code")
    return told.select(once)["code"]


def _by_rows(
    key: HiddenKey, column: pl.Series, cause: Cause, *, fills: bool
) -> Iterable[Derivation]:
    """Cells that other rows with the same value of a column show."""
    # Ids first: mostly a person's rows all show the same, which is seen faster than counted.
    if cause != "column" and fills and _shows_one_label(key, column):
        return ()
    agreement = measure_agreement(column, key.codes, key.chance) if fills else NONE
    if agreement.beyond_chance < LIKELY:
        return ()
    return _worth_telling(key, column, cause, agreement, *_by_other_rows(key, column))


def _shows_one_label(key: HiddenKey, column: pl.Series) -> bool:
    """Whether rows with the same value of a column all show the same of a key."""
    return one_each(number_people(column), encode(key.after).values) is not None


def _worth_telling(
    key: HiddenKey,
    column: pl.Series,
    cause: Cause,
    agreement: Agreement,
    back: pl.Series,
    values: pl.Series,
) -> list[Derivation]:
    """The derivation, if it is sure or gives back most cells."""
    n_cells, strict = int(back.sum()), _determines(agreement, cause)
    if not n_cells or not (strict or 2 * n_cells >= key.n_hidden):
        return []
    sure = agreement.groups_share if cause != "column" else agreement.beyond_chance
    return [
        Derivation(cause, column.name, key.name, n_cells, key.n_hidden, sure, strict, back, values)
    ]


def _determines(agreement: Agreement, cause: Cause) -> bool:
    if agreement.beyond_chance < DETERMINED:
        return False
    return cause == "column" or agreement.groups_share >= AGREEING


def _is_known(key: HiddenKey, column: pl.Series, agreement: Agreement) -> bool:
    """Whether an intruder knows what a value of the column says about the key.

    So it is with a code that many share (years of schooling, a district), and with a value in whose
    order the key rises or falls (a date of birth and an age), but not with a serial number.
    """
    if agreement.mean_size >= WELL_KNOWN:
        return True
    if pl.String in (column.dtype, key.before.dtype):
        return False
    ordered = key.codes.gather(column.arg_sort()).drop_nulls()
    n_runs = int((ordered != ordered.shift(1)).sum()) + 1
    return n_runs <= 2 * ordered.n_unique()


def _by_meaning(key: HiddenKey, column: pl.Series, codes: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Cells whose original value nearly all with the same value of the column share.

    ``codes`` are the key's, once for each witness.
    """
    frame = pl.DataFrame({"value": column, "code": key.codes, "told": codes})
    size = pl.col("told").count().over("value")
    share = pl.col("told").count().over("value", "code") / size
    sure = frame.select(
        pl.col("value").is_not_null() & pl.col("code").is_not_null() & (size > 1) & (share >= SURE)
    ).to_series()
    return key.hidden & sure, key.before


def _by_other_rows(key: HiddenKey, column: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Cells that another record with the same value of the column shows, or shows more exactly."""
    frame = pl.DataFrame(
        {"value": column, "code": key.codes, "label": key.after, "open": key.open_values}
    ).with_row_index("row")
    known = frame.filter(pl.col("value").is_not_null() & pl.col("label").is_not_null())
    best = known.filter(pl.col("open") == pl.col("open").min().over("value"))
    labels = (
        best.group_by("value", "label")
        .agg(pl.len().alias("n"), pl.col("open").first().alias("least"))
        .filter(pl.col("n") / pl.col("n").sum().over("value") >= SURE)
        .select("value", pl.col("label").alias("derived"), "least")
    )
    truths = best.select("value", pl.col("label").alias("derived"), "code").unique()
    right = (
        frame.filter(key.hidden)
        .join(labels, on="value")
        .filter(pl.col("open") > pl.col("least"))
        .join(truths, on=["value", "derived", "code"], how="semi")
    )
    given = frame.select("row").join(right.select("row", "derived"), on="row", how="left")
    values = given.sort("row")["derived"]
    return values.is_not_null(), values


def _by_same_value(key: HiddenKey, column: pl.Series) -> Derivation | None:
    """Cells whose value stands in another column, which nearly always repeats the key.

    Such a column needs no code book: a postal code in a second place is one, however rare it is.
    """
    both = values_alike(key.before, plain(column))
    if both is None:
        return None
    before, shown = both
    pairs = pl.DataFrame({"a": before, "b": shown}).drop_nulls()
    n_equal = int((pairs["a"] == pairs["b"]).sum())
    if not pairs.height or n_equal / pairs.height < SURE:
        return None
    chance = _chance_of_equal(before, pairs["b"])
    if chance >= 1 or n_equal * np.log(max(chance, 1e-300)) > np.log(CHANCE):
        return None
    beyond = (n_equal / pairs.height - chance) / (1 - chance)
    back = key.hidden & (before == shown).fill_null(value=False)
    if beyond < DETERMINED or not back.any():
        return None
    n_cells = int(back.sum())
    return Derivation(
        "column", column.name, key.name, n_cells, key.n_hidden, beyond, True, back, key.before
    )


def _chance_of_equal(key: pl.Series, shown: pl.Series) -> float:
    """Probability that a value of a column equals that of a key in any other record."""
    counts = [one.drop_nulls().to_frame("value").group_by("value").len("n") for one in (key, shown)]
    both = counts[0].join(counts[1], on="value")
    products = (both["n"].cast(pl.Float64) * both["n_right"].cast(pl.Float64)).sum()
    return float(products) / max(float(counts[0]["n"].sum()) * float(counts[1]["n"].sum()), 1.0)


def _by_count(key: HiddenKey, column: pl.Series) -> Derivation | None:
    """A size that the number of rows with the same id restores."""
    sizes = key.before
    if not sizes.dtype.is_numeric() or (least := sizes.min()) is None or float(least) < 1:  # type: ignore[arg-type]
        return None
    expected = float((1 / sizes.cast(pl.Float64)).sum())
    if not 0.9 * expected <= column.n_unique() <= 1.1 * expected + 1:
        return None
    frame = pl.DataFrame({"id": column})
    count = frame.select(pl.len().over("id").alias("n"))["n"]
    right = (count.cast(pl.Float64) == sizes.cast(pl.Float64)).fill_null(value=False)
    right &= column.is_not_null()
    certainty = float(right.mean() or 0)  # type: ignore[arg-type]
    back = right & key.hidden
    n_cells = int(back.sum())
    if certainty < AGREEING or not n_cells:
        return None
    return Derivation(
        "count", column.name, key.name, n_cells, key.n_hidden, certainty, True, back, sizes
    )
