"""However an editor writes a file, its change is heard, time and again."""

from __future__ import annotations

import pytest
from shiboken6 import delete

from explorer.widgets.file_watch import FileWatch


@pytest.fixture
def watch(qtbot):
    watch = FileWatch()
    yield watch
    watch.close()
    delete(watch)


WAYS = ("write", "swap", "away_and_back")


@pytest.mark.parametrize("first", WAYS)
@pytest.mark.parametrize("second", WAYS)
def test_changes_are_heard_time_and_again(qtbot, watch, file, first, second):
    watch.watch(file.id)
    for number, way in enumerate((first, second, first)):
        with qtbot.waitSignal(watch.touched, check_params_cb=lambda path: path == file.id):
            getattr(file, way)(str(number))


def test_several_steps_are_one_change(qtbot, watch, file):
    heard = []
    watch.touched.connect(heard.append)
    watch.watch(file.id)
    for number in range(5):
        file.write(str(number))
    qtbot.waitUntil(lambda: heard == [file.id])


def test_a_file_that_is_not_there_yet(qtbot, watch, file):
    file.path.unlink()
    watch.watch(file.id)
    with qtbot.waitSignal(watch.touched):
        file.write()
    with qtbot.waitSignal(watch.touched):
        file.path.unlink()


def test_a_busy_folder_holds_nothing_up(qtbot, watch, file):
    heard = []
    watch.touched.connect(heard.append)
    watch.watch(file.id)

    def make_noise():
        (file.path.parent / f"noise {len(list(file.path.parent.iterdir()))}").touch()
        return bool(heard)

    qtbot.waitUntil(make_noise)


def test_closed_it_watches_nothing(qtbot, watch, file):
    watch.watch(file.id)
    watch.close()
    with qtbot.assertNotEmitted(watch.touched, wait=200):
        file.swap("1")


def test_only_files_of_the_folder_are_meant(qtbot, watch, file, tmp_path):
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "other.py"
    other.write_text("")
    watch.watch(file.id)
    watch.watch(str(other))
    heard = []
    watch.touched.connect(heard.append)
    file.swap("1")
    qtbot.waitUntil(lambda: heard == [file.id])
