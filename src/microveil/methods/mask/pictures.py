"""Pictures in binary cells: dropped, blurred or pixelated."""

from __future__ import annotations

import io
from typing import Any, Literal, NamedTuple

import polars as pl

from microveil.errors import ColumnError, InputError

Picture = Literal["drop", "blur", "pixelate"]

READABLE = ("PNG", "JPEG")
MOST_PIXELS = 50_000_000
"""A file may unpack to far more than it weighs: larger pictures are not opened."""


class Pictures(NamedTuple):
    """A column of masked pictures, and how many cells were no picture."""

    cells: pl.Series
    n_unfit: int


def refuse_others(frame: pl.DataFrame, columns: tuple[str, ...]) -> None:
    """Raise for columns that hold no binary cells."""
    wrong = [name for name in columns if frame.schema[name] not in (pl.Binary, pl.Null)]
    if wrong:
        raise ColumnError(
            "`picture` masks binary cells; column {wrong:quoted} holds others.", wrong=wrong
        )


def masked_pictures(column: pl.Series, how: Picture, detail: int) -> Pictures:
    """Each picture with at most so much detail; what is no PNG or JPEG is dropped.

    The picture is written anew, so that nothing that stood beside the pixels survives: place, time
    and camera are gone.
    """
    if how == "drop" or column.dtype == pl.Null:
        return Pictures(pl.Series(column.name, [None] * len(column), dtype=pl.Binary), 0)
    pillow = _pillow()
    cells = [None if cell is None else _mask_picture(pillow, cell, how, detail) for cell in column]
    n_unfit = sum(new is None and old is not None for new, old in zip(cells, column, strict=True))
    return Pictures(pl.Series(column.name, cells, dtype=pl.Binary), n_unfit)


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise InputError(
            "Blurring pictures needs the `pictures` extra: pip install 'microveil[pictures]'."
        ) from None
    return Image


def _mask_picture(pillow: Any, cell: bytes, how: Picture, detail: int) -> bytes | None:
    """One picture; none where the cell is not one that can be read."""
    try:
        with pillow.open(io.BytesIO(cell), formats=READABLE) as opened:
            kind = opened.format
            if opened.width * opened.height > MOST_PIXELS:
                return None
            picture = opened.convert("RGB" if kind == "JPEG" else "RGBA")
    except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError):
        return None
    share = detail / max(picture.size)
    small = tuple(max(round(side * share), 1) for side in picture.size)
    back = pillow.Resampling.NEAREST if how == "pixelate" else pillow.Resampling.BICUBIC
    # Fewer pixels first: what they average away no sharpening brings back.
    coarse = picture.resize(small, pillow.Resampling.BOX) if share < 1 else picture
    written = io.BytesIO()
    coarse.resize(picture.size, back).save(written, format=kind)
    return written.getvalue()
