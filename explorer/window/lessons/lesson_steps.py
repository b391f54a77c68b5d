"""A lesson in the window: opens it, puts its steps into charts and panels, judges answers, and goes on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from typing_extensions import override

from core.lessons.lesson_document import lesson_paths
from core.lessons.questions.question import HandAnswer, OrderAnswer
from core.model.errors import InputError
from explorer.document.view_state import SelectedTask
from explorer.lessons.lesson_pane import LessonDock, LessonPane
from explorer.lessons.lesson_walk import LessonWalk
from explorer.lessons.scores import Score, add_score
from explorer.lessons.step_reader import read_step
from explorer.lessons.veil_cover import PanelCovers
from explorer.widgets.worker import Worker
from explorer.window.area import Area
from explorer.window.lessons.step_stage import StepStage, chart_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.files.journal import History
    from core.lessons.lesson import LessonStep
    from core.lessons.questions.question import LessonQuestion, LookAt, Verdict
    from core.lessons.shown_step import SimulatedStep
    from explorer.lessons.lesson_walk import LessonPlace
    from explorer.lessons.step_reader import ReadStep
    from explorer.scans.circle_chart import CircleChart
    from explorer.scans.scan_window import ScanWindow
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_work import OpenedDocument
    from explorer.window.frame.side_bar import SideDock

TRIES = 2
"""Wrong answers before what happens is shown."""
NARROW_PX = 1400
"""In windows less wide the side bar gives its room to the lesson."""
REVEALING = (
    "shared_scans",
    "study",
    "pool_search",
    "fidelity",
    "export_report",
    "export_page",
    "export_tasks",
    "export_jobs",
    "export_stages",
    "export_perfetto",
    "export_paje",
    "export_animation",
)
"""Actions that would give away what a veil hides."""
WAYS = ("next_step", "previous_step", "restore_step", "lift_veil", "close_lesson")
"""Actions for which a lesson has to be open."""
NO_LESSON = "no lesson is open; choose one with Lessons > Open a lesson"


class LessonSteps(Area):
    """One lesson at a time.

    Attributes
    ----------
    walk : the lesson that is open, or None
    pane, dock : where it is shown
    guards : called before another step is shown; False means stay
    read : the step with all that is simulated for it; None until it is there, and without a lesson

    Signals
    -------
    hand_wanted : the student wants to give every slot away by hand, on the cluster of this scenario
    step_changed : another step is shown, or its text, the lesson is another one, or none is open
    """

    step_changed = Signal()
    hand_wanted = Signal(int)

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        charts: ChartArea,
        scans: ScanWindow,
        side_dock: SideDock,
    ) -> None:
        super().__init__(model, window)
        self._charts, self._scans, self._side_dock = charts, scans, side_dock
        self.walk: LessonWalk | None = None
        self.guards: list[Callable[[], bool]] = []
        self.pane = LessonPane()
        self.dock = LessonDock(self.pane, window)
        self.read: ReadStep | None = None
        self._look_at: LookAt | None = None
        self._stage = StepStage(model, window, pane=self.pane, charts=charts)
        self._stage.pictured.connect(self.step_changed)
        self._hid_side_bar = False
        self._worker = Worker(self, finished=self._on_done, failed=self._on_failed)
        self.covers = PanelCovers(self._view_state.veil, window)
        self.covers.lift_wanted.connect(self.lift)
        self._connect()

    def _connect(self) -> None:
        pane = self.pane
        pane.step_wanted.connect(self.show_step)
        pane.restore_wanted.connect(self.restore)
        pane.lift_wanted.connect(self.lift)
        pane.question.answered.connect(self._on_answered)
        pane.question.shown_wanted.connect(self.show_why)
        pane.question.again_wanted.connect(self._try_again)
        self._view_state.selected_job_changed.connect(self._on_job_selected)
        self._view_state.selected_task_changed.connect(self._on_task_selected)
        self._charts.slot_clicked.connect(self._on_slot_clicked)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.dock.place(actions["lesson_pane"])
        self._revealing = [actions[name] for name in REVEALING]
        self._view_state.veil.changed.connect(self._follow_veil)
        self._ways = {name: actions[name] for name in WAYS}
        self.step_changed.connect(self._offer_ways)
        self._offer_ways()
        self.pane.follow(
            close=actions["lesson_pane"],
            back=actions["previous_step"],
            next=actions["next_step"],
            restore=actions["restore_step"],
            lift=actions["lift_veil"],
        )

    def _offer_ways(self) -> None:
        """Offer the ways that there are from this step, none without a lesson."""
        walk = self.walk
        last = -1 if walk is None else len(walk.lesson.steps) - 1
        can = {
            "next_step": walk is not None and walk.number < last,
            "previous_step": walk is not None and walk.number > 0,
            "lift_veil": walk is not None and walk.is_veiled,
        }
        for name, action in self._ways.items():
            action.setEnabled(can.get(name, walk is not None))

    def _follow_veil(self) -> None:
        """Offer nothing that gives the answer away while it is to be guessed."""
        is_veiled = self._view_state.veil.is_down
        for action in self._revealing:
            action.setEnabled(not is_veiled)
        if is_veiled:
            self._scans.close()

    @override
    def set_theme(self, theme: Theme) -> None:
        self._stage.set_theme(theme)

    # ---- opening

    def follow(self, opened: OpenedDocument) -> None:
        """Begin the lesson that was opened, or go on with it; end the one before."""
        self._end()
        if opened.lesson is not None:
            self.begin(opened.lesson)
            source = opened.lesson.source
            if source and Path(source) not in lesson_paths().values() and not opened.lesson.resumes:
                self._settings.add_recent_file(Path(source))

    def begin(self, place: LessonPlace) -> None:
        """Show a lesson whose step is the document already."""
        self.walk = LessonWalk(place, self)
        self.walk.edited.connect(self.pane.show_place)
        self.walk.edited.connect(self.step_changed)
        self._make_room()
        self.dock.bring(self._window, self._side_dock)
        self._show(is_kept=place.resumes)
        self.step_changed.emit()

    def _make_room(self) -> None:
        side = self._side_dock
        if self._window.width() < NARROW_PX and not side.isHidden():
            side.hide()
            self._hid_side_bar = True

    def _end(self) -> None:
        """Let go of the lesson that was open."""
        self._worker.cancel()
        self.read = self._look_at = None
        self._stage.clear()
        if self.walk is None:
            return
        self.walk.deleteLater()
        self.walk = None
        self.pane.forget()
        self.dock.leave()
        if self._hid_side_bar:
            self._side_dock.show()
            self._hid_side_bar = False
        self.step_changed.emit()

    def leave(self) -> None:
        """End the lesson; the document of its step stays."""
        self._end()

    # ---- walking

    def show_step(self, number: int) -> None:
        """Show another step; what was edited in this one is kept."""
        walk = self.walk
        if walk is None:
            self.failed.emit(InputError(NO_LESSON))
        elif all(guard() for guard in self.guards) and walk.go(
            number, self._history(), self._view_state.active_scenario
        ):
            self._load(walk.progress.history)

    def go(self, step: int) -> None:
        """Go so many steps on."""
        self.show_step(-1 if self.walk is None else self.walk.number + step)

    def restore(self) -> None:
        """Show the step again as its author made it, with its question and veil."""
        if self.walk is None:
            self.failed.emit(InputError(NO_LESSON))
            return
        self.walk.start_over()
        self._load(None)

    def _history(self) -> History | None:
        """Return what the student did to the document, None for nothing."""
        editor = self._editor
        return editor.history if editor.undo_stack.count() else None

    def _load(self, history: History | None) -> None:
        """Make a step the document, as its author made it or as it was left."""
        assert self.walk is not None
        try:
            state = self.walk.shown.state if history is None else history.state
        except InputError as error:
            self.failed.emit(error)
            return
        self._editor.load(state, None, history)
        self._show(is_kept=history is not None)

    # ---- showing

    def _show(self, *, is_kept: bool) -> None:
        """Show all of a step beside its document, which is there."""
        walk = self.walk
        assert walk is not None
        shown = walk.shown
        self.read = self._look_at = None
        now = self._view_state.active_scenario
        active = (now if walk.progress.active < 0 else walk.progress.active) if is_kept else -1
        self._stage.show(shown, active=active, hidden_from=walk.hidden_from)
        self.pane.show_walk(walk)
        self._worker.follow(partial(read_step, shown))
        self.step_changed.emit()

    # ---- what is computed

    def _on_done(self, answer: Any) -> None:  # Any: a ReadStep, or a Verdict with its answer
        if isinstance(answer, tuple):
            self._judge(*answer)
        elif self.walk is not None:
            self._show_read(answer)

    def _on_failed(self, error: Exception) -> None:
        self.pane.question.set_busy(False)
        self.failed.emit(error)

    def _show_read(self, read: ReadStep) -> None:
        """Show the text with its figures, the guests, and the question."""
        assert self.walk is not None
        self.read = read
        self.pane.show_text(read.window_text)
        if read.problem:
            self.failed.emit(InputError(f"{self.walk.step.title}: {read.problem}"))
        self._stage.show_guests(read)
        if read.question is not None:
            colours = self._charts.map_colours().tolist()
            self.pane.question.show_question(read.question, read.options, colours)
            self.pane.question.show()
            self._on_job_selected()
        self.step_changed.emit()

    # ---- answers

    def _on_job_selected(self) -> None:
        """Take the job that was clicked as the answer."""
        name = self._view_state.selected_job
        if self.walk is not None and self.pane.question.takes_click("job") and name is not None:
            self.pane.question.pick(name)

    def _on_slot_clicked(self, scenario_id: int, slot: int, _seconds: float) -> None:
        if self._takes_slot_of(scenario_id):
            self.pane.question.pick(slot)

    def _on_task_selected(self) -> None:
        """Take the slot of the task that was clicked as the answer."""
        selected = self._view_state.selected_task
        outcome = None if selected is None else self._runner.outcome(selected.scenario_id)
        if selected is not None and outcome is not None and self._takes_slot_of(selected.scenario_id):
            self.pane.question.pick(int(outcome.schedule.slot[selected.task]))

    def _takes_slot_of(self, scenario_id: int) -> bool:
        """Whether a slot of a scenario's chart would be an answer."""
        walk = self.walk
        if walk is None or walk.step.question is None or not self.pane.question.takes_click("slot"):
            return False
        return chart_id(walk.shown, walk.step.question.chart) == scenario_id

    def _on_answered(self, value: object, text: str) -> None:
        """Have an answer compared with what the simulator does."""
        if self.walk is None or self.read is None or self.walk.step.question is None:
            return
        question = self.walk.step.question
        if isinstance(question.answer_form, HandAnswer) and value is None:
            self.hand_wanted.emit(chart_id(self.walk.shown, question.chart))
            return
        if isinstance(question.answer_form, OrderAnswer):
            # dragging jobs of a baseline makes a scenario beside it, the active one
            value = self._charts.job_order(self._view_state.active_scenario)
        self.pane.question.set_busy(True)
        self._worker.follow(partial(_judged, question, self.read.simulated, value, text))

    def take_picks(self, step: LessonStep | None, picks: str) -> None:
        """Have a schedule by hand checked, if its step is still shown."""
        walk = self.walk
        if walk is not None and walk.step is step and not walk.progress.is_answered:
            self._on_answered(picks, "")

    def _judge(self, verdict: Verdict, text: str) -> None:
        """Keep the score; after a right or a second answer show the verdict and what was asked for."""
        walk = self.walk
        if walk is None or walk.step.question is None:
            return
        progress = walk.note_answer(verdict.is_right)
        if verdict.is_right or progress.misses >= TRIES:
            self._look_at = verdict.look
            self.pane.question.show_verdict(verdict, text)
            walk.lift_until(verdict.lifts_to)
            self._veil()
        else:
            self.pane.question.show_miss(text)
        self.pane.show_end()
        score = Score(
            walk.lesson.name,
            walk.number + 1,
            walk.step.question.kind,
            text,
            verdict.is_right,
            progress.tries,
            progress.seconds,
        )
        try:
            add_score(score)
        except InputError as error:
            self.failed.emit(error)

    def _try_again(self) -> None:
        """Veil it again, and let the student answer anew."""
        assert self.walk is not None
        self.walk.ask_again()
        self.pane.question.clear_verdict()
        self._veil()

    def lift(self) -> None:
        """Show what is veiled."""
        if self.walk is not None:
            self.walk.lift()
            self._veil()

    def _veil(self) -> None:
        """Hide what is hidden now, in the charts and in the pane."""
        if self.walk is not None:
            self._stage.veil(self.walk.hidden_from)
            self.pane.show_veiled()
            self._offer_ways()

    def show_why(self) -> None:
        """Go to the time, the job and the slot that decide the question."""
        look, walk, state = self._look_at, self.walk, self._view_state
        if look is None or walk is None:
            return
        shown_in = chart_id(walk.shown, look.chart)
        if look.cursor is not None:
            state.time_cursor.show_at(*look.cursor)
            self._axis.reveal(look.cursor[0])
        if shown_in > 0:
            self._select(shown_in, look)
        self._charts.stack.reveal(shown_in)

    def _select(self, scenario_id: int, look: LookAt) -> None:
        state = self._view_state
        state.activate_scenario(scenario_id)
        state.select_job(look.job or None)
        if look.task >= 0 and look.job:
            state.select_task(SelectedTask(scenario_id, look.task))
        elif look.slot >= 0 and look.cursor is not None:
            self._charts.slot_clicked.emit(scenario_id, look.slot, look.cursor[0])

    # ---- what is remembered, and shown elsewhere

    @property
    def picture(self) -> CircleChart | None:
        """The picture that stands below the text, or None."""
        return None if self._stage.circles.isHidden() else self._stage.circles

    def values(self) -> dict[str, Any]:
        """Return which lesson is open at which step, as a JSON value; nothing without one."""
        walk = self.walk
        if walk is None:
            return {}
        kept: dict[str, Any] = {"source": walk.source, "step": walk.number}
        if walk.is_modified or not walk.source:
            from core.lessons.lesson_writing import lesson_to_json  # few write lessons

            kept |= {"document": lesson_to_json(walk.lesson), "is_modified": walk.is_modified}
        return {"lesson": kept}


def _judged(
    question: LessonQuestion, step: SimulatedStep, answer: object, text: str, *_progress_and_stop: object
) -> tuple[Verdict, str]:
    """Judge an answer, in a thread."""
    return question.judge(step, answer), text or question.answer_text(step, answer)
