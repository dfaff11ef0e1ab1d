"""DDI files: labels, codes and universes of the variables that an archive describes in XML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from microveil.errors import FileError, system_reason
from microveil.files.labels import Code, Labels, code_of
from microveil.files.sources import expand_home

Element = ET.Element


def read_ddi_labels(path: str | Path) -> Labels:
    """Labels from a DDI-Codebook file, of whatever version: names, codes, universes, the title.

    Where several languages are given, English is taken, otherwise the first.
    """
    root = _parse_file(path)
    if _name(root) != "codeBook":
        raise FileError(
            "{path} is not a DDI-Codebook file: it has no codeBook. Files of DDI-Lifecycle are not "
            "read; export it as DDI-Codebook, or write a code book in CSV.",
            path=path,
        )
    columns: dict[str, str] = {}
    values: dict[str, dict[Code, str]] = {}
    universes: dict[str, str] = {}
    for variable in _below(root, "var"):
        name = variable.get("name")
        if not name:
            continue
        if label := _text(variable, "labl"):
            columns[name] = label
        if universe := _text(variable, "universe"):
            universes[name] = universe
        if codes := dict(_codes(variable)):
            values[name] = codes
    title = next((_text_of(one) for one in _below(root, "titl")), None)
    return Labels(columns, values, title or None, universes=universes)


def _parse_file(path: str | Path) -> Element:
    try:
        content = expand_home(path).read_bytes()
    except OSError as error:
        reason = system_reason(error)
        raise FileError("{file} cannot be read: {reason}.", file=path, reason=reason) from None
    if b"<!ENTITY" in content:  # what an entity stands for could fill memory, or be another file
        raise FileError(
            "{path} declares entities, which are not read. Save it without them.", path=path
        )
    try:
        return ET.fromstring(content)  # noqa: S314  no entity is declared
    except (ET.ParseError, ValueError, LookupError):
        raise FileError("{path} is not valid XML. Export the DDI file again.", path=path) from None


def _name(element: Element) -> str:
    """The name of an element without its namespace, which differs from version to version."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _below(element: Element, name: str) -> Iterator[Element]:
    return (one for one in element.iter() if _name(one) == name)


def _children(element: Element, name: str) -> list[Element]:
    return [one for one in element if _name(one) == name]


def _text_of(element: Element) -> str:
    """All text of an element on one line."""
    return " ".join("".join(element.itertext()).split())


def _text(element: Element, name: str) -> str | None:
    """The text of a child, in English if there is a choice."""
    found = _children(element, name)
    chosen = next((one for one in found if _language(one).startswith("en")), None)
    if chosen is None:
        chosen = found[0] if found else None
    return None if chosen is None else _text_of(chosen) or None


def _language(element: Element) -> str:
    return element.get("{http://www.w3.org/XML/1998/namespace}lang", "").lower()


def _codes(variable: Element) -> Iterator[tuple[Code, str]]:
    for category in _children(variable, "catgry"):
        value, label = _text(category, "catValu"), _text(category, "labl")
        if value is not None and label is not None:
            yield _code(value), label


def _code(text: str) -> Code:
    """A code as statistics packages hold it: a number, Stata's ``.a`` as its letter, or text."""
    if len(text) == 2 and text[0] == "." and text[1].isalpha():  # noqa: PLR2004  a point, a letter
        return text[1].lower()
    return code_of(text)
