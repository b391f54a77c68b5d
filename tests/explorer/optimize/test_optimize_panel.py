"""The panel of the search, with a scripted search: asked, started, watched, stopped, taken."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.model.errors import Cancelled, InputError
from core.optimize.exact_order import BestOrder
from core.optimize.lever_worths import LeverWorth
from explorer.optimize import optimize_panel
from explorer.optimize.optimize_panel import SLOW, STALE, OptimizePanel
from explorer.optimize.search_run import Prepared
from explorer.optimize.settings_pages import Checked
from explorer.optimize.wishes import GOALS, LEVERS, NO_DEADLINE, NO_LEVER, NO_MIX, Rules, Wish, wish_of
from tests.explorer.optimize.scripted import Scripted, ScriptedSearch

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key
FIRST = Scripted(50.0, 40.0, plan="first", evaluations=12)
BETTER = Scripted(41.0, 40.0, plan="better", evaluations=1234, doing="improving, round 3")
PROVED = Scripted(40.0, 40.0, proved=True, plan="best", evaluations=2000)


class Bench:
    """A panel, what it was asked for, and what it told."""

    def __init__(self) -> None:
        self.search = ScriptedSearch(FIRST, BETTER, is_endless=True)
        self.wishes: list[Wish] = []
        self.best_order = None
        self.panel = OptimizePanel(self.maker)
        self.panel.show_subject("FIFO", ("J1", "J2", "J3"), has_deadlines=True, has_pools=False)
        self.previewed, self.taken, self.exported = [], [], []
        for signal, heard in (
            (self.panel.previewed, self.previewed),
            (self.panel.taken, self.taken),
            (self.panel.exported, self.exported),
        ):
            signal.connect(heard.append)

    def maker(self, wish):
        self.wishes.append(wish)
        return Prepared(self.search, "s", lambda schedule: schedule.makespan, 60.0, self.best_order)


@pytest.fixture
def bench(shown):
    bench = Bench()
    shown(bench.panel)
    yield bench
    bench.panel.shutdown()


def click(button):
    QTest.mouseClick(button, LEFT)


def wait_for_best(bench, qtbot):
    qtbot.waitUntil(lambda: "2.5 %" in bench.panel.standing.text())


def test_one_click_searches_shows_the_gap_and_stop_keeps_the_best(bench, qtbot, monkeypatch):
    monkeypatch.setattr(optimize_panel, "SHOWN_EVERY_S", 0.0)
    panel = bench.panel
    assert not panel.take_button.isEnabled()
    assert not panel.plan_button.isEnabled()
    panel.more.endless.setChecked(True)
    click(panel.start_button)
    assert bench.wishes == [Wish(seconds=None)]
    wait_for_best(bench, qtbot)
    assert panel.run.is_running
    assert panel.start_button.text() == "&Stop"
    assert not panel.levers.isEnabled()
    assert panel.standing.text() == "Improving, round 3: 2.5 % above the bound"
    assert panel.figures.text().startswith("FIFO 1 min 00 s, best 41 s, bound 40 s · ")
    assert "plans" not in panel.figures.text()  # that many were tried when this was found, not by now
    assert panel.take_button.isEnabled()  # what was found by now may be taken
    panel.show_subject("Johnson", ("J1", "J2", "J3"), has_deadlines=True, has_pools=False)
    assert [moment.best for moment in panel.meter.moments[:3]] == [60.0, 50.0, 41.0]
    click(panel.start_button)
    qtbot.waitUntil(lambda: not panel.run.is_running)
    assert panel.start_button.text() == "&Start"
    assert panel.standing.text() == "2.5 % above the bound"
    assert panel.how.text() == "How: due dates."
    assert panel.figures.text().startswith(
        "FIFO 1 min 00 s, best 41 s, bound 40 s · 1\N{NARROW NO-BREAK SPACE}234 plans in "
    )
    assert bench.previewed[-1] == "better"
    click(panel.take_button)
    click(panel.plan_button)
    assert (bench.taken, bench.exported) == ([BETTER], [BETTER])


def test_a_slow_search_says_so_and_begins_anew_when_it_can_be_fast(bench, qtbot):
    panel, slow = bench.panel, bench.maker
    panel.maker = lambda wish: slow(wish)._replace(is_slow=True)
    click(panel.start_button)
    wait_for_best(bench, qtbot)
    assert panel.is_slow
    assert panel.how.text() == SLOW
    assert panel.how.isVisible()
    bench.search = ScriptedSearch(Scripted(40.0, 40.0, proved=True, plan="best", evaluations=1))
    with qtbot.waitSignal(panel.ended):
        panel.go_on_faster(slow(panel.wish))
    assert panel.standing.text() == "Optimal, proved"
    assert "· 1 plan in" in panel.figures.text()
    assert panel.how.text() == "How: due dates."


def test_a_proof_ends_it(bench, qtbot):
    bench.search = ScriptedSearch(FIRST, PROVED)
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert bench.panel.standing.text() == "Optimal, proved"
    assert bench.panel.meter.is_proved
    assert bench.previewed[-1] == "best"


def test_the_chart_is_asked_for_five_times_a_second_at_most(bench, qtbot):
    bench.search = ScriptedSearch(*(Scripted(90.0 - i, 40.0, plan=i) for i in range(40)), PROVED)
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert len(bench.previewed) <= 2 + bench.panel.run.seconds / optimize_panel.SHOWN_EVERY_S
    assert bench.previewed[-1] == "best"


def test_the_spread_over_noisy_copies_stands_beside_the_best(bench, qtbot):
    bench.search = ScriptedSearch(Scripted(50.0, 40.0, spread=(45.0, 50.0, 58.0)))
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert bench.panel.standing.text() == "50 s over 3 noisy copies, 45 s to 58 s"
    assert "with the durations as told nothing is below 40 s" in bench.panel.figures.text()


def test_what_is_judged_on_new_copies_is_marked_apart(bench, qtbot):
    meter = bench.panel.meter
    bench.search = ScriptedSearch(
        Scripted(44.0, 40.0, spread=(43.0, 45.0)), Scripted(50.0, 40.0, spread=(45.0, 50.0, 55.0))
    )
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert [moment.best for moment in meter.moments] == [60.0, 44.0, 44.0]
    assert (meter.now, meter.now_title) == (50.0, "on 3 new copies")
    assert meter.bound_title == "as told"


def test_what_the_chart_cannot_show_is_said_and_marks_nothing(bench, qtbot):
    panel, prepare = bench.panel, bench.maker
    panel.maker = lambda wish: prepare(wish)._replace(value_of=None, start=None, note="The chart differs.")
    bench.search = ScriptedSearch(FIRST, PROVED)
    with qtbot.waitSignal(panel.ended):
        click(panel.start_button)
    assert panel.how.text() == "How: due dates. The chart differs."
    assert panel.figures.text().startswith("best 40 s, ")
    assert panel.meter.moments[0].best == FIRST.start
    panel.show_now(SimpleNamespace(makespan=45.0), "FIFO, edited")
    assert panel.meter.now is None


def test_a_hand_edit_afterwards_is_marked_in_the_meter(bench, qtbot):
    panel = bench.panel
    panel.show_now(SimpleNamespace(makespan=45.0), "FIFO, edited")
    assert panel.meter.now_title == ""  # nothing was searched yet
    bench.search = ScriptedSearch(FIRST, PROVED)
    with qtbot.waitSignal(panel.ended):
        click(panel.start_button)
    panel.show_now(SimpleNamespace(makespan=45.0), "FIFO, edited")
    assert panel.meter.now_title == "FIFO, edited"
    assert panel.meter.extent()[1] == panel.meter.scale.height(60.0)
    panel.show_now(SimpleNamespace(makespan=40.0), "FIFO, edited")
    assert panel.meter.now is None


def test_the_best_of_all_orders_is_said_where_it_is_proved(bench, qtbot):
    bench.search = ScriptedSearch(FIRST, BETTER)
    bench.best_order = lambda _should_stop: BestOrder(45.0, ("J2", "J1", "J3"), True, 6)
    click(bench.panel.start_button)
    qtbot.waitUntil(lambda: "orders" in bench.panel.how.text())
    assert bench.panel.how.text() == (
        "How: due dates. The best of all orders takes 45 s. No order can do better, another lever can."
    )


def test_what_cannot_be_searched_is_a_sentence(bench):
    panel = bench.panel
    for box in panel.levers.boxes.values():
        QTest.keyClick(box, Key.Key_Space)
    click(panel.start_button)
    assert panel.how.text() == NO_LEVER
    panel.show_wish(Wish(goal="mix", weights={}))
    click(panel.start_button)
    assert panel.how.text() == NO_MIX
    panel.show_wish(Wish(goal="late-jobs"))
    panel.show_subject("FIFO", ("J1", "J2", "J3"), has_deadlines=False, has_pools=False)
    click(panel.start_button)
    assert panel.how.text() == NO_DEADLINE

    def refuse(_wish):
        raise InputError("this cluster lends slots; searches need typed ones")

    panel.show_wish(Wish())
    panel.maker = refuse
    click(panel.start_button)
    assert panel.how.text().startswith("this cluster lends")
    assert not panel.run.is_running
    assert panel.how.isVisible()


def test_a_search_that_fails_says_why(bench, qtbot):
    bench.search = lambda _on_found, _should_stop: 1 / 0
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert "division" in bench.panel.how.text()


def test_other_jobs_end_the_search(bench, qtbot):
    bench.panel.more.endless.setChecked(True)
    click(bench.panel.start_button)
    wait_for_best(bench, qtbot)
    bench.panel.forget()
    assert not bench.panel.run.is_running
    assert not bench.panel.take_button.isEnabled()
    assert bench.panel.how.text() == STALE
    assert bench.panel.meter.moments == ()


def test_rules_are_made_with_keys_and_taken_back(bench):
    rules = bench.panel.rules
    bench.panel.pages.setCurrentIndex(1)
    rules.pins.setCurrentRow(2)
    QTest.keyClick(rules.pins, Key.Key_Space)
    assert rules.pins.item(2).checkState() is Checked
    QTest.keyClick(rules.deadlines, Key.Key_Space)
    assert not rules.pools.isEnabled()
    QTest.keyClick(rules.first, Key.Key_Down)
    rules.second.setCurrentIndex(2)
    click(rules.add_pair)
    click(rules.add_pair)  # once is enough
    rules.arrival.setValue(90.0)
    click(rules.add_arrival)
    expected = Rules(frozenset({"J3"}), (("J2", "J3"),), (("J1", 90.0),), keeps_deadlines=True)
    assert bench.panel.wish.rules == expected
    assert [rules.listed.item(i).text() for i in range(2)] == ["J2 before J3", "J1 arrives at 1:30"]
    rules.listed.setFocus()
    QTest.keyClick(rules.listed, Key.Key_Delete)
    click(rules.remove)
    assert bench.panel.wish.rules == Rules(frozenset({"J3"}), keeps_deadlines=True)
    click(rules.add_pair)
    rules.show_jobs(("J1", "J3"), has_deadlines=False, has_pools=True)
    assert rules.rules == Rules(frozenset({"J3"}))
    assert rules.pools.isEnabled()


def test_a_mix_has_weights(bench):
    panel = bench.panel
    assert not panel.levers.mix.isVisible()
    panel.goal.setFocus()
    QTest.keyClick(panel.goal, Key.Key_End)
    assert panel.goal.currentText() == "Weighted mix"
    assert panel.levers.mix.isVisible()
    panel.levers.weights["tardiness"].setValue(2.0)
    assert panel.wish.weights == {"makespan": 1.0, "tardiness": 2.0}


def test_wishes_are_remembered_whatever_a_file_holds():
    wish = Wish("stretch", {"late-jobs": 3.0}, ("order", "pools"), Rules(), 0.2, 16, "worst-90", None, 7)
    assert wish_of(wish.values()) == wish
    damaged = {
        "goal": "no",
        "weights": [1],
        "levers": ["order", 3],
        "sigma": "x",
        "copies": True,
        "seconds": -1,
    }
    assert wish_of(damaged) == Wish(levers=("order",))
    assert wish_of(None) == wish_of([1]) == wish_of({}) == Wish()
    assert set(Wish().levers) == set(LEVERS)
    assert Wish().goal in GOALS


def test_levers_are_compared_copied_and_saved(bench, qtbot, tmp_path):
    table = bench.panel.table
    asked = []
    bench.panel.compare_wanted.connect(asked.append)
    click(table.ask_button)
    assert asked == [Wish()]
    order, both = LeverWorth("order", 119.8, 0.198, False), LeverWorth("slowstart", 100.0, 0.0, True)
    table.start(lambda _progress, _should_stop: (order, both), "s")
    qtbot.waitUntil(lambda: table.model.rowCount() == 2)
    table.table.setFocus()
    QTest.keyClick(table.table, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Levers\tGap\tBest",
        "order alone\t19.8 %\t2 min 00 s",
        "and slowstart\toptimal\t1 min 40 s",
    ]
    table.chart_table().write_csv(tmp_path / "levers.csv")
    assert "order alone,119.8,0.198,no" in (tmp_path / "levers.csv").read_text()


def test_comparing_levers_is_stopped(bench, qtbot):
    table = bench.panel.table

    def compare(_progress, should_stop):
        while not should_stop():
            pass
        raise Cancelled("stopped")

    table.start(compare, "s")
    click(table.ask_button)
    qtbot.waitUntil(lambda: not table.is_busy)
    assert table.table.empty_text == "Stopped before all levers were tried."
    assert not table.copy_button.isEnabled()
