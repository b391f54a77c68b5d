"""A policy for Slotscope: it says which job gets a free slot.

Try it:    slotscope simulate five-jobs --policy-file my_policy.py
           slotscope compare five-jobs --policies fifo --policy-file my_policy.py
In the window: Policy > Open policy file... Then edit and save: the chart follows.

The class below is a namespace of small functions, its hooks. Keep those you need, delete the others. Each
asks, by the names of its arguments, for what it reads; which ones it may ask for stands beside it. Hooks see
jobs, not tasks: the next task of the job that is picked starts (`task_key` below says which one is next).
What a policy does under load, and with odd jobs:    slotscope test-policy my_policy.py

  kind, slot  MAP or REDUCE: what the task is, and what the slot is for
  job         .running[kind] .started[kind] .done[kind] .tasks[kind]   tasks now, so far, ended, in all
              .rank .arrival .deadline .weight .stage_end .memo        stage_end is infinite while maps run
  pool        .running[kind] .waiting[kind] .pending[kind] .active .weight .memo
  cluster     .now .slots[kind] .free[kind] .running[kind] .waiting[kind] .active .memo

Numbers, tuples of numbers, if, for, while and functions of your own are compiled, and then run as fast as the
policies that come with Slotscope; lists, dicts and texts run too, only slower, and the window says why.
"""

from core.policies.policy import MAP, REDUCE, Explains, Number, Parameter, Policy


class MyPolicy(Policy):
    """The job with the fewest tasks left goes first."""

    # What can be set, in the window's form or with -p largest_share=0.3. Hooks ask for it by name.
    parameters = (
        Parameter("largest_share", "number", 1.0, "No job holds a larger part.", min=0.01, max=1.0),
    )

    # Why a job goes first, for explanations: named numbers with their units, and phrases that use them.
    explains = Explains(
        "The job with the fewest tasks left to start goes first.",
        (
            # name, unit ("s", "at", "%", a noun, "kind": map or reduce), heading, meaning, value
            Number(
                "left",
                "kind",
                "Left",
                "Its tasks of that kind that have not started",
                lambda job, kind: job.tasks[kind] - job.started[kind],
            ),
        ),
        job="{left} left to start",
        admits="the job holds {largest_share:%} of the slots",
    )

    # The queue's order, which also breaks every tie: "arrival", "deadline", or a function (order) below.
    order = "arrival"

    def admits(job, kind, slot, cluster, largest_share):  # may ask for job, kind, slot, pool, cluster
        """Whether this job may get one more slot now; slots that serve both kinds count as map slots."""
        return job.running[kind] < largest_share * max(cluster.slots[kind], cluster.slots[slot])

    def key(job, kind):  # may ask for job, kind, slot, pool, cluster
        """The waiting task with the smallest key goes first; a number, or a tuple of numbers.

        Maps before reduces, which matters where slots serve both: reduces that wait for maps would hold them.
        """
        return kind, job.tasks[kind] - job.started[kind]

    # ---- more hooks, for when you need them: take away the "# " in front

    # def order(workload, cluster):
    #     """Instead of the text above: the indices of the jobs, first served first; any Python, once."""
    #     return sorted(range(len(workload.jobs)), key=lambda i: workload.jobs[i].task_count)

    # def figures(workload, cluster):
    #     """Numbers of every job, once: order, plan and explanations may ask for each by its name."""
    #     return {"work": [sum(job.maps.task_durations) for job in workload.jobs]}

    # def plan(jobs, pools, workload, cluster):
    #     """Any Python, once before the run; jobs["wanted"], pools["share"] and so on are numpy arrays."""
    #     jobs["memo"][:, 0] = [job.maps.durations.mean() for job in workload.jobs]

    # def task_key(duration):  # or first_shuffle, typical_shuffle (seconds), kind, number, job: numpy columns
    #     """The order of the tasks inside a job, before the run; `key` may read it as job.next[kind]."""
    #     return -duration

    # def stage_key(work):  # or number, kind, tasks, longest (seconds), job: numpy columns, one entry a stage
    #     """The order of the stages inside a job, before the run; `key` may read job.stage_place[kind]."""
    #     return -work

    # def reserves(job, kind):  # may ask for job, kind, cluster
    #     """Whether what is free is kept for this job's task, which goes first but finds no room on nodes."""
    #     return job.running[kind] == 0

    # def pool_key(pool, kind):  # may ask for pool, kind, cluster
    #     """The pool with the smallest key goes first, then `key` among its jobs."""
    #     return pool.running[kind] / pool.weight

    # def pool_admits(pool, kind):  # may ask for pool, kind, cluster
    #     """Whether this pool may get one more slot of this kind now."""
    #     return pool.running[kind] < pool.cap[kind]

    # def lends(slot, kind, cluster):
    #     """Whether a free slot may run a task of the other kind; having this hook makes slots lendable."""
    #     return cluster.free[kind] == 0

    # def watch(job, pool, cluster):  # all jobs, all pools
    #     """Called before every decision; may write the memo (some numbers) of cluster, jobs and pools."""
    #     cluster.memo[0] = max(cluster.memo[0], cluster.running[MAP] + cluster.running[REDUCE])

    # def outlook(job, cluster):
    #     """Numbers of a job that was asked: where `watch` returns True, only jobs of which `outdates` then
    #     says that they may answer otherwise are asked again."""
    #     return (1.0 * job.started[MAP],)

    # def outdates(most, cluster):  # the greatest of each number of some jobs; of greater ones True, too
    #     """Whether a job with at most these numbers may answer otherwise now."""
    #     return most[0] >= 0.0

    # def preempt(job, rival, elapsed):  # or kind, rival_kind, remaining (seconds), pool, rival_pool, cluster
    #     """Above 0 if this running task of `job` may be killed for a task of `rival`; the greatest first.
    #     With suspends = True it goes on later with what is left."""
    #     return elapsed if rival.deadline < job.deadline else 0.0

    # def speculate(remaining, usual):  # or job, kind, slot, elapsed, faster (0 to 1), pool, cluster
    #     """Above 0 if a second copy of this running task may have a slot that nobody takes; the greatest
    #     first. It takes `usual` seconds; the first of the two to end counts. Not beside preempt."""
    #     return remaining - usual

    # def choose(slot, queue, job, pool, cluster):
    #     """Instead of all of them: 2 * index of the job + kind, or -1 to leave the slot free for now.
    #     queue[kind][: cluster.waiting[kind]] holds the jobs that need a slot, by rank."""
    #     return 2 * queue[slot][0] + slot if cluster.waiting[slot] > 0 else -1

    # ---- two that take the place of all others, and one for scans that jobs share

    # def partition(workload, cluster):
    #     """Pools with slots of their own; each serves its jobs in the order given. Any Python, once."""
    #     from core.model.partition import Partition, SlotPool
    #     pool = SlotPool("all", cluster.map_slots, cluster.reduce_slots, workload.input_order)
    #     return Partition((pool,))

    # def search(workload, cluster):
    #     """A plan that is then followed: due dates for the stages of every job. Any Python, once."""
    #     from core.model.plan import Plan
    #     return Plan.of_order(workload.input_order)

    # def replanner(workload, cluster, compiled):
    #     """What plans anew as jobs come and map stages end; `key` then reads the memo that it writes."""
    #     from core.policies.shared_scans import Flex  # core/engine/replanning.py says what it must have
    #     return Flex.replanner(workload, cluster, compiled, "average-response", "")
