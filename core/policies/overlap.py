"""FRESH and OMO: how maps and reduces of a job share untyped containers (004).

Both set every container to maps or reduces as they go, so on typed slots they take each slot for either kind:
a cluster of 40 map and 40 reduce slots is one of 80 containers to them.

How misprints of 004 are read: D and K are the same number. The gap of equation (3) falls with x, so the
printed rule (least gap over x in [m', m]) would start at once: the reduces start when no smaller number of
pending maps gives a gap nearer to 0. Where A_o - r is no container at all, one is left to the maps.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.model.parameters import Parameter
from core.planning.aria import average_map_seconds, last_shuffle_seconds
from core.policies.policy import MAP, REDUCE, Explains, Number, Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow

INF = float("inf")
LAST_SHUFFLE, MAP_SECONDS, LONGEST_GAP = 0, 1, 2
"""What `plan` writes into a job's memo: T_s and T_m and, of all jobs, the most by which T_s is longer (s)."""

RATE, AVAILABLE, WINDOWS, RELEASED, LOOKED, ACTIVE, MAPS_RUN, AHEAD = 0, 1, 2, 3, 4, 5, 6, 7
"""What `watch` writes into the cluster's memo: F_o (containers per second), A_o (containers), the windows
that have ended, the containers released until then, a second more than when it looked last (0 before it has
looked), D, whether any map runs, and how many maps wait of jobs whose reduces have started (0 unless the
prediction counts them)."""

PREDICTIONS = ("fair-share", "full-rate", "backlog")
FAIR_SHARE, BACKLOG = 0, 2
"""How fast a lazy start expects the last maps of a job to start, once its reduces have: at a fair share of
the rate, as equation (3) has it; at all of it, as batch finish will let them; or at all of it, but behind the
maps of other jobs whose reduces have started, which batch finish serves as well."""

HARDLY_A_MAP = 0.4
"""Reduces start when half a map or more is to start while they shuffle; less than this is less than half."""

NEARLY = 0.1
"""Maps that a job must be away from the moment when it is due for that to be sure without asking it."""
ROUNDING = 1e-12
"""More than what rounding makes of the difference of two times, as a part of their sum."""

STARTED, LAZY, BATCH, FAIR = 0, 1, 2, 3


HOLDS = Number(
    "occupied",
    "slot",
    "Holds",
    "Slots that the job holds, for maps and reduces",
    value=lambda job: occupied(job),
)
FOR_WEIGHT = "runs {occupied:task} of both kinds for its weight of {weight}"
WEIGHT = Number("weight", value=lambda job: job.weight)
AS_FIRST = {
    STARTED: "its reduces have started, and the others follow; runs {occupied:task} of both kinds",
    LAZY: "its reduces are due: the last shuffle takes {shuffle}, its maps another {maps_last}",
    BATCH: "its reduces have started, so its last {maps_left} go first: {gain} sooner than by a fair share",
    FAIR: FOR_WEIGHT,
}


def why_held(cluster: ClusterRow, maps_last: float) -> str:
    """Return why a job's reduces may not start, whose maps take so many seconds more as far as is known."""
    if cluster.memo[MAPS_RUN] == 0:
        return "no map runs that the shuffle of the job's reduces could overlap"
    held = "lazy start holds the job's reduces back"
    if maps_last == INF:
        return f"{held} until some tasks have ended: they tell how fast maps go"
    return held + ": the last shuffle takes {shuffle}, its maps another {maps_last}"


def seconds_of_maps(job: JobRow, cluster: ClusterRow, batch_finish: bool, prediction: str) -> float:
    """Return in how many seconds the job's maps are expected to end; infinity while nothing is known."""
    rate = rate_for_maps(job, cluster, PREDICTIONS.index(prediction) if batch_finish else FAIR_SHARE)
    before = job.tasks[MAP] - job.started[MAP] + cluster.memo[AHEAD]
    return before / rate + job.memo[MAP_SECONDS] if rate > 0 else INF


class Fresh(Policy):
    """Set every container to maps while there are any, then to reduces; jobs share both kinds together."""

    id = "fresh"
    needs_map_reduce = True
    title = "FRESH"
    explains = Explains(
        "Maps go before reduces; among them the job that holds fewest slots of both kinds for its weight. No "
        "reduce starts before its job's maps have ended.",
        (HOLDS, WEIGHT),
        FOR_WEIGHT,
        admits="the job's maps have not ended",
    )

    @staticmethod
    def lends() -> bool:
        """Every slot serves either kind."""
        return True

    @staticmethod
    def admits(job: JobRow, kind: int) -> bool:
        """No reduce starts before its job's map stage has ended (slowstart 1)."""
        return kind == MAP or job.stage_end < INF

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[int, float]:
        """Maps first, then the job that holds fewest containers of both kinds for its weight."""
        return kind, occupied(job) / job.weight


