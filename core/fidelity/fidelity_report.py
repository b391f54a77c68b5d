"""What a check of fidelity reports: sentences, tables of models and of jobs, and both as text or CSV."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from core.fidelity.fidelity import MUMAK, OTHERS, OTHERS_STALLS, OWN, OWN_STALLS, SIMMR
from core.fidelity.lent_overheads import DRAWS, SEED
from core.files.atomic import replace_file
from core.model.cell_text import table_text
from core.model.task_types import KINDS
from core.model.time_text import clock_text, percent, signed_percent

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from core.fidelity.fidelity import Fidelity, ModelReplay

NOT_MODELLED = (
    "Overheads are those of Hadoop: not modelled for jobs that are graphs of stages, slots that come and "
    "go, nodes, shared scans, or pools of their own slots."
)
DRAWS_TEXT = f"heartbeats, launches and fetching drawn anew ({DRAWS} draws, seed {SEED})"
RANGE_TEXT = "jobs between the least and the largest draw, where 90 % should lie"


MODEL_WORDS = {
    MUMAK: "Tasks without shuffles",
    SIMMR: "Tasks and their shuffles",
    OTHERS: "Overheads of other logs",
    OTHERS_STALLS: "Of other logs, with stalls",
    OWN: "Overheads of this log",
    OWN_STALLS: "Of this log, with stalls",
}
"""What each model simulates, in the words of somebody who runs a cluster."""


def range_text(between: tuple[float, float] | None, text: Callable[[float], str]) -> str:
    """Write the least and the largest of several errors: "11.0 to 14.3 %"; nothing if there are none."""
    return "" if between is None else f"{text(between[0]).removesuffix(' %')} to {text(between[1])}"


def in_range_text(replay: ModelReplay) -> str:
    """Write how many jobs lie between the draws: "21 of 29"; nothing where nothing is drawn."""
    return f"{replay.jobs_in_range} of {len(replay.jobs)}" if replay.spread else ""


def makespan_range(replay: ModelReplay) -> str:
    """Write between what the error of the makespan lies over the draws."""
    return range_text(replay.spread and replay.spread.makespan_error, signed_percent)


def headline_sentence(checked: Fidelity) -> str:
    """Return how far a log's headline is off, and where its overheads come from."""
    headline = checked.headline
    how = "without overheads"
    if headline.title == OTHERS:
        count = len(checked.others)
        how = f"with the overheads of {count} other log{'s' * (count > 1)} of the cluster"
    elif checked.others and checked.models_overheads:
        how = "without overheads, which fit the other logs best"
    held, ends = in_range_text(headline), makespan_range(headline)
    between = (
        f" With {DRAWS_TEXT}: the makespan {ends}; {held} jobs in range, where 90 % should be."
        if held
        else ""
    )
    return (
        f"Jobs are {percent(headline.mean_error)} off on average, the makespan "
        f"{signed_percent(headline.makespan_error)}, {how}.{between}"
    )


def offer_sentence(checked: Fidelity) -> str:
    """Return what the overheads that are offered are worth, or why none are."""
    plain = percent(checked.plain.mean_error)
    if not checked.models_overheads:
        return NOT_MODELLED
    best = checked.replay(OTHERS if checked.others else OWN)
    if best is None:
        who = "the other logs" if checked.others else "this log"
        return f"No overheads are offered: none bring {who} nearer than tasks and their shuffles alone do."
    error = percent(best.mean_error)
    if checked.offered is None:
        return (
            f"No overheads are offered: those of the other logs bring this one to {error}, no nearer than "
            f"tasks and their shuffles alone ({plain}). Perhaps they are of another cluster."
        )
    if checked.others:
        return f"The overheads of the other logs bring this one from {plain} to {error}."
    more = "Other logs of the same cluster would give one."
    if not checked.shows_its_cluster:
        more = "It shows fewer slots than hosts: jobs ran there that it lacks, so other logs give none."
    sentence = f"Overheads fitted to this log itself bring it from {plain} to {error}: that is not a proof."
    return f"{sentence} {more}"


