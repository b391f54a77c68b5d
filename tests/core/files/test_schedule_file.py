"""Writing a schedule says how far it is, and stops when asked, leaving the old file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.files.atomic import STEP, Watch
from core.files.samples import load_sample
from core.files.schedule_file import WRITERS, format_for, write_schedules
from core.model.errors import Cancelled, InputError, UnknownName
from tests.builders import run

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import Schedule


@pytest.fixture(scope="module")
def schedule() -> Schedule:
    workload = load_sample("five-jobs")
    return run(workload, workload.cluster)


@pytest.mark.parametrize("form", WRITERS)
def test_progress_runs_from_nothing_towards_the_whole(form: str, schedule: Schedule, tmp_path: Path) -> None:
    seen: list[float] = []
    write_schedules([("FIFO", schedule)], tmp_path / "out", form, Watch(progress=seen.append))
    assert seen[0] == 0
    assert seen == sorted(seen)
    assert seen[-1] <= 1
    assert (tmp_path / "out").stat().st_size > 0


@pytest.mark.parametrize("form", WRITERS)
def test_what_is_cancelled_leaves_the_old_file(form: str, schedule: Schedule, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")
    with pytest.raises(Cancelled):
        write_schedules([("FIFO", schedule)], path, form, Watch(should_stop=lambda: True))
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_a_watch_asks_and_tells_every_so_often() -> None:
    told: list[float] = []
    things = range(4 * STEP)
    assert list(Watch(progress=told.append).over(things, 0.5, 1.0)) == list(things)
    assert told == [0.5, 0.625, 0.75, 0.875]
    asked = iter([False, True])
    taken = []
    with pytest.raises(Cancelled):
        taken.extend(Watch(should_stop=lambda: next(asked)).over(things))


def test_endings_say_the_format() -> None:
    names = {"a.csv": "tasks", "a.CSV.gz": "tasks", "a.parquet": "tasks", "b.json.gz": "perfetto"}
    names |= {"b.paje": "paje", "c.html": "html"}
    assert {name: format_for(name) for name in names} == names
    with pytest.raises(InputError, match="name the format"):
        format_for("a.txt")


def test_an_unknown_format_offers_the_nearest(schedule: Schedule, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'perfetto'"):
        write_schedules([("FIFO", schedule)], tmp_path / "x", "perfeto")
