"""The published schemas are valid, and describe exactly what the readers accept."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.plan_document import plan_to_json
from core.files.resources import resource_path
from core.files.samples import samples
from core.files.schema_check import KEYWORDS, schema_check
from core.files.session_document import session_to_json
from core.files.workload_document import cluster_from_json, workload_from_bytes
from core.model.cluster import SHUFFLE_MODELS, Cluster
from core.model.errors import DocumentError
from core.model.job import DEFAULT_BLOCKS, Dataset, Job
from core.model.job_rules import MAX_BLOCKS, MAX_DATASETS
from core.model.levers import LATEST_DUE, TASK_ORDERS, JobPlan, StagePlan
from core.model.limits import MAX_SECONDS, MAX_SLOTS, MAX_STAGES, MAX_TASKS, SLOWEST
from core.model.nodes import MAX_CORES, MAX_MEMORY_MB, MAX_SPEEDS
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.pool import MAX_OF_A_SETTING, MAX_POOLS, Pool
from core.model.stages import Stage
from tests.core.files.documents import SESSION, encoded, spoilt, workload_documents
from tests.lines_run import lines_run
from tests.random_tests import examples

BEYOND_THE_SCHEMA = (
    "no job has this name",
    "job names are unique",
    "a deadline must be later",
    "times after the job's arrival",
    "a job needs at least one map or reduce task",
    "a cluster needs at least one slot",
    "a cluster has either containers or typed slots",
    "a cluster has either nodes or slots",
    "no task fits on such a node",
    "maps slow one another on nodes",
    "no map gets faster beside more maps",
    "a task asks for memory or cores or both",
    "tasks may run at once",
    "tasks fit in one workload",
    "pool names are unique",
    "the guaranteed fractions of all pools add up",
    "the maximum is a fraction above 0, at most 1, and no less than the guaranteed",
    "dataset names are unique",
    "blocks belong to a dataset",
    "give ascending ranges",
    "has one map of",
    "give 0 <= min_slots <= max_slots",
    "a job needs at least one task",
    "stage names are unique",
    "no stage of this job has this name",
    "stages, which are 0 to",
    "a stage that waits for no other one reads no shuffle",
    "stages wait for one another in a circle",
    "a stage waits for stages that stand before it",
    "the stage is named twice",
    "has maps and reduces, no stages of its own",
    "give a list of nodes for each of them",
    "where input_nodes says that its input lies on others",
    "where input lies is said of maps",
    "where input lies is not modelled",
    "the cluster has",
)
"""Rules between values, which the schema names in its description."""


def schema(name: str) -> dict[str, Any]:
    """Return a published schema."""
    text = resource_path("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


PLAN = plan_to_json(
    Plan(
        (
            JobPlan(
                "J1", StagePlan(12.5, "latest-start", 4), StagePlan(-3.0, "longest"), 12, True, "reserved"
            ),
            JobPlan("J2"),
        ),
        Partition((SlotPool("Small", 2, 1, ("J2",)), SlotPool("Large", 5, 5, ("J1",)))),
    ),
    "Monday",
)
VALIDATOR = jsonschema.Draft202012Validator(schema("workload"))


@pytest.mark.parametrize("name", ["workload", "session", "plan", "study", "lesson"])
def test_schemas_are_schemas(name: str) -> None:
    published = schema(name)
    assert published["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(published)
    for key, value in published["properties"].items():
        assert value["description"], key


@pytest.mark.parametrize("name", ["workload", "session", "plan", "study", "lesson"])
def test_every_keyword_of_a_schema_is_checked(name: str) -> None:
    """A keyword that `schema_check` does not know would be passed over in silence."""
    of_types, notes = {"minimum", "maximum", "exclusiveMinimum", "then"}, {"description", "default"}
    seen: set[str] = set()

    def look_at(given: Any) -> None:
        for key, value in given.items():
            seen.add(key)
            if key in ("properties", "$defs"):
                for inner in value.values():
                    look_at(inner)
            for inner in value if isinstance(value, list) and key.endswith("Of") else [value]:
                if isinstance(inner, dict) and key not in ("properties", "$defs", "default"):
                    look_at(inner)

    look_at(schema(name))
    about = {"$schema", "$id", "$defs", "title", "x-unit", "x-rule"}
    assert seen <= KEYWORDS.keys() | of_types | notes | about


@examples(30)
@given(spoilt(workload_documents))
def test_the_reader_accepts_what_the_schema_accepts(document: dict[str, Any]) -> None:
    try:
        workload_from_bytes(encoded(document), "x.json")
        broken = []
    except DocumentError as error:
        broken = [problem.rule for problem in error.problems]
    of_the_schema = [rule for rule in broken if not any(words in rule for words in BEYOND_THE_SCHEMA)]
    assert VALIDATOR.is_valid(json.loads(encoded(document))) == (not of_the_schema)


@examples(25)
@given(spoilt(workload_documents), spoilt(st.just(session_to_json(SESSION))), spoilt(st.just(PLAN)))
def test_documents_are_refused_where_jsonschema_refuses_them(
    workload: dict[str, Any], session: dict[str, Any], plan: dict[str, Any]
) -> None:
    for name, document in (("workload", workload), ("session", session), ("plan", plan)):
        validator = jsonschema.Draft202012Validator(schema(name))
        assert bool(schema_check(name)(document)) == (not validator.is_valid(document))


def test_true_is_no_version() -> None:
    document = session_to_json(SESSION) | {"version": True}
    assert [finding.path for finding in schema_check("session")(document)] == [("version",)]


def test_limits_and_names_are_those_of_the_program() -> None:
    definitions = schema("workload")["$defs"]
    assert definitions["slots"]["maximum"] == MAX_SLOTS
    assert definitions["count"]["maximum"] == MAX_TASKS
    assert definitions["time"]["maximum"] == definitions["samples"]["maximum"] == MAX_SECONDS
    assert definitions["job"]["properties"]["weight"]["maximum"] == MAX_SECONDS
    in_words = set(Job.__slots__) - {"graph"} | {"maps", "reduces"}
    assert set(definitions["job"]["properties"]) == in_words
    assert set(definitions["stage"]["properties"]) == {*Stage.__slots__, "name", "after", "type"}
    assert set(definitions["edge"]["properties"]) == {"stage", "slowstart", "inferred"}
    assert definitions["job"]["properties"]["stages"]["maxItems"] == MAX_STAGES
    assert definitions["edge"]["properties"]["stage"]["maximum"] == MAX_STAGES - 1
    assert schema("workload")["properties"]["pools"]["maxItems"] == MAX_POOLS
    assert definitions["positive"]["maximum"] == MAX_OF_A_SETTING
    assert set(definitions["pool"]["properties"]) == set(Pool.__slots__)
    assert set(definitions["dataset"]["properties"]) == {*Dataset.__slots__, "work"}
    assert definitions["dataset"]["properties"]["blocks"]["default"] == DEFAULT_BLOCKS
    assert definitions["dataset"]["properties"]["blocks"]["maximum"] == MAX_BLOCKS
    assert schema("workload")["properties"]["datasets"]["maxItems"] == MAX_DATASETS
    for fields in (definitions["cluster"], schema("session")["$defs"]["fields_of_cluster"]):
        assert set(fields["properties"]) == set(Cluster.__slots__)
        assert fields["properties"]["shuffle_model"]["enum"] == list(SHUFFLE_MODELS)
        contention = fields["properties"]["contention"]
        assert (contention["maxItems"], contention["items"]["minimum"]) == (MAX_SPEEDS, SLOWEST)
    defaults = {name: field["default"] for name, field in definitions["cluster"]["properties"].items()}
    assert cluster_from_json(defaults, "cluster", []) == Cluster()
    assert definitions["nodes"] == schema("session")["$defs"]["nodes"]
    assert definitions["request"] == schema("session")["$defs"]["request"]
    node = definitions["nodes"]["items"]["properties"]
    limits = {"count": MAX_SLOTS, "memory_mb": MAX_MEMORY_MB, "cores": MAX_CORES}
    assert {name: field["maximum"] for name, field in node.items()} == limits
    settings_of_pools = definitions["pool"]["properties"].items()
    defaults = {name: field["default"] for name, field in settings_of_pools if name not in ("name", "weight")}
    assert Pool("red", **defaults) == Pool("red")


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_samples_are_valid(sample: Any) -> None:
    VALIDATOR.validate(json.loads(sample.path.read_bytes()))
    plan = schema("plan")["$defs"]
    assert set(plan["job"]["properties"]) == set(JobPlan.__slots__)
    assert set(plan["stage"]["properties"]) == set(StagePlan.__slots__)
    of_session = json.loads(json.dumps(schema("session")["$defs"]).replace("/planned_", "/"))
    assert of_session["planned_job"] == plan["job"]
    assert of_session["planned_stage"] == plan["stage"]
    assert plan["pool"] == schema("session")["$defs"]["pool"] | {"properties": plan["pool"]["properties"]}
    assert plan["stage"]["properties"]["tasks"]["enum"] == list(TASK_ORDERS)
    assert plan["stage"]["properties"]["due"]["maximum"] == LATEST_DUE
    assert plan["stage"]["properties"]["cap"]["maximum"] == MAX_TASKS
    assert plan["job"]["properties"]["reduces_after"]["maximum"] == MAX_TASKS


@pytest.mark.parametrize("wrong", [lambda n: {"jobs": [0] * n}, lambda n: {str(i): 0 for i in range(n)}])
def test_a_check_ends_when_it_has_found_enough(wrong) -> None:
    check = schema_check("workload")
    assert lines_run(lambda: check(wrong(20_000))) < 1.5 * lines_run(lambda: check(wrong(1000))) + 20_000
