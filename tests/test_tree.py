"""The tree of tests mirrors the tree of the package, where it is promised."""

from __future__ import annotations

from pathlib import Path

import microveil

SOURCE = Path(microveil.__file__).parent
TESTS = Path(__file__).parent


def test_every_kernel_has_a_test_of_its_name_beside_it() -> None:
    kernels = SOURCE / "kernels"
    missing = [
        str(module.relative_to(kernels))
        for module in sorted(kernels.rglob("*.py"))
        if module.name != "__init__.py"
        and not (
            TESTS / "kernels" / module.relative_to(kernels).parent / f"test_{module.name}"
        ).exists()
    ]
    assert missing == []


def test_no_test_of_a_kernel_is_left_behind_when_its_kernel_moves() -> None:
    kernels = TESTS / "kernels"
    stray = [
        str(test.relative_to(kernels))
        for test in sorted(kernels.rglob("test_*.py"))
        if not (
            SOURCE / "kernels" / test.relative_to(kernels).parent / test.name.removeprefix("test_")
        ).exists()
    ]
    assert stray == []
