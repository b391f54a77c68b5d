"""`slotscope study`: thousands of simulations as one document, run here or on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.number_text import grouped
from core.model.time_text import duration_text
from explorer.cli import study_figures
from explorer.cli.command import Command, argument, flag, option
from explorer.cli.requests import json_option, open_results
from explorer.cli.screen import more_text, picked, print_json, print_line, print_note, print_table, progress

if TYPE_CHECKING:
    from core.policies.user_files.source import PolicySource
    from core.study.executors import DaskWorkers, InThisProcess, ProcessWorkers
    from core.study.results import StudyResults
    from core.study.run_study import StudyProgress
    from core.study.study import Axis, Study

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
MAX_FAILED, MAX_LABELS = 10, 8
"""Failed rows that a table lists, and points of an axis."""


class RunWorkers(study_figures.Workers):
    """Where a study runs: also on other machines."""

    workers: int | None = option("N", "processes of this machine (default: one on each processor)")
    dask: str | None = option(
        "ADDRESS",
        "run on the workers of a Dask scheduler, tcp://HOST:8786, or on new ones of this machine: local",
    )

    def executor(self, simulations: int) -> InThisProcess | ProcessWorkers | DaskWorkers:
        """Return what runs them."""
        from core.study.executors import dask

        self.check()
        if self.dask is None:
            return self.of_this_machine(simulations)
        for name in ("workers", "nice"):
            if getattr(self, name) and self.dask != "local":
                others = "leave it out beside the address of others"
                raise InputError(f"--{name} is of workers that are started here; {others}")
        return dask(self.dask, self.workers, self.nice)


class RunStudyCommand(Command, name="study run"):
    """Run what is missing of a study; stopped at any time, the same command goes on."""

    study: str = argument("F", "a study document, or the name of one of 'slotscope study list'")
    folder: str = option("DIR", "the folder of the results", name="--out")
    workers: RunWorkers
    repetitions: int | None = option("N", study_figures.REPETITIONS)
    retry: bool = flag("run failed cells again; all others are kept")
    trust_policies: bool = flag(
        "run the policy files that the study names, file:mine.py: their code runs on every worker"
    )
    json: bool = json_option()

    def run(self) -> None:
        """Run it and say how far it is."""
        from core.study.run_study import run_study
        from core.study.study_document import find_study

        study = study_figures.with_repetitions(find_study(self.study), self.repetitions)
        policies = agreed_policies(study, are_trusted=self.trust_policies)
        executor = self.workers.executor(study.row_count)
        simulations = f"Running {grouped(study.row_count)} simulations"
        with study_figures.kept_in(self.folder, executor), progress(simulations) as show:
            done = run_study(
                study,
                self.folder,
                executor,
                policies=policies,
                retry=self.retry,
                progress=lambda news: show(news.done / news.total),
            )
        open_results(self.folder)
        if self.json:
            counts = picked(done, "done total failed kept seconds")
            print_json({"version": VERSION, "study": study.name, "folder": self.folder} | counts)
            return
        print_line(_ran_text(done, self.folder))
        if done.failed:
            print_line(
                f"{grouped(done.failed)} failed; 'slotscope study show {self.folder}' says why, and the same "
                "command with --retry runs them again"
            )


def agreed_policies(study: Study, *, are_trusted: bool) -> dict[str, PolicySource]:
    """Return the policy files of a study, to be run; InputError where that has not been agreed to."""
    from core.study.policy_sources import read_policies

    policies = read_policies(study)
    if policies and not are_trusted:
        files = ", ".join(str(each.path) for source in policies.values() for each in source.files)
        raise InputError(f"the study runs code of files: {files}; read them, then add --trust-policies")
    for source in policies.values():
        if source.helpers:
            print_note(f"{source.path} runs with {', '.join(str(each.path) for each in source.helpers)}")
    return policies


def _ran_text(done: StudyProgress, folder: str) -> str:
    ran = done.done - done.kept
    kept = f"; {grouped(done.kept)} were there already" if done.kept else ""
    rate = f" ({grouped(ran / done.seconds)} a second)" if ran and done.seconds > 0 else ""
    return f"{grouped(ran)} simulations in {duration_text(done.seconds)}{rate}{kept}; written to {folder}"


class ShowStudyCommand(Command, name="study show"):
    """Say how far the results in a folder are, and sum them up."""

    folder: str = argument("DIR", "where a study was run into")
    json: bool = json_option()

    def run(self) -> None:
        """Print the axes, what was measured and what failed."""
        from core.study.study_document import study_to_json

        results = open_results(self.folder)
        frame = results.frame([*results.study.measures, "error"])
        failed = results.failed()
        sums = {name: _summary(frame[name]) for name in results.study.measures}
        if self.json:
            head = {"version": VERSION, "program": results.program(), "rows": len(frame)}
            head |= {"total": results.study.row_count, "failed": len(failed)}
            rows = failed.astype(object).to_dict("records")
            print_json(head | {"measures": sums, "failed_rows": rows, "study": study_to_json(results.study)})
            return
        _print_results(results, len(frame), sums)
        if len(failed):
            axes = [axis.name for axis in results.study.axes]
            cells = [
                (*(str(row[name]) for name in axes), row["seed"], row["error"])
                for row in failed.head(MAX_FAILED).to_dict("records")
            ]
            note = more_text(len(failed) - MAX_FAILED, "more failed")
            print_table(f"{grouped(len(failed))} failed", (*axes, ">seed", "why"), cells, note)


def _summary(column: Any) -> dict[str, float | None]:
    values = column.dropna()
    if not len(values):
        return {"mean": None, "least": None, "most": None}
    return {"mean": float(values.mean()), "least": float(values.min()), "most": float(values.max())}


def _print_results(results: StudyResults, rows: int, sums: dict[str, dict[str, float | None]]) -> None:
    from core.study.measures import MEASURES

    study = results.study
    times = f" x {study.repetitions} repetitions" if study.repetitions > 1 else ""
    print_line(study.name or Path(results.folder).name)
    cells_text = f"{grouped(study.cell_count)} cells{times}"
    print_line(
        f"{grouped(rows)} of {grouped(study.row_count)} simulations ({cells_text}); {results.program()}"
    )
    if study.axes:
        cells = [(axis.name, len(axis.points), _points_text(axis)) for axis in study.axes]
        print_table("Axes", ("axis", ">points", "from first to last"), cells)
    measured = [
        (MEASURES[name].title, *(_value_text(value, MEASURES[name].unit) for value in of.values()))
        for name, of in sums.items()
    ]
    print_table("Measures over all rows", ("measure", ">mean", ">least", ">most"), measured)


def _points_text(axis: Axis) -> str:
    labels = [point.label for point in axis.points]
    if len(labels) > MAX_LABELS:
        labels = [*labels[: MAX_LABELS - 1], "…", labels[-1]]
    return ", ".join(labels) + (f" {axis.unit}" if axis.unit else "")


def _value_text(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    if unit == "s":
        return duration_text(value)
    return f"{100 * value:.1f} %" if unit == "%" else f"{value:.4g} {unit}".rstrip()


class StudiesCommand(Command, name="study list"):
    """List the studies that come with Slotscope."""

    json: bool = json_option()

    def run(self) -> None:
        """List them."""
        from core.study.study_document import preset_paths, read_study

        studies = {name: read_study(path) for name, path in preset_paths().items()}
        if self.json:
            names = "title=name description source cells=cell_count rows=row_count"
            print_json(
                [
                    {"name": name} | picked(study, names) | {"figures": len(study.figures)}
                    for name, study in studies.items()
                ]
            )
            return
        rows = [
            (name, study.name, study.source, grouped(study.row_count), len(study.figures))
            for name, study in studies.items()
        ]
        columns = ("name", "what it asks", "source", ">simulations", ">figures")
        print_table("Studies", columns, rows)
