"""What goes wrong in the public module is a sentence, and the call is where it is raised."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import pytest

import slotscope
from tests.paths import DATA

if TYPE_CHECKING:
    from collections.abc import Callable

ANYHOW: Any = slotscope
"""Called as a type checker would not let it be called."""
WRONG: dict[str, Callable[[], object]] = {
    "unknown file or sample 'five-job'; did you mean 'five-jobs'?": lambda: slotscope.open("five-job"),
    "a workload cannot be 3; give the name of a sample": lambda: ANYHOW.simulate(3),
    "unknown policy 'jonson'; did you mean 'johnson'?": lambda: slotscope.simulate("five-jobs", "jonson"),
    "a policy cannot be 7; give the id of one": lambda: ANYHOW.simulate("five-jobs", 7),
    "unknown setting of a cluster 'map_slot'; did you mean 'map_slots'?": lambda: ANYHOW.simulate(
        "five-jobs", map_slot=3
    ),
    "map_slots is -3; slots must be a whole number": lambda: slotscope.simulate("five-jobs", map_slots=-3),
    "give map_slots and reduce_slots, or containers, or nodes: a cluster has one kind": lambda: (
        slotscope.simulate("five-jobs", map_slots=3, containers=5)
    ),
    "say how tasks share nodes; give nodes, too": lambda: slotscope.simulate("five-jobs", reduce_load=1.0),
    "plan and order both say who goes first": lambda: slotscope.simulate(
        "five-jobs", order=["J1"], plan="x.json"
    ),
    "estimates: fifo plans on no durations": lambda: slotscope.simulate(
        "five-jobs", "fifo", estimates="error=1"
    ),
    "policies is empty": lambda: slotscope.compare("five-jobs", []),
    "unknown parameter of fifo 'error'": lambda: slotscope.compare(
        "five-jobs", ["fifo"], parameters={"error": 1}
    ),
    "recorded=True needs a log that has tasks": lambda: slotscope.compare("five-jobs", [], recorded=True),
    "unknown schedule of the comparison 'fair'": lambda: slotscope.compare("five-jobs", ["fifo"])["fair"],
    "seconds and steps both say how long to search": lambda: slotscope.optimize(
        "five-jobs", seconds=1, steps=1
    ),
    "steps is 0; give at least 1": lambda: slotscope.fewest("five-jobs", 50, steps=0),
    "the time to end by is -1 s": lambda: slotscope.fewest("five-jobs", -1, steps=1),
    "robust is 9; give a number from 0 to 3": lambda: slotscope.optimize("five-jobs", robust=9),
    "give robust=0.3, too": lambda: slotscope.optimize("five-jobs", robust_per="job"),
    "unknown job of Five jobs 'J9'": lambda: slotscope.optimize("five-jobs", pin=["J9"]),
    "unknown workload family 'facebok'": lambda: slotscope.generate("facebok"),
    "parameter jobs is 'x'; give a whole number": lambda: slotscope.generate("facebook", jobs="x"),
    "unknown study file or preset 'x'": lambda: slotscope.study("x"),
    "workers is 0; give at least 1": lambda: slotscope.study("002-figure-4", workers=0),
    "does not say what really ran": lambda: slotscope.fidelity("five-jobs"),
    "schema": lambda: slotscope.study({"format": "slotscope-schema"}),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_is_a_sentence(sentence: str) -> None:
    with pytest.raises(slotscope.InputError) as caught:
        WRONG[sentence]()
    assert sentence in str(caught.value)
    assert "--" not in str(caught.value)


def test_errors_end_at_the_call() -> None:
    with pytest.raises(slotscope.InputError) as caught:
        slotscope.simulate(DATA / "nothing-of-this-name.log")
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.name for frame in frames] == ["test_errors_end_at_the_call", "called"]
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_fault_of_ours_keeps_its_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object, **_named: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("slotscope.workloads.opened", broken)
    with pytest.raises(ZeroDivisionError) as caught:
        slotscope.open("five-jobs")
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "broken"
