"""Studies are written and read to the last bit, and what is wrong with a file is told at once."""

from __future__ import annotations

import copy
import itertools
import json
import textwrap
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.resources import resource_path
from core.files.schema_check import schema_check
from core.model.errors import DocumentError
from core.study.figure_kinds import KINDS
from core.study.study import (
    MAX_AXES,
    MAX_ROWS,
    SCALES,
    DesignKind,
    RelativeKind,
    RelativeOf,
    Study,
)
from core.study.study_document import (
    read_study,
    rows_digest,
    study_from_bytes,
    study_from_json,
    study_to_bytes,
    study_to_json,
    write_study,
)
from core.study.study_fields import FIELDS
from core.study.study_problems import study_problems
from tests.core.files.documents import spoilt
from tests.core.study.study_examples import DOCUMENT, small_study, studies
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA: dict[str, Any] = json.loads(resource_path("schemas", "study.schema.json").read_text("utf-8"))
FIGURE = {
    "kind": "lines",
    "x": "nodes",
    "y": "makespan",
    "by": "policy",
    "where": {"nodes": [2, 4]},
    "as": {"kind": "ratio", "at": {"policy": "johnson"}, "of": "means"},
    "published": [{"name": "Johnson", "points": [[2, 1.5], [4, 1, 2]]}],
}
RICH = DOCUMENT | {
    "figures": [FIGURE],
    "design": {"kind": "list", "cells": [[0, 1], [2, 0]]},
    "axes": [
        *DOCUMENT["axes"],
        {"name": "late", "settings": [{"label": "a", "set": {"deadlines.factor": 2}}]},
    ],
}


@examples(30)
@given(studies())
def test_what_is_written_is_read_to_the_last_bit(study: Study) -> None:
    assert study_problems(study) == []
    data = study_to_bytes(study)
    assert study_from_bytes(data, "x.study.json") == study
    assert study_to_bytes(study_from_bytes(data, "x.study.json")) == data


def test_a_file_is_known_by_its_content_and_may_be_packed(tmp_path: Path) -> None:
    study = small_study()
    for name in ("a.study.json", "a.study.json.gz"):
        write_study(study, tmp_path / name)
        assert read_study(tmp_path / name) == study
        assert read_study(tmp_path / name).folder == str(tmp_path)


def test_cells_and_rows_are_counted() -> None:
    assert (small_study().cell_count, small_study().row_count) == (6, 12)
    listed = small_study(design={"kind": "list", "cells": [[0, 0], [2, 1]]})
    assert listed.row_count == 4
    assert small_study(design={"kind": "sample", "cells": 5, "seed": 3}).cell_count == 5


def test_ranges_are_numbers_in_equal_steps_or_ratios() -> None:
    def values(field: str, **span: Any) -> list[Any]:
        axis = {"name": "varied", "fields": [field], "range": span}
        return [point.changes[0][1] for point in small_study(axes=[axis]).axes[0].points]

    assert values("cluster.slowstart", **{"from": 0.1, "to": 0.7, "count": 3}) == [0.1, 0.4, 0.7]
    assert values("cluster.map_slots", **{"from": 1, "to": 100, "count": 3, "scale": "log"}) == [1, 10, 100]
    assert values("cluster.map_slots", **{"from": 1, "to": 3, "count": 5}) == [1, 2, 3]  # 1.5 rounds to 2


def test_texts_and_figures_change_no_rows() -> None:
    study = small_study()
    assert rows_digest(
        small_study(name="another", figures=[{"kind": "cdf", "x": "makespan"}])
    ) == rows_digest(study)
    assert rows_digest(small_study(measures=["makespan"])) != rows_digest(study)


