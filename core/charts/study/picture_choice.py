"""Which picture of a study is shown, of which measures, along which axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.study.study import Axis, Study

FIGURE = "figure"
"""In the place of a kind: one of the study's own figures."""
DEFAULT_OTHER = "mean_response"


@dataclass(frozen=True)
class PictureChoice:
    """What is shown; empty names where a picture does not need them.

    Attributes
    ----------
    kind : of `core.study.figure_kinds.PICTURES`, by name, or FIGURE
    measure, other : names of measures
    x, y, by : names of axes
    of : in a map of the best: label of the one whose loss is shown, empty for which one is best
    where : axes that are held, each at the place of one of its points
    figure : place of the figure of the study
    """

    kind: str = "lines"
    measure: str = "makespan"
    other: str = ""
    x: str = ""
    y: str = ""
    by: str = ""
    of: str = ""
    where: tuple[tuple[str, int], ...] = ()
    figure: int = -1


def policy_axis(study: Study) -> Axis | None:
    """Return the axis that varies the policy, else the first whose values have names, else None."""
    for axis in study.axes:
        if "policy.id" in axis.sets:
            return axis
    return next((axis for axis in study.axes if axis.numbers is None), None)


def usual_choice(study: Study) -> PictureChoice:
    """Return what to show first: the study's first figure, else lines along the axis of most numbers."""
    if study.figures:
        return PictureChoice(FIGURE, figure=0)
    by = policy_axis(study)
    others = sorted((a for a in study.axes if a is not by), key=lambda a: (a.numbers is None, -len(a.points)))
    x = others[0] if others else by
    return PictureChoice(
        "lines" if x is not None else "cdf",
        study.measures[0],
        DEFAULT_OTHER if DEFAULT_OTHER in study.measures else study.measures[-1],
        "" if x is None else x.name,
        others[1].name if len(others) > 1 else "",
        "" if by is None or by is x else by.name,
    )
