"""Forecasts: what a schedule that is under way will still do, with the chances of it.

What lies before a time is known; how long the tasks that run then or wait will take is drawn, many times, and
each time the simulator goes on from there.
"""
