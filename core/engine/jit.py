"""One source, two lives: plain Python functions that numba compiles on demand.

The engine's files hold ordinary functions. `compiled` builds the compiled twin of one of them together with
every function of ours that it calls; the source itself stays interpreted, for debugging and for policies
that do not compile. Compiled code is cached on disk in one folder, and a stamp in that folder says that
everything Slotscope needs has been compiled there.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import types
from functools import cache, partial, update_wrapper
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec

from typing_extensions import override

from core.engine.compile_cache import CompileCache, alone, check_all, is_marked, mark_all, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Kernel = Any
"""A compiled function; numba's dispatcher has no useful static type."""

# _nrt=False: no reference counting and so no allocation inside kernels; with it the engine is 5 times slower
# because every call retains and releases each array of the state.
NO_CONSTANTS: Mapping[str, Any] = MappingProxyType({})
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
INLINED: dict[str, Any] = {"inline": "always"}
# only compiled code calls these: what Python and C would call them by takes a quarter of compiling
APART: dict[str, Any] = {"inline": "never", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@cache
def numba() -> Any:
    """Import numba (0.2 s the first time)."""
    import numba as module

    _inline_without_copies()
    return module


def _inline_without_copies() -> None:
    """Halve what compiling takes: numba copies a function twice, deeply, each time it inlines it.

    That is for functions that it inlines again; it reads one of ours anew for each call, so the code that it
    has just read may be used up. The compiled code is the same.
    """
    inlining: Any = importlib.import_module("numba.core.inline_closurecall")

    class Inliner(inlining.InlineWorker):  # type: ignore[misc]  # numba has no types
        @override
        def inline_function(
            self, caller_ir: Any, block: Any, i: int, function: Any, arg_typs: Any = None
        ) -> Any:
            callee = self.run_untyped_passes(function)
            read = list(callee.blocks.values())
            for each in read:
                each.__deepcopy__ = partial(_not_copied, each)
            try:
                return self.inline_ir(caller_ir, block, i, callee, function.__code__.co_freevars, arg_typs)
            finally:
                for each in read:
                    del each.__deepcopy__

    inlining.InlineWorker = Inliner


def _not_copied(thing: Any, _memo: object) -> Any:
    return thing


P = ParamSpec("P")


class Kept(Generic[P]):
    """A function that returns compiled code, decorated: called once for the same arguments."""

    def __init__(self, build: Callable[P, Kernel]) -> None:
        update_wrapper(self, build)
        self._build = build
        self._built: dict[Any, Kernel] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Kernel:
        """Return the compiled code, made or loaded from the cache the first time."""
        key = (args, *kwargs.items())
        if key not in self._built:
            self._built[key] = self._build(*args, **kwargs)
        return self._built[key]

    def is_loaded(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether this process has the code already, so that using it costs no time."""
        return (args, *kwargs.items()) in self._built

    @property
    def has_any(self) -> bool:
        """Whether this process has any such code."""
        return bool(self._built)

    def cache_clear(self) -> None:
        """Forget the code."""
        self._built.clear()


def compiled(
    function: Callable[..., Any],
    signature: Any = None,
    constants: Mapping[str, Any] = NO_CONSTANTS,
    *,
    kept: bool = True,
    **options: Any,
) -> Kernel:
    """Compile a function and, inlined into it unless `apart`, every plain function that it calls by name.

    Parameters
    ----------
    function : plain Python function
    signature : numba signature; with one, compilation (or loading from the cache) happens now
    constants : what global names are to be, in all these functions, instead of what the source says
    kept : whether the compiled code is kept on disk, and looked for there
    options : numba options that differ from `OPTIONS`
    """
    return _Twins(constants, {**OPTIONS, **options}).of(function, signature, kept=kept)


def named_by_sources(function: Callable[..., Any], *modules: types.ModuleType) -> types.FunctionType:
    """Return a function whose name has a hash of the files it is made of: numba's cache sees only its own."""
    assert isinstance(function, types.FunctionType)
    seen = hashlib.sha256()
    for module in modules:
        seen.update(Path(str(module.__file__)).read_bytes())
    named = types.FunctionType(function.__code__, function.__globals__, function.__name__)
    named.__module__ = function.__module__
    named.__qualname__ = f"{function.__name__}_{seen.hexdigest()}"
    return named


class _Twins:
    """Compiled functions that go into one, each made once."""

    def __init__(self, constants: Mapping[str, Any], options: dict[str, Any]) -> None:
        self._constants, self._options = constants, options
        self._built: dict[Callable[..., Any], Kernel] = {}

    def of(self, function: Any, signature: Any, *, kept: bool) -> Kernel:
        """Return the outermost one."""
        twin = self._twin(function, self._options)
        if kept:
            twin._cache = CompileCache(twin.py_func)
        if signature is not None:
            with alone(function.__qualname__):
                twin.compile(signature)
            twin.disable_compile()
        return twin

    def _twin(self, function: Any, options: dict[str, Any]) -> Kernel:
        if function in self._built:
            return self._built[function]
        names = {**function.__globals__, **self._constants}
        for name in function.__code__.co_names:
            callee = names.get(name)
            if isinstance(callee, types.FunctionType) and not _is_known_to_numba(callee):
                how = APART if "is_apart" in vars(callee) else INLINED
                names[name] = self._twin(callee, {**self._options, **how})
        twin = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        twin.__module__, twin.__qualname__ = _lasting_module(function), function.__qualname__
        made = numba().njit(**options)(twin)
        if "is_apart" in vars(function):
            made.get_call_template = partial(_of_any_value, made.get_call_template)
        self._built[function] = made
        return made


def _of_any_value(template: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Have a function that is called compiled once, not anew for each constant and width of its numbers."""
    types = numba().types
    plain = map(types.unliteral, args)
    return template(tuple(types.int64 if type in types.signed_domain else type for type in plain), named)


def _is_known_to_numba(function: types.FunctionType) -> bool:
    """Whether numba has its own idea of a plain function: some of numpy's are written in Python."""
    return (function.__module__ or "").partition(".")[0] in ("numpy", "numba")


def _lasting_module(function: types.FunctionType) -> str:
    """Return a module for cached code to refer to: that of a user's file is not there in the next process."""
    spec = getattr(sys.modules.get(function.__module__), "__spec__", None)
    return __name__ if spec is None else function.__module__


# ---- is everything compiled? (first start: interpreted until it is)


def _stamp(sources: tuple[Path, ...]) -> str:
    seen = hashlib.sha256(versions().encode())
    for source in sorted(sources):
        seen.update(source.name.encode() + source.read_bytes())
    return f"ready-{seen.hexdigest()}"


KERNELS = "annealing", "due_dates", "levers", "plan_costs", "released_tasks", "search_columns", "stage_passes"


def _compiled_sources() -> tuple[Path, ...]:
    """Return the files whose functions are compiled: a change in any makes the stamp another one."""
    root = Path(__file__).parent.parent
    ours = (
        "engine/*.py",
        "policies/**/*.py",
        "shared_scans/*_loop.py",
        "optimize/*_loop.py",
        *(f"optimize/{name}.py" for name in KERNELS),
        "shared_scans/plan_columns.py",
        "charts/raster_kernel.py",
        "charts/pixel_covers.py",
    )
    return tuple(path for pattern in ours for path in root.glob(pattern))


def compiled_is_ready() -> bool:
    """Whether everything compiled is in the cache, so that using it costs no compilation."""
    return is_marked(_stamp(_compiled_sources()))


def check_compiled() -> None:
    """Look at every file of compiled code; what is damaged is deleted, and not ready any more."""
    check_all(_stamp(_compiled_sources()))


def mark_ready() -> None:
    """Note that everything compiled is in the cache."""
    mark_all(_stamp(_compiled_sources()))
