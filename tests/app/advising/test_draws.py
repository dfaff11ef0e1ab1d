"""What a recipe is chosen by is drawn apart from what is reported."""

from __future__ import annotations

from microveil.app.advising.draws import Draws


def test_every_use_has_draws_of_its_own() -> None:
    draws = Draws.of(1)
    all_of_them = [draws.choosing, draws.attacking, draws.sampling, *draws.confirming]
    assert len(set(all_of_them)) == len(all_of_them)
    assert draws == Draws.of(1)
    assert Draws.of(2).attacking != draws.attacking


def test_the_seed_is_not_shown() -> None:
    assert "12345" not in repr(Draws.of(12345))
