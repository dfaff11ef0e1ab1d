from __future__ import annotations

import pickle

import numpy as np
import pytest

from microveil.errors import InputError
from microveil.synthesis.bootstrap import Bootstrap
from microveil.tables import Table


def test_a_fitted_model_is_not_saved() -> None:
    fitted = Bootstrap().fit(Table({"x": [1, 2, 3, 4, 5]}), np.random.default_rng(0))
    with pytest.raises(InputError, match="not saved"):
        pickle.dumps(fitted)
    assert fitted.trust_map() is None
    assert fitted.n_records is None
