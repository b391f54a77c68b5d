"""What several logs say together: by their jobs, without running away, and with what varies drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fidelity.fidelity import OTHERS, judge
from core.fidelity.lent_overheads import (
    DRAWS,
    FEW_JOBS,
    LentOverheads,
    lent_overheads,
    weighted_median,
)
from core.fidelity.log_replays import LogReplays, Work
from core.fidelity.overheads_estimate import Estimate
from core.fidelity.overheads_fit import fitted_overheads, lenders_among
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.core.fidelity.test_fidelity import TRUE, recorded_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.overheads import Overheads

HEARTBEAT = 3.0


def shown(
    jobs: int,
    overheads: Overheads = TRUE,
    *,
    fetches: Sequence[float] = (1.8,),
    delays: Sequence[float] = (2.0,),
    taskless: int = 1,
) -> Estimate:
    """Return what a log of so many jobs shows of its cluster."""
    waits = np.array(fetches) + HEARTBEAT / (2 * overheads.hosts)
    return Estimate(overheads, jobs, waits, np.array(delays), taskless, 0.0)


# ---- weights


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 7)), min_size=1, max_size=8))
def test_a_weighted_median_is_that_of_values_written_so_often(pairs: list[tuple[int, int]]) -> None:
    values, weights = ([pair[i] for pair in pairs] for i in range(2))
    assert weighted_median(values, weights) == np.median(np.repeat(values, weights))


def test_a_log_counts_by_its_jobs() -> None:
    large, small = shown(46, replace(TRUE, setup=1.5)), shown(6, replace(TRUE, setup=9.0))
    assert lent_overheads([large, small], HEARTBEAT).overheads.setup == 1.5
    assert lent_overheads([small, small, large], HEARTBEAT).overheads.setup == 1.5
    assert lent_overheads([shown(8, replace(TRUE, setup=9.0)), small], HEARTBEAT).overheads.setup == 9.0


def test_what_a_log_has_not_shown_does_not_count() -> None:
    one, other = replace(TRUE, launch_interval=5.0, setup=2.0), replace(TRUE, cleanup=2.0)
    lent = lent_overheads([shown(5, one), shown(5, other), shown(5)], HEARTBEAT)
    assert lent.overheads == replace(TRUE, launch_interval=5.0)
    late = Estimate(TRUE, 5, np.zeros(1), np.zeros(1), 1, late_ends=3.0)
    for logs, known in (([late, shown(6)], 0), ([late, late, shown(6)], 1)):
        assert lent_overheads(logs, HEARTBEAT).overheads.ends_known_after == known


# ---- five jobs


def test_logs_of_few_jobs_lend_nothing_beside_one_of_more() -> None:
    judged, large = recorded_workload(3, 6, name="judged"), recorded_workload(4, 9, name="large")
    small = recorded_workload(5, FEW_JOBS - 1, name="small", late=6.0)
    alone, beside = (judge([judged], others=others).logs[0] for others in ([large], [large, small]))
    assert beside.others == ("large",)
    assert beside.headline.title == OTHERS
    assert (beside.headline.simulated == alone.headline.simulated).all(), "more evidence makes it no worse"
    enough = recorded_workload(5, FEW_JOBS, name="enough")
    assert judge([judged], others=[large, enough]).logs[0].others == ("large", "enough")


def test_logs_of_few_jobs_lend_where_there_are_no_others() -> None:
    logs = [LogReplays(recorded_workload(seed, 3), "fifo", Work()) for seed in (3, 4)]
    assert lenders_among(logs) == logs


# ---- a line, and fetching behind it

LINE = replace(TRUE, launched_ahead=2)


def test_fetching_is_that_of_logs_in_which_jobs_waited_in_line() -> None:
    long = shown(50, fetches=(5.0,))
    assert lent_overheads([long, shown(6, LINE)], HEARTBEAT).overheads.fetch == pytest.approx(1.8)
    assert lent_overheads([long, shown(6, LINE)], HEARTBEAT).fetches == pytest.approx([1.8])
    assert lent_overheads([long, shown(6)], HEARTBEAT).overheads.fetch == pytest.approx(5.0)


def small_jobs(count: int) -> Workload:
    jobs = tuple(Job(f"J{i}", Stage.of(3, 2.0), Stage.of(1, 2.0), arrival=0.3 * i) for i in range(count))
    return Workload("burst", jobs, Cluster(8, 4))


def test_fetching_does_not_run_away_in_a_line() -> None:
    """46 small jobs that come at once: what each fetches, all behind it wait for."""
    burst = small_jobs(46)

    def makespan(overheads: Overheads) -> float:
        return simulate(burst, replace(burst.cluster, overheads=overheads), PolicyChoice("fifo")).makespan

    true = replace(TRUE, launched_ahead=2, launch_delay=6.0)
    seen = shown(8, true, delays=(6.0,))
    lent = lent_overheads([seen, shown(46, fetches=(5.0,))], HEARTBEAT).overheads
    run_away = makespan(replace(true, fetch=5.0)) / makespan(true) - 1
    assert run_away > 0.2
    assert abs(makespan(replace(lent, launch_delay=6.0)) / makespan(true) - 1) < run_away / 4


def test_a_line_is_usual_where_logs_have_too_few_jobs_to_show_one() -> None:
    few = [shown(3, fetches=(1.8, 1.8, 9.0)), shown(2, fetches=(5.0, 5.0))]
    lent = lent_overheads(few, HEARTBEAT, assumes_line=True)
    assert lent.overheads.launched_ahead == 2
    assert lent.overheads.fetch == pytest.approx(1.8), "the shortest, as all behind wait for it"
    assert len(lent.fetches) == 0
    slow = [shown(3, fetches=(5.0, 9.0)), shown(2, fetches=(6.0,))]
    assert lent_overheads(slow, HEARTBEAT, assumes_line=True).overheads.fetch == HEARTBEAT
    assert lent_overheads(few, HEARTBEAT).overheads.launched_ahead == 0, "a log's own are what it shows"
    for more in (shown(3, taskless=3), shown(5)):
        with_it = lent_overheads([*few, more], HEARTBEAT, assumes_line=True).overheads
        assert with_it.launched_ahead == 0
    with_line = lent_overheads([*few, shown(3, LINE)], HEARTBEAT, assumes_line=True)
    assert len(with_line.fetches) == 1


def test_logs_of_few_jobs_lend_the_usual_line_to_others_alone() -> None:
    few = [LogReplays(recorded_workload(3, 3), "fifo", Work())]
    lent, own = fitted_overheads(few, are_lent=True), fitted_overheads(few)
    assert lent is not None
    assert own is not None
    assert (lent.overheads.launched_ahead, own.overheads.launched_ahead) == (2, 0)


# ---- draws


def test_draws_are_as_wide_as_what_the_logs_waited() -> None:
    """Of 20 draws each has a twentieth of the waits, whatever their order; few waits reach too short."""
    delays = np.linspace(2.0, 10.0, 101).tolist()
    lent = lent_overheads([shown(101, delays=delays, fetches=(1.0, 2.0, 3.0))], HEARTBEAT)
    drawn = [lent.drawn(draw) for draw in range(DRAWS)]
    launches = sorted(each.launch_delay for each in drawn)
    wider = [6 + (2 + 8 * (place + 0.5) / DRAWS - 6) * 102 / 100 for place in range(DRAWS)]
    assert launches == pytest.approx(wider, abs=2e-3)
    fetches = [each.fetch for each in drawn]
    assert min(fetches) == pytest.approx(2 - 0.95 * 2, abs=0.01), "from 1 to 3 s: 0 to 4 s, less half a draw"
    assert max(fetches) == pytest.approx(2 + 0.95 * 2, abs=0.01)
    assert fetches != sorted(fetches)
    assert drawn == [lent.drawn(draw) for draw in range(DRAWS)], "the same bits"
    same = {replace(each, launch_delay=0.0, fetch=0.0) for each in drawn}
    assert len(same) == 1, "nothing else is drawn"


def test_nothing_is_drawn_that_logs_do_not_show() -> None:
    nothing = np.zeros(0)
    still = LentOverheads(replace(TRUE, heartbeat=0.0), nothing, nothing)
    assert not still.varies
    assert still.drawn(3) == still.overheads
    assert LentOverheads(TRUE, nothing, nothing).varies
    assert LentOverheads(still.overheads, np.array([1.0, 2.0]), nothing).varies
    assert not LentOverheads(still.overheads, np.array([1.0, 1.0]), nothing).varies
    one = LentOverheads(TRUE, np.array([7.0]), nothing)
    assert one.drawn(0).launch_delay == 7.0


def test_the_interval_covers_jobs_of_a_cluster_whose_launches_vary() -> None:
    """Launches of the judged log take 1 to 9 s; the range of heartbeats alone would miss most jobs."""
    logs = [spread_launches(seed) for seed in (3, 4, 5)]
    judged = judge(logs)
    held, asked = judged.in_range
    assert asked == 36
    assert held >= 0.75 * asked
    still = judge([recorded_workload(3, 12, name="log"), *logs[1:]]).logs[0]
    low, high = still.headline.ranges
    assert np.median(high - low) > 5


def spread_launches(seed: int) -> Workload:
    """Return a log whose jobs were launched 1 to 9 s after their submission; all else follows from that."""
    workload = recorded_workload(seed, 12, name=f"log{seed}")
    run = workload.recorded
    assert run is not None
    later = np.random.default_rng(seed).uniform(-1.0, 7.0, 12)
    return replace(
        workload,
        recorded=replace(
            run,
            launch=run.launch + later,
            finish=run.finish + later,
            start=run.start + later[run.job],
            end=run.end + later[run.job],
        ),
    )
