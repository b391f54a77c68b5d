"""Jobs like a recorded one: distributions fitted to its durations, and the family that draws from them.

001 section III.B calls this Synthetic TraceGen; section V.C fits LogNormal and many others to published
durations and names each fit's Kolmogorov-Smirnov value. Parameters are those of greatest likelihood, rounded
to six digits; the distance is measured after the rounding, so that it is the distance of what is shown,
recorded and drawn from. The family's distributions are parameters, written as text, so that a generated
document records all that is needed to draw it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.distributions import (
    CONSTANT,
    FITTED_KINDS,
    Distribution,
    Kind,
    kind_of,
    parse_distribution,
    rounded,
)
from core.generate.family import SHORTEST_MS, Family, common_parameters, in_milliseconds, named_jobs
from core.model.errors import InputError
from core.model.limits import MAX_TASKS
from core.model.parameters import Parameter
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.job import Job


NEXT_TO_NOTHING = 1e-9
"""Seconds; what takes less counts as 0."""
FEWEST_SAMPLES = 3
"""Fewer durations say nothing about a distribution: their mean is taken as constant."""

PARTS = {
    "map_durations": "Map durations",
    "first_shuffle": "First shuffles",
    "typical_shuffle": "Typical shuffles",
    "reduce_durations": "Reduce durations",
}
"""The samples of a job template (001 section III.A), as `slotscope generate fitted` names them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A distribution and its largest vertical distance from the samples' own distribution, 0 to 1."""

    distribution: Distribution
    distance: float


