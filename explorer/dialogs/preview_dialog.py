"""What dialogs that make something have in common: what it would be is computed while the fields change."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QWidget,
)
from typing_extensions import override

from explorer.widgets.layouts import Dialog, column, named, push_button
from explorer.widgets.number_fields import LARGEST_WHOLE, CountField, NumberField
from explorer.widgets.progress import BusyBar
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.widgets.layouts import Part

PAUSE_MS = 150
"""After the last key: then the preview is computed."""


class SeedFields(QHBoxLayout):
    """The field of a seed, and a button that chooses one by chance."""

    def __init__(self, made: str) -> None:
        super().__init__()
        self.field = named(CountField(0, LARGEST_WHOLE), "Seed", f"The same seed gives the same {made} again")
        self.field.setValue(1)
        self.button = push_button(
            "&New seed", "Choose a seed by chance", lambda: self.field.setValue(secrets.randbelow(10_000))
        )
        self.addWidget(self.field, 1)
        self.addWidget(self.button)

    def add_to(self, form: QFormLayout) -> None:
        """Become the next row of a form."""
        label = QLabel("&Seed")
        label.setBuddy(self.field)
        form.addRow(label, self)


def factor_field(least: float, most: float, name: str, tip: str) -> NumberField:
    """Make a field for a factor, which is 2 at first."""
    field = named(NumberField(least, most), name, tip)
    field.setValue(2.0)
    field.setSingleStep(0.5)
    return field


class PreviewDialog(Dialog):
    """Computes a preview in a worker a moment after a field has changed; accepting hands that preview over.

    A subclass makes its fields, calls `lay_out` and `on_changed`, and defines the methods at the end.

    Attributes
    ----------
    previewed : what accepting would hand over, None while it is computed
    ok_button : accepts; enabled while there is a preview
    """

    def __init__(self, title: str, ok_text: str, busy_name: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.previewed: Any = None  # what `work` returns
        self.worker = Worker(self, finished=self._on_finished, failed=self._on_failed)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.begin_work)
        self.progress = BusyBar(busy_name, self.worker)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok_button = self.buttons.addButton(ok_text, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def lay_out(self, *parts: Part, spacing: int = -1) -> None:
        """Put the parts below one another, then the busy bar and the buttons."""
        column(*parts, self.progress, self.buttons, parent=self, spacing=spacing)
        self.ok_button.setDefault(True)  # of a dialog, which the buttons are in by now

    def on_changed(self) -> None:
        """Compute another preview soon: a field has changed."""
        self.previewed = None
        self.ok_button.setEnabled(False)
        self.worker.cancel()
        self.progress.show()
        self.show_waiting()
        self._pause.start()

    def _on_finished(self, preview: object) -> None:
        self.previewed = preview
        self.show_preview(preview)
        self.ok_button.setEnabled(True)

    def _on_failed(self, error: Exception) -> None:
        self.show_problem(str(error))

    @override
    def done(self, result: int) -> None:
        self._pause.stop()
        self.worker.cancel()
        super().done(result)
        if result == QDialog.DialogCode.Accepted and self.previewed is not None:
            self.hand_over(self.previewed)

    # ---- for subclasses

    def begin_work(self) -> None:
        """Compute the preview; one that can be stopped half-way follows the worker instead."""
        self.worker.start(self.work())

    def work(self) -> Callable[[], object]:
        """Return the function that computes the preview of the fields as they are, in a worker."""
        raise NotImplementedError

    def show_waiting(self) -> None:
        """Show that a preview is computed."""

    def show_preview(self, preview: Any) -> None:  # what `work` returns
        """Show what would be made."""
        raise NotImplementedError

    def show_problem(self, sentence: str) -> None:
        """Show why nothing can be made."""
        raise NotImplementedError

    def hand_over(self, preview: Any) -> None:
        """Announce what was accepted."""
        raise NotImplementedError
