"""The tutorial for administrators: a hundred jobs, what ends them, how many slots would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.from_code.pictures.story import Step, Story
from explorer.window.files.sample_gallery import SampleGallery

if TYPE_CHECKING:
    from docs.from_code.pictures.stage import Stage

FIFO, JOHNSON, FEWER, FAIR = range(4)
"""Places of the scenarios; the one with fewer slots is added beside Johnson's."""
BY = "8:00:00"
ERROR, DRAWS, SURE = 30, 10, 90


def _gallery(stage: Stage) -> None:
    stage.choose("samples")
    gallery = stage.dialog()
    assert isinstance(gallery, SampleGallery)
    stage.wait_until(lambda: not gallery.is_drawing, "the pictures of the samples")
    row = next(i for i, each in enumerate(gallery.model.rows) if each.name == "facebook")
    gallery.list.setCurrentIndex(gallery.model.index(row, 0))
    gallery.list.scrollTo(gallery.model.index(row, 0))


def _take_sample(stage: Stage) -> None:
    gallery = stage.dialog()
    assert isinstance(gallery, SampleGallery)
    stage.open_by(lambda: stage.click(gallery.open_button), "facebook")


def _makespans(stage: Stage) -> tuple[str, ...]:
    return tuple(stage.makespan(each) for each in (FIFO, JOHNSON, JOHNSON + 1))


def _why(stage: Stage) -> None:
    stage.activate(FIFO)
    stage.choose("why_makespan")
    paths, scenario = stage.window.why.critical_paths, stage.window.view_state.active_scenario
    stage.wait_until(lambda: paths.of(scenario) is not None, "the critical path")
    stage.settle()


def _ask(stage: Stage) -> None:
    """Ask in how few slots Johnson's order ends by ten hours, as it is."""
    stage.choose("why_makespan")  # away with it
    stage.activate(JOHNSON)
    stage.choose("fewest")
    stage.ask_fewest(BY)


def _answer(stage: Stage) -> tuple[str, ...]:
    answer = stage.window.questions.questions.answer
    assert answer is not None
    assert answer.cluster is not None
    return (f"{answer.cluster.map_slots} + {answer.cluster.reduce_slots} slots",)


def _add(stage: Stage) -> None:
    stage.click(stage.window.questions.questions.add_button)


def _doubt(stage: Stage) -> None:
    stage.activate(JOHNSON)
    stage.ask_fewest(BY, error=ERROR, draws=DRAWS, sure=SURE)


def _compare(stage: Stage) -> None:
    stage.window.details.hide()
    stage.choose("comparison")


CLUSTER = Story(
    "tutorials/how-many-slots.md",
    "five-jobs",
    (
        Step("cluster-1-samples", _gallery, shows=lambda stage: stage.dialog()),
        Step(
            "cluster-2-schedules",
            _take_sample,
            numbered=(
                lambda stage: stage.header(FIFO),
                lambda stage: stage.view(FIFO),
                lambda stage: stage.header(JOHNSON),
                lambda stage: stage.window.charts.stack.axes[0],
            ),
            figures=_makespans,
        ),
        Step("cluster-3-why", _why),
        Step(
            "cluster-4-fewest",
            _ask,
            numbered=(
                lambda stage: stage.window.questions.questions.until,
                lambda stage: stage.window.questions.questions.text,
                lambda stage: stage.window.questions.questions.add_button,
            ),
            figures=_answer,
        ),
        Step("cluster-5-fewer-slots", _add, figures=lambda stage: (stage.makespan(FEWER),)),
        Step("cluster-6-how-sure", _doubt, figures=_answer),
        Step("cluster-7-compare", _compare),
    ),
    size=(1240, 720),
)
