"""`slotscope scale`: the same jobs with more or less input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.requests import named_job, names_in, open_named_workload
from explorer.cli.screen import print_line

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.workload import Workload


def scale(options: Namespace) -> int:
    """Scale a workload and write it as a document."""
    from core.files.workload_writing import write_workload
    from core.generate.scaling import scale_workload

    workload = open_named_workload(options.workload)
    names = None if options.jobs is None else names_in(options.jobs)
    for name in names or ():
        named_job(workload, name)
    scaled = scale_workload(workload, options.factor, options.reduces, names)
    write_workload(scaled, Path(options.out))
    print_line(f"{_sizes(workload)} became {_sizes(scaled)}; written to {options.out}")
    return 0


def _sizes(workload: Workload) -> str:
    return f"{workload.map_count} maps and {workload.reduce_count} reduces"
