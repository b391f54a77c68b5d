"""An area of one page of the details whose panel is made when it is first seen, since few need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from explorer.widgets.details import MIN, DetailsPage
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.theme import theme_of
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel


class LatePanel(Protocol):
    """What is asked of such a panel."""

    reported: Any  # a signal of a sentence, as `refused`
    refused: Any

    def set_theme(self, colours: Theme, /) -> None:
        """Draw in other colours."""


P = TypeVar("P", bound=LatePanel)


class PanelArea(Area, Generic[P]):
    """Makes the panel, shows the page, and follows the document while that is in front.

    Attributes
    ----------
    page : named like the action that opens it
    panel : None until the page was in front
    """

    def __init__(
        self, model: WindowModel, window: QMainWindow, details: DetailsDock, name: str, title: str
    ) -> None:
        super().__init__(model, window)
        self._details, self._name = details, name
        self.panel: P | None = None
        self._room = QWidget()
        self.page = DetailsPage(name, title, self._room)
        self.page.changed.connect(self._on_page_changed)

    def _made(self, colours: Theme) -> P:
        """Return the panel, joined to the document."""
        raise NotImplementedError

    def _follow(self) -> None:
        """Show what the document has now; called whenever the page comes to the front."""
        raise NotImplementedError

    def _end(self) -> None:
        """End what runs for the panel: its page was closed."""
        raise NotImplementedError

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.page.place(self._details, actions[self._name])

    def show(self) -> None:
        """Open the panel, or close it if it is in front."""
        self.page.toggle()

    @override
    def set_theme(self, theme: Theme) -> None:
        if self.panel is not None:
            self.panel.set_theme(theme)

    def _on_page_changed(self) -> None:
        if self.page.is_in_front:
            if self.panel is None:
                self._make_panel()
            self._follow()
        elif not self.page.is_open and self.panel is not None:
            self._end()

    def _make_panel(self) -> None:
        panel = self.panel = self._made(theme_of(self._window))
        assert isinstance(panel, QWidget)
        panel.setMinimumSize(MIN)
        column(panel, parent=self._room, margins=NO_MARGINS)
        panel.reported.connect(self.done)
        panel.refused.connect(self._refuse)
