"""Two stacks undone as one: the step that was done last first."""

from __future__ import annotations

from PySide6.QtGui import QUndoCommand

from explorer.document.undo_in_turn import UndoInTurn


def test_steps_are_undone_and_redone_in_the_order_in_which_they_were_done(qtbot):
    steps = UndoInTurn()
    document, tried = steps.document, steps.tried
    for stack, text in ((document, "a"), (tried, "b"), (tried, "c"), (document, "d"), (tried, "e")):
        stack.push(QUndoCommand(text))
    undone, redone = [], []
    while steps.undoing.canUndo():
        undone.append(steps.undoing.undoText())
        steps.undo()
    while steps.redoing.canRedo():
        redone.append(steps.redoing.redoText())
        steps.redo()
    assert (undone, redone) == (list("edcba"), list("abcde"))


def test_a_step_in_the_place_of_an_undone_one_has_its_own_turn(qtbot):
    steps = UndoInTurn()
    document, tried = steps.document, steps.tried
    tried.push(QUndoCommand("a"))
    steps.undo()
    document.push(QUndoCommand("b"))
    tried.push(QUndoCommand("c"))
    assert steps.undoing.undoText() == "c"
    tried.clear()
    assert steps.undoing.undoText() == "b"
    with qtbot.waitSignal(steps.changed):
        tried.push(QUndoCommand("d"))