@dataclass(frozen=True, eq=False)
class PartFits:
    """What fits one part of a template.

    Attributes
    ----------
    part : a key of `PARTS`
    samples : seconds, ascending, (k,)
    fits : the best first, at least one
    left_out : title and reason of each distribution that cannot be fitted
    """

    part: str
    samples: NDArray[np.float64]
    fits: tuple[Fit, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """What is fitted, as shown."""
        return PARTS[self.part]

    @property
    def best(self) -> Fit:
        """The fit with the least distance."""
        return self.fits[0]

    def of_kind(self, kind: str) -> Fit | None:
        """Return the fit of a kind of distribution, None where it was left out."""
        return next((fit for fit in self.fits if fit.distribution.kind == kind), None)


def fit_job(job: Job) -> tuple[PartFits, ...]:
    """Fit every kind of distribution to each part of a job that has tasks.

    The samples are those of the template, each once, also where fewer or more tasks take them in turn.
    """
    parts, (maps, reduces) = [], job.stages
    if maps.count:
        parts.append(fit_samples("map_durations", maps.durations))
    if reduces.count:
        samples = (reduces.first_shuffle, reduces.typical_shuffle, reduces.durations)
        names = ("first_shuffle", "typical_shuffle", "reduce_durations")
        parts += [fit_samples(*each) for each in zip(names, samples, strict=True)]
    return tuple(parts)


def fit_samples(part: str, samples: NDArray[np.float64]) -> PartFits:
    """Fit every kind of distribution to durations in seconds, (k,); InputError if there are none."""
    if not len(samples):
        raise InputError(f"{PARTS[part]}: there are no durations to fit")
    samples = np.sort(np.where(samples < NEXT_TO_NOTHING, 0.0, samples))
    samples.flags.writeable = False
    if _are_alike(samples):
        is_one, mean = samples[0] == samples[-1], (float(samples.mean()),)
        constant = Distribution(CONSTANT.id, (float(samples[0]),)) if is_one else rounded(CONSTANT.id, mean)
        return PartFits(part, samples, (Fit(constant, distance(samples, constant)),))
    fits, left_out = _zeros_and_one_more(samples), []
    for kind in FITTED_KINDS:
        found = _fit(kind, samples)
        if isinstance(found, Fit):
            fits.append(found)
        else:
            left_out.append((kind.title, found))
    return PartFits(part, samples, tuple(sorted(fits, key=lambda fit: fit.distance)), tuple(left_out))


def distance(samples: NDArray[np.float64], distribution: Distribution) -> float:
    """Return the Kolmogorov-Smirnov distance between ascending samples and a distribution.

    The largest difference, over all times, between the fraction of samples up to a time and the
    probability of a duration up to it; also just before the time, as samples jump, and so do zeros.
    """
    _, found, expected = widest_gap(samples, distribution)
    return abs(found - expected)


def widest_gap(samples: NDArray[np.float64], distribution: Distribution) -> tuple[float, float, float]:
    """Return where `distance` is measured: the time, the fraction of samples and the probability there."""
    points = np.union1d(samples, distribution.jumps)
    ranks = [np.searchsorted(samples, points, side=side) for side in ("left", "right")]
    found = np.concatenate(ranks) / len(samples)
    expected = np.concatenate([distribution.before(points), distribution.cumulative(points)])
    worst = int(np.abs(found - expected).argmax())
    return float(points[worst % len(points)]), float(found[worst]), float(expected[worst])


def _zeros_and_one_more(samples: NDArray[np.float64]) -> list[Fit]:
    """Return zeros with a constant where few durations are above 0, or none differ there; else nothing."""
    positive = samples[samples > 0]
    if len(positive) == len(samples) or not _are_alike(positive):
        return []
    found = rounded(CONSTANT.id, (float(positive.mean()),), 1 - len(positive) / len(samples))
    return [Fit(found, distance(samples, found))]


def _are_alike(samples: NDArray[np.float64]) -> bool:
    """Whether there are too few different durations to fit a distribution to."""
    return len(samples) < FEWEST_SAMPLES or bool(samples[0] == samples[-1])


def _fit(kind: Kind, samples: NDArray[np.float64]) -> Fit | str:
    """Return the fit of one kind, or why there is none.

    Kinds for durations above 0 are fitted to those; the part that is 0 (shuffles often are) stays apart.
    """
    fitted = samples[samples > 0] if kind.positive else samples
    zeros = 1 - len(fitted) / len(samples)
    if _are_alike(fitted):
        return f"needs different durations above 0 s; {len(samples) - len(fitted)} of {len(samples)} are 0"
    try:
        with np.errstate(all="ignore"):
            values = kind.fit(fitted)
            found = rounded(kind.id, values, zeros)
            if not (np.isfinite(values).all() and kind.allows(*found.values)):
                return "no such distribution comes near"
            return Fit(found, distance(samples, found))
    except (ArithmeticError, RuntimeError, ValueError) as error:
        return f"cannot be fitted: {error}"


UNUSED = ("shuffle_share", "first_shuffle_share")
"""Parameters of other families: here shuffles have distributions of their own."""
FACEBOOK_MAPS, FACEBOOK_REDUCES = "lognormal(3.04334, 1.29476)", "lognormal(5.46724, 1.27522)"
"""001 section V.C, in seconds: what is drawn from when no template is given."""


def draw_fitted(random: np.random.Generator, parameters: Mapping[str, Any]) -> list[Job]:
    """Draw the jobs: every duration by itself, those of one kind of task after the other."""
    maps, reduces = parameters["maps"], parameters["reduces"]
    if maps + reduces == 0:
        raise InputError("fitted: maps and reduces are both 0; a job needs at least one task")
    if (tasks := parameters["jobs"] * (maps + reduces)) > MAX_TASKS:
        raise InputError(
            f"fitted: {tasks} tasks; at most {MAX_TASKS} fit in one workload, so take fewer jobs"
        )
    stages = [
        (
            _stage(random, parameters, maps, "map_durations"),
            _stage(random, parameters, reduces, "reduce_durations", "first_shuffle", "typical_shuffle"),
        )
        for _ in range(parameters["jobs"])
    ]
    return named_jobs(random, parameters, stages)


def _stage(random: np.random.Generator, parameters: Mapping[str, Any], count: int, *names: str) -> Stage:
    """Draw times in whole milliseconds: tasks take at least one, shuffles may take none."""
    if not count:
        return Stage()
    least = [0.0 if name.endswith("shuffle") else SHORTEST_MS / 1000 for name in names]
    distributions = [parse_distribution(parameters[name]) for name in names]
    times = (each.draw(random, count, low) for each, low in zip(distributions, least, strict=True))
    return Stage.of(count, *(in_milliseconds(1000 * seconds) for seconds in times))


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
    maps, reduces = (stage.count for stage in job.stages)
    chosen: dict[str, Any] = {"template": job.name, "maps": maps, "reduces": reduces}
    slots = (cluster.slots, cluster.slots) if cluster.has_containers else cluster.typed_slots
    chosen |= {"map_slots": max(slots[0], 1), "reduce_slots": max(slots[1], 1)}
    for part in fits or fit_job(job):
        kind = (kinds or {}).get(part.part)
        fit = part.best if kind is None else part.of_kind(kind_of(kind).id)
        if fit is None:
            reason = dict(part.left_out).get(kind_of(kind or "").title, "all of them are equal")
            raise InputError(f"{part.title}: {kind} cannot be fitted: {reason}; choose another distribution")
        chosen[part.part] = str(fit.distribution)
    return chosen


DISTRIBUTIONS = (
    (FACEBOOK_MAPS, "Distribution of map durations in seconds, for example lognormal(mu, sigma)."),
    ("constant(0)", "Distribution of the part of a first shuffle that comes after the last map."),
    ("constant(0)", "Distribution of the whole shuffle of reduces that start later."),
    (FACEBOOK_REDUCES, "Distribution of reduce durations after the shuffle."),
)
"""What each of `PARTS` is drawn from when no template is given, and what it is."""
_COMMON = {p.name: p for p in common_parameters(map_slots=64, reduce_slots=64) if p.name not in UNUSED}

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
        Parameter("maps", "integer", 20, "Maps of each job.", 0, MAX_TASKS, "tasks"),
        Parameter("reduces", "integer", 5, "Reduces of each job.", 0, MAX_TASKS, "tasks"),
        *(Parameter(name, "text", *default) for name, default in zip(PARTS, DISTRIBUTIONS, strict=True)),
        *_COMMON.values(),
        Parameter("template", "text", "", "Name of the job that the distributions were fitted to."),
    ),
    draw=draw_fitted,
)
