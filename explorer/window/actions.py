"""Everything the menus offer, as one table: menus, tool bar, tool tips and list of shortcuts come from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import QAction, QKeySequence

from explorer.comparison.comparison_panel import KEY_HELP as COMPARISON_KEYS
from explorer.explain.player import KEY_HELP as TIME_KEYS
from explorer.gantt.gestures.keys import KEY_BINDINGS
from explorer.panels.keys import KEY_HELP as PANEL_KEYS
from explorer.policy_files.own_policies import NEW_SCENARIO

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QMenu, QMenuBar

    from explorer.document.editor import Editor
    from explorer.document.time_axis import TimeAxis
    from explorer.policy_files.own_policies import OwnPolicies
    from explorer.scans.scan_window import ScanWindow
    from explorer.simulation.runner import Runner
    from explorer.trace_database.library_window import LibraryWindow
    from explorer.window.document_files import DocumentFiles, ImportReports
    from explorer.window.exports import Exports, Pictures
    from explorer.window.pools_area import PoolsArea
    from explorer.window.why_area import WhyArea
    from explorer.window.window_actions import WindowActions


@dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    id : how code refers to it, such as "zoom_in"; SEPARATOR for a line between two others
    menu : the menu it stands in
    text : with its mnemonic
    key : its shortcut in portable form, or empty
    callback : what it does; None for a submenu, which `WindowMenus` fills
    tip : a sentence for the status bar
    checkable : whether it is on or off
    """

    id: str
    menu: str
    text: str = ""
    key: str = ""
    callback: Callable[[], object] | None = None
    tip: str = ""
    checkable: bool = False


SEPARATOR = "-"
FILE, EDIT, SCENARIO, VIEW, WHY, HELP = MENUS = ("&File", "&Edit", "&Scenario", "&View", "&Why", "&Help")
EXPORT = "E&xport"
"""A submenu, which has the text of its action."""


class Parts(Protocol):
    """What a window has for its actions."""

    editor: Editor
    axis: TimeAxis
    runner: Runner
    files: DocumentFiles
    import_reports: ImportReports
    pictures: Pictures
    exports: Exports
    actions_of_window: WindowActions
    why: WhyArea
    own_policies: OwnPolicies
    pools: PoolsArea
    library: LibraryWindow
    scans: ScanWindow

    def close(self) -> bool:
        """Close the window."""

    def show_shortcuts(self) -> None:
        """List all keys and gestures."""

    def show_about(self) -> None:
        """Say what this program is."""


