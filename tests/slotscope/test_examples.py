"""The examples of the public module's docstrings come out as they stand there."""

from __future__ import annotations

import doctest
import inspect
from typing import TYPE_CHECKING

import pytest

import slotscope
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FOREIGN = {"Cluster", "InputError", "Parameter", "Policy", "PolicyFault", "SlotscopeError", "Workload"}
"""Names that belong to the core, whose docstrings have their own tests."""
NO_EXAMPLE = {"FidelityResult", "fidelity", "gymnasium_environment"}
"""An example would need a log, or a package that need not be installed."""
OWN = sorted(set(slotscope.__all__) - FOREIGN)


PAGES = [ROOT / "docs" / "how-to" / f"{name}.md" for name in ("slotscope-from-python", "learn-to-schedule")]
LOOSE = doctest.NORMALIZE_WHITESPACE


def examples(name: str) -> list[doctest.DocTest]:
    thing = getattr(slotscope, name) if name else slotscope
    found = doctest.DocTestFinder().find(thing, name or "slotscope", module=False, globs={})
    return [each for each in found if each.examples]


@pytest.mark.parametrize("name", ["", *OWN])
def test_examples_come_out(name: str) -> None:
    runner = doctest.DocTestRunner(optionflags=LOOSE, verbose=False)
    said: list[str] = []
    for each in examples(name)[:1] if not name else examples(name):
        runner.run(each, out=said.append)
    assert "".join(said) == ""
    assert (runner.summarize(verbose=False).attempted > 0) == (name not in NO_EXAMPLE)


@pytest.mark.parametrize("name", OWN)
def test_help_names_every_argument(name: str) -> None:
    thing = getattr(slotscope, name)
    text = inspect.getdoc(thing) or ""
    if inspect.isclass(thing):
        assert "Attributes\n---" in text
        return
    described = text.partition("Parameters\n---")[2].partition("\n\n")[0]
    missing = [each for each in inspect.signature(thing).parameters if each not in described]
    assert missing == []


def test_every_name_is_in_the_overview() -> None:
    functions = [name for name in OWN if not inspect.isclass(getattr(slotscope, name))]
    assert [name for name in functions if f"`{name}`" not in (slotscope.__doc__ or "")] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_comes_out(page: Path) -> None:
    parsed = doctest.DocTestParser().get_doctest(page.read_text("utf-8"), {}, page.stem, page.name, 0)
    said: list[str] = []
    results = doctest.DocTestRunner(optionflags=LOOSE).run(parsed, out=said.append)
    assert "".join(said) == ""
    assert results.attempted > 5
