from __future__ import annotations

from typing import Any

import pytest
from numba.core import cpu, types, utils
from numba.core.compiler import Flags
from numba.core.registry import cpu_target

from microveil.kernels.lean_compilation import lean


def test_a_signature_is_found_once_for_the_same_types(monkeypatch: pytest.MonkeyPatch) -> None:
    context: Any = cpu_target.typing_context
    cpu_target.target_context.refresh()
    largest = context.resolve_value_type(max)
    tried: list[Any] = []
    order: Any = utils.order_by_target_specificity

    def counted(*words: Any, **more: Any) -> Any:
        tried.append(words)
        return order(*words, **more)

    monkeypatch.setattr(utils, "order_by_target_specificity", counted)
    with lean():
        first = largest.get_call_type(context, (types.int64, types.float32), {})
        n_tried = len(tried)
        again = largest.get_call_type(context, (types.int64, types.float32), {})
        assert len(tried) == n_tried > 0
        other = largest.get_call_type(context, (types.float64, types.float32), {})
    assert first is again
    assert other.args != first.args
    assert largest.get_impl_key(first)


def test_settings_are_equal_as_before() -> None:
    flags: Any = Flags
    one, other = flags(), flags()
    other.nrt = flags.options["nrt"].default
    before = one == other, one != other, hash(one), len({one, other})
    with lean():
        assert (one == other, one != other, hash(one), len({one, other})) == before
        other.nrt = True
        assert one != other
        assert one != "settings"
    assert before[0]


def test_implementations_are_imported_once_for_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[object] = []
    monkeypatch.setattr(cpu.CPUContext, "load_additional_registries", loaded.append)
    for n_loops in (1, 2):
        with lean():
            cpu_target.target_context.refresh()
            cpu_target.target_context.refresh()
        assert len(loaded) == n_loops
