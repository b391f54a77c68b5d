"""A run written from what a record says equals the run that got there by itself: the slow twin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from core.engine.state import job_column, jobs_on_slots, records_of, stage_column
from core.forecast.record import record_until
from core.model.errors import InputError, StalledError
from core.model.progress import never_stop
from core.model.schedule import RECORDED, PolicyChoice, Schedule
from core.simulation.other_times import TaskTimes
from core.simulation.simulate import Engine, Simulation, simulate
from core.simulation.standing_record import standing_in
from tests.core.engine.compared import bits
from tests.core.engine.strategies import Case, cases
from tests.core.engine.test_resume import ENGINES
from tests.random_tests import examples

FIFO = PolicyChoice("fifo")
TIMES = st.sampled_from((0.0, 0.5, 1.0, 2.0, 3.5, 4.0, 7.0, 12.0, 40.0))


def as_record(case: Case) -> Schedule:
    """Return the schedule of a case as if a log had recorded it."""
    plain = not (case.cluster.contention or case.cluster.has_nodes or case.cluster.slot_times)
    assume(plain and not case.cluster.reduce_load)
    try:
        whole = simulate(case.workload, case.cluster, FIFO)
    except (StalledError, InputError):
        assume(False)
        raise
    return replace(whole, choice=PolicyChoice(RECORDED))


@examples(60)
@given(case=cases(policies=("fifo",)), time=TIMES, engine=ENGINES, then=st.sampled_from(("fifo", "fair")))
def test_a_run_written_from_a_record_goes_on_as_the_one_that_got_there(
    case: Case, time: float, engine: Engine, then: str
) -> None:
    """All that is to come is equal, so all that the engine keeps count of is."""
    record = as_record(case)
    assume((record.start <= time).any())
    known = record_until(record, time)
    order = np.argsort(
        np.lexsort((np.where(record.start <= time, record.start, np.inf), known.workload.columns.stage))
    )
    assume((order == np.arange(len(order))).all())  # fifo starts the tasks of a stage by number
    columns = record.workload.columns
    times = TaskTimes(columns.duration, columns.first_shuffle, columns.typical_shuffle)
    written = standing_in(known, time, PolicyChoice(then), engine, never_stop).with_times(times)
    walked = Simulation(case.workload, case.cluster, FIFO, engine=engine)
    walked.advance_until(time)
    walked = walked.with_policy(PolicyChoice(then)).with_times(times)
    assert_stand_alike(written, walked)
    for run in (written, walked):
        run.advance_until(np.inf)
    assert bits(written.schedule()) == bits(walked.schedule())


def assert_stand_alike(written: Simulation, walked: Simulation) -> None:
    """Compare what both count: of jobs, stages, slots and the cluster."""
    mine, theirs = written.state, walked.state
    assert jobs_on_slots(mine) == jobs_on_slots(theirs)
    for name in ("running", "started", "done", "stages_left", "parents_left", "next_stage", "finish"):
        assert np.array_equal(job_column(mine, name), job_column(theirs, name)), name
    for name in ("started", "done", "closed", "parents", "released"):
        assert np.array_equal(stage_column(mine, name), stage_column(theirs, name)), name
    for name in (
        "running",
        "free",
        "room",
        "arrived",
        "active",
        "started",
        "released",
        "fillers",
        "backlog",
        "waiting",
        "pending",
    ):
        assert np.array_equal(
            getattr(records_of(mine).cluster, name), getattr(records_of(theirs).cluster, name)
        ), name
