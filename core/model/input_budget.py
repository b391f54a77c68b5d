"""How much untrusted packed data may become: a few bytes must not fill a memory, a disk, or an afternoon."""

from __future__ import annotations

from core.model.limits import (
    FREE_LINES,
    FREE_UNPACKED_BYTES,
    FREE_UNPACKED_LOG_BYTES,
    MAX_LINES_PER_BYTE,
    MAX_LOG_BYTES,
    MAX_UNPACKING_RATIO,
)


class OverBudget(ValueError):
    """Packed data unpacks to more than it may; the message is the rule that it breaks."""


class UnpackingBudget:
    """The bytes that one packed stream may still unpack to.

    A stream of p packed bytes gives at most `MAX_UNPACKING_RATIO` · p, or `free` where that is more, and
    `most` in any case. What is counted is what has been read so far, so that a stream is refused
    long before its end: 18 MB of gzip that hold 6 GiB of one repeated line end after 16 MiB.

    Parameters
    ----------
    most : bytes of the whole, unpacked
    free : bytes up to which the ratio does not matter
    what : what is unpacked, for the sentence
    """

    def __init__(self, most: int, free: int = FREE_UNPACKED_BYTES, what: str = "it unpacks to") -> None:
        self._most, self._free, self._what, self._unpacked = most, free, what, 0

    def take(self, unpacked: int, packed_so_far: float) -> None:
        """Count so many more unpacked bytes; OverBudget where they are too many for what was read."""
        self._unpacked += unpacked
        if self._unpacked > self._most:
            raise OverBudget(f"a file may have at most {_size_text(self._most)} once unpacked; split it")
        if self._unpacked > max(self._free, MAX_UNPACKING_RATIO * packed_so_far):
            times = f"{self._what} more than {MAX_UNPACKING_RATIO} times its size"
            raise OverBudget(f"{times}; if you trust it, unpack it first")


class ImportBudget:
    """The bytes and lines that all files of one import may still unpack to, members of archives among them.

    Parameters
    ----------
    source_bytes : size of the files as they lie on the disk
    """

    def __init__(self, source_bytes: float) -> None:
        self._source_bytes, self._lines = source_bytes, 0
        self._budget = UnpackingBudget(MAX_LOG_BYTES, FREE_UNPACKED_LOG_BYTES, "all that is imported has")

    def grow(self, source_bytes: int) -> None:
        """Note that more is read, of so many bytes on the disk."""
        self._source_bytes += source_bytes

    def take(self, unpacked: bytes) -> None:
        """Count so much more; OverBudget where it is too much for the files."""
        self._budget.take(len(unpacked), self._source_bytes)
        self._lines += unpacked.count(b"\n")
        if self._lines > max(FREE_LINES, MAX_LINES_PER_BYTE * self._source_bytes):
            lines = f"all that is imported has more than {MAX_LINES_PER_BYTE} lines for each byte of its size"
            raise OverBudget(f"{lines}; if you trust it, unpack it first")


def _size_text(size: int) -> str:
    return f"{size // 2**30} GiB" if size >= 2**30 else f"{size // 2**20} MiB"