def action_specs(w: Parts) -> tuple[ActionSpec, ...]:
    """Return every action of a window, in the order of its menus."""
    files, own, write = w.files, w.own_policies.actions, w.exports.ask_and_write
    do, why, player = w.actions_of_window, w.why, w.why.player
    # one or two lines for each, to be read as a table
    # fmt: off
    return (
        ActionSpec("open", FILE, "&Open…", "Ctrl+O", files.ask_and_open,
            "Open a session, a workload document or a log"),
        ActionSpec("samples", FILE, "Open &sample", "", None, "Open one of the worked examples"),
        ActionSpec("recent", FILE, "Open &recent", "", None, "Open a file opened before"),
        ActionSpec("import", FILE, "&Import logs…", "Ctrl+I", files.ask_and_import,
            "Import one or more real logs as one workload"),
        ActionSpec("import_folder", FILE, "Import a &folder of logs…", "", files.ask_and_import_folder,
            "Import all logs in a folder as one workload"),
        ActionSpec("library", FILE, "Trace &library", "Ctrl+Shift+Y", w.library.show_in_front,
            "Jobs of many logs: search them, compare runs, drag them into the workload"),
        ActionSpec("import_report", FILE, "Import &report…", "", w.import_reports.show,
            "Show again what the import kept, left out and assumed; set what the log does not say"),
        ActionSpec("generate", FILE, "&Generate…", "Ctrl+G", do.generate,
            "Draw a synthetic workload from a seed"),
        ActionSpec("open_policy", FILE, "Open &policy file…", "Ctrl+Shift+O",
            lambda: own.choose_file(NEW_SCENARIO),
            "Use a policy of your own as a scenario"),
        ActionSpec("new_policy", FILE, "&New policy file…", "", lambda: own.begin_new(NEW_SCENARIO),
            "Write a policy of your own, beginning from a commented template"),
        ActionSpec(SEPARATOR, FILE),
        ActionSpec("save", FILE, "&Save", "Ctrl+S", files.save,
            "Save workload, scenarios and layout as a session"),
        ActionSpec("save_as", FILE, "Save &as…", "Ctrl+Shift+S", files.save_as,
            "Save the session under another name"),
        ActionSpec(SEPARATOR, FILE),
        ActionSpec("export", FILE, "E&xport", "", None, "Write pictures, tables, traces and reports"),
        ActionSpec("export_picture", EXPORT, "&Picture…", "Ctrl+E", w.pictures.ask_and_export,
            "Draw all charts as PNG, SVG or PDF"),
        ActionSpec("export_report", EXPORT, "&Report…", "", w.exports.ask_and_report,
            "Write charts and figures of all scenarios as one HTML file"),
        ActionSpec("export_tasks", EXPORT, "&Tasks…", "", partial(write, "tasks"),
            "Write the active scenario's tasks as CSV or Parquet"),
        ActionSpec("export_jobs", EXPORT, "&Jobs…", "", partial(write, "jobs"),
            "Write the active scenario's jobs as CSV or Parquet"),
        ActionSpec("export_chrome", EXPORT, "&Chrome trace…", "", partial(write, "chrome"),
            "Write the active scenario for Perfetto and chrome://tracing"),
        ActionSpec("export_paje", EXPORT, "P&aje trace…", "", partial(write, "paje"),
            "Write the active scenario for ViTE and PajeNG"),
        ActionSpec("export_workload", EXPORT, "&Workload…", "", files.export_workload,
            "Write the jobs and the cluster as a workload document"),
        ActionSpec("copy_picture", FILE, "&Copy picture", "Ctrl+Shift+C", w.pictures.copy,
            "Put a picture of all charts on the clipboard"),
        ActionSpec(SEPARATOR, FILE),
        ActionSpec("quit", FILE, "&Quit", "Ctrl+Q", w.close, "Close Slotscope"),
        ActionSpec("undo", EDIT, "&Undo", "Ctrl+Z", w.editor.undo_stack.undo),
        ActionSpec("redo", EDIT, "&Redo", "Ctrl+Shift+Z", w.editor.undo_stack.redo),
        ActionSpec(SEPARATOR, EDIT),
        ActionSpec("add_job", EDIT, "&Add job", "Ctrl+J", do.add_job, "Add a small job at the end"),
        ActionSpec("duplicate_job", EDIT, "Du&plicate job", "Ctrl+D", do.duplicate_job,
            "Put a copy behind the selected job"),
        ActionSpec("delete_job", EDIT, "&Delete job", "Ctrl+Backspace", do.delete_job,
            "Delete the selected job"),
        ActionSpec("earlier", EDIT, "Serve job &earlier", "Alt+Up", do.serve_earlier,
            "Move the selected job one place forward"),
        ActionSpec("later", EDIT, "Serve job &later", "Alt+Down", do.serve_later,
            "Move the selected job one place back"),
        ActionSpec("random_deadlines", EDIT, "Random deadli&nes…", "", do.draw_deadlines,
            "Give every job a random deadline, or none"),
        ActionSpec("scale_jobs", EDIT, "S&cale jobs…", "", do.scale_jobs,
            "Give the selected jobs, or all, more or less input"),
        ActionSpec("fit_job", EDIT, "&Fit distributions…", "Ctrl+Shift+G", do.fit_job,
            "Show which distributions the selected job's durations follow, and draw jobs from them"),
        ActionSpec("reset_order", EDIT, "&Back to computed order", "", do.reset_order,
            "Drop the order made by hand"),
        ActionSpec("add_scenario", SCENARIO, "&Add", "Ctrl+T", do.add_scenario,
            "Add a scenario beside the others (up to six)"),
        ActionSpec("add_record", SCENARIO, "Add &what really ran", "", do.add_record,
            "Show what a log recorded beside the simulated schedules: hosts, failed and killed attempts"),
        ActionSpec("duplicate_scenario", SCENARIO, "&Duplicate", "Ctrl+Shift+T", do.duplicate_scenario,
            "Copy the active scenario"),
        ActionSpec("remove_scenario", SCENARIO, "&Remove", "Ctrl+W", do.remove_scenario,
            "Remove the active scenario"),
        ActionSpec("make_baseline", SCENARIO, "Make &baseline", "Ctrl+B", do.make_baseline,
            "Compare the others with the active scenario"),
        ActionSpec("next_scenario", SCENARIO, "&Next", "Ctrl+PgDown", do.next_scenario,
            "Make the next scenario the active one"),
        ActionSpec("previous_scenario", SCENARIO, "&Previous", "Ctrl+PgUp", do.previous_scenario,
            "Make the previous scenario active"),
        ActionSpec("scenario_left", SCENARIO, "Show ea&rlier", "Ctrl+Shift+PgUp", do.scenario_left,
            "Move its chart one place forward"),
        ActionSpec("scenario_right", SCENARIO, "Show l&ater", "Ctrl+Shift+PgDown", do.scenario_right,
            "Move its chart one place back"),
        ActionSpec(SEPARATOR, SCENARIO),
        ActionSpec("pool_search", SCENARIO, "Search balanced &pools…", "", w.pools.search,
            "Show how the makespan changes with splits of the jobs and sizes of two pools"),
        ActionSpec("fidelity", SCENARIO, "Fideli&ty to the log…", "", do.check_fidelity,
            "Say how far simulations are from the log, and estimate the overheads of its cluster"),
        ActionSpec("stop", SCENARIO, "&Stop simulating", "Ctrl+.", w.runner.cancel,
            "Cancel what is being simulated"),
        ActionSpec("zoom_in", VIEW, "Zoom &in", "Ctrl++", do.zoom_in, "Show half as much time"),
        ActionSpec("zoom_out", VIEW, "Zoom &out", "Ctrl+-", do.zoom_out, "Show twice as much time"),
        ActionSpec("fit", VIEW, "&Fit", "Ctrl+0", do.fit, "Show the whole schedule"),
        ActionSpec("zoom_job", VIEW, "Zoom to &job", "Ctrl+Shift+J", do.zoom_to_job,
            "Show the selected job alone"),
        ActionSpec("zoom_back", VIEW, "Zoom &back", "Alt+Left", w.axis.back,
            "Show what was shown before the last zoom"),
        ActionSpec("zoom_forward", VIEW, "Zoom for&ward", "Alt+Right", w.axis.forward,
            "Take back the last step back"),
        ActionSpec(SEPARATOR, VIEW),
        ActionSpec("arrangement", VIEW, "&Arrangement", "", None, "How the charts lie"),
        ActionSpec("rows", VIEW, "&Rows", "", None, "Rows of the charts: slots, or what each pool holds"),
        ActionSpec("theme", VIEW, "&Theme", "", None, "Light, dark, or as the system"),
        ActionSpec("palette", VIEW, "&Colours", "", None, "How more than seven jobs are coloured"),
        ActionSpec("pools", VIEW, "P&ools", "Ctrl+L", w.pools.dock.toggle,
            "Give jobs slots of their own, and set what pools get when slots are shared", checkable=True),
        ActionSpec("panels", VIEW, "&Panels", "", None, "Show and hide the panels"),
        ActionSpec("shared_scans", VIEW, "&Shared scans", "Ctrl+Shift+D", w.scans.show_in_front,
            "FLEX, BATCH and CIRCUMFLEX side by side: subjobs, boarding, and datasets as clocks"),
        ActionSpec("play", WHY, "&Play or pause", "Ctrl+Space", player.toggle,
            "Let the time cursor run, or stand still"),
        ActionSpec("next_event", WHY, "&Next event", "Ctrl+Right", player.next_event,
            "Look at the next arrival, start or end"),
        ActionSpec("previous_event", WHY, "Pre&vious event", "Ctrl+Left", player.previous_event,
            "Look at the arrival, start or end before"),
        ActionSpec("next_decision", WHY, "Next &decision", "Ctrl+Shift+Right", player.next_decision,
            "Look at the next task given a slot"),
        ActionSpec("previous_decision", WHY, "Previo&us decision", "Ctrl+Shift+Left",
            player.previous_decision, "Look at the last task given a slot before"),
        ActionSpec("to_start", WHY, "To the &start", "Ctrl+Home", player.to_start, "Look at time 0"),
        ActionSpec("to_end", WHY, "To the &end", "Ctrl+End", player.to_end,
            "Look at the end of the active scenario"),
        ActionSpec("hide_cursor", WHY, "&Hide time cursor", "Ctrl+Shift+H", why.cursor.hide,
            "Look at no time in particular"),
        ActionSpec(SEPARATOR, WHY),
        ActionSpec("at_instant", WHY, "At this &instant", "Ctrl+Shift+I", why.instant_dock.toggle,
            "Show free slots, queues and every candidate for the slot offered at the time cursor",
            checkable=True),
        ActionSpec("why_task", WHY, "&Why this task", "Ctrl+Shift+W", why.why_dock.toggle,
            "Show why the selected task started then and there, and what the selected job waits for",
            checkable=True),
        ActionSpec("why_makespan", WHY, "Why this &makespan", "Ctrl+M", why.critical_path_dock.toggle,
            "Show the critical path: the tasks and waits that make the schedule as long as it is",
            checkable=True),
        ActionSpec(SEPARATOR, WHY),
        ActionSpec("findings", WHY, "Fi&ndings", "Ctrl+Shift+L", why.findings_dock.toggle,
            "List starvation, idle slots, broken quotas and unproductive holds of the active scenario",
            checkable=True),
        ActionSpec("first_difference", WHY, "&First difference", "Ctrl+Shift+B", why.show_first_difference,
            "Go to the first decision in which the active scenario and the baseline differ"),
        ActionSpec("fork", WHY, "&Continue from here…", "Ctrl+Shift+F", why.ask_and_fork,
            "Add a scenario that is the same up to the time cursor and then follows another policy"),
        ActionSpec("shortcuts", HELP, "&Shortcuts", "F1", w.show_shortcuts, "All keys and gestures"),
        ActionSpec("about", HELP, "&About Slotscope", "", w.show_about),
    )
    # fmt: on


