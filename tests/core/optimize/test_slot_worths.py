"""What one more slot is worth when: a twin adds it and solves the linear program of the bound anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.optimize import linprog

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.model.job import Link
from core.model.time_text import duration_text
from core.optimize.objectives import Objective
from core.optimize.slot_worths import (
    LINKED,
    NO_PRICES,
    PRICED,
    KindWorth,
    SlotWorths,
    slot_worths,
    why_no_worths,
)
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from core.model.workload import Workload

MAPS, REDUCES = 0, 1
ENDS = 120
"""Of each job that the twin may choose from: with fewer ends its bound is higher, with none of them lower."""


class Twin:
    """The bound of prices by its definition, of jobs of maps and reduces without shuffles, in slot-seconds.

    Slots may come and go: what has been done by a time is counted second by second of `open`. How much a job
    needs by a time is as with the slots that are always there.
    """

    def __init__(self, workload: Workload, slots: tuple[int, int], times: list[float]) -> None:
        self.slots, self.times = slots, times
        self.known: dict[tuple[int, tuple[int, float, float, float]], list[tuple[float, float]]] = {}
        self.jobs = [
            (job.arrival, [stage.task_durations.tolist() for stage in (job.maps, job.reduces)])
            for job in workload.jobs
        ]

    def alone(self, tasks: list[float], kind: int) -> float:
        """How long a stage takes at least: its longest task, its work, and whole tasks on some slot."""
        longest, slots = sorted(tasks, reverse=True), self.slots[kind]
        waves = [
            sum(longest[k * slots - j] for j in range(k + 1)) for k in range(1, (len(tasks) - 1) // slots + 1)
        ]
        return max([0.0, *longest[:1], sum(tasks) / slots, *waves])

    def needs(self, tasks: list[float], kind: int, left: float) -> float:
        """Slot-seconds that must be done of a stage so long before it ends."""
        if left < 0:
            return sum(tasks)
        slots = self.slots[kind]
        return max(sum(max(0.0, each - left) for each in tasks), sum(tasks) - slots * left, 0.0)

    def there(self, kind: int, time: float, more: tuple[int, float, float, float]) -> float:
        """Slot-seconds of a kind that can have been used by a time, with some more slots for a while."""
        return min(
            done + self.passed(kind, look, time, more)
            for look, done in [(0.0, 0.0), *self.looked(kind, more)]
            if look <= time
        )

    def looked(self, kind: int, more: tuple[int, float, float, float]) -> list[tuple[float, float]]:
        """Times by which it is counted what jobs can have had, and that."""
        if (kind, more) not in self.known:
            looks = sorted({*self.times, *np.linspace(0, self.times[-1] / 4, 100).tolist()})
            self.known[kind, more] = [(look, self.done(kind, look, more)) for look in looks]
        return self.known[kind, more]

    def passed(self, kind: int, begin: float, end: float, more: tuple[int, float, float, float]) -> float:
        """Slot-seconds from one time to another."""
        which, count, since, until = more
        extra = max(0.0, min(end, until) - max(begin, since)) if which == kind else 0.0
        return self.slots[kind] * (end - begin) + count * extra

    def done(self, kind: int, look: float, more: tuple[int, float, float, float]) -> float:
        """Slot-seconds that jobs can have had by a look, however many slots there are."""
        most = []
        for arrival, stages in self.jobs:
            head = arrival + (self.alone(stages[MAPS], MAPS) if kind == REDUCES else 0.0)
            had = max(0.0, look - head)
            used = sum(min(task, had) for task in stages[kind])
            most.append((min(used, self.slots[kind] * had), sum(stages[MAPS])))
        if kind == MAPS:
            return sum(used for used, _ in most)
        room, total = self.passed(MAPS, 0.0, look, more), 0.0
        for used, maps in sorted((each for each in most if each[0] > 0), key=lambda each: each[1] / each[0]):
            part = 1.0 if maps <= room else room / maps
            total, room = total + part * used, room - part * maps
        return total

    def bound(self, more: tuple[int, float, float, float] = (MAPS, 0, 0.0, 0.0)) -> float:
        """The least mean of the ends, less the arrivals, of which each job may take several in parts."""
        costs, rows, choose = [], [], []
        for place, (arrival, stages) in enumerate(self.jobs):
            tails = self.alone(stages[REDUCES], REDUCES), 0.0
            first = arrival + self.alone(stages[MAPS], MAPS) + tails[0]
            for end in np.linspace(first, self.times[-1] + 2 * first, ENDS).tolist():
                costs.append(end - arrival)
                choose.append(place)
                rows.append(
                    [
                        self.needs(stages[kind], kind, end - tails[kind] - time)
                        for kind in (MAPS, REDUCES)
                        for time in self.times
                    ]
                )
        room = [self.there(kind, time, more) for kind in (MAPS, REDUCES) for time in self.times]
        one = np.equal.outer(np.arange(len(self.jobs)), np.array(choose)).astype(float)
        found = linprog(costs, np.array(rows).T, room, one, np.ones(len(self.jobs)), method="highs")
        assert found.status == 0, found.message
        return float(found.fun or 0.0) / len(self.jobs)


def example(seed: int) -> tuple[Workload, tuple[int, int]]:
    """Jobs of several waves, some of which arrive later."""
    draw = np.random.default_rng(seed)
    jobs = [
        make_job(
            f"J{i}",
            (int(draw.integers(2, 9)), float(draw.integers(2, 30))),
            (int(draw.integers(1, 6)), float(draw.integers(2, 40))),
            arrival=float(draw.integers(0, 60)) if i % 3 == 0 else 0.0,
        )
        for i in range(8)
    ]
    return make_workload(*jobs), (4, 3)


def twin_of(seed: int) -> tuple[SlotWorths, Twin]:
    """What slots are worth in an example, and its twin with the same times."""
    workload, slots = example(seed)
    cluster, objective = Cluster(*slots, shuffle_model="mumak"), Objective.of("mean-response")
    worths, priced = slot_worths(workload, cluster, objective), objective.priced(workload, cluster)
    assert worths is not None
    assert priced is not None
    assert worths.bound == pytest.approx(priced[0], rel=1e-3)
    return worths, Twin(workload, slots, priced[1].times.tolist())


@pytest.mark.parametrize("seed", [1, 2])
def test_more_slots_lower_the_bound_by_no_more_than_they_are_worth(seed: int) -> None:
    """Whatever the kind, the time and the number: prices stay allowed when slots come (weak duality)."""
    worths, twin = twin_of(seed)
    draw = np.random.default_rng(seed + 100)
    assert [kind.name for kind in worths.kinds] == ["map slots", "reduce slots"]
    for place, kind in enumerate(worths.kinds):
        for count in (1, 3):
            since, until = sorted(draw.uniform(0, twin.times[-1] / 2, 2).tolist())
            least = worths.bound - count * worths.saved(kind, since, until)
            assert twin.bound((place, count, since, until)) >= least * (1 - 1e-9)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_bound_falls_by_about_what_the_sentence_says(seed: int) -> None:
    """One slot more of the dearest kind, from when to when it says: the twin solves anew."""
    worths, twin = twin_of(seed)
    kind = worths.dearest
    assert kind is not None
    place = worths.kinds.index(kind)
    begin, end = kind.dearest
    fallen = twin.bound() - twin.bound((place, 1, begin, end))
    assert 0.85 * worths.saved(kind, begin, end) < fallen < 1.05 * worths.saved(kind, begin, end)
    assert f"by at most about {duration_text(worths.saved(kind, begin, end))} (" in worths.sentence


def test_map_slots_that_let_reduces_begin_are_worth_that() -> None:
    """A quarter of a map slot more lets reduces begin earlier: three times what maps wait for one another."""
    workload = make_workload(*(make_job(f"J{i}", (8, 5.0), (4, 30.0)) for i in range(8)))
    cluster, objective = Cluster(6, 12), Objective.of("mean-response")
    worths, priced = slot_worths(workload, cluster, objective), objective.priced(workload, cluster)
    assert worths is not None
    assert priced is not None
    twin = Twin(workload, (6, 12), priced[1].times.tolist())
    end = twin.times[-1]
    fallen = twin.bound() - twin.bound((MAPS, 0.25, 0.0, end))
    assert fallen == pytest.approx(0.25 * worths.saved(worths.kinds[MAPS], 0.0, end), rel=0.1)


def test_one_more_of_32_slots_for_all_time_lowers_the_bound_by_about_its_worth() -> None:
    """Here the bound is worked out anew for the larger cluster, where jobs need less alone, too."""
    workload = generate("synthetic2", seed=5, parameters={"jobs": 30})
    objective, whole = Objective.of("mean-response"), (0.0, np.inf)
    worths = slot_worths(workload, Cluster(32, 32), objective)
    assert worths is not None
    for kind, larger in zip(worths.kinds, (Cluster(33, 32), Cluster(32, 33)), strict=True):
        priced = objective.priced(workload, larger)
        assert priced is not None
        assert worths.bound - priced[0] == pytest.approx(worths.saved(kind, *whole), rel=0.1)


def test_what_one_kind_is_worth_by_hand() -> None:
    kind = KindWorth(4, "map slots", np.array([0.0, 10.0, 20.0, 50.0]), np.array([1.0, 4.0, 3.0, 0.0]))
    assert [kind.at(time) for time in (0.0, 9.0, 10.0, 19.9, 20.0, 50.0, 99.0)] == [1, 1, 4, 4, 3, 0, 0]
    assert kind.between(5.0, 25.0) == 5 * 1 + 10 * 4 + 5 * 3
    assert kind.between(40.0, 400.0) == 10 * 3
    assert kind.between(60.0, 70.0) == kind.between(25.0, 5.0) == 0
    assert kind.dearest == (10.0, 50.0)
    free = kind._replace(name="reduce slots", worth=0 * kind.worth)
    worths = SlotWorths("mean-response", 100.0, 5.0, (kind, free))
    assert worths.saved(kind, 10.0, 50.0) == (10 * 4 + 30 * 3) / 5
    assert worths.sentence == (
        "Map slots are worth most from 0:10 to 0:50: one more then lowers the bound on the mean response by "
        "at most about 26 s (26.0 %). Reduce slots have no price: jobs do not compete for them."
    )
    dearer = kind._replace(name="reduce slots", worth=kind.worth * 2)
    both = worths._replace(objective="tardiness", parts=1.0, kinds=(kind, dearer))
    assert both.sentence == (
        "Reduce slots are worth most from 0:10 to 0:50: one more then lowers the bound on the tardiness by "
        "at most about 4 min 20 s (260.0 %). Map slots: from 0:10 to 0:50, by 2 min 10 s (130.0 %)."
    )
    assert both.unit == "s of all tardiness for 1 slot-second"
    assert both._replace(bound=0.0).sentence == "The bound on the tardiness is 0: more slots cannot lower it."


def test_reduce_slots_are_worth_nothing_before_a_map_is_over() -> None:
    """Eight jobs of four maps of 5 s and four reduces of 30 s: no reduce has had anything by 5 s."""
    jobs = [make_job(f"J{i}", (4, 5.0), (4, 30.0)) for i in range(8)]
    worths = slot_worths(make_workload(*jobs), Cluster(8, 4), Objective.of("mean-response"))
    assert worths is not None
    maps, reduces = worths.kinds
    assert reduces.at(4.9) == 0
    assert reduces.at(5.1) == worths.highest > 0.5
    assert not maps.worth.any()  # two jobs at once end their maps by then, and reduces of one fill all slots


def test_what_has_worths() -> None:
    workload = make_workload(*(make_job(f"J{i}", (2, 3.0), deadline=2.0) for i in range(3)))
    linked = workload.with_jobs([*workload.jobs[:2], replace(workload.jobs[2], after=(Link("J0"),))])
    for name in ("makespan", "late-jobs", "stretch", "makespan=1,mean-response=2"):
        assert why_no_worths(workload, Objective.of(name)) == NO_PRICES
        assert slot_worths(workload, Cluster(2, 0), Objective.of(name)) is None
    assert why_no_worths(linked, Objective.of("tardiness")) == LINKED
    worths = [slot_worths(workload, Cluster(2, 0), Objective.of(name)) for name in PRICED]
    assert [[kind.name for kind in each.kinds] for each in worths if each] == [["map slots"]] * 3
    containers = slot_worths(workload, Cluster(0, 0, containers=2), Objective.of("mean-response"))
    assert containers is not None
    assert containers.sentence.startswith("Containers are worth most from 0:00 to ")
    alone = make_workload(make_job("J", (2, 3.0)))
    nothing = slot_worths(alone, Cluster(2, 0), Objective.of("mean-response"))
    assert nothing is not None
    assert nothing.sentence == (
        "Slots have no price: jobs do not compete for them where the mean response is to be small."
    )


def test_it_stops_when_asked() -> None:
    workload, slots = example(1)
    with pytest.raises(Cancelled):
        slot_worths(workload, Cluster(*slots), Objective.of("mean-response"), lambda: True)
