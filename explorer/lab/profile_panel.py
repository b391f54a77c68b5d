"""Where the time of a policy's run goes: sentences, a table of its hooks, and decisions by waiting jobs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.explain.hook_clocks import cost_text
from core.explain.profile_run import RunProfile, profile_run
from core.model.number_text import grouped
from explorer.explain.explanation_panel import scope_label
from explorer.lab.run_follower import RunFollower
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.halves import Halves
from explorer.widgets.layouts import NO_MARGINS, column, push_button
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import SHOW_AFTER_MS, ProgressLine, show_while_busy
from explorer.widgets.tables import Column, ReadTable, RowsModel
from explorer.widgets.wrapped_row import WrappedRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter

    from core.explain.hook_clocks import WaitingCost
    from explorer.lab.run_follower import RunRequest

HOW = (
    "Interpreted: a clock around each call, less what the clock itself takes. Compiled: each hook on its "
    "own, upon records of the middle of the run, about; in the run they are part of the simulator."
)
PART, CALLS, SHARE = "A hook, or what else there is", "By the simulator, exactly", "Of the interpreted run"
BAR_WIDTH, AIR, LABEL = 26.0, 6.0, 16.0


class Profiling(RunFollower):
    """Measures the active scenario's policy; what is before a fork is not measured."""

    not_yet = "Measuring …"
    compiles = True

    @staticmethod
    @override
    def compute(
        run: RunRequest, progress: Callable[[float], None], should_stop: Callable[[], bool]
    ) -> RunProfile:
        request = run.request
        return profile_run(
            request.workload,
            request.cluster,
            request.choice,
            order=request.order,
            partition=request.partition,
            plan=request.plan,
            compile_it=Profiling.compiles,
            progress=progress,
            should_stop=should_stop,
        )

    @property
    def profile(self) -> RunProfile | None:
        """The newest profile."""
        profile: RunProfile | None = self.answer
        return profile


class RunPart(NamedTuple):
    """A row: a hook, what is before the run, the simulator, or all of it."""

    name: str
    calls: int
    seconds: float
    share: float
    each: float
    compiled_each: float
    compiled: str


def _time_column(title: str, seconds: Callable[[RunPart], float], *, gives_way: bool) -> Column[RunPart]:
    return Column(
        title,
        lambda part: cost_text(seconds(part)),
        HOW,
        is_number=True,
        typical="00,000 ms",
        gives_way=gives_way,
    )


class PartsModel(RowsModel[RunPart]):
    """What took how long."""

    def __init__(self) -> None:
        super().__init__(
            (
                Column("Part", lambda part: part.name, PART, typical="simulator"),
                Column(
                    "Calls",
                    lambda part: grouped(part.calls) if part.calls else "",
                    CALLS,
                    is_number=True,
                    typical="0,000,000",
                    gives_way=True,
                ),
                _time_column("Interpreted", lambda part: part.seconds, gives_way=False),
                Column(
                    "Share",
                    lambda part: f"{100 * part.share:.1f} %",
                    SHARE,
                    is_number=True,
                    typical="100.0 %",
                ),
                _time_column("A call", lambda part: part.each, gives_way=True),
                _time_column("Compiled call", lambda part: part.compiled_each, gives_way=True),
                Column(
                    "Compiled",
                    lambda part: part.compiled,
                    HOW,
                    is_number=True,
                    typical="00,000 ms",
                    gives_way=True,
                ),
            )
        )

    def show(self, profile: RunProfile | None) -> None:
        """Show a profile, or nothing."""
        if profile is None:
            self.show_rows(())
            return
        nan, shares = math.nan, profile.shares
        rows = [
            RunPart(
                hook.name,
                hook.calls,
                hook.seconds,
                shares[hook.name],
                hook.each,
                hook.compiled_each,
                hook.compiled_text,
            )
            for hook in profile.hooks
        ]
        rest = (profile.before, profile.rest)
        names = list(shares)[len(profile.hooks) :]
        rows += [
            RunPart(name, 0, took, shares[name], nan, nan, "") for name, took in zip(names, rest, strict=True)
        ]
        rows.append(RunPart("in all", 0, profile.seconds, 1.0, nan, nan, cost_text(profile.compiled_seconds)))
        self.show_rows(rows)


def _range_text(group: WaitingCost) -> str:
    return f"{group.least}–{group.most}" if group.most > group.least else str(group.least)


