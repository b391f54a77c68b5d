"""Every rule of a workload document has its sentence: where, which value, which rule."""

from __future__ import annotations

from typing import Any

import pytest

from core.files.workload_document import workload_from_bytes
from core.model.errors import MAX_PROBLEMS, DocumentError
from tests.core.files.documents import HEADER, document_of, encoded, job_of


def problems_of(document: Any) -> list[str]:
    """Return the problems for which a document is refused, as lines."""
    with pytest.raises(DocumentError) as caught:
        workload_from_bytes(encoded(document), "x.json")
    assert str(caught.value).splitlines()[0].startswith("x.json: ")
    return [str(problem) for problem in caught.value.problems]


def maps(**fields: Any) -> dict[str, Any]:
    """Build a job with other maps."""
    return job_of(maps={"count": 2, "durations": 3} | fields)


def stages(*given: Any, **fields: Any) -> dict[str, Any]:
    """Build a document of a job with stages, each of one task of 1 s where it says nothing else."""
    each = [{"count": 1, "durations": 1} | one if isinstance(one, dict) else one for one in given]
    return document_of({"name": "J1", "stages": each} | fields)


def after(*others: Any, **fields: Any) -> dict[str, Any]:
    """Build the part of a stage that says what it waits for."""
    return {"after": [{"stage": other} for other in others]} | fields


NODE = {"count": 2, "memory_mb": 2048, "cores": 2}


def nodes(groups: Any, **fields: Any) -> dict[str, Any]:
    """Build a document with a cluster of nodes."""
    return document_of(job_of(), cluster={"nodes": groups} | fields)


