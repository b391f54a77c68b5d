"""The plan of a job, and the levers by which a search changes it: the one table of both.

Command line, window, parameters of policies and the manual have the names and words of levers from `LEVERS`.
What a plan says are fields of `StagePlan` and `JobPlan`; how each is checked, shown and put into columns is
in `STAGE_FIELDS` and `JOB_FIELDS`, which documents, policies that replay plans and searches read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from core.model.errors import InputError, Problem, UnknownName, did_you_mean, shorten
from core.model.limits import MAX_TASKS, is_number, is_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from core.model.workload import Workload

# ---- what a plan says

TaskOrder = Literal["given", "longest", "latest-start"]
TASK_ORDERS: tuple[TaskOrder, ...] = get_args(TaskOrder)
RoomUse = Literal["shared", "reserved"]
ROOM_USES: tuple[RoomUse, ...] = get_args(RoomUse)
LATEST_DUE = 1e300
"""Seconds; a due date lies between it and its negative."""
NO_CAP = 2**31 - 1
"""In columns: of a stage that may hold any number of slots."""
AS_THE_CLUSTER = -1
"""In columns: of a job whose reduces start after as many maps as the cluster's slowstart says."""


class PlanField(NamedTuple):
    """How a field of a job's plan is checked, shown and put into columns.

    Attributes
    ----------
    blank : the number in columns of a job that the plan does not name, and of None
    least, most : the smallest and the largest number that may be given
    rule : what to give instead of a wrong value
    choices : what may be given instead of numbers, with the words of each in tables; its place is its number
    heading : of its column in tables, with a place for "maps" or "reduces"; empty for none
    words : of a number in tables, and of None
    """

    blank: float
    least: float = -math.inf
    most: float = math.inf
    rule: str = ""
    choices: Mapping[str, str] = {}
    heading: str = ""
    words: tuple[str, str] = "{}", ""

    def to_number(self, value: Any) -> float:
        """Return the number of a value in columns."""
        if value is None:
            return self.blank
        return list(self.choices).index(value) if self.choices else value

    def to_value(self, number: float) -> Any:
        """Return the value of a number in columns."""
        if self.choices:
            return list(self.choices)[int(number)]
        return None if number == self.blank else number

    def to_text(self, value: Any) -> str:
        """Return how a value stands in tables."""
        return self.choices[value] if self.choices else self.words[value is None].format(value)

    def problems(self, where: str, value: Any) -> list[Problem]:
        """Return what is wrong with a value."""
        if self.choices:
            hint = did_you_mean(str(value), self.choices)
            return [] if value in self.choices else [Problem(where, shorten(value), f"{self.rule}{hint}")]
        if isinstance(self.blank, int):
            fits = value is None or is_whole(value, int(self.least), int(self.most))
        else:
            fits = is_number(value, self.least, self.most)
        return [] if fits else [Problem(where, shorten(value), self.rule)]


@dataclass(frozen=True, slots=True)
class StagePlan:
    """When the tasks of one stage go.

    Attributes
    ----------
    due : seconds from the workload's start; the smallest goes first
    tasks : "given": in the order given; "longest": longest first; "latest-start": longest first, each with
        the latest time at which it may start as its key, so that long tasks go before shorter ones of others
    cap : slots of this kind that the job holds at most at a time; None for no limit
    starts : seconds from the workload's start before which each task does not start, in the order given;
        the earliest goes first then, whatever is due. Empty where none has to wait
    """

    due: float = 0.0
    tasks: TaskOrder = "given"
    cap: int | None = None
    starts: tuple[float, ...] = ()

    def problems(self, where: str) -> list[Problem]:
        """Return what is wrong with its values."""
        problems = []
        for name, how in STAGE_FIELDS.items():
            problems += how.problems(f"{where}.{name}", getattr(self, name))
        for i, start in enumerate(self.starts):
            if not is_number(start, 0.0, LATEST_DUE):
                problems.append(Problem(f"{where}.starts[{i}]", shorten(start), "give seconds from 0"))
        return problems


@dataclass(frozen=True, slots=True)
class JobPlan:
    """When the tasks of one job go.

    Attributes
    ----------
    name : of the job
    maps, reduces : its stages
    reduces_after : so many complete maps let its reduces start, all of them if it has fewer; None for the
        cluster's slowstart
    pinned : whether a search leaves it as it is
    room : what becomes of free memory and cores while a task of it goes first that no node has room for:
        "shared": tasks that come behind take them; "reserved": none does, until there is room for it
    """

    name: str
    maps: StagePlan = StagePlan()
    reduces: StagePlan = StagePlan()
    reduces_after: int | None = None
    pinned: bool = False
    room: RoomUse = "shared"

    @property
    def stages(self) -> tuple[StagePlan, StagePlan]:
        """The plan of its maps and that of its reduces."""
        return self.maps, self.reduces

    @property
    def without_starts(self) -> JobPlan:
        """The same plan, in which no task waits for a time."""
        stages = (replace(stage, starts=()) if stage.starts else stage for stage in self.stages)
        maps, reduces = stages
        return replace(self, maps=maps, reduces=reduces)

    def problems(self, where: str) -> list[Problem]:
        """Return what is wrong with its values."""
        problems = []
        for stage in ("maps", "reduces"):
            problems += getattr(self, stage).problems(f"{where}.{stage}")
        for name, how in JOB_FIELDS.items():
            problems += how.problems(f"{where}.{name}", getattr(self, name))
        return problems


