"""Samples come back to the last bit, or are refused."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.errors import InputError
from core.model.job import Job
from core.model.stages import MAP_REDUCE, Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.trace_database.entries import PACKED, PLAIN, pack, unpack
from tests.builders import make_job

SECONDS = st.lists(st.floats(0, 1e12), min_size=1, max_size=100)


@given(SECONDS, SECONDS, SECONDS, SECONDS, st.integers(1, 500), st.integers(0, 500))
def test_they_come_back_as_they_were(maps, reduces, first, typical, map_count, reduce_count):
    job = make_job("J", (map_count, maps), (reduce_count, reduces, first, typical))
    packed = pack(job)
    assert unpack(packed, map_count, reduce_count) == (job.stages, MAP_REDUCE)
    assert len(packed) <= 8 * (len(maps) + len(reduces) + len(first) + len(typical)) + 64


@pytest.mark.parametrize("seconds", [[1.5], [1.5, 2.5] * 300])
def test_a_changed_byte_is_noticed_wherever_it_is(seconds):
    packed = pack(make_job("J", (3, seconds), (2, 4, 1, 2)))
    assert packed[:1] == (PLAIN if len(seconds) == 1 else PACKED)
    for place in range(1, len(packed)):
        changed = bytes([*packed[:place], packed[place] ^ 16, *packed[place + 1 :]])
        with pytest.raises(InputError, match="damaged"):
            unpack(changed, 3, 2)


GRAPH = StageGraph((MAP, REDUCE, MAP), (Edge(0, 1, 1.0), Edge(1, 2, None)), ("scan", "", "join"))
QUERY = Job("Q", stages=(Stage.of(2, [0.1, 0.3]), Stage.of(3, 1.5, 0.2, [0.7, 0.9]), Stage()), graph=GRAPH)


def test_stages_of_a_graph_come_back_as_they_were():
    stages, graph = unpack(pack(QUERY), 2, 3)
    assert (stages, graph, graph.names) == (QUERY.stages, GRAPH, GRAPH.names)


def test_a_changed_byte_of_stages_is_noticed_and_so_are_other_counts():
    packed = pack(QUERY)
    for place in range(1, len(packed)):
        changed = bytes([*packed[:place], packed[place] ^ 16, *packed[place + 1 :]])
        with pytest.raises(InputError, match="damaged"):
            unpack(changed, 2, 3)
    with pytest.raises(InputError, match="damaged"):
        unpack(packed, 3, 2)


@pytest.mark.parametrize("stages", ['"x"', "[1]", "{}", '[{"count": "x"}]', '[{"count": 1e400}]', "[" * 9999])
def test_what_are_no_stages(stages):
    data = zlib.compress(stages.encode())
    with pytest.raises(InputError, match="damaged"):
        unpack(b"\2" + zlib.crc32(data).to_bytes(4, "little") + data, 0, 0)


@pytest.mark.parametrize("packed", [b"", b"\0", b"\1\0\0\0\0", b"\2abcdefgh", b"\0" + b"\0" * 400])
def test_what_are_no_samples(packed):
    with pytest.raises(InputError, match="damaged"):
        unpack(packed, 1, 1)
