"""What is said of a file that a lesson or a study names quotes nothing of what stands in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.lessons.lesson_document import read_lesson
from core.model.errors import InputError
from core.study.run_study import open_files
from core.study.study_document import study_from_json
from tests.core.lessons.lesson_examples import LESSON, TINY
from tests.core.study.study_examples import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET = "hunter2"
FOREIGN = {
    "a key": f"{SECRET} BEGIN OPENSSH PRIVATE KEY\n{SECRET}\n",
    "a table": f"{SECRET}:x:0:0:{SECRET}:/{SECRET}\n" * 3,
    "a document of another format": json.dumps({"format": SECRET, SECRET: SECRET}),
    "a workload with mistakes": json.dumps(TINY | {SECRET: 1, "jobs": [{SECRET: SECRET, "name": SECRET}]}),
    "a workload with a key twice": f'{{"format": "slotscope-workload", "{SECRET}": 1, "{SECRET}": 2}}',
    "no JSON": f'{{"format": "slotscope-workload", {SECRET}',
}


def of_lesson(folder: Path, name: str) -> None:
    document = LESSON | {"workloads": LESSON["workloads"] | {"tiny": {"file": name}}}
    (folder / "a.lesson.json").write_text(json.dumps(document))
    read_lesson(folder / "a.lesson.json")


def of_study(folder: Path, name: str) -> None:
    axis = {"name": "log", "fields": ["workload.file"], "values": [name]}
    open_files(study_from_json(DOCUMENT | {"axes": [axis]}, "a", str(folder)))


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("read", [of_lesson, of_study])
def test_nothing_of_the_file_is_quoted(
    read: Callable[[Path, str], None], content: str, tmp_path: Path
) -> None:
    (tmp_path / "foreign").write_text(content)
    with pytest.raises(InputError) as raised:
        read(tmp_path, str(tmp_path / "foreign"))
    assert SECRET not in str(raised.value)
    assert "foreign' is named here, but it cannot be read as a workload" in str(raised.value)


@pytest.mark.parametrize("read", [of_lesson, of_study])
def test_that_it_is_missing_is_said_and_a_workload_is_read(
    read: Callable[[Path, str], None], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"there\.json' does not exist"):
        read(tmp_path, "there.json")
    (tmp_path / "there.json").write_text(json.dumps(TINY))
    read(tmp_path, "there.json")
