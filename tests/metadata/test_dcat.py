from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.metadata.dcat import dcat_of
from microveil.metadata.model import Metadata
from microveil.release import Release
from tests.metadata.cases import STUDY

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
rdflib = pytest.importorskip("rdflib")


def test_it_is_a_dataset_with_a_distribution(release: Release, tmp_path: Path) -> None:
    written = release.write(tmp_path / "out.parquet")
    text = dcat_of(mv.describe_release(release, STUDY, written))
    graph = rdflib.Graph().parse(data=text, format="json-ld")
    dcat, terms = rdflib.DCAT, rdflib.DCTERMS
    dataset = graph.value(predicate=rdflib.RDF.type, object=dcat.Dataset)
    assert str(dataset) == STUDY.url
    assert str(graph.value(dataset, terms.title)) == "Household panel"
    assert {str(one) for one in graph.objects(dataset, dcat.keyword)} == {"income", "sex"}
    file = graph.value(dataset, dcat.distribution)
    assert int(graph.value(file, dcat.byteSize)) == written.n_bytes
    spdx = rdflib.Namespace("http://spdx.org/rdf/terms#")
    checksum = graph.value(file, spdx.checksum)
    assert str(written.sha256) in str(graph.value(checksum, spdx.checksumValue).n3())


def test_without_a_study_it_has_a_title_and_what_was_done(told: Metadata) -> None:
    bare = dcat_of(Metadata(told.title, mv.Study(), told.tables))
    graph = rdflib.Graph().parse(data=bare, format="json-ld")
    assert len(list(graph.subjects(rdflib.RDF.type, rdflib.DCTERMS.ProvenanceStatement))) == 1


def test_a_contact_that_is_no_address_is_a_name(told: Metadata) -> None:
    text = dcat_of(Metadata(told.title, mv.Study(contact="The desk", license="CC0"), told.tables))
    assert "vcard:fn" in text
    assert "dct:LicenseDocument" in text
