"""Plan: how each column of a table is treated, decided before a model is fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.errors import ColumnError, InputError, RolesError
from microveil.synthesis.parts.constraints import Constraints
from microveil.synthesis.parts.names import names_people, pseudonym_columns
from microveil.synthesis.parts.settings import SynthesisSettings
from microveil.tables import Roles, Table
from microveil.tables.door import refuse_nested
from microveil.texts import phrase

LEAST_RECORDS = 5
"""Smallest number of records that can be modelled."""


@dataclass(frozen=True, eq=False)
class SynthesisPlan:
    """How each column is treated."""

    modelled: tuple[str, ...]
    """Columns that the generator draws, in the table's order."""
    given: tuple[str, ...]
    """Columns that are kept, and on which others may depend."""
    anew: tuple[str, ...]
    """Columns of pseudonyms, which are redrawn."""
    group: str | None
    """Column of households or people, which are renumbered."""
    weight: str | None
    """Column by which records are weighted in the model."""
    strata: tuple[str, ...]
    constraints: Constraints
    partial: bool

    @classmethod
    def of(cls, settings: SynthesisSettings, table: Table) -> SynthesisPlan:
        """Decide how each column is treated, or raise an error."""
        table.require(settings.columns)
        if table.height < LEAST_RECORDS and not settings.generator.private:
            raise InputError(
                "A model needs at least {least_records} records, and the table has "
                "{n_records}. Synthesis cannot protect so few.",
                least_records=LEAST_RECORDS,
                n_records=table.height,
            )
        chosen = _choose(settings, table)
        partial = bool(chosen) and len(chosen) < len(_drawable(table))
        if settings.risk_threshold is not None:
            partial = True
        _refuse(settings, table.roles, partial=partial)
        return _partial(settings, table, chosen) if partial else _full(settings, table)

    def training_table(self, table: Table, rows_per_entity: int | None = None) -> Table:
        """The columns that a model sees; of each group its first rows, if their number is bounded.

        Which rows these are depends on the group's own rows alone, so that adding or removing one
        changes nothing of another. Rows that belong to nobody are left out then.
        """
        names = {*self.modelled, *self.given, *([self.weight] if self.weight else [])}
        kept = [name for name in table.columns if name in names]
        frame = table.frame
        if rows_per_entity is not None and self.group is not None:
            place = pl.int_range(pl.len(), dtype=pl.UInt32).over(self.group)
            frame = frame.filter(pl.col(self.group).is_not_null() & (place < rows_per_entity))
        return Table(frame.select(kept), Roles(weight=self.weight))


