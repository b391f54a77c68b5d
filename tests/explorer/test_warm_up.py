"""The first start: compiled elsewhere part by part, loaded in a thread, told; failures harm no window."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from core.engine.compiled import compiled_advance
from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.overheads import Overheads
from core.model.partition import Partition
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from core.policies.composing.kernel import compiled_kernel
from core.policies.registry import policies
from core.simulation import engine_selection
from explorer import warm_up
from explorer.warm_up import (
    CHARTS,
    DONE,
    ENGINE,
    HOSTS,
    OPTIMISE,
    SCANS,
    WarmUp,
    all_parts,
    load,
    main,
    parts_of_document,
)

TYPED, UNTYPED = Cluster(1, 1), Cluster(0, 0, containers=4)
BEATING = Cluster(2, 2, overheads=Overheads(heartbeat=3.0))
ANNOUNCE = "import sys\nfor part in sys.argv[1:]: print('compiled', part, flush=True)\n"


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

    def build(load, program="raise SystemExit(9)"):
        made.append(WarmUp(load, ("-c", program)))
        return made[-1]

    yield build
    for each in made:
        each.stop()


# ---- what is compiled, in which order


def test_the_open_documents_parts_come_first_and_each_once():
    parts = all_parts((CHARTS, "fair", "fifo"))
    assert parts[:4] == (CHARTS, "fair", "fifo", "order")
    assert sorted(parts) == sorted(
        (CHARTS, ENGINE, HOSTS, SCANS, OPTIMISE, *(policy.id for policy in policies()))
    )
    assert sorted(all_parts()) == sorted(parts)


def test_the_parts_of_a_document(editor, document):
    """An order of jobs on typed slots needs no engine that asks policies; untyped slots do."""
    assert parts_of_document(document.state) == (CHARTS, "fifo", "johnson")
    editor.set_cluster(UNTYPED)
    assert parts_of_document(document.state) == (CHARTS, ENGINE, "fifo", "johnson")
    editor.set_cluster(BEATING)
    assert parts_of_document(document.state) == (CHARTS, HOSTS, "fifo", "johnson")


def test_a_policy_file_is_no_part_but_needs_the_engine(two_scenarios):
    fifo, other = two_scenarios.scenarios
    mine = replace(other, choice=PolicyChoice("/somewhere/mine.py"))
    assert parts_of_document(replace(two_scenarios, scenarios=(fifo, mine))) == (CHARTS, ENGINE, "fifo")


def test_the_process_compiles_in_that_order_and_says_so(cold, monkeypatch, capsys):
    done = []
    monkeypatch.setattr(warm_up, "mark_ready", lambda: done.append("noted"))
    assert main(["fair"], done.append) == 0
    assert done == [*all_parts(["fair"]), "noted"]
    assert capsys.readouterr().out.splitlines() == [f"{DONE}{part}" for part in all_parts(["fair"])]


def test_the_process_does_nothing_if_nothing_is_missing(warm, capsys):
    assert main([], pytest.fail) == 0
    assert capsys.readouterr().out == ""


def test_the_process_finds_our_packages_from_anywhere(tmp_path):
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer" / "__init__.py").write_text("raise SystemExit('the wrong explorer')")
    environment = dict(item.split("=", 1) for item in warm_up._environment().toStringList())
    flags = warm_up.COMPILE[:1]
    subprocess.run(
        [sys.executable, *flags, "-c", "import explorer.warm_up"], cwd=tmp_path, env=environment, check=True
    )


# ---- loading


def test_loading_parts_makes_just_these_ready(monkeypatch):
    """An order needs the kernel of orders and the plain engine; other policies need more."""
    for kept in (compiled_advance, compiled_kernel):
        monkeypatch.setattr(kept, "_built", {})

    def ready(policy, cluster=TYPED, **by_hand):
        return engine_selection.all_is_loaded(Scenario(1, PolicyChoice(policy), **by_hand), cluster)

    assert not ready("johnson")
    load("fifo")
    assert ready("johnson")
    assert ready("johnson", order=("J1",))
    assert not any((ready("fair"), ready("johnson", UNTYPED), ready("johnson", partition=object())))
    load(ENGINE)
    assert ready("johnson", UNTYPED)
    assert not ready("johnson", BEATING)
    load(HOSTS)
    assert ready("johnson", BEATING)
    assert not any((ready("fair"), ready("balanced-pools")))
    load("fair")
    assert ready("fair")
    load("balanced-pools")
    assert ready("fair", partition=object())
    plan = Plan(())
    in_pools = replace(plan, partition=Partition(()))
    assert not any((ready("fair", plan=plan), ready("fair", plan=in_pools)))
    load("critical")
    assert all((ready("fair", plan=plan), ready("fair", plan=in_pools)))


@pytest.mark.usefixtures("warm")
def test_what_is_compiled_is_loaded_in_a_thread(make, qtbot):
    threads, told = [], []
    warming = make(lambda part: threads.append(threading.current_thread()))
    warming.progressed.connect(told.append)
    with qtbot.waitSignal(warming.ready):
        warming.start(["fair"])
    assert threading.current_thread() not in threads
    assert tuple(warming.loaded) == all_parts(["fair"])
    assert told == [""]  # nothing has to be compiled


@pytest.mark.usefixtures("cold")
def test_parts_are_in_use_as_soon_as_the_other_process_has_compiled_them(make, qtbot, tmp_path):
    go_on = tmp_path / "go on"
    waiting = f"\nimport os, time\nwhile not os.path.exists({os.fspath(go_on)!r}): time.sleep(0.01)\n"
    warming = make(lambda part: None, ANNOUNCE + waiting)
    told = []
    warming.progressed.connect(told.append)
    warming.start([CHARTS, "fair"])
    qtbot.waitUntil(lambda: warming.loaded == [CHARTS, "fair"])
    total = len(all_parts())
    assert told == [
        f"Getting the simulator ready: 0 of {total}. Simulations are slower until then.",
        f"Getting the simulator ready: 1 of {total}. Simulations are slower until then.",
        f"Getting the other policies ready: 2 of {total}.",
    ]
    with qtbot.waitSignal(warming.ready):
        go_on.touch()
    assert tuple(warming.loaded) == all_parts([CHARTS, "fair"])
    assert told[-1] == ""


# ---- damage on the disk


@pytest.mark.usefixtures("warm")
def test_damaged_code_is_compiled_again_by_the_other_process_and_told(make, qtbot, monkeypatch):
    """Before the window loads any of it."""
    done = []

    def check():
        done.append("checked")
        monkeypatch.setattr(warm_up, "compiled_is_ready", lambda: False)

    monkeypatch.setattr(warm_up, "check_compiled", check)
    monkeypatch.setattr(warm_up, "take_damage", lambda: "a file had been damaged")
    warming = make(done.append, ANNOUNCE)
    told = []
    warming.progressed.connect(told.append)
    with qtbot.waitSignal(warming.ready):
        warming.start(["fair"])
    assert done == ["checked", *all_parts(["fair"])]
    assert told[0].startswith("A file had been damaged. Getting the simulator ready: 0 of ")


@pytest.mark.usefixtures("cold")
def test_damage_that_the_other_process_finds_is_told(make, qtbot):
    warming = make(lambda part: None, "print('damaged a file had been damaged')\n" + ANNOUNCE)
    told = []
    warming.progressed.connect(told.append)
    with qtbot.waitSignal(warming.ready):
        warming.start(["fair"])
    assert any(text.startswith("A file had been damaged. Getting") for text in told)


@pytest.mark.usefixtures("cold")
def test_the_process_tells_damage_once_and_stops_if_nothing_can_be_kept(monkeypatch, capsys):
    damages = iter(["", "a file had been damaged", ""])
    monkeypatch.setattr(warm_up, "take_damage", lambda: next(damages))
    troubles = iter(["", "", "the disk is full"])
    monkeypatch.setattr(warm_up, "why_not_kept", lambda: next(troubles))
    assert main(["fair"], lambda part: None) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{DONE}fair",
        "damaged a file had been damaged",
        f"{DONE}{CHARTS}",
        "the disk is full",
    ]


# ---- failures


@pytest.mark.usefixtures("cold")
def test_a_failing_compilation_is_told(make, qtbot):
    warming = make(pytest.fail, "print('no room on the disk'); raise SystemExit(3)")
    told = []
    warming.progressed.connect(told.append)
    with qtbot.waitSignal(warming.failed) as caught, qtbot.assertNotEmitted(warming.ready):
        warming.start()
    assert caught.args[0].startswith("the fast simulator could not be made ready")
    assert "no room on the disk" in caught.args[0]
    assert told[-1] == ""


@pytest.mark.usefixtures("cold")
def test_a_process_that_cannot_start_is_told(make, qtbot, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    warming = make(pytest.fail)
    with qtbot.waitSignal(warming.failed):
        warming.start()


@pytest.mark.usefixtures("warm")
def test_a_damaged_cache_is_told(make, qtbot):
    def load(_part):
        raise OSError("unreadable")

    warming = make(load)
    with qtbot.waitSignal(warming.failed) as caught:
        warming.start()
    assert "OSError: unreadable" in caught.args[0]


@pytest.mark.usefixtures("cold")
def test_stopping_ends_the_process(make, qtbot):
    warming = make(pytest.fail, "import time; time.sleep(60)")
    with qtbot.assertNotEmitted(warming.failed):
        warming.start()
        qtbot.waitUntil(lambda: warming._process.processId() > 0)
        warming.stop()
    assert warming._process.processId() == 0
