"""Where a task runs on nodes: the lowest node with room for it, there on the lowest free row.

Compiled with the loop. How many tasks of each kind would fit on each node is kept in a tree of sums: its root
is the room of the whole cluster (004 section IV.A), and the lowest node with room is found from there.
"""

from __future__ import annotations

from typing import Any


def use_resources(s: Any, n: int, kind: int, change: int) -> None:
    """Take what a task of this kind needs from a node (1), or give it back (-1)."""
    c = s.cluster
    s.node[n].memory -= change * c.memory[kind]
    s.node[n].cores -= change * c.cores[kind]
    for each in range(2):
        count = fitting(s.node[n].memory, s.node[n].cores, c.memory[each], c.cores[each])
        c.room[each] = set_fits(s.fits[each], n, count)
    if c.shows_node:
        show_nodes(s)


def show_nodes(s: Any) -> None:
    """Write down, for the policy, where the next task of each kind would run, and what is free there."""
    c = s.cluster
    for kind in range(2):
        c.node[kind] = -1
        c.node_memory[kind] = c.node_cores[kind] = 0
        if c.room[kind]:
            n = lowest_with_room(s.fits[kind])
            c.node[kind] = n
            c.node_memory[kind] = s.node[n].memory
            c.node_cores[kind] = s.node[n].cores


def fitting(memory: int, cores: int, needed_memory: int, needed_cores: int) -> int:
    """Return how many tasks fit: the least over both resources; one of the two needs may be 0."""
    if not needed_memory:
        return cores // needed_cores
    if not needed_cores:
        return memory // needed_memory
    return min(memory // needed_memory, cores // needed_cores)


def set_fits(tree: Any, n: int, count: int) -> int:
    """Note how many tasks fit on a node; return how many fit on all nodes together."""
    at = (len(tree) >> 1) + n
    change = count - tree[at]
    while at:
        tree[at] += change
        at >>= 1
    return int(tree[1])


def lowest_with_room(tree: Any) -> int:
    """Return the lowest node on which a task fits; there is one."""
    leaves = len(tree) >> 1
    at = 1
    while at < leaves:
        at *= 2
        if not tree[at]:
            at += 1
    return at - leaves
