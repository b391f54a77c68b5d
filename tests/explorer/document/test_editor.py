"""Every intention is one step of undo, in the user's words; bad values push nothing."""

from __future__ import annotations

import weakref
from dataclasses import replace

import numpy as np
import pytest

from core.generate.scaling import scale_durations
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.errors import InputError, UnknownName
from core.model.estimates import DurationEstimates
from core.model.job import Job, Link
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from explorer.document.document import Document
from explorer.document.editor import Editor
from tests.written_application import AFTER, DIAMOND, write_application


def twice_as_long(editor):
    return scale_durations(editor.document.workload, 2.0, 2.0)


INTENTIONS = [
    ("Set arrival of J2 to 5", lambda e: e.edit_job(1, "arrival", "5")),
    ("Set deadline of J2 to 90.5", lambda e: e.edit_job(1, "deadline", 90.5)),
    ("Set maps of J2 to 31", lambda e: e.edit_job(1, "map_count", 31)),
    ("Set map duration of J2 to 4, 5, 6", lambda e: e.edit_job(1, "map_durations", "4 5; 6")),
    ("Set typical shuffle of J2 to 3", lambda e: e.edit_job(1, "typical_shuffle", 3)),
    ("Set service levels of J2 to 80:1, 90:5", lambda e: e.edit_job(1, "service_levels", "80:1, 90:5")),
    ("Set pool of J2 to night", lambda e: e.edit_job(1, "pool", "night")),
    ("Set weight of J2 to 2", lambda e: e.edit_job(1, "weight", "2")),
    ("Set dataset of J2 to logs", lambda e: e.edit_job(1, "dataset", "logs")),
    ("Set shuffle bytes of J2 to 2e+10", lambda e: e.edit_job(1, "shuffle_bytes", "2e10")),
    ("Let J2 follow J1", lambda e: e.follow_job(1, "J1", 2.5)),
    ("Rename J2 to Report", lambda e: e.edit_job(1, "name", "Report")),
    (
        "What if: task times × 2",
        lambda e: e.take_what_if(twice_as_long(e), e.document.cluster, 1, "task times × 2"),
    ),
    ("Edit J1", lambda e: e.replace_job(0, Job("other", Stage.of(3, 3)))),
    ("Add J6", lambda e: e.add_job()),
    ("Add first", lambda e: e.add_job(Job("first", Stage.of(1, 1)), 0)),
    ("Duplicate J2", lambda e: e.duplicate_jobs([1])),
    ("Duplicate 2 jobs", lambda e: e.duplicate_jobs([3, 1])),
    ("Delete J4", lambda e: e.delete_jobs([3])),
    ("Delete 2 jobs", lambda e: e.delete_jobs([0, 3])),
    ("Set map slots to 40", lambda e: e.edit_cluster(map_slots=40)),
    ("Set map slots to 40 in Johnson", lambda e: e.edit_cluster(2, map_slots=40)),
    ("Change the cluster", lambda e: e.set_cluster(Cluster(0, 0, 0.5, containers=9))),
    ("Use the common cluster in FIFO, edited", lambda e: e.reset_scenario_cluster(1)),
    ("Add Shortest job first", lambda e: e.add_scenario(PolicyChoice("sjf"))),
    ("Add MaxEDF", lambda e: e.add_scenario(PolicyChoice("edf-max"), 0)),
    ("Duplicate FIFO, edited", lambda e: e.duplicate_scenario(1)),
    ("Add On 5 + 5", lambda e: e.add_beside(1, replace(e.document.scenario(1), title="On 5 + 5"))),
    ("Remove Johnson", lambda e: e.remove_scenario(2)),
    ("Remove FIFO, edited", lambda e: e.remove_scenario(1)),
    ("Move Johnson", lambda e: e.move_scenario(2, 0)),
    ("Compare with Johnson", lambda e: e.make_baseline(2)),
    ("Rename Johnson to Mine", lambda e: e.rename_scenario(2, " Mine ")),
    ("Use MaxEDF instead of FIFO, edited", lambda e: e.choose_policy(1, PolicyChoice("edf-max"))),
    ("Set order of Explicit order to J3,J1", lambda e: e.set_parameter(3, "order", "J3,J1")),
    ("Plan Johnson on estimates ±30 %", lambda e: e.set_estimates(2, DurationEstimates(0.3))),
    ("Move J2 before J4 in Johnson", lambda e: e.move_job(2, "J2", 2)),
    ("Move J5 before J2 in FIFO, edited", lambda e: e.move_job(1, "J5", 2)),
    ("Move J1 to the end in Johnson", lambda e: e.drop_order(2, ["J2", "J3", "J4", "J5", "J1"])),
    ("Reorder 4 jobs in Johnson", lambda e: e.drop_order(2, ["J5", "J4", "J3", "J2", "J1"])),
    ("Back to FIFO's own order", lambda e: e.reset_order(1)),
    ("Optimise FIFO, edited", lambda e: e.take_plan(1, Plan.of_order(("J2", "J1")))),
    ("Optimise FIFO, edited from 0:05", lambda e: e.take_rest(1, 5.0, Plan.of_order(("J2", "J1")))),
    ("Optimise FIFO, edited", lambda e: e.take_plan(1, Plan.of_order(("J2",)), "Mine", in_place=True)),
]


