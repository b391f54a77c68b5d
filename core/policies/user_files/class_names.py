"""Names in a policy's class that nothing would ever look at: a misspelt hook would do nothing, in silence."""

from __future__ import annotations

import ast
import difflib
import sys
from typing import TYPE_CHECKING, Any

from core.model.errors import PolicyError, did_you_mean, shorten_repr
from core.policies.policy import HOOKS, Policy
from core.policies.user_files.source import RUN_TEXT, place_of_function, syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from core.policies.user_files.source import PolicySource

SETTINGS = tuple(name for name in Policy.__annotations__ if name not in HOOKS)
"""What a class may set beside its hooks."""
MEASURED = ("predicted_rate",)
"""Functions of a policy that figures call, see `core.measures.release_rate`."""
NOT_MODELLED = {
    "kill": "which running task is given up is what preempt answers",
    "suspend": "write preempt, and suspends = True",
    "place": "a policy picks a job for a slot, not a slot for a job",
}
"""What people look for under the name of a hook, and why there is none."""
CLOSE = 0.75
REPLACED = ("admits", "key", "pool_key", "pool_admits", "outlook", "outdates")
"""Hooks that are never called where there is `choose`."""


def check_names_in_class(policy: type[Policy]) -> None:
    """Raise PolicyError for the first name in a user's class or file that would be ignored.

    That is a function that is no hook and that nothing in the files calls, a setting or a hook that is
    misspelt, a hook that is no function, one beside `choose`, and one that stands outside of the class. Of a
    class without a file it is a function that is nearly named like a hook: the program may call others.
    """
    source = policy.source
    if source is None:
        functions = ((name, getattr(value, "__func__", value)) for name, value in vars(policy).items())
        for name, function in functions:
            if callable(function) and not name.startswith("_") and name not in HOOKS and close_hooks(name):
                raise no_hook(policy, name, function)
        return
    names = _Names(policy, source)
    for owner in names.classes:
        for name, value in vars(owner).items():
            if not name.startswith("_"):
                names.check(name, value)
    names.check_twice()
    names.check_outside()


def close_hooks(name: str) -> list[str]:
    """Return the hook that a name is nearly, or that has its letters in another order; or nothing."""
    swapped = [hook for hook in HOOKS if sorted(hook) == sorted(name)]
    return swapped or difflib.get_close_matches(name, HOOKS, n=1, cutoff=CLOSE)


def no_hook(policy: type[Policy], name: str, function: Any) -> PolicyError:
    """Return the error that says that a function of a policy is no hook, and which is nearest."""
    close = close_hooks(name)
    hint = f"; did you mean '{close[0]}'?" if close else did_you_mean(name, HOOKS)
    why = f": {NOT_MODELLED[name]}" if name in NOT_MODELLED else ""
    own = "" if close else f"; a function of your own begins with _, as _{name}"
    sentence = f"policy {policy.id} has no hook '{name}'{why}{hint}{own}"
    return PolicyError(sentence, place_of_function(function, policy.source))


class _Names:
    """The classes of a policy that users wrote, and what their files read."""

    def __init__(self, policy: type[Policy], source: PolicySource) -> None:
        self._policy, self._source = policy, source
        self.classes = [each for each in policy.__mro__ if RUN_TEXT in _globals_of(each)]
        self._trees = [syntax_tree(each.data, str(each.path)) for each in source.files]
        self._read = set(self._names_read({each.__name__ for each in self.classes}))

    def _names_read(self, classes: set[str]) -> Iterator[str]:
        """Yield the names that the files read, and those of the class that they read through it."""
        for node in (node for tree in self._trees for node in ast.walk(tree)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node.id
            elif (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in classes
            ):
                yield node.attr

    def check(self, name: str, value: Any) -> None:
        """Raise PolicyError where what the class calls so is ignored."""
        function = getattr(value, "__func__", value)
        if name in HOOKS:
            self._check_hook(name, function)
        elif name not in (*SETTINGS, *MEASURED) and name not in self._read:
            if callable(function):
                raise no_hook(self._policy, name, function)
            close = difflib.get_close_matches(name, (*SETTINGS, *HOOKS), n=1, cutoff=CLOSE)
            if close:
                sentence = f"has no setting '{name}'; did you mean '{close[0]}'?"
                raise self._error(sentence, name)

    def _check_hook(self, name: str, function: Any) -> None:
        if name != "order" and function is not None and not callable(function):
            raise self._error(
                f"gives {name} as {shorten_repr(function)}; write a function: def {name}(...)", name
            )
        if name in REPLACED and callable(function) and callable(vars(self._policy).get("choose")):
            rule = f"leave {name} out, or write _{name} and call it from choose"
            if name not in self._read:
                raise self._error(f"has both choose and {name}, which is never called then; {rule}", name)

    def check_twice(self) -> None:
        """Raise PolicyError where a class has a hook twice: the first one is lost."""
        for node in (node for tree in self._trees for node in ast.walk(tree)):
            if not isinstance(node, ast.ClassDef):
                continue
            hooks = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name in HOOKS]
            lines = {each.name: each.lineno for each in reversed(hooks)}
            again = next((each for each in hooks if lines[each.name] != each.lineno), None)
            if again is not None and node.name == self._policy.__name__:
                first = f"the one on line {lines[again.name]} is never called"
                raise self._error(f"has {again.name} twice; {first}", again.name)

    def check_outside(self) -> None:
        """Raise PolicyError for a function outside the class with a hook's name, never called."""
        for node in self._trees[0].body:
            if not isinstance(node, ast.FunctionDef) or node.name not in HOOKS or node.name in self._read:
                continue
            if not any(node.name in vars(each) for each in self.classes):
                rule = "indent it to make it a hook"
                sentence = f"the function {node.name} stands outside of the class {self._policy.__name__}"
                raise PolicyError(
                    f"policy {self._policy.id}: {sentence}, where it is never called; {rule}",
                    self._source.place(node.lineno),
                )

    def _error(self, sentence: str, name: str) -> PolicyError:
        owner = next((each for each in self.classes if name in vars(each)), self._policy)
        line = self._source.line_of_class(owner.__name__, name)
        return PolicyError(f"policy {self._policy.id} {sentence}", self._source.place(line))


def _globals_of(owner: type) -> Mapping[str, Any]:
    """Return the names of the module that a class is written in."""
    module = sys.modules.get(owner.__module__)
    return {} if module is None else vars(module)
