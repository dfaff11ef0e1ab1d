"""Chance: the same for the same seed, step and data; unrelated as soon as one of them differs."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.methods.parts import streams
from microveil.methods.parts.streams import SEED_BITS, Chance, data_fingerprint, fresh_seed
from tests.conftest import frame_kinds

N = 400
FRAME = pl.DataFrame({"x": [float(i) for i in range(N)], "y": [float(i % 7) for i in range(N)]})
ROLES = mv.Roles(sensitive=["x", "y"])


def _noise(columns: str = "x", share: float = 0.2) -> mv.AdditiveNoise:
    return mv.AdditiveNoise(columns=columns, sd_share=share)


def _run(*steps: mv.Method, frame: pl.DataFrame = FRAME, seed: int = 7) -> pl.DataFrame:
    released = mv.run(mv.Recipe(roles=ROLES, steps=steps), frame, seed=seed).data
    assert isinstance(released, pl.DataFrame)
    return released


def _alike(one: pl.Series, other: pl.Series) -> float:
    return float(np.corrcoef(one.to_numpy(), other.to_numpy())[0, 1])


def test_two_releases_of_one_seed_do_not_add_up_to_the_original() -> None:
    one, other = _run(_noise(share=0.2))["x"], _run(_noise(share=0.4))["x"]
    assert not np.allclose(2 * one - other, FRAME["x"])
    assert abs(_alike(one - FRAME["x"], other - FRAME["x"])) < 0.2


def test_two_columns_have_unrelated_noise() -> None:
    frame = FRAME.with_columns(y=pl.col("x"))
    one, other = _run(_noise("x"), frame=frame)["x"], _run(_noise("y"), frame=frame)["y"]
    assert abs(_alike(one - frame["x"], other - frame["y"])) < 0.2


def test_two_steps_alike_have_unrelated_noise() -> None:
    once = _run(_noise())["x"] - FRAME["x"]
    twice = _run(_noise(), _noise())["x"] - FRAME["x"] - once
    assert abs(_alike(once, twice)) < 0.2


def test_two_data_sets_have_unrelated_noise() -> None:
    other = FRAME.with_columns(y=pl.col("y") + (pl.int_range(pl.len()) == 0))
    one = _run(_noise())["x"] - FRAME["x"]
    two = _run(_noise(), frame=other)["x"] - other["x"]
    assert abs(_alike(one, two)) < 0.2


def test_a_step_at_the_end_leaves_the_others_as_they_were() -> None:
    assert _run(_noise(), _noise("y"))["x"].equals(_run(_noise())["x"])


def test_run_draft_and_protect_draw_alike() -> None:
    expected = _run(_noise())["x"]
    draft = mv.Draft.start(FRAME, ROLES, seed=7).apply(_noise())
    assert draft.release().data["x"].equals(expected)
    assert _noise().protect(FRAME, seed=7)["x"].equals(expected)
    assert _noise().protect(mv.Table(FRAME), seed=7).frame["x"].equals(expected)
    assert not _noise().protect(FRAME, seed=8)["x"].equals(expected)
    assert not _noise().protect(FRAME)["x"].equals(_noise().protect(FRAME)["x"])


@pytest.mark.parametrize("make", frame_kinds())
def test_the_kind_of_frame_does_not_matter(make: object) -> None:
    from microveil.tables import to_polars

    frame = pl.DataFrame({"a": [1, 2, None], "b": ["x", None, "z"], "c": [0.5, 1.5, None]})
    again = to_polars(make(frame))  # type: ignore[operator]
    if again.schema["a"].is_float():  # pandas has no whole numbers with gaps
        again = again.cast({"a": pl.Int64})
    assert data_fingerprint(again) == data_fingerprint(frame)


@pytest.mark.parametrize(
    "other",
    [
        {"a": [1, 3], "b": ["x", "y"]},
        {"a": [2, 1], "b": ["x", "y"]},
        {"a": [1, 2], "c": ["x", "y"]},
        {"a": [1, 2], "b": ["xy", ""]},
        {"a": [1, 2], "b": ["x", None]},
        {"a": [1, 2, 2], "b": ["x", "y", "y"]},
        {"a": [1, None], "b": ["x", "y"]},
    ],
)
def test_whatever_differs_gives_another_fingerprint(other: dict[str, list[object]]) -> None:
    base = data_fingerprint(pl.DataFrame({"a": [1, 2], "b": ["x", "y"]}))
    assert data_fingerprint(pl.DataFrame(other)) != base


def test_every_type_has_a_fingerprint() -> None:
    import datetime as dt

    frame = pl.DataFrame(
        {
            "d": [dt.date(2020, 1, 1)],
            "t": [dt.timedelta(1)],
            "l": [[1, 2]],
            "b": [b"x"],
            "e": pl.Series(["a"], dtype=pl.Enum(["a"])),
            "w": pl.Series([2**100], dtype=pl.Int128),
            "o": pl.Series([object()], dtype=pl.Object),
        }
    )
    assert len(data_fingerprint(frame)) == 32
    assert data_fingerprint(frame.drop("o")) == data_fingerprint(frame.drop("o"))


def test_a_seed_that_nobody_gave_has_many_bits() -> None:
    seeds = {fresh_seed(None) for _ in range(64)}
    assert len(seeds) == 64
    assert max(seeds).bit_length() > SEED_BITS - 16
    assert SEED_BITS >= 128


@pytest.mark.parametrize("seed", [0, 1, 2**64, 2**2000])
def test_seeds_of_any_size_are_taken(seed: int) -> None:
    stream = Chance.of(seed, FRAME).stream(_noise(), 0)
    assert stream.random() != Chance.of(seed + 1, FRAME).stream(_noise(), 0).random()


def test_neither_seed_nor_data_are_shown() -> None:
    assert repr(Chance(918273645, b"abc")) == "Chance()"


def test_each_part_of_a_file_has_a_stream_of_its_own() -> None:
    step = _noise()
    first, second = Chance.of(3, FRAME, 0), Chance.of(3, FRAME, 1)
    assert first.stream(step, 0).random() != second.stream(step, 0).random()


def test_a_step_that_draws_nothing_needs_no_fingerprint_and_gets_no_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_frame: pl.DataFrame) -> bytes:
        raise AssertionError("the table was read")

    monkeypatch.setattr(streams, "data_fingerprint", refuse)
    step = mv.Drop(columns=["x"])
    chance = Chance.of(3, FRAME, steps=[step])
    with pytest.raises(mv.InternalError, match="Drop draws at random"):
        chance.stream(step, 0).random()
    with pytest.raises(AssertionError, match="the table was read"):
        Chance.of(3, FRAME, steps=[step, _noise()])


def test_numbers_of_any_layout_have_one_fingerprint() -> None:
    gaps = pl.DataFrame({"x": [1, None, 3]})
    pieces = pl.concat([gaps[:1], gaps[1:]], rechunk=False)
    assert data_fingerprint(gaps) == data_fingerprint(pieces)
    whole = pl.DataFrame({"x": [1, 2, 3]})
    narrow = pl.concat([whole[:1], whole[1:]], rechunk=False).cast(pl.Int8)
    assert data_fingerprint(whole) == data_fingerprint(narrow) != data_fingerprint(gaps)


@pytest.mark.parametrize("top", [1, 127, 128, -129, 2**15, -(2**31), 2**62])
def test_large_tables_of_whole_numbers_have_one_fingerprint_whatever_their_type(top: int) -> None:
    cells = np.append(np.arange(streams.MANY) % 2, top)
    whole = pl.DataFrame({"x": cells})
    fits = whole["x"].equals
    kinds = [kind for _, kind in streams.WIDTHS if fits(whole["x"].cast(kind, strict=False))]
    found = {data_fingerprint(whole.cast(kind)) for kind in kinds}
    assert len(found) == 1
    other = whole.with_columns(pl.col("x").replace(top, top - 1))
    gap = whole.with_columns(pl.when(pl.col("x") != top).then(pl.col("x")))
    assert len(found | {data_fingerprint(one) for one in (other, gap)}) == 3