def risky_records(
    settings: SynthesisSettings, table: Table
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Records above the risk threshold; all if there is none."""
    from microveil.risk import IndividualRisk

    if settings.risk_threshold is None:
        return np.ones(table.height, dtype=np.bool_)
    if not table.roles.quasi_identifiers:
        raise RolesError(
            "A risk threshold needs quasi-identifiers, which determine the risk of records. Name "
            "them in the roles."
        )
    risks = IndividualRisk().measure(table).records
    if risks is None:
        return np.zeros(table.height, dtype=np.bool_)
    return np.asarray(risks > settings.risk_threshold)


def _choose(settings: SynthesisSettings, table: Table) -> tuple[str, ...]:
    if settings.columns or settings.risk_threshold is None:
        return settings.columns
    if not table.roles.quasi_identifiers:
        raise RolesError(
            "Name the columns of risky records to synthesize, or quasi-identifiers in the roles."
        )
    return table.roles.quasi_identifiers


def _drawable(table: Table) -> list[str]:
    """Columns that a full synthesis would draw."""
    roles = table.roles
    ids = {*roles.identifiers, roles.household, roles.entity}
    return [name for name in table.columns if name not in ids]


def _refuse(settings: SynthesisSettings, roles: Roles, *, partial: bool) -> None:
    generator, kind = settings.generator, settings.generator.kind()
    if partial and settings.n is not None:
        raise InputError("Partial synthesis keeps all records. Leave n out, or name no columns.")
    if partial and not generator.takes_given:
        raise InputError(
            "Generator '{kind}' draws all columns at once, never some given others. Name no "
            "columns, or use 'cart'.",
            kind=kind,
        )
    if settings.weights == "count" and roles.weight is not None and not generator.takes_weights:
        raise InputError("Generator '{kind}' cannot use weights of records. Use 'cart'.", kind=kind)
    if generator.private:
        _refuse_private(settings, roles)
    if roles.household and roles.entity and roles.household != roles.entity:
        raise RolesError("Synthesis draws households or people of several rows, not both at once.")


def _refuse_private(settings: SynthesisSettings, roles: Roles) -> None:
    """Refuse what would read the records outside the budget, or promise more than it keeps."""
    kind = settings.generator.kind()
    asked = {
        phrase("strata (set by_strata to false)"): settings.by_strata and roles.strata,
        phrase("structural_zeros (state them as rules)"): settings.structural_zeros,
        phrase("replicated_uniques: remove (it would read the records again)"): (
            settings.replicated_uniques == "remove"
        ),
        phrase("weights: count (set it to column)"): settings.weights == "count" and roles.weight,
    }
    looked_at = [name for name, wanted in asked.items() if wanted]
    if looked_at:
        raise InputError(
            "Generator '{kind}' guarantees differential privacy, which does not cover {looked_at}.",
            kind=kind,
            looked_at=looked_at,
        )
    unit = roles.household or roles.entity
    rows = getattr(settings.generator, "rows_per_entity", None)
    if unit is not None and rows is None:
        raise InputError(
            "Those of column '{unit}' may have several rows, and ε must hold for all rows of "
            "one together. Set `rows_per_entity` of '{kind}': how many rows of each count, "
            "the first ones. Twice as many need twice the noise.",
            unit=unit,
            kind=kind,
        )
    if unit is None and rows is not None:
        raise InputError(
            "`rows_per_entity` of '{kind}' needs the role entity or household, which says "
            "whose rows belong together.",
            kind=kind,
        )


def _full(settings: SynthesisSettings, table: Table) -> SynthesisPlan:
    roles, frame = table.roles, table.frame
    group = roles.household or roles.entity
    anew = (
        ()
        if settings.generator.private
        else pseudonym_columns(
            frame.drop([group] if group else []), [n for n in roles.identifiers if n != group]
        )
    )
    if settings.generator.private and roles.identifiers:
        raise ColumnError(
            "Column {identifiers:quoted} identifies people. Drop it first.",
            identifiers=roles.identifiers,
        )
    weight = roles.weight if settings.weights == "count" else None
    constraints = Constraints.of(
        frame, settings.rules, settings.sums, settings.structural_zeros, fixed=()
    )
    apart = {group, weight, *anew, *constraints.derived}
    modelled = tuple(name for name in frame.columns if name not in apart)
    refuse_nested(frame, modelled, phrase("Synthesis"))
    if not modelled:
        raise InputError("There is no column to synthesize other than group ids and totals.")
    # Strata of groups are ordinary columns: members of a group share them.
    strata = roles.strata if settings.by_strata and group is None else ()
    if strata and set(modelled) <= set(strata):
        raise InputError("All columns are strata. Leave one out, or set by_strata to false.")
    return SynthesisPlan(modelled, (), anew, group, weight, strata, constraints, partial=False)


def _partial(settings: SynthesisSettings, table: Table, chosen: tuple[str, ...]) -> SynthesisPlan:
    roles, frame = table.roles, table.frame
    ids = [name for name in (*roles.identifiers, roles.household, roles.entity) if name in chosen]
    naming = [name for name in chosen if name in ids or names_people(frame[name])]
    if naming:
        raise ColumnError(
            "Column {naming:quoted} identifies people or groups, and cannot be drawn given "
            "other columns. Drop or pseudonymize it before synthesis.",
            naming=naming,
        )
    refuse_nested(frame, chosen, phrase("Synthesis"))
    fixed = tuple(name for name in frame.columns if name not in chosen)
    constraints = Constraints.of(
        frame, settings.rules, settings.sums, settings.structural_zeros, fixed
    )
    strata = roles.strata if settings.by_strata else ()
    if set(strata) & set(chosen):
        raise InputError(
            "Column {names:quoted} is one of the strata. Leave it out, or set by_strata to false.",
            names=set(strata) & set(chosen),
        )
    modelled = tuple(name for name in chosen if name not in constraints.derived)
    modelled = tuple(name for name in frame.columns if name in modelled)
    weight = roles.weight if settings.weights == "count" else None
    hidden = {*roles.identifiers, roles.household, roles.entity, weight}
    given = tuple(name for name in fixed if name not in hidden and _can_explain(frame[name]))
    return SynthesisPlan(modelled, given, (), None, weight, strata, constraints, partial=True)


def _can_explain(series: pl.Series) -> bool:
    """Whether a column that is kept can be a predictor."""
    if series.dtype.is_nested() or series.dtype == pl.Object or names_people(series):
        return False
    return not (series.dtype.is_float() and bool(series.is_infinite().any()))
