"""`slotscope explain`: why this makespan, a task's start, a job's waiting; what another policy would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError, UnknownName
from explorer.cli.requests import (
    POLICY,
    WORKLOAD,
    add_command,
    add_json,
    add_run_options,
    single_run,
)
from explorer.cli.screen import estimates_json, print_estimates, print_json

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.schedule import Schedule
    from explorer.cli.requests import Commands

VERSION = 1
"""Of the JSON that `explain --json` prints; grows when a field changes its meaning."""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "say why: the chain behind a makespan and what else stands out, a task's start, a job's waiting"
    parser = add_command(commands, "explain", text, run, workload=WORKLOAD)
    parser.add_argument("--policy", metavar="ID", help=POLICY)
    parser.add_argument(
        "--task", metavar="J1.map.3", help="why this task started then and there; counted from 1"
    )
    parser.add_argument("--job", metavar="J2", help="with --at: what this job waits for")
    parser.add_argument("--at", type=float, metavar="SECONDS", help="when, with --job")
    parser.add_argument(
        "--against",
        metavar="ID",
        help="in which decisions the run of this policy differs, and what it would "
        "have done at each decision of this run",
    )
    add_run_options(parser)
    add_json(parser)


def run(options: Namespace) -> int:
    """Explain one run: its makespan, or what is asked for."""
    _check_questions(options)
    from explorer.cli.explanation import explain_makespan, explain_task, explain_waiting

    asked = single_run(options)
    schedule = asked.simulate()
    if options.against is not None:
        from explorer.cli.differences import explain_against

        told = explain_against(asked, schedule, options.against, options.json)
    elif options.task is not None:
        told = explain_task(schedule, _task_of(schedule, options.task), options.json)
    elif options.job is not None:
        told = explain_waiting(schedule, _job_of(schedule, options.job), options.at, options.json)
    else:
        told = explain_makespan(schedule, options.json)
    if options.json:
        about = {"version": VERSION, "policy": schedule.choice.id, **estimates_json(schedule)}
        print_json({**about, "makespan": schedule.makespan, **told})
    elif options.task is None:  # the policy says it of itself there
        print_estimates([schedule])
    return 0


def _check_questions(options: Namespace) -> None:
    if (options.job is None) != (options.at is None):
        raise InputError("--job and --at go together: which job, and at which second it waits")
    if options.against is not None and (options.task or options.job):
        raise InputError("--against asks about the whole run; leave out --task, --job and --at")
    if options.task is not None and options.job is not None:
        raise InputError("--task explains one task, --job with --at what a job waits for; give one of them")
    if options.at is not None and not options.at >= 0:
        raise InputError(f"--at is {options.at}; give a time of 0 s or later")


def _task_of(schedule: Schedule, text: str) -> int:
    """Return the task that "J1.map.3" names."""
    from core.model.job import KIND_WORDS

    name, *rest = text.rsplit(".", 2)
    if len(rest) != 2 or rest[0] not in KIND_WORDS or not rest[1].isdecimal():
        raise InputError(f"--task {text}: name it as JOB.map.NUMBER or JOB.reduce.NUMBER, counted from 1")
    job, kind = _job_of(schedule, name), KIND_WORDS.index(rest[0])
    columns = schedule.workload.columns
    tasks = int(columns.count[job, kind])
    if not 1 <= int(rest[1]) <= tasks:
        have = f"has {rest[0]}s 1 to {tasks}" if tasks else f"has no {rest[0]}s"
        raise InputError(f"--task {text}: {name} {have}")
    return int(columns.first[job, kind]) + int(rest[1]) - 1


def _job_of(schedule: Schedule, name: str) -> int:
    index = schedule.workload.job_index
    if name not in index:
        raise UnknownName("job", name, index)
    return index[name]
