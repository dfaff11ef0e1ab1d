"""Reading: what a recipe says about how its data are read, by column and for the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_serializer, model_validator

from microveil.errors import InputError
from microveil.files.columns.date_formats import check_format, type_of
from microveil.files.columns.missing_codes import Code
from microveil.specs import Spec
from microveil.texts import phrase

TypeWord = Literal["text", "integer", "number", "boolean", "date", "datetime", "instant"]


class ColumnReading(Spec):
    """How one column is read: its type or date format, and what its missing cells look like.

    >>> ColumnReading.parse("%d/%m/%Y").format, ColumnReading.parse("text").type
    (('%d/%m/%Y',), 'text')
    """

    type: TypeWord | None = None
    """Type of the cells; a date without a format is an ISO date."""
    format: tuple[str, ...] = ()
    """How dates are written, ``%d/%m/%Y``; of several formats, the first that fits a cell. One
    without a day gives the first day of its month or year."""
    missing: tuple[Code, ...] = ()
    """Codes and words that stand for a missing cell: ``[9999, "NA"]``."""
    unreadable: Literal["refuse", "missing"] = "refuse"
    """What happens if cells cannot be read so: the run is refused, or they become missing."""
    pivot: Annotated[int, Field(ge=0, le=99)] = 29
    """Two-digit years up to this one are of the 2000s, those above it of the 1900s."""
    since: str | None = None
    """For a new column: the column of dates that the time is counted from, such as admission."""
    until: str | None = None
    """For a new column: the column of dates that the time is counted to, such as discharge."""
    unit: Literal["days", "weeks", "years"] = "days"
    """Whether a new column counts days, or completed weeks or years."""

    @model_validator(mode="before")
    @classmethod
    def _from_one_word(cls, raw: object) -> object:
        if isinstance(raw, str):
            return {"format": (raw,)} if "%" in raw else {"type": raw}
        if isinstance(raw, Mapping) and isinstance(raw.get("format"), str):
            return {**raw, "format": (raw["format"],)}
        return raw

    @field_validator("format")
    @classmethod
    def _formats_are_known(cls, formats: tuple[str, ...]) -> tuple[str, ...]:
        for written in formats:
            try:
                check_format(written)
            except InputError as error:
                raise ValueError(error.message) from None  # listed with the other problems
        return formats

    @model_validator(mode="after")
    def _formats_are_dates(self) -> Self:
        if self.format and self.type not in (None, "date", "datetime", "instant"):
            raise ValueError(
                phrase(
                    "a format is for dates: leave out the type {type}, or the format",
                    type=self.type,
                )
            )
        if len({type_of(one) == "instant" for one in self.format} | self._asks_for_zone()) > 1:
            raise ValueError("times with and without a zone cannot be read into one column")
        return self

    @model_validator(mode="after")
    def _new_columns_are_counted(self) -> Self:
        if (self.since is None) != (self.until is None):
            raise ValueError("a new column needs both: `since` one date `until` another")
        if self.derived and (self.type is not None or self.format or self.missing):
            raise ValueError("a new column is counted, not read: leave out type, format, missing")
        if not self.derived and self.unit != "days":
            raise ValueError("`unit` goes with `since` and `until`")
        return self

    @property
    def derived(self) -> bool:
        """Whether it is a new column, made from two others."""
        return self.since is not None

    def _asks_for_zone(self) -> set[bool]:
        """Whether the type asks for a zone, if it says anything about one."""
        return {self.type == "instant"} if self.format and self.type == "instant" else set()

    @property
    def becomes(self) -> str | None:
        """The type that the column gets; None if only missing cells are named."""
        if self.type is not None or not self.format:
            return self.type
        found = [type_of(one) for one in self.format]
        return next((one for one in ("instant", "datetime") if one in found), "date")

    def to_plain(self) -> str | dict[str, Any]:
        """Plain data: one word where that says all."""
        plain = self.to_dict()
        if isinstance(plain.get("format"), list) and len(plain["format"]) == 1:
            plain["format"] = plain["format"][0]
        if len(plain) == 1 and isinstance(word := next(iter(plain.values())), str):
            return word if set(plain) <= {"type", "format"} else plain
        return plain


class FileReading(Spec):
    """How the file is read, where that cannot be seen from the file itself."""

    separator: str | None = None
    """Field separator of a CSV file."""
    encoding: str | None = None
    """Encoding of a CSV file: ``utf-8``, ``windows-1252`` …"""
    decimal: Literal[".", ","] | None = None
    """Decimal mark of numbers in a CSV file."""
    dates: bool | None = None
    """Whether ISO dates in text files become dates; true by default."""
    sheet: str | int | None = None
    """Sheet of a workbook, by name or by number from 1."""
    table: str | None = None
    """Table of a database."""
    labels: str | None = None
    """Code book of the data: a CSV file with column, code and label."""


class Reading(Spec):
    """How data are read: types and date formats by column, and options of the file.

    In a file the columns stand beside ``file``; ``columns`` holds them where one has such a name.

    >>> Reading.parse({"birth": "%d/%m/%Y", "file": {"separator": ";"}}).to_dict()
    {'birth': '%d/%m/%Y', 'file': {'separator': ';'}}
    """

    columns: Mapping[str, ColumnReading] = Field(default_factory=dict)
    """How columns are read: a type, a date format, or both with missing codes."""
    file: FileReading = FileReading()
    """Options of the file."""

    @model_validator(mode="before")
    @classmethod
    def _columns_beside_file(cls, raw: object) -> object:
        if not isinstance(raw, Mapping):
            return raw
        own = {
            name: raw[name]
            for name in ("columns", "file")
            if isinstance(raw.get(name), Mapping | FileReading)
        }
        beside = {name: value for name, value in raw.items() if name not in own}
        columns = {**own.get("columns", {}), **beside}
        return {"columns": columns} | ({"file": own["file"]} if "file" in own else {})

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.columns) or self.file != FileReading()

    @model_serializer
    def _as_written(self) -> dict[str, Any]:
        return self.to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as a recipe file has them."""
        columns = {name: one.to_plain() for name, one in self.columns.items()}
        if {"columns", "file"} & set(columns):
            columns = {"columns": columns}
        said = self.file.to_dict()
        return columns | ({"file": said} if said else {})

    @classmethod
    def of_options(cls, options: Mapping[str, Any]) -> Reading:
        """What the options of :func:`microveil.read` say, as a recipe says it.

        >>> Reading.of_options({"separator": ";", "sheet": None, "types": {"a": "text"}}).to_dict()
        {'a': 'text', 'file': {'separator': ';'}}
        """
        said = {name: one for name, one in options.items() if name in FileReading.model_fields}
        return cls(file=FileReading.parse(said)).with_columns(options.get("types") or {})

    def options(self) -> dict[str, Any]:
        """The same as options of :func:`microveil.read`, in plain data."""
        types = {name: one.to_plain() for name, one in self.columns.items()}
        return self.file.to_dict() | ({"types": types} if types else {})

    def with_columns(self, columns: Mapping[str, object]) -> Reading:
        """The same reading with more columns, which come before its own."""
        more = {name: ColumnReading.parse(one) for name, one in columns.items()}
        return self.model_copy(update={"columns": {**self.columns, **more}})

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        """Columns beside ``file``, each one word or a mapping."""
        found: dict[str, Any] = super().__get_pydantic_json_schema__(schema, handler)
        plain = handler.resolve_ref_schema(found)
        one = plain["properties"]["columns"]["additionalProperties"]
        column = {"anyOf": [{"type": "string"}, one]}
        plain["properties"]["columns"]["additionalProperties"] = column
        plain["additionalProperties"] = column
        return found
