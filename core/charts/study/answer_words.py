"""The answer of a picture of a study in words: what is best, what it comes to, and what lies far behind."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from core.charts.study.values import value_text
from core.explain.run_summary import Clause, Phrase, Tone
from core.study.answers import NEAR, course_of, farthest_behind, regret, which_best
from core.study.measures import MEASURES, is_less_better

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.study.answers import WhichBest
    from core.study.figure_data import FigureData

    Names = Sequence[str]

NEARLY = f"{100 * NEAR:g} %"


def plain(text: str, joint: str = ". ") -> Clause:
    """Return a clause of plain words."""
    return Clause((Phrase(text),), joint)


def strong(text: str) -> Clause:
    """Return a clause of which every word stands out."""
    return Clause((Phrase(text, Tone.STRONG),))


def best_clause(best: WhichBest, names: Names, axis: str, labels: Names, *, has_order: bool) -> Clause:
    """Return which one to take, and from where on another one."""
    text = f"{names[best.place]} is best or within {NEARLY}"
    if best.part == 1:
        return strong(f"{text} everywhere")
    text += f" in {100 * best.part:.0f} % of {best.cells} cells"
    if best.other >= 0 and has_order:
        text += f"; from {axis} {labels[best.later]} on {names[best.other]} is"
    return strong(text)


def course_clause(
    measure: str, values: NDArray[np.float64], axis: str, labels: Names, *, has_order: bool, whose: str = ""
) -> Clause | None:
    """Return what a measure comes to along an axis: its best value, from where on, and the one at the begin.

    `has_order` is whether the axis has numbers; `whose` the one that the values are of, empty if only one is.
    """
    course = course_of(values, less_is_better=is_less_better(measure))
    if course is None:
        return None
    known = MEASURES[measure]

    def text(place: int) -> str:
        return value_text(float(values[place]), known.unit)

    def at(place: int) -> str:
        return f"{axis} {labels[place]}"

    subject = f"The {known.title} of {whose}" if whose else f"The {known.title}"
    value = Phrase(text(course.best), Tone.STRONG)
    from_to = (
        Phrase(f"{subject} goes from {text(course.first)} at {at(course.first)} to "),
        Phrase(text(course.last), Tone.STRONG),
        Phrase(f" at {labels[course.last]}"),
    )
    if known.better and course.settles == course.first:
        return Clause((Phrase(f"{subject} is "), value, Phrase(f" or within {NEARLY} at all {axis}")))
    if not known.better or (has_order and course.settles == course.last):
        return Clause(from_to)
    if has_order and course.settles >= 0:
        end = f" from {at(course.settles)} on, {text(course.first)} at {labels[course.first]}"
        return Clause((Phrase(f"{subject} is "), value, Phrase(end)))
    end = f" at {at(course.best)}, and worst, {text(course.worst)}, at {labels[course.worst]}"
    return Clause((Phrase(f"{subject} is best, "), value, Phrase(end)))


def behind_clause(
    measure: str,
    values: NDArray[np.float64],
    names: Names,
    where: Callable[[tuple[int, ...]], str],
) -> Clause | None:
    """Return which compared one is farthest behind the best, where, and by how much; None if none is.

    Parameters
    ----------
    values : (…, compared)
    where : the words for the places of a cell
    """
    known = MEASURES[measure]
    found = farthest_behind(values, less_is_better=is_less_better(measure))
    if found is None or not known.better:
        return None
    value, best = value_text(found.value, known.unit), value_text(found.best, known.unit)
    part = f" ({100 * found.lost:.3g} % worse)" if math.isfinite(found.lost) else ""
    head = f"{names[found.place]} is farthest behind, at {where(found.cell)}: "
    return Clause((Phrase(head), Phrase(value, Tone.STRONG), Phrase(f" instead of {best}{part}")))


def answer_of_curves(
    measure: str,
    values: NDArray[np.float64],
    lost: NDArray[np.float64],
    names: Names,
    axis: str,
    labels: Names,
    *,
    has_order: bool,
) -> tuple[Clause, ...]:
    """Return the answer of curves of compared ones along an axis, ``values`` and ``lost`` (x, compared)."""
    best = which_best(lost[:, None, :])
    if best is None:
        return ()
    course = course_clause(
        measure, values[:, best.place], axis, labels, has_order=has_order, whose=names[best.place]
    )
    behind = behind_clause(measure, values, names, lambda cell: f"{axis} {labels[cell[0]]}")
    first = best_clause(best, names, axis, labels, has_order=has_order)
    return (first, *(clause for clause in (course, behind) if clause is not None))


def answer_of_field(
    measure: str, values: NDArray[np.float64], at: Callable[[int, int], str]
) -> tuple[Clause, ...]:
    """Return where a measure over two axes is best and worst; `at` has the words for a row and a column."""
    flat = values.ravel()
    course = course_of(flat, less_is_better=is_less_better(measure))
    if course is None:
        return ()
    known = MEASURES[measure]

    def spot(place: int) -> tuple[str, str]:
        return value_text(float(flat[place]), known.unit), at(*divmod(place, values.shape[1]))

    alike = int((flat == flat[course.best]).sum()) - 1
    more = f" and in {alike} more cell{'s' * (alike > 1)}" if alike else ""
    words = ("best", "worst") if known.better else ("least", "most")
    (good, here), (bad, there) = spot(course.best), spot(course.worst)
    head = Phrase(f"The {known.title} is {words[0]}, ")
    return (
        Clause((head, Phrase(good, Tone.STRONG), Phrase(f", at {here}{more}"))),
        Clause((Phrase(f"{words[1]}, "), Phrase(bad, Tone.STRONG), Phrase(f", at {there}")), "; "),
    )


def answer_of_front(
    titles: tuple[str, str], texts: Sequence[tuple[str, str]], count: int
) -> tuple[Clause, ...]:
    """Return how many cells no other beats, from the best in one measure to the best in the other.

    `texts` has the two values of those cells, ascending in the first one.
    """
    if not texts:
        return ()
    many = "cells" if count != 1 else "cell"
    verb = "are" if len(texts) != 1 else "is"
    first = strong(f"{len(texts)} of {count} {many} {verb} beaten by no other in both measures")
    begin, end = texts[0], texts[-1]
    said = f"{titles[0]} {begin[0]} with {titles[1]} {begin[1]}"
    if len(texts) == 1:
        return first, plain(said, ": ")
    return first, plain(f"from {said} to {end[0]} with {end[1]}", ": ")


def answer_of_distribution(measure: str, middles: Sequence[tuple[str, float]]) -> tuple[Clause, ...]:
    """Return what half of the runs have at most: of the group in which it is least, and the one with most."""
    known = MEASURES[measure]
    if not middles:
        return ()
    order = sorted(middles, key=lambda each: each[1])
    (name, least), (other, most) = order[0], order[-1]
    whose = f" with {name}" if name else ""
    value = Phrase(value_text(least, known.unit), Tone.STRONG)
    first = Clause((Phrase(f"Half of the runs{whose} have a {known.title} of at most "), value))
    if least == most:
        return (first,)
    end = f"with {other} of at most "
    return first, Clause((Phrase(end), Phrase(value_text(most, known.unit), Tone.STRONG)), ", half of those ")


def answer_of_figure(data: FigureData) -> tuple[Clause, ...]:
    """Return what a figure comes to; nothing where it compares, stacks or has several measures."""
    figure = data.figure
    if figure.relative is not None or figure.drawn_as.stacks or len(figure.measures) > 1:
        return ()
    xs = sorted({x for curve in data.curves for x in curve.xs})
    known = [dict(zip(curve.xs, curve.ys, strict=True)) for curve in data.curves]
    values = np.array([[each.get(x, np.nan) for x in xs] for each in known], np.float64)
    labels = [data.labels[int(x)] if data.labels else f"{x:g}" for x in xs]
    names, measure = [curve.name for curve in data.curves], figure.measures[0]
    if figure.drawn_as.rows_along:
        return answer_of_field(
            measure, values, lambda row, k: f"{data.x_title} {labels[k]}, {data.along} {names[row]}"
        )
    if len(names) == 1:
        course = course_clause(measure, values[0], data.x_title, labels, has_order=data.is_ordered)
        return () if course is None else (course,)
    lost = regret(values.T, less_is_better=is_less_better(measure))
    return answer_of_curves(measure, values.T, lost, names, data.x_title, labels, has_order=data.is_ordered)
