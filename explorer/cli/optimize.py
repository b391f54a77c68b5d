"""`slotscope optimize`: the best schedule by what is asked for, and how much better any could be."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.model.levers import ALL_LEVERS, JOB_FIELDS, LEVERS, STAGE_FIELDS, levers_in, levers_of
from core.model.number_text import grouped
from core.model.objectives import OBJECTIVES
from core.model.parameters import names_in
from core.model.time_text import fine_percent
from core.study.policy_names import FILE
from explorer.cli.cluster_options import ClusterOptions
from explorer.cli.command import Command, flag, option
from explorer.cli.optimize_rest import run_rest
from explorer.cli.plan_front import run_front
from explorer.cli.requests import Run, Source, json_option, named_policy
from explorer.cli.screen import more_text, picked, print_json, print_limit, print_line, print_table, title_of
from explorer.cli.searching import (
    ShortEffort,
    keep_certificate,
    living_line,
    load_search,
    print_certificate,
    until_interrupted,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.lever_worths import LeverWorth
    from core.optimize.search import Found
    from core.optimize.slot_worths import SlotWorths
    from core.simulation.best_schedule import BestFound, WantedSearch

MAX_ROWS = 40


def _levers(text: str) -> tuple[str, ...]:
    return levers_in(text, "--levers")


class OptimizeCommand(Command, name="optimize"):
    """Search the best schedule, and say how much better any could be."""

    source: Source
    objective: str = option(
        "O",
        f"{', '.join(OBJECTIVES)}, or a mix: makespan=1,mean-response=0.5; default: makespan",
        default="makespan",
    )
    levers: tuple[str, ...] = option(
        "L,L",
        f"what may be changed: {', '.join(LEVERS)}; or {ALL_LEVERS} (default)",
        default=ALL_LEVERS,
        read=_levers,
    )
    start: str | None = option(
        "J2,J1",
        "begin with this order, or with a plan's file; file:F.py: with the order in which a policy of your "
        "own, whose code is run, starts the jobs",
    )
    pin: list[str] = option("J3", "leave a job where it is")
    before: list[str] = option("A:B", "job A goes before job B")
    keep_deadlines: bool = flag("no job ends after its deadline")
    from_time: str | None = option(
        "TIME",
        "what starts before that time stays as it is, only the rest is searched: 2h, 1:30:00, 5400; --out "
        "then writes a session with both",
        name="--from",
    )
    policy: str | None = option(
        "ID",
        "with --from: the policy before that time (default: that of a log's configuration, else fifo); "
        "--start gives an order or a plan instead",
        read=named_policy,
    )
    robust: float | None = option(
        "SIGMA", "durations are guesses, wrong by so much (0.3: ±30 %%): the mean over noisy copies counts"
    )
    robust_per: Literal["job", "task", "correlated"] | None = option(
        "WHAT",
        "what is wrong by a factor of its own: each job (default), each task, or each job with half of the "
        "variance common to all jobs",
    )
    effort: ShortEffort
    cluster: ClusterOptions
    front: tuple[str, ...] | None = option(
        "O,O",
        "two goals side by side: plans of which none is better in both; each search has some hundred or "
        "thousand steps by the number of tasks, or what --steps or --seconds says",
        read=names_in,
    )
    points: int | None = option("N", "so many searches for --front (default 9)")
    out: str | None = option(
        "PLAN.json",
        "write the plan, for 'simulate --plan'; of --front, all points to F.csv, or with proofs to F.json",
    )
    certificate: str | None = option(
        "F.json", "write the proof that nothing is better, or better than the bound, for 'slotscope verify'"
    )
    json: bool = json_option()

    def run(self) -> None:
        """Search, and print the best schedule found with its bound."""
        for name, target in (("--out", self.out), ("--certificate", self.certificate)):
            if target:
                _check_folder(name, Path(target))
        if self.from_time is not None:
            run_rest(self)
            return
        if self.policy is not None:
            raise InputError("--policy says what decides before --from; give a time with --from, too")
        wanted = self._wanted_search()
        if self.front is not None or self.points is not None:
            run_front(wanted, self)
            return
        load_search()
        with until_interrupted() as should_stop:
            answer = _search(wanted, should_stop)
        if self.out:
            from core.files.plan_document import write_plan

            write_plan(answer.found.plan, Path(self.out), wanted.workload.name)
        proof = answer.proof
        if self.certificate and not proof:
            from core.simulation.proofs import certify_gap

            proof = certify_gap(wanted.workload, wanted.cluster, answer.found, **wanted.wishes)
        keep_certificate(self.certificate, proof)
        if self.json:
            print_json(_answer_json(wanted, answer))
            return
        _print_answer(wanted, answer)
        if self.out:
            print_line(f"Plan written to {self.out}; 'slotscope simulate' replays it with --plan")
        print_certificate(self.certificate, proof)

    def start_in(self, workload: Workload, cluster: Cluster) -> Plan | tuple[str, ...] | None:
        """Return the plan or the order that --start gives, None for none."""
        return _start(self.start, workload, cluster)

    def _wanted_search(self) -> WantedSearch:
        """Return the search that the options describe; InputError if they do not fit."""
        from core.optimize.objectives import Objective
        from core.simulation.best_schedule import robust_of, wanted_search

        objective, robust = Objective.of(self.objective), robust_of(self.robust, self.robust_per, "--")
        effort = {"seconds": self.effort.by_clock, "steps": self.effort.steps}
        workload = self.source.open()
        if self.front is not None and self.effort.seconds is None and self.effort.steps is None:
            from core.simulation.plan_front import usual_steps

            effort = {"seconds": None, "steps": usual_steps(workload)}
        cluster = self.cluster.changed(workload.cluster)
        return wanted_search(
            workload,
            cluster,
            objective,
            effort=effort,
            levers=self.levers,
            start=self.start_in(workload, cluster),
            pinned=[name for text in self.pin for name in names_in(text)],
            before=[_pair(workload, text) for text in self.before],
            keep_deadlines=self.keep_deadlines,
            robust=robust,
            seed=self.effort.seed,
        )


def _check_folder(option: str, out: Path) -> None:
    """Refuse before the search what could not be written after it."""
    from core.files.atomic import check_target

    check_target(out)
    folder = out.absolute().parent
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        what = "is not writable" if folder.is_dir() else "does not exist"
        raise InputError(f"{option} {out}: the folder '{folder}' {what}; choose another file name")


def _pair(workload: Workload, text: str) -> tuple[str, str]:
    """Split "A:B" into two jobs; their names may have colons."""
    parts = text.split(":")
    pairs = [(":".join(parts[:place]), ":".join(parts[place:])) for place in range(1, len(parts))]
    known = [pair for pair in pairs if all(name in workload.job_index for name in pair)]
    if known:
        return known[0]
    if len(pairs) == 1:
        return pairs[0]  # that there is no such job is said with all others
    raise InputError(f"--before {text}: give two jobs as A:B; A then goes before B")


def _start(text: str | None, workload: Workload, cluster: Cluster) -> Plan | tuple[str, ...] | None:
    """Return the plan in a file, the order of the names, or that in which a policy file starts jobs."""
    if text is None:
        return None
    if text.startswith(FILE):
        from core.model.schedule import PolicyChoice

        schedule = Run(workload, cluster, PolicyChoice(named_policy(text)), None).simulate()
        first = dict.fromkeys(schedule.workload.columns.job[schedule.sequence].tolist())
        return tuple(workload.jobs[job].name for job in first)
    if text.endswith((".json", ".json.gz")) or Path(text).is_file():
        from core.files.plan_document import read_plan

        return read_plan(text)
    return tuple(names_in(text))


def _search(wanted: WantedSearch, should_stop: Callable[[], bool]) -> BestFound:
    """Search what is asked for, then what each lever is worth by itself, in as much time again."""
    from core.simulation.best_schedule import search_best
    from explorer.optimize.result_words import standing_text, value_text

    began = time.monotonic()
    with living_line() as show:

        def report(found: Found) -> None:
            unit = wanted.objective.unit
            given = found.best, found.bound, unit
            standing = standing_text(*given, spread=found.spread)
            best = "" if found.spread else f"{value_text(found.best, unit)}, "
            doing = f"{found.doing}: " if found.doing else ""
            show(f"{doing}{best}{standing} ({time.monotonic() - began:.0f} s)")

        return search_best(wanted, should_stop, report, show)


def _answer_json(wanted: WantedSearch, answer: BestFound) -> dict[str, Any]:
    """Return what `optimize --json` prints; times are seconds, gaps are fractions."""
    from core.files.plan_document import plan_to_json

    found, worths = answer.found, _slot_worths(wanted)
    return {
        "objective": wanted.objective.name,
        **picked(found, "start best bound gap"),
        "proved": bool(answer.proof),
        "why_not_proved": answer.proof.why_not or None,
        "evaluations": found.evaluations,
        "seconds": answer.seconds,
        "levers": [picked(each, "lever best gap") for each in answer.levers],
        "slot_prices": None if worths is None else _prices_json(worths),
        "plan": plan_to_json(found.plan, wanted.workload.name),
    }


def _prices_json(worths: SlotWorths) -> dict[str, Any]:
    """Return when slots are worth how much: from each time on, seconds of all jobs for a slot-second."""
    kinds = [
        {"name": kind.name, "slots": kind.slots, "from": kind.times.tolist(), "worth": kind.worth.tolist()}
        for kind in worths.kinds
    ]
    return {"sentence": worths.sentence, "unit": worths.unit, "kinds": kinds}


def _slot_worths(wanted: WantedSearch) -> SlotWorths | None:
    """Return what slots are worth when; None where they have no prices, or durations are guesses."""
    from core.optimize.slot_worths import slot_worths

    if wanted.robust is not None:
        return None
    return slot_worths(wanted.workload, wanted.cluster, wanted.objective)


def _print_answer(wanted: WantedSearch, answer: BestFound) -> None:
    from core.model.submissions import ONE_AFTER_THE_OTHER
    from core.optimize.premise import premise_on
    from explorer.optimize.result_words import standing_text, value_text

    found, unit = answer.found, wanted.objective.unit
    premise = premise_on(wanted.workload, wanted.cluster)
    standing = standing_text(found.best, found.bound, unit, proof=answer.proof, premise=premise)
    bound = value_text(found.bound, unit)
    rows = [
        (wanted.objective.name, value_text(found.best, unit)),
        ("lower bound", f"{bound}{'' if answer.proof else f' {premise.words}'}: {standing}"),
        (
            "best without a search" if wanted.wishes["start"] is None else "before the search",
            value_text(found.start, unit),
        ),
        ("how", found.how),
        (
            "searched",
            f"{grouped(found.evaluations)} schedule{'s'[found.evaluations == 1 :]}, {answer.seconds:.1f} s",
        ),
    ]
    if wanted.robust is not None:  # what was known before lies on other copies
        rows[0] = (f"{wanted.objective.name}, mean", rows[0][1])
        rows[1:3] = [("lower bound", f"{bound} with the durations as told")]
        if found.spread:
            low, high = value_text(found.spread[0], unit), value_text(found.spread[-1], unit)
            rows.insert(1, (f"on {len(found.spread)} noisy copies", f"{low} to {high}"))
    elif wanted.objective.is_weak and not found.proved:  # what meets even a weak bound is the best
        rows.insert(
            2, ("", "the bound of this objective is weak: less may be left to gain than the gap says")
        )
    title = title_of(wanted.workload.name, slots_text(wanted.cluster))
    print_table(title, ("figure", "value"), rows)
    if len(answer.levers) == len(
        levers_of(wanted.levers, wanted.workload)
    ):  # else it was stopped before all were searched
        _print_levers(answer, unit, has_bound=wanted.robust is None)
    if worths := _slot_worths(wanted):
        print_line(worths.sentence)
    if premise.as_submitted:
        print_line(ONE_AFTER_THE_OTHER)
    elif wanted.objective.name == "makespan":
        print_limit(wanted.workload, wanted.cluster)
    _print_plan(found.plan, wanted.workload)


def _print_levers(answer: BestFound, unit: str, *, has_bound: bool) -> None:
    from core.optimize.lever_worths import order_worth_text
    from explorer.optimize.result_words import value_text

    names = [each.lever if place == 0 else f"+ {each.lever}" for place, each in enumerate(answer.levers)]
    bests = [value_text(each.best, unit) for each in answer.levers]
    columns = {"lever": names, ">best": bests}
    if has_bound:
        gaps = ["" if answer.found.bound <= 0 else fine_percent(each.gap) for each in answer.levers]
        proofs = [_proof_text(each) for each in answer.levers]
        columns[">above the bound"] = [
            ", ".join(filter(None, texts)) or "–" for texts in zip(gaps, proofs, strict=True)
        ]
    print_table("What may be changed", tuple(columns), list(zip(*columns.values(), strict=True)))
    if sentence := order_worth_text(answer.levers):
        print_line(sentence)


def _proof_text(worth: LeverWorth) -> str:
    """Return why nothing is better with these levers: a certificate, or that all orders were tried."""
    from core.simulation.proofs import AT_BOUND

    return "" if not worth.proved else "proved" if worth.gap <= AT_BOUND else "all orders tried"


def _print_plan(plan: Plan, workload: Workload) -> None:
    shown = plan.jobs[:MAX_ROWS]
    words = workload.type_words
    columns: dict[str, list[Any]] = {"job": [job.name for job in shown]}
    for kind, stage in enumerate(f"{word}s" for word in words):
        columns[f">{stage}' turn"] = _turns([job.stages[kind].due for job in plan.jobs])[:MAX_ROWS]
        for name, how in STAGE_FIELDS.items():
            planned = [job.stages[kind] for job in shown]
            columns[how.heading.format(stage)] = [
                "each at its time" if name == "tasks" and each.starts else how.to_text(getattr(each, name))
                for each in planned
            ]
    for name, how in JOB_FIELDS.items() if workload.is_map_reduce else ():
        columns[how.heading] = [how.to_text(getattr(job, name)) for job in shown]
    columns = {heading: texts for heading, texts in columns.items() if heading and any(texts)}
    more = more_text(len(plan.jobs) - MAX_ROWS, "more jobs")
    print_table("Plan", tuple(columns), list(zip(*columns.values(), strict=True)), more)
    if plan.partition is not None:
        pools = [
            (pool.name, pool.map_slots, pool.reduce_slots, len(pool.jobs)) for pool in plan.partition.pools
        ]
        slots = (f">{word} slots" for word in words)
        print_table("Pools", ("pool", *slots, ">jobs"), pools)


def _turns(dues: Sequence[float]) -> list[int]:
    """Return each job's place by due date, from 1; of equal dates the first goes first."""
    order = sorted(range(len(dues)), key=lambda place: (dues[place], place))
    turn_of = {place: turn for turn, place in enumerate(order, 1)}
    return [turn_of[place] for place in range(len(dues))]