class OMO(Policy):
    """Start reduces so that their shuffle ends with the maps, and finish a job's last maps in one batch."""

    id = "omo"
    needs_map_reduce = True
    title = "OMO"
    explains = Explains(
        "A job's reduces start when their shuffle will end with its maps (lazy start); the last maps of jobs "
        "whose reduces have started go first where that saves most (batch finish); else the job that runs "
        "least for its weight, maps before reduces.",
        (
            HOLDS,
            WEIGHT,
            Number(
                "maps_left",
                "map",
                "Maps left",
                "The job's maps that have not started",
                value=lambda job: job.tasks[MAP] - job.started[MAP],
            ),
            Number(
                "maps_last",
                "s",
                "Maps last",
                "How long its maps are expected to last",
                value=seconds_of_maps,
            ),
            Number(
                "shuffle",
                "s",
                "Shuffle",
                "How long its last reduce shuffles",
                value=lambda job: job.memo[LAST_SHUFFLE],
            ),
            Number("gain", "s", value=lambda key: -key[1]),
        ),
        lambda key, job: (
            AS_FIRST[key[0]]
            if key[0] != LAZY or job.stage_end == INF
            else "its maps have ended, so its reduces are due"
        ),
        admits=why_held,
    )
    parameters = (
        Parameter("lazy_start", "boolean", True, "Hold a job's reduces until their shuffle fits its maps."),
        Parameter("batch_finish", "boolean", True, "Serve the last maps of jobs with started reduces first."),
        Parameter(
            "prediction",
            "choice",
            "backlog",
            "How fast a lazy start expects a job's last maps to start: at a fair share of the rate at which "
            "containers are released (as always without batch finish), at all of it, or at all of it behind "
            "the maps of other jobs whose reduces have started.",
            choices=PREDICTIONS,
        ),
        Parameter(
            "window", "number", 10.0, "Length of a window in which releases are counted.", 0.01, 1e6, "s"
        ),
        Parameter("beta", "number", 0.5, "Weight of the newest window in the moving averages.", 0.01, 1),
        Parameter(
            "bandwidth",
            "number",
            35.0,
            "What one reduce receives from the network; for jobs that say how many bytes they shuffle.",
            0.001,
            1e9,
            "MB/s",
        ),
    )

    @staticmethod
    def plan(jobs: Any, workload: Workload, cluster: Cluster, bandwidth: float) -> None:
        """Note what is known of every job: the shuffle of its last reduce and its average map.

        Where maps slow one another, that is the average beside as many as fit on a node.
        """
        jobs["memo"][:, LAST_SHUFFLE] = last_shuffle_seconds(workload, cluster, bandwidth)
        jobs["memo"][:, MAP_SECONDS] = average_map_seconds(workload) / cluster.crowded_map_speed
        gaps = jobs["memo"][:, LAST_SHUFFLE] - jobs["memo"][:, MAP_SECONDS]
        jobs["memo"][:, LONGEST_GAP] = gaps.max(initial=0.0)

    watches_time = True

    @staticmethod
    def lends() -> bool:
        """Every slot serves either kind."""
        return True

    @staticmethod
    def watch(
        job: Sequence[JobRow],
        cluster: ClusterRow,
        window: float,
        beta: float,
        batch_finish: float,
        prediction: float,
    ) -> bool:
        """Monitor the release of containers (section IV.A); return whether anything known has changed.

        Windows follow one another without gaps from the run's begin, whether anybody waits or not: it is
        called before each instant, too, and sees how things stood until then.
        """
        memo = cluster.memo
        is_first, time_has_passed = memo[LOOKED] == 0, cluster.now + 1.0 > memo[LOOKED]
        memo[LOOKED] = cluster.now + 1.0
        if is_first:  # what another policy's run released belongs to no window
            memo[RELEASED] = cluster.released
        ended = int(cluster.now / window)
        a_window_ended = ended > memo[WINDOWS]
        if a_window_ended:
            end_windows(cluster, ended, window, beta)
        if time_has_passed and not is_first:
            return a_window_ended  # since the last look nothing has happened
        maps_run = min(cluster.running[MAP], 1)
        ahead = cluster.backlog if batch_finish and prediction == BACKLOG else 0
        changed = memo[ACTIVE] != cluster.active or memo[MAPS_RUN] != maps_run or memo[AHEAD] != ahead
        memo[ACTIVE] = cluster.active
        memo[MAPS_RUN] = maps_run
        memo[AHEAD] = ahead
        cluster.settles = never_due_by_time(job, cluster, window)
        return changed or a_window_ended

    @staticmethod
    def admits(
        job: JobRow,
        kind: int,
        cluster: ClusterRow,
        lazy_start: float,
        batch_finish: float,
        prediction: float,
    ) -> bool:
        """Hold reduces until they are due; while no map runs at all, a map goes first, or all would wait."""
        if kind == MAP or job.stage_end < INF:
            return True
        return reduces_may_start(job, cluster, lazy_start, prediction if batch_finish else FAIR_SHARE)

    @staticmethod
    def outlook(
        job: JobRow, cluster: ClusterRow, lazy_start: float, batch_finish: float, prediction: float
    ) -> tuple[float, float, float, float, float, float, float]:
        """Return what the answers depend on besides the job's record.

        Three numbers of a job whose reduces may not start, the greater the sooner they may: by how long its
        last shuffle outlasts a map (s), minus its pending maps, minus its reduces. The opposite of each, of
        one whose reduces may. And 0 if the cluster decides what a batch gains. Else minus infinity.
        """
        pending = job.tasks[MAP] - job.started[MAP]
        has_begun = job.started[REDUCE] > 0
        batch = 0.0 if batch_finish and has_begun and pending > 0 else -INF
        longer, sooner, fewer = -INF, -INF, -INF
        late, many, beside = -INF, -INF, -INF
        if (
            job.stage_end == INF
            and job.started[REDUCE] < job.tasks[REDUCE]
            and job.done[MAP] >= job.reduce_after
        ):
            gap, error = INF, 0.0  # as soon as any map runs
            if lazy_start and not has_begun and pending > 0:
                gap = job.memo[LAST_SHUFFLE] - job.memo[MAP_SECONDS]
                error = ROUNDING * (job.memo[LAST_SHUFFLE] + job.memo[MAP_SECONDS])
            if reduces_may_start(job, cluster, lazy_start, prediction if batch_finish else FAIR_SHARE):
                late, many, beside = error - gap, float(pending), float(job.tasks[REDUCE])
            else:
                longer, sooner, fewer = gap + error, -float(pending), -float(job.tasks[REDUCE])
        return longer, sooner, fewer, late, many, beside, batch

    @staticmethod
    def outdates(most: Sequence[float], cluster: ClusterRow, batch_finish: float, prediction: float) -> bool:
        """Whether reduces that may not start may now, or no longer, or a batch gains something else.

        Due are those of whom rate * (T_s - T_m) >= pending maps - 1/2, which `reduces_are_due` says in other
        words, and so rounds otherwise.
        """
        if most[6] == 0.0:
            return True
        maps_run = cluster.memo[MAPS_RUN] > 0
        way = prediction if batch_finish else FAIR_SHARE
        ahead = cluster.memo[AHEAD] - 0.5
        if maps_run and most[2] > -INF:
            rate = rate_beside(-most[2], cluster, way)
            if not rate * most[0] < ahead - most[1] - NEARLY:
                return True
        if most[5] > -INF:
            rate = rate_beside(most[5], cluster, way)
            return not (maps_run and -most[3] * rate >= most[4] + ahead + NEARLY)
        return False

    @staticmethod
    def key(
        job: JobRow, kind: int, cluster: ClusterRow, lazy_start: float, batch_finish: float
    ) -> tuple[int, float, int]:
        """Algorithm 3: lazy start, else batch finish, else the fair share; maps before reduces."""
        if lazy_start and kind == REDUCE:
            return STARTED if job.started[REDUCE] > 0 else LAZY, float(occupied(job)), kind
        if batch_finish and kind == MAP and job.started[REDUCE] > 0 and cluster.memo[RATE] > 0:
            return BATCH, -gain(job, cluster), kind
        return FAIR, occupied(job) / job.weight, kind

    @staticmethod
    def predicted_rate(cluster: ClusterRow) -> float:
        """Return F_e for what comes next (equation 1): F_o as if as many containers were available as are."""
        if cluster.memo[AVAILABLE] == 0:
            return math.nan
        return cluster.memo[RATE] * available_now(cluster) / cluster.memo[AVAILABLE]


