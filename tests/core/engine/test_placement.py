"""Room on nodes: how many tasks fit, and the lowest node with room, against counting."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from core.engine.placement import fitting, lowest_with_room, set_fits, use_resources


@pytest.mark.parametrize(
    ("free", "asked", "tasks"),
    [
        ((4096, 4), (1024, 1), 4),
        ((4095, 4), (1024, 1), 3),
        ((9000, 3), (1024, 2), 1),
        ((4096, 9), (0, 2), 4),
        ((4096, 9), (1500, 0), 2),
        ((0, 5), (1024, 1), 0),
    ],
)
def test_as_many_tasks_fit_as_the_scarcer_resource_has_room_for(
    free: tuple[int, int], asked: tuple[int, int], tasks: int
) -> None:
    assert fitting(*free, *asked) == tasks


@pytest.mark.parametrize("leaves", [2, 4, 8])
def test_the_lowest_node_with_room_is_found_and_all_room_counted(leaves: int) -> None:
    draw = random.Random(leaves)
    tree, counts = [0] * (2 * leaves), [0] * leaves
    for _ in range(200):
        node, count = draw.randrange(leaves), draw.choice([0, 0, 0, 1, 2, 5])
        counts[node] = count
        assert set_fits(tree, node, count) == sum(counts)
        assert tree[leaves:] == counts
        if any(counts):
            assert lowest_with_room(tree) == next(n for n in range(leaves) if counts[n])


def test_a_task_takes_memory_and_cores_of_its_node_and_room_of_both_kinds() -> None:
    """Two nodes of 4 GB and 4 cores; a map asks for 1 GB and 1 core, a reduce for 3 GB and 1 core."""
    cluster = SimpleNamespace(memory=[1024, 3072], cores=[1, 1], room=[8, 2], shows_node=0)
    nodes = [SimpleNamespace(memory=4096, cores=4) for _ in range(2)]
    fits = [[0, 8, 4, 4], [0, 2, 1, 1]]
    state = SimpleNamespace(cluster=cluster, node=nodes, fits=fits)
    use_resources(state, 1, 1, 1)
    assert [(node.memory, node.cores) for node in nodes] == [(4096, 4), (1024, 3)]
    assert cluster.room == [5, 1]
    assert fits == [[0, 5, 4, 1], [0, 1, 1, 0]]
    use_resources(state, 0, 0, 1)
    assert (nodes[0].memory, nodes[0].cores, cluster.room) == (3072, 3, [4, 1])
    use_resources(state, 1, 1, -1)
    use_resources(state, 0, 0, -1)
    assert [(node.memory, node.cores) for node in nodes] == [(4096, 4), (4096, 4)]
    assert cluster.room == [8, 2]
    assert fits == [[0, 8, 4, 4], [0, 2, 1, 1]]