def pools(*fields: dict[str, Any]) -> dict[str, Any]:
    """Build a document with settings of pools called P."""
    return document_of(job_of(), pools=[{"name": "P"} | given for given in fields])


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ([], "document is []; must be an object that begins"),
        ("jobs", "document is 'jobs'; must be an object"),
        (None, "document is null; must be"),
        ({}, 'format: missing; this must be a document with "format": "slotscope-workload"'),
        ({"format": "slotscope-workloads"}, "did you mean 'slotscope-workload'?"),
        ({"format": "slotscope-session", "version": 1}, "format is 'slotscope-session'; not the format"),
        ({"format": ["x"]}, "format is ['x']; not the format"),
        ({"format": "slotscope-workload"}, "version: missing; the present version is 1"),
        (HEADER | {"version": 2}, "version is 2; this Slotscope reads version 1; install a newer one"),
        (HEADER | {"version": 0}, "version is 0; this Slotscope reads version 1; correct the number"),
        (HEADER | {"version": "1"}, "version is '1'; this Slotscope reads version 1; correct"),
        (HEADER | {"version": True}, "version is true; this Slotscope reads version 1; correct"),
        (HEADER | {"version": {"a": 1}}, "version is {'a': 1}; this Slotscope reads version 1; correct"),
        (HEADER, "jobs: missing; add it: the jobs in input order"),
        (HEADER | {"jobs": []}, "jobs is []; a workload needs at least one job"),
        (HEADER | {"jobs": {"J1": {}}}, "jobs is {'J1': {}}; give a list"),
        (document_of(3), "jobs[0] is 3; give an object in braces"),
        (document_of(job_of(), name=7), "name is 7; give text"),
        (document_of(job_of(), name="a\nb"), "name is 'a\\nb'; names are one line"),
        (document_of(job_of(), description="\x1b[1m"), "description is '\\x1b[1m'; give at most 100000"),
        (document_of(job_of(), job=[]), "job: unknown key; did you mean 'jobs'?"),
        (document_of(job_of(), **{"<b>\n": 1}), "'<b>\\n': unknown key; known are"),
        # jobs
        (document_of({"maps": {"count": 1, "durations": 1}}), "jobs[0].name: missing; add it: unique"),
        (document_of({"name": "J1"}), "jobs[0]: a job needs maps or reduces, or both"),
        (document_of(job_of(name="")), "jobs[0].name is ''; a job needs a name"),
        (document_of(job_of(name=" ")), "jobs[0].name is ' '; a job needs a name"),
        (document_of(job_of(name=None)), "jobs[0].name is null; give text"),
        (document_of(job_of(name="J\t1")), "jobs[0].name is 'J\\t1'; names are one line"),
        (document_of(job_of(name="x" * 1001)), "names are one line of at most 1000 characters"),
        (document_of(job_of(name="\ud800")), "jobs[0].name is '\\ud800'; names are one line"),
        (document_of(job_of(pool=1)), "jobs[0].pool is 1; give text"),
        (document_of(job_of(user=[])), "jobs[0].user is []; give text"),
        (document_of(job_of(dataset=1)), "jobs[0].dataset is 1; give a name of one line, or null"),
        (document_of(job_of(arrival=-1)), "jobs[0].arrival is -1; give a number of seconds from 0 to 1e12"),
        (document_of(job_of(arrival="0")), "jobs[0].arrival is '0'; give a number of seconds"),
        (document_of(job_of(arrival=True)), "jobs[0].arrival is true; give a number of seconds"),
        (document_of(job_of(arrival=None)), "jobs[0].arrival is null; give a number of seconds"),
        (document_of(job_of(arrival=5, deadline=5)), "jobs[0].deadline is 5.0; a deadline must be later"),
        (document_of(job_of(deadline=-5)), "jobs[0].deadline is -5; give a number of seconds"),
        (
            document_of(job_of(service_levels=[[5, 1], [4, 2]])),
            "jobs[0].service_levels[1] is [4.0, 2.0]; give [seconds, cost]: times after the job's arrival",
        ),
        (
            document_of(job_of(input_nodes=[[0], [2], [1]]), cluster={"nodes": [NODE | {"count": 3}]}),
            "jobs[0].input_nodes is 3 lists; the job has 2 maps;",
        ),
        (
            document_of(job_of(input_nodes=[[0], [3]]), cluster={"nodes": [NODE | {"count": 3}]}),
            "the cluster has 3 nodes, 0 to 2; name",
        ),
        (
            document_of(job_of(input_nodes=[0])),
            "jobs[0].input_nodes[0] is 0; give a list",
        ),
        (
            document_of(job_of(input_nodes=3)),
            "jobs[0].input_nodes is 3; give a list",
        ),
        (document_of(job_of(remote_read=-1)), "jobs[0].remote_read is -1; give a number of seconds from 0"),
        (document_of(job_of(service_levels=[[5]])), "jobs[0].service_levels[0] is [5]; give a list"),
        (
            document_of(job_of(after=[{"job": "J2", "think": 5}])),
            "jobs[0].after[0].job is 'J2'; no job has this name; name a job of the workload that ends first",
        ),
        (
            document_of(job_of(), job_of(name="J2", after=[{"job": "J1", "think": -1}])),
            "jobs[1].after[0].think is -1; give a number of seconds from 0",
        ),
        (document_of(job_of(after=[{"think": 1}])), "jobs[0].after[0].job: missing; add it: the name of the"),
        (document_of(job_of(after=[{"job": "J1", "thinks": 1}])), "jobs[0].after[0].thinks: unknown key"),
        (document_of(job_of(after="J2")), "jobs[0].after is 'J2'; give a list"),
        (
            document_of(job_of(after=[{"job": "J2"}]), job_of(name="J2", after=[{"job": "J1"}])),
            "jobs[0].after is 'J1' after 'J2' after 'J1'; jobs follow one another in a circle, so none of",
        ),
        (document_of(job_of(weight=0)), "jobs[0].weight is 0; give a number above 0 up to 1e12"),
        (document_of(job_of(weight=-1)), "jobs[0].weight is -1; give a number above 0"),
        (document_of(job_of(shuffle_bytes=-1)), "jobs[0].shuffle_bytes is -1; give a number of bytes from 0"),
        (document_of(job_of(shuffle_bytes="2GB")), "jobs[0].shuffle_bytes is '2GB'; give a number of bytes"),
        (
            document_of(job_of(), job_of()),
            "jobs[1].name is 'J1'; job names are unique; jobs[0] has it already",
        ),
        (document_of(job_of(map={})), "jobs[0].map: unknown key; did you mean 'maps'?"),
        (document_of(job_of(maps=[3])), "jobs[0].maps is [3]; give an object in braces"),
        (document_of(job_of(maps={"count": 0})), "jobs[0]: a job needs at least one map or reduce task"),
        # graphs of stages
        (stages(), "jobs[0].stages is []; give a list of 1 to 10000 stages"),
        (stages(3), "jobs[0].stages[0] is 3; give an object in braces"),
        (stages({"count": 0}), "jobs[0]: a job needs at least one task"),
        (
            stages({}, maps={"count": 1, "durations": 1}),
            "jobs[0]: a job needs maps or reduces, or both, or instead",
        ),
        (
            stages({"durations": "3"}),
            "jobs[0].stages[0].durations is '3'; give a number of seconds",
        ),
        (
            stages({"durations": [1, -1]}),
            "jobs[0].stages[0].durations[1] is -1; give a number of seconds from 0",
        ),
        (stages({"name": "a\nb"}), "jobs[0].stages[0].name is 'a\\nb'; names are one line"),
        (
            stages({"name": "scan"}, {"name": "scan"}),
            "jobs[0].stages[1].name is 'scan'; stage names are unique in a job; stages[0] has it already",
        ),
        (
            stages({"name": "scan"}, after("scam")),
            "jobs[0].stages[1].after[0].stage is 'scam'; no stage of this job has this name; did you mean",
        ),
        (
            stages({}, after(2)),
            "jobs[0].stages[1].after[0].stage is 2; the job has 2 stages, which are 0 to 1",
        ),
        (
            stages({}, after(-1)),
            "jobs[0].stages[1].after[0].stage is -1; give text, or a whole number from 0",
        ),
        (
            stages({}, after(0.5)),
            "jobs[0].stages[1].after[0].stage is 0.5; give text, or a whole number from 0",
        ),
        (stages({}, after(True)), "jobs[0].stages[1].after[0].stage is true; give text, or a whole number"),
        (
            stages({}, {"after": [{}]}),
            "jobs[0].stages[1].after[0].stage: missing; add it: the name of a stage",
        ),
        (stages({}, {"after": [{"job": "J1"}]}), "jobs[0].stages[1].after[0].job: unknown key"),
        (
            stages({}, after(0, 0)),
            "jobs[0].stages[1].after is 'stage 0'; the stage is named twice; name each",
        ),
        (
            stages({}, {"after": [{"stage": 0, "slowstart": 1.5}]}),
            "jobs[0].stages[1].after[0].slowstart is 1.5; give a number of tasks as a fraction from 0 to 1",
        ),
        (
            stages({"name": "a", **after("b")}, {"name": "b", **after(2)}, {"name": "c", **after("a")}),
            "jobs[0].stages[0].after is 'a' after 'b' after 'c' after 'a'; stages wait for one another",
        ),
        (
            stages({}, after(1)),
            "jobs[0].stages[1].after is 1 after 1; stages wait for one another in a circle",
        ),
        (
            stages(after(1), {"name": "b"}),
            "jobs[0].stages[0].after is 'b'; a stage waits for stages that stand before it in the list; move",
        ),
        (
            stages({"typical_shuffle": [0, 3]}),
            "jobs[0].stages[0].typical_shuffle: a stage that waits for no other one reads no shuffle",
        ),
        (
            stages({"type": "mapper"}),
            "jobs[0].stages[0].type is 'mapper'; not one of the choices; did you mean",
        ),
        (
            stages({}, dataset="D") | {"datasets": [{"name": "D", "block_seconds": 1}]},
            "jobs[0].dataset is 'D'; a job that scans a dataset that is listed has maps and reduces",
        ),
        # maps and reduces
        (document_of(job_of(maps={"durations": 3})), "jobs[0].maps.count: missing; add it: number of tasks"),
        (document_of(job_of(maps={"count": 3})), "jobs[0].maps.durations: missing; add it: seconds of every"),
        (document_of(maps(count=-1)), "jobs[0].maps.count is -1; give a whole number of tasks"),
        (document_of(maps(count=2.5)), "jobs[0].maps.count is 2.5; give a whole number of tasks"),
        (document_of(maps(count="2")), "jobs[0].maps.count is '2'; give a whole number of tasks"),
        (document_of(maps(count=10**9)), "jobs[0].maps.count is 1000000000; give a whole number of tasks"),
        (document_of(maps(count=10**400)), "jobs[0].maps.count is 1000000000"),
        (document_of(maps(durations=-3)), "jobs[0].maps.durations is -3; give a number of seconds from 0 to"),
        (
            document_of(maps(durations=[])),
            "jobs[0].maps.durations is []; give a number of seconds, or a list",
        ),
        (document_of(maps(durations=None)), "jobs[0].maps.durations is null; give a number of seconds"),
        (document_of(maps(durations=True)), "jobs[0].maps.durations is true; give a number of seconds"),
        (document_of(maps(durations={"a": 1})), "jobs[0].maps.durations is {'a': 1}; give a number of"),
        (
            document_of(maps(durations=[1, -2.5])),
            "jobs[0].maps.durations[1] is -2.5; give a number of seconds",
        ),
        (document_of(maps(durations=[1, "2"])), "jobs[0].maps.durations[1] is '2'; give a number of seconds"),
        (
            document_of(maps(durations=[False])),
            "jobs[0].maps.durations[0] is false; give a number of seconds",
        ),
        (document_of(maps(durations=[[1]])), "jobs[0].maps.durations[0] is [1]; give a number of seconds"),
        (document_of(maps(durations=[1, 10**400])), "jobs[0].maps.durations[1] is 10000"),
        (document_of(maps(durations=[2e12])), "jobs[0].maps.durations[0] is 2000000000000.0; give a number"),
        (document_of(maps(first_shuffle=1)), "jobs[0].maps.first_shuffle: unknown key"),
        (
            document_of(job_of(reduces={"count": 1, "durations": 1, "typical_shuffle": [-1]})),
            "jobs[0].reduces.typical_shuffle[0] is -1; give a number of seconds",
        ),
        (
            document_of(*(maps(count=15_000_000) | {"name": name} for name in "ab")),
            "jobs is 30000000 tasks; at most 20000000 tasks fit in one workload",
        ),
        # cluster and origin
        (document_of(job_of(), cluster=4), "cluster is 4; give an object in braces"),
        (
            document_of(job_of(), cluster={"map_slots": 1_000_000}),
            "cluster.map_slots is 1000000; give a whole",
        ),
        (document_of(job_of(), cluster={"map_slots": -1}), "whole number of slots from 0 to 100000"),
        (
            document_of(job_of(), cluster={"map_slot": 1}),
            "cluster.map_slot: unknown key; did you mean 'map_slots'?",
        ),
        (
            document_of(job_of(), cluster={"slowstart": 5}),
            "cluster.slowstart is 5; give a number of maps as a",
        ),
        (document_of(job_of(), cluster={"slowstart": [0]}), "cluster.slowstart is [0]; give a number"),
        (
            document_of(job_of(), cluster={"shuffle_model": "simr"}),
            "cluster.shuffle_model is 'simr'; not one of the choices; did you mean 'simmr'?",
        ),
        (
            document_of(job_of(), cluster={"map_slots": 0, "reduce_slots": 0}),
            "cluster.map_slots is 0; a cluster needs at least one slot",
        ),
        (
            document_of(job_of(), cluster={"map_slots": 3, "containers": 2}),
            "cluster.containers is 2; a cluster has either containers or typed slots",
        ),
        (nodes(3), "cluster.nodes is 3; give a list"),
        (nodes([3]), "cluster.nodes[0] is 3; give an object in braces"),
        (nodes([{"count": 1, "cores": 1}]), "cluster.nodes[0].memory_mb: missing; add it: memory of each"),
        (nodes([{**NODE, "cores": 0}]), "cluster.nodes[0].cores is 0; give a whole number of cores from 1"),
        (nodes([{**NODE, "count": 1.5}]), "cluster.nodes[0].count is 1.5; give a whole number of nodes"),
        (nodes([{**NODE, "ram": 1}]), "cluster.nodes[0].ram: unknown key; known are count, memory_mb"),
        (nodes([NODE] * 1001), "; give a list of at most 1000 groups of nodes"),
        (nodes([NODE], map_request=1), "cluster.map_request is 1; give an object in braces"),
        (nodes([NODE], map_request={"cores": -1}), "cluster.map_request.cores is -1; give a whole number"),
        (nodes([NODE], map_slots=2), "cluster.nodes is 2x2GB,2; a cluster has either nodes or slots"),
        (
            nodes([NODE], map_request={"cores": 0, "memory_mb": 0}),
            "cluster.map_request is 0MB,0; a task asks for memory or cores or both",
        ),
        (
            nodes([NODE], map_request={"cores": 3}, reduce_request={"memory_mb": 9999}),
            "cluster.nodes[0] is 2x2GB,2; no task fits on such a node; give it more",
        ),
        (nodes([{**NODE, "count": 99999}]), "cluster.nodes is 99999x2GB,2; at most 100000 tasks may run"),
        # pools
        (document_of(job_of(), pools={}), "pools is {}; give a list"),
        (document_of(job_of(), pools=[3]), "pools[0] is 3; give an object in braces"),
        (document_of(job_of(), pools=[{}]), "pools[0].name: missing; add it: unique among the pools"),
        (pools({"weights": 2}), "pools[0].weights: unknown key; did you mean 'weight'?"),
        (pools({"weight": 0}), "pools[0].weight is 0; give a number above 0 up to 1e12"),
        (pools({"min_map_slots": 0.5}), "pools[0].min_map_slots is 0.5; give a whole number of slots"),
        (
            pools({"capacity": 7.5}),
            "pools[0].capacity is 7.5; give a number of slots as a fraction from 0 to",
        ),
        (
            pools({"max_capacity": 0}),
            "pools[0].max_capacity is 0; give a number of slots as a fraction above",
        ),
        (pools({"budget": "all"}), "pools[0].budget is 'all'; give a number of credits from 0 to"),
        (pools({}, {}), "pools[1].name is 'P'; pool names are unique; pools[0] has it already"),
        (
            pools({"capacity": 0.5, "max_capacity": 0.25}),
            "pools[0].max_capacity is 0.25; the maximum is a fraction above 0",
        ),
        (
            pools({"capacity": 0.5}, {"capacity": 1, "name": "Q"}),
            "pools is 1.5; the guaranteed fractions of all pools add up to at most 1",
        ),
        (pools({}, {}) | {"jobs": [job_of(weight=0)]}, "pools[1].name is 'P'; pool names are unique"),
        (document_of(job_of(), origin={"family": "x"}), "origin.seed: missing; add it: seed of the random"),
        (document_of(job_of(), origin={"family": "x", "seed": -1}), "origin.seed is -1; give a whole number"),
        (
            document_of(job_of(), origin={"family": "x", "seed": 1, "parameters": {"a": [1]}}),
            "origin.parameters.a is [1]; give true or false, or a number",
        ),
    ],
)
def test_a_broken_rule_gets_its_sentence(document: Any, line: str) -> None:
    assert any(line in problem for problem in problems_of(document)), problems_of(document)


