"""Nodes with memory and cores: how many tasks fit on them, and how maps slow one another there.

Source: 004 section IV.A (resource vectors; a node fits the least, over its resources, of available divided
by requested, rounded down). Memory is counted in whole megabytes and cores in whole cores, as YARN does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from core.model.errors import InputError, Problem, shorten
from core.model.limits import SLOWEST, is_number, is_whole

MAX_MEMORY_MB, MAX_CORES = 10**9, 10**6
"""Of one node; no computer has more."""

MAX_SPEEDS = 1000
"""Of a curve of contention."""
MAX_REDUCE_LOAD = 1000.0
"""As how many maps a reduce counts at most."""

UNITS = {"MB": 1, "GB": 1024, "TB": 1024 * 1024}


@dataclass(frozen=True, slots=True)
class Request:
    """The demand of one task on its node: memory in megabytes, and cores; 0 for none."""

    memory_mb: int = 1024
    cores: int = 1

    def fitting(self, memory_mb: int, cores: int) -> int:
        """Return how many such tasks fit beside one another: min over resources of floor(free / request)."""
        available = ((memory_mb, self.memory_mb), (cores, self.cores))
        return min(have // need for have, need in available if need > 0)


MODEST = Request()
"""Hadoop's default: a gigabyte and a core."""


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Equal nodes: how many, and the memory in megabytes and the cores of each."""

    count: int
    memory_mb: int
    cores: int


@lru_cache(maxsize=256)
def rows_of_node(group: NodeGroup, maps: Request, reduces: Request) -> int:
    """Return the most tasks that can run at once on one node of a group: as many rows it has in a chart.

    With two resources a mixture of maps and reduces may fit better than either alone.
    """
    return max(
        count + reduces.fitting(group.memory_mb - count * maps.memory_mb, group.cores - count * maps.cores)
        for count in range(maps.fitting(group.memory_mb, group.cores) + 1)
    )


@lru_cache(maxsize=64)
def first_rows(groups: tuple[NodeGroup, ...], maps: Request, reduces: Request) -> tuple[int, ...]:
    """Return the first row of every node in turn, and at the end the number of all rows, (nodes + 1,)."""
    rows = [rows_of_node(group, maps, reduces) for group in groups for _ in range(group.count)]
    return (0, *accumulate(rows))


def nodes_problems(
    groups: tuple[NodeGroup, ...], maps: Request, reduces: Request, most_rows: int
) -> list[Problem]:
    """Return every rule that the nodes and the requests break, with the path of each value."""
    problems = _request_problems("map", maps) + _request_problems("reduce", reduces)
    for i, group in enumerate(groups):
        problems += _group_problems(group, f"nodes[{i}]", most_rows)
    if problems:
        return problems
    total = 0
    for i, group in enumerate(groups):
        rooms = [request.fitting(group.memory_mb, group.cores) for request in (maps, reduces)]
        if not any(rooms):
            rule = "no task fits on such a node; give it more or let the tasks ask for less"
            problems.append(Problem(f"nodes[{i}]", nodes_text((group,)), rule))
        rows = rows_of_node(group, maps, reduces) if max(rooms) <= most_rows else most_rows + 1
        total += group.count * rows
    if total > most_rows:
        rule = f"at most {most_rows} tasks may run at once; give fewer nodes or let the tasks ask for more"
        problems.append(Problem("nodes", nodes_text(groups), rule))
    return problems


def _request_problems(kind: str, request: Request) -> list[Problem]:
    problems = [
        Problem(f"{kind}_request.{name}", shorten(value), f"a task asks for a whole number from 0 to {most}")
        for name, value, most in (
            ("memory_mb", request.memory_mb, MAX_MEMORY_MB),
            ("cores", request.cores, MAX_CORES),
        )
        if not is_whole(value, 0, most)
    ]
    if not problems and request.memory_mb == request.cores == 0:
        rule = "a task asks for memory or cores or both, or endlessly many would fit"
        problems.append(Problem(f"{kind}_request", "0MB,0", rule))
    return problems


def _group_problems(group: NodeGroup, where: str, most_nodes: int) -> list[Problem]:
    fields = (
        ("count", group.count, most_nodes, "nodes"),
        ("memory_mb", group.memory_mb, MAX_MEMORY_MB, "megabytes"),
        ("cores", group.cores, MAX_CORES, "cores"),
    )
    return [
        Problem(f"{where}.{name}", shorten(value), f"give a whole number of {noun} from 1 to {most}")
        for name, value, most, noun in fields
        if not is_whole(value, 1, most)
    ]


def contention_problems(speeds: tuple[float, ...], reduce_load: float, *, has_nodes: bool) -> list[Problem]:
    """Return every rule that a cluster's curve of contention breaks, and what reduces count on it."""
    if not is_number(reduce_load, 0, MAX_REDUCE_LOAD):
        rule = f"a reduce counts as 0 to {MAX_REDUCE_LOAD:g} maps"
        return [Problem("reduce_load", shorten(reduce_load), rule)]
    if reduce_load and not speeds:
        rule = "reduces count in the contention of nodes; give a contention, too, or leave the load out"
        return [Problem("reduce_load", f"{reduce_load:g}", rule)]
    if speeds and not has_nodes:
        rule = "maps slow one another on nodes; give nodes instead of slots, or leave the contention out"
        return [Problem("contention", contention_text(speeds), rule)]
    if len(speeds) > MAX_SPEEDS:
        rule = f"give at most {MAX_SPEEDS}; the last one holds for more maps, too"
        return [Problem("contention", f"{len(speeds)} speeds", rule)]
    problems = []
    most = 1.0
    for i, speed in enumerate(speeds):
        if not is_number(speed, SLOWEST, 1):
            rule = f"a speed is a number from {SLOWEST:g} to 1, which is full speed"
            problems.append(Problem(f"contention[{i}]", shorten(speed), rule))
        elif speed > most:
            rule = f"no map gets faster beside more maps; give at most {most:g}, as for fewer maps"
            problems.append(Problem(f"contention[{i}]", shorten(speed), rule))
        else:
            most = speed
    return problems


