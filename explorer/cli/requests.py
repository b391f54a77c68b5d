"""From options to runs: the workload, the cluster as changed on the command line, and the policies."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import overheads_from_text
from core.model.errors import InputError, UnknownName
from core.model.nodes import parse_nodes, parse_request
from core.model.schedule import PolicyChoice, Schedule
from core.policies.registry import describe, register_file
from core.simulation.simulate import simulate
from explorer.cli.parser import parameters_of
from explorer.cli.screen import print_note, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.cluster import Cluster
    from core.model.workload import Job, Workload


@dataclass(frozen=True)
class Run:
    """One simulation asked for on the command line."""

    workload: Workload
    cluster: Cluster
    choice: PolicyChoice
    order: tuple[str, ...] | None

    def simulate(self) -> Schedule:
        """Run it, with progress; say why where compiled code was wanted and could not be used."""
        with progress(f"Simulating {self.choice.id}") as show:
            schedule = simulate(self.workload, self.cluster, self.choice, order=self.order, progress=show)
        if schedule.interpreted_because:
            print_note(f"{self.choice.id} ran interpreted: {schedule.interpreted_because}")
        return schedule


@dataclass(frozen=True)
class AsRecorded:
    """What a log recorded, in the place of a simulation."""

    workload: Workload
    cluster: Cluster

    def simulate(self) -> Schedule:
        """Return the schedule as it really ran; InputError if the workload has none."""
        from core.fidelity.history_schedule import history_schedule

        if self.workload.recorded is None:
            raise InputError(f"{self.workload.name}: --recorded needs a log that has tasks")
        return history_schedule(self.workload, self.workload.recorded)


def open_named_workload(source: str) -> Workload:
    """Open a document, a log or a sample, with progress."""
    from core.files.open_workload import open_workload

    with progress(f"Opening {Path(source).name}") as show:
        return open_workload(source, progress=show).workload


def named_job(workload: Workload, name: str | None) -> Job:
    """Return the job with this name, or the only one if no name is given."""
    if name is None and len(workload.jobs) == 1:
        return workload.jobs[0]
    if name is None:
        raise InputError(f"{workload.name} has {len(workload.jobs)} jobs; say which one with --job NAME")
    if name not in workload.job_index:
        raise UnknownName(f"job of {workload.name}", name, workload.job_index)
    return workload.jobs[workload.job_index[name]]


def cluster_of(options: Namespace, suggested: Cluster) -> Cluster:
    """Return the suggested cluster with what the options change."""
    changes = _slots_of(options, suggested) | _requests_of(options, suggested)
    if options.slowstart is not None:
        changes["slowstart"] = options.slowstart
    if options.shuffle is not None:
        changes["shuffle_model"] = options.shuffle
    if options.overheads is not None:
        changes["overheads"] = overheads_from_text(options.overheads)
    return replace(suggested, **changes)


NO_SLOTS: dict[str, Any] = {"map_slots": 0, "reduce_slots": 0, "containers": 0, "nodes": ()}


def _slots_of(options: Namespace, suggested: Cluster) -> dict[str, Any]:
    """Return the fields of the one kind of slots that the options name."""
    typed = {"map_slots": options.map_slots, "reduce_slots": options.reduce_slots}
    changes: dict[str, Any] = {name: value for name, value in typed.items() if value is not None}
    kinds = bool(changes) + (options.containers is not None) + (options.nodes is not None)
    if kinds > 1:
        raise InputError(
            "give --map-slots and --reduce-slots, or --containers, or --nodes: a cluster has one kind of them"
        )
    if options.containers is not None:
        return NO_SLOTS | {"containers": options.containers}
    if options.nodes is not None:
        return NO_SLOTS | {"nodes": parse_nodes(" + ".join(options.nodes))}
    return NO_SLOTS | changes if changes and suggested.has_containers else changes


def _requests_of(options: Namespace, suggested: Cluster) -> dict[str, Any]:
    """Return what tasks ask of nodes, as far as the options say so."""
    given = {"map_request": options.map_request, "reduce_request": options.reduce_request}
    changes = {name: parse_request(text) for name, text in given.items() if text is not None}
    if changes and not (options.nodes or suggested.has_nodes):
        raise InputError("--map-request and --reduce-request say what tasks ask of nodes; give --nodes, too")
    return changes


def single_run(options: Namespace) -> Run:
    """Return the run of `slotscope simulate`."""
    workload = open_named_workload(options.workload)
    own = register_file(Path(options.policy_file)).id if options.policy_file else None
    names = _order(options)
    policy = options.policy or own or ("order" if names else "fifo")
    describe(policy)
    choice = PolicyChoice(policy, parameters_of(options.parameters))
    return Run(workload, cluster_of(options, workload.cluster), choice, names)


def several_runs(options: Namespace) -> list[Run | AsRecorded]:
    """Return the runs of `slotscope compare` and `slotscope render`, the baseline first."""
    workload = open_named_workload(options.workload)
    own = [register_file(Path(options.policy_file)).id] if options.policy_file else []
    ids = [name.strip() for name in options.policies.split(",") if name.strip()]
    ids += [name for name in own if name not in ids]
    if not ids and not options.recorded:
        raise InputError("--policies is empty; give policy ids separated by commas, the baseline first")
    names = _order(options)
    if names is not None and "order" not in ids:
        raise InputError("--order needs the policy 'order' among --policies")
    cluster = cluster_of(options, workload.cluster)
    given = parameters_of(options.parameters)
    _check_used(given, ids)
    recorded: list[Run | AsRecorded] = [AsRecorded(workload, cluster)] if options.recorded else []
    return recorded + [
        Run(
            workload, cluster, PolicyChoice(policy, _own(given, policy)), names if policy == "order" else None
        )
        for policy in ids
    ]


def _order(options: Namespace) -> tuple[str, ...] | None:
    return None if options.order is None else names_in(options.order)


def names_in(text: str) -> tuple[str, ...]:
    """Split names of jobs at their commas; a name with a comma stands in quotes."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(name.strip() for name in names if name.strip())


def _own(given: dict[str, str], policy: str) -> dict[str, str]:
    """Keep the parameters that a policy has."""
    return {p.name: given[p.name] for p in describe(policy).parameters if p.name in given}


def _check_used(given: dict[str, str], ids: list[str]) -> None:
    known = {p.name for policy in ids for p in describe(policy).parameters}
    for name in given:
        if name not in known:
            raise UnknownName(f"parameter of {', '.join(ids)}", name, known)
