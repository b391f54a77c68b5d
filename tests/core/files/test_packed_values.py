"""What is packed comes back to the last bit, and what an edit left alone is not written again."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace

import numpy as np
import pytest

from core.files.packed_values import CLASSES, Packer, Unpacker
from core.files.samples import load_sample
from core.files.session_document import read_session
from core.generate.scaling import scale_workload
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.estimates import DurationEstimates
from core.model.job import Job, Link
from core.model.levers import JobPlan
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.recorded_run import RecordedGraphs, Unfinished
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import MAP_REDUCE, Stage
from core.model.workload import Origin, Workload
from tests.paths import DATA

CAPITAL = re.compile(r"\b[A-Z]\w+")
PARAMETERS = {"speed": 1, "name": "x", "on": True, "few": 0.5}
CHOICES = (PolicyChoice("fifo"), PolicyChoice("/odd \udc80/mine.py", PARAMETERS))


def there_and_back(state, old=None):
    """Return the state as it is read again, and how many bytes were written."""
    packer = Packer()
    packed = packer.pack(state) if old is None else packer.pack(state, old)
    text = json.dumps(packed)
    unpacker = Unpacker(packer.arrays)
    again = unpacker.unpack(json.loads(text)) if old is None else unpacker.unpack(json.loads(text), old)
    return again, len(text) + sum(array.nbytes for array in packer.arrays)


def rich():
    """Return a document in which every kind of value occurs."""
    recorded = open_trace([DATA / "rumen-2011.json"]).workload
    jobs = (
        Job("a", Stage.of(2, [2.0, 2.0]), Stage.of(1, -0.0, 1.5, [1.0, 2.0]), 0.5, 9.0, max_slots=3),
        Job("b ü", Stage.of(1, 4.0), service_levels=((7.0, 1.0), (9.0, 2.5)), shuffle_bytes=1e9),
        Job("c", Stage.of(1, 4.0), after=(Link("a", 2.5), Link("b ü", 0.0, True))),
    )
    run = recorded.recorded
    assert run is not None
    stages = RecordedGraphs(tuple(MAP_REDUCE for _ in run.jobs), run.stage)
    few = np.zeros(1, np.int32)
    run = replace(run, graphs=stages, under_way=Unfinished(9.5, few, few.astype(np.int64), few, few, few))
    recorded = replace(recorded, recorded=run)
    origin = Origin("own", 3, (("jobs", 2), ("bimodal", True)))
    workload = replace(recorded, jobs=(*recorded.jobs, *jobs), origin=origin)
    state = DocumentState.new(workload, CHOICES)
    planned = PolicyChoice("sjf", {}, DurationEstimates(0.3, "task", 7, load_sample("five-jobs")))
    first = replace(
        state.scenarios[0], choice=planned, title="mine", cluster=Cluster(3, 4, overheads=Overheads())
    )
    coming = Cluster(3, 4, slot_times=(SlotTime(2, 1.0, kind=0), SlotTime(1, 0.0, 5.0, 0)))
    second = replace(state.scenarios[1], cluster=coming)
    nodes = Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4), NodeGroup(1, 2048, 2)), contention=(1.0, 0.5))
    return replace(state.with_scenario(first).with_scenario(second), cluster=nodes)


def of_sample(name):
    return lambda: DocumentState.new(load_sample(name), CHOICES)


STATES = {
    "rich": rich,
    "by hand, pools, forks": lambda: read_session(DATA / "version_0_1" / "session.slotscope").state,
    "ten-scans": of_sample("ten-scans"),
    "facebook": of_sample("facebook"),
}


@pytest.mark.parametrize("make", STATES.values(), ids=STATES)
def test_a_document_comes_back_exactly(make):
    state = make()
    again, _ = there_and_back(state)
    assert again == state
    assert again.workload.digest == state.workload.digest
    assert [job.maps.durations.shape for job in again.workload.jobs] == [
        job.maps.durations.shape for job in state.workload.jobs
    ]


@pytest.fixture
def large():
    rng = np.random.default_rng(1)
    jobs = tuple(Job(f"L{i}", Stage.of(2_000, rng.uniform(1, 9, 2_000))) for i in range(40))
    return DocumentState.new(Workload("Large", jobs, Cluster(10, 10)), CHOICES)


def with_jobs(state, change):
    jobs = list(state.workload.jobs)
    change(jobs)
    return replace(state, workload=state.workload.with_jobs(jobs))


SMALL_EDITS = {
    "one job": lambda s: with_jobs(s, lambda jobs: jobs.__setitem__(7, replace(jobs[7], arrival=3.0))),
    "delete": lambda s: with_jobs(s, lambda jobs: jobs.pop(3)),
    "insert": lambda s: with_jobs(s, lambda jobs: jobs.insert(0, Job("new", Stage.of(1, 1.0)))),
    "a few jobs": lambda s: with_jobs(
        s, lambda jobs: [jobs.__setitem__(i, replace(jobs[i], arrival=3.0)) for i in (3, 9, 20)]
    ),
    "cluster": lambda s: replace(s, cluster=Cluster(7, 7)),
    "order": lambda s: s.with_scenario(
        replace(s.scenarios[1], order=tuple(job.name for job in reversed(s.workload.jobs)))
    ),
    "one scenario less": lambda s: replace(s, scenarios=s.scenarios[:1], next_id=9),
    "nothing": lambda s: s,
}


@pytest.mark.parametrize("edit", SMALL_EDITS.values(), ids=SMALL_EDITS)
def test_a_small_edit_is_small(large, edit):
    after = edit(large)
    again, size = there_and_back(after, large)
    assert again == after
    assert size < 1_500 < there_and_back(after)[1]
    assert again.workload.jobs[-1] is large.workload.jobs[-1]


def test_an_edit_of_every_job_is_as_large_as_its_samples(large):
    after = replace(large, workload=scale_workload(large.workload, 1.5))
    again, size = there_and_back(after, large)
    assert again == after
    assert size < 1.3 * sum(job.maps.durations.nbytes for job in after.workload.jobs)


def test_one_field_of_every_job_is_all_that_is_written(large):
    jobs = [replace(job, arrival=7.0 + place) for place, job in enumerate(large.workload.jobs)]
    after = replace(large, workload=large.workload.with_jobs(jobs))
    again, size = there_and_back(after, large)
    assert again == after
    assert size < 1_000
    assert again.workload.jobs[3].maps is large.workload.jobs[3].maps


def test_what_is_shared_is_written_once():
    stage = Stage.of(1_000, np.arange(1.0, 1_001))
    jobs = tuple(Job(f"J{i}", stage) for i in range(50))
    again, size = there_and_back(DocumentState.new(Workload("Shared", jobs), CHOICES))
    assert size < 2 * stage.durations.nbytes
    assert again.workload.jobs[0].maps is again.workload.jobs[49].maps


def test_every_class_of_a_document_is_known():
    plain = {
        "Any",
        "Mapping",
        "NDArray",
        "Blocks",
        "InputNodes",
        "ServiceLevels",
        "ShuffleModel",
        "Happening",
        "MapOutputs",
        "TaskOrder",
        "InitVar",
        "Sequence",
        "None",
    }
    plain |= {"RoomUse"}
    named = {
        name
        for kind in CLASSES.values()
        for field in fields(kind)
        for name in CAPITAL.findall(str(field.type))
    }
    assert named - plain == CLASSES.keys() - {"DocumentState"}


def test_what_an_older_program_did_not_know_has_its_default():
    columns = {"name": ["json", ["J1", "J2"]], "pinned": ["json", [True, False]]}
    older = ["tuple", 0, 0, ["class", None, "JobPlan", columns]]
    assert Unpacker([]).unpack(older) == (JobPlan("J1", pinned=True), JobPlan("J2"))
    with pytest.raises(ValueError, match="the fields of a JobPlan are others"):
        Unpacker([]).unpack(["tuple", 0, 0, ["class", None, "JobPlan", columns | {"x": ["json", [1, 2]]}]])


@pytest.mark.parametrize(
    "bad", [["new", "Path", {}], ["="], ["like", {}], ["tuple", 5, 5, ["json", []]], ["new"], [[]]]
)
def test_nothing_but_known_values_is_made(bad):
    with pytest.raises((KeyError, TypeError, ValueError)):
        Unpacker([]).unpack(bad)
