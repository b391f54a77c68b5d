"""Ctrl+K as a person uses it: type a few letters, look what Enter would do, press it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget

from core.charts.palette import contrast
from core.files.glossary import glossary
from core.files.samples import samples
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.registry import policies
from explorer.dialogs.help_dialogs import GlossaryDialog
from explorer.widgets.theme import application_palette, theme

if TYPE_CHECKING:
    from explorer.dialogs.choices import Choice
    from explorer.dialogs.command_palette import CommandPalette
    from explorer.window.main_window import MainWindow

pytestmark = pytest.mark.only_edits

Key = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def palette(window: MainWindow):
    window.actions_by_id["search"].trigger()
    yield window.palette_of_commands
    window.palette_of_commands.close()


def typed(palette: CommandPalette, text: str) -> Choice:
    palette.field.clear()
    QTest.keyClicks(palette.field, text)
    choice = palette.chosen
    assert choice is not None
    return choice


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_every_printed_name_finds_its_sample(palette, sample):
    for text in (sample.name, sample.name.replace("-", " "), sample.title):
        typed(palette, text)
        found = [choice for choice in palette.found.rows if choice.kind == "Sample"]
        assert [choice.name for choice in found][:1] == [sample.title], text
        assert palette.found.rows.index(found[0]) < 3, text


def test_that_nothing_was_found_stands_where_it_would(palette):
    palette.field.clear()
    QTest.keyClicks(palette.field, "qqqq zzzz")
    assert not palette.found.rows
    picture = palette.list.viewport().grab().toImage()
    some = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
    assert len(some) > 1
    assert palette.foot.text().startswith("Nothing is called so")


def names(palette: CommandPalette, kind: str) -> list[str]:
    return [choice.name for choice in palette.found.rows if choice.kind == kind]


@pytest.mark.only_looks
def test_everything_is_there(window, palette):
    assert palette.isVisible()
    assert names(palette, "Policy") == [policy.title for policy in policies()]
    assert names(palette, "Sample") == [sample.title for sample in samples()]
    assert names(palette, "Job") == ["J1", "J2", "J3", "J4", "J5"]
    assert names(palette, "Word") == [term.name for term in glossary()]
    docks = {dock.windowTitle() for dock in window.findChildren(QDockWidget)} - {"Details"}
    docks |= {page.title for page in window.details.pages.values()}
    sections = {section.header.text() for section in window.side_dock.bar.sections.values()}
    assert set(names(palette, "Panel")) == docks | sections >= {"Jobs", "Cluster", "Pools"}
    actions = [choice for choice in palette.found.rows if choice.kind.startswith("Menu")]
    seen = [action for action in window.actions_by_id.values() if action.isVisible()]
    assert len(actions) == len(seen) - 1
    assert "Theme: Dark" in names(palette, "View")


@pytest.mark.only_looks
@pytest.mark.parametrize("text", ["import report", "open policy"])
def test_what_is_marked_can_be_read_whether_or_not_it_can_be_done(palette, text):
    palette.setPalette(application_palette(theme(False)))
    assert bool(typed(palette, text).because) == (text == "import report")
    row = palette.list.visualRect(palette.list.currentIndex())
    picture = palette.list.viewport().grab(row).toImage()
    places = product(range(picture.width()), range(picture.height()))
    ground = picture.pixelColor(2, picture.height() // 2).rgb() & 0xFFFFFF
    written = {picture.pixel(x, y) & 0xFFFFFF for x, y in places}
    assert max(contrast(colour, ground) for colour in written) > 4.5


def test_a_job_is_told_with_its_tasks(window):
    jobs = window.document.workload.jobs
    window.editor.set_workload(Workload("alone", (Job("J1", Stage.of(1, 5), Stage.of(1, 5)), *jobs[1:])), "")
    window.actions_by_id["search"].trigger()
    palette = window.palette_of_commands
    assert typed(palette, "J1").about == "1 map, 1 reduce"
    assert typed(palette, "J2").about == "30 maps, 30 reduces"
    palette.close()


@pytest.mark.only_looks
@pytest.mark.parametrize(
    ("letters", "kind", "name"),
    [
        ("capacity", "Policy", "Capacity"),
        ("zoom job", "Menu View", "Zoom to job"),
        ("J3", "Job", "J3"),
        ("dark", "View", "Theme: Dark"),
        ("ten sc", "Sample", "Ten scans"),
        ("critical p", "Panel", "Critical path"),
        ("slowst", "Setting", "Slowstart"),
        ("exp tasks", "Menu Export", "Export: Tasks"),
    ],
)
def test_a_few_letters_find_it(palette, letters, kind, name):
    choice = typed(palette, letters)
    assert (choice.kind, choice.name) == (kind, name)
    assert palette.foot.text() == choice.foot


@pytest.mark.only_looks
def test_keys_of_actions_are_shown_and_the_foot_says_what_enter_does(palette):
    choice = typed(palette, "save as")
    assert choice.key == "Ctrl+Shift+S"
    assert palette.foot.text() == "Enter: Save the session under another name"
    palette.grab()


@pytest.mark.only_looks
def test_what_cannot_be_done_now_and_words_come_after_what_can(palette):
    QTest.keyClicks(palette.field, "job")
    found = [choice.name for choice in palette.found.rows]
    assert found.index("Jobs") < found.index("Scale jobs") < found.index("Delete job")
    assert found.index("Add job") < found.index("job")
    assert typed(palette, "make baseline").name == "Make baseline"


@pytest.mark.only_looks
def test_nothing_found_is_said(palette):
    QTest.keyClicks(palette.field, "qqqzzz")
    assert palette.chosen is None
    assert palette.foot.text().startswith("Nothing is called so")
    QTest.keyClick(palette.field, Key.Key_Return)
    assert palette.isVisible()


@pytest.mark.only_looks
def test_arrow_keys_go_round_and_escape_closes(palette):
    QTest.keyClicks(palette.field, "zoom")
    first = palette.chosen
    QTest.keyClick(palette.field, Key.Key_Down)
    assert palette.chosen is palette.found.rows[1]
    QTest.keyClick(palette.field, Key.Key_Up)
    QTest.keyClick(palette.field, Key.Key_Up)
    assert palette.chosen is palette.found.rows[-1]
    QTest.keyClick(palette.field, Key.Key_Down)
    assert palette.chosen is first
    QTest.keyClick(palette.field, Key.Key_PageDown)
    assert palette.list.currentIndex().row() > 1
    QTest.keyClick(palette, Key.Key_Escape)
    assert not palette.isVisible()


def test_enter_adds_a_policy_and_ctrl_enter_replaces_the_active_one(window, palette):
    typed(palette, "shortest")
    assert palette.foot.text() == (
        "Enter: adds a scenario under Shortest job first  ·  Ctrl+Enter: puts it in the place of FIFO"
    )
    QTest.keyClick(palette.field, Key.Key_Return)
    assert not palette.isVisible()
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["fifo", "johnson", "sjf"]
    assert window.view_state.active_scenario == 3
    window.search_everything()
    typed(palette, "capacity")
    QTest.keyClick(palette.field, Key.Key_Return, CTRL)
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["fifo", "johnson", "capacity"]
    assert window.editor.undo_stack.count() == 2


def test_a_seventh_scenario_is_grey_with_its_reason(window, palette):
    palette.close()
    for _ in range(4):
        window.actions_by_id["duplicate_scenario"].trigger()
    window.search_everything()
    choice = typed(palette, "capacity")
    assert palette.foot.text().startswith("Not now: there are 6 scenarios already")
    QTest.keyClick(palette.field, Key.Key_Return)
    assert palette.isVisible()
    palette.grab()
    assert choice.because
    QTest.keyClick(palette.field, Key.Key_Return, CTRL)
    active = window.document.scenario(window.view_state.active_scenario)
    assert active.choice.id == "capacity"
    assert len(window.document.scenarios) == 6


@pytest.mark.only_looks
@pytest.mark.parametrize(
    ("letters", "reason"),
    [
        ("undo", "nothing was changed yet"),
        ("delete job", "no job is selected"),
        ("what really ran", "come from no log"),
        ("import report", "was not imported"),
        ("make baseline", "is the baseline"),
        ("computed order", "made by hand"),
        ("stop simulating", "nothing is being simulated"),
        ("show earlier", "the first one"),
    ],
)
def test_what_cannot_be_done_now_says_why(palette, letters, reason):
    assert reason in typed(palette, letters).because


def test_a_click_on_a_job_selects_and_shows_it(window, palette):
    typed(palette, "J4")
    place = palette.list.visualRect(palette.found.index(0, 0)).center()
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert window.view_state.selected_job == "J4"
    assert window.axis.t0 > 20
    window.search_everything()
    assert not typed(palette, "delete job").because


def test_a_panel_opens_and_closes(window, palette):
    dock = window.why.findings_page
    assert not dock.isVisible()
    typed(palette, "Findings")
    while palette.chosen.kind != "Panel":
        QTest.keyClick(palette.field, Key.Key_Down)
    QTest.keyClick(palette.field, Key.Key_Return)
    assert dock.isVisible()
    window.search_everything()
    typed(palette, "Findings")
    while palette.chosen.kind != "Panel":
        QTest.keyClick(palette.field, Key.Key_Down)
    QTest.keyClick(palette.field, Key.Key_Return, CTRL)
    assert not dock.isVisible()


def test_a_section_of_the_side_bar_opens_and_folds(window, palette):
    section = window.side_dock.bar.sections["pools"]
    assert not section.is_open
    for key, is_open in ((Qt.KeyboardModifier.NoModifier, True), (CTRL, False)):
        window.search_everything()
        typed(palette, "pools")
        while palette.chosen.kind != "Panel":
            QTest.keyClick(palette.field, Key.Key_Down)
        QTest.keyClick(palette.field, Key.Key_Return, key)
        assert section.is_open is is_open


def test_the_button_of_the_tool_row_opens_it(window):
    QTest.mouseClick(window.top_bar.search, Qt.MouseButton.LeftButton)
    assert window.palette_of_commands.isVisible()
    window.palette_of_commands.close()


def test_an_action_a_sample_and_a_word(window, palette, qtbot):
    typed(palette, "add job")
    QTest.keyClick(palette.field, Key.Key_Return)
    assert len(window.document.workload.jobs) == 6
    window.editor.undo_stack.undo()
    window.search_everything()
    typed(palette, "slowstart")
    while palette.chosen.kind != "Word":
        QTest.keyClick(palette.field, Key.Key_Down)
    QTest.keyClick(palette.field, Key.Key_Return)
    dialog = window.findChild(GlossaryDialog)
    row = dialog.table.currentIndex().row()
    assert dialog.table.model().rows[row].name == "slowstart"
    QTest.keyClicks(dialog.filter_field, "wave")
    assert dialog.table.model().rows[0].name == "wave"
    dialog.close()
    window.search_everything()
    typed(palette, "ten scans")
    with qtbot.waitSignal(window.files.opened):
        QTest.keyClick(palette.field, Key.Key_Return)
    assert len(window.document.workload.jobs) == 10
    assert window.runner.wait_until_idle(60_000)


def test_recent_files_are_there_or_said_to_be_gone(window, palette, tmp_path):
    palette.close()
    for name in ("gone.slotscope", "here.slotscope"):
        window.settings.add_recent_file(tmp_path / name)
    (tmp_path / "here.slotscope").write_text("{}")
    window.search_everything()
    assert not typed(palette, "here.slot").because
    assert "not there any more" in typed(palette, "gone.slot").because