@pytest.fixture
def rich(editor):
    """An editor whose document has a bit of everything: hand-made orders, clusters, an order text."""
    editor.make_baseline(2)
    editor.drop_order(1, ["J5", "J4", "J3", "J2", "J1"])
    editor.make_baseline(1)
    editor.set_cluster(Cluster(10, 10), 1)
    editor.add_scenario(PolicyChoice("order", {"order": "J4,J2"}))
    editor.undo_stack.clear()
    return editor


def parts(state):
    """A state without the counter of ids, which only ever grows."""
    return replace(state, next_id=100)


@pytest.mark.parametrize(("text", "act"), INTENTIONS, ids=[text for text, _ in INTENTIONS])
def test_the_law_of_undo(rich, text, act):
    before = rich.document.state
    act(rich)
    after = rich.document.state
    assert rich.undo_stack.count() == 1
    assert rich.undo_stack.undoText() == text
    assert parts(after) != parts(before)
    for _ in range(2):
        rich.undo_stack.undo()
        assert parts(rich.document.state) == parts(before)
        rich.undo_stack.redo()
        assert rich.document.state == after


def test_all_steps_can_be_undone_in_a_row(rich):
    before = rich.document.state
    for _, act in INTENTIONS[:20]:
        act(rich)
    after = rich.document.state
    rich.undo_stack.setIndex(0)
    assert parts(rich.document.state) == parts(before)
    rich.undo_stack.setIndex(rich.undo_stack.count())
    assert rich.document.state == after


REFUSED = [
    (lambda e: e.take_rest(1, -1.0, Plan.of_order(("J1",))), "a schedule forks at 0 s or later"),
    (lambda e: e.take_plan(1, Plan.of_order(("J9",))), r"plan: jobs\[0\].name is 'J9'; there is no such job"),
    (lambda e: e.unpin_job(1, "J1"), "FIFO follows no plan, so no job is pinned there"),
    (lambda e: e.set_estimates(1, DurationEstimates(0.3)), "FIFO plans on no durations"),
    (lambda e: e.edit_job(1, "arrival", "soon"), "job J2: arrival is 'soon'; give a number"),
    (lambda e: e.edit_job(1, "arrival", -3), r"job J2: arrival is -3.0; arrival must be"),
    (lambda e: e.edit_job(1, "map_count", 2.5), "give a whole number"),
    (lambda e: e.edit_job(1, "map_durations", "4, x"), "map duration is 'x'; give a number"),
    (lambda e: e.edit_job(1, "map_durations", [4, -1]), "times are seconds"),
    (lambda e: e.edit_job(1, "map_durations", ""), "map duration is empty"),
    (lambda e: e.edit_job(1, "weight", "nan"), "weight is 'nan'"),
    (lambda e: e.edit_job(1, "think", 3), "job J2: follows no other job, so it has no think time"),
    (lambda e: e.follow_job(1, "J9"), r"after\[0\].job is 'J9'; no job has this name"),
    (lambda e: e.follow_job(1, "J2"), "follow one another in a circle"),
    (lambda e: e.cut_links(1), "J2 follows no other job: it arrives at a fixed time already"),
    (lambda e: e.edit_job(1, "service_levels", "soon"), "'soon' is not 'seconds:cost'"),
    (lambda e: e.edit_job(1, "service_levels", "9:2, 8:3"), r"job J2: service_levels\[1\] is \[8.0, 3.0\]"),
    (lambda e: e.edit_job(1, "name", "J1"), "another job has this name"),
    (lambda e: e.edit_job(1, "name", "  "), "a job needs a name"),
    (lambda e: e.edit_job(1, "arival", 1), "did you mean 'arrival'"),
    (lambda e: e.delete_jobs(range(5)), "at least one"),
    (lambda e: e.add_job(Job("J1", Stage.of(1, 1))), "has it already"),
    (lambda e: e.edit_cluster(map_slots=-1), "map_slots is -1; slots must be"),
    (lambda e: e.edit_cluster(slots=1), "unknown field of a cluster 'slots'"),
    (lambda e: e.choose_policy(1, PolicyChoice("jonson")), "did you mean 'johnson'"),
    (lambda e: e.add_scenario(PolicyChoice("fifo", {"x": 1})), "unknown parameter"),
    (lambda e: e.set_parameter(1, "speed", 1), "unknown parameter"),
    (lambda e: e.move_job(1, "J9", 0), "unknown job 'J9'"),
    (lambda e: e.drop_order(1, ["J1", "J2"]), "leaves out"),
]


