from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

import microveil as mv
from microveil.field_types import type_text
from microveil.specs import Spec
from microveil.tables.roles import Columns

SPECS = [
    one for name in dir(mv) if isinstance(one := getattr(mv, name), type) and issubclass(one, Spec)
]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Columns, "str | Sequence[str]"),
        (int | float | None, "float | None"),
        (tuple[float, float], "Sequence[float]"),
        (tuple[int, str], "tuple[int, str]"),
        (dict[str, Literal["a"]], "Mapping[str, Literal['a']]"),
        (Annotated[Path, "somewhere"] | None, "str | Path | None"),
        (mv.HierarchyBuilder, "HierarchyBuilder | Mapping[str, Any] | str"),
        (Any, "Any"),
    ],
)
def test_a_type_is_written_as_callers_may_give_it(kind: Any, text: str) -> None:
    assert type_text(kind) == text


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.__name__)
def test_help_explains_every_parameter(spec: type[Spec]) -> None:
    shown = inspect.getdoc(spec) or ""
    for name, field in spec.__pydantic_fields__.items():
        if name != spec.tag:
            assert f"\n{field.alias or name} : " in shown
            assert field.alias or name in inspect.signature(spec).parameters
    assert "Annotated" not in f"{shown}{inspect.signature(spec)}"
    assert "Validator" not in f"{shown}{inspect.signature(spec)}"
    assert "Parameters\n" not in spec.summary()


def test_a_single_item_is_said_to_do_where_it_does() -> None:
    shown = str(inspect.signature(mv.Intervals))
    assert "width: float | Sequence[float]" in shown
    assert mv.Intervals(width=10) == mv.Intervals(width=[10])


def test_the_stub_is_what_the_tool_writes() -> None:
    tool = Path(__file__).parents[1] / "tools" / "public-stub"
    done = subprocess.run([sys.executable, tool, "--check"], check=False, capture_output=True)  # noqa: S603  our own tool
    assert done.returncode == 0, "run tools/public-stub"
