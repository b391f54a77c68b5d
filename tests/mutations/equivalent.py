"""Faults that no test can catch, each with the reason: what they change is not seen, or the same."""

from __future__ import annotations

from typing import NamedTuple


class Equivalent(NamedTuple):
    """A fault: the module, its lines without and with the fault, and why nothing can see it."""

    module: str
    right: str
    wrong: str
    reason: str


SLOTTED = (
    "core/measures/compare.py",
    "core/measures/metrics.py",
    "core/measures/rows_by_pool.py",
    "core/measures/workload_summary.py",
    "core/optimize/bounds.py",
    "core/optimize/premise.py",
    "core/charts/schedule_rows.py",
    "explorer/gantt/geometry/time_scale.py",
)
"""Modules whose dataclasses have slots."""

EQUIVALENT: tuple[Equivalent, ...] = (
    Equivalent(
        "core/measures/rows_by_pool.py",
        "row, opened = [-1] * schedule.tasks, [0] * groups",
        "row, opened = [~1] * schedule.tasks, [0] * groups",
        "-2 is below 0 as well, and all rows below 0 are written as -1",
    ),
    Equivalent(
        "core/measures/metrics.py",
        "return makespan / bound - 1 if bound > 0 else 0.0",
        "return makespan / bound - 1 if bound != 0 else 0.0",
        "a bound is never below 0",
    ),
    Equivalent(
        "core/measures/release_rate.py",
        "inside = (first < len(looked)) & (looked[np.minimum(first, len(looked) - 1)] < times + window)",
        "inside = (first != len(looked)) & (looked[np.minimum(first, len(looked) - 1)] < times + window)",
        "a place that is looked up among so many is never above their number",
    ),
    Equivalent(
        "core/engine/compiled.py",
        'workload, cluster = Workload("example", (Job("J1", Stage.of(1, 1.0)),)), Cluster(1, 1)',
        'workload, cluster = Workload("example", (Job("J1", Stage.of(1, 1.0)),)), Cluster( 0, 1)',
        "only the types of the example are looked at",
    ),
    Equivalent(
        "core/engine/replanning.py",
        'state.cluster["replans"] = 1',
        'state.cluster["replans"] = 2',
        "it is only asked whether it is above 0",
    ),
    *(
        Equivalent(
            module,
            "@dataclass(frozen=True, slots=True)",
            "@dataclass(frozen=True, slots=False)",
            "the fields are the same, in a dict that takes more memory",
        )
        for module in SLOTTED
    ),
    Equivalent(
        "core/planning/estimated_workload.py",
        "for now, before in zip(job.stages, ran.stages, strict=True)",
        "for now, before in zip(job.stages, ran.stages, strict=False)",
        "jobs of equal graphs have as many stages",
    ),
    Equivalent(
        "core/planning/pool_cut.py",
        "cut = zip(NAMES[trial.pools - 1], self.parts(trial.splits), self.pools(trial.sizes), strict=True)",
        "cut = zip(NAMES[trial.pools - 1], self.parts(trial.splits), self.pools(trial.sizes), strict=False)",
        "a trial has a size and a split for each pool but one, and names by their number",
    ),
    Equivalent(
        "core/measures/compare.py",
        "return SharedBound(min(seconds for _, seconds in own), premise, len(own) > 1)",
        "return SharedBound(min(seconds for _, seconds in own), premise, len(own) != 1)",
        "without any schedule there is no lowest bound either, and the line before fails",
    ),
    Equivalent(
        "core/measures/rows_by_pool.py",
        "if len(kinds) > 1:",
        "if len(kinds) != 1:",
        "there is one kind of slots at least",
    ),
    Equivalent(
        "core/measures/rows_by_pool.py",
        "before = np.where(end > start, np.searchsorted(start, end), turn + 1)  # whose turn it leaves",
        "before = np.where(end != start, np.searchsorted(start, end), turn + 1)  # whose turn it leaves",
        "no task ends before it starts",
    ),
    Equivalent(
        "core/measures/metrics.py",
        "return np.divide(response, alone, out=np.ones_like(response), where=alone > 0)",
        "return np.divide(response, alone, out=np.ones_like(response), where=alone != 0)",
        "no job takes less than no time",
    ),
    Equivalent(
        "core/measures/metrics.py",
        'return busy / capacity if capacity > 0 else float("nan")',
        'return busy / capacity if capacity != 0 else float("nan")',
        "slots and makespans are never below 0",
    ),
    Equivalent(
        "core/measures/comparison_report.py",
        '"baseline" if i == 0 else _percent(m.makespan, figures[0].makespan, "+"),',
        '"baseline" if i <= 0 else _percent(m.makespan, figures[0].makespan, "+"),',
        "places are counted from 0",
    ),
    *(
        Equivalent(
            "core/measures/histogram.py",
            "by_width = span / width if width > 0 else 1.0",
            f"by_width = span / width if width > 0 else {other}",
            "the square root of five values or more, which it takes for a width of 0, is larger",
        )
        for other in ("2.0", "0.0", "2", "0")
    ),
    Equivalent(
        "core/measures/release_rate.py",
        "return np.where(place >= 0, expected[np.maximum(place, 0)], np.nan)",
        "return np.where(place >= 0, expected[np.maximum(place, -1)], np.nan)",
        "what is looked up for places below 0 is not taken",
    ),
    Equivalent(
        "core/planning/estimated_workload.py",
        "for key, stage in zip(_stage_keys(job), job.stages, strict=True)",
        "for key, stage in zip(_stage_keys(job), job.stages, strict=False)",
        "each stage of a job has a key",
    ),
    Equivalent(
        "core/measures/comparison_report.py",
        "for i, ((title, _), m) in enumerate(zip(titled, figures, strict=True))",
        "for i, ((title, _), m) in enumerate(zip(titled, figures, strict=False))",
        "each schedule that has a title is measured",
    ),
    Equivalent(
        "core/measures/rows_by_pool.py",
        "row, opened = [-1] * schedule.tasks, [0] * groups",
        "row, opened = [- 2] * schedule.tasks, [0] * groups",
        "-2 is below 0 as well, and all rows below 0 are written as -1",
    ),
    Equivalent(
        "core/planning/pool_cut.py",
        "needed = (slots for slots, needs in zip(self.slots, self._needed, strict=True) if needs)",
        "needed = (slots for slots, needs in zip(self.slots, self._needed, strict=False) if needs)",
        "there are two kinds of slots, and it is known of both whether they are needed",
    ),
    Equivalent(
        "explorer/gantt/geometry/tasks_in_view.py",
        "best, found = part, Hit(index, slot, 0, len(slots))",
        "best, found = part, Hit(index, slot, 1, len(slots))",
        "the number of tasks is set at the end, when all rows are counted",
    ),
    Equivalent(
        "core/engine/slot_trees.py",
        "            break  # as before: nothing changes further up",
        "            continue  # as before: nothing changes further up",
        "further up the same matches have the same winners; it only takes longer",
    ),
    Equivalent(
        "core/engine/next_beats.py",
        "if clock.beat > clock.changed + 2 * clock.heartbeat:",
        "if clock.beat > clock.changed + 3 * clock.heartbeat:",
        "the heartbeats between, which then happen, change nothing",
    ),
    Equivalent(
        "core/engine/stage_steps.py",
        "if best != NONE:",
        "if best > NONE:",
        "stages are counted from 0",
    ),
    Equivalent(
        "core/engine/loop.py",
        "s.cluster.due = 1",
        "s.cluster.due = 2",
        "it is only asked whether it is set",
    ),
    Equivalent(
        "core/planning/pool_cut.py",
        "@dataclass(frozen=True, slots=True, order=True)",
        "@dataclass(frozen=True, slots=False, order=True)",
        "the fields are the same, in a dict that takes more memory",
    ),
    Equivalent(
        "core/planning/pool_cut.py",
        "return tuple(zip(maps, reduces, strict=True))",
        "return tuple(zip(maps, reduces, strict=False))",
        "both kinds of slots are cut into as many pools",
    ),
    Equivalent(
        "core/planning/balanced_pools.py",
        "pools = zip((cut.jobs[:split], cut.jobs[split:]), cut.pools((size,)), strict=True)",
        "pools = zip((cut.jobs[:split], cut.jobs[split:]), cut.pools((size,)), strict=False)",
        "one size cuts the slots into two pools",
    ),
    Equivalent(
        "core/engine/slot_trees.py",
        "if (theirs < earliest) | ((theirs == earliest) & (rival < winner)):  # one branch, not three",
        "if (theirs < earliest) - ((theirs == earliest) & (rival < winner)):  # one branch, not three",
        "not both can be so, and what is not 0 counts as true",
    ),
    Equivalent(
        "core/engine/fresh_state.py",
        "keys=np.zeros((2, 0, 1)),",
        "keys=np.zeros(( 1, 0, 1)),",
        "without selection trees it is never read; only its type is needed",
    ),
    Equivalent(
        "core/engine/replanning.py",
        "if next_plan == INF or status not in (REACHED, STALLED):",
        "if next_plan >= INF or status not in (REACHED, STALLED):",
        "nothing is later than infinity",
    ),
    Equivalent(
        "core/engine/heartbeats.py",
        "cell = ((wanted * SPREAD) & LOW_BITS) * cells >> 32",
        "cell = ((wanted >> SPREAD) & LOW_BITS) * cells >> 32",
        "where it begins to look only decides how long that takes",
    ),
    Equivalent(
        "core/engine/stage_steps.py",
        "if not len(s.trees[0]):",
        "if not len(s.trees[ 1]):",
        "the trees of both types are of one length",
    ),
    Equivalent(
        "core/engine/state.py",
        "row.__dict__.update(zip(names, values, strict=True))",
        "row.__dict__.update(zip(names, values, strict=False))",
        "a record has as many values as names",
    ),
    Equivalent(
        "core/engine/job_queues.py",
        "return bool(c.waiting[own] + c.lends * c.waiting[1 - own] > 0)",
        "return bool(c.waiting[own] + c.lends * c.waiting[1 >> own] > 0)",
        "of 0 and 1 both are the other one",
    ),
    Equivalent(
        "core/engine/heartbeats.py",
        "if (stall.kind == kind or stall.kind == NONE) and stall.begin <= now < stall.end:",
        "if (stall.kind == kind or stall.kind == NONE) and stall.begin <= now != stall.end:",
        "the end of a stall that is over is not later than now, and the later of both counts",
    ),
    Equivalent(
        "core/engine/compiled.py",
        "state = fresh_state(workload.columns, cluster, np.zeros(1, np.int32), pools=1, lends=False)",
        "state = fresh_state(workload.columns, cluster, np.zeros(1, np.int32), pools= 0, lends=False)",
        "only the types of the example are looked at",
    ),
    Equivalent(
        "core/engine/jit.py",
        'how = APART if "is_apart" in vars(callee) else INLINED',
        'how = APART if not "is_apart" in vars(callee) else INLINED',
        "what is called apart and what is put into its callers computes the same, not as fast",
    ),
    Equivalent(
        "core/engine/slot_trees.py",
        "if child + 1 < count - 1 and heap[at + child + 1] < heap[at + child]:",
        "if child + 1 < count ** 1 and heap[at + child + 1] < heap[at + child]:",
        "the last one of the heap is what is put in place: it is not above itself",
    ),
    Equivalent(
        "core/engine/fresh_state.py",
        'state.cluster["divided"] = 1',
        'state.cluster["divided"] = 2',
        "it is only asked whether it is above 0",
    ),
    Equivalent(
        "core/engine/fresh_state.py",
        "zeros.flags.writeable = False  # as the workload's columns: "
        "the compiled engine has one type for both",
        "zeros.flags.writeable = True  # as the workload's columns: "
        "the compiled engine has one type for both",
        "nothing writes into them; the compiled engine is only compiled once more",
    ),
)
