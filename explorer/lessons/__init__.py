"""Lessons in the window: the pane with a step's text and question, what was done, scores, writing lessons.

Shows what `core.lessons` reads and judges, and lets one be the scheduler.
Nothing here simulates in the window's thread but a game from one slot to the next, and nothing edits the
document but what a finished game is asked to add.
"""
