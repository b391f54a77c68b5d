"""What charts show about their scenarios' policy files: the sentence, the line, and a card to answer with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFontDatabase, QPainter, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget
from shiboken6 import isValid
from typing_extensions import override

from core.model.errors import PolicyFault, PolicyNotRun
from core.model.schedule import choices_of
from explorer.document.choices import simulated_choice
from explorer.policy_files.policy_files import FileState, Status
from explorer.simulation.outcome import MAX_TASKS_TRIED
from explorer.widgets.layouts import column, named, push_button, row
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, tooltip
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QPaintEvent

    from core.model.document_state import Scenario
    from core.policies.user_files.source import PolicySource
    from explorer.document.document import Document
    from explorer.policy_files.policy_files import PolicyFiles
    from explorer.simulation.outcome import Outcome
    from explorer.simulation.runner import Runner


class Notices(QObject):
    """One card per chart, made when it is first needed; charts of older versions are outdated.

    Signals
    -------
    look_wanted : the user wants to look at the file with this policy id
    editor_wanted : the user wants the file at this path in their editor
    all_wanted : the user wants policy files to run again
    find_wanted : the user wants to say where the file with this policy id lies now
    failed : scenario id and the error of its file, where no schedule is shown; else the simulation says so
    """

    look_wanted = Signal(str)
    editor_wanted = Signal(str)
    all_wanted = Signal()
    find_wanted = Signal(str)
    failed = Signal(int, object)

    def __init__(
        self,
        document: Document,
        runner: Runner,
        files: PolicyFiles,
        charts: Callable[[], Mapping[int, QWidget]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document, self._runner, self._files, self._charts = document, runner, files, charts
        self._cards: dict[int, NoticeCard] = {}
        self._failures: dict[int, tuple[PolicySource | None, Exception]] = {}
        self._reported: dict[int, Exception] = {}
        runner.outcome_ready.connect(self._on_outcome_ready)
        runner.failed.connect(self._on_failed)
        files.changed.connect(self.refresh)
        for signal in (document.scenarios_changed, document.scenario_changed, document.reset):
            signal.connect(self.refresh)

    def card(self, scenario_id: int) -> NoticeCard | None:
        """Return the card upon a scenario's chart, None if it never needed one."""
        return self._cards.get(scenario_id)

    def _on_outcome_ready(self, scenario_id: int, _outcome: object) -> None:
        self._failures.pop(scenario_id, None)
        self._reported.pop(scenario_id, None)
        self.refresh()

    def _on_failed(self, scenario_id: int, error: Exception) -> None:
        state = self._files.state(self._policy_of(self._document.scenario(scenario_id)))
        self._failures[scenario_id] = (None if state is None else state.source, error)
        self._reported[scenario_id] = error
        self.refresh()

    def refresh(self) -> None:
        """Show on every chart its present notice."""
        self._cards = {i: card for i, card in self._cards.items() if isValid(card)}
        charts = self._charts()
        for scenario in self._document.scenarios:
            if scenario.id in charts:
                self._refresh(scenario, charts[scenario.id])

    def _refresh(self, scenario: Scenario, chart: Any) -> None:  # a GanttView, which parts do not know
        state = self._files.state(self._policy_of(scenario))
        outcome, notice = self._runner.outcome(scenario.id), None
        if state is None or scenario.order is not None:
            chart.change(outdated="")
        else:
            source, failure = self._failures.get(scenario.id, (None, None))
            is_old = source is not None and source != state.source  # a newer version is simulated just now
            failure = None if is_old else failure
            notice = notice_of(state, failure, has_schedule=outcome is not None)
            if outcome is not None:
                chart.change(outdated=_outdated(scenario, outcome, notice))
            else:
                is_shown = state.error is not None and self._runner.failed_run(scenario.id) is not None
                chart.change(outdated=OLD_FAILED if is_shown else NEW_COMES if is_old else "")
                self._announce(scenario.id, state.error or failure)
            if state.status is Status.RUNNING and not state.is_slow:
                return  # in a moment there is something new to say
        card = self._cards.get(scenario.id)
        if card is None or card.parent() is not chart:
            if notice is None:
                return
            card = self._cards[scenario.id] = self._new_card(scenario.id, chart)
        card.show_notice(notice)

    def _announce(self, scenario_id: int, error: Exception | None) -> None:
        """Announce an error that differs from the scenario's last one."""
        if error is not None and error is not self._reported.get(scenario_id):
            self._reported[scenario_id] = error
            self.failed.emit(scenario_id, error)

    def _new_card(self, scenario_id: int, chart: QWidget) -> NoticeCard:
        def policy() -> str:
            return self._policy_of(self._document.scenario(scenario_id))

        card = NoticeCard(chart, lambda: _plot_of(chart))
        card.look_wanted.connect(lambda: self.look_wanted.emit(policy()))
        card.editor_wanted.connect(self.editor_wanted)
        card.all_wanted.connect(self.all_wanted)
        card.find_wanted.connect(lambda: self.find_wanted.emit(policy()))
        return card

    def _policy_of(self, scenario: Scenario) -> str:
        """Return which of a scenario's policies to speak of: before a fork another one decides."""
        ids = [choice.id for choice in choices_of(scenario)]
        states = [(i, self._files.state(i)) for i in reversed(ids)]
        waiting = (i for i, state in states if state is not None and state.status is not Status.GOOD)
        return next(waiting, ids[-1])