@pytest.mark.parametrize("text", [b"1e999", b"-1e999"])
@pytest.mark.parametrize("place", ["arrival", "deadline", "weight"])
def test_numbers_beyond_a_double_are_refused_everywhere(place: str, text: bytes) -> None:
    data = encoded(document_of(job_of(**{place: "HERE"}))).replace(b'"HERE"', text)
    with pytest.raises(DocumentError, match=rf"jobs\[0\]\.{place} is -?inf; give a number"):
        workload_from_bytes(data, "x.json")


@pytest.mark.parametrize("text", [b"NaN", b"Infinity", b"-Infinity", b"1e999"])
@pytest.mark.parametrize("durations", [b"%s", b"[1, %s]"])
def test_durations_are_numbers(text: bytes, durations: bytes) -> None:
    data = encoded(document_of(maps(durations="HERE"))).replace(b'"HERE"', durations % text)
    with pytest.raises(DocumentError, match=r"jobs\[0\]\.maps\.durations(\[1\])? is (nan|-?inf); "):
        workload_from_bytes(data, "x.json")


def test_all_problems_are_told_at_once_in_the_order_of_the_document() -> None:
    document = document_of(
        job_of(name="a", arrival=-1),
        job_of(name="b", deadline=3, arrival=4),
        job_of(name="b", maps={"count": 2, "durations": [1, -1, "x"]}, weight=0),
        job_of(name="b"),
        cluster={"slowstart": 7},
    )
    where = [line.split(" is ")[0] for line in problems_of(document)]
    assert where == [
        "cluster.slowstart",
        "jobs[0].arrival",
        "jobs[2].maps.durations[1]",
        "jobs[2].maps.durations[2]",
        "jobs[2].weight",
        "jobs[1].deadline",
        "jobs[2].name",
        "jobs[3].name",
    ]


