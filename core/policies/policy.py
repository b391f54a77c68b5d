"""What a policy is: a class used as a namespace of small optional functions, its hooks.

A policy decides which job gets a free slot. Write only the hooks it needs; each asks, by the names of its
arguments, only for what it reads::

    class SmallestFirst(Policy):
        '''Fewest waiting tasks first, no job above half of the slots.'''
        def admits(job, kind, slot, cluster): return 2 * job.running[kind] < cluster.slots[slot]
        def key(job, kind): return kind, job.tasks[kind] - job.started[kind]

Hooks see jobs, not tasks: of a job that is picked, its next task of that kind starts. Which one is next is
said before the run, by `task_key`. All times are seconds, all counts are whole numbers. An example: at 12 s a
job of 8 maps has ``job.tasks[MAP] == 8``, ``job.started[MAP] == 5`` and ``job.running[MAP] == 2``, so 3 have
ended; `key` above is (MAP, 3), and on 10 map slots `admits` is true, since 2 * 2 < 10.

===============  ====================================================================================
hook             meaning
===============  ====================================================================================
``order``        the queue's order: "arrival", "deadline", or ``order(workload, cluster)`` -> the job
                 indices, first served first. It also breaks every tie. Default: "arrival".
``figures``      ``figures(workload, cluster)`` -> a dict of numpy columns, one entry per job, by name:
                 what is known of the jobs before the run. `order` and `plan` may ask for each by its name,
                 and explanations tell it, so that what is told is what decided.
``plan``         ``plan(jobs, pools, workload, cluster)``: numpy, once before the run; fills fields of the
                 records (``jobs["wanted"]``, ``pools["share"]`` …).
``task_key``     the order of the tasks inside a job, asked once before the run, for all tasks: a numpy column
                 of numbers, or a tuple of such columns. The task with the smallest key starts first in its
                 stage, of equal ones that with the lowest number. It may ask for the tasks' ``duration``,
                 ``first_shuffle``, ``typical_shuffle`` (seconds), ``kind``, ``number`` (from 0 in its stage)
                 and ``job`` (index), each a column, for workload, cluster, figures and parameters.
                 ``task_key(duration): return -duration`` starts the longest first: of maps of 1, 4 and 2 s,
                 number 1, then 2, then 0. Default: by number. `admits` and `key` read it of each job's next
                 task as ``job.next[kind]``, of a tuple the first number: so tasks compete across jobs.
``stage_key``    the order of the stages inside a job, asked once before the run, for all stages, and given as
                 by `task_key`: of a job's stages whose tasks may start, the one with the smallest key is
                 served first, of equal ones that with the lowest number. Between jobs `order` and `key`
                 decide as ever. It may ask for the stages' ``number`` (from 0 in their job), ``kind``,
                 ``tasks`` (their count), ``work`` (all tasks together, seconds), ``longest`` (the longest
                 task, seconds) and ``job`` (index), for workload, cluster, figures and parameters.
                 ``stage_key(work): return -work`` serves the largest first. Default: by number, and where
                 slots serve both kinds, maps first. `admits` and `key` read how many stages of the job come
                 before that of its next task as ``job.stage_place[kind]``.
``partition``    ``partition(workload, cluster, effort)`` -> a `core.model.partition.Partition`: the jobs
                 then run in these pools, each on slots of its own, and no other hook is used. It may take
                 long; ``effort`` is a `SearchControl`: how to report and when to stop.
``search``       ``search(workload, cluster, effort)`` -> a `core.model.plan.Plan` that is followed; no other
                 hook is used. It may take long, as ``partition`` may.
``admits``       may this job get one more slot of this kind now? Default: yes.
``key``          the job with the smallest key goes first; a number or a tuple of numbers.
``reserves``     where this job's task goes first by `key`, but no node has room for it: is what is free kept
                 for it, so that none that comes behind starts? Default: no. Not where pools are compared.
``pool_key``     the pool with the smallest key goes first, then `key` among its jobs; the next pool if
                 none of its jobs is admitted.
``pool_admits``  may this pool get one more slot of this kind now? Default: yes.
``lends``        may a slot of type ``slot`` run a task of the other ``kind`` now? Having this hook makes
                 slots lendable.
``watch``        called before each decision; may write the ``memo`` of the cluster, of pools and of jobs;
                 what it returns: see below. With ``watches_time = True`` it is called at each instant as
                 well, also where nobody waits, before anything of it happens.
``outlook``      a tuple of numbers of a job that has just been asked: see below.
``outdates``     may a job whose outlook has at most these numbers, ``most``, answer otherwise now?
``replanner``    ``replanner(workload, cluster, compiled)`` -> an object that plans anew when a job has
                 arrived or a map stage has ended, before slots are offered, and writes the jobs' ``memo``
                 (`core.engine.replanning`). For policies that share scans.
``preempt``      what is it worth to give this running task up for a job that waits? Above 0 it may be, the
                 greatest worth first; it is asked of every running task once no slot is free that the
                 policy's next task could have: see below.
``speculate``    what is a second copy of this running task worth on a slot that nobody takes? Above 0 one
                 starts, that with the greatest worth first; the first of the two to end counts, and the
                 other is killed: see below.
``choose``       instead of all above: ``choose(slot, queue, job, pool, cluster)`` -> 2 * job + kind, or -1;
                 a kind with ``cluster.room[kind] == 0`` cannot start.
===============  ====================================================================================

Hooks that run inside the simulator may ask for ``job`` (see `JobRow`), ``kind`` and ``slot`` (MAP or REDUCE),
``pool`` (`PoolRow`), ``cluster`` (`ClusterRow`) and for any of the policy's parameters by name, but for
texts; a choice comes as its place among the choices: "fifo" of ("fair", "fifo") is 1. Those called before the
run, `order`, `figures`, `plan`, `task_key`, `stage_key` and `partition`, get parameters as they are, texts
too; durations are there what a scenario tells the policy, which may be estimates. ``pool_first = True``
compares pools before kinds of task (as PD-DHFS does).

What `admits` and `key` answer about a job is kept, and a decision takes O(log jobs), if they ask for nothing
but ``job``, ``kind`` and parameters: then the answers change only with the job's own record, and there must
be no `watch`. Otherwise every waiting job is asked at every decision, which is slow with a thousand of them.
A policy whose `admits` or `key` asks for ``cluster`` or ``pool``, or reads a memo that `watch` writes, is as
fast if its `watch` returns True whenever anything that they read outside the job's record, or any memo, may
have changed since the last decision, and else False: only then all are asked again, or, if it has the hooks
`outlook` and `outdates`, those that may answer otherwise. They are found in a tree whose nodes have the
greatest numbers below them: what `outdates` says of an outlook it must say of a greater one, too.

A policy with `preempt` gives running tasks up. When all free slots of an instant have been offered, it picks
as ever, by `key` and `admits`, as if one more slot were free; of that `rival`, a job, a task of `rival_kind`
would start. Then `preempt` is asked of each task that runs on such a slot: of a `job` and `kind`, since
`elapsed` seconds, with `remaining` seconds to go (infinity for a reduce whose maps run). The one with the
greatest worth, of equal ones that on the lowest slot, is killed, and the rival's task starts on its slot; it
runs again from its beginning when its job gets a slot, before all others of its stage that wait. With
``suspends = True`` it goes on with what is left instead. What started in this instant is not asked of, nor
are tasks of the rival.

A policy with `speculate` lets second copies of running tasks run. When all free slots of an instant have been
offered, and some are left, it is asked of each task that runs, of the kind that such a `slot` runs, whether
that gets a second copy: of a `job` and `kind`, since `elapsed` seconds, with `remaining` seconds to go, which
is what LATE estimates, since progress is even here. A copy takes `usual` seconds, the median of the tasks of
its stage, since what makes a task slow is taken to be its machine (Zaharia et al., OSDI 2008); `faster` is
the part of the tasks of its stage that take less time than it, from 0 to 1. The one with the greatest worth
above 0, of equal ones that on the lowest slot, gets a copy on the lowest free slot; then the next one.
``def speculate(remaining, usual): return remaining - usual`` starts those that save most. The first of the
two to end counts, of two that end at once the first one; the other is killed in that instant, and its slot
is free. Copies hold slots: they count as `running`, and in `slot_time`, but not as `started`;
`cluster.copies` counts them. It is asked whenever something happens in the cluster, as a task ends, and not
in between. A task gets no second copy in the instant in which it starts, nor a third one, nor one while its
maps, or other stages that it waits for, run; slots are not lent to copies.

Why the policy decides as it does is said by what it declares as `explains` (`core.policies.explains`): named
numbers with units, and phrases that use them. It counts for a class that takes all its hooks from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from core.model.parameters import Parameter  # noqa: TC001 - policy files import it from here
from core.policies.explains import Explains as Explains  # noqa: TC001 - likewise
from core.policies.explains import Number as Number

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.planning.trial_threads import Simulator
    from core.policies.user_files.source import PolicySource

MAP, REDUCE, NONE = 0, 1, -1
HOOKS = (
    "order",
    "figures",
    "plan",
    "task_key",
    "stage_key",
    "partition",
    "search",
    "admits",
    "key",
    "reserves",
    "pool_key",
    "pool_admits",
    "lends",
    "watch",
    "outlook",
    "outdates",
    "replanner",
    "preempt",
    "speculate",
    "choose",
)
OFFERED = {
    "admits": ("job", "kind", "slot", "pool", "cluster"),
    "key": ("job", "kind", "slot", "pool", "cluster"),
    "reserves": ("job", "kind", "cluster"),
    "pool_key": ("pool", "kind", "cluster"),
    "pool_admits": ("pool", "kind", "cluster"),
    "lends": ("slot", "kind", "cluster"),
    "watch": ("job", "pool", "cluster"),
    "outlook": ("job", "cluster"),
    "outdates": ("most", "cluster"),
    "preempt": (
        "job",
        "kind",
        "rival",
        "rival_kind",
        "elapsed",
        "remaining",
        "pool",
        "rival_pool",
        "cluster",
    ),
    "speculate": (
        "job",
        "kind",
        "slot",
        "elapsed",
        "remaining",
        "usual",
        "faster",
        "pool",
        "cluster",
    ),
    "choose": ("slot", "queue", "job", "pool", "cluster"),
}
"""What each hook that runs inside the simulator may have as arguments, in the order in which it is called."""


class JobRow(Protocol):
    """A job as hooks see it; pairs are indexed by MAP or REDUCE.

    `rank` is its place in the policy's order, from 0; `running`, `started`, `done` count its tasks now,
    `tasks` all of them. `arrival` and `deadline` (infinite for none) are seconds from the run's start, as
    `stage_end`, infinite until its map stage has ended. Its reduces may start when `reduce_after` maps are
    done; `plan` may change that. `slot_time` is slot-seconds: see `PoolRow`. `wanted` is what `plan` wrote,
    no limit by default, and `memo` (4 numbers, 0 at first) what `plan` or `watch` did. `next` is what
    `task_key` says of the job's next task of each kind: of maps of 5 and 3 s whose key is minus their
    duration, ``job.next[MAP]`` is -5 until the first has started, and -3 from then on. `stage_place` is how
    many stages of the job come before that of its next task of each kind, by `stage_key` or by number.

    Where jobs say on which nodes their input lies, each node with room is offered in turn, until the policy
    declines it: `local` is how many maps of the job wait whose input lies on that node, and `remote` how many
    seconds longer a map of the job would take there, 0 where one is local. Of a job that is picked, a local
    map starts if there is one. Both are 0 where nothing is said of input.
    """

    rank: int
    pool: int
    weight: float
    running: Sequence[int]
    started: Sequence[int]
    done: Sequence[int]
    tasks: Sequence[int]
    wanted: Sequence[int]
    arrival: float
    deadline: float
    stage_end: float
    slot_time: float
    reduce_after: int
    memo: MutableSequence[float]
    next: Sequence[float]
    stage_place: Sequence[int]
    local: int
    remote: float


class PoolRow(Protocol):
    """A pool as hooks see it: tasks `running` and `pending`, jobs `waiting` for a slot and jobs `active`.

    `pending` counts the tasks that could start now but have not. `weight`, `share` (minimum share: slots of
    each kind), `rate` (credits per slot and second) and `budget` (credits, infinite for no limit) are its
    settings in the workload; `plan` may change them and write `cap` (most slots; no limit) and `memo` (4
    numbers, 0 at first). A pool with 8 running maps and a minimum share of 10 has ``running[MAP] == 8`` and
    ``share[MAP] == 10``.

    The pool has held slots for `slot_time` plus, for each running task, `cluster.now` seconds: of two tasks
    since 3 s, `slot_time` is -6 and at 10 s they have held 14 slot-seconds. So it is with a job.
    `free` counts its own free slots where every pool has slots of its own (a partition), else it is 0.
    """

    weight: float
    active: int
    running: Sequence[int]
    waiting: Sequence[int]
    pending: Sequence[int]
    share: Sequence[int]
    cap: Sequence[int]
    rate: float
    budget: float
    slot_time: float
    memo: MutableSequence[float]
    free: Sequence[int]


class ClusterRow(Protocol):
    """The cluster as hooks see it: its `slots`, the `free` ones, tasks `running`, slots `lent`, by kind.

    Of slots that come and go, `slots` counts those that are there now. `now` is seconds from the run's start.
    `waiting` counts the jobs in each queue, `pending` their tasks that
    could start now but have not, `active` the jobs that have arrived and not departed, `released` the tasks
    that have ended, `fillers` the reduces that hold a slot while their map stage runs, `backlog` the
    maps that have not started of jobs whose reduces have. `room` counts the
    tasks of each kind that would fit: into free slots or, on nodes, into free memory and cores. `containers`
    is 1 where slots are untyped; all of them are map slots then. `memo` (8 numbers, 0 at first) is the
    policy's own. `settles` is 1 where the policy goes on declining what it has declined until something
    happens, so that heartbeats in between can be left out; a `watch` may write it, else it is 1 where no hook
    reads `now` that decides whether a slot is taken. With overheads a setup or cleanup holds a map slot that
    is neither free nor running a task. `copies` counts the second copies that `speculate` let run, by kind.

    A task asks `memory` (megabytes) and `cores` of its node, by kind; all nodes have `all_memory` and
    `all_cores`, free or not. `node` is where the next task of each kind would run, the lowest one with room,
    and `node_memory` and `node_cores` are what is free there: a node of 8 GB and 4 cores on which a map of
    3 GB and 1 core runs has 5120 and 3. With overheads `node` is the host that asks for work, for both kinds.
    It is -1 where no node has room for the kind, and where there are none.

    `slot_number` is the slot that is offered, from 0, reduce slots behind map slots, and `executor` the one
    that it is of: of 6 containers that are 3 executors of 2, slot 3 is of executor 1. They are -1 where which
    slot it is depends on the task: on nodes, with overheads, and between pools with slots of their own.

    Where jobs say on which nodes their input lies, `node` is the one that is offered, whichever it is. There
    `watch` may write to `wake` when all nodes are to be offered again though nothing happens before: who has
    declined a node may take it later. It is infinity at first, and again each time that they are offered.
    """

    now: float
    slots: Sequence[int]
    free: Sequence[int]
    running: Sequence[int]
    lent: Sequence[int]
    lend_max: Sequence[int]
    waiting: Sequence[int]
    pending: Sequence[int]
    room: Sequence[int]
    active: int
    released: int
    fillers: int
    backlog: int
    containers: int
    settles: int
    memory: Sequence[int]
    cores: Sequence[int]
    all_memory: int
    all_cores: int
    node: Sequence[int]
    node_memory: Sequence[int]
    node_cores: Sequence[int]
    slot_number: int
    executor: int
    wake: float
    copies: Sequence[int]
    memo: MutableSequence[float]


@dataclass(frozen=True)
class SearchControl:
    """How hard a `partition` or a `search` hook may work, and where it reports.

    Attributes
    ----------
    compiled : whether compiled code is in use or worth loading
    progress : to be called with the fraction done, 0 to 1
    should_stop : to be asked now and then; when True, raise `core.model.errors.Cancelled`
    trials : ``trials(workload, cluster)`` returns what simulates some jobs on slots of their own, one per
        thread; see `core.planning.trial_threads`
    optimize : searches the best schedule and returns its plan; see `core.policies.critical`
    """

    compiled: bool
    progress: Callable[[float], None]
    should_stop: Callable[[], bool]
    trials: Callable[[Workload, Cluster], Sequence[Simulator]]
    optimize: Callable[..., Plan] | None = None


Effort = SearchControl
"""Its name in policy files written for version 0.1."""


class Policy:
    """Base of every policy, and FIFO itself; the first line of a policy's docstring is its summary.

    Attributes
    ----------
    id, title : how the command line and how the window call it
    parameters : what the user may set
    order : see the module's table
    pool_first : whether pools are compared before kinds of task
    suspends : whether tasks that `preempt` gives up go on later with what is left; else they run again
    watches_time : whether `watch` is also called before anything of an instant happens, so that it sees how
        things stood until then
    needs_map_reduce : whether it decides by what maps and reduces are to one another, so that jobs of other
        stages are refused
    reads_durations : whether what is called before the run looks at how long tasks take; only then does it
        matter that they may be estimates
    explains : why it decides as it does, for explanations
    source : the user's file that it was loaded from, None for those that come with Slotscope
    """

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    order: ClassVar[str | Callable[..., object]] = "arrival"
    pool_first: ClassVar[bool] = False
    suspends: ClassVar[bool] = False
    watches_time: ClassVar[bool] = False
    needs_map_reduce: ClassVar[bool] = False
    reads_durations: ClassVar[bool] = True
    explains: ClassVar[Explains | None] = None
    source: ClassVar[PolicySource | None] = None


def name_of(policy: type[Policy]) -> str:
    """Return what messages call a policy: its id, or its class while it has none."""
    return policy.id or policy.__name__
