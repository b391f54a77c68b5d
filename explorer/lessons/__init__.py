"""Lessons in the window: the pane with a step's text and question, what was done, scores, writing lessons.

Shows what `core.lessons` reads and judges.
Nothing here simulates in the window's thread, and nothing edits the document.
"""
