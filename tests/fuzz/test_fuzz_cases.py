"""What fuzzing has found stays mended: `tests/data/fuzzed` has a folder for each target, with its cases."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import pytest

from core.files.resources import resource_path
from core.model.errors import InputError
from tests.fuzz.mutations import changed
from tests.fuzz.targets import DOCUMENTS, targets
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

CASES = sorted(path for path in (DATA / "fuzzed").rglob("*") if path.is_file())
TARGETS = targets()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_case_ends_with_a_value_or_a_sentence(case: Path, tmp_path: Path) -> None:
    content = tmp_path / case.name
    content.write_bytes(case.read_bytes())
    with suppress(InputError):
        TARGETS[case.parent.name].read(content)


def test_every_document_with_a_schema_is_fuzzed() -> None:
    schemas = {path.name.removesuffix(".schema.json") for path in resource_path("schemas").glob("*.json")}
    assert schemas <= set(DOCUMENTS)


@pytest.mark.parametrize("name", TARGETS)
def test_targets_read_what_they_begin_from(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    content = tmp_path / "content"
    for place, seed in enumerate(target.seeds()[:2]):
        content.write_bytes(seed)
        with suppress(InputError):  # a log of two files that need one another
            assert target.read(content)
        content.write_bytes(changed(seed, Random(place)))
        with suppress(InputError):
            target.read(content)
