"""Policy files in the study window: nothing of them runs before the user agrees, no trial and no click."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget

from core.files.resources import resource_path
from core.model.document_state import Scenario
from core.model.schedule import PolicyChoice
from core.policies.own_policies import OWN_POLICIES
from explorer.study.base_of_scenario import base_of
from explorer.study.study_run import StudyRun
from explorer.study.study_window import StudyWindow
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.core.study.made_up import HereWorkers


class Asked:
    """Agrees when it is told to, as a user does in the dialog."""

    def __init__(self) -> None:
        self.agreed, self.asked = set(), []

    def may_run_all(self, sources):
        return {source.digest for source in sources} <= self.agreed

    def ask_for_all(self, sources, then, parent):
        if self.may_run_all(sources):
            then()
        else:
            self.asked += [source.path.name for source in sources]
            self.then = lambda: (self.agreed.update(source.digest for source in sources), then())


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "mine.py"
    path.write_bytes(resource_path("policies", "smallest_first.py").read_bytes())
    yield path
    for name in [name for name in OWN_POLICIES if str(path) in name]:
        del OWN_POLICIES[name]


@pytest.fixture
def bench(shown, five_jobs, tmp_path, path):
    parent, cluster, consent = shown(QWidget()), five_jobs.cluster, Asked()

    def base():
        return base_of(five_jobs, cluster, Scenario(1, PolicyChoice(str(path))))

    run = StudyRun(parent, HereWorkers)  # type: ignore[arg-type]  # they run in the thread that asks
    window = StudyWindow(base, tmp_path / "results", theme(False), parent, run, consent=consent)
    window.workers.setValue(1)
    window.show_in_front()
    yield window, consent
    window.shutdown()
    shutdown_workers(window)


def has_run(path):
    return any(str(path) in name for name in OWN_POLICIES)


def test_a_file_runs_once_it_is_agreed_to(bench, qtbot, path):
    window, consent = bench
    window.vary("cluster.map_slots")
    window._measure()
    assert not window.run._measurer.is_busy
    window.start()
    assert consent.asked == ["mine.py"]
    assert not window.run.is_running
    assert not has_run(path)
    with qtbot.waitSignal(window.run.ended):
        consent.then()
    qtbot.waitUntil(lambda: window.pictures.data is not None and not window.pictures._maker.is_busy)
    assert has_run(path)
    frame = window.pictures.frame.set_index("map slots")
    assert frame.loc[30, "makespan"] == 80.0, "as the command line has it"


def test_a_click_opens_the_file_itself(bench, qtbot, path):
    window, consent = bench
    window.vary("cluster.map_slots")
    window.start()
    with qtbot.waitSignal(window.run.ended):
        consent.then()
    qtbot.waitUntil(lambda: window.pictures.data is not None and not window.pictures._maker.is_busy)
    with qtbot.waitSignal(window.cell_wanted) as opened:
        window._on_spot({"map slots": 0})
    assert opened.args[0].choice.id == str(path)


def test_another_content_is_asked_about_again(bench, qtbot, path):
    window, consent = bench
    window.vary("cluster.map_slots")
    window.start()
    with qtbot.waitSignal(window.run.ended):
        consent.then()
    path.write_text(path.read_text() + "\n# another content\n")
    window.start()
    assert consent.asked == ["mine.py", "mine.py"]
    assert not window.run.is_running


def test_a_file_that_is_gone_is_a_sentence(bench, path):
    window, _consent = bench
    window.vary("cluster.map_slots")
    path.unlink()
    window.start()
    assert "mine.py cannot be read" in window.messages.message.sentence
