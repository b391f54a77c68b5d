"""A file is replaced in one step, or stays as it was."""

from __future__ import annotations

import gzip
import os
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.files import resources
from core.files.atomic import PACKED_AT_ONCE, Watch, packed_for, replace_file
from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


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


@pytest.fixture
def no_files(tmp_path: Path) -> Iterator[dict[str, Path]]:
    """Return what has a name but is no file, with what it is called."""
    found = {name: tmp_path / name for name in ("a folder", "a named pipe", "a socket", "a link")}
    found["a folder"].mkdir()
    os.mkfifo(found["a named pipe"])
    found["a link"].symlink_to(found["a named pipe"])
    ends = os.openpty()
    found["a device"] = Path(os.ttyname(ends[1]))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(found["a socket"]))  # whole paths may be too long for it
        yield found
    for end in ends:
        os.close(end)


def test_what_is_no_file_is_refused_and_left(no_files: dict[str, Path]) -> None:
    before = {name: path.lstat() for name, path in no_files.items()}
    for name, path in no_files.items():
        is_what = name.replace("a link", "a named pipe")
        with pytest.raises(
            InputError, match=f"cannot write '.*': it is {is_what} and no file; choose another"
        ):
            replace_file(path, b"data")
    assert {name: path.lstat()[:4] for name, path in no_files.items()} == {
        name: status[:4] for name, status in before.items()
    }


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_data_go_to_standard_output(name: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    replace_file(name, b"\x89PNG\0")
    assert capfdbinary.readouterr() == (b"\x89PNG\0", b"")
    replace_file("/dev/stderr", b"data")
    assert capfdbinary.readouterr() == (b"", b"data")


def test_equal_data_are_packed_to_equal_bytes() -> None:
    assert packed_for("a.json", b"data") == b"data"
    packed = packed_for("a.json.gz", b"data")
    assert packed == packed_for("b.json.gz", b"data")
    assert gzip.decompress(packed) == b"data"


def test_what_is_packed_in_parts_is_whole() -> None:
    data = os.urandom(PACKED_AT_ONCE) * 2 + b"the rest"
    told: list[float] = []
    assert gzip.decompress(packed_for("a.json.gz", data, Watch(told.append))) == data
    assert told == [0, 1 / 3, 2 / 3]


@pytest.mark.parametrize(
    "folder", ["resources/lessons", "sample_workloads", "core/policies", "explorer/_data"]
)
def test_what_comes_with_the_program_is_never_written(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "PACKAGES", tmp_path)
    original = tmp_path / folder / "original"
    original.parent.mkdir(parents=True)
    original.write_bytes(b"as it came")
    (tmp_path / "link").symlink_to(original)
    for path in (
        original,
        original.with_name("new"),
        tmp_path / "link",
        original.parent / "x" / ".." / "new",
    ):
        with pytest.raises(InputError, match="what comes with Slotscope stays as it is"):
            replace_file(path, b"changed")
    assert original.read_bytes() == b"as it came"
    assert list(original.parent.iterdir()) == [original]
    replace_file(tmp_path / "mine", b"in the checkout, but none of the program's")
