"""Every threshold of the inspection, with its reason."""

from __future__ import annotations

from typing import Final

SAMPLE: Final = 2_000
"""Distinct values of a column that the patterns see. A share of 2,000 is known to ± 2 %."""

ROWS_PER_VALUE: Final = 4
"""Rows drawn per value of the sample: columns repeat themselves, so more rows than values."""

VALUES_ALONE: Final = 0.8
"""Share of values that must fit when the column's name does not help: a fifth may be dirt."""

VALUES_NAMED: Final = 0.5
"""Share that must fit when the name points the same way: half may be typed badly."""

FEWEST_VALUES: Final = 5
"""Fitting values below which digits that fit a checksum may be chance (1 in 10 fits Luhn's)."""

FEWEST_RECORDS: Final = 20
"""Below this size nearly every column is nearly unique, so uniqueness proves nothing."""

NEARLY_UNIQUE: Final = 0.9
"""Distinct values per record from which a text column is an identifier whatever its name."""

MOSTLY_DISTINCT: Final = 0.5
"""Distinct values per record from which a number or code named like an id tells records apart."""

ROWS_PER_ENTITY: Final = 1.1
"""Rows per id from which a table has several rows per person rather than a few doubles."""

MOST_ROWS_PER_ENTITY: Final = 0.1
"""Share of the table above which the average id is no person but a group."""

LARGEST_HOUSEHOLD: Final = 30
"""Average rows per household id above which it is an area or an institution."""

CATEGORIES: Final = 50
"""Distinct whole numbers up to which a column is read as categories, beyond as a measure."""

FEW_CATEGORIES: Final = 12
"""Distinct values that a column of sexes, statuses or the like can have with all its spellings."""

RISKY_UNIQUENESS: Final = 0.05
"""Share of records alone with their value from which a quasi-identifier needs coarsening first."""

DEPENDENCY_VALUES: Final = 200
"""Distinct values up to which columns are compared with each other: codes and labels are few."""

DEPENDENCY_ROWS: Final = 1_000
"""Rows on which a dependency is refuted before it is confirmed on all of them."""

DEPENDENCY_CHANCE: Final = 1e-6
"""Chance below which a dependency between two columns is no accident."""

PAIRED_COLUMNS: Final = 4
"""Most telling quasi-identifiers that are also looked at in pairs: six pairs."""

SHORTEST_ID: Final = 6
"""Digits from which unique whole numbers of equal length look dealt out rather than measured."""

OLDEST_YEAR: Final = 1900
"""Nobody alive was born earlier."""

OLDEST_AGE: Final = 125
"""Longest human life, rounded up."""

LIFETIME_SPAN: Final = 25
"""Years between the 5 % and 95 % quantile from which dates look like births, not like events."""

LONG_TEXT: Final = 40
"""Characters from which a text of several words is a sentence rather than a label."""

MANY_KEYS: Final = 12
"""Quasi-identifiers beyond which one set of keys leaves little of the data under k-anonymity."""
