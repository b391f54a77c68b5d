"""Values that cannot be read at a glance in a file, and that a script of the file opens: no secret.

A value is JSON, deflated, and mixed byte by byte with numbers that a hash of the place gives. Whoever reads
the script can open it; whoever looks into the file by chance reads no answer.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from core.files.packed_columns import deflate
from core.files.schedule_page import inner_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

SALT_BYTES = 4


def salt_of(text: str) -> int:
    """Return a number of 32 bits that stands for a text: the same text, the same number."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:SALT_BYTES], "big")


def sealed(value: Mapping[str, Any], salt: int) -> str:  # Any: JSON
    """Return a JSON value as base64 of bytes that only its salt makes readable.

    Parameters
    ----------
    value : the value; texts in it are plain
    salt : 32 bits
    """
    data = np.frombuffer(deflate(inner_json(value).encode("ascii")), np.uint8)
    return base64.b64encode((data ^ mask(len(data), salt)).tobytes()).decode("ascii")


def mask(count: int, salt: int) -> NDArray[np.uint8]:
    """Return the bytes with which a sealed value is mixed: of place i the lowest of a hash of salt + i.

    The hash is the finalizer of MurmurHash3 (Appleby, public domain).
    """
    state = (np.arange(count, dtype=np.uint64) + np.uint64(salt)).astype(np.uint32)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        state ^= state >> np.uint32(shift)
        state *= np.uint32(factor)
    return ((state ^ (state >> np.uint32(16))) & np.uint32(0xFF)).astype(np.uint8)
