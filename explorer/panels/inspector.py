"""What is under the mouse or selected, as numbers that can be read, selected and copied."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QTextOption
from PySide6.QtWidgets import QTextBrowser, QWidget
from typing_extensions import override

from core.files.html_text import escape
from core.model.visible_text import kept_together
from explorer.document.schedule_jobs import has_same_tasks
from explorer.document.titles import title_in
from explorer.panels.facts import Section, job_sections, task_sections
from explorer.widgets.layouts import column, push_button, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QResizeEvent

    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from explorer.document.document import Document
    from explorer.document.view_state import HoveredTask, ViewState
    from explorer.widgets.theme import Theme

FRAME_MS = 33
"""Hovering changes faster than anybody reads; the text follows once per frame."""

MIN_FOR_BESIDE = 500
"""Pixels from which sections may stand side by side."""
AIR_PX = 8
"""Pixels between the columns of a section."""
MAX_BESIDE = 12
"""Letters of a figure that may stand beside others where there is little room."""
WRAP_ANYWHERE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
GAP = '<p style="margin:0; font-size:6px">&nbsp;</p>'
"""Stands between sections that are below one another."""
MARGINS = (6, 6, 6, 6)
EMPTY = (
    "Point at a task in a chart, or select a job, to see its numbers here.\n\n"
    "Click a task, or a slot where it runs nothing, and press Ctrl+Shift+W to see why."
)


class Inspector(QWidget):
    """Shows the selected task and its job, or the selected job alone, under every scenario.

    If it follows the pointer, the task under the mouse comes first; what was there last stays until something
    else is pointed at or selected, so that the user can come here and copy it.

    Attributes
    ----------
    sections : what is shown

    Signals
    -------
    refreshed : it shows something else now
    """

    refreshed = Signal()

    def __init__(self, document: Document, view_state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._view_state = view_state
        self._schedules: dict[int, Schedule] = {}
        self._colour_of: Callable[[int], QColor] | None = None
        self._hovered: HoveredTask | None = None
        self.sections: list[Section] = []
        self._pause = QTimer(self, singleShot=True, interval=FRAME_MS)
        self._pause.timeout.connect(self.refresh)
        self._make_parts()
        self._connect()
        self.refresh()

    # What the window passes in

    def set_schedule(self, scenario_id: int, schedule: Schedule | None) -> None:
        """Take a scenario's schedule; None while there is none."""
        has_scenario = self._document.has_scenario  # those of scenarios that are gone are let go
        others = ((i, each) for i, each in self._schedules.items() if i != scenario_id and has_scenario(i))
        self._schedules = dict(others)
        if schedule is not None:
            self._schedules[scenario_id] = schedule
        self._pause.start()

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload, as the charts have them."""
        self._colour_of = colour_of
        self._pause.start()

    # Building

    def _make_parts(self) -> None:
        self.text = QTextBrowser(openLinks=False)
        self.text.setAccessibleName("Inspector")
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.empty = PlainLabel(EMPTY, wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        tip = "Copy all numbers shown here, separated by tabs"
        self.copy_button = push_button("Copy", tip, self.copy)
        bottom = row(None, self.copy_button)
        column((self.empty, 1), (self.text, 1), bottom, parent=self, margins=MARGINS)

    @override
    def sizeHint(self) -> QSize:
        return QSize(280, 320)

    def _connect(self) -> None:
        self._view_state.hovered_changed.connect(self._on_hovered_changed)
        for signal in (
            self._view_state.selected_job_changed,
            self._document.workload_changed,
            self._document.reset,
        ):
            signal.connect(self._forget_task)
        self._view_state.selected_task_changed.connect(self._pause.start)
        self._view_state.veil.changed.connect(self._pause.start)
        for signal in (self._document.scenario_changed, self._document.scenarios_changed):
            signal.connect(self._pause.start)

    # Showing

    def refresh(self) -> None:
        """Show everything as it is now."""
        self._pause.stop()
        before, self.sections = self.sections, self._current_sections()
        self.empty.setVisible(not self.sections)
        self.text.setVisible(bool(self.sections))
        self.copy_button.setEnabled(bool(self.sections))
        if self.sections:
            bar = self.text.verticalScrollBar()
            is_same = [each.title for each in before] == [each.title for each in self.sections]
            place = bar.value() if is_same else 0
            self._show_text()
            bar.setValue(place)
        self.refreshed.emit()

    def _show_text(self) -> None:
        """Lay the sections out in the first way that fits: side by side, or below one another."""
        room = self.text.width() - self.text.verticalScrollBar().sizeHint().width()
        document, looks = self.text.document(), (theme_of(self), self._swatch())
        ways = [
            way for way in (_beside, _below, _mixed, _stacked) if way is not _beside or room >= MIN_FOR_BESIDE
        ]
        for way in ways:
            is_last = way is ways[-1]
            self.text.setWordWrapMode(WRAP_ANYWHERE if is_last else QTextOption.WrapMode.WordWrap)
            self.text.setHtml(way(self.sections, *looks))
            document.setTextWidth(room)
            if document.size().width() <= room:
                break

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.sections and event.size().width() != event.oldSize().width():
            self._pause.start()

    @property
    def _task(self) -> int | None:
        """Index of the task that is shown in the workload as given, or None."""
        hovered = self._hovered
        shown = self._view_state.selected_task if hovered is None else hovered
        if shown is None:
            return None
        schedule = self._schedules.get(shown.scenario_id)
        shares = schedule is not None and schedule.before_sharing is not None and shown.task < schedule.tasks
        return int(schedule.given_task[shown.task]) if shares and schedule else shown.task

    def _current_sections(self) -> list[Section]:
        selected, workload = self._view_state.selected_job, self._simulated_workload()
        job, task = self._job_of_task(workload), self._task
        if workload is not None and job is not None and task is not None:
            name, schedules = workload.jobs[job].name, self._by_title()
            return task_sections(workload, task, schedules) + job_sections(workload, name, schedules)
        return [] if selected is None else job_sections(self._document.workload, selected, self._by_title())

    def _is_current(self, schedule: Schedule) -> bool:
        if schedule.record is not None:
            return has_same_tasks(schedule, self._document.workload)
        # jobs that were not edited are the same objects, so this takes no time
        return schedule.given.jobs == self._document.workload.jobs

    def _simulated_workload(self) -> Workload | None:
        """Return the document's workload as some schedule has it: its task columns are there already."""
        ours = (s for s in self._schedules.values() if s.record is None) if self._task is not None else ()
        return next((s.given for s in ours if self._is_current(s)), None)

    def _job_of_task(self, workload: Workload | None) -> int | None:
        task = self._task
        if workload is None or task is None or task >= len(workload.columns.job):
            return None
        return int(workload.columns.job[task])

    def _by_title(self) -> dict[str, Schedule | None]:
        """Return the schedules of this workload by title; equal titles get a number."""
        found: dict[str, Schedule | None] = {}
        for place, scenario in enumerate(self._document.scenarios):
            title, schedule = title_in(self._document.state, scenario), self._schedules.get(scenario.id)
            is_unveiled = self._view_state.veil.since(scenario.id) == math.inf
            is_current = is_unveiled and schedule is not None and self._is_current(schedule)
            found[f"{title} ({place + 1})" if title in found else title] = schedule if is_current else None
        return found

    def _swatch(self) -> QColor | None:
        index = self._job_of_task(self._simulated_workload())
        if index is None:
            index = self._document.workload.job_index.get(self._view_state.selected_job or "")
        return self._colour_of(index) if self._colour_of is not None and index is not None else None

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._pause.start()

    def copy(self) -> None:
        """Put everything shown on the clipboard."""
        QGuiApplication.clipboard().setText("\n\n".join(section.to_text() for section in self.sections))

    def _on_hovered_changed(self) -> None:
        if self._view_state.hovered is not None:
            self._hovered = self._view_state.hovered
            self._pause.start()

    def _forget_task(self) -> None:
        self._hovered = None
        self._pause.start()


