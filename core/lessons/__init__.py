"""Lessons: steps with a text, what the window shows, and questions that the simulator answers.

A lesson is data: nothing in it is run, and no answer but that of a choice is written into it.
What draws belongs in the window.
"""
