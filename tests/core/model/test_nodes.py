"""What fits on nodes, and how nodes are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.nodes import (
    NodeGroup,
    Request,
    contention_text,
    nodes_text,
    parse_contention,
    parse_nodes,
    parse_request,
    request_text,
    rows_of_node,
)
from tests.builders import make_job, make_workload, run


@pytest.mark.parametrize(
    ("memory", "cores", "request_", "fits"),
    [
        # 004 section V.B and V.D.3: nodes of 40 GB and 8 cores, tasks of 2 cores and 2 to 8 GB: 4 at a time
        (40 * 1024, 8, Request(2 * 1024, 2), 4),
        (40 * 1024, 8, Request(8 * 1024, 2), 4),
        (40 * 1024, 8, Request(12 * 1024, 2), 3),
        (7, 9, Request(2, 3), 3),
        (7, 9, Request(2, 0), 3),
        (7, 9, Request(0, 3), 3),
        (1, 9, Request(2, 1), 0),
        (7, 0, Request(1, 1), 0),
    ],
)
def test_the_scarcest_resource_decides(memory: int, cores: int, request_: Request, fits: int) -> None:
    """004 section IV.A: min over resources of floor(available / requested)."""
    assert request_.fitting(memory, cores) == fits


amounts = st.integers(0, 4)
asked = st.builds(Request, amounts, amounts).filter(lambda r: r.memory_mb + r.cores > 0)


@given(memory=st.integers(1, 12), cores=st.integers(1, 12), maps=asked, reduces=asked)
def test_rows_are_the_most_tasks_of_any_mixture(
    memory: int, cores: int, maps: Request, reduces: Request
) -> None:
    most = max(
        m + r
        for m in range(13)
        for r in range(13)
        if m * maps.memory_mb + r * reduces.memory_mb <= memory
        and m * maps.cores + r * reduces.cores <= cores
    )
    assert rows_of_node(NodeGroup(1, memory, cores), maps, reduces) == most


def test_a_mixture_may_fit_better_than_either_kind() -> None:
    """Two maps need 8 of 10 cores, two reduces 8 of 10 GB: both pairs fit together, no third of either."""
    group = NodeGroup(1, 10, 10)
    maps, reduces = Request(1, 4), Request(4, 1)
    assert (maps.fitting(10, 10), reduces.fitting(10, 10), rows_of_node(group, maps, reduces)) == (2, 2, 4)


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("8x16GB,8", (NodeGroup(8, 16384, 8),)),
        (" 2 x 1.5 gb , 4+1x512MB,1 ", (NodeGroup(2, 1536, 4), NodeGroup(1, 512, 1))),
        ("1x2TB,64", (NodeGroup(1, 2 * 1024 * 1024, 64),)),
    ],
)
def test_nodes_as_text(text: str, groups: tuple[NodeGroup, ...]) -> None:
    assert parse_nodes(text) == groups
    assert parse_nodes(nodes_text(groups)) == groups


@given(groups=st.lists(st.builds(NodeGroup, *[st.integers(0, 10**6)] * 3), min_size=1, max_size=3).map(tuple))
def test_any_nodes_are_read_as_they_were_written(groups: tuple[NodeGroup, ...]) -> None:
    assert parse_nodes(nodes_text(groups)) == groups


@given(request_=st.builds(Request, st.integers(0, 10**6), st.integers(0, 10**6)))
def test_any_request_is_read_as_it_was_written(request_: Request) -> None:
    assert parse_request(request_text(request_)) == request_


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "nodes are ''; give nodes as number x memory, cores: 8x16GB,8"),
        ("16GB,8", "nodes are '16GB,8'; give nodes as"),
        ("8x16,8", "resources are '16,8'; give nodes as"),
        ("8x16GB", "resources are '16GB'; give nodes as"),
        ("8x16GB,8 + ", "nodes are ''; give nodes as"),
        ("8x0.3MB,1", "resources are '0.3MB,1'; memory is counted in whole megabytes"),
    ],
)
def test_what_cannot_be_read(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_nodes(text)
    assert sentence in str(caught.value)


def test_a_kind_of_task_that_fits_nowhere_is_refused() -> None:
    workload = make_workload(make_job("J1", (1, 1.0), (1, 1.0)))
    nodes = (NodeGroup(3, 2048, 2),)
    with pytest.raises(InputError, match="1 reduce tasks and no node has room for one; give it larger nodes"):
        run(workload, Cluster(0, 0, nodes=nodes, reduce_request=Request(4096, 1)))


@pytest.mark.parametrize(
    ("speeds", "why"),
    [
        ((1.0, 0.0), r"contention\[1\].*0.*a speed is a number from 0.001 to 1"),
        ((1.5,), r"contention\[0\].*a speed is a number from 0.001 to 1"),
        ((float("nan"),), r"a speed is a number"),
        ((True,), r"a speed is a number"),
        ((1.0, 0.5, 0.6), r"contention\[2\].*no map gets faster beside more maps; give at most 0.5"),
        ((1.0,) * 1001, r"give at most 1000"),
    ],
)
def test_a_curve_that_breaks_a_rule_is_refused(speeds: tuple[float, ...], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Cluster(0, 0, nodes=(NodeGroup(1, 1024, 1),), contention=speeds)


@pytest.mark.parametrize(
    ("speeds", "load", "rule"),
    [
        ((), 0.5, "reduces count in the contention of nodes; give a contention, too"),
        ((1.0,), -1.0, "reduce_load.*-1.*a reduce counts as 0 to 1000 maps"),
    ],
)
def test_what_reduces_count_is_checked(speeds: tuple[float, ...], load: float, rule: str) -> None:
    with pytest.raises(InputError, match=rule):
        Cluster(0, 0, nodes=(NodeGroup(1, 1024, 1),), contention=speeds, reduce_load=load)


def test_contention_needs_nodes() -> None:
    with pytest.raises(InputError, match="maps slow one another on nodes; give nodes instead of slots"):
        Cluster(4, 4, contention=(1.0, 0.5))


def test_a_curve_is_written_as_it_is_read() -> None:
    assert parse_contention(" 1,1, 1 ,0.606") == (1, 1, 1, 0.606)
    assert contention_text((1.0, 1.0, 0.606)) == "1, 1, 0.606"
    assert parse_contention("  ") == ()
    with pytest.raises(InputError, match="contention is 'fast'; give the speed of a map alone on its node"):
        parse_contention("fast")
