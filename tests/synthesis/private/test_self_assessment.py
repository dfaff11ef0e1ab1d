from __future__ import annotations

import numpy as np
import pytest

from microveil.synthesis import Aim, Mst
from microveil.synthesis.private.candidates import ModelView
from microveil.synthesis.private.generator import PrivateFitted, PrivateGenerator
from microveil.synthesis.private.marginals import CodedTable
from microveil.synthesis.private.self_assessment import measured_at_most
from microveil.tables import Table
from tests.synthesis.chains import chain, statuses


def _private(generator: type[PrivateGenerator], seed: int) -> tuple[PrivateFitted, CodedTable]:
    frame = chain()
    spec = generator(epsilon=2.0, domain=dict.fromkeys(frame.columns, 4), insecure=True)
    model = spec.fit(Table(frame), np.random.default_rng(seed))
    assert isinstance(model, PrivateFitted)
    codes = np.stack([frame[name].to_numpy() for name in model.names]).astype(np.int32)
    return model, model.learnt.compression.forward(CodedTable(codes, (4, 4, 4, 4)))


@pytest.mark.parametrize("generator", [Mst, Aim])
def test_private_bounds_hold_and_estimates_are_near(generator: type[PrivateGenerator]) -> None:
    estimated, true = [], []
    for seed in range(5):
        model, table = _private(generator, seed)
        learnt, view = model.learnt, ModelView(model.learnt.model)
        for one in model.trust_map().relations:
            pair = tuple(sorted(model.names.index(name) for name in (one.first, one.second)))
            counts = view.counts(pair)
            records = table.counts(pair).reshape(counts.shape)
            error = 0.5 * float(np.abs(records / 4000 - counts / learnt.model.total).sum())
            assert error <= measured_at_most(learnt.evidence, pair, counts, learnt.model.total)
            if one.basis.startswith("at most"):
                assert error <= one.error
            else:
                estimated.append(one.error)
                true.append(error)
    assert 0.4 < np.mean(estimated) / np.mean(true) < 2.5


def test_a_private_map_costs_nothing_and_needs_no_original() -> None:
    model, _ = _private(Mst, 1)
    first, second = model.trust_map(), model.trust_map()
    assert first.private
    assert first.frame.equals(second.frame)
    assert statuses(first)["a", "b"] == "modelled"
