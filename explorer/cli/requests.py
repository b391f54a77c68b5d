"""What several commands understand: their options, and the workloads, clusters and runs that these ask for.

What simulates is imported when it is asked for, so that listing policies or printing help stays fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from core.model.errors import InputError, UnknownName
from core.model.number_text import grouped
from core.model.parameters import names_in
from core.model.time_text import seconds_from_text
from core.study.policy_names import FILE
from explorer.cli.cluster_options import ClusterOptions
from explorer.cli.command import Options, argument, flag, option
from explorer.cli.screen import note_cuts, print_line, print_note, progress

if TYPE_CHECKING:
    from core.files.open_workload import Opened
    from core.model.cluster import Cluster
    from core.model.estimates import DurationEstimates
    from core.model.job import Job
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload
    from core.policies.registry import PolicyDescription
    from core.study.results import StudyResults

LONG_SECONDS = 60.0  # a search that takes longer says so before it begins
NO_POLICY = "--policies is empty; give policy ids separated by commas, the baseline first"
Theme = Literal["light", "dark"]


# ---- options that stand alone


def json_option() -> Any:  # Any: a bool, as `option` has it
    """Declare ``--json``: the command then prints with `print_json` instead of tables."""
    return flag("print JSON instead of tables")


def columns_option() -> Any:  # Any: a str
    """Declare ``--columns``, which `columns_given` makes a parameter."""
    text = (
        "which column is what in a table of tasks: job, start, end or duration; kind, reduce=REDUCE|R, host, "
        "task, submit, user, pool, outcome, done=OK, count, processors; unit=s, ms, us, ns, date, mdy or dmy "
        "(manual: Logs)"
    )
    return option("job=JobName,start=Begin,...", text, default="")


def policy_option() -> Any:  # Any: a str, or None
    """Declare the one policy that is run."""
    return option(
        "ID",
        "a policy of 'slotscope policies', or file:F.py, a file of your own whose code is run (default: what "
        "the log's configuration names, or fifo)",
        read=named_policy,
    )


def parameters_option(text: str = "set a parameter") -> Any:  # Any: a dict of texts
    """Declare ``-p NAME=VALUE``."""
    return option("NAME=VALUE", text, name="-p", action="append", default=[], read=parameters_of)


def seed_option(made: str) -> Any:  # Any: an int
    """Declare the seed of what is drawn."""
    return option("N", f"same seed, same {made} (default 1)", default=1)


def time_option(name: str, text: str) -> Any:  # Any: seconds
    """Declare an option, as "--by", whose value is a time as people type it."""
    return option("TIME", text, name=name, read=partial(typed_time, name))


def typed_time(name: str, text: str) -> float:
    """Return the seconds of the value of an option, which an InputError for another text names."""
    try:
        return seconds_from_text(text)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def theme_option() -> Any:  # Any: a Theme
    """Declare in which colours is drawn."""
    return option(None, "default light", default="light")


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


def named_policy(text: str) -> str:
    """Return the id of the policy that is named; after `file:` stands a policy file, whose code is run."""
    return run_policy_file(text.removeprefix(FILE)) if text.startswith(FILE) else text


def policies_in(text: str) -> list[str]:
    """Return the ids of policies that are named, separated by commas, each as `named_policy` reads it."""
    found: list[str] = []
    if text and not ids_in(text):
        raise InputError(NO_POLICY)
    for name in ids_in(text):
        policy = named_policy(name)
        if policy in found and name.startswith(FILE):
            raise InputError(f"{name}: another policy is called {policy}, too; give one of them another id")
        found.append(policy)
    return found


def ids_in(text: str) -> list[str]:
    """Split ids at their commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


# ---- workloads


class Source(Options):
    """The workload that a command is about."""

    workload: str = argument(
        "W", "a workload document, a log in any supported format, or the name of a sample"
    )
    columns: str = columns_option()

    def open(self) -> Workload:
        """Open it, with progress."""
        return self.opened().workload

    def opened(self) -> Opened:
        """Open it, with progress, and return what else is known of it."""
        return open_named(self.workload, self.columns)


class WorkloadOut(Options):
    """The document that a command writes."""

    out: str = option("F.workload.json", "the document to write")

    def save(self, workload: Workload, sentence: str) -> None:
        """Write a workload, and say what it is and where."""
        from core.files.workload_writing import write_workload

        write_workload(workload, Path(self.out))
        print_line(f"{sentence}; written to {self.out}")


def open_results(folder: str | Path) -> StudyResults:
    """Return the results of a study in a folder; what is missing of the logs that it ran is printed."""
    from core.study.results import StudyResults

    results = StudyResults.open(folder)
    note_cuts([results.cut])
    return results


def open_named_workload(source: str, columns: str = "") -> Workload:
    """Return the workload of a document, a log or a sample: see `open_named`."""
    return open_named(source, columns).workload


def open_named(source: str, columns: str = "") -> Opened:
    """Open a document, a log or a sample, with progress; `columns` are those of a table of tasks."""
    from core.files.open_workload import open_workload

    with progress(f"Opening {Path(source).name}") as show:
        opened = open_workload(source, parameters=columns_given(columns), progress=show)
    note_cuts([opened.workload.cut])
    return opened


