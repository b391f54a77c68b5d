"""`slotscope export`: one schedule as a file for other programs, or a comparison as an HTML report."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.chrome_trace import write_chrome_trace
from core.files.html_report import ReportTable, html_report, write_report
from core.files.paje import write_paje
from core.files.tables import job_table, task_table, write_csv
from core.metrics import measure
from core.policies.registry import describe
from explorer.command_line.requests import several_runs
from explorer.command_line.screen import percent, print_line, seconds

if TYPE_CHECKING:
    from argparse import Namespace

    from core.schedule import Schedule

FORMATS = {
    "tasks": "every task as CSV",
    "jobs": "every job as CSV",
    "chrome": "Chrome trace JSON, for Perfetto",
    "paje": "Paje trace, for ViTE and PajeNG",
    "html": "a comparison as one HTML file",
}
PICTURE = (1400, 900)
MOST_JOBS = 200


def export(options: Namespace) -> int:
    """Write what was asked for."""
    schedules = [run.simulate() for run in several_runs(options)]
    path = Path(options.out)
    if options.format == "html":
        write_report(_report(schedules), path)
        print_line(f"Report written to {path}")
        return 0
    if len(schedules) != 1:
        raise InputError(f"--policies names {len(schedules)} policies; the format {options.format} holds one")
    schedule = schedules[0]
    if options.format == "chrome":
        write_chrome_trace(schedule, path)
    elif options.format == "paje":
        write_paje(schedule, path)
    else:
        write_csv(task_table(schedule) if options.format == "tasks" else job_table(schedule), path)
    print_line(f"{FORMATS[options.format]}: written to {path}")
    return 0


def _report(schedules: list[Schedule]) -> str:
    workload = schedules[0].workload
    titles = [describe(schedule.choice.id).title for schedule in schedules]
    figures = [measure(schedule) for schedule in schedules]
    compared = ReportTable(
        "Comparison",
        (
            "policy",
            "makespan (s)",
            "change",
            "above the bound",
            "mean response (s)",
            "mean stretch",
            "late jobs",
        ),
        tuple(
            (
                title,
                seconds(m.makespan),
                "baseline" if i == 0 else percent(m.makespan / figures[0].makespan - 1),
                percent(m.gap),
                seconds(m.mean_response),
                f"{m.mean_stretch:.2f}",
                str(m.late_jobs),
            )
            for i, (title, m) in enumerate(zip(titles, figures, strict=True))
        ),
    )
    jobs = ReportTable(
        f"Completion of jobs (s){f', the first {MOST_JOBS}' if len(workload.jobs) > MOST_JOBS else ''}",
        ("job", "arrival", *titles),
        tuple(
            (job.name, seconds(job.arrival), *(seconds(float(s.finish[j])) for s in schedules))
            for j, job in enumerate(workload.jobs[:MOST_JOBS])
        ),
    )
    return html_report(
        workload.name or "Schedules",
        workload.description,
        _picture(schedules),
        (compared, jobs),
        (
            f"Simulated by Slotscope: {', '.join(titles)}; times in seconds.",
            workload.source,
            "Change: of the makespan against the first policy. Above bound: against what no policy beats.",
        ),
    )


def _picture(schedules: list[Schedule]) -> str:
    """Return the charts as an image with its data inside."""
    from explorer.command_line.rendering import draw

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "charts.png"
        draw(schedules, path, PICTURE, dark=False)
        data = base64.b64encode(path.read_bytes()).decode("ascii")
    names = ", ".join(describe(schedule.choice.id).title for schedule in schedules)
    return f'<img alt="Schedules of {names}" src="data:image/png;base64,{data}">'