def test_all_problems_of_stages_are_collected_with_those_of_links_and_jobs() -> None:
    scan, join = {"name": "scan", "count": 1, "durations": 1}, {"name": "join", "count": 1, "durations": 1}
    document = document_of(
        {"name": "J1", "stages": [scan, join | after("scam", 5)]},
        {"name": "J2", "stages": [scan | after("join"), join | after("scan")], "after": [{"job": "J9"}]},
        {"name": "J2", "stages": [scan, scan | {"typical_shuffle": 1}]},
        {
            "name": "J4",
            "stages": [scan, join | {"after": [{"stage": "scan"}, {"stage": 0}]}],
            "arrival": 9,
            "deadline": 1,
        },
    )
    where = [line.split(" is ")[0].split(": ")[0] for line in problems_of(document)]
    assert where == [
        "jobs[0].stages[1].after[0].stage",
        "jobs[0].stages[1].after[1].stage",
        "jobs[1].stages[0].after",
        "jobs[2].stages[1].typical_shuffle",
        "jobs[2].name",
        "jobs[2].stages[1].name",
        "jobs[3].deadline",
        "jobs[3].stages[1].after",
        "jobs[1].after[0].job",
    ]
    document["jobs"][0]["stages"][0] = {"name": "scan", "count": -1}  # what the schema finds hides nothing
    assert [line.split(" is ")[0].split(": ")[0] for line in problems_of(document)] == [
        "jobs[0].stages[0].count",
        *where,
    ]
    document["jobs"][0]["name"] = 7
    assert [line.split(" is ")[0].split(": ")[0] for line in problems_of(document)] == [
        "jobs[0].name",
        "jobs[0].stages[0].count",
        *where[:-1],  # what J2 follows may be the job without a name
    ]