def test_every_problem_is_told_with_its_place() -> None:
    document = DOCUMENT | {
        "base": {
            "workload": {"family": "facebok", "parameters": {"spread": 2}},
            "cluster": {"slowstart": 0.5, "nodes": "many"},
            "policy": {"id": "mine.py"},
        },
        "axes": [
            {"name": "nodes", "fields": ["cluster.map_slot"], "values": [2]},
            {"name": "makespan", "fields": ["cluster.slowstart"], "values": [0.5, 2, "x"]},
            {
                "name": "r",
                "fields": ["cluster.map_slots"],
                "range": {"from": 0, "to": 9, "count": 2, "scale": "log"},
            },
            {"name": "r", "settings": [{"label": "a", "set": {"policy.parameters.pools": 0}}]},
        ],
        "seeds": ["workload.sed"],
        "measures": ["makspan", "gap", "gap"],
    }
    with pytest.raises(DocumentError) as raised:
        study_from_json(document, "x.study.json")
    told = [line.removeprefix("x.study.json: ") for line in str(raised.value).splitlines()]
    expected = """
        base.cluster.nodes is 'many'; give nodes as number x memory, cores: 8x16GB,8 (more groups with +)
        base.policy.id is 'mine.py'; a policy file is named with the word file before it: file:mine.py
        base.workload.family is 'facebok'; not one of the choices; did you mean 'facebook'?
        base.workload.parameters.spread is 2; no workload family of this study has it; \
leave it out, or choose facebook or dhfs or workflow
        axes[0].fields[0] is 'cluster.map_slot'; unknown field; did you mean 'cluster.map_slots'?
        axes[1].values[1] is 2; give a number from 0 to 1
        axes[1].values[2] is 'x'; give a number from 0 to 1
        axes[2].range is 0 to 9; a logarithmic range needs numbers above 0
        axes[3].settings[0].set.'policy.parameters.pools' is 0; no policy of this study has it; \
leave it out, or choose balanced-pools
        axes[1].name is 'makespan'; a column of the results has this name; choose another one
        axes[3].name is 'r'; axes have different names; axes[2] has it already
        seeds[0] is 'workload.sed'; not a seed; did you mean 'workload.seed'?
        measures[0] is 'makspan'; not a measure; did you mean 'makespan'?
        measures[2] is 'gap'; listed twice; name each measure once
    """
    assert told == textwrap.dedent(expected).strip().splitlines()


def test_what_lacks_or_is_broken_hides_no_other_problem() -> None:
    document = {key: value for key, value in DOCUMENT.items() if key != "base"} | {
        "axes": [
            {"name": "nodes", "fields": ["cluster.map_slot"], "values": [2]},
            {"name": "spread", "fields": ["workload.parameters.spread"], "values": [2]},  # of which family?
        ],
        "measures": ["makspan"],
        "seeds": 7,
        "repetitions": 3,
    }
    with pytest.raises(DocumentError) as raised:
        study_from_json(document, "x.study.json")
    places = [problem.where for problem in raised.value.problems]
    assert places == ["base", "seeds", "axes[0].fields[0]", "measures[0]"]


MISTAKES: dict[str, Any] = {
    "name": 7,
    "description": ["x"],
    "base.workload.parameters.jobs": "many",
    "base.workload.seed": -1,
    "base.cluster.slowstart": 7,
    "base.cluster.nodes": "many",
    "base.policy.parameters.pools": 2,
    "axes.0.fields.1": "cluster.reduce_slot",
    "axes.0.values.1": -1,
    "axes.0.values.2": None,
    "axes.0.unit": 3,
    "axes.2.name": "makespan",
    "axes.1.values.0": "jonson",
    "axes.2.range.scale": "loq",
    "axes.3.settings.0.set": {"cluster.shuffle_model": "simr"},
    "axes.3.settings.1.label": None,
    "axes.3.settings.2.set": {"cluster.overheads.heartbeat": -3},
    "design.cells.1": [0, 0, 0],
    "repetitions": 0,
    "first_seed": -1,
    "seeds.1": "workload.sed",
    "measures.0": "makspan",
    "measures.3": 7,
    "figures.0.kind": "lins",
    "figures.0.by": "polcy",
    "figures.0.where": {"nods": 2},
    "figures.0.as": {"kind": "less-than", "at": {"policy": "fiffo"}},
    "figures.1.band": "polcy",
    "figures.1.published.0.points": [[1]],
    "figures.1.also": ["lower_bound"],
    "figures.1.colour": "red",
}
"""Values at their places in `WIDE`, each wrong by itself."""
WIDE: dict[str, Any] = DOCUMENT | {
    "description": "A study with everything in it",
    "base": {
        "workload": {"family": "synthetic1", "parameters": {"jobs": 3}, "seed": 1},
        "cluster": {"slowstart": 1, "nodes": "2x8GB,8"},
        "policy": {"id": "fifo", "parameters": {}},
    },
    "axes": [
        DOCUMENT["axes"][0] | {"unit": "nodes"},
        DOCUMENT["axes"][1],
        {
            "name": "input",
            "fields": ["workload.input_factor"],
            "range": {"from": 1, "to": 4, "count": 3, "scale": "log"},
        },
        {
            "name": "model",
            "settings": [
                {"label": "a", "set": {"cluster.shuffle_model": "simmr"}},
                {"label": "b", "set": {"cluster.shuffle_model": "overlap"}},
                {"label": "c", "set": {"cluster.overheads.heartbeat": 3}},
            ],
        },
    ],
    "design": {"kind": "list", "cells": [[0, 0, 0, 0], [1, 1, 1, 1]]},
    "first_seed": 1,
    "seeds": ["estimates.seed", "deadlines.seed"],
    "measures": ["makespan", "lower_bound", "gap", "late_jobs"],
    "figures": [
        {"kind": "lines", "x": "nodes", "y": "gap", "by": "policy", "where": {"nodes": 2}},
        {"kind": "bars", "x": "model", "y": "gap", "published": [{"name": "x", "points": [[1, 2]]}]},
    ],
}


