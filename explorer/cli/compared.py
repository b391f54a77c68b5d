"""Which schedules of a workload a command compares or draws: of policies, of a log, or of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError
from explorer.cli.command import Options, flag, option
from explorer.cli.requests import (
    NO_POLICY,
    AsRecorded,
    Run,
    RunOptions,
    Source,
    policies_in,
    run_policy_file,
)
from explorer.cli.screen import progress

if TYPE_CHECKING:
    from core.files.open_workload import Opened
    from core.model.cluster import Cluster
    from explorer.cli.cluster_options import ClusterOptions


class ComparedSchedules(Options):
    """Which schedules of a workload are compared, the baseline first."""

    source: Source
    policies: list[str] = option(
        "ID,ID,...",
        "policies, the baseline first; file:F.py is a file of your own, whose code is run (compare without "
        "any: what a log recorded, the policy it ran under, else fifo, and the three that end soonest; page: "
        "the scenarios of a sample, else as compare)",
        default="",
        read=policies_in,
    )
    recorded: bool = flag("begin with what really ran, as the log recorded it")

    def runs(
        self, options: RunOptions, *, or_best: bool = False, or_own: bool = False
    ) -> list[Run | AsRecorded]:
        """Return the runs of `slotscope compare` and `slotscope render`.

        With `or_own`, where no policy is named, those are the scenarios of the document. Where it has none,
        or with `or_best`, they are what the log recorded, the policy of its configuration, else FIFO, and the
        three policies that end soonest.
        """
        from core.model.schedule import PolicyChoice
        from core.policies.registry import describe, parameters_by_policy

        opened = self.source.opened()
        workload = opened.workload
        own = [] if options.policy_file is None else [run_policy_file(options.policy_file)]
        ids = list(self.policies)
        ids += [name for name in own if name not in ids]
        if not ids and not self.recorded and (or_best or or_own) and options.is_plain:
            own_runs = _own_runs(self.source.workload, opened, options.cluster) if or_own else []
            return own_runs or _best_runs(opened, options.cluster.changed(workload.cluster))
        if not ids and not self.recorded:
            raise InputError(NO_POLICY)
        names, plan = options._by_hand()
        for option_name, value, needed in (("--order", names, "order"), ("--plan", plan, "critical")):
            if value is not None and needed not in ids:
                raise InputError(f"{option_name} needs the policy '{needed}' among --policies")
        cluster = options.cluster.changed(workload.cluster)
        known = [describe(policy) for policy in ids]
        given = parameters_by_policy(options.parameters, known)
        estimates = options._estimates(workload, known)
        recorded: list[Run | AsRecorded] = [AsRecorded(workload, cluster)] if self.recorded else []
        orders, plans = {"order": names}, {"critical": plan}
        return recorded + [
            Run(
                workload,
                cluster,
                PolicyChoice(policy.id, given[policy.id], estimates if policy.plans else None),
                orders.get(policy.id),
                plans.get(policy.id),
            )
            for policy in known
        ]


def _own_runs(source: str, opened: Opened, cluster: ClusterOptions) -> list[Run | AsRecorded]:
    """Return the scenarios with which a sample, or a document of that form, opens; none of a log."""
    from core.files.samples import own_scenarios

    if opened.kind == "log":
        return []
    workload = opened.workload
    return [
        Run(
            workload,
            cluster.changed(each.cluster or workload.cluster),
            each.choice,
            each.order,
            each.plan,
            each.partition,
            each.title,
        )
        for each in own_scenarios(source)
        if each.fork is None
    ]


def _best_runs(opened: Opened, cluster: Cluster) -> list[Run | AsRecorded]:
    """Return what a log recorded, the policy that it ran under, and the three that end soonest."""
    from core.model.schedule import PolicyChoice
    from core.policies.spark import policy_of_log
    from core.simulation.best_policies import best_policies

    workload = opened.workload
    with progress("Trying every policy") as show:
        best = [schedule.choice.id for schedule in best_policies(workload, cluster, progress=show)]
    ids = dict.fromkeys([policy_of_log(opened.scheduler), *best])
    runs: list[Run | AsRecorded] = [Run(workload, cluster, PolicyChoice(id), None) for id in ids]
    return runs if workload.recorded is None else [AsRecorded(workload, cluster), *runs]
