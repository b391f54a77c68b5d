"""Gzip that is the same at any time, so that tests with it have the same names in every process."""

from __future__ import annotations

import gzip


def gzip_of(data: bytes) -> bytes:
    """Compress without a time stamp."""
    return gzip.compress(data, mtime=0)
