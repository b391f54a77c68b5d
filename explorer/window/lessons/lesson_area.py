"""Lessons in the window: the pane, being the scheduler, presenting; the menu of what can be done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from core.explain.instant import decisions_at
from core.lessons.questions.order import OrderQuestion
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.by_hand import ByHand
from core.simulation.fork import fork_of
from explorer.lessons.lesson_gallery import LessonGallery
from explorer.lessons.scores_dialog import ScoresDialog
from explorer.window.area import Area
from explorer.window.lessons.author_menu import SAVE
from explorer.window.lessons.class_poll import ClassPoll
from explorer.window.lessons.lesson_steps import LessonSteps
from explorer.window.lessons.presented_lesson import PresentedLesson
from explorer.window.lessons.presenter import Presenter
from explorer.window.window_menus import AUTHOR, LESSONS, SEPARATOR, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.lessons.lesson import LessonStep
    from core.model.schedule import Fork
    from explorer.explain.player import Player
    from explorer.lessons.hand_window import HandWindow
    from explorer.scans.scan_window import ScanWindow
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.files.document_work import OpenedDocument
    from explorer.window.frame.side_bar import SideDock
    from explorer.window.lessons.lesson_writing import LessonWriting

NO_CURSOR = "put the time cursor where you want to begin: drag along the time axis of the charts"


class LessonArea(Area):
    """Builds the parts and connects them."""

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        charts: ChartArea,
        files: DocumentFiles,
        player: Player,
        scans: ScanWindow,
        side_dock: SideDock,
    ) -> None:
        from explorer.window.lessons.lesson_handouts import LessonHandouts
        from explorer.window.lessons.lesson_writing import LessonWriting

        super().__init__(model, window)
        self._charts, self._files = charts, files
        self.steps = LessonSteps(model, window, charts=charts, scans=scans, side_dock=side_dock)
        self.presented = PresentedLesson(self.steps)
        self.poll = ClassPoll(self.presented, lambda: charts.theme)
        self.presenter = Presenter(
            model, window, charts=charts, player=player, lesson=self.presented, poll=self.poll
        )
        self.writing = LessonWriting(model, window, steps=self.steps, charts=charts, files=files)
        self.hand: HandWindow | None = None
        self._question_step: LessonStep | None = None
        self.steps.hand_wanted.connect(self._play_for_step)
        self.steps.pane.lesson_wanted.connect(self._go_to_lesson)
        files.leaving.connect(self.steps.leave)  # before the autosave writes the other document
        self.handouts = LessonHandouts(model, window, steps=self.steps, charts=charts)
        self.pass_on(self.steps, self.writing, self.handouts)

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        lesson, steps, writing = partial(ActionSpec, LESSONS), self.steps, self.writing
        # fmt: off
        return (
            lesson("lessons", "&Open a lesson…", "Ctrl+Shift+E", self.ask_for_lesson,
                "Choose a lesson: texts beside the charts, and questions that the simulator answers"),
            lesson("lesson_pane", "Lesson &pane", "Shift+F9", self.toggle_pane,
                "Show the text of the step at the left, or leave the room to the charts", checkable=True),
            lesson("next_step", "&Next step", "Alt+PgDown", partial(steps.go, 1),
                "Go on in the lesson"),
            lesson("previous_step", "Pre&vious step", "Alt+PgUp", partial(steps.go, -1),
                "Go back in the lesson"),
            lesson("restore_step", "&Back to the lesson", "Ctrl+Shift+R", steps.restore,
                "Show the step again as its author made it"),
            lesson("lift_veil", "&Lift the veil", "Ctrl+Shift+K", steps.lift,
                "Show what comes next, without an answer"),
            lesson("scores", "M&y scores…", "", self.show_scores,
                "Show every answer that was checked on this machine; copy, export or clear them"),
            lesson("close_lesson", "&Close the lesson", "", self.close_lesson,
                "Go on with the charts of this step, without the lesson"),
            lesson(SEPARATOR),
            lesson("be_scheduler", "Be the &scheduler…", "F6", self.be_scheduler,
                "Give every free slot to a job yourself, and see what that was worth"),
            lesson("schedule_from_here", "Schedule &by hand from the cursor…", "", self.schedule_from_here,
                "Let the active scenario decide up to the time cursor, and decide yourself from there on"),
            lesson(SEPARATOR),
            lesson("present", "&Present", "F5", self.presenter.toggle,
                "Show the charts on the whole screen with large text and captions, for a room"),
            *self.handouts.specs(lesson),
            lesson(SEPARATOR),
            lesson("write_lessons", "&Write lessons", "", writing.toggle,
                "Show the menu Author, and a page beside the charts that writes a step", checkable=True),
            *_author_specs(writing),
        )
        # fmt: on

    def follow(self, opened: OpenedDocument) -> None:
        """Show the lesson that was opened, or end the one before."""
        self.steps.follow(opened)

    def values(self) -> dict[str, Any]:
        """Return what a session remembers of the lesson, as a JSON value."""
        return self.steps.values()

    def ask_for_lesson(self) -> None:
        """Let the user choose one of Slotscope's lessons, or a file."""
        gallery = LessonGallery(self._window)
        gallery.chosen.connect(self._files.open)
        gallery.file_wanted.connect(self._files.ask_and_open)
        gallery.scores_wanted.connect(self.show_scores)
        gallery.open()

    def toggle_pane(self) -> None:
        """Show the pane, or hide it; without a lesson, offer some."""
        if self.steps.walk is None:
            self.ask_for_lesson()
        self.steps.dock.toggle()

    def be_scheduler(self) -> None:
        """Let the user give every slot of the active scenario's cluster away, from the beginning."""
        self._play(fork=None)

    def schedule_from_here(self) -> None:
        """Let the user decide from the time cursor on what the active scenario has decided before."""
        cursor, active = self._view_state.time_cursor, self._active_scenario()
        outcome = self._runner.outcome(active.id)
        if cursor.seconds is None or outcome is None:
            self.failed.emit(InputError(NO_CURSOR))
            return
        try:
            decisions = min(cursor.decision, decisions_at(outcome.schedule, cursor.seconds))
            self._play(fork_of(active, cursor.seconds, decisions))
        except InputError as error:
            self.failed.emit(error)

    def _active_scenario(self) -> Scenario:
        return self._document.scenario(self._view_state.active_scenario)

    def _play_for_step(self, scenario_id: int) -> None:
        """Let the student answer a step's question by hand."""
        self._view_state.activate_scenario(scenario_id)
        self._play(None, None if self.steps.walk is None else self.steps.walk.step)

    def _play(self, fork: Fork | None, step: LessonStep | None = None) -> None:
        from explorer.lessons.hand_window import HandWindow  # only who plays loads it

        if self.hand is None:
            self.hand = HandWindow(self._editor, self._view_state, self._charts.theme, self._window)
            self.hand.notice.connect(self.done)
            self.hand.scores_wanted.connect(self.show_scores)
            self.hand.finished.connect(self._on_hand_finished)
        self._question_step = step
        scenario = Scenario(0, PolicyChoice(ByHand.id), cluster=self._active_scenario().cluster, fork=fork)
        try:
            aim = step.question.objective if step and isinstance(step.question, OrderQuestion) else ""
            self.hand.begin(scenario, uses_compiled=self._runner.uses_compiled, aim=aim)
        except InputError as error:
            self.failed.emit(error)

    def _on_hand_finished(self) -> None:
        if self.hand is not None and self.hand.game is not None and self._question_step is not None:
            self.steps.take_picks(self._question_step, self.hand.game.picks)

    def close_lesson(self) -> None:
        """End the lesson, if its author has saved it or does not want to."""
        if self.writing.may_leave():
            self.steps.leave()

    def show_scores(self) -> None:
        """Show every answer that was checked, before the window that is in front."""
        hand = self.hand
        dialog = ScoresDialog(hand if hand is not None and hand.isActiveWindow() else self._window)
        dialog.reported.connect(self.done)
        dialog.failed.connect(self.failed)
        dialog.show_scores()
        dialog.open()

    def _go_to_lesson(self, path: str) -> None:
        """Open the lesson after this one, or let the user choose one."""
        if path:
            self._files.open(path)
        else:
            self.ask_for_lesson()

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self.steps.place(actions)
        self.writing.place(actions)

    @override
    def set_theme(self, theme: Theme) -> None:
        self.presenter.update()
        self.steps.set_theme(theme)
        if self.hand is not None:
            self.hand.set_theme(theme)

    @override
    def close(self) -> None:
        self.presenter.leave()
        self.poll.close()
        self.handouts.close()
        if self.hand is not None:
            self.hand.clock.stop()


