from __future__ import annotations

import numpy as np
import pytest

from microveil.dp.accounting.losses import laplace_atoms


def test_the_losses_of_laplace_noise_are_those_of_its_probabilities() -> None:
    steps, epsilon = 5, 0.7
    atoms = laplace_atoms(epsilon, steps)
    scale = steps / epsilon
    reach = np.arange(-3000, 3001)
    weights = np.exp(-np.abs(reach) / scale)
    chances = weights / weights.sum()
    losses = (np.abs(reach - steps) - np.abs(reach)) / scale
    for epsilon_ in (0.0, 0.1, 0.42, 0.69):
        gain = np.maximum(-np.expm1(epsilon_ - losses), 0)
        expected = float(chances @ gain)
        found = float(atoms.masses @ np.maximum(-np.expm1(epsilon_ - atoms.losses), 0))
        assert found == pytest.approx(expected, rel=1e-9)
    assert atoms.masses.sum() == pytest.approx(1)
