"""What may be written in a policy file, word by word: for completion and tool tips of editors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from core.policies import policy as documentation
from core.policies.policy import HOOKS, OFFERED

JOB = {
    "rank": "its place in the policy's order, from 0",
    "pool": "the number of its pool",
    "weight": "its weight in the workload; 1 for most",
    "running": "[MAP] or [REDUCE]: how many of its tasks run now",
    "started": "[MAP] or [REDUCE]: how many of its tasks have started so far",
    "done": "[MAP] or [REDUCE]: how many of its tasks have ended",
    "tasks": "[MAP] or [REDUCE]: how many tasks it has in all",
    "wanted": "[MAP] or [REDUCE]: slots that `plan` says it should hold at most; no limit by default",
    "arrival": "when it arrived, in seconds from the run's start",
    "deadline": "when it should have ended, in seconds from the run's start; infinite for none",
    "stage_end": "when its map stage ended, in seconds; infinite until then",
    "slot_time": "slot-seconds that its tasks have held, less `cluster.now` for each that runs: negative "
    "at first; held so far are slot_time + (running[MAP] + running[REDUCE]) * cluster.now",
    "reduce_after": "how many of its maps must be done before its reduces may start",
    "memo": "4 numbers of the policy's own, 0 at first; written by `plan` or `watch`",
    "next": "[MAP] or [REDUCE]: what `task_key` says of its next task of that kind",
    "stage_place": "[MAP] or [REDUCE]: how many of its stages are served before that of its next task",
    "local": "how many of its maps wait whose input lies on the node that is offered; 0 where nothing is "
    "said of its input",
    "remote": "how much longer a map of it would take on that node, for reading from another one; 0 for a "
    "local one, and where nothing is said of its input",
}
POOL = {
    "weight": "its weight in the workload",
    "active": "jobs that have arrived and not departed",
    "running": "[MAP] or [REDUCE]: how many of its tasks run now",
    "waiting": "[MAP] or [REDUCE]: how many of its jobs wait for a slot",
    "pending": "[MAP] or [REDUCE]: its tasks that could start now but have not",
    "share": "[MAP] or [REDUCE]: its minimum share, in slots",
    "cap": "[MAP] or [REDUCE]: slots that `plan` says it should hold at most; no limit by default",
    "rate": "what a slot costs it, in credits per second",
    "budget": "credits; infinite for no limit",
    "slot_time": "slot-seconds that its jobs have held, less `cluster.now` for each task that runs: negative "
    "at first; held so far are slot_time + (running[MAP] + running[REDUCE]) * cluster.now",
    "memo": "4 numbers of the policy's own, 0 at first; written by `plan` or `watch`",
    "free": "[MAP] or [REDUCE]: its own free slots, where every pool has slots of its own; else 0",
}
CLUSTER = {
    "now": "the time, in seconds from the run's start",
    "slots": "[MAP] or [REDUCE]: all slots of the cluster, of those that come and go the ones there now",
    "free": "[MAP] or [REDUCE]: slots that are free now",
    "running": "[MAP] or [REDUCE]: tasks that run now",
    "lent": "[MAP] or [REDUCE]: slots that run a task of the other kind",
    "lend_max": "[MAP] or [REDUCE]: most slots that may be lent",
    "waiting": "[MAP] or [REDUCE]: jobs that wait for a slot",
    "pending": "[MAP] or [REDUCE]: tasks that could start now but have not",
    "room": "[MAP] or [REDUCE]: tasks that would fit into free slots, or free memory and cores",
    "active": "jobs that have arrived and not departed",
    "released": "tasks that have ended",
    "fillers": "reduces that hold a slot while their map stage runs",
    "backlog": "maps that have not started of jobs whose reduces have",
    "containers": "1 where slots are untyped, else 0",
    "settles": "1 if what is declined stays declined until something happens; `watch` may write it",
    "memory": "[MAP] or [REDUCE]: megabytes that a task asks of its node",
    "cores": "[MAP] or [REDUCE]: cores that a task asks of its node",
    "all_memory": "megabytes of all nodes together, free or not; 0 where slots are not on nodes",
    "all_cores": "cores of all nodes together, free or not; 0 where slots are not on nodes",
    "node": "[MAP] or [REDUCE]: the node on which the next task would run, from 0; with overheads the host "
    "that asks for work; -1 for none, and where there are no nodes",
    "node_memory": "[MAP] or [REDUCE]: megabytes that are free on `node`; 0 for none",
    "node_cores": "[MAP] or [REDUCE]: cores that are free on `node`; 0 for none",
    "slot_number": "the slot that is offered, from 0, reduce slots behind map slots; -1 on nodes, with "
    "overheads, and between pools with slots of their own",
    "executor": "the executor that the slot is of, from 0; -1 where there are none",
    "wake": "when all nodes are offered again though nothing happens before, where jobs say on which nodes "
    "their input lies; written by `watch`, infinite at first and after each offer",
    "copies": "[MAP] or [REDUCE]: second copies of tasks that run, which `speculate` let run",
    "memo": "8 numbers of the policy's own, 0 at first; written by `watch`",
}
UNITS = (
    {
        "rank": "place",
        "pool": "number",
        "weight": "1",
        "arrival": "s",
        "deadline": "s",
        "stage_end": "s",
        "now": "s",
        "remote": "s",
        "wake": "s",
        "slot_time": "slot-seconds",
        "reduce_after": "maps",
        "memo": "yours",
        "next": "that of `task_key`",
        "stage_place": "stages",
        "rate": "credits per slot and second",
        "budget": "credits",
        "containers": "0 or 1",
        "settles": "0 or 1",
        "active": "jobs",
        "waiting": "jobs",
        "backlog": "maps",
        "local": "maps",
        "fillers": "reduces",
        **dict.fromkeys(("node", "slot_number", "executor"), "number"),
    }
    | dict.fromkeys(("memory", "all_memory", "node_memory"), "MB")
    | dict.fromkeys(("cores", "all_cores", "node_cores"), "cores")
    | dict.fromkeys(("wanted", "share", "cap", "free", "slots", "lent", "lend_max"), "slots")
)
UNIT_OF_COUNTS = "tasks"
"""Of every other field."""
FIELDS = {"job": JOB, "pool": POOL, "cluster": CLUSTER}
"""What the records have, by the names under which hooks ask for them."""
WORDS = {
    "job": "the job that is asked about; in `watch` and `choose` the list of all jobs",
    "pool": "its pool; in `watch` and `choose` the list of all pools",
    "cluster": "the cluster as it is now",
    "kind": "MAP or REDUCE: what the task is",
    "slot": "MAP or REDUCE: what the free slot is for",
    "most": "in `outdates`: the greatest of each number of some jobs' outlooks",
    "queue": "in `choose`: queue[kind][: cluster.waiting[kind]] are the jobs that need a slot, by rank",
    "rival": "in `preempt`: the job that waits for the slot, a record as `job`",
    "rival_kind": "in `preempt`: MAP or REDUCE, what its task is",
    "rival_pool": "in `preempt`: its pool, a record as `pool`",
    "elapsed": "in `preempt` and `speculate`: for how many seconds the task has run",
    "remaining": "in `preempt` and `speculate`: seconds until it ends; infinite for a reduce whose maps run",
    "usual": "in `speculate`: seconds that a second copy takes, the median of the task's stage",
    "faster": "in `speculate`: which part of the tasks of its stage take less time, 0 to 1",
    "workload": "before the run: its jobs, with tasks and durations in seconds",
    "MAP": "the kind of map tasks and map slots, 0",
    "REDUCE": "the kind of reduce tasks and reduce slots, 1",
    "Policy": "what the class of a policy file derives from",
    "Parameter": 'what the user may set: Parameter("name", "number", 1.0, "What it means.", min=0.0)',
    "Explains": "why the policy decides as it does: a rule, named numbers, phrases",
    "Number": "a number that it decides by: Number(name, unit, heading, meaning, value)",
    "parameters": "a tuple of Parameter; hooks ask for each by its name",
    "explains": "an Explains; the window's explanations use it",
    "title": "how the window calls the policy",
    "suspends": "True if tasks that `preempt` gives up go on later with what is left",
    "id": "how the command line calls the policy",
}
A_PARAMETER = "a parameter of this policy"
BEFORE_RUN = {
    "order": ("workload", "cluster"),
    "figures": ("workload", "cluster"),
    "plan": ("jobs", "pools", "workload", "cluster"),
    "task_key": ("duration",),
    "stage_key": ("work",),
    "partition": ("workload", "cluster", "effort"),
    "search": ("workload", "cluster", "effort"),
    "replanner": ("workload", "cluster", "compiled"),
}
"""What hooks that are called once before the run may ask for, beside parameters."""

BEFORE, DECISION = "once, before the run", "at a decision, for each job that is asked"
CALLED = {
    "order": (BEFORE, "job indices, first served first; or the text"),
    "figures": (BEFORE, "dict of columns, a number for each job"),
    "plan": (BEFORE, "nothing; it writes to `jobs` and `pools`"),
    "task_key": (BEFORE, "column of numbers, one a task; or a tuple of such columns"),
    "stage_key": (BEFORE, "column of numbers, one a stage; or a tuple of such columns"),
    "partition": (BEFORE, "`Partition`"),
    "search": (BEFORE, "`Plan`"),
    "admits": (DECISION, "True or False"),
    "key": (DECISION, "number, or tuple of numbers"),
    "reserves": ("at a decision, for a job that goes first and has no room on a node", "True or False"),
    "pool_key": ("at a decision, for each pool with jobs that wait", "number, or tuple of numbers"),
    "pool_admits": ("at a decision, for each pool with jobs that wait", "True or False"),
    "lends": ("at a decision, for a slot that its own kind leaves free", "True or False"),
    "watch": ("before each decision", "nothing, or whether answers may have changed"),
    "outlook": ("after a job was asked, where `watch` returns True or False", "tuple of numbers"),
    "outdates": ("where `watch` returned True", "True or False"),
    "replanner": (BEFORE, "an object that plans anew"),
    "preempt": (
        "where a task waits and no slot is free, for each task on such a slot",
        "number; above 0 it may be given up",
    ),
    "speculate": (
        "where a slot stays free, for each task of its kind that runs and has no copy",
        "number; above 0 a second copy starts",
    ),
    "choose": ("at each decision, in place of all other hooks", "2 * job + kind, or -1"),
}
"""When each hook is called, and what it gives."""


@dataclass(frozen=True, slots=True)
class Help:
    """What a word means.

    Attributes
    ----------
    word : as it is written
    meaning : a sentence, with units
    written : what completion writes for it: the word, or the first line of a hook
    """

    word: str
    meaning: str
    written: str


@cache
def hook_meanings() -> dict[str, str]:
    """Return what each hook means, from the table in the documentation of `core.policies.policy`."""
    text = documentation.__doc__ or ""
    table = text.split("=\n")[2]
    found: dict[str, str] = {}
    for part in re.split(r"\n(?=``)", f"\n{table}"):
        if (start := re.match(r"``(\w+)``\s+(.*)", part.strip(), re.DOTALL)) is not None:
            plain = re.sub(r"``?", "", " ".join(start[2].split())).rstrip("= ")
            is_call = plain.startswith(f"{start[1]}(")
            found[start[1]] = plain if is_call else plain[:1].upper() + plain[1:]
    return {hook: found.get(hook, "") for hook in HOOKS}


def is_narrow(before: str) -> bool:
    """Whether only a few words can follow a line's beginning: fields of a record, or hooks."""
    return bool(re.search(r"\b(?:rival_)?(job|pool|cluster|rival)(?:\[[^\]]*\])?\.\w*$|^\s*def \w*$", before))