def _author_specs(writing: LessonWriting) -> tuple[ActionSpec, ...]:
    """Return the actions of the author's menu."""
    author = partial(ActionSpec, AUTHOR)
    # fmt: off
    return (
        author("new_lesson", "&New lesson…", "", writing.ask_for_new,
            "Begin a lesson of your own with this view as its first step"),
        author("rename_lesson", "Na&me of the lesson…", "", writing.ask_for_name,
            "Change what the lesson is called, and what one learns"),
        author("save_lesson", SAVE, "", writing.save, "Write the lesson to its file"),
        author("save_lesson_as", "Save the lesson as…", "", writing.save_as,
            "Write the lesson to another file"),
        author(SEPARATOR),
        author("edit_step", "&Write the step", "", writing.show_editor,
            "Show title, texts, veil and question of the step beside its charts, and what is wrong"),
        author("student_view", "As &students see it", "Ctrl+Shift+Q", writing.show_students,
            "Show the step with its question and veil, as a student opens it"),
        author("take_view", "&Let the step show this view", "", writing.take_view,
            "Replace what the step shows by these charts, this time, selection and zoom"),
        author(SEPARATOR),
        author("add_step", "&Add this view as a step", "Ctrl+Shift+A", writing.add_step,
            "Put a step with these charts, this time, selection and zoom behind the step that is shown"),
        author("duplicate_step", "Du&plicate the step", "", writing.duplicate,
            "Put the same step once more behind the one that is shown"),
        author("step_earlier", "Move the step &up", "", lambda: writing.move(-1),
            "Put the step that is shown before the one before it"),
        author("step_later", "Move the step &down", "", lambda: writing.move(1),
            "Put the step that is shown behind the one after it"),
        author("delete_step", "Delete the s&tep", "", writing.delete,
            "Take the step that is shown out of the lesson"),
        author(SEPARATOR),
        author("undo_lesson", "Ta&ke back the last change", "", writing.undo,
            "Have the lesson as it was before: a step, its texts, or its place"),
        author("redo_lesson", "Make it a&gain", "", writing.redo,
            "Make the change of the lesson that was taken back last again"),
    )
    # fmt: on
