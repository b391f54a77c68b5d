"""Results of simulations: frames, columns, figures and pages of one schedule, or of several side by side."""

from __future__ import annotations

import html
import os
from functools import cached_property
from typing import TYPE_CHECKING

from core.files.html_text import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

MAX_TASKS = 100_000
"""Of all charts that a notebook shows: it would keep 0.5 MB of them."""
FRAME_PX, CHART_PX, MAX_PX = 300, 220, 900


def page_text(titled: Sequence[tuple[str, Schedule]]) -> str:
    """Return the file that shows schedules in a browser, each with what it is called."""
    from core.charts.chart import charts_of
    from core.charts.charts_page import page_of

    return page_of(charts_of(titled))


def fits_notebook(titled: Sequence[tuple[str, Schedule]]) -> bool:
    """Whether a notebook shows charts of schedules: there is something to draw, and not too much to keep."""
    tasks = [len(schedule.start) for _, schedule in titled]
    return bool(tasks) and min(tasks) > 0 and sum(tasks) <= MAX_TASKS


def framed(titled: Sequence[tuple[str, Schedule]], title: str) -> str:
    """Return the page inside a frame of its own, as notebooks show HTML: it sees nothing of the notebook."""
    height = min(FRAME_PX + CHART_PX * len(titled), MAX_PX)
    return (
        f'<iframe srcdoc="{html.escape(page_text(titled))}" title="{escape(title)}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:0" loading="lazy"></iframe>'
    )


def save(titled: Sequence[tuple[str, Schedule]], path: str | os.PathLike[str]) -> None:
    """Write schedules to a file, whose ending says the format.

    Raises
    ------
    InputError
        the ending is of no format, or the file cannot be written
    """
    from core.files.schedule_file import format_for, write_schedules
    from core.files.schedule_page import write_page

    if os.fspath(path).endswith(".html"):
        write_page(page_text(titled), path)
    else:
        write_schedules(list(titled), path, format_for(path))


SHOWN = ["makespan", "lower_bound", "gap", "mean_response", "map_utilisation", "reduce_utilisation"]
"""Figures in the small table that a notebook shows."""


