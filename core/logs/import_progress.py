"""How much of an import is done, as one fraction that never falls."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float], None]

LOOKING = 0.1
"""Part of the progress that looking at many files takes, before the logs among them are read."""
READ, READ_OF_LAST, MADE = 0.85, 0.25, 0.65
"""Parts of the time, without looking, that are over when all bytes are read (also of a format whose jobs come
last), and when its jobs are made; the rest puts the jobs together."""


class ImportProgress:
    """Calls `report` with the fraction of an import that is done, from 0 to 1."""

    def __init__(self, report: Progress) -> None:
        self._report_to = report
        self._looked = self._reported = 0.0
        self._bytes, self._bytes_read = 1, 0
        self._read, self._to_come, self._came = READ, 0, 0

    def count_looked(self, looked: int, files: int) -> None:
        """Report that so many of several files have been looked at."""
        if files > 1:
            self._looked = LOOKING * looked / files
            self._report_to(self._looked)

    def begin_reading(self, size: int, *, makes_jobs_last: bool) -> None:
        """Begin to read so many bytes; jobs may be made as they are read, or once all are."""
        self._bytes = max(size, 1)
        if makes_jobs_last:
            self._read = READ_OF_LAST

    def count_bytes(self, size: int) -> None:
        """Report that so many more bytes are read."""
        self._bytes_read += size
        self._report(self._read * min(1.0, self._bytes_read / self._bytes))

    def expect_jobs(self, jobs: int) -> None:
        """Take note that so many jobs come one by one from now on."""
        self._to_come += jobs

    @property
    def only_jobs_come(self) -> bool:
        """Whether all bytes are read, and jobs are still made of them."""
        return self._to_come > 0 and self._bytes_read >= self._bytes

    def count_jobs(self, jobs: int) -> None:
        """Report that so many more jobs are made, where only jobs are still to come."""
        self._came += jobs if self._to_come else 0
        if self.only_jobs_come:
            self._report(self._read + (MADE - self._read) * min(1.0, self._came / self._to_come))

    def report_assembled(self, fraction: float) -> None:
        """Report that a fraction of putting the jobs together is done."""
        begin = READ if self._read == READ else MADE
        self._report(begin + (1.0 - begin) * fraction)

    def _report(self, part: float) -> None:
        """Report that such a part of what follows on looking is done."""
        fraction = self._looked + (1.0 - self._looked) * part
        self._reported = max(self._reported, fraction)
        self._report_to(self._reported)
