"""Slotscope's own files are found in a checkout and in an installed wheel."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from core.files import resources
from core.files.samples import sample_paths
from core.lessons.lesson_document import lesson_paths
from core.model.errors import InputError
from core.policies.registry import policy_class
from core.policies.user_files.policy_file import example_files
from core.study.study_document import preset_paths


def test_a_checkout_has_resources_and_samples_beside_the_packages() -> None:
    schema = resources.resource_path("schemas", "workload.schema.json")
    assert json.loads(schema.read_text(encoding="utf-8"))["$id"] == "urn:slotscope:workload:1"
    assert (resources.sample_folder() / "five-jobs.workload.json").is_file()


def test_an_installed_wheel_has_them_inside_explorer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PACKAGES", tmp_path)
    installed = tmp_path / "explorer" / "_data" / "resources"
    installed.mkdir(parents=True)
    (tmp_path / "resources").mkdir()
    assert resources.resource_path("icons", "a.svg") == installed / "icons" / "a.svg"


def test_a_broken_installation_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PACKAGES", tmp_path)
    with pytest.raises(
        InputError, match=r"folder 'sample_workloads' is neither at .*install Slotscope again"
    ):
        resources.sample_folder()


def test_all_that_is_shipped_is_an_original_and_nothing_else(tmp_path: Path) -> None:
    shipped = (*lesson_paths().values(), *preset_paths().values(), *sample_paths().values(), *example_files())
    assert len(shipped) > 50
    assert all(map(resources.is_original, shipped))
    assert resources.is_original(resources.resource_path("lessons", "not-there-yet.lesson.json"))
    assert resources.is_original(Path(inspect.getfile(policy_class("fifo"))))
    for path in (tmp_path / "mine.lesson.json", resources.PACKAGES / "mine.slotscope", "a\0b", Path("~")):
        assert not resources.is_original(path)
