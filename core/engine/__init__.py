"""The compiled event loop: state, slots, placement, heartbeats, replanning during a run.

Plain functions over columns, compiled by numba and equal to their interpreted selves to the last bit.
There is no policy by name, no file, no measure here.
"""
