"""`slotscope fewest`, `split`, `latest` and `halve`: questions that ask backwards from the best schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.model.time_text import duration_text, makespan_text, percent
from explorer.cli.cluster_options import ClusterOptions
from explorer.cli.command import Command, Options, option
from explorer.cli.requests import Source, json_option, named_job
from explorer.cli.screen import more_text, picked, print_json, print_line, print_table, title_of
from explorer.cli.searching import (
    Effort,
    keep_certificate,
    living_line,
    load_search,
    print_certificate,
    until_interrupted,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.job_questions import HalvedJob, Halving

MAX_ROWS = 20
VARIED = "maps, reduces, both (as many of each), total (any split of them), containers or nodes"
SPLIT = "map_slots reduce_slots makespan bound"

Answer = TypeVar("Answer")


class BackwardQuestion(Command):
    """What all questions take."""

    source: Source
    effort: Effort
    cluster: ClusterOptions
    json: bool = json_option()

    def opened(self) -> tuple[Workload, Cluster]:
        """Return the workload and the cluster that the question is about."""
        workload = self.source.open()
        return workload, self.cluster.changed(workload.cluster)

    def answer(
        self, search: Callable[..., Answer], workload: Workload, cluster: Cluster, *about: object
    ) -> Answer:
        """Return what is answered, by Ctrl+C with what is known so far."""
        from core.optimize.short_searches import searches_for

        seconds, steps = self.effort.by_clock, self.effort.steps
        load_search()
        known: list[str] = []

        def keep(answer: Any) -> None:  # Any: each question has its own, all of them with a sentence
            known.append(answer.sentence)

        with until_interrupted() as should_stop, living_line() as show:

            def trying(what: str) -> None:
                show(" ".join((*known[-1:], f"Trying {what} …")))

            searches = searches_for(seconds, steps, self.effort.seed, should_stop, trying)
            return search(workload, cluster, *about, searches, keep)


class End(Options):
    """By when all is to end, and the proof that nothing less does."""

    until: float = option(
        "SECONDS", "the time by which all jobs are to end, in seconds from the workload's start"
    )
    certificate: str | None = option(
        "F.json", "write the proof that no schedule does with less, for 'slotscope verify'"
    )


class FewestSlotsCommand(BackwardQuestion, name="fewest"):
    """The fewest slots, or nodes, with which all jobs end by a time, and the proof that fewer cannot."""

    end: End
    vary: str | None = option("WHAT", f"{VARIED}; by default what the cluster has")

    def run(self) -> None:
        """Print the fewest slots that end by a time."""
        from core.files.workload_writing import cluster_to_json
        from core.measures.metrics import METRICS, suits
        from core.optimize.cluster_sizes import usual_varied
        from core.optimize.fewest_slots import fewest
        from core.optimize.longest_path import longest_path
        from core.optimize.premise import premise_on
        from core.simulation.proofs import prove_fewest

        workload, cluster = self.opened()
        varied = self.vary or usual_varied(cluster)
        known = self.answer(fewest, workload, cluster, self.end.until, varied)
        answer, proof = prove_fewest(workload, cluster, known)
        keep_certificate(self.end.certificate, proof)
        premise, found = premise_on(workload, cluster), answer.cluster
        if self.json:
            record = picked(answer, "varied until too_few enough")
            record |= {"proved": answer.is_proved and answer.has_certificate, "premise": premise.words}
            record |= {
                "makespan": answer.makespan,
                "cluster": None if found is None else cluster_to_json(found),
            }
            print_json(record | _plan_json(answer.plan, workload))
            return
        print_line(premise.sentence_of(answer.sentence))
        has_path = suits(METRICS["longest_path"], workload) and not premise.as_submitted
        if answer.is_hopeless and has_path:
            print_line(longest_path(workload, cluster).sentence)
        if found is not None:
            print_line(f"On {slots_text(found)} all ends in {makespan_text(answer.makespan)}.")
        print_certificate(self.end.certificate, proof)


class SplitCommand(BackwardQuestion, name="split"):
    """The best split of so many slots into map and reduce slots, and what any other could gain."""

    total: int = option("N", "map and reduce slots together")

    def run(self) -> None:
        """Print the best split of the slots."""
        from core.optimize.best_split import best_split
        from core.optimize.premise import premise_on

        workload, cluster = self.opened()
        if cluster.has_containers and not workload.is_map_reduce:
            raise InputError(
                f"the slots of {workload.name} run tasks of every stage, so there is nothing to split; "
                "ask fewest how many are needed"
            )
        answer = self.answer(best_split, workload, cluster, self.total)
        premise = premise_on(workload, cluster)
        searched = [picked(each, SPLIT) for each in answer.searched]
        if self.json:
            best = picked(answer.best, SPLIT) | _plan_json(answer.best.plan, workload)
            known = {"best": best, "others_gain": answer.others_gain, "premise": premise.words}
            print_json(known | {"searched": searched})
            return
        columns = (">map slots", ">reduce slots", ">makespan", ">lower bound")
        rows = [
            (*slots, makespan_text(ends), makespan_text(bound))
            for *slots, ends, bound in (each.values() for each in searched)
        ]
        print_table(f"{workload.name} · {self.total} slots", columns, rows)
        print_line(premise.sentence_of(answer.sentence))


class LatestCommand(BackwardQuestion, name="latest"):
    """How late a job may arrive for all jobs still to end by a time."""

    job: str | None = option("J", "the job that arrives; the others arrive when they do")
    end: End

    def run(self) -> None:
        """Print how late a job may arrive."""
        from core.optimize.job_questions import latest_arrival
        from core.optimize.premise import premise_on
        from core.simulation.proofs import prove_latest

        workload, cluster = self.opened()
        job = named_job(workload, self.job).name
        known = self.answer(latest_arrival, workload, cluster, job, self.end.until)
        answer, proof = prove_latest(workload, cluster, known)
        keep_certificate(self.end.certificate, proof)
        premise = premise_on(workload, cluster)
        if self.json:
            record = picked(answer, "job until latest too_late")
            record |= {"proved": answer.is_proved and answer.has_certificate, "premise": premise.words}
            print_json(record | {"makespan": answer.makespan} | _plan_json(answer.plan, workload))
            return
        print_line(premise.sentence_of(answer.sentence))
        print_certificate(self.end.certificate, proof)


class HalveCommand(BackwardQuestion, name="halve"):
    """Of which single job half as long tasks would help most."""

    def run(self) -> None:
        """Print what the halving of each job would be worth."""
        from core.optimize.job_questions import halving
        from core.optimize.premise import premise_on

        workload, cluster = self.opened()
        answer = self.answer(halving, workload, cluster)
        premise = premise_on(workload, cluster)
        if self.json:
            record = picked(answer, "makespan bound") | {"premise": premise.words}
            record["by_bounds"] = answer.is_proved and not premise.as_submitted
            print_json(record | {"jobs": [_halved_json(answer, job) for job in answer.jobs]})
            return
        rows = [
            (job.name, *(_gain_text(gain(job), answer.makespan) for gain in (answer.gain, answer.most_gain)))
            for job in answer.jobs
        ]
        more = more_text(len(rows) - MAX_ROWS, "more jobs")
        title = title_of(workload.name, slots_text(cluster), makespan_text(answer.makespan))
        print_table(title, ("halved", ">sooner", ">sooner at most"), rows[:MAX_ROWS], more)
        print_line(premise.sentence_of(answer.sentence))


def _gain_text(gain: float, makespan: float) -> str:
    return f"{duration_text(gain)} ({percent(gain / makespan)})" if gain > 0 else "nothing"


def _halved_json(answer: Halving, job: HalvedJob) -> dict[str, Any]:
    gains = {"gain": answer.gain(job), "most_gain": answer.most_gain(job)}
    return {"job": job.name, "makespan": job.makespan, "bound": job.bound} | gains


def _plan_json(plan: Plan | None, workload: Workload) -> dict[str, Any]:
    from core.files.plan_document import plan_to_json

    return {"plan": None if plan is None else plan_to_json(plan, workload.name)}
