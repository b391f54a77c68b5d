"""How much untrusted packed data may become: a few bytes must not fill a memory, a disk, or an afternoon."""

from __future__ import annotations

from core.model.limits import FREE_UNPACKED_BYTES, MAX_UNPACKING_RATIO


class OverBudget(ValueError):
    """Packed data unpacks to more than it may; the message is the rule that it breaks."""


class UnpackingBudget:
    """The bytes that one packed stream may still unpack to.

    A stream of p packed bytes gives at most `MAX_UNPACKING_RATIO` · p, or `FREE_UNPACKED_BYTES` where that is
    more, and `most` in any case. What is counted is what has been read so far, so that a stream is refused
    long before its end: 18 MB of gzip that hold 6 GiB of one repeated line end after 16 MiB.

    Parameters
    ----------
    most : bytes of the whole, unpacked
    """

    def __init__(self, most: int) -> None:
        self._most, self._unpacked = most, 0

    def take(self, unpacked: int, packed_so_far: int) -> None:
        """Count so many more unpacked bytes; OverBudget where they are too many for what was read."""
        self._unpacked += unpacked
        if self._unpacked > self._most:
            raise OverBudget(f"a file may have at most {_size_text(self._most)} once unpacked; split it")
        if self._unpacked > max(FREE_UNPACKED_BYTES, MAX_UNPACKING_RATIO * packed_so_far):
            times = f"it unpacks to more than {MAX_UNPACKING_RATIO} times its size"
            raise OverBudget(f"{times}; if you trust it, unpack it first")


def _size_text(size: int) -> str:
    return f"{size // 2**30} GiB" if size >= 2**30 else f"{size // 2**20} MiB"
