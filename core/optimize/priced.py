"""What prices of slots prove of an objective: those that never rise, and those of instants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.progress import never_stop
from core.optimize.instant_prices import has_instants, price_instants
from core.optimize.plan_costs import MAKESPAN, STRETCH

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.instant_prices import InstantPrices
    from core.optimize.objectives import Objective
    from core.optimize.slot_prices import Prices

    Floats = NDArray[np.float64]


class PricingTime(NamedTuple):
    """How long prices of slots are looked for, by the clock.

    Attributes
    ----------
    is_enough : whether to look for better ones no further
    must_stop : whether not even those that are begun are wanted
    is_over : called when they are there
    """

    is_enough: Callable[[], bool]
    must_stop: Callable[[], bool]
    is_over: Callable[[], None]


class Priced(NamedTuple):
    """What prices of slots prove of an objective."""

    objective: Objective
    bound: float
    prices: Prices
    instants: InstantPrices | None = None

    @property
    def ends(self) -> list[Floats]:
        """When jobs end at the prices, s, (jobs,) each: a plan each."""
        instants = [] if self.instants is None else [*self.instants.ends]
        return [*self.prices.ends, *instants]

    @property
    def proof(self) -> dict[str, Any]:
        """The rule that proves the bound, with its numbers."""
        return (self.prices if self.instants is None else self.instants).proof

    @classmethod
    def of(
        cls,
        objective: Objective,
        known: Priced | None,
        workload: Workload,
        cluster: Cluster,
        alone: Floats | None,
        should_stop: Callable[[], bool] = never_stop,
        is_enough: Callable[[], bool] = never_stop,
        *,
        compiled: bool = True,
        with_cases: bool = True,
    ) -> Priced:
        """Return what prices prove of an objective that has any; what is known of it is not looked for anew.

        Where jobs arrive, every instant has a price of its own, too: these stay where they prove more.

        Parameters
        ----------
        known : of an objective of the same jobs and cluster, perhaps another one
        compiled : whether to use compiled code; without it instants have no prices
        is_enough, with_cases : as of `core.optimize.price_ascent.price_slots`
        """
        if known is not None and known.objective == objective:
            return known
        found = objective.priced(workload, cluster, alone, should_stop, is_enough, with_cases=with_cases)
        assert found is not None
        bound, prices = found
        costs, mix = objective.job_costs(workload), objective.mix()
        if costs is None or not (compiled and has_instants(workload, costs)) or mix[MAKESPAN] or mix[STRETCH]:
            return cls(objective, *found)
        instants = price_instants(workload, cluster, costs, prices, should_stop, is_enough)
        proved = instants.bound - float((costs.second * workload.columns.arrival).sum())
        return cls(objective, proved, prices, instants) if proved > bound else cls(objective, *found)
