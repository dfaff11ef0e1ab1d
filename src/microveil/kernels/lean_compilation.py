"""Compiling with numba in half the time: machine code for what is called, nothing else.

numba optimises every function by itself, translates it to machine code and links it, even if it
is only ever inlined into another. Here a function that Python cannot call (a loop that another
loop calls, numba's own implementation of an array operation) stays in LLVM's language until it
is linked into its caller, and is optimised there, once. The steps are numba's own, in its order.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numba
from numba import _dynfunc  # type: ignore[attr-defined]  # an extension without stubs
from numba.core import codegen, compiler_lock, cpu, lowering

from microveil.kernels import lean_typing

_Library: Any = codegen.JITCodeLibrary
_Context: Any = cpu.CPUContext
_Lowering: Any = lowering.BaseLower
_STEPS_OF_NUMBA = (
    (_Library, "finalize"),
    (_Library, "_get_module_for_linking"),
    (_Library, "_finalize_dynamic_globals"),
    (_Context, "get_executable"),
    (_Lowering, "create_cfunc_wrapper"),
    *lean_typing.STEPS_OF_NUMBA,
)
TRIED = ((0, 68),)
"""Versions of numba whose steps are known here; others compile in their own way."""
SUPPORTED = numba.version_info.short in TRIED and all(
    hasattr(owner, step) for owner, step in _STEPS_OF_NUMBA
)
"""Whether this version of numba compiles in the steps that are known here."""


@contextmanager
def lean() -> Iterator[None]:
    """Compile leanly in this block, alone: numba's lock keeps other threads' compilations out."""
    with ExitStack() as scope:
        scope.enter_context(compiler_lock.global_compiler_lock)
        if SUPPORTED:
            finalize, get_executable = _Library.finalize, _Context.get_executable
            patches = {
                (_Library, "finalize"): _finalize_leanly(finalize),
                (_Context, "get_executable"): _executable_if_called(get_executable),
                (_Lowering, "create_cfunc_wrapper"): lambda _: None,
                **lean_typing.remembering(),
            }
            for (owner, name), replacement in patches.items():
                scope.enter_context(_replaced(owner, name, replacement))
        scope.enter_context(_without_garbage_collection())
        yield


@contextmanager
def _replaced(owner: Any, name: str, replacement: Callable[..., Any]) -> Iterator[None]:
    """Another step of numba's in this block."""
    own = getattr(owner, name)
    setattr(owner, name, replacement)
    try:
        yield
    finally:
        setattr(owner, name, own)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Compiling creates millions of objects that live on: searching them for garbage is vain."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _is_called(library: Any, description: Any) -> bool:
    """Whether Python can call a function, freshly compiled or loaded from the cache."""
    if library._finalized:  # noqa: SLF001
        return True
    try:
        wrapper = library._final_module.get_function(  # noqa: SLF001
            description.llvm_cpython_wrapper_name
        )
    except NameError:
        return False
    return not wrapper.is_declaration


def _executable_if_called(get_executable: Callable[..., Any]) -> Callable[..., Any]:
    def executable(context: Any, library: Any, description: Any, environment: Any) -> Any:
        if _is_called(library, description):
            library.is_called = True
            return get_executable(context, library, description, environment)
        library._ensure_finalized()  # noqa: SLF001
        name = description.qualname.rpartition(".")[2]
        module = description.lookup_module()
        # The handle under which callers find the function: without code that could be run.
        return _dynfunc.make_function(module, name, name, 0, environment, (library,))

    return executable


def _finalize_leanly(finalize: Callable[[Any], None]) -> Callable[[Any], None]:
    def finalized(library: Any) -> None:
        if getattr(library, "is_called", False):
            finalize(library)
            return
        for other in dict.fromkeys(library._linking_libraries):  # noqa: SLF001
            library._reload_init.update(other._reload_init)  # noqa: SLF001
            module = other._get_module_for_linking()  # noqa: SLF001
            library._final_module.link_in(module, preserve=True)  # noqa: SLF001
        library._finalize_dynamic_globals()  # noqa: SLF001
        library._finalized = True  # noqa: SLF001

    return finalized
