"""What several commands understand: their options, and the workloads, clusters and runs that these ask for.

What simulates is imported when it is asked for, so that listing policies or printing help stays fast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import (
    NO_SLOTS,
    OVERHEAD_NAMES,
    SHUFFLE_MODELS,
    kept_contention,
    overheads_from_text,
)
from core.model.errors import InputError, UnknownName
from core.model.nodes import parse_contention, parse_nodes, parse_request
from core.model.parameters import names_in
from explorer.cli.screen import print_line, print_note, progress

if TYPE_CHECKING:
    import argparse
    from argparse import Namespace
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.estimates import DurationEstimates
    from core.model.plan import Plan
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Job, Workload
    from core.policies.registry import PolicyDescription
    from explorer.cli.parser import Parser

    Commands = argparse._SubParsersAction["Parser"]

WORKLOAD = "a workload document, a log in any supported format, or the name of a sample"
LONG_SECONDS = 60.0  # a search that takes longer says so before it begins
POLICY = "a policy of 'slotscope policies' (default fifo)"


def add_command(
    commands: Commands, name: str, text: str, run: Callable[[Namespace], int], *, workload: str = ""
) -> Parser:
    """Add a command: its name, what it does in a line, and what runs it and returns the exit code.

    `workload` says what its workload may be; without it the command takes none.
    """
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(run=run)
    if workload:
        parser.add_argument("workload", metavar="W", help=workload)
        add_columns(parser)
    return parser


def add_columns(parser: Parser) -> None:
    """Add ``--columns``, which `open_named_workload` takes."""
    text = (
        "which column is what in a table of tasks: job, start, end or duration; kind, reduce=REDUCE|R, host, "
        "task, submit, user, pool, outcome, done=OK; unit=s, ms, us, ns or date (manual: Logs)"
    )
    parser.add_argument("--columns", metavar="job=JobName,start=Begin,...", default="", help=text)


def add_out(parser: Parser) -> None:
    """Add the document to write, which `save` writes."""
    parser.add_argument("--out", metavar="F.workload.json", required=True, help="the document to write")


def save(workload: Workload, options: Namespace, sentence: str) -> None:
    """Write a workload as the document asked for, and say what it is and where."""
    from core.files.workload_writing import write_workload

    write_workload(workload, Path(options.out))
    print_line(f"{sentence}; written to {options.out}")


def sizes_text(workload: Workload) -> str:
    """Count what a workload has: "5 jobs, 60 maps, 20 reduces"."""
    return f"{len(workload.jobs)} jobs, {workload.map_count} maps, {workload.reduce_count} reduces"


def add_seed(parser: Parser, made: str) -> None:
    """Add the seed of what is drawn."""
    text = f"same seed, same {made} (default 1)"
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=text)


def add_choices(parser: Parser) -> None:
    """Add which schedules to compare."""
    parser.add_argument("--policies", metavar="ID,ID,...", default="", help="policies, the baseline first")
    parser.add_argument(
        "--recorded", action="store_true", help="begin with what really ran, as the log recorded it"
    )


def add_run_options(parser: Parser) -> None:
    """Add what changes the cluster or the policy of a run."""
    add_parameter(parser)
    add_cluster_options(parser)
    parser.add_argument(
        "--order", metavar="J2,J1", help="serve the jobs in this order (for compare: policy 'order')"
    )
    parser.add_argument(
        "--plan",
        metavar="PLAN.json",
        help="tasks by a plan's due dates (for compare: policy 'critical')",
    )
    parser.add_argument(
        "--policy-file",
        metavar="F.py",
        help="a policy of your own: its code is run, and that of the files beside it that it imports, as "
        "they are now",
    )
    parser.add_argument(
        "--estimates",
        metavar="NAME=VALUE,...",
        help="let policies plan on guesses, while tasks take their true durations: error (0.3: ±30 %%), per "
        "(job or task), seed; profile=W: as the jobs ran before, by a workload, a log or 'library'",
    )


def add_cluster_options(parser: Parser) -> None:
    """Add what changes the workload's cluster."""
    parser.add_argument("--map-slots", type=int, metavar="N", help="map slots (default: the workload's)")
    parser.add_argument(
        "--reduce-slots", type=int, metavar="N", help="reduce slots (default: the workload's)"
    )
    parser.add_argument(
        "--overheads",
        metavar="NAME=VALUE,...",
        help="what the cluster spends besides running tasks: "
        + ", ".join(OVERHEAD_NAMES)
        + " (times in seconds; see 'slotscope fidelity')",
    )
    parser.add_argument(
        "--containers", type=int, metavar="N", help="untyped slots instead of map and reduce slots"
    )
    parser.add_argument(
        "--nodes",
        metavar="8x16GB,8",
        action="append",
        help="nodes instead of slots: how many, memory and cores of each; again, or with +, for other sizes",
    )
    parser.add_argument("--map-request", metavar="1GB,1", help="memory and cores that a map asks of its node")
    parser.add_argument("--reduce-request", metavar="2GB,1", help="memory and cores that a reduce asks for")
    parser.add_argument(
        "--contention",
        metavar="1,1,0.7",
        help="how fast each map on a node runs: alone, each of two, of three …; the last holds for more; "
        "1 is full speed",
    )
    parser.add_argument(
        "--reduce-load",
        type=float,
        metavar="X",
        help="as how many maps a running reduce counts there (default 0: reduces do not slow maps)",
    )
    parser.add_argument(
        "--slowstart", type=float, metavar="F", help="fraction of maps complete before reduces start"
    )
    parser.add_argument("--shuffle", choices=SHUFFLE_MODELS, help="shuffle model (default: the workload's)")


