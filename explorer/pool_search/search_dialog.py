"""The dialog of a search for balanced pools: fills while it runs, can be stopped, hands a trial over."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from typing_extensions import override

from core.model.errors import Cancelled
from core.model.partition import MAX_POOLS_SEARCHED
from core.model.time_text import change_text, clock_text, makespan_text
from core.planning.pool_cut import NAMES, PoolCut, Trial
from core.planning.pool_searches import search_pools
from core.simulation.fifo_trials import pool_trials
from explorer.pool_search.pool_bars import PoolBars
from explorer.pool_search.search_map import tried_map
from explorer.pool_search.search_picture import SearchPicture
from explorer.widgets.export import ExportButton
from explorer.widgets.layouts import Dialog, column, push_button, resize_on_screen, row
from explorer.widgets.number_fields import CountField
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import ProgressLine, show_while_busy
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.planning.balanced_pools import PoolSearch
    from explorer.widgets.theme import Theme

ABOUT_MAP = "Two pools only: every split and size that was tried."
POOLS_HELP = "How many pools at most; with more than two, the best of each number is shown as boxes"
HINT = "Point at the picture to read a trial; a click or Enter takes its pools into the scenario."


class SearchDialog(Dialog):
    """Searches pools for one workload on one cluster, and shows everything that is tried.

    Attributes
    ----------
    workload : whose jobs are in the pools
    cluster : whose slots they share

    Signals
    -------
    taken : a Partition and its Trial (None for one pool): the pools to be used
    """

    taken = Signal(object, object)

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        title: str,
        theme: Theme,
        *,
        compiled: bool,
        pools: int = 2,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(f"Balanced pools for {title}", parent)
        self.workload, self.cluster, self._compiled = workload, cluster, compiled
        self._cut = PoolCut(workload, cluster)
        self._tried: list[Trial] = []
        self._worker = Worker(
            self, progressed=self._on_progressed, finished=self._on_done, failed=self._on_failed
        )
        slots = (cluster.map_slots, cluster.reduce_slots)
        self.summary = PlainLabel(wraps=True)
        self.reading = PlainLabel(HINT, wraps=True)
        self.pools = CountField(2, MAX_POOLS_SEARCHED, "pools")
        self.pools.setValue(pools)
        self.pools.setToolTip(POOLS_HELP)
        self.pools.setAccessibleName("Pools, at most")
        self.progress = ProgressLine("Progress of the search", self._worker)
        self.picture = SearchPicture(tried_map(len(workload.jobs), slots, ()), theme)
        self.bars = PoolBars(self._cut, theme)
        self.about_map = PlainLabel(ABOUT_MAP, is_faint=True)
        self.stop_button = push_button("&Stop", "End the search; what was tried stays", self.stop)
        show_while_busy(self._worker, self.stop_button)
        self.take_button = push_button("&Take the best", "Use the best pools in the scenario", self.take_best)
        self.close_button = push_button("&Close", "Close; the scenario stays as it is", self.reject)
        self.export_button = ExportButton(self.reading.setText)
        self._lay_out()
        for picture in (self.picture, self.bars):
            picture.pointed.connect(self._on_pointed)
            picture.chosen.connect(self._take)
        self.pools.valueChanged.connect(self.start)
        self.export_button.set_chart(self.picture)

    def _lay_out(self) -> None:
        self.reading.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.reading.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        at_most = PlainLabel("At most")
        running = row(at_most, self.pools, (self.progress, 1), None, self.stop_button)
        buttons = row(self.export_button, None, self.take_button, self.close_button)
        pictures = (self.bars, self.about_map, (self.picture, 1))
        column(self.summary, running, *pictures, self.reading, buttons, parent=self)
        resize_on_screen(self, 820, 620)

    # ---- searching

    def start(self) -> None:
        """Begin to search; what is known already is shown at once."""
        self.summary.setText("Searching …")
        self.take_button.setEnabled(False)
        self.bars.setVisible(self.pools.value() > 2)
        self.about_map.setVisible(self.pools.value() > 2)
        self._tried = []
        search = partial(
            search_pools,
            self.workload,
            self.cluster,
            partial(pool_trials, self.workload, self.cluster, self._compiled),
            pools=self.pools.value(),
            on_trials=self._tried.extend,
        )
        self._worker.follow(lambda progress, stop: search(progress=progress, should_stop=stop))

    @property
    def is_searching(self) -> bool:
        """Whether more is to come."""
        return self._worker.is_busy

    def stop(self) -> None:
        """End the search; what was tried by now stays."""
        self._worker.stop()

    def _on_progressed(self, _fraction: float) -> None:
        self._show(tuple(self._tried))
        if self.picture.map.tried:
            splits, most = len(self.picture.map.rows), len(self.workload.jobs) - 1
            how_far = f"{splits} of {most} splits" if splits < most else "more than two pools"
            self.summary.setText(f"Searching: {how_far}. {self._found_text()}")

    def _on_done(self, found: PoolSearch) -> None:
        self._tried = [Trial((), (), (found.single,)), *found.trials]
        self._show(tuple(self._tried))
        self._end()
        two = sum(trial.pools == 2 for trial in found.trials)
        text = f"{two} ways to make two pools were tried"
        if self.pools.value() > 2:
            is_better = self.best is not None and self.best.pools > 2
            most = self._cut.most_pools(self.pools.value())
            text += f", and up to {most} pools{'' if is_better else ', which end no sooner'}"
            if most < self.pools.value():
                text += f" (for {self.pools.value()} there are too few jobs or slots)"
        self.summary.setText(f"{text}. {self._found_text()}")

    def _on_failed(self, error: Exception) -> None:
        self._show(tuple(self._tried))
        self._end()
        is_stopped = isinstance(error, Cancelled)
        self.summary.setText(f"Stopped. {self._found_text()}" if is_stopped else str(error))

    def _end(self) -> None:
        self.take_button.setEnabled(self.best is not None)

    @property
    def best(self) -> Trial | None:
        """The shortest trial so far, if it is shorter than the single pool."""
        best = min(sorted(self._tried), key=lambda trial: trial.makespan, default=None)
        return best if best is not None and best.splits else None

    def _show(self, tried: tuple[Trial, ...]) -> None:
        slots = (self.cluster.map_slots, self.cluster.reduce_slots)
        self.picture.set_map(tried_map(len(self.workload.jobs), slots, tried))
        self.bars.set_tried(tried)

    def _found_text(self) -> str:
        shown = self.picture.map
        if shown.single is None:
            return ""
        one = f"One pool for all jobs, in Johnson's order, takes {makespan_text(shown.single)}"
        if self.best is None:
            return f"{one}; no {'two ' if self.pools.value() == 2 else ''}pools are better."
        return f"{one}. Best: {self.text_of(self.best)}."

    def text_of(self, trial: Trial) -> str:
        """Describe a trial in a sentence."""
        pools = zip(
            NAMES[trial.pools - 1],
            self._cut.parts(trial.splits),
            self._cut.pools(trial.sizes),
            trial.ends,
            strict=True,
        )
        parts = [
            f"{_jobs_text(behind - first, name)} on {maps} + {reduces} slots until {clock_text(end)}"
            for name, (first, behind), (maps, reduces), end in pools
        ]
        text = ", ".join(parts)
        single = self.picture.map.single
        if not single or not trial.splits:
            return f"{text}: makespan {makespan_text(trial.makespan)}"
        change = f" ({change_text(single, trial.makespan)} against one pool)"
        return f"{text}: makespan {makespan_text(trial.makespan)}{change}"

    def set_theme(self, theme: Theme) -> None:
        """Paint in other colours."""
        for picture in (self.picture, self.bars):
            picture.set_theme(theme)

    # ---- reading and taking

    def _on_pointed(self, trial: Trial | None) -> None:
        self.reading.setText(HINT if trial is None else self.text_of(trial))
        self.picture.setAccessibleDescription("" if trial is None else self.text_of(trial))

    def take_best(self) -> None:
        """Hand the best pools over."""
        if self.best is not None:
            self._take(self.best)

    def _take(self, trial: Trial) -> None:
        self.taken.emit(self._cut.partition(trial), trial)

    @override
    def done(self, result: int) -> None:
        self._worker.cancel()
        super().done(result)


def _jobs_text(count: int, name: str) -> str:
    """Return how many jobs a pool has: "1 small job", "3 large jobs"."""
    jobs = name.lower()
    return f"{count} {jobs.removesuffix('s') if count == 1 else jobs}"
