"""Jobs like a recorded one: durations drawn from distributions that were fitted to its template.

001 section III.B calls this Synthetic TraceGen. The distributions are parameters, written as text, so that a
generated document records all that is needed to draw it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.generate.distributions.distribution import parse_distribution
from core.generate.distributions.fitting import PARTS, PartFits, fit_job
from core.generate.distributions.kinds import kind_of
from core.generate.family import SHORTEST_MS, Family, common_parameters, in_milliseconds, named_jobs
from core.model.errors import InputError
from core.model.job import MOST_TASKS
from core.model.parameters import Parameter
from core.model.workload import Stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Job

SHORTEST = SHORTEST_MS / 1000
UNUSED = ("shuffle_share", "first_shuffle_share")
"""Parameters of other families: here shuffles have distributions of their own."""
FACEBOOK_MAPS, FACEBOOK_REDUCES = "lognormal(3.04334, 1.29476)", "lognormal(5.46724, 1.27522)"
"""001 section V.C, in seconds: what is drawn from when no template is given."""


def draw_fitted(random: np.random.Generator, parameters: Mapping[str, Any]) -> list[Job]:
    """Draw the jobs: every duration by itself, those of one kind of task after the other."""
    maps, reduces = parameters["maps"], parameters["reduces"]
    if maps + reduces == 0:
        raise InputError("fitted: maps and reduces are both 0; a job needs at least one task")
    if (tasks := parameters["jobs"] * (maps + reduces)) > MOST_TASKS:
        raise InputError(
            f"fitted: {tasks} tasks; at most {MOST_TASKS} fit in one workload, so take fewer jobs"
        )
    stages = [
        (_maps(random, parameters, maps), _reduces(random, parameters, reduces))
        for _ in range(parameters["jobs"])
    ]
    return named_jobs(random, parameters, stages)


def _maps(random: np.random.Generator, parameters: Mapping[str, Any], count: int) -> Stage:
    return Stage.of(count, _drawn(random, parameters, "map_durations", count)) if count else Stage()


def _reduces(random: np.random.Generator, parameters: Mapping[str, Any], count: int) -> Stage:
    if not count:
        return Stage()
    names = ("reduce_durations", "first_shuffle", "typical_shuffle")
    return Stage.of(count, *(_drawn(random, parameters, name, count) for name in names))


def _drawn(
    random: np.random.Generator, parameters: Mapping[str, Any], name: str, count: int
) -> NDArray[np.float64]:
    """Draw times in whole milliseconds: tasks take at least one, shuffles may take none."""
    least = 0.0 if name.endswith("shuffle") else SHORTEST
    return in_milliseconds(1000 * parse_distribution(parameters[name]).draw(random, count, least))


def parameters_from(
    job: Job, cluster: Cluster, kinds: Mapping[str, str] | None = None, fits: Sequence[PartFits] = ()
) -> dict[str, Any]:
    """Return parameters of the family that make jobs like this one.

    Parameters
    ----------
    job : the template; its numbers of tasks are kept
    cluster : its slots become those of the suggested cluster; containers, and rows of nodes, become as many
        slots of either kind
    kinds : for a key of `PARTS`, the kind of distribution to take instead of the best fit
    fits : what `fit_job` found, if that is known already

    Raises
    ------
    InputError
        a kind cannot be fitted to the samples
    UnknownName
        no such kind
    """
    chosen: dict[str, Any] = {"template": job.name, "maps": job.maps.count, "reduces": job.reduces.count}
    typed = (cluster.map_slots, cluster.reduce_slots)
    slots = (cluster.slots, cluster.slots) if cluster.has_containers else typed
    chosen |= {"map_slots": max(slots[0], 1), "reduce_slots": max(slots[1], 1)}
    for part in fits or fit_job(job):
        chosen[part.part] = str(_chosen(part, (kinds or {}).get(part.part)))
    return chosen


def _chosen(part: PartFits, kind: str | None) -> object:
    if kind is None:
        return part.best.distribution
    fit = part.of_kind(kind_of(kind).id)
    if fit is None:
        reason = dict(part.left_out).get(kind_of(kind).title, "all of them are equal")
        raise InputError(f"{part.title}: {kind} cannot be fitted: {reason}; choose another distribution")
    return fit.distribution


def _own_parameters() -> tuple[Parameter, ...]:
    defaults = (FACEBOOK_MAPS, "constant(0)", "constant(0)", FACEBOOK_REDUCES)
    helps = (
        "Distribution of map durations in seconds, for example lognormal(mu, sigma).",
        "Distribution of the part of a first shuffle that comes after the last map.",
        "Distribution of the whole shuffle of reduces that start later.",
        "Distribution of reduce durations after the shuffle.",
    )
    return (
        Parameter("maps", "integer", 20, "Maps of each job.", 0, MOST_TASKS, "tasks"),
        Parameter("reduces", "integer", 5, "Reduces of each job.", 0, MOST_TASKS, "tasks"),
        *(
            Parameter(name, "text", default, text)
            for name, default, text in zip(PARTS, defaults, helps, strict=True)
        ),
    )


_COMMON = {p.name: p for p in common_parameters(slots=64, shuffle_share=0.0) if p.name not in UNUSED}

FITTED = Family(
    id="fitted",
    title="Fitted to a job",
    summary="Jobs whose durations are drawn from distributions, such as those fitted to a recorded job.",
    source=(
        "Verma, Cherkasova, Campbell: Play It Again, SimMR!, sections III.B and V.C (the "
        "distributions given at first are those of Facebook's tasks)"
    ),
    parameters=(
        _COMMON.pop("jobs"),
        *_own_parameters(),
        *_COMMON.values(),
        Parameter("template", "text", "", "Name of the job that the distributions were fitted to."),
    ),
    draw=draw_fitted,
)
