"""Figures 9 and 11 of the course."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.studies.uoc import losses
from microveil.studies.uoc.figures import decision_regions, noise_densities

pytest.importorskip("altair")


def test_the_leaves_of_a_tree_cover_the_plane_once_and_tell_what_the_tree_tells() -> None:
    boxes = decision_regions().to_dict()["datasets"].popitem()[1]
    flowers, species = losses.iris()
    low, high = flowers.min(axis=0), flowers.max(axis=0)
    rng = np.random.default_rng(1)
    places = rng.uniform(low, high, (200, 2))
    told = losses.told_by_tree(flowers, species, places)
    own = [box for box in boxes if box["tree"].startswith("M:")]
    for (x, y), kind in zip(places, told, strict=True):
        hit = [b for b in own if b["left"] < x <= b["right"] and b["bottom"] < y <= b["top"]]
        assert [box["species"] for box in hit] == [kind]


def test_the_noise_has_half_the_variance_of_the_ages() -> None:
    points = noise_densities().to_dict()["datasets"].popitem()[1]
    for name in {point["of"] for point in points}:
        own = [point for point in points if point["of"] == name]
        x, y = (np.array([point[key] for point in own]) for key in ("noise", "density"))
        variance = float(name.split(", ")[1].removesuffix(")"))
        assert np.trapezoid(y, x) == pytest.approx(1, abs=1e-3)
        assert np.trapezoid(y * x**2, x) == pytest.approx(variance, rel=5e-3)
