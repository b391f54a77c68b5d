"""Sessions keep the whole document and the layout; old ones open for ever."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from core.files import session_document
from core.files.atomic import Watch
from core.files.session_document import (
    Session,
    is_session,
    read_session,
    session_from_bytes,
    session_to_bytes,
    session_to_json,
    write_session,
)
from core.files.workload_document import is_workload_document
from core.files.workload_writing import write_workload
from core.model.cluster import Cluster
from core.model.document_state import DocumentState, Scenario
from core.model.errors import MAX_PROBLEMS, Cancelled, DocumentError
from core.model.estimates import DurationEstimates
from core.model.job import Job
from core.model.levers import JobPlan, StagePlan
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.schedule import Fork, PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.files.documents import encoded
from tests.gzipped import gzip_of
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path


POOLS = Partition((SlotPool("Small", 2, 3, ("J2",)), SlotPool("Large", 5, 5, ("J1",)), SlotPool("Idle")))
PLAN = Plan((JobPlan("J2", StagePlan(1 / 3, "longest", 2), reduces_after=1, pinned=True),), POOLS)
RAN = Workload("Monday", (Job("J1", Stage.of(2, [0.1, 7.0]), Stage.of(1, 2, 3, 4)),))
FORKS = Fork(
    1 / 3,
    2,
    PolicyChoice("johnson", {}, DurationEstimates(0.5, profile=RAN)),
    ("J2", "J1"),
    fork=Fork(0.25, 0, PolicyChoice("balanced-pools"), partition=POOLS),
)


@pytest.fixture
def session() -> Session:
    jobs = (Job("J1", Stage.of(3, [1 / 3, 2.0])), Job("J2", Stage.of(1, 4), deadline=9.5))
    scenarios = (
        Scenario(2, PolicyChoice("fifo")),
        Scenario(
            5,
            PolicyChoice("fair", {"weighted": True, "delay": 0.1}),
            ("J2", "J1"),
            Cluster(2, 1, 0.5),
            "Mine",
        ),
        Scenario(4, PolicyChoice("johnson"), cluster=Cluster(0, 0, 1.0, "overlap", 6)),
        Scenario(1, PolicyChoice("balanced-pools"), partition=POOLS),
        Scenario(3, PolicyChoice("sjf", {}, DurationEstimates(0.25, "task", 8)), fork=FORKS),
        Scenario(6, PolicyChoice("fifo"), fork=Fork(0.5, 0, PolicyChoice("fair"), plan=PLAN), plan=PLAN),
    )
    state = DocumentState(Workload("W", jobs), Cluster(7, 8, 0.25, "mumak"), scenarios, baseline=5, next_id=7)
    return Session(
        state, {"window": [0, 0, 800, 600], "panels": {"jobs": {"is_open": True}}}, "/data/w.workload.json"
    )


# The first version as it was first written; it must open in every later Slotscope.
VERSION_1 = """{
  "format": "slotscope-session",
  "version": 1,
  "path": null,
  "layout": {"window": "AAAA"},
  "cluster": {"map_slots": 30, "reduce_slots": 30, "slowstart": 1, "shuffle_model": "simmr"},
  "baseline": 1,
  "next_id": 3,
  "scenarios": [
    {"id": 1, "policy": "fifo", "parameters": {}, "order": null, "cluster": null, "title": ""},
    {"id": 2, "policy": "johnson", "parameters": {"a": 1.5}, "order": ["J1"], "cluster": {"containers": 4}, "title": "T"}
  ],
  "workload": {
    "format": "slotscope-workload",
    "version": 1,
    "jobs": [
      {"name": "J1", "maps": {"count": 3, "durations": 2}}
    ]
  }
}
"""  # noqa: E501


def test_version_1_opens_for_ever() -> None:
    workload = Workload("", (Job("J1", Stage.of(3, 2)),))
    scenarios = (
        Scenario(1, PolicyChoice("fifo")),
        Scenario(2, PolicyChoice("johnson", {"a": 1.5}), ("J1",), Cluster(0, 0, 0.05, "simmr", 4), "T"),
    )
    state = DocumentState(workload, Cluster(30, 30, 1.0), scenarios, baseline=1, next_id=3)
    assert session_from_bytes(VERSION_1.encode(), "old.slotscope") == Session(state, {"window": "AAAA"}, None)
    assert session_document.VERSIONS == (1, 2, 3, 4, 5, 6)


# The second one: scenarios may have pools made by hand.
VERSION_2 = VERSION_1.replace('"version": 1,\n  "path"', '"version": 2,\n  "path"').replace(
    '"title": "T"',
    '"title": "T", "pools": [{"name": "A", "map_slots": 4, "jobs": ["J1"]}, {"name": "B"}]',
)


def test_version_2_opens_for_ever() -> None:
    scenario = session_from_bytes(VERSION_2.encode(), "old.slotscope").state.scenarios[1]
    assert scenario.partition == Partition((SlotPool("A", 4, 0, ("J1",)), SlotPool("B")))


def test_estimates_stand_in_a_session_only_where_there_are_any(session: Session) -> None:
    scenarios = {scenario["id"]: scenario for scenario in session_to_json(session)["scenarios"]}
    assert [i for i, scenario in scenarios.items() if "estimates" in scenario] == [3]
    assert scenarios[3]["estimates"] == {"error": 0.25, "per": "task", "seed": 8}


# The third one: another policy may have decided up to a fork.
VERSION_3 = VERSION_2.replace('"version": 2,', '"version": 3,').replace(
    '"title": "T"',
    '"title": "T", "forks": [{"time": 3, "policy": "fair"}, {"time": 4.5, "decisions": 1, "policy": "order", '
    '"parameters": {"order": "J1"}, "order": ["J1"], "pools": [{"name": "A", "jobs": ["J1"]}]}]',
)


def test_version_3_opens_for_ever() -> None:
    scenario = session_from_bytes(VERSION_3.encode(), "old.slotscope").state.scenarios[1]
    first = Fork(3.0, 0, PolicyChoice("fair"))
    pools = Partition((SlotPool("A", 0, 0, ("J1",)),))
    assert scenario.fork == Fork(4.5, 1, PolicyChoice("order", {"order": "J1"}), ("J1",), pools, first)


@pytest.mark.parametrize("name", ["a.slotscope", "a.slotscope.gz"])
def test_a_session_comes_back(tmp_path: Path, session: Session, name: str) -> None:
    write_session(session, tmp_path / name)
    assert read_session(tmp_path / name) == session
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


@pytest.mark.parametrize("name", ["a.slotscope", "a.slotscope.gz", "a.workload.json"])
def test_what_is_cancelled_at_any_moment_leaves_the_old_file(
    tmp_path: Path, session: Session, name: str
) -> None:
    path, told = tmp_path / name, list[float]()

    def write(most: int) -> None:
        told.clear()
        watch = Watch(told.append, lambda: len(told) == most)
        if name.endswith(".json"):
            write_workload(session.state.workload, path, watch)
        else:
            write_session(session, path, watch=watch)

    for most in count():
        path.write_text("old")
        try:
            write(most)
        except Cancelled:
            assert path.read_text() == "old"
        else:
            break
    assert told == sorted(told)
    assert (len(told), told[-1]) == (most, 1.0)
    assert most > len(session.state.workload.jobs)
    assert path.read_bytes() != b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_paths_and_titles_of_any_kind_come_back(session: Session) -> None:
    state = session.state.with_scenario(Scenario(2, PolicyChoice("fifo"), title="<b>\n\ud800"))
    odd = Session(state, {}, "/data/\udcff\n.json")
    assert session_from_bytes(session_to_bytes(odd), "x") == odd


def test_sessions_are_told_from_workload_documents(session: Session) -> None:
    data = session_to_bytes(session)
    for form in (data, gzip_of(data)):
        assert is_session(form)
        assert not is_workload_document(form)
    assert not is_session(b'{"format": "slotscope-workload"}')


def changed(session: Session, **fields: Any) -> dict[str, Any]:
    """Return the session as JSON with some fields changed; those that are ... removed."""
    document = json.loads(session_to_bytes(session)) | fields
    return {key: value for key, value in document.items() if value is not ...}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"format": "slotscope-workload"},
            "format is 'slotscope-workload'; not the format that is expected here",
        ),
        ({"version": 7}, "version is 7; this Slotscope reads versions 1 to 6; install a newer one"),
        ({"workload": ...}, "workload: missing; add it: the workload document"),
        ({"workload": []}, "workload is []; give an object in braces"),
        ({"workload": {}}, "workload.format: missing"),
        (
            {"workload": {"format": "slotscope-workload", "version": 9}},
            "workload.version is 9; this Slotscope",
        ),
        ({"scenarios": []}, "scenarios is []; a document has 1 to 6 scenarios"),
        ({"scenarios": [{"id": i, "policy": "fifo"} for i in range(7)]}, "a document has 1 to 6 scenarios"),
        ({"scenarios": {}}, "scenarios is {}; give a list"),
        ({"scenarios": [5]}, "scenarios[0] is 5; give an object in braces"),
        ({"scenarios": [{"id": 1}]}, "scenarios[0].policy: missing; add it: id of the policy"),
        ({"scenarios": [{"id": 1, "policy": "fifo", "ordr": 1}]}, "ordr: unknown key; did you mean 'order'?"),
        (
            {"scenarios": [{"id": 1, "policy": "fifo", "order": ["a", 2]}]},
            "scenarios[0].order[1] is 2; give text",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "fifo", "parameters": {"a": []}}]},
            "parameters.a is []; give true or",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "cluster": {"map_slots": -1}}]},
            "scenarios[0].cluster.map_slots",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "cluster": {"map_slots": 0, "reduce_slots": 0}}]},
            "scenarios[0].cluster.map_slots is 0; a cluster needs at least one slot",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x"}] * 2},
            "scenario ids [1, 1] must differ and be below next_id 7",
        ),
        ({"baseline": 0}, "the baseline 0 is not one of the scenarios [2, 5, 4, 1, 3, 6]"),
        (
            {"scenarios": [{"id": 1, "policy": "x", "forks": [{"policy": "fifo"}]}]},
            "scenarios[0].forks[0].time: missing; add it: up to here this policy decides",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "forks": [{"policy": "fifo", "time": -1}]}]},
            "scenarios[0].forks[0].time is -1; give a number of seconds",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "forks": [{"policy": "fifo", "time": 1}] * 21}]},
            "a schedule changes its policy 20 times at most",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "estimates": {"error": 4}}]},
            "scenarios[0].estimates.error is 4; give a number from 0 to 3",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "estimates": {"per": "stage"}}]},
            "scenarios[0].estimates.per is 'stage'; not one of the choices; known are job, task",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "estimates": {"errr": 0.1}}]},
            "scenarios[0].estimates.errr: unknown key; did you mean 'error'?",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "estimates": {"profile": {}}}]},
            "scenarios[0].estimates.profile.format: missing",
        ),
        (
            {"scenarios": [{"id": 1, "policy": "x", "plan": {"jobs": [{"name": "J1"}, {"name": "J1"}]}}]},
            "scenarios[0].plan.jobs[1].name is 'J1'; job names are unique; jobs[0] has it already",
        ),
        ({"next_id": 5}, "must differ and be below next_id 5"),
        ({"next_id": "5"}, "next_id is '5'; give a whole number"),
        ({"cluster": {"slowstart": 2}}, "cluster.slowstart is 2; give a number of maps as a fraction"),
        ({"layout": []}, "layout is []; give an object in braces"),
        ({"path": 5}, "path is 5; give text, or null"),
        ({"lay": {}}, "lay: unknown key; did you mean 'layout'?"),
    ],
)
def test_a_broken_rule_gets_its_sentence(session: Session, fields: dict[str, Any], line: str) -> None:
    with pytest.raises(DocumentError) as caught:
        session_from_bytes(encoded(changed(session, **fields)), "x.slotscope")
    assert line in str(caught.value)
    assert str(caught.value).startswith("x.slotscope: ")


def test_problems_of_the_session_and_of_its_workload_are_told_together(session: Session) -> None:
    document = changed(session, baseline="b")
    document["workload"]["jobs"][1]["maps"]["durations"] = [1, -1]
    with pytest.raises(DocumentError) as caught:
        session_from_bytes(encoded(document), "x")
    assert [problem.where for problem in caught.value.problems] == [
        "baseline",
        "workload.jobs[1].maps.durations[1]",
    ]


def test_more_problems_than_are_listed_are_mentioned(session: Session) -> None:
    document = session_to_json(session)
    document["workload"]["jobs"] *= 100
    with pytest.raises(DocumentError, match="and more; only the first 50 problems are listed") as caught:
        session_from_bytes(encoded(document), "x")
    assert len(caught.value.problems) == MAX_PROBLEMS


def test_a_session_that_version_0_1_has_written_opens_and_runs_as_it_did() -> None:
    path = DATA / "version_0_1" / "session.slotscope"
    session = read_session(path)
    state = session.state
    assert session.layout == {"rows": "slot", "theme": "dark"}
    assert (state.baseline, state.next_id) == (2, 6)
    assert [scenario.choice.id for scenario in state.scenarios] == [
        "fifo", "order", "balanced-pools", "fair", "johnson",
    ]  # fmt: skip
    assert state.scenarios[3].fork == Fork(10.0, 2, PolicyChoice("fifo"))
    spans = [
        simulate(
            state.workload, state.cluster, each.choice, order=each.order, partition=each.partition
        ).makespan
        for each in state.scenarios[:3]
    ]
    assert spans == [74, 47, 76], "as version 0.1 said"
    assert session_from_bytes(session_to_bytes(session), "again") == session
