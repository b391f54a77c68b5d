"""The row at the top of the study window: menus, fields, running and how far it is, and the export."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar

from explorer.widgets.flat_button import FlatButton
from explorer.widgets.layouts import named, row
from explorer.widgets.number_fields import CountField
from explorer.widgets.plain_labels import ElidedLabel
from explorer.widgets.tool_row import Divider, ToolRow

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.study.study_files import StudyFiles

RUN, STOP = "Run", "Stop"
PROGRESS_PX = 140


def workers_field() -> CountField:
    """Return the field of how many processes run a study, at first one for each processor."""
    field = named(
        CountField(1, 256, "processes"),
        "Processes",
        "So many cells run at once, each in a process of low priority: whatever else runs goes first",
    )
    field.setValue(os.cpu_count() or 1)
    return field


class StudyBar(ToolRow):
    """Shows what can be done with a study, and the one line of what was done.

    Attributes
    ----------
    fields_button, run_button : the tools
    progress, status : how much is done, and a sentence
    """

    def __init__(self, files: StudyFiles, export: QWidget) -> None:
        super().__init__(files.bar)
        self.fields_button, self.run_button = FlatButton("Fields"), FlatButton(RUN)
        self.fields_button.take(files.actions_by_id["fields"], "lines")
        self.run_button.take(files.actions_by_id["run"], "play")
        self.progress = named(QProgressBar(), "How much of the study is done")
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(PROGRESS_PX)
        self.progress.hide()
        self.status = ElidedLabel(is_faint=True)
        inside = row(
            self.menu_bar,
            Divider(),
            self.fields_button,
            self.run_button,
            self.progress,
            (self.status, 1),
            export,
            parent=self,
            margins=(4, 0, 8, 1),
            spacing=4,
        )
        inside.setAlignment(self.menu_bar, Qt.AlignmentFlag.AlignVCenter)

    def show_running(self, *, is_running: bool) -> None:
        """Offer to stop a run, or to begin one."""
        self.run_button.show_sign("pause" if is_running else "play")
        self.run_button.show_words(STOP if is_running else RUN)
        self.progress.setVisible(is_running)
        if is_running:
            self.progress.setValue(0)
            self.status.setText("Starting the processes …")
