from __future__ import annotations

import pytest

from microveil.hierarchies.code_shapes import NACE_SECTIONS, SYSTEMS
from microveil.hierarchies.icd_blocks import CHAPTERS


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_shape_has_a_label_for_every_level(name: str) -> None:
    system = SYSTEMS[name]
    assert all(len(shape.labels) == len(system.levels) for shape in system.shapes)


def test_chapters_and_sections_do_not_overlap() -> None:
    ends = [end for first, last, _ in CHAPTERS for end in (first, last)]
    assert ends == sorted(ends)
    divisions = [end for first, last, _ in NACE_SECTIONS for end in (first, last)]
    assert divisions == sorted(divisions)