def _beside(sections: Iterable[Section], colours: Theme, swatch: QColor | None) -> str:
    """Lay the sections out side by side, for where there is room."""
    cells = "".join(
        f'<td style="padding-right:24px">{each}</td>' for each in _tables(sections, colours, swatch)
    )
    return f"<table><tr>{cells}</tr></table>"


def _below(sections: Iterable[Section], colours: Theme, swatch: QColor | None) -> str:
    """Lay the sections out below one another, and scenarios side by side."""
    return GAP.join(_tables(sections, colours, swatch))


def _mixed(sections: Iterable[Section], colours: Theme, swatch: QColor | None) -> str:
    """Lay scenarios out side by side, but below one another where figures are long."""
    return GAP.join(_tables(sections, colours, swatch, _mixed_rows))


def _stacked(sections: Iterable[Section], colours: Theme, swatch: QColor | None) -> str:
    """Lay sections and scenarios out below one another, for where there is little room."""
    return GAP.join(_tables(sections, colours, swatch, _stacked_rows))


def _tables(
    sections: Iterable[Section],
    colours: Theme,
    swatch: QColor | None,
    compared: Callable[[Section, str], list[str]] | None = None,
) -> list[str]:
    """Return a table with its title for each section; names are escaped, so they show as they are."""
    box = f'<span style="color:{swatch.name()}">■</span> ' if swatch is not None else ""
    muted, parts = colours.second_text.name(), []
    for section in sections:
        mark = box if not section.columns else ""
        title = f'<p style="margin:0 0 2px 0"><b>{mark}{escape(section.title)}</b></p>'
        rows = (compared if compared is not None and section.columns else _rows)(section, muted)
        parts.append(f'{title}<table cellspacing="0" cellpadding="2">{"".join(rows)}</table>')
    return parts


