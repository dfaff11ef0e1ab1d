"""Cautions of a run in parts: what a run of the whole file says about its data and attacks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from microveil.app.file_runs.job import FileJob
from microveil.app.file_runs.tally import Tally, whole_of
from microveil.app.inspection.noticing import MOST_ROWS, notice_dirt
from microveil.files import Labels
from microveil.files.reading import read_labels
from microveil.recipes import Recipe
from microveil.release.attacks import MOST_CELLS, attack_tables, caution_of_attack
from microveil.release.cautions import Caution
from microveil.release.deriving import Derivation, caution_of, not_looked_at
from microveil.release.evidence import Evidence
from microveil.release.exact_values import caution_of_exact
from microveil.release.expecting import notes_of
from microveil.release.export_rules import evidence_of
from microveil.release.households import contradictions
from microveil.release.revealing import warnings_of
from microveil.tables import LazyTable, Table
from microveil.texts import Message

Both = tuple[Table, Table]
"""All rows of the original and of the release."""


def all_cautions(
    job: FileJob,
    source: LazyTable,
    tally: Tally,
    rows: Both | None,
    derived: Sequence[Derivation],
    *,
    leaves: bool,
) -> tuple[Caution, ...]:
    """Everything but what class sizes tell, in the order of a run of the whole file."""
    recipe, labels = job.recipe, read_labels(job.source, **job.options)
    return (
        *key_cautions(recipe, rows, tally, derived),
        *notes_of(recipe, source.plan),
        *data_cautions(recipe, source, source.height, tally.columns, labels),
        *row_cautions(job, rows, tally, leaves=leaves),
    )


def data_cautions(
    recipe: Recipe, source: LazyTable, n_rows: int, released: Collection[str], labels: Labels
) -> tuple[Caution, ...]:
    """Dirt in the columns that leave, seen in rows from all over the source."""
    weight = recipe.roles.weight
    names = [name for name in source.columns if name in released or name == weight]
    every = max(1, n_rows // MOST_ROWS)
    rows = source.plan.select(names).gather_every(every).collect(engine="streaming")
    gone = [name for name in recipe.roles.named if name not in names]
    seen = Table(rows, recipe.roles.without(gone))
    return notice_dirt(recipe, seen, released, labels, n_rows=n_rows)


def looks_at_keys(recipe: Recipe, released: Collection[str]) -> bool:
    """Whether models are checked on keys that other released columns may give back."""
    return bool(recipe.models) and any(key in released for key in recipe.roles.named)


def key_cautions(
    recipe: Recipe, rows: Both | None, tally: Tally, derived: Sequence[Derivation]
) -> tuple[Caution, ...]:
    """What comes back of the keys, or that it was not looked for."""
    if not looks_at_keys(recipe, tally.columns):
        return ()
    if rows is None:
        return (not_looked_at(),)
    evidence = evidence_in_memory(recipe, rows, tally)
    return caution_of(derived, evidence.records, recipe.missing_keys)


def evidence_in_memory(recipe: Recipe, rows: Both, tally: Tally) -> Evidence:
    """What requirements are checked on, of all rows at once; tables are joined on their links."""
    if tally.split is None:
        return evidence_of(recipe, rows[1], None, rows[0])
    outcome = tally.split.split(rows[1], {})
    return evidence_of(recipe, outcome.table, outcome.joined, rows[0])


def looks_at_rows(n_rows: int, columns: Collection[str]) -> bool:
    """Whether the release is of a size that is attacked and searched for exact values."""
    return n_rows * len(columns) <= MOST_CELLS


def row_cautions(
    job: FileJob, rows: Both | None, tally: Tally, *, leaves: bool
) -> tuple[Caution, ...]:
    """Exact values that link, and attacks that succeed; where memory does not hold the rows, that.

    Data that do not leave are not attacked.
    """
    if rows is None:
        return (
            (_not_attacked(),)
            if leaves and job.attacks and looks_at_rows(tally.n_records, tally.columns)
            else ()
        )
    original, after = rows[0], whole_of(tally.split, rows[1])
    exact = caution_of_exact(original, after, tally.columns)
    if not (job.attacks and leaves):
        return exact
    found = attack_tables(job.recipe, original, after)
    return (*exact, *(caution_of_attack(one) for one in found if one.is_above))


def row_warnings(
    rows: Both | None, released: Sequence[str], derived: Sequence[Derivation]
) -> tuple[str, ...]:
    """Columns that reveal a key, and members of a household who disagree."""
    if rows is None:
        return ()
    known = {(one.by, one.key) for one in derived}
    revealing = warnings_of(*rows, released, known)
    return (*revealing, *contradictions(*rows, released, known))


def _not_attacked() -> Caution:
    return Caution(
        "attacks_unknown",
        Message(
            "caution.not_attacked",
            "No attack was simulated on the release, and exact values were not looked for: memory "
            "does not hold all rows. Allow more by memory_limit, or see `microveil compare`.",
        ),
    )
