"""Small changes of a plan that is good already, as by prices: most shift a due date a little.

Plain functions over columns, as all moves (`core.optimize.levers`); `core.engine.jit` makes their compiled
twins. Nothing is allocated in them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.engine.apart import apart
from core.optimize.levers import TO_SLOWSTART, TO_TASKS, lower_floor, move_slowstart, other_tasks
from core.optimize.numbers_loop import draw
from core.optimize.search_columns import NOW, OTHER, STRIDE, TIED

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.search_columns import Chain, Tasks

BOTH_SHARE, MAPS_SHARE = 0.35, 0.55
GENTLE = 0.7, 0.8, 0.9
"""Of gentle moves: up to which random number both due dates of a job are shifted, and those of its maps; any
due date, they are exchanged with another job's, the order of tasks is another one; else the slowstart is."""


@apart
def move_gently(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Shift the due dates of a job, mostly a little, exchange them with another job's, or the like.

    Starts that follow prices are so good that larger moves destroy more than they find.
    """
    choice, k = draw(c), j
    if GENTLE[0] <= choice < GENTLE[1]:
        k = c.movable[int(draw(c) * len(c.movable))]
    lower_floor(t, plans, c, j)
    lower_floor(t, plans, c, k)
    if choice < GENTLE[0]:
        shift_due(t, plans, c, j, choice)
    elif choice < GENTLE[1]:
        for stage in range(t.count.shape[1]):
            due = plans.due[NOW, j, stage]
            plans.due[NOW, j, stage] = plans.due[NOW, k, stage]
            plans.due[NOW, k, stage] = due
        c.moved[OTHER] = k
    elif choice < GENTLE[2] or c.chance[TO_SLOWSTART] == 0:
        if c.chance[TO_TASKS] > 0:
            other_tasks(plans, c, j, int(draw(c) * t.count.shape[1]))
    else:
        move_slowstart(t, plans, c, j)
    lower_floor(t, plans, c, j)
    lower_floor(t, plans, c, k)


@apart
def shift_due(t: Tasks, plans: PlanColumns, c: Chain, j: int, choice: float) -> None:
    """Shift when the maps of a job are due, or its reduces, or both: the nearer, the more often."""
    far = c.level[STRIDE] * (2 * draw(c) - 1) * math.exp(-4.5 * draw(c))
    if c.count[TIED] > 0 or choice < BOTH_SHARE:
        plans.due[NOW, j, t.root] += far
        plans.due[NOW, j, t.child] += far
    elif choice < MAPS_SHARE:
        plans.due[NOW, j, t.root] += far
    else:
        plans.due[NOW, j, t.child] += far
