"""The part of the DDI-Codebook 2.6 schema that is used, from what the standard says.

The schema itself is not redistributed here. Each line is an element with its children in their
order (``?`` at most one, ``+`` one or more, ``!`` exactly one, else any number), or its attributes;
children that are named stand in the official sequence, whether or not they are used. With
``MICROVEIL_DDI_SCHEMA`` naming the official ``codebook.xsd`` that one is taken instead.
"""

from __future__ import annotations

import os
from functools import cache

import xmlschema

NAMESPACE = "ddi:codebook:2_6"
CHILDREN = {
    "codeBook": "docDscr stdyDscr+ fileDscr dataDscr otherMat",
    "docDscr": "citation? guide docStatus docSrc notes",
    "stdyDscr": "citation+ studyAuthorization stdyInfo studyDevelopment method dataAccs "
    "metadataAccs othrStdyMat notes",
    "citation": "titlStmt! rspStmt? prodStmt? distStmt? serStmt verStmt biblCit holdings notes",
    "titlStmt": "titl! subTitl altTitl parTitl IDNo",
    "rspStmt": "AuthEnty othId",
    "prodStmt": "language producer copyright prodDate prodPlac software fundAg grantNo license",
    "distStmt": "distrbtr contact depositr depDate distDate",
    "verStmt": "version verResp notes",
    "stdyInfo": "studyBudget subject abstract sumDscr qualityStatement? notes exPostEvaluation",
    "subject": "keyword topcClas",
    "sumDscr": "timePrd collDate nation geogCover geogUnit geoBndBox? boundPoly anlyUnit universe "
    "dataKind generalDataFormat",
    "method": "dataColl notes anlyInfo? stdyClas dataProcessing codingInstructions",
    "dataColl": "timeMeth dataCollector collectorTraining frequenc sampProc sampleFrame "
    "targetSampleSize deviat collMode resInstru instrumentDevelopment sources? collSitu actMin "
    "ConOps weight cleanOps",
    "dataAccs": "typeOfDataAccess setAvail useStmt notes",
    "useStmt": "confDec specPerm restrctn contact citReq deposReq conditions disclaimer",
    "fileDscr": "fileTxt locMap? fileDerivation? notes",
    "fileTxt": "fileName fileCitation? dataFingerprint fileCont? fileStrc? dimensns? fileType "
    "format filePlac dataChck ProcStat dataMsng software verStmt",
    "dataFingerprint": "digitalFingerprintValue! algorithmSpecification? algorithmVersion?",
    "fileStrc": "recGrp notes",
    "dimensns": "caseQnty varQnty logRecL recPrCas recNumTot",
    "dataDscr": "varGrp nCubeGrp var nCube notes",
    "var": "location labl imputation security embargo respUnit anlysUnit qstn valrng invalrng "
    "undocCod universe TotlResp sumStat txt stdCatgry catgryGrp catgry codInstr verStmt concept "
    "derivation? varFormat? geoMap catLevel notes",
    "valrng": "item range key notes",
    "invalrng": "item range key notes",
    "catgry": "catValu? labl txt catStat mrow",
    "item": "",
    "range": "",
    "holdings": "",
}
ATTRIBUTES = {
    "codeBook": "version=2.6",
    "var": "name! wgt=wgt|not-wgt wgt-var:IDREFS weight:IDREFS files:IDREFS intrvl=contin|discrete "
    "temporal=Y|N geog=Y|N nature=nominal|ordinal|interval|ratio|percent|other "
    "representationType=text|numeric|code|datetime|geographicLocationCode|other|scale",
    "catgry": "missing=Y|N missType",
    "labl": "level vendor",
    "item": "UNITS=INT|REAL VALUE!",
    "range": "UNITS=INT|REAL min max minExclusive maxExclusive",
    "varFormat": "type=numeric|character formatname schema=SAS|SPSS|IBM|ANSI|ISO|XML-Data|other "
    "category=date|time|currency|other URI",
    "fileStrc": "type=rectangular|hierarchical|relational|nested|other",
    "dataFingerprint": "type=data|dataFile",
    "prodDate": "date",
    "version": "date type",
    "distrbtr": "abbr affiliation URI",
    "holdings": "location callno URI media",
    "fileType": "charset mimeType",
}
_OCCURS = {"?": (0, "1"), "+": (1, "unbounded"), "!": (1, "1")}


@cache
def ddi_schema() -> xmlschema.XMLSchema:
    """The schema that files are validated against."""
    official = os.environ.get("MICROVEIL_DDI_SCHEMA")
    return xmlschema.XMLSchema(official or _written())


def problems_in(text: str) -> list[str]:
    """What is wrong with a file, one line each."""
    return [f"{one.path}: {one.reason}" for one in ddi_schema().iter_errors(text)]


def _written() -> str:
    texts = {
        name.rstrip("?+!")
        for line in CHILDREN.values()
        for name in line.split()
        if name.rstrip("?+!") not in CHILDREN
    }
    elements = [*(_complex(name) for name in CHILDREN), *(_text(name) for name in sorted(texts))]
    return (
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        f'xmlns="{NAMESPACE}" targetNamespace="{NAMESPACE}" elementFormDefault="qualified">'
        '<xs:import namespace="http://www.w3.org/XML/1998/namespace"/>'
        '<xs:attributeGroup name="GLOBALS"><xs:attribute name="ID" type="xs:ID"/>'
        '<xs:attribute ref="xml:lang"/></xs:attributeGroup>'
        f"{''.join(elements)}</xs:schema>"
    )


def _complex(name: str) -> str:
    lines = []
    for child in CHILDREN[name].split():
        low, high = _OCCURS.get(child[-1], (0, "unbounded"))
        ref = child.rstrip("?+!")
        lines.append(f'<xs:element ref="{ref}" minOccurs="{low}" maxOccurs="{high}"/>')
    body = f"<xs:sequence>{''.join(lines)}</xs:sequence>"
    return (
        f'<xs:element name="{name}"><xs:complexType>{body}{_attributes(name)}'
        "</xs:complexType></xs:element>"
    )


def _text(name: str) -> str:
    return (
        f'<xs:element name="{name}"><xs:complexType><xs:simpleContent><xs:extension '
        f'base="xs:string">{_attributes(name)}</xs:extension></xs:simpleContent></xs:complexType>'
        "</xs:element>"
    )


def _attributes(name: str) -> str:
    made = ['<xs:attributeGroup ref="GLOBALS"/>']
    for said in ATTRIBUTES.get(name, "").split():
        known, _, values = said.partition("=")
        bare, _, kind = known.rstrip("!").partition(":")
        use = ' use="required"' if known.endswith("!") else ""
        if not values:
            made.append(f'<xs:attribute name="{bare}" type="xs:{kind or "string"}"{use}/>')
            continue
        listed = "".join(f'<xs:enumeration value="{one}"/>' for one in values.split("|"))
        made.append(
            f'<xs:attribute name="{bare}"{use}><xs:simpleType><xs:restriction base="xs:NMTOKEN">'
            f"{listed}</xs:restriction></xs:simpleType></xs:attribute>"
        )
    return "".join(made)
