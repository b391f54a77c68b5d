"""Jobs that are columns are the same jobs as if each was an object."""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.logs.open_log import open_trace
from core.model.coded_values import CodedValues, coded, coded_rows
from core.model.errors import DocumentError
from core.model.many_jobs import JobColumns, values_of
from core.model.workload import Workload

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "job,kind,task,start,end,shuffle_end,user,pool,outcome"
TABLE = [
    "b,map,1,0,7,,ann,fast,succeeded",
    "b,map,2,0.5,9,,ann,fast,succeeded",
    "b,reduce,1,6,20,12,ann,fast,succeeded",
    "b,reduce,2,10,20,12.25,ann,fast,succeeded",
    "a,map,1,3,4,,bob,,succeeded",
    "c,map,1,4,8,,,,failed",
    "c,map,1,9,11,,,,succeeded",
    "c,reduce,1,8,15,12,,,succeeded",
    "d,map,1,4,8,,,,failed",
    "e,map,1,13,14,,bob,,succeeded",
    "e,reduce,1,13.5,16,15,bob,,succeeded",
]
"""A job of two waves, three of one map or reduce, one with a failed attempt and one without any task."""
SWF = [
    "; MaxProcs: 8",
    *(f"{i} {9 * i} 3 {20 - i} {i % 3 + 1} -1 -1 1 -1 -1 1 {i % 2} 1 1 1 1 -1 -1" for i in range(9)),
]


@pytest.fixture(params=["table", "swf"])
def imported(request: pytest.FixtureRequest, tmp_path: Path) -> Workload:
    path = tmp_path / "log"
    path.write_text("\n".join([HEADER, *TABLE] if request.param == "table" else SWF) + "\n")
    return open_trace([path]).workload


def test_columns_are_those_of_the_same_jobs_as_objects(imported):
    jobs = imported.jobs
    assert isinstance(jobs, JobColumns)
    of_columns = imported.columns
    other = Workload("other", tuple(jobs))
    for field in fields(of_columns):
        mine, theirs = getattr(of_columns, field.name), getattr(other.columns, field.name)
        if isinstance(mine, np.ndarray):
            assert (mine.dtype, mine.tobytes()) == (theirs.dtype, theirs.tobytes()), field.name
            assert not mine.flags.writeable
    assert of_columns.stages.count.tolist() == other.columns.stages.count.tolist()
    for name in ("pools", "job_index", "input_order", "type_counts", "size_text", "digest"):
        assert getattr(imported, name) == getattr(other, name), name
    for name in ("name", "arrival", "pool", "user", "weight", "after"):
        assert list(values_of(jobs, name)) == [getattr(job, name) for job in jobs]


def test_a_job_is_the_same_one_whenever_it_is_asked_for(imported):
    jobs = imported.jobs
    last = jobs[-1]
    assert jobs[np.int64(len(jobs) - 1)] is last
    assert list(jobs)[-1] is last
    assert jobs[1:3] == (jobs[1], jobs[2])
    assert [job.name for job in jobs[::-2]] == [job.name for job in jobs][::-2]
    assert jobs[5:2] == ()
    with pytest.raises(IndexError):
        jobs[len(jobs)]


def test_jobs_are_compared_and_copied_as_a_tuple_is(imported):
    jobs, whole = imported.jobs, tuple(imported.jobs)
    assert jobs == whole
    assert whole == jobs
    assert hash(jobs) == hash(whole)
    assert jobs != whole[1:]
    assert jobs != list(whole)
    copied = pickle.loads(pickle.dumps(jobs))
    assert type(copied) is tuple
    assert copied == jobs


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"names": ["a", "b", "a"]}, "jobs\\[2\\].name"),
        ({"names": ["a", "b\n", "c"]}, "jobs\\[1\\].name"),
        ({"names": ["a", "b", " "]}, "jobs\\[2\\].name"),
        ({"arrivals": np.array([0.0, -1, 2])}, "jobs\\[1\\].arrival"),
        ({"pools": CodedValues(np.array([0, 0, 1]), ["p", "\x07"].__getitem__)}, "jobs\\[2\\].pool"),
    ],
)
def test_what_is_wrong_with_a_job_among_columns_is_found(imported, change, rule):
    first = imported.jobs.at(np.arange(3))
    right = {"names": ["a", "b", "c"], "arrivals": first.arrivals, "pools": first.pools}
    assert len(Workload("right", JobColumns(**right, users=first.users, stages=first.stages)).jobs) == 3
    with pytest.raises(DocumentError, match=rule):
        Workload("wrong", JobColumns(**right | change, users=first.users, stages=first.stages))


def test_an_edit_of_one_job_leaves_the_others(imported):
    jobs = list(imported.jobs)
    edited = imported.with_jobs([jobs[0].placed("new", 0.0), *jobs[1:]])
    assert edited.jobs[0].name == "new"
    assert all(mine is theirs for mine, theirs in zip(edited.jobs[1:], imported.jobs[1:], strict=True))


def test_values_are_kept_by_numbers():
    texts = coded(["x", "y", "x", "z"])
    assert list(texts) == ["x", "y", "x", "z"]
    assert texts[1:] == ["y", "x", "z"]
    assert texts.at(np.array([3, 0])).used() == [("z", 1), ("x", 1)]
    assert texts.used() == [("x", 2), ("y", 1), ("z", 1)]
    assert list(texts.other(str.upper)) == ["X", "Y", "X", "Z"]
    assert list(texts.replaced(np.array([2]), ["w"])) == ["x", "y", "w", "z"]
    assert list(CodedValues.alike("x", 3)) == ["x"] * 3
    assert list(CodedValues.alike("x", 0)) == []


@pytest.mark.parametrize("most", [3, 1 << 40])
def test_rows_are_numbered_by_what_they_are(most):
    random = np.random.default_rng(most)
    columns = [
        random.integers(-1, 2, 50) * most,
        random.integers(0, 2, 50) == 1,
        random.integers(0, 3, 50) * most,
    ]
    which, different = coded_rows(columns)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    assert [different[number] for number in which.tolist()] == rows
    assert len(different) == len(set(rows))
