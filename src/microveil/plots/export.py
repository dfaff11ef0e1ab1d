"""Figures as files, without a browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.files import write_text
from microveil.files.atomic import replacing
from microveil.plots.drawing import Line, plotting, wrap
from microveil.texts import translate

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

PNG_SCALE = 2
"""Pixels per point: sharp on today's screens and in print."""


LOCALES = {"es": "es-ES", "ca": "ca-ES", "ru": "ru-RU"}
"""How axes write numbers, by language; English is what charts write by themselves."""
_UNDRAWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_svg(chart: Chart, language: str = "en") -> str:
    """The chart as SVG text in a language; it contains its data and fetches nothing."""
    spec, options = _spec(chart)
    import vl_convert

    if language != "en":
        spec = _translate_chart(spec, language)
        options |= {"format_locale": LOCALES[language]} if language in LOCALES else {}
    return str(vl_convert.vegalite_to_svg(_drawable(spec), **options))


def _drawable(spec: Any) -> Any:
    """A chart without characters that no picture holds: a null character ends the whole process."""
    if isinstance(spec, str):
        return _UNDRAWABLE.sub("\N{REPLACEMENT CHARACTER}", spec)
    if isinstance(spec, Mapping):
        return {_drawable(name): _drawable(one) for name, one in spec.items()}
    if isinstance(spec, list | tuple):
        return [_drawable(one) for one in spec]
    return spec


def _translate_chart(spec: Any, language: str) -> Any:
    """A chart whose messages are said in a language; all other text stays."""
    if isinstance(spec, str):
        return translate(spec, language)
    if isinstance(spec, Mapping):
        return {name: _translate_chart(one, language) for name, one in spec.items()}
    if isinstance(spec, list | tuple):
        if spec and isinstance(spec[0], Line):
            return wrap(translate(spec[0].whole, language))
        return [_translate_chart(one, language) for one in spec]
    return spec


def to_png(chart: Chart, path: str | Path) -> Path:
    """Write the chart as a PNG picture, completely or not at all."""
    spec, options = _spec(chart)
    import vl_convert

    picture: bytes = vl_convert.vegalite_to_png(_drawable(spec), scale=PNG_SCALE, **options)
    with replacing(Path(path)) as scratch:
        scratch.write_bytes(picture)
    return Path(path)


def to_html(chart: Chart, path: str | Path) -> Path:
    """Write the chart as a self-contained page with tooltips; it fetches nothing."""
    spec, options = _spec(chart)
    import vl_convert

    options.pop("allowed_base_urls")
    page = vl_convert.vegalite_to_html(
        _drawable(spec), bundle=True, vl_version=options["vl_version"], renderer="svg"
    )
    write_text(str(page), Path(path))
    return Path(path)


def save_svg(chart: Chart, path: str | Path) -> Path:
    """Write the chart as an SVG picture, completely or not at all."""
    write_text(to_svg(chart), Path(path))
    return Path(path)


def _spec(chart: Chart) -> tuple[dict[str, Any], dict[str, Any]]:
    """The chart as plain data, and its Vega-Lite version."""
    major, minor, *_ = plotting().SCHEMA_VERSION.lstrip("v").split(".")
    # No address is allowed: a figure never fetches anything.
    # Charts are valid by construction, so validating them again would only take time.
    return chart.to_dict(validate=False), {
        "vl_version": f"{major}.{minor}",
        "allowed_base_urls": [],
    }
