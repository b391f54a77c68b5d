"""Import a log as the window does, whatever is in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.fidelity.history_schedule import history_schedule
from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.logs.byte_source import ByteSource
from core.logs.open_log import open_trace
from core.logs.reader import HEAD_BYTES
from core.logs.readers import reader_of

if TYPE_CHECKING:
    from pathlib import Path


def read_log(path: Path, format_id: str = "", columns: str = "") -> bool:
    """Import a log, and do with it what the window does; False if it is not of the format."""
    if format_id:
        reader = reader_of(ByteSource(path).head(HEAD_BYTES))
        if reader is None or reader.id != format_id:
            return False
    imported = open_trace([path], parameters={"columns": columns} if columns else None)
    workload = imported.workload
    assert workload.columns.duration.size == workload.map_count + workload.reduce_count
    assert imported.report.to_text()
    json.dumps(imported.report.to_json(), allow_nan=False).encode()
    workload.name.encode()
    [(job.name + job.user + job.pool).encode() for job in workload.jobs]
    if workload.recorded:
        packed = history_schedule(workload, workload.recorded)
        assert packed.tasks == workload.columns.duration.size
        assert (packed.start <= packed.end).all()
    assert workload_from_json(json.loads(json.dumps(workload_to_json(workload))), "x")
    return True
