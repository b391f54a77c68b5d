"""The panel of a forecast: what is known of times that are to come, and when the jobs then end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QCheckBox, QWidget

from core.forecast.advice import DEFAULT_DRAWS, advise
from core.forecast.forecast import (
    DEFAULT_ERROR,
    DEFAULT_RUNS,
    MAX_RUNS,
    MIN_RUNS,
    default_error,
    forecast,
)
from core.forecast.queue_places import NoOrderError
from core.forecast.record import night_of
from core.forecast.submitted import Submission, submit
from core.forecast.tried_places import try_places
from core.model.errors import Cancelled
from core.model.time_text import clock_text
from core.trace_database.recorded_profile import earlier_runs, with_coming
from explorer.forecast.ends_picture import EndsPicture
from explorer.forecast.relief_list import ReliefList
from explorer.forecast.submitted_place import SubmittedPlace
from explorer.widgets.export import ExportButton
from explorer.widgets.halves import Halves
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row, scrolled
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.progress import ProgressLine
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.forecast.forecast import Forecast
    from core.forecast.relief import TriedRelief
    from core.forecast.tried_places import TriedPlace
    from core.model.job import Job
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload
    from explorer.widgets.theme import Theme

LIVE_DRAWS = 40
"""So many at most while something is dragged: the first ones of all."""
HELP = (
    "What lies left of the time cursor is known; the rest is drawn, and the simulator goes on from there. "
    "Put the cursor anywhere: click the time axis."
)
ESTIMATES = "&Estimates, wrong by"
SUBMIT, WITHOUT, ADD = "With a &job…", "&Without them", "A&dd to the jobs"
SUBMIT_TIP = (
    "Draw a job by hand, choose a file, or take jobs of the trace library, which can be dropped here, too: "
    "when do they end if they come now, and whom do they delay?"
)
WITHOUT_TIP = "Show the forecast without the jobs that are submitted"
ADD_TIP = "Let them come at the time of the cursor in every scenario; undo takes them away again"
ADVISE = "What can &help?"
ADVISE_TIP = (
    "Try what can be done now: a job at the front, another policy, more slots for an hour. What saves most "
    "for each minute of disturbance comes first"
)
ESTIMATES_TIP = (
    "On: of a task that has not ended the duration in the workload is known as an estimate. "
    "Off: nothing is known of it but what tasks that have ended show, as it is at first for jobs of a log"
)


class ForecastPanel(QWidget):
    """Draws when the jobs of a schedule end from a time on, in a thread; the newest question wins.

    Attributes
    ----------
    picture : the bands
    found : what is shown, None before anything is
    submission : of that, what the jobs that are submitted do; None for none
    place : what is submitted, with the next forecast, when it comes and at which place in the order
    before : the same draws before that was moved, None for none
    by : the time by which all is to end, if there is one

    Signals
    -------
    changed : the user wants it drawn in another way
    jobs_wanted : the user wants to say which jobs to submit
    added : the user wants the jobs that are submitted among the others
    chosen : a job's name
    shown : another forecast is shown, or none
    relief_wanted : something that can be done is to be done
    relief_pointed : something that can be done is looked at, or nothing any more
    reported, refused : what an export did, or could not do
    """

    changed = Signal()
    jobs_wanted = Signal()
    added = Signal()
    chosen = Signal(str)
    shown = Signal()
    relief_wanted = Signal(object)
    relief_pointed = Signal(object)
    reported = Signal(str)
    refused = Signal(str)

    def __init__(self, colours: Theme, steps: QUndoStack | None = None) -> None:
        """Take the stack for the steps of what is submitted; by default one of its own."""
        super().__init__()
        self.found: Forecast | None = None
        self.submission: Submission | None = None
        self._heading, self._is_record = "", False
        self._takes_estimates: bool | None = None  # as the user has said
        self.setAcceptDrops(True)  # jobs of the trace library
        self.by: float | None = None
        self._worker = Worker(self, threads=1, finished=self._on_finished, failed=self._on_failed)
        self.picture = EndsPicture()
        self.picture.chosen.connect(self.chosen)
        self.estimates_box = QCheckBox(ESTIMATES)
        self.estimates_box.setToolTip(tooltip(ESTIMATES_TIP))
        self.error_field = named(
            NumberField(0.0, 300.0, "%"), "How wrong estimates are", "Standard deviation of the factor"
        )
        self.error_field.setValue(100 * DEFAULT_ERROR)
        self.runs_field = named(
            CountField(MIN_RUNS, MAX_RUNS, "draws"), "Draws", "How many times the rest is drawn"
        )
        self.runs_field.setValue(DEFAULT_RUNS)
        self.progress = ProgressLine("Drawn", self._worker)
        self.note = PlainLabel(HELP, wraps=True)
        self.jobs_button = push_button(SUBMIT, SUBMIT_TIP, self._on_jobs_pressed)
        self.add_button = push_button(ADD, ADD_TIP, self.added.emit)
        self.add_button.hide()
        self.place = SubmittedPlace(QUndoStack(self) if steps is None else steps)
        self.place.hide()
        self.place.changed.connect(self._on_place)
        self.before: Forecast | None = None
        self._is_live = False
        self._at_rest: Forecast | None = None  # shown last, but for what is shown while something is dragged
        self._moved_from: Forecast | None = None
        self._drawn_for: tuple[object, ...] = ()
        self._places: Callable[..., PlacesFound] | None = None
        self.picture.moved.connect(self.place.come_by)
        self.picture.dropped.connect(lambda: self.place.release())
        self.picture.let_back.connect(lambda: self.place.release(back=True))
        self.advice_button = push_button(ADVISE, ADVISE_TIP, self._on_advice_pressed)
        self.advice_button.setEnabled(False)
        self.reliefs = ReliefList()
        self.reliefs.wanted.connect(self.relief_wanted)
        self.reliefs.pointed.connect(self.relief_pointed)
        self._subject: Callable[..., tuple[TriedRelief, ...]] | None = None
        self.export_button = ExportButton(self.reported, self.refused)
        self._lay_out()
        self.estimates_box.toggled.connect(self._on_estimates)
        self.error_field.valueChanged.connect(self.changed)
        self.runs_field.valueChanged.connect(self.changed)
        self.set_theme(colours)

    def _lay_out(self) -> None:
        controls = QWidget()
        column(
            row((self.estimates_box, 1), self.error_field, spacing=4),
            row((self.runs_field, 1), (self.jobs_button, 1), spacing=4),
            self.place,
            self.progress,
            self.note,
            self.add_button,
            row((self.advice_button, 1), self.export_button, spacing=4),
            None,
            parent=controls,
            margins=(6, 4, 6, 4),
            spacing=4,
        )
        answers = QWidget()
        column(self.reliefs, self.place.places, (self.picture, 1), parent=answers, margins=NO_MARGINS)
        halves = Halves(scrolled(controls), scrolled(answers), shares=(3, 4))
        column(halves, parent=self, margins=NO_MARGINS)

    @property
    def error(self) -> float | None:
        """How wrong the durations of the workload are as estimates; None if nothing is known of them."""
        return self.error_field.value() / 100 if self.estimates_box.isChecked() else None

    def compute(
        self, schedule: Schedule, time: float, heading: str, policy: PolicyChoice | None = None
    ) -> None:
        """Request the forecast from a time on; what is shown stays until it is known.

        Parameters
        ----------
        schedule : simulated, or what really ran by a log, with which `policy` then goes on
        """
        self._heading, self._is_record = heading, schedule.choice.is_record
        self._offer_estimates(default_error(schedule) is not None)
        submitted = self.place.value
        self._is_live = is_held = self.place.is_held
        runs = min(self.runs_field.value(), LIVE_DRAWS) if is_held else self.runs_field.value()
        asked = {"policy": policy, "error": self.error, "runs": runs}
        self._subject = partial(_reliefs, schedule, time, asked)
        drawn_for = schedule, time, submitted.jobs, policy, self.error
        if self._drawn_for != drawn_for:
            self._drawn_for, self._moved_from = drawn_for, None
        self._places = None
        if submitted.jobs:
            asked |= {"comes": time + submitted.later}
            if not is_held:
                self._places = partial(_tried_places, schedule, submitted.jobs, time, asked)
            asked = asked | {"place": submitted.place}
        self._worker.follow(partial(_forecast, schedule, submitted.jobs, time, asked))

    def show_reason(self, sentence: str) -> None:
        """Show why there is nothing to show."""
        self._worker.cancel()
        self._show(None)
        self.note.setText(sentence)

    def submit(self, jobs: Sequence[Job]) -> None:
        """Submit jobs at the time, from the next forecast on; none for ()."""
        self.place.submit(tuple(jobs))

    def _on_place(self) -> None:
        """Draw with what is submitted, as it is now; where it was stays to be seen."""
        jobs, self._moved_from = self.place.value.jobs, self._at_rest
        self.jobs_button.setText(WITHOUT if jobs else SUBMIT)
        self.jobs_button.setToolTip(tooltip(WITHOUT_TIP if jobs else SUBMIT_TIP))
        self.changed.emit()

    @property
    def is_behind(self) -> bool:
        """Whether what is dragged is drawn, and was dragged further perhaps: what is there soon is shown."""
        return self.place.is_held and self._is_live and self.is_busy

    @property
    def is_busy(self) -> bool:
        """Whether it is still drawn."""
        return self._worker.is_busy

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours."""
        self.picture.set_theme(colours)

    def _on_estimates(self, is_checked: bool) -> None:
        """Take durations as estimates or not from now on, whatever is forecast."""
        self._takes_estimates = is_checked
        self.error_field.setEnabled(is_checked)
        self.changed.emit()

    def _offer_estimates(self, are_usual: bool) -> None:
        """Offer estimates where there are any: a record has none of what has not ended.

        Parameters
        ----------
        are_usual : whether they are taken where the user has not said it
        """
        takes = are_usual if self._takes_estimates is None else self._takes_estimates
        with QSignalBlocker(self.estimates_box):
            self.estimates_box.setChecked(takes and not self._is_record)
        self.estimates_box.setEnabled(not self._is_record)
        self.error_field.setEnabled(self.estimates_box.isChecked())

    def _on_jobs_pressed(self) -> None:
        if self.place.value.jobs:
            self.submit(())
        else:
            self.jobs_wanted.emit()

    def _on_advice_pressed(self) -> None:
        """Try what can be done about what is shown."""
        if self._subject is not None:
            self._worker.follow(self._subject)

    def _on_finished(self, found: Forecast | Submission | PlacesFound | tuple[TriedRelief, ...]) -> None:
        if isinstance(found, tuple):
            self.reliefs.show_steps(found, can_be_done=not self._is_record)
        elif isinstance(found, PlacesFound):
            self.place.places.show_places(found.tried, self.place.value.place, found.why)
        else:
            submission = found if isinstance(found, Submission) else None
            drawn = found.forecast if isinstance(found, Submission) else found
            moved_from = None if submission is None else self._moved_from
            draws = len(drawn.finish)
            self.before = moved_from and replace(moved_from, finish=moved_from.finish[:draws])
            self._at_rest = self._at_rest if self.place.is_held else drawn
            self._show(drawn, submission)
            self.show_by(self.by)
            self._try_places()

    def _try_places(self) -> None:
        """Try every place in the order of what is submitted, if it rests."""
        self.place.places.mark(self.place.value.place)
        if self._places is not None:
            self._worker.follow(self._places)

    def show_by(self, by: float | None) -> None:
        """Say how likely all is over by a time, beside when it will be; None for no time."""
        self.by = by
        if self.found is None:
            return
        said = [self.found.sentence] if self.submission is None else list(self.submission.sentences)
        said += self._moved_sentences
        known = self.found if self.submission is None else self.submission
        said += filter(None, [known.known_sentence, self.found.history_sentence])
        self.note.setText(" ".join(said if by is None else [*said, self.found.chance_sentence(by)]))

    @property
    def _moved_sentences(self) -> list[str]:
        """When what is submitted ended before it was moved."""
        if self.submission is None or self.before is None:
            return []
        name, end = self.submission.jobs[self.submission.others].name, self.before.middle
        return [f"Before the move {name} ended at about {clock_text(end[self.submission.others])}."]

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            text = str(error)
            self.show_reason(f"{text[:1].upper()}{text[1:]}.")

    def _show(self, found: Forecast | None, submission: Submission | None = None) -> None:
        self.found, self.submission = found, submission
        self.add_button.setVisible(submission is not None)
        self.advice_button.setEnabled(found is not None and submission is None and bool(found.open_jobs))
        self.reliefs.show_steps(None)
        self.picture.show_forecast(found, self._heading, submission, self.before)
        self.export_button.set_chart(self.picture if self.picture.rows else None)
        self.shown.emit()


