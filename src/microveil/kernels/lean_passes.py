"""The passes of numba's compiler that a loop needs; half of them look for what no loop contains.

Left out are those for closures and comprehensions, context managers, exceptions with arguments,
arguments that may be None, functions to be inlined before types are known, and parallel loops.
"""

from types import CodeType
from typing import Any

from numba.core import compiler, compiler_machinery, typed_passes, untyped_passes

_Compiler: Any = compiler.CompilerBase
_NAMES = (
    (untyped_passes, ("TranslateByteCode", "FixupArgs", "IRProcessing", "GenericRewrites")),
    (untyped_passes, ("FindLiterallyCalls", "ReconstructSSA")),
    (typed_passes, ("NopythonTypeInference", "PreLowerStripPhis", "InlineOverloads")),
    (typed_passes, ("NopythonRewrites", "IRLegalization", "AnnotateTypes")),
    (typed_passes, ("NativeLowering", "NoPythonBackend")),
)
PASSES: tuple[Any, ...] = tuple(
    getattr(module, name, None) for module, names in _NAMES for name in names
)
"""In numba's order; None where a version of numba has no such pass."""


class LoopCompiler(_Compiler):  # type: ignore[misc]  # a class without stubs
    """Compiles a loop in the passes it needs, and other functions in all of numba's."""

    def define_pipelines(self) -> list[Any]:
        """One list of passes."""
        builder: Any = compiler.DefaultPassBuilder
        if not is_plain(self.state.func_id.code) or None in PASSES:
            return [builder.define_nopython_pipeline(self.state)]
        manager: Any = compiler_machinery.PassManager("loop")  # type: ignore[no-untyped-call]
        for one in PASSES:
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


def is_plain(code: CodeType) -> bool:
    """Whether a function contains no other, such as a lambda or a comprehension."""
    return not any(isinstance(constant, CodeType) for constant in code.co_consts)
