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
from core.optimize.search_columns import HORIZON, JOB, NOW, OTHER, STRIDE, TIED

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.search_columns import Chain, Tasks

BOTH_SHARE, MAPS_SHARE = 0.35, 0.55
GENTLE = 0.7, 0.8, 0.9
"""Of gentle moves: up to which random number both due dates of a job are shifted, and those of its maps; any
due date, they are exchanged with another job's, the order of tasks is another one; else the slowstart is."""
HEAVY_SHARE, BESIDE = 0.7, 1e-3
"""Instead of so many exchanges, where some jobs are most of the work, one of them goes right before or behind
another one: its due dates are so near, part of the horizon, or nearer."""


@apart
def move_gently(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Shift the due dates of a job, mostly a little, let it change places with another one, or the like.

    Starts that follow prices are so good that larger moves destroy more than they find.
    """
    choice, k = draw(c), j
    is_beside = GENTLE[0] <= choice < GENTLE[1] and len(c.heavy) > 1 and draw(c) < HEAVY_SHARE
    if is_beside:
        place = int(draw(c) * len(c.heavy))
        j = c.moved[JOB] = c.moved[OTHER] = c.heavy[place]
        k = c.heavy[(place + 1 + int(draw(c) * (len(c.heavy) - 1))) % len(c.heavy)]
    elif GENTLE[0] <= choice < GENTLE[1]:
        k = c.movable[int(draw(c) * len(c.movable))]
    lower_floor(t, plans, c, j)
    lower_floor(t, plans, c, k)
    if choice < GENTLE[0]:
        far = c.level[STRIDE] * (2 * draw(c) - 1) * math.exp(-4.5 * draw(c))
        shift_due(t, plans, c, j, far, choice)
    elif is_beside:
        put_beside(t, plans, c, j, k)
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
def put_beside(t: Tasks, plans: PlanColumns, c: Chain, j: int, k: int) -> None:
    """Let a stage of a job be due with another one's, and its other stage as much later, or as it was."""
    choice = GENTLE[0] * draw(c)
    stage = t.root if choice < MAPS_SHARE else t.child
    far = plans.due[NOW, k, stage] - plans.due[NOW, j, stage]
    shift_due(t, plans, c, j, far + (2 * draw(c) - 1) * BESIDE * c.level[HORIZON], choice)


@apart
def shift_due(t: Tasks, plans: PlanColumns, c: Chain, j: int, far: float, choice: float) -> None:
    """Shift when the maps of a job are due, or its reduces, or both."""
    if c.count[TIED] > 0 or choice < BOTH_SHARE:
        plans.due[NOW, j, t.root] += far
        plans.due[NOW, j, t.child] += far
    elif choice < MAPS_SHARE:
        plans.due[NOW, j, t.root] += far
    else:
        plans.due[NOW, j, t.child] += far