@dataclass(frozen=True)
class PlacesFound:
    """What every place in the order would do, or why there is no order."""

    tried: Sequence[TriedPlace] = ()
    why: str = ""


def _tried_places(
    schedule: Schedule,
    jobs: Sequence[Job],
    time: float,
    asked: dict[str, Any],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> PlacesFound:
    """Try every place in the order, in the thread."""
    asked = asked | {"history": _ran_before(schedule, jobs, asked["error"])}
    try:
        return PlacesFound(
            try_places(schedule, jobs, time, **asked, progress=progress, should_stop=should_stop)
        )
    except NoOrderError as error:
        return PlacesFound(why=f"{error}.")


def _ran_before(schedule: Schedule, jobs: Sequence[Job], error: float | None) -> Workload | None:
    """Return what the trace library knows of jobs, in the thread; nothing where durations are no guesses."""
    found = None if error == 0 else earlier_runs(with_coming(night_of(schedule), jobs))
    return None if found is None else found.jobs


def _forecast(
    schedule: Schedule,
    jobs: Sequence[Job],
    time: float,
    asked: dict[str, Any],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Forecast | Submission:
    """Draw a forecast, with jobs that are submitted if there are some, in the thread."""
    asked = asked | {"history": _ran_before(schedule, jobs, asked["error"])}
    if jobs:
        return submit(schedule, jobs, time, **asked, progress=progress, should_stop=should_stop)
    return forecast(schedule, time, **asked, progress=progress, should_stop=should_stop)


def _reliefs(
    schedule: Schedule,
    time: float,
    asked: dict[str, Any],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> tuple[TriedRelief, ...]:
    """Try what can be done, in the thread, on fewer draws than the forecast has."""
    history = _ran_before(schedule, (), asked["error"])
    asked = asked | {"runs": min(asked["runs"], DEFAULT_DRAWS), "history": history}
    return advise(schedule, time, **asked, progress=progress, should_stop=should_stop)
