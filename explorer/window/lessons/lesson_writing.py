"""Writing lessons, a mode of the window: views become steps, which are written beside their charts."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu
from typing_extensions import override

from core.lessons.lesson import Lesson, LessonStep
from core.lessons.lesson_check import StepProblem, check_lesson
from core.lessons.lesson_problems import lesson_problems
from core.lessons.lesson_writing import for_folder, write_lesson
from core.lessons.shown_step import view_of, with_workload
from core.model.errors import DocumentError, InputError
from explorer.lessons.lesson_dialog import LessonDialog
from explorer.lessons.lesson_walk import LessonPlace
from explorer.lessons.step_editor import StepEditor
from explorer.lessons.step_reader import read_step
from explorer.widgets.details import DetailsPage
from explorer.widgets.save_dialog import MAKE_COPY, STAYS, ask_to_save, ask_where_to_copy, ask_where_to_save
from explorer.widgets.worker import Worker
from explorer.window.area import Area
from explorer.window.lessons.author_menu import SAVE, offer
from explorer.window.lessons.lesson_steps import NO_LESSON
from explorer.window.window_menus import AUTHOR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.lessons.lesson_check import CheckedStep
    from core.lessons.step_view import StepView
    from core.model.errors import Problem
    from explorer.lessons.lesson_walk import LessonWalk
    from explorer.lessons.step_reader import ReadStep
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.lessons.lesson_steps import LessonSteps

LESSON_FILTER = "Slotscope lesson (*.lesson.json)"
FIRST_TEXT = "What students read in this step."
IS_REFUSED = "what is entered in this step breaks a rule, and would be lost; mend it as the page says"


class LessonWriting(Area):
    """What authors do, in a mode of its own: without it no menu and no key has any of it.

    Attributes
    ----------
    editor : the page on which a step is written, in the place of the lesson's
    """

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        steps: LessonSteps,
        charts: ChartArea,
        files: DocumentFiles,
    ) -> None:
        super().__init__(model, window)
        self._steps, self._charts = steps, charts
        self.editor = StepEditor(steps.dock)
        self._actions: Mapping[str, QAction] = {}
        self._shows_editor = True
        self._checked: Lesson | None = None
        self._reader = Worker(self, finished=self._on_read, failed=self._on_failed)
        self._checker = Worker(self, finished=self._on_checked, failed=self._on_failed)
        self.editor.edited.connect(self._take)
        self.editor.place_wanted.connect(self._go_to)
        self.editor.students_wanted.connect(self.show_students)
        self.editor.hide()
        steps.pane.write_button.clicked.connect(self.show_editor)
        files.guards.append(self.may_leave)
        steps.guards.append(self.may_go)

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self._actions = actions
        menus = self._window.menuBar().findChildren(QMenu)
        self._menu = next(menu for menu in menus if menu.title() == AUTHOR)
        self._steps.step_changed.connect(self._follow)
        self._show_mode(self._settings.writes_lessons)

    # ---- the mode

    @property
    def is_on(self) -> bool:
        """Whether lessons are written in this window."""
        return self._settings.writes_lessons

    def toggle(self) -> None:
        """Show what authors need, or hide it."""
        if not self.may_go():
            self._actions["write_lessons"].setChecked(self.is_on)
            return
        self._show_mode(not self.is_on)
        if self.is_on and self._steps.walk is None:
            self.done.emit(
                "Author > New lesson… begins a lesson with this view; Lessons > Open a lesson… opens one"
            )

    def _show_mode(self, is_on: bool) -> None:
        if not is_on:
            self.editor.take()
        self._settings.writes_lessons = is_on
        self._actions["write_lessons"].setChecked(is_on)
        for action in self._menu.actions():
            action.setVisible(is_on)  # else their keys would work
        self._menu.menuAction().setVisible(is_on)
        self._shows_editor = True
        self._follow()
        if not is_on and self._steps.walk is not None:
            self._steps.restore()

    def show_editor(self) -> None:
        """Show the page on which the step is written."""
        if self._walk() is not None:
            self._shows_editor = True
            self._follow()

    def show_students(self) -> None:
        """Show the step as students see it."""
        if self._walk() is not None and self.may_go():
            self._shows_editor = False
            self._follow()
            self._steps.restore()
            self._steps.pane.text.setFocus()

    def _follow(self) -> None:
        """Show the step that is shown in the editor, too; name how it would be saved."""
        walk = self._steps.walk
        offer(self._actions, self._menu.actions(), walk, is_refused=self.editor.is_refused)
        is_original = walk is not None and walk.is_original
        self._actions["save_lesson"].setText(MAKE_COPY if is_original else SAVE)
        writes = self.is_on and walk is not None and self._shows_editor
        self._steps.pane.write_button.setVisible(self.is_on and not writes)
        self._steps.dock.show_page(self.editor if writes else None, self._window)
        if walk is None or not writes:
            self.editor.clear()
            return
        if walk.is_veiled:  # who writes it knows the answer
            self._steps.lift()
        if self.editor.shown != walk.step:
            self.editor.show_step(walk.step, self._jobs(), self._titles())
        if self._checked is not walk.lesson:
            self._look_through(walk)

    def _look_through(self, walk: LessonWalk) -> None:
        """Have the text filled in, and the lesson checked, in threads; the latest one wins."""
        self._checked = walk.lesson
        self.editor.show_checking()
        self._checker.follow(partial(check_lesson, walk.lesson))
        try:
            self._reader.follow(partial(read_step, walk.shown))
        except InputError as error:
            self.failed.emit(error)

    def _on_read(self, read: ReadStep) -> None:
        self.editor.preview.show_text(read.window_text)

    def _on_checked(self, checked: tuple[CheckedStep, ...]) -> None:
        self.editor.show_problems([(step.number, problem) for step in checked for problem in step.problems])

    def _on_failed(self, error: Exception) -> None:
        walk = self._steps.walk
        number = 0 if walk is None else walk.number
        self.editor.show_problems([(number, StepProblem("view", str(error)))])

    def _go_to(self, number: int, part: str) -> None:
        """Go to the field of a step in which something is wrong."""
        walk = self._steps.walk
        if walk is not None and number != walk.number:
            self._steps.show_step(number)
        if walk is not None and number == walk.number:
            self.editor.focus(part)

    def _take(self, step: LessonStep) -> None:
        """Take over what was entered, or show which rule it breaks."""
        walk = self._steps.walk
        if walk is None:
            return
        problems = lesson_problems(replace(walk.lesson, steps=(step,)))
        self.editor.is_refused = bool(problems)
        if problems:
            self._checker.cancel()
            self._checked = None
            self.editor.show_problems([(walk.number, _of_step(problem)) for problem in problems])
            return
        if step == walk.step:  # it is again as it was
            self._follow()
            return
        before, self.editor.shown = walk.step, step
        walk.replace_step(step, typed=_changed(before, step))

    # ---- what the window shows

    def view(self, lesson: Lesson) -> tuple[Lesson, StepView]:
        """Return what the window shows as the view of a step, and the lesson with the workload of it."""
        document, state, axis = self._document, self._view_state, self._axis
        lesson, view = view_of(with_workload(lesson, document.workload), document.state)
        cursor = state.time_cursor
        pages = [page for page in self._window.findChildren(DetailsPage) if page.is_open]
        walk = self._steps.walk
        kept = walk.step.view if walk is not None and walk.lesson.steps else None
        is_same = kept is not None and kept.workload == view.workload
        return lesson, replace(
            view,
            active=document.place_of(state.active_scenario),
            cursor=None if cursor.seconds is None else (cursor.seconds, cursor.decision),
            selected_job=state.selected_job or "",
            zoom=None if axis.is_fitted else (axis.t0, axis.t1),
            rows=state.rows.value,
            docks=tuple(sorted(page.objectName() for page in pages)),
            guests=kept.guests if kept is not None and is_same else (),
        )

    # ---- lessons and steps

    def ask_for_new(self) -> None:
        """Let the user name the lesson and its first step."""
        if not self.may_leave():
            return
        dialog = LessonDialog(self._document.workload.name, self._window)
        dialog.written.connect(self.begin)
        dialog.open()

    def ask_for_name(self) -> None:
        """Let the user rename the lesson."""
        walk = self._walk()
        if walk is not None:
            dialog = LessonDialog(walk.lesson.name, self._window, walk.lesson.summary)
            dialog.written.connect(lambda name, summary, _title: walk.rename(name, summary))
            dialog.open()

    def begin(self, name: str, summary: str, title: str) -> None:
        """Begin a lesson with the view as its first step."""
        empty = Lesson(name, (), (), summary)
        lesson, view = self.view(empty)
        lesson = replace(lesson, steps=(LessonStep(title, FIRST_TEXT, view),))
        if self._is_right(lesson):
            self._steps.leave()
            self._steps.begin(LessonPlace(lesson, "", 0, is_modified=True, resumes=True))
            self.done.emit("A lesson has begun; add further views as steps, and save it")

    def add_step(self) -> None:
        """Add a step that shows the window, to be written; begin a lesson without one."""
        walk = self._steps.walk
        if walk is None:
            self.ask_for_new()
            return
        if not self.may_go():
            return
        walk.keep(None)
        lesson, view = self.view(walk.lesson)
        title = f"Step {len(lesson.steps) + 1}"
        self._shows_editor = True
        self._put(walk, LessonStep(title, FIRST_TEXT, view), lesson, walk.insert_step)
        self.editor.title.setFocus()
        self.editor.title.selectAll()

    def duplicate(self) -> None:
        """Put the step once more behind itself."""
        walk = self._walk()
        if walk is not None and self.may_go():
            self._put(walk, replace(walk.step, title=f"{walk.step.title} (2)"), walk.lesson, walk.insert_step)

    def take_view(self) -> None:
        """Let the step that is shown show what the window shows; that may mend what was entered, too."""
        walk = self._walk()
        if walk is not None:
            self.editor.take()
            step = self.editor.step if self.editor.is_refused else walk.step
            lesson, view = self.view(walk.lesson)
            view = replace(view, marks=walk.step.view.marks)
            self._put(walk, replace(step, view=view), lesson, walk.replace_step)

    def _put(
        self,
        walk: LessonWalk,
        step: LessonStep,
        lesson: Lesson,
        put: Callable[[LessonStep, Lesson], None],
    ) -> None:
        """Put a step into the lesson, if it keeps all rules."""
        if walk is self._steps.walk and self._is_right(replace(lesson, steps=(step,))):
            put(step, lesson)
            self._steps.restore()

    def move(self, by: int) -> None:
        """Put the step that is shown so many places further."""
        walk = self._walk()
        if walk is not None and self.may_go() and walk.move_step(by):
            self.done.emit(f"It is step {walk.number + 1} now")

    def delete(self) -> None:
        """Delete the step that is shown."""
        walk = self._walk()
        if walk is None:
            return
        title = walk.step.title
        if walk.delete_step():
            self._steps.restore()
            self.done.emit(f"“{title}” is deleted; Author > Take back the last change has it again")
        else:
            self.failed.emit(InputError("the lesson has this one step; a lesson without any cannot be shown"))

    def undo(self) -> None:
        """Take the last change of the lesson back, and show the step that it was in."""
        self.editor.take()
        walk = self._walk()
        if walk is not None and walk.undo():
            self._steps.restore()
        elif walk is not None:
            self.failed.emit(InputError("nothing of the lesson was changed yet"))

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        self.editor.take()
        walk = self._walk()
        if walk is not None and walk.redo():
            self._steps.restore()
        elif walk is not None:
            self.failed.emit(InputError("nothing of the lesson was taken back"))

    def _walk(self) -> LessonWalk | None:
        if self._steps.walk is None:
            self.failed.emit(InputError(NO_LESSON))
        return self._steps.walk

    def _is_right(self, lesson: Lesson) -> bool:
        problems = lesson_problems(lesson)
        if problems:
            self.failed.emit(DocumentError("the step", problems))
        return not problems

    def _jobs(self) -> tuple[str, ...]:
        return tuple(self._document.workload.job_index)

    def _titles(self) -> tuple[str, ...]:
        headers = self._charts.headers
        return tuple(headers.header(s.id).facts.title for s in self._document.scenarios)

    # ---- saving

    def save(self) -> bool:
        """Write the lesson to its file, chosen by the user if there is none; return whether it was saved."""
        walk = self._walk()
        if walk is None or not self.may_go():
            return False
        return self.save_as() if walk.is_original or not walk.source else self._write(walk, Path(walk.source))

    def save_as(self) -> bool:
        """Let the user choose a name and write the lesson; return whether it was saved."""
        walk = self._walk()
        if walk is None or not self.may_go():
            return False
        if walk.is_original:
            self.done.emit(STAYS.format(walk.lesson.name))
            path = ask_where_to_copy(self._window, Path(walk.source).name, LESSON_FILTER)
        else:
            name = f"{walk.lesson.name}.lesson.json"
            path = ask_where_to_save(self._window, "Save the lesson", name, LESSON_FILTER)
        return path is not None and self._write(walk, path)

    def _write(self, walk: LessonWalk, path: Path) -> bool:
        if not path.name.removesuffix(".gz").endswith(".lesson.json"):
            path = path.with_name(path.name.removesuffix(".json") + ".lesson.json")
        try:
            write_lesson(for_folder(walk.lesson, path.parent), path)
        except InputError as error:
            self.failed.emit(error)
            return False
        walk.saved(str(path))
        self._settings.add_recent_file(path)
        self.done.emit(f"The lesson is saved to {path}")
        return True

    def may_go(self) -> bool:
        """Take over what was entered; False means stay, since it breaks a rule, which is said."""
        self.editor.take()
        if self.editor.is_refused:
            self.failed.emit(InputError(IS_REFUSED))
        return not self.editor.is_refused

    def may_leave(self) -> bool:
        """Ask what to do with a lesson that was changed; False means stay."""
        self.editor.take()
        walk = self._steps.walk
        if walk is None or not (walk.is_modified or self.editor.is_refused):
            return True
        question = f"Save the lesson “{walk.lesson.name}”?"
        return ask_to_save(self._window, question, self.save, of_original=walk.is_original)


def _changed(before: LessonStep, after: LessonStep) -> frozenset[str]:
    """Return the fields in which two steps differ."""
    names = (field.name for field in fields(LessonStep))
    return frozenset(name for name in names if getattr(before, name) != getattr(after, name))


def _of_step(problem: Problem) -> StepProblem:
    """Return what is wrong with a value of the only step, without where documents have it."""
    part = problem.where.removeprefix("steps[0].").split(".")[0]
    return StepProblem(part, f"{problem.value}: {problem.rule}" if problem.value else problem.rule)
