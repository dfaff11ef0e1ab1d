"""What the tests of masks ask of the step."""

from __future__ import annotations

from typing import Any

import numpy as np

from microveil.methods.mask.step import Mask
from microveil.tables import Table


def masked(values: list[Any], **how: Any) -> list[str | None]:
    result: list[str | None] = Mask(columns="x", **how).protect({"x": values})["x"].to_list()
    return result


def facts(values: list[Any], **how: Any) -> Any:
    return Mask(columns="x", **how).apply(Table({"x": values}), np.random.default_rng(0)).facts
