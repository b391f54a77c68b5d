"""Durations that a policy plans on where it plans on guesses; the tasks themselves take their own.

A real scheduler does not know durations before the run. It knows what the job took when it ran before, or has
an estimate that is wrong by some factor. Times, counts and slots that are seen during a run stay true.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.model.error_factors import ERRORS_PER, factors_text, spread_of
from core.model.errors import InputError
from core.model.parameters import Parameter, check_parameters, named_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.workload import Workload

LARGEST_ERROR = 3.0
LARGEST_SEED = 2**53 - 1
MAX_NAMED = 6
"""Jobs that a sentence names; it counts the others."""
ESTIMATE_PARAMETERS = (
    Parameter(
        "error",
        "number",
        0.3,
        "Standard deviation of the factor by which estimates are wrong; its mean is 1. 0.3: ±30 %. 0: exact.",
        0.0,
        LARGEST_ERROR,
    ),
    Parameter(
        "per",
        "choice",
        "job",
        "Whether all tasks of a job are wrong by one factor, or every task by its own. Correlated: one for "
        "each job, and half of the variance of its logarithm is common to all jobs.",
        choices=ERRORS_PER,
    ),
    Parameter("seed", "integer", 1, "Same seed, same factors.", 0, LARGEST_SEED),
)
"""How an error is described, as forms and the command line show it."""
ESTIMATE_NAMES = (*(parameter.name for parameter in ESTIMATE_PARAMETERS), "profile")


@dataclass(frozen=True, slots=True)
class DurationEstimates:
    """Durations that a policy plans on instead of the true ones; the same factors to the last bit every time.

    Attributes
    ----------
    error : standard deviation of the factor that each true duration is multiplied by, a log-normal number of
        mean 1; 0 for exact durations
    per : "job": one factor for all of a job; "task": one for each task; "correlated": one for each job, of
        the variance of whose logarithm `COMMON_SHARE` is common to all jobs, so that the logarithms of two
        jobs are correlated by as much
    seed : of the factors, which depend on it and on the name of the job alone
    profile : jobs that ran before; the durations of each stand for those of the job of its name, without an
        error. None for none

    Jobs that the profile lacks are told with the error. A dataset's blocks take equally long, so that jobs
    that scan one have the factor of their dataset.
    """

    error: float = 0.0
    per: str = "job"
    seed: int = 1
    profile: Workload | None = None

    def __post_init__(self) -> None:
        check_parameters(
            ESTIMATE_PARAMETERS, {"error": self.error, "per": self.per, "seed": self.seed}, "estimates"
        )

    @property
    def spread(self) -> float:
        """Standard deviation of the factor's logarithm; that of its mean is minus half of its square."""
        return spread_of(self.error)

    def __str__(self) -> str:
        """Return them in a few words: "estimates ±30 %"."""
        wrong = f"estimates ±{100 * self.error:g} %"
        if self.profile is None:
            return wrong
        return f"profile {self.profile.name}" + (f", else {wrong}" if self.error else "")

    @property
    def figures(self) -> dict[str, Any]:
        """Their JSON value: an earlier run by its name, number of jobs and digest."""
        figures: dict[str, Any] = {"error": self.error, "per": self.per, "seed": self.seed}
        if (ran := self.profile) is not None:
            figures["profile"] = {"name": ran.name, "jobs": len(ran.jobs), "digest": ran.digest}
        return figures

    @property
    def sentence(self) -> str:
        """Return all of them in words: "planned on estimates ±30 % (one factor per job, seed 1)"."""
        drawn = f" ({factors_text(self.per)}, seed {self.seed})" if self.error else ""
        return f"planned on {self}{drawn}"

    def lacking(self, workload: Workload) -> str:
        """Return which jobs of a workload the profile lacks, and what stands for them; empty if none."""
        ran = self.profile
        names = [job.name for job in workload.jobs if ran is not None and job.name not in ran.job_index]
        if not names:
            return ""
        shown = ", ".join(names[:MAX_NAMED])
        more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
        basis = f"estimates ±{100 * self.error:g} %" if self.error else "true durations"
        return f"; the profile has no {shown}{more}, which were planned on {basis}"


def estimates_of(given: Mapping[str, object], profile: Workload | None = None) -> DurationEstimates:
    """Build estimates from values or texts by name; what is not given has the default, beside a profile none.

    Raises
    ------
    UnknownName
        a name is not that of a parameter
    InputError
        a value breaks its rule
    """
    exact = {} if profile is None else {"error": 0.0}
    values = check_parameters(ESTIMATE_PARAMETERS, {**exact, **given}, "estimates")
    return DurationEstimates(float(values["error"]), str(values["per"]), int(values["seed"]), profile)


def with_renamed_job(estimates: DurationEstimates, old: str, new: str) -> DurationEstimates:
    """Return the estimates with an earlier run of a job under the job's new name."""
    ran = estimates.profile
    if ran is None or old not in ran.job_index:
        return estimates
    others = [replace(job, name=new) if job.name == old else job for job in ran.jobs if job.name != new]
    return replace(estimates, profile=ran.with_jobs(others))


def estimate_texts(text: str) -> dict[str, str]:
    """Split "error=0.3, per=job, seed=7, profile=W" at its commas; raises InputError with what is wrong."""
    given: dict[str, str] = {}
    for name, value in named_texts(text, "part of estimates", ESTIMATE_NAMES):
        if not value:
            raise InputError(f"estimates: {name} has no value; write for example error=0.3")
        given[name] = value
    return given