def with_mistakes(*places: str) -> set[str]:
    """Return of what something is said where the wide document has mistakes at these places."""
    document = copy.deepcopy(WIDE)
    for place in places:
        *way, last = (int(part) if part.isdigit() else part for part in place.split("."))
        inner: Any = document
        for part in way:
            inner = inner[part]
        inner[last] = MISTAKES[place]
    try:
        study_from_json(document, "x.study.json")
    except DocumentError as error:
        return {problem.where for problem in error.problems}
    return set()


@cache
def alone() -> dict[str, set[str]]:
    """Return of what something is said for each mistake by itself."""
    return {place: with_mistakes(place) for place in MISTAKES}


def test_each_mistake_alone_is_one_problem() -> None:
    assert with_mistakes() == set()
    assert {place: len(problems) for place, problems in alone().items()} == dict.fromkeys(MISTAKES, 1)


def test_no_mistake_hides_another_one_or_makes_one_up() -> None:
    for one, other in itertools.combinations(MISTAKES, 2):
        assert with_mistakes(one, other) == alone()[one] | alone()[other], (one, other)
    assert with_mistakes(*MISTAKES) == set().union(*alone().values())


def test_rules_between_values() -> None:
    broken: list[tuple[dict[str, Any], str]] = [
        ({"base": {"policy": {"id": "fifo"}}}, "base.workload: missing; say which jobs there are"),
        ({"base": {"workload": {"family": "facebook", "sample": "five-jobs"}}}, "give one of them"),
        (
            {"axes": [DOCUMENT["axes"][0], DOCUMENT["axes"][0] | {"name": "x"}]},
            "axes[0] sets this field already",
        ),
        (
            {"axes": [{"name": "x", "fields": ["cluster.slots"], "values": [2, 2]}]},
            "the points of an axis differ",
        ),
        ({"axes": [{"name": "x", "values": [2]}]}, "axes[0].fields: missing"),
        ({"seeds": []}, "all repetitions would be equal"),
        ({"repetitions": 5_000_000}, "at most 10000000 simulations"),
        ({"design": {"kind": "sample", "cells": 7}}, "say how many of the 6 cells"),
        ({"design": {"kind": "grid", "cells": 7}}, "a grid has all cells"),
        ({"design": {"kind": "list", "cells": [[0, 2]]}}, "at most [2, 1]"),
        ({"figures": [{"kind": "lines", "x": "node"}]}, "did you mean 'nodes'?"),
        ({"figures": [FIGURE | {"where": {"nodes": 3}}]}, "no point of nodes"),
    ]
    for changes, rule in broken:
        with pytest.raises(DocumentError) as raised:
            small_study(**changes)
        assert rule in str(raised.value)


@examples(30)
@given(spoilt(st.just(RICH)))
def test_documents_are_refused_where_jsonschema_refuses_them(document: dict[str, Any]) -> None:
    assert bool(schema_check("study")(document)) == (
        not jsonschema.Draft202012Validator(SCHEMA).is_valid(document)
    )


def test_the_schema_knows_every_field_with_its_limits() -> None:
    groups = SCHEMA["properties"]["base"]["properties"]
    told = {}
    for group, inner in groups.items():
        for name, schema in inner["properties"].items():
            nested = schema.get("properties", {}) if name == "overheads" else {}
            told |= {f"{group}.{name}.{n}": s for n, s in nested.items()} or {f"{group}.{name}": schema}
    assert told.keys() - {"workload.parameters", "policy.parameters"} == FIELDS.keys()
    for name, field in FIELDS.items():
        if field.is_number:
            limits = (told[name]["type"], told[name]["minimum"], told[name]["maximum"])
            assert limits == (field.parameter.type, field.parameter.min, field.parameter.max), name
    figure = SCHEMA["$defs"]["figure"]["properties"]
    assert figure["kind"]["enum"] == list(KINDS)
    assert figure["as"]["properties"]["kind"]["enum"] == list(get_args(RelativeKind))
    assert figure["as"]["properties"]["of"]["enum"] == list(get_args(RelativeOf))
    design = SCHEMA["properties"]["design"]["properties"]
    assert (design["kind"]["enum"], design["cells"]["maximum"]) == (list(get_args(DesignKind)), MAX_ROWS)
    axis = SCHEMA["$defs"]["axis"]["properties"]
    assert axis["range"]["properties"]["scale"]["enum"] == list(SCALES)
    assert SCHEMA["properties"]["axes"]["maxItems"] == MAX_AXES
    assert study_to_json(small_study())["base"]["cluster"] == {"slowstart": 1}
