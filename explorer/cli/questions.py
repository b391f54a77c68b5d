"""`slotscope fewest`, `split`, `latest` and `halve`: questions that ask backwards from the best schedule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.time_text import duration_text
from explorer.cli.requests import (
    WORKLOAD,
    add_cluster_options,
    add_command,
    add_json,
    cluster_of,
    open_named_workload,
)
from explorer.cli.screen import more_text, percent, print_json, print_line, print_table, title_of
from explorer.cli.searching import (
    add_effort,
    keep_certificate,
    living_line,
    load_search,
    print_certificate,
    seconds_of,
    until_interrupted,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.best_split import BestSplit, Split
    from core.optimize.fewest_slots import Fewest
    from core.optimize.job_questions import HalvedJob, Halving, LatestArrival
    from core.optimize.premise import Premise
    from core.optimize.short_searches import ShortSearches
    from explorer.cli.parser import Parser
    from explorer.cli.requests import Commands

DEFAULT_SECONDS = 10.0
MAX_ROWS = 20
VARIED = "maps, reduces, both (as many of each), total (any split of them), containers or nodes"


def add_parser(commands: Commands) -> None:
    """Add the commands."""
    text = "the fewest slots, or nodes, with which all jobs end by a time, and the proof that fewer cannot"
    parser = _add(commands, "fewest", text, run_fewest)
    _add_until(parser)
    parser.add_argument("--vary", metavar="WHAT", help=f"{VARIED}; by default what the cluster has")
    text = "the best split of so many slots into map and reduce slots, and what any other could gain"
    parser = _add(commands, "split", text, run_split)
    parser.add_argument("--total", type=int, metavar="N", required=True, help="map and reduce slots together")
    text = "how late a job may arrive for all jobs still to end by a time"
    parser = _add(commands, "latest", text, run_latest)
    parser.add_argument("--job", metavar="J", help="the job that arrives; the others arrive when they do")
    _add_until(parser)
    text = "of which single job half as long tasks would help most"
    _add(commands, "halve", text, run_halve)


def _add(commands: Commands, name: str, text: str, run: Callable[[Namespace], int]) -> Parser:
    parser: Parser = add_command(commands, name, text, run, workload=WORKLOAD)
    add_effort(parser, DEFAULT_SECONDS)
    add_cluster_options(parser)
    add_json(parser)
    return parser


def _add_until(parser: Parser) -> None:
    text = "the time by which all jobs are to end, in seconds from the workload's start"
    parser.add_argument("--until", type=float, metavar="SECONDS", required=True, help=text)
    text = "write the proof that no schedule does with less, for 'slotscope verify'"
    parser.add_argument("--certificate", metavar="F.json", help=text)


@dataclass(frozen=True)
class QuestionAsked:
    """What is asked about, how long schedules are searched, and what is called with each better answer."""

    workload: Workload
    cluster: Cluster
    searches: ShortSearches
    tell: Callable[[Any], None]

    @property
    def premise(self) -> Premise:
        """Of which schedules bounds speak that answers rest on."""
        from core.optimize.premise import premise_on

        return premise_on(self.workload, self.cluster)


def _ask(options: Namespace, ask: Callable[[QuestionAsked], Any]) -> tuple[QuestionAsked, Any]:
    """Return the question and what is answered, by Ctrl+C with what is known so far."""
    from core.optimize.short_searches import ShortSearches, plan_searches

    seconds = seconds_of(options)
    workload = open_named_workload(options.workload, options.columns)
    cluster = cluster_of(options, workload.cluster)
    load_search()
    known: list[str] = []
    with until_interrupted() as should_stop, living_line() as show:
        searches = ShortSearches(
            plan_searches(options.seed, options.steps),
            steps=options.steps,
            seconds=float("inf") if seconds is None else seconds,
            should_stop=should_stop,
            trying=lambda what: show(" ".join((*known[-1:], f"Trying {what} …"))),
        )
        question = QuestionAsked(workload, cluster, searches, lambda answer: known.append(answer.sentence))
        return question, ask(question)


def run_fewest(options: Namespace) -> int:
    """Print the fewest slots that end by a time."""
    from core.optimize.cluster_sizes import usual_varied
    from core.optimize.fewest_slots import fewest
    from core.simulation.proofs import prove_fewest

    def ask(asked: QuestionAsked) -> Fewest:
        varied = options.vary or usual_varied(asked.cluster)
        return fewest(asked.workload, asked.cluster, options.until, varied, asked.searches, asked.tell)

    asked, known = _ask(options, ask)
    answer, proof = prove_fewest(asked.workload, asked.cluster, known)
    keep_certificate(options.certificate, proof)
    if options.json:
        print_json(
            {
                "varied": answer.varied,
                "until": answer.until,
                "too_few": answer.too_few,
                "enough": answer.enough,
                "proved": answer.is_proved and answer.has_certificate,
                "premise": asked.premise.words,
                "makespan": answer.makespan,
                "cluster": None if answer.cluster is None else _slots_json(answer.cluster),
                "plan": _plan_json(asked, answer.plan),
            }
        )
        return 0
    print_line(asked.premise.sentence_of(answer.sentence))
    if answer.cluster is not None:
        print_line(f"On {slots_text(answer.cluster)} all ends in {duration_text(answer.makespan)}.")
    print_certificate(options.certificate, proof)
    return 0


def run_split(options: Namespace) -> int:
    """Print the best split of the slots."""
    from core.optimize.best_split import best_split

    def ask(asked: QuestionAsked) -> BestSplit:
        return best_split(asked.workload, asked.cluster, options.total, asked.searches, asked.tell)

    asked, answer = _ask(options, ask)
    if options.json:
        best = _split_json(answer.best) | {"plan": _plan_json(asked, answer.best.plan)}
        searched = [_split_json(each) for each in answer.searched]
        known = {"best": best, "others_gain": answer.others_gain, "premise": asked.premise.words}
        print_json(known | {"searched": searched})
        return 0
    rows = [(each.map_slots, each.reduce_slots, each.makespan, each.bound) for each in answer.searched]
    columns = (">map slots", ">reduce slots", ">makespan", ">lower bound")
    print_table(f"{asked.workload.name} · {options.total} slots", columns, rows)
    print_line(asked.premise.sentence_of(answer.sentence))
    return 0


def run_latest(options: Namespace) -> int:
    """Print how late a job may arrive."""
    from core.optimize.job_questions import latest_arrival
    from core.simulation.proofs import prove_latest
    from explorer.cli.requests import named_job

    def ask(asked: QuestionAsked) -> LatestArrival:
        job = named_job(asked.workload, options.job).name
        return latest_arrival(asked.workload, asked.cluster, job, options.until, asked.searches, asked.tell)

    asked, known = _ask(options, ask)
    answer, proof = prove_latest(asked.workload, asked.cluster, known)
    keep_certificate(options.certificate, proof)
    if options.json:
        told = {
            "job": answer.job,
            "until": answer.until,
            "latest": answer.latest,
            "too_late": answer.too_late,
            "proved": answer.is_proved and answer.has_certificate,
            "premise": asked.premise.words,
            "makespan": answer.makespan,
        }
        print_json(told | {"plan": _plan_json(asked, answer.plan)})
        return 0
    print_line(asked.premise.sentence_of(answer.sentence))
    print_certificate(options.certificate, proof)
    return 0


def run_halve(options: Namespace) -> int:
    """Print what the halving of each job would be worth."""
    from core.optimize.job_questions import halving

    def ask(asked: QuestionAsked) -> Halving:
        return halving(asked.workload, asked.cluster, asked.searches, asked.tell)

    asked, answer = _ask(options, ask)
    if options.json:
        jobs = [_halved_json(answer, job) for job in answer.jobs]
        told = {"makespan": answer.makespan, "bound": answer.bound, "premise": asked.premise.words}
        told["by_bounds"] = answer.is_proved and not asked.premise.as_submitted
        print_json(told | {"jobs": jobs})
        return 0
    rows = [
        (job.name, *(_gain_text(gain(job), answer.makespan) for gain in (answer.gain, answer.most_gain)))
        for job in answer.jobs
    ]
    more = more_text(len(rows) - MAX_ROWS, "more jobs")
    title = title_of(asked.workload.name, slots_text(asked.cluster), duration_text(answer.makespan))
    print_table(title, ("halved", ">sooner", ">sooner at most"), rows[:MAX_ROWS], more)
    print_line(asked.premise.sentence_of(answer.sentence))
    return 0


def _gain_text(gain: float, makespan: float) -> str:
    return f"{duration_text(gain)} ({percent(gain / makespan)})" if gain > 0 else "nothing"


def _halved_json(answer: Halving, job: HalvedJob) -> dict[str, Any]:
    gains = {"gain": answer.gain(job), "most_gain": answer.most_gain(job)}
    return {"job": job.name, "makespan": job.makespan, "bound": job.bound} | gains


def _split_json(split: Split) -> dict[str, Any]:
    names = ("map_slots", "reduce_slots", "makespan", "bound")
    return {name: getattr(split, name) for name in names}


def _slots_json(cluster: Cluster) -> dict[str, Any]:
    from core.files.workload_writing import cluster_to_json

    return cluster_to_json(cluster)


def _plan_json(asked: QuestionAsked, plan: Plan | None) -> dict[str, Any] | None:
    from core.files.plan_document import plan_to_json

    return None if plan is None else plan_to_json(plan, asked.workload.name)
