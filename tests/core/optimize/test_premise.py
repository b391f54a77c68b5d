"""What bounds take for granted: in the same words everywhere, and one bound for all that stand together."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples import load_sample, sample_paths
from core.measures.compare import own_standing, shared_bound
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.optimize.premise import PLAIN, Premise, gap_text, premise_on
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import clusters, workloads
from tests.paths import ROOT
from tests.random_tests import examples

BESIDE = ("fifo", "johnson", "fair", "dhfs-pi", "dhfs-pd", "flex", "circumflex")


@pytest.mark.parametrize(
    ("premise", "words"),
    [
        (PLAIN, "without sharing scans or lending slots"),
        (replace(PLAIN, has_common_scans=False), "without lending slots"),
        (replace(PLAIN, has_kinds=False), "without sharing scans"),
        (Premise(has_kinds=False, has_common_scans=False), "on these slots"),
        (Premise(has_kinds=False, has_common_scans=False, has_clusters=True), "on any of these clusters"),
        (Premise(lends=True, has_common_scans=False), "even if slots are lent"),
        (Premise(shares_scans=True), "even if scans are shared, without lending slots"),
        (Premise(True, True), "even if scans are shared or slots are lent"),
        (Premise(is_mixed=True), "among what these scenarios do on their slots"),
    ],
)
def test_a_premise_is_said_in_words_that_matter(premise, words):
    assert premise.words == words
    assert gap_text(0.0, premise) == f"optimal {words}"
    assert gap_text(0.5, premise) == "50.0 % above bound"
    assert gap_text(-0.2, premise) == "20.0 % below bound"
    assert premise.claim.startswith("no schedule of these jobs with these durations is shorter ")
    assert premise.claim.endswith(words)


def test_what_matters_goes_by_jobs_and_slots():
    scans, plain = load_sample("ten-scans"), make_workload(make_job("A", (2, 1.0), (1, 1.0)))
    assert premise_on(scans, Cluster(10, 0)).words == "without sharing scans"
    assert premise_on(plain, Cluster(2, 2)).words == "without lending slots"
    assert premise_on(plain, Cluster(0, 0, containers=2)).words == "on these slots"


def side_by_side(name, policies):
    workload = load_sample(name)
    return [measure(run(workload, workload.cluster, policy)) for policy in policies]


def test_optimal_stands_with_its_premise_beside_what_is_shorter():
    fifo, circumflex = side_by_side("ten-scans", ("fifo", "circumflex"))
    assert circumflex.makespan < fifo.makespan == fifo.lower_bound
    assert own_standing(fifo) == "optimal without sharing scans"
    shared = shared_bound([fifo, circumflex])
    assert shared.seconds == circumflex.lower_bound
    assert shared.premise.words == "even if scans are shared"
    assert [shared.standing(each) for each in (fifo, circumflex)] == [
        "42.6 % above bound",
        "15.7 % above bound",
    ]
    assert shared_bound([fifo]).standing(fifo) == "optimal without sharing scans"


def test_lent_slots_and_clusters_share_their_lowest_bound():
    figures = side_by_side("dynamic-slots", ("fair", "dhfs-pi", "dhfs-pd"))
    shared = shared_bound(figures)
    assert (shared.seconds, shared.premise.words) == (17, "even if slots are lent")
    assert [shared.standing(each) for each in figures] == [
        "264.7 % above bound",
        "optimal even if slots are lent",
        "optimal even if slots are lent",
    ]
    five = load_sample("five-jobs")
    few, many = (measure(run(five, Cluster(n, n), "johnson")) for n in (20, 40))
    shared = shared_bound([few, many])
    assert shared.seconds == many.lower_bound < few.lower_bound
    assert shared.premise.words == "on any of these clusters, without lending slots"


FEW, MANY = Cluster(30, 30), Cluster(40, 40)


@pytest.mark.parametrize(
    ("premises", "words"),
    [
        ((("fifo", FEW), ("dhfs-pd", FEW)), "even if slots are lent"),
        ((("fifo", FEW), ("johnson", MANY)), "on any of these clusters, without lending slots"),
        ((("dhfs-pd", FEW), ("dhfs-pd", MANY)), "on any of these clusters, even if slots are lent"),
        ((("dhfs-pd", FEW), ("fifo", MANY)), "among what these scenarios do on their slots"),
        ((("fifo", FEW), ("dhfs-pd", FEW), ("fifo", MANY)), "among what these scenarios do on their slots"),
    ],
)
def test_nothing_is_said_of_what_no_scenario_does_on_its_slots(premises, words):
    """The bound of FIFO on 40 + 40 slots is none of who lends them, though another does so on 30 + 30."""
    five = load_sample("five-jobs")
    for order in (premises, premises[::-1]):
        figures = [measure(run(five, cluster, policy)) for policy, cluster in order]
        assert shared_bound(figures).premise.words == words


def test_who_shares_scans_and_who_lends_slots_do_not_do_both():
    both = Premise(lends=True) | Premise(shares_scans=True)
    assert both.is_mixed
    assert (both | Premise(lends=True)).is_mixed


@examples(15)
@given(st.data())
def test_a_shared_bound_is_above_nothing_beside_it(data):
    """Whatever policies, on clusters of any kind: none ends before the bound that is shown for all."""
    workload = data.draw(workloads())
    asked = data.draw(st.lists(st.sampled_from(BESIDE[:5]), min_size=1, max_size=4))
    on = [data.draw(clusters(workload)) for _ in range(data.draw(st.integers(1, 2)))]
    figures = [measure(run(workload, on[i % len(on)], policy)) for i, policy in enumerate(asked)]
    shared = shared_bound(figures)
    assert all(shared.seconds <= each.makespan * (1 + 1e-9) for each in figures)
    if not shared.premise.is_mixed:  # what it says holds on each of the clusters
        for cluster in on[: len(figures)]:
            assert shared.seconds <= run(workload, cluster, data.draw(st.sampled_from(asked))).makespan * (
                1 + 1e-9
            )


@pytest.mark.parametrize("name", sorted(set(sample_paths()) - {"facebook"}))
def test_shared_bounds_of_samples_are_above_nothing(name):
    workload = load_sample(name)
    policies = BESIDE if workload.datasets else BESIDE[:5]
    figures = [measure(run(workload, workload.cluster, policy)) for policy in policies]
    shared = shared_bound(figures)
    assert all(shared.seconds <= each.makespan * (1 + 1e-9) for each in figures)
    for each in figures:
        if "optimal" in shared.standing(each):
            assert each.makespan == min(other.makespan for other in figures)


def test_the_word_optimal_is_written_in_one_place():
    """Whoever says it has to say its premise, so nobody but `gap_text` and the search's words may."""
    places = set()
    for path in [*ROOT.glob("core/**/*.py"), *ROOT.glob("explorer/**/*.py")]:
        text = path.read_text()
        if "optimal" not in text.lower():
            continue
        tree = ast.parse(text)
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        said = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
        if any(isinstance(node.value, str) and "optimal" in node.value.lower() for node in said):
            places.add(str(path.relative_to(ROOT)))
    assert places == {
        "core/optimize/premise.py",
        "core/verify/check.py",  # the claim of a certificate, as its file has it
        "explorer/optimize/result_words.py",
        "explorer/panels/scenario_facts.py",  # asks whether `gap_text` said so
    }