class ScheduleResult:
    """What came out of one simulation.

    Frames of pandas are made anew when they are first looked at; columns of numpy are those of the simulator,
    not copied, and cannot be written.

    Attributes
    ----------
    core : the `core.model.schedule.Schedule`, which has all there is

    Examples
    --------
    >>> import slotscope
    >>> schedule = slotscope.simulate("five-jobs", "johnson")
    >>> schedule.makespan, schedule.lower_bound
    (47.0, 47.0)
    >>> schedule.tasks[["job", "kind", "index", "slot", "start", "end"]].head(2)
      job kind  index  slot  start  end
    0  J1  map      0     0    3.0  7.0
    1  J1  map      1     1    3.0  7.0
    """

    def __init__(self, schedule: Schedule) -> None:
        self.core = schedule

    # ---- what was run

    @property
    def workload(self) -> Workload:
        """The workload."""
        return self.core.given

    @property
    def cluster(self) -> Cluster:
        """The cluster that it ran on."""
        return self.core.cluster

    @property
    def policy(self) -> str:
        """The id of the policy; "recorded" for what really ran."""
        return self.core.choice.id

    @property
    def parameters(self) -> Mapping[str, object]:
        """Every parameter of the policy with its value."""
        return dict(self.core.choice.parameters)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about how it ran: why a policy was not compiled, which picks fit nothing."""
        from core.policies.by_hand import unfitting

        why = self.core.interpreted_because
        interpreted = f"{self.policy} ran interpreted: {why}" if why else ""
        return tuple(filter(None, (interpreted, unfitting(self.core.choice, self.core.workload))))

    # ---- figures

    @property
    def makespan(self) -> float:
        """When the last job departs, in seconds."""
        return self.core.makespan

    @property
    def lower_bound(self) -> float:
        """Seconds that no schedule can beat; what it takes for granted is in `premise`."""
        return self.metrics["lower_bound"]

    @cached_property
    def premise(self) -> str:
        """What the lower bound takes for granted, in words; empty where it holds for every schedule."""
        from core.optimize.premise import premise_of

        return premise_of(self.core).words

    @cached_property
    def metrics(self) -> dict[str, float]:
        """Every figure of the schedule by its name, as `slotscope compare --json` has them; nan for none."""
        from core.measures.metrics import measure

        return dict(measure(self.core).values)

    # ---- frames

    @cached_property
    def tasks(self) -> pd.DataFrame:
        """One row per task: job, kind (or stage), index, slot, wave, start, shuffle_end, end."""
        from core.files.schedule_file import task_table

        return task_table(self.core)

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row per job: pool, user, weight, maps, reduces, arrival, start, end, response, deadline."""
        from core.files.schedule_file import job_table

        return job_table(self.core)

    @cached_property
    def slots(self) -> pd.DataFrame:
        """One row per slot: kind, name, tasks, busy (seconds), use (of the makespan), start, end."""
        from core.files.schedule_file import slot_table

        return slot_table(self.core)

    # ---- columns, not copied

    @property
    def slot(self) -> NDArray[np.int32]:
        """On which slot each task ran, (tasks,)."""
        return self.core.slot

    @property
    def start(self) -> NDArray[np.float64]:
        """When each task started, seconds, (tasks,)."""
        return self.core.start

    @property
    def shuffled(self) -> NDArray[np.float64]:
        """When the shuffle of each task ended, of a map its start, seconds, (tasks,)."""
        return self.core.shuffled

    @property
    def end(self) -> NDArray[np.float64]:
        """When each task ended, seconds, (tasks,)."""
        return self.core.end

    @property
    def arrival(self) -> NDArray[np.float64]:
        """When each job arrived, seconds, (jobs,)."""
        return self.core.arrival

    @property
    def finish(self) -> NDArray[np.float64]:
        """When each job departed, seconds, (jobs,)."""
        return self.core.finish

    # ---- elsewhere

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the schedule to a file, whose ending says the format.

        Parameters
        ----------
        path : ends in .html for the page that draws it in a browser, in .csv or .parquet for a table, in
            .json for Perfetto, in .paje for ViTE; .gz may follow all but the first

        Raises
        ------
        InputError
            the ending is none of these, or the file cannot be written
        """
        save([(self.policy, self.core)], path)

    def __repr__(self) -> str:
        from core.model.time_text import makespan_text

        about = f"{self.workload.name}, {self.policy}: {makespan_text(self.makespan)}"
        return f"<ScheduleResult {about}>"

    def _repr_html_(self) -> str:
        """Return the chart as the page for browsers has it, for notebooks; figures alone of many tasks."""
        from core.model.cluster import slots_text

        title = f"{self.workload.name} · {self.policy} · {slots_text(self.cluster)}"
        titled = [(self.policy, self.core)]
        if fits_notebook(titled):
            return framed(titled, title)
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self._shown()
        )
        return f"<table><caption>{escape(title)}</caption>{rows}</table>"

    def _shown(self) -> Iterator[tuple[str, str]]:
        """Yield the figures that a notebook shows, each with its title."""
        from core.measures.metrics import METRICS, suits

        for name in SHOWN:
            metric = METRICS[name]
            if suits(metric, self.core.workload):
                yield metric.title_for(self.core.workload), metric.text(self.metrics[name])


class ComparisonResult:
    """Schedules of one workload beside one another; the first one is the baseline.

    Attributes
    ----------
    schedules : the results, in the order in which they were given

    Examples
    --------
    >>> import slotscope
    >>> beside = slotscope.compare("five-jobs", ["fifo", "johnson"])
    >>> beside.table[["makespan", "change"]].round(3)
             makespan  change
    policy
    fifo         74.0   0.000
    johnson      47.0  -0.365
    >>> beside["johnson"].makespan
    47.0
    """

    def __init__(self, schedules: list[ScheduleResult]) -> None:
        self.schedules = schedules

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per schedule, by the id of its policy: the makespan, its change, and every figure.

        `change` is against the baseline: -0.1 is 10 % shorter.
        """
        import pandas as pd

        from core.measures.compare import comparison_rows
        from core.measures.metrics import measure

        schedules = [result.core for result in self.schedules]
        rows = comparison_rows(schedules, [measure(schedule) for schedule in schedules])
        return pd.DataFrame(rows, index=pd.Index(self.titles, name="policy")).drop(columns="policy")

    @cached_property
    def titles(self) -> list[str]:
        """What the schedules are called: their policies, numbered where two have the same one."""
        from core.model.schedule import with_distinct_titles

        return [
            title for title, _ in with_distinct_titles([(each.policy, each.core) for each in self.schedules])
        ]

    def __getitem__(self, title: str) -> ScheduleResult:
        """Return the schedule of a policy."""
        from core.model.errors import UnknownName

        if title not in self.titles:
            raise UnknownName("schedule of the comparison", title, self.titles)
        return self.schedules[self.titles.index(title)]

    def __iter__(self) -> Iterator[ScheduleResult]:
        return iter(self.schedules)

    def __len__(self) -> int:
        return len(self.schedules)

    def __repr__(self) -> str:
        return f"<ComparisonResult {', '.join(self.titles)}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all schedules to one file, whose ending says the format, as `ScheduleResult.save` does.

        Raises
        ------
        InputError
            the ending is none of these, or the file cannot be written
        """
        save(self._titled, path)

    @property
    def _titled(self) -> list[tuple[str, Schedule]]:
        return [(title, each.core) for title, each in zip(self.titles, self.schedules, strict=True)]

    def _repr_html_(self) -> str:
        """Return the charts as the page for browsers has them, for notebooks; figures alone of many tasks."""
        from core.measures.metrics import METRICS, narrow_metrics

        if fits_notebook(self._titled):
            return framed(self._titled, self.schedules[0].workload.name)
        metrics = [METRICS["makespan"], METRICS["gap"], *narrow_metrics(self.schedules[0].core.workload)]
        head = "".join(f"<th>{escape(metric.heading or metric.title)}</th>" for metric in metrics)
        rows = "".join(
            f"<tr><th>{escape(title)}</th>"
            + "".join(f"<td>{escape(metric.text(result.metrics[metric.name]))}</td>" for metric in metrics)
            + "</tr>"
            for title, result in zip(self.titles, self.schedules, strict=True)
        )
        name = escape(self.schedules[0].workload.name)
        return f"<table><caption>{name}</caption><tr><th>policy</th>{head}</tr>{rows}</table>"