def occupied(job: JobRow) -> int:
    """Return how many containers the job holds."""
    return job.running[MAP] + job.running[REDUCE]


def available_now(cluster: ClusterRow) -> int:
    """Return how many containers may be released soon.

    All but those of reduces that wait for their maps; idle ones, too (on nodes as many as maps would fit): at
    a decision some are between two tasks.
    """
    return cluster.running[MAP] + cluster.running[REDUCE] - cluster.fillers + cluster.room[MAP]


def end_windows(cluster: ClusterRow, ended: int, window: float, beta: float) -> None:
    """Take the windows that have ended since the last instant into the moving averages F_o and A_o.

    The first window is its own average. In the first of these windows containers have been released, in the
    others none; once such a window changes neither average to the last bit, no further one does.
    """
    memo = cluster.memo
    available = available_now(cluster)
    released = cluster.released - memo[RELEASED]
    for _ in range(ended - int(memo[WINDOWS])):
        weight = beta if memo[AVAILABLE] > 0 else 1.0
        rate = weight * (released / window) + (1 - weight) * memo[RATE]
        average = weight * available + (1 - weight) * memo[AVAILABLE]
        if released == 0 and rate == memo[RATE] and average == memo[AVAILABLE]:
            break
        memo[RATE] = rate
        memo[AVAILABLE] = average
        released = 0
    memo[RELEASED] = cluster.released
    memo[WINDOWS] = ended


