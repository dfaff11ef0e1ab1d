from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import Field, TypeAdapter

from microveil.errors import SpecError
from microveil.specs import Registry, Spec


class Shape(Spec):
    """Something drawn."""

    tag: ClassVar[str] = "shape"


class Circle(Shape):
    """A circle.

    Round.
    """

    shape: Literal["circle"] = "circle"
    radius: float = Field(gt=0)
    """How far its edge is."""
    colour: str = "red"


class Dot(Shape):
    """A dot."""

    shape: Literal["dot"] = "dot"
    times: int = 1


SHAPES = Registry[Shape]("shape", Circle, Dot)


class Drawing(Spec):
    """Shapes."""

    shapes: tuple[Annotated[Shape, SHAPES], ...] = ()


def test_plain_data_have_the_kind_first_and_no_defaults() -> None:
    assert Circle(radius=2).to_dict() == {"shape": "circle", "radius": 2.0}
    assert list(Circle(radius=2, colour="blue").to_dict()) == ["shape", "radius", "colour"]
    drawing = Drawing(shapes=(Circle(radius=2), Dot()))
    assert drawing.to_dict() == {"shapes": [{"shape": "circle", "radius": 2.0}, {"shape": "dot"}]}
    assert Drawing.parse(drawing.to_dict()) == drawing


def test_all_problems_are_told_at_once_with_their_place_and_no_value() -> None:
    raw = {"shapes": [{"shape": "circle", "radius": -7.25}, {"shape": "dott"}, {"radius": 1}]}
    with pytest.raises(SpecError) as told:
        Drawing.parse(raw, "recipe.yaml")
    text = str(told.value)
    assert "shapes.0.circle.radius: Input should be greater than 0" in text
    assert "shapes.1: Unknown shape 'dott'. Did you mean 'dot'" in text
    assert "shapes.2: Give the shape" in text
    assert "-7.25" not in text
    assert "recipe.yaml" in text


def test_a_mistake_in_python_reads_like_one_in_a_file() -> None:
    with pytest.raises(SpecError, match=r"radus: Unknown field\. Did you mean 'radius'"):
        Circle(radius=1, radus=2)
    with pytest.raises(SpecError, match="Name the parameters: radius, colour"):
        Circle(2)  # type: ignore[call-arg]
    with pytest.raises(SpecError, match="radius: Field required"):
        Circle()  # type: ignore[call-arg]


def test_numbers_that_no_count_reaches_are_refused() -> None:
    with pytest.raises(SpecError, match="below 2\\^63"):
        Dot(times=2**63)
    with pytest.raises(SpecError, match="finite"):
        Circle(radius=float("inf"))


def test_a_spec_is_frozen_and_helps_by_its_docstrings() -> None:
    with pytest.raises(Exception, match="frozen"):
        Dot().times = 2
    schema = TypeAdapter(Circle).json_schema()
    assert schema["properties"]["radius"]["description"] == "How far its edge is."
    assert Circle.summary() == "A circle."
    assert Circle.kind() == "circle"


def test_a_registry_knows_its_classes_by_name() -> None:
    assert list(SHAPES) == [Circle, Dot]
    assert len(SHAPES) == 2
    assert "dot" in SHAPES
    assert SHAPES["dot"] is Dot
    assert SHAPES.parse({"shape": "dot", "times": 3}) == Dot(times=3)
    with pytest.raises(SpecError, match=r"Unknown shape 'cicle'\. Did you mean 'circle'"):
        SHAPES["cicle"]
    with pytest.raises(SpecError, match="Give the shape"):
        SHAPES.parse({"times": 3})


def test_what_contains_itself_is_refused() -> None:
    raw: dict[str, object] = {}
    raw["shapes"] = [raw]
    with pytest.raises(SpecError):
        Drawing.parse(raw)
