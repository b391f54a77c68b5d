"""Results of the public module: what the command line says, as frames and columns."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotscope
from explorer.cli.run import run
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

LOG = DATA / "jobtracker-0.20.log"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """Return the JSON that the command line prints."""
    capsys.readouterr()
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_simulate_is_what_the_command_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("simulate", "five-jobs", "--policy", "fair", "--map-slots", "12", "--slowstart", "0.5")
    told = printed(capsys, *words, "--tasks")
    schedule = slotscope.simulate("five-jobs", "fair", map_slots=12, slowstart=0.5)
    assert (schedule.makespan, schedule.lower_bound) == (told["makespan"], told["lower_bound"])
    assert schedule.jobs["end"].tolist() == [job["end"] for job in told["jobs"]]
    columns = ["job", "kind", "index", "slot", "start", "shuffle_end", "end"]
    assert schedule.tasks[columns].to_dict("records") == told["tasks"]
    assert schedule.cluster.map_slots == 12
    assert schedule.policy == "fair"


def test_compare_is_what_the_command_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "compare", "five-jobs", "--policies", "fifo,johnson")["rows"]
    table = slotscope.compare("five-jobs", ["fifo", "johnson"]).table
    for row in told:
        mine = table.loc[row["policy"]]
        assert all(mine[name] == value for name, value in row.items() if isinstance(value, float))


def test_optimize_is_what_the_command_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "optimize", "three-pools", "--steps", "50", "--levers", "order")
    best = slotscope.optimize("three-pools", steps=50, levers="order")
    assert (best.best, best.bound, best.gap) == (told["best"], told["bound"], told["gap"])
    assert best.is_proved == told["proved"]
    assert best.levers["best"].tolist() == [each["best"] for each in told["levers"]]
    assert best.schedule.makespan == best.best
    assert slotscope.simulate("three-pools", plan=best.plan).makespan == best.best


def test_fewest_is_what_the_command_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "fewest", "five-jobs", "--until", "60", "--steps", "50")
    answer = slotscope.fewest("five-jobs", 60, steps=50)
    assert (answer.enough, answer.too_few, answer.makespan) == (
        told["enough"],
        told["too_few"],
        told["makespan"],
    )


def test_fidelity_is_what_the_command_line_says(capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = printed(capsys, "fidelity", str(LOG))["logs"]
    judged = slotscope.fidelity(LOG)
    assert judged.models["mean_error"].tolist() == [each["mean_error"] for each in told["models"]]
    counting = next(each for each in told["models"] if each["model"] == told["headline"])
    assert judged.jobs[["recorded", "simulated"]].to_dict("records") == [
        {"recorded": job["recorded"], "simulated": job["simulated"]} for job in counting["jobs"]
    ]
    assert judged.sentences == told["sentences"]


def test_generate_is_what_the_command_line_writes(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    out = tmp_path / "w.workload.json"
    assert run(["generate", "yahoo", "--seed", "3", "--jobs", "8", "--out", str(out)]) == 0
    written, drawn = slotscope.open(out).columns, slotscope.generate("yahoo", seed=3, jobs=8).columns
    assert np.array_equal(written.duration, drawn.duration)
    assert np.array_equal(written.arrival, drawn.arrival)


def test_what_really_ran_stands_first() -> None:
    beside = slotscope.compare(LOG, ["fifo"], recorded=True)
    assert beside.titles == ["recorded", "fifo"]
    assert beside.table["lacks_overheads"].tolist() == [False, True]


def test_slots_are_added_up_task_by_task() -> None:
    """A twin in plain Python: what lies on each slot, one task after the other."""
    schedule = slotscope.simulate("five-jobs", "fair", map_slots=7, reduce_slots=40)
    slots: Any = schedule.slots.itertuples()
    every: Any = list(schedule.tasks.itertuples())
    for slot in slots:
        tasks = [task for task in every if task.slot == slot.slot]
        assert slot.tasks == len(tasks)
        assert slot.busy == pytest.approx(sum(task.end - task.start for task in tasks))
        assert slot.use == pytest.approx(slot.busy / schedule.makespan)
        assert {task.kind for task in tasks} <= {slot.kind}
        if tasks:
            assert (slot.start, slot.end) == (
                min(task.start for task in tasks),
                max(task.end for task in tasks),
            )
        else:
            assert np.isnan(slot.start)
            assert np.isnan(slot.end)
    assert len(schedule.slots) == 47
    assert schedule.slots["name"].iloc[[0, 6, 7]].tolist() == ["M1", "M7", "R1"]


def test_columns_are_the_simulators_own_and_frames_are_the_users() -> None:
    schedule = slotscope.simulate("five-jobs")
    for name in ("slot", "start", "shuffled", "end", "finish"):
        assert getattr(schedule, name) is getattr(schedule.core, name)
    with pytest.raises(ValueError, match="read-only"):
        schedule.start[0] = 5
    before = schedule.start.copy()
    schedule.tasks["start"] += 1
    schedule.tasks["twice"] = 2 * schedule.tasks["end"]
    assert (schedule.start == before).all()


def test_a_notebook_shows_the_page_in_a_frame_and_names_break_out_of_nothing(tmp_path: Path) -> None:
    workload = slotscope.open("five-jobs")
    schedule = slotscope.simulate(workload, "johnson")
    beside = slotscope.compare(workload, ["fifo", "johnson"])
    for result, name in ((schedule, "one.html"), (beside, "two.html")):
        shown = Elements(result._repr_html_())
        result.save(tmp_path / name)
        assert [tag for tag, _ in shown.found] == ["iframe"]
        assert shown.found[0][1]["srcdoc"] == (tmp_path / name).read_text("utf-8")
        assert shown.found[0][1]["sandbox"] == "allow-scripts"
    evil = slotscope.simulate(_called(workload, '"><script>alert(1)</script>'))
    for result in (evil, slotscope.compare(evil.workload, [evil])):
        assert [tag for tag, _ in Elements(result._repr_html_()).found] == ["iframe"]


def test_many_tasks_are_figures_alone_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slotscope.schedules.MAX_TASKS", 100)
    workload = slotscope.open("five-jobs")
    assert "<td>47 s</td>" in slotscope.simulate(workload, "johnson")._repr_html_()
    assert slotscope.compare(workload, ["fifo", "johnson"])._repr_html_().count("<tr>") == 3
    evil = slotscope.simulate(_called(workload, "<script>alert(1)</script>"))
    assert "<script>" not in evil._repr_html_() + slotscope.compare(evil.workload, [evil])._repr_html_()


def test_schedules_of_a_comparison_are_saved_together(tmp_path: Path) -> None:
    slotscope.compare("five-jobs", ["fifo", "johnson"]).save(tmp_path / "both.csv")
    head, *rows = (tmp_path / "both.csv").read_text().splitlines()
    tasks = len(slotscope.simulate("five-jobs", "fifo").tasks)
    assert len(rows) == 2 * tasks
    assert {row.split(",")[head.split(",").index("scenario")] for row in rows} == {"fifo", "johnson"}


class Elements(HTMLParser):
    """The elements of a piece of HTML with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def _called(workload, name: str):
    from dataclasses import replace

    return replace(workload, name=name)


def test_a_schedule_is_saved_as_its_ending_says(tmp_path) -> None:
    schedule = slotscope.simulate("five-jobs")
    schedule.save(tmp_path / "tasks.csv")
    assert (tmp_path / "tasks.csv").read_text().startswith("job,kind,index,slot")
    with pytest.raises(slotscope.InputError, match="ends in none of"):
        schedule.save(tmp_path / "tasks.xyz")


def test_a_study_goes_on_in_its_folder(tmp_path) -> None:
    document = {
        "format": "slotscope-study",
        "version": 1,
        "name": "Slots",
        "base": {"workload": {"sample": "five-jobs"}, "policy": {"id": "johnson"}},
        "axes": [{"name": "slots", "fields": ["cluster.map_slots"], "values": [30, 60]}],
        "measures": ["makespan"],
    }
    rows = slotscope.study(document, tmp_path / "results")
    assert rows["makespan"].iloc[0] == 47
    assert slotscope.study(document, tmp_path / "results").equals(rows)
    assert slotscope.study(document).equals(rows)
