"""Run a policy file with the modules that it imports: those agreed to, by their bytes, and installed ones.

Every version of a file is a package of its own, `slotscope_policy_` and the digest, in which the file is one
module and each of its helpers another; `import helper` in any of them means that helper. So versions, and
files in other folders with helpers of the same name, know nothing of each other. Whatever else such a file
imports, also while a hook runs or by `importlib`, must be installed: a finder in front of the others sees to
it, and Python's audit to files that are run by their paths.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
import types
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, all_suffixes
from importlib.util import spec_from_loader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from core.model.errors import PolicyError
from core.policies.user_files.imports import OURS, installed_spec, is_installed, is_installed_file
from core.policies.user_files.loop_budget import budget_names, with_loop_budget
from core.policies.user_files.source import (
    ENDING,
    RUN_TEXT,
    PolicySource,
    SourceFile,
    place_of_error,
    syntax_tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

OLD_NAMES = {
    "core.cluster": "core.model.cluster",
    "core.dataset": "core.model.job",
    "core.errors": "core.model.errors",
    "core.job": "core.model.job",
    "core.parameters": "core.model.parameters",
    "core.partition": "core.model.partition",
    "core.pool": "core.model.pool",
    "core.schedule": "core.model.schedule",
    "core.workload": "core.model.workload",
    "core.policies.balanced_pools": "core.policies.pools",
    "core.policies.capacity": "core.policies.sharing",
    "core.policies.dynamic_priority": "core.policies.sharing",
    "core.policies.fair": "core.policies.sharing",
    "core.policies.explicit_order": "core.policies.orders",
    "core.policies.fifo": "core.policies.orders",
    "core.policies.johnson": "core.policies.orders",
}
"""Modules that policy files written for version 0.1 import, and where what was in them is now."""

PREFIX = "slotscope_policy_"
DIGITS = 16
"""Of a version's digest, in the name of its package."""
MAIN = "__policy__"
"""The policy file in its package; a helper may have any other name."""
RUN_SOURCE = "_slotscope_source"
"""Global of a user's module, and of its package, that holds the version that it belongs to."""


class ModuleNotAgreed(ImportError):
    """A policy file imports what its user has not confirmed."""


def run(source: PolicySource) -> ModuleType:
    """Run a policy file and return its module.

    Raises
    ------
    PolicyError
        the code of the file, or of one of its helpers, cannot be run; with the place
    """
    _answer_to_old_names()
    _stand_guard()
    package = types.ModuleType(f"{PREFIX}{source.digest[:DIGITS]}")
    package.__path__ = []
    vars(package)[RUN_SOURCE] = source
    _forget(package.__name__)
    sys.modules[package.__name__] = package
    module = types.ModuleType(f"{package.__name__}.{MAIN}")
    module.__package__ = package.__name__
    sys.modules[module.__name__] = module  # compiled functions find their own module by this name
    try:
        _execute(module, source, source)
    except (Exception, SystemExit) as error:
        _forget(package.__name__)
        if isinstance(error, PolicyError):
            raise
        what = str(error) if isinstance(error, ModuleNotAgreed) else f"{type(error).__name__}: {error}"
        raise PolicyError(what, place_of_error(error, source)) from error
    return module


def _answer_to_old_names() -> None:
    """Let files that are run import `OLD_NAMES`."""
    for old, new in OLD_NAMES.items():
        if old not in sys.modules:
            sys.modules[old] = importlib.import_module(new)
            package, _, name = old.rpartition(".")
            setattr(sys.modules[package], name, sys.modules[old])


def _forget(package: str) -> None:
    for name in tuple(sys.modules):
        if name == package or name.startswith(f"{package}."):
            del sys.modules[name]


def _execute(module: ModuleType, file: SourceFile, source: PolicySource) -> None:
    """Run one file of a version in its module."""
    module.__file__ = str(file.path)
    names = vars(builtins) | {"__import__": _import_of(source, module.__name__.partition(".")[0])}
    vars(module).update(
        budget_names() | {RUN_TEXT: file.text, RUN_SOURCE: source, "__builtins__": names},
    )
    code = _code(file)
    _executing.add(id(code))
    try:
        exec(code, vars(module))
    finally:
        _executing.discard(id(code))


def _code(file: SourceFile) -> types.CodeType:
    try:
        tree = syntax_tree(file.data, str(file.path))
        return compile(with_loop_budget(tree), str(file.path), "exec", dont_inherit=True)
    except SyntaxError as error:
        place = file.place(error.lineno or 0, error.offset or 0)
        raise PolicyError(f"{error.msg} ({type(error).__name__})", place) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise PolicyError(f"this is not Python: {error}", file.place()) from error


# ---- imports


