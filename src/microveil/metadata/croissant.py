"""Croissant 1.1: JSON-LD that machine-learning tools read, with provenance and RAI fields."""

from __future__ import annotations

import json
import re
from typing import Any

from microveil.metadata.model import DataFile, DataTable, Metadata, Variable

CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
_PLAIN = (
    "column containedIn equivalentProperty extract field fileProperty fileObject fileSet format "
    "includes isArray arrayShape isLiveDataset jsonPath key md5 parentField path recordSet "
    "references regex repeated replace samplingRate separator source subField transform"
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "citeAs": "cr:citeAs",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
    **{word: f"cr:{word}" for word in _PLAIN.split()},
}
"""The context that the standard prescribes, and PROV."""
MEDIA_TYPES = {
    "csv": "text/csv",
    "parquet": "application/x-parquet",
    "json": "application/json",
    "jsonl": "application/jsonlines",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "spss": "application/x-spss-sav",
    "stata": "application/x-stata-dta",
}
_TYPES = {
    "boolean": "sc:Boolean",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "date": "sc:Date",
    "datetime": "sc:DateTime",
    "time": "sc:Time",
    "text": "sc:Text",
    "other": "sc:Text",
}


def croissant_of(metadata: Metadata) -> str:
    """The metadata as Croissant 1.1."""
    study, files = metadata.study, [_file_of(one) for one in metadata.tables]
    about: dict[str, Any] = {
        "@context": CONTEXT | {"@language": study.language},
        "@type": "sc:Dataset",
        "name": {study.language: metadata.title},
        "description": {study.language: study.description or metadata.title},
        "conformsTo": list(CONFORMS_TO),
        "url": study.url,
        "license": study.license,
        "citeAs": study.citation,
        "identifier": study.identifier,
        "creator": _organization(study.creator),
        "publisher": _organization(study.publisher),
        "keywords": list(study.keywords),
        "inLanguage": study.language,
        "temporalCoverage": study.period,
        "spatialCoverage": study.country,
        "datePublished": metadata.date,
        "version": study.version,
        **_responsible(metadata),
        **_provenance(metadata),
        "isLiveDataset": True if any(one.sha256 is None for one in files) else None,
        "distribution": [_file(one) for one in files],
        "recordSet": _record_sets(metadata),
    }
    told = {name: value for name, value in about.items() if value not in (None, [], "")}
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def media_type(format_name: str) -> str:
    """The media type of a format."""
    return MEDIA_TYPES.get(format_name, "application/octet-stream")


def _organization(name: str | None) -> dict[str, str] | None:
    return None if name is None else {"@type": "sc:Organization", "name": name}


def _responsible(metadata: Metadata) -> dict[str, Any]:
    """The RAI fields: how the data came to be, and what to mind."""
    study = metadata.study
    return {
        "rai:dataCollection": study.collection,
        "rai:dataPreprocessingProtocol": list(metadata.protection),
        "rai:dataLimitations": list(metadata.limitations),
        "rai:dataBiases": [study.biases] if study.biases else [],
        "rai:dataUseCases": [study.uses] if study.uses else [],
        "rai:dataReleaseMaintenancePlan": study.maintenance,
        "rai:personalSensitiveInformation": [_personal(metadata)],
        "rai:dataCollectionMissingData": _missing(metadata),
    }


def _personal(metadata: Metadata) -> str:
    if metadata.synthetic:
        return "The records are synthetic: no record is that of a person."
    return "Direct identifiers were removed, and the data were protected against disclosure."


def _missing(metadata: Metadata) -> str | None:
    named = [one.name for table in metadata.tables for one in table.variables if one.has_missing]
    return f"Cells are missing in: {', '.join(dict.fromkeys(named))}." if named else None


def _provenance(metadata: Metadata) -> dict[str, Any]:
    activity: dict[str, Any] = {
        "@type": "prov:Activity",
        "prov:label": "statistical disclosure control",
        "prov:endedAtTime": metadata.date,
        "prov:wasAssociatedWith": {"@type": "prov:SoftwareAgent", "prov:label": metadata.software},
    }
    told: dict[str, Any] = {"prov:wasGeneratedBy": activity}
    if metadata.study.source:
        told["prov:wasDerivedFrom"] = {
            "@type": "prov:Entity",
            "prov:label": metadata.study.source,
        }
    return told


def _file_of(table: DataTable) -> DataFile:
    """The file of a table; where there is none (yet), as in a database, one by its name."""
    return table.file or DataFile(table.name, "")


def _file(file: DataFile) -> dict[str, Any]:
    told = {
        "@type": "cr:FileObject",
        "@id": _id("file", file.name),
        "name": file.name,
        "contentUrl": file.name,
        "encodingFormat": media_type(file.format),
        "contentSize": None if file.n_bytes is None else f"{file.n_bytes} B",
        "sha256": file.sha256,
    }
    return {name: value for name, value in told.items() if value is not None}


def _record_sets(metadata: Metadata) -> list[dict[str, Any]]:
    made = []
    for table in metadata.tables:
        made += [_enumeration(table, one) for one in table.variables if _has_labels(one)]
        made.append(_records(metadata, table))
    return made


def _records(metadata: Metadata, table: DataTable) -> dict[str, Any]:
    lang = metadata.study.language
    told: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": _id(table.name),
        "name": {lang: table.name},
        "field": [_field(metadata, table, one) for one in table.variables],
    }
    key = next((one for one in table.variables if one.role == "key" and not one.references), None)
    if key is not None:
        told["key"] = {"@id": _id(table.name, key.name)}
    return told


def _field(metadata: Metadata, table: DataTable, variable: Variable) -> dict[str, Any]:
    lang = metadata.study.language
    told: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": _id(table.name, variable.name),
        "name": {lang: variable.name},
        "description": {lang: _words(variable)},
        "dataType": _TYPES[variable.kind],
    }
    told["source"] = {
        "fileObject": {"@id": _id("file", _file_of(table).name)},
        "extract": {"column": variable.name},
    }
    if variable.references is not None:
        told["references"] = {"field": {"@id": _id(*variable.references)}}
    return told


def _has_labels(variable: Variable) -> bool:
    return any(one.label for one in variable.categories)


def _enumeration(table: DataTable, variable: Variable) -> dict[str, Any]:
    """The codes of a variable with their labels.

    The field does not refer to them: readers would join, and lose records of codes without label.
    """
    name = f"{_id(table.name, variable.name)}/codes"
    rows = [
        {f"{name}/value": one.value, f"{name}/name": one.label or one.value}
        for one in variable.categories
    ]
    fields = [
        {"@type": "cr:Field", "@id": f"{name}/{what}", "name": what, "dataType": "sc:Text"}
        for what in ("value", "name")
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": f"Codes of {variable.name}",
        "dataType": "sc:Enumeration",
        "key": {"@id": f"{name}/value"},
        "field": fields,
        "data": rows,
    }


def _words(variable: Variable) -> str:
    """What a column means, who it is about, and what was done to it."""
    parts = [
        variable.label,
        variable.role_words,
        variable.universe and f"Universe: {variable.universe}",
    ]
    told = [f"{one.rstrip('.')}." for one in parts if one]
    return " ".join([*told, *(one.sentence for one in variable.treatments)]) or variable.name


def _id(*names: str) -> str:
    """An identifier within the file: no sign in it that an address reads otherwise."""
    return "/".join(re.sub(r"[^\w.-]", "_", name) for name in names)
