"""`slotscope forecast` and `submit`: what a night under way will still do, and what one more job does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from core.model.errors import InputError
from core.model.estimates import LARGEST_ERROR
from core.model.killed_copies import killed_copies_text
from core.model.number_text import grouped
from core.model.time_text import clock_text, signed_duration
from explorer.cli.command import flag, option
from explorer.cli.plan import AboutPolicy
from explorer.cli.requests import open_named_workload, seed_option, time_option, typed_time
from explorer.cli.screen import print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.forecast.forecast import Forecast
    from core.forecast.relief import TriedRelief
    from core.forecast.submitted import Submission
    from core.forecast.tried_places import TriedPlace
    from core.model.cluster import Cluster
    from core.model.job import Job
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload

MAX_LISTED = 30
"""Jobs in a table; --json has all."""


NOTHING = "none"
"""Stands for no earlier runs, and for no estimates."""


class Before(NamedTuple):
    """What is known of earlier runs of jobs.

    Attributes
    ----------
    jobs : as they ran; None for nothing
    logs : of each that the library knows, the log that it stood in
    """

    jobs: Workload | None = None
    logs: Mapping[str, str] = {}

    @property
    def json(self) -> dict[str, Any] | None:
        """It as JSON: the jobs that are known, with the logs of those that the library has."""
        if self.jobs is None:
            return None
        logs = self.logs
        return {"source": self.jobs.name, "jobs": {job.name: logs.get(job.name) for job in self.jobs.jobs}}


def _wrong_by(text: str) -> float | Literal["none"]:
    """Return how wrong estimates are, or that there are none; raises InputError for another text."""
    if text == NOTHING:
        return "none"
    try:
        error = float(text)
    except ValueError:
        error = -1.0
    if not 0 <= error <= LARGEST_ERROR:
        given = f"give a number from 0 to {LARGEST_ERROR:g}, as 0.3 for ±30 %"
        raise InputError(f"--error {text}: {given}, or '{NOTHING}'")
    return error


class AboutForecast(AboutPolicy):
    """What both commands take."""

    at: str | None = option(
        "TIME",
        "what lies before it is known: 2h, 1:30:00, 5400, or a part of the whole: 50%% (default: where "
        "the log ends, if it is unfinished)",
    )
    history: str | None = option(
        "W",
        "a workload or log of jobs that ran before: how long those of the same names take; or 'library', the "
        "trace library, where they are found by title or application, too; or 'none' (default: what the "
        "library knows of them from other logs, if there is one)",
    )
    error: float | Literal["none"] | None = option(
        "F",
        "take the durations of W as estimates that are wrong by so much, 0.3 for ±30 %%; or 'none': nothing "
        "is known of them but what has ended (default: none for jobs of a log, else 0.3)",
        read=_wrong_by,
    )
    record: bool = flag(
        "begin in what really ran by a log, instead of a simulation of it; the policy goes on from there"
    )
    by: float | None = time_option("--by", "say how likely it is that all jobs have ended by then")
    runs: int = option("N", "how many times the rest is drawn, 19 at least (default 200)", default=200)
    seed: int = seed_option("draws")

    def subject(self) -> tuple[Schedule, PolicyChoice | None]:
        """Return what is simulated up to the time and beyond, or what really ran and what then goes on."""
        from core.fidelity.history_schedule import recorded_schedule
        from core.forecast.record import night_of
        from core.model.under_way import now_of
        from core.simulation.simulate import simulate

        asked = self.policy_run()
        workload, choice = asked.workload, asked.scenario.choice
        if not self.record and (self.at is not None or now_of(workload) is None):
            self._check_killed(asked.cluster, workload)
            return simulate(workload, asked.cluster, choice), None
        killed = asked.cluster.killed_copies
        if replace(asked.cluster, killed_copies=()) != replace(workload.cluster, killed_copies=()):
            raise InputError(
                "--record: what really ran goes on on its own cluster; leave out what changes it"
            )
        record = recorded_schedule(workload, "--record")
        self._check_killed(asked.cluster, night_of(record))
        return replace(record, cluster=replace(record.cluster, killed_copies=killed)), choice

    def _check_killed(self, cluster: Cluster, workload: Workload) -> None:
        """Raise InputError for a copy to kill that is asked for, of a task that is not there."""
        from core.model.copied_tasks import killed_tasks  # help needs no numpy

        for each in cluster.killed_copies if self.cluster.killed_copies is not None else ():
            if not killed_tasks([each], workload):
                raise InputError(f"--killed-copies {killed_copies_text([each])}: there is no such task")

    def time_in(self, schedule: Schedule) -> float:
        """Return the time that is given, in seconds; raises InputError for a text that is none."""
        if self.at is None:
            from core.model.under_way import now_of

            now = now_of(schedule.given)
            if now is None:
                over = "no job of the log is under way where it ends; " * (
                    schedule.given.recorded is not None
                )
                raise InputError(
                    f"{over}give the time from which on nothing is known, as --at 2h or --at 50%"
                )
            return now
        text = self.at.strip()
        if not text.endswith("%"):
            return typed_time("--at", text)
        try:
            part = float(text[:-1]) / 100
        except ValueError:
            part = -1.0
        if not 0 <= part <= 1:
            raise InputError(f"--at {text}: a part of the whole lies between 0% and 100%, for example 50%")
        return part * schedule.makespan

    def print_chance(self, found: Forecast) -> None:
        """Print how likely all jobs have ended by the time that was asked about."""
        if self.by is not None:
            print_line(found.chance_sentence(self.by))

    def before(self, schedule: Schedule, jobs: Sequence[Job] = ()) -> Before:
        """Return what is known of earlier runs: as asked for, else by the trace library if there is one.

        Parameters
        ----------
        jobs : that come; the others are those of the night
        """
        from core.forecast.record import night_of
        from core.trace_database.named_job import LIBRARY
        from core.trace_database.recorded_profile import earlier_runs, recorded_profile, with_coming

        every = with_coming(night_of(schedule), jobs)
        if self.history == LIBRARY:
            with progress("Opening what jobs took before") as show:
                return Before(recorded_profile(every, LIBRARY, show))
        if self.history is not None:
            return Before(None if self.history == NOTHING else open_named_workload(self.history))
        found = None if self.wrong_by(schedule) == 0 else earlier_runs(every)
        return Before() if found is None else Before(*found)

    def wrong_by(self, schedule: Schedule) -> float | None:
        """Return how wrong the durations are as estimates; None if they are none."""
        from core.forecast.forecast import default_error

        if self.error is None:
            return default_error(schedule)
        return None if isinstance(self.error, str) else self.error

    def drawing(self, schedule: Schedule, before: Before) -> dict[str, Any]:
        """Return how the rest is drawn, as `core.forecast.forecast.forecast` takes it."""
        return {
            "error": self.wrong_by(schedule),
            "history": before.jobs,
            "runs": self.runs,
            "seed": self.seed,
        }


class ForecastCommand(AboutForecast, name="forecast"):
    """When the jobs of a night that is under way will end, with the chances of it."""

    advise: bool = flag("say what can be done now, what saves most for each minute of disturbance first")

    def run(self) -> None:
        """Print when the jobs end that are open at the time, and what can be done."""
        from core.forecast.forecast import forecast

        schedule, policy = self.subject()
        before, time = self.before(schedule), self.time_in(schedule)
        drawing = self.drawing(schedule, before)
        with progress("Drawing the rest") as show:
            found = forecast(schedule, time, policy=policy, **drawing, progress=show)
        steps = self._advice(schedule, time, policy, drawing) if self.advise else None
        if self.json:
            advice = {} if steps is None else {"advice": [_advice_json(each) for each in steps]}
            print_json(forecast_json(found, self.by) | {"history": before.json} | advice)
            return
        print_line(" ".join(filter(None, (found.sentence, found.known_sentence, found.history_sentence))))
        self.print_chance(found)
        _print_ends(found)
        for each in steps or ():
            print_line(each.sentence)
        if steps == ():
            print_line("Nothing that was tried saves anything.")

    def _advice(
        self, schedule: Schedule, time: float, policy: PolicyChoice | None, drawing: dict[str, Any]
    ) -> tuple[TriedRelief, ...]:
        """Return what can be done, tried on fewer draws than the forecast has."""
        from core.forecast.advice import DEFAULT_DRAWS, advise

        drawing = drawing | {"runs": min(self.runs, DEFAULT_DRAWS)}
        with progress("Trying what can be done") as show:
            return advise(schedule, time, policy=policy, **drawing, progress=show)


class SubmitCommand(AboutForecast, name="submit"):
    """When a job ends that is submitted now, and whom it delays by how much."""

    job: str = option(
        "F",
        "a workload or log whose jobs are submitted; the first comes at the time. 'library:NAME' is the job "
        "of the trace library of that name, title or application, or of that number",
    )
    comes: float | None = time_option(
        "--comes", "when the first of them comes, if that is later than --at: 2h, 5400"
    )
    place: int | None = option(
        "N",
        "the place of them in the order of what waits when they come, 1 for the front, where the policy "
        "serves by an order (default: where the policy puts them)",
    )
    places: bool = flag("say what every place in that order would do to them and to the others")

    def run(self) -> None:
        """Print when the new jobs end, and by how much later the others."""
        from core.forecast.submitted import submit

        schedule, policy = self.subject()
        jobs = self.jobs_to_come()
        before, time = self.before(schedule, jobs), self.time_in(schedule)
        drawing = self.drawing(schedule, before)
        with progress("Drawing the rest with and without it") as show:
            asked = drawing | {"policy": policy, "comes": self.comes}
            found = submit(schedule, jobs, time, place=self.place, **asked, progress=show)
        tried, no_order = self._tried(schedule, jobs, time, asked) if self.places else ((), "")
        if self.json:
            delays: dict[str, Any] = {"history": before.json, "delays": _delays_json(found)}
            if self.places:
                delays |= {"places": [_place_json(each) for each in tried], "no_order": no_order or None}
            print_json(forecast_json(found.forecast, self.by) | delays)
            return
        said = *found.sentences, found.known_sentence, found.forecast.history_sentence
        for sentence in filter(None, said):
            print_line(sentence)
        self.print_chance(found.forecast)
        _print_delays(found)
        for sentence in filter(None, (*(each.sentence for each in tried), no_order)):
            print_line(sentence)

    def _tried(
        self, schedule: Schedule, jobs: Sequence[Job], time: float, asked: dict[str, Any]
    ) -> tuple[tuple[TriedPlace, ...], str]:
        """Return what each place does, or why there is no order."""
        from core.forecast.queue_places import NoOrderError
        from core.forecast.tried_places import try_places

        try:
            with progress("Trying every place in the order") as show:
                return try_places(schedule, jobs, time, **asked, progress=show), ""
        except NoOrderError as error:
            return (), f"{error}."

    def jobs_to_come(self) -> Sequence[Job]:
        """Return what is submitted: the jobs of a file, or one of the trace library."""
        from core.trace_database.named_job import LIBRARY, named_job

        source, is_template, name = self.job.partition(":")
        if is_template and source == LIBRARY:
            return (named_job(name),)
        return open_named_workload(self.job).jobs


def _print_ends(found: Forecast) -> None:
    known = found.known
    jobs, deadlines = known.schedule.workload.jobs, known.schedule.workload.has_deadlines
    open_jobs = found.open_jobs
    bands = [found.band(part) for part in (0.5, 0.9)]
    columns = ["job", ">ends at\nabout", ">50 %\nbetween", ">\nand", ">90 %\nbetween", ">\nand"]
    columns += [">deadline", ">in\ntime"] if deadlines else []
    rows = []
    for j in open_jobs[:MAX_LISTED]:
        cells = [jobs[j].name, clock_text(found.middle[j])]
        cells += [clock_text(float(end[j])) for band in bands for end in band]
        if deadlines:
            due = jobs[j].deadline
            cells += ["", ""] if due is None else [clock_text(due), f"{100 * found.in_time[j]:.0f} %"]
        rows.append(tuple(cells))
    if rows:
        print_table("Jobs that have not ended", columns, rows)
    if len(open_jobs) > MAX_LISTED:
        print_line(f"{len(open_jobs) - MAX_LISTED} more end later; --json lists all.")
    levels = [
        (jobs[j].name, clock_text(due), grouped(cost), f"{100 * found.done_by(j, due):.0f} %")
        for j in open_jobs[:MAX_LISTED]
        for due, cost in jobs[j].service_levels
    ]
    if levels:
        print_table("Service levels", ("job", ">by", ">else cost", ">in time"), levels)


def _print_delays(found: Submission) -> None:
    later, (low, high), moved = found.middle_delay, found.delay_band(0.9), found.moved
    jobs = found.forecast.known.schedule.workload.jobs
    rows = [
        (jobs[j].name, *(signed_duration(float(column[j])) for column in (later, low, high)))
        for j in moved[:MAX_LISTED]
    ]
    if rows:
        print_table("Other jobs end later by", ("job", ">about", ">90 % between", ">and"), rows)
    if len(moved) > MAX_LISTED:
        print_line(f"{len(moved) - MAX_LISTED} more are moved by less; --json lists all.")


def forecast_json(found: Forecast, by: float | None) -> dict[str, Any]:
    """Return a forecast as JSON: times in seconds, a row for each job that has not ended."""
    chance = {} if by is None else {"by": by, "over_by": found.over_by(by)}
    known = found.known
    (low_half, high_half), (low, high) = found.band(0.5), found.band(0.9)
    rows = [
        {
            "job": job.name,
            "end": found.middle[j],
            "end_50": [low_half[j], high_half[j]],
            "end_90": [low[j], high[j]],
            "deadline": job.deadline,
            "in_time": None if job.deadline is None else found.in_time[j],
            "service_levels": [
                {"by": due, "cost": cost, "in_time": found.done_by(j, due)}
                for due, cost in job.service_levels
            ],
        }
        for j, job in enumerate(known.schedule.workload.jobs)
        if not known.job_has_ended[j]
    ]
    return {
        "policy": found.choice.id,
        "record": known.schedule.choice.is_record,
        "time": known.time,
        "running": known.running,
        "draws": len(found.finish),
        "error": found.error,
        "seed": found.seed,
        "makespan": found.middle_makespan,
        "makespan_90": list(found.makespan_band(0.9)),
        **chance,
        "jobs": rows,
    }


def _advice_json(tried: TriedRelief) -> dict[str, Any]:
    """Return what can be done and comes of it as JSON, times in seconds."""
    jobs, relief = tried.jobs, tried.relief
    killed = relief.cluster.killed_copies[-1:] if relief.kind == "kill" and relief.cluster else ()
    return {
        "kind": tried.relief.kind,
        "do": tried.relief.words,
        **({"killed_copies": killed_copies_text(killed)} if killed else {}),
        "saves": tried.saved,
        "disturbs": tried.disturbance,
        "worth": tried.worth,
        "over_sooner": tried.over_sooner,
        "earlier": {jobs[j]: tried.earlier[j] for j in tried.moved},
        "in_time": {jobs[j]: tried.in_time[j] for j in tried.due},
    }


def _place_json(tried: TriedPlace) -> dict[str, Any]:
    """Return a place in the order and what comes of it as JSON, times in seconds."""
    later, jobs = tried.middle_delay, tried.jobs
    return {
        "place": tried.place,
        "of": tried.places,
        "policy": tried.is_own,
        "end": tried.end,
        "end_90": list(tried.end_band),
        "in_time": dict(tried.in_time),
        "delays": {jobs[j].name: later[j] for j in tried.moved if later[j]},
        "sentence": tried.sentence,
    }


def _delays_json(found: Submission) -> list[dict[str, Any]]:
    later, (low, high) = found.middle_delay, found.delay_band(0.9)
    jobs = found.forecast.known.schedule.workload.jobs
    return [
        {"job": jobs[j].name, "delay": later[j], "delay_90": [low[j], high[j]]} for j in range(found.others)
    ]
