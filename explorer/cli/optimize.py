"""`slotscope optimize`: the best schedule by what is asked for, and how much better any could be."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.model.levers import JOB_FIELDS, STAGE_FIELDS, levers_of
from core.model.number_text import grouped
from core.model.time_text import fine_percent
from explorer.cli.optimize_options import OptimizeOptions
from explorer.cli.optimize_rest import run_rest
from explorer.cli.plan_front import run_front
from explorer.cli.screen import more_text, picked, print_json, print_limit, print_line, print_table, title_of
from explorer.cli.searching import (
    keep_certificate,
    living_line,
    load_search,
    print_certificate,
    until_interrupted,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.found import Found
    from core.optimize.lever_worths import LeverWorth
    from core.optimize.slot_worths import SlotWorths
    from core.simulation.best_schedule import BestFound, WantedSearch

MAX_ROWS = 40


class OptimizeCommand(OptimizeOptions, name="optimize"):
    """Search the best schedule, and say how much better any could be."""

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
        wanted = self.wanted_search()
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


def _check_folder(option: str, out: Path) -> None:
    """Refuse before the search what could not be written after it."""
    from core.files.atomic import check_target

    check_target(out)
    folder = out.absolute().parent
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        what = "is not writable" if folder.is_dir() else "does not exist"
        raise InputError(f"{option} {out}: the folder '{folder}' {what}; choose another file name")


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
    from core.simulation.proof import AT_BOUND

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
