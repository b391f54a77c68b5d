"""Windows that edit at random and are killed: ``python -m tests.explorer.session.kills FOLDER SEED...``.

Each seed makes a session, kills it at a random instant, restores it in another process and kills that as
well. What a victim had committed stands in its file `told`, a fingerprint a line; `check` compares it with
the same edits made in peace. With ``--window`` the victims are whole windows.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTimer

from core.files.journal import History
from core.files.session_document import Session, session_to_bytes
from core.generate.scaling import scale_workload
from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.errors import InputError
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.session.autosave import Autosave
from explorer.session.session_folder import recoverable_sessions

if TYPE_CHECKING:
    from collections.abc import Iterator

LIVES, MOSTLY, PATIENCE = 2, 0.9, 30.0
"""Each session is killed so often, mostly after it has begun, for which it has so many seconds."""
FACTS = "told"


def fingerprint(history: History) -> str:
    """Return a hash of a document and all its steps of undo."""
    seen = hashlib.sha256(repr((history.index, [step.text for step in history.steps])).encode())
    states = [history.state, *(state for step in history.steps for state in (step.before, step.after))]
    for workload in {id(state.workload): state.workload for state in states}.values():
        seen.update(workload.digest.encode())
    for state in {id(state): state for state in (history.state, states[len(states) // 2])}.values():
        seen.update(session_to_bytes(Session(state)))
    return seen.hexdigest()


def first_history() -> History:
    """Return the document that victims begin with."""
    rng = random.Random(0)
    jobs = tuple(
        Job(f"J{i}", Stage.of(9, [rng.uniform(1, 9) for _ in range(9)]), Stage.of(2, 3.0, 1.0, 2.0))
        for i in range(12)
    )
    choices = PolicyChoice("fifo"), PolicyChoice("johnson")
    return History(DocumentState.new(Workload("Victim", jobs, Cluster(4, 4)), choices))


def edit_at_random(editor: Editor, rng: random.Random) -> None:
    """Do one thing, which may be refused."""
    state, stack = editor.document.state, editor.undo_stack
    jobs, scenario = state.workload.jobs, rng.choice(state.scenarios).id
    place = rng.randrange(len(jobs))
    acts = [
        lambda: editor.edit_job(place, "arrival", rng.randrange(50)),
        lambda: editor.edit_job(place, "name", f"Job {rng.randrange(30)}"),
        lambda: editor.edit_cluster(map_slots=rng.randrange(1, 9)),
        lambda: editor.drop_order(scenario, rng.sample([job.name for job in jobs], len(jobs))),
        lambda: editor.set_workload(scale_workload(state.workload, rng.choice((0.8, 1.25))), "Scale"),
        lambda: editor.duplicate_jobs([place]) if len(jobs) < 30 else editor.delete_jobs([place, 0]),
        lambda: editor.delete_jobs([place]),
        lambda: editor.add_scenario(PolicyChoice("sjf")),
        lambda: editor.remove_scenario(scenario),
        lambda: editor.choose_policy(scenario, PolicyChoice("fair")),
        stack.undo,
        stack.undo,
        stack.redo,
        editor.end_gesture,
    ]
    try:
        rng.choice(acts)()
    except InputError:
        return


def in_peace(history: History, seed: int) -> Iterator[Editor]:
    """Yield an editor before the first edit of a victim and after each of them."""
    editor, rng = Editor(Document(history.state)), random.Random(seed)
    if history.steps:
        editor.load(history.state, history=history)
    while True:
        yield editor
        edit_at_random(editor, rng)


# The victims


def live(folder: Path, seed: int, has_window: bool) -> None:
    """Restore what there is, and edit until the end."""
    told = os.open(folder / FACTS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    start = _window if has_window else _editor
    editor, sessions = start(folder)
    rng = random.Random(seed)
    os.write(told, f"life {seed} {fingerprint(editor.history)}\n".encode())

    def edit() -> None:
        edit_at_random(editor, rng)
        os.write(told, f"{fingerprint(editor.history)}\n".encode())

    timer = QTimer(interval=0)
    timer.timeout.connect(edit)
    timer.start()
    QCoreApplication.exec()
    del sessions


def _editor(folder: Path) -> tuple[Editor, object]:
    application = QCoreApplication([])
    editor = Editor(Document(first_history().state))
    autosave = Autosave(editor, dict, folder / "sessions")
    found = recoverable_sessions(folder / "sessions")
    if not found:
        autosave.start()
        return editor, (application, autosave)
    history = found[0].restore().history
    autosave.replace(found[0])
    editor.load(history.state, history=history)
    return editor, (application, autosave)


def _window(folder: Path) -> tuple[Editor, object]:
    from explorer.app import WindowSession, make_application
    from explorer.session.settings import WindowSettings

    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(folder)
    session = WindowSession(make_application(), WindowSettings())
    session.window.show()
    session.autosave.start()
    found = recoverable_sessions()
    history = first_history()
    if found:
        history = found[0].restore().history
        session.autosave.replace(found[0])
    session.window.editor.load(history.state, history=history if found else None)
    return session.window.editor, session


def kill(folder: Path, seed: int, has_window: bool) -> None:
    """Let two victims live for a random time, one after the other."""
    folder.mkdir(parents=True)
    told, rng = folder / FACTS, random.Random(seed)
    told.touch()
    for life in range(LIVES):
        began = told.read_text().count("life")
        child = os.fork()
        if child == 0:
            live(folder, seed + life, has_window)
            os._exit(0)
        waits_until = time.monotonic() + (PATIENCE if rng.random() < MOSTLY else 0)
        while told.read_text().count("life") == began and time.monotonic() < waits_until:
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 1.5 if has_window else 0.25))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


# What is left of them


def check(folder: Path, seed: int) -> int:
    """Compare what was recovered with what was told; return how many edits were. AssertionError if not."""
    path = folder / FACTS
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    whole = [line.strip() for line in lines if line.endswith("\n")]
    starts = [place for place, line in enumerate(whole) if line.startswith("life ")]
    possible = {fingerprint(first_history()): first_history()}
    for begin, end in pairwise([*starts, len(whole)]):
        _, number, began = whole[begin].split()
        assert began in possible, f"seed {seed}: began with something else than was committed"
        possible = _possible_ends(possible[began], int(number), whole[begin + 1 : end])
    found = recoverable_sessions(_sessions(folder))
    if found:
        read = found[0].restore()
        assert not read.damage
        assert fingerprint(read.history) in possible, f"seed {seed}: another document was recovered"
        found[0].discard()
    else:
        assert any(not history.steps for history in possible.values()), f"seed {seed}: nothing was recovered"
    return len(whole) - len(starts)


def _possible_ends(began: History, seed: int, told: list[str]) -> dict[str, History]:
    """Return what may have been on disk at the end: the last edit that was told of, or the next one."""
    first, possible = first_history(), {}
    for count, editor in enumerate(in_peace(began, seed)):
        history = editor.history
        if 0 < count <= len(told):
            assert fingerprint(history) == told[count - 1], f"seed {seed}: edit {count} was another one"
        if count >= len(told):
            possible[fingerprint(history)] = history
            if not editor.is_modified:  # equals its file: nothing to recover, so the next life begins anew
                possible[fingerprint(first)] = first
        if count > len(told):
            return possible
    return possible


def _sessions(folder: Path) -> Path:
    journals = [*folder.rglob("lock")]
    return journals[0].parent.parent if journals else folder


def main() -> None:
    """Kill a victim for each seed."""
    folder, *seeds = [argument for argument in sys.argv[1:] if argument != "--window"]
    has_window = "--window" in sys.argv
    if has_window:
        import explorer.app  # noqa: F401  once, for all victims
    for seed in map(int, seeds):
        kill(Path(folder) / str(seed), seed, has_window)


if __name__ == "__main__":
    main()
