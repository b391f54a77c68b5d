"""The local names of hooks in expressions: which there are, and which one is meant."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from core.explain.vocabulary import FOLLOWED_HOOKS, WATCHED_HOOKS
from core.model.errors import InputError, did_you_mean
from core.policies.user_files.source import AnyFunction, syntax_tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.explain.vocabulary import Vocabulary

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def local_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names that a function assigns, without its arguments; none for one that has no text."""
    try:
        (tree,) = syntax_tree_of(function).body
    except (OSError, SyntaxError, TypeError, ValueError, AttributeError):
        return ()  # it is made by other code
    if not isinstance(tree, AnyFunction) or isinstance(tree, ast.Lambda):
        return ()
    nodes = tuple(ast.walk(tree))
    elsewhere = {node.arg for node in ast.walk(tree.args) if isinstance(node, ast.arg)}
    elsewhere |= {
        name for each in nodes if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names
    }
    assigned = dict.fromkeys(name for statement in tree.body for name in _assigned(statement))
    return tuple(name for name in assigned if name not in elsewhere)


def _assigned(node: ast.AST) -> Iterator[str]:
    """Yield the names that a part of a function assigns; what functions inside it assign are none of them."""
    if isinstance(node, SCOPES):
        yield node.name
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif not isinstance(node, ast.Lambda):
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        if isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        inside = (node.iter, *node.ifs) if isinstance(node, ast.comprehension) else ast.iter_child_nodes(node)
        for each in inside:
            yield from _assigned(each)


def without_value(local: str) -> str:
    """Return where a local name has no value, given as "key.deficit"."""
    hook, _, name = local.partition(".")
    has_not_run = "had not run or " if hook in FOLLOWED_HOOKS else ""
    return f"{hook} {has_not_run}returned before {name} had one"


def with_local_names(text: str, value: ast.expr, words: Vocabulary, bound: set[str]) -> ast.expr:
    """Return an expression in which hooks' local names are functions of what they are looked at for.

    ``deficit`` is ``key.deficit()`` there, with a name that has a point in it, and so is ``key.deficit``.

    Parameters
    ----------
    text : as typed
    value : its syntax tree, which is changed
    words : the names there are; any other meaning of a name comes first
    bound : names that the expression itself gives a meaning

    Raises
    ------
    InputError
        a name stands in several hooks, or in a function that is not run for a watch, or in none
    """
    found: ast.expr = _LocalNames(text, words, bound).visit(value)
    return ast.fix_missing_locations(found)


class _LocalNames(ast.NodeTransformer):
    def __init__(self, text: str, words: Vocabulary, bound: set[str]) -> None:
        self._text, self._words = text, words
        self._taken = bound | set(words.plain_names())
        self._bound = bound

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Ask for what stands in the brackets: ``deficit(J3)``."""
        if (name := self._meant(node.func)) is None:
            return self.generic_visit(node)
        node.func = ast.copy_location(ast.Name(name, ast.Load()), node.func)
        node.args = [self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        return node

    def _alone(self, node: ast.Name | ast.Attribute) -> ast.AST:
        if (name := self._meant(node)) is None:
            return self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [], []), node)

    visit_Name = visit_Attribute = _alone

    def _meant(self, node: ast.expr) -> str | None:
        """Return the local name that is meant, with its hook; None for anything else."""
        if isinstance(node, ast.Name):
            return self._by_name(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self._by_hook(node.value.id, node.attr)
        return None

    def _by_name(self, name: str) -> str | None:
        if name in self._taken:
            return None
        functions = [function for function, names in self._words.locals.items() if name in names]
        hooks = [each for each in functions if each in WATCHED_HOOKS]
        if len(hooks) > 1:
            raise InputError(
                f"'{self._text}': {name} is a local name of {_and(hooks)}; write "
                f"{' or '.join(f'{hook}.{name}' for hook in hooks)}"
            )
        if functions and not hooks:
            raise self._not_run(functions[0], name)
        return f"{hooks[0]}.{name}" if hooks else None

    def _by_hook(self, function: str, name: str) -> str | None:
        if function in self._bound:
            return None
        names = self._words.locals.get(function, ())
        if function in WATCHED_HOOKS:
            if name not in names:
                hint = did_you_mean(name, names) if names else ""
                raise InputError(f"'{self._text}': {function} has no local name {name}{hint}")
            return f"{function}.{name}"
        if name in names:
            raise self._not_run(function, name)
        return None

    def _not_run(self, function: str, name: str) -> InputError:
        known = _and(WATCHED_HOOKS)
        return InputError(
            f"'{self._text}': {name} is a local name of {function}; only those of {known} can be watched"
        )


def _and(names: tuple[str, ...] | list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
