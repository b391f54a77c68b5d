"""`slotscope explain`: why this makespan, a task's start, a job's waiting; what another policy would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError, UnknownName
from explorer.cli.command import Command, flag, option
from explorer.cli.requests import RunOptions, Source, json_option, named_policy, policy_option
from explorer.cli.screen import print_estimates, print_json

if TYPE_CHECKING:
    from core.model.schedule import Schedule

VERSION = 1
"""Of the JSON that `explain --json` prints; grows when a field changes its meaning."""


class ExplainCommand(Command, name="explain"):
    """Say why: the chain behind a makespan and what else stands out, a task's start, a job's waiting."""

    source: Source
    policy: str | None = policy_option()
    task: str | None = option("J1.map.3", "why this task started then and there; counted from 1")
    lines: bool = flag("with --task: step through the decision, every candidate line by line with its values")
    job: str | None = option("J2", "with --at: what this job waits for")
    at: float | None = option("SECONDS", "when, with --job")
    against: str | None = option(
        "ID",
        "in which decisions the run of this policy differs, and what it would have done at each decision of "
        "this run; or file:F.py",
        read=named_policy,
    )
    changes: RunOptions
    json: bool = json_option()

    def run(self) -> None:
        """Explain one run: its makespan, or what is asked for."""
        self._check()
        from explorer.cli.explanation import explain_makespan, explain_task, explain_waiting

        run = self.changes.single_run(self.source, self.policy)
        schedule = run.simulate()
        if self.against is not None:
            from explorer.cli.differences import explain_against

            explanation = explain_against(run, schedule, self.against, self.json)
        elif self.task is not None:
            task = _task_of(schedule, self.task)
            explanation = explain_task(schedule, task, self.json)
            if self.lines:
                from explorer.cli.explained_lines import explain_lines

                explanation |= explain_lines(schedule, task, self.json)
        elif self.job is not None and self.at is not None:
            explanation = explain_waiting(schedule, _job_of(schedule, self.job), self.at, self.json)
        else:
            explanation = explain_makespan(schedule, self.json)
        if self.json:
            from core.measures.compare import estimates_json

            about = {"version": VERSION, "policy": schedule.choice.id, **estimates_json(schedule)}
            print_json({**about, "makespan": schedule.makespan, **explanation})
        elif self.task is None:  # the policy says it of itself there
            print_estimates([schedule])

    def _check(self) -> None:
        if (self.job is None) != (self.at is None):
            raise InputError("--job and --at go together: which job, and at which second it waits")
        if self.against is not None and (self.task or self.job):
            raise InputError("--against asks about the whole run; leave out --task, --job and --at")
        if self.task is not None and self.job is not None:
            raise InputError(
                "--task explains one task, --job with --at what a job waits for; give one of them"
            )
        if self.lines and self.task is None:
            raise InputError("--lines steps through the decision that started a task; give --task, too")
        if self.at is not None and not self.at >= 0:
            raise InputError(f"--at is {self.at}; give a time of 0 s or later")


def _task_of(schedule: Schedule, text: str) -> int:
    """Return the task that "J1.map.3" names; of a job with other stages "J1.2.3", task 3 of stage 2."""
    from core.model.stages import MAP_REDUCE
    from core.model.task_types import KIND_WORDS

    name, *rest = text.rsplit(".", 2)
    if len(rest) == 2 and rest[0].isdecimal() and rest[1].isdecimal():
        return _task_of_stage(schedule, text, _job_of(schedule, name), int(rest[0]), int(rest[1]))
    if len(rest) != 2 or rest[0] not in KIND_WORDS or not rest[1].isdecimal():
        raise InputError(
            f"--task {text}: name it as JOB.map.NUMBER or JOB.reduce.NUMBER, counted from 1; "
            "of a job with other stages as JOB.STAGE.NUMBER"
        )
    job, kind = _job_of(schedule, name), KIND_WORDS.index(rest[0])
    if schedule.workload.jobs[job].graph != MAP_REDUCE:
        stages = len(schedule.workload.jobs[job].stages) - 1
        raise InputError(
            f"--task {text}: {name} has stages 0 to {stages}; name it as {name}.0.1, its first task"
        )
    columns = schedule.workload.columns
    tasks = int(columns.stages.count[columns.stages.begin[job] + kind])
    if not 1 <= int(rest[1]) <= tasks:
        have = f"has {rest[0]}s 1 to {tasks}" if tasks else f"has no {rest[0]}s"
        raise InputError(f"--task {text}: {name} {have}")
    stage = int(columns.stages.begin[job]) + kind
    return int(columns.stages.first[stage]) + int(rest[1]) - 1


def _task_of_stage(schedule: Schedule, text: str, job: int, number: int, task: int) -> int:
    """Return a task by its stage, from 0, and its number there, from 1."""
    stages, name = schedule.workload.columns.stages, schedule.workload.jobs[job].name
    own = stages.count[stages.begin[job] : stages.begin[job + 1]].tolist()
    if number >= len(own):
        raise InputError(f"--task {text}: {name} has stages 0 to {len(own) - 1}")
    if not 1 <= task <= own[number]:
        have = f"has tasks 1 to {own[number]}" if own[number] else "has no tasks"
        raise InputError(f"--task {text}: stage {number} of {name} {have}")
    return int(stages.first[stages.begin[job] + number]) + task - 1


def _job_of(schedule: Schedule, name: str) -> int:
    index = schedule.workload.job_index
    if name not in index:
        raise UnknownName("job", name, index)
    return index[name]
