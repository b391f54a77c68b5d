"""Fewest slots, the best split, the latest arrival, which job's halving helps: against trying everything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.errors import InputError, UnknownName
from core.model.job import Job
from core.model.nodes import NodeGroup
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.best_split import BestSplit, Split, best_split
from core.optimize.bounds import lower_bound
from core.optimize.cluster_sizes import usual_varied
from core.optimize.fewest_slots import Fewest, fewest
from core.optimize.job_questions import HalvedJob, Halving, LatestArrival, halving, latest_arrival
from core.optimize.short_searches import ShortSearches
from core.simulation.simulate import simulate
from tests.core.optimize.all_orders import Tried, best_of_all, searches

JOBS = (
    Job("A", Stage.of(5, [3.0, 4.0]), Stage.of(2, 5.0, 1.0, 2.0)),
    Job("B", Stage.of(2, [6.0]), Stage.of(3, [2.0, 3.0], 1.0, 1.0)),
    Job("C", Stage.of(3, [2.0, 5.0]), Stage.of(1, 4.0, 1.0, 1.0)),
)
SOME = Workload("some", JOBS)
TYPED, UNTYPED = Cluster(2, 2), Cluster(0, 0, containers=4)
NODES = Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4),))


def of_size(cluster, varied, size):
    """Return every cluster of a size."""
    if varied == "total":
        return [replace(cluster, map_slots=m, reduce_slots=size - m) for m in range(1, size)]
    if varied == "nodes":
        return [replace(cluster, nodes=(replace(cluster.nodes[0], count=size),))]
    names = {"maps": ["map_slots"], "reduces": ["reduce_slots"], "containers": ["containers"]}
    return [replace(cluster, **dict.fromkeys(names.get(varied, ["map_slots", "reduce_slots"]), size))]


@pytest.mark.parametrize(
    ("varied", "cluster"),
    [
        *((varied, TYPED) for varied in ("maps", "reduces", "both", "total")),
        ("containers", UNTYPED),
        ("nodes", NODES),
    ],
)
def test_fewest_is_the_first_size_that_any_schedule_allows(varied, cluster):
    until = 30.0
    answer = fewest(SOME, cluster, until, varied, searches())
    assert answer.enough
    assert answer.cluster
    assert answer.plan
    sizes = range(2 if varied == "total" else 1, answer.enough + 1)
    ends = [min(best_of_all(SOME, each) for each in of_size(cluster, varied, size)) for size in sizes]
    assert [end <= until for end in ends] == [False] * (len(ends) - 1) + [True]
    for each in of_size(cluster, varied, answer.too_few) if answer.too_few >= sizes[0] else []:
        assert lower_bound(SOME, each) > until
    assert f"{answer.enough}" in answer.sentence
    again = simulate(SOME, answer.cluster, PolicyChoice("order"), order=answer.plan.names)
    assert again.makespan == answer.makespan <= until
    assert answer.is_proved == (answer.too_few == answer.enough - 1)


class FindsNothing:
    """A search that never has a schedule."""

    def __init__(self, workload, cluster, _start):
        self._found = Tried(np.inf, lower_bound(workload, cluster), Plan(()))

    def advance(self, _steps, _should_stop=None):
        return self._found


def at_hand(cluster, policy="fifo", workload=SOME):
    return simulate(workload, cluster, PolicyChoice(policy))


@pytest.mark.parametrize(
    ("varied", "cluster", "size"),
    [
        ("both", Cluster(3, 2), 3),
        ("both", Cluster(90, 2), 10),  # more than there are tasks: a size of use is enough
        ("maps", Cluster(3, 2), 3),
        ("maps", Cluster(3, 3), None),  # the others are to be 2
        ("reduces", Cluster(2, 3), 3),
        ("reduces", Cluster(3, 3), None),
        ("total", Cluster(3, 2), 5),
        ("both", Cluster(3, 2, slowstart=1.0), None),
    ],
)
def test_a_schedule_at_hand_is_an_answer(varied, cluster, size):
    run = at_hand(cluster)
    none = ShortSearches(FindsNothing, steps=1)
    answer = fewest(SOME, TYPED, run.makespan, varied, none, at_hand=(run,))
    assert answer.enough == size
    assert answer.cluster == (None if size is None else cluster)
    assert answer.makespan == (np.inf if size is None else run.makespan)
    assert fewest(SOME, TYPED, 0.999 * run.makespan, varied, none, at_hand=(run,)).enough is None
    assert fewest(SOME, TYPED, run.makespan, varied, none).enough is None


def test_what_no_search_could_find_is_no_answer():
    scans = load_sample("ten-scans")
    shared = at_hand(Cluster(4, 4), "circumflex", scans)
    none = ShortSearches(FindsNothing, steps=1)
    assert shared.shares_scans
    assert fewest(scans, Cluster(4, 4), shared.makespan, "both", none, at_hand=(shared,)).enough is None
    other = at_hand(TYPED, workload=replace(SOME, jobs=JOBS[:2]))
    assert fewest(SOME, TYPED, 60.0, "both", none, at_hand=(other,)).enough is None


def test_the_cluster_that_there_is_is_searched_although_sizes_step_over_it():
    looked = []

    def new_search(workload, cluster, _start):
        looked.append(cluster)
        return FindsNothing(workload, cluster, None)

    fewest(SOME, Cluster(4, 3), 30.0, "both", ShortSearches(new_search, steps=1))
    assert looked[0] == Cluster(4, 3)


def test_what_no_number_of_slots_can_do_is_said():
    answer = fewest(SOME, TYPED, 8.0, "both", searches())
    assert answer.is_hopeless
    assert answer.enough is None
    assert answer.sentence == "No number of map and reduce slots ends by 0:08, even if no task has to wait."


def test_answers_are_sentences():
    known = Fewest("both", 20000.0, 51, 900)
    assert known.sentence == (
        "At least 52 + 52 slots: by the lower bound fewer are too few; no schedule is found that ends by "
        "5:33:20."
    )
    between = replace(known, enough=53)
    assert between.sentence == (
        "Between 52 + 52 slots and 53 + 53 slots: by the lower bound fewer are too few, and 53 + 53 slots "
        "end by 5:33:20."
    )
    proved = replace(known, enough=52, has_certificate=True)
    assert proved.sentence == "52 + 52 slots; fewer are proved to be too few to end by 5:33:20."
    split = replace(proved, varied="total", cluster=Cluster(20, 32))
    assert split.sentence.startswith("52 slots (20 map + 32 reduce); ")
    wide = replace(split, cluster=Cluster(20, 50))  # more than there are tasks
    assert wide.sentence.startswith("52 slots; ")
    best = BestSplit(Split(3, 4, 90.0, 100.0), (), 98.2)
    assert best.sentence == (
        "3 map + 4 reduce slots end at 1:40; on no other split can a schedule be more than 1.8 % shorter."
    )
    assert replace(best, others_bound=100.0).sentence.endswith("on no other split can a schedule end sooner.")
    arrival = LatestArrival("C", 100.0, 70.0, 70.05)
    assert arrival.sentence == "C may arrive at 1:10 at the latest for all to end by 1:40."
    assert replace(arrival, latest=60.0).sentence == (
        "C may arrive at 1:00 for all to end by 1:40; if it arrives after 1:10, nothing ends by 1:40."
    )
    halved = Halving(100.0, 90.0, (HalvedJob("A", 60.0, 70.0), HalvedJob("B", 80.0, 85.0)))
    assert halved.sentence == "Halving A helps most, 30 s of 1 min 40 s; no other job's can help more."
    none = Halving(100.0, 90.0, (HalvedJob("A", 60.0),))
    assert none.sentence == "Halving one job is not found to help."


def test_known_so_far_is_told_and_kept_when_it_is_stopped():
    told = []
    stopped = fewest(SOME, TYPED, 30.0, "both", searches(should_stop=lambda: True), told.append)
    assert told[0].too_few == stopped.too_few > 0
    out_of_time = fewest(SOME, TYPED, 30.0, "both", searches(seconds=0.0))
    assert (out_of_time.too_few, out_of_time.enough) == (stopped.too_few, None)


@pytest.mark.parametrize(
    ("cluster", "varied", "reason"),
    [
        (UNTYPED, "maps", "the cluster has containers"),
        (TYPED, "nodes", "the cluster has map and reduce slots"),
        (replace(NODES, nodes=NODES.nodes * 2), "nodes", "nodes of one size"),
        (TYPED, "slots", "slots"),
    ],
)
def test_what_cannot_be_varied_is_said(cluster, varied, reason):
    with pytest.raises(InputError, match=reason):
        fewest(SOME, cluster, 30.0, varied, searches())


def test_what_is_varied_where_nothing_is_said():
    assert [usual_varied(each) for each in (TYPED, UNTYPED, NODES)] == ["both", "containers", "nodes"]


def test_best_split_is_the_best_of_all_and_bounds_the_others():
    told = []
    answer = best_split(SOME, TYPED, 6, searches(steps=2048), told.append)
    clusters = {cluster.map_slots: cluster for cluster in of_size(TYPED, "total", 6)}
    ends = {maps: best_of_all(SOME, cluster) for maps, cluster in clusters.items()}
    assert answer.best.makespan == min(ends.values()) == ends[answer.best.map_slots]
    assert answer.best.map_slots + answer.best.reduce_slots == 6
    others = [lower_bound(SOME, clusters[maps]) for maps in ends if maps != answer.best.map_slots]
    assert answer.others_bound <= min(others)
    assert answer.others_gain == max(0.0, 1 - answer.others_bound / answer.best.makespan)
    assert [each.best.makespan for each in told] == sorted((e.best.makespan for e in told), reverse=True)


def test_wide_splits_are_ruled_out_in_ranges(monkeypatch):
    looked = []

    def bound(workload, cluster):
        looked.append(cluster)
        return lower_bound(workload, cluster)

    monkeypatch.setattr("core.optimize.best_split.lower_bound", bound)
    many = Workload("many", tuple(replace(JOBS[i % 3], name=f"J{i}") for i in range(4)))
    answer = best_split(many, TYPED, 1000, searches(steps=512))
    assert answer.others_gain == 0.0
    assert len(looked) < 100


@pytest.mark.parametrize("cluster", [UNTYPED, NODES])
def test_what_is_untyped_can_be_split_into_slots_of_kinds(cluster):
    answer, typed = (best_split(SOME, each, 6, searches(steps=256)) for each in (cluster, TYPED))
    assert (answer.best, answer.others_bound) == (typed.best, typed.others_bound)


@pytest.mark.parametrize("varied", ["maps", "reduces", "both", "total"])
def test_a_cluster_with_more_than_can_be_of_use_is_not_the_answer(varied):
    few = SOME.with_jobs([Job("A", Stage.of(2, 3.0), Stage.of(1, 5.0))])
    answer = fewest(few, Cluster(8, 9), 30.0, varied, searches())
    assert answer.cluster in of_size(Cluster(8, 9), varied, answer.enough)


def test_split_of_too_few_slots_is_refused():
    with pytest.raises(InputError, match="1 slots cannot be split"):
        best_split(SOME, TYPED, 1, searches())


def arriving(job, time):
    return SOME.with_jobs(replace(each, arrival=time) if each.name == job else each for each in SOME.jobs)


def test_latest_arrival_allows_a_schedule_and_a_later_one_none():
    answer = latest_arrival(SOME, TYPED, "C", 34.0, searches())
    assert answer.latest
    assert answer.plan
    late = arriving("C", answer.latest)
    run = simulate(late, TYPED, PolicyChoice("order"), order=answer.plan.names)
    assert run.makespan == answer.makespan <= 34.0
    assert lower_bound(arriving("C", answer.too_late + 0.01), TYPED) > 34.0
    grid = [time for time in np.arange(0.0, 34.0, 0.5) if best_of_all(arriving("C", time), TYPED) <= 34.0]
    assert grid[-1] <= answer.latest + 0.034
    assert answer.latest <= answer.too_late


def test_a_job_may_arrive_as_it_does_in_a_schedule_at_hand():
    late = arriving("C", 6.0)
    run, none = at_hand(TYPED, workload=late), ShortSearches(FindsNothing, steps=1)
    asked = late, TYPED, "C", run.makespan, none
    assert latest_arrival(*asked).latest is None
    answer = latest_arrival(*asked, at_hand=(run,))
    assert (answer.latest, answer.makespan) == (6.0, run.makespan)
    assert latest_arrival(*asked, at_hand=(at_hand(Cluster(3, 3), workload=late),)).latest is None


def test_a_job_that_is_too_late_anyway():
    answer = latest_arrival(SOME, TYPED, "A", 5.0, searches())
    assert (answer.latest, answer.too_late < 0) == (None, True)
    nothing_found = latest_arrival(SOME, TYPED, "A", lower_bound(SOME, TYPED), searches())
    assert nothing_found.latest is None
    with pytest.raises(UnknownName):
        latest_arrival(SOME, TYPED, "D", 5.0, searches())


def test_halving_ranks_jobs_by_what_is_gained():
    answer = halving(SOME, TYPED, searches())
    assert answer.makespan == best_of_all(SOME, TYPED)
    for job in answer.jobs:
        halved = SOME.with_jobs(half(each) if each.name == job.name else each for each in SOME.jobs)
        best = min(answer.makespan, best_of_all(halved, TYPED))
        assert job.bound == lower_bound(halved, TYPED)
        assert answer.gain(job) == answer.makespan - best <= answer.most_gain(job)
    gains = [answer.gain(job) for job in answer.jobs]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0


def half(job):
    """Return a job with tasks half as long."""
    maps, reduces = (
        replace(stage, durations=stage.durations / 2, first_shuffle=stage.first_shuffle / 2)
        for stage in (job.maps, job.reduces)
    )
    return replace(job, maps=maps, reduces=replace(reduces, typical_shuffle=reduces.typical_shuffle / 2))
