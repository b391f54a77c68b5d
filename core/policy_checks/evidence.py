"""What the checks of a policy are, in words, and what they give: verdicts with their evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.schedule import PolicyChoice
    from core.model.workload import Workload


DEFAULT_RUNS, MAX_RUNS = 60, 10_000
"""Random workloads to look at; and as many in which nothing ties."""


@dataclass(frozen=True)
class PolicyCheck:
    """One check.

    Attributes
    ----------
    id, title : how the command line and how the window call it
    meaning : what it asks, with an example
    """

    id: str
    title: str
    meaning: str


CHECKS = (
    PolicyCheck(
        "errors",
        "Runs to the end",
        "Every workload is run to its end: the policy raises nothing, picks only tasks that can start, comes "
        "to an end and never stalls. Found, for example: a division by the number of running tasks, which is "
        "0 at first.",
    ),
    PolicyCheck(
        "numbers",
        "Numbers, not NaN",
        "Every key and every answer is a number that can be compared. NaN is smaller than nothing and larger "
        "than nothing, so the first one compared wins; infinite keys are all equal. Found, for example: "
        "inf - inf, from the deadlines of two jobs that have none.",
    ),
    PolicyCheck(
        "starvation",
        "Nobody starves",
        "While jobs keep coming, every job that could run is served after a while: if twice as many come, it "
        "waits no longer. Found, for example: shortest job first, under which a long job waits for as long "
        "as short ones come.",
    ),
    PolicyCheck(
        "idle",
        "No slot idles while a task waits",
        "A free slot is given to a task that may start on it (work conservation). Found, for example: a "
        "quota of half of the slots, which leaves the other half idle when one job is alone.",
    ),
    PolicyCheck(
        "names",
        "Names do not matter",
        "Under other names the jobs run at the same times. Found, for example: an order by the alphabet.",
    ),
    PolicyCheck(
        "order",
        "The order in the file does not matter",
        "The same jobs, declared in another order, run at the same times; jobs that tie in everything "
        "excepted. Found, for example: the job with the lowest index first, whenever it arrives.",
    ),
    PolicyCheck(
        "repeat",
        "The same again",
        "Run twice, and in fresh processes, it gives the same schedule to the last bit. Found, for example: "
        "random numbers without a seed, the time, id(), hash() of a text, the order of a set.",
    ),
    PolicyCheck(
        "memory",
        "Remembers only in the memo",
        "After a run the policy's file holds what it held before. The memo begins anew with each run and is "
        "wound back with the time; what is kept elsewhere is not, so that the next run may differ. Found, "
        "for example: a global counter of decisions, a list that grows, a cache.",
    ),
    PolicyCheck(
        "compiled",
        "Compiled as interpreted",
        "Compiled code gives the same schedule as interpreted code, to the last bit. Found, for example: a "
        "sum of whole numbers that is too large for a machine's number.",
    ),
    PolicyCheck(
        "cost",
        "Cost of a decision",
        "A decision takes about as long with 1000 jobs as with 100. Counted are lines of Python that are "
        "executed for it, which no busy machine changes. Found, for example: a key that asks for the "
        "cluster, so that every waiting job is asked at every decision.",
    ),
)
"""In the order in which they are told."""
CHECK_IDS = tuple(check.id for check in CHECKS)


class CheckVerdict(Enum):
    """What came of a check; the value is its name on the command line and in the window."""

    PASSED = "passed"
    FOUND = "found"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Evidence:
    """One workload on which a check found something.

    Attributes
    ----------
    sentence : what happened, with names and times
    workload : on its own cluster
    time : seconds, when it shows
    job : the name of the job that it concerns, empty for none
    why : more sentences: what the policy says
    """

    sentence: str
    workload: Workload
    time: float = 0.0
    job: str = ""
    why: tuple[str, ...] = ()

    @property
    def size_text(self) -> str:
        """How small the workload is."""
        jobs, slots = self.workload.jobs, self.workload.cluster.slots
        tasks = sum(job.task_count for job in jobs)
        sizes = ((len(jobs), "job"), (tasks, "task"), (slots, "slot"))
        counted = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in sizes]
        return f"Smallest workload: {counted[0]} with {counted[1]} on {counted[2]}."

    def to_json(self) -> dict[str, Any]:
        """Return its description, and how large its workload is."""
        jobs = self.workload.jobs
        sizes = {"jobs": len(jobs), "tasks": sum(job.task_count for job in jobs)}
        head = {"sentence": self.sentence, "time": self.time, "job": self.job or None}
        return {**head, "why": list(self.why), **sizes, "slots": self.workload.cluster.slots}


@dataclass(frozen=True)
class CheckResult:
    """What came of one check.

    Attributes
    ----------
    check : which one
    verdict : passed, found or not judged
    sentence : what was found, or what it passed, or why it was not judged
    evidence : the smallest workload that shows it; None where nothing was found, or nothing to open
    """

    check: PolicyCheck
    verdict: CheckVerdict
    sentence: str
    evidence: Evidence | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it for `slotscope test-policy --json`."""
        head = {"check": self.check.id, "verdict": self.verdict.value, "sentence": self.sentence}
        return {**head, "evidence": None if self.evidence is None else self.evidence.to_json()}


@dataclass(frozen=True)
class PolicyReport:
    """What came of all checks of a policy.

    Attributes
    ----------
    choice : the policy with its parameters
    results : one for each check that was asked for
    runs, seed : of the random workloads: as many, drawn from this seed
    """

    choice: PolicyChoice
    results: tuple[CheckResult, ...]
    runs: int
    seed: int

    @property
    def found(self) -> int:
        """How many checks found something."""
        return sum(result.verdict is CheckVerdict.FOUND for result in self.results)

    def to_json(self) -> dict[str, Any]:
        """Return it for `slotscope test-policy --json`."""
        head = {"policy": self.choice.id, "parameters": dict(self.choice.parameters)}
        checks = [result.to_json() for result in self.results]
        return {**head, "runs": self.runs, "seed": self.seed, "checks": checks}


@dataclass(frozen=True)
class Looked:
    """What some checks saw of one workload.

    Attributes
    ----------
    found : by the id of the check
    judged : the ids of the checks that could judge it
    because : why others could not, by id
    """

    found: Mapping[str, Evidence] = field(default_factory=dict)
    judged: frozenset[str] = frozenset()
    because: Mapping[str, str] = field(default_factory=dict)
