"""Compose a policy's pieces with a template into one kernel, compiled or interpreted.

The compiled kernel is called through a pointer and cached on disk under a name that hashes everything it is
made of - template, pieces, the functions and constants they use, the records' layout - since numba itself
looks only at one file.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
import types
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import jit
from core.engine.compiled import choose_signature, compiled_advance
from core.engine.loop import advance
from core.engine.state import CLUSTER, JOB, MOST_PARAMETERS, POOL
from core.errors import PolicyError, did_you_mean
from core.policies import templates
from core.policies.source_lines import place_of_function
from core.policies.source_text import source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.policies.policy import Policy

    Function = Callable[..., Any]

# What the templates pass to each piece, in their order; a piece asks for any of these by name.
OFFERED = {
    "admits": ("job", "kind", "slot", "pool", "cluster"),
    "key": ("job", "kind", "slot", "pool", "cluster"),
    "pool_key": ("pool", "kind", "cluster"),
    "pool_admits": ("pool", "kind", "cluster"),
    "lends": ("slot", "kind", "cluster"),
    "watch": ("job", "pool", "cluster"),
    "choose": ("slot", "queue", "job", "pool", "cluster"),
}
# error_model "python": dividing by zero is the policy's error, compiled as interpreted.
KERNEL_OPTIONS = {"boundscheck": True, "error_model": "python"}


@dataclass(frozen=True)
class Pieces:
    """A policy's own functions that run inside the simulator, and the template that calls them."""

    policy: type[Policy]
    template: Function
    functions: dict[str, Function]

    @property
    def in_order(self) -> bool:
        """Whether the policy serves the jobs in the order of their ranks."""
        return self.template is templates.in_order

    @property
    def lends(self) -> bool:
        """Whether the policy lends slots."""
        return "lends" in self.functions


def pieces_of(policy: type[Policy]) -> Pieces:
    """Find a policy's pieces and the template they ask for.

    Raises
    ------
    PolicyError
        a piece asks for something that is not offered to it
    """
    functions = {name: getattr(policy, name) for name in OFFERED if callable(getattr(policy, name, None))}
    for name, function in functions.items():
        for argument in inspect.signature(function).parameters:
            known = (*OFFERED[name], *numeric_parameters(policy))
            if argument not in known:
                raise PolicyError(
                    f"policy {policy.__name__}: {name} asks for '{argument}', which it cannot be given"
                    f"{did_you_mean(argument, known)}",
                    place_of_function(function, policy.source),
                )
    if "choose" in functions:
        template: Function = templates.free_form
    elif "pool_key" in functions:
        template = templates.pool_first if policy.pool_first else templates.by_pool
    else:
        template = templates.by_key if "key" in functions else templates.in_order
    return Pieces(policy, template, functions)


def numeric_parameters(policy: type[Policy]) -> tuple[str, ...]:
    """Return the names of the parameters that pieces may ask for, in their order in the cluster record."""
    names = tuple(p.name for p in policy.parameters if p.type in ("integer", "number", "boolean"))
    if len(names) > MOST_PARAMETERS:
        raise PolicyError(
            f"policy {policy.__name__} has {len(names)} numeric parameters; {MOST_PARAMETERS} fit"
        )
    return names


# ---- composing


def _key_width(function: Function, policy: type[Policy]) -> int:
    """Return how many numbers a key has, from its return statements: 1, or the length of its tuples."""
    tree = ast.parse(textwrap.dedent(source_of(function)))
    widths = {
        len(node.value.elts) if isinstance(node.value, ast.Tuple) else 1
        for node in ast.walk(tree)
        if isinstance(node, ast.Return)
    }
    if len(widths) != 1:
        wrong = "keys of different lengths; compare like with like" if widths else "no key; return a number"
        place = place_of_function(function, policy.source)
        raise PolicyError(f"{function.__qualname__} returns {wrong}", place)
    return widths.pop()


