"""`slotscope fidelity`: how far simulations of logs are from what really happened."""

from __future__ import annotations

from dataclasses import asdict
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.overheads import overheads_text
from core.model.time_text import MINUS, duration_text, signed_percent
from explorer.cli.command import Command, argument, option
from explorer.cli.requests import columns_given, columns_option, json_option, named_policy
from explorer.cli.screen import picked, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.fidelity.fidelity import Fidelity, JudgedLogs, ModelReplay
    from core.model.workload import Workload

VERSION = 4
"""Of the JSON; grows when a field changes its meaning. 4: jobs take the median of the draws."""
MAX_NAMED = 8
ALONE = " †"
ALONE_TEXT = "† without: no other log shows about as many hosts, or it shows fewer slots than hosts. "
"""Marks a log that no other one lends overheads, and says why."""


class FidelityOfLogsCommand(Command, name="fidelity"):
    """Simulate logs on the cluster that wrote them, and say how far off each job is."""

    logs: list[str] = argument(
        "LOG",
        "a log, or a workload document made from one; several, or a folder or an archive of several, are "
        "logs of one cluster: each is judged with the overheads of the others",
    )
    columns: str = columns_option()
    policy: str = option(
        "ID", "the policy of that cluster (fifo), or file:F.py", default="fifo", read=named_policy
    )
    overheads_of: list[str] = option(
        "LOG", "judge with the overheads of these logs of that cluster", nargs="+"
    )
    json: bool = json_option()

    def run(self) -> None:
        """Judge the logs."""
        from core.fidelity.fidelity import judge

        logs, lenders = (_opened(sources, self.columns) for sources in (self.logs, self.overheads_of))
        paths = [path for path, _ in (*logs, *lenders)]
        workloads, others = ([workload for _, workload in each] for each in (logs, lenders))
        with progress("Simulating the logs by every model") as show:
            judged = judge(workloads, self.policy, others, paths=paths, progress=show)
        if self.json:
            print_json(_json(judged, self.policy))
            return
        if len(judged.logs) == 1:
            _print_log(judged.logs[0])
        else:
            _print_logs(judged, ", ".join(judged.logs[0].others) if others else "the others")
        for name, why in judged.left_out:
            print_line(f"Left out: {why}" if name in why else f"Left out: {name}: {why}")


def _opened(sources: Sequence[str], columns: str) -> list[tuple[str, Workload]]:
    """Open logs, each with its path; each of a folder or an archive of several is one."""
    from core.files.open_workload import open_workloads

    workloads: list[tuple[str, Workload]] = []
    for source in sources:
        with progress(f"Opening {Path(source).name}") as show:
            workloads += open_workloads(source, parameters=columns_given(columns), progress=show)
    return workloads


# tables


def _bare(text: str) -> str:
    """Leave out the unit, which is in the column's title, and write between what an error lies shortly."""
    return text.removesuffix(" %").replace(" to ", "…" if "+" in text or MINUS in text else "–")


def _mean(replay: ModelReplay | None) -> str:
    return "" if replay is None else f"{100 * replay.mean_error:.1f}"


def _mean_and_in_range(replay: ModelReplay | None) -> str:
    from core.fidelity.fidelity_report import in_range_text

    held = in_range_text(replay) if replay else ""
    return f"{_mean(replay)} ({held})" if held else _mean(replay)


def _errors(replay: ModelReplay) -> tuple[str, str, str, str]:
    """Return the mean job error, how many jobs are in range, and the error of the makespan over the draws."""
    from core.fidelity.fidelity_report import in_range_text, makespan_range

    return (
        _mean(replay),
        in_range_text(replay),
        _bare(signed_percent(replay.makespan_error)),
        _bare(makespan_range(replay)),
    )


PLAIN, HEADLINE = attrgetter("plain.mean_error"), attrgetter("headline.mean_error")
ERRORS = (">error", ">in range", ">makespan", ">range")
"""The range is that of the draws."""


def _print_log(checked: Fidelity) -> None:
    """Print a row for each model of one log, and what follows from it."""
    from core.fidelity.fidelity_report import MODEL_WORDS, sentences, stall_sentences

    rows = [
        (
            ("* " if each.is_apart else "") + MODEL_WORDS[each.title],
            *_errors(each),
            f"{100 * each.median_error:.1f}",
            f"{100 * each.largest_error:.1f}",
        )
        for each in checked.replays
    ]
    note = (
        "* read from this log itself: not a proof" if any(each.is_apart for each in checked.replays) else ""
    )
    count = len(checked.plain.jobs)
    title = f"{checked.log}: {count} job{'s' * (count > 1)} from submission to finish, mean errors in %"
    print_table(title, ("what is simulated", *ERRORS, ">median", ">largest"), rows, note)
    for sentence in sentences(checked):
        print_line(sentence)
    if checked.offered is not None:
        print_line(f"To simulate with these overheads: --overheads {overheads_text(checked.offered)}")
    for sentence in stall_sentences(checked):
        print_line(sentence)
    _print_far_off(checked.headline)


