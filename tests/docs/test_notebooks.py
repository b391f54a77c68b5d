"""The notebooks of the manual are run, and show what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docs.from_code.notebooks import executed, notebook_paths, read, text_of

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 20_000
PATHS = [pytest.param(path, id=path.stem) for path in notebook_paths()]


@pytest.mark.parametrize("path", PATHS)
def test_a_notebook_shows_what_comes_out(path: Path) -> None:
    stored = read(path)
    again = executed(stored, path.stem)
    for before, after in zip(stored["cells"], again["cells"], strict=True):
        assert after == before, f"python -m docs.from_code.notebooks writes it anew: {before['source']}"
    assert text_of(again) == path.read_text(encoding="utf-8")


def test_notebooks_are_two_small_files_and_the_first_has_ten_cells() -> None:
    assert [path.stem for path in notebook_paths()] == [
        "from-a-log-to-a-recommendation",
        "your-policy-against-the-literature",
    ]
    assert all(path.stat().st_size < MAX_BYTES for path in notebook_paths())
    assert sum(cell["cell_type"] == "code" for cell in read(notebook_paths()[0])["cells"]) == 10


def test_what_a_cell_raises_is_raised() -> None:
    cell = {"cell_type": "code", "source": ["1 / 0"], "outputs": [], "execution_count": None, "metadata": {}}
    with pytest.raises(ZeroDivisionError):
        executed({"cells": [cell]}, "wrong")