@pytest.mark.parametrize(("act", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_bad_values_push_nothing(editor, act, sentence):
    state = editor.document.state
    with pytest.raises(InputError, match=sentence):
        act(editor)
    assert editor.document.state is state
    assert editor.undo_stack.count() == 0
    assert not editor.is_modified


@pytest.mark.parametrize(
    "act",
    [
        lambda e: e.edit_job(1, "arrival", 0),
        lambda e: e.edit_job(1, "deadline", ""),
        lambda e: e.edit_job(1, "map_durations", np.array([1.0])),
        lambda e: e.edit_cluster(map_slots=30),
        lambda e: e.duplicate_jobs([]),
        lambda e: e.delete_jobs([]),
        lambda e: e.choose_policy(1, PolicyChoice("fifo")),
        lambda e: e.reset_order(1),
        lambda e: e.make_baseline(1),
        lambda e: e.move_scenario(2, 7),
        lambda e: e.drop_order(1, ["J1", "J2", "J3", "J4", "J5"]),
    ],
)
def test_edits_that_change_nothing_push_nothing(editor, act):
    act(editor)
    assert editor.undo_stack.count() == 0


def test_turning_a_spin_box_is_one_step(editor):
    for slots in (31, 32, 33):
        editor.edit_cluster(map_slots=slots)
    assert editor.undo_stack.count() == 1
    assert editor.undo_stack.undoText() == "Set map slots to 33"
    editor.undo_stack.undo()
    assert editor.document.cluster.map_slots == 30


def test_turning_it_back_leaves_no_step(editor):
    editor.edit_cluster(map_slots=31)
    editor.edit_cluster(map_slots=30)
    assert editor.undo_stack.count() == 0
    assert not editor.is_modified


@pytest.mark.parametrize(
    "second",
    [
        lambda e: e.edit_cluster(reduce_slots=40),
        lambda e: e.edit_cluster(1, map_slots=40),
        lambda e: e.edit_job(0, "arrival", 3),
        lambda e: (e.end_gesture(), e.edit_cluster(map_slots=40)),
        lambda e: (e.mark_saved("x"), e.edit_cluster(map_slots=40)),
    ],
)
def test_other_fields_gestures_and_saving_end_the_merging(editor, second):
    editor.edit_cluster(map_slots=31)
    second(editor)
    assert editor.undo_stack.count() == 2


def test_job_fields_and_parameters_merge_too(editor):
    for value in (1, 2, 3):
        editor.edit_job(0, "arrival", value)
    editor.edit_job(1, "arrival", 1)
    editor.choose_policy(1, PolicyChoice("order"))
    for text in ("J2", "J2,J3"):
        editor.set_parameter(1, "order", text)
    assert editor.undo_stack.count() == 4


def test_a_drag_is_one_step_and_says_so(editor, qtbot):
    with qtbot.waitSignal(editor.edited):
        editor.drop_order(2, ["J2", "J1", "J3", "J4", "J5"], moved="J1")
    assert editor.undo_stack.count() == 1
    assert editor.undo_stack.undoText() == "Move J1 before J3 in Johnson"


def test_a_drop_where_it_was_keeps_the_computed_order(editor, qtbot):
    shown = ["J2", "J5", "J1", "J3", "J4"]
    with qtbot.assertNotEmitted(editor.edited):
        editor.drop_order(2, shown, shown=shown)
    assert editor.document.scenario(2).order is None


def test_moving_starts_from_the_order_people_see(editor):
    shown = ["J2", "J5", "J1", "J3", "J4"]
    editor.move_job(2, "J1", 0, shown)
    assert editor.document.scenario(2).order == ("J1", "J2", "J5", "J3", "J4")
    assert editor.document.scenario(2).choice == PolicyChoice("johnson")
    editor.move_job(2, "J4", 0, shown)
    assert editor.document.scenario(2).order == ("J4", "J1", "J2", "J5", "J3")


def test_another_policy_ends_the_hand_made_order_and_undo_brings_it_back(editor):
    editor.move_job(2, "J1", 4)
    order = editor.document.scenario(2).order
    editor.choose_policy(2, PolicyChoice("sjf"))
    assert editor.document.scenario(2).order is None
    editor.undo_stack.undo()
    assert editor.document.scenario(2).order == order


def test_modified_means_different_from_the_file(editor, tmp_path, qtbot):
    editor.edit_cluster(map_slots=3)
    assert editor.is_modified
    with qtbot.waitSignal(editor.modified_changed, check_params_cb=lambda modified: not modified):
        editor.mark_saved(tmp_path / "a.slotscope")
    assert editor.document.path == tmp_path / "a.slotscope"
    editor.undo_stack.undo()
    assert editor.is_modified
    editor.undo_stack.redo()
    assert not editor.is_modified


def test_loading_forgets_the_steps(editor, two_scenarios):
    editor.edit_cluster(map_slots=3)
    editor.load(two_scenarios)
    assert editor.undo_stack.count() == 0
    assert not editor.is_modified


def test_while_a_new_step_is_done_undone_ones_can_still_be_read(editor):
    """A new scenario is shown, on which the session is written, before the stack deletes undone steps."""
    editor.edit_cluster(map_slots=3)
    editor.undo_stack.undo()
    read = []
    editor.document.scenario_came.connect(lambda _: read.append([step.text for step in editor.history.steps]))
    editor.add_scenario(PolicyChoice("sjf"))
    assert read == [["Set map slots to 3"]]
    assert [step.text for step in editor.history.steps] == ["Add Shortest job first"]


def test_a_recovered_document_can_be_undone_and_redone_as_before(editor, two_scenarios, qtbot):
    editor.edit_cluster(map_slots=3)
    editor.add_scenario(PolicyChoice("sjf"))
    editor.undo_stack.undo()
    history = editor.history
    other = Editor(Document(two_scenarios))
    with qtbot.assertNotEmitted(other.edited), qtbot.waitSignal(other.document.reset):
        other.load(history.state, history=history)
    assert other.is_modified
    assert other.history == history
    assert (other.undo_stack.undoText(), other.undo_stack.redoText()) == (
        "Set map slots to 3",
        "Add Shortest job first",
    )
    other.undo_stack.undo()
    assert other.document.cluster == two_scenarios.cluster
    assert other.is_modified, "it may differ from its file"
    other.undo_stack.setIndex(2)
    assert len(other.document.scenarios) == 3


def test_names_of_copies_are_free(editor):
    editor.duplicate_jobs([0])
    editor.duplicate_jobs([0, 1])
    names = [job.name for job in editor.document.workload.jobs]
    assert names[:3] == ["J1", "J1 copy 2", "J1 copy"]
    assert len(set(names)) == 8


def test_a_new_job_gets_a_free_name(editor):
    editor.edit_job(0, "name", "J6")
    assert editor.add_job().name == "J7"


def test_ids_of_scenarios_are_not_used_again_after_undo(editor):
    first = editor.add_scenario(PolicyChoice("sjf"))
    editor.undo_stack.undo()
    assert editor.add_scenario(PolicyChoice("fair")) == first + 1


def test_an_unknown_job_offers_the_nearest(editor):
    with pytest.raises(UnknownName) as caught:
        editor.move_job(1, "j1", 0)
    assert "J1" in caught.value.known


# ---- the first edit by hand of the baseline


def test_the_baseline_stays_and_its_first_edit_stands_behind_it_in_one_step(editor):
    before = editor.document.state
    editor.drop_order(1, ["J2", "J1", "J3", "J4", "J5"], moved="J1")
    assert [s.id for s in editor.document.scenarios] == [1, 3, 2]
    assert editor.document.scenario(1) == before.scenario(1)
    assert editor.document.scenario(3).order == ("J2", "J1", "J3", "J4", "J5")
    assert editor.document.baseline == 1
    assert editor.undo_stack.undoText() == "Move J1 before J3 in FIFO, edited"
    editor.undo_stack.undo()
    assert parts(editor.document.state) == parts(before)
    editor.undo_stack.redo()
    assert [s.id for s in editor.document.scenarios] == [1, 3, 2]


def test_what_is_edited_already_or_is_no_baseline_is_edited_in_place(editor):
    editor.move_job(1, "J1", 4)
    editor.move_job(3, "J2", 4)
    editor.move_job(2, "J1", 4)
    editor.make_baseline(3)
    editor.move_job(3, "J3", 4)
    assert [s.id for s in editor.document.scenarios] == [1, 3, 2]
    assert editor.document.scenario(3).order == ("J4", "J5", "J1", "J2", "J3")


def test_an_edited_baseline_with_a_name_keeps_it_and_its_cluster(editor):
    editor.rename_scenario(1, "As today")
    editor.set_cluster(Cluster(10, 10), 1)
    editor.move_job(1, "J1", 4)
    copy = editor.document.scenario(3)
    assert (copy.title, copy.cluster) == ("As today, edited", Cluster(10, 10))
    assert editor.document.scenario(1).title == "As today"


def test_with_six_scenarios_the_baseline_is_edited_in_place_and_that_is_told(editor, qtbot):
    for _ in range(4):
        editor.add_scenario(PolicyChoice("fair"))
    with qtbot.waitSignal(editor.reported) as told:
        editor.move_job(1, "J1", 4)
    assert len(editor.document.scenarios) == 6
    assert editor.document.scenario(1).order == ("J2", "J3", "J4", "J5", "J1")
    assert "FIFO itself was edited" in told.args[0]


def marked(editor):
    """Edit a job; return a weak reference to what only the state after it has."""
    editor.end_gesture()
    editor.edit_job(0, "map_durations", "7, 8, 9")
    return weakref.ref(editor.document.workload.jobs[0].maps.durations)


def test_states_that_no_step_leads_to_are_let_go(editor, two_scenarios):
    undone = marked(editor)
    editor.undo_stack.undo()
    editor.rename_scenario(1, "Mine")
    assert undone() is None, "it can be done again no more"
    merged = marked(editor)
    editor.edit_job(0, "map_durations", "1, 2, 3")
    assert merged() is None, "it was a part of a gesture"
    loaded = marked(editor)
    editor.load(two_scenarios)
    assert loaded() is None, "another document is open"


def test_a_think_time_that_was_inferred_is_changed_and_a_link_is_cut(editor):
    """Cut, J2 arrives at the earliest time at which it could arrive behind J1."""
    editor.follow_job(1, "J1", 2.5)
    job = editor.document.workload.jobs[1]
    inferred = replace(job, after=(replace(job.after[0], inferred=True),))
    editor.replace_job(1, inferred)
    earliest = float(editor.document.workload.columns.arrival[1])
    assert earliest > 2.5
    editor.edit_job(1, "think", "4")
    assert editor.undo_stack.undoText() == "Set think time of J2 to 4"
    assert editor.document.workload.jobs[1].after == (Link("J1", 4.0),)
    editor.undo_stack.undo()
    editor.cut_links(1)
    cut = editor.document.workload.jobs[1]
    assert (cut.arrival, cut.after) == (earliest, ())


def test_a_job_of_a_log_arrives_when_the_log_says_once_its_link_is_cut(tmp_path):
    workload = open_trace([write_application(tmp_path / "app", [DIAMOND, AFTER])]).workload
    editor = Editor(Document(DocumentState.new(workload, (PolicyChoice("fifo"),))))
    assert editor.document.workload.jobs[1].after
    editor.cut_links(1)
    cut = editor.document.workload.jobs[1]
    assert (cut.arrival, cut.after) == (14.0, ())
