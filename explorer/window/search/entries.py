"""Everything that the command palette finds in a window, and what choosing it does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDockWidget

from core.files.glossary import glossary
from core.files.samples import samples
from core.model.document_state import MAX_SCENARIOS
from core.model.number_text import grouped
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS
from core.policies.registry import file_policies, policies
from explorer.dialogs.choices import Choice, Ranked
from explorer.document.titles import title_in
from explorer.lessons.lesson_gallery import lesson_heads
from explorer.widgets.fuzzy_match import BEGINNING
from explorer.window.files.import_reports import NO_REPORT
from explorer.window.scenarios.window_actions import NO_JOB, NO_LOG
from explorer.window.search.job_names import JobNames
from explorer.window.search.other_names import other_names
from explorer.window.search.settings import settings_of
from explorer.window.window_menus import CHOICES, EXPORT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from core.model.job import Job
    from explorer.document.document import Document
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings
    from explorer.simulation.runner import Runner
    from explorer.widgets.details import DetailsDock
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.files.import_reports import ImportReports
    from explorer.window.frame.side_bar import SideDock
    from explorer.window.scenarios.window_actions import WindowActions
    from explorer.window.window_menus import ActionSpec, WindowMenus

JOB_WORDS = ("job", "jobs", "query", "application")
"""Before the number of a job, which need not be in its name."""
FULL = f"there are {MAX_SCENARIOS} scenarios already, the most that fit"
NEED_JOB = ("duplicate_job", "delete_job", "follow_job", "cut_links", "earlier", "later", "zoom_job")
NEED_LOG = ("add_record", "fidelity")
NEED_ROOM = ("add_scenario", "add_record", "duplicate_scenario", "fork")
NEED_OTHERS = ("remove_scenario", "next_scenario", "previous_scenario")
WHY_DISABLED = {
    "undo": "nothing was changed yet",
    "redo": "nothing was undone",
    "zoom_back": "nothing was zoomed yet",
}


class Searched(Protocol):
    """What a window has that can be found."""

    document: Document
    editor: Editor
    view_state: ViewState
    settings: WindowSettings
    runner: Runner
    files: DocumentFiles
    import_reports: ImportReports
    side_dock: SideDock
    details: DetailsDock
    actions_of_window: WindowActions
    menus: WindowMenus
    action_specs: tuple[ActionSpec, ...]
    actions_by_id: dict[str, QAction]

    def findChildren(self, kind: type[QDockWidget], /) -> Iterable[QDockWidget]:
        """Return its panels."""

    def show_glossary(self, term: str = "") -> None:
        """Show what the words mean, a given one first."""


def search_entries(window: Searched) -> list[Choice]:
    """Return what can be found now but jobs: actions, settings, policies, samples, lessons, files, words."""
    kinds = (_actions, _choices, _settings, _panels, _policies, _samples, _lessons, _recent, _terms)
    return [choice for kind in kinds for choice in kind(window)]


def _actions(window: Searched) -> Iterator[Choice]:
    because = _reasons(window)
    for spec in window.action_specs:
        action = window.actions_by_id.get(spec.id)
        if action is None or not action.isVisible() or spec.id == "search":
            continue
        name, menu = _plain(action.text()), spec.menu.replace("&", "")
        name = f"{menu}: {name}" if spec.menu == EXPORT else name
        reason = because.get(spec.id, "")
        if not action.isEnabled():
            reason = WHY_DISABLED.get(spec.id, "it cannot be done now")
        yield Choice(
            f"Menu {menu}",
            name,
            spec.tip or name,
            action.trigger,
            about=spec.tip,
            key=action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            also=other_names(spec.id),
            because=reason,
        )


def _reasons(window: Searched) -> dict[str, str]:
    """Return why actions would be refused now, or do nothing, by id."""
    document, active = window.document, window.view_state.active_scenario
    scenarios, place = document.scenarios, document.place_of(active)
    has_room = window.editor.can_add_scenario
    holds = (
        (window.view_state.selected_job is None, NEED_JOB, NO_JOB),
        (document.workload.recorded is None, NEED_LOG, NO_LOG),
        (not window.import_reports.has_report, ("import_report",), NO_REPORT),
        (not has_room, NEED_ROOM, FULL),
        (len(scenarios) == 1, NEED_OTHERS, "there is no other scenario"),
        (not scenarios[place].is_by_hand, ("reset_order",), "no order or pools were made by hand here"),
        (scenarios[place].plan is None, ("export_plan",), "the active scenario follows no plan"),
        (active == document.baseline, ("make_baseline",), "the active scenario is the baseline"),
        (place == 0, ("scenario_left",), "it is the first one"),
        (place == len(scenarios) - 1, ("scenario_right",), "it is the last one"),
        (not window.runner.is_busy, ("stop",), "nothing is being simulated"),
    )
    return {name: reason for does_hold, names, reason in holds if does_hold for name in names}


def _choices(window: Searched) -> Iterator[Choice]:
    """Yield what the submenus with checks offer: theme, colours, arrangement, rows."""
    for name in CHOICES:
        menu = window.menus.menus[name]
        for action in menu.actions():
            title = f"{_plain(menu.title())}: {_plain(action.text())}"
            because = "it is so already" if action.isChecked() else ""
            does = f"shows {title.lower()}"
            yield Choice("View", title, does, action.trigger, also=other_names(name), because=because)


def _settings(window: Searched) -> Iterator[Choice]:
    for setting in settings_of(window):
        yield setting.choice


def _panels(window: Searched) -> Iterator[Choice]:
    for page in window.details.pages.values():
        yield _panel(_plain(page.title), page.is_open, page.bring, page.shut)
    for dock in window.findChildren(QDockWidget):
        if dock is window.details:
            continue
        title, is_open = _plain(dock.windowTitle()), not dock.isHidden()
        yield _panel(title, is_open, dock.show, dock.hide)
    side = window.side_dock
    for name, section in side.bar.sections.items():
        is_open = section.is_open and not side.isHidden()
        show, fold = partial(side.show_section, name), partial(section.open, False)
        yield _panel(section.header.text(), is_open, show, fold)


def _panel(title: str, is_open: bool, show: Callable[[], object], close: Callable[[], object]) -> Choice:
    does = f"brings the panel {title} to the front" if is_open else f"shows the panel {title}"
    return Choice(
        "Panel",
        title,
        does,
        show,
        about="open" if is_open else "closed",
        also_does=f"closes the panel {title}" if is_open else "",
        also_run=close if is_open else None,
    )


def _policies(window: Searched) -> Iterator[Choice]:
    do = window.actions_of_window
    active = title_in(window.document.state, window.document.scenario(window.view_state.active_scenario))
    because = "" if window.editor.can_add_scenario else FULL
    of_graphs = not window.document.workload.is_map_reduce
    for policy in (*policies(), *file_policies()):
        if of_graphs and policy.needs_map_reduce:
            continue
        yield Choice(
            "Policy",
            policy.title,
            f"adds a scenario under {policy.title}",
            partial(do.add_policy, policy.id),
            about=policy.summary,
            also_does=f"puts it in the place of {active}",
            also_run=partial(do.replace_policy, policy.id),
            because=because,
        )


def _samples(window: Searched) -> Iterator[Choice]:
    for sample in samples():
        does, run = f"opens the sample {sample.title}", partial(window.files.open, sample.name)
        yield Choice(
            "Sample",
            sample.title,
            does,
            run,
            about=sample.look,
            also=(sample.name, sample.name.replace("-", " ")),
        )


def _lessons(window: Searched) -> Iterator[Choice]:
    for head in lesson_heads():
        run = partial(window.files.open, str(head.path))
        yield Choice("Lesson", head.name, f"opens the lesson {head.name}", run, about=head.summary)


def _recent(window: Searched) -> Iterator[Choice]:
    for path in window.settings.recent_files:
        run = partial(window.files.open, path)
        because = "" if path.exists() else "the file is not there any more"
        yield Choice("File", path.name, f"opens {path}", run, about=str(path.parent), because=because)


def jobs_finder(window: Searched) -> Callable[[str], list[Ranked]]:
    """Return what finds jobs by what is typed, of any number of jobs."""
    jobs = window.document.workload.jobs
    names = JobNames([job.name for job in jobs])

    def found(typed: str) -> list[Ranked]:
        kind, _, rest = typed.strip().partition(" ")
        is_called = bool(rest) and kind.lower() in JOB_WORDS
        fitting, left = names.found(rest if is_called else typed)
        more = BEGINNING * is_called
        ranked = [(points + more, _job_choice(window, jobs[place])) for points, place in fitting]
        return [*ranked, (0.0, _more_jobs(left))] if left > 0 else ranked

    return found


def _job_choice(window: Searched, job: Job) -> Choice:
    do = window.actions_of_window
    return Choice(
        "Job",
        job.name,
        f"selects {job.name} and shows it alone in the charts (Alt+Left goes back)",
        partial(do.show_job, job.name),
        about=_tasks_text(job),
        also_does="selects it only",
        also_run=partial(window.view_state.select_job, job.name),
    )


def _more_jobs(count: int) -> Choice:
    name = f"{grouped(count)} more job{'' if count == 1 else 's'}"
    return Choice("Job", name, "", lambda: None, because="type more of a name to find it")


def _tasks_text(job: Job) -> str:
    """Return how many tasks a job has: "12 maps, 1 reduce", or "7 stages, 120 tasks"."""
    counts = [(len(job.stages), "stage"), (job.task_count, "task")]
    if job.graph == MAP_REDUCE:
        counts = [(stage.count, word) for stage, word in zip(job.stages, KIND_WORDS, strict=True)]
    return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts)


def _terms(window: Searched) -> Iterator[Choice]:
    for term in glossary():
        run = partial(window.show_glossary, term.name)
        yield Choice("Word", term.name, "shows it in the glossary", run, about=term.meaning)


def _plain(text: str) -> str:
    """Return the text of a menu without its mnemonic."""
    action = QAction(text)
    plain = action.iconText()
    return plain.removesuffix("…")
