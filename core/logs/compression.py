"""How the bytes of a log are packed, known by how they begin: gzip, zstd, lz4, and lz4 as Spark writes it.

Each way unpacks piece by piece; data that is damaged or cut gives what can be had of it, and a `Problem`.
"""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from core.model.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

UNPACKED_BYTES = 1 << 20
"""Most that one step of unpacking gives, so that a tiny file cannot fill the memory at once."""
AS_GZIP = 31
"""zlib's window setting for data in a gzip envelope."""
STEP_BYTES = 1 << 14
"""Unpacked at a time where what is unpacked together with damage is lost."""
MAX_BLOCK = 1 << 25
"""Bytes of a block of Spark's lz4 streams, unpacked; lz4-java writes none larger."""
CUT = "the packed data ends early; what follows is lost"
DAMAGED = "the packed data is damaged ({}); what follows is lost"


class Packing(NamedTuple):
    """One way to pack.

    Attributes
    ----------
    name : as people call it
    magic : how packed data begins
    unpack : the unpacked pieces of packed ones, and at last a `Problem` if some could not be unpacked
    """

    name: str
    magic: bytes
    unpack: Callable[[Iterator[bytes]], Iterator[bytes | Problem]]


def packing_of(first: bytes) -> Packing | None:
    """Return how data is packed that begins like this; None if it is not, or in a way that is not known."""
    return next((packing for packing in PACKINGS if first.startswith(packing.magic)), None)


def _gunzip(packed: Iterator[bytes]) -> Iterator[bytes | Problem]:
    """Unpack gzip; several members one after the other count as one file."""
    member = zlib.decompressobj(AS_GZIP)
    for data in packed:
        while data:
            if member.eof:
                data = data.lstrip(b"\0")  # tapes and block devices pad with zeros
                if not data:
                    break
                member = zlib.decompressobj(AS_GZIP)
            before = member.copy()
            try:
                # one step is bounded; what it did not get to comes round again
                unpacked = member.decompress(data, UNPACKED_BYTES)
            except zlib.error as problem:
                yield b"".join(_up_to_damage(before, data))
                yield Problem("gzip", "", DAMAGED.format(str(problem).split(": ")[-1]))
                return
            yield unpacked
            data = member.unused_data if member.eof else member.unconsumed_tail
    if not member.eof:
        yield Problem("gzip", "", CUT)


def _up_to_damage(member: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """Yield what can be unpacked before the damaged byte; zlib throws it away when it meets damage."""
    for i in range(len(data)):
        try:
            yield member.decompress(data[i : i + 1])
        except zlib.error:
            return


class PieceStream(io.RawIOBase):
    """Pieces of bytes as a file that is read once, from the beginning."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._held = pieces, b""

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with as much as there is at once."""
        self._held = self._held or next(self._pieces, b"")
        count = min(len(buffer), len(self._held))
        buffer[:count], self._held = self._held[:count], self._held[count:]
        return count

    def exactly(self, size: int) -> bytes:
        """Return so many bytes, fewer at the end."""
        parts = bytearray()
        while len(parts) < size and (part := self.read(size - len(parts))):
            parts += part
        return bytes(parts)


def _unpack_frames(name: str, packed: Iterator[bytes]) -> Iterator[bytes | Problem]:
    """Unpack what the programs `zstd` and `lz4` write; several frames count as one file."""
    import pyarrow as pa  # takes 25 MB and a tenth of a second, and most logs are not packed so

    stream = pa.CompressedInputStream(pa.PythonFile(PieceStream(packed), "r"), name)
    try:
        while unpacked := stream.read(STEP_BYTES):
            yield unpacked
    except OSError as problem:
        reason = str(problem)
        rule = CUT if "Truncated" in reason else DAMAGED.format(reason.split(": ")[-1])
        yield Problem(name, "", rule)


BLOCK_MAGIC, BLOCK_HEAD = b"LZ4Block", 21
_METHODS = {0x10: "", 0x20: "lz4_raw"}


def _unpack_blocks(packed: Iterator[bytes]) -> Iterator[bytes | Problem]:
    """Unpack the blocks of lz4-java, which Spark writes.

    A block has a head of 21 bytes: the magic, a byte with the method (0x10 stored, 0x20 lz4), and packed
    size, unpacked size and a checksum as little-endian 32-bit numbers; an empty one ends a stream, and
    another stream may follow.
    """
    stream = PieceStream(packed)
    while head := stream.exactly(BLOCK_HEAD):
        if len(head) < BLOCK_HEAD:
            yield Problem("lz4", "", CUT)
            return
        method = head[8] & 0xF0
        size, unpacked_size = (int.from_bytes(head[place : place + 4], "little") for place in (9, 13))
        if not head.startswith(BLOCK_MAGIC) or method not in _METHODS or max(size, unpacked_size) > MAX_BLOCK:
            yield Problem("lz4", "", DAMAGED.format("a block begins wrongly"))
            return
        data = stream.exactly(size)
        if len(data) < size:
            yield Problem("lz4", "", CUT)
            return
        try:
            yield _unpacked_block(data, _METHODS[method], unpacked_size)
        except OSError:
            yield Problem("lz4", "", DAMAGED.format("a block cannot be unpacked"))
            return


def _unpacked_block(data: bytes, codec: str, size: int) -> bytes:
    if not codec or not size:
        return data
    import pyarrow as pa

    unpacked: bytes = pa.decompress(data, size, codec, asbytes=True)
    return unpacked


PACKINGS = (
    Packing("gzip", b"\x1f\x8b", _gunzip),
    Packing("zstd", b"\x28\xb5\x2f\xfd", lambda packed: _unpack_frames("zstd", packed)),
    Packing("lz4", b"\x04\x22\x4d\x18", lambda packed: _unpack_frames("lz4", packed)),
    Packing("lz4", BLOCK_MAGIC, _unpack_blocks),
)
