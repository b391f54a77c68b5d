"""Edits of pools: whatever is done, the pools still fit their workload and cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import InputError, UnknownName
from core.model.partition import Partition, SlotPool, check_partition
from core.model.partition_edits import (
    fitted_to_cluster,
    fitted_to_jobs,
    in_proportion,
    least_slots,
    one_pool,
    with_job_moved,
    with_job_name,
    with_pool,
    with_pool_name,
    with_slots,
    with_slots_moved,
    without_pool,
)
from tests.builders import FIVE_JOBS, make_job, make_workload, two_stage_workload

if TYPE_CHECKING:
    from core.model.workload import Workload

WORKLOAD = two_stage_workload(FIVE_JOBS)
CLUSTER = Cluster(30, 20)
TWO = Partition((SlotPool("A", 10, 5, ("J1", "J2")), SlotPool("B", 20, 15, ("J3", "J4", "J5"))))


def slots(partition: Partition) -> list[tuple[int, int]]:
    return [pool.slots for pool in partition.pools]


def jobs(partition: Partition) -> list[str]:
    return [" ".join(pool.jobs) for pool in partition.pools]


def test_one_pool_divides_nothing() -> None:
    partition = one_pool(["J2", "J1", "J3", "J4", "J5"], CLUSTER)
    assert slots(partition) == [(30, 20)]
    assert jobs(partition) == ["J2 J1 J3 J4 J5"]


def test_a_new_pool_gets_its_share_from_those_with_most_slots_for_each_job() -> None:
    """Two jobs keep 8 map slots then and three keep 12; of the reduce slots 5 and 8."""
    partition = with_pool(TWO, WORKLOAD)
    assert slots(partition) == [(8, 5), (12, 8), (10, 7)]
    assert partition.names == ("A", "B", "Pool 3")
    assert with_pool(partition, WORKLOAD, " C ").names == ("A", "B", "Pool 3", "C")
    assert with_pool(with_pool_name(TWO, 0, "Pool 3"), WORKLOAD).names == ("Pool 3", "B", "Pool 4")


def test_slots_come_from_idle_pools_first() -> None:
    busy = SlotPool("A", 10, 5, ("J1", "J2", "J3", "J4")), SlotPool("B", 6, 3, ("J5",))
    one_idle = Partition((busy[0], SlotPool("idle", 14, 12), busy[1]))
    assert slots(with_pool(one_idle, WORKLOAD)) == [(10, 5), (6, 7), (6, 3), (8, 5)]
    two_idle = Partition((*busy, SlotPool("C", 9, 8), SlotPool("D", 5, 4)))
    assert slots(with_pool(two_idle, WORKLOAD)) == [(10, 5), (6, 3), (4, 4), (4, 4), (6, 4)]


def test_when_idle_pools_have_one_slot_left_of_each_kind_others_give() -> None:
    pools = (SlotPool("A", 20, 14, ("J1", "J2", "J3", "J4", "J5")), SlotPool("idle", 4, 1))
    partition = with_pool(Partition(pools), WORKLOAD)
    assert slots(partition) == [(15, 9), (1, 1), (8, 5)]
    for _ in range(20):
        partition = with_pool(partition, WORKLOAD)
    assert sorted(maps for maps, _ in slots(partition)) == [*[1] * 22, 2]
    assert sorted(reduces for _, reduces in slots(partition)) == [*[0] * 8, *[1] * 15]


def test_no_pool_without_slots() -> None:
    workload = make_workload(make_job("J1", (1,), (1,)))
    with pytest.raises(InputError, match="no pool has a slot to spare: each keeps one"):
        with_pool(one_pool(["J1"], Cluster(1, 1)), workload)


@pytest.mark.parametrize(("place", "expected"), [(0, ["B C"]), (1, ["A C"]), (2, ["A B"])])
def test_a_pool_that_goes_leaves_all_to_a_neighbour(place: int, expected: list[str]) -> None:
    three = with_pool(TWO, WORKLOAD, "C")
    left = without_pool(three, place)
    assert [" ".join(left.names)] == expected
    check_partition(left, WORKLOAD, CLUSTER)


def test_a_pool_that_goes_leaves_its_jobs_at_the_end() -> None:
    assert jobs(without_pool(TWO, 0)) == ["J3 J4 J5 J1 J2"]
    assert jobs(without_pool(TWO, 1)) == ["J1 J2 J3 J4 J5"]
    with pytest.raises(InputError, match="only pool"):
        without_pool(without_pool(TWO, 1), 0)


def test_names() -> None:
    assert with_pool_name(TWO, 1, "Large ones").names == ("A", "Large ones")
    assert with_pool_name(TWO, 1, "B") == TWO
    with pytest.raises(InputError, match="another pool is called 'A'"):
        with_pool_name(TWO, 1, "A ")
    with pytest.raises(InputError, match="needs a name"):
        with_pool_name(TWO, 1, " ")
    assert jobs(with_job_name(TWO, "J4", "big")) == ["J1 J2", "J3 big J5"]


def test_jobs_change_pools_and_places() -> None:
    assert jobs(with_job_moved(TWO, WORKLOAD, "J4", 0, 1)) == ["J1 J4 J2", "J3 J5"]
    assert jobs(with_job_moved(TWO, WORKLOAD, "J4", 0)) == ["J1 J2 J4", "J3 J5"]
    assert jobs(with_job_moved(TWO, WORKLOAD, "J3", 1, 2)) == ["J1 J2", "J4 J5 J3"]
    assert jobs(with_job_moved(TWO, WORKLOAD, "J3", 1, 99)) == ["J1 J2", "J4 J5 J3"]
    with pytest.raises(UnknownName, match="did you mean"):
        with_job_moved(TWO, WORKLOAD, "J", 0)


def test_a_job_needs_slots_where_it_goes() -> None:
    workload = make_workload(make_job("M", (1,)), make_job("R", (0,), (2,)))
    partition = Partition((SlotPool("maps", 2, 0, ("M",)), SlotPool("reduces", 0, 2, ("R",))))
    with pytest.raises(InputError, match="'R' has 2 reduce tasks and pool 'maps' no reduce slot"):
        with_job_moved(partition, workload, "R", 0)


@pytest.mark.parametrize(
    ("moved", "expected"),
    [
        ((3, 2), [(13, 7), (17, 13)]),
        ((-3, 0), [(7, 5), (23, 15)]),
        ((-99, -99), [(1, 1), (29, 19)]),
        ((99, 99), [(29, 19), (1, 1)]),
    ],
)
def test_slots_move_as_far_as_its_pools_can_spare(
    moved: tuple[int, int], expected: list[tuple[int, int]]
) -> None:
    assert slots(with_slots_moved(TWO, WORKLOAD, 1, 0, moved)) == expected


def test_a_drag_leaves_even_an_empty_pool_a_slot_of_each_kind() -> None:
    """Else its rows would be gone, and with them the edge that could give it some again."""
    three = with_pool(TWO, WORKLOAD)
    assert least_slots(three, WORKLOAD) == [(1, 1), (1, 1), (0, 0)]
    assert slots(with_slots_moved(three, WORKLOAD, 2, 1, (99, 99))) == [(8, 5), (21, 14), (1, 1)]


def test_no_pool_is_typed_away() -> None:
    three = with_pool(TWO, WORKLOAD)
    assert slots(with_slots(three, WORKLOAD, 2, (9, 0)))[2] == (9, 0)
    with pytest.raises(InputError, match="pool 'Pool 3' would have no slots at all; remove it instead"):
        with_slots(three, WORKLOAD, 2, (0, 0))


def test_typed_sizes_are_exact_or_refused() -> None:
    assert slots(with_slots(TWO, WORKLOAD, 0, (12, 6))) == [(12, 6), (18, 14)]
    assert slots(with_slots(TWO, WORKLOAD, 1, (12, 6))) == [(18, 14), (12, 6)]
    with pytest.raises(InputError, match="pool 'B' would have 0 map slots and needs at least 1"):
        with_slots(TWO, WORKLOAD, 0, (30, 6))
    with pytest.raises(InputError, match="pool 'A' would have 0 reduce slots"):
        with_slots(TWO, WORKLOAD, 0, (3, 0))
    with pytest.raises(InputError, match="only pool"):
        with_slots(one_pool(TWO.jobs, CLUSTER), WORKLOAD, 0, (3, 3))


def test_jobs_come_and_go() -> None:
    fewer = WORKLOAD.with_jobs([WORKLOAD.jobs[j] for j in (0, 3)])
    assert jobs(fitted_to_jobs(TWO, fewer)) == ["J1", "J4"]
    more = WORKLOAD.with_jobs([*WORKLOAD.jobs, make_job("J9", (1,))])
    assert jobs(fitted_to_jobs(TWO, more)) == ["J1 J2", "J3 J4 J5 J9"]


@pytest.mark.parametrize(
    ("cluster", "expected"),
    [
        (Cluster(30, 20), [(10, 5), (20, 15)]),
        (Cluster(60, 40), [(20, 10), (40, 30)]),
        (Cluster(3, 2), [(1, 1), (2, 1)]),
        (Cluster(30, 8), [(10, 2), (20, 6)]),
        (Cluster(1, 20), [(10, 5), (20, 15)]),
    ],
)
def test_pools_follow_the_size_of_the_cluster(cluster: Cluster, expected: list[tuple[int, int]]) -> None:
    """In proportion; where there are too few slots for the pools they stay, and the simulation says why."""
    assert slots(fitted_to_cluster(TWO, WORKLOAD, cluster)) == expected


@given(st.data())
def test_shares_are_near_to_proportion(data: st.DataObject) -> None:
    parts = data.draw(st.lists(st.integers(0, 50), min_size=1, max_size=5))
    least = [data.draw(st.integers(0, min(1, part))) for part in parts]
    whole = data.draw(st.integers(sum(least), 300))
    shares = in_proportion(parts, least, whole)
    assert sum(shares) == whole
    assert all(share >= low for share, low in zip(shares, least, strict=True))
    if sum(parts):
        exact = [whole * part / sum(parts) for part in parts]
        assert all(abs(share - wanted) <= len(parts) for share, wanted in zip(shares, exact, strict=True))


@st.composite
def edited(draw: st.DrawFn) -> Partition:
    """Two pools after some random edits, those that are refused left out."""
    partition = TWO
    for _ in range(draw(st.integers(0, 8))):
        place = draw(st.integers(0, len(partition.pools) - 1))
        pair = (draw(st.integers(-9, 30)), draw(st.integers(-9, 30)))
        edit = draw(st.sampled_from(("add", "remove", "move", "edge", "type")))
        try:
            if edit == "add":
                partition = with_pool(partition, WORKLOAD)
            elif edit == "remove":
                partition = without_pool(partition, place)
            elif edit == "move":
                job = draw(st.sampled_from(partition.jobs))
                partition = with_job_moved(partition, WORKLOAD, job, place, draw(st.integers(0, 4)))
            elif edit == "edge" and place + 1 < len(partition.pools):
                partition = with_slots_moved(partition, WORKLOAD, place + 1, place, pair)
            elif edit == "type":
                partition = with_slots(partition, WORKLOAD, place, pair)
        except InputError:
            continue
    return partition


@settings(deadline=None)
@given(partition=edited(), maps=st.integers(6, 90), reduces=st.integers(6, 90))
def test_pools_fit_after_any_edits(partition: Partition, maps: int, reduces: int) -> None:
    check_partition(partition, WORKLOAD, CLUSTER)
    on_another = fitted_to_cluster(partition, WORKLOAD, Cluster(maps, reduces))
    if len(partition.pools) <= 6:
        check_partition(on_another, WORKLOAD, Cluster(maps, reduces))
    assert fitted_to_cluster(partition, WORKLOAD, CLUSTER) == partition


@settings(deadline=None)
@given(partition=edited(), gone=st.sets(st.sampled_from(("J1", "J2", "J3", "J4")), max_size=4))
def test_pools_fit_after_jobs_have_gone(partition: Partition, gone: set[str]) -> None:
    workload: Workload = WORKLOAD.with_jobs([job for job in WORKLOAD.jobs if job.name not in gone])
    check_partition(fitted_to_jobs(partition, workload), workload, CLUSTER)


@settings(deadline=None)
@given(partition=edited())
def test_new_jobs_find_slots(partition: Partition) -> None:
    """A new job comes into the last pool; if that has lost its slots, fitting to the cluster gives it one."""
    workload = WORKLOAD.with_jobs([*WORKLOAD.jobs, make_job("new", (3,), (2,))])
    fitted = fitted_to_cluster(fitted_to_jobs(partition, workload), workload, CLUSTER)
    if len(partition.pools) <= 20:
        check_partition(fitted, workload, CLUSTER)


def test_the_pool_of_a_job_is_found_without_looking_at_the_others() -> None:
    looks = []

    class Name(str):
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            looks.append(other)
            return str.__eq__(self, other)

    names = tuple(Name(f"J{i}") for i in range(100))
    partition = Partition((SlotPool("few", 1, 1, names[:10]), SlotPool("most", 1, 1, names[10:])))
    assert [partition.place_of(f"J{i}") for i in range(100)] == [0] * 10 + [1] * 90
    assert len(looks) < 300
    with pytest.raises(KeyError):
        partition.place_of("J100")
