"""The options of `slotscope optimize`, and the search that they describe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.model.errors import InputError
from core.model.levers import ALL_LEVERS, LEVERS, levers_in
from core.model.objectives import OBJECTIVES
from core.model.parameters import names_in
from core.study.policy_names import FILE
from explorer.cli.cluster_options import ClusterOptions
from explorer.cli.command import Command, flag, option
from explorer.cli.requests import Run, Source, json_option, named_policy, time_option
from explorer.cli.searching import ShortEffort

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.simulation.best_schedule import WantedSearch


def _levers(text: str) -> tuple[str, ...]:
    return levers_in(text, "--levers")


class OptimizeOptions(Command):
    """What is searched, with what effort, and what is written of it."""

    source: Source
    objective: str = option(
        "O",
        f"{', '.join(OBJECTIVES)}, or a mix: makespan=1,mean-response=0.5; default: makespan",
        default="makespan",
    )
    levers: tuple[str, ...] = option(
        "L,L",
        f"what may be changed: {', '.join(LEVERS)}; or {ALL_LEVERS} (default)",
        default=ALL_LEVERS,
        read=_levers,
    )
    start: str | None = option(
        "J2,J1",
        "begin with this order, or with a plan's file; file:F.py: with the order in which a policy of your "
        "own, whose code is run, starts the jobs",
    )
    pin: list[str] = option("J3", "leave a job where it is")
    before: list[str] = option("A:B", "job A goes before job B")
    keep_deadlines: bool = flag("no job ends after its deadline")
    from_time: float | None = time_option(
        "--from",
        "what starts before that time stays as it is, only the rest is searched: 2h, 1:30:00, 5400; --out "
        "then writes a session with both",
    )
    policy: str | None = option(
        "ID",
        "with --from: the policy before that time (default: that of a log's configuration, else fifo); "
        "--start gives an order or a plan instead",
        read=named_policy,
    )
    robust: float | None = option(
        "SIGMA", "durations are guesses, wrong by so much (0.3: ±30 %%): the mean over noisy copies counts"
    )
    robust_per: Literal["job", "task", "correlated"] | None = option(
        "WHAT",
        "what is wrong by a factor of its own: each job (default), each task, or each job with half of the "
        "variance common to all jobs",
    )
    effort: ShortEffort
    cluster: ClusterOptions
    front: tuple[str, ...] | None = option(
        "O,O",
        "two goals side by side: plans of which none is better in both; each search has some hundred or "
        "thousand steps by the number of tasks, or what --steps or --seconds says",
        read=names_in,
    )
    points: int | None = option("N", "so many searches for --front (default 9)")
    out: str | None = option(
        "PLAN.json",
        "write the plan, for 'simulate --plan'; of --front, all points to F.csv, or with proofs to F.json",
    )
    certificate: str | None = option(
        "F.json", "write the proof that nothing is better, or better than the bound, for 'slotscope verify'"
    )
    json: bool = json_option()

    def start_in(self, workload: Workload, cluster: Cluster) -> Plan | tuple[str, ...] | None:
        """Return the plan or the order that --start gives, None for none."""
        return _start(self.start, workload, cluster)

    def wanted_search(self) -> WantedSearch:
        """Return the search that the options describe; InputError if they do not fit."""
        from core.optimize.objectives import Objective
        from core.simulation.best_schedule import robust_of, wanted_search

        objective, robust = Objective.of(self.objective), robust_of(self.robust, self.robust_per, "--")
        effort = {"seconds": self.effort.by_clock, "steps": self.effort.steps}
        workload = self.source.open()
        if self.front is not None and self.effort.seconds is None and self.effort.steps is None:
            from core.simulation.plan_front import usual_steps

            effort = {"seconds": None, "steps": usual_steps(workload)}
        cluster = self.cluster.changed(workload.cluster)
        return wanted_search(
            workload,
            cluster,
            objective,
            effort=effort,
            levers=self.levers,
            start=self.start_in(workload, cluster),
            pinned=[name for text in self.pin for name in names_in(text)],
            before=[_pair(workload, text) for text in self.before],
            keep_deadlines=self.keep_deadlines,
            robust=robust,
            seed=self.effort.seed,
        )


def _pair(workload: Workload, text: str) -> tuple[str, str]:
    """Split "A:B" into two jobs; their names may have colons."""
    parts = text.split(":")
    pairs = [(":".join(parts[:place]), ":".join(parts[place:])) for place in range(1, len(parts))]
    known = [pair for pair in pairs if all(name in workload.job_index for name in pair)]
    if known:
        return known[0]
    if len(pairs) == 1:
        return pairs[0]  # that there is no such job is said with all others
    raise InputError(f"--before {text}: give two jobs as A:B; A then goes before B")


def _start(text: str | None, workload: Workload, cluster: Cluster) -> Plan | tuple[str, ...] | None:
    """Return the plan in a file, the order of the names, or that in which a policy file starts jobs."""
    if text is None:
        return None
    if text.startswith(FILE):
        from core.model.schedule import PolicyChoice

        schedule = Run(workload, cluster, PolicyChoice(named_policy(text)), None).simulate()
        first = dict.fromkeys(schedule.workload.columns.job[schedule.sequence].tolist())
        return tuple(workload.jobs[job].name for job in first)
    if text.endswith((".json", ".json.gz")) or Path(text).is_file():
        from core.files.plan_document import read_plan

        return read_plan(text)
    return tuple(names_in(text))
