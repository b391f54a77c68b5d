"""Ten policies of the literature do what their papers say, by hand on one or two slots."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from core.files.resources import resource_path
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.user_files.policy_file import load_policy_file
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload
from tests.paths import ROOT

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.model.workload import Workload

GB = 1024
TEN = ("edf_preempting", "equi", "hrrn", "las", "llf", "max_min", "mlfq", "srpt", "stride", "wspt")
MORE = ("delay", "drf", "tetris", "late")
"""Further files: of clusters of nodes, and of slow tasks."""
PAGE = (ROOT / "docs/how-to/policies-of-the-literature.md").read_text("utf-8")


def run(name: str, workload: Workload, slots: int | Cluster = 1, **parameters: object) -> Schedule:
    """Simulate under a file of the cookbook; both engines agree, and compiled code is used."""
    cluster = Cluster(slots, 1) if isinstance(slots, int) else slots
    register_policy("cookbook", load_policy_file(resource_path("policies", f"{name}.py")))
    choice = PolicyChoice("cookbook", parameters)
    compiled, interpreted = (
        simulate(workload, cluster, choice, engine=engine) for engine in ("compiled", "interpreted")
    )
    assert compiled.interpreted_because == ""
    assert compiled.start.tobytes() == interpreted.start.tobytes()
    assert compiled.end.tobytes() == interpreted.end.tobytes()
    return compiled


def test_the_highest_ratio_goes_first() -> None:
    """At 10 s B has waited 9 s for 9 s of work, a ratio of 2; C has waited 3 s for 2 s, a ratio of 2.5."""
    jobs = (
        make_job("A", (1, 10.0)),
        make_job("B", (1, 9.0), arrival=1.0),
        make_job("C", (1, 2.0), arrival=7.0),
    )
    assert run("hrrn", make_workload(*jobs)).finish.tolist() == [10, 21, 12]


def test_the_least_work_for_its_weight_goes_first() -> None:
    """A has 4 s of work for weight 1, B 6 s for weight 3, which is 2 s for each."""
    jobs = (make_job("A", (1, 4.0)), make_job("B", (1, 6.0), weight=3.0))
    assert run("wspt", make_workload(*jobs)).finish.tolist() == [10, 6]


def test_who_has_had_the_least_goes_first() -> None:
    """Two jobs of four tasks of a second take turns on a slot."""
    assert run("las", make_workload(make_job("A", (4, 1.0)), make_job("B", (4, 1.0)))).finish.tolist() == [
        7,
        8,
    ]


def test_a_job_sinks_when_it_has_used_up_its_queue() -> None:
    """A has had 3 s when B comes and so is in the second queue, of 2 s and more; B goes first."""
    workload = make_workload(make_job("A", (6, 1.0)), make_job("B", (2, 1.0), arrival=3.0))
    assert run("mlfq", workload, first=2.0).finish.tolist() == [8, 5]
    assert run("mlfq", workload, first=60.0).finish.tolist() == [6, 8]  # both in the first: as they came


def test_strides_are_as_weights_are() -> None:
    """Of the first eight tasks six are of the pool of weight 3, two of that of weight 1."""
    workload = make_workload(make_job("A", (8, 1.0), pool="red"), make_job("B", (8, 1.0), pool="blue"))
    pools = [Pool("red", weight=3.0), Pool("blue", weight=1.0)]
    schedule = run("stride", workload.with_pools(pools))
    first = schedule.sequence[:8]
    assert schedule.workload.columns.job[first].tolist().count(0) == 6


def test_an_earlier_deadline_takes_the_slot() -> None:
    """A runs since 0 s and is killed at 4 s for B, which has to end by 8 s; then A begins again."""
    jobs = (make_job("A", (1, 10.0), deadline=30.0), make_job("B", (1, 3.0), arrival=4.0, deadline=8.0))
    assert run("edf_preempting", make_workload(*jobs)).finish.tolist() == [17, 7]
    later = (make_job("A", (1, 10.0), deadline=30.0), make_job("B", (1, 3.0), arrival=4.0, deadline=40.0))
    assert run("edf_preempting", make_workload(*later)).finish.tolist() == [10, 13]


def test_the_least_time_to_spare_goes_first() -> None:
    """A has to end by 20 s, B by 9 s with 6 s of work."""
    jobs = (make_job("A", (1, 4.0), deadline=20.0), make_job("B", (1, 6.0), deadline=9.0))
    assert run("llf", make_workload(*jobs)).finish.tolist() == [10, 6]


def test_slots_are_shared_evenly() -> None:
    """On two slots each of two jobs holds one; with weight 3 on four slots A holds three."""
    pair = make_workload(make_job("A", (4, 2.0)), make_job("B", (4, 2.0)))
    assert run("max_min", pair, 2).finish.tolist() == [8, 8]
    heavy = make_workload(make_job("A", (6, 2.0), weight=3.0), make_job("B", (2, 2.0)))
    assert run("max_min", heavy, 4).finish.tolist() == [4, 4]


def test_no_job_holds_more_than_its_part() -> None:
    """Of four slots two jobs hold two each; what one cannot use stays free."""
    workload = make_workload(make_job("A", (8, 1.0)), make_job("B", (8, 1.0)))
    assert run("equi", workload, 4).finish.tolist() == [4, 4]
    uneven = make_workload(make_job("A", (8, 1.0)), make_job("B", (1, 4.0)))
    assert run("equi", uneven, 4).finish.tolist() == [4, 4]  # A on two slots while B is there


def test_less_work_left_takes_the_slot() -> None:
    """B with 2 s takes the slot of A at 1 s; A begins again at 3 s."""
    workload = make_workload(make_job("A", (1, 10.0)), make_job("B", (1, 2.0), arrival=1.0))
    assert run("srpt", workload).finish.tolist() == [13, 3]


def one_node(memory_gb: int, cores: int, map_request: Request, reduce_request: Request) -> Cluster:
    node = NodeGroup(1, memory_gb * GB, cores)
    return Cluster(0, 0, nodes=(node,), map_request=map_request, reduce_request=reduce_request)


def test_dominant_shares_are_equal() -> None:
    """The example of the paper: 9 cores and 18 GB; A's tasks take 1 core and 4 GB, B's 3 cores and 1 GB.

    Three tasks of A and two of B run, two thirds of the memory and two thirds of the cores.
    """
    cluster = one_node(18, 9, Request(4 * GB, 1), Request(GB, 3))
    jobs = (make_job("A", (9, 1.0), (0,)), make_job("B", (0,), (9, 1.0)))
    schedule = run("drf", make_workload(*jobs), cluster)
    at_first = schedule.workload.columns.job[schedule.start == 0].tolist()
    assert (at_first.count(0), at_first.count(1)) == (3, 2)


def test_tasks_are_packed_by_what_is_free() -> None:
    """A node of 10 GB and 10 cores; maps take 5 GB and 1 core, reduces 1 GB and 4 cores.

    Parts of it: a map scores 0.5 + 0.1, a reduce 0.1 + 0.4, so a map starts. Of what is then free, 0.5 and
    0.9, a map scores 0.25 + 0.09 and a reduce 0.05 + 0.36: two reduces start, and no core is left for a map
    but one. So it is at 1 s; at 2 s the last two maps run. FIFO runs maps two by two, then reduces: 4 s.
    """
    cluster = one_node(10, 10, Request(5 * GB, 1), Request(GB, 4))
    workload = make_workload(make_job("A", (4, 1.0), (0,)), make_job("B", (0,), (4, 1.0)))
    assert run("tetris", workload, cluster).start.tolist() == [0, 1, 2, 2, 0, 0, 1, 1]
    assert simulate(workload, cluster, PolicyChoice("fifo")).makespan == 4


def test_a_job_waits_for_a_local_node() -> None:
    """Two nodes with room for one map each; A's five maps of 2 s lie on node 0, 0, 1, 0 and 0, B's on node 1.

    At 0 s A starts a local map on each node. B arrives at 1 s. At 2 s A, which came first, starts its next
    map on node 0; on node 1, where it has nothing left, it is passed over, and B starts, until 3 s. From then
    on node 1 has the input of nobody. A is passed over since 2 s, but starts on node 0 at 4 s and at 6 s, so
    it never waits for 5 s: it ends at 8 s. With a wait of 1.5 s it takes node 1 at 3.5 s and reads from node
    0, which takes 7 s instead of 2 s; without any wait so at 3 s.
    """
    a = make_job("A", (5, 2.0), input_nodes=((0,), (0,), (1,), (0,), (0,)), remote_read=5.0)
    b = make_job("B", (1, 1.0), arrival=1.0, input_nodes=((1,),), remote_read=5.0)
    node = NodeGroup(2, GB, 1)
    cluster = Cluster(0, 0, nodes=(node,), map_request=Request(GB, 1), reduce_request=Request(GB, 1))
    patient = run("delay", make_workload(a, b), cluster, wait=5.0)
    assert patient.start.tolist() == [0, 2, 0, 4, 6, 2]
    assert patient.slot.tolist() == [0, 0, 1, 0, 0, 1]
    assert patient.finish.tolist() == [8, 3]
    assert not patient.reads_remotely.any()
    short = run("delay", make_workload(a, b), cluster, wait=1.5)
    assert short.start.tolist() == [0, 2, 0, 3.5, 4, 2]
    assert short.finish.tolist() == [10.5, 3]
    hasty = run("delay", make_workload(a, b), cluster, wait=0.0)
    assert hasty.start.tolist() == [0, 2, 0, 3, 4, 2]
    assert hasty.finish.tolist() == [10, 3]


def test_late_copies_what_would_end_last() -> None:
    """At 10 s slots are free; of the two slow maps that with 30 s to go gets the one copy, until 20 s.

    Then the other one, with 5 s to go, gets a copy as well, which ends at 30 s and so is killed at 25 s.
    """
    durations = (25.0, 40.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0)
    jobs = make_workload(make_job("A", (8, durations)))
    schedule = run("late", jobs, 8)
    assert schedule.end.tolist() == [25, 20, 10, 10, 10, 10, 10, 10]
    assert schedule.start.tolist() == [0, 10, 0, 0, 0, 0, 0, 0]
    assert schedule.given_up is not None
    assert schedule.given_up.run.start.tolist() == [0, 20]
    assert schedule.given_up.run.end.tolist() == [20, 25]
    both = run("late", jobs, 8, cap=0.25)  # two copies at once: the first map has one, too
    assert both.end.tolist() == [20, 20, 10, 10, 10, 10, 10, 10]
    none = run("late", make_workload(make_job("A", (8, durations)), make_job("B", (99, 10.0))), 8)
    assert none.end[:2].tolist() == [25, 40]  # while tasks wait there are no copies


@pytest.mark.parametrize("name", TEN + MORE)
def test_the_page_has_each_with_its_paper(name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("|") and f"`{name}.py`" in line)
    text = resource_path("policies", f"{name}.py").read_text("utf-8")
    code = [line for line in text[text.index("class ") :].splitlines() if line.strip()]
    assert 4 <= len(code) <= 40
    if name != "srpt":
        assert "Left out here" in text
        years = set(re.findall(r"\b(1[89]\d\d|20\d\d)\b", text.split('"""')[1]))
        assert years & set(re.findall(r"\b(?:1[89]|20)\d\d\b", row))


def test_the_page_has_no_others() -> None:
    rows = [line for line in PAGE.splitlines() if re.match(r"\| \*\*", line)]
    assert len(rows) == len(TEN + MORE)