STAGE_FIELDS = {
    "due": PlanField(math.inf, -LATEST_DUE, LATEST_DUE, "give a finite number of seconds"),
    "tasks": PlanField(
        0,
        rule="not one of the choices",
        choices={"given": "as given", "longest": "longest first", "latest-start": "by latest start"},
        heading="{}",
    ),
    "cap": PlanField(
        NO_CAP,
        1,
        MAX_TASKS,
        "give a number of slots from 1, or leave it out for no limit",
        heading=">{} at most",
        words=("{}", ""),
    ),
}
"""What a plan says of each stage, by name."""
JOB_FIELDS = {
    "reduces_after": PlanField(
        AS_THE_CLUSTER,
        0,
        MAX_TASKS,
        "give a number of complete maps from 0, or leave it out for the cluster's slowstart",
        heading=">reduces after",
        words=("{} maps", "slowstart"),
    ),
    "room": PlanField(
        0,
        rule="not one of the choices",
        choices=dict(zip(ROOM_USES, ("", "reserved"), strict=True)),
        heading="room on nodes",
    ),
}
"""What it says of each job."""


# ---- levers

MAX_TIMED_TASKS = 20
"""Tasks of which all schedules can be searched, most of them in a second."""
MAX_PLACED = 500
"""Tasks that a search places one by one: of more it would change too little."""


class Lever(NamedTuple):
    """Something that a search may change.

    Attributes
    ----------
    title : of its box
    changes : what may be changed then
    requirement : what that requires of a real cluster
    short : its name in tables; empty for the name itself
    of_map_reduce : whether it changes nothing of jobs that are graphs of stages
    most_tasks : of so many tasks at most it is used
    """

    title: str
    changes: str
    requirement: str
    short: str = ""
    of_map_reduce: bool = False
    most_tasks: int = MAX_TASKS

    @property
    def tip(self) -> str:
        """What it means, in two sentences."""
        return f"{self.changes}. In a cluster: {self.requirement}"


LEVERS = {
    "order": Lever("Order of jobs", "Which job gets a free slot first", "priorities of the jobs in a queue"),
    "slowstart": Lever(
        "Slowstart per job",
        "After how many of its maps a job's reduces may take slots",
        "mapreduce.job.reduce.slowstart.completedmaps, set for each job",
        of_map_reduce=True,
    ),
    "tasks": Lever(
        "Tasks inside jobs",
        "Long tasks of a job first, so that none of them is left for the end",
        "the order of the job's splits and partitions, largest first",
        "tasks inside",
    ),
    "across": Lever(
        "Tasks across jobs",
        "Tasks of several jobs take turns by due dates; a job need not be served before the next one begins",
        "a scheduler that sorts tasks by due date, as the exported plan does",
        "tasks across",
    ),
    "pools": Lever(
        "Pools and caps",
        "Slots of their own for some jobs, and a limit on the slots that a job holds at once",
        "queues with capacities, and limits on the running tasks of a job",
        "pools, caps",
    ),
    "starts": Lever(
        "Start of each task",
        f"Of up to {MAX_PLACED} tasks each may wait for its time, so that a slot idles for a better one",
        "a scheduler that holds tasks back until a time, as the exported plan does",
        "starts",
        of_map_reduce=True,
        most_tasks=MAX_PLACED,
    ),
}
"""By name, in the order in which they are compared: each together with those before it."""
ALL_LEVERS = "all"


def levers_of(levers: Collection[str], workload: Workload) -> tuple[str, ...]:
    """Return those levers that change something of a workload, in their order."""
    of_graphs, tasks = not workload.is_map_reduce, workload.map_count + workload.reduce_count
    return tuple(
        name
        for name, lever in LEVERS.items()
        if name in levers and tasks <= lever.most_tasks and not (of_graphs and lever.of_map_reduce)
    )


def levers_in(text: str, option: str = "levers") -> tuple[str, ...]:
    """Return the levers that a text names: "order,slowstart" or "all"; InputError for others and for none."""
    names = [name for each in text.split(",") if (name := each.strip())]
    for name in names:
        if name not in (*LEVERS, ALL_LEVERS):
            raise UnknownName("lever", name, (*LEVERS, ALL_LEVERS), all_known=True)
    if not names:
        raise InputError(f"{option} is empty; give some of {', '.join(LEVERS)}, or {ALL_LEVERS}")
    return tuple(lever for lever in LEVERS if lever in names or ALL_LEVERS in names)


NOT_FROM_A_TIME = ("pools", "starts")
"""Levers that a search from a time on does without: tasks that run hold slots of any pool, and starts of
single tasks are searched where nothing has begun."""


def levers_from_a_time(levers: Collection[str]) -> tuple[str, ...]:
    """Return the levers that can be changed from a time on; InputError where there is none."""
    allowed = tuple(lever for lever in levers if lever not in NOT_FROM_A_TIME)
    if not allowed:
        raise InputError(f"{', '.join(levers)} cannot be changed from a time on; allow order, too")
    return allowed
