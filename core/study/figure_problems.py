"""The rules of a study's figures: they name axes, points and measures that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import LONGEST_NAME, Problem, did_you_mean, name_problems, shorten, text_problems
from core.study.measures import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.study.study import Study, StudyFigure
    from core.study.study_fields import Value
    from core.study.unread import Unread


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