WAITS = [{"name": "scan", "count": 1, "durations": 1}, {"count": 1, "durations": 1} | after("scam")]
BETWEEN = document_of(
    {"name": "J1", "stages": WAITS, "after": [{"job": "J2"}], "min_slots": 3, "max_slots": 2}
    | {"arrival": 9, "deadline": 5},
    job_of(name="J2", after=[{"job": "J1"}, {"job": "J9"}], dataset="D", blocks=[[0, 99]]),
    job_of(name="J3"),
    job_of(name="J3"),
    datasets=[{"name": "D", "blocks": 4, "block_seconds": 1}],
)
PLACES = {
    "jobs[0].deadline",
    "jobs[0].max_slots",
    "jobs[0].stages[1].after[0].stage",
    "jobs[1].after[1].job",
    "jobs[1].blocks",
    "jobs[3].name",
}
CIRCLE = "jobs[0].after"


@pytest.mark.parametrize(
    ("broken", "gone"),
    [
        ({}, set()),
        ({"weight": -1}, set()),
        ({"pool": 3, "colour": 1}, set()),
        ({"arrival": "x"}, {"jobs[0].deadline"}),
        ({"min_slots": "x"}, {"jobs[0].max_slots"}),
        ({"after": [3]}, {CIRCLE}),
        ({"name": 3}, {"jobs[1].after[1].job", CIRCLE}),
        ({"maps": {}}, {"jobs[0].stages[1].after[0].stage"}),
        ({"stages": 3}, {"jobs[0].stages[1].after[0].stage"}),
        ({"stages": [WAITS[0] | {"count": -1}, WAITS[1] | {"durations": "x", "type": 9}]}, set()),
        ({"stages": [WAITS[0] | {"name": 3}, WAITS[1]]}, {"jobs[0].stages[1].after[0].stage"}),
        ({"stages": [3, WAITS[1]]}, {"jobs[0].stages[1].after[0].stage"}),
    ],
)
def test_a_broken_field_hides_only_what_needs_it(broken: dict[str, Any], gone: set[str]) -> None:
    """Problems between values stand beside those of fields; what a broken value is needed for is left out."""
    first, *others = BETWEEN["jobs"]
    found = problems_of(BETWEEN | {"jobs": [first | broken, *others]})
    where = {line.split(" is ")[0].split(": ")[0] for line in found}
    between = PLACES | {CIRCLE}
    assert where & between == between - gone
    assert bool(where - between) == bool(broken)


