"""Sharing and deadline policies: compiled, interpreted and naive simulators agree to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StalledError
from core.policies.registry import describe
from tests.builders import run
from tests.core.engine.strategies import clusters, workloads
from tests.core.engine.test_oracle import ENGINES, columns, naive_columns
from tests.naive_sharing import TWINS

if TYPE_CHECKING:
    from core.cluster import Cluster
    from core.parameters import Parameter
    from core.workload import Workload


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Both or all choices; of a number its ends, its default and something between."""
    if parameter.type == "boolean":
        return st.booleans()
    if parameter.type == "choice":
        return st.sampled_from(parameter.choices)
    assert parameter.min is not None
    assert parameter.max is not None
    low, high = parameter.min, parameter.max
    return st.sampled_from((low, (low + high) / 3, parameter.default, high))


def agree(workload: Workload, cluster: Cluster, policy: str, **parameters: Any) -> None:
    """Check one case on both engines."""
    twin = TWINS[policy](workload, cluster, **parameters).run()
    for engine in ENGINES:
        if twin.stalled:
            with pytest.raises(StalledError, match="no task can end"):
                run(workload, cluster, policy, engine=engine, **parameters)
        else:
            schedule = run(workload, cluster, policy, engine=engine, **parameters)
            assert columns(schedule) == naive_columns(twin), engine


@pytest.mark.parametrize("policy", TWINS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_random_small_workloads(policy: str, data: st.DataObject) -> None:
    workload = data.draw(workloads())
    parameters = {p.name: data.draw(values_of(p)) for p in describe(policy).parameters}
    agree(workload, data.draw(clusters(workload)), policy, **parameters)
