"""What a policy is: a class used as a namespace of small optional pieces.

A policy decides which job gets a free slot. Write only the pieces the policy needs; each asks, by the names
of its arguments, only for what it reads::

    class SmallestFirst(Policy):
        '''Fewest waiting tasks first, nobody above half of the slots.'''
        def admits(job, kind, cluster): return 2 * job.running[kind] < cluster.slots[kind]
        def key(job, kind): return job.tasks[kind] - job.started[kind]

===============  ====================================================================================
piece            meaning
===============  ====================================================================================
``order``        the queue's order: "arrival", "deadline", or ``order(workload, cluster)`` -> the job
                 indices, first served first. It also breaks every tie. Default: "arrival".
``plan``         ``plan(jobs, pools, workload, cluster)``: numpy, once before the run; fills fields of the
                 records (``jobs["wanted"]``, ``pools["share"]`` …).
``partition``    ``partition(workload, cluster, effort)`` -> a `core.model.partition.Partition`: the jobs
then run in these pools, each on slots of its own, and no other piece is used. It may take long;
                 `SearchControl` says how to report and when to stop.
``admits``       may this job get one more slot of this kind now? Default: yes.
``key``          the waiting task with the smallest key goes first; a number or a tuple of numbers.
``pool_key``     the pool with the smallest key goes first, then `key` among its jobs; the next pool if
                 none of its jobs is admitted.
``pool_admits``  may this pool get one more slot of this kind now? Default: yes.
``lends``        may a slot of type ``slot`` run a task of the other ``kind`` now? Having this piece makes
                 slots lendable.
``watch``        called before each decision; may write the ``memo`` of the cluster, of pools and of jobs;
                 what it returns: see below.
``replanner``    ``replanner(workload, cluster, compiled)`` -> an object that plans anew when a job has
                 arrived or a map stage has ended, before slots are offered, and writes the jobs' ``memo``
                 (`core.engine.replanning`). For policies that share scans.
``choose``       instead of all above: ``choose(slot, queue, job, pool, cluster)`` -> 2 * job + kind, or -1;
                 a kind with ``cluster.room[kind] == 0`` cannot start.
===============  ====================================================================================

Pieces that run inside the simulator may ask for ``job`` (see `JobRow`), ``kind`` and ``slot`` (MAP or
REDUCE), ``pool`` (`PoolRow`), ``cluster`` (`ClusterRow`) and for any of the policy's parameters by name, but
for texts; a choice comes as its place among the choices. `order`, `plan` and `partition` may ask for texts
too. ``pool_first = True`` compares pools before kinds of task (as PD-DHFS does).

What `admits` and `key` answer about a job is kept, and a decision takes O(log jobs), if they ask for nothing
but ``job``, ``kind`` and parameters: then the answers change only with the job's own record, and there must
be no `watch`. Otherwise every waiting job is asked at every decision, which is slow with a thousand of them.
A policy whose `admits` or `key` asks for ``cluster`` or ``pool``, or reads a memo that `watch` writes, is as
fast if its `watch` returns True whenever anything that they read outside the job's record, or any memo, may
have changed since the last decision, and else False: only then all are asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence

    from core.model.parameters import Parameter
    from core.policies.user_files.policy_file import PolicySource

MAP, REDUCE, NONE = 0, 1, -1


class JobRow(Protocol):
    """A job as pieces see it; pairs are indexed by MAP or REDUCE.

    `rank` is its place in the policy's order; `running`, `started`, `done` count its tasks now, `tasks` all
    of them; `wanted` is what `plan` wrote, `memo` what `plan` or `watch` did; `stage_end` is infinite until
    its map stage has ended; its reduces may start when `reduce_after` maps are done.
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


class PoolRow(Protocol):
    """A pool as pieces see it: tasks `running` and `pending`, jobs `waiting` for a slot and jobs `active`.

    `pending` counts the tasks that could start now but have not. `weight`, `share` (minimum share), `rate`
    and `budget` (infinite for no limit) are its settings in the workload; `plan` may change them and write
    `cap` (most slots; no limit) and `memo` (0). The pool has held slots for `slot_time` plus, for each
    running task, `cluster.now` seconds; so has a job.
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
    """The cluster as pieces see it: all `slots`, the `free` ones, tasks `running`, slots `lent`.

    `waiting` counts the jobs in each queue, `pending` their tasks that could start now but have not. `room`
    counts the tasks of each kind that would fit: into free slots or, on nodes, into free memory and cores.
    `containers` is 1 where slots are untyped; all of them are map slots then.
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
    containers: int
    memo: MutableSequence[float]


@dataclass(frozen=True)
class SearchControl:
    """How hard a `partition` piece may work, and whom it tells.

    Attributes
    ----------
    compiled : whether compiled code is in use or worth loading
    progress : to be called with the fraction done, 0 to 1
    should_stop : to be asked now and then; when True, raise `core.model.errors.Cancelled`
    """

    compiled: bool
    progress: Callable[[float], None]
    should_stop: Callable[[], bool]


class Policy:
    """Base of every policy; its docstring's first line is the summary that people read.

    Attributes
    ----------
    id, title : on the command line, and in the window
    parameters : what the user may set
    order : see the module's table
    pool_first : whether pools are compared before kinds of task
    source : the user's file that it was loaded from, None for those that come with Slotscope
    """

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    order: ClassVar[str | Callable[..., object]] = "arrival"
    pool_first: ClassVar[bool] = False
    source: ClassVar[PolicySource | None] = None
