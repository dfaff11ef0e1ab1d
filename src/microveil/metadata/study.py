"""Study: what only people can say about a release, for its metadata."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Self

from pydantic import Field

from microveil.errors import FileError, system_reason
from microveil.files.sources import expand_home
from microveil.files.texts import parsed_yaml
from microveil.specs import Spec


class Study(Spec):
    """What a catalogue says about data beyond their columns. Everything in it is published.

    >>> Study(title="Living conditions 2024", license="CC-BY-4.0").title
    'Living conditions 2024'
    """

    title: str | None = None
    """Title of the data; by default the label of the file, or its name."""
    description: str | None = None
    """What the data are about: the abstract."""
    creator: str | None = None
    """Who collected or produced the data."""
    publisher: str | None = None
    """Who distributes them."""
    contact: str | None = None
    """Whom to ask."""
    license: str | None = None
    """License, as an address or a short name."""
    access: str | None = None
    """Conditions of access and use, in words."""
    url: str | None = None
    """Address of the page of the data."""
    identifier: str | None = None
    """Persistent identifier, such as a DOI."""
    version: str | None = None
    """Version of the release."""
    published: date | None = None
    """Day of publication; by default today."""
    language: str = "en"
    """Language of these texts (ISO 639-1)."""
    keywords: tuple[str, ...] = ()
    """Subjects."""
    universe: str | None = None
    """Who or what the data are about: the population."""
    unit: str | None = None
    """Unit of analysis: persons, households, stays."""
    country: str | None = None
    """Country or region that is covered."""
    period: str | None = None
    """Time that is covered, such as 2024 or 2020/2024."""
    collection: str | None = None
    """How the data were collected."""
    source: str | None = None
    """Name of what the release was made from, such as a register."""
    citation: str | None = None
    """How the data are to be cited."""
    uses: str | None = None
    """What the data are fit for."""
    biases: str | None = None
    """Known biases."""
    maintenance: str | None = None
    """How the release is kept up."""
    universes: Mapping[str, str] = Field(default_factory=dict)
    """Who each column is about, where that is not everybody."""

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a study from a YAML or JSON file."""
        try:
            text = expand_home(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = system_reason(error) if isinstance(error, OSError) else "not UTF-8 text"
            raise FileError(
                "{path}: cannot read the study ({reason}).", path=path, reason=reason
            ) from None
        raw: Any = parsed_yaml(text, str(path))
        return cls.parse(raw or {}, str(path))