def columns_given(columns: str) -> dict[str, str]:
    """Return ``--columns`` as parameters of an import."""
    return {"columns": columns} if columns else {}


def named_job(workload: Workload, name: str | None) -> Job:
    """Return the job with this name, or the only one if no name is given."""
    if name is None and len(workload.jobs) == 1:
        return workload.jobs[0]
    if name is None:
        raise InputError(f"{workload.name} has {len(workload.jobs)} jobs; say which one with --job NAME")
    return workload.jobs[known_job(workload, name)]


def known_job(workload: Workload, name: str) -> int:
    """Return the number of the job with this name."""
    if name not in workload.job_index:
        raise UnknownName(f"job of {workload.name}", name, workload.job_index)
    return workload.job_index[name]


# ---- runs


class RunOptions(Options):
    """What changes the cluster or the policy of a run."""

    parameters: dict[str, str] = parameters_option()
    cluster: ClusterOptions
    order: list[str] | None = option(
        "J2,J1", "serve the jobs in this order (for compare: policy 'order')", read=names_in
    )
    plan: str | None = option("PLAN.json", "tasks by a plan's due dates (for compare: policy 'critical')")
    policy_file: str | None = option(
        "F.py",
        "a policy of your own: its code is run, and that of the files beside it that it imports, as "
        "they are now",
    )
    estimates: str | None = option(
        "NAME=VALUE,...",
        "let policies plan on guesses, while tasks take their true durations: error (0.3: ±30 %%), per "
        "(job or task), seed; profile=W: as the jobs ran before, by a workload, a log or 'library'",
    )

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the cluster is asked for."""
        asked = (self.order, self.plan, self.policy_file, self.estimates)
        return not self.parameters and all(each is None for each in asked)

    def single_run(self, source: Source, policy: str | None) -> Run:
        """Return the run of `slotscope simulate`."""
        from core.model.schedule import PolicyChoice
        from core.policies.registry import describe
        from core.policies.spark import policy_of_log

        opened = source.opened()
        workload = opened.workload
        own = None if self.policy_file is None else run_policy_file(self.policy_file)
        names, plan = self._by_hand()
        usual = policy_of_log(opened.scheduler)
        policy = policy or own or ("order" if names else usual if plan is None else "critical")
        choice = PolicyChoice(policy, self.parameters, self._estimates(workload, [describe(policy)]))
        return Run(workload, self.cluster.changed(workload.cluster), choice, names, plan)

    def _by_hand(self) -> tuple[tuple[str, ...] | None, Plan | None]:
        """Return the order and the plan that the options give; InputError if both do."""
        names = None if self.order is None else tuple(self.order)
        if self.plan is None:
            return names, None
        if names is not None:
            raise InputError("--plan and --order both say who goes first; give one of them")
        from core.files.plan_document import read_plan

        return None, read_plan(self.plan)

    def _estimates(self, workload: Workload, policies: list[PolicyDescription]) -> DurationEstimates | None:
        """Return the estimates of durations for the policies; InputError if none reads them."""
        if self.estimates is None:
            return None
        from core.trace_database.recorded_profile import estimates_for

        with progress("Opening what jobs took before") as show:
            estimates = estimates_for(workload, policies, self.estimates, show, "--")
        note_cuts([estimates.profile.cut] if estimates.profile else [])
        return estimates


def run_policy_file(path: str) -> str:
    """Run a policy file and return the id of its policy; what runs with it is printed."""
    from core.policies.registry import policy_class
    from core.policies.user_files.policy_process import register_file

    own = register_file(Path(path)).id
    if (source := policy_class(own).source) and source.helpers:
        print_note(f"{path} runs with {', '.join(str(each.path) for each in source.helpers)}")
    return own


@dataclass(frozen=True)
class Run:
    """One simulation asked for on the command line."""

    workload: Workload
    cluster: Cluster
    choice: PolicyChoice
    order: tuple[str, ...] | None
    plan: Plan | None = None
    partition: Partition | None = None
    title: str = ""

    def simulate(self) -> Schedule:
        """Run it, with progress; say why where compiled code was wanted and could not be used."""
        from core.policies.by_hand import unfitting
        from core.simulation.engine_selection import search_seconds
        from core.simulation.simulate import simulate

        jobs = f"{grouped(len(self.workload.jobs))} jobs"
        is_by_hand = self.order is not None or self.plan is not None or self.partition is not None
        needed = 0.0 if is_by_hand else search_seconds(self.workload, self.cluster, self.choice)
        if needed > LONG_SECONDS:
            took = f"about {needed / 60:.0f} min of a processor; Ctrl+C stops it"
            print_note(f"searching pools for {jobs} ({took})")

        def announce(seconds: float) -> None:
            print_note(f"compiling {self.choice.id} for {jobs} (about {seconds:.0f} s)")

        with progress(f"Simulating {self.choice.id}") as show:
            schedule = simulate(
                self.workload,
                self.cluster,
                self.choice,
                order=self.order,
                plan=self.plan,
                partition=self.partition,
                progress=show,
                on_compiling=announce,
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
    title: str = ""

    def simulate(self) -> Schedule:
        """Return the schedule as it really ran; InputError if the workload has none."""
        from core.fidelity.history_schedule import recorded_schedule

        return recorded_schedule(self.workload, "--recorded")
