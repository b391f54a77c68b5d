"""Certificates: what is called proved, as a file, and a checker that shares no code with what found it.

`check` imports numpy and nothing of ours, so that it cannot repeat a mistake of the search, of its bounds or
of the simulator. `certificate` writes down what it needs.
"""