class WaitingBars(Picture):
    """What one decision takes, by how many jobs waited."""

    def __init__(self) -> None:
        super().__init__("decisions")
        self.groups: tuple[WaitingCost, ...] = ()
        self.setMinimumWidth(120)

    def show_groups(self, groups: tuple[WaitingCost, ...]) -> None:
        """Show what decisions took."""
        self.groups = groups
        self.setAccessibleName("Time of a decision by waiting jobs")
        self.setToolTip("Time of one decision, interpreted (median), by the number of jobs that waited")
        self.update()

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        colours, letters = self.colours, painter.fontMetrics()
        painter.fillRect(area, colours.plot)
        painter.setPen(colours.second_text)
        line = letters.height()
        title = letters.elidedText(
            "Time of a decision, by waiting jobs", Qt.TextElideMode.ElideRight, round(area.width() - 2 * AIR)
        )
        painter.drawText(area.adjusted(AIR, 2, -AIR, 0), Qt.AlignmentFlag.AlignTop, title)
        if not self.groups:
            return
        room = area.adjusted(AIR, 2 * line + 4, -AIR, -line - 4)
        step = room.width() / len(self.groups)
        most = max(group.seconds for group in self.groups) or 1.0
        labels = [_range_text(group) for group in self.groups]
        every = 1 if max(map(letters.horizontalAdvance, labels)) + AIR < step else 2
        for place, group in enumerate(self.groups):
            width = min(BAR_WIDTH, 0.7 * step)
            middle = room.left() + (place + 0.5) * step
            height = max(room.height() * group.seconds / most, 1.0)
            painter.fillRect(
                QRectF(middle - width / 2, room.bottom() - height, width, height), colours.map_band
            )
            painter.setPen(colours.text)
            if place % every == 0:
                below = QRectF(middle - step, room.bottom() + 2, 2 * step, line)
                painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, labels[place])
        for place, group in ((0, self.groups[0]), (len(self.groups) - 1, self.groups[-1])):
            cost = cost_text(group.seconds)
            half, height = letters.horizontalAdvance(cost) / 2, room.height() * group.seconds / most
            left = room.left() + (place + 0.5) * step - half
            left = min(max(left, room.left()), room.right() - 2 * half)
            painter.drawText(QRectF(left, room.bottom() - height - line, 2 * half + 2, line), cost)

    @override
    def table(self) -> ChartTable:
        rows = ((g.least, g.most, g.decisions, g.seconds, g.calls) for g in self.groups)
        return ChartTable(("least jobs", "most jobs", "decisions", "seconds", "calls of hooks"), tuple(rows))


class ProfilePanel(QWidget):
    """Shows a `Profiling`."""

    def __init__(self, profiling: Profiling) -> None:
        super().__init__()
        self._profiling = profiling
        self.scope = scope_label()
        self.sentences = PlainLabel(wraps=True)
        self.sentences.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.model = PartsModel()
        self.table = ReadTable(self.model, "Hooks and what they cost", widest=0, narrows=True)
        self.bars = WaitingBars()
        self.again_button = push_button("Measure again", "Times differ from run to run", profiling.again)
        self.copy_button = push_button("Copy", "Copy the sentences and the table", self.copy)
        self.progress = ProgressLine("How far measuring is", profiling.worker, SHOW_AFTER_MS)
        self.cancel_button = push_button("Cancel", "Give measuring up", profiling.cancel)
        show_while_busy(profiling.worker, self.cancel_button, after_ms=SHOW_AFTER_MS)
        self._lay_out()
        profiling.changed.connect(self._on_changed)
        profiling.worker.busy_changed.connect(self.again_button.setDisabled)
        self._on_changed()

    def _lay_out(self) -> None:
        left = QWidget()
        column(self.sentences, (self.table, 1), parent=left, margins=NO_MARGINS, spacing=3)
        halves = Halves(left, self.bars, shares=(2, 1))
        top = WrappedRow(
            (self.scope, 1), self.progress, self.cancel_button, self.again_button, self.copy_button
        )
        column(top, (halves, 1), parent=self, margins=(6, 2, 6, 4), spacing=3)

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, 240)

    def _on_changed(self) -> None:
        profile = self._profiling.profile
        summary = (
            ""
            if profile is None
            else f"{grouped(profile.decisions)} decisions about {grouped(profile.jobs)} jobs"
        )
        self.scope.setText(". ".join(part for part in (summary, self._profiling.sentence) if part))
        self.sentences.setText("" if profile is None else "\n".join(profile.sentences()))
        self.sentences.setVisible(profile is not None)
        self.table.empty_text = self._profiling.sentence
        self.model.show(profile)
        self.bars.show_groups(() if profile is None else profile.groups)
        self.copy_button.setEnabled(profile is not None)

    def copy(self) -> None:
        """Put everything on the clipboard, the table separated by tabs."""
        QGuiApplication.clipboard().setText(f"{self.sentences.text()}\n\n{self.model.to_text()}")
