"""The rules of a study that lie between its values, beyond a schema."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from core.model.errors import LONGEST_NAME, Problem, did_you_mean, name_problems, shorten, text_problems
from core.study.measures import MEASURES
from core.study.policy_names import broken_name, is_file_policy
from core.study.study import LARGEST_FIRST_SEED, MAX_GRID, MAX_POINTS, MAX_ROWS, values_of
from core.study.study_fields import POLICY, RATES, SEEDS, SOURCES, WORKLOAD, every_name, meanings
from core.study.unread import ALL_READ, Unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.study.study import Axis, Study, StudyFigure
    from core.study.study_fields import Field, Value


OWN_COLUMNS = ("cell", "repetition", "seed", "key", "error")
"""Columns of every table of results, whose names no axis may have."""


def study_problems(study: Study, unread: Unread = ALL_READ) -> list[Problem]:
    """Return every rule that a study breaks (none for a valid one), with the path of each value.

    Parameters
    ----------
    study : as far as its document could be read
    unread : what could not
    """
    problems = name_problems("name", study.name)
    problems += text_problems("description", study.description) + text_problems("source", study.source)
    problems += _changes_problems(study, dict(study.base), "base", unread, dotted=True)
    sizes: list[int | None] = []
    for place, axis in enumerate(study.axes):
        where = f"axes[{place}]"
        problems += _axis_problems(study, axis, where, unread)
        sizes.append(None if unread.hides_points(where) else _size(study, axis))
    problems += list(_names_of_axes(study)) + list(_fields_set_twice(study))
    problems += list(_missing_workload(study, unread)) + list(_two_rates(study))
    problems += list(_of_repetitions(study, unread)) + list(_of_measures(study))
    if not unread.covers("axes"):
        problems += list(_of_design(study, sizes))
    for place, figure in enumerate(study.figures):
        problems += figure_problems(study, figure, f"figures[{place}]", sizes, unread)
    return [problem for problem in problems if not unread.covers(problem.where)]


# ---- fields and their values


def _changes_problems(
    study: Study, changes: dict[str, Value], where: str, unread: Unread, *, dotted: bool = False
) -> list[Problem]:
    found = []
    for name, value in changes.items():
        place = f"{where}.{name if dotted else shorten(name, 40)}"
        if rule := broken_rule(study, name, value, unread):
            found.append(Problem(place, shorten(value) if meanings(name) else "", rule))
    return found


def broken_rule(study: Study, name: str, value: Value, unread: Unread = ALL_READ) -> str:
    """Return the rule that a field with this value breaks in a study, or an empty text.

    A parameter is right if it is so for every family, or policy, of the study that has it. Where these are
    unknown, since the study has no base or not all could be read, for any.
    """
    if name == "policy.id" and (is_file_policy(value) or broken_name(value)):
        return broken_name(value)
    known = meanings(name)
    owners = _owners(study, name)
    concerned = [field for field in known if not field.owner or field.owner in owners]
    if not concerned and _may_be_of_file(study, name):
        return ""  # what parameters a policy file has is known when it runs
    if not known:
        return f"unknown field{did_you_mean(name[:60], every_name())}"
    owner = "workload.family" if name.startswith(WORKLOAD) else "policy.id"
    if known[0].owner and (not study.base or unread.may_set(study, [owner])):
        rules = [field.broken_rule(value) for field in known]
        return rules[0] if all(rules) else ""
    if not concerned:
        kind = "workload family" if name.startswith(WORKLOAD) else "policy"
        return f"no {kind} of this study has it; leave it out, or choose {_listed(known)}"
    return next(filter(None, (field.broken_rule(value) for field in concerned)), "")


def _may_be_of_file(study: Study, name: str) -> bool:
    """Whether a field may be a parameter of a policy file of the study."""
    return name.startswith(POLICY) and any(map(is_file_policy, values_of(study, "policy.id")))


def _listed(fields: tuple[Field, ...]) -> str:
    return " or ".join(field.owner for field in fields)


def _owners(study: Study, name: str) -> set[Value]:
    """Return the families, or the policies, that the study has anywhere."""
    if name.startswith(WORKLOAD):
        return values_of(study, "workload.family")
    return values_of(study, "policy.id") | ({"fifo"} if "policy.id" not in dict(study.base) else set())


# ---- axes


def _axis_problems(study: Study, axis: Axis, where: str, unread: Unread) -> list[Problem]:
    problems = name_problems(f"{where}.name", axis.name) + name_problems(f"{where}.unit", axis.unit)
    if axis.settings:
        return problems + list(_settings_problems(study, axis, where, unread))
    if not axis.fields and not unread.covers(f"{where}.settings"):
        problems.append(Problem(f"{where}.fields", "", "missing; say which fields get these values"))
    for place, name in enumerate(axis.fields):
        if not meanings(name) and not _may_be_of_file(study, name):
            rule = f"unknown field{did_you_mean(name[:60], every_name())}"
            problems.append(Problem(f"{where}.fields[{place}]", shorten(name), rule))
    known = tuple(filter(meanings, axis.fields))
    if axis.span is not None and (rule := _span_rule(axis, known)):
        return [*problems, Problem(f"{where}.range", f"{axis.span.start:g} to {axis.span.end:g}", rule)]
    problems += _values_problems(study, axis, known, where, unread)
    if problems or unread.touches(where):
        return problems
    return list(_points_twice(axis, f"{where}.{VALUES_OF[axis.span is None]}"))


VALUES_OF = {True: "values[{}]", False: "range"}
"""Where the value of a point stands, by whether the axis has a list of them."""


def _values_problems(
    study: Study, axis: Axis, fields: tuple[str, ...], where: str, unread: Unread
) -> Iterator[Problem]:
    """Yield which values are wrong, each for the first field that cannot have it."""
    given = axis.values if axis.span is None else axis.span.numbers()
    for place, value in enumerate(given):
        rules = (broken_rule(study, name, _rounded(name, value, axis), unread) for name in fields)
        if rule := next(filter(None, rules), ""):
            yield Problem(f"{where}.{VALUES_OF[axis.span is None].format(place)}", shorten(value), rule)


def _rounded(name: str, value: Value, axis: Axis) -> Value:
    """Return what a field gets: the numbers of a range are rounded where it counts."""
    whole = axis.span is not None and isinstance(value, float)
    return round(float(value)) if whole and meanings(name)[0].parameter.type == "integer" else value


def _span_rule(axis: Axis, fields: tuple[str, ...]) -> str:
    span = axis.span
    assert span is not None
    if not all(meanings(name)[0].is_number for name in fields):
        return "a range is of numbers; give the values of this field as a list"
    if span.count > 1 and span.start == span.end:
        return "both ends are the same; give two different numbers, or a count of 1"
    if span.scale == "log" and not min(span.start, span.end) > 0:
        return "a logarithmic range needs numbers above 0"
    return ""


def _settings_problems(study: Study, axis: Axis, where: str, unread: Unread) -> Iterator[Problem]:
    if axis.fields:
        yield Problem(f"{where}.fields", "", "settings say their fields themselves; leave this out")
    for place, setting in enumerate(axis.settings):
        at = f"{where}.settings[{place}]"
        yield from name_problems(f"{at}.label", setting.label)
        yield from _changes_problems(study, dict(setting.changes), f"{at}.set", unread)
    if not unread.touches(where):
        yield from _points_twice(axis, f"{where}.settings[{{}}].label")


def _points_twice(axis: Axis, where: str) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for place, point in enumerate(axis.points):
        if first.setdefault(point.label, place) != place:
            rule = f"the points of an axis differ; number {first[point.label]} is the same"
            yield Problem(where.format(place), shorten(point.label), rule)


def _size(study: Study, axis: Axis) -> int | None:
    """Return how many points an axis has, right or wrong; None where that is open."""
    if not axis.settings and not axis.fields:
        return None
    known = tuple(filter(meanings, axis.fields))
    if axis.span is not None and (
        not all(name in known or _may_be_of_file(study, name) for name in axis.fields)
        or _span_rule(axis, known)
    ):
        return None
    return len(axis.points)


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


def _missing_workload(study: Study, unread: Unread) -> Iterator[Problem]:
    given = [name for name, _ in study.base if name in SOURCES]
    if len(given) > 1:
        rule = "a workload comes from a family, a file or a sample; give one of them"
        yield Problem("base.workload", ", ".join(name.rpartition(".")[2] for name in given), rule)
    if given or unread.may_set(study, SOURCES):
        return
    every_point = any(
        set(axis.fields) & set(SOURCES)
        or (axis.settings and all(set(SOURCES) & dict(s.changes).keys() for s in axis.settings))
        for axis in study.axes
    )
    if not every_point:
        rule = "missing; say which jobs there are: a family, a file or a sample"
        yield Problem("base.workload", "", rule)


def _two_rates(study: Study) -> Iterator[Problem]:
    given = [name for name, _ in study.base if name in RATES]
    if len(given) > 1:
        rule = "both say how fast jobs arrive; give one of them"
        yield Problem("base.workload", ", ".join(name.rpartition(".")[2] for name in given), rule)


# ---- repetitions, measures, design


def _of_repetitions(study: Study, unread: Unread) -> Iterator[Problem]:
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
    if study.repetitions > 1 and not study.seeds and not unread.covers("seeds"):
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


def _of_design(study: Study, sizes: Sequence[int | None]) -> Iterator[Problem]:
    """Yield what is wrong with the cells; `sizes` counts the points of each axis, None if unknown."""
    design = study.design
    for place, size in enumerate(sizes):
        if size is not None and size > MAX_POINTS:
            yield Problem(f"axes[{place}]", f"{size} points", f"an axis has at most {MAX_POINTS} points")
    if design.kind == "grid" and (design.cells or design.count):
        yield Problem("design.cells", "", "a grid has all cells; leave this out, or choose list or sample")
    if design.kind == "list":
        yield from _of_listed_cells(study, sizes)
    if None not in sizes:
        yield from _of_counts(study)


def _of_counts(study: Study) -> Iterator[Problem]:
    design = study.design
    if study.grid_count > MAX_GRID:
        yield Problem("axes", f"{study.grid_count:.3g} cells", f"a grid has at most {MAX_GRID:.0e} cells")
    if design.kind == "sample" and not 1 <= design.count <= study.grid_count:
        rule = f"say how many of the {study.grid_count} cells of the grid are taken, without repetition"
        yield Problem("design.cells", str(design.count or "missing"), rule)
    if study.row_count > MAX_ROWS:
        rule = f"a study has at most {MAX_ROWS} simulations: fewer points, fewer repetitions, or a sample"
        yield Problem("repetitions", f"{study.cell_count} cells x {study.repetitions}", rule)


def _of_listed_cells(study: Study, sizes: Sequence[int | None]) -> Iterator[Problem]:
    if not study.design.cells:
        yield Problem("design.cells", "", "list at least one cell: the place on each axis, counted from 0")
    for place, cell in enumerate(study.design.cells):
        is_right = len(cell) == len(sizes) and all(
            at >= 0 and (size is None or at < size) for at, size in zip(cell, sizes, strict=True)
        )
        if not is_right:
            last = ", ".join("…" if size is None else str(size - 1) for size in sizes)
            rule = f"give {len(sizes)} places on the axes, counted from 0, at most [{last}]"
            yield Problem(f"design.cells[{place}]", shorten(list(cell)), rule)


def figure_problems(
    study: Study, figure: StudyFigure, where: str, sizes: Sequence[int | None], unread: Unread
) -> list[Problem]:
    """Return what is wrong with a figure at a path; `sizes` as far as the points of axes are known."""
    problems = name_problems(f"{where}.title", figure.title) + name_problems(f"{where}.source", figure.source)
    for place, each in enumerate(figure.published):
        problems += name_problems(f"{where}.published[{place}].name", each.name)
        problems += text_problems(f"{where}.published[{place}].note", each.note)
    problems += [*_of_published(figure, where), *_of_parts(study, figure, where, unread)]
    problems += _of_interval(study, figure, where, unread)
    if unread.covers("axes") or any(unread.covers(f"axes[{i}].name") for i in range(len(study.axes))):
        return problems  # which axes it may name is not known
    axes = [axis.name for axis in study.axes]
    for key, name in (("x", figure.x), ("y", figure.y), ("z", figure.z), ("by", figure.by)):
        if key != "by" and unread.touches("measures"):
            continue
        known = axes if key == "by" else [*axes, *study.measures]
        what = "axis" if key == "by" else "axis or measure"
        problems += _unknown(name, known, what, f"{where}.{key}")
    for place, name in enumerate(figure.best_over):
        problems += _unknown(name, axes, "axis", f"{where}.best_over[{place}]")
    problems += _unknown(figure.band, axes, "axis", f"{where}.band")
    held = [(f"{where}.where.{name}", name, value) for name, values in figure.where for value in values]
    if figure.relative is not None:
        held += [(f"{where}.as.at.{name}", name, value) for name, value in figure.relative.at]
    for at, name, value in held:
        problems += _unknown(name, axes, "axis", at) or _point_problems(study, name, value, at, sizes)
    return problems


def _unknown(name: str, known: Sequence[str], what: str, where: str) -> list[Problem]:
    if not name or name in known:
        return []
    return [Problem(where, shorten(name), f"no {what} of this study{did_you_mean(name[:60], known)}")]


def _point_problems(
    study: Study, name: str, value: Value, where: str, sizes: Sequence[int | None]
) -> list[Problem]:
    place = [axis.name for axis in study.axes].index(name)
    axis = study.axes[place]
    if sizes[place] is None or axis.position(value) is not None:
        return []
    labels = [point.label for point in axis.points[:LONGEST_NAME]]
    return [Problem(where, shorten(value), f"no point of {name}{did_you_mean(str(value)[:60], labels)}")]


def _of_parts(study: Study, figure: StudyFigure, where: str, unread: Unread) -> Iterator[Problem]:
    """Yield what is wrong with further measures, and with parts of stacks."""
    for place, name in enumerate(figure.also):
        at = f"{where}.also[{place}]"
        if name not in study.measures and unread.touches("measures"):
            continue
        if name not in study.measures:
            rule = f"no measure of this study{did_you_mean(name[:60], list(study.measures))}"
            yield Problem(at, shorten(name), rule)
        elif {name, figure.y} <= MEASURES.keys() & set(study.measures) and not _on_one_axis(name, figure.y):
            yield Problem(
                at, shorten(name), f"its unit is not that of {figure.y}; give it a figure of its own"
            )
    if figure.drawn_as.stacks and figure.by:
        rule = (
            "the parts of a stack are measures; hold this axis in where, in a figure for each of its points"
        )
        yield Problem(f"{where}.by", shorten(figure.by), rule)


def _on_one_axis(one: str, other: str) -> bool:
    """Whether two measures can share an axis: two times, two percents, or two counts."""
    units = {MEASURES[one].unit, MEASURES[other].unit}
    return len(units) == 1 or not units & {"s", "%"}


def _of_interval(study: Study, figure: StudyFigure, where: str, unread: Unread) -> Iterator[Problem]:
    """Yield why a figure has no interval of its means."""
    if not figure.interval:
        return
    rule = ""
    if figure.band:
        rule = "a band over an axis is no sample of draws; leave one of them out"
    elif figure.relative is not None and figure.relative.of == "means":
        rule = 'an interval needs each draw compared by itself; leave "of" out, which is each'
    elif figure.drawn_as.rows_along or figure.drawn_as.stacks:
        rule = f"a {figure.kind} shows no spread; draw lines or bars"
    elif study.repetitions < 2 and not unread.touches("repetitions"):
        rule = "an interval is of several draws; give repetitions"
    if rule:
        yield Problem(f"{where}.interval", f"{figure.interval:g}", rule)


def _of_published(figure: StudyFigure, where: str) -> Iterator[Problem]:
    """Yield ranges that end before they begin."""
    for place, each in enumerate(figure.published):
        if each.least is not None and each.most is not None and each.least > each.most:
            at, rule = f"{where}.published[{place}].to", f"give at least {each.least:g}, where it begins"
            yield Problem(at, shorten(each.most), rule)
