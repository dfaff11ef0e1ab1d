"""Files of statistics packages: SPSS, Stata, SAS and R."""

from microveil.files.statistical.packages import (
    EXACT,
    back,
    load,
    load_labelled,
    read_labels,
    sink,
    to_stored,
)

__all__ = ["EXACT", "back", "load", "load_labelled", "read_labels", "sink", "to_stored"]
