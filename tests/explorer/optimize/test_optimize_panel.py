"""The panel of the search, with a scripted search: asked, started, watched, stopped, taken."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.error_factors import ERRORS_PER
from core.model.errors import Cancelled, InputError, WrongResult
from core.model.levers import LEVERS
from core.optimize.exact_order import BestOrder
from core.optimize.lever_worths import LeverWorth
from core.optimize.objectives import Robust
from core.optimize.slot_worths import KindWorth, SlotWorths
from core.simulation.proof import NOT_PROVED, Proof
from explorer.optimize import optimize_panel
from explorer.optimize.certificate_dialog import CertificateDialog
from explorer.optimize.compiling import THEN_ANEW
from explorer.optimize.optimize_panel import STALE, OptimizePanel
from explorer.optimize.pinned_jobs import Checked, PinnedJobs
from explorer.optimize.search_run import Prepared
from explorer.optimize.wish_search import wishes_of
from explorer.optimize.wishes import GOALS, NO_DEADLINE, NO_LEVER, NO_MIX, Rules, Wish, wish_of
from explorer.widgets.worker import shutdown_workers
from tests.builders import FIVE_JOBS, run, two_stage_workload
from tests.core.verify.made import certificate_of
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
        self.proof = Proof(certificate_of(run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "johnson")))
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
        now = Prepared(self.search, "s", lambda schedule: schedule.makespan, 60.0, self.best_order)
        return now._replace(prove=lambda found, _should_stop: self.proof if found.proved else NOT_PROVED)


@pytest.fixture
def bench(shown):
    bench = Bench()
    shown(bench.panel)
    yield bench
    shutdown_workers(bench.panel)


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
    assert panel.meter.empty_text.startswith("Start, and")
    click(panel.start_button)
    assert panel.meter.empty_text == ""
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
    assert panel.how.text() == THEN_ANEW
    assert panel.how.isVisible()
    bench.search = ScriptedSearch(Scripted(40.0, 40.0, proved=True, plan="best", evaluations=1))
    with qtbot.waitSignal(panel.ended):
        panel.go_on_faster(slow(panel.wish))
    assert panel.standing.text() == "Optimal without sharing scans or lending slots, proved"
    assert "· 1 plan in" in panel.figures.text()
    assert panel.how.text() == "How: due dates."


def test_what_slots_are_worth_follows_a_search_that_has_prices(bench, qtbot):
    panel, prepare, asked = bench.panel, bench.maker, []
    bench.search = ScriptedSearch(FIRST, PROVED)
    kind = KindWorth(4, "map slots", np.array([0.0, 9.0]), np.array([1.0, 0.0]))
    worths = SlotWorths("mean-response", 40.0, 1.0, (kind,))
    panel.prices_wanted.connect(asked.append)
    for prices in (None, lambda _progress, _should_stop: worths):
        panel.maker = lambda wish, prices=prices: prepare(wish)._replace(prices=prices)
        with qtbot.waitSignal(panel.ended):
            click(panel.start_button)
        if prices is None:
            assert panel.prices.worths is None
    qtbot.waitUntil(lambda: panel.prices.worths is worths)
    assert panel.prices.sentence.text() == worths.sentence
    panel.pages.setCurrentIndex(3)
    click(panel.prices.price_button)
    assert asked == [panel.wish]


def test_a_proof_ends_it(bench, qtbot):
    bench.search = ScriptedSearch(FIRST, PROVED)
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert bench.panel.standing.text() == "Optimal without sharing scans or lending slots, proved"
    assert bench.panel.meter.is_proved
    assert bench.panel.proof_button.isVisible()
    assert bench.previewed[-1] == "best"


def test_nothing_is_called_proved_without_a_certificate(bench, qtbot):
    bench.search, bench.proof = ScriptedSearch(FIRST, PROVED), Proof(why_not="none is made for nodes")
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    unproved = "It meets its lower bound; no certificate: none is made for nodes"
    assert bench.panel.standing.text() == unproved
    assert not bench.panel.meter.is_proved
    assert not bench.panel.proof_button.isVisible()


def test_a_certificate_that_is_stopped_is_none(bench, qtbot):
    def stopped(_found, _should_stop):
        raise Cancelled("the simulation was cancelled")

    bench.search, make = ScriptedSearch(FIRST, PROVED), bench.panel.maker
    bench.panel.maker = lambda wish: make(wish)._replace(prove=stopped)
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert bench.panel.standing.text() == "It meets its lower bound"


def test_proved_opens_its_certificate_by_the_keys(bench, qtbot):
    bench.search = ScriptedSearch(FIRST, PROVED)
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    bench.panel.proof_button.setFocus()
    QTest.keyClick(bench.panel.proof_button, Key.Key_Space)
    (dialog,) = bench.panel.window().findChildren(CertificateDialog)
    assert dialog.windowTitle() == "Certificate: FIFO"
    assert dialog.isVisible()
    dialog.reject()
    bench.search = ScriptedSearch(FIRST, BETTER)
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert not bench.panel.proof_button.isVisible()


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
        "How: due dates. The best of all orders takes 45 s. "
        "All orders were tried, and none is better; another lever may be."
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


def test_a_search_that_fails_after_it_found_something_says_why(bench, qtbot):
    def search(on_found, _should_stop):
        on_found(FIRST)
        raise WrongResult("a failure of ours: 12 s were found")

    bench.search = search
    with qtbot.waitSignal(bench.panel.ended):
        click(bench.panel.start_button)
    assert bench.panel.how.text() == "a failure of ours: 12 s were found"
    assert bench.panel.how.isVisible()
    assert "proved" not in bench.panel.standing.text()


def test_other_jobs_end_the_search(bench, qtbot):
    bench.panel.more.endless.setChecked(True)
    click(bench.panel.start_button)
    wait_for_best(bench, qtbot)
    bench.panel.forget()
    assert not bench.panel.run.is_running
    assert not bench.panel.take_button.isEnabled()
    assert bench.panel.how.text() == STALE
    assert bench.panel.meter.moments == ()


def test_jobs_that_are_shown_are_one_change_and_few_are_drawn(bench, monkeypatch):
    """A list that said a change for each job that it got held the window for minutes at ten thousand."""
    rules, changes, drawn = bench.panel.rules, [], []
    bench.panel.pages.setCurrentIndex(1)
    rules.changed.connect(lambda: changes.append(1))
    looked_up = PinnedJobs.data
    monkeypatch.setattr(PinnedJobs, "data", lambda *given: drawn.append(1) or looked_up(*given))
    names = [f"J{i}" for i in range(10_000)]
    rules.show_jobs(names, has_deadlines=False, has_pools=False)
    rules.show_pinned(["J7", "J8"])
    rules.pins.grab()
    assert len(changes) == 2
    assert rules.rules.pinned == {"J7", "J8"}
    assert len(drawn) < 500


def test_rules_are_made_with_keys_and_taken_back(bench):
    rules = bench.panel.rules
    bench.panel.pages.setCurrentIndex(1)
    rules.pins.setCurrentIndex(rules.pins.model().index(2))
    QTest.keyClick(rules.pins, Key.Key_Space)
    third = rules.pins.model().index(2)
    assert rules.pins.model().data(third, Qt.ItemDataRole.CheckStateRole) is Checked
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


@pytest.mark.parametrize("per", ERRORS_PER)
def test_what_is_wrong_by_a_factor_of_its_own_is_chosen(bench, per):
    more = bench.panel.more
    assert not more.per.isEnabled()
    assert bench.panel.wish.per == "job"
    more.sigma.setValue(20.0)
    assert more.per.isEnabled()
    more.per.setCurrentIndex(more.per.findData(per))
    assert wishes_of(bench.panel.wish, None)["robust"] == Robust(8, 0.2, "mean", per)


def test_wishes_are_remembered_whatever_a_file_holds():
    wish = Wish(
        "stretch", {"late-jobs": 3.0}, ("order", "pools"), Rules(), 0.2, 16, "worst-90", None, 7, "task"
    )
    assert wish_of(wish.values()) == wish
    damaged = {
        "goal": "no",
        "weights": [1],
        "levers": ["order", 3],
        "sigma": "x",
        "copies": True,
        "per": "stage",
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
    click(table.search_button)
    assert asked == [Wish()]
    order, both = LeverWorth("order", 119.8, 0.198, False), LeverWorth("slowstart", 100.0, 0.0, True)
    table.start(lambda _progress, _should_stop: (order, both), "s")
    qtbot.waitUntil(lambda: table.model.rowCount() == 2)
    table.table.setFocus()
    QTest.keyClick(table.table, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Levers\tGap\tBest",
        "order alone\t19.8 %\t2 min 00 s",
        "and slowstart\tnone, proved\t1 min 40 s",
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
    click(table.search_button)
    qtbot.waitUntil(lambda: not table.is_busy)
    assert table.table.empty_text == "Stopped before all levers were tried."
    assert not table.copy_button.isEnabled()
