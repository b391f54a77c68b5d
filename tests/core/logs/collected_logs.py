"""The logs that tests read: the hand-written ones, and those real ones that lie beside the checkout."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from core.logs.open_log import Imported, open_trace
from tests.paths import HAND_WRITTEN, TRACES, real_logs

if TYPE_CHECKING:
    from core.logs.report import ImportReport, ReportLine

RUMEN = real_logs(
    *(f"hadoop-mapreduce/{name}.json.gz" for name in ("19-jobs.trace", "folder-input-trace", "wordcount")),
    *(f"hadoop-mapreduce/trace_{minutes}m.json.gz" for minutes in (1, 3, 5, 10)),
    *(f"hadoop-mapreduce/{minutes}m_stream_trace.json.gz" for minutes in (2, 3)),
    *(f"hadoop-mapreduce/{name}_trace.json.gz" for name in ("compression_case4", "distcache_case2")),
    "hadoop-mapreduce/distcache_case9_trace.json.gz",
    "hadoop-mapreduce/job-tracker-logs-trace-output.gz",
    "hadoop-common/2jobs2min-rumen-jh.json",
    "hadoop-common/highram_mr_jobs_case3.json.gz",
    "hadoop-common/cpu_emul_case2.json.gz",
)
JHIST = [str(path.relative_to(TRACES)) for path in sorted(TRACES.glob("*/*.jhist"))]
TRACKER = real_logs(
    "hadoop-mapreduce/sample-job-tracker-logs.gz",
    *(str(path.relative_to(TRACES)) for path in TRACES.glob("hadoop-mapreduce/megacluster*.gz")),
    "chukwa/JobHistory.log",
    "chukwa/Hadoop18JobHistoryLog.txt",
    "pig/localhost_1272395783545_job_201004271216_9998_user_PigLatinTest.pig",
)
SWIM = [str(path.relative_to(TRACES)) for path in sorted(TRACES.glob("swim/*.tsv*"))]
SPARK = real_logs(
    "dr-elephant/spark_event_log_1",
    "sparklens/local-1532512550423",
    "spark-rapids-tools/join_agg_on_yarn_eventlog.gz",
    "spark-rapids-tools/rp_sql_eventlog.gz",
)
FAILED = [log for log in JHIST if "FAILED" in log]
REAL = [
    log
    for log in [*RUMEN, *JHIST, *TRACKER, *real_logs("posum/jobs_history.jsonl", "hops/inputsls.json")]
    if log not in FAILED
]
CONFIGURED = {
    "trace_1m": (32, 16),
    "trace_3m.": (32, 16),
    "trace_5m": (32, 16),
    "trace_10m": (32, 16),
    "2m_stream": (32, 16),
    "3m_stream": (28, 14),
    "highram": (32, 8),  # a reduce takes two of the 16 slots
    "cpu_emul": (126, 42),
    "rumen-2011": (4, 2),
}
"""Slots that the configuration explains; of the other logs the observed peaks are suggested."""


@cache
def imported(log: str) -> Imported:
    """Import a log of the folder of real ones, or one given by its whole path."""
    return open_trace([TRACES / log])


HAND = [str(log) for log in HAND_WRITTEN if imported(str(log)).workload.recorded]
EVERY = [*REAL, *HAND]
"""All that say what really ran."""


def notes_of(report: ImportReport, job: str) -> list[ReportLine]:
    """Return what a report notes on one job."""
    return [note for note in report.notes if note.job == job]
