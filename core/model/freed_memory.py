"""What was freed goes back to the system: the allocator keeps the small pieces that rows are read in."""

from __future__ import annotations

import ctypes
import sys


def give_memory_back() -> None:
    """Return freed memory to the system where its allocator has a call for that, as on Linux."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
