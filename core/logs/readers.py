"""Every log format: a new one is one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.logs import (
    alibaba,
    history_dump,
    job_history,
    load_simulator,
    nextflow,
    rumen,
    sacct,
    sacct_json,
    spark_log,
    swf,
    swim,
    task_table,
    tez_history,
    tracker_history,
    wf_format,
)

if TYPE_CHECKING:
    from core.logs.reader import Reader

READERS: tuple[Reader, ...] = (
    rumen.READER,
    job_history.READER,
    tracker_history.READER,
    history_dump.READER,
    load_simulator.READER,
    spark_log.READER,
    swf.READER,
    sacct.READER,
    sacct_json.READER,
    tez_history.READER,
    swim.READER,
    alibaba.READER,
    wf_format.READER,
    nextflow.READER,
    task_table.READER,
)
"""The readers of all formats, in the order in which they are tried."""


def reader_of(head: bytes) -> Reader | None:
    """Return the reader that recognises a file's first bytes (unpacked), or None."""
    return next((reader for reader in READERS if reader.recognises(head)), None)
