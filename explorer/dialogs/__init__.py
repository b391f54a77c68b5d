"""Dialogs that ask before something is made: generate, deadlines, fit, scale, fidelity, about.

Each gives back a value or nothing.
There is no edit of the document here.
"""
