"""The aim of a game to choose, and what stands below its chart: what has to be decided, and how it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox

from core.lessons.hand_aims import MAKESPAN, aim_text
from core.model.objectives import OBJECTIVES
from core.model.task_types import MAP
from core.model.time_text import clock_text, duration_text
from core.optimize.premise import premise_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.lessons.hand_game import HandGame


class AimChoice(QComboBox):
    """The aims that mean something with the jobs of a game."""

    def offer(self, aims: Sequence[str], wanted: str = "") -> str:
        """Offer other aims, and return the chosen one: the wanted one, or what was chosen before."""
        before = wanted or self.currentData()
        self.clear()
        for aim in aims:
            self.addItem(OBJECTIVES[aim].title, aim)
        self.setCurrentIndex(aims.index(before) if before in aims else 0)
        return str(self.currentData())


def question_text(game: HandGame) -> str:
    """Return what has to be decided now, or that nothing has."""
    offer = game.offer
    if offer is None:
        return "Stuck" if game.stuck else f"All done after {duration_text(game.schedule().makespan)}"
    kind = "" if game.cluster.has_containers else "map " if offer.slot_kind == MAP else "reduce "
    name, place = game.cluster.slot_name(offer.slot), "place" if game.cluster.has_nodes else "slot"
    more = f" ({offer.free} {kind}{place}s are free)" if offer.free > 1 else ""
    return f"At {clock_text(offer.time)} {kind}{place} {name} is free{more}. Who gets it?"


def standing_text(game: HandGame, last: float, aim: str, least: float) -> str:
    """Return how a game stands.

    Parameters
    ----------
    last : when the last of the tasks that have started ends, in seconds
    aim, least : what is to be small, and what no schedule is below
    """
    tasks, waiting = len(game.workload.columns.job), game.waiting
    premise = premise_on(game.workload, game.cluster).words
    if aim == MAKESPAN:
        bound = f"no schedule can be shorter than {duration_text(least)} {premise}"
    else:
        title = OBJECTIVES[aim].title.lower()
        bound = f"{title} at least {aim_text(aim, least)} in any schedule {premise}"
    return " · ".join(
        (
            f"now {clock_text(game.now)}",
            f"{waiting} {'job waits' if waiting == 1 else 'jobs wait'}",
            f"{game.started} of {tasks} tasks started",
            f"makespan so far {duration_text(last)}",
            bound,
        )
    )
