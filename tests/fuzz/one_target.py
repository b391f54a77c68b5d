"""Fuzz one target in this process, guided by which code each file reaches: what `tests.fuzz` starts.

    python -m tests.fuzz.one_target TARGET FOLDER [flags of libFuzzer]

The corpus grows in FOLDER/corpus. What ends in anything but a value or an InputError, or takes too long, is
kept in FOLDER/findings with its traceback, once for each place in the code, and fuzzing goes on. Too much
memory, and a file that never ends, end the process; libFuzzer keeps those beside the others.
"""

from __future__ import annotations

import hashlib
import sys
import time
import traceback
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import atheris

INSTRUMENTED = (
    "core.logs",
    "core.files",
    "core.model",
    "core.study",
    "core.lessons",
    "core.verify",
    "core.fidelity",
    "core.policies.user_files.data_codec",
)
"""None of it is compiled by numba, which could make nothing of code that counts where it comes by."""

with atheris.instrument_imports(include=list(INSTRUMENTED)):
    from core.model.errors import InputError
    from tests.fuzz.mutations import changed
    from tests.fuzz.targets import Target, targets

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SECONDS = 5.0
"""Of the processor, for one small file and with code that counts, which has a fourth of its speed."""
MIN_BYTES = 1 << 12
"""Files grow to twice the largest seed, at least to this."""
MAX_MEGABYTES = 2048
HANGS_AFTER = 60
"""Seconds."""


class Fuzzer:
    """Gives a target one content after the other."""

    def __init__(self, target: Target, folder: Path) -> None:
        self._target, self._findings, self._file = target, folder / "findings", folder / "file"

    def read(self, data: bytes) -> int:
        """Read a content; -1 if it is not worth keeping."""
        self._file.write_bytes(data)
        begun = time.process_time()
        try:
            is_known = self._target.read(self._file)
        except InputError:
            is_known = True
        except Exception as error:
            self._keep(data, error)
            return -1
        if time.process_time() - begun > MAX_SECONDS:
            self._keep(data, TimeoutError(f"took more than {MAX_SECONDS} s"))
        return 0 if is_known else -1

    def _keep(self, data: bytes, error: Exception) -> None:
        """Keep the smallest content that fails in a place."""
        frames = traceback.extract_tb(error.__traceback__)
        places = [f"{Path(frame.filename).name}:{frame.name}" for frame in frames[-3:]]
        name = hashlib.sha256(repr((type(error).__name__, places)).encode()).hexdigest()[:12]
        path = self._findings / name
        if path.exists() and path.stat().st_size <= len(data):
            return
        path.write_bytes(data)
        text = "".join(traceback.format_exception(error))
        path.with_suffix(".txt").write_text(text, encoding="utf-8", errors="backslashreplace")


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Return changed content: bytes by libFuzzer, which knows what was compared, or larger parts by us."""
    random = Random(seed)
    if random.random() < 0.5:
        data = changed(data, random)[:max_size]
    if random.random() < 0.6 or not data:
        data = atheris.Mutate(data, max_size)
    return data


def main(arguments: Sequence[str]) -> None:
    """Fuzz until libFuzzer has had enough; see the head of this file."""
    name, folder_name, *flags = arguments
    folder, target = Path(folder_name), targets()[name]
    for part in ("corpus", "findings"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    seeds = target.seeds()
    for seed in seeds:
        (folder / "corpus" / hashlib.sha1(seed).hexdigest()).write_bytes(seed)  # as libFuzzer names them
    max_bytes = max(MIN_BYTES, 2 * max(map(len, seeds)))
    limits = [f"-max_len={max_bytes}", f"-rss_limit_mb={MAX_MEGABYTES}", f"-timeout={HANGS_AFTER}"]
    given = [sys.argv[0], *limits, f"-artifact_prefix={folder / 'findings'}/", *flags, str(folder / "corpus")]
    atheris.Setup(given, Fuzzer(target, folder).read, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
