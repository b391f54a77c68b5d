"""What decisions by hand cost, against a brute force over all continuations that shares no code with it."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples import load_sample
from core.lessons import hand_reach
from core.lessons.hand_aims import AIMS, aim_phrase, aim_text, aims_of, value_of, why_no_aim
from core.lessons.hand_bound import LeastFrom
from core.lessons.hand_costs import AFTERWARDS, HandCost, costliest, decision_costs
from core.lessons.hand_game import HandGame, replayed
from core.lessons.hand_reach import Reach, Reaches
from core.model.cluster import Cluster
from core.model.errors import Cancelled, SlotscopeError
from core.model.objectives import OBJECTIVES
from core.model.schedule import PolicyChoice
from core.simulation.simulate import Simulation, simulate
from tests.builders import make_job, make_workload, two_stage_workload
from tests.core.engine.strategies import clusters, lasting_workloads
from tests.random_tests import examples


class Twin:
    """A tiny cluster by hand: maps, then reduces without a shuffle; every continuation is tried.

    A state is (now, running, left): ends, job and kind of what runs, and how many tasks of each job and kind
    wait. A slot may stay free until the next end or arrival.
    """

    def __init__(self, jobs, slots, worth) -> None:
        self.jobs, self.slots, self.worth = jobs, slots, worth
        self.best = cache(self._best)

    def _best(self, now, running, left, ends, idle=()) -> float:
        """Return the best that can be reached; `idle` has the kinds that stay free up to the next event."""
        if not any(map(any, left)):
            ends = list(ends)
            for end, job, _ in running:
                ends[job] = max(ends[job], end)
            return self.worth(ends)
        found = math.inf
        for kind in (0, 1):
            if kind in idle or sum(each[2] == kind for each in running) >= self.slots[kind]:
                continue
            for job in range(len(self.jobs)):
                found = min(found, self.given(now, running, left, ends, idle, job, kind))
            idle = (*idle, kind)
        events = [end for end, *_ in running] + [job[0] for job in self.jobs if job[0] > now]
        if not events:
            return found
        then = min(events)
        over = [each for each in running if each[0] <= then]
        ends = list(ends)
        for end, job, _ in over:
            ends[job] = max(ends[job], end)
        return min(
            found, self.best(then, tuple(each for each in running if each[0] > then), left, tuple(ends))
        )

    def given(self, now, running, left, ends, idle, job, kind) -> float:
        """Return the best after a job has got a slot; infinity where it cannot."""
        arrival, lengths = self.jobs[job][0], self.jobs[job][1:]
        waits = kind == 1 and (left[job][0] > 0 or any(each[1:] == (job, 0) for each in running))
        if arrival > now or left[job][kind] == 0 or waits:
            return math.inf
        after = [list(each) for each in left]
        after[job][kind] -= 1
        running = tuple(sorted((*running, (now + lengths[kind], job, kind))))
        return self.best(now, running, tuple(map(tuple, after)), ends, idle)


SECONDS = st.integers(1, 4).map(float)


@st.composite
def tiny_jobs(draw):
    """Return two or three jobs of few tasks, and a cluster of few slots."""
    jobs, count = [], draw(st.integers(2, 3))
    for place in range(count):
        arrival = draw(st.sampled_from([0.0, 0.0, 2.0]))
        maps, reduces = (draw(st.integers(1, 4 - count)), draw(SECONDS)), (1, draw(SECONDS))
        due = {"deadline": arrival + draw(st.integers(3, 9))} if draw(st.booleans()) else {}
        weight = float(draw(st.integers(1, 3)))
        jobs.append(make_job(f"J{place}", maps, reduces, arrival=arrival, weight=weight, **due))
    return make_workload(*jobs), Cluster(draw(st.integers(1, 2)), 1, 1.0)


def twin_of(workload, cluster, aim: str) -> Twin:
    """Return the twin of jobs whose tasks of a kind all take as long."""
    columns, jobs = workload.columns, []
    for number, job in enumerate(workload.jobs):
        lengths = [float(columns.duration[(columns.job == number) & (columns.kind == k)][0]) for k in (0, 1)]
        jobs.append((job.arrival, *lengths))

    def worth(ends) -> float:
        late = [end - (job.deadline or math.inf) for end, job in zip(ends, workload.jobs, strict=True)]
        response = [end - job.arrival for end, job in zip(ends, workload.jobs, strict=True)]
        weights = [job.weight for job in workload.jobs]
        return {
            "makespan": max(ends),
            "mean-response": sum(response) / len(response),
            "weighted-response": sum(map(math.prod, zip(response, weights, strict=True))) / sum(weights),
            "tardiness": sum(max(0.0, each) for each in late),
            "late-jobs": sum(each > 0 for each in late),
        }[aim]

    return Twin(jobs, (cluster.map_slots, cluster.reduce_slots), worth)


def best_by_twin(twin: Twin, game: HandGame, left_free: set[int]) -> float:
    """Return the best that can be reached from where a game stands, after these kinds were left free now."""
    schedule, columns = game.schedule(), game.workload.columns
    left, ends, running = [[0, 0] for _ in twin.jobs], [0.0] * len(twin.jobs), []
    for task, (job, kind) in enumerate(zip(columns.job.tolist(), columns.kind.tolist(), strict=True)):
        if schedule.slot[task] < 0:
            left[job][kind] += 1
        elif schedule.end[task] > game.now:
            running.append((float(schedule.end[task]), job, kind))
        else:
            ends[job] = max(ends[job], float(schedule.end[task]))
    return twin.best(
        game.now, tuple(sorted(running)), tuple(map(tuple, left)), tuple(ends), tuple(sorted(left_free))
    )


def play(game: HandGame, numbers):
    """Play by numbers; yield before each decision, and at the end, which kinds are left free now."""
    left_free: tuple[float, set[int]] = (-1.0, set())
    while game.offer is not None:
        if left_free[0] != game.now:
            left_free = (game.now, set())
        yield left_free[1]
        number = next(numbers)
        candidates = game.offer.candidates
        if number % 4 == 0 and game.offer.may_leave:
            now, kind = game.now, game.offer.slot_kind
            game.leave_free()
            left_free = (now, left_free[1] | {kind})
        else:
            chosen = candidates[number % len(candidates)]
            game.pick(chosen.job, chosen.kind)
    yield set()


@examples(25)
@given(tiny_jobs(), st.sampled_from(AIMS), st.randoms(use_true_random=False))
def test_what_is_proved_is_what_a_brute_force_finds_and_costs_add_up(jobs, aim, random) -> None:
    workload, cluster = jobs
    twin, reaches, found, bests = twin_of(workload, cluster, aim), Reaches(workload, cluster, aim), [], []
    game = HandGame(workload, cluster, takes_forced=False)
    for left_free in play(game, iter(lambda: random.randrange(100), None)):
        reach = reaches.of(game.standing())
        assert reach.is_proved, "a tiny game is searched to its end"
        assert reach.known == pytest.approx(best_by_twin(twin, game, left_free), abs=1e-9)
        found.append(reach)
        bests.append(reach.known)
    costs = decision_costs(game.places, found, aim, is_over=True)
    assert [each.cost for each in costs] == pytest.approx([b - a for a, b in pairwise(bests)], abs=1e-9)
    assert all(each.is_proved for each in costs)
    assert sum(each.cost for each in costs) == pytest.approx(
        value_of(aim, game.schedule()) - bests[0], abs=1e-9
    )


@examples(15)
@given(tiny_jobs(), st.sampled_from(AIMS), st.randoms(use_true_random=False))
def test_what_is_not_proved_lies_on_the_right_sides(jobs, aim, random) -> None:
    workload, cluster = jobs
    twin, found, bests = twin_of(workload, cluster, aim), [], []
    game = HandGame(workload, cluster)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hand_reach, "MAX_SEARCHED", 0)
        reaches = Reaches(workload, cluster, aim)
        for left_free in play(game, iter(lambda: random.randrange(100), None)):
            found.append(reaches.of(game.standing()))
            bests.append(best_by_twin(twin, game, left_free))
    for cost, (before, after) in zip(
        decision_costs(game.places, found, aim, is_over=True), pairwise(bests), strict=True
    ):
        truth = after - before
        assert cost.surely <= truth + 1e-9
        assert cost.before.least <= before + 1e-9 <= cost.before.known + 2e-9
        if cost.is_proved:
            assert cost.cost == pytest.approx(truth, abs=1e-9)


@examples(30)
@given(st.data())
def test_no_run_ends_below_the_bound_of_any_of_its_states(data) -> None:
    workload = data.draw(lasting_workloads())
    cluster = data.draw(clusters(workload))
    policy = PolicyChoice(data.draw(st.sampled_from(["fifo", "johnson", "sjf"])))
    try:
        end = simulate(workload, cluster, policy, engine="interpreted")
    except SlotscopeError:
        return
    for aim in aims_of(workload):
        least = LeastFrom(workload, cluster, aim, from_the_start=True)
        run, value = Simulation(workload, cluster, policy, engine="interpreted"), value_of(aim, end)
        for start in range(len(end.sequence)):
            run.advance_to_start(start)
            assert least(run) <= value * (1 + 1e-9)


@examples(10)
@given(st.data())
def test_games_of_any_kind_are_judged(data) -> None:
    workload = data.draw(lasting_workloads())
    cluster = data.draw(clusters(workload))
    aim, random = data.draw(st.sampled_from(aims_of(workload))), data.draw(st.randoms(use_true_random=False))
    try:
        game = HandGame(workload, cluster)
    except SlotscopeError:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hand_reach, "MAX_STEPS", 60)
        reaches = Reaches(workload, cluster, aim)
        found = [reaches.of(game.standing()) for _ in play(game, iter(lambda: random.randrange(100), None))]
    assert all(reach.least <= reach.known * (1 + 1e-9) for reach in found)
    costs = decision_costs(game.places, found, aim, is_over=game.is_over)
    assert len(costs) == len(game.actions)
    if costs and game.is_over:
        lost = value_of(aim, game.schedule()) - costs[0].before.known
        assert sum(each.cost for each in costs) == pytest.approx(lost, abs=1e-6)
    elif costs:
        assert (costs[-1].after.known, costs[-1].short) == (math.inf, "after this nothing could go on")


def test_a_game_that_is_played_again_stands_where_it_stood() -> None:
    workload, cluster = two_stage_workload([(4, 2), (1, 2)], tasks=3), Cluster(2, 1, 1.0)
    game, stood = HandGame(workload, cluster), []
    for _ in play(game, iter([1, 0, 3, 5, 2, 7, 9, 1, 1, 1])):
        stood.append(game.standing())
    again = list(replayed(workload, cluster, None, True, game.actions))
    assert [(each.held, each.run.now, each.run.started) for each in again] == [
        (each.held, each.run.now, each.run.started) for each in stood
    ]


def test_the_five_jobs_decision_by_decision() -> None:
    workload = load_sample("five-jobs")
    game, reaches = HandGame(workload, workload.cluster), Reaches(workload, workload.cluster, "makespan")
    found = [reaches.of(game.standing())]
    assert (found[0].known, found[0].by, found[0].is_proved) == (47, "Johnson", True)
    for name in ("J2", "J3", "J5", "J1"):
        game.pick(workload.job_index[name], 0, most=30)
        found.append(reaches.of(game.standing()))
    assert game.is_over
    costs = decision_costs(game.places, found, "makespan", is_over=True)
    assert sum(each.cost for each in costs) == game.schedule().makespan - 47
    assert costs[0].sentence == (
        "This cost nothing: 47 s is still in reach, and nothing better was before (proved)."
    )
    (dear, *_) = costliest(costs)
    assert (dear.place, dear.time, dear.slot) == (1, 1.0, 0)
    assert dear.short == f"cost {aim_text('makespan', dear.cost)} (proved)"


def test_a_cost_is_said_as_far_as_it_is_known() -> None:
    def cost(before: Reach, after: Reach, aim: str = "makespan") -> HandCost:
        return HandCost(0, 3.0, 1, before, after, aim)

    johnson, fifo = Reach(40, 47, "Johnson"), Reach(45, 56, "FIFO")
    assert cost(Reach(47, 47), Reach(56, 56)).sentence == (
        "This cost 9 s: before it 47 s could be reached, now 56 s at best (proved)."
    )
    assert cost(johnson, fifo).sentence == (
        "9 s worse, as far as is known: going on with Johnson reached 47 s, now the best known way, going on "
        "with FIFO, reaches 56 s (not proved)."
    )
    assert cost(johnson, fifo).short == "cost 9 s by what is known"
    assert cost(johnson, Reach(50, 56, "")).short == "cost at least 3 s (proved), 9 s by what is known"
    assert cost(johnson, Reach(50, 56, "")).sentence == (
        "This cost at least 3 s (proved): going on with Johnson reached 47 s, now none is below 50 s."
    )
    assert cost(johnson, johnson).sentence == (
        "No loss is known: going on with Johnson still reaches 47 s (not proved to be the best)."
    )
    assert cost(johnson, Reach(40, 47, AFTERWARDS)).sentence.startswith(
        "No loss is known: what you did later"
    )
    assert cost(johnson, Reach(math.inf, math.inf)).sentence == "After this nothing can go on. Take it back."
    assert cost(Reach(0, 0), Reach(2, 2), "late-jobs").sentence == (
        "This cost 2 jobs: before it no late jobs could be reached, now 2 late jobs at best (proved)."
    )
    assert aim_phrase("mean-response", 12.5) == "a mean response of 12.5 s"


def test_what_was_reached_later_was_in_reach_before() -> None:
    places = [(0.0, 0), (1.0, 0), (2.0, 1)]
    reaches = [Reach(0, 50, "Johnson"), Reach(0, 60, "FIFO"), Reach(0, 55, ""), Reach(48, 48)]
    costs = decision_costs(places, reaches, "makespan", is_over=True)
    assert [each.cost for each in costs] == [0, 0, 0]
    assert [each.before.by for each in costs] == [AFTERWARDS] * 3
    dear = decision_costs(places, [*reaches[:3], Reach(58, 58)], "makespan", is_over=True)
    assert [each.cost for each in dear] == [5, 0, 3]
    assert [each.place for each in costliest(dear)] == [0, 2]


def test_a_search_that_is_not_wanted_any_more_ends() -> None:
    workload, cluster = two_stage_workload([(4, 2), (1, 2), (3, 5)], tasks=4), Cluster(2, 2, 1.0)
    with pytest.raises(Cancelled):
        Reaches(workload, cluster, "mean-response").of(HandGame(workload, cluster).standing(), lambda: True)


def test_jobs_have_the_aims_that_mean_something_with_them() -> None:
    plain = two_stage_workload([(4, 2), (1, 2)], tasks=3)
    assert aims_of(plain) == ("makespan", "mean-response")
    due = make_workload(
        make_job("a", (1, 1), (1, 1), deadline=5.0, weight=2.0), make_job("b", (1, 1), (1, 1))
    )
    assert aims_of(due) == AIMS
    assert set(AIMS) <= set(OBJECTIVES)
    assert why_no_aim("tardiness", plain).startswith("the aim is tardiness, and no job has a deadline")
    assert why_no_aim("tardiness", due) == ""
