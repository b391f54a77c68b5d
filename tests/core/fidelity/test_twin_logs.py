"""Which of several logs of the same jobs is kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.fidelity import judge
from core.fidelity.twin_logs import twins_left_out
from tests.core.fidelity.test_fidelity import recorded_workload

if TYPE_CHECKING:
    from core.model.workload import Workload


def part_of(workload: Workload, count: int) -> Workload:
    """Return a log with its first jobs alone, called part."""
    run = workload.recorded
    assert run is not None
    mine = run.job < count
    columns = ("job", "kind", "task", "counts", "outcome", "host", "start", "shuffle_end", "sort_end", "end")
    fewer = replace(
        run,
        jobs=run.jobs[:count],
        titles=run.titles[:count],
        submit=run.submit[:count],
        launch=run.launch[:count],
        finish=run.finish[:count],
        **{name: getattr(run, name)[mine] for name in columns},
    )
    return replace(workload.with_jobs(workload.jobs[:count]), name="part", recorded=fewer)


WHOLE = recorded_workload(3, 8, name="whole")
LOGS = {
    "night/whole.json": WHOLE,
    "part.json": part_of(WHOLE, 5),
    "other.json": recorded_workload(4, 6, name="other"),
}


@pytest.mark.parametrize("order", list(permutations(LOGS)))
def test_the_larger_twin_is_kept_whatever_the_order(order: tuple[str, ...]) -> None:
    judged = judge([LOGS[path] for path in order], paths=order)
    assert sorted(each.log for each in judged.logs) == ["other", "whole"]
    assert judged.left_out == (
        ("part", "part.json: it has jobs of night/whole.json, and each job counts once"),
    )


@pytest.mark.parametrize("order", list(permutations(LOGS)))
def test_of_logs_that_lend_the_larger_twin_is_kept(order: tuple[str, ...]) -> None:
    judged = judge(
        [recorded_workload(5, 5, name="judged")], others=[LOGS[p] for p in order], paths=("j.json", *order)
    )
    assert sorted(judged.logs[0].others) == ["other", "whole"]
    assert [why.partition(":")[0] for _, why in judged.left_out] == ["part.json"]


def test_a_judged_log_stays_however_small_it_is() -> None:
    judged = judge([LOGS["part.json"]], others=[WHOLE, LOGS["other.json"]], paths=("p", "w", "o"))
    assert judged.left_out == (("whole", "w: it has jobs of p, and each job counts once"),)
    assert judged.logs[0].others == ("other",)


def test_copies_are_told_by_their_paths() -> None:
    copies = [replace(WHOLE, description=text) for text in "abc"]
    for order in permutations(("a/log", "b/log", "c/log")):
        left_out = twins_left_out(copies, order)
        assert {order[place]: kept for place, kept in left_out.items()} == {
            "b/log": "a/log",
            "c/log": "a/log",
        }


def test_logs_without_a_history_are_nobodys_twins() -> None:
    bare = replace(WHOLE, recorded=None)
    assert twins_left_out([bare, bare, WHOLE], ("a", "b", "c")) == {}
    assert np.all([log.recorded is not None for log in LOGS.values()])