def _adapter(name: str, piece: Function, policy: type[Policy], wrap: Function) -> Function:
    """Return a function with the template's arguments that calls a piece with those it asks for."""
    place = {parameter: i for i, parameter in enumerate(numeric_parameters(policy))}
    asked = [
        f"cluster.parameter[{place[a]}]" if a in place else a for a in inspect.signature(piece).parameters
    ]
    call = f"piece({', '.join(asked)})"
    width = _key_width(piece, policy) if name in ("key", "pool_key") else 0
    if width > 1:  # the numbers of a tuple may differ in type: compiled code wants one
        call = f"tuple_of_floats({call})"
    source = f"def {name}({', '.join(OFFERED[name])}):\n    return {'1.0 * ' if width == 1 else ''}{call}\n"
    names: dict[str, Any] = {"__name__": __name__, "piece": wrap(piece)}
    if width > 1:
        items = ", ".join(f"1.0 * key[{i}]" for i in range(width))
        exec(f"def tuple_of_floats(key):\n    return ({items})\n", names)
        names["tuple_of_floats"] = wrap(names["tuple_of_floats"])
    exec(source, names)
    adapter: Function = wrap(names[name])
    return adapter


def _filled(pieces: Pieces, wrap: Function) -> dict[str, Any]:
    """Return every piece by name, with the template's arguments: the policy's own, else the default."""
    return {
        name: _adapter(name, pieces.functions[name], pieces.policy, wrap)
        if name in pieces.functions
        else wrap(getattr(templates, name))
        for name in OFFERED
    }


def _compose(pieces: Pieces, wrap: Function) -> Function:
    """Return the template as a function whose globals are the policy's pieces."""
    names = vars(templates) | _filled(pieces, wrap)
    for name, piece_name in (("NO_KEY", "key"), ("NO_POOL_KEY", "pool_key")):
        compared = pieces.functions.get(piece_name)
        width = 1 if compared is None else _key_width(compared, pieces.policy)
        names[name] = 0.0 if width == 1 else (0.0,) * width
    for part in (templates.next_pool, templates.neediest_job):
        names[part.__name__] = wrap(_rebind(part, names))
    return _rebind(pieces.template, names)


def _rebind(function: Function, names: dict[str, Any]) -> Function:
    assert isinstance(function, types.FunctionType)
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)


# ---- the two lives


@cache
def interpreted_kernel(policy: type[Policy]) -> Function:
    """Return the policy's kernel as plain Python, for lists and rows."""
    return _compose(pieces_of(policy), lambda function: function)


@cache
def interpreted_pieces(policy: type[Policy]) -> dict[str, Function]:
    """Return every piece of a policy by name, as plain functions of what `OFFERED` lists."""
    return _filled(pieces_of(policy), lambda function: function)


@cache
def compiled_kernel(policy: type[Policy]) -> jit.Kernel:
    """Return the policy's compiled kernel (about 0.5 s once, then some milliseconds from the cache).

    Raises
    ------
    PolicyError
        the pieces are wrong in themselves; what numba cannot compile raises numba's own error
    """
    pieces = pieces_of(policy)

    def wrap(function: Function) -> Any:
        return jit.compiled(function, cache=False, **KERNEL_OPTIONS)

    kernel = _compose(pieces, wrap)
    kernel.__module__ = templates.__name__
    kernel.__qualname__ = f"{policy.__name__}_{_fingerprint(pieces)}"
    return jit.compiled(kernel, choose_signature(), **KERNEL_OPTIONS)


def kernels(policy: type[Policy], compile_it: bool) -> tuple[Any, Any]:
    """Return the policy's kernel and the engine's `advance`, both compiled or both interpreted."""
    if not compile_it:
        return interpreted_kernel(policy), advance  # type: ignore[arg-type]  # a class is hashable
    return compiled_kernel(policy), compiled_advance()  # type: ignore[arg-type]  # likewise


def _fingerprint(pieces: Pieces) -> str:
    """Hash everything that the compiled kernel is made of."""
    seen = hashlib.sha256(Path(templates.__file__).read_bytes())
    for ours in (__file__, jit.__file__):
        seen.update(Path(ours).read_bytes())
    layout = (JOB.descr, POOL.descr, CLUSTER.descr, numeric_parameters(pieces.policy))
    seen.update(repr((layout, pieces.template.__name__)).encode())
    done: set[Function] = set()
    for name in sorted(pieces.functions):
        seen.update(name.encode())
        _hash_function(pieces.functions[name], seen, done)
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
