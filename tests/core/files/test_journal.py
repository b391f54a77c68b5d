"""A journal gives back every whole record: cut anywhere, the last one; damaged anywhere, those before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.files.journal import MAGIC, History, Journal, Step, last_record, read_journal
from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.errors import InputError
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload


@pytest.fixture
def base():
    jobs = tuple(Job(f"J{i}", Stage.of(2, [1.0, 2.5])) for i in range(3))
    return DocumentState.new(Workload("Small", jobs), (PolicyChoice("fifo"),))


class Stack:
    """Steps of undo as a window has them, followed by a journal."""

    def __init__(self, path, base):
        self.history = History(base)
        self.journal = Journal.begin(path, self.history, {"name": "Small"})
        self.seen = [(path.stat().st_size, self.told())]

    def told(self):
        history = self.history
        return history.state, tuple(history.steps), history.index

    def follow(self, **about):
        steps, index = self.history.steps, self.history.index
        self.journal.follow(len(steps), index, steps.__getitem__, {"name": "Small", **about})
        self.seen.append((self.journal.path.stat().st_size, self.told()))

    def commit(self, text, after, place=None):
        place = self.history.index if place is None else place
        self.history.push(place, Step(text, self.history.at(place), after))
        self.follow()

    def undo_to(self, index):
        self.history.move(len(self.history.steps), index)
        self.follow()


@pytest.fixture
def stack(tmp_path, base):
    """Five edits, some undone, one done in the place of two."""
    stack = Stack(tmp_path / "edits.journal", base)
    for slots in (5, 6, 7):
        stack.commit(f"Set map slots to {slots}", replace(stack.history.state, cluster=Cluster(slots, 2)))
    stack.undo_to(1)
    stack.undo_to(2)
    stack.undo_to(1)
    added = replace(stack.history.state.scenarios[0], id=2)
    stack.commit(
        "Add", replace(stack.history.state, scenarios=(*stack.history.state.scenarios, added), next_id=3)
    )
    stack.commit("Add again", replace(stack.history.state, baseline=2), place=1)  # merged
    stack.undo_to(0)
    return stack


def read(path):
    history = read_journal(path).history
    return history.state, tuple(history.steps), history.index


def test_steps_and_what_is_undone_come_back(stack):
    assert read(stack.journal.path) == stack.told()
    assert stack.history.state.next_id == 3, "ids stay taken"
    assert [step.text for step in stack.history.steps] == ["Set map slots to 5", "Add again"]
    state = read_journal(stack.journal.path).history.state
    assert not state.workload.jobs[0].maps.durations.flags.writeable


def test_nothing_is_written_where_nothing_happened(stack):
    size = stack.journal.path.stat().st_size
    stack.follow()
    assert stack.journal.path.stat().st_size == size


def test_what_is_said_of_the_window_comes_back_and_a_layout_is_written_once(stack):
    stack.follow(layout={"window": [0] * 500}, active=1)
    size = stack.journal.path.stat().st_size
    stack.follow(layout={"window": [0] * 500}, active=2)
    assert stack.journal.path.stat().st_size < size + 200
    assert read_journal(stack.journal.path).about == {
        "name": "Small",
        "layout": {"window": [0] * 500},
        "active": 2,
    }
    assert last_record(stack.journal.path) == {"name": "Small", "active": 2}


def test_what_is_said_no_more_is_forgotten(stack):
    """A window that has left its lesson does not come back to it."""
    stack.follow(layout={"window": [1]}, lesson={"step": 3})
    assert "lesson" in read_journal(stack.journal.path).about
    stack.follow(layout={"window": [1]})
    assert read_journal(stack.journal.path).about == {"name": "Small", "layout": {"window": [1]}}


def test_several_steps_at_once_are_caught_up_with(stack):
    history = stack.history
    for slots in (11, 12):
        state = replace(history.state, cluster=Cluster(slots, 2))
        history.push(history.index, Step(f"{slots}", history.state, state))
    history.move(2, 1)
    stack.follow()
    assert read(stack.journal.path) == stack.told()


def test_a_journal_can_be_written_anew_from_its_history(stack, tmp_path):
    found = read_journal(stack.journal.path).history
    Journal.begin(tmp_path / "other", found, {})
    assert read(tmp_path / "other") == stack.told()
    assert not list(tmp_path.glob("*.part"))


def test_cut_anywhere_it_gives_the_last_whole_record(stack):
    path = stack.journal.path
    data = path.read_bytes()
    expected = dict(stack.seen)
    first, *ends = sorted(expected)
    for length in {first, *ends, *(end - 1 for end in ends), *range(first, len(data), 11)}:
        path.write_bytes(data[:length])
        found = read_journal(path)
        whole = max(size for size in expected if size <= length)
        assert found.damage == ""
        assert (found.history.state, tuple(found.history.steps), found.history.index) == expected[whole]


def test_one_wrong_byte_is_said_and_what_stands_before_it_comes_back(stack):
    path = stack.journal.path
    data = path.read_bytes()
    for place in range(0, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :])
        before = [told for size, told in stack.seen if size <= place]
        if not before:
            with pytest.raises(InputError, match=r"is damaged.*discard it"):
                read_journal(path)
            continue
        found = read_journal(path)
        assert "is damaged behind its first" in found.damage
        assert (found.history.state, tuple(found.history.steps), found.history.index) == before[-1]


@pytest.mark.parametrize("data", [b"", b"slotscope", MAGIC, MAGIC + b"\0" * 100])
def test_what_is_no_journal_gets_a_sentence(tmp_path, data):
    path = tmp_path / "edits.journal"
    path.write_bytes(data)
    for look in (read_journal, last_record):
        with pytest.raises(InputError, match="discard it"):
            look(path)


def test_a_journal_of_another_version_is_kept_for_it(tmp_path):
    path = tmp_path / "edits.journal"
    path.write_bytes(b"slotscope journal 2\nand more")
    for look in (read_journal, last_record):
        with pytest.raises(
            InputError,
            match=r"^another version of Slotscope has written this session; restore it with that one$",
        ):
            look(path)


def test_what_cannot_be_read_gets_a_sentence(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_journal(tmp_path / "nowhere")
