"""Runs that need but an order on typed slots have a compiled engine of their own: the same one, faster."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.compiled import compiled_advance
from core.engine.records import CLUSTER
from core.engine.variants import TYPED, EngineVariant
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.composing.kernel import compiled_kernel, kernels
from core.policies.registry import policy_class
from core.simulation.simulate import Simulation
from tests.core.engine.strategies import Case, cases
from tests.random_tests import examples

ORDERS = ("fifo", "order", "sjf", "johnson", "johnson-reverse", "edf-max")
DECIDERS = ("edf-min", "fair", "capacity", "dhfs-pi", "dhfs-pd", "omo", "flex")
WRITTEN = ("slot", "sequence", "start", "shuffled", "end", "slot_stage", "finish")


@pytest.mark.parametrize(
    ("policy", "plain"), [*((policy, True) for policy in ORDERS), *((policy, False) for policy in DECIDERS)]
)
def test_it_is_for_orders_on_typed_slots_alone(policy: str, plain: bool) -> None:
    engine = compiled_advance(EngineVariant.PLAIN)
    assert (kernels(policy_class(policy), True, TYPED)[1] is engine) == plain
    assert kernels(policy_class(policy), True)[1] is not engine


@pytest.mark.parametrize(("cluster", "plain"), [(Cluster(2, 1), True), (Cluster(0, 0, containers=2), False)])
def test_untyped_slots_have_the_engine_for_everything(cluster: Cluster, plain: bool) -> None:
    """There the first job gets a container for its map or its reduce: only the policy's kernel can tell."""
    workload = Workload("w", (Job("J1", Stage.of(3, 1.0), Stage.of(2, 1.0)),))
    simulation = Simulation(workload, cluster, PolicyChoice("fifo"), engine="compiled")
    assert (simulation._advance is compiled_advance(EngineVariant.PLAIN)) == plain


@examples(25)
@given(case=cases(), until=st.integers(0, 15))
def test_both_engines_leave_the_same_state(case: Case, until: int) -> None:
    """Not the schedule alone: also every count that explanations and other policies read, at any time."""
    cluster = replace(
        case.cluster, nodes=(), contention=(), reduce_load=0, containers=0, map_slots=2, reduce_slots=3
    )
    fifo = policy_class("fifo")
    states = []
    for engine in (compiled_advance(EngineVariant.PLAIN), compiled_advance(EngineVariant.GENERAL)):
        state = Simulation(case.workload, cluster, PolicyChoice("fifo"), engine="compiled")._state
        engine(compiled_kernel(fifo), float(until), 1000, state)
        states.append(state)
    one, other = states
    for name in WRITTEN:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    for records in ("job", "pool"):
        for name in getattr(one, records).dtype.names:
            if name != "changed":  # links for policies that keep answers
                assert getattr(one, records)[name].tolist() == getattr(other, records)[name].tolist(), name
    counts = [name for name in CLUSTER.names or () if name != "changed"]
    assert [one.cluster[n].tolist() for n in counts] == [other.cluster[n].tolist() for n in counts]


def test_a_plain_run_counts_the_maps_that_wait_of_jobs_whose_reduces_have_started() -> None:
    """One map slot and one reduce slot: at second 1 J1's second map waits, and its reduce holds a slot."""
    jobs = (
        Job("J1", Stage.of(2, 5.0), Stage.of(1, 5.0)),
        Job("J2", Stage.of(1, 5.0), Stage.of(1, 5.0)),
    )
    for variant in (EngineVariant.PLAIN, EngineVariant.GENERAL):
        run = Simulation(
            Workload("w", jobs), Cluster(1, 1, slowstart=0.0), PolicyChoice("fifo"), engine="compiled"
        )
        compiled_advance(variant)(compiled_kernel(policy_class("fifo")), 1.0, 1000, run._state)
        assert int(run._state.cluster["backlog"].item()) == 1  # of J1; no reduce of J2 has started
