"""`slotscope generate`, `deadlines`, `fit` and `scale`: workloads that are drawn from a recorded seed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from core.model.errors import InputError
from core.model.parameters import names_in
from core.model.time_text import duration_text
from explorer.cli.cluster_options import ClusterOptions
from explorer.cli.command import Command, argument, option
from explorer.cli.requests import (
    Source,
    WorkloadOut,
    columns_option,
    json_option,
    named_job,
    open_named_workload,
    parameters_option,
    seed_option,
)
from explorer.cli.screen import print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from core.generate.fitted import PartFits
    from core.model.cluster import Cluster
    from core.model.workload import Workload

FAMILIES = (
    "facebook, yahoo, synthetic1, synthetic2, dhfs, circumflex, omo, tpch, workflow, or fitted (by --from)"
)
VERSION = 1
"""Of the JSON of `fit`; grows when a field changes its meaning."""


class GenerateCommand(Command, name="generate"):
    """Draw a synthetic workload of a family of the literature."""

    family: str = argument("FAMILY", FAMILIES)
    seed: int = seed_option("workload")
    jobs: int | None = option("N", "number of jobs (default: the family's)")
    template: str | None = option("W", "family fitted: the workload with the job to fit to", name="--from")
    columns: str = columns_option()
    job: str | None = option("NAME", "with --from: which job (where there are several)")
    parameters: dict[str, str] = parameters_option()
    deadline_factor: float | None = option("F", "random deadlines, as by 'slotscope deadlines'")
    written: WorkloadOut

    def run(self) -> None:
        """Generate a workload and write its document."""
        from core.generate.families import generate as draw

        parameters: dict[str, Any] = dict(self.parameters)  # Any: text, or what was fitted
        if self.jobs is not None:
            if "jobs" in parameters:
                raise InputError("the number of jobs is given twice: by --jobs and by -p jobs=…; give one")
            parameters["jobs"] = str(self.jobs)
        cut = ""
        if self.template is not None or self.job is not None:
            parameters, cut = self._fitted(parameters)
        workload = replace(draw(self.family, seed=self.seed, parameters=parameters), cut=cut)
        if self.deadline_factor is not None:
            workload = with_deadlines(workload, workload.cluster, self.deadline_factor, self.seed)
        self.written.save(workload, f"{workload.sizes_text}, seed {self.seed}")

    def _fitted(self, given: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """Return parameters of the family 'fitted' from a job, and what is missing of its log.

        Given parameters come first.

        A distribution that is given by its name alone is fitted, too: ``-p map_durations=weibull``.
        """
        from core.generate.fitted import FITTED, PARTS, parameters_from

        if self.family != FITTED.id or self.template is None:
            raise InputError(
                "--from and --job belong to the family 'fitted': slotscope generate fitted --from W"
            )
        workload = open_named_workload(self.template, self.columns)
        job = named_job(workload, self.job)
        kinds = {name: value for name, value in given.items() if name in PARTS and "(" not in value}
        fitted = parameters_from(job, workload.cluster, kinds)
        return fitted | {name: value for name, value in given.items() if name not in kinds}, workload.cut


class DeadlinesCommand(Command, name="deadlines"):
    """Give every job a random deadline, from 1 to F times what it takes alone on the whole cluster."""

    source: Source
    factor: float = option("F", "at least 1")
    seed: int = seed_option("deadlines")
    cluster: ClusterOptions
    written: WorkloadOut

    def run(self) -> None:
        """Give the jobs of a workload random deadlines and write it as a document."""
        workload = self.source.open()
        cluster = self.cluster.changed(workload.cluster)
        workload = with_deadlines(workload, cluster, self.factor, self.seed)
        self.written.save(workload, f"{len(workload.jobs)} jobs with deadlines, seed {self.seed}")


def with_deadlines(workload: Workload, cluster: Cluster, factor: float, seed: int) -> Workload:
    """Draw deadlines; what is needed for that is loaded only now."""
    from core.generate.deadlines import with_random_deadlines
    from core.simulation.fifo_trials import isolated_runtimes

    return with_random_deadlines(workload, cluster, factor, seed, isolated_runtimes)


class FitCommand(Command, name="fit"):
    """Fit distributions to a job's durations, the best first by Kolmogorov-Smirnov distance."""

    source: Source
    job: str | None = option("NAME", "which job (needed where there are several)")
    json: bool = json_option()

    def run(self) -> None:
        """Fit distributions to one job and print them."""
        from core.generate.fitted import fit_job

        job = named_job(self.source.open(), self.job)
        with progress(f"Fitting {job.name}"):
            parts = fit_job(job)
        if self.json:
            print_json({"version": VERSION, "job": job.name, "parts": [_fit_json(part) for part in parts]})
            return
        for part in parts:
            _print_fit(part)
        print_line(
            "Distance: Kolmogorov-Smirnov, 0 is best. "
            "'slotscope generate fitted --from W --job NAME' draws from the best."
        )


def _print_fit(part: PartFits) -> None:
    low, high = float(part.samples[0]), float(part.samples[-1])
    count = f"{len(part.samples)} sample{'' if len(part.samples) == 1 else 's'}"
    title = f"{part.title}: {count} from {duration_text(low)} to {duration_text(high)}"
    rows = [(fit.distribution.title, f"{fit.distance:.4f}", str(fit.distribution)) for fit in part.fits]
    rows += [(title, "–", reason) for title, reason in part.left_out]
    print_table(title, ("distribution", ">distance", "parameters"), rows)


def _fit_json(part: PartFits) -> dict[str, Any]:
    fits = []
    for fit in part.fits:
        drawn = fit.distribution
        parameters = dict(zip(drawn.described.names, drawn.values, strict=True))
        head = {"distribution": drawn.kind, "parameters": parameters, "zeros": drawn.zeros}
        fits.append(head | {"text": str(drawn), "distance": fit.distance})
    return {
        "part": part.part,
        "samples": len(part.samples),
        "least": float(part.samples[0]),
        "most": float(part.samples[-1]),
        "fits": fits,
        "left_out": [{"distribution": title, "reason": reason} for title, reason in part.left_out],
    }


class ScaleCommand(Command, name="scale"):
    """Scale jobs to another size of their input: maps by number, reduces by the data that falls on each."""

    source: Source
    factor: float = option("F", "input afterwards / input before")
    jobs: list[str] | None = option("J1,J2", "scale these jobs only, not all", read=names_in)
    reduces: Literal["stay", "scale"] = option(
        None, "stay: as many reduces, each with more to do (default); scale: more reduces", default="stay"
    )
    written: WorkloadOut

    def run(self) -> None:
        """Scale a workload and write it as a document."""
        from core.generate.scaling import scale_workload

        workload = self.source.open()
        for name in self.jobs or ():
            named_job(workload, name)
        names = None if self.jobs is None else tuple(self.jobs)
        scaled = scale_workload(workload, self.factor, self.reduces, names)
        self.written.save(scaled, f"{workload.size_text} became {scaled.size_text}")
