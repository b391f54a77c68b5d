"""The window: builds the parts, places them, and connects them to one another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QMainWindow, QMenu, QMenuBar
from typing_extensions import override

from core.model.visible_text import visible
from core.policies.user_files.source import is_policy_file
from explorer.comparison.comparison_panel import ComparisonPanel
from explorer.dialogs.command_palette import CommandPalette
from explorer.dialogs.help_dialogs import AboutDialog, GlossaryDialog, ShortcutsDialog
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.document.time_axis import TimeAxis
from explorer.document.view_state import ViewState
from explorer.panels.cluster_panel import ClusterPanel
from explorer.panels.inspector import Inspector
from explorer.panels.jobs_panel import JobsPanel
from explorer.panels.notes_panel import NotesPanel
from explorer.policy_files.own_policies import OwnPolicies
from explorer.scans.scan_window import ScanWindow
from explorer.simulation.runner import Runner
from explorer.trace_database.library_window import LibraryWindow
from explorer.widgets.details import DetailsDock, DetailsPage
from explorer.widgets.error_messages import MessageBar
from explorer.widgets.save_dialog import MAKE_COPY
from explorer.widgets.term_tips import TermTips
from explorer.widgets.worker import shutdown_workers
from explorer.window.actions import (
    SAVE,
    edit_menu,
    file_menu,
    help_menu,
    scenario_menu,
    shortcut_rows,
    view_menu,
    why_menu,
)
from explorer.window.area import Area, WindowModel
from explorer.window.charts.chart_area import ChartArea
from explorer.window.charts.row_arrangement import compute_to_draw
from explorer.window.charts.shown_outcomes import ShownOutcomes
from explorer.window.files.document_files import DocumentFiles
from explorer.window.files.drop_welcome import DropWelcome, dropped_paths
from explorer.window.files.exports import Exports, Pictures
from explorer.window.files.import_reports import ImportReports
from explorer.window.first_steps import FirstSteps
from explorer.window.frame.centre import Centre
from explorer.window.frame.layout import arrange, layout_of, screen_of
from explorer.window.frame.rail import Rail, RailBar
from explorer.window.frame.side_bar import BarSection, SideBar, SideDock
from explorer.window.frame.top_bar import TopBar
from explorer.window.lab.lab_area import LabArea
from explorer.window.lessons.lesson_area import LessonArea
from explorer.window.scenarios.context_menus import ContextMenus
from explorer.window.scenarios.optimize_area import OptimizeArea
from explorer.window.scenarios.pools_area import PoolsArea
from explorer.window.scenarios.questions_area import QuestionsArea
from explorer.window.scenarios.sensitivity_area import SensitivityArea
from explorer.window.scenarios.sentence_area import SentenceArea
from explorer.window.scenarios.study_area import StudyArea
from explorer.window.scenarios.why_area import WhyArea
from explorer.window.scenarios.window_actions import WindowActions
from explorer.window.search.entries import jobs_finder, search_entries
from explorer.window.search.find_bar import ScheduleFindBar
from explorer.window.window_menus import CHOICES, WindowMenus, fill_menu_bar, follow_undo

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDropEvent,
        QKeyEvent,
        QResizeEvent,
        QShowEvent,
    )

    from core.model.document_state import DocumentState
    from explorer.session.settings import WindowSettings
    from explorer.widgets.theme import Theme
    from explorer.window.files.document_work import OpenedDocument

SECTION_HEIGHT = 230
"""Pixels at first."""


class MainWindow(QMainWindow):
    """One document with its charts and panels.

    Signals:
        closing: the window closes and everything in it should end
    """

    closing = Signal()

    def __init__(self, state: DocumentState, settings: WindowSettings, theme: Theme) -> None:
        super().__init__()
        self._menu_bar = QMenuBar(self)
        self.settings = settings
        self.document = Document(state, parent=self)
        self.editor = Editor(self.document, self)
        self.view_state = ViewState(self.document, self)
        self.axis = TimeAxis(self)
        self.runner = Runner(self.document, compute_to_draw, parent=self)
        self.model = WindowModel(self.editor, self.runner, self.view_state, self.axis, settings)
        for name in (*CHOICES, "stages", "idle", "row_heights"):
            setattr(self.view_state, name, getattr(self.settings, name))
        self.view_state.stages_changed.connect(self._keep_view)
        self.view_state.idle_changed.connect(self._keep_view)
        self.view_state.row_heights_changed.connect(self._keep_view)
        self.view_state.record_rows_changed.connect(self._number_slots)
        self._number_slots()
        self._make_panels(theme)
        self._make_centre()
        self._make_areas()
        self._make_menus()
        self._connect()
        self.setAcceptDrops(True)
        self.drop_welcome = DropWelcome(self)
        self._show_title()
        self.runner.look_again()

    def _make_panels(self, theme: Theme) -> None:
        self.messages = MessageBar(self)
        self.charts = ChartArea(self.editor, self.runner, self.view_state, self.axis, theme)
        self.headers = self.charts.headers
        self.jobs_panel = JobsPanel(self.editor, self.view_state)
        self.cluster_panel = ClusterPanel(self.editor, self.view_state)
        self.notes_panel = NotesPanel(self.editor)
        self.inspector = Inspector(self.document, self.view_state)
        self.comparison = ComparisonPanel(self.document, self.view_state, self.axis, theme)
        self.pools = PoolsArea(self.model, self, charts=self.charts, jobs_panel=self.jobs_panel)

    def _make_centre(self) -> None:
        """Place the charts with what lies around them."""
        self.centre = Centre(self.charts, self.messages)
        self.setCentralWidget(self.centre)
        panels = (self.jobs_panel, self.cluster_panel, self.pools.panel, self.notes_panel)
        named = zip(("jobs", "cluster", "pools", "notes"), panels, strict=True)
        bar = SideBar({name: BarSection(name.title(), part, SECTION_HEIGHT) for name, part in named})
        self.side_dock = SideDock(bar, self)
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self.side_dock)
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.TopLeftCorner):
            self.setCorner(corner, Qt.DockWidgetArea.LeftDockWidgetArea)
        for name in ("jobs", "cluster"):
            bar.sections[name].open()
        self.details = DetailsDock(self, self.settings.details_side)
        self.details.side_chosen.connect(partial(setattr, self.settings, "details_side"))
        self.inspector_page = DetailsPage("inspector", "Inspector", self.inspector, is_fixed=True)
        self.inspector_page.is_telling = False  # it knows of the veil itself
        self.inspector_page.place(self.details)
        self.comparison_page = DetailsPage("comparison", "Comparison", self.comparison)

    def _make_areas(self) -> None:
        model, charts = self.model, self.charts
        self.files = DocumentFiles(model, self, layout=self._layout_and_view)
        self.import_reports = ImportReports(model, self, files=self.files)
        self.import_reports.read.connect(self.centre.foot.show_read)
        self.centre.foot.details_wanted.connect(self.import_reports.show)
        self.pictures = Pictures(model, self, charts=charts)
        self.exports = Exports(model, self, charts=charts)
        self.actions_of_window = WindowActions(model, self, charts=charts, jobs_panel=self.jobs_panel)
        self.own_policies = OwnPolicies(
            self.editor, self.runner, self.view_state, lambda: charts.views, self.settings, self
        )
        self.scans = ScanWindow(self.editor, self.view_state, self.messages.show_error, self)
        self.library = LibraryWindow(self.editor, self, columns_of_tables=self.settings.columns_of_tables)
        self.why = WhyArea(model, self, charts=charts, details=self.details)
        self.sentence = SentenceArea(model, self, charts=charts, jumps=self.why.jumps)
        self.sentence.follow(self.details, self.centre)
        self.centre.follow(self.details)
        self.optimize = OptimizeArea(model, self, charts=charts, details=self.details)
        self.questions = QuestionsArea(model, self, charts=charts, details=self.details)
        self.sensitivity = SensitivityArea(model, self, details=self.details)
        self.study = StudyArea(
            model, self, charts=charts, files=self.files, consent=self.own_policies.actions
        )
        self._make_lessons_and_lab()
        self.shown_outcomes = ShownOutcomes(
            model,
            self,
            charts=charts,
            jobs_panel=self.jobs_panel,
            inspector=self.inspector,
            comparison=self.comparison,
            own_policies=self.own_policies,
            coloured=(self.why,),
        )
        self.areas: tuple[Area, ...] = (
            self.shown_outcomes,
            self.files,
            self.import_reports,
            self.pictures,
            self.exports,
            self.actions_of_window,
            self.pools,
            ContextMenus(model, self, charts=charts, pools=self.pools),
            self.why,
            self.sentence,
            self.optimize,
            self.questions,
            self.sensitivity,
            self.study,
            self.lessons,
            self.lab,
        )
        self.menus = WindowMenus(self.settings, self.view_state, self, self.why.speeds)
        self.palette_of_commands = CommandPalette(self)
        self.find_bar = ScheduleFindBar(self.model, self.charts)
        self.find_bar.ended.connect(self._focus_chart)
        self.centre.show_above(self.find_bar)
        TermTips(self)

    def _make_lessons_and_lab(self) -> None:
        """Make the areas that need the most of the others."""
        self.lessons = LessonArea(
            self.model,
            self,
            charts=self.charts,
            files=self.files,
            player=self.why.player,
            scans=self.scans,
            side_dock=self.side_dock,
        )
        self.lab = LabArea(
            self.model,
            self,
            charts=self.charts,
            files=self.files,
            own_policies=self.own_policies,
            jumps=self.why.jumps,
            details=self.details,
        )

    def _number_slots(self) -> None:
        self.runner.number_slots(self.view_state.record_rows)

    def _keep_view(self) -> None:
        """Keep for the next start what is drawn, and what is folded."""
        for name in ("stages", "idle", "row_heights"):
            setattr(self.settings, name, getattr(self.view_state, name))

    def _make_menus(self) -> None:
        do, files, charts, headers = self.actions_of_window, self.files, self.charts, self.headers
        optimize, questions = self.optimize, self.questions
        self.action_specs = (
            *file_menu(files, self.import_reports, self.library, self.exports, self.pictures, do, self.close),
            *edit_menu(self.editor.in_turn, do, headers, self.find_bar.begin),
            *scenario_menu(
                headers, do, files, optimize, questions, self.study, self.sensitivity, self.pools, self.runner
            ),
            *view_menu(do, self.axis, charts, self.side_dock, self.comparison_page, self.details, self.scans),
            *why_menu(self.why),
            *self.lab.specs(),
            *self.lessons.specs(),
            *help_menu(
                self.search_everything,
                self.show_first_steps,
                self.show_shortcuts,
                self.show_glossary,
                self.show_about,
            ),
        )
        actions = fill_menu_bar(self.menuBar(), self, self.action_specs, self.menus.menus)
        self.actions_by_id = actions
        self.side_dock.follow(actions["side_bar"], pools=actions["pools"])
        for area in self.areas:
            area.place(actions)
        self.comparison_page.place(self.details, actions["comparison"])
        self.details.follow(actions["details"])
        for menu in self.menuBar().findChildren(QMenu):
            menu.setToolTipsVisible(True)
        self.top_bar = TopBar(self._menu_bar, self.why.time_bar, actions)
        self.setMenuWidget(self.top_bar)
        self.rail = Rail(self.side_dock, actions, [self.menus.menus[name] for name in CHOICES])
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, RailBar(self.rail))
        self.jobs_panel.table.addActions([actions[name] for name in ("scale_jobs", "fit_job")])
        follow_undo(self.editor.in_turn, actions)
        self.first_steps = FirstSteps(self, self)

    def _connect(self) -> None:
        for area in self.areas:
            area.done.connect(self._on_done)
            area.failed.connect(self.messages.show_error)
            self.closing.connect(area.close)
        for end in (self.own_policies.files.close, self.files.disk.close, self.library.stop):
            self.closing.connect(end)
        self.headers.run_wanted.connect(self.files.plan_on_run)
        for panel in (self.jobs_panel, self.cluster_panel, self.headers, self.comparison, self.notes_panel):
            panel.refused.connect(self.messages.show_sentence)
        self.own_policies.join(self.headers, self.messages.show_error, self._on_done)
        self.library.join(self.jobs_panel.templates_dropped, self._on_done)
        self.comparison.written.connect(self._on_done)
        self.editor.reported.connect(self._on_done)
        self.actions_of_window.generated.connect(self.files.show_workload)
        self.files.disk.reported.connect(self.messages.show_message)
        self.files.disk.settled.connect(self.messages.retract)
        self.files.opened.connect(self._on_opened)
        self.questions.forecast.join(self.files, self.library)
        self.files.plan_read.connect(self.actions_of_window.take_plan)
        self.files.saved.connect(self._on_saved)
        self.scans.sample_wanted.connect(self.files.open)
        self.menus.recent_chosen.connect(self.files.open)
        self.editor.modified_changed.connect(self.setWindowModified)
        document = self.document
        original_changed = self.files.original_changed
        for signal in (document.workload_changed, document.reset, document.path_changed, original_changed):
            signal.connect(self._show_title)

    @override
    def menuBar(self) -> QMenuBar:
        """Return the menus, which stand in the top bar."""
        return self._menu_bar

    # ---- appearance

    def set_theme(self, theme: Theme) -> None:
        """Show everything in other colours."""
        parts: tuple[Any, ...] = (self.charts, self.comparison, *self.areas)
        for part in parts:
            part.set_theme(theme)

    def use_compiled(self, *, all_of_it: bool = True) -> None:
        """Simulate and draw with the compiled code, or what is loaded of it."""
        self.runner.use_compiled(all_of_it=all_of_it)
        self.optimize.use_compiled()
        self.charts.redraw()

    def show_compiling(self, how_far: str) -> None:
        """Show how far compiling is; nothing once it has ended."""
        self.centre.foot.note.go_on(how_far)

    def _show_title(self) -> None:
        path = self.document.path
        name = self.document.workload.name if path is None else path.name
        is_original = self.files.original is not None
        self.setWindowTitle(f"{visible(name)}{' (original)' if is_original else ''}[*] — Slotscope")
        self.actions_by_id["save"].setText(MAKE_COPY if is_original else SAVE)
        self.setWindowModified(self.editor.is_modified)

    def show_shortcuts(self) -> None:
        """List all keys and gestures."""
        ShortcutsDialog(shortcut_rows(self.action_specs), self).open()

    def search_everything(self) -> None:
        """Let the user find anything by a few letters."""
        self.palette_of_commands.show_choices(search_entries(self), jobs_finder(self))

    def show_first_steps(self) -> None:
        """Let the user do a few things, one after the other."""
        self.first_steps.begin()

    def show_glossary(self, term: str = "") -> None:
        """Show what the words mean, a given one first."""
        GlossaryDialog(term or "", self).open()

    def show_about(self) -> None:
        """Show what this program is."""
        AboutDialog(self).open()

    # ---- following the files

    def _on_opened(self, opened: OpenedDocument) -> None:
        self.messages.clear()
        if opened.layout and not self.own_policies.files.are_off:  # else the start was to be safe
            arrange(self, opened.layout)
        self.view_state.restore((opened.layout or {}).get("view"))
        for listed in self.findChildren(QAbstractItemView):
            listed.scrollToTop()
        self.lessons.follow(opened)
        self._focus_chart()
        if opened.file is not None:
            self.settings.add_recent_file(opened.file)

    def _layout_and_view(self) -> dict[str, Any]:
        """Return what a session keeps beside the document: where panels are, and what is looked at."""
        return layout_of(self) | {"view": self.view_state.values() | self.lessons.values()}

    def _on_saved(self, path: Path) -> None:
        self.settings.add_recent_file(path)
        self.centre.foot.note.show_note(f"Saved to {path}")

    def _on_done(self, what: str) -> None:
        self.centre.foot.note.show_note(what)

    # ---- events

    def _focus_chart(self) -> None:
        """Show the active chart and let keys reach it, without a focus ring."""
        self.charts.active_view.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
        self.charts.stack.reveal(self.view_state.active_scenario)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._focus_chart()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side_dock.follow_width(self.width())
        self.details.follow_width()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, if nothing in the window needs it, shows all charts, or lets go of what is selected."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.charts.stack.is_maximised:
            self.charts.stack.maximise(None)
        else:
            self.view_state.let_go()

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.drop_welcome.take(event)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_welcome.hide()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_welcome.hide()
        paths = dropped_paths(event.mimeData())
        event.acceptProposedAction()
        if len(paths) == 1 and is_policy_file(paths[0].name):
            self.own_policies.actions.use(paths[0])
        elif len(paths) == 1:
            self.files.open(paths[0])
        elif paths:
            self.files.import_logs(paths)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if not (self.lab.may_close() and self.files.may_leave()):
            event.ignore()
            return
        self.settings.keep_layout(screen_of(self), layout_of(self))
        self.settings.last_document = self.document.path
        self.runner.shutdown()
        self.closing.emit()
        shutdown_workers(self)
        event.accept()
