"""Sources of policies: parsed by several threads at once."""

from __future__ import annotations

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from core.policies import overlap, sharing
from core.policies.user_files.source import syntax_tree, syntax_tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def busy_collector() -> Iterator[None]:
    """Collect garbage all the time, and let other threads in whenever that begins or ends."""

    def let_others_in(_phase: str, _info: dict[str, int]) -> None:
        time.sleep(0)

    before = gc.get_threshold()
    gc.set_threshold(20)
    gc.callbacks.append(let_others_in)
    yield
    gc.callbacks.remove(let_others_in)
    gc.set_threshold(*before)


def test_threads_parse_at_the_same_time(busy_collector: None) -> None:
    """Python 3.11 alone fails here: "AST constructor recursion depth mismatch"."""
    with open(overlap.__file__, encoding="utf-8") as file:
        text = file.read()
    with ThreadPoolExecutor(4) as threads:
        trees = list(threads.map(syntax_tree, [text] * 16))
    assert {len(tree.body) for tree in trees} == {len(trees[0].body)}


def test_a_function_inside_a_class_is_parsed() -> None:
    (definition,) = syntax_tree_of(sharing.Fair.key).body
    assert definition.name == "key"  # type: ignore[attr-defined]
