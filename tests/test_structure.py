"""The figures of `benchmarks.structure`, on a small program whose figures are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.structure import circles, code_lines, longest_chain, parts, read_sources, report, scraps

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "core/__init__.py": '"""Values."""\n',
    "core/low.py": "import math\n",
    "core/middle.py": "from core.low import x\n",
    "core/high/__init__.py": "",
    "core/high/one.py": "from core import middle\n\n\ndef f():\n    from core.high import two\n",
    "core/high/two.py": "from core.high.one import y\nfrom core.low import x\n",
    "explorer/__init__.py": "",
    "explorer/app.py": "import core.high.one\n",
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_parts_chains_circles_and_scraps(program: Path) -> None:
    sources = read_sources(program)
    assert parts(sources, "core") == {
        "core.low": set(),
        "core.middle": {"core.low"},
        "core.high": {"core.middle", "core.low"},
    }
    assert circles({name: source.imports for name, source in sources.items()}) == [
        ["core.high.one", "core.high.two"]
    ]
    top = {name: source.top for name, source in sources.items()}
    assert longest_chain(top) == ["core.high.two", "core.high.one", "core.middle", "core.low"]
    assert set(scraps(sources)) == {("core.middle", "core.high.one"), ("core.high.two", "core.high.one")}


def test_report_says_it_in_lines(program: Path) -> None:
    lines = report(program)
    assert lines[0] == "modules 5, lines 11, of code 8"
    assert lines[1] == "modules that name maps or reduces: 0, in core 0"
    assert lines[2] == "core: 3 parts, 3 floors, 3 imports between them"


def test_lines_of_code_are_counted_without_blanks_comments_and_docstrings() -> None:
    assert (
        code_lines('"""What it is."""\n\nX = 1  # one\n"""Of X,\ntwice."""\n# no code\nY = """a\nb"""\n') == 3
    )
