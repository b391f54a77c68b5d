"""The compiled event loop: state, slots, placement, heartbeats, replanning during a run.

Plain functions over columns, compiled by numba and equal to their interpreted selves to the last bit.
No policy by name, no file and no measure belongs here.
"""