def add_parameter(parser: Parser, text: str = "set a parameter") -> None:
    """Add ``-p NAME=VALUE``, which `parameters_of` splits."""
    parser.add_argument("-p", dest="parameters", metavar="NAME=VALUE", action="append", default=[], help=text)


def add_json(parser: Parser) -> None:
    """Add ``--json``: the command then prints with `print_json` instead of tables."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


@dataclass(frozen=True)
class Run:
    """One simulation asked for on the command line."""

    workload: Workload
    cluster: Cluster
    choice: PolicyChoice
    order: tuple[str, ...] | None
    plan: Plan | None = None

    def simulate(self) -> Schedule:
        """Run it, with progress; say why where compiled code was wanted and could not be used."""
        from core.policies.by_hand import unfitting
        from core.simulation.engine_selection import search_seconds
        from core.simulation.simulate import simulate

        jobs = f"{len(self.workload.jobs):,} jobs"
        is_by_hand = self.order is not None or self.plan is not None
        needed = 0.0 if is_by_hand else search_seconds(self.workload, self.cluster, self.choice)
        if needed > LONG_SECONDS:
            took = f"about {needed / 60:.0f} min of a processor; Ctrl+C stops it"
            print_note(f"searching pools for {jobs} ({took})")

        def say(seconds: float) -> None:
            print_note(f"compiling {self.choice.id} for {jobs} (about {seconds:.0f} s)")

        with progress(f"Simulating {self.choice.id}") as show:
            schedule = simulate(
                self.workload,
                self.cluster,
                self.choice,
                order=self.order,
                plan=self.plan,
                progress=show,
                on_compiling=say,
            )
        if schedule.interpreted_because:
            print_note(f"{self.choice.id} ran interpreted: {schedule.interpreted_because}")
        if passed_over := unfitting(self.choice, self.workload):
            print_note(passed_over)
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


def open_named_workload(source: str, columns: str = "") -> Workload:
    """Open a document, a log or a sample, with progress; `columns` are those of a table of tasks."""
    from core.files.open_workload import open_workload

    with progress(f"Opening {Path(source).name}") as show:
        return open_workload(source, parameters=columns_given(columns), progress=show).workload


def columns_given(columns: str) -> dict[str, str]:
    """Return what ``--columns`` says as parameters of an import."""
    return {"columns": columns} if columns else {}


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
    changes = _slots_of(options, suggested) | _of_nodes(options, suggested)
    if options.slowstart is not None:
        changes["slowstart"] = options.slowstart
    if options.shuffle is not None:
        changes["shuffle_model"] = options.shuffle
    if options.overheads is not None:
        changes["overheads"] = overheads_from_text(options.overheads)
    return replace(suggested, **changes)


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
        return (
            NO_SLOTS
            | kept_contention(suggested)
            | {
                "nodes": parse_nodes(" + ".join(options.nodes)),
            }
        )
    return NO_SLOTS | changes if changes and suggested.has_containers else changes


def _of_nodes(options: Namespace, suggested: Cluster) -> dict[str, Any]:
    """Return what tasks ask of nodes and how they slow one another there, as far as the options say so."""
    given = {"map_request": options.map_request, "reduce_request": options.reduce_request}
    changes: dict[str, Any] = {name: parse_request(text) for name, text in given.items() if text is not None}
    if options.contention is not None:
        changes["contention"] = parse_contention(options.contention)
    if options.reduce_load is not None:
        changes["reduce_load"] = options.reduce_load
    if changes and not (options.nodes or suggested.has_nodes):
        raise InputError(
            "--map-request, --reduce-request, --contention and --reduce-load say how tasks share nodes; "
            "give --nodes, too"
        )
    return changes


def _own_policies(options: Namespace) -> list[str]:
    """Run the policy file that is named, if any, and return its id."""
    return [run_policy_file(options.policy_file)] if options.policy_file else []


def run_policy_file(path: str) -> str:
    """Run a policy file and return the id of its policy; what runs with it is told."""
    from core.policies.registry import policy_class
    from core.policies.user_files.policy_process import register_file

    own = register_file(Path(path)).id
    if (source := policy_class(own).source) and source.helpers:
        print_note(f"{path} runs with {', '.join(str(each.path) for each in source.helpers)}")
    return own


def single_run(options: Namespace) -> Run:
    """Return the run of `slotscope simulate`."""
    from core.model.schedule import PolicyChoice
    from core.policies.registry import describe

    workload = open_named_workload(options.workload, options.columns)
    own = next(iter(_own_policies(options)), None)
    names, plan = _by_hand(options)
    policy = options.policy or own or ("order" if names else "fifo" if plan is None else "critical")
    estimates = _estimates(options, workload, [describe(policy)])
    choice = PolicyChoice(policy, parameters_of(options.parameters), estimates)
    return Run(workload, cluster_of(options, workload.cluster), choice, names, plan)


def _by_hand(options: Namespace) -> tuple[tuple[str, ...] | None, Plan | None]:
    """Return the order and the plan that the options give; InputError if both do."""
    names = None if options.order is None else tuple(names_in(options.order))
    if options.plan is None:
        return names, None
    if names is not None:
        raise InputError("--plan and --order both say who goes first; give one of them")
    from core.files.plan_document import read_plan

    return None, read_plan(options.plan)


def several_runs(options: Namespace) -> list[Run | AsRecorded]:
    """Return the runs of `slotscope compare` and `slotscope render`, the baseline first."""
    from core.model.schedule import PolicyChoice
    from core.policies.registry import describe

    workload = open_named_workload(options.workload, options.columns)
    own = _own_policies(options)
    ids = [name.strip() for name in options.policies.split(",") if name.strip()]
    ids += [name for name in own if name not in ids]
    if not ids and not options.recorded:
        raise InputError("--policies is empty; give policy ids separated by commas, the baseline first")
    names, plan = _by_hand(options)
    for option, said, needed in (("--order", names, "order"), ("--plan", plan, "critical")):
        if said is not None and needed not in ids:
            raise InputError(f"{option} needs the policy '{needed}' among --policies")
    cluster = cluster_of(options, workload.cluster)
    given = parameters_of(options.parameters)
    known = [describe(policy) for policy in ids]
    takes = {policy.id: [p.name for p in policy.parameters] for policy in known}
    taken = {name for each in takes.values() for name in each}
    for name in given:
        if name not in taken:
            raise UnknownName(f"parameter of {', '.join(ids)}", name, taken, all_known=True)
    estimates = _estimates(options, workload, known)
    recorded: list[Run | AsRecorded] = [AsRecorded(workload, cluster)] if options.recorded else []
    choices = [
        PolicyChoice(
            policy.id,
            {name: given[name] for name in takes[policy.id] if name in given},
            estimates if policy.plans else None,
        )
        for policy in known
    ]
    orders, plans = {"order": names}, {"critical": plan}
    return recorded + [
        Run(workload, cluster, choice, orders.get(choice.id), plans.get(choice.id)) for choice in choices
    ]


def _estimates(
    options: Namespace, workload: Workload, policies: list[PolicyDescription]
) -> DurationEstimates | None:
    """Return what the policies are told of durations; InputError if none of them asks."""
    if options.estimates is None:
        return None
    from core.model.estimates import estimate_texts, estimates_of

    if not any(policy.plans for policy in policies):
        named = ", ".join(policy.id for policy in policies)
        raise InputError(f"--estimates: {named} plans on no durations, so leave the estimates out")
    given = estimate_texts(options.estimates)
    source, profile = given.pop("profile", None), None
    if source is not None:
        from core.trace_database.recorded_profile import recorded_profile

        with progress(f"Opening {Path(source).name}") as show:
            profile = recorded_profile(workload, source, show)
    return estimates_of(given, profile)


def parameters_of(given: list[str]) -> dict[str, str]:
    """Split ``name=value`` options; raises InputError for one without a name or given twice."""
    parameters: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError(f"-p {text}: give a parameter as name=value")
        if name in parameters:
            raise InputError(f"-p {text}: parameter {name} is given twice")
        parameters[name.strip()] = value.strip()
    return parameters
