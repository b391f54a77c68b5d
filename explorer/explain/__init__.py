"""Why, in the window: critical path, reasons of tasks, decisions at an instant, differences, findings.

Asks `core.explain` in a worker and shows what it says.
Nothing here reasons itself.
"""
