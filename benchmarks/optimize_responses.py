"""The part `response` of `benchmarks.optimize`: what slots are worth, for responses and deadlines.

Beside what is measured stands what the first prototype of prices reached from seed 60613, and what the search
reached before it: gaps to the bound of each.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.markdown import print_table
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.levers import LEVERS
from core.optimize.bounds import lower_bound
from core.optimize.evaluate import alone_seconds, finishes
from core.optimize.levers import plan_of
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.optimize.search_columns import tasks_of, usual_after
from core.optimize.starts import row_of, starts_of_prices

if TYPE_CHECKING:
    from core.model.workload import Workload

FACEBOOK: tuple[str, dict[str, Any]] = ("facebook", {"jobs": 100})
SYNTHETIC1: tuple[str, dict[str, Any]] = ("synthetic1", {"jobs": 100, "bimodal": True})
SYNTHETIC2: tuple[str, dict[str, Any]] = ("synthetic2", {"jobs": 100, "bimodal": True})
YAHOO: tuple[str, dict[str, Any]] = ("yahoo", {"jobs": 100, "bimodal": True})
SYNTHETIC1_UNIMODAL: tuple[str, dict[str, Any]] = ("synthetic1", {"jobs": 100, "bimodal": False})
YAHOO_UNIMODAL: tuple[str, dict[str, Any]] = ("yahoo", {"jobs": 100, "bimodal": False})
FEW_OF_SYNTHETIC1: tuple[str, dict[str, Any]] = ("synthetic1", {"jobs": 20, "bimodal": True})
FEW_OF_SYNTHETIC2: tuple[str, dict[str, Any]] = ("synthetic2", {"jobs": 20, "bimodal": True})


class Before(NamedTuple):
    """What was reached before prices, and by their first prototype, for mean response: s and % above bounds.

    Attributes
    ----------
    best, bound, gap : of the search before, after 5 s
    prices : bound of the prototype
    above : how far the search before is above that
    order, reached, prices_gap : of the prototype without a search, and in all
    """

    best: int
    bound: int
    gap: float
    prices: int
    above: float
    order: float
    reached: int
    prices_gap: float


CELLS: tuple[tuple[str, tuple[str, dict[str, Any]], int, Before], ...] = (
    ("Facebook, 48+48", FACEBOOK, 48, Before(2283, 2020, 13.0, 2068, 10.4, 3.0, 2098, 1.48)),
    ("Facebook, 64+64", FACEBOOK, 64, Before(1926, 1711, 12.5, 1773, 8.6, 2.8, 1786, 0.77)),
    ("Facebook, 128+128", FACEBOOK, 128, Before(1461, 1248, 17.1, 1367, 6.9, 2.0, 1375, 0.59)),
    ("Facebook, 256+256", FACEBOOK, 256, Before(1271, 1194, 6.5, 1215, 4.6, 0.5, 1218, 0.25)),
    ("Synthetic1 bimodal, 64+64", SYNTHETIC1, 64, Before(62020, 56097, 10.6, 59182, 4.8, 3.5, 60169, 1.67)),
    (
        "Synthetic1 bimodal, 128+128",
        SYNTHETIC1,
        128,
        Before(38580, 34499, 11.8, 36668, 5.2, 2.3, 37045, 1.03),
    ),
    (
        "Synthetic1 bimodal, 256+256",
        SYNTHETIC1,
        256,
        Before(27211, 23700, 14.8, 25901, 5.1, 1.4, 26070, 0.65),
    ),
    (
        "Synthetic1 unimodal, 100+100",
        SYNTHETIC1_UNIMODAL,
        100,
        Before(96570, 81233, 18.9, 87733, 10.1, 2.5, 88996, 1.44),
    ),
    ("Synthetic2, 64+64", SYNTHETIC2, 64, Before(7231, 6512, 11.0, 6800, 6.3, 2.5, 6899, 1.46)),
    ("Synthetic2, 128+128", SYNTHETIC2, 128, Before(4335, 3858, 12.4, 4024, 7.7, 2.3, 4079, 1.38)),
    ("Synthetic2, 256+256", SYNTHETIC2, 256, Before(2900, 2530, 14.6, 2723, 6.5, 1.8, 2750, 0.97)),
    ("Yahoo bimodal, 64+64", YAHOO, 64, Before(89065, 86229, 3.3, 86948, 2.4, 1.5, 87522, 0.66)),
    ("Yahoo bimodal, 128+128", YAHOO, 128, Before(46452, 44426, 4.6, 44739, 3.8, 1.3, 45066, 0.73)),
    (
        "Yahoo unimodal, 200+200",
        YAHOO_UNIMODAL,
        200,
        Before(74542, 71109, 4.8, 71485, 4.3, 1.5, 72138, 0.91),
    ),
    (
        "Synthetic1 bimodal, 20 jobs, 64+64",
        FEW_OF_SYNTHETIC1,
        64,
        Before(27660, 25249, 9.6, 26738, 3.4, 2.5, 27087, 1.31),
    ),
    (
        "Synthetic2, 20 jobs, 64+64",
        FEW_OF_SYNTHETIC2,
        64,
        Before(2962, 2769, 7.0, 2868, 3.3, 3.2, 2915, 1.64),
    ),
)
"""Name, workload, slots of each kind, and what was reached from the seed `BEFORE`."""
BEFORE = 60613
GOALS = ("mean-response", "weighted-response", "tardiness")
CLOCKS = {"wall": time.monotonic, "processor": time.process_time}


def drawn(family: str, parameters: dict[str, Any], seed: int, cluster: Cluster) -> Workload:
    """Return jobs with weights of 1 to 10, due up to half of the bound of all after what each takes alone."""
    workload = generate(family, seed=seed, parameters=parameters)
    random = np.random.default_rng(seed)
    weights = random.integers(1, 11, len(workload.jobs))
    due = alone_seconds(workload, cluster) + random.uniform(0, 0.5, len(weights)) * lower_bound(
        workload, cluster
    )
    return workload.with_jobs(
        replace(job, weight=float(weight), deadline=float(when))
        for job, weight, when in zip(workload.jobs, weights, due, strict=True)
    )


def without_a_search(workload: Workload, cluster: Cluster) -> tuple[float, float, float]:
    """Return the bound on mean response, the best plan by prices alone, and the seconds that prices took."""
    objective = Objective.of("mean-response")
    began = time.process_time()
    priced = objective.priced(workload, cluster)
    taken = time.process_time() - began
    assert priced is not None
    t = tasks_of(workload, cluster)
    usual = usual_after(t, cluster)
    about = t, usual, LEVERS, lower_bound(workload, cluster)
    starts = [start for ends in priced[1].ends for start in starts_of_prices(ends, *about)]
    plans = [plan_of(row_of(start, t, 1), workload, usual) for start in starts]
    best = min(objective.value(workload, finish) for finish in finishes(workload, cluster, plans))
    return priced[0], best, taken


def responses(seed: int, effort: dict[str, Any], clock: str) -> None:
    """Print what was reached before beside what is now, and below it the mean and the largest of the gaps.

    Parameters
    ----------
    effort : `seconds` or `steps` of each search
    clock : of `CLOCKS`, what counts seconds
    """
    rows, gaps = [], []
    for name, (family, parameters), size, before in CELLS:
        cluster = Cluster(size, size)
        workload = drawn(family, parameters, seed, cluster)
        bound, order, taken = without_a_search(workload, cluster)
        wishes = {"clock": CLOCKS[clock], "seed": seed, **effort}
        found = [optimize(workload, cluster, objective=Objective.of(goal), **wishes) for goal in GOALS]
        now_gaps = [100 * (order / bound - 1), *(100 * each.gap for each in found)]
        gaps.append([before.gap, before.above, before.order, before.prices_gap, *now_gaps])
        texts = [f"{gap:.2f}" for gap in gaps[-1]]
        then = [str(before.best), str(before.bound), texts[0], str(before.prices), *texts[1:3]]
        now = [f"{bound:.0f}", f"{taken:.2f}", texts[4], f"{found[0].best:.0f}", *texts[5:]]
        rows.append([name, *then, str(before.reached), texts[3], *now])
    for name, values in (("mean", np.mean(gaps, axis=0)), ("largest", np.max(gaps, axis=0))):
        texts = [f"{value:.2f}" for value in values]
        rows.append(
            [f"**{name}**", "", "", texts[0], "", *texts[1:3], "", texts[3], "", "", texts[4], "", *texts[5:]]
        )
    heads = ["", "before, s", "its bound, s", "before, %", "prototype's bound, s", "before above it, %"]
    heads += ["prototype, no search, %", "prototype, s", "prototype, %", "bound, s", "prices after, s"]
    heads += ["no search, %", "best, s", *(f"{goal}, %" for goal in GOALS)]
    each = " ".join(f"{value:g} {unit}" for unit, value in effort.items())
    each += " of processor" * ("seconds" in effort and clock == "processor")
    title = f"Responses and deadlines, seed {seed}, {each} a search; before and prototype: seed {BEFORE}"
    print_table(title, heads, rows)