def _print_far_off(replay: ModelReplay) -> None:
    from core.fidelity.fidelity import FAR_OFF
    from core.fidelity.fidelity_report import MODEL_WORDS

    if not replay.far_off:
        return
    place = {name: i for i, name in enumerate(replay.jobs)}
    shown = [
        f"{name} {duration_text(replay.simulated[i])} instead of {duration_text(replay.recorded[i])}"
        for name in replay.far_off[:MAX_NAMED]
        for i in [place[name]]
    ]
    more = len(replay.far_off) - len(shown)
    print_line(
        f"More than {100 * FAR_OFF:.0f} % off ({MODEL_WORDS[replay.title].lower()}): {'; '.join(shown)}"
        + (f"; and {more} more" if more else "")
    )


def _print_logs(judged: JudgedLogs, lent: str) -> None:
    """Print a row for each of several logs, and apart what was read from the logs themselves."""
    from core.fidelity.fidelity_report import DRAWS_TEXT, RANGE_TEXT, offer_sentence

    rows: list[tuple[str, ...]] = [
        (
            each.log + ALONE * (not each.others),
            f"{len(each.plain.jobs)}{'*' * each.few_jobs}",
            _mean(each.plain),
            *_errors(each.headline),
        )
        for each in judged.logs
    ]
    held, asked = judged.in_range
    for title, mean in (("mean of the logs", judged.mean), ("mean of the jobs", judged.mean_by_jobs)):
        means = (f"{100 * mean(error):.1f}" for error in (PLAIN, HEADLINE))
        rows.append((title, "", *means, f"{held} of {asked}" if asked and "jobs" in title else "", "", ""))
    few = (
        "* fewer than 5 jobs: their mean says little. " if any(each.few_jobs for each in judged.logs) else ""
    )
    few += ALONE_TEXT if any(not each.others for each in judged.logs) else ""
    title = f"{len(judged.logs)} logs, each with overheads of {lent}: mean job errors in %"
    print_table(
        title, ("log", ">jobs", ">plain", *ERRORS), rows, f"{few}Range: {DRAWS_TEXT}. In range: {RANGE_TEXT}"
    )
    _print_apart(judged)
    for each in judged.logs:
        for sentence in (*each.lacking, *(() if each.offered else (offer_sentence(each),))):
            print_line(f"{each.log}: {sentence}")


def _print_apart(judged: JudgedLogs) -> None:
    from core.fidelity.fidelity import OTHERS_STALLS, OWN, OWN_STALLS
    from core.fidelity.fidelity_report import MODEL_WORDS

    titles = (OTHERS_STALLS, OWN, OWN_STALLS)
    rows = [(each.log, *(_mean_and_in_range(each.replay(title)) for title in titles)) for each in judged.logs]
    if any(any(row[1:]) for row in rows):
        heads = (MODEL_WORDS[title].lower().replace(", ", ",\n") for title in titles)
        print_line("\nApart, as it is read from the judged log itself and so no proof: job errors in %")
        print_table("", ("log", *(f">{head}" for head in heads)), rows)


# JSON


def _json(judged: JudgedLogs, policy: str) -> dict[str, Any]:
    from core.fidelity.lent_overheads import DRAWS, SEED

    held, asked = judged.in_range
    return {
        "version": VERSION,
        "policy": policy,
        "draws": {"count": DRAWS, "seed": SEED},
        "mean_error": judged.mean(HEADLINE),
        "plain_mean_error": judged.mean(PLAIN),
        "mean_error_by_jobs": judged.mean_by_jobs(HEADLINE),
        "plain_mean_error_by_jobs": judged.mean_by_jobs(PLAIN),
        "in_range": {"jobs": held, "of": asked},
        "logs": [_log_json(checked) for checked in judged.logs],
        "left_out": [{"log": name, "why": why} for name, why in judged.left_out],
    }


def _log_json(checked: Fidelity) -> dict[str, Any]:
    from core.fidelity.fidelity_report import sentences
    from core.model.task_types import KINDS

    return {
        "log": checked.log,
        "jobs": len(checked.plain.jobs),
        "few_jobs": checked.few_jobs,
        "overheads_of": list(checked.others),
        "headline": checked.headline.title,
        "offered": asdict(checked.offered) if checked.offered else None,
        "sentences": sentences(checked),
        "host_stalls": [
            picked(stall, "host begin end") | {"kind": KINDS[stall.kind], "held": len(stall.held)}
            for stall in checked.stalls
        ],
        "models": [_model_json(replay) for replay in checked.replays],
    }


def _model_json(replay: ModelReplay) -> dict[str, Any]:
    rows = zip(replay.jobs, replay.recorded.tolist(), replay.simulated.tolist(), strict=True)
    return {
        "model": replay.title,
        "read_from_this_log": replay.is_apart,
        "overheads": asdict(replay.cluster.overheads) if replay.cluster.overheads else None,
        **picked(replay, "mean_error makespan_error"),
        "over_draws": replay.spread and picked(replay.spread, "mean_error makespan_error"),
        "jobs_in_range": replay.jobs_in_range if replay.spread else None,
        **picked(replay, "median_error largest_error makespan recorded_makespan"),
        "jobs": [
            {"name": name, "recorded": recorded, "simulated": simulated} for name, recorded, simulated in rows
        ],
    }
