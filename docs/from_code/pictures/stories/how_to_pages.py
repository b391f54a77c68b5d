"""Pictures of the pages that answer a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPushButton

from core.model.job import Job
from core.model.stages import Stage as JobStage
from docs.from_code.pictures.history_server import history_server
from docs.from_code.pictures.story import Step, Story
from explorer.dialogs.server_dialog import ServerDialog
from explorer.gantt.layers.arrival_mark import tag_box

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from docs.from_code.pictures.stage import Stage

SEARCH_SECONDS = 6.0
STUDY_SECONDS = 300.0
"""Both give way to all else that runs on the machine."""


FORECAST_AT = 30.0
"""Seconds: where the time cursor stands in the picture of the forecast."""
DRAGGED_BY = 6.0
"""Seconds that a job that is submitted is dragged later."""


def dialog(stage: Stage) -> QWidget:
    """Return the dialog that is open."""
    return stage.dialog()


def _executors(stage: Stage) -> None:
    stage.choose("executors")
    use = stage.find(QPushButton, stage.dialog(), text="Use")
    stage.wait_until(use.isEnabled, "the times on few executors to many")
    stage.let_think()


def _sensitivity(stage: Stage) -> None:
    stage.activate(1)
    stage.choose("sensitivity")
    stage.let_think()


def _forecast(stage: Stage) -> None:
    stage.window.view_state.time_cursor.show_at(FORECAST_AT)
    stage.choose("forecast")
    area = stage.window.questions.forecast
    stage.wait_until(lambda: area.panel is not None and area.panel.found is not None, "the forecast")


def _submitted(stage: Stage) -> None:
    """Drop a job in, look at every place in the order, and drag it later; it is not let go yet."""
    panel, view = stage.window.questions.forecast.panel, stage.view(0)
    assert panel is not None
    panel.submit([Job("report", JobStage.of(60, 8.0))])
    stage.wait_until(lambda: bool(panel.place.places.rows) and not panel.is_busy, "every place in the order")
    box = tag_box(view.frame())
    assert box is not None
    start, later = box.center().toPoint(), stage.time_x(FORECAST_AT + DRAGGED_BY) - stage.time_x(FORECAST_AT)
    stage.drag(view, start, [QPoint(start.x() + later, start.y())], drop=False)
    stage.wait_until(lambda: panel.before is not None and not panel.is_busy, "what becomes of it")


def _server(stage: Stage) -> None:
    stage.choose("server")
    server = stage.dialog()
    assert isinstance(server, ServerDialog)
    with history_server() as address:
        server.address.setEditText(address)
        stage.click(server.list_button)
        stage.wait_until(lambda: server.model.rows, "the applications of the server")
    stage.let_think()


def search(stage: Stage) -> None:
    """Search for the best schedule of the active scenario, and for what each lever is worth."""
    stage.choose("optimize")
    panel = stage.window.optimize.panel
    panel.more.seconds.setValue(SEARCH_SECONDS)
    stage.click(panel.start_button)
    stage.wait_until(lambda: not panel.run.is_running, "the search to end")
    stage.click(panel.table.search_button)
    stage.wait_until(lambda: not panel.table.is_busy, "what each lever is worth")


def study(stage: Stage) -> None:
    """Vary the slots of the active scenario and run the study."""
    stage.window.study.vary("cluster.map_slots")
    stage.wait_until(lambda: stage.window.study.window is not None, "the window of studies")
    window = stage.window.study.window
    assert window is not None
    window.settings.vary("policy.id")
    stage.wait_until(lambda: window.run_button.isEnabled(), "the study to be ready")
    stage.click(window.run_button)
    stage.wait_until(lambda: window.run.is_running, "the study to begin")
    stage.wait_until(lambda: not window.run.is_busy, "the study to end", STUDY_SECONDS)
    stage.wait_until(lambda: not window.pictures.is_busy, "the picture of all its rows", STUDY_SECONDS)
    stage.let_think()


def study_window(stage: Stage) -> QWidget:
    """Return the window of studies."""
    window = stage.window.study.window
    assert window is not None
    return window


def _guess(stage: Stage) -> None:
    stage.click(stage.header(1).policy_button)


def library(stage: Stage) -> None:
    """Keep the jobs of the open document in the library, and look at it."""
    stage.choose("library")
    stage.window.library.import_workload()
    stage.wait_until(lambda: stage.window.library.model.rowCount() > 0, "the jobs in the library")


def _generate(stage: Stage) -> None:
    stage.choose("generate")


def _trace(stage: Stage) -> None:
    stage.choose("trace")
    watches = stage.window.lab.trace.trace_panel.watch_list
    stage.write(watches.field, "job.running[MAP]")
    stage.click(watches.add_button)
    stage.close_dialogs()  # the list of what could be typed
    stage.let_think()


HOW_TO = (
    Story(
        "how-to/how-many-slots-are-enough.md", "facebook", (Step("sensitivity", _sensitivity),), (1200, 680)
    ),
    Story(
        "how-to/how-many-executors.md", "spark-application", (Step("executors", _executors, shows=dialog),)
    ),
    Story("how-to/open-what-a-server-has.md", "five-jobs", (Step("server", _server, shows=dialog),)),
    Story("how-to/end-a-batch-earlier.md", "facebook", (Step("search", search),), (1200, 720)),
    Story("how-to/ask-thousands-at-once.md", "five-jobs", (Step("study", study, shows=study_window),)),
    Story(
        "how-to/tonight.md",
        "five-jobs",
        (Step("forecast", _forecast), Step("submitted", _submitted)),
        (1200, 720),
    ),
    Story("how-to/plan-on-guesses.md", "five-jobs", (Step("guesses", _guess, shows=dialog),)),
    Story(
        "how-to/keep-jobs-of-many-logs.md",
        "facebook",
        (Step("library", library, shows=lambda stage: stage.window.library),),
    ),
    Story("how-to/make-up-jobs.md", "five-jobs", (Step("generate", _generate, shows=dialog),)),
    Story("how-to/debug-a-policy.md", "five-jobs", (Step("trace", _trace),), (1200, 720)),
)
