"""Minimise a smooth convex function by L-BFGS.

Implemented here because it is short: SciPy's would take a second to load, and its linear algebra
starts threads, which on a busy machine wait for each other longer than they work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import sqrt

import numpy as np

from microveil.arrays import Floats

Function = Callable[[Floats], tuple[float, Floats]]

MEMORY = 10
"""Number of past steps whose change of gradient is stored."""
_ENOUGH = 1e-4
"""Share of the decrease predicted by the gradient that a step must achieve (Armijo)."""
_HALVINGS = 30
_CURVED = 1e-10


def minimise(function: Function, start: Floats, steps: int, tolerance: float = 1e-6) -> Floats:
    """Minimiser of a convex function, after at most so many steps (Liu and Nocedal 1989).

    ``tolerance`` bounds the norm of the gradient relative to that at the start.

    >>> bowl = lambda x: (float(((x - 3.0) ** 2 * [1.0, 50.0]).sum()), 2 * (x - 3.0) * [1.0, 50.0])
    >>> minimise(bowl, np.zeros(2), 50).round(4).tolist()
    [3.0, 3.0]
    """
    point = start
    value, slope = function(point)
    least = tolerance * max(sqrt(dot(slope, slope)), 1.0)
    past: deque[tuple[Floats, Floats, float]] = deque(maxlen=MEMORY)
    for _ in range(steps):
        if sqrt(dot(slope, slope)) <= least:
            break
        direction = _direction(slope, past)
        descent = dot(direction, slope)
        if descent >= 0:
            past.clear()
            direction, descent = -slope, -dot(slope, slope)
        found = _step(function, point, value, direction, descent)
        if found is None:
            break
        new_point, new_value, new_slope = found
        moved, bent = new_point - point, new_slope - slope
        curvature = dot(moved, bent)
        if curvature > _CURVED * dot(bent, bent):
            past.append((moved, bent, curvature))
        point, value, slope = new_point, new_value, new_slope
    return point


def dot(first: Floats, second: Floats) -> float:
    """Inner product by NumPy's own loop: the linear algebra library would start threads."""
    return float(np.einsum("i,i->", first, second))


def _direction(slope: Floats, past: deque[tuple[Floats, Floats, float]]) -> Floats:
    """Minus the gradient, times the approximate inverse Hessian (two-loop recursion)."""
    direction = -slope
    weights = []
    for moved, bent, curvature in reversed(past):
        weight = dot(moved, direction) / curvature
        direction -= weight * bent
        weights.append(weight)
    if past:
        _, bent, curvature = past[-1]
        direction *= curvature / dot(bent, bent)
    for (moved, bent, curvature), weight in zip(past, reversed(weights), strict=True):
        direction += (weight - dot(bent, direction) / curvature) * moved
    return direction


def _step(
    function: Function, point: Floats, value: float, direction: Floats, descent: float
) -> tuple[Floats, float, Floats] | None:
    """The first of the step and its halvings with enough decrease; None at machine precision."""
    length = 1.0
    for _ in range(_HALVINGS):
        there = point + length * direction
        new_value, new_slope = function(there)
        if np.isfinite(new_value) and new_value <= value + _ENOUGH * length * descent:
            return there, new_value, new_slope
        length /= 2
    return None
