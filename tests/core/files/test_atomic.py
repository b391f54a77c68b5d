"""A file is replaced in one step, or stays as it was."""

from __future__ import annotations

import gzip
import os
import stat
from typing import TYPE_CHECKING

import pytest

from core.files.atomic import packed_for, replace_file
from core.model.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    replace_file(tmp_path / "new", b"data")
    assert (tmp_path / "new").read_bytes() == b"data"
    assert (tmp_path / "new").stat().st_mode == other.stat().st_mode


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"long old content")
    path.chmod(0o640)
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"old")

    def disk_is_full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_is_full)
    with pytest.raises(InputError, match=r"cannot write '.*kept': no space left on device; choose another"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["no/such/folder/file", "", "nul\0byte", "x" * 300])
def test_an_impossible_place_gets_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot write"):
        replace_file(os.path.join(tmp_path, name), b"")


def test_equal_data_are_packed_to_equal_bytes() -> None:
    assert packed_for("a.json", b"data") == b"data"
    packed = packed_for("a.json.gz", b"data")
    assert packed == packed_for("b.json.gz", b"data")
    assert gzip.decompress(packed) == b"data"