def test_a_circle_of_many_stages_has_a_short_sentence() -> None:
    many = [{"count": 1, "durations": 1, "name": f"s{i}", **after(f"s{(i + 1) % 5000}")} for i in range(5000)]
    (line,) = problems_of(document_of({"name": "J1", "stages": many}))
    assert "'s0' after 's1' after " in line
    assert len(line) < 500


def test_a_problem_that_many_jobs_share_is_told_for_each() -> None:
    jobs = [job_of(name=f"J{i}", weight=0) for i in range(10)]
    assert [line.split(" is ")[0] for line in problems_of(document_of(*jobs))] == [
        f"jobs[{i}].weight" for i in range(10)
    ]


@pytest.mark.parametrize(
    "jobs",
    [
        [job_of(name=f"J{i}", weight=0) for i in range(1000)],
        [maps(durations=[-1] * 1000)],
        [7] * 1000,
        [job_of()] * 1000,
        [job_of(**{f"key{i}": 1 for i in range(1000)})],
    ],
)
def test_at_most_fifty_problems_are_listed_and_the_rest_is_mentioned(jobs: list[Any]) -> None:
    with pytest.raises(DocumentError) as caught:
        workload_from_bytes(encoded(document_of(*jobs)), "x.json")
    assert len(caught.value.problems) == MAX_PROBLEMS
    assert "only the first 50 problems are listed" in str(caught.value)


def test_huge_values_where_none_may_stand_make_short_messages() -> None:
    huge = ["x" * 1000] * 1000
    lines = problems_of(
        document_of(job_of(pool=huge, arrival={"a": huge}), name=huge, cluster={"slowstart": huge})
    )
    assert len(lines) == 4
    assert max(map(len, lines)) < 200


def test_deep_values_where_none_may_stand_are_refused() -> None:
    deep: list[Any] = []
    for _ in range(400):
        deep = [deep]
    assert "jobs[0].pool is " in problems_of(document_of(job_of(pool=deep)))[0]
