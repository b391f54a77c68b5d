"""Which pictures of a study a page offers: its own figures, then those that the study window offers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from core.charts.study.picture_choice import FIGURE, PictureChoice, policy_axis, usual_choice
from core.study.figure_kinds import PICTURES
from core.study.measures import MEASURES
from core.study.point_names import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.study.figure_kinds import FigureKind
    from core.study.study import Axis, Study

BEST = "which is best"


@dataclass(frozen=True)
class OfferedPicture:
    """One picture that a reader can choose.

    Attributes
    ----------
    choice : which picture it is
    group, measure, variant : in words, what it is chosen by: "Lines along nodes", "makespan", "slowstart
        0.05"; empty where there is nothing to choose
    """

    choice: PictureChoice
    group: str
    measure: str = ""
    variant: str = ""


def offers(study: Study) -> Iterator[OfferedPicture]:
    """Yield the pictures, the most telling first: those that hold an axis at one of its points come last."""
    for place, each in enumerate(study.figures):
        yield OfferedPicture(PictureChoice(FIGURE, each.z or each.y, figure=place), each.title)
    for kind in PICTURES.values():
        yield from _of_kind(study, kind)
    for kind in PICTURES.values():
        for offer in _of_kind(study, kind):
            yield from _held(study, offer)


def _of_kind(study: Study, kind: FigureKind) -> Iterator[OfferedPicture]:
    """Yield the pictures of a kind: of every measure, along the axes that it needs."""
    by = policy_axis(study)
    if not kind.fits(len(study.axes), len(study.measures)) or (kind.compares and by is None):
        return
    usual = usual_choice(study)
    for x, y in _axes_of(study, kind, by):
        along = " and ".join(filter(None, (x, y)))
        title = f"{kind.title} along {along}" if along else kind.title
        compared = "" if by is None or "by" not in kind.needs or by.name in (x, y) else by.name
        if kind.compares and not compared:
            continue
        for measure in study.measures:
            others = [each for each in study.measures if each != measure] if kind.is_of_cells else [""]
            for other in others:
                words = MEASURES[measure].title + (f" and {MEASURES[other].title}" if other else "")
                choice = PictureChoice(kind.name, measure, other, x, y, compared)
                if not other or measure == usual.measure or study.measures.index(measure) == 0:
                    yield OfferedPicture(choice, title, words, BEST if kind.compares else "")


def _axes_of(study: Study, kind: FigureKind, by: Axis | None) -> list[tuple[str, str]]:
    """Return the axes along x and y, the ones of most points first; empty names where none is needed."""
    free = [axis for axis in study.axes if axis is not by or not kind.compares]
    free.sort(key=lambda axis: (axis is by, axis.numbers is None, -len(axis.points)))
    names = [axis.name for axis in free]
    if "y" in kind.needs:
        return [(x, y) for x, y in permutations(names, 2) if names.index(x) < names.index(y)]
    return [(x, "") for x in names] if "x" in kind.needs else [("", "")]


def _held(study: Study, offer: OfferedPicture) -> Iterator[OfferedPicture]:
    """Yield the same picture with what is lost to the best, and with each other axis held at each point."""
    choice, kind = offer.choice, PICTURES[offer.choice.kind]
    if kind.compares:
        axis = study.axis(choice.by)
        for place, point in enumerate(axis.points):
            lost = PictureChoice(choice.kind, choice.measure, "", choice.x, choice.y, choice.by, point.label)
            yield OfferedPicture(lost, offer.group, offer.measure, f"loss of {name_of(axis, place)}")
    for axis in study.axes:
        if axis.name in (choice.x, choice.y, choice.by) or len(axis.points) < 2:
            continue
        for place in range(len(axis.points)):
            held = PictureChoice(
                choice.kind, choice.measure, choice.other, choice.x, choice.y, choice.by, "",
                ((axis.name, place),),
            )  # fmt: skip
            yield OfferedPicture(held, offer.group, offer.measure, f"{axis.name} {name_of(axis, place)}")
