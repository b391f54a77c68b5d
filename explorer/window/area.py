"""An area of the window: joins some panels and actions to the document, its schedules, and how they look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.document.editor import Editor
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings
    from explorer.simulation.runner import Runner
    from explorer.widgets.theme import Theme


@dataclass(frozen=True, eq=False)
class WindowModel:
    """What a window is about.

    Attributes
    ----------
    editor : the document, and every edit of it
    runner : the schedules of its scenarios
    view_state, axis : what is looked at, and which times
    settings : what is kept for the next window
    """

    editor: Editor
    runner: Runner
    view_state: ViewState
    axis: TimeAxis
    settings: WindowSettings


class Area(QObject):
    """Makes some panels, joins them to the window's model, and ends what they run.

    Signals
    -------
    done : a sentence on what was done, where that is more than one sees
    failed : what could not be done: an exception or a sentence
    """

    done = Signal(str)
    failed = Signal(object)

    def __init__(self, model: WindowModel, window: QMainWindow) -> None:
        super().__init__(window)
        self._model, self._window = model, window
        self._editor, self._document, self._runner = model.editor, model.editor.document, model.runner
        self._view_state, self._axis, self._settings = model.view_state, model.axis, model.settings

    def place(self, actions: Mapping[str, QAction]) -> None:
        """Put its panels where they wait, out of sight, until one of the window's actions opens them."""

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""

    def close(self) -> None:
        """End what runs: the window closes."""

    def pass_on(self, *areas: Area) -> None:
        """Let what other areas did, or could not do, count as its own."""
        for area in areas:
            area.done.connect(self.done)
            area.failed.connect(self.failed)

    def _try(self, edit: Callable[..., object], *arguments: object) -> None:
        """Make an edit; why it is against a rule is shown."""
        try:
            edit(*arguments)
        except InputError as error:
            self.failed.emit(error)

    def _refuse(self, sentence: str) -> None:
        """Show why a panel refused an edit."""
        self.failed.emit(sentence)
