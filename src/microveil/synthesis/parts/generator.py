"""Generator: a kind of model from which records are drawn; Fitted: such a model of one table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tables import Table

if TYPE_CHECKING:
    import polars as pl

    from microveil.synthesis.trust_map import TrustMap


class Generator(Spec, ABC):
    """A kind of model from which synthetic records are drawn: its parameters and its fitting.

    ``fit`` models every column of the table; roles other than ``weight``, such as household, are
    handled outside it (see :mod:`microveil.synthesis.parts`).
    """

    tag: ClassVar[str] = "generator"
    needs_domain: ClassVar[bool] = False
    """Whether the possible values of a column must be declared, never taken from the data."""
    private: ClassVar[bool] = False
    """Whether it is differentially private; it then has the fields ``epsilon`` and ``delta``."""
    takes_given: ClassVar[bool] = False
    """Whether it can draw some columns given others (partial synthesis, households, entities)."""
    takes_weights: ClassVar[bool] = False
    """Whether the model can be fitted with the records' weights."""
    numbers_only: ClassVar[bool] = False
    """Whether it models only numbers (and dates)."""

    @abstractmethod
    def fit(self, table: Table, rng: np.random.Generator, given: Sequence[str] = ()) -> Fitted:
        """Model the columns of a table outside ``given``, conditional on those in it.

        The weight role, if any, weights the records and is not itself modelled. Only generators
        with ``takes_given`` receive a ``given``.
        """


class Fitted(ABC):
    """A model of one table. It contains information about records and is never saved."""

    facts: Mapping[str, Any]
    """Plain numbers and column names about the model, never cell values."""
    n_records: int | None = None
    """Default number of records to draw; None: as many as in the table."""
    modelled: tuple[tuple[str, ...], ...] = ()
    """Sets of columns modelled jointly, for the trust map."""

    @abstractmethod
    def sample(
        self, n: int, rng: np.random.Generator, given: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Draw ``n`` records: the modelled columns, in the table's order and of its types.

        ``given`` has a row for each record with the columns the model was given.
        """

    def trust_map(self) -> TrustMap | None:
        """The model's own assessment of the relations it preserves; None: compare with the data."""
        return None

    def __reduce__(self) -> NoReturn:
        """Refuse to be saved: a model contains information about its records."""
        raise InputError(
            "A fitted model is not saved: it contains information about the original records. "
            "Save the synthetic records, or fit it again."
        )
