"""Pictures in binary cells: dropped, blurred, pixelated, never left as they are."""

from __future__ import annotations

import io

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import microveil as mv
from microveil.errors import ColumnError, SpecError

Image = pytest.importorskip("PIL.Image")


def picture(kind: str, size: tuple[int, int] = (60, 40)) -> bytes:
    """Noise: the finest detail there is."""
    rng = np.random.default_rng(1)
    pixels = rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    written = io.BytesIO()
    Image.fromarray(pixels).save(written, format=kind)
    return written.getvalue()


def opened(cell: bytes) -> NDArray[np.float64]:
    return np.asarray(Image.open(io.BytesIO(cell)).convert("RGB"), dtype=float)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize("how", ["blur", "pixelate"])
def test_a_picture_keeps_its_size_and_format_and_loses_its_detail(kind: str, how: str) -> None:
    cells = pl.Series([picture(kind), None])
    masked = mv.Mask.parse({"picture": how, "detail": 6}).protect(cells)
    assert masked[1] is None
    image = Image.open(io.BytesIO(masked[0]))
    assert (image.format, image.size) == (kind, (60, 40))
    assert opened(masked[0]).std() < 0.5 * opened(cells[0]).std()
    if (how, kind) == ("pixelate", "PNG"):
        assert len(np.unique(opened(masked[0]).reshape(-1, 3), axis=0)) <= 6 * 4


def test_what_stood_beside_the_pixels_is_gone() -> None:
    image = Image.open(io.BytesIO(picture("JPEG")))
    exif = Image.Exif()
    exif[0x010F] = "SECRET CAMERA"
    written = io.BytesIO()
    image.save(written, format="JPEG", exif=exif)
    assert b"SECRET CAMERA" in written.getvalue()
    masked = mv.Mask(picture="blur").protect(pl.Series([written.getvalue()]))
    assert b"SECRET CAMERA" not in masked[0]


def test_what_is_no_picture_is_emptied_and_counted() -> None:
    frame = pl.DataFrame({"photo": [picture("PNG"), b"not a picture", picture("PNG")[:90], None]})
    step = mv.Mask(columns="photo", picture="pixelate")
    outcome = step.apply(mv.Table(frame), np.random.default_rng(0))
    assert outcome.facts["n_unfit"] == {"photo": 2}
    assert outcome.table.frame["photo"].is_null().to_list() == [False, True, True, True]


def test_binary_cells_can_be_dropped_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    frame = pl.DataFrame({"photo": [b"x", b"y"]})
    assert mv.Mask(columns="photo", picture="drop").protect(frame)["photo"].null_count() == 2
    with pytest.raises(mv.InputError, match="pictures"):
        mv.Mask(columns="photo", picture="blur").protect(frame)


def test_other_columns_and_two_ways_are_refused() -> None:
    with pytest.raises(ColumnError, match="binary cells"):
        mv.Mask(columns="x", picture="drop").protect({"x": ["text"]})
    with pytest.raises(SpecError, match="Choose one way"):
        mv.Mask(columns="x", picture="drop", keep_start=1)
