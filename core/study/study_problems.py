"""The rules of a study that lie between its values: what a schema cannot say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from core.model.errors import LONGEST_NAME, Problem, did_you_mean, name_problems, shorten, text_problems
from core.study.fields import FIELDS, SEEDS, SOURCES, WORKLOAD, every_name, meanings
from core.study.measures import MEASURES
from core.study.study import LARGEST_FIRST_SEED, MOST_GRID, MOST_POINTS, MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.study.fields import Field, Value
    from core.study.study import Axis, Study, StudyFigure

OWN_COLUMNS = ("cell", "repetition", "seed", "key", "error")
"""Columns of every table of results, whose names no axis may have."""
POLICY_FILES = "a study runs the policies of Slotscope only, no policy files"


def study_problems(study: Study) -> list[Problem]:
    """Return every rule that a study breaks (none for a valid one), with the path of each value."""
    problems = name_problems("name", study.name)
    problems += text_problems("description", study.description) + text_problems("source", study.source)
    problems += _changes_problems(study, dict(study.base), "base", dotted=True)
    for place, axis in enumerate(study.axes):
        problems += _axis_problems(study, axis, f"axes[{place}]")
    problems += list(_names_of_axes(study)) + list(_fields_set_twice(study))
    problems += list(_missing_workload(study))
    problems += list(_of_repetitions(study)) + list(_of_measures(study))
    # points can only be counted where they are right
    if not any(problem.where.startswith("axes") for problem in problems):
        problems += list(_of_design(study))
        for place, figure in enumerate(study.figures):
            problems += _figure_problems(study, figure, f"figures[{place}]")
    return problems


# ---- fields and their values


def _changes_problems(
    study: Study, changes: dict[str, Value], where: str, *, dotted: bool = False
) -> list[Problem]:
    found = []
    for name, value in changes.items():
        place = f"{where}.{name if dotted else shorten(name, 40)}"
        if rule := broken_rule(study, name, value):
            found.append(Problem(place, shorten(value) if meanings(name) else "", rule))
    return found


def broken_rule(study: Study, name: str, value: Value) -> str:
    """Return the rule that a field with this value breaks in a study, or an empty text.

    A parameter is right if it is so for every family, or policy, of the study that has it; of a study without
    a base nobody knows which these are.
    """
    if name == "policy.id" and value not in FIELDS[name].parameter.choices and _is_file(value):
        return POLICY_FILES
    known = meanings(name)
    if not known:
        return f"unknown field{did_you_mean(name[:60], every_name())}"
    owners = _owners(study, name)
    concerned = [field for field in known if not field.owner or field.owner in owners]
    if not concerned and study.base:
        kind = "workload family" if name.startswith(WORKLOAD) else "policy"
        return f"no {kind} of this study has it; leave it out, or choose {_listed(known)}"
    return next(filter(None, (field.broken_rule(value) for field in concerned)), "")


def _is_file(value: Value) -> bool:
    return isinstance(value, str) and (value.endswith(".py") or "/" in value)


def _listed(fields: tuple[Field, ...]) -> str:
    return " or ".join(field.owner for field in fields)


def _owners(study: Study, name: str) -> set[Value]:
    """Return the families, or the policies, that the study has anywhere."""
    if name.startswith(WORKLOAD):
        return values_of(study, "workload.family")
    return values_of(study, "policy.id") | ({"fifo"} if "policy.id" not in dict(study.base) else set())


def values_of(study: Study, name: str) -> set[Value]:
    """Return every value that some cell of a study may have in a field."""
    found = {value for field, value in study.base if field == name}
    for axis in study.axes:
        found |= {value for each in axis.settings for field, value in each.changes if field == name}
        if name in axis.fields:
            found |= set(axis.values)
    return found


# ---- axes


def _axis_problems(study: Study, axis: Axis, where: str) -> list[Problem]:
    problems = name_problems(f"{where}.name", axis.name) + name_problems(f"{where}.unit", axis.unit)
    if axis.settings:
        return problems + list(_settings_problems(study, axis, where))
    if not axis.fields:
        problems.append(Problem(f"{where}.fields", "", "missing; say which fields get these values"))
    for place, name in enumerate(axis.fields):
        if not meanings(name):
            rule = f"unknown field{did_you_mean(name[:60], every_name())}"
            problems.append(Problem(f"{where}.fields[{place}]", shorten(name), rule))
    if problems:
        return problems
    if axis.span is not None and (rule := _span_rule(axis)):
        return [*problems, Problem(f"{where}.range", f"{axis.span.start:g} to {axis.span.end:g}", rule)]
    given = axis.values if axis.span is None else axis.span.numbers()
    place_of = "values[{}]" if axis.span is None else "range"
    for place, value in enumerate(given):
        for name in axis.fields:
            if rule := broken_rule(study, name, _rounded(name, value, axis)):
                problems.append(Problem(f"{where}.{place_of.format(place)}", shorten(value), rule))
                break
    return problems or list(_points_twice(axis, f"{where}.{place_of}"))


def _rounded(name: str, value: Value, axis: Axis) -> Value:
    """Return what a field gets: the numbers of a range are rounded where it counts."""
    whole = axis.span is not None and isinstance(value, float)
    return round(float(value)) if whole and meanings(name)[0].parameter.type == "integer" else value


def _span_rule(axis: Axis) -> str:
    span = axis.span
    assert span is not None
    if not all(meanings(name)[0].is_number for name in axis.fields):
        return "a range is of numbers; give the values of this field as a list"
    if span.count > 1 and span.start == span.end:
        return "both ends are the same; give two different numbers, or a count of 1"
    if span.scale == "log" and not min(span.start, span.end) > 0:
        return "a logarithmic range needs numbers above 0"
    return ""


def _settings_problems(study: Study, axis: Axis, where: str) -> Iterator[Problem]:
    if axis.fields:
        yield Problem(f"{where}.fields", "", "settings say their fields themselves; leave this out")
    for place, setting in enumerate(axis.settings):
        at = f"{where}.settings[{place}]"
        yield from name_problems(f"{at}.label", setting.label)
        yield from _changes_problems(study, dict(setting.changes), f"{at}.set")
    yield from _points_twice(axis, f"{where}.settings[{{}}].label")


def _points_twice(axis: Axis, where: str) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for place, point in enumerate(axis.points):
        if first.setdefault(point.label, place) != place:
            rule = f"the points of an axis differ; number {first[point.label]} is the same"
            yield Problem(where.format(place), shorten(point.label), rule)


def _names_of_axes(study: Study) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    taken = (*OWN_COLUMNS, *MEASURES)
    for place, axis in enumerate(study.axes):
        where = f"axes[{place}].name"
        if not axis.name.strip():
            yield Problem(where, shorten(axis.name), "an axis needs a name")
        elif axis.name in taken:
            yield Problem(
                where, shorten(axis.name), "a column of the results has this name; choose another one"
            )
        elif seen.setdefault(axis.name, place) != place:
            rule = f"axes have different names; axes[{seen[axis.name]}] has it already"
            yield Problem(where, shorten(axis.name), rule)


def _fields_set_twice(study: Study) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for place, axis in enumerate(study.axes):
        names = axis.fields or tuple(dict.fromkeys(n for s in axis.settings for n, _ in s.changes))
        for name, times in Counter(names).items():
            if times > 1:
                yield Problem(f"axes[{place}].fields", shorten(name), "one axis sets a field once")
            elif first.setdefault(name, place) != place:
                rule = f"axes[{first[name]}] sets this field already; join both in one axis with settings"
                yield Problem(f"axes[{place}]", shorten(name), rule)


def _missing_workload(study: Study) -> Iterator[Problem]:
    given = [name for name, _ in study.base if name in SOURCES]
    if len(given) > 1:
        rule = "a workload comes from a family, a file or a sample; give one of them"
        yield Problem("base.workload", ", ".join(name.rpartition(".")[2] for name in given), rule)
    if given:
        return
    every_point = any(
        set(axis.fields) & set(SOURCES)
        or (axis.settings and all(set(SOURCES) & dict(s.changes).keys() for s in axis.settings))
        for axis in study.axes
    )
    if not every_point:
        rule = "missing; say which jobs there are: a family, a file or a sample"
        yield Problem("base.workload", "", rule)


# ---- repetitions, measures, design


def _of_repetitions(study: Study) -> Iterator[Problem]:
    varied = {name for axis in study.axes for name in axis.fields}
    for place, name in enumerate(study.seeds):
        where = f"seeds[{place}]"
        if name not in SEEDS:
            yield Problem(where, shorten(name), f"not a seed{did_you_mean(name[:60], SEEDS)}")
        elif name in varied:
            rule = "an axis sets this seed; leave it out here, or the axis away"
            yield Problem(where, shorten(name), rule)
        elif name in study.seeds[:place]:
            yield Problem(where, shorten(name), "listed twice; name each seed once")
    if study.repetitions > 1 and not study.seeds:
        rule = f"all repetitions would be equal; say in seeds what differs, for instance {SEEDS[0]}"
        yield Problem("repetitions", str(study.repetitions), rule)
    if not 0 <= study.first_seed <= LARGEST_FIRST_SEED:
        rule = f"give a whole number from 0 to {LARGEST_FIRST_SEED}"
        yield Problem("first_seed", str(study.first_seed), rule)


def _of_measures(study: Study) -> Iterator[Problem]:
    for place, name in enumerate(study.measures):
        if name not in MEASURES:
            yield Problem(
                f"measures[{place}]", shorten(name), f"not a measure{did_you_mean(name[:60], MEASURES)}"
            )
        elif name in study.measures[:place]:
            yield Problem(f"measures[{place}]", shorten(name), "listed twice; name each measure once")


def _of_design(study: Study) -> Iterator[Problem]:
    design = study.design
    for place, axis in enumerate(study.axes):
        if len(axis.points) > MOST_POINTS:
            rule = f"an axis has at most {MOST_POINTS} points"
            yield Problem(f"axes[{place}]", f"{len(axis.points)} points", rule)
    if study.grid_count > MOST_GRID:
        yield Problem("axes", f"{study.grid_count:.3g} cells", f"a grid has at most {MOST_GRID:.0e} cells")
    if design.kind == "grid" and (design.cells or design.count):
        yield Problem("design.cells", "", "a grid has all cells; leave this out, or choose list or sample")
    if design.kind == "sample" and not 1 <= design.count <= study.grid_count:
        rule = f"say how many of the {study.grid_count} cells of the grid are taken, without repetition"
        yield Problem("design.cells", str(design.count or "missing"), rule)
    if design.kind == "list":
        yield from _of_listed_cells(study)
    if study.row_count > MOST_ROWS:
        rule = f"a study has at most {MOST_ROWS} simulations: fewer points, fewer repetitions, or a sample"
        yield Problem("repetitions", f"{study.cell_count} cells x {study.repetitions}", rule)


def _of_listed_cells(study: Study) -> Iterator[Problem]:
    sizes = [len(axis.points) for axis in study.axes]
    if not study.design.cells:
        yield Problem("design.cells", "", "list at least one cell: the place on each axis, counted from 0")
    for place, cell in enumerate(study.design.cells):
        is_right = len(cell) == len(sizes) and all(
            0 <= at < size for at, size in zip(cell, sizes, strict=True)
        )
        if not is_right:
            last = ", ".join(str(size - 1) for size in sizes)
            rule = f"give {len(sizes)} places on the axes, counted from 0, at most [{last}]"
            yield Problem(f"design.cells[{place}]", shorten(list(cell)), rule)


# ---- figures


def _figure_problems(study: Study, figure: StudyFigure, where: str) -> list[Problem]:
    axes = [axis.name for axis in study.axes]
    problems = name_problems(f"{where}.title", figure.title) + name_problems(f"{where}.source", figure.source)
    for key, name in (("x", figure.x), ("y", figure.y), ("z", figure.z), ("by", figure.by)):
        known = axes if key == "by" else [*axes, *study.measures]
        if name and name not in known:
            rule = (
                f"no axis{'' if key == 'by' else ' or measure'} of this study{did_you_mean(name[:60], known)}"
            )
            problems.append(Problem(f"{where}.{key}", shorten(name), rule))
    held = [(f"{where}.where.{name}", name, value) for name, values in figure.where for value in values]
    if figure.relative is not None:
        held += [(f"{where}.as.at.{name}", name, value) for name, value in figure.relative.at]
    for at, name, value in held:
        problems += _point_problems(study, name, value, at)
    named = [(f"{where}.best_over[{place}]", name) for place, name in enumerate(figure.best_over)]
    for at, name in [*named, (f"{where}.band", figure.band)]:
        if name and name not in axes:
            rule = f"no axis of this study{did_you_mean(name[:60], axes)}"
            problems.append(Problem(at, shorten(name), rule))
    for place, each in enumerate(figure.published):
        problems += name_problems(f"{where}.published[{place}].name", each.name)
        problems += text_problems(f"{where}.published[{place}].note", each.note)
    return problems


def _point_problems(study: Study, name: str, value: Value, where: str) -> list[Problem]:
    axes = [axis.name for axis in study.axes]
    if name not in axes:
        return [Problem(where, shorten(name), f"no axis of this study{did_you_mean(name[:60], axes)}")]
    axis = study.axis(name)
    if axis.position(value) is None:
        labels = [point.label for point in axis.points[:LONGEST_NAME]]
        return [Problem(where, shorten(value), f"no point of {name}{did_you_mean(str(value)[:60], labels)}")]
    return []
