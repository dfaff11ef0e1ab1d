# The public names, as type checkers see them; `__init__.py` loads them on first use.
# Written by tools/public-stub.

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from microveil.dp.accounting import Event as Event
from microveil.dp.accounting import gaussian_delta as gaussian_delta
from microveil.dp.accounting import gaussian_epsilon as gaussian_epsilon
from microveil.dp.accounting import gaussian_mu as gaussian_mu
from microveil.dp.accounting import tight_delta as tight_delta
from microveil.dp.accounting import tight_epsilon as tight_epsilon
from microveil.dp.accounting import zcdp_epsilon as zcdp_epsilon
from microveil.dp.accounting import zcdp_rho as zcdp_rho
from microveil.dp.answering import answer as answer
from microveil.dp.answers import Answer as Answer
from microveil.dp.audits import Audit as Audit
from microveil.dp.audits import audit as audit
from microveil.dp.audits import audit_in_one_run as audit_in_one_run
from microveil.dp.coverage import Coverage as Coverage
from microveil.dp.coverage import coverage as coverage
from microveil.dp.declaration import Column as Column
from microveil.dp.declaration import Declaration as Declaration
from microveil.dp.declaration import Entity as Entity
from microveil.dp.declaration import PublicTable as PublicTable
from microveil.dp.dummy import dummy_table as dummy_table
from microveil.dp.filters import Filter as Filter
from microveil.dp.filters import as_filter as as_filter
from microveil.dp.marginals import marginals as marginals
from microveil.dp.mechanisms import above_threshold as above_threshold
from microveil.dp.mechanisms import exponential as exponential
from microveil.dp.mechanisms import gaussian as gaussian
from microveil.dp.mechanisms import laplace as laplace
from microveil.dp.mechanisms import laplace_density as laplace_density
from microveil.dp.mechanisms import randomized_response as randomized_response
from microveil.dp.mechanisms import report_noisy_max as report_noisy_max
from microveil.dp.mechanisms import response_loss as response_loss
from microveil.dp.prepared import Prepared as Prepared
from microveil.dp.prepared import prepare as prepare
from microveil.dp.prices.families import Families as Families
from microveil.dp.prices.families import disjoint as disjoint
from microveil.dp.prices.loss import Loss as Loss
from microveil.dp.prices.planning import BudgetPlan as BudgetPlan
from microveil.dp.prices.planning import plan as plan
from microveil.dp.prices.pricing import Price as Price
from microveil.dp.prices.pricing import price as price
from microveil.dp.queries import Contingency as _Contingency
from microveil.dp.queries import Correlation as _Correlation
from microveil.dp.queries import Count as _Count
from microveil.dp.queries import Covariance as _Covariance
from microveil.dp.queries import DistinctCount as _DistinctCount
from microveil.dp.queries import Histogram as _Histogram
from microveil.dp.queries import LinearRegression as _LinearRegression
from microveil.dp.queries import LogisticRegression as _LogisticRegression
from microveil.dp.queries import Mean as _Mean
from microveil.dp.queries import Median as _Median
from microveil.dp.queries import QUERIES as QUERIES
from microveil.dp.queries import Quantile as _Quantile
from microveil.dp.queries import Query as Query
from microveil.dp.queries import Sum as _Sum
from microveil.dp.queries import TopK as _TopK
from microveil.dp.queries import Variance as _Variance
from microveil.dp.responses import ResponseEstimate as ResponseEstimate
from microveil.dp.responses import estimate_responses as estimate_responses
from microveil.dp.session import Session as Session
from microveil.dp.spread import Noise as Noise
from microveil.dp.sql.parsing import Statement as Statement
from microveil.dp.sql.parsing import parse_sql as parse_sql
from microveil.dp.filters import And
from microveil.dp.filters import ColumnComparison
from microveil.dp.filters import Missing
from microveil.dp.filters import Or
from microveil.risk.membership import Membership

class Contingency(_Contingency):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        columns: str | Sequence[str],
    ) -> None: ...

class Correlation(_Correlation):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        columns: str | Sequence[str],
    ) -> None: ...

class Count(_Count):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str | None = ...,
    ) -> None: ...

class Covariance(_Covariance):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        columns: str | Sequence[str],
    ) -> None: ...

class DistinctCount(_DistinctCount):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str | None = ...,
    ) -> None: ...

class Histogram(_Histogram):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str,
        bins: int = ...,
        edges: Sequence[float] | None = ...,
    ) -> None: ...

class LinearRegression(_LinearRegression):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        target: str,
        features: str | Sequence[str],
    ) -> None: ...

class LogisticRegression(_LogisticRegression):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        target: str,
        features: str | Sequence[str],
    ) -> None: ...

class Mean(_Mean):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str,
    ) -> None: ...

class Median(_Median):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str,
        share: float = ...,
        points: int = ...,
    ) -> None: ...

class Quantile(_Quantile):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str,
        share: float = ...,
        points: int = ...,
    ) -> None: ...

class Sum(_Sum):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str,
    ) -> None: ...

class TopK(_TopK):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str,
        k: int = ...,
    ) -> None: ...

class Variance(_Variance):
    def __init__(
        self,
        *,
        where: ColumnComparison | Membership | Missing | And | Or | None | Any = ...,
        by: str | Sequence[str] = ...,
        join: str | Sequence[str] = ...,
        column: str,
    ) -> None: ...
