"""The trust map of a synthetic table: which relations were modelled, implied or lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.display import percent
from microveil.errors import InputError
from microveil.plots.drawing import INK, finish, plotting, rows, share_tip
from microveil.synthesis.trust_map import Relation, TrustMap
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

MOST_COLUMNS = 20
"""More columns than this cannot be read in a square; the first ones are drawn."""
CELL = 26
"""Pixels of a cell: room for an error in per cent."""
COLOURS = {"modelled": "#0072B2", "implied": "#E69F00", "lost": "#B0B7C0"}
"""Colours by status, distinguishable in grey."""


def trust_map_chart(result: Any) -> Chart:
    """Every pair of columns as a square: the colour is the status, the number the error in %.

    Takes a TrustMap, an evaluation of a synthetic table, or a Release with a synthesis step. The
    error is the share of records that would have to change for the pair's table to be right; under
    differential privacy, that of relations that were not measured is an upper bound.
    """
    alt = plotting()
    trust = trust_map_of(result)
    names = list(trust.columns[:MOST_COLUMNS])
    cells = [_cell(one) for one in trust.relations if {one.first, one.second} <= set(names)]
    base = alt.Chart(rows(cells, shares=["error", "dependence"])).encode(
        x=alt.X("first:N", sort=names, title=None, axis=alt.Axis(labelAngle=-90, labelLimit=110)),
        y=alt.Y("second:N", sort=names, title=None, axis=alt.Axis(labelLimit=110)),
        tooltip=[
            alt.Tooltip("first:N", title=phrase("Column")),
            alt.Tooltip("second:N", title=phrase("with")),
            alt.Tooltip("status:N", title=phrase("Status")),
            share_tip("error", phrase("Error")),
            share_tip("dependence", phrase("Dependence")),
            alt.Tooltip("basis:N", title=phrase("By")),
        ],
    )
    colour = alt.Color(
        "status:N",
        scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
        legend=alt.Legend(orient="top", title=None, symbolType="square"),
    )
    squares = base.mark_rect(stroke="white").encode(color=colour)
    numbers = base.mark_text(fontSize=9).encode(
        text="words:N",
        color=alt.condition("datum.status == 'modelled'", alt.value("white"), alt.value(INK)),
    )
    side = max(120, CELL * (len(names) - 1))
    return finish(
        squares + numbers,
        title=phrase("Which relations to trust"),
        subtitle=_subtitle(trust, len(names)),
        width=side,
        height=side,
    )


def trust_map_of(result: Any) -> TrustMap:
    """The map itself, that of an evaluation, or that of a release's last synthesis step."""
    if isinstance(result, TrustMap):
        return result
    found = getattr(result, "trust_map", None)
    if isinstance(found, TrustMap):
        return found
    for step in reversed(getattr(result, "facts", None) or ()):
        plain = getattr(step, "facts", {}).get("trust_map")
        if plain:
            return TrustMap.from_dict(plain)
    raise InputError("This figure takes a TrustMap, or a Release that a synthesis step made.")


def _cell(one: Relation) -> dict[str, Any]:
    return {
        "first": one.first,
        "second": one.second,
        "status": one.status,
        "error": one.error,
        "dependence": one.dependence,
        "basis": one.basis,
        "words": percent(one.error, finest=0).removesuffix("%"),
    }


def _subtitle(trust: TrustMap, n_drawn: int) -> str:
    words = "number: error in % of records"
    if trust.private:
        words += ", from the noisy answers alone; at most for what was not measured"
    if n_drawn < len(trust.columns):
        words += f"; the first {n_drawn} of {len(trust.columns)} columns"
    return words
