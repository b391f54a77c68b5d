"""Compose a policy's hooks with a template into one kernel, compiled or interpreted.

The compiled kernel is called through a pointer and cached on disk under a name that hashes everything it is
made of - template, hooks, the functions and constants they use, the records' layout - since numba itself
looks only at one file.
"""

from __future__ import annotations

import hashlib
import inspect
import types
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import jit
from core.engine.failures import advance_with_failures
from core.engine.heartbeats import advance_on_hosts
from core.engine.locality import advance_by_node
from core.engine.loop import advance
from core.engine.preemption import advance_giving_up
from core.engine.records import CLUSTER, JOB, POOL
from core.engine.speculation import advance_with_copies
from core.engine.variants import ANY_KIND, EngineVariant, RunKind
from core.policies.composing import answers, giving_up, speculating, templates
from core.policies.composing import hooks as policy_hooks
from core.policies.composing.hooks import Hooks, hooks_of, key_width, numeric_parameters
from core.policies.policy import OFFERED, Policy
from core.policies.user_files.source import source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = Callable[..., Any]

# error_model "python": dividing by zero is the policy's error, compiled as interpreted.
HOOK_OPTIONS: dict[str, Any] = {"boundscheck": True, "error_model": "python"}


# ---- composing


def _adapter(name: str, hook: Function, policy: type[Policy], wrap: Function) -> Function:
    """Return a function with the template's arguments that calls a hook with those it takes.

    The numbers of a key may differ in type: compiled code wants one.
    """
    place = {parameter: i for i, parameter in enumerate(numeric_parameters(policy))}
    arguments = [
        f"cluster.parameter[{place[a]}]" if a in place else a for a in inspect.signature(hook).parameters
    ]
    call = f"hook({', '.join(arguments)})"
    width = key_width(hook, policy) if name in answers.KEYS else 1
    source, needed = answers.calling(name, OFFERED[name], call, width, compiled=wrap is not _plain)
    names: dict[str, Any] = {"__name__": __name__, "hook": wrap(hook), **needed}
    exec(source, names)
    adapter: Function = names[name]
    return adapter


def _filled(hooks: Hooks, wrap: Function) -> dict[str, Any]:
    """Return every hook by name, with the template's arguments: the policy's own, else the default."""
    return {
        name: _adapter(name, hooks.functions[name], hooks.policy, wrap)
        if name in hooks.functions
        else getattr(templates, name)
        for name in OFFERED
    }


def _compose(hooks: Hooks, use_tree: bool, wrap: Function) -> Function:
    """Return the template as a function whose globals are the policy's hooks, each wrapped."""
    names = vars(templates) | {"ASK": giving_up.ASK} | _filled(hooks, wrap)
    width = hooks.key_width
    names |= {"KEYED": "key" in hooks.functions, "WIDTH": width, "NO_KEY": (0.0,) * width}
    names["POOLED"], names["OUTLOOK"] = hooks.pooled, hooks.outlook_width
    names["STAGED"], names["RESERVED"] = hooks.staged, "reserves" in hooks.functions
    if "pool_key" in hooks.functions:
        names["NO_POOL_KEY"] = (0.0,) * key_width(hooks.functions["pool_key"], hooks.policy)
    for name, part in vars(templates).items():
        if isinstance(part, types.FunctionType) and name not in OFFERED:
            names[name] = _rebind(part, names)
    found = "tree" if use_tree else "scan"
    names |= {"look": names[f"look_by_{found}"], "highest_priority_job": names[f"job_by_{found}"]}
    in_pool = "case" if hooks.template is templates.pool_first else "kind"
    names["task_of_pool"] = names[f"task_by_{in_pool}"]
    names["form"] = names[hooks.template.__name__]
    template: Function = names["at_instants"] if hooks.policy.watches_time else names["form"]
    if hooks.gives_up or hooks.copies:
        asked = "giving_up" if hooks.gives_up else "speculating"
        names["decided"], template = template, names[asked]
    return template


def _rebind(function: Function, names: dict[str, Any]) -> Function:
    assert isinstance(function, types.FunctionType)
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)


# ---- the two lives


def _plain(function: Function) -> Function:
    return function


@cache
def interpreted_kernel(policy: type[Policy], use_tree: bool | None = None) -> Function:
    """Return the policy's kernel as plain Python, for lists and rows.

    It keeps the jobs' answers in a selection tree where it can, unless `use_tree` is False.
    """
    hooks = hooks_of(policy)
    return _compose(hooks, hooks.uses_tree if use_tree is None else use_tree, _plain)


@cache
def interpreted_hooks(policy: type[Policy]) -> dict[str, Function]:
    """Return every hook of a policy by name, as plain functions of what `OFFERED` lists."""
    return _filled(hooks_of(policy), _plain)


@jit.Kept
def compiled_kernel(policy: type[Policy]) -> jit.Kernel:
    """Return the policy's compiled kernel (about 0.5 s once, then some milliseconds from the cache).

    Raises
    ------
    PolicyError
        the hooks are wrong in themselves; what numba cannot compile raises numba's own error
    """
    from core.engine.compiled import choose_signature  # interpreted runs need no compiler

    hooks = hooks_of(policy)

    def wrap(hook: Function) -> Any:
        return jit.compiled(hook, kept=False, **HOOK_OPTIONS)

    kernel = _compose(hooks, hooks.uses_tree, wrap)
    kernel.__module__ = templates.__name__
    kernel.__qualname__ = kernel_name(policy)
    return jit.compiled(kernel, choose_signature(), kept=_is_from_a_file(policy))


