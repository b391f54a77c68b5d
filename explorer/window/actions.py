"""What each menu offers, as tables: menus, tool bar, tool tips and the list of shortcuts come from them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from explorer.comparison.comparison_panel import KEY_HELP as COMPARISON_KEYS
from explorer.explain.player import KEY_HELP as TIME_KEYS
from explorer.gantt.gestures.keys import KEY_BINDINGS
from explorer.lab.code_marks import EDITOR_KEYS
from explorer.panels.keys import KEY_HELP as PANEL_KEYS
from explorer.window.charts.chart_stack import KEY_HELP as STACK_KEYS
from explorer.window.lessons.presenter_keys import KEY_HELP as PRESENTER_KEYS
from explorer.window.window_menus import EDIT, EXPORT, FILE, HELP, SCENARIO, SEPARATOR, VIEW, WHY, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from explorer.document.time_axis import TimeAxis
    from explorer.document.undo_in_turn import UndoInTurn
    from explorer.panels.scenario_headers import ScenarioHeaders
    from explorer.scans.scan_window import ScanWindow
    from explorer.simulation.runner import Runner
    from explorer.trace_database.library_window import LibraryWindow
    from explorer.widgets.details import DetailsDock, DetailsPage
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.files.exports import Exports, Pictures
    from explorer.window.files.import_reports import ImportReports
    from explorer.window.frame.side_bar import SideDock
    from explorer.window.scenarios.optimize_area import OptimizeArea
    from explorer.window.scenarios.pools_area import PoolsArea
    from explorer.window.scenarios.questions_area import QuestionsArea
    from explorer.window.scenarios.sensitivity_area import SensitivityArea
    from explorer.window.scenarios.study_area import StudyArea
    from explorer.window.scenarios.why_area import WhyArea
    from explorer.window.scenarios.window_actions import WindowActions

Specs = tuple[ActionSpec, ...]
SAVE = "&Save"


def file_menu(
    files: DocumentFiles,
    reports: ImportReports,
    library: LibraryWindow,
    exports: Exports,
    pictures: Pictures,
    do: WindowActions,
    leave: Callable[[], object],
) -> Specs:
    """Return what brings documents, and takes them and what they show elsewhere."""
    file = partial(ActionSpec, FILE)
    # fmt: off
    return (
        file("open", "&Open…", "Ctrl+O", files.ask_and_open, "Open a session, a workload document or a log"),
        file("samples", "Sa&mples…", "", files.ask_for_sample,
            "Open a worked example, chosen by its picture and by what there is to see in it"),
        file("recent", "Open &recent", "", None, "Open a file opened before"),
        file("import", "&Import logs…", "Ctrl+I", files.ask_and_import,
            "Import one or more real logs as one workload"),
        file("import_folder", "Import a &folder of logs…", "", files.ask_and_import_folder,
            "Import all logs in a folder as one workload"),
        file("server", "Op&en from a server…", "", files.servers.ask,
            "List what a history server of a cluster has, and open some of it as one workload"),
        file("refresh", "Refres&h", "", files.refresh,
            "Read the document again, from its server what is new or has grown, or from its file"),
        file("library", "Trace &library", "Ctrl+Shift+Y", library.show_in_front,
            "Jobs of many logs: search them, compare runs, drag them into the workload"),
        file("import_report", "Import &report…", "", reports.show,
            "Show again what the import kept, left out and assumed; set what the log does not say"),
        file("generate", "&Generate…", "Ctrl+G", do.generate, "Draw a synthetic workload from a seed"),
        file(SEPARATOR),
        file("save", SAVE, "Ctrl+S", files.save, "Save the workload, scenarios, notes and layout"),
        file("save_as", "Save &as…", "Ctrl+Shift+S", files.save_as, "Save the session under another name"),
        file(SEPARATOR),
        file("export", "E&xport", "", None, "Write pictures, tables, traces and reports"),
        *_export_menu(files, exports, pictures, do),
        file("copy_picture", "&Copy picture", "Ctrl+Shift+C", pictures.copy,
            "Put a picture of all charts on the clipboard"),
        file("copy_stages", "Copy ta&ble of stages", "", exports.copy_stages,
            "Put when each stage of the active scenario runs, and what it waits for, on the clipboard"),
        file(SEPARATOR),
        file("quit", "&Quit", "Ctrl+Q", leave, "Close Slotscope"),
    )
    # fmt: on


def _export_menu(files: DocumentFiles, exports: Exports, pictures: Pictures, do: WindowActions) -> Specs:
    """Return what writes pictures, tables, traces and documents."""
    export, write = partial(ActionSpec, EXPORT), exports.ask_and_write
    # fmt: off
    return (
        export("export_picture", "&Picture…", "Ctrl+E", pictures.open_dialog,
            "Draw all charts for a slide or a paper, or as they are on the screen"),
        export("export_animation", "&Animation…", "", exports.ask_and_animate,
            "Play the schedules into a file: GIF, WebP or MP4, with a sentence on what has just happened"),
        export("export_report", "&Report…", "", exports.ask_and_report,
            "Write charts and figures of all scenarios as one HTML file"),
        export("export_page", "Pa&ge…", "", exports.ask_and_write_page,
            "Write the charts as one HTML file that draws them in a browser: zoom, search, play"),
        export("export_tasks", "&Tasks…", "", partial(write, "tasks"),
            "Write the tasks of one or all scenarios as CSV or Parquet"),
        export("export_jobs", "&Jobs…", "", partial(write, "jobs"),
            "Write the jobs of one or all scenarios as CSV or Parquet"),
        export("export_stages", "Stag&es…", "", partial(write, "stages"),
            "Write when the stages of one or all scenarios run as CSV or Parquet"),
        export("export_perfetto", "Per&fetto trace…", "", partial(write, "perfetto"),
            "Write one or all scenarios for Perfetto (Chrome's trace format)"),
        export("export_paje", "P&aje trace…", "", partial(write, "paje"),
            "Write one or all scenarios for ViTE and PajeNG"),
        export("export_workload", "&Workload…", "", files.export_workload,
            "Write the jobs and the cluster as a workload document"),
        export("export_plan", "P&lan…", "", do.export_plan,
            "Write the due dates that the active scenario follows, for another time or the command line"),
        export("export_packed", "Packed &session…", "", files.export_packed,
            "Write the session with the policy files that it uses inside, for another machine"),
    )
    # fmt: on


def edit_menu(
    stack: UndoInTurn, do: WindowActions, bar: ScenarioHeaders, find: Callable[[], object]
) -> Specs:
    """Return what changes jobs and their order."""
    edit = partial(ActionSpec, EDIT)
    # fmt: off
    return (
        edit("undo", "&Undo", "Ctrl+Z", stack.undo),
        edit("redo", "&Redo", "Ctrl+Shift+Z", stack.redo),
        edit(SEPARATOR),
        edit("find", "Find i&n the charts…", "Ctrl+F", find,
            "Go to jobs, tasks and slots of the active chart: J3, J3 task 12, M5"),
        edit("add_job", "&Add job", "Ctrl+J", do.add_job, "Add a small job at the end"),
        edit("duplicate_job", "Du&plicate job", "Ctrl+D", do.duplicate_job,
            "Put a copy behind the selected job"),
        edit("delete_job", "&Delete job", "Ctrl+Backspace", do.delete_job, "Delete the selected job"),
        edit("earlier", "Serve job &earlier", "Alt+Up", partial(do.serve, -1),
            "Move the selected job one place forward"),
        edit("later", "Serve job &later", "Alt+Down", partial(do.serve, 1),
            "Move the selected job one place back"),
        edit("follow_job", "&Follow a job…", "", do.ask_whom_to_follow,
            "Let the selected job arrive when another one has ended, and its think time is over"),
        edit("cut_links", "Arrive at a &fixed time", "", do.cut_links,
            "Let the selected job follow no other one: it arrives when its log says, or as early as it can"),
        edit("random_deadlines", "Random deadli&nes…", "", do.draw_deadlines,
            "Give every job a random deadline, or none"),
        edit("scale_jobs", "S&cale jobs…", "", do.scale_jobs,
            "Give the selected jobs, or all, more or less input"),
        edit("fit_job", "&Fit distributions…", "Ctrl+Shift+G", do.fit_job,
            "Show which distributions the selected job's durations follow, and draw jobs from them"),
        edit("reset_order", "&Back to computed order", "", bar.reset_order, "Drop the order made by hand"),
    )
    # fmt: on


def scenario_menu(
    bar: ScenarioHeaders,
    do: WindowActions,
    files: DocumentFiles,
    optimize: OptimizeArea,
    questions: QuestionsArea,
    study: StudyArea,
    sensitivity: SensitivityArea,
    pools: PoolsArea,
    runner: Runner,
) -> Specs:
    """Return what adds, compares and improves scenarios."""
    scenario = partial(ActionSpec, SCENARIO)
    # fmt: off
    return (
        scenario("add_scenario", "&Add…", "Ctrl+T", lambda: bar.add(),
            "Choose a policy for one more scenario beside the others (up to six)"),
        scenario("add_record", "Add &what really ran", "", do.add_record,
            "Show what a log recorded beside the simulated schedules: hosts, failed and killed attempts"),
        scenario("duplicate_scenario", "&Duplicate", "Ctrl+Shift+T", bar.duplicate,
            "Copy the active scenario"),
        scenario("remove_scenario", "&Remove", "Ctrl+W", bar.remove, "Remove the active scenario"),
        scenario("make_baseline", "Make &baseline", "Ctrl+B", bar.make_baseline,
            "Compare the others with the active scenario"),
        scenario("next_scenario", "&Next", "Ctrl+PgDown", partial(do.step, 1),
            "Make the next scenario the active one"),
        scenario("previous_scenario", "&Previous", "Ctrl+PgUp", partial(do.step, -1),
            "Make the previous scenario active"),
        scenario("scenario_left", "Show ea&rlier", "Ctrl+Shift+PgUp", partial(bar.move_selected, -1),
            "Move its chart one place forward"),
        scenario("scenario_right", "Show l&ater", "Ctrl+Shift+PgDown", partial(bar.move_selected, 1),
            "Move its chart one place back"),
        scenario(SEPARATOR),
        *_search_menu(do, files, optimize, questions, study, sensitivity, pools),
        scenario("stop", "&Stop simulating", "Ctrl+.", runner.cancel, "Cancel what is being simulated"),
    )
    # fmt: on


def _search_menu(
    do: WindowActions,
    files: DocumentFiles,
    optimize: OptimizeArea,
    questions: QuestionsArea,
    study: StudyArea,
    sensitivity: SensitivityArea,
    pools: PoolsArea,
) -> Specs:
    """Return what searches better schedules and clusters, and what else could be."""
    scenario = partial(ActionSpec, SCENARIO)
    # fmt: off
    return (
        scenario("optimize", "&Optimise…", "Ctrl+Shift+M", optimize.show,
            "Search for the best schedule, and see how far from the best possible it is", checkable=True),
        scenario("front", "&Goals side by side", "", optimize.front.show,
            "Show plans between two goals, such as makespan and mean response, each a schedule to take",
            checkable=True),
        scenario("fewest", "How many s&lots…", "", questions.ask,
            "Say how few slots end the active scenario by a time, or answer another question about it"),
        scenario("use_plan", "&Use plan…", "", files.ask_for_plan,
            "Let a scenario beside the active one follow a plan from a file"),
        scenario("study", "Stud&y…", "Ctrl+Shift+U", study.show,
            "Vary fields of the active scenario: thousands of simulations as one picture"),
        scenario("sensitivity", "Sensiti&vity", "Ctrl+Shift+V", sensitivity.show,
            "Change each thing that the active scenario depends on by a step: what moves its end most?",
            checkable=True),
        scenario("forecast", "Fore&cast", "", questions.forecast.show,
            "Take what lies left of the time cursor as known: when will the jobs end, with which chances?",
            checkable=True),
        scenario("what_if", "What &if…", "Ctrl+Shift+N", do.ask_what_if,
            "Change slots, task times, partitions, stragglers and think times, and see what each is worth"),
        scenario("executors", "How many e&xecutors…", "Ctrl+Alt+X", do.ask_how_many,
            "Show how long the application takes on few executors to many, what that costs, and how many are "
            "enough"),
        scenario("pool_search", "Search balanced &pools…", "", pools.search,
            "Show how the makespan changes with splits of the jobs and sizes of two pools"),
        scenario("fidelity", "Fideli&ty to the log…", "", do.check_fidelity,
            "Say how far simulations are from the log, and estimate the overheads of its cluster"),
    )
    # fmt: on


def view_menu(
    do: WindowActions,
    axis: TimeAxis,
    charts: ChartArea,
    side: SideDock,
    comparison: DetailsPage,
    details: DetailsDock,
    scans: ScanWindow,
) -> Specs:
    """Return what is shown, and how."""
    view = partial(ActionSpec, VIEW)
    # fmt: off
    return (
        view("zoom_in", "Zoom &in", "Ctrl++", partial(do.zoom, 0.5), "Show half as much time"),
        view("zoom_out", "Zoom &out", "Ctrl+-", partial(do.zoom, 2), "Show twice as much time"),
        view("fit", "&Fit", "Ctrl+0", do.fit, "Show the whole schedule"),
        view("zoom_job", "Zoom to &job", "Ctrl+Shift+J", do.zoom_to_job, "Show the selected job alone"),
        view("zoom_back", "Zoom &back", "Alt+Left", axis.back, "Show what was shown before the last zoom"),
        view("zoom_forward", "Zoom for&ward", "Alt+Right", axis.forward, "Take back the last step back"),
        view(SEPARATOR),
        view("arrangement", "&Arrangement", "", None, "How the charts lie"),
        view("chart_alone", "Active chart al&one", "F11", charts.stack.toggle_active,
            "Show the active scenario's chart in the room of all charts; Escape or the key again shows all"),
        view("rows", "&Rows", "", None, "Rows of the charts: slots, or what each pool holds"),
        view("record_rows", "Rows of a recor&d", "", None, "What the slots of a log go by"),
        view("fit_rows", "Fit a&ll rows", "Ctrl+R", do.fit_rows,
            "Squeeze all rows of each chart into it, or scroll them again", checkable=True),
        view("stages", "Stages above t&he rows", "Ctrl+Shift+P", do.fold_stages,
            "Fold the stages of jobs away, or show them, where jobs have more than two or follow others"),
        view("idle", "Fold &idle time", "", do.fold_idle_time,
            "Fold long stretches of time in which nothing runs in any chart, or draw them at their length"),
        view("estimates", "&Estimates", "", do.mark_estimates,
            "Mark the makespans that are estimated without simulating, where jobs are served in an order",
            checkable=True),
        view("theme", "&Theme", "", None, "Light, dark, or as the system"),
        view("colour_by", "&Colour tasks by", "", None, "What decides of the colour of a task"),
        view("side_bar", "Side &bar", "F9", side.toggle,
            "Show jobs, cluster and pools at the left, or leave the room to the charts", checkable=True),
        view("comparison", "Co&mparison", "F8", comparison.toggle,
            "Compare makespans, figures, jobs and slots in use of all scenarios", checkable=True),
        view("details", "&Details", "Shift+F8", details.toggle,
            "Show the inspector, reasons, findings and the search beside the charts, or put them away",
            checkable=True),
        view("pools", "P&ools", "Ctrl+L", partial(side.toggle_section, "pools"),
            "Give jobs slots of their own, and set what pools get when slots are shared", checkable=True),
        view("panels", "&Panels", "", None, "Show and hide the panels"),
        view("shared_scans", "&Shared scans", "Ctrl+Shift+D", scans.show_in_front,
            "FLEX, BATCH, AKO and CIRCUMFLEX side by side: each dataset as a circle, subjobs, who boards"),
    )
    # fmt: on


def why_menu(why: WhyArea) -> Specs:
    """Return what moves the time cursor and explains the schedule."""
    act, player = partial(ActionSpec, WHY), why.player
    # fmt: off
    return (
        act("play", "&Play or pause", "Ctrl+Space", player.toggle, "Let the time cursor run, or stand still"),
        act("speed", "&Speed", "", None, "How fast to play"),
        act("next_event", "&Next event", "Ctrl+Right", lambda: player.step_event(1),
            "Look at the next arrival, start or end"),
        act("previous_event", "Pre&vious event", "Ctrl+Left", lambda: player.step_event(-1),
            "Look at the arrival, start or end before"),
        act("next_decision", "Next &decision", "Ctrl+Shift+Right", lambda: player.step_decision(1),
            "Look at the next task given a slot"),
        act("previous_decision", "Previo&us decision", "Ctrl+Shift+Left", lambda: player.step_decision(-1),
            "Look at the last task given a slot before"),
        act("to_start", "To the &start", "Ctrl+Home", player.to_start, "Look at time 0"),
        act("to_end", "To the &end", "Ctrl+End", player.to_end, "Look at the end of the active scenario"),
        act("hide_cursor", "&Hide time cursor", "Ctrl+Shift+H", why.cursor.hide,
            "Look at no time in particular"),
        act(SEPARATOR),
        act("at_instant", "At this &instant", "Ctrl+Shift+I", why.instant_page.toggle,
            "Show free slots, queues and every candidate for the slot offered at the time cursor",
            checkable=True),
        act("why_task", "&Why this task", "Ctrl+Shift+W", why.why_page.toggle,
            "Show why the selected task started then and there, and what the selected job waits for",
            checkable=True),
        act("why_makespan", "Why this &makespan", "Ctrl+M", why.critical_path_page.toggle,
            "Show the critical path: the tasks and waits that make the schedule as long as it is",
            checkable=True),
        act(SEPARATOR),
        act("findings", "Fi&ndings", "Ctrl+Shift+L", why.findings_page.toggle,
            "List starvation, idle slots, broken quotas and unproductive holds of the active scenario",
            checkable=True),
        act("first_difference", "&Differences", "Ctrl+Shift+B", why.show_first_difference,
            "List all decisions in which the active scenario and the baseline differ, and go to the first"),
        act("next_difference", "Next di&fference", "F4", partial(why.step_difference, 1),
            "Go to the next decision that differs, or of which another policy would decide otherwise"),
        act("previous_difference", "Previous diffe&rence", "Shift+F4", partial(why.step_difference, -1),
            "Go to the decision before that differs"),
        act("asked_policy", "What another &policy would do…", "", why.choose_other_policy,
            "Ask another policy in every state of the active scenario, or compare with another scenario"),
        act("fork", "&Continue from here…", "Ctrl+Shift+F", why.ask_and_fork,
            "Add a scenario that is the same up to the time cursor and then follows another policy"),
    )
    # fmt: on


def help_menu(
    search: Callable[[], object],
    first_steps: Callable[[], object],
    shortcuts: Callable[[], object],
    glossary: Callable[[], object],
    about: Callable[[], object],
) -> Specs:
    """Return what helps to find one's way."""
    help_ = partial(ActionSpec, HELP)
    # fmt: off
    return (
        help_("search", "Search &everything…", "Ctrl+K", search,
            "Find an action, policy, file, job, panel or word by a few letters; set slots 200"),
        help_("first_steps", "First s&teps", "", first_steps,
            "A few things to do in this window, one after the other"),
        help_("shortcuts", "&Shortcuts", "F1", shortcuts, "All keys and gestures"),
        help_("glossary", "&Glossary", "", glossary, "What the words of Slotscope mean"),
        help_("about", "&About Slotscope", "", about),
    )
    # fmt: on


