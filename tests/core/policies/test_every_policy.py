"""What holds for every policy of the registry, whatever it does: one that is added is tested here at once."""

from __future__ import annotations

from functools import cache
from itertools import product
from os.path import basename
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.open_workload import open_workload
from core.files.samples import load_sample, samples
from core.logs.open_log import open_trace
from core.model.errors import InputError, StalledError
from core.model.schedule import PolicyChoice
from core.model.stages import MAP_REDUCE
from core.planning.pool_cut import PoolCut, Trial
from core.policies.composing.hooks import hooks_of
from core.policies.composing.kernel import kernels
from core.policies.registry import describe, policies, policy_class
from tests import random_tests
from tests.builders import run
from tests.core.engine import rules
from tests.core.engine.compared import bits
from tests.core.engine.strategies import clusters, estimates, values_of, workloads
from tests.core.logs.collected_logs import HAND, REAL
from tests.paths import TRACES, real_logs
from tests.random_tests import examples, some_jobs

if TYPE_CHECKING:
    from core.model.partition import Partition
    from core.model.schedule import Schedule
    from core.model.workload import Workload

INTERPRETED = 10_000 if random_tests.is_thorough else 2000
"""Workloads of fewer tasks are simulated by interpreted code as well."""
IDS = [description.id for description in policies()]
DECLINING = {"admits", "pool_admits", "lends", "choose"}
NEVER_IDLE = ("dhfs-pd", "dynamic-fifo-pd")
"""Policies with such a hook that leave no slot idle all the same."""


LOGS = (
    *(REAL or HAND),
    *real_logs(
        *(f"spark-rapids-tools/{name}_eventlog.gz" for name in ("join_agg_on_yarn", "rp_sql")),
        "sparklens/local-1532512550423",
        "swim/Additional_Workloads_Placeholder.tsv",
        "swim/FB-2009_samples_24_times_1hr_0_first50jobs.tsv",
    ),
)
DAYS = {
    "swim/FB-2009_samples_24_times_1hr_0.tsv": {},
    "swim/FB-2010_samples_24_times_1hr_0.tsv.gz": {"map_size": 8192.0, "reduce_size": 16384.0},
}
"""A whole day each, and how its bytes become tasks; by the usual sizes 2010 has nine millions of them."""


def broken_rules(schedule: Schedule, *, may_idle: bool) -> dict[str, list[str]]:
    """Check all rules, or all but that no slot idles for nothing."""
    is_plain = all(job.graph == MAP_REDUCE for job in schedule.workload.jobs)
    kept = list(rules.RULES if is_plain else rules.OF_GRAPHS)
    if may_idle and is_plain:
        kept.remove(rules.no_slot_idles_while_a_task_could_start)
    return {rule.__name__: found for rule in kept if (found := rule(schedule))}


def may_decline(policy: str) -> bool:
    """Whether some hook may say no to a task although a slot is free."""
    if policy in NEVER_IDLE:
        return False
    functions = hooks_of(policy_class(policy)).functions
    searches = any(hasattr(policy_class(policy), hook) for hook in ("partition", "search"))
    return searches or bool(DECLINING & functions.keys())


@pytest.mark.parametrize("policy", IDS)
def test_it_compiles(policy: str) -> None:
    """Otherwise it would quietly run interpreted."""
    assert kernels(policy_class(policy), compile_it=True)[0].nopython_signatures


@pytest.mark.parametrize("policy", IDS)
@examples(8)
@given(data=st.data())
def test_both_engines_agree_and_every_rule_is_kept(policy: str, data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload))
    given_values = {p.name: data.draw(values_of(p)) for p in describe(policy).parameters if p.type != "text"}
    choice = PolicyChoice(policy, given_values, data.draw(estimates()))
    try:
        compiled = run(workload, cluster, choice, engine="compiled")
    except (StalledError, InputError) as refused:
        if isinstance(refused, StalledError) and not cluster.nodes:
            raise  # only of a node may reduces hold the memory that a map needs
        with pytest.raises(type(refused)):
            run(workload, cluster, choice, engine="interpreted")
        return
    assert not compiled.interpreted_because
    interpreted = run(workload, cluster, choice, engine="interpreted")
    assert bits(compiled) == bits(interpreted)
    assert broken_rules(compiled, may_idle=may_decline(policy)) == {}


@pytest.mark.parametrize("sample", [sample.name for sample in samples()])
@pytest.mark.parametrize("policy", IDS)
def test_samples(policy: str, sample: str) -> None:
    workload = load_sample(sample)
    check_workload(some_jobs(workload) if policy == "balanced-pools" else workload, policy)


@cache
def imported(log: str) -> Workload:
    """Return the workload of a log."""
    return open_workload(TRACES / log).workload


def pairs() -> list[tuple[str, str]]:
    """Return each policy with every fifth log, in turn; with all of them where tests are thorough."""
    return list(product(IDS, LOGS))[:: 1 if random_tests.is_thorough else 5]


@pytest.mark.parametrize(("policy", "log"), pairs(), ids=basename)
def test_logs(policy: str, log: str) -> None:
    check_workload(imported(log), policy)


@cache
def imported_day(log: str) -> Workload:
    """Return the workload of a whole day."""
    return open_trace([TRACES / log], parameters=DAYS[log]).workload


def days() -> list[tuple[str, str]]:
    """Return every tenth policy with a day, in turn; all with both days where tests are thorough."""
    each = list(product(IDS, real_logs(*DAYS)))
    return each if random_tests.is_thorough else [pair for i, pair in enumerate(each) if i % 20 in (0, 5)]


@pytest.mark.parametrize(("policy", "log"), days())
def test_days_of_thousands_of_jobs(policy: str, log: str) -> None:
    workload = imported_day(log)
    # to search pools for so many jobs takes an hour: what runs in pools is shown some
    pools = some_pools(workload) if policy == "balanced-pools" else None
    schedule = run(workload, workload.cluster, policy, partition=pools, engine="compiled")
    assert not schedule.interpreted_because
    assert broken_rules(schedule, may_idle=True) == {}


def some_pools(workload: Workload) -> Partition:
    """Cut jobs and slots in two, as one trial of the search does."""
    cut = PoolCut(workload, workload.cluster)
    split, size = len(workload.jobs) // 2, max(cut.slots) // 3
    return cut.partition(Trial((split,), (size,), (0.0, 0.0)))


def check_workload(workload: Workload, policy: str) -> None:
    """Simulate on the suggested cluster; both engines, where that does not take long."""
    try:
        schedule = run(workload, workload.cluster, policy, engine="compiled")
    except InputError:
        return  # this policy is for another kind of cluster
    assert not schedule.interpreted_because
    # whether a slot idles is asked of whole seconds only: instants may differ by a rounding here
    assert broken_rules(schedule, may_idle=True) == {}
    if schedule.tasks < INTERPRETED:
        assert bits(schedule) == bits(run(workload, workload.cluster, policy, engine="interpreted"))
