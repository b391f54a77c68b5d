"""`slotscope generate`, `deadlines`, `fit` and `scale`: workloads that nobody recorded, with their seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.parameters import names_in
from core.model.time_text import duration_text
from explorer.cli.requests import (
    WORKLOAD,
    add_cluster_options,
    add_columns,
    add_command,
    add_json,
    add_out,
    add_parameter,
    add_seed,
    cluster_of,
    named_job,
    open_named_workload,
    parameters_of,
    save,
    sizes_text,
)
from explorer.cli.screen import print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.generate.fitted import PartFits
    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from explorer.cli.requests import Commands

FAMILIES = "facebook, yahoo, synthetic1, synthetic2, dhfs, circumflex, omo, or fitted (to a job: --from)"
VERSION = 1
"""Of the JSON of `fit`; grows when a field changes its meaning."""


def add_parser(commands: Commands) -> None:
    """Add the four commands."""
    _add_generate(commands)
    _add_deadlines(commands)
    _add_fit(commands)
    _add_scale(commands)


def _add_generate(commands: Commands) -> None:
    text = "draw a synthetic workload of a family of the literature"
    parser = add_command(commands, "generate", text, run_generate)
    parser.add_argument("family", metavar="FAMILY", help=FAMILIES)
    add_seed(parser, "workload")
    parser.add_argument("--jobs", type=int, metavar="N", help="number of jobs (default: the family's)")
    parser.add_argument(
        "--from", dest="template", metavar="W", help="family fitted: the workload with the job to fit to"
    )
    add_columns(parser)
    parser.add_argument("--job", metavar="NAME", help="with --from: which job (where there are several)")
    add_parameter(parser)
    parser.add_argument(
        "--deadline-factor", type=float, metavar="F", help="random deadlines, as by 'slotscope deadlines'"
    )
    add_out(parser)


def run_generate(options: Namespace) -> int:
    """Generate a workload and write its document."""
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
    save(workload, options, f"{sizes_text(workload)}, seed {options.seed}")
    return 0


def _fitted(options: Namespace, given: dict[str, Any]) -> dict[str, Any]:
    """Return parameters of the family 'fitted' from a job; given ones come first.

    A distribution that is given by its name alone is fitted, too: ``-p map_durations=weibull``.
    """
    from core.generate.fitted import FITTED, PARTS, parameters_from

    if options.family != FITTED.id or options.template is None:
        raise InputError("--from and --job belong to the family 'fitted': slotscope generate fitted --from W")
    workload = open_named_workload(options.template, options.columns)
    job = named_job(workload, options.job)
    kinds = {name: value for name, value in given.items() if name in PARTS and "(" not in value}
    fitted = parameters_from(job, workload.cluster, kinds)
    return fitted | {name: value for name, value in given.items() if name not in kinds}


def _add_deadlines(commands: Commands) -> None:
    text = "give every job a random deadline, from 1 to F times what it takes alone on the whole cluster"
    parser = add_command(commands, "deadlines", text, run_deadlines, workload=WORKLOAD)
    parser.add_argument("--factor", type=float, required=True, metavar="F", help="at least 1")
    add_seed(parser, "deadlines")
    add_cluster_options(parser)
    add_out(parser)


def run_deadlines(options: Namespace) -> int:
    """Give the jobs of a workload random deadlines and write it as a document."""
    workload = open_named_workload(options.workload, options.columns)
    cluster = cluster_of(options, workload.cluster)
    workload = with_deadlines(workload, cluster, options.factor, options.seed)
    save(workload, options, f"{len(workload.jobs)} jobs with deadlines, seed {options.seed}")
    return 0


def with_deadlines(workload: Workload, cluster: Cluster, factor: float, seed: int) -> Workload:
    """Draw deadlines; what is needed for that is loaded only now."""
    from core.generate.deadlines import with_random_deadlines
    from core.simulation.fifo_trials import isolated_runtimes

    return with_random_deadlines(workload, cluster, factor, seed, isolated_runtimes)


def _add_fit(commands: Commands) -> None:
    text = "fit distributions to a job's durations, the best first by Kolmogorov-Smirnov distance"
    parser = add_command(commands, "fit", text, run_fit, workload=WORKLOAD)
    parser.add_argument("--job", metavar="NAME", help="which job (needed where there are several)")
    add_json(parser)


def run_fit(options: Namespace) -> int:
    """Fit distributions to one job and print them."""
    from core.generate.fitted import fit_job

    job = named_job(open_named_workload(options.workload, options.columns), options.job)
    with progress(f"Fitting {job.name}"):
        parts = fit_job(job)
    if options.json:
        print_json({"version": VERSION, "job": job.name, "parts": [_fit_json(part) for part in parts]})
        return 0
    for part in parts:
        _print_fit(part)
    print_line(
        "Distance: Kolmogorov-Smirnov, 0 is best. "
        "'slotscope generate fitted --from W --job NAME' draws from the best."
    )
    return 0


def _print_fit(part: PartFits) -> None:
    low, high = float(part.samples[0]), float(part.samples[-1])
    count = f"{len(part.samples)} sample{'' if len(part.samples) == 1 else 's'}"
    title = f"{part.title}: {count} from {duration_text(low)} to {duration_text(high)}"
    rows = [(fit.distribution.title, f"{fit.distance:.4f}", str(fit.distribution)) for fit in part.fits]
    rows += [(title, "–", reason) for title, reason in part.left_out]
    print_table(title, ("distribution", ">distance", "parameters"), rows)


def _fit_json(part: PartFits) -> dict[str, Any]:
    return {
        "part": part.part,
        "samples": len(part.samples),
        "least": float(part.samples[0]),
        "most": float(part.samples[-1]),
        "fits": [
            {
                "distribution": fit.distribution.kind,
                "parameters": dict(
                    zip(fit.distribution.described.names, fit.distribution.values, strict=True)
                ),
                "zeros": fit.distribution.zeros,
                "text": str(fit.distribution),
                "distance": fit.distance,
            }
            for fit in part.fits
        ],
        "left_out": [{"distribution": title, "reason": reason} for title, reason in part.left_out],
    }


def _add_scale(commands: Commands) -> None:
    text = "scale jobs to another size of their input: maps by number, reduces by the data that falls on each"
    parser = add_command(commands, "scale", text, run_scale, workload=WORKLOAD)
    parser.add_argument(
        "--factor", type=float, required=True, metavar="F", help="input afterwards / input before"
    )
    parser.add_argument("--jobs", metavar="J1,J2", help="scale these jobs only, not all")
    parser.add_argument(
        "--reduces",
        choices=("stay", "scale"),
        default="stay",
        help="stay: as many reduces, each with more to do (default); scale: more reduces",
    )
    add_out(parser)


def run_scale(options: Namespace) -> int:
    """Scale a workload and write it as a document."""
    from core.generate.scaling import scale_workload

    workload = open_named_workload(options.workload, options.columns)
    names = None if options.jobs is None else tuple(names_in(options.jobs))
    for name in names or ():
        named_job(workload, name)
    scaled = scale_workload(workload, options.factor, options.reduces, names)
    save(scaled, options, f"{_sizes(workload)} became {_sizes(scaled)}")
    return 0


def _sizes(workload: Workload) -> str:
    return f"{workload.map_count} maps and {workload.reduce_count} reduces"
