"""Presidio: names and places found by a language model, if it is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from microveil.errors import InputError
from microveil.methods.redact.spans import Span

MODEL = "{language}_core_web_lg"
OTHER_MODEL = "{language}_core_news_lg"


def presidio_finder(language: str) -> Callable[[str], Iterator[Span]]:
    """A function that finds what Presidio takes for personal in a text.

    Its language model must be there: nothing is fetched.
    """
    if find_spec("presidio_analyzer") is None:
        raise InputError(
            "Engine 'presidio' of step 'redact' is not installed: add the extra `redact`, and a "
            "spaCy model of the language."
        )
    model = (MODEL if language in {"en", "zh"} else OTHER_MODEL).format(language=language)
    if find_spec(model) is None:
        raise InputError(
            "Engine 'presidio' of step 'redact' needs the spaCy model '{model}', which is not "
            "installed. Install it, or leave out the engine.",
            model=model,
        )
    nlp: Any = import_module("presidio_analyzer.nlp_engine")
    analyzer: Any = import_module("presidio_analyzer")
    settings = {
        "nlp_engine_name": "spacy",
        "models": [{"lang_code": language, "model_name": model}],
    }
    made = nlp.NlpEngineProvider(nlp_configuration=settings).create_engine()
    engine = analyzer.AnalyzerEngine(nlp_engine=made, supported_languages=[language])

    def find(text: str) -> Iterator[Span]:
        for one in engine.analyze(text=text, language=language):
            yield Span(int(one.start), int(one.end), str(one.entity_type).lower())

    return find
