"""Being the scheduler: offers, picks, slots left free, undo, and the policy that does the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples import load_sample
from core.lessons.hand_difference import difference_sentence
from core.lessons.hand_game import HandGame
from core.lessons.hand_result import BEST, hand_result
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.number_text import grouped
from core.model.overheads import Overheads
from core.model.schedule import Fork, PolicyChoice, Schedule
from core.model.task_types import MAP, REDUCE
from core.simulation.fork import simulate_fork
from core.simulation.simulate import Simulation
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.compared import bits
from tests.core.engine.strategies import clusters, lasting_workloads
from tests.random_tests import examples

TWO = two_stage_workload([(4, 2), (1, 2)], tasks=3)
SLOTS = Cluster(2, 1, 1.0)


def named(game: HandGame) -> list[tuple[str, int, int]]:
    """Return who may have the slot: name, kind, tasks left."""
    jobs = game.workload.jobs
    return [(jobs[each.job].name, each.kind, each.left[each.kind]) for each in game.offer.candidates]


def test_slot_after_slot_is_offered() -> None:
    game = HandGame(TWO, SLOTS)
    assert (game.offer.time, game.offer.slot_kind, game.offer.slot, game.offer.free) == (0, MAP, 0, 2)
    assert named(game) == [("J1", MAP, 3), ("J2", MAP, 3)]
    assert [each.left for each in game.offer.candidates] == [(3, 3), (3, 3)]
    assert [each.seconds for each in game.offer.candidates] == [(4, 2), (1, 2)]
    game.pick(1, MAP)
    assert (game.offer.slot, game.offer.free, named(game)[1]) == (1, 1, ("J2", MAP, 2))
    game.pick(0, MAP)
    assert (game.offer.time, game.offer.slot) == (1, 0)
    assert game.schedule().start[[0, 6]].tolist() == [0, 0]
    assert (game.started, game.running, game.is_over) == (2, 1, False)


def test_all_free_slots_at_once_and_what_is_forced() -> None:
    game = HandGame(load_sample("two-jobs-order"), Cluster(30, 30, 1.0))
    game.pick(1, MAP, most=30)
    assert game.is_over, "J1's maps have no rival then, nor have the reduces"
    assert len(game.actions) == 1
    assert game.schedule().makespan == 24
    assert game.picks == "J2.map.1-30, J1.map.1-30, J2.reduce.1-30, J1.reduce.1-30"
    asked = HandGame(game.workload, game.cluster, takes_forced=False)
    asked.pick(1, MAP, most=30)
    assert named(asked) == [("J1", MAP, 30)]


def test_undo_and_redo_to_the_very_beginning() -> None:
    game = HandGame(TWO, SLOTS)
    standings = []
    while game.offer:
        standings.append((game.offer, bits(game.schedule()), game.picks))
        if game.offer.may_leave and len(standings) % 3 == 0:
            game.leave_free()
        else:
            game.pick(game.offer.candidates[-1].job, game.offer.candidates[-1].kind)
    end = bits(game.schedule())
    for offer, before, picks in reversed(standings):
        game.undo()
        assert (game.offer, bits(game.schedule()), game.picks) == (offer, before, picks)
    assert (game.can_undo, game.can_redo) == (False, True)
    while game.can_redo:
        game.redo()
    assert bits(game.schedule()) == end
    game.undo()
    game.pick(game.offer.candidates[0].job, game.offer.candidates[0].kind)
    assert not game.can_redo


def test_what_cannot_be_done_is_refused() -> None:
    game = HandGame(TWO, SLOTS)
    with pytest.raises(InputError, match="J1 has no reduce that could start on this slot now"):
        game.pick(0, REDUCE)
    with pytest.raises(InputError, match="nothing runs and no job is to arrive"):
        game.leave_free()
    with pytest.raises(InputError, match=f"{grouped(5000)} are the most"):
        HandGame(make_workload(make_job("J1", (5001, 1.0))), SLOTS)


def test_containers_full_of_reduces_that_wait_are_stuck_until_undo() -> None:
    game = HandGame(TWO, Cluster(0, 0, 0.0, containers=2), takes_forced=False)
    game.pick(0, REDUCE)
    game.pick(1, REDUCE)
    assert game.offer is None
    assert not game.is_over
    assert "Take something back" in game.stuck
    game.undo()
    assert not game.stuck
    assert ("J1", MAP, 3) in named(game)


def play(game: HandGame, data: st.DataObject) -> Schedule:
    """Do anything until the end; take back what is stuck."""
    for _ in range(200):
        if game.stuck:
            break
        if game.offer is None:
            return game.schedule()
        if game.offer.may_leave and data.draw(st.integers(0, 3)) == 0:
            game.leave_free()
        else:
            each = data.draw(st.sampled_from(game.offer.candidates))
            game.pick(each.job, each.kind, data.draw(st.sampled_from((1, 9))))
        if data.draw(st.integers(0, 5)) == 0:
            before = bits(game.schedule())
            game.undo()
            game.redo()
            assert bits(game.schedule()) == before
    return game.schedule()


@examples(15)
@given(data=st.data())
def test_the_policy_by_hand_does_the_same(data: st.DataObject) -> None:
    workload = data.draw(lasting_workloads())
    cluster = data.draw(clusters(workload))
    game = HandGame(workload, cluster, takes_forced=data.draw(st.booleans()))
    schedule = play(game, data)
    if game.is_over:
        assert bits(run(workload, cluster, game.choice)) == bits(schedule)


def test_a_game_on_a_cluster_with_overheads() -> None:
    cluster = Cluster(2, 2, overheads=Overheads(heartbeat=3.0, hosts=2))
    game = HandGame(TWO, cluster)
    while game.offer:
        game.pick(game.offer.candidates[-1].job, game.offer.candidates[-1].kind)
    assert bits(run(TWO, cluster, game.choice)) == bits(game.schedule())


def test_a_game_from_an_instant_on() -> None:
    """FIFO up to 5 s, before the second start of that time; J1's and J2's maps are over."""
    workload = two_stage_workload(FIVE_JOBS, tasks=2)
    fork = Fork(5.0, 1, PolicyChoice("fifo"))
    game = HandGame(workload, Cluster(2, 2, 1.0), fork)
    assert (game.now, game.begun) == (5, 7)
    while game.offer:
        game.pick(game.offer.candidates[-1].job, game.offer.candidates[-1].kind)
    again = simulate_fork(workload, game.cluster, game.choice, fork)
    assert bits(again) == bits(game.schedule())


def test_an_unfinished_game_goes_on_as_fifo_has_it() -> None:
    game = HandGame(TWO, SLOTS)
    game.pick(1, MAP)
    assert game.picks == "J2.map.1"
    game.leave_free()
    assert (game.now, game.picks) == (1, "J2.map.1, at 1.0 s")
    schedule = run(TWO, SLOTS, game.choice)
    assert schedule.start[[6, 0, 1]].tolist() == [0, 1, 1]


def played(order: str, seconds: float = 0.0):
    workload = load_sample("five-jobs")
    game = HandGame(workload, workload.cluster)
    while game.offer:
        wanted = min(game.offer.candidates, key=lambda each: order.index(str(each.job + 1)))
        game.pick(wanted.job, wanted.kind, 30)
    return hand_result(game.schedule(), seconds)


def test_the_five_jobs_in_johnsons_order_are_optimal() -> None:
    result = played("25143")
    assert [(each.title, each.schedule.makespan) for each in result.rivals] == [("FIFO", 74), ("Johnson", 47)]
    assert (result.own.makespan, result.bound, result.proved, result.is_best) == (47, 47, True, True)
    assert result.sentences == (
        "As short as the best.",
        "No schedule can be shorter than the best without lending slots: that is proved.",
    )


def test_another_order_is_told_where_it_first_differs() -> None:
    result = played("21345")
    assert result.sentences[-1] == (
        "The first difference: at 0:01 you gave slot M1 to J1; Johnson gives slot M1 to J5."
    )
    assert not result.is_best


def test_the_best_is_searched_where_no_policy_is_known_to_be_optimal() -> None:
    """A long task that every order of jobs starts too late."""
    workload = make_workload(make_job("J1", (5, [1.0, 1.0, 1.0, 1.0, 4.0])))
    game = HandGame(workload, Cluster(2, 1))
    assert game.is_over, "there was nothing to choose"
    result = hand_result(game.schedule(), 0.5, engine="interpreted")
    best = result.rivals[-1]
    assert (best.title, best.schedule.makespan, result.own.makespan, result.proved) == (BEST, 4, 6, True)
    assert best.plan is not None
    assert result.sentences[0] == "50.0 % longer than the best found."
    assert result.sentences[-1] == (
        "The first difference: at 0:00 you gave slot M1 to map 1 of J1; "
        "the best found gives slot M1 to map 5 of J1."
    )


def test_a_slot_that_was_left_free_is_told() -> None:
    game = HandGame(TWO, SLOTS)
    game.pick(0, MAP)
    game.leave_free()
    while game.offer:
        game.pick(game.offer.candidates[0].job, game.offer.candidates[0].kind)
    told = difference_sentence(game.schedule(), run(TWO, SLOTS), "FIFO")
    assert told == "The first difference: at 0:00 you left slot M2 free; FIFO gives slot M2 to J1."


def test_how_many_jobs_wait_is_told_without_a_copy_of_the_run(monkeypatch) -> None:
    game = HandGame(TWO, SLOTS)
    monkeypatch.setattr(Simulation, "moment", None)
    assert game.waiting == 2
