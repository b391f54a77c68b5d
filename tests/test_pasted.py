"""Commands of the pages of the papers, pasted, print what stands beside them: lines that begin with `#>`."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from explorer.cli.run import run
from tests import random_tests
from tests.paths import ROOT
from tests.test_docs import BLOCK, LOG, PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("qapp")
PAPERS = sorted((ROOT / "docs" / "explanation").glob("paper-*.md"))
PAGES = [page for page in PAPERS if page.stem != "paper-001-runs"]
"""Paper 001's runs side by side are measured on logs."""
MORE = [ROOT / "docs" / "explanation" / "verdicts.md"]
PRINTED = "#>"
SLOW = re.compile(r"#.*\bminutes?\b")
"""What a command that takes long says of itself: it is pasted where tests are thorough."""


@dataclass(frozen=True)
class Block:
    """Commands to be pasted one after the other, each with what it prints, as far as the page has it."""

    page: Path
    lines: tuple[str, ...]

    @property
    def is_slow(self) -> bool:
        return any(SLOW.search(line) for line in self.lines)

    def commands(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each command up to the last one that has lines, and those."""
        last = max(i for i, line in enumerate(self.lines) if line.startswith(PRINTED))
        for i, line in enumerate(self.lines[: last + 1]):
            if line.startswith(PROGRAMS):
                rest = self.lines[i + 1 :]
                until = next((k for k, other in enumerate(rest) if not other.startswith(PRINTED)), len(rest))
                yield line, [other.removeprefix(PRINTED).strip() for other in rest[:until]]


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page that say what they print."""
    found = [fenced or indented for fenced, indented in BLOCK.findall(page.read_text("utf-8"))]
    split = [tuple(line.strip() for line in block.splitlines()) for block in found]
    return [Block(page, lines) for lines in split if any(line.startswith(PRINTED) for line in lines)]


EVERY_BLOCK = [block for page in [*PAGES, *MORE] for block in blocks(page)]
PASTED = [block for block in EVERY_BLOCK if random_tests.is_thorough or not block.is_slow]


def test_every_page_of_a_paper_has_a_quick_block_that_says_what_it_prints() -> None:
    quick = {block.page.stem for block in EVERY_BLOCK if not block.is_slow}
    assert quick >= {page.stem for page in PAGES}


@pytest.mark.parametrize("block", PASTED, ids=lambda block: f"{block.page.stem}: {block.lines[0][:40]}")
def test_pasted_commands_print_what_the_page_says(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line, expected in block.commands():
        words = [{"LOG": str(LOG)}.get(word, word) for word in shlex.split(line, comments=True)]
        capsys.readouterr()
        assert run(words[1:]) == 0, line + capsys.readouterr().err
        printed = [f" {' '.join(row.split())} " for row in capsys.readouterr().out.splitlines()]
        for told in expected:
            assert any(f" {' '.join(told.split())} " in row for row in printed), f"{line}\n{told}\n{printed}"