def _import_of(source: PolicySource, package: str) -> Callable[..., ModuleType]:
    """Return what import statements call in the modules of a version."""
    helpers = {helper.module.partition(".")[0] for helper in source.helpers}

    def import_(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level or top not in helpers:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = builtins.__import__(f"{package}.{name}", None, None, fromlist or (), 0)
        return module if fromlist else sys.modules[f"{package}.{top}"]

    return import_


class _Agreed(MetaPathFinder):
    """Gives the modules of users' files what was agreed to, and all others what they import."""

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if package.startswith(PREFIX) and package in sys.modules:
            return _spec_of_helper(fullname, name, vars(sys.modules[package])[RUN_SOURCE])
        source = _importing_policy()
        if source is None or package in OURS or package in sys.builtin_module_names:
            return None
        if path is None and (spec := installed_spec(fullname)) is not None:
            return spec
        if not is_installed(package):
            self._refuse(fullname, path, source)
        return None

    def _refuse(self, name: str, path: Sequence[str] | None, source: PolicySource) -> None:
        """Report that a module must not be imported, if there is one."""
        _refuse_beside(name, source)
        others = (getattr(each, "find_spec", None) for each in sys.meta_path if each is not self)
        spec = next(filter(None, (find(name, path) for find in others if find is not None)), None)
        if spec is not None:
            where = spec.origin or next(iter(spec.submodule_search_locations or ()), "elsewhere")
            why = (
                f"{where} is no installed package, nor beside {source.path.name}; put it there, or install it"
            )
            raise _not_agreed(name, why)


_GUARD = _Agreed()
_is_on_guard: list[bool] = []
_executing: set[int] = set()
"""Ids of the code of agreed files while it is executed."""


def _stand_guard() -> None:
    """Look at what users' files import and execute, for as long as the process lives."""
    if _GUARD not in sys.meta_path:
        sys.meta_path.insert(0, _GUARD)
    if not _is_on_guard:
        _is_on_guard.append(True)
        sys.addaudithook(_check_execution)


def _check_execution(event: str, about: tuple[Any, ...]) -> None:
    """Refuse files that are run, or loaded as compiled modules, by their paths instead of by their names."""
    if event == "exec" and id(about[0]) not in _executing:
        path = str(getattr(about[0], "co_filename", ""))
    elif event == "import":
        path = str(about[1] or "")
    else:
        return
    is_file = not path.startswith("<") and os.path.isfile(path)
    if is_file and not is_installed_file(path) and _importing_policy() is not None:
        raise _not_agreed(Path(path).stem, f"{path} is run by its path; name it in an import statement")


def _importing_policy() -> PolicySource | None:
    """Return the policy file on whose behalf something is imported or run now, None if there is none."""
    frame = sys._getframe(2)
    while frame is not None and RUN_SOURCE not in frame.f_globals:
        frame = frame.f_back  # type: ignore[assignment]
    found: PolicySource | None = None if frame is None else frame.f_globals[RUN_SOURCE]
    return found


def _spec_of_helper(full_name: str, name: str, source: PolicySource) -> ModuleSpec | None:
    helper = next((each for each in source.helpers if each.module == name), None)
    is_folder = any(each.module.startswith(f"{name}.") for each in source.helpers)
    if helper is None and not is_folder:
        _refuse_beside(name, source)
        return None
    is_package = is_folder if helper is None else helper.is_package
    return spec_from_loader(full_name, _HelperLoader(helper, source), is_package=is_package)


class _HelperLoader(Loader):
    """Runs the bytes that were agreed to."""

    def __init__(self, helper: SourceFile | None, source: PolicySource) -> None:
        self._helper, self._source = helper, source

    @override
    def exec_module(self, module: ModuleType) -> None:
        if self._helper is not None:
            _execute(module, self._helper, self._source)
        module.__spec__ = None  # nobody can import it in another process, as compiled code would


def _refuse_beside(name: str, source: PolicySource) -> None:
    """Return why a module that lies beside a policy file is not run."""
    path = source.path.parent.joinpath(*name.split("."))
    for suffix in all_suffixes():
        found = path.with_name(path.name + suffix)
        if found.exists() and suffix != ENDING:
            raise _not_agreed(name, f"{found} is not Python text, so what it does cannot be read")
        if found.exists():
            why = f"when {source.path.name} was read, it was not there or in no import statement"
            raise _not_agreed(name, f"{found} is run only if an import statement names it; {why}")
    if path.is_dir():
        raise _not_agreed(name, f"{path} has no Python file that an import statement names")


def _not_agreed(name: str, why: str) -> ModuleNotAgreed:
    return ModuleNotAgreed(f"imports {name}, which was not agreed to: {why}", name=name)
