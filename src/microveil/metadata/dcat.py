"""DCAT 3: JSON-LD that data catalogues harvest."""

from __future__ import annotations

import json
from typing import Any

from microveil.metadata.croissant import media_type
from microveil.metadata.model import DataFile, Metadata

CONTEXT = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
MEDIA = "https://www.iana.org/assignments/media-types/"


def dcat_of(metadata: Metadata) -> str:
    """The metadata as a dataset of DCAT."""
    study = metadata.study
    about: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "dcat:Dataset",
        "@id": study.url,
        "dct:title": _text(metadata.title, study.language),
        "dct:description": _text(study.description or metadata.title, study.language),
        "dct:identifier": study.identifier,
        "dct:issued": {"@value": metadata.date, "@type": "xsd:date"},
        "dct:creator": _agent(study.creator),
        "dct:publisher": _agent(study.publisher),
        "dct:language": study.language,
        "dct:spatial": _thing("dct:Location", study.country),
        "dct:temporal": _thing("dct:PeriodOfTime", study.period),
        "dct:accessRights": _thing("dct:RightsStatement", study.access),
        "dct:license": _license(study.license),
        "dct:bibliographicCitation": study.citation,
        "dct:provenance": _thing("dct:ProvenanceStatement", " ".join(metadata.protection)),
        "dcat:contactPoint": _contact(study.contact),
        "dcat:keyword": [_text(word, study.language) for word in study.keywords],
        "dcat:landingPage": None if study.url is None else {"@id": study.url},
        "dcat:version": study.version,
        "prov:wasDerivedFrom": _thing("prov:Entity", study.source),
        "dcat:distribution": [
            _distribution(metadata, one.file) for one in metadata.tables if one.file is not None
        ],
    }
    told = {name: value for name, value in about.items() if value not in (None, [], "")}
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _text(text: str, language: str) -> dict[str, str]:
    return {"@value": text, "@language": language}


def _thing(kind: str, text: str | None) -> dict[str, str] | None:
    return {"@type": kind, "rdfs:label": text} if text else None


def _agent(name: str | None) -> dict[str, str] | None:
    return {"@type": "foaf:Agent", "foaf:name": name} if name else None


def _contact(text: str | None) -> dict[str, Any] | None:
    if not text:
        return None
    mail = "@" in text and " " not in text
    said = {"vcard:hasEmail": {"@id": f"mailto:{text}"}} if mail else {"vcard:fn": text}
    return {"@type": "vcard:Kind", **said}


def _license(text: str | None) -> dict[str, str] | None:
    if not text:
        return None
    if "://" in text:
        return {"@id": text}
    return _thing("dct:LicenseDocument", text)


def _distribution(metadata: Metadata, file: DataFile) -> dict[str, Any]:
    url = metadata.study.url
    told: dict[str, Any] = {
        "@type": "dcat:Distribution",
        "dct:title": file.name,
        "dcat:accessURL": None if url is None else {"@id": url},
        "dcat:mediaType": {"@id": MEDIA + media_type(file.format)},
        "dct:license": _license(metadata.study.license),
    }
    if file.n_bytes is not None:
        told["dcat:byteSize"] = {
            "@value": str(file.n_bytes),
            "@type": "xsd:nonNegativeInteger",
        }
    if file.sha256 is not None:
        told["spdx:checksum"] = {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": {"@value": file.sha256, "@type": "xsd:hexBinary"},
        }
    return {name: value for name, value in told.items() if value is not None}