# ---- as text: 8x16GB,8 is eight nodes of 16 GB and 8 cores; 2GB,1 is what a task asks for; 1, 0.5 is a curve


def parse_nodes(text: str) -> tuple[NodeGroup, ...]:
    """Read groups of nodes such as "8x16GB,8" or "8x16GB,8 + 2x64GB,32"; InputError with the form to give."""
    return tuple(_parse_group(part.strip()) for part in text.split("+"))


def parse_request(text: str) -> Request:
    """Read the demand of a task, such as "1GB,1" or "512MB,0"; InputError with the form to give."""
    memory_mb, cores = _parse_resources(text, "give memory and cores of a task, such as 1GB,1")
    return Request(memory_mb, cores)


def nodes_text(groups: tuple[NodeGroup, ...]) -> str:
    """Write groups of nodes as `parse_nodes` reads them."""
    return " + ".join(f"{g.count}x{memory_text(g.memory_mb)},{g.cores}" for g in groups)


def request_text(request: Request) -> str:
    """Write a request as `parse_request` reads it."""
    return f"{memory_text(request.memory_mb)},{request.cores}"


def parse_contention(text: str) -> tuple[float, ...]:
    """Read the speeds of one map on a node, of two, and so on; "" is no contention.

    InputError with the form to give.
    """
    try:
        return tuple(float(part) for part in text.split(",")) if text.strip() else ()
    except ValueError:
        form = "give the speed of a map alone on its node, of each of two, of each of three …: 1, 1, 1, 0.606"
        raise InputError(f"contention is {shorten(text)}; {form}") from None


def contention_text(speeds: tuple[float, ...]) -> str:
    """Write a curve of contention as `parse_contention` reads it."""
    return ", ".join(f"{speed:.12g}" for speed in speeds)


def memory_text(memory_mb: int) -> str:
    """Write memory in the largest unit that leaves no fraction."""
    if memory_mb and memory_mb % UNITS["GB"] == 0:
        return f"{memory_mb // UNITS['GB']}GB"
    return f"{memory_mb}MB"


def _parse_group(text: str) -> NodeGroup:
    form = "give nodes as number x memory, cores: 8x16GB,8 (more groups with +)"
    count, _, resources = text.partition("x")
    if not re.fullmatch(r"\s*\d{1,12}\s*", count):
        raise InputError(f"nodes are {shorten(text)}; {form}")
    return NodeGroup(int(count), *_parse_resources(resources, form))


def _parse_resources(text: str, form: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,12}(?:\.\d{1,6})?)\s*([MGT]B)\s*,\s*(\d{1,12})\s*", text, re.IGNORECASE)
    if found is None:
        raise InputError(f"resources are {shorten(text)}; {form}")
    megabytes = float(found[1]) * UNITS[found[2].upper()]
    if megabytes % 1:
        raise InputError(f"resources are {shorten(text)}; memory is counted in whole megabytes")
    return int(megabytes), int(found[3])
