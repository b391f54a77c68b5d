"""Logs packed in every way that is read, as the programs and as Spark write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from tests.gzipped import gzip_of

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 1 << 12


def _frames(codec: str) -> Callable[[bytes], bytes]:
    def pack(data: bytes) -> bytes:
        sink = pa.BufferOutputStream()
        stream = pa.CompressedOutputStream(sink, codec)
        stream.write(data)
        stream.close()
        packed: bytes = sink.getvalue().to_pybytes()
        return packed

    return pack


def lz4_blocks_of(data: bytes) -> bytes:
    """Pack as lz4-java does: a block for each 4 KiB, every second one stored, and an empty one at the end."""
    blocks = []
    for number, begin in enumerate([*range(0, len(data), BLOCK), len(data)]):
        part = data[begin : begin + BLOCK]
        is_stored = number % 2 == 1 or not part
        body = part if is_stored else pa.compress(part, "lz4_raw", asbytes=True)
        sizes = len(body).to_bytes(4, "little") + len(part).to_bytes(4, "little")
        blocks.append(b"LZ4Block" + bytes([0x16 if is_stored else 0x26]) + sizes + b"\0\0\0\0" + body)
    return b"".join(blocks)


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip_of,
    "zstd": _frames("zstd"),
    "lz4": _frames("lz4"),
    "lz4 of Spark": lz4_blocks_of,
}
