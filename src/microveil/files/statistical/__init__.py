"""Files of statistics packages: SPSS, Stata, SAS and R."""

from microveil.files.statistical.packages import (
    back,
    load,
    load_labelled,
    read_labels,
    sink,
    stored,
)

__all__ = ["back", "load", "load_labelled", "read_labels", "sink", "stored"]
