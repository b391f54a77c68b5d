"""The question of a step: its text, the controls for an answer, and the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.lessons.questions.question import ListAnswer
from explorer.lessons.answer_controls import CHECK, CHECKS, CONTROLS, HOW, AnswerList, AnswerNumber
from explorer.lessons.lesson_text import LessonText, literal
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from core.lessons.questions.question import LessonQuestion, Option, Verdict
    from explorer.lessons.answer_controls import AnswerControl

MAX_TEXT, MAX_REASON = 160, 320
"""Pixels of a question, and of a reason, before they scroll."""
EDGE_PX = 3
"""The width of the line at its left."""
RIGHT, WRONG = "✔ Right.", "✘ Not right:"
ONCE_MORE = "Try once more: the next answer shows what happens."


class QuestionBox(QWidget):
    """Shows one question, takes an answer, and shows the verdict.

    Signals
    -------
    answered : an answer is to be checked: its value (None for the order in the chart), and its text
    shown_wanted, again_wanted : the buttons below
    """

    answered = Signal(object, str)
    shown_wanted = Signal()
    again_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._question: LessonQuestion | None = None
        self.text, self.how = LessonText("Question"), PlainLabel(wraps=True, is_faint=True)
        self.list = named(AnswerList(), "Answers")
        self.number = AnswerNumber()
        self._controls = (self.list, self.number)
        self._control: AnswerControl | None = None
        self.check_button = push_button(
            "&Check my answer", "Compare it with what the simulator does", self._check
        )
        self.hint_button = push_button("&Hint", "Say what helps", self._show_hint)
        self.miss, self.hint, self.verdict = (PlainLabel(wraps=True) for _ in range(3))
        self.reason = LessonText("Why")
        self.show_button = push_button("&Show me", "Go to the time and the task that decide it")
        self.again_button = push_button("&Try again", "Veil it again and answer anew")
        self.show_button.clicked.connect(self.shown_wanted)
        self.again_button.clicked.connect(self.again_wanted)
        self.text.follow_height(MAX_TEXT)
        self.reason.follow_height(MAX_REASON)
        self._foot, self._checks = QWidget(), QWidget()
        row(self.check_button, self.hint_button, None, parent=self._checks, margins=NO_MARGINS)
        row(self.show_button, self.again_button, None, parent=self._foot, margins=NO_MARGINS)
        column(
            self.text,
            self.how,
            *self._controls,
            self._checks,
            self.hint,
            self.miss,  # below: a wrong answer moves none of what is chosen from
            self.verdict,
            self.reason,
            self._foot,
            parent=self,
            margins=(8 + EDGE_PX, 2, 0, 2),
            spacing=5,
        )
        for control in self._controls:
            control.taken.connect(self._check)
            control.changed.connect(self._enable)

    def show_question(
        self, question: LessonQuestion, options: Sequence[Option], colours: Sequence[int] = ()
    ) -> None:
        """Show another question.

        `options` are its answers where one of them is chosen, `colours` (0xRRGGBB) those of the jobs.
        """
        self._question, form = question, question.answer_form
        wanted = CONTROLS.get(type(form), ())
        self._control = next((each for each in self._controls if isinstance(each, wanted)), None)
        if self._control is not None:
            self._control.begin(form, options, colours)
        self.text.show_text(question.text)
        self.check_button.setText(CHECKS.get(form, CHECK))
        self.hint_button.setVisible(bool(question.hint))
        self.clear_verdict()

    def takes_click(self, thing: str) -> bool:
        """Whether a click on a job, or on a slot, chooses an answer."""
        form = None if self._question is None else self._question.answer_form
        return isinstance(form, ListAnswer) and form.clicked == thing

    def pick(self, value: object) -> None:
        """Mark an answer that was picked in a chart, as long as none was checked."""
        if self.verdict.isHidden():
            self.list.mark(value)

    def show_miss(self, answer: str) -> None:
        """Show that a first answer is not right and what helps, and take another one."""
        hint = "" if self._question is None else self._question.hint
        self._ink(self.miss, is_right=False)
        self.miss.setText(" ".join(filter(None, (f"{WRONG} {answer}.", hint, ONCE_MORE))))
        self.hint.hide()
        self.miss.show()
        self._enable()
        if self.isAncestorOf(self.window().focusWidget()):
            (self._control or self.check_button).setFocus()  # the button that was pressed was off meanwhile

    def _ink(self, label: PlainLabel, *, is_right: bool) -> None:
        palette = label.palette()
        ink = theme_of(self).better if is_right else theme_of(self).worse
        palette.setColor(label.foregroundRole(), ink)
        label.setPalette(palette)

    def show_verdict(self, verdict: Verdict, answer: str) -> None:
        """Show whether an answer is right, what the simulator does, and why."""
        is_right = verdict.is_right
        self._ink(self.verdict, is_right=is_right)
        verdict_text = RIGHT if is_right else f"{WRONG} {answer}."
        is_computed = self._question is not None and self._question.is_computed
        truth = verdict.truth if is_computed or not is_right else ""  # of a choice it would be said again
        sentence = " ".join(filter(None, (verdict_text, verdict.near, truth)))
        self.verdict.setText(sentence)
        reasons = "".join(f"- {literal(reason)}\n" for reason in verdict.reasons)
        self.reason.show_text("\n\n".join(filter(None, (reasons, verdict.after))))
        self.reason.setVisible(bool(reasons or verdict.after))
        self._show_controls(is_judged=True)

    def clear_verdict(self) -> None:
        """Reset the question."""
        how = "" if self._question is None else HOW.get(self._question.answer_form, "")
        self.how.setText(how)
        self.miss.setText("")
        self.reason.hide()
        self._show_controls(is_judged=False)
        self.how.setVisible(bool(how))

    def _show_controls(self, *, is_judged: bool) -> None:
        """Show the controls for an answer, or in their room the verdict."""
        for part in (self.verdict, self._foot):
            part.setVisible(is_judged)
        for part in (self.how, self.hint, self.miss):
            part.hide()
        for control in self._controls:
            control.setVisible(control is self._control and not is_judged)
        self._checks.setHidden(is_judged)
        self._enable()

    def set_busy(self, is_busy: bool) -> None:
        """Take no answer while one is being checked."""
        self.check_button.setEnabled(not is_busy and self._answer is not None)

    @property
    def _answer(self) -> tuple[object, str] | None:
        """The value and the text of the answer, None as long as there is none."""
        if not self.verdict.isHidden():
            return None
        return (None, "") if self._control is None else self._control.answer

    def _enable(self) -> None:
        self.check_button.setEnabled(self._answer is not None)

    def _check(self) -> None:
        self.number.interpretText()
        if (answer := self._answer) is not None:
            self.answered.emit(*answer)

    def _show_hint(self) -> None:
        self.hint.setText("" if self._question is None else self._question.hint)
        self.hint.setVisible(self.miss.isHidden())  # which has it, too

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(0, 0, EDGE_PX, self.height(), theme_of(self).link)