def _is_from_a_file(policy: type[Policy]) -> bool:
    """Whether all that a policy is made of is in files of ours or of its own.

    A class of a notebook reads whatever its program has; no name could have a hash of that.
    """
    return policy.source is not None or policy.__module__.partition(".")[0] == "core"


def kernel_name(policy: type[Policy]) -> str:
    """Return the name that the cache has for a policy's kernel: it has a hash of all that goes into it."""
    return f"{policy.__name__}_{_fingerprint(hooks_of(policy))}"


def kernels(policy: type[Policy], compile_it: bool, kind: RunKind = ANY_KIND) -> tuple[Any, Any]:
    """Return the policy's kernel and the engine's `advance`, both compiled or both interpreted.

    On typed slots of the whole cluster a policy that is nothing but an order needs no kernel of its own.
    """
    from core.engine.compiled import compiled_advance  # interpreted runs need no compiler

    if not compile_it:
        engine = INTERPRETED[variant_for(policy, kind)]
        return interpreted_kernel(policy), engine  # type: ignore[arg-type]  # a class is hashable
    engine = compiled_advance(variant_for(policy, kind))
    return compiled_kernel(_decides_as(policy)), engine


INTERPRETED: dict[EngineVariant, Any] = {
    EngineVariant.GENERAL: advance,
    EngineVariant.PLAIN: advance,
    EngineVariant.HOSTS: advance_on_hosts,
    EngineVariant.GIVING_UP: advance_giving_up,
    EngineVariant.COPIES: advance_with_copies,
    EngineVariant.LOCATED: advance_by_node,
    EngineVariant.FAILURES: advance_with_failures,
}
"""The engine's functions."""


def engine_going_on(variant: EngineVariant, compile_it: bool) -> Any:
    """Return the engine's `advance` for a run that goes on with what is known of its tasks or slots."""
    from core.engine.compiled import compiled_advance  # interpreted runs need no compiler

    return compiled_advance(variant) if compile_it else INTERPRETED[variant]


def _decides_as(policy: type[Policy]) -> type[Policy]:
    """Return whose kernel serves a policy: those that are nothing but an order of the jobs share one."""
    hooks = hooks_of(policy)
    return Policy if hooks.is_plain and not hooks.staged else policy


def variant_for(policy: type[Policy], kind: RunKind) -> EngineVariant:
    """Return the variant of the engine that the runs of a policy need."""
    if kind.hosts:
        return EngineVariant.HOSTS
    if kind.located:
        return EngineVariant.LOCATED
    if kind.fails:
        return EngineVariant.FAILURES
    hooks = hooks_of(policy)
    if hooks.gives_up:
        return EngineVariant.GIVING_UP
    if hooks.copies:
        return EngineVariant.COPIES
    return EngineVariant.PLAIN if kind.typed and hooks.is_plain else EngineVariant.GENERAL


def kernels_are_loaded(policy: type[Policy], kind: RunKind = ANY_KIND) -> bool:
    """Whether this process has the compiled code of `kernels`; that of a user's file is made when it runs."""
    from core.engine.compiled import compiled_advance  # interpreted runs need no compiler

    engine = compiled_advance.is_loaded(variant_for(policy, kind))
    return engine and (policy.source is not None or compiled_kernel.is_loaded(_decides_as(policy)))


def _fingerprint(hooks: Hooks) -> str:
    """Hash everything that the compiled kernel is made of."""
    seen = hashlib.sha256(Path(templates.__file__).read_bytes())
    modules = answers.__file__, giving_up.__file__, speculating.__file__, policy_hooks.__file__, jit.__file__
    for ours in (__file__, *modules):
        seen.update(Path(ours).read_bytes())
    layout = (JOB.descr, POOL.descr, CLUSTER.descr, numeric_parameters(hooks.policy))
    form = hooks.template.__name__, hooks.policy.watches_time, hooks.uses_tree, hooks.staged, templates.FEW
    seen.update(repr((layout, *form)).encode())
    if hooks.policy.source is not None and hooks.policy.source.helpers:
        seen.update(hooks.policy.source.digest.encode())  # functions of a helper may be called as `helper.f`
    done: set[Function] = set()
    for name in sorted(hooks.functions):
        seen.update(name.encode())
        _hash_function(hooks.functions[name], seen, done)
    return seen.hexdigest()[:16]


def _hash_function(function: Function, seen: Any, done: set[Function]) -> None:
    """Hash a function's source, the constants it reads and the functions it calls."""
    if function in done:
        return
    done.add(function)
    seen.update(source_of(function).encode())
    assert isinstance(function, types.FunctionType)
    for name in sorted(function.__code__.co_names):
        value = function.__globals__.get(name)
        if isinstance(value, types.FunctionType):
            _hash_function(value, seen, done)
        elif isinstance(value, int | float | str | tuple):
            seen.update(f"{name}={value!r}".encode())
        elif isinstance(value, np.ndarray):  # compiled code holds its numbers
            seen.update(f"{name}={value.dtype}{value.shape}".encode() + value.tobytes())
