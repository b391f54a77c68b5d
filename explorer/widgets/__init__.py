"""Widgets and workers that know nothing of schedules: theme, labels, fields, tables, work beside the window.

Any other folder of the window may use them.
Nothing here knows the document.
"""
