"""Studies for tests: a small one that runs in milliseconds, and random ones for documents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from core.study.figure_kinds import KINDS
from core.study.study import (
    Axis,
    Design,
    Published,
    Relative,
    RelativeKind,
    RelativeOf,
    Setting,
    Span,
    Study,
    StudyFigure,
)
from core.study.study_document import study_from_json
from core.study.study_fields import FIELDS, Value

DOCUMENT: dict[str, Any] = {
    "format": "slotscope-study",
    "version": 1,
    "name": "Two orders on three clusters",
    "base": {
        "workload": {"family": "synthetic1", "parameters": {"jobs": 3}},
        "cluster": {"slowstart": 1},
        "policy": {"id": "fifo"},
    },
    "axes": [
        {"name": "nodes", "fields": ["cluster.map_slots", "cluster.reduce_slots"], "values": [2, 4, 8]},
        {"name": "policy", "fields": ["policy.id"], "values": ["johnson", "johnson-reverse"]},
    ],
    "repetitions": 2,
    "seeds": ["workload.seed"],
    "measures": ["makespan", "lower_bound"],
}
"""Six cells, twelve rows."""


def small_study(**changes: Any) -> Study:
    """Return the small study with some keys of its document replaced."""
    return study_from_json(DOCUMENT | changes, "small.study.json")


lines = st.text("abc 10ö", max_size=8)
plain_fields = st.sampled_from(
    [name for name, f in FIELDS.items() if f.parameter.type in ("integer", "number")]
)


def _value(name: str) -> st.SearchStrategy[Any]:
    parameter = FIELDS[name].parameter
    low, high = parameter.min or 0, parameter.max or 1e6
    if parameter.type == "integer":
        return st.integers(int(low), int(high))
    return st.floats(low, high, allow_nan=False)


@st.composite
def _axis(draw: st.DrawFn, place: int) -> Axis:
    field, name = draw(plain_fields), f"axis {place} {draw(lines)}"
    kind = draw(st.sampled_from(["values", "span", "settings"]))
    if kind == "settings":
        points = draw(st.lists(_value(field), min_size=1, max_size=3))
        return Axis(name, settings=tuple(Setting(f"s{i}", ((field, v),)) for i, v in enumerate(points)))
    if kind == "span":
        parameter = FIELDS[field].parameter
        low, high = parameter.min or 0, parameter.max or 1e6
        ends = (float(low) + 1, float(high)) if high > low + 1 else (float(low), float(high))
        return Axis(
            name, (field,), span=Span(*ends, draw(st.integers(2, 4)), draw(st.sampled_from(["linear"])))
        )
    values = draw(st.lists(_value(field), min_size=1, max_size=3, unique_by=lambda v: f"{v:.9g}"))
    return Axis(name, (field,), tuple(values), unit=draw(lines))


@st.composite
def studies(draw: st.DrawFn) -> Study:
    """Return a study that breaks no rule."""
    axes, used = [], set()
    for place in range(draw(st.integers(0, 3))):
        axis = draw(_axis(place))
        if not used & set(axis.sets):
            axes.append(axis)
            used |= set(axis.sets)
    base: dict[str, Value] = {
        "workload.family": "facebook",
        "workload.parameters.jobs": draw(st.integers(1, 9)),
        "policy.id": "fifo",
    }
    plain = Study("", (), tuple(axes))
    design = draw(
        st.just(Design())
        | st.builds(Design, st.just("sample"), count=st.integers(1, plain.grid_count), seed=st.integers(0, 9))
        | st.just(Design("list", ((0,) * len(axes), tuple(len(axis.points) - 1 for axis in axes))))
    )
    seeds = tuple(name for name in ("workload.seed", "estimates.seed") if name not in used)
    return Study(
        draw(lines),
        tuple(sorted(base.items())),
        tuple(axes),
        tuple(draw(st.lists(st.sampled_from(["makespan", "gap", "late_jobs"]), min_size=1, unique=True))),
        design,
        draw(st.integers(1, 3)) if seeds else 1,
        draw(st.integers(0, 2**52)),
        seeds,
        tuple(draw(st.lists(_figure(tuple(axes)), max_size=2))),
        draw(lines),
        draw(lines),
    )


def _figure(axes: tuple[Axis, ...]) -> st.SearchStrategy[StudyFigure]:
    points = [(axis.name, point.label) for axis in axes for point in axis.points]
    names = st.just("") | st.sampled_from([axis.name for axis in axes] or [""])
    numbers = st.integers(0, 5) | st.floats(0, 1)
    held = st.sampled_from(points).map(lambda held: ((held[0], (held[1],)),)) if points else st.just(())
    relative: st.SearchStrategy[Relative | None] = st.none()
    if points:
        at = st.sampled_from(points)
        kinds: list[RelativeKind] = ["less-than", "more-than", "ratio", "difference"]
        of: list[RelativeOf] = ["each", "means"]
        compared = st.tuples(st.sampled_from(kinds), at, st.sampled_from(of))
        relative |= compared.map(lambda drawn: Relative(drawn[0], (drawn[1],), drawn[2]))
    curve = st.builds(
        Published,
        lines,
        st.lists(st.tuples(lines | numbers, numbers), max_size=2).map(tuple),
        lines,
        st.none() | numbers,
        st.none(),
    )
    return st.builds(
        StudyFigure,
        lines,
        st.sampled_from(list(KINDS)),
        lines,
        names,
        names,
        by=names,
        where=held | st.just(()),
        relative=relative,
        best_over=names.map(lambda name: (name,) if name else ()),
        published=st.lists(curve, max_size=2).map(tuple),
    ).map(lambda figure: replace(figure, by="") if figure.drawn_as.stacks else figure)
