"""`slotscope generate` and `deadlines`: synthetic workloads and deadlines, with their seeds recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from explorer.cli.parser import parameters_of
from explorer.cli.requests import cluster_of, named_job, open_named_workload
from explorer.cli.screen import print_line

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.cluster import Cluster
    from core.model.workload import Workload


def generate(options: Namespace) -> int:
    """Generate a workload and write its document."""
    from core.files.workload_writing import write_workload
    from core.generate.families import generate as draw

    parameters: dict[str, Any] = dict(parameters_of(options.parameters))  # Any: text, or what was fitted
    if options.jobs is not None:
        if "jobs" in parameters:
            raise InputError("the number of jobs is given twice: by --jobs and by -p jobs=…; give one")
        parameters["jobs"] = str(options.jobs)
    if options.template is not None or options.job is not None:
        parameters = _fitted(options, parameters)
    workload = draw(options.family, seed=options.seed, parameters=parameters)
    if options.deadline_factor is not None:
        workload = with_deadlines(workload, workload.cluster, options.deadline_factor, options.seed)
    write_workload(workload, Path(options.out))
    counts = f"{len(workload.jobs)} jobs, {workload.map_count} maps, {workload.reduce_count} reduces"
    print_line(f"{counts}, seed {options.seed}; written to {options.out}")
    return 0


def _fitted(options: Namespace, given: dict[str, Any]) -> dict[str, Any]:
    """Return parameters of the family 'fitted' from a job; given ones come first.

    A distribution that is given by its name alone is fitted, too: ``-p map_durations=weibull``.
    """
    from core.generate.fitted import FITTED, PARTS, parameters_from

    if options.family != FITTED.id or options.template is None:
        raise InputError("--from and --job belong to the family 'fitted': slotscope generate fitted --from W")
    workload = open_named_workload(options.template)
    job = named_job(workload, options.job)
    kinds = {name: value for name, value in given.items() if name in PARTS and "(" not in value}
    fitted = parameters_from(job, workload.cluster, kinds)
    return fitted | {name: value for name, value in given.items() if name not in kinds}


def deadlines(options: Namespace) -> int:
    """Give the jobs of a workload random deadlines and write it as a document."""
    from core.files.workload_writing import write_workload

    workload = open_named_workload(options.workload)
    cluster = cluster_of(options, workload.cluster)
    workload = with_deadlines(workload, cluster, options.factor, options.seed)
    write_workload(workload, Path(options.out))
    print_line(f"{len(workload.jobs)} jobs with deadlines, seed {options.seed}; written to {options.out}")
    return 0


def with_deadlines(workload: Workload, cluster: Cluster, factor: float, seed: int) -> Workload:
    """Draw deadlines; what is needed for that is loaded only now."""
    from core.generate.deadlines import with_random_deadlines
    from core.simulation.fifo_trials import isolated_runtimes

    return with_random_deadlines(workload, cluster, factor, seed, isolated_runtimes)
