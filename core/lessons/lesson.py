"""A lesson as values: steps, what each shows, what it hides, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from core.model.errors import UnknownName
from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload

QUESTION_KINDS = (
    "next-job",
    "order",
    "by-hand",
    "makespan",
    "idle-first",
    "time",
    "ends-first",
    "choice",
)
"""What a question may ask; the simulator knows the answer of each but the last."""
EVENTS = (
    "arrives",
    "first map starts",
    "last map ends",
    "first reduce starts",
    "first shuffle ends",
    "last reduce ends",
    "ends",
)
"""What a question of time may ask of a job, and a text may tell."""
GOALS = ("best", "johnson")
"""Orders that a student may be asked to equal, besides a number of seconds."""
ROWS = ("slot", "pool")
TASK_KINDS = {"map": MAP, "reduce": REDUCE}
MAX_STEPS = 100
MAX_GUESTS = 4


@dataclass(frozen=True)
class LessonWorkload:
    """A workload that steps show.

    Attributes
    ----------
    name : what steps call it
    workload : the workload
    sample, file : where it comes from: a sample, or a file seen from the lesson's folder; both empty for one
        that is in the lesson's own file
    """

    name: str
    workload: Workload
    sample: str = ""
    file: str = ""


class ChartPlace(NamedTuple):
    """Which chart of a step: the scenario or, if `is_guest`, the guest with this number from 0."""

    number: int
    is_guest: bool = False

    def __str__(self) -> str:
        return f"{'guest' if self.is_guest else 'scenario'} {self.number}"


FIRST_CHART = ChartPlace(0)


class NamedTask(NamedTuple):
    """A task as people name it: of which job, MAP or REDUCE, and its number there from 1."""

    job: str
    kind: int
    number: int


@dataclass(frozen=True)
class LessonMark:
    """A text that points at something in a chart.

    Attributes
    ----------
    text : what it says, a few words
    chart : where
    task : the task that it points at, or None
    job : the job that it points at, or empty
    slot : the slot by its name, "M4"; empty for none
    time : seconds, or None; with a slot a place on it, alone a line through the chart
    is_gap : whether it points at the whole time for which the slot stands idle around `time`
    """

    text: str
    chart: ChartPlace = FIRST_CHART
    task: NamedTask | None = None
    job: str = ""
    slot: str = ""
    time: float | None = None
    is_gap: bool = False


@dataclass(frozen=True)
class Guest:
    """A chart beside the document's, on the same time axis, to be looked at only.

    Attributes
    ----------
    workload : what its jobs are, by its name in the lesson
    scenario : how they are scheduled, with a cluster of its own and a title
    """

    workload: str
    scenario: Scenario


@dataclass(frozen=True)
class StepView:
    """What the window shows in a step.

    Attributes
    ----------
    workload : by its name in the lesson
    scenarios : 1 to 6 of them, with ids from 1
    cluster : what the workload runs on; None for its own
    guests : charts of other workloads, or of the same one on other clusters
    active : number of the scenario that is active, from 0
    cursor : seconds, and how many of the decisions at that time are over; None for no time cursor
    selected_job : by its name; empty for none
    zoom : from when to when charts show, in seconds; None for all
    rows : "slot" or "pool"
    docks : panels that are shown, by the names of the window
    scans : seconds at which the circles of shared scans stand beside the text; None where there are none
    marks : what the charts point at
    """

    workload: str
    scenarios: tuple[Scenario, ...]
    cluster: Cluster | None = None
    guests: tuple[Guest, ...] = ()
    active: int = 0
    cursor: tuple[float, int] | None = None
    selected_job: str = ""
    zoom: tuple[float, float] | None = None
    rows: str = "slot"
    docks: tuple[str, ...] = ()
    scans: float | None = None
    marks: tuple[LessonMark, ...] = ()

    @property
    def charts(self) -> tuple[ChartPlace, ...]:
        """Every chart, the scenarios first."""
        own = (ChartPlace(i) for i in range(len(self.scenarios)))
        return (*own, *(ChartPlace(i, is_guest=True) for i in range(len(self.guests))))


@dataclass(frozen=True)
class StepVeil:
    """What is hidden until the question is answered, or the veil lifted: all that happens after a time.

    Attributes
    ----------
    begin : seconds; None for the time cursor
    charts : which charts; None for all
    """

    begin: float | None = None
    charts: tuple[ChartPlace, ...] | None = None

    def hides(self, chart: ChartPlace) -> bool:
        """Whether a chart is veiled."""
        return self.charts is None or chart in self.charts


@dataclass(frozen=True)
class LessonQuestion:
    """What a step asks; the simulator knows the answer, but for a choice.

    Attributes
    ----------
    kind : one of `QUESTION_KINDS`
    text, hint : what is asked, and what helps; Markdown
    after : what is told once it is answered, beside the verdict; Markdown
    chart : what it is about
    job, event : of a time: whose, and one of `EVENTS`. Of ends-first: whose end is compared, empty for all
    within, within_percent : how far a number may be from the right one: seconds, or percent of it
    goal : of an order or a schedule by hand: "best", "johnson" or seconds that it may take at most
    slots : of idle-first: "map" or "reduce" slots alone, empty for all
    choices, right, why : of a choice: the answers, the number of the right one from 0, and why it is right
    """

    kind: str
    text: str
    hint: str = ""
    after: str = ""
    chart: ChartPlace = FIRST_CHART
    job: str = ""
    event: str = ""
    within: float = 0.0
    within_percent: float = 0.0
    goal: str | float = "best"
    slots: str = ""
    choices: tuple[str, ...] = ()
    right: int = 0
    why: str = ""


@dataclass(frozen=True)
class LessonStep:
    """One step: its title and text (Markdown), what it shows, what it hides and what it asks."""

    title: str
    text: str
    view: StepView
    veil: StepVeil | None = None
    question: LessonQuestion | None = None

    @property
    def veiled_from(self) -> float | None:
        """From when on charts are veiled, in seconds; None where nothing is."""
        if self.veil is None:
            return None
        if self.veil.begin is not None:
            return self.veil.begin
        return self.view.cursor[0] if self.view.cursor else 0.0


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    name, summary : what it is called, and what one learns, in a sentence
    workloads : what the steps show
    steps : 1 to `MAX_STEPS`, in their order
    minutes : how long it takes; 0 if it is not said
    """

    name: str
    workloads: tuple[LessonWorkload, ...]
    steps: tuple[LessonStep, ...]
    summary: str = ""
    minutes: int = 0

    def workload(self, name: str) -> Workload:
        """Return the workload of a name; UnknownName if it has none."""
        for known in self.workloads:
            if known.name == name:
                return known.workload
        raise UnknownName("workload of the lesson", name, (known.name for known in self.workloads))

    @property
    def question_count(self) -> int:
        """How many steps ask something."""
        return sum(step.question is not None for step in self.steps)


def packed(lesson: Lesson) -> Lesson:
    """Return the lesson with every workload in its own file: one file to give to students."""
    inside = tuple(replace(known, sample="", file="") for known in lesson.workloads)
    return replace(lesson, workloads=inside)
