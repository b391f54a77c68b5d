"""What people type, and what they mean by it: the first thing that is found."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.nodes import NodeGroup
from core.model.number_text import grouped
from core.model.schedule import PolicyChoice
from core.model.workload import Workload
from explorer.dialogs.choices import found_choices
from explorer.window.search.entries import jobs_finder, search_entries
from explorer.window.search.other_names import OTHER_NAMES
from explorer.window.search.settings import settings_of
from explorer.window.window_menus import CHOICES
from tests.builders import make_job

if TYPE_CHECKING:
    from explorer.dialogs.command_palette import CommandPalette
    from explorer.window.main_window import MainWindow

pytestmark = pytest.mark.only_edits

Key = Qt.Key
MEANT = (
    # settings and values
    ("slots", "Map slots"),
    ("map slots", "Map slots"),
    ("map slots 200", "Map slots: 200"),
    ("set reduce slots to 40", "Reduce slots: 40"),
    ("200 map slots", "Map slots: 200"),
    ("slots 200", "Map slots: 200"),
    ("add slots", "Map slots"),
    ("slowstart 80 %", "Slowstart: 80 %"),
    ("slowstart 0.5", "Slowstart: 50 %"),
    ("shuffle model overlap", "Shuffle model: overlap"),
    ("heartbeat 3", "Heartbeat (overhead): 3 s"),
    ("heartbeat 1 min", "Heartbeat (overhead): 60 s"),
    ("nodes 8x16GB,8", "Kinds of nodes: 8x16GB,8"),
    ("add node", "Nodes"),
    # what people call actions
    ("reset zoom", "Fit"),
    ("zoom to fit", "Fit"),
    ("show everything", "Fit"),
    ("save picture", "Export: Picture"),
    ("screenshot", "Export: Picture"),
    ("export png", "Export: Picture"),
    ("csv", "Export: Tasks"),
    ("dark mode", "Theme: Dark"),
    ("optimize", "Optimise"),
    ("best schedule", "Optimise"),
    ("lower bound", "Optimise"),
    ("how many slots", "How many slots"),
    ("how many slots would do", "How many slots"),
    ("three-pools", "Three pools"),
    ("tornado", "Sensitivity"),
    ("accuracy", "Fidelity to the log"),
    ("remove job", "Delete job"),
    ("full screen", "Active chart alone"),
    ("keyboard shortcuts", "Shortcuts"),
    ("spark log", "Import logs"),
    ("new scenario", "Add"),
    ("compare", "Comparison"),
    ("queues", "Pools"),
    ("makespan", "Why this makespan"),
    # names
    ("fifo", "FIFO"),
    ("fair", "Fair (HFS)"),
    ("johnson", "Johnson"),
    ("j3", "J3"),
    ("job 3", "J3"),
    ("facebook", "Facebook, 100 jobs"),
    ("undo", "Undo"),
    ("deadlines", "Random deadlines"),
    ("add job", "Add job"),
    ("find task", "Find in the charts"),
)


@pytest.fixture
def palette(window: MainWindow):
    window.search_everything()
    yield window.palette_of_commands
    window.palette_of_commands.close()


def press(palette: CommandPalette, text: str) -> None:
    palette.field.clear()
    QTest.keyClicks(palette.field, text)
    QTest.keyClick(palette.field, Key.Key_Return)


@pytest.mark.only_looks
@pytest.mark.parametrize(("typed", "first"), MEANT)
def test_what_was_meant_comes_first(window: MainWindow, typed: str, first: str) -> None:
    found = found_choices(typed, search_entries(window), jobs_finder(window))
    assert found[0].name == first, [choice.name for choice in found[:5]]


@pytest.mark.only_looks
def test_every_other_name_is_that_of_something(window: MainWindow) -> None:
    known = {spec.id for spec in window.action_specs} | set(CHOICES)
    known |= {setting.id for setting in settings_of(window)}
    assert set(OTHER_NAMES) <= known


def test_enter_sets_a_value_that_can_be_taken_back(window: MainWindow, palette: CommandPalette) -> None:
    before = window.document.cluster
    press(palette, "map slots 200")
    assert window.document.cluster.map_slots == 200
    assert window.document.cluster.reduce_slots == before.reduce_slots
    window.editor.undo_stack.undo()
    assert window.document.cluster == before
    window.search_everything()
    press(palette, "nodes 4x8GB,8")
    assert window.document.cluster.nodes == (NodeGroup(4, 8192, 8),)
    window.search_everything()
    press(palette, "nodes 6")
    assert window.document.cluster.nodes == (NodeGroup(6, 8192, 8),)


def test_enter_on_a_setting_lets_one_type_its_value(window: MainWindow, palette: CommandPalette) -> None:
    press(palette, "reduce sl")
    assert palette.isVisible()
    assert palette.field.text() == f"Reduce slots {window.document.cluster.reduce_slots}"
    QTest.keyClicks(palette.field, "12")
    assert palette.chosen is not None
    assert palette.foot.text().startswith("Enter: sets it to 12")
    QTest.keyClick(palette.field, Key.Key_Return)
    assert window.document.cluster.reduce_slots == 12
    assert not palette.isVisible()


def test_values_of_the_policy_and_of_the_selected_job(window: MainWindow, palette: CommandPalette) -> None:
    window.editor.choose_policy(1, PolicyChoice("balanced-pools"))
    window.view_state.activate_scenario(1)
    window.view_state.select_job("J2")
    window.search_everything()
    setting = next(each for each in settings_of(window) if each.id.startswith("policy."))
    press(palette, f"{setting.title} 4")
    assert list(window.document.scenario(1).choice.parameters.values()) == [4]
    window.search_everything()
    press(palette, "deadline 90")
    assert window.document.workload.jobs[1].deadline == 90


def test_a_value_that_cannot_be_set_says_why(window: MainWindow, palette: CommandPalette) -> None:
    for text, reason in (
        ("map slots 99999999", "give a whole number from 0 to"),
        ("map slots 2.5", "give a whole number"),
        (f"map slots {window.document.cluster.map_slots}", "it is so already"),
        ("deadline 30", "no job is selected"),
        ("a map asks for 2GB,1", "the cluster has no nodes"),
    ):
        palette.field.setText(text)
        assert palette.chosen is not None
        assert reason in palette.chosen.because, text


def test_with_containers_slots_are_containers(window: MainWindow) -> None:
    window.editor.set_cluster(Cluster(0, 0, containers=40))
    found = found_choices("slots", search_entries(window), jobs_finder(window))
    assert found[0].name == "Containers"
    found = found_choices("map slots 8", search_entries(window), jobs_finder(window))
    assert found[0].name == "Map slots: 8"
    found[0].run()
    assert (window.document.cluster.map_slots, window.document.cluster.containers) == (8, 0)


@pytest.mark.parametrize("form", ["J{}", "job_201001_{:04d}"])
def test_seven_thousand_jobs_take_no_time_at_a_key(window: MainWindow, form: str) -> None:
    jobs = tuple(make_job(form.format(place), (1, 1.0)) for place in range(1, 7001))
    window.editor.set_workload(Workload("many", jobs), "")
    choices, more = search_entries(window), jobs_finder(window)
    for typed in ("j", "jo", "job", "job 6", "6", "6543", "map slots 200", form.format(6543).lower()):
        least = min(_seconds_of(typed, choices, more) for _ in range(5))
        assert least < 0.02, typed
    for typed in ("6543", "job 6543", form.format(6543)):
        assert found_choices(typed, choices, more)[0].name == form.format(6543)
    many = [choice for choice in found_choices("j", choices, more) if choice.kind == "Job"]
    assert len(many) == 101
    assert many[-1].name == f"{grouped(6900)} more jobs"


def _seconds_of(typed: str, *given: object) -> float:
    begin = time.thread_time()  # what others do on the machine meanwhile does not count
    found_choices(typed, *given)  # type: ignore[arg-type]
    return time.thread_time() - begin