GESTURES: tuple[tuple[str, str, str], ...] = (
    ("Mouse in a chart", "Wheel", "Zoom at the pointer"),
    ("Mouse in a chart", "Shift+Wheel", "Show earlier or later times"),
    ("Mouse in a chart", "Ctrl+Wheel", "Zoom the slots"),
    ("Mouse in a chart", "Drag the background", "Pan"),
    ("Mouse in a chart", "Drag a block", "Serve its job at another place; Escape restores"),
    ("Mouse in a chart", "Drag along the time axis", "Look at another instant in all charts"),
    ("Mouse in a chart", "Drag a block into another pool", "Let its job belong to that pool (rows by pool)"),
    ("Mouse in a chart", "Drag the line above a pool", "Give its slots to the pool above, or take some"),
    ("Mouse in a chart", "Shift+Drag the line", "The same with slots of one kind only"),
    ("Mouse in a chart", "Click", "Select the job everywhere"),
    ("Mouse in a chart", "Double click", "Show the job alone"),
    ("Picture of a pool search", "Arrow keys, Enter", "Go from trial to trial; take its pools"),
    ("Mouse in the jobs panel", "Drag a row", "Serve the job at another place"),
    ("Trace library", "Drag rows, or Enter", "Add the jobs to the workload"),
    ("Trace library", "Delete, Ctrl+Z", "Move jobs to the trash; take them back"),
    ("Trace library", "Ctrl+F", "Search"),
    ("Mouse in the jobs panel", "Drag a row to the pools", "Put the job into another pool"),
)