GESTURES: tuple[tuple[str, str, str], ...] = (
    ("Mouse on the axis", "Click //", "Draw folded idle time as long as it is, or fold it again"),
    ("Mouse in a chart", "Wheel", "Scroll the rows, then the charts; zoom where all is in view"),
    ("Mouse in a chart", "Ctrl+Wheel", "Zoom in time at the pointer"),
    ("Mouse in a chart", "Shift+Wheel", "Show earlier or later times"),
    ("Mouse in a chart", "Ctrl+Shift+Wheel", "Make rows higher or lower"),
    ("Mouse in a chart", "Click a pool's label", "Collapse its rows to one, or open them"),
    ("Mouse in a chart", "Click a stage", "Select it: its tasks and those around it stand out"),
    ("Mouse in a chart", "Click Path", "Fold the stages above the rows away, or show them"),
    ("Mouse in a chart", "Drag the bar at the right", "Scroll the rows; a click beside its frame is a page"),
    ("Mouse in a chart", "Drag", "Pan; a selected job is moved instead, and the pointer shows which"),
    ("Mouse in a chart", "Drag with the middle button", "Pan, whatever is under the pointer"),
    ("Mouse in a chart", "Drag a selected job", "Serve it at another place; Escape restores"),
    ("Mouse in a chart", "Shift+Drag a job", "The same, whether it is selected or not"),
    ("Mouse in a chart", "Drag it into another pool", "Let the job belong to that pool"),
    ("Mouse in a chart", "Drag the line above a pool", "Give its slots to the pool above, or take some"),
    ("Mouse in a chart", "Shift+Drag the line", "The same with slots of one kind only"),
    ("Mouse in a chart", "Click", "Select the job everywhere; Escape lets it go"),
    ("Mouse in a chart", "Click beside all tasks", "Select the slot while it idles; Why says the cause"),
    ("Mouse in a chart", "Double click", "Show the job alone"),
    ("Mouse on the time axis", "Drag", "Look at another instant in all charts; it stops at events"),
    ("Mouse on the time axis", "Alt+Drag", "The same, at any time"),
    ("Picture of a pool search", "Arrow keys, Enter", "Go from trial to trial; take its pools"),
    ("Picture of a study", "Click", "Open the schedule there as a scenario"),
    ("Menu of a field", "Vary this in a study", "Open the study window with that field as an axis"),
    ("Mouse in the jobs panel", "Drag a row", "Serve the job at another place"),
    ("Mouse in the jobs panel", "Drag a row to the pools", "Put the job into another pool"),
    ("Find in the charts", "Enter, Shift+Enter", "Go to the next that was found, or to the one before"),
    ("Search everything", "Up, Down, Enter", "Mark what was found, and do what the last line says"),
    ("Search everything", "Ctrl+Enter", "Do the other thing that the last line names"),
    ("Lists of policies", "Letters", "Narrow the list to the policies that fit; Enter takes the marked one"),
    ("Window", "Drag files upon it", "Open a file, use a policy, or import logs; it says which"),
    ("Trace library", "Drag rows, or Enter", "Add the jobs to the workload"),
    ("Trace library", "Delete, Ctrl+Z", "Move jobs to the trash; take them back"),
    ("Trace library", "Ctrl+F", "Search"),
)


def shortcut_rows(specs: Sequence[ActionSpec]) -> list[tuple[str, str, str]]:
    """Return (where, keys, what they do) for every key and gesture of the window and its parts."""
    ours = [
        (spec.menu.replace("&", ""), spec.key, spec.text.replace("&", "").rstrip("…"))
        for spec in specs
        if spec.key
    ]
    in_charts = [("In a chart", binding.text, binding.does) for binding in KEY_BINDINGS]
    return [
        *ours,
        *in_charts,
        *TIME_KEYS,
        *GESTURES,
        *PANEL_KEYS,
        *EDITOR_KEYS,
        *STACK_KEYS,
        *COMPARISON_KEYS,
        *PRESENTER_KEYS,
    ]
