"""A project laid out as ARX saves it."""

from __future__ import annotations

import zipfile
from pathlib import Path

ASSIGNMENT = (
    "<assigment><name>{name}</name><type>{type}</type><datatype>{datatype}</datatype>{more}"
    "</assigment>"
)
LEVELS = "<ref>hierarchies/{name}.csv</ref><min>{low}</min><max>{high}</max>"
CONFIG = """<config>
<relativeMaxOutliers>0.2</relativeMaxOutliers><metric>Loss (0.5/0.5)</metric>
<attributeWeights>
<attributeWeight><attribute>age</attribute><weight>0.5</weight></attributeWeight>
<attributeWeight><attribute>zip</attribute><weight>0.25</weight></attributeWeight>
</attributeWeights>
<criteria><criterion>2-anonymity</criterion>
<criterion>distinct-2-diversity for attribute 'disease'</criterion>
<criterion>some-new-model</criterion></criteria>
</config>"""


def project(
    path: Path,
    *,
    data: bool = True,
    config: str | None = CONFIG,
    more: str = "",
    subset: str | None = None,
    zips: tuple[str, str] = ("1", "2"),
) -> Path:
    """A project; ``more`` are further attributes, ``zips`` the levels of the postcode."""
    quasi = "QUASI_IDENTIFYING_ATTRIBUTE"
    codes = "".join(f"{code};{code[:3]}*;{code[:2]}**;*\n" for code in _zips())
    attributes = [
        ("name", "IDENTIFYING_ATTRIBUTE", "String", ""),
        ("age", quasi, "Integer", LEVELS.format(name="age", low="All", high="All")),
        ("zip", quasi, "String", LEVELS.format(name="zip", low=zips[0], high=zips[1])),
        ("sex", quasi, "String", ""),
        ("disease", "SENSITIVE_ATTRIBUTE", "String", ""),
        ("height", "INSENSITIVE_ATTRIBUTE", "Decimal", ""),
    ]
    definition = "".join(
        ASSIGNMENT.format(name=name, type=kind, datatype=datatype, more=more)
        for name, kind, datatype, more in attributes
    )
    table = (
        "name;age;zip;sex;disease;height\nAnn;31;0801;f;flu;1.7\nBo;33;0802;f;cold;NULL\n"
        "Cy;45;0901;m;flu;1.8\nDi;47;0902;m;cold;1.6\n"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata.xml", "<metadata><version>3.9.1</version></metadata>")
        archive.writestr("project.xml", "<project><separator>;</separator></project>")
        archive.writestr("input/definition.xml", f"<definition>{definition}{more}</definition>")
        if config is not None:
            archive.writestr("input/config.xml", config)
        if subset is not None:
            archive.writestr("data/input_subset.csv", subset)
        archive.writestr("input/hierarchies/age.csv", "31;30s;*\n33;30s;*\n45;40s;*\n47;40s;*\n")
        archive.writestr("input/hierarchies/zip.csv", codes)
        if data:
            archive.writestr("data/input.csv", table)
    return path


def _zips() -> tuple[str, ...]:
    return ("0801", "0802", "0901", "0902")
