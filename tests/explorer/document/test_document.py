"""The evented document: what it refuses, what it announces, how orders stay valid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.cluster import Cluster
from core.model.document_state import DocumentState, Scenario
from core.model.errors import DocumentError, InputError, UnknownName
from core.model.schedule import PolicyChoice
from core.model.workload import Job, Stage

SIGNALS = (
    "workload_changed",
    "cluster_changed",
    "scenarios_changed",
    "scenario_changed",
    "baseline_changed",
    "reset",
    "path_changed",
)


@pytest.fixture
def heard(document):
    """Names of the signals that the document sent, with their arguments."""
    log = []
    for name in SIGNALS:
        getattr(document, name).connect(lambda *arguments, name=name: log.append((name, *arguments)))
    return log


def names(document):
    return [job.name for job in document.workload.jobs]


def test_an_equal_value_is_no_change(document, heard):
    state = document.state
    document.set_cluster(Cluster(30, 30, 1.0))
    document.set_order(1, None)
    document.set_title(1, " ")
    document.set_baseline(1)
    document.replace_job(0, replace(document.workload.jobs[0]))
    document.rename_workload("Five jobs")
    document.move_scenario(2, 1)
    assert document.state is state
    assert heard == []


def test_listeners_see_the_whole_new_state(document):
    seen = []
    document.workload_changed.connect(lambda: seen.append(document.state))
    document.set_order(1, ["J5", "J4", "J3", "J2", "J1"])
    document.remove_jobs([0])
    assert seen == [document.state]
    assert document.scenario(1).order == ("J5", "J4", "J3", "J2")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda d: d.rename_workload("New"), [("workload_changed",)]),
        (lambda d: d.set_cluster(Cluster(5, 5)), [("cluster_changed",)]),
        (lambda d: d.set_scenario_cluster(2, Cluster(5, 5)), [("scenario_changed", 2)]),
        (lambda d: d.set_policy(1, PolicyChoice("sjf")), [("scenario_changed", 1)]),
        (lambda d: d.set_title(1, "Mine"), [("scenario_changed", 1)]),
        (lambda d: d.set_baseline(2), [("baseline_changed",)]),
        (lambda d: d.add_scenario(Scenario(3, PolicyChoice("sjf"))), [("scenarios_changed",)]),
        (lambda d: d.move_scenario(2, 0), [("scenarios_changed",)]),
        (lambda d: d.remove_scenario(2), [("scenarios_changed",)]),
        (lambda d: d.remove_scenario(1), [("scenarios_changed",), ("baseline_changed",)]),
        (lambda d: d.load(d.state), [("reset",)]),
    ],
)
def test_each_change_announces_what_is_different_and_no_more(document, heard, change, expected):
    change(document)
    assert heard == expected


def test_loading_tells_the_path_too(document, heard, tmp_path):
    document.load(document.state, tmp_path / "a.slotscope")
    assert heard == [("reset",), ("path_changed",)]
    assert document.path == tmp_path / "a.slotscope"


def test_removing_the_baseline_makes_the_first_other_the_baseline(document):
    document.add_scenario(Scenario(3, PolicyChoice("sjf")))
    document.set_baseline(2)
    document.remove_scenario(2)
    assert document.baseline == 1


def test_ids_are_never_used_again(document):
    document.add_scenario(Scenario(document.state.next_id, PolicyChoice("sjf")))
    document.remove_scenario(3)
    assert document.state.next_id == 4


def test_orders_drop_removed_jobs_and_append_new_ones(document):
    document.set_order(1, ["J5", "J4", "J3", "J2", "J1"])
    document.remove_jobs({1, 3})
    assert document.scenario(1).order == ("J5", "J3", "J1")
    document.insert_job(0, Job("new", Stage.of(1, 1)))
    assert names(document) == ["new", "J1", "J3", "J5"]
    assert document.scenario(1).order == ("J5", "J3", "J1", "new")
    assert document.scenario(2).order is None


def test_order_texts_of_policies_drop_removed_jobs(document):
    document.set_policy(1, PolicyChoice("order", {"order": "J5, J2,J1"}))
    document.insert_job(0, Job("new", Stage.of(1, 1)))
    assert document.scenario(1).choice.parameters["order"] == "J5, J2,J1"
    document.remove_jobs({2})
    assert document.scenario(1).choice.parameters["order"] == "J5,J1"


def test_renaming_a_job_renames_it_in_orders(document):
    document.set_order(1, ["J5", "J4", "J3", "J2", "J1"])
    document.set_policy(2, PolicyChoice("order", {"order": "J5,J2"}))
    document.replace_job(4, replace(document.workload.jobs[4], name="last, but first"))
    assert document.scenario(1).order == ("last, but first", "J4", "J3", "J2", "J1")
    assert document.scenario(2).choice.parameters["order"] == '"last, but first",J2'


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        (lambda d: d.set_order(1, ["J1"]), InputError, "leaves out J2, J3, J4, J5"),
        (lambda d: d.set_order(1, ["J1", "J1", "J3", "J4", "J5"]), InputError, "'J1' twice"),
        (lambda d: d.set_order(1, ["J1", "J6"]), UnknownName, "unknown job 'J6'; did you mean"),
        (lambda d: d.remove_jobs(range(5)), InputError, "at least one"),
        (lambda d: d.rename_workload(" "), InputError, "name is empty"),
        (
            lambda d: d.replace_job(0, replace(d.workload.jobs[0], name="J2")),
            DocumentError,
            "job J2: name is 'J2'; another job has this name",
        ),
        (
            lambda d: d.replace_job(0, replace(d.workload.jobs[0], arrival=-1.0)),
            DocumentError,
            "job J1: arrival is -1.0; arrival must be 0 s or later",
        ),
        (
            lambda d: d.insert_job(0, Job("empty")),
            DocumentError,
            "job empty: tasks: a job needs at least one map or reduce task",
        ),
        (lambda d: d.insert_job(0, Job("two\nlines", Stage.of(1))), DocumentError, "one line"),
    ],
)
def test_bad_values_get_a_sentence_and_change_nothing(document, heard, change, error, sentence):
    state = document.state
    with pytest.raises(error, match=sentence):
        change(document)
    assert document.state is state
    assert heard == []


def test_the_last_scenario_stays_and_a_seventh_does_not_fit(document):
    for number in (3, 4, 5, 6):
        document.add_scenario(Scenario(number, PolicyChoice("sjf")))
    with pytest.raises(InputError, match="6 scenarios already"):
        document.add_scenario(Scenario(7, PolicyChoice("sjf")))
    document.load(DocumentState.new(document.workload, (PolicyChoice("fifo"),)))
    with pytest.raises(InputError, match="only scenario"):
        document.remove_scenario(1)


def test_an_unknown_scenario_is_a_key_error(document):
    with pytest.raises(KeyError):
        document.set_title(9, "nobody")


def test_an_edit_of_one_job_checks_one_job(document, monkeypatch):
    checked = []
    monkeypatch.setattr("core.model.workload.job_problems", lambda job, *_: checked.append(job.name) or [])
    document.set_jobs([replace(document.workload.jobs[0], arrival=3.0), *document.workload.jobs[1:]])
    document.rename_workload("Another")
    assert checked == ["J1"]
