"""Every threshold of the inspection, with its reason."""

from __future__ import annotations

from typing import Final

SAMPLE: Final = 2_000
"""Distinct values of a column that patterns see. A share of 2,000 is known to ± 2 %."""

ROWS_PER_VALUE: Final = 4
"""Rows drawn per value of the sample: values repeat, so more rows than values are needed."""

VALUES_ALONE: Final = 0.8
"""Share of values that must fit if the column's name does not help: a fifth may be errors."""

VALUES_NAMED: Final = 0.5
"""Share that must fit if the name agrees: half may be badly typed."""

FEWEST_VALUES: Final = 5
"""Fitting values below which a matching checksum may be chance (1 in 10 passes Luhn's)."""

FEWEST_RECORDS: Final = 20
"""Below this size nearly every column is nearly unique, so uniqueness proves nothing."""

NEARLY_UNIQUE: Final = 0.9
"""Distinct values per record at which a text column is an identifier whatever its name."""

MOSTLY_DISTINCT: Final = 0.5
"""Distinct values per record at which a number or code named like an id identifies records."""

ROWS_PER_ENTITY: Final = 1.1
"""Rows per id at which a table has several rows per person rather than a few duplicates."""

SAME_PERSON: Final = 0.97
"""Share of the rows of ids that agree on birth, sex and the like: a few are typed wrongly."""

MOST_ROWS_PER_ENTITY: Final = 0.1
"""Share of the table above which the average id is a group rather than a person."""

LARGEST_HOUSEHOLD: Final = 30
"""Average rows per household id above which it is an area or an institution."""

CATEGORIES: Final = 50
"""Distinct whole numbers up to which a column is categorical, beyond which it is a measure."""

FEW_CATEGORIES: Final = 12
"""Distinct values that a column of sexes, statuses or the like can have with all its spellings."""

BATTERY: Final = 8
"""Numbered columns of one name and few values from which they are answers to questions."""

SHORTEST_GROUP: Final = 4
"""Digits from which numbers that equally many records share look dealt out to groups."""

EVENLY: Final = 0.95
"""Share of the numbers that must occur in equally many records for these to be dealt out."""

RISKY_UNIQUENESS: Final = 0.05
"""Share of unique records at which a quasi-identifier should be coarsened first."""

DEPENDENCY_VALUES: Final = 200
"""Distinct values up to which columns are compared with each other: codes and labels are few."""

DEPENDENCY_ROWS: Final = 1_000
"""Rows on which a dependency is refuted before it is confirmed on all of them."""

DEPENDENCY_CHANCE: Final = 1e-6
"""Probability below which a dependency between two columns is no accident."""

PAIRED_COLUMNS: Final = 4
"""Number of the most identifying quasi-identifiers that are also paired: six pairs."""

SHORTEST_ID: Final = 6
"""Digits at which unique whole numbers of equal length look assigned rather than measured."""

OLDEST_YEAR: Final = 1900
"""Nobody alive was born earlier."""

OLDEST_AGE: Final = 125
"""Longest human life, rounded up."""

LIFETIME_SPAN: Final = 25
"""Years between the 5 % and 95 % quantile at which dates look like births, not events."""

LONG_TEXT: Final = 40
"""Characters at which text of several words is a sentence rather than a label."""

MANY_KEYS: Final = 12
"""Quasi-identifiers beyond which k-anonymity over all of them leaves little of the data."""

MANY_AMOUNTS: Final = 200
"""Distinct amounts from which their spread tells what they may be."""

USUAL_AMOUNT: Final = 50
"""Median from which unrecognised amounts may be money: scores and counts are smaller."""

MANY_TIMES: Final = 3
"""Times the median that the largest hundredth of amounts of money exceeds."""

MOST_CODES: Final = 0.15
"""Distinct values per record up to which numbers of one length are codes."""

SHORTEST_CODE: Final = 3
"""Digits from which numbers of one length may be codes: ages have two."""

GAPS: Final = 1.3
"""Range of the numbers over their count: codes leave numbers out."""

LIGHTEST: Final = 8
"""Median body weight of small children, in kilograms."""

HEAVIEST: Final = 260
"""Median body weight of adults, in pounds, at most."""
