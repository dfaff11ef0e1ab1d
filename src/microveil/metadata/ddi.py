"""DDI-Codebook 2.6: the codebook that data archives read.

Elements, their order and their attributes are those of the schema of the DDI Alliance
(ddi:codebook:2_6).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from microveil.metadata.model import Category, DataTable, Metadata, Variable

NAMESPACE = "ddi:codebook:2_6"
PLACE = "https://ddialliance.org/Specification/DDI-Codebook/2.6/XMLSchema/codebook.xsd"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_XML_LANG = "xml:lang"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Element = ET.Element


def ddi_of(metadata: Metadata) -> str:
    """The metadata as a DDI-Codebook 2.6 file."""
    root = Element(
        "codeBook",
        {
            "xmlns": NAMESPACE,
            "xmlns:xsi": _XSI,
            "xsi:schemaLocation": f"{NAMESPACE} {PLACE}",
            "version": "2.6",
            _XML_LANG: metadata.study.language,
        },
    )
    _document(root, metadata)
    _study(root, metadata)
    for number, table in enumerate(metadata.tables, 1):
        _file(root, metadata, table, number)
    data = _add(root, "dataDscr")
    for number, table in enumerate(metadata.tables, 1):
        for place, variable in enumerate(table.variables, 1):
            _variable(data, table, variable, number, place)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add(
    parent: Element, name: str, text: str | None = None, /, **attributes: str | None
) -> Element:
    """A new child; what XML cannot hold is left out of its text."""
    told = {key: _clean(value) for key, value in attributes.items() if value is not None}
    made = ET.SubElement(parent, name, told)
    if text is not None:
        made.text = _clean(text)
    return made


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("", text)


def _maybe(parent: Element, name: str, text: str | None, /, **attributes: str | None) -> None:
    if text:
        _add(parent, name, text, **attributes)


def _document(root: Element, metadata: Metadata) -> None:
    """Who made this file, and when."""
    citation = _add(_add(root, "docDscr"), "citation")
    title = _add(citation, "titlStmt")
    _add(title, "titl", f"Codebook: {metadata.title}")
    made = _add(citation, "prodStmt")
    _maybe(made, "producer", metadata.study.publisher or metadata.study.creator)
    _add(made, "prodDate", metadata.date, date=metadata.date)
    _add(made, "software", metadata.software)


def _study(root: Element, metadata: Metadata) -> None:
    study, about = metadata.study, _add(root, "stdyDscr")
    _citation(about, metadata)
    _scope(about, metadata)
    method = _add(about, "method")
    if study.collection:
        _add(_add(method, "dataColl"), "collMode", study.collection)
    for sentence in metadata.protection:
        _add(method, "dataProcessing", sentence, **{_XML_LANG: "en"})
    use = _add(_add(about, "dataAccs"), "useStmt")
    _maybe(use, "restrctn", study.access)
    _maybe(use, "contact", study.contact)
    _maybe(use, "citReq", study.citation)
    for sentence in metadata.limitations:
        _add(use, "disclaimer", sentence, **{_XML_LANG: "en"})


def _citation(about: Element, metadata: Metadata) -> None:
    study, citation = metadata.study, _add(about, "citation")
    title = _add(citation, "titlStmt")
    _add(title, "titl", metadata.title)
    _maybe(title, "IDNo", study.identifier)
    if study.creator:
        _add(_add(citation, "rspStmt"), "AuthEnty", study.creator)
    made = _add(citation, "prodStmt")
    _maybe(made, "producer", study.creator)
    _maybe(made, "copyright", study.license)
    _add(made, "prodDate", metadata.date, date=metadata.date)
    _add(made, "software", metadata.software)
    if study.publisher or study.contact:
        out = _add(citation, "distStmt")
        _maybe(out, "distrbtr", study.publisher, URI=study.url)
        _maybe(out, "contact", study.contact)
    if study.version:
        _add(_add(citation, "verStmt"), "version", study.version, date=metadata.date)
    _maybe(citation, "biblCit", study.citation)
    if study.url:
        _add(citation, "holdings", URI=study.url)


def _scope(about: Element, metadata: Metadata) -> None:
    study, scope = metadata.study, _add(about, "stdyInfo")
    if study.keywords:
        subject = _add(scope, "subject")
        for word in study.keywords:
            _add(subject, "keyword", word)
    _maybe(scope, "abstract", study.description)
    summary = _add(scope, "sumDscr")
    _maybe(summary, "timePrd", study.period)
    _maybe(summary, "nation", study.country)
    _maybe(summary, "anlyUnit", study.unit)
    _maybe(summary, "universe", study.universe)
    if metadata.synthetic:
        _add(summary, "dataKind", "synthetic data", **{_XML_LANG: "en"})


def _file(root: Element, metadata: Metadata, table: DataTable, number: int) -> None:
    about = _add(root, "fileDscr", ID=f"F{number}")
    text = _add(about, "fileTxt")
    file = table.file
    _add(text, "fileName", table.name if file is None else file.name)
    if file is not None and file.sha256:
        print_ = _add(text, "dataFingerprint", type="dataFile")
        _add(print_, "digitalFingerprintValue", file.sha256)
        _add(print_, "algorithmSpecification", "SHA-256")
    several = len(metadata.tables) > 1
    _add(text, "fileStrc", type="relational" if several else "rectangular")
    size = _add(text, "dimensns")
    _add(size, "caseQnty", str(table.n_records))
    _add(size, "varQnty", str(len(table.variables)))
    if file is not None:
        _add(text, "fileType", file.format)


def _variable(data: Element, table: DataTable, variable: Variable, number: int, place: int) -> None:
    weight = table.weight
    at = {one.name: f"V{number}_{spot}" for spot, one in enumerate(table.variables, 1)}
    many = variable.kind in ("integer", "number") and not variable.categories
    about = _add(
        data,
        "var",
        **{
            "ID": f"V{number}_{place}",
            "name": variable.name,
            "files": f"F{number}",
            "intrvl": "contin" if many and variable.role in (None, "weight") else "discrete",
            "wgt": "wgt" if variable.role == "weight" else None,
            "wgt-var": at[weight.name] if weight is not None and variable.role is None else None,
            "temporal": "Y" if variable.kind in ("date", "datetime", "time") else None,
            "representationType": _representation(variable),
        },
    )
    _maybe(about, "labl", variable.label, level="variable")
    if variable.range is not None:
        low, high = (end.replace(",", "") for end in variable.range)
        units = "INT" if variable.kind == "integer" else "REAL"
        _add(_add(about, "valrng"), "range", UNITS=units, min=low, max=high)
    _gaps(about, variable)
    _maybe(about, "universe", variable.universe)
    for category in variable.categories:
        _category(about, category)
    for sentence in _recoding(variable):
        _add(about, "codInstr", sentence, **{_XML_LANG: "en"})
    _format(about, variable)
    for sentence in _notes(variable):
        _add(about, "notes", sentence, **{_XML_LANG: "en"})


def _representation(variable: Variable) -> str:
    if variable.categories:
        return "code"
    if variable.kind in ("date", "datetime", "time"):
        return "datetime"
    return "numeric" if variable.kind in ("integer", "number") else "text"


def _gaps(about: Element, variable: Variable) -> None:
    """Codes that stand for kinds of missing."""
    gaps = [one for one in variable.categories if one.missing]
    if gaps:
        invalid = _add(about, "invalrng")
        for one in gaps:
            _add(invalid, "item", VALUE=one.value)


def _category(about: Element, category: Category) -> None:
    made = _add(about, "catgry", missing="Y" if category.missing else None)
    _add(made, "catValu", category.value)
    _maybe(made, "labl", category.label, level="category")


def _recoding(variable: Variable) -> Iterator[str]:
    return (one.sentence for one in variable.treatments if one.kind == "recoded")


def _format(about: Element, variable: Variable) -> None:
    numeric = variable.kind in ("integer", "number", "boolean")
    category = {"date": "date", "datetime": "date", "time": "time"}.get(variable.kind)
    _add(
        about,
        "varFormat",
        type="numeric" if numeric else "character",
        schema="ISO",
        category=category,
    )


def _notes(variable: Variable) -> Iterator[str]:
    if words := variable.role_words:
        yield f"{words}."
    if variable.references is not None:
        yield f"It repeats {'.'.join(variable.references)}."
    for one in variable.treatments:
        if one.kind != "recoded":
            yield one.sentence
    if not variable.complete:
        yield "Values that few records have are not listed."
