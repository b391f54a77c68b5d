"""Dialogs with settings of what is made: generate, deadlines, fit, scale, fidelity, about.

Each gives back a value or nothing.
No edit of the document belongs here.
"""