def few_jobs_sentence(checked: Fidelity) -> str:
    """Warn of a mean over few jobs; nothing where there are enough."""
    jobs = len(checked.plain.jobs)
    count = "one job" if jobs == 1 else f"{jobs} jobs"
    return f"Only {count}: their mean error says little." if checked.few_jobs else ""


MAX_STALLS = 4
"""So many host stalls are named."""


def stall_sentences(checked: Fidelity) -> list[str]:
    """Return which hosts stalled, and when; times count from the log's own start."""
    more = len(checked.stalls) - MAX_STALLS
    lines = [
        f"The {KINDS[stall.kind]} slots of {stall.host} stalled from {clock_text(stall.begin)} to "
        f"{clock_text(stall.end)} and held {len(stall.held)} tasks that they had been given."
        for stall in checked.stalls[:MAX_STALLS]
    ]
    return [*lines, f"And {more} more stalls like these."] if more > 0 else lines


def sentences(checked: Fidelity) -> list[str]:
    """Return the whole report on one log."""
    parts = (
        headline_sentence(checked),
        few_jobs_sentence(checked),
        *checked.lacking,
        offer_sentence(checked),
    )
    return [sentence for sentence in parts if sentence]


Cell = str | float
MODEL_COLUMNS = (
    "model",
    "read from this log",
    "mean job error",
    "least of the draws",
    "largest of the draws",
    "jobs within the draws",
    "makespan error",
    "least of the draws",
    "largest of the draws",
    "median job error",
    "largest job error",
    "makespan (s)",
    "recorded makespan (s)",
)
"""What a table of models shows; errors are fractions, empty where nothing is drawn."""


def model_rows(checked: Fidelity) -> list[tuple[Any, ...]]:
    """Return a row of `MODEL_COLUMNS` for each model."""
    return [
        (
            MODEL_WORDS[each.title],
            "tasks, cluster and what is judged" if each.is_apart else "tasks and cluster",
            each.mean_error,
            *(each.spread.mean_error if each.spread else ("", "")),
            each.jobs_in_range if each.spread else "",
            each.makespan_error,
            *(each.spread.makespan_error if each.spread else ("", "")),
            each.median_error,
            each.largest_error,
            each.makespan,
            each.recorded_makespan,
        )
        for each in checked.replays
    ]


def job_columns(checked: Fidelity) -> tuple[str, ...]:
    """Return the columns of `job_rows`."""
    titles = [MODEL_WORDS[replay.title] for replay in checked.replays]
    return (
        "job",
        "recorded (s)",
        *(f"{title} (s)" for title in titles),
        *(f"{title} error" for title in titles),
    )


def job_rows(checked: Fidelity) -> list[tuple[Cell, ...]]:
    """Return a row for each job, from submission to finish; what the headline misses most comes first."""
    headline = checked.headline
    return [
        (
            headline.jobs[i],
            float(headline.recorded[i]),
            *(float(replay.simulated[i]) for replay in checked.replays),
            *(float(replay.errors[i]) for replay in checked.replays),
        )
        for i in headline.worst_first.tolist()
    ]


def fidelity_text(checked: Fidelity, separator: str = "\t") -> str:
    """Return the sentences, and both tables, with empty lines between; numbers unrounded."""
    tables = (
        [*((sentence,) for sentence in sentences(checked)), ()],
        [MODEL_COLUMNS, *model_rows(checked), ()],
        [job_columns(checked), *job_rows(checked)],
    )
    return table_text(chain(*tables), separator)


def write_fidelity(checked: Fidelity, path: str | os.PathLike[str]) -> None:
    """Write the same as a CSV file; InputError if that cannot be done."""
    replace_file(path, fidelity_text(checked, ",").encode("utf-8", "backslashreplace"))
