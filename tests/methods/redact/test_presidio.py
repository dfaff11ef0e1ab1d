from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import pytest

import microveil as mv
from microveil.methods.redact.presidio import presidio_finder


def stand_in(name: str, **contents: object) -> ModuleType:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    vars(module).update(contents)
    return module


def test_without_presidio_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microveil.methods.redact.presidio.find_spec", lambda _: None)
    with pytest.raises(mv.InputError, match="add the extra `redact`"):
        presidio_finder("en")


def test_a_missing_model_is_named_and_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"presidio_analyzer": True}
    monkeypatch.setattr("microveil.methods.redact.presidio.find_spec", found.get)
    with pytest.raises(mv.InputError, match="'es_core_news_lg'"):
        presidio_finder("es")


def test_what_presidio_finds_is_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Engine:
        def __init__(self, **_: object) -> None: ...

        def analyze(self, *, text: str, language: str) -> list[SimpleNamespace]:
            assert language == "en"
            start = text.index("Paris")
            return [SimpleNamespace(start=start, end=start + 5, entity_type="LOCATION")]

    class Provider:
        def __init__(self, **_: object) -> None: ...

        def create_engine(self) -> None: ...

    for module in (
        stand_in("presidio_analyzer", AnalyzerEngine=Engine),
        stand_in("presidio_analyzer.nlp_engine", NlpEngineProvider=Provider),
        stand_in("en_core_web_lg"),
    ):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    step = mv.Redact(columns=["note"], engine="presidio")
    assert step.protect({"note": ["Left for Paris."]})["note"].item() == "Left for [location]."
