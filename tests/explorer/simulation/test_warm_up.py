"""The first start: compile elsewhere, load in a thread, then say so; failures leave a working window."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

import explorer.warm_up
from explorer.gantt.raster import raster
from explorer.simulation import warm_up
from explorer.simulation.warm_up import WarmUp


@pytest.fixture
def cold(monkeypatch):
    """Nothing is compiled yet."""
    monkeypatch.setattr(warm_up, "compiled_is_ready", lambda: False)


@pytest.fixture
def warm(monkeypatch):
    """Everything is compiled."""
    monkeypatch.setattr(warm_up, "compiled_is_ready", lambda: True)


@pytest.fixture
def make(qtbot):
    made = []

    def build(loaders, arguments=("-c", "raise SystemExit(9)")):
        made.append(WarmUp(loaders, arguments))
        return made[-1]

    yield build
    for each in made:
        each.stop()


@pytest.mark.usefixtures("warm")
def test_what_is_compiled_is_loaded_in_a_thread(make, qtbot):
    threads = []
    warming = make([lambda: threads.append(threading.current_thread())])
    with qtbot.waitSignal(warming.ready):
        warming.start()
    assert threads != [threading.current_thread()]
    assert len(threads) == 1


@pytest.mark.usefixtures("cold")
def test_what_is_not_is_compiled_by_another_process_first(make, qtbot, tmp_path):
    proof = tmp_path / "compiled"
    existed = []
    warming = make(
        [lambda: existed.append(proof.exists())], ["-c", f"open({str(proof)!r}, 'w').write('done')"]
    )
    with qtbot.waitSignal(warming.ready):
        warming.start()
    assert existed == [True]


@pytest.mark.usefixtures("cold")
def test_a_failing_compilation_is_told(make, qtbot):
    warming = make([pytest.fail], ["-c", "print('no room on the disk'); raise SystemExit(3)"])
    with qtbot.waitSignal(warming.failed) as caught, qtbot.assertNotEmitted(warming.ready):
        warming.start()
    assert caught.args[0].startswith("the fast engine could not be built")
    assert "no room on the disk" in caught.args[0]


@pytest.mark.usefixtures("cold")
def test_a_process_that_cannot_start_is_told(make, qtbot, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    warming = make([pytest.fail])
    with qtbot.waitSignal(warming.failed):
        warming.start()


@pytest.mark.usefixtures("warm")
def test_a_damaged_cache_is_told(make, qtbot):
    def load():
        raise OSError("unreadable")

    warming = make([load])
    with qtbot.waitSignal(warming.failed) as caught:
        warming.start()
    assert "OSError: unreadable" in caught.args[0]


@pytest.mark.usefixtures("cold")
def test_stopping_ends_the_process(make, qtbot):
    warming = make([pytest.fail], ["-c", "import time; time.sleep(60)"])
    with qtbot.assertNotEmitted(warming.failed):
        warming.start()
        qtbot.waitUntil(lambda: warming._process.processId() > 0)
        warming.stop()
    assert warming._process.processId() == 0


def test_the_module_finds_our_packages_from_anywhere(tmp_path):
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer" / "__init__.py").write_text("raise SystemExit('the wrong explorer')")
    environment = dict(item.split("=", 1) for item in warm_up._environment().toStringList())
    flags = warm_up.COMPILE[:1]
    subprocess.run(
        [sys.executable, *flags, "-c", "import explorer.warm_up"],
        cwd=tmp_path,
        env=environment,
        check=True,
    )


def test_the_module_compiles_all_and_notes_it_last(monkeypatch):
    done = []
    monkeypatch.setattr(explorer.warm_up, "compiled_is_ready", lambda: bool(done))
    monkeypatch.setattr(warm_up, "load_engine", lambda: done.append("engine"))
    monkeypatch.setattr(raster, "warm_up", lambda: done.append("raster"))
    monkeypatch.setattr(explorer.warm_up, "mark_ready", lambda: done.append("noted"))
    assert explorer.warm_up.main() == 0
    assert done == ["engine", "raster", "noted"]
    assert explorer.warm_up.main() == 0
    assert len(done) == 3
