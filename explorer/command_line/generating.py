"""`slotscope generate`: a synthetic workload, with its seed recorded in the document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from explorer.command_line.parser import parameters_of
from explorer.command_line.screen import print_line

if TYPE_CHECKING:
    from argparse import Namespace


def generate(options: Namespace) -> int:
    """Generate a workload and write its document."""
    from core.files.workload_document import write_workload
    from core.generate.families import generate as draw

    parameters = parameters_of(options.parameters)
    if options.jobs is not None:
        if "jobs" in parameters:
            raise InputError("the number of jobs is given twice: by --jobs and by -p jobs=…; give one")
        parameters["jobs"] = str(options.jobs)
    workload = draw(options.family, seed=options.seed, parameters=parameters)
    write_workload(workload, Path(options.out))
    counts = f"{len(workload.jobs)} jobs, {workload.map_count} maps, {workload.reduce_count} reduces"
    print_line(f"{counts}, seed {options.seed}; written to {options.out}")
    return 0
