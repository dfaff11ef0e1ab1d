"""How wide the noise of an answer is, for each privacy loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from microveil.errors import InputError
from microveil.plots.drawing import PALETTE, finish, plotting, rows

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

_POINTS = 201
"""Odd, so that the peak at 0 is one of them."""


def laplace_noise_chart(
    epsilons: Sequence[float] = (0.1, 0.5, 1, 3), *, sensitivity: float = 1
) -> Chart:
    """Densities of the Laplace noise with scale sensitivity / ε: the larger ε, the narrower.

    With the defaults this is figure 13 of the course on privacy in data publishing.
    """
    usable = [math.isfinite(value) and value > 0 for value in (*epsilons, sensitivity)]
    if not epsilons or len(epsilons) > len(PALETTE) or not all(usable):
        raise InputError(
            "Name one to {n_palette} losses ε, and a sensitivity, above zero.",
            n_palette=len(PALETTE),
        )
    reach = 5 * sensitivity / sorted(epsilons)[len(epsilons) // 2]
    noise = np.linspace(-reach, reach, _POINTS)
    alt = plotting()
    names = [f"{epsilon:g}" for epsilon in epsilons]
    curves = [
        {"noise": float(at), "density": float(density), "loss": name}
        for epsilon, name in zip(epsilons, names, strict=True)
        for at, density in zip(noise, _density(noise, sensitivity / epsilon), strict=True)
    ]
    colour = alt.Scale(domain=names, range=PALETTE[: len(names)])
    chart = (
        alt.Chart(rows(curves))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("noise:Q", title="Noise added to the answer"),
            y=alt.Y("density:Q", title="Density"),
            color=alt.Color("loss:N", title="ε", sort=None, scale=colour),
        )
    )
    told = f"An answer that one person changes by {sensitivity:g} at most"
    return finish(chart, title="Laplace noise by privacy loss ε", subtitle=told, height=220)


def _density(noise: np.ndarray, scale: float) -> np.ndarray:
    density: np.ndarray = np.exp(-np.abs(noise) / scale) / (2 * scale)
    return density
