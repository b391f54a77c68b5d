"""Compiled code on the disk: what is damaged there is never loaded, and compiled again."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.engine import compile_cache, jit
from core.engine.compile_cache import ENDING, alone, check_all, is_marked, mark_all, take_damage, why_not_kept
from tests import random_tests

if TYPE_CHECKING:
    from collections.abc import Callable

STAMP = "ready-all"
FEW_DAMAGES = 8


def twice(number: int) -> int:
    return 2 * number


def load() -> int:
    """Answer by compiled code, as a process does that has just started."""
    signature = jit.numba().types.int64(jit.numba().types.int64)
    answer: int = jit.compiled(twice, signature)(21)
    return answer


def test_code_that_checks_its_bounds_is_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for checks in ("0", "1"):
        monkeypatch.setenv("NUMBA_BOUNDSCHECK", checks)
        compile_cache.versions.cache_clear()
        load()
    compile_cache.versions.cache_clear()
    assert len(list(tmp_path.glob(f"*{ENDING}"))) == 2


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a cache of this test, with the code of one function in it, and the note that this is all."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "of a user" / "cache"))
    for name in ("_damaged", "_not_kept"):
        monkeypatch.setattr(compile_cache, name, [])
    monkeypatch.setattr(compile_cache, "_used", set())
    assert load() == 42
    mark_all(STAMP)
    return tmp_path / "of a user" / "cache"


def kept(folder: Path) -> Path:
    (file,) = folder.glob(f"*{ENDING}")
    return file


def flipped(seed: int) -> Callable[[bytes], bytes]:
    def flip(content: bytes) -> bytes:
        place = random.Random(seed).randrange(len(content))
        return content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :]

    return flip


WHOLESALE: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _content: b"",
    "half": lambda content: content[: len(content) // 2],
    "zeros": lambda content: bytes(len(content)),
    "more": lambda content: content + b"\0",
    "another format": lambda content: compile_cache.DIGEST(content).digest() + content,
}
FLIPS = {f"bit {seed}": flipped(seed) for seed in range(10 * FEW_DAMAGES)}


def damages() -> dict[str, Callable[[bytes], bytes]]:
    few = len(FLIPS) if random_tests.is_thorough else FEW_DAMAGES
    return WHOLESALE | dict(list(FLIPS.items())[:few])


def test_whatever_damage_is_found_told_and_mended(folder: Path) -> None:
    path = kept(folder)
    whole = path.read_bytes()
    for name, damage in damages().items():
        path.write_bytes(damage(whole))
        assert load() == 42, name
        assert take_damage() == "a file of compiled code was damaged, and made anew", name
        assert take_damage() == "", "told once"
        assert kept(folder) == path
        assert load() == 42
        assert take_damage() == "", name


def test_a_check_deletes_what_is_damaged_and_the_note_that_all_is_ready(folder: Path) -> None:
    check_all(STAMP)
    assert is_marked(STAMP)
    path = kept(folder)
    path.write_bytes(flipped(1)(path.read_bytes()))
    check_all(STAMP)
    assert not is_marked(STAMP)
    assert not path.exists()
    assert take_damage().startswith("a file of compiled code")


@pytest.mark.parametrize("note", ["", "../../elsewhere", "gone-1.compiled", "\0\ufffd"])
def test_a_note_of_files_that_are_not_there_is_no_note(folder: Path, note: str) -> None:
    (folder / STAMP).write_text(note, encoding="utf-8")
    check_all(STAMP)
    assert not is_marked(STAMP)
    assert kept(folder).exists()


def test_a_disk_that_takes_nothing_is_told_and_no_obstacle(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(folder).unlink()

    def full(_path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert load() == 42
    assert f"cannot be kept in {folder} (No space left on device)" in why_not_kept()
    assert not list(folder.glob(f"*{ENDING}"))


def test_damaged_files_are_counted(folder: Path) -> None:
    path = kept(folder)
    for name in (path.name, f"other{ENDING}"):
        (folder / name).write_bytes(b"damaged")
    (folder / STAMP).write_text(f"{path.name}\nother{ENDING}", encoding="utf-8")
    check_all(STAMP)
    assert take_damage() == "2 files of compiled code were damaged, and made anew"


def test_one_process_at_a_time_compiles_a_function(folder: Path) -> None:
    with alone("twice"), (folder / "twice.lock").open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with (folder / "twice.lock").open() as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize("of_another_user", [-1, 1])
def test_a_folder_of_somebody_else_is_not_used(
    of_another_user: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ours = tmp_path / "slotscope" / "compiled"
    assert compile_cache.cache_folder() == ours
    assert compile_cache.cache_folder() == ours, "also when it is there"
    assert ours.stat().st_mode & 0o777 == 0o700, "nobody else reads or writes there"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    monkeypatch.setattr(os, "getuid", lambda: ours.stat().st_uid + of_another_user)
    compile_cache._folder_of_this_process.cache_clear()
    found = compile_cache.cache_folder()
    assert found.parent == temporary
    assert compile_cache.cache_folder() == found
    compile_cache._folder_of_this_process.cache_clear()
