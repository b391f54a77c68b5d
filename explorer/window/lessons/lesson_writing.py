"""Writing lessons in the window: the view becomes a step; texts, questions and veils are edited; saving."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from core.files.samples import samples
from core.lessons.lesson import Lesson, LessonStep, LessonWorkload
from core.lessons.lesson_problems import lesson_problems
from core.lessons.lesson_writing import write_lesson
from core.lessons.shown_step import view_of
from core.model.errors import DocumentError, InputError
from explorer.lessons.lesson_walk import LessonPlace
from explorer.lessons.step_dialog import LessonDialog, StepDialog
from explorer.widgets.details import DetailsPage
from explorer.widgets.save_dialog import MAKE_COPY, STAYS, ask_to_save, ask_where_to_copy, ask_where_to_save
from explorer.window.area import Area
from explorer.window.lessons.lesson_steps import NO_LESSON

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.lessons.step_view import StepView
    from core.model.workload import Workload
    from explorer.lessons.lesson_walk import LessonWalk
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.lessons.lesson_steps import LessonSteps
    from explorer.window.window_menus import ActionSpec

SAVE = "Sa&ve the lesson"
LESSON_FILTER = "Slotscope lesson (*.lesson.json)"
FIRST_TEXT = "What this step tells."


class LessonWriting(Area):
    """What authors do."""

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
        self._save_action: QAction | None = None
        files.guards.append(self.may_leave)

    def specs(self, lesson: Callable[..., ActionSpec]) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        # fmt: off
        return (
            lesson("new_lesson", "Ne&w lesson…", "", self.ask_for_new,
                "Begin a lesson of your own with this view as its first step"),
            lesson("add_step", "&Add this view as a step…", "Ctrl+Shift+A", self.ask_for_step,
                "Put a step with these charts, this time, selection and zoom behind the step that is shown"),
            lesson("edit_step", "&Edit the step…", "", self.ask_and_edit,
                "Change title, text, question and veil of the step that is shown"),
            lesson("take_view", "Let the step show this view", "", self.take_view,
                "Replace what the step shows by these charts, this time, selection and zoom"),
            lesson("step_earlier", "Move the step &up", "", lambda: self._move(-1),
                "Put the step that is shown before the one before it"),
            lesson("step_later", "Move the step &down", "", lambda: self._move(1),
                "Put the step that is shown behind the one after it"),
            lesson("delete_step", "Delete the s&tep", "", self.delete,
                "Take the step that is shown out of the lesson"),
            lesson("undo_lesson", "Ta&ke back the last change", "", self.undo,
                "Have the lesson as it was before: a step, its texts, or its place"),
            lesson("rename_lesson", "&Rename the lesson…", "", self.ask_for_name,
                "Change what the lesson is called, and what one learns"),
            lesson("save_lesson", SAVE, "", self.save, "Write the lesson to its file"),
            lesson("save_lesson_as", "Save the lesson as…", "", self.save_as,
                "Write the lesson to another file"),
        )
        # fmt: on

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self._save_action = actions["save_lesson"]
        self._steps.step_changed.connect(self._name_saving)

    def _name_saving(self) -> None:
        assert self._save_action is not None
        walk = self._steps.walk
        self._save_action.setText(MAKE_COPY if walk is not None and walk.is_original else SAVE)

    # ---- what the window shows

    def view(self, lesson: Lesson) -> tuple[Lesson, StepView]:
        """Return what the window shows as the view of a step, and the lesson with the workload of it."""
        document, state, axis = self._document, self._view_state, self._axis
        lesson, view = view_of(_with_workload(lesson, document.workload), document.state)
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

    def ask_for_step(self) -> None:
        """Let the user write title and text of a step that shows the window; begin a lesson without one."""
        if self._steps.walk is None:
            self.ask_for_new()
            return
        dialog = StepDialog(None, self._jobs(), self._titles(), self._window)
        dialog.written.connect(self._add)
        dialog.open()

    def _add(self, step: LessonStep) -> None:
        walk = self._walk()
        if walk is None:
            return
        walk.keep(None)
        lesson, view = self.view(walk.lesson)
        self._put(walk, replace(step, view=view), lesson, walk.insert_step)

    def ask_and_edit(self) -> None:
        """Let the user edit the texts of the step that is shown."""
        walk = self._walk()
        if walk is not None:
            dialog = StepDialog(walk.step, self._jobs(), self._titles(), self._window)
            dialog.written.connect(lambda step: self._put(walk, step, walk.lesson, walk.replace_step))
            dialog.open()

    def take_view(self) -> None:
        """Let the step that is shown show what the window shows."""
        walk = self._walk()
        if walk is not None:
            lesson, view = self.view(walk.lesson)
            view = replace(view, marks=walk.step.view.marks)
            self._put(walk, replace(walk.step, view=view), lesson, walk.replace_step)

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

    def _move(self, by: int) -> None:
        walk = self._walk()
        if walk is not None and walk.move_step(by):
            self.done.emit(f"It is step {walk.number + 1} now")

    def delete(self) -> None:
        """Delete the step that is shown."""
        walk = self._walk()
        if walk is None:
            return
        title = walk.step.title
        if walk.delete_step():
            self._steps.restore()
            self.done.emit(f"“{title}” is deleted; Lessons > Take back the last change has it again")
        else:
            self.failed.emit(InputError("the lesson has this one step; a lesson without any cannot be shown"))

    def undo(self) -> None:
        """Take the last change of the lesson back, and show the step that it was in."""
        walk = self._walk()
        if walk is not None and walk.undo():
            self._steps.restore()
        elif walk is not None:
            self.failed.emit(InputError("nothing of the lesson was changed yet"))

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
        if walk is None:
            return False
        return self.save_as() if walk.is_original or not walk.source else self._write(walk, Path(walk.source))

    def save_as(self) -> bool:
        """Let the user choose a name and write the lesson; return whether it was saved."""
        walk = self._walk()
        if walk is None:
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
            write_lesson(_for_folder(walk.lesson, path.parent), path)
        except InputError as error:
            self.failed.emit(error)
            return False
        walk.saved(str(path))
        self._settings.add_recent_file(path)
        self.done.emit(f"The lesson is saved to {path}")
        return True

    def may_leave(self) -> bool:
        """Ask what to do with a lesson that was changed; False means stay."""
        walk = self._steps.walk
        if walk is None or not walk.is_modified:
            return True
        question = f"Save the lesson “{walk.lesson.name}”?"
        return ask_to_save(self._window, question, self.save, of_original=walk.is_original)


def _with_workload(lesson: Lesson, workload: Workload) -> Lesson:
    """Return a lesson with a workload, by the name of the sample if it is one."""
    if any(known.workload == workload for known in lesson.workloads):
        return lesson
    for sample in samples():
        if sample.jobs == len(workload.jobs) and sample.state.workload == workload:
            known = LessonWorkload(sample.name, workload, sample=sample.name)
            return replace(lesson, workloads=(*lesson.workloads, known))
    return lesson


def _for_folder(lesson: Lesson, folder: Path) -> Lesson:
    """Return a lesson for a file in a folder: workloads whose files are not there go inside."""
    return replace(lesson, workloads=tuple(_known_in(known, folder) for known in lesson.workloads))


def _known_in(known: LessonWorkload, folder: Path) -> LessonWorkload:
    is_there = not known.file or (folder / known.file).is_file()
    return known if is_there else replace(known, file="")
