from __future__ import annotations

import pytest

import microveil as mv


def test_an_unknown_generator_is_named_beside_the_known_ones() -> None:
    with pytest.raises(mv.InputError, match="Did you mean 'cart'"):
        mv.Synthesizer.parse({"generator": "cat"})
