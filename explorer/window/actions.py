"""Everything the menus offer, as a table: menus, tool tips and the list of shortcuts are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QMenu, QMenuBar


@dataclass(frozen=True)
class ActionSpec:
    """One action.

    Attributes
    ----------
    id : how code refers to it
    menu : the menu it stands in
    text : with its mnemonic
    key : its shortcut in portable form, or empty
    tip : a sentence for the status bar
    checkable : whether it is on or off
    """

    id: str
    menu: str
    text: str
    key: str = ""
    tip: str = ""
    checkable: bool = False


SEPARATOR = "-"
MENUS = ("&File", "&Edit", "&Scenario", "&View", "&Why", "&Help")

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open", "&File", "&Open…", "Ctrl+O", "Open a session, a workload document or a log"),
    ActionSpec("samples", "&File", "Open &sample", "", "Open one of the worked examples"),
    ActionSpec("recent", "&File", "Open &recent", "", "Open a file opened before"),
    ActionSpec("import", "&File", "&Import logs…", "Ctrl+I", "Import one or more real logs as one workload"),
    ActionSpec(
        "import_folder",
        "&File",
        "Import a &folder of logs…",
        "",
        "Import all logs in a folder as one workload",
    ),
    ActionSpec(
        "library",
        "&File",
        "Trace &library",
        "Ctrl+Shift+Y",
        "Jobs of many logs: search them, compare runs, drag them into the workload",
    ),
    ActionSpec(
        "import_report",
        "&File",
        "Import &report…",
        "",
        "Show again what the import kept, left out and assumed; set what the log does not say",
    ),
    ActionSpec("generate", "&File", "&Generate…", "Ctrl+G", "Draw a synthetic workload from a seed"),
    ActionSpec(
        "open_policy", "&File", "Open &policy file…", "Ctrl+Shift+O", "Use a policy of your own as a scenario"
    ),
    ActionSpec(
        "new_policy",
        "&File",
        "&New policy file…",
        "",
        "Write a policy of your own, beginning from a commented template",
    ),
    ActionSpec(SEPARATOR, "&File", ""),
    ActionSpec("save", "&File", "&Save", "Ctrl+S", "Save workload, scenarios and layout as a session"),
    ActionSpec("save_as", "&File", "Save &as…", "Ctrl+Shift+S", "Save the session under another name"),
    ActionSpec(SEPARATOR, "&File", ""),
    ActionSpec("export", "&File", "E&xport", "", "Write pictures, tables, traces and reports"),
    ActionSpec("export_picture", "E&xport", "&Picture…", "Ctrl+E", "Draw all charts as PNG, SVG or PDF"),
    ActionSpec(
        "export_report",
        "E&xport",
        "&Report…",
        "",
        "Write charts and figures of all scenarios as one HTML file",
    ),
    ActionSpec(
        "export_tasks", "E&xport", "&Tasks…", "", "Write the active scenario's tasks as CSV or Parquet"
    ),
    ActionSpec("export_jobs", "E&xport", "&Jobs…", "", "Write the active scenario's jobs as CSV or Parquet"),
    ActionSpec(
        "export_chrome",
        "E&xport",
        "&Chrome trace…",
        "",
        "Write the active scenario for Perfetto and chrome://tracing",
    ),
    ActionSpec("export_paje", "E&xport", "P&aje trace…", "", "Write the active scenario for ViTE and PajeNG"),
    ActionSpec(
        "export_workload",
        "E&xport",
        "&Workload…",
        "",
        "Write the jobs and the cluster as a workload document",
    ),
    ActionSpec(
        "copy_picture",
        "&File",
        "&Copy picture",
        "Ctrl+Shift+C",
        "Put a picture of all charts on the clipboard",
    ),
    ActionSpec(SEPARATOR, "&File", ""),
    ActionSpec("quit", "&File", "&Quit", "Ctrl+Q", "Close Slotscope"),
    ActionSpec("undo", "&Edit", "&Undo", "Ctrl+Z"),
    ActionSpec("redo", "&Edit", "&Redo", "Ctrl+Shift+Z"),
    ActionSpec(SEPARATOR, "&Edit", ""),
    ActionSpec("add_job", "&Edit", "&Add job", "Ctrl+J", "Add a small job at the end"),
    ActionSpec("duplicate_job", "&Edit", "Du&plicate job", "Ctrl+D", "Put a copy behind the selected job"),
    ActionSpec("delete_job", "&Edit", "&Delete job", "Ctrl+Backspace", "Delete the selected job"),
    ActionSpec("earlier", "&Edit", "Serve job &earlier", "Alt+Up", "Move the selected job one place forward"),
    ActionSpec("later", "&Edit", "Serve job &later", "Alt+Down", "Move the selected job one place back"),
    ActionSpec(
        "random_deadlines", "&Edit", "Random deadli&nes…", "", "Give every job a random deadline, or none"
    ),
    ActionSpec(
        "scale_jobs", "&Edit", "S&cale jobs…", "", "Give the selected jobs, or all, more or less input"
    ),
    ActionSpec(
        "fit_job",
        "&Edit",
        "&Fit distributions…",
        "Ctrl+Shift+G",
        "Show which distributions the selected job's durations follow, and draw jobs from them",
    ),
    ActionSpec("reset_order", "&Edit", "&Back to computed order", "", "Drop the order made by hand"),
    ActionSpec("add_scenario", "&Scenario", "&Add", "Ctrl+T", "Add a scenario beside the others (up to six)"),
    ActionSpec(
        "add_record",
        "&Scenario",
        "Add &what really ran",
        "",
        "Show what a log recorded beside the simulated schedules: hosts, failed and killed attempts",
    ),
    ActionSpec("duplicate_scenario", "&Scenario", "&Duplicate", "Ctrl+Shift+T", "Copy the active scenario"),
    ActionSpec("remove_scenario", "&Scenario", "&Remove", "Ctrl+W", "Remove the active scenario"),
    ActionSpec(
        "make_baseline",
        "&Scenario",
        "Make &baseline",
        "Ctrl+B",
        "Compare the others with the active scenario",
    ),
    ActionSpec("next_scenario", "&Scenario", "&Next", "Ctrl+PgDown", "Make the next scenario the active one"),
    ActionSpec(
        "previous_scenario", "&Scenario", "&Previous", "Ctrl+PgUp", "Make the previous scenario active"
    ),
    ActionSpec(
        "scenario_left", "&Scenario", "Show ea&rlier", "Ctrl+Shift+PgUp", "Move its chart one place forward"
    ),
    ActionSpec(
        "scenario_right", "&Scenario", "Show l&ater", "Ctrl+Shift+PgDown", "Move its chart one place back"
    ),
    ActionSpec(SEPARATOR, "&Scenario", ""),
    ActionSpec(
        "pool_search",
        "&Scenario",
        "Search balanced &pools…",
        "",
        "Show how the makespan changes with splits of the jobs and sizes of two pools",
    ),
    ActionSpec(
        "fidelity",
        "&Scenario",
        "Fideli&ty to the log…",
        "",
        "Say how far simulations are from the log, and estimate the overheads of its cluster",
    ),
    ActionSpec("stop", "&Scenario", "&Stop simulating", "Ctrl+.", "Cancel what is being simulated"),
    ActionSpec("zoom_in", "&View", "Zoom &in", "Ctrl++", "Show half as much time"),
    ActionSpec("zoom_out", "&View", "Zoom &out", "Ctrl+-", "Show twice as much time"),
    ActionSpec("fit", "&View", "&Fit", "Ctrl+0", "Show the whole schedule"),
    ActionSpec("zoom_job", "&View", "Zoom to &job", "Ctrl+Shift+J", "Show the selected job alone"),
    ActionSpec("zoom_back", "&View", "Zoom &back", "Alt+Left", "Show what was shown before the last zoom"),
    ActionSpec("zoom_forward", "&View", "Zoom for&ward", "Alt+Right", "Take back the last step back"),
    ActionSpec(SEPARATOR, "&View", ""),
    ActionSpec("arrangement", "&View", "&Arrangement", "", "How the charts lie"),
    ActionSpec("rows", "&View", "&Rows", "", "Rows of the charts: slots, or what each pool holds"),
    ActionSpec("theme", "&View", "&Theme", "", "Light, dark, or as the system"),
    ActionSpec("palette", "&View", "&Colours", "", "How more than seven jobs are coloured"),
    ActionSpec(
        "pools",
        "&View",
        "P&ools",
        "Ctrl+L",
        "Give jobs slots of their own, and set what pools get when slots are shared",
        checkable=True,
    ),
    ActionSpec("panels", "&View", "&Panels", "", "Show and hide the panels"),
    ActionSpec(
        "shared_scans",
        "&View",
        "&Shared scans",
        "Ctrl+Shift+D",
        "FLEX, BATCH and CIRCUMFLEX side by side: subjobs, boarding, and datasets as clocks",
    ),
    ActionSpec("play", "&Why", "&Play or pause", "Ctrl+Space", "Let the time cursor run, or stand still"),
    ActionSpec("next_event", "&Why", "&Next event", "Ctrl+Right", "Look at the next arrival, start or end"),
    ActionSpec(
        "previous_event",
        "&Why",
        "Pre&vious event",
        "Ctrl+Left",
        "Look at the arrival, start or end before",
    ),
    ActionSpec(
        "next_decision",
        "&Why",
        "Next &decision",
        "Ctrl+Shift+Right",
        "Look at the next task given a slot",
    ),
    ActionSpec(
        "previous_decision",
        "&Why",
        "Previo&us decision",
        "Ctrl+Shift+Left",
        "Look at the last task given a slot before",
    ),
    ActionSpec("to_start", "&Why", "To the &start", "Ctrl+Home", "Look at time 0"),
    ActionSpec("to_end", "&Why", "To the &end", "Ctrl+End", "Look at the end of the active scenario"),
    ActionSpec("hide_cursor", "&Why", "&Hide time cursor", "Ctrl+Shift+H", "Look at no time in particular"),
    ActionSpec(SEPARATOR, "&Why", ""),
    ActionSpec(
        "at_instant",
        "&Why",
        "At this &instant",
        "Ctrl+Shift+I",
        "Show free slots, queues and every candidate for the slot offered at the time cursor",
        checkable=True,
    ),
    ActionSpec(
        "why_task",
        "&Why",
        "&Why this task",
        "Ctrl+Shift+W",
        "Show why the selected task started then and there, and what the selected job waits for",
        checkable=True,
    ),
    ActionSpec(
        "why_makespan",
        "&Why",
        "Why this &makespan",
        "Ctrl+M",
        "Show the critical path: the tasks and waits that make the schedule as long as it is",
        checkable=True,
    ),
    ActionSpec(SEPARATOR, "&Why", ""),
    ActionSpec(
        "findings",
        "&Why",
        "Fi&ndings",
        "Ctrl+Shift+L",
        "List starvation, idle slots, broken quotas and unproductive holds of the active scenario",
        checkable=True,
    ),
    ActionSpec(
        "first_difference",
        "&Why",
        "&First difference",
        "Ctrl+Shift+B",
        "Go to the first decision in which the active scenario and the baseline differ",
    ),
    ActionSpec(
        "fork",
        "&Why",
        "&Continue from here…",
        "Ctrl+Shift+F",
        "Add a scenario that is the same up to the time cursor and then follows another policy",
    ),
    ActionSpec("shortcuts", "&Help", "&Shortcuts", "F1", "All keys and gestures"),
    ActionSpec("about", "&Help", "&About Slotscope"),
)


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


def build_menus(bar: QMenuBar, owner: QObject, submenus: dict[str, QMenu]) -> dict[str, QAction]:
    """Fill the menu bar from the table and return the actions by id; `submenus` take the place of theirs."""
    menus = {title: bar.addMenu(title) for title in MENUS}
    menus |= {spec.text: submenus[spec.id] for spec in ACTIONS if spec.id in submenus}
    actions: dict[str, QAction] = {}
    for spec in ACTIONS:
        menu = menus[spec.menu]
        if spec.id == SEPARATOR:
            menu.addSeparator()
        elif spec.id in submenus:
            submenus[spec.id].setTitle(spec.text)
            menu.addMenu(submenus[spec.id])
        else:
            actions[spec.id] = _action(spec, owner)
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


def connect(actions: dict[str, QAction], slots: dict[str, Callable[[], object]]) -> None:
    """Connect actions to what they do; every action must have its slot."""
    missing = actions.keys() - slots.keys()
    if missing:
        raise KeyError(f"actions without a slot: {', '.join(sorted(missing))}")
    for name, action in actions.items():
        action.triggered.connect(slots[name])


def shortcut_rows() -> list[tuple[str, str, str]]:
    """Return (group, keys, text) of every action that has a shortcut."""
    return [
        (spec.menu.replace("&", ""), spec.key, spec.text.replace("&", "").rstrip("…"))
        for spec in ACTIONS
        if spec.key
    ]
