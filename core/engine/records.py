"""The fields of the engine's records: of a job, a stage, an edge, a link, a pool, the cluster and a node."""

from __future__ import annotations

import numpy as np

MAX_PARAMETERS = 8
# What a decision reads comes first: one cache line and a bit.
JOB = np.dtype(
    [
        ("rank", "i4"),  # place in the policy's order
        ("pool", "i4"),
        ("weight", "f8"),
        ("running", "i4", (2,)),  # [MAP], [REDUCE], here and below
        ("wanted", "i4", (2,)),  # slots the job should hold at most, written by a policy's plan
        ("started", "i4", (2,)),
        ("tasks", "i4", (2,)),
        ("done", "i4", (2,)),
        ("first", "i4", (2,)),  # index of the first task of each kind
        ("next_stage", "i4", (2,)),  # the stage whose task of each kind starts next; -1 if none may start
        ("changed", "i4"),  # the job that changed before it, when its record has changed; see UNCHANGED
        ("reduce_after", "i4"),  # complete maps that let the reduces start, as a plan may write it
        ("first_stage", "i4"),  # its stages begin here
        ("end_stage", "i4"),  # and end before this one
        ("stages_left", "i4"),  # stages that have not ended
        ("parents_left", "i4"),  # likewise, of those that another stage waits for
        ("arrival", "f8"),
        ("stage_end", "f8"),  # when the last of these, the map stage, ended; infinity until then
        ("deadline", "f8"),
        ("finish", "f8"),
        ("slot_time", "f8"),  # slot-seconds of its tasks; of those that run, minus their start
        ("memo", "f8", (4,)),  # a policy's own memory of the job, written by its plan or watch
        ("next", "f8", (2,)),  # what `task_key` says of its next task of each kind; 0 where it is not kept
        ("leaf", "i4"),  # the job's leaf in the selection trees
        ("root", "i4"),  # where the tree of its group begins
        ("before", "i4"),  # jobs that it follows and that have not ended
        ("not_before", "f8"),  # earlier it does not arrive: by its own time, and by those that have ended
        ("link", "i4"),  # its links to the jobs that follow it begin here
        ("links", "i4"),  # how many there are
        ("cleans", "i4"),  # 1 while a cleanup is to come after its tasks: only with that it ends
    ],
    align=True,
)
LINK = np.dtype(
    [
        ("follower", "i4"),
        ("think", "f8"),  # seconds from the end of the job that it follows to its arrival
    ],
    align=True,
)
STAGE = np.dtype(
    [
        ("job", "i4"),
        ("task_type", "i4"),  # MAP or REDUCE
        ("first", "i4"),  # its first task
        ("tasks", "i4"),
        ("started", "i4"),
        ("done", "i4"),
        ("next_need", "i4"),  # with how many complete tasks the next edge to a child lets it start
        ("closed", "i4"),  # edges that do not let it start yet
        ("parents", "i4"),  # stages that it waits for and that have not ended
        ("edge", "i4"),  # its edges to the stages that wait for it begin here
        ("edges", "i4"),  # how many there are
        ("released", "f8"),  # when the last stage that it waits for ended: minus infinity if there is none
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("child", "i4"),
        ("need", "i4"),  # complete tasks of the parent that let the child start
        ("met", "i4"),  # 1 once there are as many
    ],
    align=True,
)
POOL = np.dtype(
    [
        ("weight", "f8"),
        ("active", "i4"),  # jobs that have arrived and not departed
        ("running", "i4", (2,)),
        ("waiting", "i4", (2,)),  # jobs with a startable task
        ("pending", "i4", (2,)),  # tasks that could start now
        ("share", "i4", (2,)),  # minimum share
        ("cap", "i4", (2,)),  # slots the pool should hold at most
        ("rate", "f8"),  # what a slot costs its pool, per second
        ("budget", "f8"),
        ("slot_time", "f8"),  # slot-seconds of its jobs, likewise
        ("memo", "f8", (4,)),  # a policy's own memory of the pool, written by its plan or watch
        ("region", "i4", (2,)),  # where the heap of its own free slots begins, in a divided cluster
        ("free", "i4", (2,)),  # its own free slots, likewise
        ("root", "i4"),  # where the selection tree of its jobs begins
        (
            "next_leaf",
            "i4",
        ),  # the leaf there of its next job that arrives, where they are numbered then
    ],
    align=True,
)
CLUSTER = np.dtype(
    [
        ("now", "f8"),
        ("slots", "i4", (2,)),
        ("free", "i4", (2,)),
        ("running", "i4", (2,)),
        ("lent", "i4", (2,)),  # slots of each type that run the other kind
        ("lend_max", "i4", (2,)),
        ("waiting", "i4", (2,)),  # length of each queue
        ("head", "i4", (2,)),  # where each queue begins
        ("pinned", "i4"),  # 1 if they always begin at 0, as policies of free form read them
        ("pending", "i4", (2,)),  # tasks that could start now: those of the queued jobs not yet started
        ("room", "i4", (2,)),  # tasks of each kind that free slots, or what is free on nodes, have room for
        ("nodes", "i4"),  # number of nodes; 0 for slots without them
        ("memory", "i8", (2,)),  # megabytes that a task of each kind asks of its node
        ("cores", "i8", (2,)),  # likewise
        ("arrived", "i4"),
        ("linked", "i4"),  # 1 if jobs follow others
        ("unknown", "i4"),  # jobs that follow others of which not all have ended: when they arrive is open
        ("numbers", "i4"),  # 1 if a job's rank is its place in the order of arrivals, known when it arrives
        ("pooled", "i4"),  # 1 if selection trees are of pools, 0 if of all jobs
        ("outlooks", "i4"),  # numbers of an outlook, 0 if jobs have none
        ("active", "i4"),
        ("started", "i4"),  # tasks started so far
        ("released", "i4"),  # tasks ended so far
        ("fillers", "i4"),  # reduces that hold a slot while their map stage runs
        ("backlog", "i4"),  # maps that have not started of jobs whose reduces have
        ("lends", "i4"),  # 1 if a slot may run the other kind
        ("containers", "i4"),  # 1 if slots are untyped
        ("divided", "i4"),  # 1 if every pool has slots of its own
        ("contends", "i4"),  # 1 if maps on one node slow one another, 2 if reduces there slow them, too
        ("reduce_load", "f8"),  # as how many maps a reduce counts then
        ("keyed", "i4"),  # 1 if `next` of the jobs is kept
        ("offered", "i4"),  # 1 once the free slots of this instant have been offered
        ("overlap", "i4"),  # 1 for the "overlap" shuffle model
        ("changed", "i4"),  # the job whose record has changed last; see UNCHANGED
        ("outdated", "i4"),  # 1 if every job's answers may have changed
        ("turn", "i4"),  # how far the offering of this instant has come
        ("pause_at", "i4"),  # stop when this many tasks have started and the next one is decided
        ("held", "i8"),  # the decision taken but not carried out at such a stop; -1 for none
        ("bad_pick", "i8"),  # a pick that cannot start; -1 while all is well
        ("parameter", "f8", (MAX_PARAMETERS,)),  # the policy's numeric parameters, in order
        ("replans", "i4"),  # 1 if the policy plans anew at arrivals and ends of map stages
        ("due", "i4"),  # 1 if one of these has happened since
        ("watched", "i4"),  # 1 if the policy's watch sees every instant before anything of it happens
        ("settles", "i4"),  # 1 if the policy goes on declining what it has declined until something happens
        ("memo", "f8", (8,)),  # a policy's own memory, written by its watch
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("first", "i4"),  # its first slot: where the heap of its free slots begins
        ("rows", "i4"),  # its slots, free or not
        ("maps", "i4"),  # that run on it, counted where maps contend
        ("reduces", "i4"),  # likewise, counted where they slow maps
        ("free", "i4"),  # free slots
        ("memory", "i8"),  # free megabytes
        ("cores", "i8"),  # free cores
    ],
    align=True,
)
