"""What a policy's hooks are: which it has, what each may take, and the template that calls them."""

from __future__ import annotations

import ast
import inspect
import types
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from core.engine.records import MAX_PARAMETERS
from core.model.errors import PolicyError, did_you_mean
from core.policies.composing import answers, templates
from core.policies.policy import OFFERED, name_of
from core.policies.user_files.source import (
    MAX_FUNCTIONS,
    arguments_of,
    place_of_file,
    place_of_function,
    syntax_tree_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from core.policies.policy import Policy

    Function = Callable[..., Any]

NODE_FIELDS = {"node", "node_memory", "node_cores"}
"""Fields of the cluster that are only kept for policies that read them."""
SLOT_FIELDS = {"slot_number", "executor"}
"""Likewise."""
LOCAL_FIELDS = {"local", "remote"}
"""Likewise, of jobs: they change with the node that is offered."""
SELF = ("self", "cls")
"""What methods of objects and of classes have as their first argument."""


@dataclass(frozen=True)
class Hooks:
    """A policy's own functions that run inside the simulator, and the template that calls them."""

    policy: type[Policy]
    template: Function
    functions: dict[str, Function]

    @property
    def in_order(self) -> bool:
        """Whether the policy serves the jobs in the order of their ranks."""
        return self.template is templates.in_order

    @property
    def is_plain(self) -> bool:
        """Whether the policy has no hook that runs inside the simulator: the order decides alone."""
        return not self.functions

    @property
    def lends(self) -> bool:
        """Whether the policy lends slots."""
        return "lends" in self.functions

    @property
    def gives_up(self) -> bool:
        """Whether the policy may give running tasks up."""
        return "preempt" in self.functions

    @property
    def copies(self) -> bool:
        """Whether the policy may let second copies of running tasks run."""
        return "speculate" in self.functions

    @property
    def pooled(self) -> bool:
        """Whether pools are looked at before jobs."""
        return "pool_key" in self.functions or "pool_admits" in self.functions

    @property
    def staged(self) -> bool:
        """Whether the policy determines in which order the stages of a job are served."""
        return callable(getattr(self.policy, "stage_key", None))

    @property
    def key_width(self) -> int:
        """How many numbers a key has; 1 for a policy without one."""
        return key_width(self.functions["key"], self.policy) if "key" in self.functions else 1

    @property
    def outlook_width(self) -> int:
        """How many numbers an outlook has; 0 for a policy without one."""
        return key_width(self.functions["outlook"], self.policy) if "outlook" in self.functions else 0

    @property
    def uses_tree(self) -> bool:
        """Whether a job's answers can be kept until its record changes, or until `watch` reports a change.

        The table in `core.policies.policy` tells what hooks may read for that.
        """
        reads = self._reads("admits") | self._reads("key")
        if self.pinned or "slot" in reads:
            return False
        if any(_reads_any(each, LOCAL_FIELDS, set()) for each in self.functions.values()):
            return False
        if "watch" in self.functions:
            return _returns_value(self.functions["watch"])
        if not {"admits", "key", "pool_admits", "pool_key"} & self.functions.keys():
            return False  # the first of the queue it is
        return not reads & {"pool", "cluster"}

    @property
    def pinned(self) -> bool:
        """Whether the policy takes the queues to begin at place 0."""
        return self.template is templates.free_form

    @property
    def settles(self) -> bool:
        """Whether time alone changes nothing: no hook that decides whether a slot is taken reads it."""
        deciding = ("admits", "reserves", "pool_admits", "lends", "watch", "choose", "preempt", "speculate")
        return not any(
            _reads_any(self.functions[name], {"now"}, set()) for name in deciding if name in self.functions
        )

    @property
    def reads_node(self) -> bool:
        """Whether a function of the policy reads on which node a task would run, or what is there."""
        return self._reads_fields(NODE_FIELDS | LOCAL_FIELDS)

    @property
    def reads_slot(self) -> bool:
        """Whether a function of the policy reads which slot is offered."""
        return self._reads_fields(SLOT_FIELDS)

    @property
    def reads_weight(self) -> bool:
        """Whether a function of the policy reads the weight of a job or a pool."""
        return self._reads_fields({"weight"})

    def _reads_fields(self, what: set[str]) -> bool:
        """Whether a hook, or what says why the policy decides so, reads one of these fields."""
        explains = self.policy.explains
        told = () if explains is None else (*vars(explains).values(), *(n.value for n in explains.numbers))
        functions = [each for each in (*self.functions.values(), *told) if inspect.isfunction(each)]
        return any(_reads_any(each, what, set(), nested=True) for each in functions)

    @property
    def may_grow_patient(self) -> bool:
        """Whether a job that waits may get nearer to its turn: a hook reads the time, or counts what ran.

        Of a user's file the functions that are called before the run count as well: an order may be by
        arrival plus something.
        """
        before = ("order", "figures", "plan") if self.policy.source is not None else ()
        called = [getattr(self.policy, name, None) for name in before]
        functions = [each for each in (*self.functions.values(), *called) if inspect.isfunction(each)]
        return any(_reads_any(each, {"now", "released", "arrival"}, set()) for each in functions)

    def _reads(self, name: str) -> set[str]:
        hook = self.functions.get(name)
        return set() if hook is None else set(arguments_of(hook))


def hooks_of(policy: type[Policy]) -> Hooks:
    """Find a policy's hooks and the template that they need.

    Raises
    ------
    PolicyError
        a hook asks for something that is not offered to it
    """
    functions = {name: getattr(policy, name) for name in OFFERED if callable(getattr(policy, name, None))}
    for name, function in functions.items():
        for argument in arguments_of(function):
            known = (*OFFERED[name], *numeric_parameters(policy))
            if argument not in known:
                raise PolicyError(
                    f"policy {policy.__name__}: {not_offered(name, argument, known)}",
                    place_of_function(function, policy.source),
                )
    if "choose" in functions:
        template: Function = templates.free_form
    elif "pool_key" in functions:
        template = templates.pool_first if policy.pool_first else templates.by_pool
    else:
        template = templates.by_key if "key" in functions else templates.in_order
    return Hooks(policy, template, functions)


def not_offered(name: str, argument: str, known: Iterable[str]) -> str:
    """Return what is wrong with an argument of a hook that is none of what it may ask for."""
    asks = f"{name} asks for '{argument}', which it cannot be given"
    if argument in SELF:
        rule = "hooks are functions of a class without objects, and what they remember is in a memo"
        return f"{asks}: {rule}; leave {argument} out"
    return f"{asks}{did_you_mean(argument, known)}"


def numeric_parameters(policy: type[Policy]) -> tuple[str, ...]:
    """Return the names of the parameters that hooks may take, in their order in the cluster record."""
    names = tuple(p.name for p in policy.parameters if p.type != "text")
    if len(names) > MAX_PARAMETERS:
        raise PolicyError(
            f"policy {policy.__name__} has {len(names)} numeric parameters; {MAX_PARAMETERS} fit",
            place_of_file(policy.source),
        )
    return names


def key_width(function: Function, policy: type[Policy]) -> int:
    """Return how many numbers a key has, from its return statements: 1, or the length of its tuples."""
    lines = dict(_counts_of_returns(function))
    if len(lines) != 1:
        counts = " and ".join(f"{count} on line {line}" for count, line in sorted(lines.items()))
        wrong = f"{function.__name__} returns different counts of numbers, {counts}; give as many each time"
        sentence = wrong if lines else answers.wrong_answer(function.__name__, None)
        place = place_of_function(function, policy.source)
        raise PolicyError(f"policy {name_of(policy)}: {sentence}", place)
    return lines.popitem()[0]


@lru_cache(MAX_FUNCTIONS)
def _counts_of_returns(function: Function) -> tuple[tuple[int, int], ...]:
    """Return how many numbers a function returns, each count with the last line that returns so many."""
    tree, first = syntax_tree_of(function), function.__code__.co_firstlineno - 1
    lines = {
        len(node.value.elts) if isinstance(node.value, ast.Tuple) else 1: first + node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Return)
    }
    return tuple(lines.items())


def _reads_any(function: Function, what: set[str], seen: set[Function], *, nested: bool = False) -> bool:
    """Whether a function, or one that it calls, or with `nested` one inside it, reads one of these names."""
    if function in seen:
        return False
    seen.add(function)
    names = _names_in(function.__code__) if nested else function.__code__.co_names
    found = [function.__globals__.get(name) for name in names]
    found += [vars(each).get(name) for each in found if inspect.ismodule(each) for name in names]
    called = [each for each in found if inspect.isfunction(each)]
    return bool(what & set(names)) or any(_reads_any(each, what, seen, nested=nested) for each in called)


def _names_in(code: types.CodeType) -> tuple[str, ...]:
    """Return the names that a function's code, and that of functions written inside it, looks up."""
    inside = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return (*code.co_names, *(name for each in inside for name in _names_in(each)))


@lru_cache(MAX_FUNCTIONS)
def _returns_value(function: Function) -> bool:
    """Whether a function returns something."""
    tree = syntax_tree_of(function)
    return any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(tree))
