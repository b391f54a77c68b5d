"""What a window is made of, for its actions and for the areas that need many of its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from explorer.document.editor import Editor
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.explain.asked_dock import AskedDock
    from explorer.panels.scenario_headers import ScenarioHeaders
    from explorer.policy_files.own_policies import OwnPolicies
    from explorer.scans.scan_window import ScanWindow
    from explorer.session.settings import WindowSettings
    from explorer.simulation.runner import Runner
    from explorer.trace_database.library_window import LibraryWindow
    from explorer.window.chart_area import ChartArea
    from explorer.window.document_files import DocumentFiles
    from explorer.window.exports import Exports, Pictures
    from explorer.window.import_reports import ImportReports
    from explorer.window.inspector_card import InspectorPlace
    from explorer.window.optimize_area import OptimizeArea
    from explorer.window.pools_area import PoolsArea
    from explorer.window.sensitivity_area import SensitivityArea
    from explorer.window.side_bar import SideDock
    from explorer.window.study_area import StudyArea
    from explorer.window.why_area import WhyArea
    from explorer.window.window_actions import WindowActions


class Parts(Protocol):
    """What a window has for its actions, and for its areas; docks are there once they are placed."""

    editor: Editor
    axis: TimeAxis
    charts: ChartArea
    runner: Runner
    files: DocumentFiles
    import_reports: ImportReports
    pictures: Pictures
    exports: Exports
    actions_of_window: WindowActions
    headers: ScenarioHeaders
    why: WhyArea
    side_dock: SideDock
    inspector_place: InspectorPlace
    comparison_dock: AskedDock
    own_policies: OwnPolicies
    pools: PoolsArea
    optimize: OptimizeArea
    study: StudyArea
    sensitivity: SensitivityArea
    library: LibraryWindow
    scans: ScanWindow
    view_state: ViewState
    settings: WindowSettings

    def close(self) -> bool:
        """Close the window."""

    def search_everything(self) -> None:
        """Let the user find anything by a few letters."""

    def show_first_steps(self) -> None:
        """Let the user do a few things, one after the other."""

    def show_shortcuts(self) -> None:
        """List all keys and gestures."""

    def show_glossary(self) -> None:
        """Say what the words mean."""

    def show_about(self) -> None:
        """Say what this program is."""
