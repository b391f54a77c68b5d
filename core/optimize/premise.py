"""The premise of a lower bound, in the same words wherever "optimal" or "bound" stands.

A bound speaks of all schedules of the same jobs, with these durations, on these slots, that keep its premise:
they lend no slots to tasks of the other kind, they share no scans, and no task has a second copy. A schedule
that does any of these is measured by a bound that allows it. Schedules that stand side by side share the
bound that holds for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.model.submissions import ONE_AFTER_THE_OTHER, follow_one_another
from core.model.time_text import fine_percent

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

ON_THESE = "on these slots"
WHEN_JOBS_COME = {
    (False, False): "",
    (True, False): "if jobs were submitted at the recorded times",
    (False, True): "if jobs and stages follow one another as the log suggests",
    (True, True): "if jobs come when the log recorded, or follow one another as it suggests",
}
"""By whether they are taken to come as they were submitted, and to follow as a reader of logs inferred."""
SMALLEST_GAP = 1e-9
"""Makespans that are nearer to their bound are equal to it: sums of durations may be wrong by that."""


@dataclass(frozen=True, slots=True)
class Premise:
    """Of which schedules a bound speaks.

    Attributes
    ----------
    lends : whether slots may run tasks of the other kind
    shares_scans : whether jobs may share scans
    has_kinds : whether there are slots of both kinds, so that lending makes a difference
    has_common_scans : whether several jobs scan the same data, so that sharing does
    cluster : on which slots, as far as a bound depends on them; None for any, or for several
    has_clusters : whether on any of several clusters
    is_mixed : whether of schedules that do what one of several scenarios does on its slots, and no more: not
        of those that do what one does on the slots of another
    as_submitted : whether jobs are taken to come at recorded times that were results of the run (see
        `core.model.submissions`): then nothing is optimal, and nothing proved
    as_inferred : whether a reader of logs inferred which jobs or stages follow which
    copies : whether tasks may have second copies (see `core.engine.speculation`)
    """

    lends: bool = False
    shares_scans: bool = False
    has_kinds: bool = True
    has_common_scans: bool = True
    cluster: Cluster | None = None
    has_clusters: bool = False
    is_mixed: bool = False
    as_submitted: bool = False
    as_inferred: bool = False
    copies: bool = False

    def __or__(self, other: Premise) -> Premise:
        """Return the premise of what either one speaks of."""
        does = self.lends or other.lends, self.shares_scans or other.shares_scans
        copies = self.copies or other.copies
        elsewhere = self.cluster != other.cluster
        alike = [
            each for each in (self, other) if (each.lends, each.shares_scans, each.copies) == (*does, copies)
        ]
        return Premise(
            *does,
            self.has_kinds or other.has_kinds,
            self.has_common_scans or other.has_common_scans,
            None if elsewhere else self.cluster,
            elsewhere or self.has_clusters or other.has_clusters,
            len(alike) < 1 + elsewhere or self.is_mixed or other.is_mixed,
            self.as_submitted or other.as_submitted,
            self.as_inferred or other.as_inferred,
            copies,
        )

    @property
    def is_plain(self) -> bool:
        """Whether it allows no more than plans and searches can do."""
        return not (self.lends or self.shares_scans or self.copies)

    @property
    def beyond_plans(self) -> str:
        """What is allowed that no plan does, "slots are lent or scans are shared"; empty for nothing."""
        return " or ".join(what for what, _, allowed, counts in self._matters if allowed and counts)

    @property
    def _matters(self) -> tuple[tuple[str, str, bool, bool], ...]:
        """What a schedule may do or not: both in words, whether it is allowed, whether it counts."""
        return (
            ("scans are shared", "sharing scans", self.shares_scans, self.has_common_scans),
            ("slots are lent", "lending slots", self.lends, self.has_kinds),
            ("tasks have second copies", "second copies", self.copies, self.copies),
        )

    @property
    def words(self) -> str:
        """What is allowed and what is not, to stand behind "optimal" or "bound": "without lending slots"."""
        even = self.beyond_plans
        without = " or ".join(what for _, what, allowed, counts in self._matters if counts and not allowed)
        on = "on any of these clusters" * self.has_clusters
        at = WHEN_JOBS_COME[self.as_submitted, self.as_inferred]
        if self.is_mixed:
            return ", ".join(filter(None, ("among what these scenarios do on their slots", at)))
        parts = (at, on, f"even if {even}" * bool(even), f"without {without}" * bool(without))
        return ", ".join(filter(None, parts)) or ON_THESE

    @property
    def claim(self) -> str:
        """The claim of a bound: "no schedule ... is shorter on these slots, without lending slots"."""
        on = "" if self.has_clusters or self.is_mixed or self.words == ON_THESE else f"{ON_THESE}, "
        return f"no schedule of these jobs with these durations is shorter {on}{self.words}"

    def sentence_of(self, answer: str) -> str:
        """Return the sentence of an answer with its premise; "proved" is not used of recorded submissions."""
        words = "" if self.words == ON_THESE else f" ({self.words})"
        sentence = f"{answer.removesuffix('.')}{words}."
        if not self.as_submitted:
            return sentence
        return f"{ONE_AFTER_THE_OTHER} {sentence.replace(' are proved to be ', ' are ')}"


PLAIN = Premise()
"""Of schedules that lend no slots and share no scans: all that plans and searches can do."""


def premise_of(schedule: Schedule) -> Premise:
    """Return the premise of the bound that a schedule is measured by: what it does is allowed."""
    lends = schedule.lends or bool(schedule.is_borrowed.any())
    scans, copies = schedule.shares_scans, schedule.has_copies
    return premise_on(schedule.given, schedule.cluster, lends=lends, shares_scans=scans, copies=copies)


def premise_on(
    workload: Workload,
    cluster: Cluster,
    *,
    lends: bool = False,
    shares_scans: bool = False,
    copies: bool = False,
) -> Premise:
    """Return the premise that schedules of a workload keep on a cluster if they do no more than is given."""
    has_kinds = not cluster.has_containers and min(cluster.typed_slots) > 0
    scanned = [job.dataset for job in workload.jobs if job.dataset is not None]
    has_common_scans = len(set(scanned)) < len(scanned)
    as_submitted = follow_one_another(workload)
    facts = replace(cluster, slowstart=0.0, overheads=None, events=None)
    does = lends, shares_scans, has_kinds, has_common_scans
    follows = any(link.inferred for job in workload.jobs for link in job.after)
    waits = any(edge.inferred for job in workload.jobs for edge in job.graph.edges)
    return Premise(
        *does, cluster=facts, as_submitted=as_submitted, as_inferred=follows or waits, copies=copies
    )


def gap_text(gap: float, premise: Premise) -> str:
    """Return how far a makespan is from its bound, as a share of it: "optimal without lending slots"."""
    if gap < -SMALLEST_GAP:  # what really ran keeps no rule of the model
        return f"{fine_percent(-gap)} below bound"
    if gap >= SMALLEST_GAP:
        return f"{fine_percent(gap)} above bound"
    return "at the bound of its recorded submissions" if premise.as_submitted else f"optimal {premise.words}"