def _outdated(scenario: Scenario, outcome: Outcome, notice: Notice | None) -> str:
    """Return which version a schedule is of that is not of the newest one, and what is done about it."""
    if notice is not None and notice.fades:
        return NEW_COMES if notice.is_running else NO_NEWER
    newest = {simulated_choice(choice).id for choice in choices_of(scenario)}
    if newest == {choice.id for choice in choices_of(outcome.schedule)}:
        return ""
    return NEW_COMES if outcome.schedule.tasks <= MAX_TASKS_TRIED else NEW_COMPILES


def _plot_of(chart: QWidget) -> QRect:
    """Return where a chart shows its slots; of any other widget all of it."""
    frame = getattr(chart, "frame", None)
    return chart.rect() if frame is None else QRect(frame().places.plot)


SWITCHED_OFF = (
    "Policy files are switched off in a window that was opened safely. Run this one, or all that you trusted "
    "before."
)
NO_NEWER = "of the last version that worked"
OLD_FAILED = "of the version before, which failed"
NEW_COMES = "of the version before; running the new one …"
NEW_COMPILES = "of the version before; compiling the new one, for so many tasks …"
OLD_CHART = "The chart shows what the last version that worked did."


@dataclass(frozen=True)
class Notice:
    """The text.

    Attributes
    ----------
    heading : the file, with the line
    sentence : what is wrong, or what is to be done
    code : the source line, below it perhaps a caret; empty for none
    is_question : whether the user is asked to look at the file and trust it
    path : the file
    fades : whether the schedule below it is that of an older version
    is_off : whether it is asked because policy files are switched off
    is_missing : whether there is no such file
    is_running : whether there will be something newer
    values : what the names on the line stood for, as text; empty for none
    has_run : whether the chart shows how far the run came
    """

    heading: str
    sentence: str
    path: Path
    code: str = ""
    is_question: bool = False
    fades: bool = False
    is_off: bool = False
    is_missing: bool = False
    is_running: bool = False
    values: str = ""
    has_run: bool = False


def notice_of(state: FileState, failure: Exception | None, *, has_schedule: bool) -> Notice | None:
    """Return what a chart shows about its policy file; None when all is well.

    Parameters
    ----------
    state : of the file
    failure : what the last simulation of the scenario ended with, None if it ended well
    has_schedule : whether the chart shows a schedule
    """
    name = state.path.name
    if state.status is Status.RUNNING:
        waits = _with_note(
            "It is still being loaded; see that what stands outside its class comes to an end.", has_schedule
        )
        return Notice(f"{name} is running …", waits, state.path, fades=has_schedule, is_running=True)
    if state.status is Status.UNTRUSTED:
        return _question(name, state, has_schedule=has_schedule)
    error = state.error or failure
    if error is None or isinstance(error, PolicyNotRun):  # it has been run by now: its schedule is coming
        return None
    place = error.place if isinstance(error, PolicyFault) else None
    path = state.path if place is None else Path(place.path)  # of a helper, it may be
    sentence = error.sentence if isinstance(error, PolicyFault) else str(error)
    run = error.run if isinstance(error, PolicyFault) else None
    return Notice(
        heading=path.name if place is None else place.brief,
        sentence=_with_note(_one_sentence(sentence), has_schedule),
        path=path,
        code="" if place is None else place.excerpt,
        fades=has_schedule,
        is_missing=state.status is Status.MISSING,
        values="" if run is None or not run.values else f"There: {run.values_text}",
        has_run=run is not None,
    )


def _question(name: str, state: FileState, *, has_schedule: bool) -> Notice:
    if state.is_off:
        sentence = _with_note(SWITCHED_OFF, has_schedule)
        return Notice(
            f"{name} does not run", sentence, state.path, is_question=True, fades=has_schedule, is_off=True
        )
    if has_schedule:
        alone = state.source is None or not state.source.helpers
        what = "" if alone else " or what it imports"
        sentence = _with_note("It is not run until you have looked at it again.", noted=True)
        return Notice(f"{name}{what} has changed", sentence, state.path, is_question=True, fades=True)
    sentence = "A policy file is a program. Look at it, and let it run if you trust it."
    return Notice(f"{name} has not been run", sentence, state.path, is_question=True)


