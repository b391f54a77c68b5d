"""Dialogs that ask before something is made: generate, deadlines, fit, scale, fidelity, about.

Each gives back a value or nothing.
No edit of the document belongs here.
"""