def never_due_by_time(jobs: Sequence[JobRow], cluster: ClusterRow, window: float) -> bool:
    """Whether no job's reduces become due as windows end in which nothing else is released.

    F_o is then at most what it is, or the rate of this window; and jobs get at most all of it, or F_o / A_o.
    """
    memo = cluster.memo
    rate = max(memo[RATE], (cluster.released - memo[RELEASED]) / window)
    least = available_now(cluster) if memo[AVAILABLE] == 0 else min(available_now(cluster), memo[AVAILABLE])
    return rate * jobs[0].memo[LONGEST_GAP] < HARDLY_A_MAP * min(least, 1.0)


def reduces_may_start(job: JobRow, cluster: ClusterRow, lazy_start: float, prediction: float) -> bool:
    """Whether reduces may start before the maps have ended."""
    if cluster.memo[MAPS_RUN] == 0:
        return False
    if not lazy_start or job.started[REDUCE] > 0:
        return True
    return reduces_are_due(job, cluster, prediction)


def reduces_are_due(job: JobRow, cluster: ClusterRow, prediction: float) -> bool:
    """Algorithm 1, line 9 to 16: whether no later moment would align shuffle and maps better.

    The gap is a straight line in the number of pending maps, so the next smaller number decides.
    """
    pending = job.tasks[MAP] - job.started[MAP]
    rate = rate_for_maps(job, cluster, prediction)
    if pending == 0 or rate == 0:
        return pending == 0
    before = pending + cluster.memo[AHEAD]
    return abs(gap(job, before, rate)) <= abs(gap(job, before - 1, rate))


def gap(job: JobRow, before: float, rate: float) -> float:
    """Return equation (3): the seconds from the end of the maps to the end of the last shuffle.

    So many maps start before: the job's own, and those that go ahead of them.
    """
    return job.memo[LAST_SHUFFLE] - (before / rate + job.memo[MAP_SECONDS])


def rate_for_maps(job: JobRow, cluster: ClusterRow, prediction: float) -> float:
    """Return how many containers per second the job's maps get while its reduces hold theirs.

    All that are released, F_e of equation (2); one D-th of it, equation (3), at a fair share.
    """
    return rate_beside(job.tasks[REDUCE], cluster, prediction)


def rate_beside(reduces: float, cluster: ClusterRow, prediction: float) -> float:
    """Return that rate beside so many reduces."""
    observed = cluster.memo[AVAILABLE]
    if observed == 0:
        return 0.0
    rate = cluster.memo[RATE] * max(observed - reduces, 1.0) / observed
    return rate / cluster.active if prediction == FAIR_SHARE else rate


def gain(job: JobRow, cluster: ClusterRow) -> float:
    """Return t_fair - t_batch in seconds (equations 4 and 5): what finishing the maps at once saves."""
    rate, available, active = cluster.memo[RATE], cluster.memo[AVAILABLE], cluster.active
    pending = job.tasks[MAP] - job.started[MAP]
    fair = active * pending / rate + job.memo[MAP_SECONDS]
    of_others = rate * (active - 1) / active * fair
    return fair - of_others * available / (rate * (available + job.tasks[REDUCE]))