def _with_note(sentence: str, noted: bool) -> str:
    return f"{sentence} {OLD_CHART}" if noted else sentence


def _one_sentence(text: str) -> str:
    """Return a text as a sentence: with a capital letter and a full stop."""
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


WIDEST_PX = 620
AIR_PX = 8
CORNER_PX = 6.0
STRIPE_PX = 4


class NoticeCard(QFrame):
    """Shows one `Notice` upon a chart.

    Attributes
    ----------
    notice : what is shown

    Signals
    -------
    look_wanted : the user wants to look at the file and perhaps trust it
    editor_wanted : they want the file at this path in their editor
    all_wanted : they want policy files to run again
    find_wanted : they want to say where the file lies now
    """

    look_wanted = Signal()
    editor_wanted = Signal(str)
    all_wanted = Signal()
    find_wanted = Signal()

    def __init__(self, chart: QWidget, plot: Callable[[], QRect]) -> None:
        super().__init__(chart)
        self._chart, self._plot = chart, plot
        self.notice: Notice | None = None
        self.heading = ElidedLabel()
        self.heading.setFont(bold_font(self.font()))
        self.sentence = PlainLabel(wraps=True)
        self.sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.values = named(PlainLabel(wraps=True), "Values on that line")
        self.values.setTextInteractionFlags(self.sentence.textInteractionFlags())
        self.code = named(PlainLabel(), "Line of the policy file")
        self.code.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.code.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        tip = "Show the file, and run it if you trust it"
        self.look_button = push_button("&Look at it and run …", tip, self.look_wanted)
        tip = "Open the file in the program that your system uses for it"
        self.editor_button = push_button("Open in &editor", tip, self._open_in_editor)
        tip = "Run all policy files that you trusted before; ask about the others"
        self.all_button = push_button("&Run all", tip, self.all_wanted)
        tip = "Choose where the file lies now; every scenario that uses it follows"
        self.find_button = push_button("Look &for it …", tip, self.find_wanted)
        buttons = row((self.code, 1), self.editor_button, self.all_button, self.look_button, self.find_button)
        buttons.setAlignment(self.code, Qt.AlignmentFlag.AlignVCenter)
        margins = (AIR_PX + STRIPE_PX + 4, AIR_PX, AIR_PX, AIR_PX)
        column(self.heading, self.sentence, self.values, buttons, parent=self, margins=margins, spacing=5)
        chart.installEventFilter(self)
        self.hide()

    def show_notice(self, notice: Notice | None) -> None:
        """Show another notice, or none."""
        if notice == self.notice:
            return
        self.notice = notice
        self.setVisible(notice is not None)
        if notice is None:
            return
        self.heading.setText(notice.heading)
        self.sentence.setText(notice.sentence)
        self.values.setText(notice.values)
        self.values.setVisible(bool(notice.values))
        self.code.setText(notice.code)
        self.look_button.setVisible(notice.is_question)
        self.all_button.setVisible(notice.is_off)
        self.find_button.setVisible(notice.is_missing)
        self.editor_button.setVisible(not (notice.is_off or notice.is_missing))  # there is no room for three
        self.setAccessibleName(f"{notice.heading}: {notice.sentence} {notice.values}".strip())
        self.setToolTip(tooltip(str(notice.path)))
        self._place()
        self.raise_()

    def _open_in_editor(self) -> None:
        if self.notice is not None:
            self.editor_wanted.emit(str(self.notice.path))

    def _place(self) -> None:
        """Lie upon the plot: at its foot over a schedule, in its middle where there is none."""
        plot = self._plot()
        room = plot.adjusted(AIR_PX, 4, -AIR_PX, -4)
        width = min(WIDEST_PX, room.width())
        if self.heightForWidth(width) > self._chart.height():
            width = room.width()
        height = min(max(self.heightForWidth(width), self.minimumSizeHint().height()), self._chart.height())
        top = room.center().y() - height // 2
        if self.notice is not None and (self.notice.fades or self.notice.has_run):
            top = room.bottom() - height
        left = room.center().x() - width // 2
        self.setGeometry(left, max(min(top, self._chart.height() - height), 0), width, height)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._chart and event.type() == QEvent.Type.Resize and self.notice is not None:
            self._place()
        return super().eventFilter(watched, event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colours.line, 1))
            painter.setBrush(colours.card)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), CORNER_PX, CORNER_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            is_question = self.notice is not None and self.notice.is_question
            painter.setBrush(colours.accent if is_question else colours.worse)
            painter.drawRoundedRect(4, 5, STRIPE_PX, self.height() - 11, 2.0, 2.0)