def shortcut_rows(specs: Sequence[ActionSpec]) -> list[tuple[str, str, str]]:
    """Return (where, keys, what they do) for every key and gesture of the window and its parts."""
    ours = [
        (spec.menu.replace("&", ""), spec.key, spec.text.replace("&", "").rstrip("…"))
        for spec in specs
        if spec.key
    ]
    in_charts = [("In a chart", binding.text, binding.does) for binding in KEY_BINDINGS]
    return [*ours, *in_charts, *TIME_KEYS, *GESTURES, *PANEL_KEYS, *COMPARISON_KEYS]


def fill_menu_bar(
    bar: QMenuBar, owner: QObject, specs: Sequence[ActionSpec], submenus: dict[str, QMenu]
) -> dict[str, QAction]:
    """Fill the menu bar from the table and return the actions by id; `submenus` take the place of theirs."""
    menus = {title: bar.addMenu(title) for title in MENUS}
    menus |= {spec.text: submenus[spec.id] for spec in specs if spec.id in submenus}
    actions: dict[str, QAction] = {}
    for spec in specs:
        menu = menus[spec.menu]
        if spec.id == SEPARATOR:
            menu.addSeparator()
        elif spec.callback is None:
            submenus[spec.id].setTitle(spec.text)
            menu.addMenu(submenus[spec.id])
        else:
            actions[spec.id] = _action(spec, owner)
            actions[spec.id].triggered.connect(spec.callback)
            menu.addAction(actions[spec.id])
    return actions


def _action(spec: ActionSpec, owner: QObject) -> QAction:
    action = QAction(spec.text, owner)
    action.setObjectName(spec.id)
    action.setCheckable(spec.checkable)
    if spec.key:
        action.setShortcut(QKeySequence(spec.key))
    action.setStatusTip(spec.tip)
    action.setToolTip(spec.tip or spec.text.replace("&", ""))
    return action
