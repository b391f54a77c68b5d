"""Built-in policies as texts: to be read, and to be copied into a policy file of one's own."""

from __future__ import annotations

import ast
import importlib
import inspect
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.policies.policy import Policy, name_of
from core.policies.registry import policy_class

if TYPE_CHECKING:
    from collections.abc import Iterator


def text_of_policy(policy_id: str) -> str:
    """Return the module in which a built-in policy stands, or the user's file, as text.

    Raises
    ------
    InputError
        there is no such policy
    """
    policy = policy_class(policy_id)
    if policy.source is not None:
        return policy.source.files[0].text
    return inspect.getsource(importlib.import_module(policy.__module__))


def line_of_policy(policy_id: str) -> int:
    """Return the line on which a built-in policy's class begins in `text_of_policy`, from 1."""
    policy = policy_class(policy_id)
    return 1 if policy.source is not None else inspect.getsourcelines(policy)[1]


def own_copy(policy_id: str) -> str:
    """Return a policy file that does what a built-in policy does, under a name of its own.

    It has the policy's class and what this uses of its module; policies that it derives from are imported.

    Raises
    ------
    InputError
        there is no such policy, or it is a file already
    """
    policy = policy_class(policy_id)
    if policy.source is not None:
        raise InputError(f"{name_of(policy)} is a policy file already; copy the file")
    module = importlib.import_module(policy.__module__)
    text = inspect.getsource(module)
    tree, lines = ast.parse(text), text.splitlines()
    others = {
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Policy) and value is not policy
    }
    parts = {name: node for node in tree.body for name in _defined(node)}
    used = _used(policy.__name__, parts, others)
    kept = [
        node
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        or _is_for_types(node)
        or (used - others) & set(_defined(node))
    ]
    own = "My" + policy.__name__
    body = "\n\n".join(
        _text(node, lines) for node in kept if not isinstance(node, ast.Import | ast.ImportFrom)
    )
    imports = "\n".join(_text(node, lines) for node in kept if isinstance(node, ast.Import | ast.ImportFrom))
    siblings = sorted(used & others & parts.keys())
    if siblings:
        imports += f"\nfrom {policy.__module__} import {', '.join(siblings)}"
    body = _renamed(body, policy, own)
    heading = f'"""A copy of {policy.title or name_of(policy)}, to be changed."""'
    return f"{heading}\n\n{imports}\n\n{body}\n"


def _defined(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module defines, but for imports."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))


def _used(name: str, parts: dict[str, ast.stmt], others: set[str]) -> set[str]:
    """Return a name and all names that it uses, through one another; not through other policies."""
    found, waiting = {name}, [name]
    while waiting:
        node = parts.get(waiting.pop())
        if node is None or (set(_defined(node)) & others):
            continue
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - found
        found |= names
        waiting += names
    return found


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _text(node: ast.stmt, lines: list[str]) -> str:
    decorators = getattr(node, "decorator_list", ())
    begin = min([node.lineno, *(each.lineno for each in decorators)])
    return "\n".join(lines[begin - 1 : node.end_lineno])


def _renamed(body: str, policy: type[Policy], own: str) -> str:
    """Give the class, its id and its title names of their own."""
    replaced = {f"class {policy.__name__}(": f"class {own}("}
    if policy.id:
        replaced[f'    id = "{policy.id}"'] = f'    id = "my-{policy.id}"'
    if policy.title:
        replaced[f'    title = "{policy.title}"'] = f'    title = "My {policy.title}"'
    for before, after in replaced.items():
        body = body.replace(before, after, 1)
    return body
