"""The evented document: what it refuses, what it announces, how orders stay valid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.errors import DocumentError, InputError, UnknownName
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage

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


def test_an_equal_value_is_no_change(editor, document, heard):
    state = document.state
    editor.set_cluster(Cluster(30, 30, 1.0))
    editor.reset_order(1)
    editor.rename_scenario(1, " ")
    editor.make_baseline(1)
    editor.replace_job(0, replace(document.workload.jobs[0]))
    editor.move_scenario(2, 1)
    assert document.state is state
    assert heard == []


def test_listeners_see_the_whole_new_state(editor, document):
    seen = []
    document.workload_changed.connect(lambda: seen.append(document.state))
    editor.drop_order(2, ["J5", "J4", "J3", "J2", "J1"])
    editor.delete_jobs([0])
    assert seen == [document.state]
    assert document.scenario(2).order == ("J5", "J4", "J3", "J2")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda e: e.edit_job(0, "user", "me"), [("workload_changed",)]),
        (lambda e: e.set_cluster(Cluster(5, 5)), [("cluster_changed",)]),
        (lambda e: e.set_cluster(Cluster(5, 5), 2), [("scenario_changed", 2)]),
        (lambda e: e.choose_policy(1, PolicyChoice("sjf")), [("scenario_changed", 1)]),
        (lambda e: e.rename_scenario(1, "Mine"), [("scenario_changed", 1)]),
        (lambda e: e.make_baseline(2), [("baseline_changed",)]),
        (lambda e: e.add_scenario(PolicyChoice("sjf")), [("scenarios_changed",)]),
        (lambda e: e.move_scenario(2, 0), [("scenarios_changed",)]),
        (lambda e: e.remove_scenario(2), [("scenarios_changed",)]),
        (lambda e: e.remove_scenario(1), [("scenarios_changed",), ("baseline_changed",)]),
        (lambda e: e.load(e.document.state), [("reset",)]),
    ],
)
def test_each_change_announces_what_is_different_and_no_more(editor, heard, change, expected):
    change(editor)
    assert heard == expected


def test_loading_tells_the_path_too(document, heard, tmp_path):
    document.load(document.state, tmp_path / "a.slotscope")
    assert heard == [("reset",), ("path_changed",)]
    assert document.path == tmp_path / "a.slotscope"


def test_removing_the_baseline_makes_the_first_other_the_baseline(editor, document):
    editor.add_scenario(PolicyChoice("sjf"))
    editor.make_baseline(2)
    editor.remove_scenario(2)
    assert document.baseline == 1


def test_ids_are_never_used_again(editor, document):
    editor.add_scenario(PolicyChoice("sjf"))
    editor.remove_scenario(3)
    assert document.state.next_id == 4


def test_orders_drop_removed_jobs_and_append_new_ones(editor, document):
    editor.drop_order(2, ["J5", "J4", "J3", "J2", "J1"])
    editor.delete_jobs({1, 3})
    assert document.scenario(2).order == ("J5", "J3", "J1")
    editor.add_job(Job("new", Stage.of(1, 1)), 0)
    assert names(document) == ["new", "J1", "J3", "J5"]
    assert document.scenario(2).order == ("J5", "J3", "J1", "new")
    assert document.scenario(1).order is None


def test_order_texts_of_policies_drop_removed_jobs(editor, document):
    editor.choose_policy(1, PolicyChoice("order", {"order": "J5, J2,J1"}))
    editor.add_job(Job("new", Stage.of(1, 1)), 0)
    assert document.scenario(1).choice.parameters["order"] == "J5, J2,J1"
    editor.delete_jobs({2})
    assert document.scenario(1).choice.parameters["order"] == "J5,J1"


def test_renaming_a_job_renames_it_in_orders(editor, document):
    editor.drop_order(2, ["J5", "J4", "J3", "J2", "J1"])
    editor.choose_policy(1, PolicyChoice("order", {"order": "J5,J2"}))
    editor.replace_job(4, replace(document.workload.jobs[4], name="last, but first"))
    assert document.scenario(2).order == ("last, but first", "J4", "J3", "J2", "J1")
    assert document.scenario(1).choice.parameters["order"] == '"last, but first",J2'
    editor.choose_policy(1, PolicyChoice("by-hand", {"picks": "J2.map.1-3, at 2 s, J1.map.1"}))
    editor.replace_job(1, replace(document.workload.jobs[1], name="Two"))
    assert document.scenario(1).choice.parameters["picks"] == "Two.map.1-3, at 2 s, J1.map.1"


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        (lambda e: e.drop_order(1, ["J1"]), InputError, "leaves out J2, J3, J4, J5"),
        (lambda e: e.drop_order(1, ["J1", "J1", "J3", "J4", "J5"]), InputError, "'J1' twice"),
        (lambda e: e.drop_order(1, ["J1", "J6"]), UnknownName, "unknown job 'J6'; did you mean"),
        (lambda e: e.delete_jobs(range(5)), InputError, "at least one"),
        (
            lambda e: e.replace_job(0, replace(e.document.workload.jobs[0], name="J2")),
            DocumentError,
            "job J2: name is 'J2'; another job has this name",
        ),
        (
            lambda e: e.replace_job(0, replace(e.document.workload.jobs[0], arrival=-1.0)),
            DocumentError,
            "job J1: arrival is -1.0; arrival must be 0 s or later",
        ),
        (
            lambda e: e.replace_job(0, Job("empty")),
            DocumentError,
            "job empty: tasks: a job needs at least one map or reduce task",
        ),
        (lambda e: e.add_job(Job("two\nlines", Stage.of(1)), 0), DocumentError, "one line"),
    ],
)
def test_bad_values_get_a_sentence_and_change_nothing(editor, document, heard, change, error, sentence):
    state = document.state
    with pytest.raises(error, match=sentence):
        change(editor)
    assert document.state is state
    assert heard == []


def test_the_last_scenario_stays_and_a_seventh_does_not_fit(editor, document):
    for _ in range(4):
        editor.add_scenario(PolicyChoice("sjf"))
    with pytest.raises(InputError, match="6 scenarios already"):
        editor.add_scenario(PolicyChoice("sjf"))
    document.load(DocumentState.new(document.workload, (PolicyChoice("fifo"),)))
    with pytest.raises(InputError, match="only scenario"):
        editor.remove_scenario(1)


def test_an_unknown_scenario_is_a_key_error(editor):
    with pytest.raises(KeyError):
        editor.rename_scenario(9, "nobody")


def test_an_edit_of_one_job_checks_one_job(editor, document, monkeypatch):
    checked = []
    monkeypatch.setattr(
        "core.model.workload_rules._are_plain", lambda jobs: not checked.extend(job.name for job in jobs)
    )
    editor.edit_job(0, "arrival", 3.0)
    editor.add_pool()
    assert checked == ["J1"]
