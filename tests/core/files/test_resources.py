"""Slotscope's own files are found in a checkout and in an installed wheel."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.files import resources
from core.model.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


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
