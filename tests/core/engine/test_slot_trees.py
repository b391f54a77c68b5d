"""Winner trees and heaps of slots, against the lowest of a list."""

from __future__ import annotations

import random

import pytest

from core.engine.slot_trees import play_all, put_slot, remove_slot, set_finish, take_slot
from core.engine.state import idle_tree

INF = float("inf")


def winners(finish: list[float]) -> list[int]:
    """Return who wins at each node of a tree: the earliest below it, of equal ones the lowest."""
    leaves = len(finish)
    found = [0] * leaves + list(range(leaves))
    for node in range(leaves - 1, 0, -1):
        found[node] = min(found[2 * node], found[2 * node + 1], key=lambda slot: (finish[slot], slot))
    return found


@pytest.mark.parametrize("leaves", [2, 4, 8, 16])
def test_the_earliest_of_all_slots_wins_and_of_equal_ones_the_lowest(leaves: int) -> None:
    """Few times, so that many are equal."""
    draw = random.Random(leaves)
    finish, tree = [INF] * leaves, idle_tree(leaves).tolist()
    assert tree[1:] == winners(finish)[1:]
    for _ in range(300):
        slot, time = draw.randrange(leaves), draw.choice([0.0, 1.0, 2.0, 3.0, INF])
        set_finish(tree, finish, slot, time)
        assert finish[slot] == time
        assert tree[1:] == winners(finish)[1:]


@pytest.mark.parametrize("leaves", [2, 4, 8, 16])
def test_all_matches_played_again_have_the_same_winners(leaves: int) -> None:
    draw = random.Random(leaves)
    for _ in range(50):
        finish, tree = [draw.choice([0.0, 1.0, 2.0, INF]) for _ in range(leaves)], idle_tree(leaves).tolist()
        play_all(tree, finish)
        assert tree[1:] == winners(finish)[1:]


@pytest.mark.parametrize("at", [0, 3])
def test_the_lowest_free_slot_is_taken_and_any_can_be_removed(at: int) -> None:
    """The heap lies between others, which are not touched."""
    draw = random.Random(at)
    room = 12
    cells = [-5] * at + [0] * room + [-6] * 4
    held: list[int] = []
    for _ in range(3000):
        deed = draw.random()
        slot = draw.randrange(40)
        if deed < 0.55 and len(held) < room and slot not in held:
            put_slot(cells, at, len(held), slot)
            held.append(slot)
        elif deed < 0.8 and held:
            assert take_slot(cells, at, len(held)) == min(held)
            held.remove(min(held))
        elif deed >= 0.8:
            was_there = slot in held
            assert remove_slot(cells, at, len(held), slot) is was_there
            if was_there:
                held.remove(slot)
        assert sorted(cells[at : at + len(held)]) == sorted(held)
        assert (cells[:at], cells[at + room :]) == ([-5] * at, [-6] * 4)
        assert not held or cells[at] == min(held)
