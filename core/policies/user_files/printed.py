"""What policy files print: passed on to standard error, as text that only shows, and not without end."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import suppress

from core.model.visible_text import visible

MAX_PRINTED_BYTES = 1 << 16
"""Of what is printed while one call is answered."""
LEFT_OUT = f"… further output was left out: of each run {MAX_PRINTED_BYTES >> 10} KiB are shown"
READ_BYTES, MAX_READS = 1 << 16, 16
"""At once; more is read as soon as somebody has looked whether an answer is still wanted."""


class OutputPipe:
    """Reads what a process prints, all of it, so that the process is never held up; writes the beginning.

    Parameters
    ----------
    reads : descriptor of the pipe that is its standard output and standard error

    Attributes
    ----------
    is_open : whether the process can still print
    """

    def __init__(self, reads: int) -> None:
        os.set_blocking(reads, False)
        self.is_open = True
        self._reads = reads
        self._text = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._left, self._is_noted = MAX_PRINTED_BYTES, False

    def fileno(self) -> int:
        """Return the descriptor that can be waited for."""
        return self._reads

    def begin(self) -> None:
        """Count anew: another call begins."""
        self._left, self._is_noted = MAX_PRINTED_BYTES, False

    def pass_on(self) -> None:
        """Write what has been printed by now."""
        for _ in range(MAX_READS):
            try:
                data = os.read(self._reads, READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                self.is_open = False
                return
            self._write(data)

    def close(self) -> None:
        """Let go of the pipe."""
        os.close(self._reads)

    def _write(self, data: bytes) -> None:
        if self._is_noted:
            return
        shown = data[: self._left]
        self._left -= len(shown)
        text = visible(self._text.decode(shown), "\n\t")
        if len(shown) < len(data):
            self._is_noted = True
            text += f"\n{LEFT_OUT}\n"
        if sys.stderr is not None:  # as where a window was started without a terminal
            with suppress(OSError, ValueError):
                sys.stderr.write(text)
                sys.stderr.flush()
