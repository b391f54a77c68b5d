"""A poll while presenting: asked, counted, shown before the veil lifts, marked after it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.lessons.poll import bar_of, histogram, main_bars, poll_form, right_votes
from core.model.errors import InputError
from explorer.lessons.local_addresses import local_addresses
from explorer.lessons.poll_picture import BarsPicture, CodePicture
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.lessons.poll import PollForm
    from core.lessons.questions.question import LessonQuestion
    from explorer.lessons.local_addresses import LocalAddress
    from explorer.lessons.poll_server import PollServer
    from explorer.lessons.step_reader import ReadStep
    from explorer.widgets.theme import Theme
    from explorer.widgets.worker import Call
    from explorer.window.lessons.presented_lesson import PresentedLesson

COUNT_MS = 300
"""So often the answers that are in are counted anew."""
MAX_OFFERED = 9
NO_QUESTION = "There is no question here to ask the class."
NO_NETWORK = (
    "This computer is in no network in which phones could reach it. "
    "Connect it to the one that the phones are in, then press P again."
)


class ClassPoll(QObject):
    """One poll at a time: of the question that is shown, as long as it is shown.

    Attributes
    ----------
    server : what phones are connected to; None unless answers are taken
    offered : the addresses to choose from; empty unless one is to be chosen
    votes : of the poll that has ended

    Signals
    -------
    changed : it is shown otherwise
    noticed : a sentence for whoever presents
    """

    changed = Signal()
    noticed = Signal(str)

    def __init__(
        self,
        lesson: PresentedLesson,
        theme: Callable[[], Theme],
        addresses: Callable[[], tuple[LocalAddress, ...]] = local_addresses,
    ) -> None:
        super().__init__(lesson)
        self._lesson, self._theme, self.addresses = lesson, theme, addresses
        self.server: PollServer | None = None
        self.offered: tuple[LocalAddress, ...] = ()
        self.votes: tuple[float, ...] | None = None
        self._form: PollForm | None = None
        self._read: ReadStep | None = None
        self._right: frozenset[float] | None = None
        self._count = 0
        self._code: CodePicture | None = None
        self._worker = Worker(self, ended=self._take_right)
        self._timer = QTimer(self, interval=COUNT_MS)
        self._timer.timeout.connect(self._recount)
        lesson.changed.connect(self._follow)

    # ---- what whoever presents does

    def go_on(self) -> None:
        """Ask the class, or end the poll and show what it answered; after that, ask again."""
        if self.server is not None:
            self.end()
        else:
            self.close()
            self._ask()

    def _ask(self) -> None:
        read = self._lesson.read
        if read is None or read.question is None:
            self.noticed.emit(NO_QUESTION)
            return
        try:
            self._form = poll_form(read.question, read.options)
        except InputError as error:
            sentence = str(error)
            self.noticed.emit(f"{sentence[0].upper()}{sentence[1:]}.")
            return
        self._read, found = read, self.addresses()[:MAX_OFFERED]
        if not found:
            self.noticed.emit(NO_NETWORK)
        elif len(found) == 1:
            self._serve(found[0])
        else:
            self.offered = found
            names = (f"{i}  {each.address} {each.interface}".rstrip() for i, each in enumerate(found, 1))
            self.noticed.emit("In which network are the phones?   " + "   ·   ".join(names))

    def choose(self, number: int) -> None:
        """Take one of the addresses that are offered, by its number from 1; others are none of them."""
        if 1 <= number <= len(self.offered):
            chosen = self.offered[number - 1]
            self.offered = ()
            self._serve(chosen)

    def _serve(self, chosen: LocalAddress) -> None:
        from explorer.lessons.poll_server import PollServer  # only who polls loads it

        assert self._form is not None
        try:
            self.server = PollServer(self._form, chosen.address)
        except InputError as error:
            self.noticed.emit(f"{error}.")
            return
        self._count, self._code = 0, None
        self._timer.start()
        self.changed.emit()

    def end(self) -> None:
        """Take no more answers, and show those that are in."""
        if self.server is not None:
            self._stop()
            self.changed.emit()

    def _stop(self) -> None:
        server, self.server = self.server, None
        self._timer.stop()
        if server is not None:
            server.stop()
            self.votes = tuple(server.votes.values())

    def close(self) -> None:
        """End the poll and forget its answers."""
        self._stop()
        self._worker.cancel()
        was_shown = self.votes is not None
        self.offered, self.votes, self._right, self._read = (), None, None, None
        if was_shown:
            self.changed.emit()

    # ---- what is shown

    def picture(self) -> CodePicture | BarsPicture | None:
        """Return the code while answers are taken, then the histogram; None without a poll."""
        theme = self._theme()
        if self.server is not None:
            kept = self._code
            if kept is None or kept.answers != self._count or kept.theme is not theme:
                self._code = CodePicture(self.server.url, self._count, theme)
            return self._code
        if self.votes is None or self._form is None:
            return None
        bars, votes = histogram(self._form, self.votes), self.votes
        if self._right is None:
            return BarsPicture(main_bars(bars), theme)
        marked = {bar_of(bars, vote) for vote in self._right | self._right_numbers()}
        shown = main_bars(bars, marked)
        right = frozenset(i for i, bar in enumerate(shown) if any(bar is bars[j] for j in marked if j >= 0))
        return BarsPicture(shown, theme, right, sum(vote in self._right for vote in votes))

    def _right_numbers(self) -> frozenset[float]:
        """Return the right number, where a number is asked for."""
        solution = self._lesson.solution()
        is_number = self._form is not None and self._form.takes_number
        return frozenset((float(solution.answer),)) if is_number and solution is not None else frozenset()

    # ---- following

    def _recount(self) -> None:
        count = 0 if self.server is None else len(self.server.votes)
        if count != self._count:
            self._count = count
            self.changed.emit()

    def _follow(self) -> None:
        """End with the question; once it is solved, have the right answers found."""
        if self._read is None:
            return
        if self._lesson.read is not self._read:
            self.close()
        elif self._lesson.is_solved:
            self.offered = ()
            self._stop()
            if self._right is None and self.votes is not None and not self._worker.is_busy:
                question = self._read.simulated.shown.step.question
                assert question is not None
                assert self._form is not None
                find = partial(_right_votes, self._form, self.votes, question, self._read)
                self._worker.start(find, self._read)

    def _take_right(self, call: Call) -> None:
        if call.about is self._read and call.answer is not None:
            self._right = call.answer
            self.changed.emit()


def _right_votes(
    form: PollForm, votes: tuple[float, ...], question: LessonQuestion, read: ReadStep
) -> frozenset[float]:
    """Find which votes are right, in a thread."""
    return right_votes(form, votes, question, read.simulated)