def help_after(before: str, text: str = "") -> tuple[Help, ...]:
    """Return what may be written at the end of a line, the most likely first.

    Parameters
    ----------
    before : the line up to there: after "job." the fields of a job, after "def " the hooks, else all words
    text : the whole file, whose parameters are offered, too
    """
    record = re.search(r"\b(?:rival_)?(job|pool|cluster|rival)(?:\[[^\]]*\])?\.\w*$", before)
    if record is not None:
        return tuple(
            Help(word, meaning, word)
            for word, meaning in FIELDS["job" if record[1] == "rival" else record[1]].items()
        )
    if re.search(r"\.\w*$", before):
        return ()
    if re.match(r"\s*def \w*$", before):
        return tuple(Help(hook, meaning, hook_line(hook)) for hook, meaning in hook_meanings().items())
    known = parameters_in(text) | WORDS
    words = tuple(Help(word, meaning, word) for word, meaning in known.items())
    return (*words, *(Help(hook, meaning, hook) for hook, meaning in hook_meanings().items()))


def parameters_in(text: str) -> dict[str, str]:
    """Return the parameters that a policy file declares, and what they mean; it need not be valid Python."""
    found = re.findall(r"""Parameter\(\s*["'](\w+)["']([^()]*)""", text)
    meanings = {name: re.findall(r""""([^"]{12,})"|'([^']{12,})'""", rest) for name, rest in found}
    return {name: "".join(words[0]) if words else A_PARAMETER for name, words in meanings.items()}


def hook_line(hook: str) -> str:
    """Return how a hook begins, with all that it may take: "key(job, kind, slot, pool, cluster):"."""
    return f"{hook}({', '.join(OFFERED.get(hook) or BEFORE_RUN[hook])}):"


def meaning_of(before: str, word: str, text: str = "") -> str:
    """Return what a word of a line means, empty if nothing is known of it.

    Parameters
    ----------
    before : the line before the word, "job." where it is a field of a job
    word : the word
    text : the whole file
    """
    known = {each.word: each.meaning for each in help_after(before, text)}
    return known.get(word) or ("" if before.endswith(".") else hook_meanings().get(word, ""))
