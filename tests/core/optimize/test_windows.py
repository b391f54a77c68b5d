"""Work inside windows, against its definition at every second, and second by second on slots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.optimize.stage_demands import Machine, Pieces
from core.optimize.windows import begins, window_bound
from tests.random_tests import examples

Group = tuple[int, int, int, list[int]]  # head, tail, fluid and the tasks' lengths

groups = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.integers(0, 6),
        st.integers(0, 3),
        st.lists(st.integers(0, 5), min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=4,
)


def pieces_of(made: list[Group], task_type: int = 0) -> Pieces:
    heads, tails, fluid = (np.array([group[i] for group in made], float) for i in range(3))
    tasks = [(group, length) for group, (_, _, _, lengths) in enumerate(made) for length in lengths]
    return Pieces(
        task_type=task_type,
        heads=heads,
        tails=tails,
        fluid=fluid,
        lengths=np.array([length for _, length in tasks], float),
        group=np.array([group for group, _ in tasks], np.int32),
        work=np.array([sum(lengths) for *_, lengths in made]) + fluid,
        longest=np.array([float(max(lengths)) for *_, lengths in made]),
    )


def due(made: list[Group], begin: int, rest: float) -> float:
    """Slot-seconds that must be done by `rest` before the end, as the definition says it."""
    total = 0.0
    for head, tail, fluid, lengths in made:
        run = max(begin - head, 0)
        total += sum(
            min(max(length - run, 0), max(0.0, max(length - run, 0) + tail - rest)) for length in lengths
        )
        total += fluid if tail >= rest and run == 0 else 0
    return total


@examples(30)
@given(groups, st.integers(1, 3), st.integers(0, 5))
def test_it_is_the_largest_over_all_times(made: list[Group], slots: int, begin: int) -> None:
    machine = Machine((1 / slots, 0.0), 0, "slots")
    nothing = pieces_of([(0, 0, 0, [0])], 1)
    found = window_bound((pieces_of(made), nothing), machine, begin)
    last = max(
        (
            tail + max(max(lengths) - max(begin - head, 0), 0)
            for head, tail, fluid, lengths in made
            if max(lengths) > max(begin - head, 0) or (fluid and head >= begin)
        ),
        default=-1,
    )
    times = np.arange(0, last + 0.5, 0.5)
    twin = max((begin + rest + due(made, begin, rest) / slots for rest in times), default=0.0)
    assert found.seconds == pytest.approx(twin)
    beaten = window_bound((pieces_of(made), nothing), machine, begin, beat=twin + 1)
    assert beaten.seconds <= found.seconds


@examples(20)
@given(groups, groups, st.floats(0.2, 1), st.floats(0.1, 1))
def test_it_is_no_less_than_areas_with_heads_and_tails(
    maps: list[Group], reduces: list[Group], of_map: float, of_reduce: float
) -> None:
    """Any set of groups ends no sooner than its earliest head, plus its work, plus its shortest tail."""
    kinds, machine = (pieces_of(maps), pieces_of(reduces, 1)), Machine((of_map, of_reduce), 0, "memory")
    found = max((window_bound(kinds, machine, begin).seconds for begin in begins(kinds, machine)), default=0)
    heads, tails = (np.r_[getattr(kinds[0], name), getattr(kinds[1], name)] for name in ("heads", "tails"))
    work = np.r_[kinds[0].work * of_map, kinds[1].work * of_reduce]
    some = work > 0
    for order in (np.argsort(-tails[some]), np.argsort(-heads[some])):
        if some.any():
            first, last = (np.minimum.accumulate(each[some][order]) for each in (heads, tails))
            assert found >= (first + np.cumsum(work[some][order]) + last).max() * (1 - 1e-12)


def test_whole_tasks_count_where_there_are_slots() -> None:
    """Three tasks of 4 s on two slots, 1 s behind each: spread evenly 6 + 1 s, but one slot runs two."""
    pieces, nothing = pieces_of([(0, 1, 0, [4, 4, 4])]), pieces_of([(0, 0, 0, [0])], 1)
    assert window_bound((pieces, nothing), Machine((1 / 2, 0.0), 0, "memory"), 0).seconds == 7
    whole = window_bound((pieces, nothing), Machine((1 / 2, 0.0), 2, "slots"), 0)
    assert (whole.seconds, whole.waves) == (9, True)
    assert window_bound((nothing, nothing), Machine((1 / 2, 0.0), 2, "slots"), 0).seconds == 0
