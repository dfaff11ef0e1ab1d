"""Write metadata: all formats into a folder, or one by the name of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from microveil.errors import InputError
from microveil.files.placing import Placing
from microveil.files.sources import expand_home
from microveil.files.texts import write_text
from microveil.metadata.codebooks import codebook_csv, codebook_page
from microveil.metadata.croissant import croissant_of
from microveil.metadata.dcat import dcat_of
from microveil.metadata.ddi import ddi_of
from microveil.metadata.model import Metadata

FORMATS: Mapping[str, Callable[[Metadata], str]] = {
    "codebook.html": codebook_page,
    "codebook.csv": codebook_csv,
    "ddi.xml": ddi_of,
    "croissant.json": croissant_of,
    "dcat.jsonld": dcat_of,
}
"""Files of a folder of metadata, each with what writes it."""
_SUFFIXES = {Path(name).suffix: name for name in FORMATS} | {".htm": "codebook.html"}


def metadata_files(target: str | Path) -> tuple[Path, ...]:
    """The files that metadata of this target are: one by its suffix, or five in a folder."""
    place = expand_home(target)
    if place.suffix.lower() in _SUFFIXES and not place.is_dir():
        return (place,)
    if place.suffix and not place.is_dir():
        raise InputError(
            f"{target}: metadata are .html or .csv (codebook), .xml (DDI), .json (Croissant) or "
            ".jsonld (DCAT). Change the suffix, or name a folder for all of them."
        )
    return tuple(place / name for name in FORMATS)


def write_metadata(
    metadata: Metadata, target: str | Path, placing: Placing | None = None
) -> tuple[Path, ...]:
    """Write the metadata to a folder (all formats), or to one file (the format of its suffix).

    All files appear together, or none; with ``placing``, together with everything else it places.
    """
    paths = metadata_files(target)
    texts = [FORMATS[_SUFFIXES[path.suffix.lower()]](metadata) for path in paths]
    with ExitStack() as together:
        placing = placing or together.enter_context(Placing())
        if len(paths) > 1:
            paths[0].parent.mkdir(exist_ok=True)
        for path, text in zip(paths, texts, strict=True):
            write_text(text, path, placing)
    return paths