def _rows(section: Section, muted: str) -> list[str]:
    """Return the rows of a table with the scenarios side by side."""
    return [_heads(section, muted), *(_side_by_side(section, figures, muted) for figures in section.rows)]


def _mixed_rows(section: Section, muted: str) -> list[str]:
    """Return such rows, but a line for every scenario where figures are long."""
    parts = [_heads(section, muted)]
    for figures in section.rows:
        is_long = max(map(len, figures[1:])) > MAX_BESIDE
        parts.append((_line_by_line if is_long else _side_by_side)(section, figures, muted))
    return parts


def _stacked_rows(section: Section, muted: str) -> list[str]:
    """Return the rows of a table in which each figure has a line for every scenario."""
    return [_line_by_line(section, figures, muted) for figures in section.rows]


def _heads(section: Section, muted: str) -> str:
    heads = "".join(_cell(head, muted, "right") for head in section.columns)
    return f"<tr><td></td>{heads}</tr>" if heads else ""


def _side_by_side(section: Section, figures: tuple[str, ...], muted: str) -> str:
    align = "right" if section.columns else "left"
    cells = "".join(_cell(value, "", align) for value in figures[1:])
    return f"<tr>{_cell(figures[0], muted, 'left', is_label=True)}{cells}</tr>"


def _line_by_line(section: Section, figures: tuple[str, ...], muted: str) -> str:
    name, *values = figures
    pale = f'<span style="color:{muted}">'
    lines = "".join(
        f"<br/>{pale}{escape(title)}:</span> {kept_together(escape(value))}"
        for title, value in zip(section.columns, values, strict=True)
    )
    return f'<tr><td colspan="{len(figures)}">{pale}{escape(name)}</span>{lines}</td></tr>'


def _cell(text: str, colour: str, align: str, is_label: bool = False) -> str:
    style = f"color:{colour};" if colour else ""
    shown = escape(text).replace(" ", "&nbsp;") if is_label else kept_together(escape(text))
    return f'<td align="{align}" style="{style} padding-right:{AIR_PX}px">{shown}</td>'
