"""Counted loops do what they did before, and end."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import pytest

from core.engine import jit
from core.model.number_text import grouped
from core.policies.user_files import loop_budget
from core.policies.user_files.loop_budget import EndlessLoop, budget_names, with_loop_budget

MAX = 1000


@pytest.fixture(autouse=True)
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(loop_budget.LIMITS, "rounds", MAX)


def names_of(text: str) -> dict[str, Any]:
    """Run a text with counted loops and return its globals."""
    names: dict[str, Any] = budget_names() | {"itertools": itertools, "__name__": __name__}
    exec(compile(with_loop_budget(ast.parse(text)), "mine.py", "exec", dont_inherit=True), names)
    return names


LOOPS = """
'''Doc.'''
from __future__ import annotations
from __future__ import division

def nested(n, m):
    "Doc."
    total = 0
    for i in range(n):
        if i == 3:
            continue
        j = m
        while j > 0:
            j -= 1
            total += i
        else:
            total += 100
    return total

def first_even(items):
    for item in items:
        if item % 2 == 0:
            break
    else:
        item = -1
    return item

def comprehensions(n):
    squares = [i * j for i in range(n) for j in range(i) if j % 2]
    return sum(squares), {i for i in range(n)}, {i: i for i in range(n)}, list(i for i in range(n))

def generator(n):
    for i in range(n):
        yield i

class Some:
    "Of class."
    total = 0
    for i in range(5):
        total += i

async def several(items):
    return [item async for item in items]
"""


def test_loops_do_what_they_did() -> None:
    counted, plain = names_of(LOOPS), {"__name__": __name__}
    exec(compile(LOOPS, "mine.py", "exec", dont_inherit=True), plain)
    for call in ("nested(7, 5)", "first_even([1, 3, 4, 5])", "first_even([1])", "comprehensions(9)",
                 "list(generator(4))", "Some.total, Some.__doc__", "nested.__doc__", "__doc__"):  # fmt: skip
        assert eval(call, counted) == eval(call, plain), call


ENDLESS = {
    "while": "def f():\n    while True:\n        pass\n",
    "for": "def f():\n    for i in itertools.count():\n        pass\n",
    "nested": "def f():\n    while True:\n        for i in range(3): pass\n",
    "swallowed": "def f():\n  while True:\n    try:\n      while True: pass\n    except Exception: pass\n",
    "generator": "def f():\n    return sum(i for i in itertools.count())\n",
    "list": "def f():\n    return [i for i in itertools.count()]\n",
    "set": "def f():\n    return {0 for i in itertools.count()}\n",
    "dict": "def f():\n    return {0: i for i in itertools.count()}\n",
    "lambda": "f = lambda: max(i for i in itertools.count())\n",
    "inner": "def f():\n    def g():\n        while True: pass\n    g()\n",
    "method": "class A:\n    def f(self):\n        while True: pass\nf = A().f\n",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_endless_loops_end_on_their_line(kind: str) -> None:
    function = names_of(ENDLESS[kind])["f"]
    with pytest.raises(EndlessLoop, match=f"more than {grouped(1000)} rounds in one call") as caught:
        function()
    line = [frame.lineno + 1 for frame in caught.traceback if str(frame.path).endswith("mine.py")][-1]
    looping = [n for n, text in enumerate(ENDLESS[kind].splitlines(), 1) if "while" in text or "for" in text]
    assert line in looping


@pytest.mark.parametrize("text", ["while True: pass", "class A:\n    for i in itertools.count(): pass"])
def test_endless_loops_outside_of_functions_end(text: str) -> None:
    with pytest.raises(EndlessLoop):
        names_of(text)


def test_the_budget_is_for_one_call() -> None:
    function = names_of(f"def f():\n    for i in range({MAX}): pass\n    return i\n")["f"]
    assert [function() for _ in range(3)] == [MAX - 1] * 3
    with pytest.raises(EndlessLoop):
        names_of(f"def f():\n    for i in range({MAX + 1}): pass\n")["f"]()
    assert len(names_of(f"a = [i for i in range({MAX})]")["a"]) == MAX
    with pytest.raises(EndlessLoop):
        names_of(f"a = [i for i in range({MAX + 1})]")


def test_what_is_drawn_from_must_be_iterable() -> None:
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        names_of("a = (i for i in 5)")


def test_compiled_loops_end_too() -> None:
    text = "def f(n):\n    total = 0.0\n    while total != n:\n        total += 1.0\n    return total\n"
    compiled = jit.compiled(names_of(text)["f"], kept=False)
    assert compiled(5.0) == 5.0
    with pytest.raises(EndlessLoop):
        compiled(0.5)
