from __future__ import annotations

import statistics
import time

import pytest

from microveil.service import keys
from tests.service.places import Place


def test_a_key_is_kept_as_a_hash_alone(place: Place) -> None:
    text = b"".join(path.read_bytes() for path in place.home.folder.parent.glob("ledger.db*"))
    for given in place.keys.values():
        assert given.encode() not in text
        assert given.rpartition("_")[2].encode() not in text
    assert place.home.secret() not in text
    assert (place.home.folder / "secret").stat().st_mode & 0o077 == 0


def test_a_key_is_worth_nothing_under_another_secret(place: Place) -> None:
    with place.home.open() as ledger:
        from microveil.service.registry import Registry

        known = Registry(ledger).keys()
    assert keys.find(place.home.secret(), place.keys["ann"], known) is not None
    assert keys.find(b"another secret of thirty-two bytes", place.keys["ann"], known) is None


@pytest.mark.slow
def test_a_wrong_key_takes_as_long_as_a_right_one(place: Place) -> None:
    with place.home.open() as ledger:
        from microveil.service.registry import Registry

        known = Registry(ledger).keys()
    secret, right = place.home.secret(), place.keys["ann"]
    tries = {
        "right": right,
        "wrong end": right[:-1] + ("a" if right[-1] != "a" else "b"),
        "wrong start": right[:16] + ("a" if right[16] != "a" else "b") + right[17:],
        "unknown": "mv_0123456789ab_" + right[16:],
    }
    taken: dict[str, list[float]] = {name: [] for name in tries}
    for _ in range(4000):
        for name, given in tries.items():
            started = time.perf_counter()
            keys.find(secret, given, known)
            taken[name].append(time.perf_counter() - started)
    medians = [statistics.median(values) for values in taken.values()]
    assert max(medians) < 1.5 * min(medians)
