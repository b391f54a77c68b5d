"""A policy that misbehaves gives a sentence with its name, the time and the pick; never a crash."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyError, StalledError, UnknownName
from core.model.schedule import PolicyChoice
from core.simulation.simulate import Engine, simulate
from tests.builders import make_job, make_workload, run

if TYPE_CHECKING:
    from core.model.workload import Workload

both_engines = pytest.mark.parametrize("engine", ["interpreted", "compiled"])

WORKLOAD = make_workload(make_job("J1", (4, 2.0), (2, 3.0)), make_job("J2", (3, 1.0), (5, 1.0)))
CLUSTER = Cluster(2, 2, slowstart=0.5)


def message(policy: str, engine: Engine) -> str:
    with pytest.raises(PolicyError) as caught:
        run(WORKLOAD, CLUSTER, policy, engine=engine)
    return str(caught.value)


MAPS_ONLY = make_workload(make_job("J1", (4, 2.0)), make_job("J2", (3, 1.0)))
MAPS_AT_0_AND_1 = make_workload(make_job("J1", (1, 2.0)), make_job("J2", (1, 2.0), arrival=1.0))
REDUCES_AT_2 = make_workload(make_job("J1", (4, 2.0), (2, 3.0)), make_job("J2", (0,), (1, 1.0), arrival=2.0))


@both_engines
@pytest.mark.parametrize(
    ("policy", "workload", "sentence"),
    [
        ("wrong-job", WORKLOAD, "picked a reduce task of job number 99 at 0:00: there are 2 jobs"),
        ("repeated", MAPS_ONLY, "picked a map task of job 'J1' at 0:04: it has none that can start"),
        (
            "early-reduce",
            REDUCES_AT_2,
            "picked a reduce task of job 'J1' at 0:02: it has none that can start",
        ),
        ("other-kind", WORKLOAD, "picked a reduce task of job 'J1' at 0:00: it has none that can start"),
        ("too-early", MAPS_AT_0_AND_1, "picked a map task of job 'J2' at 0:00: it has none that can start"),
    ],
)
def test_wrong_picks(policy: str, workload: Workload, sentence: str, engine: Engine) -> None:
    with pytest.raises(PolicyError) as caught:
        run(workload, Cluster(2, 2, slowstart=1.0), policy, engine=engine)
    assert str(caught.value) == f"policy {policy} {sentence}"


@both_engines
@pytest.mark.parametrize(
    ("policy", "beginning"),
    [
        ("divides", "raised ZeroDivisionError at 0:00: (float )?division by zero"),
        ("out-of-range", "raised IndexError at 0:00: "),
        ("raises", "raised RuntimeError at 0:00: no such luck"),
        ("unknown-field", "raised AttributeError at 0:00: "),
        ("unknown-name", "raised NameError at 0:00: name 'size' is not defined"),
    ],
)
def test_exceptions(policy: str, beginning: str, engine: Engine) -> None:
    assert re.match(f"policy {policy} {beginning}", message(policy, engine))


@both_engines
def test_a_run_that_leaves_tasks_out(engine: Engine) -> None:
    ended = (
        r"policy writes-waiting ended at \d+:\d\d: tasks of J\d(| and \d more) did not run once each; what"
    )
    assert re.match(ended, message("writes-waiting", engine))


@both_engines
def test_a_stage_that_a_hook_writes_down(engine: Engine) -> None:
    assert re.match("policy writes-stage picked ", message("writes-stage", engine))


@both_engines
@pytest.mark.parametrize("policy", ["writes-first", "writes-tasks"])
def test_a_run_reads_tasks_from_its_stages_not_from_what_hooks_write(policy: str, engine: Engine) -> None:
    found, plain = (run(WORKLOAD, CLUSTER, each, engine=engine) for each in (policy, "fifo"))
    assert found.end.tolist() == plain.end.tolist()


def test_a_plan_that_writes_progress() -> None:
    assert message("plans-progress", "interpreted") == (
        "policy plans-progress: plan writes jobs['first'], the simulator's own; of the jobs it may write "
        "wanted, reduce_after, memo"
    )


@both_engines
@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (
            "unknown-argument",
            "policy UnknownArgument: key asks for 'jobs', which it cannot be given; did you mean 'job'?",
        ),
        (
            "asks-for-text",
            "policy AsksForText: key asks for 'label', which it cannot be given; "
            "known are job, kind, slot, pool, cluster",
        ),
        ("too-many", "policy TooManyParameters has 9 numeric parameters; 8 fit"),
        (
            "unknown-order",
            "policy unknown-order: order is 'size'; give 'arrival', 'deadline' or a function of workload "
            "and cluster",
        ),
        (
            "order-of-one",
            "policy order-of-one: order returned [0]; it must hold each job's index, 0 to 1, once",
        ),
        (
            "order-twice",
            "policy order-twice: order returned [0, 0]; it must hold each job's index, 0 to 1, once",
        ),
        (
            "order-divides",
            "policy order-divides: order raised ZeroDivisionError: integer division or modulo by zero",
        ),
        (
            "plan-asks",
            "policy plan-asks: plan asks for 'job', which it cannot be given; did you mean 'jobs'?",
        ),
    ],
)
def test_what_is_wrong_before_the_run(policy: str, sentence: str, engine: Engine) -> None:
    assert message(policy, engine) == sentence


@both_engines
def test_a_policy_that_never_serves_stalls(engine: Engine) -> None:
    with pytest.raises(StalledError) as caught:
        run(WORKLOAD, CLUSTER, "never", engine=engine)
    assert str(caught.value) == (
        "policy never stalled at 0:00: no task can end. Waiting: J1 (map), J2 (map). Slots held: none"
    )


@both_engines
def test_reduces_that_hold_every_container_stall(engine: Engine) -> None:
    """They wait for maps that wait for their slots; here from the arrival of the second job on."""
    workload = make_workload(
        make_job("first", (0,), (1, 5.0)),
        make_job("second", (4, 2.0), (2, 3.0)),
        make_job("third", (3, 1.0), (5, 1.0)),
    )
    with pytest.raises(StalledError) as caught:
        run(workload, Cluster(0, 0, 0.0, containers=3), "reduce-first", engine=engine)
    assert str(caught.value) == (
        "policy reduce-first stalled at 0:05: no task can end. "
        "Waiting: second (map), third (map), third (reduce). "
        "Slots held: C1 by third, C2 by second, C3 by second"
    )


@both_engines
def test_a_long_stall_is_cut_short(engine: Engine) -> None:
    workload = make_workload(*(make_job(f"J{i}", (1, 1.0)) for i in range(9)))
    with pytest.raises(StalledError, match=r"J5 \(map\) and 3 more\. Slots held: none"):
        run(workload, Cluster(1, 0), "never", engine=engine)


@both_engines
def test_late_times_are_not_rounded(engine: Engine) -> None:
    workload = make_workload(make_job("J1", (1, 1.0), arrival=1_234_567_890.0))
    with pytest.raises(PolicyError, match="at 14288 d 23:31:30"):
        run(workload, Cluster(1, 0), "wrong-job", engine=engine)


def test_unknown_policies_and_parameters_offer_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown policy 'fiffo'; did you mean 'fifo'\?"):
        run(WORKLOAD, CLUSTER, "fiffo")
    with pytest.raises(UnknownName, match=r"parameter of policy at-most 'mosst'; did you mean 'most'\?"):
        simulate(WORKLOAD, CLUSTER, PolicyChoice("at-most", {"mosst": 1}))
    with pytest.raises(InputError, match="policy at-most: parameter most is 0; give a whole number from 1"):
        simulate(WORKLOAD, CLUSTER, PolicyChoice("at-most", {"most": 0}))
